"""Judge the reader on made-up unmodified copies of Mr. Jack in New York: pictures exact, pieces wrong and unknown.

    python -m companion.calibration.training.judge_new_york FIRST LAST [--start-only] [--copies KIND]

Seeds 8000 to 8019 were looked at while the bounds were chosen. ``--start-only``: without the picture of the other sides.
``--copies``: with second sides of that kind (``second_sides``), from seed 63000 on.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from companion.calibration.repeated_enrolment import learn_sides
from companion.calibration.training.new_york_composed import NewYorkTable
from companion.calibration.training.new_york_stickers import BOARD, PIECES
from companion.calibration.training.second_sides import APART, FAMILIES, ORDINARY
from companion.errors import BadInput
from companion.vision.frame import Frame
from companion.vision.plain.reader import PlainReader, Teaching, teach
from companion.vision.plain.start import other_sides
from companion.vision.table_sets.reading_metrics import confidences
from companion.vision.table_sets.scoring import EXACT, Verdict, compare

START: dict[str, Any] = dict(BOARD.start)


def frame(image: np.ndarray) -> Frame:
    """A picture as the reader takes it."""
    return Frame(image, 0.0, "made")


def taught(table: NewYorkTable, whole: bool = True) -> Teaching:
    """Teach a copy, ``whole`` with the picture of the other sides."""
    empty, start = (frame(table.shoot(state)[0]) for state in ({}, START))
    teaching = teach(empty, start, BOARD, PIECES, table.lens, START)
    if not whole:
        return teaching
    return learn_sides(teaching, frame(table.shoot(other_sides(BOARD, PIECES, START) or {})[0]), BOARD, PIECES).teaching


def verdicts(
    seed: int, whole: bool, picks: tuple[int, ...] = (4, 9, 15), family: str = ORDINARY
) -> Iterator[tuple[tuple[Verdict, ...], float]]:
    """What is said of every piece of some pictures of one copy, every other one in another light, and the seconds it took."""
    table = NewYorkTable(seed, family=family)
    reader = PlainReader(BOARD, PIECES, taught(table, whole))
    states = table.states(max(picks))
    for index, pick in enumerate(picks):
        picture, _ = table.shoot(states[pick], mood=table.other_light() if index % 2 else None)
        begin = time.process_time()
        reading = reader.read(frame(picture)).reading
        spent = time.process_time() - begin
        read = reading.state(BOARD, PIECES)
        yield compare(states[pick], read, reading.unknown, PIECES, confidences(reading, PIECES)), spent


def main() -> None:
    """Print every difference, and the sums."""
    kinds: Counter[tuple[str, str]] = Counter()
    pictures = exact = 0
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("first", type=int, help="the first seed")
    parser.add_argument("last", type=int, help="the seed after the last one")
    parser.add_argument("--copies", default=ORDINARY, choices=(ORDINARY, *FAMILIES, APART), help="what kind (%(default)s)")
    parser.add_argument("--start-only", action="store_true", help="without the picture of the other sides")
    options = parser.parse_args()
    for seed in range(options.first, options.last):
        try:
            every = list(verdicts(seed, not options.start_only, family=options.copies))
        except BadInput as error:
            print(seed, "not taught:", error, flush=True)
            continue
        for number, (some, seconds) in enumerate(every):
            pictures += 1
            exact += all(verdict.verdict == EXACT for verdict in some)
            kinds.update((verdict.kind, verdict.verdict) for verdict in some)
            odd = [f"{v.verdict} {v.subject} is {v.truth} read {v.read}" for v in some if v.verdict != EXACT]
            print(seed, number, f"{seconds:.1f} s", len(odd), "; ".join(odd[:12]), flush=True)
    print(f"{exact} of {pictures} pictures exact", dict(Counter(v for _, v in kinds.elements())))
    for kind in dict.fromkeys(kind for kind, _ in kinds):
        print(kind, {verdict: number for (k, verdict), number in kinds.items() if k == kind})


if __name__ == "__main__":
    main()

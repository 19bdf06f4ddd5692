"""Judge the plain reader on made-up copies nobody fitted on: exact pictures, wrong and unknown pieces, reliability of claims.

    python -m companion.calibration.training.judge FIRST LAST [--copies KIND] [--third | --again] [--moved]

Four positions a copy, two of them in another light than it was taught in. ``--copies``: ordinary ones, wild ones or those of a
family of second sides (``second_sides``). ``--third``: every disc is shown turned over in a third picture; ``--again``: as long
as something is said of that picture it is taken once more with the lamp elsewhere, ``TAKEN`` times in all, as the lobby asks a
person to do. ``--moved``: the lamp is moved between the empty board and the start position. Seeds for judging are 2000 to 2999
(ordinary copies), 61000 and up (families) and 900000 and up (wild ones).
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from companion import boards
from companion.calibration.repeated_enrolment import learn_sides
from companion.calibration.training.composed import Table
from companion.calibration.training.second_sides import APART, FAMILIES, ORDINARY, SecondSideTable
from companion.calibration.training.wild import WildTable
from companion.errors import BadInput
from companion.vision.frame import Frame
from companion.vision.plain.reader import PlainReader, teach
from companion.vision.plain.start import other_sides
from companion.vision.table_sets.reading_metrics import confidences
from companion.vision.table_sets.scoring import EXACT, Verdict, compare, reliability

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
EMPTY: dict[str, Any] = {}
SIZES = ((1280, 720), (1600, 900), (1920, 1080))
"""Pictures' sizes, by seed."""
WILD = "wild"
STEEPEST = 35.0
"""Degrees from straight above, of cameras over copies with families of second sides."""
TAKEN = 3
"""Pictures of the other sides at most."""


def table_of(seed: int, kind: str = ORDINARY, steepest: float = 40.0) -> Table:
    """One camera, at most so many degrees from straight above, over one copy: an ordinary one, a ``wild`` one or one of a
    family of second sides."""
    size = SIZES[seed % 3]
    if kind == ORDINARY:
        return Table(BOARD, PIECES, seed, size=size, tilt_most=steepest)
    if kind == WILD:
        return WildTable(BOARD, PIECES, seed, size=size, tilt_most=steepest)
    return SecondSideTable(BOARD, PIECES, seed, size=size, tilt_most=steepest, family=kind)


def taught(table: Table, pictures: int, moved: bool = False) -> PlainReader:
    """A reader taught by the empty board and the start position, and by at most so many ``pictures`` with every disc turned
    over: the first in the light of the others, more only where something is said of the last one. ``moved``: the start position
    in another light than the empty board. Raises BadInput where one of the first three teaches nothing."""
    start: dict[str, Any] = dict(BOARD.start)
    empty = Frame(table.shoot(EMPTY)[0], 0, "made")
    first = Frame(table.shoot(start, mood=table.other_light() if moved else None)[0], 0, "made")
    teaching = teach(empty, first, BOARD, PIECES, table.lens, BOARD.start)
    turned = other_sides(BOARD, PIECES, start)
    assert turned is not None
    for number in range(pictures):
        picture, _ = table.shoot(turned, mood=table.other_light() if number else None)
        try:
            learnt = learn_sides(teaching, Frame(picture, 0, "made"), BOARD, PIECES)
        except BadInput:
            if not number:
                raise
            continue
        teaching = learnt.teaching
        if not any(words.endswith("in the picture of the other sides") for words in teaching.warnings):
            break
    return PlainReader(BOARD, PIECES, teaching)


def verdicts(
    seed: int, kind: str, pictures: int = 0, count: int = 4, moved: bool = False
) -> Iterator[tuple[tuple[Verdict, ...], float]]:
    """The verdicts of every picture of one copy taught by so many ``pictures`` of its other sides at most, and the processor's
    time (s) for each reading."""
    table = table_of(seed, kind) if kind in (ORDINARY, WILD) else table_of(seed, kind, STEEPEST)
    reader = taught(table, pictures, moved)
    for index in range(count):
        mood = table.other_light() if index % 2 else None
        picture, truth = table.shoot(table.random_state(), mood=mood)
        begin = time.process_time()
        observation = reader.read(Frame(picture, 0, "made"))
        spent = time.process_time() - begin
        reading = observation.reading
        yield (
            compare(truth["state"], reading.state(BOARD, PIECES), reading.unknown, PIECES, confidences(reading, PIECES)),
            spent,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("first", type=int, help="the first seed")
    parser.add_argument("last", type=int, help="the seed after the last one")
    parser.add_argument(
        "--copies", default=ORDINARY, choices=(ORDINARY, WILD, *FAMILIES, APART), help="what kind (%(default)s)"
    )
    third = parser.add_mutually_exclusive_group()
    third.add_argument("--third", dest="shown", action="store_const", const=1, default=0, help="with a third picture")
    third.add_argument("--again", dest="shown", action="store_const", const=TAKEN, help=f"with up to {TAKEN} of them")
    parser.add_argument("--moved", action="store_true", help="with the lamp moved between the first two pictures")
    options = parser.parse_args()
    kinds: Counter[tuple[str, str]] = Counter()
    claims: list[tuple[float, bool]] = []
    pictures = exact = 0
    spent: list[float] = []
    for seed in range(options.first, options.last):
        try:
            every = list(verdicts(seed, options.copies, options.shown, moved=options.moved))
        except BadInput as error:
            print(seed, "not taught:", error, flush=True)
            continue
        for some, seconds in every:
            pictures += 1
            exact += all(v.verdict == EXACT for v in some)
            spent.append(seconds)
            kinds.update((v.kind, v.verdict) for v in some)
            claims += [(v.confidence, v.verdict == EXACT) for v in some if v.confidence is not None]
            for v in some:
                if v.verdict != EXACT:
                    print("  ", seed, told(v))
        counts = dict(Counter(v for _, v in kinds.elements()))
        print(seed, f"{exact} of {pictures} exact", counts, f"{np.mean(spent):.2f} s", flush=True)
    for group in dict.fromkeys(k for k, _ in kinds):
        print(group, {v: n for (k, v), n in kinds.items() if k == group})
    for part in reliability(claims):
        print(f"confidence {part.low} to {part.high}: {part.claims} claims,", end=" ")
        print(f"claimed {part.claimed:.4f}, true {part.true / part.claims:.4f}")


def told(v: Verdict) -> str:
    return f"{v.verdict} {v.subject}: is {v.truth}, read {v.read} {v.confidence or ''}"


if __name__ == "__main__":
    main()

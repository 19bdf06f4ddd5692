# ruff: noqa: E402, E501 - drawing and fitting scripts: long lists of strokes and numbers
"""Judge the plain reader on made-up copies nobody fitted on: exact pictures, wrong and unknown pieces, reliability of claims.

    python tests/vision/plain_judge.py FIRST LAST [wild]

Seeds for judging are 2000-2999 (ordinary copies) and 900000 and up (wild ones).
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from plain_compose import Table
from plain_wild import WildTable

from companion import boards
from companion.errors import BadInput
from companion.vision.frame import Frame
from companion.vision.plain.reader import PlainReader, teach
from companion.vision.reading_metrics import confidences
from companion.vision.scoring import EXACT, Verdict, compare, reliability

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")


def verdicts(seed: int, wild: bool, count: int = 4):
    """The verdicts of every picture of one copy, and the processor's time for each reading."""
    kind = WildTable if wild else Table
    table = kind(BOARD, PIECES, seed, size=[(1280, 720), (1600, 900), (1920, 1080)][seed % 3])
    empty, _ = table.shoot({})
    start, _ = table.shoot(dict(BOARD.start))
    teaching = teach(Frame(empty, 0, "made"), Frame(start, 0, "made"), BOARD, PIECES, table.lens, BOARD.start)
    reader = PlainReader(BOARD, PIECES, teaching)
    for index in range(count):
        mood = table.other_light() if index % 2 else None
        picture, truth = table.shoot(table.random_state(), mood=mood)
        begin = time.process_time()
        observation = reader.read(Frame(picture, 0, "made"))
        spent = time.process_time() - begin
        state = observation.reading.state(BOARD, PIECES)
        yield (
            compare(truth["state"], state, observation.reading.unknown, PIECES, confidences(observation.reading, PIECES)),
            spent,
        )


def main() -> None:
    first, last, wild = int(sys.argv[1]), int(sys.argv[2]), "wild" in sys.argv
    kinds: Counter[tuple[str, str]] = Counter()
    claims: list[tuple[float, bool]] = []
    pictures = exact = 0
    spent: list[float] = []
    for seed in range(first, last):
        try:
            every = list(verdicts(seed, wild))
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
        print(
            seed,
            f"{exact} of {pictures} exact",
            dict(Counter(v for _, v in kinds.elements())),
            f"{np.mean(spent):.2f} s",
            flush=True,
        )
    for kind in dict.fromkeys(k for k, _ in kinds):
        print(kind, {v: n for (k, v), n in kinds.items() if k == kind})
    for part in reliability(claims):
        print(
            f"confidence {part.low} to {part.high}: {part.claims} claims, claimed {part.claimed:.4f}, true {part.true / part.claims:.4f}"
        )


def told(v: Verdict) -> str:
    return f"{v.verdict} {v.subject}: is {v.truth}, read {v.read} {v.confidence or ''}"


if __name__ == "__main__":
    main()

"""How many mats of cards at random are read exactly, and that none is read wrongly."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from surfaces import CARDS, MAT_SHOT, Put, built, mat_json, shoot

from companion.calibration.training.stickers_composed import Shot, pose
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.table_sets.scoring import EXACT, UNKNOWN, WRONG, compare

BOARD, PIECES = built(mat_json())


def shot_at_random(rng: np.random.Generator) -> Shot:
    """A camera over the mat: up to 30 degrees aslant, somewhat turned, as sharp as a webcam."""
    return replace(
        MAT_SHOT, tilt=float(rng.uniform(0, 30)), roll=float(rng.uniform(-6, 6)), blur=float(rng.uniform(0.4, 0.9)),
        noise=float(rng.uniform(1, 4)), px_per_mm=float(rng.uniform(1.9, 2.4)),
    )  # fmt: skip


def mat_at_random(rng: np.random.Generator) -> tuple[list[Put], dict[str, list[str]]]:
    """Cards in the row, staggered by 18 to 30 mm; a pile of which the upmost shows; a heap; some with their backs up. What
    shows, as a reading has it."""
    left = list(rng.permutation(CARDS))
    put: list[Put] = []
    shows: dict[str, list[str]] = {}

    def lay(zone: str, x: float, y: float, turn: float, back: float) -> None:
        card, face = str(left.pop()), "back" if rng.random() < back else "up"
        put.append(Put(card, (x, y), face, turn=turn))
        shows.setdefault(zone, []).append(card if face == "up" else face)

    x = 50.0
    for _ in range(int(rng.integers(1, 5))):
        lay("row", x, float(rng.uniform(66, 74)), float(rng.uniform(-3, 3)), 0.2)
        x += float(rng.uniform(18, 30))
    for _ in range(int(rng.integers(1, 3))):
        shows.pop("pile", None)
        lay("pile", 328.0 + float(rng.uniform(-2, 2)), 72.0 + float(rng.uniform(-2, 2)), float(rng.uniform(-2, 2)), 0.3)
    if rng.random() < 0.5:
        lay("heap", float(rng.uniform(60, 120)), float(rng.uniform(215, 225)), float(rng.uniform(-180, 180)), 0.0)
    return put, shows


def counted(seeds: Sequence[int]) -> tuple[Counter[str], list[str]]:
    """Cards by verdict, mats that were exact, and what was wrong, in words."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        shot = shot_at_random(rng)
        reader = MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens)
        empty = Frame(shoot(BOARD, PIECES, (), shot, seed), 0.0, "made", 0)
        reader.learn(empty, reader.read(empty))
        put, shows = mat_at_random(rng)
        reading = reader.read(Frame(shoot(BOARD, PIECES, put, shot, seed + 1), 1.0, "made", 1)).reading
        verdicts = compare({"cards": shows}, reading.state(BOARD, PIECES), reading.unknown, PIECES)
        counts.update(one.verdict for one in verdicts)
        counts["mats"] += 1
        counts["exact mats"] += all(one.verdict == EXACT for one in verdicts)
        wrong += [f"seed {seed}: {one.subject} {one.truth} read {one.read}" for one in verdicts if one.verdict == WRONG]
    return counts, wrong


def test_mats_at_random_are_read_exactly_or_in_doubt() -> None:
    counts, wrong = counted(range(700, 705))
    assert wrong == [] and counts["exact mats"] >= 4, counts


@pytest.mark.slow
def test_many_mats_at_random_are_read_exactly_or_in_doubt() -> None:
    counts, wrong = counted(range(1000, 1300))
    print(dict(counts))
    assert wrong == [] and counts["exact mats"] >= 0.97 * counts["mats"] and counts[UNKNOWN] <= 0.02 * counts[EXACT], counts

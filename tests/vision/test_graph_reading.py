"""How surely pawns and cell features are read on the board of hide and seek, over made-up tables: exact, unknown and wrong."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from graph_table import NEAR
from surfaces import Put, shoot
from testkit.path_table import BOARD, PIECES

from companion.calibration.training.stickers_composed import Shot, pose
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader

CIRCLES, SQUARES = (sorted(BOARD.of_kind(kind)) for kind in ("circle", "square"))
MIDDLE = np.array(BOARD.size_mm) / 2


def table(rng: np.random.Generator) -> list[Put]:
    """Up to four cell features and both pawns on sites at random, each a little off and turned; what is nearer the camera
    last."""
    spots = [(f"clue-{n + 1}", str(site)) for n, site in enumerate(rng.choice(CIRCLES, int(rng.integers(0, 5)), replace=False))]
    pawns = zip(("pawn-red", "pawn-blue"), map(str, rng.choice(SQUARES, 2, replace=False)), strict=True)
    spots += sorted(pawns, key=lambda one: -float(np.hypot(*(BOARD.mm(one[1]) - MIDDLE))))
    return [Put(piece, site, None, tuple(rng.uniform(-1.3, 1.3, 2)), float(rng.uniform(0, 360))) for piece, site in spots]


def counts(shot: Shot, seeds: range) -> Counter[str]:
    """Pawns and circles read exactly, not told, and wrongly."""
    reader, found = MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens), Counter[str]()
    empty = Frame(shoot(BOARD, PIECES, (), shot, 3), 0.0, "made", 0)
    reader.learn(empty, reader.read(empty))
    for seed in seeds:
        put = table(np.random.default_rng([int(shot.tilt), int(shot.px_per_mm * 10), seed]))
        reading = reader.read(Frame(shoot(BOARD, PIECES, put, shot, seed), 1.0, "made", seed + 1)).reading
        state, lying = reading.state(BOARD, PIECES), {one.piece: one.at for one in put}
        for pawn in ("pawn-red", "pawn-blue"):
            told = state["pawns"].get(pawn, {}).get("hex")
            found["pawn unknown" if told is None and pawn in reading.unknown else f"pawn {told == lying[pawn]}"] += 1
        for circle in CIRCLES:
            unknown = f"clue:{circle}" in reading.unknown and circle not in state["clues"]
            found["circle unknown" if unknown else f"circle {(circle in state['clues']) == (circle in lying.values())}"] += 1
    return found


def test_a_few_tables_are_read_without_an_error() -> None:
    found = counts(NEAR, range(3))
    assert found["pawn True"] == 6 and not found["circle False"] and found["circle unknown"] <= 2


@pytest.mark.slow
def test_48_tables_seen_near_and_far_steep_and_flat_are_read_without_an_error() -> None:
    shots = [replace(NEAR, tilt=tilt, px_per_mm=near) for tilt in (10.0, 25.0, 40.0) for near in (4.2, 5.2)]
    found = sum((counts(shot, range(8)) for shot in shots), Counter[str]())
    assert (found["pawn False"], found["circle False"]) == (0, 0)
    assert found["pawn True"] >= 95 and found["circle unknown"] <= 20, dict(found)

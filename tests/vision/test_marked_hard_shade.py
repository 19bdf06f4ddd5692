"""One lamp throws hard shadows: half of what shows around a disc is dark then. A bare place keeps its tint in them."""

import cv2
import numpy as np
import pytest

from companion.calibration.training.new_york_stickers import BOARD, EMPTY, GAME, PIECES, table
from companion.calibration.training.stickers_composed import Shot, compose, pose
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.table_sets.scoring import WRONG, compare

START = GAME.start().to_json()
IN_SIGHT = {"D5": "park", "H13": "building"}
SHOT = Shot(tilt=15, px_per_mm=1.8)
DISCS = [entry["hex"] for entry in START["characters"].values()]


def taken(state: dict, jitter: int = 1) -> Frame:
    """A composed picture on which every disc throws a shadow of its own shape to one side, a fifth as bright."""
    picture, camera = compose(table(state, 1, jitter), SHOT), pose(BOARD, SHOT)
    angle = np.linspace(0, 2 * np.pi, 60)
    ring = np.column_stack([np.cos(angle), np.sin(angle)]) * 17.0
    dark, discs = (np.zeros(picture.shape[:2], np.uint8) for _ in range(2))
    for entry in state["characters"].values():
        middle = np.asarray(BOARD.mm(entry["hex"]))
        cv2.fillPoly(dark, [camera.project(middle + ring + np.array([7.0, -4.0])).astype(np.int32)], 255)
        for height in (0.0, 3.0, 6.0, 9.0):
            cv2.fillPoly(discs, [camera.project(middle + ring, height).astype(np.int32)], 255)
    shade = np.where((dark > 0) & (discs == 0), 0.2 ** (1 / 2.2), 1.0)[..., None]
    return Frame(np.asarray(picture * cv2.GaussianBlur(shade, (0, 0), 0.8)[..., None], np.uint8), 0.0, "test")


@pytest.fixture(scope="module")
def taught() -> MarkedReader:
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, SHOT).lens)
    empty = Frame(compose(table(EMPTY, 1, 1), SHOT), 0.0, "test")
    reader.learn(empty, reader.read(empty))
    return reader


def unknown_below(taught: MarkedReader, state: dict) -> list[str]:
    """The places below discs of which it is not known what lies there. No piece is read wrong."""
    reading = taught.read(taken(state)).reading
    verdicts = compare(state, reading.state(BOARD, PIECES), reading.unknown, PIECES)
    assert [one for one in verdicts if one.verdict == WRONG] == []
    return [spot for spot in DISCS if f"tile:{spot}" in reading.unknown]


@pytest.mark.parametrize("in_sight", [{}, IN_SIGHT])
def test_bare_places_below_discs_are_told_in_a_hard_shadow(taught: MarkedReader, in_sight: dict) -> None:
    """Whether every side was seen or not: next to a side that was not, see below, such a place is told from it as well."""
    assert len(unknown_below(taught, START | {"tiles": START["tiles"] | in_sight})) <= 1


@pytest.mark.parametrize("seen", [True, False])
@pytest.mark.parametrize(
    "side", ["park", "lamp", *(pytest.param(one, marks=pytest.mark.slow) for one in ("subway", "building"))]
)
def test_no_tile_in_a_hard_shadow_is_denied(taught: MarkedReader, side: str, seen: bool) -> None:
    """Whether its side was seen elsewhere or not."""
    hidden = dict.fromkeys(DISCS[:2], side)
    in_sight = {cell: other for cell, other in IN_SIGHT.items() if seen or other != side}
    state = START | {"tiles": {**{k: v for k, v in START["tiles"].items() if v != side}, **in_sight, **hidden}}
    reading = taught.read(taken(state)).reading
    for spot in hidden:
        assert reading.state(BOARD, PIECES)["tiles"].get(spot) == side or f"tile:{spot}" in reading.unknown

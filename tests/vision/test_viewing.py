"""How a camera sees the table: measured against cameras whose place is known."""

import numpy as np
import pytest

from companion import boards
from companion.boards import Board, PieceSet
from companion.boards.surface import HEXES
from companion.calibration.training.stickers_composed import Shot, pose
from companion.vision.viewing import (
    DISCS_SMALL,
    PIECE_STICKERS_SMALL,
    PIECES_SMALL,
    STICKERS_SMALL,
    TOO_FLAT,
    Viewing,
)

GAMES = [
    (board, pieces)
    for game in boards.available()
    if (board := boards.load(game)).surface == HEXES and (pieces := boards.load_pieces(game))
]
"""Boards over which discs walk."""


@pytest.mark.parametrize(("board", "pieces"), GAMES, ids=[board.id for board, _ in GAMES])
@pytest.mark.parametrize("tilt", [0.0, 20.0, 50.0])
def test_tilt_and_sizes_are_those_of_the_camera(board: Board, pieces: PieceSet, tilt: float) -> None:
    shot = Shot(tilt=tilt, px_per_mm=2.0, distortion=(0.0,) * 5)
    seen = Viewing.of(pose(board, shot), board, pieces)
    assert seen.tilt_deg == pytest.approx(tilt, abs=0.01)
    assert seen.disc_px / seen.sticker_px == pytest.approx(min(pieces.movable.size_mm) / pieces.movable.marker_mm)
    # Foreshortened along the view, and smaller still at the far edge.
    middle = 2.0 * pieces.movable.marker_mm * np.cos(np.radians(tilt))
    assert 0.7 * middle < seen.sticker_px <= 1.02 * middle


def test_only_what_is_less_than_asked_is_a_fault() -> None:
    good, far, flat = Viewing(45.4, 24.0, 49.0), Viewing(20.0, 23.4, 48.0), Viewing(46.0, 40.0, 29.0)
    assert good.faults(marked=True) == good.faults(marked=False) == ()
    assert far.faults(marked=True) == ((STICKERS_SMALL, {"pixels": 23, "least": 24}),)
    assert far.faults(marked=False) == (), "an unmodified copy has no stickers"
    assert [text for text, _ in flat.faults(marked=False)] == [DISCS_SMALL, TOO_FLAT]
    assert [text for text, _ in flat.faults(marked=True)] == [TOO_FLAT]


@pytest.mark.parametrize("game", boards.available())
def test_a_fault_names_discs_only_where_the_game_has_some(game: str) -> None:
    board, pieces = boards.load(game), boards.load_pieces(game)
    far = Viewing.of(pose(board, Shot(px_per_mm=0.4)), board, pieces)
    discs = any(group.shape == "disc" for group in pieces.groups.values())
    texts = [far.faults(marked=marked)[0][0] for marked in (True, False)]
    assert texts == ([STICKERS_SMALL, DISCS_SMALL] if discs else [PIECE_STICKERS_SMALL, PIECES_SMALL])
    assert all(("discs" in text) == discs for text in texts)
    assert far.worst(far).faults(marked=True) == far.faults(marked=True)


def test_the_worst_of_two_is_the_steepest_and_the_smallest() -> None:
    assert Viewing(10.0, 30.0, 60.0).worst(Viewing(40.0, 25.0, 50.0)) == Viewing(40.0, 25.0, 50.0)
    assert Viewing(10.0, 30.0, 60.0).worst(None) == Viewing(10.0, 30.0, 60.0)

"""A board nudged over two of its frame stickers: said once, then quiet, though the stickers left tell its place from noise."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from world import RATE, Film, Picture, false, grained, shaking

from companion.boards import load, load_pieces
from companion.calibration.training.stickers_composed import EMPTY, Scene, Shot, compose, pose, random_state
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.watching.board_shift import BoardShiftSettings, common_shift_mm

BOARD, PIECES = load("mr-jack-london"), load_pieces("mr-jack-london")
SHOT = Shot(size=(1280, 720), tilt=27, azimuth=2, px_per_mm=1.35, noise=0, blur=0.6)
STATE = random_state(BOARD, PIECES, np.random.default_rng(2))


def grainy(picture: Picture, seconds: float, seed: int = 5) -> Iterator[Picture]:
    """The picture again and again, each time with fresh grain of single pixels, as a dim room gives it."""
    rng = np.random.default_rng(seed)
    for _ in range(round(seconds * RATE)):
        yield grained(picture, rng.normal(0, 5, picture.shape))


@pytest.mark.parametrize(
    "slid_mm", [(-14.9, 0.0), *(pytest.param(one, marks=pytest.mark.slow) for one in ((-12.0, 0.0), (13.0, 0.0)))]
)
def test_a_board_nudged_over_two_stickers_is_said_once(slid_mm: tuple[float, float]) -> None:
    before, empty = (compose(Scene(BOARD, PIECES, state, jitter=1), SHOT) for state in (STATE, EMPTY))
    after = compose(Scene(BOARD, PIECES, STATE, jitter=1), replace(SHOT, slid_mm=slid_mm))
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, SHOT).lens)
    bare = Frame(empty, 0.0, "film")
    reader.learn(bare, reader.read(bare))
    film = Film(reader, BOARD)
    film.show(before, 1.0)
    film.run(shaking(after))
    analyses = film.run(grainy(after, 2.0), grainy=1.0)
    assert film.codes() == ["camera-moved", "registered-again", "board-slid"]
    (slid,) = [notice for analysis in analyses for notice in analysis.notices if notice.code == "board-slid"]
    assert slid.params["mm"] == pytest.approx(float(np.hypot(*slid_mm)), abs=3)
    for _, reading in film.readings:
        assert false(reading, STATE, BOARD, PIECES) == []


def test_a_board_that_slid_is_not_read_as_it_lay_before() -> None:
    """What was read before the nudge is no reading of the board after it, though the stickers in sight have not moved."""
    before = compose(Scene(BOARD, PIECES, STATE, jitter=1), SHOT)
    after = compose(Scene(BOARD, PIECES, STATE, jitter=1), replace(SHOT, slid_mm=(-14.9, 0.0)))
    film = Film(MarkedReader(BOARD, PIECES, pose(BOARD, SHOT).lens), BOARD)
    film.show(before, 1.0)
    analyses = film.run([*shaking(after), *[after] * 15])
    steady = [analysis for analysis in analyses[4:] if analysis.steady]
    for analysis in steady:
        assert analysis.observation is not None
        shift = common_shift_mm(film.readings[0][1], analysis.observation.reading, BOARD.spacing_mm, BoardShiftSettings())
        assert shift is not None
        assert shift[0] == pytest.approx(14.9, abs=3)

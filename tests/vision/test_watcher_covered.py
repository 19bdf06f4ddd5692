"""Half of the board is covered: nothing says that it was moved, whichever half, with stickers and without."""

import numpy as np
import pytest
from world import Film, false, shaking, slab

from companion.boards import load, load_pieces
from companion.calibration.training.composed import Table
from companion.calibration.training.stickers_composed import EMPTY, Scene, Shot, compose, pose, random_state
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.plain.reader import PlainReader, teach
from companion.vision.watching.watcher import WatchSettings

BOARD, PIECES = load("mr-jack-london"), load_pieces("mr-jack-london")
WIDTH, HEIGHT = BOARD.size_mm
HALVES = {
    "left": (-70.0, -70.0, WIDTH / 2, HEIGHT + 70),
    "right": (WIDTH / 2, -70.0, WIDTH + 70, HEIGHT + 70),
    "upper": (-70.0, -70.0, WIDTH + 70, HEIGHT / 2),
    "lower": (-70.0, HEIGHT / 2, WIDTH + 70, HEIGHT + 70),
}
CLOTH = (70, 90, 160)
SHOT = Shot(size=(1280, 720), tilt=20, px_per_mm=1.4, noise=0, blur=0.5)
STATE = random_state(BOARD, PIECES, np.random.default_rng(2))


@pytest.fixture(scope="module")
def pictures() -> tuple[np.ndarray, np.ndarray]:
    laid, empty = (compose(Scene(BOARD, PIECES, state, jitter=3), SHOT) for state in (STATE, EMPTY))
    return laid, empty


@pytest.mark.parametrize(
    "half", ["lower", *(pytest.param(half, marks=pytest.mark.slow) for half in ("left", "right", "upper"))]
)
def test_half_a_marked_board_covered_is_no_board_that_moved(pictures: tuple[np.ndarray, np.ndarray], half: str) -> None:
    laid, empty = pictures
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, SHOT).lens)
    bare = Frame(empty, 0.0, "film")
    reader.learn(bare, reader.read(bare))
    film = Film(reader, BOARD)
    film.show(laid, 0.8)
    covered = slab(laid, pose(BOARD, SHOT), HALVES[half], CLOTH)
    film.show(covered, 3.0)
    film.run(shaking(covered, 4))
    film.show(covered, 0.5)
    film.show(laid, 1.0)
    assert not {"camera-moved", "registered-again", "board-slid"}.intersection(film.codes())
    for _, reading in film.readings:
        assert false(reading, STATE, BOARD, PIECES) == []


@pytest.mark.slow
@pytest.mark.parametrize("half", HALVES)
def test_half_a_plain_board_covered_is_no_board_that_moved(half: str) -> None:
    start = dict(BOARD.start)
    table = Table(BOARD, PIECES, 2003, size=(1280, 720), tilt_most=25.0)
    empty, laid = (table.shoot(state)[0] for state in ({}, start))
    taught = teach(Frame(empty, 0, "e"), Frame(laid, 0, "s"), BOARD, PIECES, table.lens, start)
    film = Film(PlainReader(BOARD, PIECES, taught), BOARD, WatchSettings(patience_s=0.5, retry_s=0.2))
    film.show(laid, 1.0)
    covered = slab(laid, taught.registration, HALVES[half], CLOTH)
    film.show(covered, 1.2)
    film.run(shaking(covered, 4))
    film.show(laid, 1.0)
    assert not {"camera-moved", "registered-again", "board-slid"}.intersection(film.codes())
    for _, reading in film.readings:
        assert false(reading, start, BOARD, PIECES) == []

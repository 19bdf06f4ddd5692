"""Spaces of a track that a printing has elsewhere than the board file: found on the bare board, and read there."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import cv2
import numpy as np
import pytest

from companion import boards
from companion.boards import Board
from companion.calibration.training.composed import Table
from companion.vision.frame import Frame
from companion.vision.place_fit import bound_mm, fit_places
from companion.vision.plain.reader import PlainReader, teach

PIECES = boards.load_pieces("mr-jack-london")
PRINTED_MM = {8: 21.2, 7: 70.4, 6: 119.8, 5: 168.0, 4: 215.0, 3: 264.0, 2: 312.6, 1: 361.2}


def frame(image: np.ndarray) -> Frame:
    return Frame(image, 0.0, "made")


def printed_elsewhere(board: Board, shift: tuple[float, float]) -> Board:
    """The board as another printing has it: its track moved. Not by ``shifted``, which is what is tested."""
    moved = {
        name: replace(place, mm=(place.mm[0] + shift[0], place.mm[1] + shift[1])) if place.kind == "turn" else place
        for name, place in board.places.items()
    }
    return replace(board, places=MappingProxyType(moved))


@pytest.mark.parametrize("edition", boards.editions("mr-jack-london"))
def test_turn_spaces_lie_where_the_printed_towers_are(edition: str) -> None:
    """They lay about 10 mm too low."""
    board = boards.load("mr-jack-london", edition)
    found = {place.value: place.mm[1] for place in board.places_of("turn")}
    assert found == pytest.approx(PRINTED_MM)


@pytest.mark.parametrize(
    ("game", "edition", "shift"),
    [
        ("mr-jack-london", "first-2006", (0.0, 10.0)),
        ("mr-jack-london", "first-2006", (4.0, -9.0)),
        ("mr-jack-london", "revised-2016", (-3.0, 9.0)),
        ("mr-jack-new-york", "first-2009", (6.0, -8.0)),
    ],
)
def test_a_track_printed_ten_millimetres_off_is_found_on_the_bare_board(
    game: str, edition: str, shift: tuple[float, float]
) -> None:
    board = boards.load(game, edition)
    table = Table(printed_elsewhere(board, shift), PIECES, 2003, size=(1280, 720), tilt_most=30.0)
    found = fit_places(table.shoot({})[0], table.pose, board)
    assert set(found) == {"turn"}, "exits bear no circle: nothing is told of them"
    assert np.hypot(*np.subtract(found["turn"], shift)) <= 1.5


def test_a_track_that_lies_as_the_board_file_says_is_left_there() -> None:
    board = boards.load("mr-jack-london")
    table = Table(board, PIECES, 2004, size=(1280, 720), tilt_most=30.0)
    assert np.hypot(*fit_places(table.shoot({})[0], table.pose, board).get("turn", (0.0, 0.0))) <= 1.5


def test_nothing_is_moved_by_a_picture_that_shows_no_circles() -> None:
    board = boards.load("mr-jack-london")
    table = Table(board, PIECES, 2004, size=(1280, 720), tilt_most=30.0)
    noise = np.random.default_rng(3).normal(0, 1, (720, 1280, 3)).astype(np.float32)
    plain = np.clip(128 + 200 * cv2.GaussianBlur(noise, (0, 0), 6), 0, 255).astype(np.uint8)
    assert fit_places(plain, table.pose, board) == {}
    assert fit_places(plain, table.pose, board, {"turn": (1.0, -3.0)}) == {}, "as far as that a hand lays it beside its place"
    far = fit_places(plain, table.pose, board, {"turn": (0.0, -11.0)})["turn"]
    assert -11.0 <= far[1] < -4.0, "a piece that lay further off tells where it is laid"


@pytest.mark.parametrize("game", [game for game in boards.available() if boards.load(game).places_of("turn")])
def test_no_place_is_moved_half_way_to_the_next(game: str) -> None:
    board = boards.load(game)
    spots = [place.mm for place in board.places_of("turn")]
    apart = min(float(np.hypot(*np.subtract(a, b))) for i, a in enumerate(spots) for b in spots[i + 1 :])
    assert bound_mm(board, "turn") < apart / 2


def test_shifting_a_board_twice_is_shifting_it_once() -> None:
    board = boards.load("mr-jack-london")
    shifts: Mapping[str, tuple[float, float]] = {"turn": (1.0, -10.0)}
    once = board.shifted(shifts)
    assert once.mm("turn-1") == pytest.approx(np.add(board.mm("turn-1"), (1.0, -10.0)))
    assert once.shifted(shifts) is once
    assert once.shifted({}).mm("turn-1") == pytest.approx(board.mm("turn-1"))
    assert once.mm("NE") == board.mm("NE")


@pytest.mark.slow
def test_a_turn_marker_on_a_track_ten_millimetres_off_is_read() -> None:
    """The marker lies on the printed space; the board file has it up to 14 mm beside."""
    board = boards.load("mr-jack-london")
    table = Table(printed_elsewhere(board, (6.0, -12.0)), PIECES, 2003, size=(1280, 720), tilt_most=30.0)
    start = dict(board.start)
    taught = teach(frame(table.shoot({})[0]), frame(table.shoot(start)[0]), board, PIECES, table.lens, start)
    assert taught.warnings == ()
    assert np.hypot(*np.subtract(taught.shifts["turn"], (6.0, -12.0))) <= 2.5
    state = {**start, "turn": 6}
    observation = PlainReader(board, PIECES, taught).read(frame(table.shoot(state)[0]))
    assert "turn" not in observation.reading.unknown
    assert observation.reading.state(board, PIECES)["turn"] == 6

"""Things that belong to no game of ours, on places of tiles; and profiles that are another copy's."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion import boards
from companion.calibration.training.composed import Table
from companion.calibration.training.foreign_tokens import strew
from companion.vision.frame import Frame
from companion.vision.plain.reader import PlainReader, Teaching, teach

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
START = dict(BOARD.start)
FEWER: dict[str, Any] = {**START, "covers": ["l12"], "cordons": ["SW"], "gaslights": {"b2": 1, "h8": "blank"}}
"""A cover, a cordon and four lamps are in somebody's hand: whatever lies on their places may be taken for them."""
TOKENS = [
    ("coin", "k6"), ("chit", "NE"), ("chit", "f7"), ("coin", "NW"), ("die", "h4"), ("chit", "l11"), ("coin", "h3"),
]  # fmt: skip


def frame(image: np.ndarray) -> Frame:
    return Frame(image, 0.0, "made")


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(BOARD, PIECES, 2003, size=(1280, 720), tilt_most=30.0)


@pytest.fixture(scope="module")
def taught(table: Table) -> Teaching:
    return teach(frame(table.shoot({})[0]), frame(table.shoot(START)[0]), BOARD, PIECES, table.lens, START)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_coins_dice_and_chits_are_not_taken_for_tiles(table: Table, taught: Teaching, seed: int) -> None:
    strew(table, TOKENS, seed)
    observation = PlainReader(BOARD, PIECES, taught).read(frame(table.shoot(FEWER, junk=len(TOKENS))[0]))
    lying = {sighting.place for sighting in observation.reading.sightings}
    assert lying & {place for _, place in TOKENS} == set()
    true = {"l12", "SW", "b2", "h8"}
    assert len(lying & true) >= 3, "what is ours is read all the same"


def test_a_board_that_is_printed_otherwise_than_the_taught_one_is_refused_with_a_sentence(
    table: Table, taught: Teaching
) -> None:
    """A profile of another copy: a part of its print is alike, and its features agree."""
    other = Table(BOARD, PIECES, 2004, size=(1280, 720), tilt_most=30.0)
    mixed, own = other.copy.art.copy(), table.copy.art
    part = own.shape[1] * 2 // 5
    mixed[:, :part] = own[:, :part]
    kept, table.copy.art = own, mixed
    try:
        picture = table.shoot(START)[0]
    finally:
        table.copy.art = kept
    observation = PlainReader(BOARD, PIECES, taught).read(frame(picture))
    assert observation.registration is None
    assert observation.reading.sightings == ()
    assert observation.problems == (
        "this board is not printed as the one that was taught: clear what lies on it, or teach this table again",
    )


def test_a_picture_without_a_board_is_not_called_another_board(table: Table, taught: Teaching) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (72, 128, 3)).astype(np.uint8)
    picture = cv2.resize(noise, (1280, 720), interpolation=cv2.INTER_CUBIC)
    observation = PlainReader(BOARD, PIECES, replace(taught)).read(frame(picture))
    assert observation.problems == ("the board is not in sight",)

"""A watched plain table in the world: the same promises as for stickers, on a made-up copy. Few films, for reading is dear."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from world import Film, Picture, fading, false, lit, mug, shaded, shaking

from companion.boards import load, load_pieces
from companion.calibration.training.camera_faults import arm, warped
from companion.calibration.training.composed import Table
from companion.vision.frame import Frame
from companion.vision.plain.reader import PlainReader, Teaching, teach
from companion.vision.reading import Reading
from companion.vision.watching.watcher import WatchSettings

BOARD, PIECES = load("mr-jack-london"), load_pieces("mr-jack-london")
START: dict[str, Any] = dict(BOARD.start)
QUICK = WatchSettings(patience_s=0.5, retry_s=0.2)
MOVED = ["camera-moved", "registered-again"]


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(BOARD, PIECES, 2003, size=(1280, 720), tilt_most=25.0)


@pytest.fixture(scope="module")
def taught(table: Table) -> Teaching:
    return teach(Frame(table.shoot({})[0], 0, "e"), Frame(table.shoot(START)[0], 0, "s"), BOARD, PIECES, table.lens, START)


@pytest.fixture(scope="module")
def prepared(table: Table, taught: Teaching) -> tuple[list[dict[str, Any]], list[Picture]]:
    used = {entry["hex"] for entry in START["characters"].values()}
    middle = np.array(BOARD.size_mm) / 2
    free = min(BOARD.of_kind("street") - used, key=lambda cell: float(np.hypot(*(np.array(BOARD.mm(cell)) - middle))))
    people = START["characters"]
    states = [START, START | {"characters": people | {"lestrade": people["lestrade"] | {"hex": free}}}]
    return states, [table.shoot(state)[0] for state in states]


class Story:
    def __init__(self, taught: Teaching, states: list[dict[str, Any]], pictures: list[Picture]) -> None:
        self.film, self.states, self.pictures = Film(PlainReader(BOARD, PIECES, taught), BOARD, QUICK), states, pictures
        self.film.show(pictures[0], 1.2)
        self.begun = self.film.now
        assert self.film.readings
        assert self.film.readings[-1][1].of("lestrade") is not None
        self.holds(0)

    def since(self, at: float) -> list[Reading]:
        return self.film.since(at)

    def holds(self, state: int, since: float = 0.0) -> None:
        for reading in self.since(since):
            assert false(reading, self.states[state], BOARD, PIECES) == []

    def the_move_is_seen(self, change: Callable[[Picture], Picture]) -> None:
        before, after = change(self.pictures[0]), change(self.pictures[1])
        self.film.run([arm(before, 0.4), arm(before, 0.6), arm(after, 0.6), arm(after, 0.3)])
        begin = self.film.now
        self.film.show(after, 1.2)
        self.holds(1, begin)
        assert self.since(begin), "the move was not read"
        assert self.since(begin)[-1].of("lestrade") is not None


@pytest.fixture
def story(taught: Teaching, prepared: tuple[list[dict[str, Any]], list[Picture]]) -> Story:
    return Story(taught, *prepared)


def knocked(picture: Picture) -> Picture:
    return warped(picture, 1.5, (18, -10))


def turned(picture: Picture) -> Picture:
    return np.ascontiguousarray(cv2.rotate(picture, cv2.ROTATE_180))


def test_a_knocked_camera_is_said_found_again_and_no_play(story: Story) -> None:
    story.film.run(shaking(knocked(story.pictures[0])))
    story.film.show(knocked(story.pictures[0]), 1.0)
    assert story.film.codes() == MOVED
    assert story.film.said[0][0] - story.begun <= 1.0
    assert story.film.said[1][0] - story.begun <= 3.0
    story.holds(0)
    story.the_move_is_seen(knocked)


def test_a_lamp_that_is_switched_is_no_play(story: Story) -> None:
    def dimmed(picture: Picture) -> Picture:
        return lit(picture, 0.6, (0.75, 0.9, 1.05), 0.4)

    story.film.show(dimmed(story.pictures[0]), 1.0)
    story.holds(0)
    story.the_move_is_seen(dimmed)


def test_a_picture_that_goes_black_is_said_and_the_game_goes_on(story: Story) -> None:
    story.film.show(np.asarray(story.pictures[0] // 100, np.uint8), 1.2)
    assert story.film.codes() == ["board-lost"]
    story.film.show(story.pictures[0], 1.0)
    assert story.film.codes() == ["board-lost", "board-back"]
    story.holds(0)


@pytest.mark.slow
def test_a_board_turned_round_is_found_again(story: Story) -> None:
    story.film.run(shaking(turned(story.pictures[0]), 6))
    story.film.show(turned(story.pictures[0]), 1.5)
    assert story.film.codes() == MOVED
    story.holds(0)
    story.the_move_is_seen(turned)


@pytest.mark.slow
def test_a_shadow_across_the_board_is_no_play(story: Story) -> None:
    story.film.run(shaded(story.pictures[0], edge) for edge in np.linspace(0, 0.5, 5))
    story.film.show(shaded(story.pictures[0], 0.5), 1.5)
    story.holds(0)
    story.the_move_is_seen(lambda picture: shaded(picture, 0.5))


@pytest.mark.slow
def test_daylight_that_fades_is_no_play(story: Story) -> None:
    story.film.run(fading(story.pictures[0], 0.45, 5))
    story.holds(0)
    assert story.film.codes() == []


@pytest.mark.slow
def test_a_mug_on_the_edge_is_no_play(story: Story, table: Table) -> None:
    def with_mug(picture: Picture) -> Picture:
        return mug(picture, table.pose, (-12.0, 200.0))

    story.film.run(arm(with_mug(story.pictures[0]), 0.5, 0.1) for _ in range(3))
    story.film.show(with_mug(story.pictures[0]), 1.5)
    story.holds(0)
    story.the_move_is_seen(with_mug)

"""A marked table watched in the world: knocks, light, shadows, cups, screens, changed seats. Nothing invented, all said."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from world import RATE, Film, Picture, dice, fading, false, hunting, lit, mug, shaded, shaking, slab

from companion.boards import load, load_pieces
from companion.calibration.training.camera_faults import arm, warped
from companion.calibration.training.stickers_composed import EMPTY, Scene, Shot, compose, pose, random_state
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.reading import Reading
from companion.vision.watching.pose import MOST_NAMED

BOARD, PIECES = load("mr-jack-london"), load_pieces("mr-jack-london")
SHOT = Shot(size=(1280, 720), tilt=12, px_per_mm=1.4, noise=0, blur=0.5)
POSE = pose(BOARD, SHOT)
MOVED = ["camera-moved", "registered-again"]


class Story:
    """A film of one table: the start is settled; then ``state`` is what truly lies there, whatever happens to the picture."""

    def __init__(self, states: list[dict[str, Any]], pictures: list[Picture], empty: Picture) -> None:
        reader = MarkedReader(BOARD, PIECES, POSE.lens)
        bare = Frame(empty, 0.0, "film")
        reader.learn(bare, reader.read(bare))
        self.film, self.states, self.pictures = Film(reader, BOARD), states, pictures
        self.film.show(pictures[0], 1.0)
        assert [false(reading, states[0], BOARD, PIECES) for _, reading in self.film.readings] == [[]]
        self.begun = self.film.now

    def after(self) -> list[Reading]:
        return self.film.since(self.begun)

    def nothing_invented(self, state: int = 0) -> None:
        for reading in self.after():
            assert false(reading, self.states[state], BOARD, PIECES) == []

    def said_after(self) -> list[tuple[float, str]]:
        return [(round(at - self.begun, 3), code) for at, code in self.film.said if at >= self.begun]

    def the_move_is_seen(self, change: Callable[[Picture], Picture] = lambda picture: picture, within: float = 1.0) -> None:
        """A piece is moved by a hand, in the world as it is now; exactly that is read, and soon."""
        before, after = change(self.pictures[0]), change(self.pictures[1])
        self.film.run([arm(before, 0.3), arm(before, 0.55), arm(after, 0.6), arm(after, 0.3)])
        begin = self.film.now
        self.film.show(after, 1.5)
        readings = [(at, reading) for at, reading in self.film.readings if at >= begin]
        assert readings, "the move was not read"
        at, last = readings[-1]
        assert false(last, self.states[1], BOARD, PIECES) == []
        assert last.of("holmes") is not None
        assert at - begin <= within


@pytest.fixture(scope="module")
def scene() -> tuple[list[dict[str, Any]], list[Picture], Picture]:
    state = random_state(BOARD, PIECES, np.random.default_rng(2))
    used = {entry["hex"] for entry in state["characters"].values()}
    middle = np.array(BOARD.size_mm) / 2
    free = min(BOARD.of_kind("street") - used, key=lambda cell: float(np.hypot(*(np.array(BOARD.mm(cell)) - middle))))
    moved = state | {"characters": state["characters"] | {"holmes": state["characters"]["holmes"] | {"hex": free}}}
    states = [state, moved]
    return (
        states,
        [compose(Scene(BOARD, PIECES, one, jitter=1), SHOT) for one in states],
        compose(Scene(BOARD, PIECES, EMPTY), SHOT),
    )


@pytest.fixture
def story(scene: tuple[list[dict[str, Any]], list[Picture], Picture]) -> Story:
    return Story(*scene)


# --- the camera and the board -------------------------------------------------------------------------------------


def knocked(picture: Picture) -> Picture:
    return warped(picture, 1.5, (22, -14))


def pushed(picture: Picture) -> Picture:
    return warped(picture, 9, (45, -30))


def turned(picture: Picture) -> Picture:
    return np.ascontiguousarray(cv2.rotate(picture, cv2.ROTATE_180))


def nearer(picture: Picture) -> Picture:
    return warped(picture, -3, (10, 5), 1.08)


@pytest.mark.parametrize("change", [knocked, pushed, turned, pytest.param(nearer, marks=pytest.mark.slow)])
def test_a_camera_or_board_that_moved_is_said_within_a_second_and_found_within_three(story: Story, change: Callable) -> None:
    story.film.run(shaking(change(story.pictures[0]), 6))
    still = story.film.now - story.begun
    story.film.show(change(story.pictures[0]), 1.5)
    said = story.said_after()
    assert [code for _, code in said] == MOVED
    assert said[0][0] <= 1.0
    assert said[1][0] <= still + 1.0 <= 3.0
    assert story.after() == [], "a knock is no play"
    story.the_move_is_seen(change)


def test_what_leaves_the_picture_is_named_and_never_called_gone(
    story: Story, scene: tuple[list[dict[str, Any]], list[Picture], Picture]
) -> None:
    aside = replace(SHOT, aside_mm=(0.0, -130.0))
    cut = [compose(Scene(BOARD, PIECES, state, jitter=1), aside) for state in scene[0]]
    outside = {
        spot
        for spot in (*BOARD.cells, *BOARD.places)
        if not (0 <= pose(BOARD, aside).project([BOARD.mm(spot)])[0][1] < aside.size[1])
    }
    assert outside
    story.film.run(shaking(cut[0]))
    analyses = story.film.show(cut[0], 2.5)
    assert [code for _, code in story.said_after()] == [*MOVED, "partial-view"]
    notice = next(n for g in analyses for n in g.notices if n.code == "partial-view")
    named = set(notice.params["places"].split(", "))
    assert named - {"…"} <= {*BOARD.cells, *BOARD.places}
    assert len(named) == MOST_NAMED + 1 if len(outside) > MOST_NAMED else outside <= named
    observation = analyses[-1].observation
    assert observation is not None
    assert outside <= observation.occluded
    assert not analyses[-1].occluded, "nothing lies over the board: a part of it is out of the picture"
    story.nothing_invented()
    begin = story.film.now
    story.film.run([arm(cut[0], 0.3), arm(cut[0], 0.55), arm(cut[1], 0.6), arm(cut[1], 0.3)])
    story.film.show(cut[1], 1.0)
    moved = story.film.since(begin)[-1]
    assert false(moved, story.states[1], BOARD, PIECES) == []
    assert moved.of("holmes") is not None
    story.film.run(shaking(story.pictures[1]))
    story.film.show(story.pictures[1], 2.0)
    assert story.said_after()[-1][1] == "whole-view"
    last = story.after()[-1]
    assert not last.unknown
    assert false(last, story.states[1], BOARD, PIECES) == []


# --- light --------------------------------------------------------------------------------------------------------


def test_daylight_that_fades_to_a_third_invents_nothing(story: Story) -> None:
    story.film.run(fading(story.pictures[0], 0.35, 5))
    assert story.after() == []
    assert story.said_after() == []
    story.the_move_is_seen(lambda picture: lit(picture, 0.35, (0.9, 1, 1)))


def test_a_camera_that_hunts_for_its_exposure_invents_nothing(story: Story) -> None:
    story.film.run(hunting(story.pictures[0], 4))
    assert story.after() == []
    assert story.said_after() == []


@pytest.mark.parametrize(
    ("gain", "tint", "slope"),
    [(0.55, (0.7, 0.9, 1.1), 0.5), pytest.param(1.25, (1.1, 1.0, 0.85), -0.4, marks=pytest.mark.slow)],
)
def test_a_lamp_that_is_switched_invents_nothing(story: Story, gain: float, tint: tuple, slope: float) -> None:
    def change(picture: Picture) -> Picture:
        return lit(picture, gain, tint, slope)

    story.film.show(change(story.pictures[0]), 1.5)
    assert story.after() == []
    story.the_move_is_seen(change)


def test_a_shadow_that_falls_across_and_stays_is_taken_into_the_picture(story: Story) -> None:
    story.film.run(shaded(story.pictures[0], edge) for edge in np.linspace(0, 0.55, 5))
    story.film.show(shaded(story.pictures[0], 0.55), 2.5)
    assert story.after() == []
    story.the_move_is_seen(lambda picture: shaded(picture, 0.55))


def test_the_dark_is_said_and_the_light_too(story: Story) -> None:
    story.film.show(story.pictures[0] // 80, 2.0)
    assert [code for _, code in story.said_after()] == ["board-lost"]
    assert story.said_after()[0][0] <= 2.0
    story.film.show(story.pictures[0], 1.0)
    assert [code for _, code in story.said_after()] == ["board-lost", "board-back"]
    assert story.after() == []
    story.the_move_is_seen()


# --- things beside and on the edge --------------------------------------------------------------------------------


def with_mug(picture: Picture) -> Picture:
    return mug(picture, POSE, (-12.0, 200.0))


def with_dice_and_phone(picture: Picture) -> Picture:
    return dice(slab(picture, POSE, (-50, 60, -8, 140), (40, 30, 30)), POSE, (-34, 200))


@pytest.mark.parametrize("thing", [with_mug, with_dice_and_phone])
def test_a_cup_dice_and_a_phone_beside_the_board_are_nothing(story: Story, thing: Callable) -> None:
    story.film.run(arm(thing(story.pictures[0]), 0.5, 0.1) for _ in range(4))
    story.film.show(thing(story.pictures[0]), 3.0)
    story.nothing_invented()
    assert story.said_after() == []
    story.the_move_is_seen(thing)


def test_a_screen_that_plays_a_film_beside_the_board_does_not_keep_it_from_being_read(story: Story) -> None:
    rng = np.random.default_rng(0)

    def playing(picture: Picture) -> Picture:
        shade = int(rng.integers(0, 190))
        return slab(picture, POSE, (-45, 60, -10, 130), (60 + shade, 80, 255 - shade))

    story.film.run(playing(story.pictures[0]) for _ in range(round(2 * RATE)))
    story.film.run(arm(playing(story.pictures[index]), reach) for index, reach in ((0, 0.3), (0, 0.55), (1, 0.6), (1, 0.3)))
    begin = story.film.now
    story.film.run(playing(story.pictures[1]) for _ in range(round(1.5 * RATE)))
    (reading,) = story.film.since(begin)
    assert false(reading, story.states[1], BOARD, PIECES) == []
    assert reading.of("holmes") is not None


def test_a_screen_beside_the_board_does_not_keep_the_board_from_being_found(
    scene: tuple[list[dict[str, Any]], list[Picture], Picture],
) -> None:
    states, pictures, _ = scene
    film, rng = Film(MarkedReader(BOARD, PIECES, POSE.lens), BOARD), np.random.default_rng(0)
    for _ in range(round(4 * RATE)):
        shade = int(rng.integers(0, 190))
        film.run([slab(pictures[0], POSE, (-45, 60, -10, 130), (60 + shade, 80, 255 - shade))])
    assert film.readings
    assert film.readings[0][0] <= 3.5
    assert false(film.readings[-1][1], states[0], BOARD, PIECES) == []


def test_a_bowl_left_on_the_board_does_not_slow_every_later_ruling(story: Story) -> None:
    x, y = BOARD.mm("m10")

    def bowl(picture: Picture) -> Picture:
        return mug(picture, POSE, (x, y), 46.0)

    story.film.run(arm(bowl(story.pictures[0]), 0.5, 0.9) for _ in range(4))
    story.film.show(bowl(story.pictures[0]), 3.5)
    story.nothing_invented()
    story.the_move_is_seen(bowl, within=0.6)

"""Pictures that cannot be used, in the middle of a game: each gets its sentence, nothing is invented, the game goes on."""

import cv2
import numpy as np
import pytest
from test_watcher_world import BOARD, PIECES, POSE, Story, scene, story
from world import RATE, Film, false

from companion.vision.camera import Registration
from companion.vision.frame import Frame, Image
from companion.vision.observation import Observation
from companion.vision.reader import Budget, Reader, Region
from companion.vision.reading import Reading, Sighting

__all__ = ["scene", "story"]


def torn(picture: Image) -> Image:
    made = picture.copy()
    made[picture.shape[0] * 6 // 10 :] = 128
    return made


BAD = {
    "black": (lambda picture: picture // 100, "black: is the lens covered, or the light off"),
    "white": (lambda picture: np.full_like(picture, 255), "white: it is overexposed"),
    "torn": (torn, "torn: its lower 40 % did not arrive"),
    "flat": (lambda picture: np.full_like(picture, 90), "one flat colour"),
}


@pytest.mark.parametrize("kind", list(BAD))
def test_a_spoiled_picture_is_said_and_the_game_goes_on(story: Story, kind: str) -> None:
    spoil, words = BAD[kind]
    spoilt = [np.asarray(spoil(story.pictures[0]), np.uint8)] * round(1.5 * RATE)
    analyses = story.film.run(spoilt, grainy=0)
    (notice,) = [notice for analysis in analyses for notice in analysis.notices if notice.code == "board-lost"]
    assert words in notice.params["reason"]
    assert analyses[-1].lost == notice.params["reason"]
    assert story.after() == []
    assert story.film.show(story.pictures[0], 1.0)[-1].lost == ""
    assert story.said_after()[-1][1] == "board-back"
    assert story.after() == []
    story.the_move_is_seen()


def test_another_fault_while_the_board_is_lost_is_said_once(story: Story) -> None:
    black, white = (np.asarray(BAD[kind][0](story.pictures[0]), np.uint8) for kind in ("black", "white"))
    shown = [(black, 1.5), (white, 2.0), (black, 2.0), (white, 2.0)]
    notices = [
        notice for picture, seconds in shown for analysis in story.film.show(picture, seconds) for notice in analysis.notices
    ]
    assert [notice.code for notice in notices] == ["board-lost", "board-lost"]
    for notice, kind in zip(notices, ("black", "white"), strict=True):
        assert BAD[kind][1] in notice.params["reason"]
    story.film.show(story.pictures[0], 1.0)
    again = [notice for analysis in story.film.show(black, 2.0) for notice in analysis.notices]
    assert [notice.code for notice in again] == ["board-lost"], "another loss, told anew"


def test_a_fault_whose_figures_change_from_picture_to_picture_is_said_once(story: Story) -> None:
    def torn_at(share: float) -> Image:
        made = story.pictures[0].copy()
        made[round(made.shape[0] * share) :] = 128
        return made

    for share in (0.5, 0.55, 0.6, 0.65):
        story.film.run([torn_at(share)] * round(1.2 * RATE), grainy=0)
    assert [code for _, code in story.said_after()] == ["board-lost"]


def test_a_fault_that_flashes_up_while_the_board_is_lost_is_not_said(story: Story) -> None:
    black, white = (np.asarray(BAD[kind][0](story.pictures[0]), np.uint8) for kind in ("black", "white"))
    story.film.show(black, 1.2)
    for _ in range(4):
        story.film.show(white, 0.5)
        story.film.show(black, 0.5)
    assert [code for _, code in story.said_after()] == ["board-lost"]


@pytest.mark.parametrize("kind", list(BAD))
def test_one_spoiled_picture_among_good_ones_is_nothing(story: Story, kind: str) -> None:
    for _ in range(4):
        story.film.run([np.asarray(BAD[kind][0](story.pictures[0]), np.uint8)], grainy=0)
        story.film.show(story.pictures[0], 0.4)
    assert story.said_after() == []
    assert story.after() == []


def test_a_video_that_changes_its_size_goes_on_in_the_new_one(story: Story) -> None:
    larger = [
        np.asarray(cv2.resize(picture, (1920, 1080), interpolation=cv2.INTER_CUBIC), np.uint8) for picture in story.pictures
    ]
    story.film.show(larger[0], 1.0)
    assert story.after() == []
    begin = story.film.now
    story.film.show(larger[1], 1.0)
    (reading,) = story.film.since(begin)
    assert false(reading, story.states[1], BOARD, PIECES) == []
    assert reading.of("holmes") is not None
    story.film.show(story.pictures[1], 1.0)
    assert len(story.film.since(begin)) == 1


def test_a_camera_too_small_says_so_and_a_larger_one_goes_on(story: Story) -> None:
    small = np.asarray(cv2.resize(story.pictures[0], (320, 240), interpolation=cv2.INTER_AREA), np.uint8)
    analyses = story.film.show(small, 1.5)
    (notice,) = [notice for analysis in analyses for notice in analysis.notices if notice.code == "board-lost"]
    assert "320x240; at least 300 pixels on the short side" in notice.params["reason"]
    assert story.after() == []
    story.film.show(story.pictures[0], 1.0)
    story.the_move_is_seen()


class Blind(Reader):
    """A reader that must not be shown spoiled pictures: it would take the picture for the table."""

    def read(
        self, frame: Frame, prior: Reading | None = None, region: Region | None = None, budget: Budget | None = None
    ) -> Observation:
        raise AssertionError("read")


def test_a_spoiled_picture_never_reaches_a_reader_that_does_not_look_for_faults() -> None:
    film = Film(Blind(), BOARD)
    film.show(np.full((720, 1280, 3), 128, np.uint8), 1.5)
    assert film.codes() == ["board-lost"]


class Slow(Reader):
    """A reader that only reads whole pictures; what it reads is told to it."""

    def __init__(self, registration: Registration) -> None:
        self.says, self.reads, self._registration = Reading(), 0, registration

    def read(
        self, frame: Frame, prior: Reading | None = None, region: Region | None = None, budget: Budget | None = None
    ) -> Observation:
        self.reads += 1
        return Observation(self.says, self._registration)


def test_a_table_at_rest_is_read_again_now_and_then_by_a_reader_of_whole_pictures(story: Story) -> None:
    reader = Slow(POSE)
    film = Film(reader, BOARD)
    film.show(story.pictures[0], 2.0)
    before = reader.reads
    reader.says = Reading((Sighting("holmes", "g5", "suspect"),))  # it was overlooked that something changed
    film.show(story.pictures[0], 11.0)
    assert reader.reads - before <= 6
    assert film.readings[-1][1].of("holmes") is not None

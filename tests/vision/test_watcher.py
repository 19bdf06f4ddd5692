"""The watcher on small tables over time: settled changes only, nothing invented, bumps and lights survived."""

from collections.abc import Iterable

import cv2
import numpy as np
import pytest
from world import grained

from companion.boards import load, load_pieces
from companion.calibration.training.stickers_composed import EMPTY, Scene, Shot, compose, pose, random_state
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.watching.frame_analysis import FrameAnalysis
from companion.vision.watching.watcher import Watcher

BOARD, PIECES = load("mr-jack-london"), load_pieces("mr-jack-london")
SHOT = Shot(size=(1280, 720), tilt=12, px_per_mm=1.55, noise=0, blur=0.5)
RATE = 20.0


class Film:
    """Feeds pictures to a watcher at a steady rate, with grain."""

    def __init__(self) -> None:
        reader = MarkedReader(BOARD, PIECES, pose(BOARD, SHOT).lens)
        empty = Frame(compose(Scene(BOARD, PIECES, EMPTY), SHOT), 0.0, "film")
        reader.learn(empty, reader.read(empty))
        self.watcher = Watcher(reader, BOARD)
        self.now = 0.0
        self._rng = np.random.default_rng(0)
        self.notices: list[str] = []

    def show(self, picture: np.ndarray, frames: int = 1) -> list[FrameAnalysis]:
        analyses = []
        for _ in range(frames):
            grain = np.floor(self._rng.normal(0, 1.5, (90, 160, 3))).astype(np.int16)
            grain = cv2.resize(grain, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
            analyses.append(self.watcher.see(Frame(grained(picture, grain), self.now, "film")))
            self.notices += [notice.code for notice in analyses[-1].notices]
            self.now += 1 / RATE
        return analyses


@pytest.fixture(scope="module")
def pictures() -> dict[str, tuple[dict, np.ndarray]]:
    state = random_state(BOARD, PIECES, np.random.default_rng(2))
    used = {entry["hex"] for entry in state["characters"].values()}
    free = [cell for cell in sorted(BOARD.of_kind("street")) if cell not in used]
    made = {"start": state}
    for name, moves in {"moved": {"holmes": free[0]}, "twice": {"holmes": free[0], "bert": free[-1]}}.items():
        characters = {k: v | ({"hex": moves[k]} if k in moves else {}) for k, v in state["characters"].items()}
        made[name] = state | {"characters": characters}
    return {name: (entry, compose(Scene(BOARD, PIECES, entry, jitter=1), SHOT)) for name, entry in made.items()}


def settled(analyses: Iterable[FrameAnalysis]) -> list[dict]:
    return [analysis.settled.state(BOARD, PIECES) for analysis in analyses if analysis.settled is not None]


def arm_over(picture: np.ndarray, x: int) -> np.ndarray:
    covered = picture.copy()
    cv2.line(covered, (x, 719), (x - 60, 330), (140, 165, 215), 90)
    return covered


def test_the_first_reading_settles_once_and_then_nothing_more_is_said(pictures: dict) -> None:
    state, picture = pictures["start"]
    analyses = Film().show(picture, 20)
    assert settled(analyses) == [state]
    assert not analyses[-1].moving
    assert not analyses[-1].occluded


def test_a_move_under_a_hand_settles_after_the_hand_has_left_and_not_before(pictures: dict) -> None:
    film = Film()
    film.show(pictures["start"][1], 8)
    during = []
    for x in range(300, 900, 60):
        during += film.show(arm_over(pictures["start"][1], x))
    during += film.show(arm_over(pictures["start"][1], 880), 10)
    during += film.show(arm_over(pictures["moved"][1], 870), 10)
    assert settled(during) == []
    assert any(analysis.moving for analysis in during)
    assert any(analysis.occluded for analysis in during)
    assert settled(film.show(pictures["moved"][1], 12)) == [pictures["moved"][0]]


def test_a_hand_that_changes_nothing_says_nothing(pictures: dict) -> None:
    film = Film()
    film.show(pictures["start"][1], 8)
    analyses = [analysis for x in (300, 500, 700) for analysis in film.show(arm_over(pictures["start"][1], x))]
    analyses += film.show(pictures["start"][1], 12)
    assert settled(analyses) == []


def test_two_fast_moves_are_both_seen(pictures: dict) -> None:
    film = Film()
    film.show(pictures["start"][1], 8)
    film.show(pictures["moved"][1], 2)
    assert settled(film.show(pictures["twice"][1], 12))[-1] == pictures["twice"][0]


def test_flicker_between_two_pictures_never_settles(pictures: dict) -> None:
    film = Film()
    film.show(pictures["start"][1], 8)
    analyses = [g for _ in range(8) for name in ("moved", "start") for g in film.show(pictures[name][1])]
    assert settled(analyses) == []


def test_switched_lights_invent_nothing(pictures: dict) -> None:
    film = Film()
    film.show(pictures["start"][1], 8)
    x = np.linspace(0.75, 0.45, 1280)[None, :, None]
    dimmer = (pictures["start"][1] * x).astype(np.uint8)
    assert settled(film.show(dimmer, 20)) == []
    moved = (pictures["moved"][1] * x).astype(np.uint8)
    assert settled(film.show(moved, 12)) == [pictures["moved"][0]]


def test_a_knocked_camera_is_noticed_registered_again_and_invents_nothing(pictures: dict) -> None:
    film = Film()
    film.show(pictures["start"][1], 8)
    turn = cv2.getRotationMatrix2D((640, 360), 1.5, 1.0)
    turn[:, 2] += (22, -14)
    knocked = cv2.warpAffine(pictures["start"][1], turn, (1280, 720), borderMode=cv2.BORDER_REPLICATE)
    analyses = []
    for shift in (5, -12, 9, -4):
        analyses += film.show(np.roll(knocked, shift, axis=1))
    begin = film.now
    analyses += film.show(knocked, 20)
    assert settled(analyses) == []
    assert film.notices.count("camera-moved") == 1
    assert film.notices.count("registered-again") == 1
    assert film.now - begin <= 3.0
    moved = cv2.warpAffine(pictures["moved"][1], turn, (1280, 720), borderMode=cv2.BORDER_REPLICATE)
    assert settled(film.show(moved, 12)) == [pictures["moved"][0]]


def test_a_board_out_of_sight_is_said_and_so_is_its_return(pictures: dict) -> None:
    film = Film()
    film.show(pictures["start"][1], 8)
    analyses = film.show(np.full_like(pictures["start"][1], 90), 30)
    assert settled(analyses) == []
    assert film.notices == ["board-lost"]
    assert settled(film.show(pictures["start"][1], 12)) == []
    assert film.notices == ["board-lost", "board-back"]

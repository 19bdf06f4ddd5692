"""An unmodified copy is played on while its camera misbehaves: each fault gets its sentence on the page, the game goes on."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from scripted_camera import ScriptedCamera

from companion import boards, games
from companion.announce.languages import LANGUAGES, SOURCE
from companion.announce.translator import translator
from companion.host.damping import DampingSettings
from companion.host.secrets import Secrets
from companion.host.table import Table
from companion.record.log import Record
from companion.vision.frame import Frame, Image
from companion.vision.plain.reader import PlainReader, teach
from companion.vision.watching.watcher import Watcher, WatchSettings

sys.path.append(str(Path(__file__).parents[1] / "vision"))
BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
START: dict[str, Any] = dict(BOARD.start)
STEP = 0.1
"""Seconds between two pictures."""


class Session:
    """A table over an unmodified copy, shown picture after picture without any thread."""

    def __init__(self, folder: Path) -> None:
        from companion.calibration.training.composed import Table as Copy  # noqa: PLC0415 - its folder is put on the path above

        copy = Copy(BOARD, PIECES, 2003, size=(1280, 720), tilt_most=25.0)
        self.picture: Image = copy.shoot(START)[0]
        people = START["characters"]
        moved = {**START, "characters": {**people, "holmes": {**people["holmes"], "hex": "e6"}}}
        self.moved: Image = copy.shoot(moved)[0]
        taught = teach(Frame(copy.shoot({})[0], 0, "e"), Frame(self.picture, 0, "s"), BOARD, PIECES, copy.lens, START)
        watcher = Watcher(PlainReader(BOARD, PIECES, taught), BOARD, WatchSettings(patience_s=0.5, retry_s=0.2))
        self.now = 0.0
        self.record = Record.open(folder / "game.sqlite")
        self.table = Table(
            games.load(),
            self.record,
            ScriptedCamera(),
            watcher,
            Secrets.open(folder / "secret"),
            None,
            clock=lambda: 1000.0,
            monotonic=lambda: self.now,
        )

    def show(self, picture: Image, seconds: float) -> list[Any]:
        """What is written while a picture is shown."""
        before = len(self.record.events())
        for _ in range(round(seconds / STEP)):
            self.table.look_at(Frame(picture, self.now, "film"))
            self.now += STEP
        return self.record.events(before)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    session = Session(tmp_path_factory.mktemp("plain"))
    assert "table-agreed" in [event.kind for event in session.show(session.picture, 1.5)]
    yield session
    session.table.stop()
    session.record.close()


def sized(width: int, height: int) -> Any:
    return lambda picture: cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)


def torn(picture: Image) -> Image:
    made = picture.copy()
    made[picture.shape[0] * 6 // 10 :] = 128
    return made


FAULTS: dict[str, tuple[Any, str]] = {
    "black": (np.zeros_like, "the picture is black: is the lens covered, or the light off?"),
    "white": (lambda picture: np.full_like(picture, 255), "the picture is white: it is overexposed"),
    "torn": (torn, "the picture is torn: its lower 40 % did not arrive"),
    "small": (sized(320, 240), "the picture is 320x240; at least 300 pixels on the short side are needed"),
    "narrow": (sized(600, 338), "the picture of the table is only 600x338 pixels; at least 640x360 are needed"),
    "shape": (
        sized(960, 720),
        "the picture is 960x720 pixels, but the table was taught in a picture of another shape: teach it again",
    ),
}


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.slow) if kind in ("white", "narrow") else kind for kind in FAULTS]
)
def test_a_picture_that_cannot_be_used_is_one_sentence_and_nothing_is_invented(session: Session, kind: str) -> None:
    spoil, words = FAULTS[kind]
    session.now += DampingSettings().window_s  # or what comes and goes in every test would be told as oscillating
    assert {event.data["code"] for event in session.show(session.picture, 1.0)} <= {"board-back"}, "and nothing was played"
    written = session.show(np.asarray(spoil(session.picture), np.uint8), 1.5)
    assert [event.kind for event in written] == ["notice"], written
    assert written[0].data["code"] in ("board-lost", "picture-unusable")
    assert written[0].data["params"]["reason"] == words
    for language in LANGUAGES:
        told = translator(language).text(words)
        assert ((told != words) == (language != SOURCE) and "table" not in told.replace("tablero", "")) or language == SOURCE


def test_an_unusable_picture_is_told_once_however_restless_the_table_is(session: Session) -> None:
    other = np.asarray(sized(960, 720)(session.picture), np.uint8)
    lit = np.clip(other * 0.7, 0, 255).astype(np.uint8)
    told = [event for _ in range(3) for picture in (other, lit) for event in session.show(picture, 0.6)]
    assert len(told) <= 1, "it was said in the test before, and nothing was seen since"


def test_a_larger_picture_of_the_same_camera_and_the_old_one_go_on(session: Session) -> None:
    """After all that: larger pictures, 50 megapixels at last, then as at the beginning, and a play is told."""
    larger = np.asarray(cv2.resize(session.picture, (1920, 1080), interpolation=cv2.INTER_CUBIC), np.uint8)
    huge = np.asarray(cv2.resize(session.picture, (9472, 5328), interpolation=cv2.INTER_LINEAR), np.uint8)
    for picture, seconds in ((larger, 1.0), (huge, 0.2), (session.picture, 1.0)):
        assert {event.kind for event in session.show(picture, seconds)} <= {"notice"}
    written = session.show(session.moved, 1.5)
    (play,) = [event for event in written if event.kind == "play"]
    assert play.data["character"] == "holmes"
    assert "flag" not in {event.kind for event in session.record.events()}

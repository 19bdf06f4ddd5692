"""A kept table that is opened to be changed: the third picture and one piece again, without teaching all of it anew."""

import gc
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_hall import Hall, StillSources
from test_lobby import watching

from companion import boards
from companion.calibration.again import Learnt
from companion.calibration.profile import TableProfile
from companion.errors import BadInput
from companion.host import eyes as eyes_room
from companion.host import setup as steps
from companion.host.choices import Choices
from companion.host.eyes import Eyes
from companion.host.lobby_view import lobby_json
from companion.host.setup import BoardFound, CameraChoice, NotYet
from companion.vision.camera import Lens
from companion.vision.frame import Frame
from companion.vision.plain.locating import pose_from_corners
from companion.vision.plain.reader import Lesson, PlainReader, Teaching

BOARD, PIECES = boards.load("mr-jack-new-york"), boards.load_pieces("mr-jack-new-york")
BARE = np.random.default_rng(3).integers(60, 200, (360, 640, 3), np.uint8)
FOUND = BoardFound("pictures", 0.5, ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)))
PATCH = np.full((69, 69, 3), 90, np.uint8)
DISC = np.full((72, 72, 3), 90, np.uint8)


def yesterday() -> Teaching:
    pose = pose_from_corners([(100, 20), (540, 20), (540, 340), (100, 340)], BOARD, Lens.guess((640, 360)))
    lessons = (Lesson("grant", "J7", "suspect", None, DISC), Lesson("subway-a", "B9", "subway", None, PATCH))
    return Teaching(BOARD.id, BOARD.edition, BARE, pose, 30.0, lessons)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    hall = Hall(tmp_path, StillSources([BARE]))
    profile = TableProfile(BOARD.id, BOARD.edition, "plain", Lens.guess((640, 360)), yesterday())
    hall.shelf.keep("Kitchen", profile, CameraChoice("address", "pictures"), Choices())
    yield hall
    hall.close()


def opened(hall: Hall) -> Hall:
    hall.do("again", {"table": hall.shelf.tables()[0].id, "step": steps.PIECES})
    return hall


def learning(monkeypatch: pytest.MonkeyPatch, way: str, *answers: Any) -> list[tuple[Any, ...]]:
    """What is asked of ``way``; each answer is a list of doubts, or what is refused."""
    asked, left = [], list(answers)

    def learn(teaching: Teaching, *given: Any) -> Learnt:
        asked.append(given)
        answer = left.pop(0)
        if isinstance(answer, BadInput):
            raise answer
        fresh = tuple(
            Lesson(piece, "B9", face, None, DISC if face == "innocent" else PATCH)
            for piece, face in (
                ("building-d", "park"), ("building-a", "building"), ("informant", "silent"),
                *((piece, "innocent") for piece in dict(BOARD.start)["characters"]),
            )
        )  # fmt: skip
        return Learnt(replace(teaching, lessons=teaching.lessons + fresh), tuple(answer), "B9")

    monkeypatch.setattr(eyes_room, way, learn)
    return asked


def test_a_kept_table_is_opened_at_a_step_instead_of_begun(hall: Hall) -> None:
    shown = lobby_json(opened(hall))
    assert hall.begun == []
    assert (shown["at"], shown["mode"], shown["name"]) == ("pieces", "plain", "Kitchen")
    assert (shown["pictures"], shown["shown"]) == (["empty", "start"], ["empty"]), "the start picture was not kept"
    assert hall.picture(lines=False, taken="empty") is not None and hall.picture(lines=False, taken="start") is None
    with pytest.raises(BadInput, match="step 'moon' is not known"):
        hall.do("again", {"table": hall.shelf.tables()[0].id, "step": "moon"})


def test_it_takes_the_third_picture_and_is_kept_with_it(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    learning(monkeypatch, "learn_sides", BadInput("no board"), ["a doubt"], [])
    before = opened(hall).setup
    with pytest.raises(BadInput, match="no board"):
        hall.do("take", {"picture": "sides"})
    assert hall.setup == before
    hall.do("take", {"picture": "sides"})
    assert lobby_json(hall)["problems"] == ["a doubt"]
    assert steps.PIECES in dict(steps.missing(hall.setup))
    hall.do("take", {"picture": "sides"})
    shown = lobby_json(hall)
    assert (shown["problems"], shown["shown"]) == ([], ["empty", "sides"])
    hall.setup = replace(hall.setup, board=FOUND)
    hall.do("start", {"name": shown["name"]})
    assert isinstance(hall.begun[0].reader, PlainReader)
    (kept,) = hall.shelf.tables()
    teaching = hall.shelf.profile(kept.id).teaching
    assert teaching is not None and {"park", "building", "silent"} <= {lesson.face for lesson in teaching.lessons}
    again = Hall(hall.shelf._folder.parent, StillSources([BARE]))
    assert lobby_json(opened(again))["pictures"] == ["empty", "sides", "start"]
    again.close()


def test_one_piece_is_learnt_again_where_it_was_pointed_at(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = learning(monkeypatch, "reteach", BadInput("nothing lies at G8"), ["grant at B9 is odd"], [])
    wish = {"piece": "grant", "at": [0.25, 0.5], "side": "suspect"}
    before = opened(hall).setup
    with pytest.raises(BadInput, match="nothing lies"):
        hall.do("piece", wish)
    assert hall.setup == before
    hall.do("piece", wish)
    (frame, at, piece, *_, facing, side) = asked[1]
    assert (at, piece, facing, side) == ((0.25 * frame.size[0], 0.5 * frame.size[1]), "grant", None, "suspect")
    shown = lobby_json(hall)
    assert shown["problems"] == ["grant at B9 is odd"]
    assert shown["learnt"] == {"text": "{name} at {place} is learnt.", "params": {"name": "grant", "place": "B9"}}
    hall.do("accept", {})
    hall.do("piece", wish)
    assert lobby_json(hall)["problems"] == [], "what was doubted of it before is gone"


def test_a_piece_is_learnt_only_of_a_copy_that_is_known(hall: Hall) -> None:
    watching(hall, steps.PIECES)
    with pytest.raises(NotYet, match="both pictures"):
        hall.do("piece", {"piece": "grant", "at": [0.5, 0.5]})


def test_a_running_game_goes_on_with_what_was_learnt_or_with_what_it_knew(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    learning(monkeypatch, "reteach", [], [])
    opened(hall)
    hall.setup = replace(hall.setup, board=FOUND)
    hall.do("start", {})
    assert not hall.changed
    known = hall._sharp_eyes().profile_now
    assert hall.preview is not None
    hall.preview.show(Frame(BARE, 0.0, "lent"))  # as the running table does
    hall.do("piece", {"piece": "grant", "at": [0.5, 0.5]})
    assert hall.changed
    hall.do("back", {})
    assert not hall.changed and hall._sharp_eyes().profile_now is known
    hall.do("piece", {"piece": "grant", "at": [0.5, 0.5]})
    hall.setup = replace(hall.setup, board=FOUND)
    hall.do("start", {})
    assert len(hall.begun) == 2 and not hall.changed


def test_a_set_up_that_rests_holds_no_reader_and_looks_again_when_asked() -> None:
    eyes = Eyes(BOARD, PIECES, profile=TableProfile(BOARD.id, BOARD.edition, "plain", Lens.guess((640, 360)), yesterday()))
    gone = weakref.ref(eyes._looking("plain"))
    assert gone() is not None
    eyes.rest()
    gc.collect()
    assert gone() is None, "some 100 MB of a taught copy that nobody looks at"
    assert isinstance(eyes._looking("plain"), PlainReader)

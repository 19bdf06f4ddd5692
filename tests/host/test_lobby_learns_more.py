"""A kept table that is opened to be changed: the third picture and one piece again, without teaching all of it anew."""

import gc
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_lobby import FakeLobby, StillSources
from test_lobby import watching

from companion import boards
from companion.calibration.profile import TableProfile
from companion.calibration.repeated_enrolment import EnrolmentUpdate
from companion.errors import BadInput
from companion.host import setup as steps
from companion.host import setup_vision as eyes_room
from companion.host.choices import Choices
from companion.host.lobby_view import lobby_json
from companion.host.setup import BoardFound, CameraChoice, NotYet
from companion.host.setup_vision import SetupVision
from companion.vision.camera import Lens
from companion.vision.frame import Frame
from companion.vision.plain.locating import pose_from_corners
from companion.vision.plain.reader import Exemplar, PlainReader, Teaching

BOARD, PIECES = boards.load("mr-jack-new-york"), boards.load_pieces("mr-jack-new-york")
BARE = np.random.default_rng(3).integers(60, 200, (360, 640, 3), np.uint8)
FOUND = BoardFound("pictures", 0.5, ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)))
PATCH = np.full((69, 69, 3), 90, np.uint8)
DISC = np.full((72, 72, 3), 90, np.uint8)


def yesterday() -> Teaching:
    pose = pose_from_corners([(100, 20), (540, 20), (540, 340), (100, 340)], BOARD, Lens.guess((640, 360)))
    exemplars = (Exemplar("grant", "J7", "suspect", None, DISC), Exemplar("subway-a", "B9", "subway", None, PATCH))
    return Teaching(BOARD.id, BOARD.edition, BARE, pose, 30.0, exemplars)


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[FakeLobby]:
    lobby = FakeLobby(tmp_path, StillSources([BARE]))
    profile = TableProfile(BOARD.id, BOARD.edition, "plain", Lens.guess((640, 360)), yesterday())
    lobby.profiles.keep("Kitchen", profile, CameraChoice("address", "pictures"), Choices())
    yield lobby
    lobby.close()


def opened(lobby: FakeLobby) -> FakeLobby:
    lobby.do("again", {"table": lobby.profiles.tables()[0].id, "step": steps.PIECES})
    return lobby


def learning(monkeypatch: pytest.MonkeyPatch, way: str, *answers: Any) -> list[tuple[Any, ...]]:
    """What is asked of ``way``; each answer is a list of doubts, or what is refused."""
    asked, left = [], list(answers)

    def learn(teaching: Teaching, *given: Any) -> EnrolmentUpdate:
        asked.append(given)
        answer = left.pop(0)
        if isinstance(answer, BadInput):
            raise answer
        fresh = tuple(
            Exemplar(piece, "B9", face, None, DISC if face == "innocent" else PATCH)
            for piece, face in (
                ("building-d", "park"), ("building-a", "building"), ("informant", "silent"),
                *((piece, "innocent") for piece in dict(BOARD.start)["characters"]),
            )
        )  # fmt: skip
        return EnrolmentUpdate(replace(teaching, exemplars=teaching.exemplars + fresh), tuple(answer), "B9")

    monkeypatch.setattr(eyes_room, way, learn)
    return asked


def test_a_kept_table_is_opened_at_a_step_instead_of_begun(lobby: FakeLobby) -> None:
    shown = lobby_json(opened(lobby))
    assert lobby.begun == []
    assert (shown["at"], shown["mode"], shown["name"]) == ("pieces", "plain", "Kitchen")
    assert (shown["pictures"], shown["shown"]) == (["empty", "start"], ["empty"]), "the start picture was not kept"
    assert lobby.picture(lines=False, taken="empty") is not None and lobby.picture(lines=False, taken="start") is None
    with pytest.raises(BadInput, match="step 'moon' is not known"):
        lobby.do("again", {"table": lobby.profiles.tables()[0].id, "step": "moon"})


@pytest.mark.slow
def test_it_takes_the_third_picture_and_is_kept_with_it(lobby: FakeLobby, monkeypatch: pytest.MonkeyPatch) -> None:
    learning(monkeypatch, "learn_sides", BadInput("no board"), ["a doubt"], [])
    before = opened(lobby).setup
    with pytest.raises(BadInput, match="no board"):
        lobby.do("take", {"picture": "sides"})
    assert lobby.setup == before
    lobby.do("take", {"picture": "sides"})
    assert lobby_json(lobby)["problems"] == ["a doubt"]
    assert steps.PIECES in dict(steps.missing(lobby.setup))
    lobby.do("take", {"picture": "sides"})
    shown = lobby_json(lobby)
    assert (shown["problems"], shown["shown"]) == ([], ["empty", "sides"])
    lobby.setup = replace(lobby.setup, board=FOUND)
    lobby.do("start", {"name": shown["name"]})
    assert isinstance(lobby.begun[0].reader, PlainReader)
    (kept,) = lobby.profiles.tables()
    teaching = lobby.profiles.profile(kept.id).teaching
    assert teaching is not None and {"park", "building", "silent"} <= {exemplar.face for exemplar in teaching.exemplars}
    again = FakeLobby(lobby.profiles._folder.parent, StillSources([BARE]))
    assert lobby_json(opened(again))["pictures"] == ["empty", "sides", "start"]
    again.close()


@pytest.mark.slow
def test_one_piece_is_learnt_again_where_it_was_pointed_at(lobby: FakeLobby, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = learning(monkeypatch, "reteach", BadInput("nothing lies at G8"), ["grant at B9 is odd"], [])
    wish = {"piece": "grant", "at": [0.25, 0.5], "side": "suspect"}
    before = opened(lobby).setup
    with pytest.raises(BadInput, match="nothing lies"):
        lobby.do("piece", wish)
    assert lobby.setup == before
    lobby.do("piece", wish)
    (frame, at, piece, *_, facing, side) = asked[1]
    assert (at, piece, facing, side) == ((0.25 * frame.size[0], 0.5 * frame.size[1]), "grant", None, "suspect")
    shown = lobby_json(lobby)
    assert shown["problems"] == ["grant at B9 is odd"]
    assert shown["learnt"] == {"text": "{name} at {place} is learnt.", "params": {"name": "grant", "place": "B9"}}
    lobby.do("accept", {})
    lobby.do("piece", wish)
    assert lobby_json(lobby)["problems"] == [], "what was doubted of it before is gone"


def test_a_piece_is_learnt_only_of_a_copy_that_is_known(lobby: FakeLobby) -> None:
    watching(lobby, steps.PIECES)
    with pytest.raises(NotYet, match="both pictures"):
        lobby.do("piece", {"piece": "grant", "at": [0.5, 0.5]})


def test_a_running_game_goes_on_with_what_was_learnt_or_with_what_it_knew(
    lobby: FakeLobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    learning(monkeypatch, "reteach", [], [])
    opened(lobby)
    lobby.setup = replace(lobby.setup, board=FOUND)
    lobby.do("start", {})
    assert not lobby.changed
    known = lobby._sharp_eyes().profile_now
    assert lobby.preview is not None
    lobby.preview.show(Frame(BARE, 0.0, "lent"))  # as the running table does
    lobby.do("piece", {"piece": "grant", "at": [0.5, 0.5]})
    assert lobby.changed
    lobby.do("back", {})
    assert not lobby.changed and lobby._sharp_eyes().profile_now is known
    lobby.do("piece", {"piece": "grant", "at": [0.5, 0.5]})
    lobby.setup = replace(lobby.setup, board=FOUND)
    lobby.do("start", {})
    assert len(lobby.begun) == 2 and not lobby.changed


def test_a_set_up_that_rests_holds_no_reader_and_looks_again_when_asked() -> None:
    vision = SetupVision(
        BOARD, PIECES, profile=TableProfile(BOARD.id, BOARD.edition, "plain", Lens.guess((640, 360)), yesterday())
    )
    gone = weakref.ref(vision._looking("plain"))
    assert gone() is not None
    vision.rest()
    gc.collect()
    assert gone() is None, "some 100 MB of a taught copy that nobody looks at"
    assert isinstance(vision._looking("plain"), PlainReader)

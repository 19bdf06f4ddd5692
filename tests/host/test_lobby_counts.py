"""What the lobby says of counts and states: no good sign for nothing, no exact board, no game that is on after its end."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fake_lobby import GREY, FakeLobby, StillSources

from companion import boards
from companion.boards.placement import decode
from companion.calibration.board import BoardReport
from companion.demo.script import HERE
from companion.errors import BadInput
from companion.host import lobby_view
from companion.host import setup as steps
from companion.host.choices import Choices
from companion.host.lobby import Lobby
from companion.host.lobby_view import lobby_json
from companion.host.profile_store import ProfileStore
from companion.host.resuming import Resumable, Standing
from companion.host.setup import BoardFound, Setup
from companion.host.setup_vision import BoardDetection, SetupVision
from companion.vision.camera import displayed_mm
from companion.vision.frame import Frame
from companion.vision.pictures.files import read_picture_file

FOUND = BoardFound("markers", 0.0, ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)))


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[FakeLobby]:
    lobby = FakeLobby(tmp_path, StillSources([GREY]))
    lobby.do("camera", {"kind": "demo", "address": ""})
    yield lobby
    lobby.close()


def told(lobby: FakeLobby, monkeypatch: pytest.MonkeyPatch, seen: int, hidden: int, untold: int = 0) -> tuple[dict, bool]:
    """The lobby's JSON of its board, and whether the pieces count as known."""
    monkeypatch.setattr(lobby, "look", lambda: None)
    lobby.setup = steps.seen(steps.with_board(lobby.setup, FOUND), FOUND)
    lobby.detection = BoardDetection(FOUND, seen, hidden, untold)
    shown = lobby_json(lobby)
    return shown["board"], next(one["done"] for one in shown["steps"] if one["id"] == steps.PIECES)


def test_no_piece_recognised_is_no_good_sign(lobby: FakeLobby, monkeypatch: pytest.MonkeyPatch) -> None:
    board, known = told(lobby, monkeypatch, 0, 7)
    assert board["pieces"]["text"] == lobby_view.NONE_SEEN.text and board["pieces"]["all"] is False and not known
    board, known = told(lobby, monkeypatch, 14, 2)
    assert board["pieces"]["params"] == {"seen": 14, "hidden": 2} and board["pieces"]["all"] is False and known
    board, known = told(lobby, monkeypatch, 16, 0)
    assert board["pieces"]["all"] is True and known


@pytest.mark.parametrize("game", ["mr-jack-london", "mr-jack-new-york", "letters-from-whitechapel"])
def test_places_that_nobody_can_tell_of_are_no_pieces_out_of_sight(
    game: str, lobby: FakeLobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of nineteen pieces that all lay there "61 are not in sight" in New York, of one in Whitechapel 385."""
    vision = SetupVision(boards.load(game), boards.load_pieces(game))
    pictures = HERE / game / "table"
    empty, start = (Frame(read_picture_file(pictures / f"00{n}.jpg").image, 0.0, game, n) for n in (0, 1))
    bare, laid = vision.look(empty, "marked"), vision.look(start, "marked")
    assert (bare.seen, bare.hidden) == (0, 0)
    assert laid.seen == len(decode(vision.board.start, vision.board, vision.pieces))
    assert (laid.hidden, laid.untold) == (0, 0)
    board, known = told(lobby, monkeypatch, 12, 0, 5)
    assert board["pieces"]["text"] == lobby_view.SEEN_AND_UNTOLD.text and board["pieces"]["all"] is False and known


def test_no_board_is_said_to_be_found_to_0_0_mm(lobby: FakeLobby, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(lobby, monkeypatch, 16, 0)[0]["line"]["params"] == {"error": 0.1}
    assert [displayed_mm(error) for error in (0.0, 0.04, 0.26, 1.96)] == [0.1, 0.1, 0.3, 2.0]
    report = BoardReport.__new__(BoardReport)
    values = {"way": "corners", "error_mm": 0.0, "pull_mm": np.zeros((4, 2)), "contrast": 9.0}
    for name, value in values.items():
        object.__setattr__(report, name, value)
    assert "0.0 mm" not in report.sentence and "0.1 mm" in report.sentence


def test_a_game_that_is_over_is_not_said_to_be_on() -> None:
    ended = Setup("mr-jack-london", "first-2006", fixed=True)
    for change in (
        lambda: steps.with_game(ended, "mr-jack-new-york", "first"),
        lambda: steps.with_choices(ended, Choices(secret="sealed")),
    ):
        with pytest.raises(BadInput) as refused:
            change()
        assert "is on" not in str(refused.value)


def test_after_a_restart_the_next_game_needs_no_look_at_the_one_that_is_over(tmp_path: Path) -> None:
    wished: list[tuple[Setup, SetupVision | None]] = []
    first = Setup("mr-jack-london", "first-2006", fixed=True)
    before = Resumable(Standing(turn=8, over=True, secret="asked"), None)
    lobby = Lobby(
        StillSources(), ProfileStore(tmp_path / "tables"), lambda beginning: None, first,
        renew=lambda setup, vision: wished.append((setup, vision)), resumable=before,
    )  # fmt: skip
    lobby.do("new", {})
    lobby.close()
    ((setup, vision),) = wished
    assert (setup.fixed, setup.at, vision) == (False, steps.GAME, None)


def test_without_any_game_there_is_none_to_follow(tmp_path: Path) -> None:
    lobby = Lobby(StillSources(), ProfileStore(tmp_path / "tables"), lambda beginning: None, renew=lambda setup, vision: None)
    with pytest.raises(BadInput):
        lobby.do("new", {})
    lobby.close()

"""Going on with a game after a restart: what is kept beside the record, how the game stands, and one press in the lobby."""

from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np
import pytest
from fake_lobby import FakeLobby, StillSources

from companion import games
from companion.demo import TABLE
from companion.errors import BadInput, DeviceError
from companion.games.seats import Secret
from companion.host import resuming
from companion.host import setup as steps
from companion.host.choices import Choices, ClockChoice
from companion.host.ledger import Ledger
from companion.host.lobby_view import lobby_json
from companion.host.passes import Passes
from companion.host.resuming import KeptSetup, Resumable, Standing, keep, kept_setup, resumable
from companion.host.secrets import Kept, Secrets
from companion.host.setup import CameraChoice, NotYet, Setup
from companion.record.log import Record
from companion.referee.match import Draft

GAME = games.load()
EDITION = GAME.editions()[0]
START = np.asarray(cv2.imread(str(TABLE / "001.jpg")), np.uint8)
GREY = np.full((720, 1280, 3), 120, np.uint8)
KEPT = KeptSetup(CameraChoice("address", "rtsp://me:secret@camera/1"), "marked", Choices(deal=True), "Home")


def begun(path: Path, *drafts: Draft) -> Record:
    """A record in which a game was opened, and what was written then."""
    record = Record.open(path)
    ledger = Ledger(GAME, record, lambda: 1000.0)
    rule = GAME.house_rules[0]
    other = next(choice for choice in rule.choices if choice != rule.default)
    ledger.open_match(EDITION, {rule.name: other}, "g1")
    ledger.write(drafts)
    return record


def hall_with(folder: Path, sources: StillSources, found: Resumable | None) -> FakeLobby:
    lobby = FakeLobby(folder, sources)
    lobby.setup = Setup(GAME.id, EDITION, choices=found.kept.choices if found and found.kept else Choices(), fixed=True)
    lobby.resumable = found
    return lobby


def test_what_is_kept_is_read_again_as_it_was_and_only_its_owner_may(tmp_path: Path) -> None:
    record = tmp_path / "game.sqlite"
    keep(record, KEPT)
    assert kept_setup(record) == KEPT
    assert resuming.setup_file(record).stat().st_mode & 0o077 == 0, "the camera's password is in it"


def test_the_record_says_house_rules_clocks_and_what_became_of_jacks_secret(tmp_path: Path) -> None:
    clock = {"action": "start", "budgets": {"jack": 900.0, "detective": 900.0}, "increment": 5.0, "delay": 0.0}
    with begun(tmp_path / "r", Draft("secret", {"mode": "entrusted"}), Draft("clock", clock)) as record:
        secrets = Secrets.open(None)
        secrets.keep("g1", Kept(Secret("jack", "identity", 1, "gull"), ""), alone=True)
        known = resumable(GAME, record.events(), KEPT, secrets)
        lost = resumable(GAME, record.events(), None, Secrets.open(None))
    assert known is not None and known.kept is not None and lost is not None
    assert known.standing == Standing(1, over=False, secret="entrusted")
    assert known.kept.choices.clock == ClockChoice(900, 5, 0)
    assert (known.kept.choices.secret, known.kept.choices.deal, len(known.kept.choices.rules)) == ("entrusted", True, 1)
    assert (lost.standing.lost, lost.kept) == (True, None)


def test_one_press_goes_on_though_the_board_is_hidden_just_now(tmp_path: Path) -> None:
    lobby = hall_with(tmp_path, StillSources([GREY]), Resumable(Standing(2, over=False, secret="entrusted"), KEPT))
    shown = lobby_json(lobby)
    assert shown["resume"]["camera"] == {"kind": "address", "address": "rtsp://…@camera/1"}, "without its password"
    lobby.do("resume", {})
    (begun_with,) = lobby.begun
    assert (begun_with.source, begun_with.choices, begun_with.name) == (KEPT.camera, KEPT.choices, "Home")
    assert lobby.playing and lobby_json(lobby)["resume"] is None
    with pytest.raises(NotYet):
        lobby.do("resume", {})
    lobby.close()


def test_a_phone_that_is_still_on_its_way_keeps_nobody_waiting(tmp_path: Path) -> None:
    kept = KeptSetup(CameraChoice("phone"), "marked", Choices())
    lobby = hall_with(tmp_path, StillSources(), Resumable(Standing(1, over=False, secret="asked"), kept))
    lobby.do("resume", {})
    assert lobby.playing
    lobby.close()


def test_a_camera_that_is_gone_is_said_and_another_one_goes_on(tmp_path: Path) -> None:
    kept = KeptSetup(CameraChoice("address", "broken"), "marked", Choices(deal=True))
    lobby = hall_with(tmp_path, StillSources([START]), Resumable(Standing(2, over=False, secret="asked"), kept))
    with pytest.raises(DeviceError):
        lobby.do("resume", {})
    assert lobby_json(lobby)["resume"] is not None, "nothing has changed"
    lobby.do("camera", {"kind": "address", "address": "other"})
    assert lobby.preview is not None and lobby.preview.newest(5) is not None
    lobby.do("go", {"step": steps.BOARD})
    assert lobby_json(lobby)["missing"] == []
    lobby.do("start", {})
    assert lobby.begun[0].choices.deal
    lobby.close()


def test_a_table_nothing_is_kept_of_asks_for_its_camera(tmp_path: Path) -> None:
    lobby = hall_with(tmp_path, StillSources(), Resumable(Standing(3, over=False, secret="sealed"), None))
    with pytest.raises(NotYet, match="Choose its camera"):
        lobby.do("resume", {})
    lobby.resumable = None
    with pytest.raises(NotYet, match="no game here"):
        lobby.do("resume", {})
    lobby.close()


def test_a_kept_table_is_offered_for_a_game_on_record_and_leaves_its_rules_alone(tmp_path: Path) -> None:
    lobby = hall_with(tmp_path, StillSources([START]), Resumable(Standing(2, over=False, secret="asked"), None))
    lobby.setup = steps.replace(lobby.setup, choices=Choices(deal=True, rules=MappingProxyType({"a": "b"})))
    fresh = FakeLobby(tmp_path / "other", StillSources([START]))
    fresh.do("camera", {"kind": "address", "address": "x"})
    assert fresh.preview is not None and fresh.preview.newest(5) is not None
    fresh.do("go", {"step": steps.BOARD})
    lobby_json(fresh)
    fresh.do("start", {"name": "Kitchen"})
    lobby.profiles = fresh.profiles
    (table,) = lobby_json(lobby)["tables"]
    lobby.do("again", {"table": table["id"]})
    assert lobby.begun[0].choices == lobby.setup.choices == Choices(deal=True, rules=MappingProxyType({"a": "b"}))
    lobby.close()
    fresh.close()


def test_guests_links_are_good_for_the_next_game_after_a_restart_and_stay_taken_back(tmp_path: Path) -> None:
    first, second = tmp_path / "game.passes", tmp_path / "game-game2.passes"
    passes = Passes.open(first)
    (_, good), (lost, revoked) = passes.issue("jack"), passes.issue("detective")
    passes.keep_also(second)
    passes.revoke(lost.id)
    for path in (first, second):
        again = Passes.open(path)
        assert again.check(good) is not None
        assert again.check(revoked) is None, "taken back in one game, it is good in none"
    with pytest.raises(BadInput):
        passes.keep_also(tmp_path / "missing" / "game.passes")

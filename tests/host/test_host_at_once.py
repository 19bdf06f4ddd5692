"""What happens at a table while somebody else does something: two folds of one record, a lobby that loses its camera."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from boxed_session import BoxedSession
from cryptography.hazmat.primitives.asymmetric import ec
from fake_lobby import FakeLobby, StillCamera
from test_boxes_at_table import ASKED, DeskTable, told

from companion import games
from companion.calibration.profile import TableProfile
from companion.devices.boxes.box import PATTERNS, BoxNotice
from companion.errors import BadInput, CompanionError
from companion.host import boxes as boxes_module
from companion.host import profile_store, sealing
from companion.host import setup as steps
from companion.host.authority import Authority
from companion.host.boxes import TableBoxes, TableBoxesSettings
from companion.host.choices import Choices
from companion.host.profile_store import ProfileStore
from companion.host.setup import CameraChoice
from companion.host.table_proxy import NoTableYet, TableProxy
from companion.vision.camera import Lens

LATER = TableBoxesSettings(anew_after=60)


def test_a_slow_fold_of_the_record_does_not_undo_a_newer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    table, usual = DeskTable(), boxes_module.fold
    boxes = TableBoxes(table, settings=LATER)
    asked = told(ASKED, "call-asked")
    table.events = asked[:-1]

    def meanwhile(events: Any) -> Any:
        """The question is put on record, and folded, before the record without it is."""
        monkeypatch.setattr(boxes_module, "fold", usual)
        found = usual(list(events))
        table.events = asked
        boxes._fold_anew()
        return found

    monkeypatch.setattr(boxes_module, "fold", meanwhile)
    boxes._fold_anew()
    boxes.press("answer-a")
    assert table.answers == [{"kind": "call", "seen": True}]
    boxes.stop()


def test_what_is_heard_while_the_record_is_folded_is_repeated_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    table, usual = DeskTable(told(ASKED, "call-asked")), boxes_module.fold
    boxes, again = TableBoxes(table, settings=LATER), []
    boxes.on_again(again.append)

    def meanwhile(events: Any) -> Any:
        found = usual(list(events))
        table.push("ruling", action="adjourn", reason="lunch", text="", params={})
        return found

    monkeypatch.setattr(boxes_module, "fold", meanwhile)
    boxes._fold_anew()
    boxes.press("again")
    assert again == [table.events[-1]]
    boxes.stop()


def test_lights_that_are_put_right_while_the_game_goes_on_show_how_it_stands() -> None:
    table = DeskTable(told(ASKED, "call-asked"))
    boxes, after = TableBoxes(table, settings=LATER), told(ASKED, "call")[-1]
    shown: dict[str, Any] = {}
    going_on = threading.Thread(target=lambda: (table.events.append(after), boxes.heard(after)))

    class Boxes:
        """The question is answered while a refusal's lights are put out again."""

        def show(self, pattern: Any, box: str | None = None, role: str | None = None) -> None:
            if going_on.ident is None:
                going_on.start()
                going_on.join(0.2)  # it may have to wait until this is done
            shown[str(role)] = pattern

        def stop(self) -> None: ...

    boxes._boxes = Boxes()  # type: ignore[assignment]
    assert boxes._scene.pattern == "ask"
    boxes._light(sound=False)
    going_on.join(30)
    assert boxes._scene.pattern != "ask"
    assert {pattern.lights for pattern in shown.values()} == {PATTERNS[boxes._scene.pattern].lights}
    boxes.stop()


def test_a_lobby_that_loses_its_camera_while_somebody_looks_is_shown_without_it(tmp_path: Path) -> None:
    lobby = FakeLobby(tmp_path)
    lobby.do("camera", {"kind": "device", "address": "0"})
    lobby.do("go", {"step": steps.BOARD})
    usual = lobby._lock

    class Lock:
        """A game that could not begin lets go of the camera, between somebody's look at it and his turn."""

        def acquire(self, blocking: bool = True) -> bool:
            preview, lobby.preview = lobby.preview, None
            assert preview is not None
            preview.close()
            return usual.acquire(blocking)

        def release(self) -> None:
            usual.release()

    lobby._lock = Lock()  # type: ignore[assignment]
    lobby.look()
    lobby._lock = usual
    assert lobby.detection is None
    lobby.close()


def test_a_camera_chosen_while_the_session_ends_is_not_left_open(tmp_path: Path) -> None:
    lobby = FakeLobby(tmp_path)
    lobby.do("camera", {"kind": "device", "address": "0"})
    lobby.close()
    with pytest.raises(CompanionError):
        lobby.do("camera", {"kind": "device", "address": "1"})
    assert all(camera.closed.is_set() for camera in lobby.sources.opened if isinstance(camera, StillCamera))


def test_a_table_that_is_made_while_the_session_ends_does_not_go_on() -> None:
    class Made:
        started = stopped = False

        def subscribe(self, subscriber: Any) -> None: ...
        def start(self) -> None:
            self.started = True

        def stop(self) -> None:
            self.stopped = True

    proxy, table = TableProxy(), Made()

    def make() -> Any:
        proxy.stop()
        return table

    with pytest.raises(NoTableYet):
        proxy.put(make)
    assert not table.started and table.stopped and proxy.table is None


@pytest.fixture
def kept(tmp_path: Path) -> tuple[ProfileStore, TableProfile]:
    store, board = ProfileStore(tmp_path / "tables", lambda: 1000.0), games.load().board("first-2006")
    profile = TableProfile(board.id, board.edition, "marked", Lens(np.eye(3), np.zeros(5), (640, 360)), note="first")
    store.keep("Home", profile, CameraChoice("device", "0"), Choices())
    return store, profile


def test_a_known_table_is_there_at_every_moment_while_it_is_kept_anew(
    kept: tuple[ProfileStore, TableProfile], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, profile = kept
    seen, usual = [], Path.replace

    def replaced(self: Path, to: Path) -> Path:
        made = usual(self, to)
        seen.append([one.name for one in store.tables()])
        return made

    monkeypatch.setattr(Path, "replace", replaced)
    store.keep("Home", replace(profile, note="second"), CameraChoice("device", "0"), Choices())
    assert seen and all(names == ["Home"] for names in seen)
    (table,) = store.tables()
    assert store.profile(table.id).note == "second"


def test_what_a_running_game_learnt_is_kept_while_its_table_is_chosen_again(
    kept: tuple[ProfileStore, TableProfile], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, profile = kept
    usual, (table,), keeping = profile_store.bounded.read_json, store.tables(), list[threading.Thread]()

    def meanwhile(*given: Any) -> Any:
        """What was read is about to be written back."""
        found = usual(*given)
        if threading.current_thread() is threading.main_thread():
            learnt = replace(profile, note=f"learnt {len(keeping)}")
            keeping.append(threading.Thread(target=store.keep, args=("Home", learnt, CameraChoice("device", "0"), Choices())))
            keeping[-1].start()
            keeping[-1].join(0.3)  # it may have to wait until this is done
        return found

    with monkeypatch.context() as patched:
        patched.setattr(profile_store.bounded, "read_json", meanwhile)
        store.touch(table.id)
        for one in keeping:
            one.join(30)
    assert store.profile(table.id).note == f"learnt {len(keeping) - 1}"


def test_two_who_take_a_play_back_at_once_take_back_one(tmp_path: Path) -> None:
    session = BoxedSession(tmp_path)
    table = session.table
    session.look()
    session.hands.move("holmes", "e6")
    session.look()
    saw = table.snapshot()["number"]
    session.hands.move("bert", "k9").shift("covers", "c2", "h6")
    session.look()
    with pytest.raises(BadInput, match="faster"):  # another play was told while somebody pressed "take it back"
        table.answer({"kind": "undo"}, saw=saw)
    saw = table.snapshot()["number"]
    table.answer({"kind": "undo"}, saw=saw)
    with pytest.raises(BadInput, match="faster"):  # the other one pressed it as well
        table.answer({"kind": "undo"}, saw=saw)
    session.close()


def test_whoever_answers_before_he_has_seen_the_question_is_not_heard(tmp_path: Path) -> None:
    session = BoxedSession(tmp_path)
    session.play_first_turn()
    with pytest.raises(BadInput, match="faster"):
        session.table.answer({"kind": "call", "seen": True}, saw=1)
    saw = session.table.snapshot()["number"]
    session.table.tell(BoxNotice("arbiter"))  # what does not change the question does not matter
    session.table.answer({"kind": "call", "seen": True}, saw=saw)
    session.close()


def test_a_press_that_waits_while_somebody_else_answers_does_not_answer_the_next_question() -> None:
    table = DeskTable(told(ASKED, "call-asked"))
    boxes = TableBoxes(table, settings=LATER)
    saw: list[int | None] = []

    def answer(answer: Any, /, *, saw: int | None = None) -> dict[str, Any]:
        found.append(saw)
        return {}

    found, table.answer = saw, answer  # type: ignore[method-assign]
    boxes.press("answer-a")
    assert saw == [table.events[-1].number]
    boxes.stop()


def test_two_companions_that_start_for_the_first_time_at_once_share_one_authority_and_one_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority, key = tmp_path / "data" / "certificate-authority.json", tmp_path / "data" / "signing-key.json"
    opened: dict[str, Any] = {}

    def other(name: str, begin: Callable[[], Any]) -> threading.Thread:
        made = threading.Thread(target=lambda: opened.setdefault(name, begin()))
        made.start()
        made.join(0.3)  # it may have to wait until this is done
        return made

    others: list[threading.Thread] = []
    generate, token_bytes = ec.generate_private_key, sealing.secrets.token_bytes
    with monkeypatch.context() as patched:

        def making(*given: Any) -> Any:
            if not others:
                others.append(threading.current_thread())
                others.append(other("authority", lambda: Authority.open(authority).fingerprint))
            return generate(*given)

        patched.setattr(ec, "generate_private_key", making)
        mine = Authority.open(authority).fingerprint
    with monkeypatch.context() as patched:

        def drawing(count: int) -> bytes:
            if len(others) == 2:
                others.append(threading.current_thread())
                others.append(other("key", lambda: sealing.seed_at(key)))
            return token_bytes(count)

        patched.setattr(sealing.secrets, "token_bytes", drawing)
        seed = sealing.seed_at(key)
    for one in (others[1], others[3]):
        one.join(30)
    assert opened == {"authority": mine, "key": seed}
    assert (Authority.open(authority).fingerprint, sealing.seed_at(key)) == (mine, seed)
    assert sorted(one.name for one in authority.parent.iterdir()) == [authority.name, key.name]

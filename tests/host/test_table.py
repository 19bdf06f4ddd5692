"""The running table: frames in, events out, each on the disk before anybody hears of it."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from scripted_camera import ScriptedCamera, ScriptedGlance, ScriptedWatcher
from scripted_table import GAME, Hands, reading_of

from companion.demo import DemoCamera, load_script
from companion.devices.cameras.port import SourceNotice
from companion.devices.cameras.recorded import RECORDING_OVER
from companion.errors import BadInput, DeviceError
from companion.host.camera_state import CameraStates
from companion.host.preview import SharedCamera
from companion.host.secrets import Secrets
from companion.host.table import Table, TableSettings
from companion.record.commitment import opens
from companion.record.events import Event
from companion.record.log import Record, RecordTrouble
from companion.referee import decide
from companion.vision.frame import Frame


class RunningTable:
    """A table with scripted eyes, driven step by step."""

    def __init__(self, path: Path, **more: object) -> None:
        self.record = Record.open(path / "game.record")
        self.camera, self.watcher = ScriptedCamera(), ScriptedWatcher()
        self.heard: list[Event] = []
        self.hands = Hands.at_start()
        more.setdefault("settings", TableSettings(tick_s=0.01, every_frame=True))
        self.table = Table(
            GAME, self.record, self.camera, self.watcher, Secrets.open(path / "game.secret"), self.heard.append,
            clock=lambda: 1000.0, **more,  # type: ignore[arg-type]
        )  # fmt: skip
        self.table.start()

    def show(self, *analyses: ScriptedGlance | Exception) -> None:
        self.watcher.analyses += analyses
        for _ in analyses:
            self.camera.show()

    def look(self) -> None:
        self.hands.now += 1
        self.show(ScriptedGlance(settled=reading_of(self.hands.state, self.hands.now)))

    def until(self, fulfilled: Callable[[dict], bool], seconds: float = 30.0) -> dict:
        end = time.monotonic() + seconds
        while not fulfilled(self.table.snapshot()):
            assert time.monotonic() < end, self.table.snapshot()
            time.sleep(0.005)
        return self.table.snapshot()

    def close(self) -> None:
        self.table.stop()
        self.record.close()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningTable]:
    made = RunningTable(tmp_path)
    yield made
    made.close()


def play_first_turn(running: RunningTable) -> None:
    running.look()
    running.hands.move("holmes", "e6")
    running.look()
    running.hands.move("bert", "k9").shift("covers", "c2", "h6")
    running.look()
    running.hands.move("stealthy", "k7")
    running.look()
    running.hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10")
    running.look()


def test_frames_become_events_and_the_call_is_asked(running: RunningTable) -> None:
    play_first_turn(running)
    shown = running.until(lambda s: s["phase"] == "call")
    assert shown["simulated"] is True and shown["played"] == ["holmes", "bert", "stealthy", "goodley"]
    assert running.table.answer({"kind": "call", "seen": True})["events"] == ["call"]
    assert [event.number for event in running.heard] == list(range(1, len(running.heard) + 1))
    assert running.table.wait_events(0, 0)[-1].kind == "call"


def test_an_entrusted_secret_makes_the_call_by_itself_and_appears_nowhere(running: RunningTable, tmp_path: Path) -> None:
    running.table.answer({"kind": "entrust", "character": "stealthy"})
    play_first_turn(running)
    shown = running.until(lambda s: s["phase"] == "clean-up")
    assert shown["called"] == {"seen": True, "cleared": ["watson"]} and shown["secret"] == "entrusted"
    assert (tmp_path / "game.secret").stat().st_mode & 0o777 == 0o600
    secret_events = [event for event in running.table.wait_events(0, 0) if event.kind == "secret"]
    assert [set(event.data) for event in secret_events] == [{"mode", "commitment"}]
    kept = json.loads((tmp_path / "game.secret").read_text())["openings"][running.table.snapshot()["match"]]
    assert opens(secret_events[0].data["commitment"], running.table.snapshot()["match"], "stealthy", kept)
    assert kept not in repr(running.table.wait_events(0, 0))


def test_a_restart_goes_on_where_the_game_was(tmp_path: Path) -> None:
    first = RunningTable(tmp_path)
    play_first_turn(first)
    before = first.until(lambda s: s["phase"] == "call")
    first.close()
    second = RunningTable(tmp_path)
    after = second.table.snapshot()
    second.close()
    for key in ("number", "position", "phase", "played", "question", "head"):
        assert after[key] == before[key]


def test_what_the_source_says_is_recorded_and_ends_nothing(running: RunningTable) -> None:
    running.camera.say(SourceNotice("source-silent", "No picture from {source}.", {"source": "cam"}))
    running.until(lambda s: s["number"] == 2)
    assert running.table.snapshot()["source"]["state"] == "stalled"
    running.show(BadInput("frame 1: is not a picture"))
    running.until(lambda s: s["number"] == 3)
    running.look()
    running.until(lambda s: s["phase"] == "play")
    running.camera.fail(DeviceError("camera 0: unplugged"))
    running.until(lambda s: s["source"]["state"] == "lost" and s["number"] >= 6)
    assert "unplugged" in running.table.wait_events(5, 1)[0].data["params"]["reason"]


def test_a_frozen_camera_goes_on_sending_and_is_not_said_to_run(running: RunningTable) -> None:
    running.look()
    running.until(lambda s: s["source"]["state"] == "running")
    running.camera.say(SourceNotice("source-frozen", "{source} may be frozen", {"source": "scripted"}))
    for _ in range(3):
        running.look()
        time.sleep(0.02)
    assert running.table.snapshot()["source"]["state"] == "frozen"
    running.camera.say(SourceNotice("source-back", "{source} is back", {"source": "scripted"}))
    assert running.table.snapshot()["source"]["state"] == "running"


def test_a_picture_that_is_at_rest_is_a_state_and_no_event(running: RunningTable) -> None:
    running.look()
    number = running.until(lambda s: s["source"]["state"] == "running" and s["phase"] == "play")["number"]
    running.camera.say(SourceNotice("source-still", "", {"source": "scripted"}))
    running.look()
    shown = running.until(lambda s: s["source"]["state"] == "still")
    assert shown["source"]["since"] == 1000.0 and shown["number"] == number


def test_of_two_cameras_one_that_is_silent_is_named_while_the_other_watches() -> None:
    pair = CameraStates("a + b", ("a", "b"), lambda: 7.0)
    pair.came("a")
    pair.came("b")
    pair.heard("source-frozen", "b")
    for _ in range(3):
        pair.came("a")
    ailing = [{"name": "b", "state": "frozen", "since": 7.0}]
    assert pair.shown() == {"name": "a + b", "state": "running", "since": 7.0, "ailing": ailing}
    pair.heard("source-lost", "a")
    assert pair.shown()["state"] == "frozen"


def test_a_fault_while_pictures_are_fetched_is_said_and_not_met_with_silence(running: RunningTable) -> None:
    running.look()
    running.until(lambda s: s["phase"] == "play")
    running.camera.fail(RuntimeError("driver"))
    running.until(lambda s: s["source"]["state"] == "lost")
    running.until(lambda s: running.table.wait_events(s["number"] - 1, 1)[0].kind == "notice")
    (event,) = running.table.wait_events(running.table.snapshot()["number"] - 1, 1)
    assert event.data["params"]["reason"] == "the companion erred (RuntimeError: driver); the record is unharmed"


def test_a_recording_that_waits_is_asked_for_its_next_picture_only_when_the_last_was_looked_at(tmp_path: Path) -> None:
    """Also where the table has it from the lobby, as a camera lent."""
    scenes = load_script().scenes[:2]
    looked: list[float] = []

    class Slow:
        def see(self, frame: Frame) -> ScriptedGlance:
            looked.append(frame.captured_at)
            time.sleep(0.04)  # longer than a picture takes to be made
            return ScriptedGlance()

    camera = DemoCamera(replace(load_script(), scenes=scenes), pace=None, rate=8, waits=True, hold=True)
    with Record.open(tmp_path / "game.record") as record:
        table = Table(GAME, record, SharedCamera(camera), Slow(), settings=TableSettings(tick_s=0.01))
        table.start()
        end = time.monotonic() + 60
        while table.snapshot()["source"]["state"] != "over":
            assert time.monotonic() < end, looked
            time.sleep(0.01)
        time.sleep(0.1)
        assert table.snapshot()["source"]["state"] == "over", "the pictures that still come do not hide it"
        assert table.snapshot()["simulated"]
        table.stop()
        camera.close()
        told = [event.data["text"] for event in record.events() if event.kind == "notice"]
    assert told == [RECORDING_OVER.text]
    assert looked == [number / 8 for number in range(len(looked))], "not one is missing"


def test_a_full_disk_is_said_and_the_game_goes_on_when_there_is_room(
    running: RunningTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = running.record.store

    def refuse(*_: object) -> Event:
        raise RecordTrouble("the disk is full", "/media/games/game.record")

    monkeypatch.setattr(running.record, "store", refuse)
    running.look()
    shown = running.until(lambda s: s["trouble"] is not None)
    assert shown["phase"] == "set-up" and shown["trouble"] == "the disk is full", "on no screen is a path of this computer"
    with pytest.raises(RecordTrouble):
        running.table.answer({"kind": "seal", "commitment": "0" * 64})
    monkeypatch.setattr(running.record, "store", real)
    shown = running.until(lambda s: s["phase"] == "play")
    assert shown["trouble"] is None


def test_a_disk_that_turns_read_only_is_said_and_the_page_goes_on(running: RunningTable) -> None:
    running.look()
    running.until(lambda s: s["phase"] == "play")
    running.record._connection.execute("PRAGMA query_only=ON")
    running.hands.move("holmes", "e6")
    running.look()
    shown = running.until(lambda s: s["trouble"] is not None)
    assert "disk is read-only" in shown["trouble"] and shown["played"] == [] and running.table.picture() is not None
    running.record._connection.execute("PRAGMA query_only=OFF")
    assert running.until(lambda s: s["played"] == ["holmes"])["trouble"] is None


def test_a_locked_record_is_said_and_the_page_goes_on(running: RunningTable) -> None:
    running.look()
    running.until(lambda s: s["phase"] == "play")
    with closing(sqlite3.connect(running.record.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        running.hands.move("holmes", "e6")
        running.look()
        shown = running.until(lambda s: s["trouble"] is not None)
        assert "another program holds the record locked" in shown["trouble"] and shown["played"] == []
        asked = time.monotonic()
        running.table.snapshot()
        assert time.monotonic() - asked < 2
        other.execute("ROLLBACK")
    assert running.until(lambda s: s["played"] == ["holmes"])["trouble"] is None


def test_a_reading_that_makes_no_sense_and_a_fault_of_ours_are_said_and_survived(running: RunningTable) -> None:
    running.look()
    running.until(lambda s: s["phase"] == "play")
    running.show(RuntimeError("a bug in the eyes"))
    shown = running.until(lambda s: s["trouble"] is not None)
    assert "a bug in the eyes" in shown["trouble"] and "Traceback" not in shown["trouble"]
    running.hands.move("holmes", "e6")
    running.look()
    shown = running.until(lambda s: s["played"] == ["holmes"])
    assert shown["trouble"] is None


def test_what_keeps_it_from_looking_is_told_as_long_as_it_lasts_by_its_kind(running: RunningTable) -> None:
    running.look()
    running.until(lambda s: s["phase"] == "play")
    running.show(ScriptedGlance(lost="the picture is black"))
    shown = running.until(lambda s: s["troubles"])
    assert shown["troubles"] == [{"kind": "sight", "text": "the picture is black"}]
    assert shown["trouble"] == "the picture is black"
    running.show(BadInput("the picture is 960x720 pixels, and that is another shape"))
    shown = running.until(lambda s: "960x720" in (s["trouble"] or ""))
    assert [one["kind"] for one in shown["troubles"]] == ["sight"]
    running.look()
    assert running.until(lambda s: not s["troubles"])["trouble"] is None
    running.show(RuntimeError("a bug in the eyes"))
    assert [one["kind"] for one in running.until(lambda s: s["troubles"])["troubles"]] == ["reading"]


def test_answers_that_cannot_be_taken_say_why_and_record_nothing(running: RunningTable) -> None:
    for answer, words in (
        ({"kind": "call", "seen": True}, "nobody asked"),
        ({"kind": "call", "seen": "yes"}, "true or false"),
        ({"kind": "dance"}, "not known"),
        ({}, "not known"),
        ({"kind": "undo"}, "no play"),
        ({"kind": "entrust", "character": "moriarty"}, "moriarty"),
        ({"kind": "choose", "alternative": 0}, "nothing to choose"),
        ({"kind": "correct", "subject": "holmes", "place": "a1"}, "nothing was seen"),
        ({"kind": "reveal", "character": "bert"}, "nobody asked"),
    ):
        with pytest.raises(BadInput, match=words):
            running.table.answer(answer)
    assert running.table.snapshot()["number"] == 1


def test_a_clock_that_was_set_back_does_not_make_the_record_run_backwards(tmp_path: Path) -> None:
    times = iter([1000.0, 400.0, 1001.0, 2000.0])
    with Record.open(tmp_path / "game.record") as record:
        table = Table(GAME, record, ScriptedCamera(), ScriptedWatcher(), clock=lambda: next(times), steady=lambda: 0.0)
        table.answer({"kind": "entrust", "character": "gull"})
        table.look_at(None)
        assert [event.at for event in record.events()] == [1000.0, 1000.0]


def test_waits_come_to_their_end_when_the_source_stalls_or_ends(tmp_path: Path) -> None:
    seconds = [0.0]
    running = RunningTable(tmp_path, monotonic=lambda: seconds[0])
    running.look()
    running.until(lambda s: s["phase"] == "play")
    running.hands.move("bert", "k9")
    running.look()
    running.until(lambda s: s["unfinished"] is not None)
    running.camera.end()
    running.until(lambda s: s["source"]["state"] == "ended")
    seconds[0] = 46.0  # the grace is 45 s and 2 s pass before a source counts as stalled
    time.sleep(0.1)
    assert running.table.snapshot()["flag"] is None
    seconds[0] = 49.0
    shown = running.until(lambda s: s["flag"] is not None)
    assert [fault["code"] for fault in shown["flag"]["faults"]] == ["ability-missing"]
    running.close()


def test_an_accusation_at_the_end_of_a_recording_is_confirmed(tmp_path: Path) -> None:
    seconds = [0.0]
    running = RunningTable(tmp_path, monotonic=lambda: seconds[0])
    running.look()
    running.hands.move("holmes", "g8")
    running.look()
    running.until(lambda s: s["unfinished"] is not None)
    running.camera.end()
    seconds[0] = 10.0
    assert running.until(lambda s: s["question"] is not None)["question"]["kind"] == "accusation"
    running.close()


def test_the_companion_deals_when_it_is_asked_to(running: RunningTable) -> None:
    with pytest.raises(BadInput, match="nobody knows"):
        running.table.answer({"kind": "deal"})
    running.look()
    running.until(lambda s: s["phase"] == "play")
    assert running.table.answer({"kind": "deal"})["events"] == ["cards"]
    shown = running.table.snapshot()
    assert shown["cards"] == "dealt" and len(set(shown["available"])) == 4
    with pytest.raises(BadInput, match="nobody knows"):
        running.table.answer({"kind": "deal"})


def test_a_table_that_deals_does_so_whenever_a_turn_needs_cards(tmp_path: Path) -> None:
    running = RunningTable(tmp_path, settings=TableSettings(tick_s=0.01, every_frame=True, deal=True))
    running.look()
    shown = running.until(lambda s: s["phase"] == "play" and s["cards"] == "dealt")
    assert len(shown["available"]) == 4
    running.close()


def test_a_resting_table_is_thought_over_once(running: RunningTable, monkeypatch: pytest.MonkeyPatch) -> None:
    running.look()
    running.until(lambda s: s["phase"] == "play")
    asked: list[int] = []
    real = decide.on_reading
    monkeypatch.setattr(decide, "on_reading", lambda match, *more: (asked.append(match.number), real(match, *more))[1])
    running.hands.move("bert", "g10")
    running.look()
    running.until(lambda s: s["flag"] is not None)
    running.show(*[ScriptedGlance()] * 40)
    running.until(lambda s: not running.watcher.analyses)
    assert len(asked) == 2, "once for the flag, once to find that nothing more follows"


def test_a_picture_is_there_once_a_frame_was(running: RunningTable) -> None:
    assert running.table.picture(True) is None
    running.look()
    running.until(lambda s: s["phase"] == "play")
    picture = running.table.picture(overlay=True)
    assert picture is not None and picture[:2] == b"\xff\xd8"


def test_the_end_of_a_turn_folds_the_record_into_one_file(running: RunningTable) -> None:
    log = Path(f"{running.record.path}-wal")
    running.look()
    running.until(lambda s: s["phase"] == "play")
    assert log.stat().st_size == 0, "the turn was opened"
    running.hands.move("holmes", "e6")
    running.look()
    running.until(lambda s: s["played"] == ["holmes"])
    assert log.stat().st_size > 0


def test_a_record_whose_end_could_not_be_read_says_so_when_the_game_goes_on(tmp_path: Path) -> None:
    first = RunningTable(tmp_path)
    first.look()
    first.until(lambda s: s["phase"] == "play")
    first.hands.move("holmes", "e6")
    first.look()
    first.until(lambda s: s["played"] == ["holmes"])
    log = Path(f"{first.record.path}-wal")
    files = {part: Path(f"{first.record.path}{part}").read_bytes() for part in ("", "-wal")}
    first.close()
    first.record.path.write_bytes(files[""])
    log.write_bytes(files["-wal"][:-100])
    second = RunningTable(tmp_path)
    second.until(lambda s: any(event.kind == "notice" for event in second.table.wait_events(0, 0)))
    (said,) = [event.data for event in second.table.wait_events(0, 0) if event.kind == "notice"]
    assert said["code"] == "record-end-lost" and (tmp_path / said["params"]["file"]).read_bytes() == files["-wal"][:-100]
    second.close()


def test_a_listener_that_stumbles_keeps_neither_the_game_nor_the_others_from_an_event(running: RunningTable) -> None:
    stumbled: list[int] = []

    def stumble(event: Event) -> None:
        stumbled.append(event.number)
        raise KeyError("nobody")

    others: list[int] = []
    running.table.subscribe(stumble)
    running.table.subscribe(lambda event: others.append(event.number))
    running.look()
    shown = running.until(lambda s: s["phase"] == "play")
    assert shown["trouble"] is None and stumbled == others and len(others) >= 2

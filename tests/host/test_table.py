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
from companion.devices.camera_port import SourceNotice
from companion.devices.camera_recorded import RECORDING_OVER
from companion.errors import BadInput, DeviceError
from companion.host.condition import Conditions
from companion.host.preview import Lent
from companion.host.secrets import Secrets
from companion.host.table import Table, TableSettings
from companion.record.commitment import opens
from companion.record.events import Event
from companion.record.log import Record, RecordTrouble
from companion.referee import decide
from companion.vision.frame import Frame


class Stage:
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

    def show(self, *glances: ScriptedGlance | Exception) -> None:
        self.watcher.glances += glances
        for _ in glances:
            self.camera.show()

    def look(self) -> None:
        self.hands.now += 1
        self.show(ScriptedGlance(settled=reading_of(self.hands.state, self.hands.now)))

    def until(self, fulfilled: Callable[[dict], bool], seconds: float = 5.0) -> dict:
        end = time.monotonic() + seconds
        while not fulfilled(self.table.snapshot()):
            assert time.monotonic() < end, self.table.snapshot()
            time.sleep(0.005)
        return self.table.snapshot()

    def close(self) -> None:
        self.table.stop()
        self.record.close()


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    yield made
    made.close()


def play_first_turn(stage: Stage) -> None:
    stage.look()
    stage.hands.move("holmes", "e6")
    stage.look()
    stage.hands.move("bert", "k9").shift("covers", "c2", "h6")
    stage.look()
    stage.hands.move("stealthy", "k7")
    stage.look()
    stage.hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10")
    stage.look()


def test_frames_become_events_and_the_call_is_asked(stage: Stage) -> None:
    play_first_turn(stage)
    shown = stage.until(lambda s: s["phase"] == "call")
    assert shown["simulated"] is True and shown["played"] == ["holmes", "bert", "stealthy", "goodley"]
    assert stage.table.answer({"kind": "call", "seen": True})["events"] == ["call"]
    assert [event.number for event in stage.heard] == list(range(1, len(stage.heard) + 1))
    assert stage.table.wait_events(0, 0)[-1].kind == "call"


def test_an_entrusted_secret_makes_the_call_by_itself_and_appears_nowhere(stage: Stage, tmp_path: Path) -> None:
    stage.table.answer({"kind": "entrust", "character": "stealthy"})
    play_first_turn(stage)
    shown = stage.until(lambda s: s["phase"] == "clean-up")
    assert shown["called"] == {"seen": True, "cleared": ["watson"]} and shown["secret"] == "entrusted"
    assert (tmp_path / "game.secret").stat().st_mode & 0o777 == 0o600
    secret_events = [event for event in stage.table.wait_events(0, 0) if event.kind == "secret"]
    assert [set(event.data) for event in secret_events] == [{"mode", "commitment"}]
    kept = json.loads((tmp_path / "game.secret").read_text())["openings"][stage.table.snapshot()["match"]]
    assert opens(secret_events[0].data["commitment"], stage.table.snapshot()["match"], "stealthy", kept)
    assert kept not in repr(stage.table.wait_events(0, 0))


def test_a_restart_goes_on_where_the_game_was(tmp_path: Path) -> None:
    first = Stage(tmp_path)
    play_first_turn(first)
    before = first.until(lambda s: s["phase"] == "call")
    first.close()
    second = Stage(tmp_path)
    after = second.table.snapshot()
    second.close()
    for key in ("number", "position", "phase", "played", "question", "head"):
        assert after[key] == before[key]


def test_what_the_source_says_is_recorded_and_ends_nothing(stage: Stage) -> None:
    stage.camera.say(SourceNotice("source-silent", "No picture from {source}.", {"source": "cam"}))
    stage.until(lambda s: s["number"] == 2)
    assert stage.table.snapshot()["source"]["state"] == "stalled"
    stage.show(BadInput("frame 1: is not a picture"))
    stage.until(lambda s: s["number"] == 3)
    stage.look()
    stage.until(lambda s: s["phase"] == "play")
    stage.camera.fail(DeviceError("camera 0: unplugged"))
    stage.until(lambda s: s["source"]["state"] == "lost" and s["number"] >= 6)
    assert "unplugged" in stage.table.wait_events(5, 1)[0].data["params"]["reason"]


def test_a_frozen_camera_goes_on_sending_and_is_not_said_to_run(stage: Stage) -> None:
    stage.look()
    stage.until(lambda s: s["source"]["state"] == "running")
    stage.camera.say(SourceNotice("source-frozen", "{source} may be frozen", {"source": "scripted"}))
    for _ in range(3):
        stage.look()
        time.sleep(0.02)
    assert stage.table.snapshot()["source"]["state"] == "frozen"
    stage.camera.say(SourceNotice("source-back", "{source} is back", {"source": "scripted"}))
    assert stage.table.snapshot()["source"]["state"] == "running"


def test_a_picture_that_is_at_rest_is_a_state_and_no_event(stage: Stage) -> None:
    stage.look()
    number = stage.until(lambda s: s["source"]["state"] == "running" and s["phase"] == "play")["number"]
    stage.camera.say(SourceNotice("source-still", "", {"source": "scripted"}))
    stage.look()
    shown = stage.until(lambda s: s["source"]["state"] == "still")
    assert shown["source"]["since"] == 1000.0 and shown["number"] == number


def test_of_two_cameras_one_that_is_silent_is_named_while_the_other_watches() -> None:
    pair = Conditions("a + b", ("a", "b"), lambda: 7.0)
    pair.came("a")
    pair.came("b")
    pair.heard("source-frozen", "b")
    for _ in range(3):
        pair.came("a")
    ailing = [{"name": "b", "state": "frozen", "since": 7.0}]
    assert pair.shown() == {"name": "a + b", "state": "running", "since": 7.0, "ailing": ailing}
    pair.heard("source-lost", "a")
    assert pair.shown()["state"] == "frozen"


def test_a_fault_while_pictures_are_fetched_is_said_and_not_met_with_silence(stage: Stage) -> None:
    stage.look()
    stage.until(lambda s: s["phase"] == "play")
    stage.camera.fail(RuntimeError("driver"))
    stage.until(lambda s: s["source"]["state"] == "lost")
    stage.until(lambda s: stage.table.wait_events(s["number"] - 1, 1)[0].kind == "notice")
    (event,) = stage.table.wait_events(stage.table.snapshot()["number"] - 1, 1)
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
        table = Table(GAME, record, Lent(camera), Slow(), settings=TableSettings(tick_s=0.01))
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


def test_a_full_disk_is_said_and_the_game_goes_on_when_there_is_room(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    real = stage.record.store

    def refuse(*_: object) -> Event:
        raise RecordTrouble("the disk is full", "/home/anna/game.record")

    monkeypatch.setattr(stage.record, "store", refuse)
    stage.look()
    shown = stage.until(lambda s: s["trouble"] is not None)
    assert shown["phase"] == "set-up" and shown["trouble"] == "the disk is full", "on no screen is a path of this computer"
    with pytest.raises(RecordTrouble):
        stage.table.answer({"kind": "seal", "commitment": "0" * 64})
    monkeypatch.setattr(stage.record, "store", real)
    shown = stage.until(lambda s: s["phase"] == "play")
    assert shown["trouble"] is None


def test_a_disk_that_turns_read_only_is_said_and_the_page_goes_on(stage: Stage) -> None:
    stage.look()
    stage.until(lambda s: s["phase"] == "play")
    stage.record._connection.execute("PRAGMA query_only=ON")
    stage.hands.move("holmes", "e6")
    stage.look()
    shown = stage.until(lambda s: s["trouble"] is not None)
    assert "disk is read-only" in shown["trouble"] and shown["played"] == [] and stage.table.picture() is not None
    stage.record._connection.execute("PRAGMA query_only=OFF")
    assert stage.until(lambda s: s["played"] == ["holmes"])["trouble"] is None


def test_a_locked_record_is_said_and_the_page_goes_on(stage: Stage) -> None:
    stage.look()
    stage.until(lambda s: s["phase"] == "play")
    with closing(sqlite3.connect(stage.record.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        stage.hands.move("holmes", "e6")
        stage.look()
        shown = stage.until(lambda s: s["trouble"] is not None)
        assert "another program holds the record locked" in shown["trouble"] and shown["played"] == []
        asked = time.monotonic()
        stage.table.snapshot()
        assert time.monotonic() - asked < 2
        other.execute("ROLLBACK")
    assert stage.until(lambda s: s["played"] == ["holmes"])["trouble"] is None


def test_a_reading_that_makes_no_sense_and_a_fault_of_ours_are_said_and_survived(stage: Stage) -> None:
    stage.look()
    stage.until(lambda s: s["phase"] == "play")
    stage.show(RuntimeError("a bug in the eyes"))
    shown = stage.until(lambda s: s["trouble"] is not None)
    assert "a bug in the eyes" in shown["trouble"] and "Traceback" not in shown["trouble"]
    stage.hands.move("holmes", "e6")
    stage.look()
    shown = stage.until(lambda s: s["played"] == ["holmes"])
    assert shown["trouble"] is None


def test_what_keeps_it_from_looking_is_told_as_long_as_it_lasts_by_its_kind(stage: Stage) -> None:
    stage.look()
    stage.until(lambda s: s["phase"] == "play")
    stage.show(ScriptedGlance(lost="the picture is black"))
    shown = stage.until(lambda s: s["troubles"])
    assert shown["troubles"] == [{"kind": "sight", "text": "the picture is black"}]
    assert shown["trouble"] == "the picture is black"
    stage.show(BadInput("the picture is 960x720 pixels, and that is another shape"))
    shown = stage.until(lambda s: "960x720" in (s["trouble"] or ""))
    assert [one["kind"] for one in shown["troubles"]] == ["sight"]
    stage.look()
    assert stage.until(lambda s: not s["troubles"])["trouble"] is None
    stage.show(RuntimeError("a bug in the eyes"))
    assert [one["kind"] for one in stage.until(lambda s: s["troubles"])["troubles"]] == ["reading"]


def test_answers_that_cannot_be_taken_say_why_and_record_nothing(stage: Stage) -> None:
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
            stage.table.answer(answer)
    assert stage.table.snapshot()["number"] == 1


def test_a_clock_that_was_set_back_does_not_make_the_record_run_backwards(tmp_path: Path) -> None:
    times = iter([1000.0, 400.0, 1001.0, 2000.0])
    with Record.open(tmp_path / "game.record") as record:
        table = Table(GAME, record, ScriptedCamera(), ScriptedWatcher(), clock=lambda: next(times), steady=lambda: 0.0)
        table.answer({"kind": "entrust", "character": "gull"})
        table.look_at(None)
        assert [event.at for event in record.events()] == [1000.0, 1000.0]


def test_waits_come_to_their_end_when_the_source_stalls_or_ends(tmp_path: Path) -> None:
    seconds = [0.0]
    stage = Stage(tmp_path, monotonic=lambda: seconds[0])
    stage.look()
    stage.until(lambda s: s["phase"] == "play")
    stage.hands.move("bert", "k9")
    stage.look()
    stage.until(lambda s: s["unfinished"] is not None)
    stage.camera.end()
    stage.until(lambda s: s["source"]["state"] == "ended")
    seconds[0] = 46.0  # the grace is 45 s and 2 s pass before a source counts as stalled
    time.sleep(0.1)
    assert stage.table.snapshot()["flag"] is None
    seconds[0] = 49.0
    shown = stage.until(lambda s: s["flag"] is not None)
    assert [fault["code"] for fault in shown["flag"]["faults"]] == ["ability-missing"]
    stage.close()


def test_an_accusation_at_the_end_of_a_recording_is_confirmed(tmp_path: Path) -> None:
    seconds = [0.0]
    stage = Stage(tmp_path, monotonic=lambda: seconds[0])
    stage.look()
    stage.hands.move("holmes", "g8")
    stage.look()
    stage.until(lambda s: s["unfinished"] is not None)
    stage.camera.end()
    seconds[0] = 10.0
    assert stage.until(lambda s: s["question"] is not None)["question"]["kind"] == "accusation"
    stage.close()


def test_the_companion_deals_when_it_is_asked_to(stage: Stage) -> None:
    with pytest.raises(BadInput, match="nobody knows"):
        stage.table.answer({"kind": "deal"})
    stage.look()
    stage.until(lambda s: s["phase"] == "play")
    assert stage.table.answer({"kind": "deal"})["events"] == ["cards"]
    shown = stage.table.snapshot()
    assert shown["cards"] == "dealt" and len(set(shown["available"])) == 4
    with pytest.raises(BadInput, match="nobody knows"):
        stage.table.answer({"kind": "deal"})


def test_a_table_that_deals_does_so_whenever_a_turn_needs_cards(tmp_path: Path) -> None:
    stage = Stage(tmp_path, settings=TableSettings(tick_s=0.01, every_frame=True, deal=True))
    stage.look()
    shown = stage.until(lambda s: s["phase"] == "play" and s["cards"] == "dealt")
    assert len(shown["available"]) == 4
    stage.close()


def test_a_resting_table_is_thought_over_once(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.look()
    stage.until(lambda s: s["phase"] == "play")
    asked: list[int] = []
    real = decide.on_reading
    monkeypatch.setattr(decide, "on_reading", lambda match, *more: (asked.append(match.number), real(match, *more))[1])
    stage.hands.move("bert", "g10")
    stage.look()
    stage.until(lambda s: s["flag"] is not None)
    stage.show(*[ScriptedGlance()] * 40)
    stage.until(lambda s: not stage.watcher.glances)
    assert len(asked) == 2, "once for the flag, once to find that nothing more follows"


def test_a_picture_is_there_once_a_frame_was(stage: Stage) -> None:
    assert stage.table.picture(True) is None
    stage.look()
    stage.until(lambda s: s["phase"] == "play")
    picture = stage.table.picture(overlay=True)
    assert picture is not None and picture[:2] == b"\xff\xd8"


def test_the_end_of_a_turn_folds_the_record_into_one_file(stage: Stage) -> None:
    log = Path(f"{stage.record.path}-wal")
    stage.look()
    stage.until(lambda s: s["phase"] == "play")
    assert log.stat().st_size == 0, "the turn was opened"
    stage.hands.move("holmes", "e6")
    stage.look()
    stage.until(lambda s: s["played"] == ["holmes"])
    assert log.stat().st_size > 0


def test_a_record_whose_end_could_not_be_read_says_so_when_the_game_goes_on(tmp_path: Path) -> None:
    first = Stage(tmp_path)
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
    second = Stage(tmp_path)
    second.until(lambda s: any(event.kind == "notice" for event in second.table.wait_events(0, 0)))
    (said,) = [event.data for event in second.table.wait_events(0, 0) if event.kind == "notice"]
    assert said["code"] == "record-end-lost" and (tmp_path / said["params"]["file"]).read_bytes() == files["-wal"][:-100]
    second.close()


def test_a_listener_that_stumbles_keeps_neither_the_game_nor_the_others_from_an_event(stage: Stage) -> None:
    stumbled: list[int] = []

    def stumble(event: Event) -> None:
        stumbled.append(event.number)
        raise KeyError("nobody")

    others: list[int] = []
    stage.table.subscribe(stumble)
    stage.table.subscribe(lambda event: others.append(event.number))
    stage.look()
    shown = stage.until(lambda s: s["phase"] == "play")
    assert shown["trouble"] is None and stumbled == others and len(others) >= 2

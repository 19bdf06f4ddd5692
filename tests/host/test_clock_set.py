"""The wall clock of the machine is set during a game, or the machine sleeps: nothing that lasts counts it, and it is said."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scripted_camera import ScriptedCamera, ScriptedGlance, ScriptedWatcher
from scripted_table import Hands, reading_of
from test_recorded_at_table import ASKED, GAMES, replay

from companion import games
from companion.devices.cameras.port import SourceNotice
from companion.devices.cameras.simulator import SimulatedSource
from companion.host.authority import Authority
from companion.host.box_state import fold as fold_scene
from companion.host.boxes import TableBoxes
from companion.host.certificates import ServerCertificates
from companion.host.clock_watch import ClockWatch
from companion.host.passes import Passes
from companion.host.table import Table
from companion.record.log import Record
from companion.referee.clock import ELAPSED
from companion.referee.match import fold
from companion.vision.frame import Frame

GAME = games.load()
HOUR = 3600.0


class Machine:
    """Three clocks of one machine: the wall's, one that counts sleep, one that does not."""

    def __init__(self) -> None:
        self.wall, self.powered, self.awake = 1_750_000_000.0, 5000.0, 5000.0

    def goes_on(self, seconds: float) -> None:
        self.wall, self.powered, self.awake = self.wall + seconds, self.powered + seconds, self.awake + seconds

    def sleeps(self, seconds: float) -> None:
        self.wall, self.powered = self.wall + seconds, self.powered + seconds

    def watch(self) -> ClockWatch:
        return ClockWatch(lambda: self.wall, lambda: self.awake, lambda: self.powered)


class Session:
    """A table with clocks of half an hour for each side, in whose game the detective has the pick."""

    def __init__(self, record: Record) -> None:
        self.machine, watcher = (machine := Machine()), ScriptedWatcher()
        self.camera = ScriptedCamera()
        self.record = record
        self.table = Table(
            GAME, record, self.camera, watcher, clock=lambda: machine.wall, monotonic=lambda: machine.awake,
            steady=lambda: machine.awake, watch=machine.watch(), match_id="g1",
        )  # fmt: skip
        watcher.analyses.append(ScriptedGlance(settled=reading_of(Hands.at_start().state, 1.0)))
        self.table.look_at(Frame(np.zeros((9, 16, 3), np.uint8), 1.0, "scripted", 1))
        self.table.answer({"kind": "clock", "action": "start", "seconds": 1800})
        assert self.table.snapshot()["clock"]["running"] == "detective"

    def left(self) -> float:
        clock = self.table.snapshot()["clock"]
        return float(clock["left"]["detective"]) - (self.machine.awake - clock["since"])

    def codes(self) -> list[str]:
        return [event.data["code"] for event in self.record.events() if event.kind == "notice"]


@pytest.fixture
def session(tmp_path: Path) -> Any:
    with Record.open(tmp_path / "game.sqlite") as record:
        yield Session(record)


@pytest.mark.parametrize("step", [HOUR, -HOUR, 40 * 365 * 24 * HOUR])
def test_a_wall_clock_that_is_set_during_a_game_takes_nobodys_time(session: Session, step: float) -> None:
    machine, table = session.machine, session.table
    machine.goes_on(60)
    table.look_at(None)
    machine.wall += step
    table.look_at(None)
    machine.goes_on(60)
    table.look_at(None)
    assert [event.kind for event in session.record.events()].count("time-over") == 0
    assert session.left() == pytest.approx(1800 - 120, abs=0.1)
    assert session.codes() == ["wall-clock-set"], "the arbiter is told, once"
    table.answer({"kind": "clock", "action": "hold", "reason": "a break"})
    folded = fold(GAME, session.record.events())
    assert folded.clock is not None and folded.clock.left["detective"] == pytest.approx(1800 - 120, abs=0.1)


def test_a_machine_that_slept_pauses_the_clocks_and_says_so(session: Session) -> None:
    machine, table = session.machine, session.table
    machine.goes_on(30)
    table.look_at(None)
    machine.sleeps(8 * HOUR)
    table.look_at(None)
    (notice,) = [event for event in session.record.events() if event.kind == "notice"]
    assert (notice.data["code"], notice.data["params"]) == ("computer-slept", {"span": "8:00:00"})
    assert session.left() == pytest.approx(1800 - 30, abs=0.1)


@pytest.mark.parametrize("code", ["recording-over", "source-ended"])
def test_no_time_passes_for_players_once_the_recording_they_were_in_is_over(session: Session, code: str) -> None:
    """Their clocks went on until one of them had lost."""
    machine, table = session.machine, session.table
    machine.goes_on(60)
    session.camera.say(SourceNotice(code, "{source} has ended.", {"source": "scripted"}))
    table.look_at(None)
    machine.goes_on(HOUR)
    table.look_at(None)
    clock = table.snapshot()["clock"]
    assert (clock["running"], clock["left"]["detective"]) == (None, pytest.approx(1800 - 60, abs=0.1))
    table.answer({"kind": "clock", "action": "hold", "reason": "a break"})
    assert [event.kind for event in session.record.events()].count("time-over") == 0
    folded = fold(GAME, session.record.events())
    assert folded.clock is not None and folded.clock.left["detective"] == pytest.approx(1800 - 60, abs=0.1)


def test_players_clocks_go_on_while_their_camera_is_lost(session: Session) -> None:
    """It may come back, and they play on meanwhile."""
    session.camera.say(SourceNotice("source-lost", "{reason}", {"reason": "unplugged", "source": "scripted"}))
    session.table.look_at(None)
    session.machine.goes_on(60)
    assert session.table.snapshot()["clock"]["running"] == "detective"
    assert session.left() == pytest.approx(1800 - 60, abs=0.1)


def test_time_that_really_ran_out_is_told_though_the_wall_clock_was_set_back(session: Session) -> None:
    session.machine.wall -= HOUR
    session.machine.goes_on(1801)
    session.table.look_at(None)
    assert [event.kind for event in session.record.events()].count("time-over") == 1


def test_a_clock_that_is_set_to_and_fro_or_bent_makes_no_flood_of_words() -> None:
    machine = Machine()
    watch, told = machine.watch(), 0
    for turn in range(600):  # a minute, ten looks a second
        machine.goes_on(0.1)
        machine.wall += 3600.0 if turn % 2 else -3600.0
        told += len(watch.look())
    assert told <= 7
    bent = Machine()
    watch = bent.watch()
    for _ in range(36_000):
        bent.goes_on(1.0)
        bent.wall += 0.0005  # as fast as a daemon bends it, for ten hours: 18 s in all
        assert watch.look() == []


def test_the_clocks_of_an_older_record_are_folded_from_its_dates(tmp_path: Path) -> None:
    with Record.open(tmp_path / "new.sqlite") as record:
        session = Session(record)
        session.machine.goes_on(100)
        session.table.answer({"kind": "clock", "action": "hold", "reason": "a break"})
        new = fold(GAME, record.events())
        assert all(ELAPSED in event.data for event in record.events()[-1:])
        with Record.open(tmp_path / "old.sqlite") as old:
            for event in record.events():
                old.append(event.kind, {key: value for key, value in event.data.items() if key != ELAPSED}, event.at)
            assert fold(GAME, old.events()).clock == new.clock


def test_links_last_as_long_as_they_were_given_for_whatever_the_wall_clock_says(tmp_path: Path) -> None:
    machine, path = Machine(), tmp_path / "game.passes"

    def opened() -> Passes:
        return Passes.open(path, lambda: machine.powered, lambda: machine.wall)

    passes = opened()
    (_, token), (lost, revoked) = passes.issue("jack", hours=12), passes.issue("detective", hours=12)
    passes.revoke(lost.id)
    machine.wall += 40 * 365 * 24 * HOUR  # a Raspberry Pi hears from the network what time it is
    held = passes.check(token)
    assert held is not None and passes.left(held) == pytest.approx(12 * HOUR, abs=2)
    assert passes.label(held) == pytest.approx(machine.wall + 12 * HOUR, abs=2), "what is shown is a date of today"
    machine.goes_on(6 * HOUR)
    again = opened()
    assert again.check(token) is not None and again.check(revoked) is None
    machine.wall -= 2 * HOUR
    assert again.check(token) is not None
    machine.sleeps(6 * HOUR)
    assert passes.check(token) is None and again.check(token) is None, "twelve hours are over, sleep included"


def test_a_machine_that_starts_in_the_past_does_not_lengthen_its_links(tmp_path: Path) -> None:
    machine, path = Machine(), tmp_path / "game.passes"
    _, token = Passes.open(path, lambda: machine.powered, lambda: machine.wall).issue("jack", hours=2)
    machine.wall -= 24 * HOUR  # no battery: it begins where it was yesterday
    again = Passes.open(path, lambda: machine.powered, lambda: machine.wall)
    assert again.check(token) is not None
    machine.goes_on(2 * HOUR + 5)
    assert again.check(token) is None


def test_a_certificate_made_while_the_clock_was_ahead_is_made_anew() -> None:
    machine = Machine()
    certificates = ServerCertificates(Authority.open(None, lambda: machine.wall), lambda: machine.wall)
    machine.wall += 5 * 24 * HOUR
    ahead = certificates.context("192.168.7.7")
    machine.wall -= 5 * 24 * HOUR
    assert certificates.context() is not ahead, "browsers whose clock is right would refuse it as not yet good"
    assert certificates.context() is certificates.context()


def test_buttons_still_answer_after_the_wall_clock_was_set_back(tmp_path: Path) -> None:
    with Record.open(tmp_path / "game.sqlite") as record:
        session = Session(record)
        heard: list[str] = []
        boxes = TableBoxes(
            session.table, clock=lambda: session.machine.awake, monotonic=lambda: session.machine.awake,
            clock_answer=lambda wish: {"kind": "clock", "action": "hold", "reason": wish},
        )  # fmt: skip
        session.machine.wall -= HOUR
        session.machine.goes_on(1)
        session.table.subscribe(lambda event: heard.append(event.kind))
        boxes.press("clock-a")
        assert heard == ["clock"]
        told = replay(GAMES / "recorded" / "stealthy-escapes-in-turn-two.json", ASKED, until="call-asked").events
        boxes._scene = fold_scene(told[:-1])
        boxes.heard(replace(told[-1], at=session.machine.wall + HOUR))  # dated before the clock was set back
        asked = boxes._scene.asked
        assert asked is not None and asked.at == session.machine.awake, "presses are compared with when it was heard"


def test_a_cameras_pictures_are_dated_by_a_clock_that_nobody_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    camera = SimulatedSource(lambda seconds: np.zeros((90, 160, 3), np.uint8))
    camera.open()
    shots = [camera.read().captured_at]
    monkeypatch.setattr(time, "time", lambda: 0.0)
    shots.append(camera.read().captured_at)
    assert 0 <= shots[1] - shots[0] < 5

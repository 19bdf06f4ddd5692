"""The end of a game is signed without being asked, stays signed when something follows, and whatever fails is said."""

import json
from pathlib import Path

import numpy as np
import pytest
from scripted_camera import ScriptedCamera, ScriptedGlance, ScriptedWatcher
from scripted_table import GAME, Hands, reading_of

from companion.cli import main
from companion.devices.cameras.port import SourceNotice
from companion.host.sealing import Sealer
from companion.host.secrets import Secrets
from companion.host.table import Table
from companion.record.events import Event
from companion.record.log import Record
from companion.record.seal import check_seal, seal_of
from companion.vision.frame import Frame


class Ending:
    """A game of one play that ends it: the detective moves onto Jack's hex."""

    def __init__(self, folder: Path, key: Path | None = None) -> None:
        self.path = folder / "game.record"
        self.record, self.watcher, self.camera = Record.open(self.path), ScriptedWatcher(), ScriptedCamera()
        self.hands, self.at = Hands.at_start(), 0.0
        self.table = Table(
            GAME, self.record, self.camera, self.watcher, Secrets.open(None), clock=lambda: 1000.0 + self.at,
            match_id="g1", sealer=Sealer(key or folder / "key", seal_of(self.path)),
        )  # fmt: skip

    def look(self, seconds: float = 1.0) -> None:
        self.at += seconds
        self.watcher.analyses.append(ScriptedGlance(settled=reading_of(self.hands.state, self.at)))
        self.table.look_at(Frame(np.zeros((9, 16, 3), np.uint8), self.at, "scripted", int(self.at)))

    def play(self) -> None:
        self.look()
        target = self.hands.match.position.to_json()["characters"]["smith"]["hex"]
        play = next(
            play
            for name in GAME.characters
            for play in GAME.plays(self.hands.match.position, name, mover="detective")
            if play.ends == "accusation"
        )
        assert target
        self.hands.lay(play.position)
        self.look()
        self.look(10)
        accused = self.table.snapshot()["position"]["characters"]
        spot = accused[play.character]["hex"]
        jack = next(name for name, entry in accused.items() if entry["hex"] == spot and name != play.character)
        self.table.answer({"kind": "reveal", "character": jack})

    def seal(self) -> dict:
        return json.loads(seal_of(self.path).read_text())

    def notices(self) -> list[str]:
        return [event.data["code"] for event in self.record.events() if event.kind == "notice"]


@pytest.fixture
def ending(tmp_path: Path):
    made = Ending(tmp_path)
    yield made
    made.record.close()


def test_the_end_is_signed_without_being_asked_and_said(ending: Ending, capsys: pytest.CaptureFixture[str]) -> None:
    ending.look()
    assert not seal_of(ending.path).exists() and ending.notices() == []
    ending.play()
    events = ending.record.events()
    assert ending.table.snapshot()["phase"] == "over"
    assert check_seal(ending.seal(), events) == [] and ending.seal()["events"] == len(events)
    assert events[-1].data["code"] == "record-sealed"
    ending.record.close()
    assert main(["verify", str(ending.path)]) == 0
    assert f"signed by {events[-1].data['params']['signer']}" in capsys.readouterr().out


def test_what_follows_the_end_is_signed_as_well(ending: Ending) -> None:
    ending.play()
    ending.camera.say(SourceNotice("source-ended", "{source} has ended.", {"source": "scripted"}))
    ending.table.look_at(None)
    assert ending.notices() == ["record-sealed", "source-ended"]
    assert check_seal(ending.seal(), ending.record.events()) == []


def test_a_changed_event_or_another_key_shows(ending: Ending, tmp_path: Path) -> None:
    ending.play()
    events = ending.record.events()
    forged = Event.following(events[-2], events[-1].kind, {**events[-1].data, "x": 1}, events[-1].at)
    assert [finding.code for finding in check_seal(ending.seal(), [*events[:-1], forged])] == ["other-seal"]
    other = Sealer(tmp_path / "other-key", tmp_path / "other.seal")
    signer = Sealer(tmp_path / "key", tmp_path / "x").signer()
    assert [finding.code for finding in check_seal(other.seal(events), events, signer)] == ["other-signer"]


def test_a_key_that_cannot_be_read_stops_nothing_and_is_said(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("no key")
    ending = Ending(tmp_path)
    ending.play()
    assert ending.table.snapshot()["phase"] == "over" and ending.notices() == ["record-not-sealed"]
    assert "is no signing key" in ending.record.events()[-1].data["params"]["reason"]
    assert not seal_of(ending.path).exists()
    ending.record.close()


def test_a_resumed_record_whose_seal_is_gone_is_signed_again(ending: Ending, tmp_path: Path) -> None:
    ending.play()
    ending.record.close()
    seal_of(ending.path).unlink()
    again = Ending(tmp_path)
    assert check_seal(again.seal(), again.record.events()) == []
    again.record.close()

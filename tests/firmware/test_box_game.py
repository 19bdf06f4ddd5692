"""A whole game in which Jack answers every call on the box: real image, true host code, running table, durable record."""

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from emulated_box import EmulatedBox
from random_game import legal_play
from scripted_camera import ScriptedCamera, ScriptedGlance, ScriptedWatcher
from scripted_table import Hands, reading_of

from companion.devices.boxes.serial_line import SerialPorts
from companion.games import load
from companion.host.boxes import TableBoxes, TableBoxesSettings
from companion.host.table import Table, TableSettings
from companion.record.log import Record


class Session:
    """A table with scripted eyes and a true box; the hands move pieces and press buttons."""

    def __init__(self, folder: Path, seed: int, game: str) -> None:
        self.game = load(game)
        self.chance = random.Random(seed)
        self.record = Record.open(folder / "game.record")
        self.camera, self.watcher = ScriptedCamera(), ScriptedWatcher()
        settings = TableSettings(tick_s=0.01, every_frame=True)
        self.table = Table(self.game, self.record, self.camera, self.watcher, settings=settings, clock=time.monotonic)
        self.hands = Hands.at_start(game=self.game)
        source = SerialPorts(only=[str(folder / "box*")])
        self.boxes = TableBoxes(
            self.table, source, clock=time.monotonic, settings=TableBoxesSettings(refusal_every=0, refusal_shown=0.05)
        )
        self.table.start()
        self.boxes.start()

    @property
    def refusals(self) -> list[str]:
        """Why presses were refused."""
        notices = [event.data for event in self.record.events() if event.kind == "notice"]
        return [str(one["params"]["reason"]) for one in notices if one["code"] == "box-press-refused"]

    @property
    def refused(self) -> int:
        return len(self.refusals)

    @property
    def ruled(self) -> int:
        """Events that follow from the table; what a box has to say comes at any time."""
        with self.table._ledger.lock:
            return sum(event.kind != "notice" for event in self.record.events())

    @property
    def match(self):
        with self.table._ledger.lock:  # so that what follows from one look has all been written
            return self.table._ledger.match

    def until(self, fulfilled: Callable[[], bool], seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while not fulfilled():
            assert time.monotonic() < end, (self.refusals, self.table.snapshot(), self.boxes.status())
            time.sleep(0.003)

    def look(self, position: object) -> None:
        """The table is laid so, and the camera looks until something follows from it."""
        before = self.ruled
        self.hands.lay(position)
        self.hands.now += 1
        self.watcher.analyses.append(ScriptedGlance(settled=reading_of(self.hands.state, self.hands.now, game=self.game)))
        self.camera.show()
        self.until(lambda: self.ruled > before)

    def close(self) -> None:
        self.boxes.stop()
        self.table.stop()
        self.record.close()


@pytest.fixture(params=[pytest.param("mr-jack-london", marks=pytest.mark.slow), "mr-jack-new-york"])
def session(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Session]:
    made = Session(tmp_path, 5, request.param)
    yield made
    made.close()


def play_turn(session: Session) -> None:
    """Four plays, up to the call."""
    while session.match.phase in {"set-up", "play"}:
        match = session.match
        if match.phase == "set-up":
            session.look(match.position)
            continue
        play = legal_play(match, session.chance)
        assert play is not None
        session.look(play.position)
        doubt = session.match.doubt
        if doubt is not None:
            told = [each for each in doubt["alternatives"] if not each["redo"] and len(each["plays"]) == 1]
            wanted = next(each["index"] for each in told if each["plays"][0]["character"] == play.character)
            session.table.answer({"kind": "choose", "alternative": wanted})


def test_a_whole_game_with_every_call_answered_on_the_box(
    session: Session, new_box: Callable[..., EmulatedBox], tmp_path: Path
) -> None:
    box = new_box("box-a")
    box.plug()
    session.until(lambda: any(each["state"] == "linked" for each in session.boxes.status()["boxes"]))
    box.noise(0.01, 0.01, 7)
    jack = session.chance.choice(session.game.suspects(session.match.position))
    truth: list[bool] = []
    pressed = 0
    while session.match.phase != "over" and len(truth) < 8:
        refused = session.refused
        box.pass_time(100)  # the button of the last answer is let go
        box.press("answer-a")  # before any call is asked: means nothing
        pressed += 1
        session.until(lambda before=refused: session.refused == before + 1)
        play_turn(session)
        if session.match.phase != "call":
            break
        session.until(lambda: session.match.question is not None)
        assert session.match.question["kind"] == "call"
        box.pass_time(100)
        seen = jack in session.game.witness(session.match.position).seen
        if len(truth) == 2:
            # The line is cut just before Jack answers; his press waits in the box for the new one.
            # An emulated chip that was held up catches up: its press must not seem older than the question.
            time.sleep(0.5)
            box.unplug()
            box.press("answer-a" if seen else "answer-b")
            box.pass_time(150)
            box.plug("box-b")
        else:
            box.press("answer-a" if seen else "answer-b")
        pressed += 1
        truth.append(seen)
        session.until(lambda: session.match.phase != "call" or session.match.question is None)
        assert jack in session.game.suspects(session.match.position)
        if session.match.phase == "clean-up":
            session.look(session.match.expected)
    calls = [bool(event.data["seen"]) for event in session.record.events() if event.kind == "call"]
    assert calls == truth and len(truth) >= 4 and len(set(truth)) == 2
    assert session.match.phase == "over" and session.refused == pressed - len(truth)
    assert (tmp_path / "box-b").exists()

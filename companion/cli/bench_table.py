"""The bench's figures of a whole running table: camera, watcher, referee, record and event stream, at the recording's rate."""

import json
import statistics
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.demo import DemoCamera, Script, load_script, table_of
from companion.devices.cameras.port import Listener
from companion.games.expectations import Context
from companion.games.game import Game, Position
from companion.host.secrets import Secrets
from companion.host.table import Table
from companion.record.events import Event
from companion.record.log import Record
from companion.referee.match import Match, apply
from companion.vision.frame import Frame
from companion.vision.reader import Reader
from companion.vision.table_sets.table_set import load_table_set
from companion.vision.watching.frame_analysis import FrameAnalysis
from companion.vision.watching.watcher import Watcher

RULINGS = ("play", "flag", "flag-cleared", "call", "clean-up", "laid")
"""Kinds of events that answer what hands have done."""


@dataclass(frozen=True, slots=True)
class RecordedPlay:
    """One play of the recording: the position before it and after it, and the game's state once it was made."""

    before: Position
    after: Position
    state: Any
    context: Context


@dataclass(frozen=True, slots=True)
class TimedEvent:
    """One event as it left the event stream: its kind, and when, in seconds of the recording."""

    kind: str
    at: float


@dataclass(frozen=True)
class RecordingRun:
    """What one played recording showed. ``waits``: seconds from the end of each hand to the ruling on it. ``busy_s``: the
    time spent on ``frames`` frames; ``sent`` frames came from the camera; ``snapshot_ms``: the median time of the page's
    snapshot of this table, JSON included; ``plays``: those that were made, as the record has them."""

    waits: tuple[float, ...]
    frames: int
    sent: int
    busy_s: float
    snapshot_ms: float
    plays: tuple[RecordedPlay, ...] = ()

    @property
    def frames_a_second(self) -> float:
        """How many frames a second could be kept up with."""
        return self.frames / self.busy_s if self.busy_s else 0.0


def waits(script: Script, heard: Sequence[TimedEvent], until: float) -> tuple[float, ...]:
    """For each scene with hands the seconds from their end to the first ruling after it.

    A scene whose ruling came before its last hand had left (the first of two hands did it all) has nothing to be waited for
    and is left out; so is one whose rest had not passed at ``until``.
    """
    found = []
    for scene in script.scenes:
        left = scene.begin + scene.action
        if not scene.reaches or scene.end > until:
            continue
        after = [event.at - left for event in heard if left <= event.at < scene.end and event.kind in RULINGS]
        if after:
            found.append(min(after))
    return tuple(found)


def play_recording(game: Game, reader: Reader, seconds: float | None = None, rate: float = 30.0) -> RecordingRun:
    """Play a game's bundled recording at its own pace, page listening, and measure. ``reader``: of the bundled table;
    ``seconds``: stop after so much of it."""
    facts = load_table_set(table_of(game.id))
    camera = _Timed(DemoCamera(load_script(game=game.id), rate=rate))
    watcher = _Counted(Watcher(reader, facts.board))
    length = min(seconds or camera.script.length, camera.script.length)
    with TemporaryDirectory() as folder, Record.open(Path(folder) / "bench.sqlite") as record:
        table = Table(game, record, camera, watcher, Secrets.open(None), edition=facts.board.edition)
        if camera.script.told:
            table.answer(dict(camera.script.told))
        camera.seat_players(table.answer)
        heard: list[TimedEvent] = []
        done = threading.Event()
        page = threading.Thread(target=_listen, args=(table, camera, heard, done), daemon=True)
        page.start()
        table.start()
        while camera.now() < length and table.snapshot()["source"]["state"] not in ("ended", "lost"):
            table.picture()  # as a page with the live picture does
            time.sleep(0.5)
        done.set()
        table.stop()
        page.join(2)
        snapshot_ms = statistics.median(_snapshot_ms(table) for _ in range(50))
        plays = tuple(recorded_plays(game, record.events()))
        heard_in = waits(camera.script, heard, length)
        return RecordingRun(heard_in, watcher.frames, camera.sent, watcher.busy_s, snapshot_ms, plays)


def recorded_plays(game: Game, events: Iterable[Event]) -> Iterator[RecordedPlay]:
    """The plays of a record, in their order."""
    match = Match(game)
    for event in events:
        before = match.position
        match = apply(match, event)
        if event.kind == "play":
            yield RecordedPlay(before, match.position, match.state, match.context)


def _snapshot_ms(table: Table) -> float:
    begin = time.perf_counter()
    json.dumps(table.snapshot(), ensure_ascii=False)
    return (time.perf_counter() - begin) * 1000


def _listen(table: Table, camera: "_Timed", heard: list[TimedEvent], done: threading.Event) -> None:
    """What the page's event stream does: wait for events and send them on."""
    number = 0
    while not done.is_set():
        for event in table.wait_events(number, 0.2):
            number = event.number
            heard.append(TimedEvent(event.kind, camera.now()))


class _Timed:
    """The camera of the recording, with the recording's clock carried on between its frames."""

    simulated = True
    waits = False
    feed = None

    def __init__(self, camera: DemoCamera) -> None:
        self._camera, self.script, self.name = camera, camera.script, camera.name
        self._begin: float | None = None
        self.sent = 0

    def frames(self) -> Iterator[Frame]:
        for frame in self._camera.frames():
            if self._begin is None:
                self._begin = time.monotonic() - frame.captured_at
            self.sent += 1
            yield frame

    def seat_players(self, answer: Callable[[Mapping[str, Any]], object]) -> None:
        self._camera.seat_players(answer)

    def close(self) -> None:
        self._camera.close()

    def now(self) -> float:
        """Seconds of the recording; 0 before its first frame."""
        return 0.0 if self._begin is None else time.monotonic() - self._begin

    def listen(self, listener: Listener) -> None:
        self._camera.listen(listener)


class _Counted:
    """The watcher, with its frames counted and its time taken."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self.frames, self.busy_s = 0, 0.0

    def ask(self, places: Sequence[str]) -> None:
        self._watcher.ask(places)

    def see(self, frame: Frame) -> FrameAnalysis:
        begin = time.perf_counter()
        analysis = self._watcher.see(frame)
        self.busy_s += time.perf_counter() - begin
        self.frames += 1
        return analysis

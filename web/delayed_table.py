"""A table as it was some seconds ago, for those who must not help: snapshots are kept until they are old enough to show.

What may be seen is decided by the newest snapshot that is old enough; events are shown up to its number and no further, of its
own game even once another one is on, so snapshot and events always tell the same story. A game that was over before anything
was kept has been as it is since its last event, and nobody can be helped in it: it is shown once that event is old enough.
"""

import json
import threading
import time
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from companion.games.game import Game
from companion.record.events import Event
from companion.web.port import Json, TablePort
from companion.web.problems import Problem

_TICK = 0.2  # seconds between two looks; a delay is counted in tens of seconds


@dataclass(frozen=True, slots=True)
class _Kept:
    """A snapshot, compressed: when it was taken (seconds of a steady clock), of which game and match, up to which event."""

    at: float
    game: Game
    match: str
    number: int
    body: bytes


@dataclass(slots=True)
class _Past:
    """What was kept for one delay: snapshots, the oldest first; the events of their matches."""

    kept: deque[_Kept] = field(default_factory=deque)
    events: dict[str, list[Event]] = field(default_factory=dict)


class Pasts:
    """What was kept for every delay. It outlasts the table: another game's begins with it, so that nobody who is behind loses
    the end of the game before. One table at a time keeps something in it."""

    def __init__(self) -> None:
        self._of: dict[int, _Past] = {}

    @property
    def delays(self) -> tuple[int, ...]:
        """For which delays (seconds) something was kept."""
        return tuple(self._of)

    def of(self, delay: int) -> _Past:
        """What was kept for a delay, to be gone on with."""
        return self._of.setdefault(delay, _Past())


class DelayedTable:
    """A table port that runs ``delay`` seconds behind another. ``past``: what was kept of the tables before it."""

    def __init__(
        self,
        table: TablePort,
        delay: float,
        clock: Callable[[], float] = time.monotonic,
        past: _Past | None = None,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self._table, self._delay, self._clock, self._wall_clock = table, delay, clock, wall_clock
        self._past = past or _Past()
        self._body = b""
        self._changed = threading.Condition()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to keep what happens. Until ``delay`` seconds have passed there is nothing to show."""
        with self._changed:
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._run, name="page-past", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join(5)

    def look(self) -> None:
        """Keep the snapshot of this moment and let go of those nobody will be shown any more."""
        game = self._table.game
        snapshot = {**self._table.snapshot(), **self._table.watched()}
        body = json.dumps(snapshot, ensure_ascii=False).encode()
        now = self._clock()
        match, number = str(snapshot.get("match", "")), int(snapshot["number"])
        known = self._past.events.get(match, [])
        events = self._table.wait_events(0, 0) if len(known) < number else known  # some may come after their snapshot
        with self._changed:
            if _of(match, events):  # else the next game began between snapshot and events
                self._past.events[match] = events
            if body != self._body:
                self._body = body
                since = now if self._past.kept else now - self._over_for(snapshot, events)
                self._past.kept.append(_Kept(since, game, match, number, zlib.compress(body, 1)))
            while len(self._past.kept) > 1 and self._past.kept[1].at <= now - self._delay:
                self._past.kept.popleft()
            for match in self._past.events.keys() - {one.match for one in self._past.kept}:
                del self._past.events[match]
            self._changed.notify_all()

    def _over_for(self, snapshot: Json, events: list[Event]) -> float:
        """For how many seconds a game has been over, by the time of its last event; 0 for one that is on, or not told whole."""
        over = snapshot.get("phase") == "over" and events and events[-1].number >= int(snapshot["number"])
        return max(0.0, self._wall_clock() - events[-1].at) if over else 0.0

    def snapshot(self) -> dict[str, Any]:
        """The table ``delay`` seconds ago. Raises Problem while nothing is that old, NoTableYet before there is a table."""
        shown = self._shown()
        if shown is None:
            left = max(1, round(self._delay - (self._clock() - self._began())))
            raise Problem(503, "not-yet", f"this view runs {self._delay:g} s behind and begins in {left} s", "Wait a moment.")
        return dict(json.loads(zlib.decompress(shown.body)))

    def private(self, seat: str, /) -> None:
        """Nothing: no seat sees the past."""

    def watched(self) -> dict[str, Any]:
        """Nothing beside the snapshot: only spectators are behind, and theirs is kept with it."""
        return {}

    @property
    def game(self) -> Game:
        """The game that was on; while nothing is old enough, the one that is."""
        shown = self._shown()
        return self._table.game if shown is None else shown.game

    def answer(self, answer: dict[str, Any], /, *, saw: int | None = None) -> Json:
        """Who sees the past cannot speak into the present."""
        raise Problem(403, "not-yours", "answers are given at the table", "Ask the table or the arbiter.")

    def wait_events(self, after: int, timeout: float) -> list[Event]:
        """Events above ``after`` that are old enough."""
        until = self._clock() + timeout
        while True:
            shown = self._shown()
            horizon = shown.number if shown else 0
            left = until - self._clock()
            if horizon > after or left <= 0 or self._closed.is_set():
                break
            self._closed.wait(min(_TICK, left))
        if shown is None or horizon <= after:
            return []
        with self._changed:
            events = self._past.events.get(shown.match, [])
        return [event for event in events if after < event.number <= horizon]

    def picture(self, overlay: bool) -> bytes | None:
        """No picture: the newest is too new, and old ones are not kept."""
        return None

    def kept_picture(self, digest: str, /) -> bytes | None:
        """No picture either: who may see it sees the present."""
        return None

    def _shown(self) -> "_Kept | None":
        old_enough = self._clock() - self._delay
        with self._changed:
            return next((one for one in reversed(self._past.kept) if one.at <= old_enough), None)

    def _began(self) -> float:
        """When what is kept begins, now at the latest. Raises NoTableYet or Problem where there is no table yet."""
        with self._changed:
            first = next(iter(self._past.kept), None)
        if first is not None:
            return first.at
        self._table.snapshot()
        return self._clock()

    def _run(self) -> None:
        while not self._closed.wait(_TICK):
            try:
                self.look()
            except Exception:
                continue


def _of(match: str, events: list[Event]) -> bool:
    """Whether events are those of a match; one without an id is the only one."""
    return not events or match in ("", events[0].data.get("id"))

"""The thread between a table and its hall. The table's own threads never wait for it: it asks the table as a page does.

What goes out is what a spectator is shown: the record's events, which hold no secret that was not opened, and the snapshot with
what spectators are shown beside it.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from companion import __version__, bounded
from companion.errors import BadInput, CompanionError
from companion.games.game import Game
from companion.host.ports import NoticePort
from companion.hub import wire
from companion.hub.model import PICTURE_FOR, SEAL, Ruling, Trouble
from companion.hub.sentences import notices
from companion.hub.transport.port import TableLink
from companion.hub.uplink.leftovers import Leftovers, read
from companion.hub.uplink.outbox import Outbox, OutboxSettings
from companion.hub.uplink.pictures import SentPicture
from companion.hub.uplink.rulings import Rulings
from companion.record.events import Event
from companion.record.seal import seal_of
from companion.steady import stamp

MOST_SEAL = 4096
_LOG = logging.getLogger(__name__)


class SentTable(Protocol):
    """What is sent of a table, and what is asked of it."""

    @property
    def game(self) -> Game: ...
    def snapshot(self) -> dict[str, Any]: ...
    def watched(self) -> dict[str, Any]: ...
    def wait_events(self, after: int, timeout: float, /) -> Sequence[Event]: ...
    def answer(self, answer: Mapping[str, Any], /, by: Mapping[str, Any] | None = None) -> Mapping[str, Any]: ...
    def tell(self, notice: NoticePort, /) -> None: ...


@dataclass(frozen=True, slots=True)
class UplinkSettings:
    """
    look_s       how often the snapshot is looked at while no event comes, 0.1 .. 5.
    state_s      a state is sent at most so often, 0.05 .. 2,
    beat_s       and at least so often: the hub calls a table offline that says nothing for three of them, 1 .. 30.
    lost_s       the table is told that the hall is away once nothing was heard of it for so long, 1 .. 300, though it was
                 asked; a broker that restarts is no news.
    """

    look_s: float = 0.5
    state_s: float = 0.2
    beat_s: float = 10.0
    lost_s: float = 20.0
    outbox: OutboxSettings = field(default_factory=OutboxSettings)


class Uplink:
    """Keeps the hall up with one table. ``start`` and ``close`` it once."""

    def __init__(
        self,
        table: SentTable,
        link: TableLink,
        record: Path | None = None,
        leftovers: Leftovers | None = None,
        settings: UplinkSettings | None = None,
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
        table_clock: Callable[[], float] = stamp,
        picture: SentPicture | None = None,
    ) -> None:
        """``record``: the running game's file, remembered in ``leftovers`` until the hub has it whole. ``clock`` is the wall's,
        ``table_clock`` the one that the players' clocks go by. ``picture``: what it shows of its camera, if anything."""
        self._table, self._link, self._record, self._leftovers = table, link, record, leftovers
        self._settings, self._clock, self._steady = settings or UplinkSettings(), clock, steady
        self._table_clock, self._picture = table_clock, picture
        self._changed = threading.Condition()
        self._inbox: deque[wire.Committed | Ruling] = deque()
        self._there = False
        self._joined = 0
        """How often the hub was reached; a new connection is greeted anew."""
        self._why, self._told_lost = "", False
        self._silent_since: float | None = None
        """When the hall was lost, or first asked without an answer since; None while it does its part."""
        self._greeted = 0
        self._box: Outbox | None = None
        self._events: list[Event] = []
        self._left: deque[tuple[Path, list[Event], Outbox]] | None = None
        self._rulings = Rulings()
        self._state: tuple[str, dict[str, Any]] | None = None
        self._state_at = self._looked_at = float("-inf")
        self._said: Trouble | None = None
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hub-uplink", daemon=True)

    def start(self) -> None:
        """Begin to reach for the hall."""
        self.reach()
        self._thread.start()

    def reach(self) -> None:
        """As :meth:`start`, and whoever calls goes on by :meth:`step`."""
        if self._leftovers is not None and self._record is not None:
            self._leftovers.add(self._record)
        self._link.start(self._hear, self._linked)

    def close(self, patience: float = 2.0) -> None:
        """Send what can be sent within ``patience`` seconds, then end. What could not is sent at the next start."""
        end = self._steady() + patience
        while self._there and not self.done and self._steady() < end:
            time.sleep(0.02)
        self._stopped.set()
        with self._changed:
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(10)
        self._link.close()
        if self._leftovers is not None and self._record is not None and self._finished():
            self._leftovers.remove(self._record)

    @property
    def done(self) -> bool:
        """Whether the hub has every event of the game that is on."""
        return self._box is not None and self._box.done(len(self._table.wait_events(0, 0)))

    @property
    def committed(self) -> int:
        """The last event of the game that is on that the hub is known to have."""
        return (self._box.committed or 0) if self._box is not None else 0

    def _finished(self) -> bool:
        return self._box is not None and bool(self._events) and self._box.done(len(self._events))

    # --- from the link's threads --------------------------------------------------------------------------------

    def _hear(self, kind: str, body: bytes) -> None:
        try:
            message = wire.read_down(kind, body)
        except BadInput as error:
            _LOG.warning("the hall says what cannot be read: %s", error)
            return
        with self._changed:
            self._inbox.append(message)
            self._changed.notify_all()

    def _linked(self, there: bool, why: str) -> None:
        with self._changed:
            self._joined += there
            self._there, self._why = there, why or self._why
            self._changed.notify_all()

    # --- the thread ---------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self.step()
            except CompanionError as error:
                _LOG.info("the hall waits: %s", error)  # no table yet, or one that is being exchanged
                self._pause(self._settings.look_s)
            except Exception:
                # A fault of ours must cost the hall a moment, never the game.
                _LOG.exception("the hall could not be told")
                self._pause(1.0)

    def step(self) -> None:
        """Everything that is due now, then wait for the next thing: the thread's one step."""
        self._look()
        for message in self._heard():
            self._take(message)
        self._tell_link()
        if not self._there:
            self._pause(0.2)
            return
        if self._greeted != self._joined:
            self._greeted, self._state = self._joined, None
            for box in self._boxes():
                box.connected()
        busy = self._send_of(self._box, self._events) if self._box is not None else False
        self._send_state()
        if not busy and self._box is not None:
            self._send_picture(self._box.match)
        if not busy:
            busy = self._send_leftovers()
        self._rest(busy)

    def _look(self) -> None:
        """What is new in the record."""
        new = self._table.wait_events(len(self._events), 0)
        if self._events and (first := self._table.wait_events(0, 0)) and first[0].digest != self._events[0].digest:
            self._events, self._box, new = [], None, first  # another game, on a record of its own
        self._events += new
        if self._box is None and self._events:
            match = self._events[0].data.get("id")
            if isinstance(match, str):
                self._box = Outbox(match, self._settings.outbox)

    def _boxes(self) -> list[Outbox]:
        return [*([self._box] if self._box is not None else []), *(box for _, _, box in self._left or ())]

    def _heard(self) -> list[wire.Committed | Ruling]:
        with self._changed:
            found = list(self._inbox)
            self._inbox.clear()
        return found

    def _take(self, message: wire.Committed | Ruling) -> None:
        if isinstance(message, Ruling):
            self._look()  # the one before may have been the same, sent twice
            match = self._box.match if self._box is not None else ""
            ruled = self._rulings.take(message, self._table, match, self._events)
            if ruled is not None:
                self._link.send(wire.RULED, ruled.encode())
            return
        now = self._steady()
        self._silent_since, self._why = None, ""
        if self._box is not None and message.match == self._box.match:
            self._box.heard(message, self._events, now)
            self._tell_trouble(self._box.trouble)
        for _, events, box in self._left or ():
            if message.match == box.match:
                box.heard(message, events, now)

    def _tell_trouble(self, found: Trouble | None) -> None:
        """Say at the table what the hall has against it, once; what comes and goes is damped where it is recorded."""
        same = (
            found is not None and self._said is not None and (found.text, found.params) == (self._said.text, self._said.params)
        )
        if found is not None and not same and found.code != "gap":
            self._table.tell(notices.refuses(found))
        if found is None or found.code != "gap":
            self._said = found

    def _tell_link(self) -> None:
        """Say at the table that the hall is away, and that it is back. A connection alone is no hall: a broker is there without
        its hub, and some box on the way answers whatever it is asked."""
        if not self._there:
            self._asked()
        away = self._silent_since is not None and self._steady() - self._silent_since > self._settings.lost_s
        if away and not self._told_lost and self._events:
            self._told_lost = True
            self._table.tell(notices.lost(self._why or "it does not answer"))
        elif self._silent_since is None and self._told_lost:
            self._told_lost = False
            self._table.tell(notices.back())

    def _asked(self) -> None:
        """The hall has to be heard from now on."""
        if self._silent_since is None:
            self._silent_since = self._steady()

    def _sealed(self, snapshot: Mapping[str, Any]) -> dict[str, Any]:
        """The seal of a game that is over, where its table signed it: with it whoever has the record can tell whose it is."""
        if self._record is None or snapshot.get("phase") != "over":
            return {}
        try:
            seal = bounded.read_json(seal_of(self._record), MOST_SEAL)
        except (OSError, ValueError):
            return {}  # not signed, or not yet
        fits = isinstance(seal, dict) and seal.get("match") == snapshot.get("match")
        return {SEAL: seal} if fits else {}

    def _send_state(self) -> None:
        now = self._steady()
        if now - self._state_at < self._settings.state_s or (
            self._state is not None and now - self._looked_at < self._settings.look_s and not self._newer()
        ):
            return
        self._looked_at = now
        snapshot = {**self._table.snapshot(), **self._table.watched()}
        snapshot |= self._sealed(snapshot)
        match = str(snapshot.get("match", ""))
        if (match, snapshot) == self._state and now - self._state_at < self._settings.beat_s:
            return
        game = str(snapshot.get("game", {}).get("id", ""))
        shown = {**snapshot, "table_time": self._table_clock()}
        if self._picture is not None:
            shown[PICTURE_FOR] = self._picture.audience
        state = wire.State(match, game, __version__, self._clock(), int(snapshot.get("number", 0)), shown)
        if self._link.send(wire.STATE, state.encode()):
            self._state, self._state_at = (match, snapshot), now

    def _send_picture(self, match: str) -> None:
        """Once the hub has every event: what the camera shows. Nobody waits for it, and nothing is sent twice."""
        sent = self._picture.due(match, self._steady()) if self._picture is not None else None
        if sent is not None:
            self._link.send(wire.PICTURE, sent.encode())

    def _newer(self) -> bool:
        return self._state is not None and len(self._events) > int(self._state[1].get("number", 0))

    def _send_of(self, box: Outbox, events: Sequence[Event]) -> bool:
        """Send of one match what is due; whether something of it is still under way."""
        now = self._steady()
        if box.hello_due(now):
            hello = wire.Hello(box.match, __version__, self._clock(), len(events))
            self._asked()
            if not self._link.send(wire.HELLO, hello.encode()):
                box.not_sent()
        elif (batch := box.due(events, now)) is not None:
            self._asked()
            if not self._link.send(wire.EVENTS, batch.encode()):
                box.not_sent()
        return not box.done(len(events))

    def _send_leftovers(self) -> bool:
        """Send of games that ended while the hall was away what is due; whether there is any left."""
        if self._left is None:
            self._left = deque()
            for path in self._leftovers.paths() if self._leftovers is not None else ():
                match, events = read(path) if path != self._record else ("", [])
                if match and (self._box is None or match != self._box.match):
                    self._left.append((path, events, Outbox(match, self._settings.outbox)))
                elif path != self._record and self._leftovers is not None:
                    self._leftovers.remove(path)
        if not self._left:
            return False
        path, events, box = self._left[0]
        if not self._send_of(box, events) and self._leftovers is not None:
            self._left.popleft()
            self._leftovers.remove(path)
        return True

    def _rest(self, busy: bool) -> None:
        """Wait for the hub's word while something is under way, else for the next event."""
        if busy:
            boxes = self._boxes()
            now = self._steady()
            self._pause(min([max(0.01, box.pause(now)) for box in boxes] + [self._settings.look_s]))
            return
        with self._changed:
            if self._inbox or not self._there:
                return
        with suppress(CompanionError):
            self._table.wait_events(len(self._events), min(self._settings.look_s, 0.1))

    def _pause(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._inbox or self._stopped.is_set(), seconds)

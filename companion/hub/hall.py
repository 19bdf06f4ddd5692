"""The running hub: what tables send becomes durable, then known; what arbiters rule goes back.

One thread takes in. It takes whatever has come from all tables together, judges it (:mod:`.intake`), writes it in one
transaction, and only then tells pages, and the tables up to where they are committed. Whoever waits for a table's events waits
for one commit at most, however many tables there are.
"""

import logging
import queue
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from companion.errors import BadInput, CompanionError, StorageTrouble
from companion.hub import credentials, wire
from companion.hub.figures import Figures
from companion.hub.hall_settings import HallSettings
from companion.hub.model import NAME_LENGTH, HallMatch, HallTable, Ruling
from companion.hub.pictures import Pictures
from companion.hub.sentences import troubles
from companion.hub.store.port import Enrolled, KeptState, RuledAlready, Store, WrittenMeanwhile
from companion.hub.ways import Part, Push, Ways
from companion.hub.work import Arrival, Reply, Work, stated
from companion.record.events import FIRST_DIGEST

Json = Mapping[str, Any]
_LOG = logging.getLogger(__name__)


class LiveHall:
    """See :class:`~companion.hub.model.Hall`, and the other end: :meth:`receive` and :meth:`reach`."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time, settings: HallSettings | None = None) -> None:
        """Raises StoreTrouble when the database cannot be read."""
        self._store, self._clock, self.settings = store, clock, settings or HallSettings()
        self.figures = Figures()
        self._changed = threading.Condition()
        self._change = 0
        self._arrivals: queue.Queue[Arrival | None] = queue.Queue(self.settings.waiting)
        self._ways, self._pictures = Ways(), Pictures()
        self._enrolled: dict[str, Enrolled] = {}
        self._tables: dict[str, HallTable] = {}
        self._matches: dict[tuple[str, str], HallMatch] = {}
        self._rulings: dict[str, tuple[Ruling, ...]] = {}
        self._bodies: dict[str, bytes] = {}
        self._kept_at = 0.0
        self._store_up = True
        self._turned = time.monotonic()
        self._closing = False
        self._read_all()
        self._thread = threading.Thread(target=self._take_in, name="hub-intake", daemon=True)

    def start(self) -> None:
        """Begin to take in."""
        self._thread.start()

    def close(self) -> None:
        """Take in what has come, and end."""
        self._closing = True
        if self._thread.is_alive():
            with suppress(queue.Full):  # as many as may wait do: the database hangs, and their tables send them again
                self._arrivals.put(None, timeout=self.settings.end_seconds)
            self._thread.join(self.settings.end_seconds)

    # --- for pages ----------------------------------------------------------------------------------------------

    def tables(self) -> tuple[HallTable, ...]:
        """See :class:`Hall`."""
        with self._changed:
            return tuple(sorted(self._tables.values(), key=lambda one: (one.name, one.table)))

    def wait(self, after: int, timeout: float) -> int:
        """See :class:`Hall`."""
        with self._changed:
            self._changed.wait_for(lambda: self._change > after, timeout)
            return self._change

    def events(self, table: str, match: str, after: int, most: int) -> tuple[Json, ...]:
        """See :class:`Hall`."""
        return tuple(event.to_json() for event in self._store.events(table, match, after, most))

    def matches(self) -> tuple[HallMatch, ...]:
        """See :class:`Hall`."""
        with self._changed:
            return tuple(sorted(self._matches.values(), key=lambda one: (-one.began, one.table, one.match)))

    def rule(self, table: str, about: int, answer: Json, arbiter: str) -> Ruling:
        """See :class:`Hall`."""
        shown, name = self._table(table), " ".join(arbiter.split())
        if not name or len(name) > NAME_LENGTH or not name.isprintable():
            raise BadInput(f"arbiter {arbiter[:NAME_LENGTH]!r}: a name of 1 to {NAME_LENGTH} letters is needed")
        if not shown.match:
            raise BadInput(f"{shown.name} plays nothing yet, so nothing can be ruled there")
        if not isinstance(answer, Mapping) or not isinstance(answer.get("kind"), str):
            raise BadInput("a ruling is an answer with its kind")
        size = len(wire.encode(dict(answer)))
        if size > self.settings.answer_bytes:
            raise BadInput(f"the ruling has {size} bytes, at most {self.settings.answer_bytes} are allowed")
        if not 0 <= about <= shown.number:
            raise BadInput(f"event {about} is none of {shown.name}'s {shown.number}")
        ruling = Ruling(uuid.uuid4().hex, table, shown.match, name, dict(answer), about, at=self._clock())
        try:
            self._store.add_ruling(ruling)
        except RuledAlready:
            self._learn_rulings(table)
            raise
        self.figures.add("rulings_total")
        with self._changed:
            self._rulings[table] = (*self._rulings.get(table, ()), ruling)
            self._news()
        self._ways.push(ruling.table, ruling)
        return ruling

    def rulings(self, table: str) -> tuple[Ruling, ...]:
        """See :class:`Hall`."""
        self._table(table)
        return self._store.rulings(table)

    def picture(self, table: str, *, spectator: bool) -> tuple[bytes, float] | None:
        """See :class:`Hall`."""
        found = self._pictures.of(self._table(table), spectator=spectator)
        return None if found is None else (found.jpeg, found.age)

    # --- for tables ---------------------------------------------------------------------------------------------

    def enrolled(self, table: str) -> bool:
        """Whether there is such a table and its credential was not taken back."""
        with self._changed:
            return table in self._enrolled and bool(self._enrolled[table].digest)

    def lets_in(self, table: str, secret: str) -> bool:
        """Whether this is the table's credential."""
        with self._changed:
            one = self._enrolled.get(table)
        return one is not None and credentials.fits(secret, one.digest)

    def read_enrolled(self) -> None:
        """Learn who was enrolled or taken back meanwhile."""
        self._know({one.table: one for one in self._store.tables()})

    def reach(self, push: Push, part: Part | None = None) -> None:
        """Name a way by which tables are reached, and how one that is let in no more is parted with."""
        self._ways.add(push, part)

    def receive(self, table: str, kind: str, body: bytes, reply: Reply | None = None) -> bool:
        """Take a message of a table; what is to be answered goes to ``reply`` once it is durable, or to the table's usual way.
        False when too many wait, when the table is none of this hall's, or when the hall ends."""
        if self._closing:
            return False
        self.figures.add("messages_total")
        if not self.enrolled(table):
            self.figures.add("messages_foreign_total")
            return False
        if kind == wire.PICTURE:  # of these nothing waits, and nothing is kept
            self.figures.add("messages_unreadable_total", not self._pictures.take(table, body))
            if not self.enrolled(table):  # taken back meanwhile: what there was of it is forgotten already
                self._pictures.forget(table)
            return True
        try:
            self._arrivals.put_nowait(Arrival(table, kind, body, reply, time.monotonic()))
        except queue.Full:
            return False
        return True

    # --- for whoever operates it --------------------------------------------------------------------------------

    @property
    def store_up(self) -> bool:
        """Whether the database took what was written last."""
        return self._store_up

    @property
    def alive(self) -> bool:
        """Whether messages are taken in: not while the database, or a fault of ours, keeps the thread for too long."""
        return self._thread.is_alive() and time.monotonic() - self._turned < self.settings.stuck_seconds

    def gauges(self) -> dict[str, float]:
        """What stands now, for :meth:`Figures.text`."""
        tables = self.tables()
        online = sum(one.online for one in tables)
        return {"tables": len(tables), "tables_online": online, "store_up": float(self._store_up)}

    # --- taking in ----------------------------------------------------------------------------------------------

    def _take_in(self) -> None:
        while True:
            arrivals, over = self._next()
            self._turned = time.monotonic()
            try:
                self._work(arrivals)
            except Exception:
                # A fault of ours must not end the hall; the tables send again.
                _LOG.exception("messages could not be taken in")
            if over:
                return

    def _next(self) -> tuple[list[Arrival], bool]:
        found: list[Arrival] = []
        try:
            one = self._arrivals.get(timeout=1.0)
            while one is not None:
                found.append(one)
                if len(found) >= self.settings.together:
                    return found, False
                one = self._arrivals.get_nowait()
            return found, True
        except queue.Empty:
            return found, False

    def _work(self, arrivals: Sequence[Arrival]) -> None:
        work = self._judged(arrivals)
        try:
            self._write(work)
        except WrittenMeanwhile as error:
            known = self._store_up  # else by us, most likely: the transaction whose end the database could not tell us
            self._matches = {(one.table, one.match): one for one in self._store.matches()}
            if not known:
                self._store_up = True
                self._work(arrivals)
                return
            self._not_written(work, error)
        except StorageTrouble as error:
            self._not_written(work, error)
        except CompanionError as error:
            tables = dict.fromkeys(arrival.table for arrival in arrivals)
            if len(tables) > 1:  # something of one of them is what no database takes; the others' is kept
                for table in tables:
                    self._work([arrival for arrival in arrivals if arrival.table == table])
                return
            self._not_written(work, error)
        for ruled in work.ruled:
            self._settle(*ruled)
        now = self._clock()
        with self._changed:
            before = self._tables  # with who was enrolled, named otherwise or taken back since the messages were judged
            self._matches = work.matches
            found = {name: replace(work.tables.get(name, one), name=one.name) for name, one in before.items()}
            self._tables = self._aged(found, now)
            self._bodies |= work.bodies
            if self._tables != before or work.accepted:
                self._news()
        self._count(work, arrivals)
        for arrival in arrivals:
            self._answer(arrival, work)
        self._keep(now)

    def _judged(self, arrivals: Sequence[Arrival]) -> Work:
        with self._changed:
            work = Work(self._clock(), dict(self._matches), dict(self._tables), self._digest_of)
        for arrival in arrivals:
            try:
                work.take(arrival)
            except Exception:
                # A fault of ours over one table's message must cost the others nothing.
                _LOG.exception("a message of table %s could not be taken in", arrival.table)
        return work

    def _write(self, work: Work) -> None:
        """Make durable what was judged. Raises CompanionError, and then nothing of it is."""
        if not work.to_write:
            return
        self._store.write(work.accepted, work.refused, work.written_troubles())
        if not self._store_up:
            work.cleared("store")
        self._store_up = True

    def _not_written(self, work: Work, error: CompanionError) -> None:
        """The database refused: nothing of it counts, and everybody is told why."""
        self.figures.add("store_refusals_total")
        self._store_up = False
        said = error.said if isinstance(error, StorageTrouble) else str(error)
        _LOG.warning("the database refuses: %s", error)
        work.undone(troubles.store(said, work.now), dict(self._matches), dict(self._tables))

    def _settle(self, table: str, ruled: wire.Ruled) -> None:
        try:
            self._store.settle_ruling(ruled.ruling, table, ruled.state, ruled.reason)
        except CompanionError as error:
            _LOG.warning("the database refuses: %s", error)
            return  # the table says so again when the ruling comes to it again
        with self._changed:
            self._rulings[table] = tuple(one for one in self._rulings.get(table, ()) if one.ruling != ruled.ruling)
            self._news()

    def _aged(self, tables: dict[str, HallTable], now: float) -> dict[str, HallTable]:
        """Those that were silent for too long are offline."""
        late = now - self.settings.silent_seconds
        return {name: replace(one, online=False) if one.online and one.heard < late else one for name, one in tables.items()}

    def _answer(self, arrival: Arrival, work: "Work") -> None:
        match = work.answers.get(id(arrival))
        if match is not None:
            known = work.matches.get((arrival.table, match))
            number, digest = (known.number, known.head) if known is not None else (0, FIRST_DIGEST)
            message = wire.Committed(match, number, digest, work.said.get(id(arrival)))
            if arrival.reply is not None:
                arrival.reply(message)
            else:
                self._ways.push(arrival.table, message)
        if arrival.kind in (wire.HELLO, wire.STATE):
            for ruling in self._rulings.get(arrival.table, ()):
                self._ways.push(ruling.table, ruling)

    def _count(self, work: "Work", arrivals: Sequence[Arrival]) -> None:
        done, now = time.monotonic(), self._clock()
        for arrival in arrivals:
            if arrival.kind == wire.EVENTS:
                self.figures.commit.saw(done - arrival.came)
        events = [event for one in work.accepted for event in one.events]
        self.figures.add("events_committed_total", len(events))
        self.figures.add("events_doubled_total", work.doubles)
        self.figures.add("events_refused_total", len(work.refused))
        self.figures.add("messages_unreadable_total", work.unreadable)
        for event in events:
            if 0 <= now - event.at < 60:  # older ones are caught up on
                self.figures.lag.saw(now - event.at)

    def _keep(self, now: float) -> None:
        """Keep how the tables stand, for a restart. What cannot be kept now is kept later."""
        if now - self._kept_at < self.settings.keep_seconds and self._kept_at <= now:
            return
        self._kept_at = now
        try:
            self.read_enrolled()  # first: a credential is taken back on a disk that is full as well
        except CompanionError as error:
            _LOG.warning("the database refuses: %s", error)
        bodies, self._bodies = self._bodies, {}
        heard = {one.table: one.heard for one in self.tables()}
        rows = [KeptState(table, body.decode(), heard[table]) for table, body in bodies.items() if table in heard]
        try:
            if rows:
                self._store.keep_states(rows)
        except CompanionError as error:
            self._bodies = bodies | self._bodies
            _LOG.warning("the database refuses: %s", error)

    def _digest_of(self, table: str, match: str, number: int) -> str | None:
        found = self._store.events(table, match, number - 1, 1)
        return found[0].digest if found and found[0].number == number else None

    # --- what is known ------------------------------------------------------------------------------------------

    def _read_all(self) -> None:
        self._matches = {(one.table, one.match): one for one in self._store.matches()}
        kept = self._store.troubles()
        self._know({one.table: one for one in self._store.tables()})
        for state in self._store.states():
            if state.table in self._tables:
                try:
                    told = wire.read_up(wire.STATE, state.body.encode())
                except BadInput as error:  # another version's, before the hub was brought up to this one
                    _LOG.warning("what table %s last said of itself is not understood: %s", state.table, error)
                    continue
                assert isinstance(told, wire.State)
                self._tables[state.table] = stated(self._tables[state.table], told, state.heard, online=False)
        for name, found in kept.items():
            if name in self._tables:
                self._tables[name] = replace(self._tables[name], troubles=found)
        for name, one in self._tables.items():
            match = self._matches.get((name, one.match))
            self._tables[name] = replace(one, number=match.number if match is not None else 0)
            self._rulings[name] = self._store.rulings(name, open_only=True)

    def _know(self, enrolled: dict[str, Enrolled]) -> None:
        with self._changed:
            if enrolled == self._enrolled:
                return
            left = [name for name, one in self._enrolled.items() if name not in enrolled or enrolled[name].digest != one.digest]
            self._enrolled = enrolled
            before = self._tables
            self._tables = {
                name: replace(before.get(name, HallTable(name, one.name)), name=one.name) for name, one in enrolled.items()
            }
            self._news()
        for name in left:
            self._pictures.forget(name)
            self._ways.part(name)

    def _learn_rulings(self, table: str) -> None:
        """Read again what was ruled on a table: a database that kept a ruling may have been lost before it said so."""
        found = self._store.rulings(table, open_only=True)
        with self._changed:
            known = self._rulings.get(table, ())  # with what was ruled since the database was read
            new = tuple(one for one in found if one.ruling not in {each.ruling for each in known})
            self._rulings[table] = (*known, *new)
        for one in new:
            self._ways.push(one.table, one)

    def _table(self, table: str) -> HallTable:
        with self._changed:
            found = self._tables.get(table)
        if found is None:
            raise BadInput(f"table {table[:NAME_LENGTH]!r} is none of this hall's")
        return found

    def _news(self) -> None:
        self._change += 1
        self._changed.notify_all()

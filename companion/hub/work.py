"""What one handful of messages from all tables comes to, before it is durable: the hall writes it, and then believes it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from companion import __version__
from companion.errors import BadInput, StorageTrouble
from companion.hub import intake, wire
from companion.hub.model import HallMatch, HallTable, Trouble
from companion.hub.sentences import troubles
from companion.hub.store.port import Accepted, Refused

_OF_A_GAME = ("gap", "forged", "conflict", "unreadable", "store", "foreign")


class Reply(Protocol):
    """Takes what the hub answers to one message."""

    def __call__(self, message: wire.Down, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Arrival:
    """One message of a table as it came. ``came``: seconds of the monotonic clock."""

    table: str
    kind: str
    body: bytes
    reply: Reply | None
    came: float


class Work:
    """What one handful of messages comes to, before it is durable."""

    def __init__(
        self,
        now: float,
        matches: dict[tuple[str, str], HallMatch],
        tables: dict[str, HallTable],
        digest_of: Callable[[str, str, int], str | None],
    ) -> None:
        self.now, self.matches, self.tables, self._digest_of = now, matches, tables, digest_of
        self.accepted: list[Accepted] = []
        self.refused: list[Refused] = []
        self.ruled: list[tuple[str, wire.Ruled]] = []
        self.bodies: dict[str, bytes] = {}
        self.answers: dict[int, str] = {}
        """By arrival, the match whose committed number is to be told."""
        self.said: dict[int, Trouble] = {}
        self.doubles = self.unreadable = 0
        self._touched: set[str] = set()

    @property
    def to_write(self) -> bool:
        return bool(self.accepted or self.refused or self._touched)

    def written_troubles(self) -> dict[str, tuple[Trouble, ...]]:
        """Of each table whose troubles changed, all of them."""
        return {name: self.tables[name].troubles for name in self._touched}

    def take(self, arrival: Arrival) -> None:
        """Take one message."""
        table = self.tables.get(arrival.table)
        if table is None:
            return
        try:
            message = wire.read_up(arrival.kind, arrival.body)
        except BadInput as error:
            self.unreadable += 1
            found = troubles.unreadable(str(error), self.now)
            self.said[id(arrival)] = found
            self.answers[id(arrival)] = table.match
            self._trouble(arrival.table, found)
            return
        if isinstance(message, bool):
            self.tables[arrival.table] = replace(table, online=message, heard=self.now if message else table.heard)
            return
        self.tables[arrival.table] = replace(table, online=True, heard=self.now)
        if isinstance(message, wire.Batch):
            try:
                self._batch(arrival, message)
            except StorageTrouble as error:  # what was committed before cannot be looked up to compare
                self.said[id(arrival)] = troubles.store(error.said, self.now)
                self.answers[id(arrival)] = message.match
                self._trouble(arrival.table, self.said[id(arrival)])
        elif isinstance(message, wire.Hello):
            self._hello(arrival, message)
        elif isinstance(message, wire.State):
            self._state(arrival, message)
        else:
            self.ruled.append((arrival.table, message))

    def cleared(self, code: str) -> None:
        """A kind of trouble is over at every table."""
        for name, one in self.tables.items():
            self.tables[name] = replace(one, troubles=troubles.without(one.troubles, code))

    def undone(self, why: Trouble, matches: dict[tuple[str, str], HallMatch], tables: dict[str, HallTable]) -> None:
        """Nothing of it could be written: everything is as it was, and every table that sent is told why."""
        sent = {one.match.table for one in self.accepted} | {one.table for one in self.refused}
        for name, one in self.tables.items():
            before = tables.get(name, one)
            found = troubles.with_(before.troubles, why) if name in sent else before.troubles
            self.tables[name] = replace(one, number=before.number, match=before.match, troubles=found)
        self.said = dict.fromkeys(self.answers, why)
        self.matches, self.accepted, self.refused, self.doubles = matches, [], [], 0

    def _batch(self, arrival: Arrival, batch: wire.Batch) -> None:
        key = (arrival.table, batch.match)
        before = self.matches.get(key)
        judged = intake.judge(arrival.table, before, lambda number: self._digest(key, number), batch, self.now)
        self.doubles += judged.doubles
        self.refused += judged.refused
        if judged.match is not None and judged.match != before:
            self.accepted.append(Accepted(judged.match, judged.accepted))
            self.matches[key] = judged.match
        self.answers[id(arrival)] = batch.match
        table = self.tables[arrival.table]
        on = self.matches.get((arrival.table, table.match))
        # A game that ended while the hall was away is sent behind the one that is on.
        if judged.match is not None and (on is None or judged.match.began >= on.began):
            self._on(arrival.table, batch.match)
            self.tables[arrival.table] = replace(self.tables[arrival.table], game=judged.match.game, number=judged.match.number)
        if before is None and judged.match is not None:
            other = next((name for name, match in self.matches if match == batch.match and name != arrival.table), None)
            if other is not None:
                self.said[id(arrival)] = troubles.other_table(other, self.now)
                self._trouble(arrival.table, self.said[id(arrival)])
        if judged.trouble is not None:
            self.said[id(arrival)] = judged.trouble
            self._trouble(arrival.table, judged.trouble)
        elif judged.accepted:
            # What is missing or was not kept has come by now; what was forged or doubled stays said while this game is on.
            self._calm(arrival.table, "gap", "store", "unreadable")

    def _digest(self, key: tuple[str, str], number: int) -> str | None:
        for one in self.accepted:
            if (one.match.table, one.match.match) == key and one.events and one.events[0].number <= number <= one.match.number:
                return one.events[number - one.events[0].number].digest
        return self._digest_of(*key, number)

    def _hello(self, arrival: Arrival, hello: wire.Hello) -> None:
        self.answers[id(arrival)] = hello.match
        found = self._compare(arrival.table, hello.version, hello.at)
        known = self.matches.get((arrival.table, hello.match))
        if known is not None and hello.number < known.number:
            found = troubles.cut_short(hello.number, known.number, self.now)
            self._trouble(arrival.table, found)
        if found is not None:
            self.said[id(arrival)] = found

    def _state(self, arrival: Arrival, state: wire.State) -> None:
        self._on(arrival.table, state.match)
        self._compare(arrival.table, state.version, state.at)
        known = self.matches.get((arrival.table, state.match))
        table = stated(self.tables[arrival.table], state, self.now, online=True)
        self.tables[arrival.table] = replace(table, number=known.number if known is not None else 0)
        self.bodies[arrival.table] = arrival.body

    def _on(self, table: str, match: str) -> None:
        """This match is on at a table now; what was wrong with another one is in the archive."""
        if match != self.tables[table].match:
            self._calm(table, *_OF_A_GAME)
            self.tables[table] = replace(self.tables[table], match=match)

    def _compare(self, table: str, version: str, at: float) -> Trouble | None:
        """What a table says of itself beside what holds here; the worse of what is wrong."""
        other = off = None
        if _release(version) != _release(__version__):
            other = troubles.other_version(version, __version__, self.now)
        if abs(at - self.now) > troubles.CLOCK_S:
            off = troubles.clock_off(at - self.now, self.now)
        for code, found in (("version", other), ("clock", off)):
            if found is None:
                self._calm(table, code)
            else:
                self._trouble(table, found)
        return off or other

    def _trouble(self, table: str, found: Trouble) -> None:
        self._set(table, troubles.with_(self.tables[table].troubles, found))

    def _calm(self, table: str, *codes: str) -> None:
        self._set(table, troubles.without(self.tables[table].troubles, *codes))

    def _set(self, table: str, found: tuple[Trouble, ...]) -> None:
        if found != self.tables[table].troubles:
            self.tables[table] = replace(self.tables[table], troubles=found)
            self._touched.add(table)


def stated(table: HallTable, state: wire.State, heard: float, *, online: bool) -> HallTable:
    return replace(
        table, match=state.match, game=state.game, version=state.version, snapshot=state.snapshot, heard=heard, online=online
    )


def _release(version: str) -> list[str]:
    """What has to be alike for tables and hall to understand each other: all but the last figure."""
    return version.split(".")[:2]

"""Tables that mean harm, or are broken: what one sends costs the others nothing, and is said."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hall_stories import StoryTable, chained
from halls import RunningHall, running
from servers import until

from companion import __version__
from companion.errors import CompanionError
from companion.hub import credentials, wire
from companion.hub.hall_settings import HallSettings
from companion.hub.model import HallTable, Ruling
from companion.hub.news import NewsFeed
from companion.hub.store import open_store
from companion.hub.store.port import Enrolled, StoreTrouble
from companion.hub.store.sql import SqlStore
from companion.hub.store.sqlite import SqliteEngine
from companion.record.events import FIRST_DIGEST, chain

NOW = 1.7e9


@pytest.fixture
def hall(database: str) -> Iterator[RunningHall]:
    with closing(open_store(database)) as store, running(store, settings=HallSettings(keep_seconds=0.2)) as made:
        for name in ("t1", "t2"):
            made.enrol(name)
        yield made


def codes(hall: RunningHall, name: str) -> list[str]:
    return [trouble.code for one in hall.hall.tables() if one.table == name for trouble in one.troubles]


def event(number: object, at: object, kind: object, data: object, before: str = FIRST_DIGEST) -> dict[str, Any]:
    """An event that follows, whatever its parts are."""
    digest = chain(before, number, at, kind, data)  # type: ignore[arg-type]
    return {"number": number, "at": at, "kind": kind, "data": data, "digest": digest}


def batch(*events: dict[str, Any]) -> bytes:
    return json.dumps({"v": 1, "match": "m1", "events": events}).encode()


OPENED = {"id": "m1", "game": "mr-jack-london", "label": "London"}
DEEP = b'{"v":1,"match":"m1","events":[{"number":1,"at":1.0,"kind":"match-opened","digest":"x","data":{"id":%s}}]}'
HARM = {
    "an hour beyond every float": (wire.HELLO, b'{"v":1,"match":"m1","version":"1","number":1,"at":1%s}' % (b"0" * 400)),
    "a date beyond every float": (wire.EVENTS, b'{"v":1,"match":"m1","events":[{"number":1,"at":1%s}]}' % (b"0" * 400)),
    "a date beyond 64 bits": (wire.EVENTS, batch(event(1, 10**30, "match-opened", OPENED))),
    "a number beyond 64 bits": (wire.EVENTS, b'{"v":1,"match":"m1","events":[{"number":1%s}]}' % (b"0" * 30)),
    "a name with a null": (wire.EVENTS, batch(event(1, NOW, "match-opened", {**OPENED, "label": "Lon\0don"}))),
    "a kind with a null": (wire.EVENTS, batch(event(1, NOW, "match-\0opened", OPENED))),
    "a digest with a null": (wire.EVENTS, batch({**event(1, NOW, "match-opened", OPENED), "digest": "\0"})),
    "an outcome with a null": (
        wire.EVENTS,
        batch(one := event(1, NOW, "match-opened", OPENED), event(2, NOW, "outcome", {"why": "\0"}, one["digest"])),
    ),
    "a reason with a null": (wire.RULED, b'{"v":1,"ruling":"x\\u0000","state":"refused","reason":"\\u0000"}'),
    "a version with a null": (wire.HELLO, b'{"v":1,"match":"m1","version":"\\u0000","number":1,"at":1}'),
    "no text of ours": (wire.STATE, wire.State("m1", "g", "1", NOW, 0).encode().decode().encode("utf-16")),
    "an identity that is a list": (wire.EVENTS, batch(event(1, NOW, "match-opened", {**OPENED, "id": ["m1"]}))),
    "the year 9999": (wire.HELLO, wire.Hello("m1", "0", 253402300799.0, 1).encode()),
    "the year -3e300": (wire.HELLO, wire.Hello("m1", "0", -1e308, 1).encode()),
    **{
        f"lists {depth} deep": (wire.EVENTS, DEEP % (b"[" * depth + b"]" * depth))
        for depth in (65, 300, 900, 950, 960, 970, 975, 980, 985, 100_000)
    },
}  # fmt: skip


def test_what_one_table_sends_costs_the_others_nothing(hall: RunningHall, caplog: pytest.LogCaptureFixture) -> None:
    """Every kind of harm goes in together with an honest table's events, so that one transaction has both."""
    honest = chained(2 + len(HARM), match="honest")
    for number, (name, (kind, body)) in enumerate(HARM.items()):
        said: list[wire.Down] = []
        with held(hall):  # what comes meanwhile is taken in together
            assert hall.hall.receive("t1", kind, body)
            assert hall.hall.receive("t2", wire.EVENTS, wire.Batch("honest", tuple(honest[: number + 2])).encode(), said.append)
        until(lambda said=said: bool(said), f"nothing is answered after {name}", 10)
        (told,) = said
        assert isinstance(told, wire.Committed) and (told.number, told.trouble) == (number + 2, None), name
    assert codes(hall, "t2") == []
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []
    until(lambda: hall.hall.figures.value("messages_unreadable_total") >= 15, seconds=10)
    table = StoryTable("played", chained(3, match="played"))
    hall.join("t1", table)
    until(lambda: hall.has("t1", table))


@contextmanager
def held(hall: RunningHall) -> Iterator[None]:
    """The intake waits meanwhile."""
    taken, go_on = threading.Event(), threading.Event()

    def wait(message: wire.Down) -> None:
        taken.set()
        go_on.wait(60)

    hello = wire.Hello("honest", __version__, time.time(), 1_000_000).encode()
    assert hall.hall.receive("t2", wire.HELLO, hello, wait)
    assert taken.wait(60)
    yield
    go_on.set()


def shown(hall: RunningHall, name: str) -> HallTable:
    return next(one for one in hall.hall.tables() if one.table == name)


def test_a_snapshot_of_nonsense_does_not_end_the_news(hall: RunningHall) -> None:
    feed = NewsFeed(hall.hall)
    letters = feed.join()
    for number in ("x", [], {}, 1e300, None, -1):
        body = {"v": 1, "match": "m1", "version": "1", "at": NOW, "number": 0, "snapshot": {"number": number}}
        hall.hall.receive("t1", wire.STATE, json.dumps(body).encode())
    until(lambda: codes(hall, "t1") == ["unreadable"])
    hall.hall.receive("t2", wire.STATE, wire.State("m2", "g", __version__, time.time(), 7, {"number": 7}).encode())
    until(lambda: b'"shown":7' in next(letters))
    feed.close()


def test_a_credential_taken_back_ends_the_stream_that_is_open(hall: RunningHall) -> None:
    table = StoryTable("m1", chained(3))
    told: list[tuple[bool, str]] = []
    link = hall.link("t1")
    link.start(lambda kind, body: None, lambda there, why: told.append((there, why)))
    until(lambda: told == [(True, "")])
    with hall.store._engine.writing() as cursor:  # type: ignore[attr-defined]
        cursor.run("UPDATE tables SET digest = '' WHERE id = ?", ("t1",))
    until(lambda: told[-1] == (False, "the hall refuses (this credential is not this table's)"))
    assert not link.send(wire.EVENTS, wire.Batch("m1", tuple(table.record)).encode())
    link.close()


def test_what_two_tables_sent_of_one_game_is_said_of_that_game_only(hall: RunningHall) -> None:
    for name in ("t1", "t2"):
        hall.hall.receive(name, wire.EVENTS, wire.Batch("m1", tuple(chained(3))).encode())
        hall.hall.receive(name, wire.STATE, wire.State("m1", "g", __version__, time.time(), 3, {}).encode())
    until(lambda: codes(hall, "t2") == ["foreign"])
    hall.hall.receive("t2", wire.EVENTS, wire.Batch("m2", tuple(chained(3, match="m2", began=2000.0))).encode())
    hall.hall.receive("t2", wire.STATE, wire.State("m2", "g", __version__, time.time(), 3, {}).encode())
    until(lambda: shown(hall, "t2").match == "m2")
    until(lambda: codes(hall, "t2") == [])


def test_a_game_sent_late_does_not_take_the_place_of_the_one_that_is_on(hall: RunningHall) -> None:
    hall.hall.receive("t1", wire.EVENTS, wire.Batch("new", tuple(chained(3, match="new", began=9000.0))).encode())
    hall.hall.receive("t1", wire.STATE, wire.State("new", "g", __version__, time.time(), 3, {}).encode())
    hall.hall.receive("t1", wire.EVENTS, wire.Batch("old", tuple(chained(5, match="old", began=1000.0))).encode())
    until(lambda: any(one.match == "old" for one in hall.hall.matches()))
    assert (shown(hall, "t1").match, shown(hall, "t1").number) == ("new", 3)
    assert hall.hall.rule("t1", 3, {"kind": "rule", "action": "allow", "reason": "x"}, "Ada").match == "new"
    hall.hall.receive("t1", wire.EVENTS, wire.Batch("next", tuple(chained(2, match="next", began=9500.0))).encode())
    until(lambda: (shown(hall, "t1").match, shown(hall, "t1").number) == ("next", 2))


class Forgetful(SqlStore):
    """Commits, and is lost before it says so."""

    loses = False

    def write(self, *parts: Any) -> None:
        super().write(*parts)
        self._lose()

    def add_ruling(self, ruling: Ruling) -> None:
        super().add_ruling(ruling)
        self._lose()

    def _lose(self) -> None:
        if self.loses:
            self.loses = False
            raise StoreTrouble("the hall's database refuses: it cannot be reached", "hall")


def test_a_database_that_commits_and_is_lost_before_it_says_so(tmp_path: Path) -> None:
    with closing(Forgetful(SqliteEngine(tmp_path / "hall.sqlite"))) as store, running(store) as hall:
        hall.enrol("t1")
        table = StoryTable("m1", chained(3))
        hall.join("t1", table)
        until(lambda: hall.has("t1", table) and shown(hall, "t1").match == "m1")
        store.loses = True
        table.write("notice", {"code": "new"})
        until(lambda: hall.hall.store_up and codes(hall, "t1") == [] and "hall-store" in table.codes())
        until(lambda: hall.has("t1", table))
        assert not any("another hub" in str(event.data.get("params")) for event in table.record), "there is none"
        store.loses = True
        with pytest.raises(CompanionError, match="cannot be reached"):
            hall.hall.rule("t1", 2, {"kind": "rule", "action": "adjourn", "reason": "x"}, "Ada")
        with pytest.raises(CompanionError, match="Ada has ruled on event 2 already"):
            hall.hall.rule("t1", 2, {"kind": "rule", "action": "adjourn", "reason": "x"}, "Ada")
        until(lambda: [one.state for one in hall.hall.rulings("t1")] == ["taken"])
        assert [event.kind for event in table.record].count("ruling") == 1
        hall.stack.close()


class Slow(SqlStore):
    """Something else happens in the hall while the database writes, and while it has read rulings."""

    meanwhile: Callable[[], object] | None = None
    between: Callable[[], object] | None = None

    def write(self, *parts: Any) -> None:
        if self.meanwhile is not None:
            self.meanwhile, then = None, self.meanwhile
            then()
        super().write(*parts)

    def rulings(self, table: str, *, open_only: bool = False) -> tuple[Ruling, ...]:
        found = super().rulings(table, open_only=open_only)
        if open_only and self.between is not None:
            self.between, then = None, self.between
            then()
        return found


def test_who_is_enrolled_or_renamed_while_the_database_writes_stays_so(tmp_path: Path) -> None:
    with closing(Slow(SqliteEngine(tmp_path / "hall.sqlite"))) as store, running(store) as hall:
        hall.enrol("t1")

        def elsewhere() -> None:
            store.enrol(Enrolled("t1", "By the window", credentials.digest("x"), 1.0))
            hall.enrol("t3")

        store.meanwhile = elsewhere
        hall.hall.receive("t1", wire.EVENTS, wire.Batch("m1", tuple(chained(3))).encode())
        until(lambda: shown(hall, "t1").number == 3)
        assert [(one.table, one.name) for one in hall.hall.tables()] == [("t1", "By the window"), ("t3", "T3")]
        hall.hall.receive("t3", wire.EVENTS, wire.Batch("m3", tuple(chained(3, match="m3"))).encode())
        until(lambda: shown(hall, "t3").match == "m3")


def test_a_ruling_given_while_rulings_are_read_again_is_pushed_to_the_table_when_it_comes_back(tmp_path: Path) -> None:
    with closing(Slow(SqliteEngine(tmp_path / "hall.sqlite"))) as store, running(store) as hall:
        hall.enrol("t1")
        hall.hall.receive("t1", wire.EVENTS, wire.Batch("m1", tuple(chained(3))).encode())
        until(lambda: shown(hall, "t1").number == 3)

        def rule(about: int, arbiter: str) -> None:
            hall.hall.rule("t1", about, {"kind": "rule", "action": "adjourn", "reason": "x"}, arbiter)

        rule(2, "Ada")
        store.between = lambda: rule(3, "Ben")
        with pytest.raises(CompanionError, match="Ada has ruled on event 2 already"):
            rule(2, "Ada")
        pushed: list[wire.Down] = []
        hall.hall.reach(lambda _, message: pushed.append(message))
        hall.hall.receive("t1", wire.HELLO, wire.Hello("m1", 3, __version__, time.time()).encode())
        until(lambda: {one.about for one in pushed if isinstance(one, Ruling)} == {2, 3})


def test_a_database_that_hangs_is_told_to_whoever_asks_and_does_not_hold_the_end(tmp_path: Path) -> None:
    settings = HallSettings(waiting=1, stuck_seconds=0.3, end_seconds=0.5)
    with closing(open_store(str(tmp_path / "hall.sqlite"))) as store, running(store, settings=settings) as hall:
        hall.enrol("t2")
        until(lambda: hall.hall.alive)
        with held(hall):
            until(lambda: not hall.hall.alive)
            assert hall.hall.receive("t2", wire.ONLINE, b"1")
            begun = time.monotonic()
            closing_it = threading.Thread(target=hall.hall.close)
            closing_it.start()
            until(lambda: not hall.hall.receive("t2", wire.ONLINE, b"1"))
            closing_it.join(30)
            assert time.monotonic() - begun < 20

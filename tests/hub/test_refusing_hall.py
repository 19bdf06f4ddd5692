"""A hall whose database refuses, and tables that cannot be trusted: one sentence on both sides, and the game goes on."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hall_stories import StoryTable, chained
from halls import RunningHall, running
from servers import Postgres, until

from companion.hub import wire
from companion.hub.store import open_store
from companion.hub.store.port import Store
from companion.hub.store.sql import SqlStore


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[RunningHall]:
    with closing(open_store(str(tmp_path / "hall.sqlite"))) as store, running(store) as made:
        made.enrol("t1")
        yield made


def messages(hall: RunningHall, name: str) -> list[str]:
    return [trouble.message for one in hall.hall.tables() if one.table == name for trouble in one.troubles]


def fill(store: Store) -> None:
    assert isinstance(store, SqlStore)
    with store._engine.writing() as cursor:
        pages = cursor.run("PRAGMA page_count")[0][0]
        cursor.run(f"PRAGMA max_page_count = {pages + 4}")


def empty(store: Store) -> None:
    assert isinstance(store, SqlStore)
    with store._engine.writing() as cursor:
        cursor.run("PRAGMA max_page_count = 1000000")


def test_a_full_database_is_said_on_both_sides_and_caught_up_on(hall: RunningHall) -> None:
    table = StoryTable("m1", chained(3))
    hall.join("t1", table)
    until(lambda: hall.has("t1", table))
    fill(hall.store)
    for number in range(40):
        table.write("notice", {"code": f"large{number}", "filler": "x" * 4000})
    until(
        lambda: any(
            "cannot keep this table's events now (the hall's database refuses: the disk is full" in said
            for said in messages(hall, "t1")
        )
    )
    until(lambda: "hall-store" in table.codes())
    assert not hall.hall.store_up
    assert len(table.record) >= 43, "the game goes on"
    empty(hall.store)
    until(lambda: hall.has("t1", table) and hall.hall.store_up)
    until(lambda: messages(hall, "t1") == [])


def test_a_locked_database_costs_a_moment(hall: RunningHall, tmp_path: Path) -> None:
    table = StoryTable("m1", chained(3))
    hall.join("t1", table)
    until(lambda: hall.has("t1", table))
    other = sqlite3.connect(tmp_path / "hall.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    table.write("notice", {"code": "new"})
    until(lambda: any("another program holds it locked" in said for said in messages(hall, "t1")))
    other.execute("ROLLBACK")
    other.close()
    until(lambda: hall.has("t1", table) and messages(hall, "t1") == [])


def test_a_database_server_that_is_gone_is_said_and_found_again(postgres: Postgres) -> None:
    with closing(open_store(postgres.database())) as store, running(store) as hall:
        hall.enrol("t1")
        table = StoryTable("m1", chained(3))
        hall.join("t1", table)
        until(lambda: hall.has("t1", table))
        postgres.stop()
        said: list[wire.Down] = []
        hall.hall.receive("t1", wire.EVENTS, wire.Batch("m1", tuple(table.record)).encode(), said.append)
        until(lambda: bool(said))
        assert isinstance(said[0], wire.Committed) and said[0].trouble is not None and said[0].trouble.code == "store"
        table.write("notice", {"code": "new"})
        until(lambda: "hall-store" in table.codes())
        until(lambda: any("the hall's database refuses" in said for said in messages(hall, "t1")))
        postgres.start()
        until(lambda: hall.hall.store_up and hall.has("t1", table))
        hall.stack.close()


def test_two_hubs_on_one_database_do_not_write_anything_twice(tmp_path: Path) -> None:
    first, second = (open_store(str(tmp_path / "hall.sqlite")) for _ in range(2))
    with running(first) as one, running(second) as other:
        one.enrol("t1")
        other.hall.read_enrolled()
        events = chained(9)
        one.hall.receive("t1", wire.EVENTS, wire.Batch("m1", tuple(events[:6])).encode())
        until(lambda: len(first.events("t1", "m1", 0, 99)) == 6)
        said: list[wire.Down] = []
        other.hall.receive("t1", wire.EVENTS, wire.Batch("m1", tuple(events)).encode(), said.append)
        until(lambda: bool(said))
        assert isinstance(said[0], wire.Committed) and said[0].trouble is not None and said[0].trouble.code == "store"
        assert "another hub writes to this database" in said[0].trouble.message
        other.hall.receive("t1", wire.EVENTS, wire.Batch("m1", tuple(events)).encode())
        until(lambda: len(first.events("t1", "m1", 0, 99)) == 9)
        assert [event.digest for event in first.events("t1", "m1", 0, 99)] == [event.digest for event in events]
    first.close()
    second.close()

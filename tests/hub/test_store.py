"""The store over both databases: the same promises, and the same words when a database refuses."""

import json
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hall_stories import accepted, chained
from servers import Postgres

from companion.errors import BadInput, CompanionError
from companion.hub.model import Ruling, Trouble
from companion.hub.store import open_store, schema
from companion.hub.store.port import (
    Accepted,
    Enrolled,
    KeptState,
    Refused,
    RuledAlready,
    Store,
    StoreTrouble,
    WrittenMeanwhile,
)
from companion.hub.store.sql import SqlStore

RULING = Ruling("r1", "t1", "m1", "Ada", {"kind": "rule", "action": "allow", "reason": "as seen"}, 3, at=5.0)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    opened = open_store(database)
    yield opened
    opened.close()


def test_events_come_back_as_they_were(store: Store, database: str) -> None:
    events = chained(40)
    store.write([accepted("t1", "m1", events[:25])], [], {})
    store.write([accepted("t1", "m1", events[25:]), accepted("t2", "m1", events[:3])], [], {})
    again = open_store(database)
    assert again.events("t1", "m1", 0, 100) == tuple(events)
    assert again.events("t1", "m1", 38, 100) == tuple(events[38:])
    assert again.events("t1", "m1", 0, 2) == tuple(events[:2])
    assert [(one.table, one.number, one.head) for one in again.matches()] == [
        ("t1", 40, events[-1].digest), ("t2", 3, events[2].digest),
    ]  # fmt: skip
    assert again.counts() == {"tables": 0, "matches": 2, "events": 43, "rulings": 0}
    again.close()


def test_nothing_is_written_when_a_part_was_written_before(store: Store) -> None:
    events = chained(4)
    store.write([accepted("t1", "m1", events[:2])], [], {})
    trouble = {"t2": (Trouble("gap", "something is missing"),)}
    with pytest.raises(WrittenMeanwhile, match="another hub"):
        store.write([accepted("t2", "m9", events), accepted("t1", "m1", events[1:])], [], trouble)
    assert (store.counts()["events"], store.troubles(), len(store.matches())) == (2, {}, 1)


def test_events_are_never_changed_or_deleted(store: Store) -> None:
    store.write([accepted("t1", "m1", chained(2))], [], {})
    assert isinstance(store, SqlStore)
    for statement in ("UPDATE events SET kind = 'call'", "DELETE FROM events"):
        with pytest.raises(CompanionError, match="never"), store._engine.writing() as cursor:
            cursor.run(statement)
    assert len(store.events("t1", "m1", 0, 9)) == 2


def test_what_was_refused_is_kept_once_with_its_reason(store: Store) -> None:
    odd = Refused("t1", "m1", 7, "ab", '{"number":7}', "it does not follow", 1.0)
    store.write([], [odd, odd], {})
    store.write([], [replace(odd, at=2.0), replace(odd, digest="cd")], {})
    assert [(one.digest, one.at) for one in store.refused("t1")] == [("ab", 1.0), ("cd", 1.0)]


def test_troubles_are_replaced_by_table(store: Store) -> None:
    gap, clock = Trouble("gap", "{count} are missing", {"count": "2"}, 1.0), Trouble("clock", "its clock is off", {}, 2.0)
    store.write([], [], {"t1": (clock, gap), "t2": (gap,)})
    store.write([], [], {"t2": ()})
    assert store.troubles() == {"t1": (clock, gap)}


def test_a_table_is_enrolled_again_under_another_credential(store: Store) -> None:
    store.enrol(Enrolled("t1", "Table 1", "aa", 1.0))
    store.enrol(Enrolled("t1", "By the window", "bb", 2.0))
    assert store.tables() == (Enrolled("t1", "By the window", "bb", 1.0),)


def test_two_arbiters_do_not_rule_on_one_event_twice(store: Store) -> None:
    store.add_ruling(RULING)
    with pytest.raises(RuledAlready, match="Ada has ruled on event 3 already"):
        store.add_ruling(replace(RULING, ruling="r2", arbiter="Ben"))
    store.add_ruling(replace(RULING, ruling="r3", about=0))
    store.add_ruling(replace(RULING, ruling="r4", about=0))
    assert store.settle_ruling("r1", "t9", "taken", "") is None, "another table's"
    refused = store.settle_ruling("r1", "t1", "refused", "no flag")
    assert refused is not None and (refused.state, refused.reason) == ("refused", "no flag")
    store.add_ruling(replace(RULING, ruling="r2", arbiter="Ben", at=6.0))
    assert [one.ruling for one in store.rulings("t1", open_only=True)] == ["r3", "r4", "r2"]
    later = store.settle_ruling("r1", "t1", "taken", "")
    assert later is not None and later.state == "refused", "the first word counts"


def test_many_arbiters_at_once_and_one_ruling_stands(store: Store) -> None:
    won: list[int] = []

    def rule(number: int) -> None:
        try:
            store.add_ruling(replace(RULING, ruling=f"r{number}", arbiter=f"Arbiter {number}"))
            won.append(number)
        except RuledAlready:
            pass

    threads = [threading.Thread(target=rule, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1 and len(store.rulings("t1")) == 1


def test_a_backup_fills_an_empty_store_and_no_other(store: Store, tmp_path: Path) -> None:
    store.enrol(Enrolled("t1", "Table 1", "aa", 1.0))
    store.write([accepted("t1", "m1", chained(5))], [], {"t1": (Trouble("gap", "missing"),)})
    store.keep_states([KeptState("t1", "{}", 3.0)])
    store.add_ruling(RULING)
    rows = json.loads(json.dumps(store.dump()))
    other = open_store(str(tmp_path / "other.sqlite"))
    other.load(rows)
    assert (other.dump(), other.rulings("t1"), other.states()) == (store.dump(), (RULING,), (KeptState("t1", "{}", 3.0),))
    with pytest.raises(BadInput, match="is not empty"):
        other.load(rows)
    other.close()


def test_an_old_schema_is_brought_up_and_keeps_what_it_has(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "STEPS", schema.STEPS[:1])
        earlier.setattr(schema, "VERSION", 1)
        old = open_store(database)
        old.write([accepted("t1", "m1", chained(3))], [], {})
        old.add_ruling(RULING)
        old.close()
    new = open_store(database)
    new.keep_states([KeptState("t1", "{}", 3.0)])
    with pytest.raises(RuledAlready):
        new.add_ruling(replace(RULING, ruling="r2"))
    assert new.counts() == {"tables": 0, "matches": 1, "events": 3, "rulings": 1}
    new.close()


def test_a_newer_schema_is_refused_in_one_line(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as later:
        later.setattr(schema, "VERSION", schema.VERSION + 1)
        open_store(database).close()
    with pytest.raises(BadInput, match="written by a newer companion"):
        open_store(database)


# --- databases that refuse --------------------------------------------------------------------------------------


def full(store: Store) -> Accepted:
    assert isinstance(store, SqlStore)
    with store._engine.writing() as cursor:
        cursor.run("PRAGMA max_page_count = 40")
    data = {"filler": "x" * 400_000}
    return accepted("t1", "m1", chained(2, data))


def test_a_full_disk_writes_nothing_and_says_so(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "hall.sqlite"))
    with pytest.raises(StoreTrouble, match="the disk is full"):
        store.write([full(store)], [], {})
    assert store.counts()["events"] == 0
    store.write([accepted("t1", "m1", chained(2))], [], {})
    store.close()


def test_a_locked_file_says_so(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "hall.sqlite"))
    other = sqlite3.connect(tmp_path / "hall.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreTrouble, match="another program holds it locked"):
        store.write([accepted("t1", "m1", chained(2))], [], {})
    other.execute("ROLLBACK")
    other.close()
    store.write([accepted("t1", "m1", chained(2))], [], {})
    store.close()


def test_a_read_only_file_says_so_and_is_read(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "hall.sqlite"))
    store.write([accepted("t1", "m1", chained(2))], [], {})
    assert isinstance(store, SqlStore)
    with store._engine.writing() as cursor:
        cursor.run("PRAGMA query_only = 1")  # as a file system that went read-only; root may write any file
    with pytest.raises(StoreTrouble, match="it is read-only"):
        store.write([accepted("t2", "m1", chained(2))], [], {})
    assert len(store.events("t1", "m1", 0, 9)) == 2
    store.close()


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "hall.sqlite").write_text("no database at all, and long enough to be looked at as one would be" * 40)
    with pytest.raises(BadInput, match="is no database of a hall"):
        open_store(str(tmp_path / "hall.sqlite"))
    with pytest.raises(StoreTrouble, match="does the folder exist"):
        open_store(str(tmp_path / "nowhere" / "hall.sqlite"))
    with pytest.raises(BadInput, match=r"mysql://…: a file, or postgresql://… is allowed"):
        open_store("mysql://localhost/hall")


def test_a_restarted_server_is_found_again(postgres: Postgres) -> None:
    store = open_store(postgres.database())
    store.write([accepted("t1", "m1", chained(2))], [], {})
    postgres.stop()
    for _ in range(2):
        with pytest.raises(StoreTrouble, match="is the server running"):
            store.events("t1", "m1", 0, 9)
        with pytest.raises(StoreTrouble, match="is the server running"):
            store.write([accepted("t2", "m1", chained(2))], [], {})
    postgres.start()
    store.write([accepted("t2", "m1", chained(2))], [], {})
    assert store.counts()["events"] == 4
    postgres.stop()
    postgres.start()
    assert len(store.events("t2", "m1", 0, 9)) == 2, "a restart that nobody asked anything meanwhile is not noticed"
    store.write([accepted("t3", "m1", chained(2))], [], {})
    store.close()


def test_a_read_only_server_says_so_and_no_password(postgres: Postgres) -> None:
    url = postgres.database()
    open_store(url).close()
    store = open_store(f"{url.replace('hall@', 'hall:hunter2@')}?options=-c%20default_transaction_read_only%3Don")
    with pytest.raises(StoreTrouble, match="it is read-only") as refused:
        store.write([accepted("t1", "m1", chained(2))], [], {})
    assert "hunter2" not in str(refused.value)
    store.close()
    with pytest.raises(StoreTrouble, match=r'nobody in \(database "nowhere" does not exist\)'):
        open_store(postgres.url("nowhere"))

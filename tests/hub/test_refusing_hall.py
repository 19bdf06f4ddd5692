"""A hall whose database refuses, and tables that cannot be trusted: one sentence on both sides, and the game goes on."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psycopg
import pytest
from hall_stories import StoryTable, chained
from halls import QUICK, RunningHall, running
from servers import Mosquitto, Postgres, until

from companion.hub import wire
from companion.hub.link import TableAddress
from companion.hub.store import open_store
from companion.hub.store.port import Enrolled, Store, StoreTrouble
from companion.hub.store.sql import SqlStore
from companion.hub.transport.http_table import HttpTable
from companion.hub.uplink.uplink import Uplink


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


def test_a_hub_that_is_gone_behind_its_broker_is_said_at_the_table(tmp_path: Path, broker: Mosquitto) -> None:
    with closing(open_store(str(tmp_path / "hall.sqlite"))) as store:
        with running(store, broker) as hall:
            hall.enrol("t1")
            table = StoryTable("m1", chained(3))
            uplink = Uplink(table, hall.link("t1"), settings=QUICK)
            uplink.start()
            until(lambda: hall.has("t1", table))
        table.write("notice", {"code": "new"})
        until(lambda: "hall-lost" in table.codes())
        with running(store, broker) as hall:
            until(lambda: table.codes()[-1] == "hall-back" and hall.has("t1", table))
        uplink.close(0.0)


@pytest.mark.parametrize("kind", ["text/html", "text/event-stream"])
def test_what_answers_everything_and_is_no_hall_is_said_at_the_table(kind: str) -> None:
    """As the box of a hotel's network does."""

    class Portal(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(b"<p>Welcome!</p>\n" * 50)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Portal) as portal:
        serving = threading.Thread(target=portal.serve_forever, kwargs={"poll_interval": 0.01})
        serving.start()
        table = StoryTable("m1", chained(3))
        uplink = Uplink(table, HttpTable(TableAddress("http", "127.0.0.1", portal.server_port, "t1", "x")), settings=QUICK)
        uplink.start()
        until(lambda: "hall-lost" in table.codes())
        said = next(event.data for event in table.record if event.data.get("code") == "hall-lost")
        assert kind == "text/event-stream" or "what answers there is no hall" in said["params"]["why"]
        uplink.close(0.0)
        portal.shutdown()
        serving.join()


@pytest.mark.parametrize(("may", "told"), [("read", "does not let this credential write"), ("write", "it does not answer")])
def test_a_broker_that_lets_in_and_then_refuses_is_said_and_tried_again(tmp_path: Path, may: str, told: str) -> None:
    ways = {"read": "topic read table-witness/t1/down/#\n", "write": "topic write table-witness/t1/up/#\n"}
    head = "user hub\ntopic readwrite table-witness/#\n\nuser t1\n"
    (tmp_path / "acl").write_text(head + ways[may])
    (tmp_path / "acl").chmod(0o600)
    broker = Mosquitto(tmp_path / "mosquitto", f"allow_anonymous true\nacl_file {tmp_path / 'acl'}\n")
    broker.start()
    try:
        with closing(open_store(str(tmp_path / "hall.sqlite"))) as store, running(store, broker) as hall:
            hall.enrol("t1")
            table = StoryTable("m1", chained(3))
            hall.join("t1", table)
            until(lambda: "hall-lost" in table.codes())
            said = next(event.data for event in table.record if event.data.get("code") == "hall-lost")
            assert told in said["params"]["why"]
            (tmp_path / "acl").write_text(head + "".join(ways.values()))
            broker.reload()
            until(lambda: "hall-back" in table.codes() and hall.has("t1", table))
            hall.stack.close()
    finally:
        broker.kill()


def test_a_connection_cut_in_a_transaction_costs_a_moment(postgres: Postgres) -> None:
    with closing(open_store(postgres.database())) as store:
        assert isinstance(store, SqlStore)
        with pytest.raises(StoreTrouble, match="it breaks off"), store._engine.writing() as cursor:
            (me,) = cursor.run("SELECT pg_backend_pid()")[0]
            with closing(psycopg.connect(postgres.url("postgres"), autocommit=True)) as other:
                other.execute("SELECT pg_terminate_backend(%s)", (me,))
            cursor.run("INSERT INTO tables VALUES ('t1', 'One', '', 1.0)")
        assert store.tables() == ()
        store.enrol(Enrolled("t1", "One", "", 1.0))


def test_who_comes_after_the_end_leaves_no_connection_behind(database: str) -> None:
    store = open_store(database)
    store.tables()
    store.close()
    for late in (store.tables, lambda: store.enrol(Enrolled("t1", "One", "", 1.0))):
        with pytest.raises(StoreTrouble, match="the hub ends"):
            late()

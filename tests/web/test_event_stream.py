"""The event stream: nothing missed, nothing twice, slow readers dropped, an orderly end."""

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from fake_table import FakeTable

from companion.errors import DeviceError
from companion.host.table_proxy import NoTableYet
from companion.record.events import Event
from companion.web.app import broadcaster_of, create_app
from companion.web.broadcast import Broadcaster, EncodedSnapshot, Quiet, Subscription
from companion.web.problems import Problem
from companion.web.server import LOOPBACK, PageServer
from companion.web.settings import PageSettings


class Reader:
    """A minimal reader of server-sent events over a real connection."""

    def __init__(self, address: str, query: str = "", last: str | None = None) -> None:
        self.connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=10)
        self.connection.request("GET", f"/api/events{query}", headers={"Last-Event-ID": last} if last else {})
        self.response = self.connection.getresponse()

    def frames(self) -> Iterator[dict[str, str]]:
        frame: dict[str, str] = {}
        while line := self.response.readline():
            text = line.decode().rstrip("\n")
            if text:
                name, _, value = text.partition(": ")
                frame[name or "comment"] = value
            elif frame:
                yield frame
                frame = {}

    def numbers(self, count: int) -> list[int]:
        found: list[int] = []
        for frame in self.frames():
            if "id" in frame:
                found.append(int(frame["id"]))
                assert json.loads(frame["data"])["number"] == found[-1]
            if len(found) == count:
                break
        return found

    def close(self) -> None:
        self.response.close()
        self.connection.close()


@contextmanager
def reading(address: str, query: str = "", last: str | None = None) -> Iterator[Reader]:
    reader = Reader(address, query, last)
    try:
        yield reader
    finally:
        reader.close()


def fill(table: FakeTable, count: int) -> None:
    for n in range(count):
        table.push("notice", {"code": "test", "text": f"notice {n}", "params": {}})


def test_resumes_after_a_number_in_the_address(server: PageServer, table: FakeTable) -> None:
    fill(table, 5)
    with reading(server.address, "?after=2") as reader:
        assert reader.numbers(3) == [3, 4, 5]


def test_the_browsers_own_number_wins_over_the_address(server: PageServer, table: FakeTable) -> None:
    fill(table, 5)
    with reading(server.address, "?after=0", last="4") as reader:
        assert reader.numbers(1) == [5]


def test_without_a_number_it_begins_now_and_with_a_snapshot(server: PageServer, table: FakeTable) -> None:
    fill(table, 5)
    with reading(server.address) as reader:
        frames = reader.frames()
        assert next(frames) == {"retry": "1000"}
        first = next(frames)
        assert first["event"] == "snapshot"
        assert json.loads(first["data"])["number"] == 5
        fill(table, 1)
        assert next(frame for frame in frames if "id" in frame)["id"] == "6"


def test_a_change_without_an_event_is_told(server: PageServer, table: FakeTable) -> None:
    with reading(server.address) as reader:
        frames = (frame for frame in reader.frames() if frame.get("event") == "snapshot")
        next(frames)
        table.change(source={"name": "recording", "state": "stalled"})
        assert any(json.loads(next(frames)["data"])["source"]["state"] == "stalled" for _ in range(3))


class Ruling(FakeTable):
    """A table that goes on writing what follows from a look while it is asked what it shows, as a real one does."""

    follows = 0

    def snapshot(self) -> dict[str, Any]:
        for _ in range(self.follows):
            self.follows -= 1
            self.push("notice", {"code": "test", "text": "what follows", "params": {}})
        return super().snapshot()


def test_no_snapshot_is_told_before_the_events_that_led_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    put = Subscription.put

    def noted(reader: Subscription, events: list[Event], state: EncodedSnapshot | None) -> None:
        known = max((event.number for event in events), default=told[-1][0] if told else 0)
        told.append((known, json.loads(state.body)["number"] if state else 0))
        put(reader, events, state)

    monkeypatch.setattr(Subscription, "put", noted)
    table = Ruling()
    broadcaster = Broadcaster(table, PageSettings(watch_seconds=0.05, heartbeat_seconds=0.1))
    try:
        news = broadcaster.follow(None)
        next(news)
        table.follows = 3
        table.push("notice", {"code": "test", "text": "the first", "params": {}})
        for _ in range(300):
            if told and told[-1][0] == 4:
                break
            next(news)
        assert told and told[-1][0] == 4
        assert all(shown <= known for known, shown in told), "a page would show what it has not heard of"
        news.close()
    finally:
        broadcaster.close()


def test_silence_is_filled_with_heartbeats(server: PageServer) -> None:
    with reading(server.address) as reader:
        beats = (frame for frame in reader.frames() if frame.get("event") == "beat")
        assert [json.loads(next(beats)["data"]) for _ in range(2)] == [{"every": 1.0}] * 2


@pytest.mark.parametrize("number", ["-1", "x", "1.5", "9" * 13, "²"])
def test_what_is_no_number_is_refused(client: Any, number: str) -> None:
    response = client.get("/api/events", query_string={"after": number})
    assert response.status_code == 400
    assert response.get_json()["error"]["code"] == "bad-number"


def test_many_readers_joining_while_events_pour_in_miss_nothing_and_get_nothing_twice(
    server: PageServer, table: FakeTable
) -> None:
    total, readers = 400, 8
    found: list[list[int]] = []
    errors: list[BaseException] = []

    def follow(delay: float) -> None:
        try:
            time.sleep(delay)
            with reading(server.address, "?after=0") as reader:
                found.append(reader.numbers(total))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=follow, args=(n * 0.02,)) for n in range(readers)]
    for thread in threads:
        thread.start()
    for _ in range(total // 10):
        fill(table, 10)
        time.sleep(0.005)
    for thread in threads:
        thread.join(20)
    assert not errors
    assert found == [list(range(1, total + 1))] * readers


def test_a_reader_that_comes_and_goes_gets_every_event_once(server: PageServer, table: FakeTable) -> None:
    got: list[int] = []
    for _ in range(6):
        fill(table, 3)
        with reading(server.address, "?after=0", last=str(got[-1]) if got else None) as reader:
            got += reader.numbers(2)
    with reading(server.address, last=str(got[-1])) as reader:
        got += reader.numbers(6)
    assert got == list(range(1, 19))


def test_a_reader_that_lags_behind_is_dropped_and_others_are_not() -> None:
    slow, quick = Subscription(limit=4), Subscription(limit=4)
    event = Event.following(None, "notice", {}, 0.0)
    for _ in range(5):
        slow.put([event], None)
        quick.put([event], None)
        quick.take(0)
    assert not slow.open
    assert quick.open


def test_of_snapshots_only_the_newest_waits() -> None:
    reader = Subscription(limit=4)
    for body in (b"1", b"2", b"3"):
        reader.put([], EncodedSnapshot(body))
    assert reader.take(0) == [EncodedSnapshot(b"3")]
    assert reader.take(0) == []


def test_no_more_streams_than_places_and_a_place_comes_free(table: FakeTable) -> None:
    broadcaster = Broadcaster(table, PageSettings(streams=2, watch_seconds=0.05))
    try:
        first, second = broadcaster.follow(None), broadcaster.follow(None)
        with pytest.raises(Problem, match="all 2 places"):
            broadcaster.follow(None)
        first.close()
        third = broadcaster.follow(None)
        assert isinstance(next(third), EncodedSnapshot)
        assert broadcaster.readers == 2
        second.close()
        third.close()
        assert broadcaster.readers == 0
    finally:
        broadcaster.close()


def test_a_stream_that_nobody_began_to_read_gives_its_place_back_when_closed(table: FakeTable) -> None:
    """Since Python 3.12 a generator that was closed before it began holds on to what it was given."""
    broadcaster = Broadcaster(table, PageSettings(streams=1, watch_seconds=0.05))
    try:
        for begin in (broadcaster.follow, broadcaster.batches):
            stream = begin(None)
            assert broadcaster.readers == 1
            stream.close()
            assert broadcaster.readers == 0  # though "stream" still refers to it
            assert list(stream) == []
    finally:
        broadcaster.close()


def test_nobody_takes_all_places_with_one_link(table: FakeTable) -> None:
    broadcaster = Broadcaster(table, PageSettings(streams=6, streams_each=2, watch_seconds=0.05))
    try:
        own = [broadcaster.batches(None, "one") for _ in range(2)]
        with pytest.raises(Problem, match="open on 2 pages"):
            broadcaster.batches(None, "one")
        others = [broadcaster.batches(None, owner) for owner in ("two", "", "", "")]
        own[0].close()
        own[0] = broadcaster.batches(None, "one")
        for news in (*own, *others):
            news.close()
        assert broadcaster.readers == 0
    finally:
        broadcaster.close()


def test_a_table_that_stumbles_does_not_silence_the_page(table: FakeTable, caplog: Any) -> None:
    broadcaster = Broadcaster(table, PageSettings(watch_seconds=0.05, heartbeat_seconds=0.2))
    try:
        news = broadcaster.follow(None)
        next(news)
        table.broken = True
        end = time.monotonic() + 30
        while "trying again" not in caplog.text:
            assert time.monotonic() < end
            time.sleep(0.01)
        table.broken = False
        table.push("notice", {"code": "test", "text": "back", "params": {}})
        # Beats come five a second while nothing does: so many are half a minute, for a machine that is held up.
        assert any(isinstance(item, Event) for item, _ in zip(news, range(150), strict=False))
        news.close()
    finally:
        broadcaster.close()


def test_a_table_that_makes_room_for_the_next_one_is_no_trouble(
    table: FakeTable, caplog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the next game was set up, every look left a traceback in the log."""
    broadcaster = Broadcaster(table, PageSettings(watch_seconds=0.01, heartbeat_seconds=0.2))
    asked = []

    def no_table(*_: Any) -> Any:
        asked.append(None)
        raise NoTableYet

    try:
        news = broadcaster.follow(None)
        next(news)
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(table, "wait_events", no_table)
            end = time.monotonic() + 30
            while len(asked) < 3:
                assert time.monotonic() < end
                time.sleep(0.01)
        table.push("notice", {"code": "test", "text": "the next game", "params": {}})
        assert any(isinstance(item, Event) for item, _ in zip(news, range(150), strict=False))
        assert not caplog.records
        news.close()
    finally:
        broadcaster.close()


def test_stopping_ends_every_stream_quickly(table: FakeTable) -> None:
    settings = PageSettings(streams=8, watch_seconds=0.1, heartbeat_seconds=30)
    server = PageServer(create_app(table, settings), settings=settings)
    server.start()
    ended = threading.Event()
    with reading(server.address) as reader:
        frames = reader.frames()
        next(frames)
        thread = threading.Thread(target=lambda: (list(frames), ended.set()))
        thread.start()
        began = time.monotonic()
        server.stop()
        thread.join(20)
    assert ended.is_set()
    assert time.monotonic() - began < 25, "nobody waits for the next beat, half a minute from now"


def test_the_next_evening_takes_the_same_port_at_once(app: Any, settings: PageSettings) -> None:
    first = PageServer(app, settings=settings)
    first.start()
    port = urlsplit(first.address).port or 0
    with reading(first.address) as reader:
        next(reader.frames())
        first.stop()
        second = PageServer(create_app(FakeTable(), settings), port=port, settings=settings)
        second.start()
        try:
            with reading(second.address) as again:
                assert next(again.frames()) == {"retry": "1000"}
        finally:
            second.stop()


def test_an_address_that_is_taken_is_said(server: PageServer, app: Any) -> None:
    port = urlsplit(server.address).port
    with pytest.raises(DeviceError, match=f"page: {LOOPBACK}:{port} cannot be opened"):
        PageServer(app, LOOPBACK, port or 0)


def test_quiet_is_a_value() -> None:
    assert Quiet() == Quiet()


def test_the_hub_is_found_by_its_app(app: Any) -> None:
    assert broadcaster_of(app).readers == 0


@pytest.mark.parametrize("query", ["", "?match=another", "?after=99&match=another"])
def test_after_a_new_game_an_old_number_begins_anew(server: PageServer, table: FakeTable, query: str) -> None:
    fill(table, 5)
    table.change(match="this one")
    last = "2" if query == "?match=another" else None if query else "57"
    with reading(server.address, query, last=last) as reader:
        assert reader.numbers(5) == [1, 2, 3, 4, 5]
        fill(table, 1)
        assert reader.numbers(1) == [6], "and nothing after it is held back"


def test_the_same_game_goes_on_where_it_was(server: PageServer, table: FakeTable) -> None:
    fill(table, 5)
    table.change(match="this-one")
    with reading(server.address, "?match=this-one", last="3") as reader:
        assert reader.numbers(2) == [4, 5]


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("text", ["{nobody} told us of {this}", "half {open", "{0}", "{this.real.nothing}", "{this:d}"])
def test_one_notice_with_an_unknown_placeholder_ends_no_stream(
    server: PageServer, table: FakeTable, text: str, language: str, caplog: pytest.LogCaptureFixture
) -> None:
    with reading(server.address, f"?after=0&language={language}") as reader:
        table.push("notice", {"code": "odd", "text": text, "params": {"this": "that"}})
        fill(table, 1)
        assert reader.numbers(2) == [1, 2]
    assert "cannot be filled" in caplog.text
    with reading(server.address, f"?after=0&language={language}") as reader:
        told = next(json.loads(frame["data"]) for frame in reader.frames() if "id" in frame)
    if text.startswith("{nobody}"):
        assert told["text"] == told["data"]["message"] == "… told us of that"

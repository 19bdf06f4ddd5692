"""Streams and slow visitors need no thread each, and whoever leaves leaves nothing behind."""

import gc
import socket
import threading
import time
import weakref
from collections.abc import Callable, Collection
from typing import Any
from urllib.parse import urlsplit

import pytest
from fake_table import FakeTable, play_data

from companion.web.app import broadcaster_of, create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

SETTINGS = PageSettings(streams=110, heartbeat_seconds=0.4, watch_seconds=0.1, idle_seconds=0.4, send_seconds=5)


WALK = {**play_data("holmes", ["g5", "g6"], "{who} walks."), "params": {"who": "Holmes"}}


@pytest.fixture
def settings() -> PageSettings:
    return SETTINGS


def wait(until: Callable[[], Any], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def page_threads(before: Collection[threading.Thread] = ()) -> int:
    """Threads of servers in this process that were not there before."""
    names = [thread.name for thread in threading.enumerate() if thread not in before]
    return sum(name.startswith(("page-", "players-", "visitors-")) for name in names)


def knock(server: PageServer, sent: bytes) -> socket.socket:
    url = urlsplit(server.address)
    visitor = socket.create_connection((url.hostname or "", url.port or 0), 10)
    visitor.sendall(sent)
    return visitor


def stream(server: PageServer) -> socket.socket:
    return knock(server, b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")


def heard(visitor: socket.socket, word: bytes) -> bytes:
    data = b""
    while word not in data:
        data += (part := visitor.recv(1 << 16))
        assert part, "the stream ended"
    return data


def test_a_hundred_streams_are_written_by_one_thread(server: PageServer, app: Any, table: FakeTable) -> None:
    before = threading.enumerate()
    visitors = [stream(server) for _ in range(100)]
    for visitor in visitors:
        heard(visitor, b"event: snapshot")
    wait(lambda: page_threads(before) <= 4)
    assert broadcaster_of(app).readers == 100
    table.push("play", WALK)
    for visitor in visitors:
        heard(visitor, b"id: 1\n")
    for visitor in visitors:
        visitor.close()
    wait(lambda: broadcaster_of(app).readers == 0)


def test_whoever_leaves_gives_the_place_back_before_the_next_heartbeat(table: FakeTable) -> None:
    settings = PageSettings(streams=1, heartbeat_seconds=30.0)
    with PageServer(app := create_app(table, settings), settings=settings) as server:
        for _ in range(3):
            visitor = stream(server)
            heard(visitor, b"event: snapshot")
            visitor.close()
            wait(lambda: broadcaster_of(app).readers == 0)  # a good deal sooner than the heartbeat's half minute


def test_a_silent_stream_beats_and_what_comes_is_framed_whole(server: PageServer, table: FakeTable) -> None:
    visitor = stream(server)
    said = heard(visitor, b"event: beat")
    assert b"Transfer-Encoding: chunked" in said
    head, _, body = said.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200")
    text = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        text, body = text + body[: int(size, 16)], body[int(size, 16) + 2 :]
    assert text.startswith(b"retry: 1000\n\nevent: snapshot\ndata: {")
    assert text.endswith(b"\n\n")
    visitor.close()


def test_a_fault_in_one_stream_ends_that_one_alone(
    server: PageServer, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.web import stream as streams  # noqa: PLC0415

    first, tell = stream(server), streams._event_frame
    heard(first, b"event: snapshot")
    spanish = knock(server, b"GET /api/events?lang=es HTTP/1.1\r\nHost: localhost\r\n\r\n")
    heard(spanish, b"event: snapshot")

    def stumbling(event: Any, language: str, sentences: Any) -> bytes:
        if language == "es":
            raise KeyError("placeholder")
        return tell(event, language, sentences)

    monkeypatch.setattr(streams, "_event_frame", stumbling)
    table.push("play", WALK)
    heard(first, b"Holmes walks.")
    while spanish.recv(1 << 16):
        pass
    for visitor in (first, spanish):
        visitor.close()


def test_requests_that_come_drop_by_drop_hold_no_thread(server: PageServer) -> None:
    before = page_threads()
    drips = [knock(server, b"GET /api/snapshot HTTP/1.1\r\nHost: loc") for _ in range(30)]
    time.sleep(0.5)
    assert page_threads() <= before + 1
    quick = knock(server, b"GET /api/snapshot HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert heard(quick, b"\r\n\r\n").startswith(b"HTTP/1.1 200"), "the others wait for nobody"
    for drip in drips:
        drip.sendall(b"alhost\r\nConnection: close\r\n\r\n")
        assert heard(drip, b"\r\n\r\n").startswith(b"HTTP/1.1 200")
    wait(lambda: page_threads() <= before + 1)
    for visitor in (quick, *drips):
        visitor.close()


def test_visitors_that_come_and_go_leave_nothing_behind(server: PageServer, app: Any, table: FakeTable) -> None:
    def visit(count: int) -> None:
        for number in range(count):
            visitor = stream(server)
            heard(visitor, b"event: snapshot")
            table.push("notice", {"code": "x", "text": f"notice {number}", "params": {}})
            heard(visitor, b"id: ")
            visitor.close()
        wait(lambda: broadcaster_of(app).readers == 0)

    def objects() -> int:
        gc.collect()
        return len(gc.get_objects()) - len(table.log)

    visit(8)
    before, threads = objects(), page_threads()
    visit(30)
    assert objects() - before < 150, "fewer than five objects a visitor"
    assert page_threads() <= threads + 1


def test_the_server_ends_soon_with_streams_open(table: FakeTable) -> None:
    with PageServer(app := create_app(table, SETTINGS), settings=SETTINGS) as server:
        visitors = [stream(server) for _ in range(5)]
        for visitor in visitors:
            heard(visitor, b"event: snapshot")
        assert broadcaster_of(app).readers == 5
        begun = time.monotonic()
    assert time.monotonic() - begun < 5
    for visitor in visitors:
        rest = b""
        while part := visitor.recv(1 << 16):
            rest += part
        assert rest.endswith(b"0\r\n\r\n"), "told that this is the end"
        visitor.close()


def test_a_page_that_was_closed_is_let_go_of_with_the_evening_behind_it() -> None:
    before = threading.enumerate()
    app = create_app(FakeTable(), SETTINGS)
    with PageServer(app, settings=SETTINGS) as server:
        assert server.address
    gone = weakref.ref(app)
    del app, server
    wait(lambda: not page_threads(before))

    def let_go() -> bool:
        gc.collect()  # a thread that is no longer listed may still be on its way out
        return gone() is None

    wait(let_go)

"""Visitors who send slowly, say nothing, read nothing or come in crowds hold no player up, over HTTP and HTTPS."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from fake_table import FakeTable
from slow_visitors import BODY, HEAD, SlowVisitors, asked, besieged

from companion import games
from companion.host.authority import Authority
from companion.host.certificates import ServerCertificates
from companion.host.passes import Passes
from companion.web.access import AccessControl
from companion.web.app import create_app
from companion.web.connection import PacedWriter
from companion.web.guard import HEADER
from companion.web.roles import SPECTATOR, TABLE, rights_of
from companion.web.server import PageServer
from companion.web.settings import PageSettings

ROLES = rights_of(games.load()).roles
SETTINGS = PageSettings(streams=10, watch_seconds=0.1, heartbeat_seconds=1.0, send_seconds=2, request_seconds=1.5)


@pytest.fixture
def passes() -> Passes:
    return Passes.open(None)


@pytest.fixture
def app(table: FakeTable, passes: Passes) -> Any:
    return create_app(table, SETTINGS, access_control=AccessControl(passes, closed=True))


@pytest.fixture
def server(app: Any) -> Iterator[PageServer]:
    with PageServer(app, settings=SETTINGS) as running:
        yield running


def connected(server: PageServer) -> socket.socket:
    url = urlsplit(server.address)
    one = socket.create_connection((url.hostname, url.port), 5)
    one.settimeout(8)
    return one


def answer_of(one: socket.socket) -> bytes:
    """Everything that comes until the other end has had enough."""
    found = b""
    while data := one.recv(65536):
        found += data
    return found


def request(path: str, token: str = "", more: str = "") -> bytes:
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{bearer}{more}\r\n".encode()


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_player_is_served_while_140_drip_and_more_are_silent(scheme: str, table: FakeTable, passes: Passes) -> None:
    settings = PageSettings(watch_seconds=0.1)
    app = create_app(table, settings, access_control=AccessControl(passes, closed=True))
    token = passes.issue(TABLE)[1]
    tls = ServerCertificates(Authority.open(None)).context if scheme == "https" else None
    with PageServer(app, settings=settings, tls=tls) as server, besieged(server.address, 140, 100):
        for path, body in (("/", None), ("/api/answers", {"kind": "call", "seen": True}), ("/api/snapshot", None)):
            status, seconds = asked(server.address, token, path, body)
            assert status == 200
            assert seconds < 3


@pytest.mark.parametrize("beginning", [HEAD, BODY])
def test_a_request_that_drips_ends_at_its_deadline_however_steadily_it_drips(server: PageServer, beginning: bytes) -> None:
    began = time.monotonic()
    with connected(server) as one:
        one.sendall(beginning)
        one.settimeout(0.1)
        found = b""
        while not found and time.monotonic() - began < 60:  # only how long a broken test takes to fail
            try:
                one.sendall(b" ")
                found = one.recv(4096)
            except TimeoutError:
                continue
    assert found.startswith(b"HTTP/1.1 408")
    assert json.loads(found.partition(b"\r\n\r\n")[2])["error"]["code"] == "unreadable"
    assert time.monotonic() - began > 1


def test_who_drips_holds_no_thread(server: PageServer) -> None:
    before = threading.active_count()
    with SlowVisitors(server.address, 40, HEAD, b"x", every=0.2):
        time.sleep(0.5)
        assert threading.active_count() <= before + 2  # the test's own among them


def test_one_address_has_a_bound_and_everybody_together_too(table: FakeTable, passes: Passes) -> None:
    settings = PageSettings(streams=4, connections=60, connections_each=20, request_seconds=10)
    app = create_app(table, settings, access_control=AccessControl(passes, closed=True))
    with PageServer(app, settings=settings) as server:
        for bound, source in ((20, "127.0.0.1"), (40, "127.0.0.2"), (60, "127.0.0.3"), (60, "127.0.0.4")):
            with SlowVisitors(server.address, 25, source=source), SlowVisitors(server.address, 25, source=source):
                time.sleep(0.7)  # beyond the grace
                with SlowVisitors(server.address, 30, source=source):
                    time.sleep(0.3)
                    assert server.connections <= max(bound, 60)
            assert asked(server.address, passes.issue(TABLE)[1], "/")[0] == 200


def test_a_player_who_is_silent_between_two_requests_is_kept_when_strangers_fill_the_page(
    table: FakeTable, passes: Passes
) -> None:
    settings = PageSettings(streams=4, connections=30, connections_each=30)
    app = create_app(table, settings, access_control=AccessControl(passes, closed=True))
    with PageServer(app, settings=settings) as server:
        url = urlsplit(server.address)
        kept = {role: http.client.HTTPConnection(url.hostname or "", url.port, timeout=5) for role in (TABLE, SPECTATOR)}
        sockets = {}
        for role, connection in kept.items():
            connection.request("GET", "/api/snapshot", headers={"Authorization": f"Bearer {passes.issue(role)[1]}"})
            assert connection.getresponse().read()
            sockets[role] = connection.sock
        with SlowVisitors(server.address, 60):
            time.sleep(0.3)
            kept[TABLE].request("GET", "/join")
            assert kept[TABLE].getresponse().status == 200
            assert kept[TABLE].sock is sockets[TABLE], "the same connection, not another"
        for connection in kept.values():
            connection.close()


def test_spectators_links_do_not_take_every_stream(app: Any, passes: Passes) -> None:
    opened = []
    for _ in range(3):
        token = passes.issue(SPECTATOR)[1]
        opened += [
            app.test_client().get("/api/events", headers={"Authorization": f"Bearer {token}"}, buffered=False) for _ in range(8)
        ]
    assert sum(one.status_code == 200 for one in opened) == SETTINGS.streams - 1
    table = app.test_client().get("/api/events", headers={"Authorization": f"Bearer {passes.issue(TABLE)[1]}"}, buffered=False)
    assert table.status_code == 200
    for one in (*opened, table):
        one.close()


def test_players_do_not_wait_for_threads_that_spectators_have(table: FakeTable, passes: Passes) -> None:
    """Spectators who take all their threads with pages they read slowly."""
    settings = PageSettings(streams=2, answering_threads=4, send_seconds=5)
    slow, held = threading.Event(), threading.Semaphore(0)
    app = create_app(table, settings, access_control=AccessControl(passes, closed=True))

    @app.before_request
    def _hold() -> None:
        from flask import request as asked_for  # noqa: PLC0415

        if asked_for.path == "/overlay":
            held.release()
            slow.wait(60)  # as long as the players are asked: whoever waited for one of these threads would wait in vain

    with PageServer(app, settings=settings) as server:
        visitors = []
        for _ in range(8):
            one = connected(server)
            one.sendall(request("/overlay", passes.issue(SPECTATOR)[1]))
            visitors.append(one)
        assert all(held.acquire(timeout=30) for _ in range(settings.answering_threads))
        try:
            for role in ROLES:
                if role != SPECTATOR:
                    assert asked(server.address, passes.issue(role)[1], "/join", wait=30)[0] == 200, role
        finally:
            slow.set()
        for one in visitors:
            one.close()


class Nibbling:
    """A socket whose other end takes a byte a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def settimeout(self, seconds: float) -> None:
        pass

    def send(self, data: bytes) -> int:
        self.now += 1
        return 1


def test_an_answer_that_is_nibbled_away_is_given_up() -> None:
    """Each bite came in time, so a time-out of each alone never ended it."""
    reader: Any = Nibbling()
    writer = PacedWriter(reader, 10, clock=lambda: reader.now)
    with pytest.raises(ConnectionAbortedError):
        writer.write(bytes(1000))
    assert 9 <= reader.now <= 12


def test_a_stream_that_is_taken_at_once_never_grows_impatient() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        writer = PacedWriter(ours, 1)
        for _ in range(200):
            writer.write(b"x" * 100)
            theirs.recv(4096)
    assert writer.bytes_written == 20_000


def test_a_picture_that_is_too_large_is_refused_by_its_head_and_in_the_readers_language(
    server: PageServer, passes: Passes
) -> None:
    head = (
        f"POST /api/camera/picture HTTP/1.1\r\nHost: localhost\r\n{HEADER}: 1\r\nContent-Type: image/jpeg\r\n"
        f"Authorization: Bearer {passes.issue('camera')[1]}\r\nAccept-Language: es\r\nContent-Length: 900000000\r\n\r\n"
    )
    with connected(server) as one:
        one.sendall(head.encode() + bytes(3000))
        found = answer_of(one)
    assert found.startswith(b"HTTP/1.1 413")
    assert b"Content-Language: es" in found


def test_a_stranger_cannot_make_the_page_receive_a_picture(server: PageServer) -> None:
    with connected(server) as one:
        one.sendall(
            f"POST /api/camera/picture HTTP/1.1\r\nHost: localhost\r\n{HEADER}: 1\r\nContent-Type: image/jpeg\r\n"
            "Content-Length: 4000000\r\n\r\n".encode()
        )
        assert answer_of(one).startswith(b"HTTP/1.1 401")

"""Whoever leaves a stream, in whatever way, leaves no traceback behind: neither over HTTP nor over HTTPS, on any Python.

The server of earlier releases closed a connection's file twice, which Python 3.13 tells ("Bad file descriptor"), and told of
every stream over HTTPS whose reader had gone.
"""

import contextlib
import gc
import socket
import ssl
import struct
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from fake_table import FakeTable

from companion.host.authority import Authority
from companion.host.certificates import ServerCertificates
from companion.host.passes import Passes
from companion.web.access import AccessControl
from companion.web.app import broadcaster_of, create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

SETTINGS = PageSettings(streams=12, watch_seconds=0.05, heartbeat_seconds=0.2, send_seconds=2)


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority.open(None)


@pytest.fixture(params=["http", "https"])
def served(request: pytest.FixtureRequest, authority: Authority) -> Iterator[tuple[PageServer, FakeTable, Any]]:
    """A page for this machine, over HTTP or HTTPS, and the application it serves."""
    table = FakeTable()
    app = create_app(table, SETTINGS, access_control=AccessControl(Passes.open(None)), authority=authority)
    tls = ServerCertificates(authority).context if request.param == "https" else None
    with PageServer(app, settings=SETTINGS, tls=tls) as server:
        yield server, table, app


def follow(server: PageServer, authority: Authority) -> socket.socket:
    """A connection on which the stream has begun."""
    url = urlsplit(server.address)
    plain = socket.create_connection((url.hostname, url.port), timeout=8)
    if url.scheme == "https":
        context = ssl.create_default_context(cadata=authority.certificate)
        plain = context.wrap_socket(plain, server_hostname=url.hostname)
    plain.sendall(f"GET /api/events HTTP/1.1\r\nHost: {url.netloc}\r\n\r\n".encode())
    got = b""
    while b"event: snapshot" not in got:
        data = plain.recv(4096)
        assert data, got
        got += data
    return plain


def reset(connection: socket.socket) -> None:
    """As a browser that is killed, or a phone that leaves the network."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def said_farewell(connection: socket.socket) -> None:
    """As a browser whose page is closed: over HTTPS it says so first."""
    if isinstance(connection, ssl.SSLSocket):
        connection.setblocking(False)
        with contextlib.suppress(OSError):
            connection.unwrap()
    connection.close()


@pytest.mark.filterwarnings(
    "error::pytest.PytestUnraisableExceptionWarning", "error::pytest.PytestUnhandledThreadExceptionWarning"
)
def test_nothing_is_printed_when_a_stream_is_left(
    served: tuple[PageServer, FakeTable, Any],
    authority: Authority,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    server, table, app = served
    leaving = [said_farewell, reset, socket.socket.close]
    streams = [follow(server, authority) for _ in range(6)]
    for number, stream in enumerate(streams):
        table.push("notice", {"code": "test", "text": f"notice {number}", "params": {}})
        leaving[number % len(leaving)](stream)
    end = time.monotonic() + 20
    while broadcaster_of(app).readers:
        assert time.monotonic() < end, "a place was not given back"
        table.push("notice", {"code": "test", "text": "go on", "params": {}})
        time.sleep(0.05)
    kept = follow(server, authority)  # and one that the end of the server finds open
    server.stop()
    kept.close()
    gc.collect()
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")
    assert not [record.getMessage() for record in caplog.records if record.levelname in ("ERROR", "CRITICAL", "WARNING")]

"""Where a request ends is decided once: nothing behind it runs as another, and what could be read two ways is refused."""

import itertools
import json
import re
import socket
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.web.framing import HEAD_BYTES, Framing, MalformedRequest
from companion.web.guard import HEADER
from companion.web.server import PageServer

GET = b"GET /join HTTP/1.1\r\nHost: localhost\r\n\r\n"


def sent(server: PageServer, data: bytes) -> bytes:
    """What comes back for these bytes, until the other end is silent."""
    url = urlsplit(server.address)
    with socket.create_connection((url.hostname, url.port), 5) as one:
        one.sendall(data)
        one.settimeout(1.0)
        found = b""
        try:
            while more := one.recv(65536):
                found += more
        except (TimeoutError, ConnectionResetError):
            pass
    return found


def test_a_chunked_body_that_nobody_reads_does_not_run_as_the_next_request(server: PageServer, table: Any) -> None:
    hidden = b"POST /api/answers HTTP/1.1\r\nHost: localhost\r\nX-Table-Witness: 1\r\nContent-Type: application/json\r\n"
    hidden += b'Content-Length: 26\r\n\r\n{"kind":"call","seen":true}'[:60]
    body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(hidden), hidden)
    head = b"POST /nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n" + HEADER.encode() + b": 1\r\n\r\n"
    found = sent(server, head + body + GET)
    assert found.count(b"HTTP/1.1 ") == 2, "the request, and the honest one behind it"
    assert found.startswith(b"HTTP/1.1 404")
    assert b"HTTP/1.1 200" in found
    assert table.taken == []


def test_a_chunked_answer_is_taken_like_any_other(server: PageServer, table: Any) -> None:
    head = b"POST /api/answers HTTP/1.1\r\nHost: localhost\r\nX-Table-Witness: 1\r\nContent-Type: application/json\r\n"
    found = sent(server, head + b'Transfer-Encoding: chunked\r\n\r\n8\r\n{"kind":\r\n14\r\n"call", "seen":true}\r\n0\r\n\r\n')
    assert found.startswith(b"HTTP/1.1 200"), found
    assert table.taken == [{"kind": "call", "seen": True}]


@pytest.mark.parametrize(
    "lines",
    [
        "Host: localhost\r\nContent-Length: +5",
        "Host: localhost\r\nContent-Length: -5",
        "Host: localhost\r\nContent-Length: 0x5",
        "Host: localhost\r\nContent-Length: 1_0",
        "Host: localhost\r\nContent-Length: 5 5",
        "Host: localhost\r\nContent-Length: \xb2",
        "Host: localhost\r\nContent-Length: 5\r\nContent-Length: 6",
        "Host: localhost\r\nContent-Length: 5, 6",
        "Host: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked",
        "Host: localhost\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Host: localhost\r\nTransfer-Encoding: gzip, chunked",
        "Host: localhost\r\nTransfer-Encoding: xchunked",
        "Host: localhost\r\nHost: other",
        "Host: localhost\r\nhost: localhost",
        "X: y",
        "Host : localhost",
        "Host: local\x00host",
    ],
)
def test_what_could_be_read_two_ways_is_refused_and_nothing_behind_it_runs(server: PageServer, lines: str) -> None:
    found = sent(server, b"POST /api/answers HTTP/1.1\r\n" + lines.encode("latin-1") + b"\r\n\r\nhello" + GET)
    assert found[9:12] in (b"400", b"501"), found
    assert len(re.findall(rb"HTTP/1\.1 \d{3}", found)) == 1
    assert json.loads(found.partition(b"\r\n\r\n")[2])["error"]["code"] == "unreadable"


def test_a_head_without_end_is_refused(server: PageServer) -> None:
    assert sent(server, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * (HEAD_BYTES + 1)).startswith(b"HTTP/1.1 431")


def test_requests_that_come_together_are_answered_in_order(server: PageServer) -> None:
    found = sent(server, GET + b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n" + GET)
    assert [part[:3] for part in found.split(b"HTTP/1.1 ")[1:]] == [b"200", b"404", b"200"]


def test_a_header_with_an_underscore_is_not_taken_for_another() -> None:
    framing = Framing()
    framing.receive(b"POST / HTTP/1.1\r\nHost: a\r\nContent_Length: 900\r\nX_Table_Witness: 1\r\nContent-Length: 2\r\n\r\nhi")
    assert framing.message() == b"POST / HTTP/1.1\r\nhost: a\r\nContent-Length: 2\r\n\r\nhi"


def test_a_large_body_is_asked_for_before_it_is_sent(server: PageServer) -> None:
    head = b"POST /api/answers HTTP/1.1\r\nHost: localhost\r\nX-Table-Witness: 1\r\nContent-Length: 9\r\n"
    assert sent(server, head + b"Expect: 100-continue\r\n\r\n").startswith(b"HTTP/1.1 100 ")


@given(cuts=st.lists(st.integers(0, 400), max_size=12), chunks=st.lists(st.binary(min_size=1, max_size=40), max_size=6))
def test_however_the_network_cuts_a_request_it_is_the_same(cuts: list[int], chunks: list[bytes]) -> None:
    body = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"
    raw = b"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body + GET
    framing = Framing()
    edges = sorted({0, *(cut for cut in cuts if cut < len(raw)), len(raw)})
    for start, end in itertools.pairwise(edges):
        framing.receive(raw[start:end])
    assert framing.complete
    assert framing.message().partition(b"\r\n\r\n")[2] == b"".join(chunks)
    assert framing.rest == GET


@given(st.binary(max_size=300))
def test_whatever_arrives_is_a_request_or_is_refused(data: bytes) -> None:
    framing = Framing()
    try:
        framing.receive(data)
    except MalformedRequest as error:
        assert 400 <= error.status < 600

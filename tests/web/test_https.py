"""The page over HTTPS, as a client sees it that verifies everything; and servers that no visitor can hold up."""

import http.client
import json
import socket
import ssl
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from fake_table import FakeTable

from companion.host.authority import Authority
from companion.host.certificates import ServerCertificates
from companion.host.passes import Passes
from companion.web.access import AccessControl
from companion.web.app import create_app
from companion.web.guard import HEADER
from companion.web.roles import CAMERA, SPECTATOR, TABLE
from companion.web.server import PageServer
from companion.web.settings import PageSettings

SETTINGS = PageSettings(streams=6, watch_seconds=0.1, heartbeat_seconds=0.5, send_seconds=2)


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority.open(None)


@pytest.fixture
def passes() -> Passes:
    return Passes.open(None)


@pytest.fixture
def doors(authority: Authority, passes: Passes) -> Iterator[tuple[PageServer, PageServer, FakeTable]]:
    """The same page twice: over plain HTTP and over HTTPS."""
    table = FakeTable()
    app = create_app(table, SETTINGS, access_control=AccessControl(passes, closed=True), authority=authority)
    contexts = ServerCertificates(authority).context
    with PageServer(app, settings=SETTINGS) as plain, PageServer(app, settings=SETTINGS, tls=contexts) as secure:
        yield plain, secure, table


def connect(secure: PageServer, authority: Authority) -> http.client.HTTPSConnection:
    url = urlsplit(secure.address)
    return http.client.HTTPSConnection(
        url.hostname or "", url.port, timeout=8, context=ssl.create_default_context(cadata=authority.certificate)
    )


def ask(connection: http.client.HTTPConnection, path: str, body: Any = None, **headers: str) -> tuple[int, Any, bytes]:
    method = "GET" if body is None else "POST"
    more = {} if body is None else {"Content-Type": "application/json", HEADER: "1"}
    connection.request(method, path, None if body is None else json.dumps(body), {**more, **headers})
    response = connection.getresponse()
    return response.status, response.headers, response.read()


def test_a_verifying_client_gets_the_page_and_a_secure_cookie(doors: Any, authority: Authority, passes: Passes) -> None:
    _, secure, _ = doors
    assert secure.address.startswith("https://127.0.0.1:")
    connection = connect(secure, authority)
    status, headers, _ = ask(connection, "/api/session", {"token": passes.issue(TABLE)[1]})
    cookie = headers["Set-Cookie"]
    assert status == 200
    assert "Secure" in cookie and "HttpOnly" in cookie and "SameSite=Strict" in cookie
    status, headers, body = ask(connection, "/api/snapshot", Cookie=cookie.partition(";")[0])
    assert status == 200
    assert json.loads(body)["number"] == 0
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert connection.sock.version() in ("TLSv1.2", "TLSv1.3")
    connection.close()


def test_events_stream_over_https(doors: Any, authority: Authority, passes: Passes) -> None:
    _, secure, table = doors
    connection = connect(secure, authority)
    connection.request("GET", "/api/events?after=0", headers={"Authorization": f"Bearer {passes.issue(SPECTATOR)[1]}"})
    stream = connection.getresponse()
    table.push("notice", {"code": "test", "text": "here", "params": {}})
    found = b""
    while b"id: 1" not in found:
        line = stream.readline()
        assert line
        found += line
    stream.close()
    connection.close()


def test_whoever_does_not_trust_us_is_lost_and_nobody_else(doors: Any, authority: Authority, capfd: Any) -> None:
    _, secure, _ = doors
    url = urlsplit(secure.address)
    stranger = http.client.HTTPSConnection(url.hostname or "", url.port, timeout=8, context=ssl.create_default_context())
    with pytest.raises(ssl.SSLCertVerificationError):
        stranger.request("GET", "/")
    stranger.close()
    plain = http.client.HTTPConnection(url.hostname or "", url.port or 0, timeout=8)
    with pytest.raises((http.client.HTTPException, OSError)):
        ask(plain, "/")
    plain.close()
    connection = connect(secure, authority)
    assert ask(connection, "/join")[0] == 200
    connection.close()
    assert "Traceback" not in capfd.readouterr().err


def test_old_protocols_are_refused(doors: Any, authority: Authority) -> None:
    url = urlsplit(doors[1].address)
    context = ssl.create_default_context(cadata=authority.certificate)
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning):
        context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    with socket.create_connection((url.hostname, url.port), 5) as plain, pytest.raises((ssl.SSLError, ConnectionError)):
        context.wrap_socket(plain, server_hostname=url.hostname).close()


def test_silent_visitors_hold_nobody_up(doors: Any, authority: Authority) -> None:
    _, secure, _ = doors
    url = urlsplit(secure.address)
    silent = [socket.create_connection((url.hostname, url.port), 5) for _ in range(4)]
    try:
        time.sleep(0.2)
        began = time.monotonic()
        connection = connect(secure, authority)
        assert ask(connection, "/join")[0] == 200
        assert time.monotonic() - began < 5, "one after the other they would have held the server for eight seconds"
        connection.close()
        silent[0].settimeout(6)
        assert silent[0].recv(1) == b"", "whoever says nothing is dropped"
    finally:
        for one in silent:
            one.close()


def test_the_certificate_is_had_over_plain_http_and_is_what_is_compared(doors: Any, authority: Authority) -> None:
    plain, secure, _ = doors
    url = urlsplit(plain.address)
    connection = http.client.HTTPConnection(url.hostname or "", url.port or 0, timeout=8)
    status, headers, body = ask(connection, "/trust/table-witness.crt")
    assert (status, body) == (200, authority.certificate)
    assert headers["Content-Type"] == "application/x-x509-ca-cert"
    assert x509.load_der_x509_certificate(body).extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    status, _, page = ask(connection, "/trust")
    assert status == 200
    for told in (authority.words, authority.fingerprint, f"{secure.address}camera", f"{plain.address}trust", authority.name):
        assert told in page.decode()
    connection.close()


def test_a_cameras_link_leads_over_https_and_the_others_as_they_were_asked_for(doors: Any, passes: Passes) -> None:
    plain, secure, _ = doors
    url = urlsplit(plain.address)
    connection = http.client.HTTPConnection(url.hostname or "", url.port or 0, timeout=8)
    table = {"Authorization": f"Bearer {passes.issue(TABLE)[1]}"}
    camera = json.loads(ask(connection, "/api/passes", {"role": CAMERA}, **table)[2])
    assert camera["link"].startswith(f"{secure.address}join#")
    assert camera["trust"]["link"] == f"{plain.address}trust"
    other = json.loads(ask(connection, "/api/passes", {"role": SPECTATOR}, **table)[2])
    assert other["link"].startswith(f"{plain.address}join#")
    assert other["trust"] is None
    connection.close()


def test_without_https_that_is_said(client: Any) -> None:
    assert "--https" in client.get("/trust").text
    assert client.get("/trust/table-witness.crt").get_json()["error"]["code"] == "no-https"
    assert client.post("/api/passes", json={"role": CAMERA}, headers={HEADER: "1"}).get_json()["trust"] is None

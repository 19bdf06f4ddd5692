"""Every address there is, found in the application itself, against what a stranger on a club's Wi-Fi may try.

Who may see what is in ``test_roles.py``; here is what holds whoever asks. A new address is walked without being named.
"""

import itertools
import re
import struct
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fake_boxes import FakeBoxes
from fake_table import FakeTable

from companion import games
from companion.cli import run
from companion.cli.session import output
from companion.devices.cameras import push as camera_push
from companion.devices.cameras.push import PushCamera
from companion.errors import BadInput
from companion.host.authority import Authority
from companion.host.notes import Notes
from companion.host.passes import Passes
from companion.host.profile_store import ProfileStore
from companion.host.secrets import Secrets
from companion.web.access import AccessControl
from companion.web.app import create_app
from companion.web.guard import HEADER
from companion.web.roles import ARBITER, CAMERA, PUBLIC, TABLE, rights_of
from companion.web.server import PageServer
from companion.web.settings import PageSettings

ROLES = rights_of(games.load()).roles
AUTHORITY = Authority.open(None)
ENDLESS = {"/api/events"}
"""Streams: their answer is read as far as the headers."""
UPLOADS = {"/api/camera/picture": "image/jpeg"}
LARGER = {**UPLOADS, "/api/hearing": "application/octet-stream"}
"""What takes more than a few words, and its type."""
OWN = {HEADER: "1", "Origin": "http://localhost"}
WAYS_OUT = (
    "../app.py", "..%2fapp.py", "%2e%2e/app.py", "..\\app.py", "....//app.py", "/etc/passwd", "//etc/passwd", "%2fetc%2fpasswd",
    "script/../../app.py", "script/%2e%2e/%2e%2e/app.py", "..%252fapp.py", "..%00/app.py", "../../pyproject.toml",
)  # fmt: skip


class Place:
    """A closed table with everything there is at it."""

    def __init__(self, settings: PageSettings | None = None) -> None:
        self.table = FakeTable()
        self.passes = Passes.open(None)
        self.camera = PushCamera()
        notes = Notes(Secrets.open(None), games.load(), lambda: "match-1")
        self.app = create_app(
            self.table,
            settings or PageSettings(watch_seconds=0.1, heartbeat_seconds=0.2, answers_burst=200, answers_per_second=50),
            access_control=AccessControl(self.passes, closed=True, notes=notes),
            button_boxes=FakeBoxes(),
            camera=self.camera,
            authority=AUTHORITY,
        )
        self.tokens = {role: self.passes.issue(role)[1] for role in ROLES}

    def addresses(self, method: str) -> list[str]:
        """Every address that takes a method, with something harmless where its path has a gap."""
        return [
            re.sub(r"<[^>]+>", "none", rule.rule) for rule in self.app.url_map.iter_rules() if method in (rule.methods or ())
        ]

    def gaps(self) -> list[str]:
        """Addresses whose path has a gap, up to the gap."""
        return [rule.rule.partition("<")[0] for rule in self.app.url_map.iter_rules() if rule.arguments]

    def ask(self, role: str, method: str, address: str, **more: Any) -> Any:
        """A request with a role's token, its answer read (of a stream, the beginning)."""
        headers = {"Authorization": f"Bearer {self.tokens[role]}"} if role != PUBLIC else {}
        headers |= more.pop("headers", {})
        response = self.app.test_client().open(address, method=method, headers=headers, buffered=address not in ENDLESS, **more)
        response.body = b"" if address in ENDLESS and response.status_code == 200 else response.data
        response.close()
        return response


@pytest.fixture
def place() -> Any:
    place = Place()
    yield place
    place.camera.close()


def code(response: Any) -> str:
    return str((response.get_json(silent=True) or {}).get("error", {}).get("code", ""))


def test_there_is_something_to_walk(place: Place) -> None:
    assert len(place.addresses("GET")) > 15
    assert len(place.addresses("POST")) > 10
    assert {"/static/"} <= set(place.gaps())


@pytest.mark.parametrize(
    ("headers", "status", "why"),
    [
        ({"Origin": "http://localhost"}, 403, "no-header"),
        ({HEADER: "1", "Origin": "http://evil.example"}, 403, "foreign-origin"),
        ({HEADER: "1", "Origin": "null"}, 403, "foreign-origin"),
        ({HEADER: "1", "Origin": "https://localhost:8443"}, 403, "foreign-origin"),
        ({HEADER: "1", "Sec-Fetch-Site": "cross-site"}, 403, "foreign-origin"),
        ({HEADER: "1", "Sec-Fetch-Site": "same-site"}, 403, "foreign-origin"),
        ({HEADER: "1", "Host": "evil.example"}, 421, "unknown-host"),
    ],
)
def test_no_change_is_taken_from_another_page(place: Place, headers: dict[str, str], status: int, why: str) -> None:
    for address in place.addresses("POST"):
        response = place.ask(ARBITER, "POST", address, json={}, headers=headers)
        assert (response.status_code, code(response)) == (status, why), address
    assert place.table.taken == []


def test_a_name_that_is_not_ours_sees_nothing(place: Place) -> None:
    for method, address in [("GET", one) for one in place.addresses("GET")] + [("OPTIONS", "/"), ("HEAD", "/")]:
        response = place.ask(TABLE, method, address, headers={"Host": "rebound.example"})
        assert response.status_code == 421, address


def test_every_body_has_a_limit(place: Place) -> None:
    for address in place.addresses("POST"):
        size, kind = (9 * 1024 * 1024, LARGER[address]) if address in LARGER else (20_000, "application/json")
        for role in (ARBITER, "detective"):
            response = place.ask(role, "POST", address, data=b'{"' + b"x" * size, headers={**OWN, "Content-Type": kind})
            assert (response.status_code, code(response)) in ((413, "too-large"), (403, "not-yours")), (role, address)
    assert place.table.taken == []


def test_every_change_has_a_pace() -> None:
    for address in Place().addresses("POST"):
        place = Place(PageSettings(answers_burst=5, answers_per_second=0.5, frames_per_second=2))
        statuses = [
            place.ask(PUBLIC, "POST", address, json={}, headers=OWN).status_code
            if address not in UPLOADS
            else place.ask(CAMERA, "POST", address, data=b"x", headers={**OWN, "Content-Type": "image/jpeg"}).status_code
            for _ in range(8)
        ]
        place.camera.close()
        assert 429 in statuses, address
        assert statuses[0] != 429, address


def test_every_answer_protects_the_browser_and_tells_no_token(place: Place) -> None:
    tokens = [token.encode() for token in place.tokens.values()]
    for role, address in itertools.product((*ROLES, PUBLIC), place.addresses("GET")):
        response = place.ask(role, "GET", address)
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy, address
        assert "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy and "form-action 'none'" in policy
        assert response.headers["X-Content-Type-Options"] == "nosniff", address
        assert response.headers["Referrer-Policy"] == "no-referrer", address
        assert response.headers["Cache-Control"].startswith(("no-store", "no-cache")), address
        assert "Access-Control-Allow-Origin" not in response.headers, address
        told = response.body + str(response.headers).encode()
        assert not [token for token in tokens if token in told], (role, address)
        if response.mimetype == "text/html":
            assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=|javascript:", response.text), address


def test_a_token_in_an_address_opens_nothing(place: Place) -> None:
    """Addresses end in logs, histories and photographs; a token counts in the cookie and the header alone."""
    for address, name in itertools.product(place.addresses("GET"), ("token", "pass", "access_token", "key")):
        bare = place.ask(PUBLIC, "GET", address).status_code
        assert place.ask(PUBLIC, "GET", f"{address}?{name}={quote(place.tokens[ARBITER])}").status_code == bare, address


@pytest.mark.parametrize("token", ["", "x", "null", ".", "a.b.c", "é", "A" * 9000, "[]", "WyJhIl0.x"])
def test_a_token_that_is_none_is_a_strangers(place: Place, token: str) -> None:
    client = place.app.test_client()
    for headers in ({"Authorization": f"Bearer {token}"}, {"Cookie": f"table-witness-{place.passes.table}={quote(token)}"}):
        assert client.get("/api/snapshot", headers=headers).status_code == 401


def test_looking_changes_nothing(place: Place) -> None:
    before = place.passes.handed_out()
    for role, address in itertools.product((*ROLES, PUBLIC), place.addresses("GET")):
        place.ask(role, "GET", address)
        place.ask(role, "HEAD", address)
    assert place.table.taken == []
    assert place.table.log == []
    assert place.passes.handed_out() == before


def test_no_path_leads_out(place: Place) -> None:
    for start, way in itertools.product(place.gaps(), WAYS_OUT):
        response = place.ask(ARBITER, "GET", f"{start}{way}")
        assert response.status_code in (308, 400, 404), (start, way)
        assert b"root:" not in response.body and b"create_app" not in response.body, (start, way)


@pytest.mark.parametrize("way", [*WAYS_OUT, "", ".", "..", "a/b", "a\0b", "~root", "x" * 300, "con\nfig"])
def test_no_name_leads_out_of_the_shelf_of_tables(tmp_path: Path, way: str) -> None:
    (tmp_path / "secret.json").write_text('{"evening": {"name": "x"}}')
    profiles = ProfileStore(tmp_path / "tables")
    for wish in (profiles.table, profiles.profile):
        with pytest.raises(BadInput):
            wish(way)


def test_every_cookie_is_out_of_reach(place: Place) -> None:
    found = 0
    for scheme, address in itertools.product(("http", "https"), [*place.addresses("GET"), "/join?lang=it", "/api/session"]):
        if address == "/api/session":
            more = {"json": {"token": place.tokens[TABLE]}, "headers": {HEADER: "1", "Origin": f"{scheme}://localhost"}}
            response = place.ask(PUBLIC, "POST", address, base_url=f"{scheme}://localhost", **more)
        else:
            response = place.ask(TABLE, "GET", address, base_url=f"{scheme}://localhost")
        for cookie in response.headers.getlist("Set-Cookie"):
            found += 1
            assert "HttpOnly" in cookie and "SameSite=" in cookie and "Domain" not in cookie, cookie
            assert ("Secure" in cookie) == (scheme == "https"), cookie
    assert found >= 4


def test_nothing_is_logged_that_lets_anybody_in(place: Place, capfd: Any, caplog: Any) -> None:
    import http.client  # noqa: PLC0415 - a real connection is wanted here alone

    with PageServer(place.app) as server:
        connection = http.client.HTTPConnection("127.0.0.1", int(server.address.rsplit(":", 1)[1].strip("/")), timeout=8)
        for token in place.tokens.values():
            for path in (f"/api/snapshot?token={token}", "/api/snapshot", "/nowhere", f"/join/{token}"):
                connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
                connection.getresponse().read()
        connection.close()
    said = "".join(capfd.readouterr()) + caplog.text
    assert not [token for token in place.tokens.values() if token in said]


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few hundred bytes whose header promises any size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(9000))) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(60_000, 60_000), (2**31 - 1, 1), (1, 2**31 - 1), (0, 5), (50_001, 1_000)])
def test_a_picture_that_would_unfold_is_refused_by_its_header(
    place: Place, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any) -> Any:
        raise AssertionError("it was decoded")

    monkeypatch.setattr(camera_push, "decode", never)
    for address in UPLOADS:
        response = place.ask(CAMERA, "POST", address, data=bomb(*size), headers={**OWN, "Content-Type": "image/png"})
        assert (response.status_code, code(response)) == (400, "bad-input")


def test_nobody_else_can_come_until_the_table_is_opened_on_purpose(tmp_path: Path) -> None:
    import argparse  # noqa: PLC0415

    commands = argparse.ArgumentParser().add_subparsers()
    run.add(commands)
    for name, more in (("run", ["0"]), ("demo", [])):
        options = commands.choices[name].parse_args(more)
        assert options.host is None, "a game that is resumed keeps its own address; a new one has none"
        assert not output.choose(options, tmp_path).closed
    with pytest.raises(AssertionError):
        PageServer(create_app(FakeTable()), "0.0.0.0")


@pytest.mark.parametrize(
    "body",
    [
        b'{"kind":' + b"[" * 8000, b"[" * 8000 + b"]" * 8000, b'{"a":' * 3000 + b"1" + b"}" * 3000,
        b'{"kind": "clock", "seconds": NaN}', b'{"kind": "clock", "seconds": -Infinity}', b'{"kind": "clock", "to": 1e999}',
        b'{"role": "jack", "hours": ' + b"9" * 400 + b"}", b'{"kind": "choose", "alternative": ' + b"9" * 5000 + b"}",
    ],
)  # fmt: skip
def test_json_beyond_all_bounds_is_unreadable_and_makes_nothing_stumble(place: Place, body: bytes) -> None:
    """Eight thousand brackets gave 500 and a traceback."""
    for address in place.addresses("POST"):
        response = place.ask(TABLE, "POST", address, data=body, headers={**OWN, "Content-Type": "application/json"})
        assert response.status_code < 500 or code(response) in ("no-ears", "no-notes"), (address, response.status_code)

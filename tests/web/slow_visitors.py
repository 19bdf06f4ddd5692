"""Visitors that hold connections up on purpose: drip a request byte by byte, say nothing, read nothing. Loopback only.

Run as a program it prints how long a player waits meanwhile, over HTTP and HTTPS; HISTORY.md keeps the figures:
``python tests/web/slow_visitors.py``.
"""

import contextlib
import http.client
import json
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

DRIPPERS, IDLE = 140, 600
HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BODY = b'POST /api/answers HTTP/1.1\r\nHost: localhost\r\nX-Table-Witness: 1\r\nContent-Length: 9000\r\n\r\n{"kind'
CLIENT_HELLO = bytes.fromhex("16030102000100")
"""The beginning of a TLS handshake that never ends."""


class SlowVisitors:
    """Connections that send ``beginning`` and then ``drop`` once in a while; who is dropped comes again, as attackers do."""

    def __init__(
        self,
        address: str,
        count: int,
        beginning: bytes = b"",
        drop: bytes = b"",
        every: float = 1.0,
        source: str = "127.0.0.1",
        tls: bool = False,
    ) -> None:
        url = urlsplit(address)
        self._goal = (url.hostname or "", url.port or 0)
        self._count, self._beginning, self._drop, self._every, self._source = count, beginning, drop, every, source
        self._tls: ssl.SSLContext | None = ssl._create_unverified_context() if tls else None
        self._sockets: list[socket.socket | None] = [None] * count
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.returned = 0

    def _come(self) -> socket.socket | None:
        try:
            one = socket.create_connection(self._goal, 5, source_address=(self._source, 0))
            one = self._tls.wrap_socket(one) if self._tls else one
            one.sendall(self._beginning)
            one.setblocking(False)
        except OSError:
            return None
        return one

    def _gone(self, one: socket.socket | None) -> bool:
        if one is None:
            return True
        try:
            if self._drop:
                one.send(self._drop)
            return one.recv(1) == b""
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return False
        except OSError:
            return True

    def _run(self) -> None:
        while not self._ended.wait(self._every):
            for n, one in enumerate(self._sockets):
                if self._ended.is_set():
                    return
                if self._gone(one):
                    if one is not None:
                        one.close()
                    self._sockets[n] = self._come()
                    self.returned += 1

    def __enter__(self) -> Self:
        self._sockets = [self._come() for _ in range(self._count)]
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._ended.set()
        self._thread.join(20)
        for one in self._sockets:
            if one is not None:
                one.close()


@contextlib.contextmanager
def besieged(address: str, drippers: int = DRIPPERS, idle: int = IDLE) -> Iterator[None]:
    """A page with visitors who drip headers, bodies and handshakes, and with silent ones."""
    secure = address.startswith("https")
    half = drippers // 2
    with contextlib.ExitStack() as stack:
        for count, beginning, drop in ((half, HEAD, b"x"), (drippers - half, BODY, b" ")):
            stack.enter_context(SlowVisitors(address, count, beginning, drop, tls=secure))
        stack.enter_context(SlowVisitors(address, idle, CLIENT_HELLO if secure else b""))
        yield


def asked(address: str, token: str, path: str, body: Any = None, wait: float = 60) -> tuple[int, float]:
    """One request of a player on a connection of its own: the answer's status (0: none came) and the seconds it took."""
    url = urlsplit(address)
    kind: Callable[..., http.client.HTTPConnection] = http.client.HTTPConnection
    if url.scheme == "https":
        context = ssl._create_unverified_context()
        kind = lambda *args, **more: http.client.HTTPSConnection(*args, context=context, **more)  # noqa: E731
    connection = kind(url.hostname, url.port, timeout=wait)
    headers = {"Authorization": f"Bearer {token}"}
    began = time.monotonic()
    try:
        if body is None:
            connection.request("GET", path, headers=headers)
        else:
            more = {"Content-Type": "application/json", "X-Table-Witness": "1"}
            connection.request("POST", path, json.dumps(body), {**headers, **more})
        response = connection.getresponse()
        response.read()
        return response.status, time.monotonic() - began
    except OSError:
        return 0, time.monotonic() - began
    finally:
        connection.close()


def main() -> None:
    """Print a player's waiting times, alone and besieged, as JSON lines."""
    from fake_table import FakeTable  # noqa: PLC0415

    from companion.host.authority import Authority  # noqa: PLC0415
    from companion.host.certificates import ServerCertificates  # noqa: PLC0415
    from companion.host.passes import Passes  # noqa: PLC0415
    from companion.web.access import AccessControl  # noqa: PLC0415
    from companion.web.app import create_app  # noqa: PLC0415
    from companion.web.server import PageServer  # noqa: PLC0415

    passes = Passes.open(None)
    token = passes.issue("table")[1]
    app = create_app(FakeTable(), access_control=AccessControl(passes, closed=True))
    for tls in (None, ServerCertificates(Authority.open(None)).context):
        with PageServer(app, tls=tls) as server:
            for name in ("alone", "besieged"):
                with besieged(server.address) if name == "besieged" else contextlib.nullcontext():
                    time.sleep(2)
                    page = [asked(server.address, token, "/") for _ in range(3)]
                    answer = [asked(server.address, token, "/api/answers", {"kind": "call", "seen": True}) for _ in range(3)]
                told = {"GET /": page, "answer": answer}
                print(
                    name,
                    server.address[:5],
                    json.dumps({k: [[s, round(t, 3)] for s, t in v] for k, v in told.items()}),
                    flush=True,
                )


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    main()

"""Messages over HTTP, a table's end: one connection that posts, one stream that listens, each opened again when it was lost."""

import http.client
import logging
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from random import uniform

from companion import bounded
from companion.hub import wire
from companion.hub.link import TableAddress
from companion.hub.transport.port import Heard, Linked

TIMEOUT_S = 10.0
"""For a connection and an answer, 2 to 30 s. The stream says every 3 s that it is there."""
RETRY_S = (0.5, 20.0)
"""The shortest and the longest wait before the hub is tried again; doubled each time, a little by chance."""
STREAM = "text/event-stream"
_LOG = logging.getLogger(__name__)


class HttpTable:
    """See :class:`~companion.hub.transport.port.TableLink`."""

    def __init__(self, address: TableAddress) -> None:
        """Raises BadInput when the certificate is none."""
        self._address, self._context = address, address.context()
        self._headers = {"Authorization": f"Bearer {address.secret}", "X-Table-Witness": "1"}
        self._lock = threading.Lock()
        self._posting: http.client.HTTPConnection | None = None
        self._listening: http.client.HTTPConnection | None = None
        self._stopped = threading.Event()
        self._there = False
        self._heard: Heard | None = None
        self._linked: Linked | None = None
        self._thread = threading.Thread(target=self._listen, name="hub-listen", daemon=True)

    def start(self, heard: Heard, linked: Linked) -> None:
        """See :class:`TableLink`."""
        self._heard, self._linked = heard, linked
        self._thread.start()

    def send(self, kind: str, body: bytes) -> bool:
        """See :class:`TableLink`. The answer comes to ``heard`` before this returns."""
        if not self._there:
            return False
        with self._lock:
            for fresh in (False, True):  # the hub may have closed a connection that was idle for long
                try:
                    answer = self._post(kind, body, fresh=fresh)
                    break
                except (OSError, http.client.HTTPException):
                    self._drop()
            else:
                return False
        if answer and self._heard is not None:
            self._heard(wire.COMMITTED, answer)
        return answer is not None

    def close(self) -> None:
        """See :class:`TableLink`."""
        with suppress(OSError, http.client.HTTPException):
            self.send(wire.ONLINE, b"0")
        self._stopped.set()
        self._there = False
        listening = self._listening
        if listening is not None and listening.sock is not None:
            with suppress(OSError):
                listening.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join(TIMEOUT_S)
        with self._lock:
            self._drop()

    def _post(self, kind: str, body: bytes, *, fresh: bool) -> bytes | None:
        """What the hub answers, empty when it only took it; None when it refuses. Raises OSError, HTTPException."""
        if self._posting is None or fresh:
            self._posting = self._connection()
        path = f"/api/hall/{self._address.table}/up/{kind}"
        self._posting.request("POST", path, body, {**self._headers, "Content-Type": "application/json"})
        answer = self._posting.getresponse()
        found = answer.read(wire.MOST_BYTES)
        if answer.status >= 400:
            _LOG.info("hub: %s refused with %d", kind, answer.status)
        return found if answer.status < 300 else None

    def _connection(self) -> http.client.HTTPConnection:
        host, port = self._address.host, self._address.port
        if self._context is not None:
            return http.client.HTTPSConnection(host, port, timeout=TIMEOUT_S, context=self._context)
        return http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)

    def _drop(self) -> None:
        if self._posting is not None:
            self._posting.close()
            self._posting = None

    def _listen(self) -> None:
        wait = RETRY_S[0]
        while not self._stopped.is_set():
            why = "the connection to the hall was lost"
            try:
                for kind, body in self._letters():
                    wait = RETRY_S[0]
                    if kind and self._heard is not None:
                        self._heard(kind, body)
            except _Refused as error:
                why = str(error)
            except (OSError, http.client.HTTPException) as error:
                why = _plain(error)
            except Exception:
                _LOG.exception("a message of the hub could not be taken")
            self._there = False
            if not self._stopped.is_set():
                self._told(False, why)
                self._stopped.wait(uniform(0.5, 1.0) * wait)
                wait = min(2 * wait, RETRY_S[1])

    def _letters(self) -> Iterator[tuple[str, bytes]]:
        """What the hub says: kind and bytes; an empty kind when it only says that it is there."""
        connection = self._listening = self._connection()
        try:
            connection.request("GET", f"/api/hall/{self._address.table}/down", headers=self._headers)
            answer = connection.getresponse()
            if answer.status != 200:
                raise _Refused(_words_of(answer.read(wire.MOST_BYTES), answer.status))
            if answer.headers.get_content_type() != STREAM:
                raise _Refused("what answers there is no hall; is the address in the link right?")
            self._there = True
            self._told(True, "")
            kind = ""
            for line in bounded.lines(answer, wire.MOST_BYTES):
                if self._stopped.is_set():
                    return
                if line and line.startswith(b"event: "):
                    kind = line[7:].decode("ascii", "replace")
                elif line and line.startswith(b"data: "):
                    yield kind, line[6:]
                else:
                    yield "", b""
        finally:
            connection.close()

    def _told(self, there: bool, why: str) -> None:
        if self._linked is not None:
            self._linked(there, why)


class _Refused(Exception):
    """The hub answers, and will not."""


def _words_of(body: bytes, status: int) -> str:
    try:
        message = bounded.parsed(body)["error"]["message"]
        return f"the hall refuses ({str(message)[:200]})"
    except (ValueError, KeyError, TypeError):
        return f"the hall refuses (HTTP {status})"


def _plain(error: OSError | http.client.HTTPException) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({error.verify_message})"
    return str(getattr(error, "strerror", None) or error or type(error).__name__)

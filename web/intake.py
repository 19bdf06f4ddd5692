"""Takes visitors in and reads their requests, without a thread for anybody: only a whole request is given to one.

So whoever sends slowly, or nothing at all, holds nobody up: neither in the TLS handshake, nor in a request's head, nor in its
body. Each request has one deadline for all of it. Connections are bounded, for one address and altogether; when there are
too many, one is dropped that is worth least: strangers before spectators before players, the oldest of the address that has
most. The newest comer is never refused for it, so a player who comes to a besieged page is served.

One thread owns all of this; others only hand connections back (``done``), and wake it by a byte.
"""

import contextlib
import errno
import json
import logging
import selectors
import socket
import ssl
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from enum import Enum, auto
from typing import Any

from cheroot.connections import prevent_socket_inheritance
from cheroot.errors import FatalSSLAlert

from companion.web.connection import VisitorConnection
from companion.web.framing import Framing, MalformedRequest
from companion.web.priority import Admit, Priority
from companion.web.settings import PageSettings

_LOG = logging.getLogger(__name__)

_GULP, _GULPS = 64 * 1024, 8  # bytes of one connection at once, and how often before the others have their turn
_AT_ONCE = 16  # connections taken in before those that are there have their turn
_GRACE_SECONDS = 0.5  # so long nobody is dropped for his address alone: his first request is on its way
_TICK = 0.25  # seconds between two looks for what is overdue
_DRAIN_SECONDS = 2.0  # what is still on its way is thrown away for so long; closed at once, the answer could be lost with it
_REASONS = {400: "Bad Request", 408: "Request Timeout", 431: "Request Header Fields Too Large", 503: "Service Unavailable"}
_LATER = (BlockingIOError, InterruptedError, ssl.SSLWantReadError)
_UNREADABLE = b'{"error":{"code":"unreadable","message":%b,"advice":"Send a complete HTTP/1.1 request."}}'
_GO_ON = b"HTTP/1.1 100 Continue\r\n\r\n"


class _Phase(Enum):
    SHAKES = auto()  # in the TLS handshake
    READS = auto()
    DRAINS = auto()


class _Visit:
    """A connection that is not being answered. ``reserved``: bytes set aside for its body."""

    def __init__(self, connection: VisitorConnection, phase: _Phase, until: float, since: float, rest: bytes = b"") -> None:
        self.connection, self.phase, self.until, self.since, self.rest = connection, phase, until, since, rest
        self.framing = Framing()
        self.weighed, self.over, self.reserved = False, False, 0

    @property
    def address(self) -> str:
        """The other end's."""
        return str(self.connection.remote_addr)

    @property
    def bounded(self) -> bool:
        """Whether it counts among the connections of its address; players' do not."""
        return self.connection.rank is not Priority.PLAYER


class Intake:
    """Stands where cheroot's connection manager does: ``run``, ``stop``, ``put`` and ``close`` are what its server calls."""

    can_add_keepalive_connection = True
    """Bounds are kept by dropping the least, not by refusing the newest."""

    def __init__(self, server: Any, settings: PageSettings, admit: Admit, clock: Callable[[], float] = time.monotonic) -> None:
        self._server, self._settings, self._admit, self._clock = server, settings, admit, clock
        self._selector = selectors.DefaultSelector()
        self._visits: dict[int, _Visit] = {}
        self._answering, self._reserved = 0, 0
        self._back: deque[tuple[VisitorConnection, bool]] = deque()
        self._stopping, self._stopped = False, threading.Event()
        self._stopped.set()
        self._bell, self._rung = socket.socketpair()
        for one in (self._bell, self._rung, server.socket):
            one.setblocking(False)
        self._selector.register(server.socket, selectors.EVENT_READ)
        self._selector.register(self._rung, selectors.EVENT_READ)

    @property
    def connections(self) -> int:
        """How many are open, answered or not."""
        return len(self._visits) + self._answering

    def run(self, expiration_interval: float) -> None:
        """Serve until :meth:`stop`. cheroot's interval is of no use here."""
        self._stopped.clear()
        due = self._clock() + _TICK
        try:
            while not self._stopping:
                # Who is there comes before who is new.
                for key, _ in sorted(self._selector.select(_TICK), key=lambda one: one[0].fileobj is self._server.socket):
                    if key.fileobj is self._server.socket:
                        self._accept()
                    elif key.fileobj is self._rung:
                        self._take_back()
                    elif key.fd in self._visits:  # else it was dropped a moment ago
                        self._attend(self._visits[key.fd], self._serve)
                if self._clock() >= due:
                    due = self._clock() + _TICK
                    self._end_overdue()
        finally:
            self._stopped.set()

    def stop(self) -> None:
        """End :meth:`run`, and wait until it has ended."""
        self._stopping = True
        self._ring()
        self._stopped.wait(5)

    def close(self) -> None:
        """Drop everybody who is not being answered. Comes after :meth:`stop`."""
        for visit in list(self._visits.values()):
            self._drop(visit)
        while self._back:
            _close(self._back.popleft()[0])
        self._selector.close()
        self._bell.close()
        self._rung.close()

    def done(self, connection: VisitorConnection, stays: bool) -> None:
        """A connection was answered; whether it stays open. From any thread."""
        if self._stopping:
            _close(connection)
            return
        self._back.append((connection, stays))
        self._ring()

    def put(self, connection: VisitorConnection) -> None:
        """The same of one that stays, by the name that cheroot gives it."""
        self.done(connection, True)

    def _ring(self) -> None:
        with contextlib.suppress(OSError):  # full, so it rings already; or closed
            self._bell.send(b"x")

    def _accept(self) -> None:
        for _ in range(_AT_ONCE):
            try:
                sock, address = self._server.socket.accept()
            except OSError as error:
                if error.errno in (errno.EMFILE, errno.ENFILE):  # no file handle is left: make room
                    self._drop_least(list(self._visits.values()))
                return
            prevent_socket_inheritance(sock)
            sock.setblocking(False)
            phase, environment = _Phase.READS, dict[str, Any]()
            if self._server.ssl_adapter is not None:
                phase = _Phase.SHAKES
                try:
                    sock, environment = self._server.ssl_adapter.wrap(sock)
                except FatalSSLAlert:
                    continue
            connection = VisitorConnection(self._server, sock)
            connection.remote_addr, connection.remote_port = address[:2]
            connection.ssl_env = environment
            self._attend(self._enter(connection, phase, self._settings.send_seconds), self._serve)

    def _take_back(self) -> None:
        with contextlib.suppress(OSError):
            self._rung.recv(4096)
        while self._back:
            connection, stays = self._back.popleft()
            self._answering -= 1
            if stays:
                visit = self._enter(connection, _Phase.READS, self._settings.send_seconds)
                self._attend(visit, self._go_on)
            elif connection.unread:
                self._drain(self._enter(connection, _Phase.DRAINS, _DRAIN_SECONDS))
            else:
                _close(connection)

    def _enter(self, connection: VisitorConnection, phase: _Phase, seconds: float) -> _Visit:
        """Wait for what a connection sends, at most so many seconds; who is too many is dropped first."""
        visit = _Visit(connection, phase, self._clock() + seconds, self._clock(), connection.rest)
        there = list(self._visits.values())
        if self.connections >= self._settings.connections:
            self._drop_least(there)
        elif visit.bounded:
            alike = [one for one in there if one.bounded and one.address == visit.address]
            if len(alike) >= self._settings.connections_each:
                self._drop_least([one for one in alike if one.since <= visit.since - _GRACE_SECONDS])
        self._visits[connection.socket.fileno()] = visit
        self._selector.register(connection.socket, selectors.EVENT_READ)
        return visit

    def _drop_least(self, among: list[_Visit]) -> None:
        if among:
            each = Counter(one.address for one in among)
            self._drop(max(among, key=lambda one: (one.connection.rank, each[one.address], -one.since)))

    def _attend(self, visit: _Visit, work: Callable[[_Visit], None]) -> None:
        """Do something with what a visitor sent; whatever that leads to is his loss alone."""
        try:
            work(visit)
        except MalformedRequest as error:
            self._refuse(visit, error.status, str(error))
        except OSError:
            self._drop(visit)
        except Exception:
            _LOG.exception("a request could not be read")
            self._drop(visit)

    def _serve(self, visit: _Visit) -> None:
        if visit.phase is _Phase.SHAKES and not self._shaken(visit):
            return
        for _ in range(_GULPS):
            try:
                data = visit.connection.socket.recv(_GULP)
            except _LATER:
                return
            if not data:
                self._drop(visit)
                return
            if visit.phase is _Phase.READS:
                self._receive(visit, data)
                if visit.connection.socket.fileno() not in self._visits:
                    return  # it is being answered

    def _shaken(self, visit: _Visit) -> bool:
        sock = visit.connection.socket
        events = selectors.EVENT_READ
        try:
            sock.do_handshake()
            visit.phase = _Phase.READS
        except ssl.SSLWantWriteError:
            events |= selectors.EVENT_WRITE
        except _LATER:
            pass
        self._selector.modify(sock, events)
        return visit.phase is _Phase.READS

    def _go_on(self, visit: _Visit) -> None:
        """What came behind the last request may be another one already."""
        if visit.rest:
            self._receive(visit, visit.rest)

    def _receive(self, visit: _Visit, data: bytes) -> None:
        if not visit.framing.begun:
            visit.until = self._clock() + self._settings.request_seconds
        visit.framing.receive(data)
        if visit.framing.head is None:
            return
        if not visit.weighed:
            self._weigh(visit)
        if visit.framing.complete or visit.over or visit.framing.received > visit.reserved:
            self._give_away(visit)

    def _weigh(self, visit: _Visit) -> None:
        """Whose request it is, and whether there is room for its body. One that is too large is answered by its head."""
        head = visit.framing.head
        assert head is not None
        admitted = self._admit(head.headers)
        visit.weighed, visit.connection.rank = True, admitted.rank
        announced = admitted.body_bytes if head.length is None else head.length
        visit.over = announced > admitted.body_bytes
        if visit.over or visit.framing.complete:
            return
        if self._reserved + announced > self._settings.arriving_bytes:
            raise MalformedRequest(503, "too much is being sent at the same time; send it again in a moment")
        visit.reserved = announced
        self._reserved += announced
        visit.until += announced / self._settings.upload_bytes_per_second
        if head.waits:
            visit.connection.socket.send(_GO_ON)

    def _give_away(self, visit: _Visit) -> None:
        self._leave(visit)
        connection, framing = visit.connection, visit.framing
        connection.unread = not framing.complete
        connection.rest = framing.rest if framing.complete else b""
        connection.ask(framing.message())
        self._answering += 1
        self._server.requests.put(connection)

    def _end_overdue(self) -> None:
        now = self._clock()
        for visit in [one for one in self._visits.values() if one.until <= now]:
            if visit.phase is _Phase.READS and visit.framing.begun:
                self._refuse(visit, 408, "the request took too long to arrive")
            else:
                self._drop(visit)

    def _refuse(self, visit: _Visit, status: int, why: str) -> None:
        """Say why, if that can be said at once, and have done with this visitor."""
        body = _UNREADABLE % json.dumps(why).encode()
        head = f"HTTP/1.1 {status} {_REASONS.get(status, 'Refused')}\r\nContent-Type: application/json\r\nConnection: close"
        try:
            visit.connection.socket.send(head.encode() + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        except OSError:
            self._drop(visit)
            return
        self._drain(visit)

    def _drain(self, visit: _Visit) -> None:
        visit.phase, visit.until = _Phase.DRAINS, self._clock() + _DRAIN_SECONDS
        self._free(visit)
        try:
            visit.connection.socket.shutdown(socket.SHUT_WR)
        except OSError:
            self._drop(visit)

    def _drop(self, visit: _Visit) -> None:
        self._leave(visit)
        _close(visit.connection)

    def _leave(self, visit: _Visit) -> None:
        if self._visits.pop(visit.connection.socket.fileno(), None) is not None:
            self._selector.unregister(visit.connection.socket)
        self._free(visit)

    def _free(self, visit: _Visit) -> None:
        self._reserved -= visit.reserved
        visit.reserved = 0


def _close(connection: VisitorConnection) -> None:
    with contextlib.suppress(OSError):
        connection.socket.shutdown(socket.SHUT_RDWR)
    connection.socket.close()

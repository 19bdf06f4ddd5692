"""Messages over HTTP, the hub's end: what the hub has built in. A table posts, and listens to one stream of events.

``POST /api/hall/TABLE/up/KIND`` takes a message and answers, once it is durable, with what the hub says to it;
``GET /api/hall/TABLE/down`` is what the hub says by itself. Both need ``Authorization: Bearer CREDENTIAL``.
"""

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Protocol

from flask import Blueprint, Response, request

from companion.hub import wire
from companion.web.problems import Problem
from companion.web.writer import lend

MOST_WAITING = 256
"""Messages that a table's stream may lag behind, 16 to 1024; beyond it the stream ends, and the table comes again."""
DURABLE_S = 10.0
"""How long a table's post waits until it is durable, 1 to 30 s; the table sends again what was not."""


class TableDoor(Protocol):
    """What this end needs of the hall."""

    def lets_in(self, table: str, secret: str) -> bool: ...
    def receive(self, table: str, kind: str, body: bytes, reply: Callable[[wire.Down], None] | None = None) -> bool: ...


class _Letters(Iterator[bytes]):
    """One open stream of a table: letters not sent yet, as pieces of ``text/event-stream``."""

    def __init__(self, leave: Callable[["_Letters"], None]) -> None:
        self._leave = leave
        self._waiting: deque[bytes] = deque([b"retry: 1000\n\n"])
        self._changed = threading.Condition()
        self._open = True
        self._on_news: Callable[[], None] | None = None

    def put(self, letter: bytes) -> None:
        with self._changed:
            self._waiting.append(letter)
            self._open = self._open and len(self._waiting) <= MOST_WAITING
            self._tell()

    def end(self) -> None:
        with self._changed:
            self._open = False
            self._tell()

    def _tell(self) -> None:
        self._changed.notify()
        if self._on_news is not None:
            self._on_news()

    def unblock(self, on_news: Callable[[], None]) -> None:
        """See :class:`~companion.web.writer.News`."""
        with self._changed:
            self._on_news = on_news

    @property
    def pending(self) -> bool:
        """See :class:`~companion.web.writer.News`."""
        return bool(self._waiting) or not self._open

    def __next__(self) -> bytes:
        with self._changed:
            if self._on_news is None:
                self._changed.wait_for(lambda: self.pending, 3.0)
            if self._waiting:
                letters = b"".join(self._waiting)
                self._waiting.clear()
                return letters
            if not self._open:
                raise StopIteration
            return b": still here\n\n"

    def close(self) -> None:
        """The reader left, or was dropped."""
        self._leave(self)


class Letterboxes:
    """Every table's open streams. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, list[_Letters]] = {}

    def push(self, table: str, message: wire.Down) -> None:
        """Send a message to a table, if it listens."""
        with self._lock:
            readers = list(self._open.get(table, ()))
        if readers:
            kind, body = wire.encode_down(message)
            for reader in readers:
                reader.put(b"event: " + kind.encode() + b"\ndata: " + body + b"\n\n")

    def join(self, table: str) -> _Letters:
        """A new stream of a table; an older one ends, since a table has one."""
        made = _Letters(lambda one: self._left(table, one))
        with self._lock:
            before, self._open[table] = self._open.get(table, []), [made]
        for one in before:
            one.end()
        return made

    def listening(self, table: str) -> bool:
        """Whether the table has a stream open."""
        with self._lock:
            return bool(self._open.get(table))

    def close(self) -> None:
        """End every stream."""
        with self._lock:
            readers = [one for found in self._open.values() for one in found]
        for one in readers:
            one.end()

    def _left(self, table: str, one: _Letters) -> None:
        with self._lock:
            found = self._open.get(table, [])
            if one in found:
                found.remove(one)


def blueprint(door: TableDoor, boxes: Letterboxes) -> Blueprint:
    """The tables' addresses."""
    tables = Blueprint("hall_tables", __name__)

    @tables.post("/api/hall/<table>/up/<kind>")
    def up(table: str, kind: str) -> Response:
        _known(door, table)
        if kind not in wire.UP:
            raise Problem(404, "not-found", "there is nothing at this address", "See docs/hall.md.")
        answers: queue.SimpleQueue[wire.Down] = queue.SimpleQueue()
        if not door.receive(table, kind, request.get_data(cache=False), answers.put):
            raise Problem(503, "not-now", "the hall has too much to take in at once", "It is sent again by itself.")
        if kind not in (wire.EVENTS, wire.HELLO):
            return Response(status=204)
        try:
            _, body = wire.encode_down(answers.get(timeout=DURABLE_S))
        except queue.Empty:
            raise Problem(503, "not-now", "the hall could not keep it in time", "It is sent again by itself.") from None
        return Response(body, mimetype="application/json")

    @tables.get("/api/hall/<table>/down")
    def down(table: str) -> Response:
        _known(door, table)
        letters = boxes.join(table)
        response = Response(letters, mimetype="text/event-stream")
        response.headers["Cache-Control"] = "no-store, no-transform"
        response.headers["X-Accel-Buffering"] = "no"
        response.call_on_close(letters.close)
        lend(request.environ, letters)
        return response

    return tables


def _known(door: TableDoor, table: str) -> None:
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not door.lets_in(table, secret.strip()):
        raise Problem(401, "no-pass", "this credential is not this table's", "Enrol the table anew: companion hub enrol.")

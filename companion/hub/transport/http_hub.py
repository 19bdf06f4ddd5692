"""Messages over HTTP, the hub's end: what the hub has built in. A table posts, and listens to one stream of events.

``POST /api/hall/TABLE/up/KIND`` takes a message and answers, once it is durable, with what the hub says to it;
``GET /api/hall/TABLE/down`` is what the hub says by itself. Both need ``Authorization: Bearer CREDENTIAL``.
"""

import queue
import threading
from collections.abc import Callable
from typing import Protocol

from flask import Blueprint, Response, request

from companion.hub import wire
from companion.hub.transport.letters import Letters, letter
from companion.web.event_stream import event_stream
from companion.web.problems import Problem

DURABLE_S = 10.0
"""How long a table's post waits until it is durable, 1 to 30 s; the table sends again what was not."""


class TableDoor(Protocol):
    """What this end needs of the hall."""

    def lets_in(self, table: str, secret: str) -> bool: ...
    def receive(self, table: str, kind: str, body: bytes, reply: Callable[[wire.Down], None] | None = None) -> bool: ...


class Letterboxes:
    """Every table's open streams. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, list[Letters]] = {}

    def push(self, table: str, message: wire.Down) -> None:
        """Send a message to a table, if it listens."""
        with self._lock:
            readers = list(self._open.get(table, ()))
        if readers:
            kind, body = wire.encode_down(message)
            for reader in readers:
                reader.put(letter(kind, body))

    def join(self, table: str) -> Letters:
        """A new stream of a table; an older one ends, since a table has one."""
        made = Letters(lambda one: self._left(table, one))
        with self._lock:
            before, self._open[table] = self._open.get(table, []), [made]
        for one in before:
            one.end()
        return made

    def listening(self, table: str) -> bool:
        """Whether the table has a stream open."""
        with self._lock:
            return bool(self._open.get(table))

    def end(self, table: str) -> None:
        """End a table's streams; whoever has its credential now comes again."""
        with self._lock:
            readers = list(self._open.get(table, ()))
        for one in readers:
            one.end()

    def close(self) -> None:
        """End every stream."""
        with self._lock:
            readers = [one for found in self._open.values() for one in found]
        for one in readers:
            one.end()

    def _left(self, table: str, one: Letters) -> None:
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
        try:
            _known(door, table)  # a credential taken back since was parted with before there was this stream to end
        except Problem:
            letters.close()
            raise
        return event_stream(letters, letters)

    return tables


def _known(door: TableDoor, table: str) -> None:
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not door.lets_in(table, secret.strip()):
        raise Problem(401, "no-pass", "this credential is not this table's", "Enrol the table anew: companion hub enrol.")

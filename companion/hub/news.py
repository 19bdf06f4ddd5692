"""``GET /api/hall/news``: which tables changed, as a stream, for programs: how far each is committed, and what is shown of it.

For whoever holds a pass of the hall, and on a hub that serves its own machine alone for anybody there.
"""

import threading
from collections.abc import Iterator

from flask import Blueprint, Response, request

from companion.hub import wire
from companion.hub.model import Hall
from companion.hub.transport.letters import Letters, letter
from companion.web.access import AccessControl
from companion.web.event_stream import event_stream
from companion.web.problems import Problem

_Known = dict[str, tuple[str, int, int, bool]]
WATCH_S = 1.0


class NewsFeed:
    """Hands what changes to every open stream. Its thread begins with the first of them."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._lock = threading.Lock()
        self._readers: list[Letters] = []
        self._known: _Known = {}
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()

    def join(self) -> Letters:
        """A stream that begins with every table."""
        made = Letters(self._left)
        with self._lock:
            if self._thread is None:
                self._known = self._now()
                self._thread = threading.Thread(target=self._run, name="hub-news", daemon=True)
                self._thread.start()
            made.put(_told(self._known))
            self._readers.append(made)
        return made

    def close(self) -> None:
        """End every stream."""
        self._closed.set()
        with self._lock:
            readers = list(self._readers)
        for one in readers:
            one.end()

    def _run(self) -> None:
        change = 0
        while not self._closed.is_set():
            change = self._hall.wait(change, WATCH_S)
            now = self._now()
            with self._lock:
                new = {table: one for table, one in now.items() if self._known.get(table) != one}
                self._known = now
                readers = list(self._readers)
            if new:
                told = _told(new)
                for reader in readers:
                    reader.put(told)

    def _now(self) -> _Known:
        return {
            one.table: (one.match, one.number, int(one.snapshot.get("number", 0)), one.online) for one in self._hall.tables()
        }

    def _left(self, one: Letters) -> None:
        with self._lock:
            if one in self._readers:
                self._readers.remove(one)


def blueprint(feed: NewsFeed, access_control: AccessControl) -> Blueprint:
    """The stream's address."""
    news = Blueprint("hall_news", __name__)

    @news.get("/api/hall/news")
    def changes() -> Response:
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        held = access_control.passes.check(token.strip()) if kind.lower() == "bearer" else None
        if access_control.closed and held is None:
            raise Problem(401, "no-pass", "this hall is open to those who have a link", "Ask the arbiter.")
        letters = feed.join()

        def lines() -> Iterator[bytes]:
            for one in letters:
                if held is not None and not access_control.passes.good(held):
                    return  # taken back or expired while the stream was open
                yield one

        return event_stream(lines(), letters)

    return news


def _told(known: _Known) -> bytes:
    rows = [
        {"table": table, "match": match, "number": number, "shown": shown, "online": online}
        for table, (match, number, shown, online) in known.items()
    ]
    return letter("tables", wire.encode(rows))

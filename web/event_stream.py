"""Answers of ``text/event-stream``: the response, and what the queues of its readers have in common."""

import threading
from collections.abc import Callable, Iterable
from typing import Protocol

from flask import Response, request

from companion.web.writer import News, lend


class NewsQueue:
    """One reader's queue, as far as all are alike: news of :mod:`companion.web.writer`. A queue of its own says what is
    ``pending``, and calls ``_tell`` with ``_changed`` held whenever something was put into it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._open = True
        self._on_news: Callable[[], None] | None = None

    @property
    def pending(self) -> bool:
        """Whether there is something to take, or the end."""
        raise NotImplementedError

    def unblock(self, on_news: Callable[[], None]) -> None:
        """Never wait again; call ``on_news``, from any thread, whenever there is something."""
        with self._changed:
            self._on_news = on_news

    def end(self) -> None:
        """No more comes."""
        with self._changed:
            self._open = False
            self._tell()

    def _tell(self) -> None:
        self._changed.notify()
        if self._on_news is not None:
            self._on_news()

    def _await(self, timeout: float) -> None:
        """Wait until something is pending, ``timeout`` seconds at most; not at all once unblocked. ``_changed`` is held."""
        if self._on_news is None:
            self._changed.wait_for(lambda: self.pending, timeout)


class Closing(News, Protocol):
    """News that are told when their reader has left."""

    def close(self) -> None:
        """Give the reader's place back."""


def event_stream(pieces: Iterable[bytes], news: Closing) -> Response:
    """The answer to the request that is served: ``pieces`` as they come, for as long as the reader stays."""
    response = Response(pieces, mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store, no-transform"
    response.headers["X-Accel-Buffering"] = "no"  # nginx would keep pieces back
    response.call_on_close(news.close)
    lend(request.environ, news)
    return response

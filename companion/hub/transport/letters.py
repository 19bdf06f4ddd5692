"""One open stream of server-sent events that somebody else writes: letters not sent yet, in order."""

import threading
from collections import deque
from collections.abc import Callable, Iterator

MOST_WAITING = 256
"""Letters that a stream may lag behind, 16 to 1024; beyond it the stream ends, and its reader comes again."""
BEAT_S = 3.0


def letter(kind: str, body: bytes) -> bytes:
    """One message of a stream."""
    return b"event: " + kind.encode() + b"\ndata: " + body + b"\n\n"


class Letters(Iterator[bytes]):
    """News of :mod:`companion.web.writer`, and pieces of ``text/event-stream``."""

    def __init__(self, leave: Callable[["Letters"], None]) -> None:
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
                self._changed.wait_for(lambda: self.pending, BEAT_S)
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

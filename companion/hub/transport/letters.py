"""One open stream of server-sent events that somebody else writes: letters not sent yet, in order."""

from collections import deque
from collections.abc import Callable, Iterator

from companion.web.event_stream import NewsQueue

MOST_WAITING = 256
"""Letters that a stream may lag behind, 16 to 1024; beyond it the stream ends, and its reader comes again."""
BEAT_S = 3.0


def letter(kind: str, body: bytes) -> bytes:
    """One message of a stream."""
    return b"event: " + kind.encode() + b"\ndata: " + body + b"\n\n"


class Letters(NewsQueue, Iterator[bytes]):
    """Pieces of ``text/event-stream``, as somebody else put them here."""

    def __init__(self, leave: Callable[["Letters"], None]) -> None:
        super().__init__()
        self._leave = leave
        self._waiting: deque[bytes] = deque([b"retry: 1000\n\n"])

    def put(self, letter: bytes) -> None:
        with self._changed:
            self._waiting.append(letter)
            self._open = self._open and len(self._waiting) <= MOST_WAITING
            self._tell()

    @property
    def pending(self) -> bool:
        """See :class:`~companion.web.event_stream.NewsQueue`."""
        return bool(self._waiting) or not self._open

    def __next__(self) -> bytes:
        with self._changed:
            self._await(BEAT_S)
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

"""One thread writes every lasting answer of a server: streams that are silent nearly always need no thread each.

The application names what it will go on sending in the request's environment (:func:`lend`). A worker sends the head of such
an answer and hands the connection over to the :class:`Writer`, which asks for the next piece whenever there is news, or when a
heartbeat is due, and sends it as fast as the reader takes it. A server without a writer, as that of Flask's test client, goes
through the same answer piece by piece and waits in between.
"""

import contextlib
import logging
import selectors
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from cheroot import wsgi

from companion.web.connection import VisitorConnection
from companion.web.settings import PageSettings

_LOG = logging.getLogger(__name__)
_LENT = "table-witness.news"
_WANT = (BlockingIOError, InterruptedError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
_READ, _WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
_LAST_WORDS_S = 1.0
"""0.2..3: how long the last pieces of all streams may take when the server ends."""


class News(Protocol):
    """Where the pieces of a lasting answer come from."""

    def unblock(self, on_news: Callable[[], None]) -> None:
        """From now on the next piece is there at once, an idle one where nothing happened; ``on_news`` is called, from any
        thread, whenever something did."""

    @property
    def pending(self) -> bool:
        """Whether the next piece is news, or the end."""


def lend(environ: dict[str, Any], news: News) -> None:
    """Name what the answer to this request goes on with, so that no thread has to wait for it."""
    environ[_LENT] = news


class Gateway(wsgi.Gateway_10):
    """Serves the application, and hands lasting answers over."""

    def respond(self) -> None:
        """Answer one request."""
        response = self.req.server.wsgi_app(self.env, self.start_response)
        news, writer = self.env.get(_LENT), getattr(self.req.server, "writer", None)
        if news is not None and writer is not None and self.req.method == b"GET":
            self._hand_over(response, news, writer)
            return
        try:
            for chunk in filter(None, response):
                self.write(chunk)
        finally:
            self.req.ensure_headers_sent()
            if hasattr(response, "close"):
                response.close()

    def _hand_over(self, response: Any, news: News, writer: "Writer") -> None:
        try:
            self.req.ensure_headers_sent()
        except BaseException:
            response.close()
            raise
        chunked, self.req.chunked_write = self.req.chunked_write, False  # the end of the answer is not written by this thread
        self.req.close_connection = True
        self.req.conn.lent = True
        writer.add(_Stream(self.req.conn, response, iter(response), news, chunked))


@dataclass(eq=False)
class _Stream:
    """One lasting answer: ``unsent`` is what the reader has not taken yet; times are of a monotonic clock."""

    connection: VisitorConnection
    response: Any
    pieces: Iterator[bytes]
    news: News
    chunked: bool
    unsent: bytearray = field(default_factory=bytearray)
    ended: bool = False
    beat_at: float = 0.0
    taken_at: float = 0.0
    watched: int = _READ

    @property
    def socket(self) -> socket.socket:
        """Its connection's."""
        found: socket.socket = self.connection.socket
        return found

    def pull(self) -> None:
        """The next piece, ready to be sent; the end is one as well."""
        piece = next(self.pieces, None)
        self.ended = piece is None
        if self.chunked:
            self.unsent += b"%x\r\n%b\r\n" % (len(piece), piece) if piece else b"" if piece is not None else b"0\r\n\r\n"
        else:
            self.unsent += piece or b""


class Writer:
    """Writes to any number of streams in one thread, which begins with the first of them."""

    def __init__(self, settings: PageSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings, self._clock = settings, clock
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ready: deque[_Stream] = deque()
        self._streams: set[_Stream] = set()
        self._selector = selectors.DefaultSelector()
        self._bell, self._ringer = socket.socketpair()
        self._rung = False
        self._closing = False
        for end in (self._bell, self._ringer):
            end.setblocking(False)
        self._selector.register(self._bell, _READ, None)

    def add(self, stream: _Stream) -> None:
        """Write a stream from now on."""
        with self._lock:
            if self._thread is None and not self._closing:
                self._thread = threading.Thread(target=self._run, name="page-writer", daemon=True)
                self._thread.start()
        if self._thread is None or self._closing:
            _finish(stream)
            return
        stream.news.unblock(lambda: self._ring(stream))
        self._ring(stream)

    def close(self) -> None:
        """Send what is left for a moment, then end every stream. May be called twice."""
        with self._lock:
            self._closing = True
        self._ring(None)
        if self._thread is not None:
            self._thread.join(self._settings.send_seconds)
        elif self._bell.fileno() >= 0:
            self._shut()

    def _ring(self, stream: _Stream | None) -> None:
        with self._lock:
            if stream is not None:
                self._ready.append(stream)
            if not self._rung and self._ringer.fileno() >= 0:
                self._rung = True
                self._ringer.send(b"!")

    def _run(self) -> None:
        ends_at = float("inf")
        try:
            while self._clock() < ends_at and (self._streams or self._ready or ends_at == float("inf")):
                for key, events in self._selector.select(self._patience(ends_at)):
                    if key.data is None:
                        self._bell.recv(64)
                    elif events & _READ and not self._still_there(key.data):
                        self._drop(key.data)
                    elif events & _WRITE:
                        self._serve(key.data)
                for stream in self._news():
                    self._serve(stream)
                self._look_at_times()
                if self._closing and ends_at == float("inf"):
                    ends_at = self._clock() + _LAST_WORDS_S
        finally:
            for stream in tuple(self._streams):
                self._drop(stream)
            self._shut()

    def _shut(self) -> None:
        with self._lock:
            self._bell.close()
            self._ringer.close()
        self._selector.close()

    def _patience(self, ends_at: float) -> float:
        """Seconds until some stream's next deadline."""
        own, now = self._settings, self._clock()
        soonest = min(
            (stream.taken_at + own.send_seconds if stream.unsent else stream.beat_at for stream in self._streams),
            default=now + own.heartbeat_seconds,
        )
        return max(0.0, min(soonest, ends_at) - now)

    def _news(self) -> list[_Stream]:
        """The streams that something happened for, each once; new ones are taken in."""
        with self._lock:
            found, self._rung = list(dict.fromkeys(self._ready)), False
            self._ready.clear()
        known = []
        for stream in found:
            if stream not in self._streams and not stream.ended and stream.socket.fileno() >= 0:
                stream.socket.setblocking(False)
                self._selector.register(stream.socket, _READ, stream)
                self._streams.add(stream)
                stream.beat_at = stream.taken_at = self._clock()
                stream.beat_at += self._settings.heartbeat_seconds
            if stream in self._streams:
                known.append(stream)
        return known

    def _look_at_times(self) -> None:
        now = self._clock()
        for stream in tuple(self._streams):
            if stream.unsent:
                if now >= stream.taken_at + self._settings.send_seconds:
                    self._drop(stream)  # it takes nothing any more
            elif now >= stream.beat_at:
                self._serve(stream, beat=True)

    def _serve(self, stream: _Stream, beat: bool = False) -> None:
        """Send what is there until nothing is left or the reader takes no more. One stream's fault ends that stream alone."""
        try:
            while True:
                if not self._send(stream) or stream.ended:
                    break
                if not (beat or stream.news.pending):
                    break
                beat = False
                stream.beat_at = self._clock() + self._settings.heartbeat_seconds
                stream.pull()
                stream.taken_at = self._clock()
        except OSError:
            self._drop(stream)
            return
        except Exception:
            _LOG.exception("a stream could not be told what happened")
            self._drop(stream)
            return
        if stream.ended and not stream.unsent:
            self._drop(stream)
            return
        wanted = _READ | _WRITE if stream.unsent else _READ
        if wanted != stream.watched:
            self._selector.modify(stream.socket, wanted, stream)
            stream.watched = wanted

    def _send(self, stream: _Stream) -> bool:
        """Whether everything was sent that was there."""
        while stream.unsent:
            try:
                sent = stream.socket.send(stream.unsent)
            except _WANT:
                return False
            stream.taken_at = self._clock()
            del stream.unsent[:sent]
        return True

    @staticmethod
    def _still_there(stream: _Stream) -> bool:
        """Whether the reader has not left; what it says meanwhile is not listened to."""
        try:
            return bool(stream.socket.recv(4096))
        except _WANT:
            return True
        except OSError:
            return False

    def _drop(self, stream: _Stream) -> None:
        self._streams.discard(stream)
        with contextlib.suppress(KeyError, ValueError):  # closed meanwhile
            self._selector.unregister(stream.socket)
        _finish(stream)


def _finish(stream: _Stream) -> None:
    """Give its place back and close its connection."""
    stream.ended = True
    try:
        if hasattr(stream.response, "close"):
            stream.response.close()
    except Exception:
        _LOG.exception("a stream could not be ended")
    with contextlib.suppress(OSError):  # the other end was faster
        stream.connection.over()

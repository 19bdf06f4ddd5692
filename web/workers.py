"""The threads that answer: as many as are needed, players' apart from everybody else's.

A stream keeps its thread for as long as it is open. Players' requests never wait for a thread that somebody else has.
"""

import contextlib
import logging
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

_LOG = logging.getLogger(__name__)


class Workers:
    """Up to ``most`` threads that answer one connection after the other; one leaves after ``idle_seconds`` without work."""

    def __init__(self, most: int, done: Callable[[Any, bool], None], idle_seconds: float = 20.0, name: str = "page") -> None:
        """``done`` is told of each connection that was answered and whether it stays open."""
        self._most, self._done, self._idle_seconds, self._name = most, done, idle_seconds, name
        self._waiting: deque[Any] = deque()
        self._free = 0
        self._threads: set[threading.Thread] = set()
        self._answering: set[Any] = set()
        self._changed = threading.Condition()
        self._closed = False

    @property
    def threads(self) -> int:
        """How many there are now."""
        return len(self._threads)

    @property
    def waiting(self) -> int:
        """Connections for which no thread is free."""
        return len(self._waiting)

    def put(self, connection: Any) -> None:
        """Answer a connection's request, as soon as there is a thread for it."""
        with self._changed:
            self._waiting.append(connection)
            if self._free < len(self._waiting) and len(self._threads) < self._most and not self._closed:
                thread = threading.Thread(target=self._work, name=f"{self._name}-worker", daemon=True)
                self._threads.add(thread)
                thread.start()
            self._changed.notify()

    def stop(self, timeout: float) -> None:
        """End all threads; whose visitor does not take the rest of his answer within ``timeout`` seconds loses it."""
        with self._changed:
            self._closed = True
            threads = list(self._threads)
            left = list(self._waiting)
            self._waiting.clear()
            self._changed.notify_all()
        for connection in left:
            connection.close()
        until = time.monotonic() + timeout
        for cut in (False, True):
            if cut:
                self._cut_off()
            for thread in threads:
                thread.join(max(0.0, until - time.monotonic()) if not cut else timeout)

    def _cut_off(self) -> None:
        with self._changed:
            answering = list(self._answering)
        for connection in answering:
            with contextlib.suppress(OSError):
                connection.socket.shutdown(socket.SHUT_RDWR)

    def _next(self) -> Any | None:
        with self._changed:
            self._free += 1
            self._changed.wait_for(lambda: self._waiting or self._closed, self._idle_seconds)
            self._free -= 1
            if not self._waiting:
                self._threads.discard(threading.current_thread())
                return None
            connection = self._waiting.popleft()
            self._answering.add(connection)
            return connection

    def _work(self) -> None:
        while (connection := self._next()) is not None:
            stays = False
            try:
                stays = bool(connection.communicate())
            except Exception:
                _LOG.exception("a connection could not be answered")
            finally:
                with self._changed:
                    self._answering.discard(connection)
                self._done(connection, stays)

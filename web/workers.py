"""The server's threads: a few that stay, more while requests wait for one, and those leave again.

A request takes milliseconds, so a handful serves a table. Whoever sends a request drop by drop holds a thread meanwhile: then
more are started, up to the limit, and end when nothing was to be done for a while.
"""

import contextlib
import queue
import threading
from collections.abc import Callable
from typing import Any

from cheroot.server import HTTPServer
from cheroot.workers.threadpool import _SHUTDOWNREQUEST, ThreadPool  # type: ignore[attr-defined]  # what a thread ends by


class Workers(ThreadPool):
    """A pool of ``least`` to ``most`` threads; one above ``least`` ends after ``idle_s`` seconds without work."""

    _threads: list[Any]
    _queue: "queue.Queue[Any]"
    _spawn_worker: Callable[[], Any]

    def __init__(self, server: HTTPServer, least: int, most: int, idle_s: float) -> None:
        super().__init__(server, min=least, max=most)
        self._idle_s = idle_s
        self._counting = threading.Lock()
        self._waiting = 0
        """Threads that wait for a connection."""
        self._unclaimed = 0
        """Connections that no thread has taken yet."""
        self.get = self._next

    def put(self, obj: Any) -> None:
        """Hand a connection over; another thread is started when none is free for it."""
        with self._counting:
            self._unclaimed += 1
            short = self._unclaimed > self._waiting and len(self._threads) < self.max
            if short:
                with contextlib.suppress(RuntimeError):  # the system gives no more threads: it waits for one that has work
                    self._threads.append(self._spawn_worker())
        super().put(obj)

    def _next(self) -> Any:
        with self._counting:
            self._waiting += 1
        while True:
            try:
                found = self._queue.get(timeout=self._idle_s)
            except queue.Empty:
                if self._may_leave():
                    return _SHUTDOWNREQUEST
                continue
            with self._counting:
                self._waiting -= 1
                self._unclaimed -= found is not _SHUTDOWNREQUEST
            return found

    def _may_leave(self) -> bool:
        with self._counting:
            if self._unclaimed or len(self._threads) <= self.min:
                return False
            self._waiting -= 1
            with contextlib.suppress(ValueError):  # the pool is being stopped
                self._threads.remove(threading.current_thread())
            return True

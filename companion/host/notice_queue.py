"""Notices on their way into the record, at a bounded pace: a stuck button must not fill it, nor speak without end.

What comes and goes is damped first (:mod:`companion.host.damping`). Each kind of notice then has a bucket of its own: some may
come at once, then one in a while. What is beyond that is counted; once there is room again the count is told together with the
newest one, so that how things stand is always said in the end.
"""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from companion.devices.cameras.port import SourceNotice
from companion.host.damping import NoticeDamper
from companion.host.ports import NoticePort


@dataclass(frozen=True, slots=True)
class NoticeSettings:
    """burst       notices of one kind that may come at once, 5 .. 100: more than a whole session has of most.
    every_seconds  seconds to one more in the long run, 5 .. 300."""

    burst: int = 20
    every_seconds: float = 30.0


class _Kind:
    """How full one kind's bucket is, and what was left out of it."""

    def __init__(self, left: float, now: float) -> None:
        self.left, self.at = left, now
        self.newest: NoticePort | None = None
        self.count, self.since = 0, now


class NoticeQueue:
    """A list of notices to be recorded, oldest first. ``append`` may be called from any thread."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        settings: NoticeSettings | None = None,
        damper: NoticeDamper | None = None,
    ) -> None:
        self._clock, self._settings, self._damper = clock, settings or NoticeSettings(), damper or NoticeDamper()
        self._waiting: list[NoticePort] = []
        self._kinds: dict[str, _Kind] = {}
        self._lock = threading.Lock()

    def append(self, notice: NoticePort) -> None:
        """One more, unless its condition oscillates or its kind comes too fast."""
        with self._lock:
            now = self._clock()
            damped = self._damper.take(notice, now)
            if damped is not None:
                self._pace(damped, now)

    def extend(self, notices: Iterable[NoticePort]) -> None:
        """Several, one after the other."""
        for notice in notices:
            self.append(notice)

    def first(self) -> NoticePort | None:
        """The one to record next; None when there is none."""
        with self._lock:
            now = self._clock()
            for notice in self._damper.due(now):
                self._pace(notice, now)
            for kind in self._kinds.values():
                if kind.count and self._room(kind, now):
                    self._sum_up(kind, now)
            return self._waiting[0] if self._waiting else None

    def drop_first(self) -> None:
        """It is in the record."""
        with self._lock:
            self._waiting.pop(0)

    def _pace(self, notice: NoticePort, now: float) -> None:
        kind = self._kinds.setdefault(notice.code, _Kind(self._settings.burst, now))
        if self._room(kind, now) and not kind.count:
            kind.left -= 1
            self._waiting.append(notice)
            return
        kind.since = kind.since if kind.count else now
        kind.count, kind.newest = kind.count + 1, notice

    def _room(self, kind: _Kind, now: float) -> bool:
        kind.left = min(float(self._settings.burst), kind.left + (now - kind.at) / self._settings.every_seconds)
        kind.at = now
        return kind.left >= 1

    def _sum_up(self, kind: _Kind, now: float) -> None:
        """The newest that was left out, and how many there were before it."""
        if kind.newest is not None:
            self._waiting.append(kind.newest)
        if kind.count > 1:
            told = {"count": kind.count - 1, "seconds": max(1, round(now - kind.since))}
            text = "Notices of this kind that were left out in the last {seconds} seconds: {count}."
            self._waiting.append(SourceNotice("notices-left-out", text, told))
        kind.left, kind.count, kind.newest = kind.left - 1, 0, None

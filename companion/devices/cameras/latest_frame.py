"""Handing frames from whoever takes the pictures to whoever looks at them: one slot, the newest frame wins.

A live camera fills its slot from its own thread and is a feed itself; of every other camera the pictures are drawn by one
thread into one slot (``PolledFrames``). However slow the taker is, it gets the present, never a queue.
"""

import threading
from typing import Protocol

from companion.vision.frame import Frame


class FrameFeed(Protocol):
    """What frames are taken from, one by one."""

    @property
    def over(self) -> bool:
        """Whether no frame will come any more: the source has ended or was closed, and the last one was taken."""

    @property
    def error(self) -> Exception | None:
        """What ended it, where it did not end by itself."""

    def take(self, timeout: float) -> Frame | None:
        """The newest frame that was not taken yet, waiting up to ``timeout`` seconds for one; None when none came."""


class LatestFrame:
    """Holds at most one frame. With ``every`` the giver waits instead, so that no frame of a recording is missed. For any
    number of threads."""

    def __init__(self, *, every: bool = False) -> None:
        self._every = every
        self._frame: Frame | None = None
        self._ended = self._closed = False
        self._changed = threading.Condition()
        self.error: Exception | None = None
        self.dropped = 0
        """How many frames were overtaken by newer ones before anybody took them."""

    @property
    def over(self) -> bool:
        """As of every feed."""
        with self._changed:
            return self._closed or (self._ended and self._frame is None)

    def put(self, frame: Frame) -> bool:
        """Lay a frame in. False once the slot is closed."""
        with self._changed:
            while self._every and self._frame is not None and not self._closed:
                self._changed.wait()
            if self._closed:
                return False
            self.dropped += self._frame is not None
            self._frame = frame
            self._changed.notify_all()
            return True

    def take(self, timeout: float) -> Frame | None:
        """As of every feed. Returns at once when the source ends; after that it waits for the slot to be closed."""
        with self._changed:
            before = self._ended
            self._changed.wait_for(lambda: self._frame is not None or self._closed or self._ended != before, timeout)
            frame, self._frame = self._frame, None
            self._changed.notify_all()
            return frame

    def end(self, error: Exception | None = None) -> None:
        """No frame will come after the one that lies here, because of an ``error`` or because the source has no more."""
        with self._changed:
            self._ended, self.error = True, error
            self._changed.notify_all()

    def close(self) -> None:
        """Let everybody go who waits here."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

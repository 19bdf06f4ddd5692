"""Handing frames from the thread that fetches them to the one that reads them: one place, the newest frame wins."""

import threading

from companion.vision.frame import Frame


class Mailbox:
    """Holds at most one frame. With ``every=True`` the giver waits instead, so that no frame of a recording is missed."""

    def __init__(self, *, every: bool = False) -> None:
        self._every = every
        self._frame: Frame | None = None
        self._closed = False
        self._changed = threading.Condition()
        self.dropped = 0

    def put(self, frame: Frame) -> bool:
        """Lay a frame in. False once the mailbox is closed."""
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
        """The frame, waiting up to ``timeout`` seconds for one; None when none came."""
        with self._changed:
            self._changed.wait_for(lambda: self._frame is not None or self._closed, timeout)
            frame, self._frame = self._frame, None
            self._changed.notify_all()
            return frame

    def close(self) -> None:
        """Let everybody go who waits here."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

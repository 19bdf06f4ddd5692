"""Two cameras over one table as one source: the first one's pictures, each with the newest of the second beside it."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from companion.devices.camera_port import Camera, Listener
from companion.errors import BadInput
from companion.vision.frame import Frame


class PairCamera:
    """Shows the first camera's pictures. While it is silent (``silence`` seconds) the second one's come alone; the pair ends
    when both have ended. Each camera keeps its own clock and its own name in its frames."""

    def __init__(
        self, first: Camera, second: Camera, *, silence: float = 1.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Raises BadInput for one and the same camera twice."""
        if first.name == second.name:
            raise BadInput(f"{first.name} cannot be both cameras: name another source for the second")
        self._cameras = (first, second)
        self._silence, self._clock = silence, clock
        self.name = f"{first.name} + {second.name}"
        self.simulated = first.simulated or second.simulated
        self._changed = threading.Condition()
        self._newest: list[Frame | None] = [None, None]
        self._fresh = [False, False]
        self._ended = [False, False]
        self._errors: list[Exception | None] = [None, None]
        self._closing = False

    @property
    def names(self) -> tuple[str, str]:
        """The names of both, as their frames carry them."""
        return self._cameras[0].name, self._cameras[1].name

    def listen(self, listener: Listener) -> None:
        """Hear what either has to say."""
        for camera in self._cameras:
            camera.listen(listener)

    def frames(self) -> Iterator[Frame]:
        """Blocking iterator over the pair's pictures. An error of one camera is raised when the other has ended as well."""
        for index in (0, 1):
            threading.Thread(target=self._drain, args=(index,), name=f"pair {index}", daemon=True).start()
        shown_at = self._clock()
        while True:
            with self._changed:
                self._changed.wait_for(self._worth_waking, timeout=0.05)
                if self._closing:
                    return
                now = self._clock()
                alone = self._ended[0] or now - shown_at >= self._silence
                turn = 0 if self._fresh[0] else 1 if self._fresh[1] and alone else None
                if turn is None:
                    if all(self._ended) and not any(self._fresh):
                        break
                    continue
                frame, beside = self._newest[turn], self._newest[1] if turn == 0 else None
                self._fresh[turn] = False
                if turn == 0:
                    self._fresh[1], shown_at = False, now
            if frame is not None:
                yield replace(frame, beside=beside)
        for error in self._errors:
            if error is not None:
                raise error

    def close(self) -> None:
        """Let go of both."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        for camera in self._cameras:
            camera.close()

    def _worth_waking(self) -> bool:
        return self._closing or self._fresh[0] or all(self._ended)

    def _drain(self, index: int) -> None:
        """Keep the newest picture of one camera."""
        try:
            for frame in self._cameras[index].frames():
                with self._changed:
                    if self._closing:
                        return
                    self._newest[index], self._fresh[index] = frame, True
                    self._changed.notify_all()
        except Exception as error:
            self._errors[index] = error  # told when nothing is left to show; a live camera does not come here
        finally:
            with self._changed:
                self._ended[index] = True
                self._changed.notify_all()

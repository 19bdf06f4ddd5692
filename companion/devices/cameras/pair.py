"""Two cameras over one table as one source: the first one's pictures, each with the newest of the second beside it."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from companion.devices.cameras.latest_frame import FrameFeed
from companion.devices.cameras.port import Camera, Listener, PolledFrames
from companion.errors import BadInput
from companion.vision.frame import Frame

_TURN_S = 0.05
"""How long one camera is waited for before the other is looked at, too."""


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
        self.waits = first.waits or second.waits
        self._drawn = [
            PolledFrames(camera, name=f"pair {n}") for n, camera in enumerate((first, second)) if camera.feed is None
        ]
        drawn = iter(self._drawn)
        self._feeds: list[FrameFeed] = [camera.feed or next(drawn) for camera in (first, second)]
        self._beside: Frame | None = None
        self._is_new = self._closing = False
        self._shown_at: float | None = None

    @property
    def feed(self) -> FrameFeed:
        """Itself."""
        return self

    @property
    def over(self) -> bool:
        """Whether both have ended, and the last picture of either was taken."""
        return self._closing or (all(feed.over for feed in self._feeds) and not self._is_new)

    @property
    def error(self) -> Exception | None:
        """What ended a camera, once both have ended."""
        return next((feed.error for feed in self._feeds if feed.error is not None), None) if self.over else None

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
        while not self.over:
            frame = self.take(0.05)
            if frame is not None:
                yield frame
        if self.error is not None and not self._closing:
            raise self.error

    def take(self, timeout: float) -> Frame | None:
        """The first camera's newest picture with the second's beside it; the second's alone while the first is silent."""
        first, second = self._feeds
        if self._closing:
            return None
        self._shown_at = self._clock() if self._shown_at is None else self._shown_at
        frame = None if first.over else first.take(min(timeout, _TURN_S))
        other = second.take(0.0 if not first.over or second.over else min(timeout, _TURN_S))
        if other is not None:
            self._beside, self._is_new = other, True
        now = self._clock()
        if frame is not None:
            self._is_new, self._shown_at = False, now
            return replace(frame, beside=self._beside)
        if self._is_new and (first.over or now - self._shown_at >= self._silence):
            self._is_new = False
            return self._beside
        return None

    def close(self) -> None:
        """Let go of both."""
        self._closing = True
        for drawn in self._drawn:
            drawn.close()
        for camera in self._cameras:
            camera.close()

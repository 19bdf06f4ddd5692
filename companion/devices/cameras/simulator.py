"""A camera that is none and misbehaves on command, for tests and for trying how the rest takes it.

It simulates the *source*, below the reading thread, so that silence, freezing and losing it go the same way as with a
real one. Everything made from it carries the sign SIMULATED.
"""

import threading
import time
from collections.abc import Callable

import cv2
import numpy as np

from companion.devices.cameras.decoding import fingerprint
from companion.devices.cameras.live import LiveCamera
from companion.devices.cameras.port import CameraSettings, Shot
from companion.errors import BadInput, DeviceError
from companion.steady import stamp
from companion.vision.frame import Image

Picture = Callable[[float], Image]


class SimulatedSource:
    """A source that shows ``picture(seconds since it was switched on)`` with the grain of a sensor.

    Commands may come from any thread and hold until :meth:`recover`.
    """

    def __init__(self, picture: Picture, *, rate: float = 30.0, name: str = "simulated camera") -> None:
        self.name = name
        self._picture, self._interval = picture, 1 / rate
        self._begin = time.monotonic()
        self._next = self._begin
        self._lock = threading.Lock()
        self._mode = "well"
        self._to_drop = self._to_tear = 0
        self._size: tuple[int, int] | None = None
        self._frozen: Shot | None = None
        self._last: Shot | None = None
        self._grain = np.random.default_rng(1).integers(0, 5, (97,), np.uint8)
        self._count = 0

    def stall(self) -> None:
        """Send nothing, though connected."""
        self._set("stalled")

    def freeze(self) -> None:
        """Send the last picture again and again."""
        self._set("frozen")

    def blacken(self) -> None:
        """Send black pictures, as with the lens cap on."""
        self._set("black")

    def disconnect(self) -> None:
        """Break off and refuse to be opened."""
        self._set("gone")

    def drop(self, pictures: int = 1) -> None:
        """Leave out some pictures."""
        with self._lock:
            self._to_drop += pictures

    def tear(self, pictures: int = 1) -> None:
        """Spoil some pictures on the way."""
        with self._lock:
            self._to_tear += pictures

    def resize(self, size: tuple[int, int] | None) -> None:
        """Send pictures of another size (width, height); None for their own."""
        with self._lock:
            self._size = size

    def recover(self) -> None:
        """Behave well again."""
        self._set("well")

    def open(self) -> None:
        if self._mode == "gone":
            raise DeviceError(f"{self.name}: is unplugged")

    def read(self) -> Shot:
        while True:
            self._next = max(self._next + self._interval, time.monotonic() - self._interval)
            time.sleep(max(0.0, self._next - time.monotonic()))
            with self._lock:
                mode, size = self._mode, self._size
                dropped, self._to_drop = self._to_drop > 0, max(0, self._to_drop - 1)
                torn, self._to_tear = self._to_tear > 0, max(0, self._to_tear - 1)
            if mode == "gone":
                raise DeviceError(f"{self.name}: is unplugged")
            if torn:
                raise BadInput(f"{self.name}: torn picture")
            if mode != "stalled" and not dropped:
                return self._shot(mode, size)

    def close(self) -> None:
        """Nothing to let go of."""

    def _set(self, mode: str) -> None:
        with self._lock:
            self._mode = mode

    def _shot(self, mode: str, size: tuple[int, int] | None) -> Shot:
        if mode == "frozen" and self._last is not None:
            return Shot(self._last.image, stamp(), self._last.fingerprint)
        image = self._picture(time.monotonic() - self._begin).copy()
        if mode == "black":
            image[:] = 0
        if size is not None:
            image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        self._count += 1
        # A line of grain that differs from picture to picture: enough to be alive, too little to be motion.
        image[0, : len(self._grain), 0] = np.roll(self._grain, self._count)[: image.shape[1]]
        self._last = Shot(image, stamp(), fingerprint(image))
        return self._last


class SimulatedCamera(LiveCamera):
    """The simulated source as a camera; ``source`` takes the commands."""

    def __init__(self, picture: Picture, settings: CameraSettings | None = None, *, rate: float = 30.0) -> None:
        self.source = SimulatedSource(picture, rate=rate)
        super().__init__(self.source, settings, simulated=True)

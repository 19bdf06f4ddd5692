"""A camera that is sent its pictures: a phone's page pushes them, one at a time, and only the newest counts.

The sender waits for the answer before it takes the next picture, and here the newest overwrites the one before: so nothing
queues on either side, however slow the network or the reading is.
"""

import threading
from dataclasses import replace

from companion.devices.cameras.decoding import decode, picture_size
from companion.devices.cameras.live import LiveCamera
from companion.devices.cameras.port import CameraSettings, Shot
from companion.errors import BadInput, DeviceError
from companion.steady import stamp

MOST_BYTES = 8 * 1024 * 1024
"""A 12-megapixel JPEG of a phone has four to six; streamed ones a tenth."""
MOST_PIXELS = 50_000_000
"""Refused by the header, before anything is decoded: a small file can unfold to gigabytes."""

_STILL_SECONDS = 0.2  # a single picture is shown again so often, for a reading settles on several looks
_START = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")


class _Pushed:
    """What was pushed last, as a source that is read."""

    def __init__(self, name: str, settings: CameraSettings) -> None:
        self.name, self._settings = name, settings
        self._changed = threading.Condition()
        self._newest: tuple[bytes, float] | None = None
        self._still: Shot | None = None
        self._is_still = False
        self._shown = 0
        self._left = False
        self.overtaken = 0

    def open(self) -> None:
        """Nothing to connect to: the phone comes by itself."""

    def close(self) -> None:
        """Nothing to let go of."""

    def leave(self) -> None:
        """Have whoever waits for a picture wait no longer."""
        with self._changed:
            self._left = True
            self._changed.notify_all()

    def put(self, data: bytes, *, still: bool) -> None:
        with self._changed:
            self.overtaken += self._newest is not None
            self._newest, self._is_still = (data, stamp()), still
            self._changed.notify_all()

    def read(self) -> Shot:
        wait = _STILL_SECONDS if self._still else self._settings.read_timeout
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self._left, wait)
            newest, self._newest = self._newest, None
            still = self._is_still
        self._shown += 1
        if newest is None:
            if self._still is None:
                raise DeviceError(f"{self.name}: no picture came for {wait:g} s; open the camera's page on the phone")
            return replace(self._still, captured_at=stamp(), fingerprint=self._shown)
        self._still = None
        data, at = newest
        decoded = decode(data, self.name, self._settings)
        shot = Shot(decoded.image, at, self._shown if still else hash(data), decoded.notices(self.name))
        self._still = replace(shot, notices=()) if still else None
        return shot


class PushCamera(LiveCamera):
    """A camera whose pictures are pushed from outside. ``frames`` and ``listen`` as in every camera."""

    def __init__(self, name: str = "phone", settings: CameraSettings | None = None) -> None:
        # Waiting for a phone costs nothing, so it is looked for often.
        self._limits = replace(settings or CameraSettings(), most_bytes=MOST_BYTES, first_wait=0.05, longest_wait=0.4)
        self._pushed = _Pushed(name, self._limits)
        super().__init__(self._pushed, self._limits)

    def close(self) -> None:
        self._closing.set()
        self._pushed.leave()
        super().close()

    @property
    def overtaken(self) -> int:
        """How many pictures were overtaken by newer ones before they were even decoded."""
        return self._pushed.overtaken

    def push(self, data: bytes, *, still: bool = False) -> tuple[int, int]:
        """Take one JPEG or PNG; a ``still`` one stays until the next. Returns (width, height) as its header says.

        Raises BadInput, without having decoded anything, for what is no picture or too large.
        """
        if len(data) > MOST_BYTES:
            raise BadInput(f"the picture has {len(data) // 1024} KiB, at most {MOST_BYTES // 1024} are taken: send it smaller")
        size = picture_size(data) if data.startswith(_START) else None
        if size is None:
            raise BadInput("this is no JPEG or PNG picture")
        width, height = size
        if not (width and height) or width * height > MOST_PIXELS:
            raise BadInput(f"a picture of {width}×{height} pixels is not taken, at most {MOST_PIXELS // 1_000_000} megapixels")
        self._pushed.put(data, still=still)
        return size

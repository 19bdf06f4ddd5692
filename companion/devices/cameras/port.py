"""The camera port: what every picture source answers, what it may say besides pictures, and its settings.

Two seams, one above the other. :class:`Camera` is what the host holds: frames, notices, close. :class:`Source` is one
connection to something live (webcam, stream, snapshot address); the reading thread that keeps only the newest picture,
notices silence and connects again is written once, on top of it.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.devices.cameras.certificates import PinnedCertificates
from companion.devices.cameras.latest_frame import FrameFeed, LatestFrame
from companion.vision.frame import Frame, Image
from companion.vision.pictures.decoding import PictureLimits


@dataclass(frozen=True, slots=True)
class SourceNotice:
    """Something a source has to say besides pictures.

    ``text`` is the English sentence template (and translation key), ``params`` its words. ``code`` is one of
    ``source-lost``, ``source-silent``, ``source-frozen``, ``source-back``, ``picture-torn``, ``picture-reduced``,
    ``picture-size-changed``, ``controls-locked``, ``recording-over``; and two that are a state and no news, with no text:
    ``source-still`` and ``source-stirs``.
    """

    code: str
    text: str
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.text.format(**self.params)


Listener = Callable[[SourceNotice], None]


class Camera(Protocol):
    """Anything that shows a table. ``simulated`` sources put a permanent sign on everything made from them."""

    @property
    def name(self) -> str:
        """Where the pictures come from, in words for a person; passwords in addresses are left out."""

    @property
    def simulated(self) -> bool:
        """True when no real table is behind the pictures."""

    @property
    def waits(self) -> bool:
        """Whether this is a recording that stands still until its pictures were looked at: whoever takes them asks for the next
        one only when the last was looked at. Of every other camera the newest counts."""

    @property
    def feed(self) -> FrameFeed | None:
        """Where the newest picture lies, of a camera that takes its pictures in a thread of its own; None of one whose
        :meth:`frames` somebody has to draw."""

    def frames(self) -> Iterator[Frame]:
        """Blocking iterator over pictures; ends at the end of the source or after :meth:`close`."""

    def listen(self, listener: Listener) -> None:
        """From now on ``listener`` is called with every :class:`SourceNotice`, from whichever thread notices it."""

    def close(self) -> None:
        """Let go of the device. May be called from any thread, more than once."""


class PolledFrames:
    """The pictures of a camera, drawn by a thread into one slot. It begins with the first frame that is taken."""

    def __init__(self, camera: Camera, *, every: bool = False, name: str = "camera frames") -> None:
        self._camera, self._slot = camera, LatestFrame(every=every)
        self._thread = threading.Thread(target=self._draw, name=name, daemon=True)
        self._begun = threading.Lock()

    @property
    def over(self) -> bool:
        """As of every feed."""
        return self._slot.over

    @property
    def error(self) -> Exception | None:
        """As of every feed."""
        return self._slot.error

    def take(self, timeout: float) -> Frame | None:
        """As of every feed."""
        if self._thread.ident is None and self._begun.acquire(blocking=False):
            self._thread.start()
        return self._slot.take(timeout)

    def close(self, timeout: float = 0.0) -> None:
        """Draw no more, and wait up to ``timeout`` seconds until the camera has let go of its pictures."""
        self._slot.close()
        if timeout and self._thread.ident is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout)

    def _draw(self) -> None:
        try:
            for frame in self._camera.frames():
                if not self._slot.put(frame):
                    return
        except Exception as error:
            self._slot.end(error)
        else:
            self._slot.end()


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture from a live source, before it is numbered. ``fingerprint`` equals only for identical pictures."""

    image: Image
    captured_at: float
    fingerprint: int
    notices: tuple[SourceNotice, ...] = ()


class Source(Protocol):
    """One connection to something live. Used by a single thread, except for ``name``."""

    @property
    def name(self) -> str:
        """As :attr:`Camera.name`."""

    def open(self) -> None:
        """Connect, or connect again. Raises DeviceError naming the address, what was tried and what exists."""

    def read(self) -> Shot:
        """The next picture, blocking for a bounded time.

        Raises BadInput when only this picture is bad, DeviceError when the connection is gone.
        """

    def close(self) -> None:
        """Let go of the connection; :meth:`open` may follow."""


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """Everything tunable about sources. Times in seconds of the wall clock unless said otherwise."""

    width: int = 1920
    """Pixels asked of a webcam, 320..7680. A disc's marker then has the 24 px it needs when the board fills half of it."""
    height: int = 1080
    """Pixels asked of a webcam, 240..4320; the driver gives the nearest mode it has."""
    frames_per_second: float = 30.0
    """Asked of a webcam, 1..120."""
    lock: bool = True
    """Whether to hold exposure, focus and white balance once they have settled: a camera that hunts looks like motion."""
    lock_after: float = 1.5
    """How long automatic exposure may settle before it is held, 0..10."""
    silence: float = 1.5
    """No picture for so long is said, 0.2..1.9: two seconds are promised, and the saying itself takes a moment."""
    frozen: float = 1.7
    """Identical pictures for so long are said, 0.2..1.9. A living sensor never gives the same picture twice; of a source that
    was seen to repeat its pictures (see ``Liveliness``) nothing is said."""
    repeats: float = 0.4
    """Identical pictures for at least so long that end by themselves are a repetition, 0.2..1: longer than a picture or two
    that a driver hands out twice, shorter than the pauses of a hand."""
    lively: float = 20.0
    """Seconds, 5..60, in which no picture repeated the one before, after which the source counts as a living sensor. Nobody
    moves over a board for so long without a pause, so it is the noise of the sensor that differs."""
    still: float = 10.0
    """Identical pictures of a source that repeats them, for so long, are shown as a state, 3..60; nothing is told."""
    open_timeout: float = 5.0
    """How long a network address may take to answer, 1..30."""
    read_timeout: float = 2.0
    """How long a network read may block before the connection counts as gone, 0.5..30."""
    first_wait: float = 0.5
    """Wait before the first attempt to connect again, 0..5; doubled after each failure."""
    longest_wait: float = 8.0
    """The doubling stops here, 1..60: a camera that is plugged in again is found within this time."""
    snapshot_interval: float = 0.1
    """Pause between two requests to a snapshot address, 0..10."""
    most_pixels: int = 12_000_000
    """Larger pictures are read at a half, a quarter or an eighth: they cost seconds and show no more of the board."""
    most_readable_pixels: int = 200_000_000
    """Larger pictures are refused before decoding, for they would fill the memory."""
    most_bytes: int = 64 * 1024 * 1024
    """Larger pictures are refused before they are read whole."""
    most_video_pixels: int = 36_000_000
    """Videos and network streams with larger pictures are refused, 1..100 million: 8K has 33. A film's pictures cannot be
    decoded at a reduced size, and several of them are held at once."""
    pace: float | None = 1.0
    """Speed of recorded sources: 1 as recorded, 4 four times as fast, None every picture as fast as it is taken."""
    seconds_each: float = 2.0
    """How long a folder shows each picture, in seconds of its own clock."""
    folder_rate: float = 10.0
    """Frames a second of a folder's own clock: readers settle on several frames, so each picture comes repeatedly."""
    loop: bool = False
    """Whether a folder or file starts again at its end."""

    certificates: PinnedCertificates = field(default_factory=PinnedCertificates, compare=False)
    """Cameras over HTTPS whose own certificates were accepted; shared by all that is opened with these settings."""

    @property
    def pictures(self) -> PictureLimits:
        """The limits for one encoded picture."""
        return PictureLimits(self.most_bytes, self.most_pixels, self.most_readable_pixels)

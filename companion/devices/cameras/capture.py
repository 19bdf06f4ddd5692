"""Webcams and RTSP streams, through OpenCV's capture."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.devices.cameras.decoding import fingerprint
from companion.devices.cameras.listing import LINUX, LISTED_BY_LINUX, backend, devices
from companion.devices.cameras.port import CameraSettings, Shot, SourceNotice
from companion.devices.cameras.rtsp_refusal import why_refused
from companion.errors import BadInput, DeviceError
from companion.steady import stamp

Capture = Callable[..., Any]
_environment = threading.Lock()
_OPTIONS = "OPENCV_FFMPEG_CAPTURE_OPTIONS"  # whoever sets it himself chooses the transport as well
_MANUAL_EXPOSURE = {cv2.CAP_V4L2: ((cv2.CAP_PROP_AUTO_EXPOSURE, 1),)}  # V4L2_EXPOSURE_MANUAL; elsewhere setting it is enough


def hush() -> None:
    """Keep OpenCV's and FFmpeg's own lines off the terminal: what a person needs to know, we say ourselves."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


def check_frame_size(capture: Any, name: str, settings: CameraSettings) -> None:
    """Raises BadInput when the pictures of an opened film or stream are too large to be decoded. Asked before each one is:
    a film may change its size on the way."""
    width, height = (int(capture.get(side) or 0) for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
    if width * height > settings.most_video_pixels:
        most = settings.most_video_pixels // 1_000_000
        raise BadInput(f"{name}: picture of {width}×{height} pixels, at most {most} megapixels are read")


def devices_present(root: Path = LISTED_BY_LINUX) -> tuple[str, ...]:
    """The cameras the system knows, as ``/dev/videoN (name)``, or ``N (name)`` where they have numbers only."""
    return tuple(f"{device.address} ({device.name})" for device in devices(root=root))


def present_text(present: tuple[str, ...] | None = None, system: str = sys.platform) -> str:
    """The devices as the end of a sentence."""
    found = devices_present() if present is None else present
    if found:
        return f"cameras here: {', '.join(found)}"
    return "no camera is plugged in (there is no /dev/video*)" if system == LINUX else "no camera is found on this computer"


class Webcam:
    """A camera of this machine: resolution asked, buffer of one, exposure, focus and white balance held."""

    def __init__(self, device: str, settings: CameraSettings | None = None, capture: Capture | None = None) -> None:
        self._device, self._settings = device, settings or CameraSettings()
        self._make = capture or cv2.VideoCapture
        self._capture: Any = None
        self._lock_at: float | None = None
        self.name = f"camera {device}"

    def open(self) -> None:
        hush()
        wanted = self._settings
        target = int(self._device) if self._device.isdigit() else self._device
        interface, name = backend()
        self._capture = self._make(target, interface)
        if not self._capture.isOpened():
            self.close()
            tried = f"/dev/video{self._device}" if interface == cv2.CAP_V4L2 and self._device.isdigit() else self._device
            raise DeviceError(f"{self.name}: cannot be opened (tried {tried} with {name}); {present_text()}")
        # Compressed pictures first: over USB 2, 1080p comes at 5 frames a second otherwise.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, wanted.width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, wanted.height)
        self._capture.set(cv2.CAP_PROP_FPS, wanted.frames_per_second)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._lock_at = time.monotonic() + wanted.lock_after if wanted.lock else None

    def read(self) -> Shot:
        if self._capture is None or not self._capture.grab():
            raise DeviceError(f"{self.name}: gives no more pictures (unplugged or taken by another program)")
        captured_at = driver_time(self._capture.get(cv2.CAP_PROP_POS_MSEC), stamp(), time.monotonic())
        found, image = self._capture.retrieve()
        if not found or image is None:
            raise DeviceError(f"{self.name}: gave a picture that cannot be decoded")
        picture = np.asarray(image, np.uint8)
        return Shot(picture, captured_at, fingerprint(picture), self._locked())

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _locked(self) -> tuple[SourceNotice, ...]:
        """Once the automatics have settled, hold what the driver lets us hold and say which."""
        if self._lock_at is None or time.monotonic() < self._lock_at:
            return ()
        self._lock_at = None
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        steps = {
            "exposure": [*_MANUAL_EXPOSURE.get(backend()[0], ()), (cv2.CAP_PROP_EXPOSURE, exposure)],
            "focus": [(cv2.CAP_PROP_AUTOFOCUS, 0)],
            "white balance": [(cv2.CAP_PROP_AUTO_WB, 0)],
        }
        held = {control: all(self._capture.set(*step) for step in todo) for control, todo in steps.items()}
        words = {
            "source": self.name,
            "held": ", ".join(control for control, done in held.items() if done) or "nothing",
            "refused": ", ".join(control for control, done in held.items() if not done) or "nothing",
        }
        text = "{source}: now held: {held}; the driver does not let us hold: {refused}"
        return (SourceNotice("controls-locked", text, words),)


def driver_time(milliseconds: float, now: float, monotonic: float) -> float:
    """Capture time on the scale of ``now`` from the driver's own stamp (milliseconds of the monotonic clock).

    Falls back to ``now`` where the driver gives none or one that cannot be true (later than now, or over a second old).
    """
    age = monotonic - milliseconds / 1000
    return now - age if milliseconds > 0 and 0 <= age <= 1 else now


@contextmanager
def _ffmpeg_options(options: str) -> Iterator[None]:
    """FFmpeg's options for one opening. TCP: over UDP, lost packets tear pictures without a word. No buffering: the
    newest picture is the one wanted. OpenCV takes them from the environment only, and they would harm files opened later.
    """
    with _environment:
        before = os.environ.get(_OPTIONS)
        os.environ[_OPTIONS] = before or options
        try:
            yield
        finally:
            if before is None:
                del os.environ[_OPTIONS]


class Rtsp:
    """A network stream by FFmpeg, with time-outs on connecting and on every read."""

    def __init__(self, address: str, name: str, settings: CameraSettings | None = None, capture: Capture | None = None) -> None:
        self._address, self.name, self._settings = address, name, settings or CameraSettings()
        self._make = capture or cv2.VideoCapture
        self._capture: Any = None

    def open(self) -> None:
        hush()
        limits = [
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, int(self._settings.open_timeout * 1000),
            cv2.CAP_PROP_READ_TIMEOUT_MSEC, int(self._settings.read_timeout * 1000),
        ]  # fmt: skip
        with _ffmpeg_options("rtsp_transport;tcp|fflags;nobuffer|flags;low_delay"):
            self._capture = self._make(self._address, cv2.CAP_FFMPEG, limits)
        if not self._capture.isOpened():
            self.close()
            seconds = self._settings.open_timeout
            if why := "" if _OPTIONS in os.environ else why_refused(self._address, self._settings.read_timeout):
                raise DeviceError(f"{self.name}: no stream over RTSP: {why}")
            raise DeviceError(f"{self.name}: no stream within {seconds:g} s (tried RTSP over TCP with FFmpeg)")
        self._check_size()

    def read(self) -> Shot:
        if self._capture is None or not self._capture.grab():
            raise DeviceError(f"{self.name}: the stream broke off")
        captured_at = stamp()
        self._check_size()
        found, image = self._capture.retrieve()
        if not found or image is None:
            raise DeviceError(f"{self.name}: the stream gave a picture that cannot be decoded")
        picture = np.asarray(image, np.uint8)
        return Shot(picture, captured_at, fingerprint(picture))

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _check_size(self) -> None:
        """As a DeviceError, for the connection is of no use."""
        try:
            check_frame_size(self._capture, self.name, self._settings)
        except BadInput as error:
            self.close()
            raise DeviceError(str(error)) from error

"""Recorded sources: a video file at its own rate, a folder of pictures. Any recording is a camera."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.devices.cameras.capture import check_frame_size, hush
from companion.devices.cameras.decoding import Decoded
from companion.devices.cameras.port import CameraSettings, Listener, SourceNotice
from companion.errors import BadInput
from companion.vision.frame import Frame, Image
from companion.vision.pictures.files import SUFFIXES, read_picture_file

RECORDING_OVER = SourceNotice(
    "recording-over", "The recording is over. It can be played again, or a table of your own can be set up."
)
"""Said by a recording that stays on its last picture."""


class Pacer:
    """Holds a recording to its own clock. ``pace`` 1 as recorded, 2 twice as fast, None not at all."""

    def __init__(self, pace: float | None, stopped: threading.Event, clock: Callable[[], float] = time.monotonic) -> None:
        self._pace, self._stopped, self._clock = pace, stopped, clock
        self._start: tuple[float, float] | None = None

    def wait_until(self, moment: float) -> float:
        """Sleep until ``moment`` of the recording is due. Returns how late it is already, in seconds of the recording."""
        if self._pace is None:
            return 0.0
        now = self._clock()
        if self._start is None:
            self._start = (moment, now)
        due = self._start[1] + (moment - self._start[0]) / self._pace
        if due > now:
            self._stopped.wait(due - now)
        return max(0.0, (now - due) * self._pace)

    def put_off(self, seconds: float) -> None:
        """Let the recording stand still for so long (in its own seconds): everything after this is due so much later."""
        if self._pace is not None and self._start is not None:
            self._start = (self._start[0], self._start[1] + seconds / self._pace)


class RecordedCamera:
    """What recordings share: a name, notices, closing. ``waits``: see ``Camera``; somebody has to draw its pictures."""

    waits = False
    feed = None

    def __init__(self, name: str, settings: CameraSettings, *, simulated: bool = False) -> None:
        self.name, self.simulated, self._settings = name, simulated, settings
        self._stopped = threading.Event()
        self._listeners: list[Listener] = []
        self._unheard: list[SourceNotice] = []

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)
        unheard, self._unheard = self._unheard, []
        for notice in unheard:
            listener(notice)

    def onward(self, moment: float, step: float) -> float:
        """From which capture time on the next picture is shown to who rests on that of ``moment``: ``step`` seconds later."""
        return moment + step

    def close(self) -> None:
        self._stopped.set()

    def _say(self, notice: SourceNotice) -> None:
        if not self._listeners:
            self._unheard.append(notice)
        for listener in self._listeners:
            listener(notice)


class VideoFile(RecordedCamera):
    """A video file. Capture times are the file's own time stamps, in seconds from its beginning.

    At its own rate a slow taker misses pictures, as with a real camera; with ``pace`` None it gets every one.
    """

    def __init__(self, path: Path, settings: CameraSettings | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(str(path), settings or CameraSettings())
        self._path, self._clock = path, clock
        capture = self._open()
        try:
            if not capture.grab():
                raise BadInput(f"{self.name}: holds no picture that can be decoded")
            self._interval = 1 / rate if (rate := capture.get(cv2.CAP_PROP_FPS)) and 0 < rate <= 1000 else 1 / 30
        finally:
            capture.release()

    def frames(self) -> Iterator[Frame]:
        number, begin = 0, 0.0
        pacer = Pacer(self._settings.pace, self._stopped, self._clock)
        while True:
            last = begin
            for image, moment in self._pictures(pacer, begin):
                last = moment
                yield Frame(image, moment, self.name, number)
                number += 1
            if self._stopped.is_set() or not self._settings.loop:
                return
            begin = last + self._interval

    def _pictures(self, pacer: Pacer, begin: float) -> Iterator[tuple[Image, float]]:
        capture = self._open()
        try:
            moment, size = begin - self._interval, None
            while not self._stopped.is_set() and capture.grab():
                stamp = begin + capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
                # Files without time stamps give 0 for ever: their nominal rate then counts.
                moment = stamp if stamp > moment else moment + self._interval
                if pacer.wait_until(moment) > self._interval:
                    continue
                check_frame_size(capture, self.name, self._settings)
                found, image = capture.retrieve()
                if not found or image is None:
                    self._say(SourceNotice("picture-torn", "{source}: the picture at {seconds} s cannot be decoded",
                                           {"source": self.name, "seconds": round(moment, 2)}))  # fmt: skip
                    continue
                if size not in (None, image.shape):
                    words = {"source": self.name, "width": image.shape[1], "height": image.shape[0]}
                    text = "{source} changed the size of its pictures to {width}×{height}"
                    self._say(SourceNotice("picture-size-changed", text, words))
                size = image.shape
                yield np.asarray(image, np.uint8), moment
        except BadInput as error:  # too large from here on: the film ends
            self._say(SourceNotice("picture-torn", "a picture was left out: {why}", {"why": str(error)}))
        finally:
            capture.release()

    def _open(self) -> Any:
        hush()
        # From the root: FFmpeg takes what comes before the colon of "a:b.mp4" for a protocol.
        capture = cv2.VideoCapture(str(self._path.absolute()), cv2.CAP_FFMPEG)
        if not capture.isOpened():
            capture.release()
            raise BadInput(f"{self.name}: is not a video that can be opened")
        try:
            check_frame_size(capture, self.name, self._settings)
        except BadInput:
            capture.release()
            raise
        return capture


class PictureFolder(RecordedCamera):
    """Pictures shown one after the other, each for some seconds and as several frames, in the order of their names.

    A picture that cannot be read is said and left out.
    """

    def __init__(
        self,
        name: str,
        pictures: Sequence[Path],
        settings: CameraSettings | None = None,
        clock: Callable[[], float] = time.monotonic,
        left_out: Sequence[str] = (),
    ) -> None:
        """``left_out``: what lies beside the pictures and is not shown, in words (``vision.pictures.files.left_out``)."""
        super().__init__(name, settings or CameraSettings())
        self._pictures, self._clock = tuple(pictures), clock
        for why in left_out:
            self._say(SourceNotice("picture-torn", "a picture was left out: {why}", {"why": why}))
        if not self._pictures:
            endings = " ".join(sorted(SUFFIXES))
            raise BadInput("; ".join([f"{name}: holds no pictures (looked for {endings})", *left_out]))
        if [str(path) for path in self._pictures] == [name]:  # one file, whose own fault says more
            read_picture_file(self._pictures[0], self._settings.pictures)
        elif not any(self._readable(path) for path in self._pictures):
            raise BadInput(f"{name}: none of its {len(self._pictures)} pictures can be read")

    def frames(self) -> Iterator[Frame]:
        interval = 1 / self._settings.folder_rate
        repeats = max(1, round(self._settings.seconds_each * self._settings.folder_rate))
        pacer = Pacer(self._settings.pace, self._stopped, self._clock)
        number = tick = 0
        while True:
            for image in self._decoded():
                for repeat in range(repeats):
                    if self._stopped.is_set():
                        return
                    if pacer.wait_until(tick * interval) <= interval or repeat == repeats - 1:
                        yield Frame(image, tick * interval, self.name, number)
                        number += 1
                    tick += 1
            if not self._settings.loop:
                return

    def _readable(self, path: Path) -> bool:
        try:
            read_picture_file(path, self._settings.pictures)
        except BadInput:
            return False
        return True

    def _decoded(self) -> Iterator[Image]:
        for path in self._pictures:
            try:
                picture = read_picture_file(path, self._settings.pictures)
            except BadInput as error:
                self._say(SourceNotice("picture-torn", "a picture was left out: {why}", {"why": str(error)}))
            else:
                decoded = Decoded(picture.image, picture.reduction, picture.original_size)
                for notice in decoded.notices(str(path)):
                    self._say(notice)
                yield decoded.image

"""A camera that shows a list of readings, one a frame, and a watcher that reads them off the frame's number."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.devices.cameras.port import SourceNotice
from companion.vision.frame import Frame
from companion.vision.observation import Observation
from companion.vision.reading import Reading


@dataclass(frozen=True)
class ScriptedGlance:
    settled: Reading | None = None
    observation: Observation | None = None
    moving: bool = False
    occluded: bool = False
    notices: tuple[SourceNotice, ...] = ()
    steady: bool = False
    lost: str = ""
    pointed: str = ""
    stayed: bool = False


class ScriptedCamera:
    """Frames are shown when told to; ``end`` ends the source."""

    name = "scripted"
    simulated = True
    waits = False
    feed = None

    def __init__(self) -> None:
        self._due: list[Frame | Exception | None] = []
        self._changed = threading.Condition()
        self._listeners: list[Any] = []
        self._shown = 0

    def show(self, at: float | None = None) -> None:
        image = np.zeros((90, 160, 3), np.uint8)
        self._put(Frame(image, float(self._shown) if at is None else at, self.name, self._shown))
        self._shown += 1

    def fail(self, error: Exception) -> None:
        self._put(error)

    def end(self) -> None:
        self._put(None)

    def listen(self, listener: Any) -> None:
        self._listeners.append(listener)

    def say(self, notice: SourceNotice) -> None:
        for listener in self._listeners:
            listener(notice)

    def frames(self) -> Iterator[Frame]:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._due)
                item = self._due.pop(0)
            if item is None:
                return
            if isinstance(item, Exception):
                raise item
            yield item

    def close(self) -> None:
        self._put(None)

    def _put(self, item: Frame | Exception | None) -> None:
        with self._changed:
            self._due.append(item)
            self._changed.notify_all()


@dataclass
class ScriptedWatcher:
    """Answers each frame with the next of ``analyses``; afterwards with nothing new."""

    analyses: list[ScriptedGlance | Exception] = field(default_factory=list)

    def see(self, frame: Frame) -> ScriptedGlance:
        if not self.analyses:
            return ScriptedGlance()
        analysis = self.analyses.pop(0)
        if isinstance(analysis, Exception):
            raise analysis
        return analysis

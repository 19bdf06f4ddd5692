"""Two sources as one: pictures side by side, one that falls silent, one that ends, one that breaks."""

import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from companion.devices.cameras.pair import PairCamera
from companion.devices.cameras.port import Listener, SourceNotice
from companion.errors import BadInput, DeviceError
from companion.vision.frame import Frame


class Fed:
    """A camera whose pictures the test hands out one by one."""

    def __init__(self, name: str) -> None:
        self.name, self.simulated = name, name == "sim"
        self.waits, self.feed = False, None
        self._queue: list[Frame | Exception | None] = []
        self._more = threading.Condition()
        self.listeners: list[Listener] = []
        self.closed = False
        self._number = 0

    def give(self, thing: Exception | None = None, *, end: bool = False) -> None:
        with self._more:
            made = Frame(np.full((4, 4, 3), self._number, np.uint8), float(self._number), self.name, self._number)
            self._queue.append(None if end else thing or made)
            self._number += 1
            self._more.notify_all()

    def frames(self) -> Iterator[Frame]:
        while True:
            with self._more:
                self._more.wait_for(lambda: self._queue or self.closed, 5.0)
                if self.closed or not self._queue:
                    return
                thing = self._queue.pop(0)
            if thing is None:
                return
            if isinstance(thing, Exception):
                raise thing
            yield thing

    def listen(self, listener: Listener) -> None:
        self.listeners.append(listener)

    def close(self) -> None:
        with self._more:
            self.closed = True
            self._more.notify_all()


@pytest.fixture
def cameras() -> Iterator[tuple[Fed, Fed, PairCamera, Iterator[Frame]]]:
    left, right = Fed("left"), Fed("right")
    pair = PairCamera(left, right, silence=0.5)
    yield left, right, pair, pair.frames()
    pair.close()


def settle(*cameras: Fed) -> None:
    """Until their pictures were taken, and a moment for them to be laid where the pair looks."""
    while any(camera._queue for camera in cameras):
        time.sleep(0.005)
    time.sleep(0.08)


def test_each_picture_of_the_first_brings_the_newest_of_the_second(cameras) -> None:
    left, right, pair, frames = cameras
    for camera in (right, right, left):
        camera.give()
    first = next(frames)
    assert first.source == "left"
    settle(right)
    left.give()
    second = next(frames)
    assert second.beside is not None
    assert (second.beside.source, second.beside.number) == ("right", 1)
    assert pair.names == ("left", "right")
    assert pair.name == "left + right"


def test_a_silent_first_camera_leaves_the_second_one_alone(cameras) -> None:
    left, right, _, frames = cameras
    left.give()
    assert next(frames).source == "left"
    right.give()
    alone = next(frames)
    assert alone.source == "right"
    assert alone.beside is None
    left.give()
    settle()
    assert next(frames).source == "left"


def test_the_pair_ends_with_the_last_of_both_and_an_error_is_not_lost(cameras) -> None:
    left, right, _, frames = cameras
    left.give(DeviceError("left: unplugged"))
    right.give()
    assert next(frames).source == "right"
    right.give(end=True)
    with pytest.raises(DeviceError, match="unplugged"):
        next(frames)


def test_both_are_heard_and_both_are_let_go() -> None:
    left, right = Fed("sim"), Fed("right")
    pair = PairCamera(left, right)
    heard: list[str] = []
    pair.listen(lambda notice: heard.append(notice.code))
    for camera in (left, right):
        camera.listeners[0](SourceNotice("source-lost", "{source}", {"source": camera.name}))
    assert heard == ["source-lost", "source-lost"]
    assert pair.simulated
    pair.close()
    assert left.closed
    assert right.closed
    assert list(pair.frames()) == []


def test_one_camera_cannot_be_both() -> None:
    with pytest.raises(BadInput, match="cannot be both"):
        PairCamera(Fed("left"), Fed("left"))

"""One slot between a camera and whoever looks: the newest frame wins, an end is told after the last frame, nobody hangs."""

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from companion.devices.cameras.latest_frame import LatestFrame
from companion.devices.cameras.live import LiveCamera
from companion.devices.cameras.pair import PairCamera
from companion.devices.cameras.port import CameraSettings, Shot
from companion.devices.cameras.recorded import RecordedCamera
from companion.errors import DeviceError
from companion.host.preview import SharedCamera
from companion.vision.frame import Frame

IMAGE = np.zeros((4, 4, 3), np.uint8)


def frame(number: int) -> Frame:
    return Frame(IMAGE, float(number), "made", number)


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while not holds() and time.monotonic() < until:
        time.sleep(0.01)
    return holds()


def test_the_newest_frame_wins_and_what_was_overtaken_is_counted() -> None:
    slot = LatestFrame()
    assert all(slot.put(frame(number)) for number in range(3))
    taken = slot.take(0)
    assert taken is not None and taken.number == 2 and slot.dropped == 2
    assert slot.take(0) is None and not slot.over


def test_a_giver_that_waits_loses_no_frame() -> None:
    slot = LatestFrame(every=True)
    giver = threading.Thread(target=lambda: [slot.put(frame(number)) for number in range(20)], daemon=True)
    giver.start()
    numbers = [taken.number for _ in range(20) if (taken := slot.take(5)) is not None]
    assert numbers == list(range(20)) and slot.dropped == 0


def test_a_source_is_over_only_when_its_last_frame_was_taken() -> None:
    slot = LatestFrame()
    slot.put(frame(7))
    slot.end(DeviceError("unplugged"))
    assert not slot.over
    last = slot.take(0)
    assert last is not None and last.number == 7 and slot.over and str(slot.error) == "unplugged"


def test_whoever_waits_goes_when_the_slot_is_closed() -> None:
    slot, gone = LatestFrame(every=True), list[object]()
    slot.put(frame(0))
    giver = threading.Thread(target=lambda: gone.append(slot.put(frame(1))), daemon=True)
    giver.start()
    slot.close()
    giver.join(5)
    assert gone == [False] and slot.over


class Ticking:
    """A live source with a picture every few milliseconds."""

    def __init__(self, name: str) -> None:
        self.name, self.count = name, 0

    def open(self) -> None:
        """Nothing to open."""

    def read(self) -> Shot:
        time.sleep(0.005)
        self.count += 1
        return Shot(IMAGE, float(self.count), self.count)

    def close(self) -> None:
        """Nothing to close."""


@pytest.mark.parametrize("lent", [False, True])
def test_two_live_cameras_need_no_thread_but_their_own(lent: bool) -> None:
    first, second = (LiveCamera(Ticking(name), CameraSettings()) for name in ("left", "right"))
    before = threading.active_count()
    pair = PairCamera(first, second)
    feed = (SharedCamera(pair) if lent else pair).feed
    assert feed is not None
    seen = [feed.take(0.5) for _ in range(20)]
    assert threading.active_count() == before, "six threads lay between two cameras and the table once"
    with_both = [one for one in seen if one is not None and one.beside is not None]
    assert with_both and {one.source for one in with_both} == {"left"}
    pair.close()
    assert feed.over and feed.take(0.0) is None


def test_every_camera_says_whether_it_waits_and_whether_it_has_a_feed() -> None:
    recorded = RecordedCamera("film", CameraSettings())
    assert recorded.waits is False and recorded.feed is None
    live = LiveCamera(Ticking("left"), CameraSettings())
    assert live.waits is False and live.feed is live
    live.close()
    assert within(2, lambda: live.over)

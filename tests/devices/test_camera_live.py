"""A live camera: newest frame wins, silence and freezing are said within two seconds, lost sources are found again."""

import queue
import threading
import time

import numpy as np
import pytest

from companion.devices.cameras.live import Health, LiveCamera
from companion.devices.cameras.port import CameraSettings, Shot
from companion.devices.cameras.simulator import SimulatedCamera
from companion.errors import DeviceError

QUICK = CameraSettings(silence=0.6, frozen=0.6, first_wait=0.05, longest_wait=0.2, read_timeout=0.5)


def grey(seconds):
    return np.full((48, 128, 3), 120, np.uint8)


def shot(value=0, fingerprint=None):
    return Shot(np.full((4, 4, 3), value, np.uint8), 0.0, value if fingerprint is None else fingerprint)


class Taker:
    """Takes frames and notices on a thread of its own."""

    def __init__(self, camera):
        self.camera, self.frames, self.notices = camera, [], []
        camera.listen(self.notices.append)
        self.thread = threading.Thread(target=self._take)
        self.thread.start()

    def _take(self):
        for frame in self.camera.frames():
            self.frames.append(frame)

    def codes(self):
        return [notice.code for notice in self.notices]

    def wait_for(self, condition, seconds=30.0):
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"waited in vain; notices {self.codes()}, {len(self.frames)} frames"
            time.sleep(0.01)

    def wait_for_notice(self, code):
        self.wait_for(lambda: code in self.codes())


@pytest.fixture
def simulated():
    camera = SimulatedCamera(grey, QUICK, rate=60)
    taker = Taker(camera)
    taker.wait_for(lambda: len(taker.frames) >= 3)
    yield camera.source, taker
    camera.close()
    taker.thread.join(5)
    assert not taker.thread.is_alive()


def test_the_simulator_says_that_it_is_one(simulated):
    _, taker = simulated
    assert taker.camera.simulated
    assert taker.codes() == []
    assert [frame.number for frame in taker.frames] == sorted({frame.number for frame in taker.frames})


@pytest.mark.parametrize(
    ("trouble", "code"), [("stall", "source-silent"), ("freeze", "source-frozen"), ("disconnect", "source-lost")]
)
def test_trouble_is_said_once_and_its_end_too(simulated, trouble, code):
    source, taker = simulated
    getattr(source, trouble)()
    taker.wait_for_notice(code)
    time.sleep(0.8)
    assert taker.codes().count(code) == 1
    source.recover()
    taker.wait_for_notice("source-back")
    count = len(taker.frames)
    taker.wait_for(lambda: len(taker.frames) > count + 2)
    assert taker.codes() == [code, "source-back"]


def test_torn_pictures_are_left_out_and_said_once(simulated):
    source, taker = simulated
    source.tear(5)
    taker.wait_for_notice("picture-torn")
    count = len(taker.frames)
    taker.wait_for(lambda: len(taker.frames) > count + 2)
    assert taker.codes() == ["picture-torn"]


def test_dropped_and_black_pictures_go_by_without_an_end(simulated):
    source, taker = simulated
    source.drop(5)
    source.blacken()
    taker.wait_for(lambda: taker.frames[-1].image[10:].max() == 0)
    source.recover()
    taker.wait_for(lambda: taker.frames[-1].image[10:].max() == 120)


def test_another_size_is_tolerated_and_said(simulated):
    source, taker = simulated
    source.resize((256, 96))
    taker.wait_for_notice("picture-size-changed")
    taker.wait_for(lambda: taker.frames[-1].size == (256, 96))
    assert taker.notices[0].message == "simulated camera changed the size of its pictures to 256×96"


def test_a_slow_taker_gets_the_newest_picture_not_a_queue():
    camera = SimulatedCamera(grey, QUICK, rate=100)
    try:
        frames = camera.frames()
        first = next(frames)
        end = time.monotonic() + 30
        while camera.dropped <= 20:
            assert time.monotonic() < end, camera.dropped
            time.sleep(0.01)
        assert next(frames).number - first.number > 20
    finally:
        camera.close()


def test_a_missing_camera_fails_at_once():
    class Missing:
        name = "camera 9"

        def open(self):
            raise DeviceError("camera 9: cannot be opened")

    with pytest.raises(DeviceError, match="camera 9"):
        LiveCamera(Missing(), QUICK)


def test_a_driver_that_raises_anything_is_tried_again():
    class Odd:
        name = "odd"

        def __init__(self):
            self.opened = self.reads = 0

        def open(self):
            self.opened += 1

        def read(self):
            self.reads += 1
            if self.reads == 2:
                raise ValueError("surprise")
            time.sleep(0.01)
            return shot(self.reads % 200)

        def close(self):
            if self.reads == 2:
                raise ValueError("and another one")

    source = Odd()
    camera = LiveCamera(source, QUICK)
    try:
        taker = Taker(camera)
        taker.wait_for_notice("source-back")
        assert source.opened == 2
        assert "surprise" in taker.notices[0].message
    finally:
        camera.close()
        taker.thread.join(5)


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (RuntimeError(), "its driver failed (RuntimeError)"),
        (ValueError("select()\n  timeout"), "its driver failed (ValueError: 'select() timeout')"),
        (RuntimeError("x" * 500), f"its driver failed (RuntimeError: '{'x' * 80}'…)"),
        (DeviceError("camera 9: gone"), "camera 9: gone"),
    ],
)
def test_what_a_driver_raises_is_one_short_sentence_for_players(error, why):
    class Stumbling:
        name = "stumbling"

        def open(self):
            pass

        def read(self):
            raise error

        def close(self):
            pass

    camera, heard = LiveCamera(Stumbling()), queue.Queue()
    camera.listen(heard.put)
    try:
        assert heard.get(timeout=10).params["why"] == why
    finally:
        camera.close()


def test_notices_before_anybody_listens_are_kept():
    camera = SimulatedCamera(grey, QUICK, rate=60)
    try:
        camera.source.tear(1)
        frames = camera.frames()
        until = next(frames).number + 5
        while next(frames).number < until:
            pass
        heard = []
        camera.listen(heard.append)
        assert [notice.code for notice in heard] == ["picture-torn"]
    finally:
        camera.close()


def test_the_promise_of_two_seconds_holds_with_the_default_settings():
    settings = CameraSettings()
    health = Health("door", settings, 0.0)
    assert health.arrived(shot(1), 0.1) == []
    assert health.checked(1.5) == []
    assert [notice.code for notice in health.checked(1.9)] == ["source-silent"]
    health = Health("door", settings, 0.0)
    codes = [notice.code for step in range(60) for notice in health.arrived(shot(1), step / 30)]
    assert codes == ["source-frozen"]


def test_a_frozen_picture_that_then_breaks_off_is_said_too():
    health = Health("door", CameraSettings(), 0.0)
    health.arrived(shot(1), 0.0)
    assert [n.code for n in health.arrived(shot(1), 1.9)] == ["source-frozen"]
    assert [n.code for n in health.lost("cable")] == ["source-lost"]
    assert [n.code for n in health.arrived(shot(2), 5.0)] == ["source-back"]


def played(health, *parts, rate=10):
    """Codes told while pictures come: each part is (seconds, whether they differ); returns them with their times."""
    told, now, value = [], 0.0, 0
    for seconds, differing in parts:
        for _ in range(round(seconds * rate)):
            now += 1 / rate
            value += differing
            told += [(notice.code, round(now, 1)) for notice in health.arrived(shot(1, value), now)]
    return told


def test_a_living_camera_that_freezes_is_said_within_two_seconds_each_time():
    told = played(Health("door", CameraSettings(), 0.0), (30, True), (5, False), (30, True), (5, False), (30, True))
    assert [code for code, _ in told] == ["source-frozen", "source-back"] * 2
    assert told[0][1] <= 32.0 and told[2][1] <= 67.0


def test_a_still_scene_of_a_camera_without_noise_is_no_freeze_and_shown_as_a_state_only():
    health = Health("screen", CameraSettings(), 0.0)
    rests = [(1.0, False), (3, True), (60, False), (4, True), (1.5, False), (2, True), (300, False), (1, True)]
    told = [code for code, _ in played(health, (3, True), *rests)]
    assert set(told) == {"source-still", "source-stirs"}
    assert told.count("source-still") == 2


def test_a_camera_without_noise_is_doubted_wrongly_at_most_once():
    health = Health("screen", CameraSettings(), 0.0)
    told = [code for code, _ in played(health, (30, False), *[(5, True), (30, False)] * 10)]
    assert told.count("source-frozen") == 1


def test_pictures_that_come_again_after_silence_end_it_even_if_the_scene_is_at_rest():
    health = Health("screen", CameraSettings(), 0.0)
    played(health, (3, True), (1, False), (3, True))
    assert [n.code for n in health.checked(20.0)] == ["source-silent"]
    assert [n.code for n in health.arrived(shot(1, 60), 21.0)] == ["source-back"]


def test_a_living_camera_that_comes_back_with_its_old_picture_is_frozen_and_not_back():
    health = Health("door", CameraSettings(), 0.0)
    played(health, (30, True))
    assert [n.code for n in health.lost("Wi-Fi")] == ["source-lost"]
    told = [n.code for step in range(40) for n in health.arrived(shot(1, 300), 40 + step / 10)]
    assert told == ["source-frozen"]


def test_whoever_listens_later_hears_what_still_holds(simulated):
    source, taker = simulated
    source.freeze()
    taker.wait_for_notice("source-frozen")
    later = []
    taker.camera.listen(later.append)
    assert [notice.code for notice in later] == ["source-frozen"]


@pytest.mark.parametrize(
    ("why", "told"),
    [
        ("unplugged", "http://cam/v is lost and will be tried again: unplugged"),
        (
            "http://cam/v: answers 404 Not Found",
            "The camera is lost and will be tried again. http://cam/v: answers 404 Not Found",
        ),
        ("http://cam/video2: gone", "http://cam/v is lost and will be tried again: http://cam/video2: gone"),
    ],
)
def test_a_source_that_is_lost_is_named_once(why, told):
    """It was "http://cam/v is lost and will be tried again: http://cam/v: answers 404 Not Found"."""
    (notice,) = Health("http://cam/v", CameraSettings(), 0.0).lost(why)
    assert notice.text.format(**notice.params) == told

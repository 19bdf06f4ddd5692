"""A camera that is sent its pictures: the newest wins, and nothing is decoded before its size is known."""

import struct
import time
import zlib
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from companion.devices.cameras.addresses import open_camera
from companion.devices.cameras.port import CameraSettings, SourceNotice
from companion.devices.cameras.push import MOST_BYTES, PushCamera
from companion.errors import BadInput


def picture(shade: int, size: tuple[int, int] = (64, 48)) -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((size[1], size[0], 3), shade, np.uint8))[1])


def huge_png(side: int) -> bytes:
    """A small file that says it is enormous."""
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + header
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk)) + b"\0" * 12 + b"IEND"


def wait(until: Callable[[], bool], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def test_pictures_arrive_in_order_and_only_the_newest_counts() -> None:
    camera = PushCamera(settings=CameraSettings(read_timeout=0.5))
    frames = camera.frames()
    try:
        assert camera.push(picture(40)) == (64, 48)
        assert abs(int(next(frames).image.mean()) - 40) <= 2
        for shade in range(50, 250, 10):
            camera.push(picture(shade))
        wait(lambda: camera.dropped + camera.overtaken == 19)
        assert abs(int(next(frames).image.mean()) - 240) <= 2
        assert (camera.name, camera.simulated) == ("phone", False)
    finally:
        camera.close()


def test_a_single_picture_stays_until_the_next() -> None:
    camera = PushCamera(settings=CameraSettings(frozen=0.4))
    heard: list[SourceNotice] = []
    camera.listen(heard.append)
    frames = camera.frames()
    try:
        camera.push(picture(90), still=True)
        shown = [next(frames) for _ in range(4)]
        assert {abs(int(frame.image.mean()) - 90) <= 2 for frame in shown} == {True}
        assert sorted(frame.captured_at for frame in shown) == [frame.captured_at for frame in shown]
        assert shown[-1].captured_at - shown[0].captured_at > 0.4
        assert heard == []
        camera.push(picture(160), still=True)
        assert any(abs(int(next(frames).image.mean()) - 160) <= 2 for _ in range(3))
    finally:
        camera.close()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no JPEG"),
        (b"GIF89a" + bytes(40), "no JPEG"),
        (b"\xff\xd8\xff" + bytes(5), "no JPEG"),
        (huge_png(60_000), "megapixels"),
        (b"\xff\xd8\xff" + bytes(MOST_BYTES), "KiB"),
    ],
)
def test_what_is_no_picture_or_too_large_is_refused_undecoded(data: bytes, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = PushCamera(settings=CameraSettings(read_timeout=0.5))
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("decoded"))
    try:
        with pytest.raises(BadInput, match=why):
            camera.push(data)
    finally:
        camera.close()


def test_a_torn_picture_is_said_and_the_next_one_taken() -> None:
    camera = PushCamera(settings=CameraSettings(read_timeout=0.5))
    heard: list[str] = []
    camera.listen(lambda notice: heard.append(notice.code))
    frames = camera.frames()
    try:
        camera.push(picture(90, (640, 480))[:-700])
        wait(lambda: "picture-torn" in heard)
        camera.push(picture(120))
        assert abs(int(next(frames).image.mean()) - 120) <= 2
    finally:
        camera.close()


def test_a_phone_that_is_silent_is_said_with_what_to_do() -> None:
    camera = open_camera("phone", CameraSettings(read_timeout=0.3, silence=5))
    heard: list[SourceNotice] = []
    camera.listen(heard.append)
    try:
        wait(lambda: bool(heard))
        assert heard[0].code == "source-lost"
        assert "open the camera's page" in heard[0].message
    finally:
        camera.close()


def test_who_lets_go_of_it_does_not_wait_for_a_picture_and_nothing_is_lost() -> None:
    camera = PushCamera(settings=CameraSettings(read_timeout=60))
    heard: list[SourceNotice] = []
    camera.listen(heard.append)
    begun = time.monotonic()
    camera.close()
    assert time.monotonic() - begun < 20
    assert heard == []

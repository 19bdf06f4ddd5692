"""Opening by address: what is missing is named with what was tried and what exists; passwords are never shown."""

import cv2
import numpy as np
import pytest

from companion.devices.cameras import capture as camera_capture
from companion.devices.cameras.addresses import CameraSettings, open_camera, without_password
from companion.devices.cameras.capture import Rtsp, Webcam, devices_present, driver_time, present_text
from companion.devices.cameras.live import LiveCamera
from companion.errors import BadInput, DeviceError


class FakeCapture:
    """Stands where cv2.VideoCapture stands."""

    def __init__(self, *arguments, opened=True, pictures=5, refuses=()):
        self.arguments, self.opened, self.pictures, self.refuses = arguments, opened, pictures, refuses
        self.settings, self.released = [], False

    def isOpened(self):  # noqa: N802
        return self.opened

    def set(self, setting, value):
        self.settings.append((setting, value))
        return setting not in self.refuses

    def get(self, setting):
        return 156.0 if setting == cv2.CAP_PROP_EXPOSURE else 0.0

    def grab(self):
        self.pictures -= 1
        return self.pictures >= 0

    def retrieve(self):
        return True, np.full((48, 64, 3), self.pictures, np.uint8)

    def release(self):
        self.released = True


def test_a_missing_webcam_names_what_was_tried_and_what_exists(monkeypatch):
    monkeypatch.setattr(camera_capture, "devices_present", lambda: ("/dev/video4 (Gooseneck)",))
    with pytest.raises(DeviceError) as caught:
        open_camera("57")
    assert str(caught.value) == (
        "camera 57: cannot be opened (tried /dev/video57 with V4L2); cameras here: /dev/video4 (Gooseneck)"
    )


def test_devices_are_listed_with_their_names(tmp_path):
    for number, name in ((10, "Phone"), (2, "Webcam")):
        (tmp_path / f"video{number}").mkdir()
        (tmp_path / f"video{number}" / "name").write_text(name + "\n")
    assert devices_present(tmp_path) == ("/dev/video2 (Webcam)", "/dev/video10 (Phone)")
    assert present_text(()) == "no camera is plugged in (there is no /dev/video*)"


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nowhere/at/all.mp4", "no such file or folder; allowed are a camera's number or name"),
        ("gopher://table", "gopher:// is not known"),
        ("http://", "names no host"),
        ("http://table:99999/", "[Pp]ort"),
        ("", "no such file or folder"),
    ],
)
def test_addresses_that_are_none_are_refused_in_one_line(address, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match=words) as caught:
        open_camera(address or "none")
    assert "\n" not in str(caught.value)


def test_passwords_and_keys_are_not_shown():
    assert without_password("rtsp://me:secret@10.0.0.7:554/live?key=abc") == "rtsp://…@10.0.0.7:554/live?…"
    with pytest.raises(DeviceError) as caught:
        open_camera("http://me:secret@127.0.0.1:9/cam?token=abc", CameraSettings(open_timeout=1))
    assert "secret" not in str(caught.value)
    assert "abc" not in str(caught.value)
    assert "127.0.0.1:9/cam" in str(caught.value)


def test_the_webcam_is_asked_for_its_mode_and_a_buffer_of_one():
    made = []
    webcam = Webcam("0", CameraSettings(width=1280, height=720), lambda *a: made.append(FakeCapture(*a)) or made[-1])
    webcam.open()
    asked = dict(made[0].settings)
    assert made[0].arguments == (0, cv2.CAP_V4L2)
    assert (asked[cv2.CAP_PROP_FRAME_WIDTH], asked[cv2.CAP_PROP_FRAME_HEIGHT]) == (1280, 720)
    assert asked[cv2.CAP_PROP_BUFFERSIZE] == 1
    webcam.close()
    assert made[0].released


def test_exposure_focus_and_white_balance_are_held_where_the_driver_allows():
    capture = FakeCapture(refuses=(cv2.CAP_PROP_AUTO_WB,))
    webcam = Webcam("/dev/video0", CameraSettings(lock_after=0), lambda *a: capture)
    webcam.open()
    (notice,) = webcam.read().notices
    assert notice.message == "camera /dev/video0: now held: exposure, focus; the driver does not let us hold: white balance"
    assert (cv2.CAP_PROP_EXPOSURE, 156.0) in capture.settings
    assert webcam.read().notices == ()
    unlocked = Webcam("0", CameraSettings(lock=False), lambda *a: FakeCapture())
    unlocked.open()
    assert unlocked.read().notices == ()


def test_an_unplugged_webcam_is_opened_again():
    made = []

    def make(*arguments):
        made.append(FakeCapture(*arguments, pictures=3))
        return made[-1]

    camera = LiveCamera(Webcam("0", CameraSettings(), make), CameraSettings(first_wait=0.01))
    heard = []
    camera.listen(heard.append)
    try:
        for frame in camera.frames():
            if len(made) > 3:
                assert frame.source == "camera 0"
                break
    finally:
        camera.close()
    assert "source-lost" in [notice.code for notice in heard]
    assert all(capture.released for capture in made[:-1])


def test_a_stream_has_time_outs_and_a_plain_sentence():
    made = []
    stream = Rtsp(
        "rtsp://x/y", "rtsp://x/y", CameraSettings(), lambda *a: made.append(FakeCapture(*a, opened=False)) or made[-1]
    )
    with pytest.raises(DeviceError, match=r"rtsp://x/y: no stream over RTSP: "):
        stream.open()
    limits = made[0].arguments[2]
    assert limits[limits.index(cv2.CAP_PROP_READ_TIMEOUT_MSEC) + 1] == 2000
    assert limits[limits.index(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC) + 1] == 5000


def test_the_drivers_stamp_is_taken_when_it_can_be_true():
    assert driver_time(99_900.0, now=1000.0, monotonic=100.0) == pytest.approx(999.9)
    assert driver_time(0.0, now=1000.0, monotonic=100.0) == 1000.0
    assert driver_time(200_000.0, now=1000.0, monotonic=100.0) == 1000.0
    assert driver_time(50_000.0, now=1000.0, monotonic=100.0) == 1000.0


@pytest.mark.parametrize(
    "address",
    ["9" * 400, "99999999999999999999", "256", "٣", "/" + "a" * 5000, "a" * 5000, "a/" * 900 + "b" * 300,
     "~nobody-of-this-name/x", "a\0b", "a\nb", "\ud800"],
)  # fmt: skip
def test_an_address_beyond_all_bounds_is_refused_in_one_sentence(address: str) -> None:
    """An absurd camera number and a path of 5,000 letters gave a traceback, and 500 on the page."""
    with pytest.raises(BadInput, match=r"^camera '"):
        open_camera(address)

"""Recordings as cameras: a video's own times and rate, a folder in counting order, unreadable pictures left out."""

import itertools
import threading

import cv2
import numpy as np
import pytest

from companion.devices.cameras.addresses import CameraSettings, open_camera
from companion.devices.cameras.recorded import Pacer
from companion.errors import BadInput
from companion.vision.pictures.files import picture_paths

FAST = CameraSettings(pace=None)


@pytest.fixture
def video(tmp_path):
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20, (160, 120))
    for shade in range(40):
        writer.write(np.full((120, 160, 3), shade * 6, np.uint8))
    writer.release()
    return path


def write(path, shade, size=(64, 48)):
    cv2.imwrite(str(path), np.full((size[1], size[0], 3), shade, np.uint8))


def test_a_video_gives_every_picture_with_the_files_own_times(video):
    frames = list(open_camera(str(video), FAST).frames())
    assert len(frames) == 40
    assert [frame.captured_at for frame in frames] == pytest.approx([n / 20 for n in range(40)], abs=0.002)
    assert abs(int(frames[30].image.mean()) - 180) < 4
    assert not open_camera(str(video), FAST).simulated


def test_a_slow_taker_of_a_video_misses_pictures_but_not_time(video):
    now = [0.0]
    camera = open_camera(str(video), CameraSettings(pace=1.0))
    camera._clock = lambda: now[0]
    camera._stopped.wait = lambda seconds: now.__setitem__(0, now[0] + seconds)
    seen = []
    for frame in camera.frames():
        seen.append((frame.captured_at, now[0]))
        now[0] += 0.4  # the taker needs eight pictures' time for each
    assert len(seen) <= 7
    assert all(abs(moment - clock) < 0.11 for moment, clock in seen)


def test_pace_stretches_and_shortens_time():
    now, slept = [100.0], []
    stopped = threading.Event()
    stopped.wait = slept.append
    pacer = Pacer(4.0, stopped, lambda: now[0])
    assert pacer.wait_until(7.0) == 0
    pacer.wait_until(9.0)
    assert slept == [pytest.approx(0.5)]
    now[0] = 101.0
    assert pacer.wait_until(9.0) == pytest.approx(2.0)
    assert Pacer(None, stopped).wait_until(1e9) == 0


def test_a_looping_video_goes_on_in_time(video):
    frames = []
    camera = open_camera(str(video), CameraSettings(pace=None, loop=True))
    for frame in camera.frames():
        frames.append(frame)
        if len(frames) == 90:
            camera.close()
    times = [frame.captured_at for frame in frames]
    assert len(times) == 90
    assert all(later > earlier for earlier, later in itertools.pairwise(times))


def test_a_folder_comes_in_counting_order_each_picture_for_its_time(tmp_path):
    for number in (10, 2, 1):
        write(tmp_path / f"{number}.png", number * 20)
    (tmp_path / "notes.txt").write_text("no picture")
    assert [path.name for path in picture_paths(tmp_path)] == ["1.png", "2.png", "10.png"]
    settings = CameraSettings(pace=None, seconds_each=0.5, folder_rate=10)
    frames = list(open_camera(str(tmp_path), settings).frames())
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [20] * 5 + [40] * 5 + [200] * 5
    assert [frame.captured_at for frame in frames] == pytest.approx([n / 10 for n in range(15)])


def test_an_unreadable_picture_is_said_and_left_out(tmp_path):
    write(tmp_path / "1.jpg", 50)
    write(tmp_path / "3.jpg", 90)
    (tmp_path / "2.jpg").write_bytes((tmp_path / "1.jpg").read_bytes()[:300])
    camera, heard = open_camera(str(tmp_path), CameraSettings(pace=None, seconds_each=0.1)), []
    camera.listen(heard.append)
    assert [int(frame.image[0, 0, 0]) for frame in camera.frames()] == [50, 90]
    assert [notice.code for notice in heard] == ["picture-torn"]
    assert "2.jpg: torn picture" in heard[0].message


def test_a_folder_of_nothing_readable_ends_in_one_sentence(tmp_path):
    (tmp_path / "1.jpg").write_bytes(b"nothing")
    with pytest.raises(BadInput, match="none of its 1 pictures can be read"):
        open_camera(str(tmp_path), FAST)


def test_an_empty_folder_and_a_file_that_is_no_video_are_refused(tmp_path):
    with pytest.raises(BadInput, match="holds no pictures"):
        open_camera(str(tmp_path))
    (tmp_path / "x.mp4").write_bytes(b"no video at all")
    with pytest.raises(BadInput, match="not a video that can be opened"):
        open_camera(str(tmp_path / "x.mp4"))

"""The bundled table as a camera: pieces change under hands only, rests show the recorded pictures, the sign is on."""

import math
import time
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from companion.demo import TABLE, DemoCamera, load_script, table_set
from companion.demo.camera import GrainSettings
from companion.demo.script import Script, bundled
from companion.errors import BadInput

SETTLING = 5
"""Pictures of a rest that settling surely needs: two readings alike, and the quiet before them."""
PLAIN = GrainSettings(sigma=0)


@pytest.fixture(scope="module")
def camera():
    return DemoCamera(pace=None, grain=PLAIN)


def test_it_says_that_it_is_simulated_and_ends(camera):
    assert camera.simulated
    frames = [(frame.captured_at, frame.size) for frame in DemoCamera(pace=None, rate=0.5).frames()]
    assert [moment for moment, _ in frames] == pytest.approx([2 * n for n in range(len(frames))])
    assert frames[-1][0] > camera.script.length - 2
    assert {size for _, size in frames} == {(1920, 1080)}


def test_with_hold_it_stays_on_the_last_picture():
    camera = DemoCamera(pace=None, rate=0.1, hold=True)
    for frame in camera.frames():
        if frame.captured_at > camera.script.length + 100:
            camera.close()
    assert frame.captured_at > camera.script.length + 100


@pytest.mark.parametrize("game", bundled())
def test_whoever_rests_on_a_picture_is_shown_the_next_scene_at_once_and_without_hands(game: str) -> None:
    """In the lobby "Next picture" showed the same one again, then hands, two seconds of the recording at each press."""
    camera = DemoCamera(load_script(game=game), waits=True, hold=True, grain=PLAIN)
    pictures = camera.frames()
    shown = next(pictures)
    for scene in [one for one in camera.script.scenes if not one.interlude][1:3]:
        began = time.monotonic()
        rest = camera.onward(shown.captured_at, 2.0)
        shown = next(pictures)
        assert rest == scene.begin + scene.action and shown.captured_at == pytest.approx(rest, abs=0.11)
        assert np.array_equal(shown.image, camera.picture_at(rest + 0.5))
        assert time.monotonic() - began < max(1.5, scene.action / 2), "it waited for the hands all the same"
    camera.close()


def seen_by_a_slow_taker(seconds_a_picture: float, waits: bool) -> tuple[Script, list[float]]:
    """The script, and the moments of it that somebody sees who needs so long for each picture."""
    now = [0.0]
    script = load_script()
    script = replace(script, scenes=script.scenes[:6])
    moments = []
    for frame in DemoCamera(script, waits=waits, grain=PLAIN, clock=lambda: now[0]).frames():
        moments.append(frame.captured_at)
        now[0] += seconds_a_picture
    return script, moments


def pictures_of_rests(script: Script, moments: list[float]) -> Counter[int]:
    found = Counter(dict.fromkeys(range(len(script.scenes)), 0))
    for moment in moments:
        scene = script.scenes[script.scene_at(moment)]
        found[script.scene_at(moment)] += moment >= scene.begin + scene.action
    return found


@pytest.mark.parametrize("seconds_a_picture", [0.15, 2.0])
def test_a_recording_that_waits_shows_every_rest_to_whoever_is_slow(seconds_a_picture):
    script, moments = seen_by_a_slow_taker(seconds_a_picture, waits=True)
    assert min(pictures_of_rests(script, moments).values()) >= SETTLING
    assert all(0 < later - earlier <= 0.1 + 1e-9 for earlier, later in pairwise(moments))


def test_one_that_does_not_wait_keeps_its_rate_and_drops_pictures():
    script, moments = seen_by_a_slow_taker(2.0, waits=False)
    assert len(moments) < script.length
    assert moments[-1] > script.length - 2.1


def test_at_the_end_a_recording_that_stays_says_once_that_it_is_over():
    script = load_script()
    camera, heard = DemoCamera(replace(script, scenes=script.scenes[:1]), pace=None, rate=1, hold=True), []
    camera.listen(lambda notice: heard.append(notice.code))
    for frame in camera.frames():
        assert bool(heard) == (frame.captured_at > camera.script.length)
        if frame.captured_at > camera.script.length + 3:
            camera.close()
    assert heard == ["recording-over"]


def test_every_rest_shows_the_recorded_picture(camera):
    for scene in camera.script.scenes:
        recorded = cv2.imread(str(TABLE / scene.picture))
        assert np.array_equal(camera.picture_at(scene.end - 0.01), recorded), scene.picture
        assert scene.rest >= 1.5


def test_places_change_only_while_fingers_are_on_them(camera):
    changes = 0
    for scene in camera.script.scenes:
        for change in scene.changes:
            fingers = [place for reach in scene.reaches if (place := reach.at(change.time)) is not None]
            assert any(math.dist(place, change.place) < 1 for place in fingers), scene.picture
            changes += 1
    assert changes > 30


def test_arms_come_from_outside_and_leave_again(camera):
    for index, scene in enumerate(camera.script.scenes):
        if scene.reaches:
            before = cv2.imread(str(TABLE / camera.script.scenes[index - 1].picture))
            entering = camera.picture_at(scene.begin)
            if not camera.script.scenes[index - 1].interlude:
                assert np.array_equal(entering, before), scene.picture
            reach = scene.reaches[0]
            at_work = camera.picture_at(scene.begin + reach.times[1] + 0.05)
            hidden = (np.abs(at_work.astype(int) - entering).max(axis=2) > 25).mean()
            assert 0.01 < hidden < 0.25, scene.picture


def test_nothing_else_changes_when_the_hand_has_gone(camera):
    """What the hand leaves behind equals the next picture up to the grain of the recording: no piece jumps afterwards."""
    for scene in camera.script.scenes:
        if scene.reaches:
            last_moment = camera.picture_at(scene.begin + scene.action - 0.001)
            recorded = cv2.imread(str(TABLE / scene.picture))
            difference = cv2.absdiff(cv2.GaussianBlur(last_moment, (0, 0), 4), cv2.GaussianBlur(recorded, (0, 0), 4))
            assert difference.max() < 20, scene.picture


def test_no_two_pictures_in_a_row_are_equal():
    frames = DemoCamera(pace=None).frames()
    first, second = next(frames).image, next(frames).image
    assert not np.array_equal(first, second)
    assert np.abs(first.astype(int) - second).mean() < 2


def test_the_sample_is_small_and_whole():
    files = list(TABLE.iterdir())
    assert sum(path.stat().st_size for path in files) < 3_000_000
    names = {path.name for path in files}
    assert {frame["file"] for frame in table_set()["frames"]} <= names
    assert {scene.picture for scene in load_script().scenes} <= names


def test_a_damaged_script_is_one_sentence(tmp_path):
    bad = tmp_path / "demo.json"
    bad.write_text((TABLE.parent / "demo.json").read_text()[:200])
    with pytest.raises(BadInput, match=r"demo script demo\.json"):
        load_script(bad)

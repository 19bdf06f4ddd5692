"""A recording rests on a picture until it is asked to go on, and whoever asked goes on with the next one."""

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from scripted_camera import ScriptedCamera

from companion.devices.cameras.port import SourceNotice
from companion.errors import BadInput
from companion.host.preview import Preview, SharedCamera
from companion.vision.frame import Frame

LONG = 20.0


@pytest.fixture
def camera() -> Iterator[ScriptedCamera]:
    camera = ScriptedCamera()
    yield camera
    camera.end()


@pytest.fixture
def preview(camera: ScriptedCamera) -> Iterator[Preview]:
    camera.show(0.0)
    preview = Preview(camera)
    assert number(preview.newest(LONG)) == 0
    yield preview
    camera.end()
    preview.close()


def number(frame: Frame | None) -> int:
    assert frame is not None
    return frame.number


def test_whoever_asks_for_the_next_picture_has_it(preview: Preview, camera: ScriptedCamera) -> None:
    """A start picture was taken of the picture before, since the next one came late."""
    threading.Timer(0.2, camera.show, (2.0,)).start()
    preview.advance(LONG)
    assert number(preview.newest()) == 1


@pytest.mark.parametrize("state", ["ended", "lost"])
def test_there_may_be_no_next_one(preview: Preview, camera: ScriptedCamera, state: str) -> None:
    end = threading.Timer(0.2, camera.end) if state == "ended" else threading.Timer(0.2, camera.fail, (BadInput("torn"),))
    end.start()
    preview.advance(LONG)
    assert (number(preview.newest()), preview.state) == (0, state)
    assert (preview.trouble is not None) is (state == "lost")
    preview.advance(LONG)
    assert number(preview.newest()) == 0


def test_a_fault_while_looking_is_said(preview: Preview, camera: ScriptedCamera) -> None:
    camera.fail(RuntimeError("driver"))
    preview.advance(LONG)
    assert preview.state == "lost" and preview.trouble is not None
    assert "RuntimeError: driver" in preview.trouble.params["reason"]


def test_a_camera_that_stays_open_does_not_keep_the_tables_it_was_lent_to(camera: ScriptedCamera) -> None:
    class Table:
        def __init__(self) -> None:
            self.heard: list[SourceNotice] = []

        def listen(self, notice: SourceNotice) -> None:
            self.heard.append(notice)

    notice, gone = SourceNotice("source-silent", "No picture.", {}), []
    for _ in range(3):
        table, lent = Table(), SharedCamera(camera)
        lent.listen(table.listen)
        camera.say(notice)
        assert table.heard == [notice]
        lent.close()
        camera.say(notice)
        assert table.heard == [notice], "what it gave back says nothing to it"
        gone.append(weakref.ref(table))
        del table
    gc.collect()
    assert [ref() for ref in gone] == [None] * 3


def test_a_request_as_the_picture_comes_is_not_lost(camera: ScriptedCamera, monkeypatch: pytest.MonkeyPatch) -> None:
    seen, third = [], threading.Event()
    show = Preview.show

    def asked_at_once(preview: Preview, frame: Frame) -> None:
        show(preview, frame)
        seen.append(frame.number)
        preview.advance()
        if len(seen) == 3:
            third.set()

    monkeypatch.setattr(Preview, "show", asked_at_once)
    for at in (0.0, 2.0, 4.0):
        camera.show(at)
    preview = Preview(camera)
    assert third.wait(LONG)
    assert seen == [0, 1, 2]
    camera.end()
    preview.close()


def test_a_frozen_camera_goes_on_sending_and_is_not_said_to_run(preview: Preview, camera: ScriptedCamera) -> None:
    preview._heard(SourceNotice("source-frozen", "{source} may be frozen", {"source": "scripted"}))
    frame = preview.newest()
    assert frame is not None
    preview.show(frame)
    assert preview.state == "frozen" and preview.trouble is not None
    preview._heard(SourceNotice("source-back", "{source} is back", {"source": "scripted"}))
    assert (preview.state, preview.trouble) == ("running", None)

"""A phone as the camera, in a real browser whose camera shows the bundled table: what arrives is what lay before it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from axe_rules import violations
from fake_table import FakeTable

from companion.demo import TABLE
from companion.devices.cameras.push import PushCamera
from companion.vision.marked.reader import MarkedReader
from companion.vision.table_sets.table_set import load_table_set
from companion.web.app import create_app
from companion.web.guard import HEADER
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser
SEEN = TABLE / "003.jpg"


@pytest.fixture
def camera() -> Iterator[PushCamera]:
    camera = PushCamera()
    yield camera
    camera.close()


@pytest.fixture
def server(camera: PushCamera) -> Iterator[PageServer]:
    settings = PageSettings(streams=4, watch_seconds=0.1)
    with PageServer(create_app(FakeTable(), settings, camera=camera), settings=settings) as running:
        yield running


@pytest.fixture
def eye(tmp_path: Path, launch: Any, server: PageServer) -> Iterator[Any]:
    """A page of a second browser, whose camera films the bundled table."""
    film = tmp_path / "table.mjpeg"
    film.write_bytes(bytes(cv2.imencode(".jpg", cv2.imread(str(SEEN)))[1]) * 3)  # the browser reads no progressive JPEG
    arguments = [
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    ]
    browser = launch(arguments)
    page = browser.new_context(viewport={"width": 390, "height": 780}).new_page()
    page.set_default_timeout(15000)
    page.goto(server.address + "camera")
    yield page
    browser.close()


def test_the_phones_film_is_read_like_any_camera(eye: Any, camera: PushCamera, tmp_path: Path) -> None:
    eye.click("[data-key=start]")
    eye.wait_for_selector("html[data-sent]", state="attached")
    frame = next(camera.frames())
    before = cv2.imread(str(SEEN))
    assert frame.size == (before.shape[1], before.shape[0])
    assert np.abs(frame.image.astype(int) - before).mean() < 8
    table = load_table_set(TABLE)
    look = MarkedReader(table.board, table.pieces, table.lens).read(frame)
    assert look.registration is not None
    assert look.registration.error_mm < 2
    eye.screenshot(path=str(tmp_path / "phone.png"))
    eye.click("[data-key=stop]")
    eye.wait_for_selector("#state:has-text('Stopped')")


CONTROLS = """
const own = window.own = { focusMode: "continuous", focusDistance: 0.62, exposureMode: "continuous", exposureTime: 250,
    whiteBalanceMode: "continuous", colorTemperature: 4100 };
const modes = ["manual", "continuous"];
window.asked = [];
const track = MediaStreamTrack.prototype;
track.getCapabilities = () => ({ focusMode: modes, focusDistance: { min: 0, max: 1 }, exposureMode: modes,
    whiteBalanceMode: ["continuous"], colorTemperature: { min: 2000, max: 8000 } });
track.getSettings = () => ({ ...own });
track.applyConstraints = async (wanted) => {
    window.asked.push(wanted);
    for (const one of wanted.advanced) Object.assign(own, one);
};
"""
"""A phone that focuses and exposes as it is told, and keeps the balance of colours to itself."""


def test_a_phone_that_can_holds_its_focus_and_light_once_they_have_settled(eye: Any, server: PageServer) -> None:
    eye.add_init_script(CONTROLS)
    eye.goto(server.address + "camera")
    eye.click("[data-key=start]")
    eye.wait_for_selector("html[data-held='focusMode exposureMode']", state="attached")
    held = {"focusMode": "manual", "focusDistance": 0.62}, {"exposureMode": "manual", "exposureTime": 250}
    (asked,) = eye.evaluate("window.asked")
    assert asked["advanced"] == [*held]
    assert asked["width"] in (1920, {"ideal": 1920}), "the size is asked for again with it, else the browser would forget it"
    assert eye.is_visible("#held")
    eye.click("[data-key=again]")
    eye.wait_for_selector("#held", state="hidden")
    eye.wait_for_selector("#held", state="visible")
    adjusted, again = eye.evaluate("window.asked.slice(1)")
    modes = ("focusMode", "exposureMode", "whiteBalanceMode")
    assert adjusted["advanced"] == [{mode: "continuous"} for mode in modes]
    assert again["advanced"] == [*held]
    eye.click("[data-key=stop]")
    assert eye.is_hidden("#held") and eye.is_hidden("[data-key=again]")


@pytest.mark.parametrize("spoils", ["brightness(0.3)", "brightness(2)", "blur(3px)"])
def test_a_phone_whose_film_is_spoilt_when_it_holds_is_let_go(eye: Any, server: PageServer, spoils: str) -> None:
    """One that grows dark, burns out, or focuses far away once it is told to stay as it is."""
    eye.add_init_script(CONTROLS)
    eye.add_init_script(f"""
const drawn = CanvasRenderingContext2D.prototype.drawImage;
CanvasRenderingContext2D.prototype.drawImage = function (...all) {{
    this.filter = window.own.focusMode === "manual" ? "{spoils}" : "none";
    return drawn.apply(this, all);
}};""")
    eye.goto(server.address + "camera")
    eye.click("[data-key=start]")
    eye.wait_for_selector("html[data-held='']", state="attached")
    asked = eye.evaluate("window.asked")
    assert len(asked) == 2
    assert asked[1]["advanced"][:2] == [{"focusMode": "continuous"}, {"exposureMode": "continuous"}]
    assert eye.is_hidden("#held") and eye.is_visible("[data-key=again]")


def test_a_camera_that_adjusts_nothing_by_itself_is_left_alone(eye: Any) -> None:
    eye.click("[data-key=start]")
    eye.wait_for_selector("html[data-held='']", state="attached")
    assert eye.is_hidden("#held") and eye.is_hidden("[data-key=again]")


def test_one_picture_is_under_way_at_a_time(eye: Any) -> None:
    under_way, most = 0, 0

    def began(request: Any) -> None:
        nonlocal under_way, most
        if "camera/picture" in request.url:
            under_way += 1
            most = max(most, under_way)

    def ended(request: Any) -> None:
        nonlocal under_way
        if "camera/picture" in request.url:
            under_way -= 1

    eye.on("request", began)
    eye.on("requestfinished", ended)
    eye.click("[data-key=start]")
    eye.wait_for_selector("html[data-sent]:not([data-sent='1'], [data-sent='2'])", state="attached")
    assert most == 1


def test_a_single_picture_needs_no_camera_and_no_https(page: Any, server: PageServer, camera: PushCamera) -> None:
    page.add_init_script("delete Navigator.prototype.mediaDevices")
    page.goto(server.address + "camera")
    assert "HTTPS" in page.inner_text("#state")
    assert page.locator("[data-key=start]").is_hidden()
    page.set_input_files("[data-key=still]", str(SEEN))
    page.wait_for_selector("#state:has-text('Sent at')")
    frame = next(camera.frames())
    assert np.abs(cv2.resize(frame.image, (320, 180)).astype(int) - cv2.resize(cv2.imread(str(SEEN)), (320, 180))).mean() < 6


def test_what_is_no_photo_is_said(page: Any, server: PageServer, tmp_path: Path) -> None:
    page.goto(server.address + "camera")
    (tmp_path / "note.jpg").write_text("no picture")
    page.set_input_files("[data-key=still]", str(tmp_path / "note.jpg"))
    page.wait_for_selector("#messages:has-text('cannot be read')")


def test_the_camera_page_stands_in_nobodys_way(page: Any, server: PageServer) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(server.address + "camera")
    for theme in ("day", "night"):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations(page)] == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_pictures_have_limits_of_their_own(server: PageServer, camera: PushCamera) -> None:
    settings = PageSettings(frames_per_second=2, picture_bytes=20_000)
    client = create_app(FakeTable(), settings, camera=camera).test_client()
    good = FakeTable().frame

    def send(data: Any, kind: str = "image/jpeg") -> tuple[int, str]:
        response = client.post("/api/camera/picture", data=data, headers={HEADER: "1", "Content-Type": kind})
        return response.status_code, (response.get_json().get("error") or {}).get("code", "")

    assert send(good, "text/plain") == (415, "no-picture-type")
    assert send(b"\xff\xd8\xff" + bytes(30_000)) == (413, "too-large")
    assert send(b"nothing") == (400, "bad-input")
    assert send(good) == (200, "")
    assert send(good) == (429, "too-fast")
    other = create_app(FakeTable(), settings).test_client()
    assert other.post("/api/camera/picture", data=good, headers={HEADER: "1"}).status_code == 409

"""From the first page to the first call in a real browser: the lobby's every step, in several languages, and back to it."""

import contextlib
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import cv2
import pytest
from axe_rules import violations
from fake_lobby import FakeLobby as FakeHall
from fake_lobby import StillSources
from fake_table import FakeTable
from lobby_rooms import PATIENCE, STEPS, asked, come, lobby_served, through_the_lobby, to

from companion import boards
from companion.announce.translator import translator
from companion.calibration.profile import TableProfile
from companion.demo import TABLE
from companion.host.choices import Choices
from companion.host.setup import CameraChoice
from companion.vision.camera import Lens
from companion.web.app import create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

sys.path.append(str(Path(__file__).parents[1] / "vision"))
pytestmark = pytest.mark.browser


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with lobby_served(tmp_path) as address:
        yield address


@pytest.fixture
def visitor(page: Any, address: str) -> Iterator[Any]:
    """The page, which forgives refusals that the browser notes in its console."""
    page.set_default_timeout(PATIENCE)
    page.base = address
    yield page
    page.goto("about:blank")
    page.complaints[:] = [line for line in page.complaints if "Failed to load resource" not in line]


COVERED = """() => {
    const one = document.activeElement, box = one.getBoundingClientRect(), foot = document.querySelector("#onward");
    return !foot.contains(one) && box.bottom > foot.getBoundingClientRect().top + 1 ? one.dataset.key : null;
}"""


def test_what_a_keyboard_comes_to_is_not_below_the_foot(visitor: Any) -> None:
    """On a small screen, or one that is magnified, the foot with the way on covered it."""
    page = visitor
    page.set_viewport_size({"width": 640, "height": 450})
    come(page, "en")
    for step in ("camera", "rules"):
        to(page, step)
        page.focus(".skip")
        reached = set()
        for _ in range(24):
            page.keyboard.press("Tab")
            reached.add(page.evaluate("document.activeElement.dataset.key"))
            assert page.evaluate(COVERED) is None
        assert {"camera": "address", "rules": "deal"}[step] in reached


@pytest.mark.parametrize("language", ["en", pytest.param("ja", marks=pytest.mark.slow)])
def test_wizard_game_and_first_call_then_set_up_again(visitor: Any, language: str) -> None:
    page = visitor
    page.goto(page.base)
    assert page.url.endswith("/lobby"), "before the first game there is only the lobby"
    come(page, language)
    through_the_lobby(page, name="Wohnzimmer")
    page.wait_for_selector("#room")
    page.click("[data-key=quiet]")
    page.wait_for_selector(".call[data-look=light]")
    assert page.locator("#simulated").is_visible()
    before = asked(page, "snapshot")
    page.click("#more-button")
    page.click("[data-key=lobby]")
    page.wait_for_selector("[data-key=begin]")
    to(page, "game")
    assert page.locator("[data-key=edition-first-2006]").is_checked()
    assert page.locator("#step-body input:disabled").count() > 0
    to(page, "sound")
    page.click("[data-key=to-game]")
    page.wait_for_selector("#room")
    after = asked(page, "snapshot")
    assert (after["match"], after["number"] >= before["number"]) == (before["match"], True)
    assert [table["name"] for table in asked(page, "lobby")["tables"]] == ["Wohnzimmer"]
    if language == "en":
        another_game(page, after["match"])


def another_game(page: Any, match: str) -> None:
    """The same table once more: nothing is set up again, the record is another one, and the old one stays."""
    page.goto(f"{page.base}lobby")
    to(page, "game")
    page.click("[data-key=new]")
    page.click("dialog [data-key=no]")
    assert asked(page, "snapshot")["match"] == match, "one tap ends no game"
    page.click("[data-key=new]")
    with urlopen(f"{page.base}api/events", timeout=30) as stream:
        page.click("dialog [data-key=sure]")
        assert b"event: parting" in stream.read(), "whoever watches is told that the next game is being prepared"
    page.wait_for_selector("[data-key=new]", state="detached")
    page.wait_for_selector("#step-title:not(:empty)")
    to(page, "start")
    page.wait_for_selector(".summary")
    page.click("[data-key=begin]")
    page.wait_for_selector("#room")
    page.wait_for_selector("#connection[data-state=good]")
    assert asked(page, "snapshot")["match"] != match


@pytest.mark.parametrize("secret", [pytest.param("entrusted", marks=pytest.mark.slow), "sealed"])
def test_what_was_chosen_for_the_secret_is_asked_as_soon_as_the_game_begins(visitor: Any, tmp_path: Path, secret: str) -> None:
    page = visitor
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    shutil.copy(TABLE / "006.jpg", pictures)  # a board in mid-game: the set-up cannot end while the page is loaded anew
    come(page, "en")
    to(page, "camera")
    page.fill("[data-key=address]", str(pictures))
    page.click("[data-key=open]")
    page.wait_for_selector("#live:not([hidden])")
    to(page, "board")
    page.wait_for_selector(".verdict[data-good=yes]")
    to(page, "rules")
    page.click(f"[data-key=secret-{secret}]")
    to(page, "start")
    page.wait_for_selector(f".summary:has-text('Jack {'entrusts' if secret == 'entrusted' else 'seals'} who he is')")
    page.click("[data-key=begin]")
    page.wait_for_selector("dialog .veil")
    assert page.url == page.base, "what was asked once is not asked again when the page is loaded anew"
    page.click("dialog summary")
    page.select_option("dialog select", "gull")
    page.click("dialog [data-key=send]")
    page.wait_for_selector("dialog", state="detached")
    snapshot = asked(page, "snapshot")
    assert (snapshot["secret"], bool(snapshot["commitment"]), snapshot["phase"]) == (secret, True, "set-up")
    page.reload()
    page.wait_for_selector(f".now:has-text('Jack has {secret} who he is')")
    assert page.locator("dialog").count() == 0
    if secret == "sealed":
        page.click("[data-key=quiet]")
        assert "gull" in page.evaluate("JSON.stringify(localStorage)"), "what opens the seal is kept on this device"


def test_a_camera_too_far_away_is_told_how_to_see_better_in_the_reader_s_language(visitor: Any, tmp_path: Path) -> None:
    page = visitor
    pictures = tmp_path / "far"
    pictures.mkdir()
    cv2.imwrite(
        str(pictures / "001.jpg"), cv2.resize(cv2.imread(str(TABLE / "001.jpg")), (1280, 720), interpolation=cv2.INTER_AREA)
    )
    come(page, "it")
    to(page, "camera")
    page.fill("[data-key=address]", str(pictures))
    page.click("[data-key=open]")
    page.wait_for_selector("#live:not([hidden])")
    for step in ("board", "pieces"):
        to(page, step)
        page.wait_for_selector("[data-key=hint]:has-text('larghi 21 pixel')")
    page.click("[data-key=mode-plain]")
    page.wait_for_selector("[data-key=take-empty]")
    assert page.locator("[data-key=hint]").count() == 0, "its discs are large enough"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A folder with pictures of an unmodified copy: empty, a start with Holmes beside his place, the start."""
    from companion.calibration.training.composed import Table  # noqa: PLC0415 - its folder is put on the path above

    board, pieces = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
    table = Table(board, pieces, 2010, size=(1280, 720), tilt_most=25.0)
    table.folder = tmp_path_factory.mktemp("copy")  # type: ignore[attr-defined]
    start = dict(board.start)
    wrong = {**start, "characters": {**start["characters"], "holmes": {**start["characters"]["holmes"], "hex": "g6"}}}
    for name, state in (("0", {}), ("1", wrong), ("2", start)):
        cv2.imwrite(str(table.folder / f"{name}.jpg"), table.shoot(state)[0])  # type: ignore[attr-defined]
    return table


def test_an_address_that_is_typed_while_cameras_are_looked_for_stays(visitor: Any) -> None:
    """The list of cameras came late, the step was drawn anew, and an empty address was opened."""
    page, held = visitor, []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/api/lobby/cameras", hold)
    come(page, "en")
    to(page, "camera")
    page.click("[data-key=address]")
    page.keyboard.type("http://example.test/vdeo")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    held[0].fulfill(json={"cameras": []})
    page.wait_for_selector("text=No camera is plugged in")
    page.keyboard.type("i")
    assert page.input_value("[data-key=address]") == "http://example.test/video"


@pytest.mark.parametrize("language", ["es", pytest.param("zh-Hant", marks=pytest.mark.slow)])
def test_a_plain_copy_with_corners_dragged_and_nudged(visitor: Any, copy: Any, language: str) -> None:
    page, words = visitor, translator(language)
    come(page, language)
    to(page, "camera")
    page.fill("[data-key=address]", str(copy.folder))
    page.click("[data-key=open]")
    page.wait_for_selector("#live:not([hidden])")
    to(page, "board")
    page.click("[data-key=by-hand]")
    page.wait_for_selector(".corner")
    left, top, right, bottom = copy.board.frame_mm
    frame = page.locator(".live").bounding_box()
    for index, (x, y) in enumerate(copy.pose.project([(left, top), (right, top), (right, bottom), (left, bottom)])):
        handle = page.locator(f"[data-key=corner-{index}]").bounding_box()
        page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
        page.mouse.down()
        page.mouse.move(frame["x"] + (x + 4) / 1280 * frame["width"], frame["y"] + (y - 3) / 720 * frame["height"], steps=3)
        assert page.locator(".magnifier").is_visible()
        page.mouse.up()
    page.wait_for_selector(".verdict[data-good=yes]")
    assert re.search(r"\d[.,]\d (mm|毫米|公釐)", page.inner_text(".verdict"))
    found = asked(page, "lobby")["board"]
    assert found["way"] == "corners"
    page.focus("[data-key=corner-2]")
    # Not the line that says so while it lasts: that may come and go before anybody looks for it.
    with page.expect_response(lambda one: '"corners"' in (one.request.post_data or "")):
        page.keyboard.press("Shift+ArrowDown")
        page.keyboard.press("Alt+ArrowRight")
    page.wait_for_selector(".busy:empty", state="attached")
    nudged = asked(page, "lobby")["board"]["corners"]
    assert abs(nudged[2][1] - found["corners"][2][1]) * 720 < 8, "snapped back to the printed line"
    to(page, "pieces")
    page.click("[data-key=take-empty]")
    page.wait_for_selector("[data-key=take-start]:not([aria-disabled])")
    for doubts in (True, False):
        page.click("[data-key=onward]")
        page.click("[data-key=take-start]")  # at once: it takes the next picture all the same
        page.wait_for_selector("[data-key=accept]" if doubts else "#step-body > .verdict[data-good=yes]")
        if doubts:
            told = words.text("holmes is not at g5: it is missing in the start picture, or was there already in the empty one")
            assert told[1:] in page.inner_text("#step-body")
            assert "g5" in told and "missing" not in told
            assert barriers(page) == []
    to(page, "start")
    page.click("[data-key=begin]")
    page.wait_for_selector("#room")
    page.wait_for_selector("#connection[data-state=good]")
    assert asked(page, "lobby")["mode"] == "plain"
    assert asked(page, "snapshot")["simulated"] is False


def test_a_phones_single_pictures_show_the_board(visitor: Any) -> None:
    page = visitor
    come(page, "en")
    to(page, "camera")
    page.click("[data-key=phone]")
    page.wait_for_selector("[data-key=this-device]")
    phone = page.context.new_page()
    phone.set_default_timeout(PATIENCE)
    phone.goto(f"{page.base}camera")
    phone.set_input_files("[data-key=still]", str(TABLE / "001.jpg"))
    phone.wait_for_selector("#state:has-text('Sent at')")
    page.bring_to_front()
    page.wait_for_selector("#live:not([hidden])")
    to(page, "board")
    page.wait_for_selector(".verdict[data-good=yes]")
    assert asked(page, "lobby")["camera"]["recorded"] is False
    to(page, "start")
    page.click("[data-key=begin]")
    page.wait_for_selector("#room")
    page.wait_for_selector("text=Turn 1")
    assert asked(page, "snapshot")["source"]["name"] == "phone", "the single picture still stands for the game"
    phone.close()


class Standing:
    """A lobby over a picture that stands still, served."""

    def __init__(self, folder: Path) -> None:
        self.lobby_port = FakeHall(folder, StillSources([cv2.imread(str(TABLE / "001.jpg"))]))
        settings = PageSettings(streams=4, answers_burst=200)
        self.server = PageServer(create_app(FakeTable(), settings, lobby_port=self.lobby_port), settings=settings)


@pytest.fixture
def standing(tmp_path: Path) -> Iterator[Standing]:
    standing = Standing(tmp_path)
    with standing.server:
        yield standing
    standing.lobby_port.close()


def barriers(page: Any) -> list[Any]:
    """What axe finds on the page as it stands, in both themes."""
    found = []
    for theme in ("day", "night"):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        page.wait_for_timeout(60)
        found += [(theme, one["id"], [node["html"] for node in one["nodes"]]) for one in violations(page)]
    return found


def test_every_step_is_readable_by_everybody_on_the_narrowest_phone(page: Any, standing: Standing) -> None:
    profile = TableProfile("mr-jack-london", "first-2006", "marked", Lens.guess((1280, 720)))
    standing.lobby_port.profiles.keep("Grandmother's kitchen table", profile, CameraChoice("demo"), Choices())
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size({"width": 320, "height": 640})
    page.base = standing.server.address
    come(page, "en")
    to(page, "camera")
    page.click("[data-key=demo]")
    page.wait_for_selector("#live:not([hidden])")
    for step in STEPS:
        to(page, step)
        if step == "board":
            page.click("[data-key=by-hand]")
            page.wait_for_selector(".corner")
        page.wait_for_timeout(250)
        assert barriers(page) == [], step
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), step
        if step == "board":
            page.click("[data-key=find]")


@pytest.mark.parametrize("language", ["es", *(pytest.param(one, marks=pytest.mark.slow) for one in ("en", "it"))])
def test_no_step_scrolls_sideways_in_letters_twice_as_large(launch: Any, standing: Standing, language: str) -> None:
    browser = launch(["--blink-settings=defaultFontSize=32"])
    try:
        page = browser.new_page(viewport={"width": 320, "height": 640})
        page.set_default_timeout(PATIENCE)
        page.base = standing.server.address
        standing.lobby_port.do("camera", {"kind": "demo"})
        come(page, language)
        for step in STEPS:
            to(page, step)
            page.wait_for_timeout(250)
            assert page.evaluate("document.documentElement.scrollWidth") == 320, step
        page.close()
    finally:
        browser.close()


def test_a_copy_without_stickers_has_a_plain_way_on_from_the_board(page: Any, standing: Standing) -> None:
    picture = cv2.imread(str(TABLE / "001.jpg"))
    standing.lobby_port.sources.pictures = [
        cv2.resize(picture[300:700, 700:1300], (1280, 720))
    ]  # no corner of the board is in it
    page.base = standing.server.address
    come(page, "en")
    standing.lobby_port.do("camera", {"kind": "demo"})
    to(page, "board")
    page.wait_for_selector("#step-body .verdict[data-good=no]:has-text('The board is not found: 0 of')")
    assert page.inner_text("#step-body").lower().count("the board is not found") == 1, "said once"
    assert "main" in page.get_attribute("[data-key=no-stickers]", "class").split()
    page.click("[data-key=no-stickers]")
    page.wait_for_selector("#lobby[data-step=pieces] [data-key=take-empty]")
    assert standing.lobby_port.setup.mode == "plain"


def test_what_is_laid_for_a_lesson_is_drawn_large_and_listed_in_words(page: Any, standing: Standing) -> None:
    """The drawing of 458 places was as wide as a thumb, and nothing else said where what lies."""
    page.base = standing.server.address
    game = boards.load("letters-from-whitechapel")
    standing.lobby_port.do("game", {"game": game.id, "edition": game.edition})
    standing.lobby_port.do("camera", {"kind": "demo"})
    standing.lobby_port.do("mode", {"mode": "plain"})
    come(page, "es")
    to(page, "pieces")
    page.wait_for_selector(".start-drawing svg >> nth=1")
    beside = page.locator("#step-body").bounding_box()["width"]
    assert page.locator(".start-drawing").first.bounding_box()["width"] > 0.85 * beside
    page.click("[data-key=fold-laid-1] summary")
    told = page.locator("[data-key=laid-1] li").all_inner_texts()
    assert len(told) == len(set(told)) > 20
    assert not [line for line in told if re.search(r"[a-z]-[a-z0-9]|token|track|marked", line)], told
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_that_a_camera_gave_no_picture_is_told_until_it_is_back(page: Any, standing: Standing) -> None:
    page.base = standing.server.address
    standing.lobby_port.do("camera", {"kind": "demo"})
    standing.lobby_port.do("mode", {"mode": "plain"})
    come(page, "en")
    to(page, "pieces")
    page.wait_for_selector("[data-key=take-empty]")
    lost = {"text": "The camera is lost and will be tried again. {why}", "params": {"why": "x"}, "message": "It is lost."}
    state = {"lost": True}

    def shown(route: Any) -> None:
        if route.request.method == "POST" and state["lost"]:
            error = {"code": "bad-input", "message": "no picture", "advice": "Wait."}
            return route.fulfill(status=400, json={"error": error})
        reply = route.fetch()
        told = reply.json()
        if state["lost"]:
            told["camera"]["trouble_line"] = lost
        return route.fulfill(response=reply, json=told)

    page.route("**/api/lobby", shown)
    page.wait_for_selector("text=It is lost.")
    page.click("[data-key=take-empty]")
    page.wait_for_selector("[data-key=trouble]:has-text('No picture')")
    page.wait_for_timeout(2500)
    assert page.locator("[data-key=trouble]").count() == 1
    state["lost"] = False
    page.wait_for_selector("[data-key=trouble]", state="detached")
    page.unroute("**/api/lobby")
    page.complaints.clear()  # the browser notes the refusal as well


def test_the_handle_on_the_picture_lends_its_looks_to_no_cell_of_the_drawn_board(page: Any, standing: Standing) -> None:
    page.base = standing.server.address
    come(page, "en")
    page.wait_for_selector(".start-drawing .cell .ring", state="attached")
    looks = page.eval_on_selector_all(
        ".start-drawing .cell .ring", "all => [...new Set(all.map(one => getComputedStyle(one).outlineStyle))]"
    )
    assert looks == ["none"]


def test_a_camera_that_does_not_open_says_what_to_do(page: Any, standing: Standing) -> None:
    page.base = standing.server.address
    come(page, "it")
    to(page, "camera")
    page.fill("[data-key=address]", "broken")
    page.keyboard.press("Enter")
    told = page.wait_for_selector("#step-body [role=alert]").inner_text()
    assert "Controlla com'è scritto" in told and "cavo" not in told, "a file has no cable"
    assert page.input_value("[data-key=address]") == "broken"
    with page.expect_response(lambda one: one.request.method == "POST"):
        page.keyboard.press("Enter")
    page.wait_for_selector("#onward .busy:empty", state="attached")
    assert page.locator("#step-body [role=alert]").count() == 1
    assert page.locator("#messages .message").count() == 0, "nothing covers the page"
    page.click("[data-key=demo]")
    page.wait_for_selector("#step-body [role=alert]", state="detached")
    page.complaints.clear()  # the browser notes the refusal as well


def test_while_pictures_are_compared_page_and_picture_say_so(page: Any, standing: Standing) -> None:
    waiting: list[Any] = []

    def hold(route: Any) -> None:
        waiting.append(route)  # as long as the companion compares, nothing is answered

    page.base = standing.server.address
    come(page, "en")
    to(page, "camera")
    page.click("[data-key=demo]")
    page.wait_for_selector("#live:not([hidden])")
    to(page, "pieces")
    page.click("[data-key=mode-plain]")
    page.wait_for_selector("[data-key=take-empty]")
    page.route("**/api/lobby", hold)
    page.click("[data-key=take-empty]")
    page.wait_for_selector(".taken[aria-busy=true] .busy-sign:has-text('Taking the picture')")
    assert page.locator("[aria-busy=true]").count() == 1
    page.reload(wait_until="domcontentloaded")
    page.wait_for_selector("#lobby[aria-busy=true] [role=status]:has-text('One moment')")
    assert page.locator(".bones span").first.bounding_box()["height"] > 20
    page.unroute("**/api/lobby")
    for route in waiting:
        with contextlib.suppress(Exception):
            route.continue_()
    page.wait_for_selector("#step-title:not(:empty)")
    assert page.locator("[aria-busy=true], .waiting").count() == 0
    page.complaints.clear()
    what_takes_longer_than_a_request_waits(page)


FIRST_LATE = """() => {
    const real = AbortSignal.timeout.bind(AbortSignal);
    let first = true;
    AbortSignal.timeout = (wait) => {
        const soon = first && wait === 60000;
        first = first && !soon;
        return real(soon ? 300 : wait);
    };
}"""


def what_takes_longer_than_a_request_waits(page: Any) -> None:
    """It was told as not answered, beside what it had led to; and pressed again it was done once more."""
    names: list[str] = []
    still = {"code": "in-progress", "message": "the first one is still being done", "advice": "Wait a moment."}

    def late(route: Any) -> None:
        if route.request.method != "POST":
            route.continue_()
            return
        names.append(route.request.headers["idempotency-key"])
        if len(names) == 2:
            route.fulfill(status=409, json={"error": still})
        elif len(names) > 2:
            route.continue_()

    page.evaluate(FIRST_LATE)
    page.route("**/api/lobby", late)
    page.click("[data-key=take-empty]")
    page.wait_for_selector("[data-key=take-empty]:has-text('again')")
    assert len(names) == 3 and len(set(names)) == 1
    assert page.locator("[data-key=trouble]").count() == 0
    page.complaints.clear()


@pytest.mark.parametrize("language", ["es", "zh-Hant"])
def test_the_lobby_speaks_no_english_elsewhere(page: Any, standing: Standing, language: str) -> None:
    page.base = standing.server.address
    come(page, language)
    seen = set()
    for step in STEPS:
        to(page, step)
        seen.add(page.inner_text("#step-title"))
    come(page, "en")
    english = set()
    for step in STEPS:
        to(page, step)
        english.add(page.inner_text("#step-title"))
    assert len(seen) == len(STEPS)
    assert not seen & english

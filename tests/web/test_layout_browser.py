"""What is in sight at once: on a tablet and a phone on their sides, in large letters, and before the first press."""

from typing import Any

import pytest
from boxes import boxes
from club import Club
from fake_boxes import FakeBoxes
from fake_table import FLAG, FakeTable

from companion.web.app import create_app
from companion.web.server import PageServer

pytestmark = pytest.mark.browser

CLOCK: dict[str, Any] = {
    "left": {"detective": 1211.0, "jack": 1210.0}, "running": None, "since": 0.0, "free": 0.0,
    "increment": 10.0, "delay": 5.0, "held": False, "fallen": [],
}  # fmt: skip
LYING = {"desk": (1400, 900), "tablet": (1024, 768), "phone": (844, 390)}
SIZES = {**LYING, "laptop": (1280, 800), "upright": (390, 844)}
SCREENS = ["desk", "upright", *(pytest.param(one, marks=pytest.mark.slow) for one in ("tablet", "phone", "laptop"))]
"""Both extremes by default."""


def visit(page: Any, server: Any, size: tuple[int, int], *, begun: bool = True) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(server.address)
    page.wait_for_selector("#connection[data-state=good]")
    page.wait_for_selector("[data-key=quiet]")
    if begun:
        page.click("[data-key=quiet]")
        page.evaluate("scrollTo(0, 0)")


def ends(page: Any, selector: str) -> tuple[float, float]:
    """Where an element begins and ends from the top of the screen."""
    box = page.locator(selector).bounding_box()
    return box["y"], box["y"] + box["height"]


@pytest.mark.parametrize("screen", LYING)
def test_the_board_and_what_jack_answers_are_in_sight_together(page: Any, server: Any, table: FakeTable, screen: str) -> None:
    table.show("call")
    table.change(clock=CLOCK)
    visit(page, server, LYING[screen])
    height = LYING[screen][1]
    for selector in ("#board", "[data-key=seen]", "[data-key=unseen]", "[data-key=clock-hold]"):
        top, bottom = ends(page, selector)
        assert (top >= 0, bottom <= height) == (True, True), (selector, top, bottom)
    assert page.locator("#board").bounding_box()["width"] >= 0.4 * LYING[screen][0]


@pytest.mark.parametrize("screen", LYING)
def test_the_board_stays_while_the_news_beside_it_are_scrolled(page: Any, server: Any, table: FakeTable, screen: str) -> None:
    table.show("flagged")
    table.push("flag", FLAG)
    visit(page, server, LYING[screen])
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    whose, wrong = (page.locator(words).evaluate(size) for words in (".who", ".alarm h2"))
    assert whose < wrong, "what has to be put right is larger than whose turn it is"
    page.evaluate("scrollTo(0, 150)")
    top, bottom = ends(page, "#board")
    assert (top >= 0, bottom <= LYING[screen][1]) == (True, True), (top, bottom)
    alarm, board = boxes(page, ".alarm", "#board")
    assert alarm["y"] < board["y"] + board["height"]


def test_the_log_takes_all_that_is_left_of_a_large_screen(page: Any, server: Any, table: FakeTable) -> None:
    """Its list ended in the middle of its card."""
    table.show("playing")
    visit(page, server, (1920, 1500))
    list_, panel = boxes(page, "#log", ".log")
    assert list_["y"] + list_["height"] >= panel["y"] + panel["height"] - 40


@pytest.mark.parametrize("screen", SCREENS)
def test_the_buttons_of_the_bar_keep_their_corner(page: Any, server: Any, table: FakeTable, screen: str) -> None:
    width = SIZES[screen][0]
    table.show("playing")
    table.change(source={"name": "a camera with a rather long name: /dev/video0", "state": "running"})
    visit(page, server, SIZES[screen])
    page.wait_for_selector("#source:has-text('rather long')")
    box, title = boxes(page, ".tools", ".bar-title")
    assert box["x"] + box["width"] > width - 30
    assert box["y"] < title["y"] + title["height"], "beside the title"
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("size", [(1280, 800), pytest.param((820, 1180), marks=pytest.mark.slow)])
def test_a_spectators_delay_is_not_cut_off(page: Any, club: Club, size: tuple[int, int]) -> None:
    """It ended in dots beside the name of a game that is long."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    club.sit(page, "spectator")
    page.wait_for_selector("#seat:has-text('Spectator')")
    words = {"game-name": "Letters from Whitechapel", "seat": "Spectator, 15 seconds behind"}
    page.evaluate(
        "words => Object.entries(words).forEach(([id, text]) => (document.getElementById(id).textContent = text))", words
    )
    inner, outer, overflow = page.locator("#seat").evaluate(
        "seat => [seat.scrollWidth, seat.clientWidth, getComputedStyle(seat).textOverflow]"
    )
    assert inner <= outer and overflow == "clip", "not cut off, with or without dots"
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.parametrize("size", [(390, 844), (320, 640)])
def test_in_letters_twice_as_large_the_title_is_not_covered(page: Any, server: Any, size: tuple[int, int]) -> None:
    visit(page, server, size)
    page.evaluate("document.documentElement.style.fontSize = '31px'")
    words = page.evaluate("""() => {
        const range = document.createRange();
        range.selectNodeContents(document.getElementById("game-name"));
        const { left, top, right, bottom } = range.getBoundingClientRect();
        return { left, top, right, bottom };
    }""")
    for key in ("sound", "theme", "more"):
        box = page.locator(f"#{key}-button").bounding_box()
        beside = box["x"] >= words["right"] or box["x"] + box["width"] <= words["left"]
        assert beside or box["y"] >= words["bottom"], (key, box, words)
        assert box["x"] + box["width"] <= size[0]


@pytest.mark.parametrize("screen", SCREENS)
def test_before_the_first_press_the_board_is_not_covered(page: Any, server: Any, table: FakeTable, screen: str) -> None:
    table.show("playing")
    visit(page, server, SIZES[screen], begun=False)
    page.wait_for_selector("#room[data-number]")
    strip, board, start, quiet = boxes(page, ".start", "#board", "[data-key=start]", "[data-key=quiet]")
    assert board["y"] + board["height"] <= strip["y"]
    assert strip["height"] <= 80, "one row"
    assert start["y"] == quiet["y"]
    for key in ("start", "quiet"):
        page.locator(f"[data-key={key}]").focus()
        assert page.evaluate("scrollY") == 0, "the page stays where it is for whoever comes by the keyboard"
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    room, strip = boxes(page, ".room", ".start")
    assert room["y"] + room["height"] <= strip["y"] + 1, "all of the page can be seen above it"


LARGE = ["--blink-settings=defaultFontSize=32"]
"""Letters twice as large, as chosen in the settings of the browser."""


def test_letters_are_as_large_as_the_browser_was_set_to_and_nothing_is_cut_off(
    launch: Any, server: Any, table: FakeTable
) -> None:
    """The page gave its own size in pixels, so that the setting did nothing at all."""
    browser = launch(LARGE)
    try:
        page = browser.new_page()
        for state in ("doubt", "flagged", "over"):
            table.show(state)
            table.change(clock=CLOCK)
            table.push("sight-restored", {})
            for size in ((320, 640), (390, 844), (640, 450), (1280, 800)):
                visit(page, server, size, begun=state != "doubt")
                assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") >= 30
                wide = page.evaluate("[document.documentElement.scrollWidth, document.body.scrollWidth]")
                assert wide == [size[0], size[0]], (state, size)
        page.set_viewport_size({"width": 320, "height": 640})
        for opened in ("#sound-button", "#more-button"):
            page.click(opened)
            assert page.evaluate("(box => box.scrollWidth - box.clientWidth)(document.querySelector('dialog'))") <= 0
            page.keyboard.press("Escape")
        page.close()
    finally:
        browser.close()


def test_a_message_and_its_button_fit_in_letters_twice_as_large(launch: Any, server: Any, table: FakeTable) -> None:
    """What closes it stood beside the screen."""
    browser = launch(LARGE)
    try:
        page = browser.new_page()
        visit(page, server, (320, 640))
        page.evaluate(
            "import('/static/script/messages.js').then(({ confirm }) => confirm('Entrusted. Nobody is shown it again.'))"
        )
        box = page.locator("#messages .message button").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 320, box
        page.close()
    finally:
        browser.close()


def test_the_keys_of_the_boxes_fit_in_letters_twice_as_large(launch: Any, table: FakeTable) -> None:
    """All keys of a button stood in one row, wider than a small phone."""
    browser = launch(LARGE)
    try:
        with PageServer(create_app(table, button_boxes=FakeBoxes())) as server:
            page = browser.new_page()
            visit(page, server, (320, 640))
            page.click("#more-button")
            page.click("dialog [data-key=boxes]")
            page.wait_for_selector("dialog .key-table dd")
            page.wait_for_selector("dialog .box-list [data-box]")
            for words in ("dialog", ".key-table", ".key-table dt", ".key-table dd"):
                across = page.eval_on_selector_all(words, "all => all.map(one => [one.scrollWidth, one.clientWidth])")
                assert across and all(inner <= outer for inner, outer in across), (words, across)
            page.close()
    finally:
        browser.close()

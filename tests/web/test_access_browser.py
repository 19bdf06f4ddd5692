"""Nothing stands in anybody's way: the axe rules (WCAG 2.2 A and AA, best practice) find nothing in any view, day or night."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_rules import TAGS
from club import Club
from fake_table import STATES, call_data
from test_moves_browser import Seats
from told_game import ToldGame

pytestmark = pytest.mark.browser

COLOURS = ["color-contrast", "link-in-text-block"]
RUN = """async ([part, only]) => (await axe.run(part ?? document, { runOnly: only, resultTypes: ["violations"] }))
    .violations.map((one) => [one.id, one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160))])"""
# Every rule walks through all of the page, and the board alone has two thousand elements: a part is looked at without it,
# and a dialog without the page behind it.
AWAY = """(part) => {
    const away = document.querySelector(part === "dialog" ? "#room" : "#board > svg");
    const home = away.parentElement, after = away.nextSibling;
    away.remove();
    window.back = () => home.insertBefore(away, after);
}"""

Check = Callable[..., None]


@pytest.fixture
def look(page: Any) -> Iterator[Check]:
    """Looks at a view, or a part of it, or at all but its ``board``, by night with every rule and by day at its colours; all
    faults fail the test."""
    axe = pytest.importorskip("axe_playwright_python.base", reason="axe is missing: pip install -e '.[test]'")
    source = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    found: dict[str, Any] = {}

    def once(part: str | None, only: dict[str, Any]) -> Any:
        wrong = page.evaluate(RUN, [part, only])
        if wrong:  # a colour half faded in is no fault; one that stays is
            page.wait_for_timeout(1000)
            wrong = page.evaluate(RUN, [part, only])
        return wrong

    def check(name: str, part: str | None = None, board: bool = True) -> None:
        if page.evaluate("typeof axe") == "undefined":
            page.evaluate(source)
        heard = len(page.complaints)
        without = part is not None or not board
        if without:
            page.evaluate(AWAY, part)
        found.update({f"{name}: {rule}": nodes for rule, nodes in once(part, {"type": "tag", "values": TAGS})})
        page.emulate_media(color_scheme="light")
        found.update({f"{name} by day: {rule}": nodes for rule, nodes in once(part, {"type": "rule", "values": COLOURS})})
        page.emulate_media(color_scheme="dark")
        if without:
            page.evaluate("window.back()")
            del page.complaints[heard:]  # the page draws what it cannot find while a part of it is away

    yield check
    assert found == {}


def test_the_table_in_every_state(page: Any, club: Club, look: Check) -> None:
    club.sit(page, "table")
    look("before the first press", board=False)
    page.click("[data-key=quiet]")
    for state in STATES:
        if state == "clean-up":
            club.table.push("call", call_data(seen=True))
        page.wait_for_selector(f"#room[data-number='{club.show(state)}']")
        page.evaluate("scrollTo(0, 0)")  # what is scrolled below the bar is covered by it
        look(state, ".news" if state != "unsure" else None)


def test_every_dialog(page: Any, club: Club, look: Check) -> None:
    club.sit(page, "arbiter")
    page.click("[data-key=quiet]")
    openers = {
        "sound": ["#sound-button"], "menu": ["#more-button"], "correct": ["#board [data-spot-id=a3]"],
        "pictures": ["#log [data-key=pictures-2]"], "clock": ["[data-key=clock-set]"],
        "stopped": ["[data-key=clock-hold]", "dialog [data-key=send]"],
        "clocks": ["#more-button", "dialog [data-key=clock]"], "cards": ["#more-button", "dialog [data-key=cards]"],
        "seats": ["#more-button", "dialog [data-key=seats]", "dialog [data-key=issue]"],
        "boxes": ["#more-button", "dialog [data-key=boxes]"],
        **{f"ruling {one}": [f"[data-key=rule-{one}]"] for one in ("accept", "take-back", "set-position", "penalty")},
    }  # fmt: skip
    for name, clicks in openers.items():
        for one in clicks:
            page.click(one, force=True)
        if name == "seats":
            page.wait_for_selector("dialog .qr path", state="attached")
        look(name, "dialog")
        page.keyboard.press("Escape")
    page.wait_for_selector(f"#room[data-number='{club.show('set-up')}']")
    club.sit(page, "table")
    page.click("[data-key=quiet]")
    page.click("[data-key=entrust]")
    look("entrust", "dialog")


@pytest.mark.parametrize(
    "role", ["arbiter", *(pytest.param(role, marks=pytest.mark.slow) for role in ("jack", "detective", "spectator"))]
)
def test_every_seat(page: Any, club: Club, look: Check, role: str) -> None:
    """And nothing scrolls sideways from a small phone to a wall."""
    club.show("call" if role == "jack" else "flagged")
    club.sit(page, role)
    page.click("[data-key=quiet]")
    look(role, board=role == "arbiter")  # whose board has the most to press
    for width, height in ((320, 640), (360, 740), (820, 1180), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        for _ in range(20):  # what is being laid out anew may stick out for a moment
            across = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
            if across[0] <= across[1]:
                break
            page.wait_for_timeout(100)
        assert across[0] <= across[1], (role, width)


def test_the_way_in_the_overlay_and_the_camera(page: Any, club: Club, look: Check) -> None:
    page.goto(f"{club.server.address}join")
    page.wait_for_selector("#join h1")
    look("the way in")
    page.goto(f"{club.server.address}join?view=overlay#{club.passes.issue('spectator')[1]}")
    page.wait_for_selector(".overlay-now .large[data-state=flag]")
    look("overlay, a flag")
    club.table.push("call", call_data(seen=True))
    club.show("clean-up")
    page.wait_for_selector(".overlay-now .large[data-state=clean-up]")
    look("overlay, the call")
    page.goto(f"{club.server.address}join#{club.passes.issue('camera')[1]}")
    page.wait_for_selector("[data-key=switch]")
    look("another seat")
    page.click("[data-key=switch]")
    page.wait_for_selector("#lens")
    look("camera")


def test_a_moment_that_is_over_and_the_end_of_a_game(page: Any, look: Check) -> None:
    seats = Seats(ToldGame(reveal="stealthy"))
    with seats.server:
        seats.enter(page, "table")
        look("the end", ".news")
        page.click("[data-key=step-back]")
        page.wait_for_selector("#board[data-past=yes]")
        look("a moment that is over", ".board-area")
        page.goto("about:blank")

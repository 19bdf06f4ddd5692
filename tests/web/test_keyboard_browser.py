"""A keyboard alone is enough: the focus is never lost with what it was on, and comes back from every dialog."""

from typing import Any

import pytest
from club import CLOCK, Club
from seat_pages import until

pytestmark = pytest.mark.browser

WHERE = "document.activeElement?.id || document.activeElement?.tagName"


def come(page: Any, club: Club, role: str) -> None:
    club.sit(page, role)
    page.click("[data-key=quiet]")
    page.wait_for_selector("#connection[data-state=good]")


def show(page: Any, club: Club, state: str) -> None:
    page.wait_for_selector(f"#room[data-number='{club.show(state)}']")


def falls_to(page: Any) -> Any:
    """Where the focus is once the page had a moment to put it somewhere."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
    return page.evaluate(WHERE)


GONE = [
    ("table", "set-up", "entrust", "playing", "now"),
    ("table", "call", "seen", "clean-up", "now"),
    ("table", "doubt", "choice-0", "playing", "now"),
    ("table", "playing", "clock-hold", "over", "clocks"),
    ("table", "over", "replay", "set-up", "now"),
    ("arbiter", "flagged", "ruling", "playing", "now"),
    ("jack", "playing", "entrust-own", "over", "own-card"),
]


@pytest.mark.parametrize(("role", "before", "key", "after", "part"), GONE)
def test_a_button_that_goes_hands_its_focus_to_the_part_it_was_in(
    page: Any, club: Club, role: str, before: str, key: str, after: str, part: str
) -> None:
    """It fell to the top of the page: after every answer a keyboard began anew, and a screen reader fell silent."""
    come(page, club, role)
    show(page, club, before)
    page.focus(f"[data-key={key}]")
    show(page, club, after)
    assert page.locator(f"[data-key={key}]").count() == 0 or not page.locator(f"[data-key={key}]").is_visible()
    assert falls_to(page) == part


def test_where_a_keyboard_comes_to_is_to_be_seen(page: Any, club: Club) -> None:
    come(page, club, "table")
    show(page, club, "call")
    page.focus("[data-key=repeat]")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.key") == "seen"
    show(page, club, "clean-up")
    assert falls_to(page) == "now"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_whoever_taps_beside_everything_has_the_focus_nowhere_and_keeps_it_there(page: Any, club: Club) -> None:
    come(page, club, "table")
    show(page, club, "call")
    page.focus("[data-key=seen]")
    page.mouse.click(3, 890)
    assert falls_to(page) == "BODY"
    show(page, club, "clean-up")
    assert falls_to(page) == "BODY"


def test_a_dialog_whose_button_went_gives_the_focus_to_the_part_that_button_was_in(page: Any, club: Club) -> None:
    come(page, club, "table")
    page.click("#more-button")
    page.click("dialog [data-key=seats]")
    page.click("dialog [data-key=issue]")
    page.wait_for_selector("dialog .qr path", state="attached")
    page.locator("dialog li button", has_text="Take back").last.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-key=sure]")
    page.focus("[data-key=sure]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-key=sure]", state="detached")
    page.wait_for_selector("dialog .code input", state="detached")
    assert falls_to(page) == "DIALOG"
    page.keyboard.press("Escape")
    assert falls_to(page) == "more-button"
    assert page.locator("dialog").count() == 0


def test_a_key_that_is_held_down_answers_once(page: Any, club: Club) -> None:
    """The next question has its first answer where the last one had it: each was answered as long as Enter was down."""
    come(page, club, "table")
    ask = {"text": "Which?", "params": {}, "kind": "question", "seat": "jack", "public": True, "purpose": None}
    form = [{"kind": "choose", "alternative": n} for n in range(3)]

    def asked(name: str) -> None:
        question = {**ask, "id": name, "form": form, "labels": [f"{name} {n}" for n in range(3)]}
        club.table.change(expects=[question])
        number = club.table.push("sight-restored", {}).number
        page.wait_for_selector(f"#room[data-number='{number}']")

    asked("first")
    page.focus("[data-key=answer-1]")
    page.keyboard.down("Enter")
    until(page, lambda: len(club.table.taken) == 1)
    asked("second")
    assert page.evaluate("document.activeElement.textContent") == "1second 0"
    for _ in range(5):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    page.wait_for_timeout(300)
    assert len(club.table.taken) == 1
    page.keyboard.press("Enter")
    until(page, lambda: len(club.table.taken) == 2)


def test_a_part_that_is_drawn_anew_takes_nobody_back_to_the_button_in_it(page: Any, club: Club) -> None:
    """Whoever had pressed a button and read on below was taken up again with every play."""
    come(page, club, "table")
    page.set_viewport_size({"width": 390, "height": 844})
    show(page, club, "playing")
    page.focus("[data-key=clock-hold]")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    there = page.evaluate("scrollY")
    assert there > 400
    show(page, club, "flagged")
    assert page.evaluate("document.activeElement.dataset.key") == "clock-hold", "it stays where it was"
    club.table.change(clock={**CLOCK, "increment": 12.0})
    page.wait_for_selector(f"#room[data-number='{club.table.push('sight-restored', {}).number}']")
    page.wait_for_selector("#clocks .clock-note:has-text('12')")
    assert falls_to(page) != "BODY" and page.evaluate("document.activeElement.dataset.key") == "clock-hold"
    assert page.evaluate("scrollY") > 400

"""Who plays which seats, chosen in the lobby: by mouse, by keyboard alone, and on a phone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lobby_rooms import PATIENCE, asked, come, lobby_served, to
from seat_pages import PHONE, until
from slow_network import delayed

pytestmark = pytest.mark.browser


@pytest.fixture
def visitor(page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with lobby_served(tmp_path, game="letters-from-whitechapel") as address:
        page.set_default_timeout(PATIENCE)
        page.base = address
        yield page
        page.goto("about:blank")
        page.complaints[:] = [line for line in page.complaints if "Failed to load resource" not in line]


def seats(page: Any) -> list[list[str]]:
    return [one["seats"] for one in asked(page, "lobby")["choices"]["seating"]]


def test_people_their_seats_and_their_order_are_chosen_and_kept(visitor: Any) -> None:
    page = visitor
    page.set_viewport_size(PHONE)
    come(page, "en")
    to(page, "rules")
    page.select_option("[data-key=people]", "3")
    page.wait_for_selector("[data-key=whose-green]")
    assert seats(page) == [["jack"], ["blue", "yellow", "brown"], ["red", "green"]]
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off on a phone"
    page.fill("[data-key=person-blue]", "Ben")
    page.press("[data-key=person-blue]", "Tab")
    until(page, lambda: asked(page, "lobby")["choices"]["seating"][1]["name"] == "Ben")
    page.select_option("[data-key=whose-blue]", "2")
    until(page, lambda: seats(page) == [["jack"], ["yellow", "brown"], ["blue", "red", "green"]])
    page.select_option("[data-key=whose-jack]", "1")
    until(page, lambda: seats(page) == [["yellow", "brown"], ["jack"], ["blue", "red", "green"]])
    page.wait_for_selector("[data-key=earlier-jack]:enabled")  # the page hears of it after the lobby does
    page.focus("[data-key=earlier-jack]")
    page.keyboard.press("Enter")
    until(page, lambda: asked(page, "lobby")["choices"]["seating"][0] == {"name": "Ben", "seats": ["jack"]})
    page.reload()
    page.wait_for_selector("[data-key=person-jack]")
    assert page.input_value("[data-key=person-jack]") == "Ben"
    assert page.locator("[data-key=whose-jack] option:checked").inner_text() == "Ben"
    page.focus("[data-key=people]")
    page.keyboard.press("Home")
    until(page, lambda: seats(page) == [])
    page.wait_for_selector("[data-key=person-jack]", state="detached")


def test_what_is_changed_before_the_last_change_is_answered_changes_that_alone(visitor: Any) -> None:
    """Each change sends all choices. Made of those that were drawn, it took back what had been changed just before: whoever
    typed a name and pressed the arrow beside it lost the name."""
    page = visitor
    come(page, "en")
    to(page, "rules")
    page.select_option("[data-key=people]", "3")
    page.wait_for_selector("[data-key=whose-green]")
    delayed(page, 400)
    page.click(".house-rules summary")
    page.fill("[data-key=person-blue]", "Ben")
    page.click("[data-key=earlier-blue]")
    page.click("[data-key=earlier-red]", click_count=2)
    page.check("[data-key=album]")
    page.select_option("[data-key=clock]", "20")
    until(page, lambda: asked(page, "lobby")["choices"]["clock"] is not None)
    choices = asked(page, "lobby")["choices"]
    people = [(one["name"], one["seats"][0]) for one in choices["seating"]]
    assert people == [("", "red"), ("Ben", "blue"), ("", "jack")], "two presses are two places"
    assert choices["album"] and choices["clock"]["seconds"] == 1200
    assert page.locator(".house-rules").get_attribute("open") is not None, "what was folded open stays so"
    page.wait_for_function("() => document.querySelector('[data-key=whose-red]').value === '0'")
    page.select_option("[data-key=whose-blue]", "0")
    page.select_option("[data-key=whose-jack]", "1")
    page.fill("[data-key=person-jack]", "Ann")
    page.press("[data-key=person-jack]", "Tab")
    until(page, lambda: any(one["name"] == "Ann" for one in asked(page, "lobby")["choices"]["seating"]))
    people = [(one["name"], one["seats"]) for one in asked(page, "lobby")["choices"]["seating"]]
    assert people == [("", ["blue", "red", "green"]), ("Ben", ["jack"]), ("Ann", ["yellow", "brown"])], "who is meant stays"

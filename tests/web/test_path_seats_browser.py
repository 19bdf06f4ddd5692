"""The hider's own page in a browser: the path picked on the board and sealed there, the questions answered, the row opened."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_path_seats import Seats

from companion.referee.audit import audit
from companion.web.guard import HEADER
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser


@pytest.fixture
def running(tmp_path: Path, settings: PageSettings) -> Iterator[tuple[Seats, str]]:
    made = Seats(tmp_path)
    with PageServer(made.app, settings=settings) as server:
        yield made, server.address
    made.close()


def sit(page: Any, address: str, seats: Seats, role: str) -> None:
    """Open the page of a seat by its link."""
    page.goto(address)
    enter = """([token, header]) => fetch("/api/session", {
      method: "POST", headers: { "Content-Type": "application/json", [header]: "1" }, body: JSON.stringify({ token }),
    }).then((answer) => answer.status)"""
    page.complaints.clear()  # before the link there is no table to see
    assert page.evaluate(enter, [seats.passes.issue(role)[1], HEADER]) == 200
    page.goto(address)
    page.wait_for_selector(".piece[data-piece=pawn-red]")
    page.get_by_role("button", name="Without sound").click()


def pick(page: Any, purpose: str, place: str, way: str) -> None:
    """Choose a place on the board and send it."""
    page.click(f"[data-key=pick-{purpose}]")
    page.locator(f"[data-spot-id='{place}']").click()
    page.click(f"[data-key={way}-{purpose}]")


def until(seats: Seats, page: Any, what: Any) -> None:
    for _ in range(600):
        if what(seats.table.public):
            return
        page.wait_for_timeout(50)
    raise AssertionError(seats.table.public["phase"])


def test_an_entrusted_move_is_picked_among_the_places_that_can_be_reached(running: Any, page: Any) -> None:
    seats, address = running
    seats.table.entrust("lair", "9")
    seats.table.entrust("move", "3")
    seats.table.show("e", "c")
    seats.table.say("pass")
    seats.table.say("pass")
    sit(page, address, seats, "hider")
    page.click("[data-key=pick-move]")
    lit = page.eval_on_selector_all(".marks .choose", "all => all.map((one) => one.dataset.spot)")
    assert set(lit) == {"2", "5", "6", "9"}
    page.locator("[data-spot-id='8']").click()
    assert page.locator("[data-key=entrust-move]").is_disabled(), "nobody gets there"
    page.locator("[data-spot-id='9']").click()
    page.click("[data-key=entrust-move]")
    until(seats, page, lambda shown: shown["phase"] == "moving")
    assert seats.table.own()["trail"] == ["3", "9"]


def test_a_path_sealed_in_the_browser_opens_every_link_of_its_chain(running: Any, page: Any) -> None:
    seats, address = running
    sit(page, address, seats, "hider")
    pick(page, "lair", "12", "seal")
    until(seats, page, lambda shown: len(shown["secrets"]) == 1)
    for number, (place, blue) in enumerate((("3", "c"), ("9", "f"), ("12", "f")), 1):
        pick(page, "move", place, "seal")
        until(seats, page, lambda shown: shown["phase"] == "moving")
        seats.table.show("e", blue)
        while seats.table.public["phase"] == "moving":
            seats.table.say("stay")
        seats.table.say("pass")
        if number == 1:
            seats.table.say("look", seat="seeker-2", site="6")
            page.click("[data-key=answer-2]")
        else:
            seats.table.say("pass")
        until(seats, page, lambda shown, number=number: shown["turn"] > number or shown["phase"] == "walked")
    assert seats.table.own()["trail"] == [], "only this browser knows the path"
    for purpose in ("move", "lair"):
        page.wait_for_selector(f"[data-key=reveal-{purpose}]")
        page.click(f"[data-key=reveal-{purpose}]")
        until(
            seats,
            page,
            lambda shown, purpose=purpose: any(one["purpose"] == purpose and "value" in one for one in shown["secrets"]),
        )
    assert seats.table.public["outcome"]["code"] == "home"
    assert audit(seats.table.table.game, seats.table.events())[1] == []

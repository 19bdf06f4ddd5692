"""A deck of unmodified cards taught face by face in the lobby, at a desk and on a phone, in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from boxes import boxes
from deck_lobby import DeckTable
from fake_table import FakeTable
from lobby_rooms import PATIENCE, asked, come, to

from companion.host.resuming import Resumable, Standing
from companion.web.app import create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser


@pytest.fixture
def table(tmp_path: Path) -> Iterator[DeckTable]:
    made = DeckTable(tmp_path)
    yield made
    made.lobby.close()


@pytest.fixture
def visitor(page: Any, table: DeckTable) -> Iterator[Any]:
    """The page before the lobby of a table; it forgives refusals that the browser notes in its console."""
    settings = PageSettings(streams=4, answers_burst=200)
    page.set_default_timeout(PATIENCE)
    with PageServer(create_app(FakeTable(), settings, lobby_port=table.lobby), settings=settings) as server:
        page.base = server.address
        yield page
        page.goto("about:blank")
    page.complaints[:] = [line for line in page.complaints if "Failed to load resource" not in line]


def test_traits_that_are_typed_are_not_lost_by_going_on(visitor: Any) -> None:
    """Without a press on "Keep this" they were gone once anything else of the step was chosen, or the step was left."""
    come(visitor, "en")
    to(visitor, "rules")
    visitor.click("[data-key=copy-traits] summary")
    cells = visitor.locator("[data-key=copy-traits] input")
    visitor.fill("[data-key=copy-traits-adler-hat]", "red")
    left = cells.count() - 1
    visitor.wait_for_selector(f"[data-key=copy-traits] [role=status]:text-is('Not kept yet. Empty fields: {left}')")
    visitor.check("[data-key=album]")
    to(visitor, "sound")
    to(visitor, "rules")
    assert visitor.input_value("[data-key=copy-traits-adler-hat]") == "red" and cells.first.is_visible()
    for number in range(cells.count()):
        cells.nth(number).fill(f"colour {number}")
    to(visitor, "sound")
    to(visitor, "rules")
    visitor.wait_for_selector("[data-key=copy-traits] [role=status]:text-is('')", state="attached")
    come(visitor, "en")  # what the page alone remembers is gone
    to(visitor, "rules")
    told = cells.evaluate_all("all => all.map((one) => one.value)")
    assert told == [f"colour {number}" for number in range(len(told))] and len(told) == left + 1


def test_a_game_that_draws_no_cards_is_not_offered_to_have_them_dealt(visitor: Any) -> None:
    come(visitor, "en")
    to(visitor, "rules")
    assert visitor.locator("[data-key=album]").count() == 1 and visitor.locator("[data-key=deal]").count() == 0


def test_a_deck_is_shown_face_by_face_at_a_desk_and_on_a_phone(visitor: Any, table: DeckTable) -> None:
    page = visitor
    page.set_viewport_size({"width": 1366, "height": 768})
    table.lobby.resumable = Resumable(Standing(2, over=False, secret="asked"), None)
    come(page, "en")
    assert "Hour 2" in page.inner_text("#lobby"), "a game on record is told in hours, as this game counts"
    table.lobby.resumable = None
    to(page, "pieces")
    page.click("[data-key=mode-cards]")
    table.show()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data or ""))
    page.click("[data-key=deck]", click_count=2)  # drawn anew after the first press, it is another button
    page.wait_for_selector(".faces button[aria-pressed=false]")
    page.click("[data-key='face-cards:gun']")
    page.wait_for_selector(".verdict:has-text('No card is seen on the mat')")
    table.lay("cards:gun")
    page.click("[data-key='face-cards:gun']")
    page.wait_for_selector("[data-key='face-cards:gun'][aria-pressed=true]")
    page.wait_for_selector(".verdict:has-text('No card is seen on the mat')", state="detached")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    table.lay("cards:document")
    page.click("[data-key='face-cards:document']")
    page.wait_for_selector("[data-key='face-cards:document'][aria-pressed=true]")
    page.wait_for_selector("[role=status]:has-text('2 of 21 faces are known.')")
    shown, name = boxes(page, "#live", "[data-key='face-cards:document']")
    assert 0 <= shown["y"] < shown["y"] + shown["height"] <= name["y"] < 844, "the card stays in sight above its name"
    page.click("[data-key=accept]")
    page.wait_for_selector("[data-key=accept]", state="detached")
    assert [step["done"] for step in asked(page, "lobby")["steps"] if step["id"] == "pieces"] == [True]
    assert len([one for one in sent if '"deck"' in one]) == 1, "pressed twice the picture is taken once"
    to(page, "start")
    summary = page.inner_text(".summary")
    assert "2 of 21 faces are known." in summary and "sticker" not in summary and "No piece" not in summary

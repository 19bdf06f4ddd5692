"""Letters from Whitechapel on the page: a large graph with its pieces, questions as buttons, Jack's choices on the board."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from testkit.night_table import NightTable

from companion import boards
from companion.web.app import create_app, views_of
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser


@pytest.fixture
def night(tmp_path: Path) -> Iterator[NightTable]:
    """The table before Jack's first move."""
    made = NightTable(tmp_path)
    made.lay_out(made.entrusting)
    made.show()
    made.say("kill", circles=[84])
    made.show()
    made.show()
    yield made
    made.close()


@pytest.fixture
def board(night: NightTable, settings: PageSettings, page: Any) -> Iterator[Any]:
    app = create_app(night.table, settings)
    with PageServer(app, settings=settings) as running:
        page.goto(running.address)
        page.wait_for_selector(".piece[data-piece=police-brown]")
        yield page
        page.goto("about:blank")
    views_of(app).close()


def test_the_whole_board_is_drawn_with_its_policemen_and_the_scene(board: Any) -> None:
    known = boards.load("letters-from-whitechapel")
    assert board.locator(".cell").count() == len(known.cells) + len(known.places) == 429 + 29
    assert board.locator(".street").count() == 593
    assert board.locator(".shape-pawn").count() >= 5
    assert board.locator(".board").evaluate("svg => svg.querySelectorAll('[transform*=NaN]').length") == 0
    marks = board.eval_on_selector_all("[data-piece^=police-] .mark", "all => all.map((one) => one.textContent)")
    assert len(set(marks)) == 5, "policemen are told apart without colour"


def test_jack_answers_by_buttons_and_the_page_follows(board: Any, night: NightTable) -> None:
    texts = board.locator("[data-question=how] .choice").all_inner_texts()
    assert len(texts) == 5 and "Walk, and home" in " ".join(texts)
    board.locator("[data-question=how] .choice").nth(0).click()
    for _ in range(50):
        if night.public["phase"] == "telling":
            break
        board.wait_for_timeout(50)
    assert night.public["how"] == {"how": "walk", "home": False}

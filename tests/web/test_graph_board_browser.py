"""A graph of small sites on the page: streets, sites that a finger finds, all in reach of the arrow keys, what is wrong."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from testkit.path_table import BOARD, HOME, PathTable

from companion.web.app import create_app, views_of
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser


@pytest.fixture
def paths(tmp_path: Path) -> Iterator[PathTable]:
    made = PathTable(tmp_path)
    made.show(**HOME)
    made.entrust("lair", "9")
    made.entrust("move", "3")
    yield made
    made.close()


@pytest.fixture
def board(paths: PathTable, settings: PageSettings, page: Any) -> Iterator[Any]:
    app = create_app(paths.table, settings)
    with PageServer(app, settings=settings) as running:
        page.goto(running.address)
        page.wait_for_selector(".piece[data-piece=pawn-red]")
        yield page
        page.goto("about:blank")
    views_of(app).close()


def test_streets_are_drawn_once_and_neighbours_lie_as_far_apart_as_hexes(board: Any) -> None:
    ends = {tuple(sorted((cell, other))) for cell, beside in BOARD.beside.items() for other in beside}
    assert board.locator(".street").count() == len(ends) == 34
    width = float(board.get_attribute("svg.board", "viewBox").split()[2])
    assert width == pytest.approx(BOARD.size_mm[0] * 40 / BOARD.spacing_mm, rel=0.01)
    names = board.eval_on_selector_all(".cell .name", "all => all.map((one) => one.getBoundingClientRect().height)")
    assert len(names) == 24 and min(names) > 9, "every site's name can be read"


def test_pawns_and_clues_have_a_shape_and_letters_of_their_own(board: Any, paths: PathTable) -> None:
    marks = board.eval_on_selector_all(".shape-pawn .mark", "all => all.map((one) => one.textContent)")
    assert sorted(marks) == ["B", "R"], "the word that tells them apart, not the one that both share"
    paths.show("e", "b")
    paths.show("e", "c")
    paths.say("pass")
    paths.say("look", seat="seeker-2", site="3")
    paths.show("e", "c", {"1": "3"})
    board.wait_for_selector(".shape-token")
    assert "clue" in board.get_attribute("[data-spot-id='3']", "aria-label").lower()
    assert board.locator(".board").evaluate("svg => svg.querySelectorAll('[transform*=NaN]').length") == 0


def test_a_finger_beside_a_small_site_still_finds_it(board: Any) -> None:
    box = board.locator("[data-spot-id=j] .plate").bounding_box()
    away = box["width"] * 0.9
    hit = "([x, y]) => document.elementFromPoint(x, y)?.closest('[data-spot-id]')?.dataset.spotId"
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    assert box["width"] < 45
    for dx, dy in ((-away, 0), (0, away), (away, 0), (0, -away)):
        assert board.evaluate(hit, [middle[0] + dx, middle[1] + dy]) == "j"


def test_arrow_keys_reach_every_site(board: Any) -> None:
    found = board.evaluate(
        """async () => {
          const svg = document.querySelector("svg.board"), seen = new Set(), queue = [];
          const here = () => svg.querySelector("[data-spot-id][tabindex='0']");
          const start = here().dataset.spotId;
          queue.push(start); seen.add(start);
          while (queue.length) {
            const from = queue.pop();
            for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
              svg.querySelector(`[data-spot-id='${from}']`).focus();
              svg.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
              const to = here()?.dataset.spotId;
              if (to && !seen.has(to)) { seen.add(to); queue.push(to); }
            }
          }
          return [...seen];
        }"""
    )
    assert set(found) == set(BOARD.cells)


def test_a_pawn_on_a_wrong_site_is_marked_with_its_way_back_and_reach(board: Any, paths: PathTable) -> None:
    paths.show("l", "b")
    board.wait_for_selector(".back")
    assert board.get_attribute(".back", "data-back") == "l-a"
    reach = board.eval_on_selector_all(".reach", "all => all.map((one) => one.dataset.spot)")
    assert set(reach) | {"a", "l"} >= {"d", "e", "g", "k"} and "i" not in reach
    assert "The red pawn cannot go from a to l" in board.locator("main").first.inner_text()
    label = board.get_attribute("[data-spot-id='l']", "aria-label")
    assert "Red pawn" in label and "not allowed here" in label

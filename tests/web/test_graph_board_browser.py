"""A graph of small sites on the page: streets, sites that a finger finds, all in reach of the arrow keys, what is wrong."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from testkit.dense_graph import graph_json
from testkit.path_table import BOARD, HOME, PathTable

from companion.boards import board_from_json, pieces_from_json
from companion.web.app import create_app, views_of
from companion.web.board_json import board_json
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
    wide = "all => all.map((one) => one.getBoundingClientRect().width)"
    pawns, sites = (board.eval_on_selector_all(found, wide) for found in (".shape-pawn .halo", ".cell .plate"))
    assert min(pawns) >= max(sites), "seen from above a pawn is narrow, and it is what people look for"
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


DRAWN = """async (board) => {
  const { BoardView } = await import("/static/script/board/view.js"), view = new BoardView(board, () => {});
  const position = { pawns: {}, clues: {}, patrols: {} };
  const shown = { position, table: null, flag: null, chores: [], phase: "play", turn: 1 };
  view.update(shown, null);
  const box = (name) => { const { x, y, width, height } = view.spots.get(name).querySelector(".touch").getBoundingClientRect();
    return [x + width / 2, y + height / 2, width]; };
  const frame = document.getElementById("board");
  const far = board.cells.reduce((a, b) => (b.at[0] + b.at[1] > a.at[0] + a.at[1] ? b : a)).id;
  view.update({ ...shown, flag: { verdict: "illegal", faults: [{ cells: [far], allowed: [] }], chores: [] } }, null);
  const [x, y] = box(far), { left, top, right, bottom } = frame.getBoundingClientRect();
  const size = parseFloat(getComputedStyle(frame.querySelector(".name")).fontSize);
  return {
    boxes: board.cells.map((cell) => box(cell.id)), scrolls: frame.scrollWidth > frame.clientWidth,
    page: document.documentElement.scrollWidth <= innerWidth, inSight: x > left && x < right && y > top && y < bottom,
    letters: size * frame.querySelector("svg").getScreenCTM().a,
  };
}"""


def test_429_sites_on_one_board_keep_apart_by_a_fingers_width_and_what_is_wrong_comes_into_sight(board: Any) -> None:
    data = graph_json(seed=4, count=429, size=(800.0, 534.0))
    made, pieces = board_from_json(data), pieces_from_json(data)
    drawn = board.evaluate(DRAWN, {**json.loads(json.dumps(board_json(made, pieces))), "rules": []})
    boxes = np.array([box[:2] for box in drawn["boxes"]])
    apart = np.hypot(*(boxes[:, None] - boxes[None]).transpose(2, 0, 1)) + np.eye(len(boxes)) * 1e6
    assert np.median(apart.min(axis=0)) >= 30 and apart.min() >= 24, "pixels between neighbours"
    assert drawn["scrolls"] and drawn["page"] and drawn["inSight"] and drawn["letters"] >= 7

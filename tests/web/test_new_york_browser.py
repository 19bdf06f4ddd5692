"""The page with a board by the water: every kind of cell and piece is drawn, told and put right by a tap."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_table import FakeTable

from companion import boards
from companion.games import load
from companion.referee.view import view
from web.app import create_app
from web.server import PageServer
from web.settings import PageSettings

sys.path.append(str(Path(__file__).parents[1] / "referee"))
from scripted_table import Hands

pytestmark = pytest.mark.browser
GAME = load("mr-jack-new-york")
BOARD = boards.load("mr-jack-new-york")


class ToldTable(FakeTable):
    """A fake table that shows what a real referee makes of a table set by hand."""

    def __init__(self, hands: Hands) -> None:
        super().__init__()
        self.hands = hands
        self.log = list(hands.events)

    def snapshot(self) -> dict[str, Any]:
        beside = {"simulated": True, "source": {"name": "recording", "state": "running"}}
        return {**view(self.hands.match), **beside, "trouble": None, "moving": False, "occluded": False}


def table() -> ToldTable:
    """Beach built and Grant turned a tile; then hands did what no play does."""
    hands = Hands.at_start(game=GAME)
    hands.see()
    hands.move("beach", "E12").shift("tiles", None, "C12", "subway").see()
    hands.move("grant", "I6").state["tiles"] = {**hands.state["tiles"], "B9": "park"}
    hands.see()
    hands.state["tiles"] = {**hands.state["tiles"], "H3": "building"}
    hands.state["informant"] = {"hex": "G12", "side": "silent"}
    hands.state["barricades"] = [["C14", "D13"], ["K14", "L15"]]
    hands.unknown = {"steamboat:K16": "a sleeve"}
    hands.see()
    return ToldTable(hands)


@pytest.fixture
def shown(page: Any) -> Iterator[tuple[Any, ToldTable]]:
    told = table()
    with PageServer(create_app(told, PageSettings(streams=4, watch_seconds=0.1))) as server:
        page.goto(server.address)
        page.click("[data-key=quiet]")
        page.wait_for_selector("#connection[data-state=good]")
        page.wait_for_selector(".pieces .piece")
        yield page, told


def test_every_cell_and_piece_is_drawn_where_it_is(shown: tuple[Any, ToldTable]) -> None:
    page, _ = shown
    drawn = page.eval_on_selector_all(".cells .cell", "all => all.map(one => [one.dataset.spotId, one.children.length])")
    assert {name for name, _ in drawn} == set(BOARD.cells)
    assert min(count for _, count in drawn) >= 4, "every kind of cell has a drawing of its own: no cell is told by colour alone"
    assert page.eval_on_selector_all(".ferry", "all => all.map(one => [one.dataset.from, one.dataset.to])") == [
        list(link) for link in BOARD.one_way
    ]
    ways = page.eval_on_selector_all(".pier-arrow", "all => all.map(one => one.dataset.way)")
    assert sorted(ways) == ["in", "in", "out", "out"]
    places = dict(page.eval_on_selector_all(".pieces .piece", "all => all.map(one => [one.dataset.piece, one.dataset.place])"))
    lying = set(places.values())
    assert {"C14+D13", "K14+L15", "E2", "K16", "G12", "B9", "C12", "H3", "E12", "I6"} <= lying
    transform = page.locator(".piece.long[data-place='C14+D13']").get_attribute("transform")
    assert [float(x) for x in re.findall(r"[\d.]+", transform)] == pytest.approx(BOARD.mm("C14+D13"), abs=0.02)
    for face in ("park", "subway", "lamp", "building", "silent"):
        assert page.locator(f".piece.face-{face}").count() >= 1
    assert page.locator(".glow").count() == 2, "two lamps shine, the park does not"


def test_every_cell_says_what_lies_on_it(shown: tuple[Any, ToldTable]) -> None:
    page, _ = shown

    def said(spot: str) -> str:
        return str(page.get_attribute(f".cells [data-spot-id='{spot}']", "aria-label"))

    assert "Tile (park)" in said("B9") and "Subway" not in said("B9")
    assert said("C14").startswith("C14: street, Barricade") and "Barricade" in said("D13")
    assert "Steamboat (not sure)" in said("K16") and said("K16").startswith("K16: port")
    assert "Informant (silent)" in said("G12")
    assert said("A8").startswith("A8: pier") and said("LIBERTY").startswith("LIBERTY: statue")
    suspects = page.eval_on_selector_all("[data-character]", "all => all.map(one => one.dataset.character)")
    assert set(suspects) == set(GAME.characters), "tiles have two sides as well, and are nobody"


def test_a_tap_puts_every_kind_of_piece_right(shown: tuple[Any, ToldTable]) -> None:
    page, told = shown

    def fix(spot: str, *choices: str, **selected: str) -> list[dict[str, Any]]:
        told.taken.clear()
        page.click(f".cells [data-spot-id='{spot}']", force=True)
        for choice in choices:
            page.check(f"dialog input[{choice}]")
        for name, value in selected.items():
            page.select_option(f"dialog select[name={name}]", value)
        page.click("dialog [data-key=save]")
        page.wait_for_selector("dialog", state="detached")
        return [{key: value for key, value in answer.items() if key != "kind"} for answer in told.taken]

    assert fix("B9", "name=what-tiles][value=subway") == [{"subject": "tile:B9", "place": "B9", "label": "subway"}]
    assert fix("H3", "name=what-tiles][value=''") == [{"subject": "tile:H3", "place": None}]
    assert fix("C14", "name=what-barricades][value='C12+C14'") == [{"subject": "barricade:C14+D13", "place": "C12+C14"}]
    assert fix("E4", "name=what-barricades][value='E4+F3'") == [{"subject": "barricade:E4+F3", "place": "E4+F3"}]
    assert fix("K16", "name=what-steamboats][value=''") == [{"subject": "steamboat:K16", "place": None}]
    assert fix("G12", side="talkative") == [{"subject": "informant", "place": "G12", "side": "talkative"}]
    assert fix("LIBERTY", "name=who-informant][value=informant") == [
        {"subject": "informant", "place": "LIBERTY", "side": "talkative"}
    ]

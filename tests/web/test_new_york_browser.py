"""The page with a board by the water: every kind of cell and piece is drawn, told and put right by a tap."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_table import FakeTable
from seat_pages import begin_ruling

from companion import boards
from companion.games import load
from companion.host.status import status
from companion.referee.view import view
from companion.web.app import create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

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

    def answer(self, answer: Any, /, *, saw: int | None = None) -> dict[str, Any]:
        """Rulings reach the referee, and the page hears what came of them; everything else is only noted."""
        if answer["kind"] == "rule":
            self.hands.say(**answer)
            with self._changed:
                self.log = list(self.hands.events)
                self._changed.notify_all()
        return super().answer(answer, saw=saw)

    def snapshot(self) -> dict[str, Any]:
        source = {"name": "recording", "state": "running"}
        shown = view(self.hands.match)
        beside = {"simulated": True, "source": source, "status": status(shown, source, ())}
        return {**shown, **beside, "trouble": None, "moving": False, "occluded": False}


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
    assert page.eval_on_selector_all(".way", "all => all.map(one => [one.dataset.from, one.dataset.to])") == [
        list(link) for link in BOARD.one_way
    ]
    ways = page.eval_on_selector_all("[data-way]", "all => all.map(one => one.dataset.way)")
    assert sorted(ways) == ["in", "in", "out", "out"]
    places = dict(page.eval_on_selector_all(".pieces .piece", "all => all.map(one => [one.dataset.piece, one.dataset.place])"))
    lying = set(places.values())
    assert {"C14+D13", "K14+L15", "E2", "K16", "G12", "B9", "C12", "H3", "E12", "I6"} <= lying
    transform = page.locator(".piece[data-place='C14+D13']").get_attribute("transform")
    assert [float(x) for x in re.findall(r"[\d.]+", transform)] == pytest.approx(BOARD.mm("C14+D13"), abs=0.02)
    for face in ("park", "subway", "lamp", "building", "silent"):
        assert page.locator(f".piece[data-face={face}]").count() >= 1
    assert page.locator(".glow").count() == 2, "two lamps shine, the park does not"


def test_every_cell_says_what_lies_on_it(shown: tuple[Any, ToldTable]) -> None:
    page, _ = shown

    def said(spot: str) -> str:
        return str(page.get_attribute(f".cells [data-spot-id='{spot}']", "aria-label"))

    assert "Tile (park)" in said("B9") and "Subway" not in said("B9")
    assert said("C14").startswith("C14: street, Barricade") and "Barricade" in said("D13")
    assert "Steamboat (not sure)" in said("K16") and said("K16").startswith("K16: port")
    assert "Informant (silent)" in said("G12")
    assert said("A8").startswith("A8: pier") and said("LIBERTY").startswith("Liberty Island: statue")
    suspects = page.eval_on_selector_all("[data-character]", "all => all.map(one => one.dataset.character)")
    assert set(suspects) == set(GAME.characters), "tiles have two sides as well, and are nobody"


@pytest.mark.parametrize("language", ["en", "es", "ja"])
def test_a_place_with_a_name_shows_it_whole_and_no_id(settings: PageSettings, page: Any, language: str) -> None:
    told = table()
    with PageServer(create_app(told, settings), settings=settings) as running:
        page.goto(f"{running.address}?lang={language}")
        page.wait_for_selector(".board .cell")
        written = page.locator(".board text").all_text_contents()
        assert not {"LIBERTY", "LANDEXIT"} & set(written)
        cut = """() => { const frame = document.querySelector(".board").getBoundingClientRect();
          return [...document.querySelectorAll(".board text")].filter((one) => one.getBoundingClientRect().width > 0 &&
            (one.getBoundingClientRect().left < frame.left || one.getBoundingClientRect().right > frame.right)).length; }"""
        assert page.evaluate(cut) == 0
        page.goto("about:blank")


def test_only_what_the_game_hangs_on_is_listed_as_not_surely_seen(page: Any) -> None:
    hands = Hands.at_start(game=GAME)
    hands.see()
    told = ToldTable(hands)
    card = ".card:has-text('The camera is not sure')"

    def look(**unknown: str) -> None:
        hands.unknown = {name.replace("_at_", ":"): why for name, why in unknown.items()}
        hands.see()
        with told._changed:
            told.log = list(hands.events)
            told._changed.notify_all()

    with PageServer(create_app(told, PageSettings(streams=4, watch_seconds=0.1))) as server:
        hidden = "a disc hides whether a tile lies on E10"
        look(tile_at_E10=hidden)
        page.goto(server.address)
        page.click("[data-key=quiet]")
        page.wait_for_selector(".now .who")
        assert page.locator(card).count() == 0, "every disc hides something, and nothing hangs on it"
        hands.burnt = ("C14", "E12")
        look(tile_at_E10=hidden, beach="glare")
        page.wait_for_selector(card)
        assert "Beach" in page.inner_text(card)
        assert "E10" not in page.inner_text(card)
        page.wait_for_selector("[data-key=burnt]:has-text('A reflection lies on C14, E12')")
        look()
        page.wait_for_selector(card, state="detached")
        page.goto("about:blank")  # before the server stops


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


# --- the arbiter's board ----------------------------------------------------------------------------------------------

BOARD_IN_DIALOG = "dialog .small-board [data-spot-id='{}']"


def open_editor(page: Any) -> None:
    begin_ruling(page, "set-position")
    page.wait_for_selector("dialog .small-board .piece")


def lay(page: Any, spot: str, *choices: str, side: str | None = None) -> None:
    """Tap a cell of the arbiter's board and say what shall lie there."""
    page.click(BOARD_IN_DIALOG.format(spot), force=True)
    for choice in choices:
        page.check(f"dialog:last-of-type input[{choice}]")
    if side:
        page.select_option("dialog:last-of-type select[name=side]", side)
    page.click("dialog:last-of-type [data-key=save]")


def told(page: Any) -> str:
    return str(page.inner_text("dialog .position-editor"))


def test_an_arbiter_sets_a_position_with_every_kind_of_piece(shown: tuple[Any, ToldTable]) -> None:
    page, table = shown
    open_editor(page)
    lay(page, "E4", "name=what-barricades][value='E4+E6'")
    lay(page, "LIBERTY", "name=who-informant][value=''")
    assert "Still to place: Informant" in told(page)
    lay(page, "D13", "name=who-informant][value=informant", side="silent")
    lay(page, "B9", "name=what-tiles][value=subway")
    lay(page, "C8", "name=what-tiles][value=park")
    lay(page, "E2", "name=what-steamboats][value=''")
    lay(page, "G16", "name=what-steamboats][value=yes")
    lay(page, "I10", "name=who-characters][value=smith", side="innocent")
    page.wait_for_selector("dialog .small-board .piece[data-place='E4+E6']")
    assert page.get_attribute("#board .piece[data-place='C14+D13']", "data-place"), "the table's own board is left alone"
    page.fill("dialog input[name=reason]", "knocked over")
    page.click("dialog [data-key=send]")
    page.wait_for_selector("dialog", state="detached")
    position = table.hands.match.position.to_json()
    assert position["barricades"] == [["E4", "E6"], ["K14", "L15"]]
    assert position["informant"] == {"hex": "D13", "side": "silent"}
    assert (position["tiles"]["B9"], position["tiles"]["C8"], position["tiles"]["C12"]) == ("subway", "park", "subway")
    assert position["steamboats"] == ["G16", "K16"]
    assert position["characters"]["smith"] == {"hex": "I10", "side": "innocent"}
    assert table.hands.last("ruling").data["reason"] == "knocked over"


def test_more_pieces_than_there_are_and_a_piece_nowhere_keep_a_position_from_being_set(shown: tuple[Any, ToldTable]) -> None:
    page, table = shown
    open_editor(page)
    lay(page, "C12", "name=what-barricades][value='C12+C14'")
    assert "More than there are: barricade." in told(page)
    page.fill("dialog input[name=reason]", "knocked over")
    page.click("dialog [data-key=send]")
    assert page.locator("dialog .small-board").count() == 1 and table.taken == []
    lay(page, "K14", "name=what-barricades][value=''")
    assert "More than" not in told(page) and "Barricade" in told(page)
    lay(page, "B13", "name=what-steamboats][value=yes")
    assert "More than there are: steamboat." in told(page)
    lay(page, "K16", "name=what-steamboats][value=''")
    assert "More than" not in told(page)


def test_a_tile_where_it_may_not_lie_is_marked_above_what_hides_its_cell(page: Any) -> None:
    hands = Hands.at_start(game=GAME)
    hands.see()
    hands.move("latimer", "D5").shift("tiles", None, "C8", "lamp").see()
    with PageServer(create_app(ToldTable(hands), PageSettings(streams=4, watch_seconds=0.1))) as server:
        page.goto(server.address)
        page.wait_for_selector(".pieces .piece")
        rings = page.eval_on_selector_all(".marks-over .wrong-ring", "all => all.map(one => one.dataset.spot)")
        page.goto("about:blank")  # before the server stops
    assert "C8" in rings and set(rings) <= {"C8", "C10"}


def test_before_the_first_turn_nothing_is_shown_as_lying_there_but_what_lies_there(page: Any) -> None:
    hands = Hands.at_start(game=GAME)
    hands.state = {"characters": {}, "tiles": {}, "barricades": [], "steamboats": [], "informant": None, "turn": None}
    hands.see()
    with PageServer(create_app(ToldTable(hands), PageSettings(streams=4, watch_seconds=0.1))) as server:
        page.goto(server.address)
        page.wait_for_selector(".pieces .piece")
        assert page.locator(".pieces .piece:not(.ghost)").count() == 0
        ghosts = page.eval_on_selector_all(".pieces .ghost", "all => all.map(one => one.dataset.piece)")
        page.goto("about:blank")  # before the server stops
    assert {"informant", "turn", *GAME.characters} <= set(ghosts)


def test_the_table_as_it_stands_leaves_out_who_is_not_there(shown: tuple[Any, ToldTable]) -> None:
    page, table = shown
    table.hands.state["informant"] = {"hex": None}
    table.hands.see()
    table.push("notice", {"code": "n", "text": "looked again", "params": {}})
    page.wait_for_selector("#board .piece.ghost[data-piece=informant]")
    assert "belongs here, is missing" in page.get_attribute(".cells [data-spot-id=LIBERTY]", "aria-label")
    open_editor(page)
    page.click("dialog [data-key=from-table]")
    assert "Still to place: Informant" in told(page)
    assert page.locator("dialog .small-board [data-piece=informant]").count() == 0
    lay(page, "G12", "name=who-informant][value=informant")
    assert "Still to place" not in told(page) and "Informant Liberty Island → G12" in told(page), "as its name is printed"


def test_the_arbiters_board_is_worked_with_the_keyboard_alone(shown: tuple[Any, ToldTable]) -> None:
    page, table = shown
    page.focus("#more-button")
    page.keyboard.press("Enter")
    page.focus("dialog [data-key=rule]")
    page.keyboard.press("Enter")
    page.focus("dialog input[value=set-position]")
    page.keyboard.press("Space")
    page.wait_for_selector("dialog .small-board .piece")
    page.focus("dialog .small-board [tabindex='0']")

    def here() -> str:
        spot = str(page.evaluate("document.activeElement.dataset.spotId"))
        assert spot in BOARD.cells
        return spot

    start = here()
    for key in ("ArrowLeft", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    assert here() != start
    while here() != "E4":
        x, y = BOARD.mm(here())
        to_x, to_y = BOARD.mm("E4")
        sideways = abs(to_x - x) > abs(to_y - y) or abs(to_y - y) < 1
        page.keyboard.press(("ArrowRight" if to_x > x else "ArrowLeft") if sideways else "ArrowDown" if to_y > y else "ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog:last-of-type input[name=what-barricades]")
    page.focus("dialog:last-of-type input[name=what-barricades][value='']")
    page.keyboard.press("ArrowDown")
    page.focus("dialog:last-of-type [data-key=save]")
    page.keyboard.press("Enter")
    page.locator("dialog").nth(1).wait_for(state="detached")
    assert "Barricade" in told(page)
    assert page.evaluate("document.activeElement.dataset.spotId") == "E4", "the way on from where it was"
    page.focus("dialog input[name=reason]")
    page.keyboard.type("agreed")
    page.focus("dialog [data-key=send]")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog", state="detached")
    assert any("E4" in pair for pair in table.hands.match.position.to_json()["barricades"])

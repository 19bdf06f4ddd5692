"""Get Adler! on the page: ring of seats, a question by its buttons, a confrontation as a row, a seat's own page on a phone."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from boxes import boxes
from seat_pages import begin_ruling, seats, shared_screen, until
from testkit.adler_at_table import AdlerAtTable

from companion.games.get_adler.names import KINDS
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser
SHOWN = os.environ.get("TABLE_WITNESS_SHOTS")
"""A folder for pictures of the page, for whoever wants to look at it."""


def shot(page: Any, name: str) -> None:
    if SHOWN:
        page.screenshot(path=str(Path(SHOWN) / f"{name}.png"), full_page=True)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[AdlerAtTable]:
    made = AdlerAtTable(tmp_path)
    made.open_up(sealed=False)
    yield made
    made.close()


READY = "#ring-card .ring li"


@pytest.fixture
def board(table: AdlerAtTable, settings: PageSettings, page: Any) -> Iterator[Any]:
    with shared_screen(table.table, settings, page, READY) as shown:
        shown.get_by_role("button", name="Without sound").click()
        yield shown


@pytest.fixture
def seated(table: AdlerAtTable, settings: PageSettings, page: Any) -> Iterator[Callable[[str], Any]]:
    with seats(table.table, settings, page, READY) as sit:
        yield sit


def put_right(table: AdlerAtTable, board: Any, zone: str, name: str) -> int:
    """Open the dialog of a zone once the page shows all its cards; the number of its last card."""
    last = len(table.state.mat.laid.zone(zone))
    until(board, lambda: board.locator(f".board [data-place={zone}]").count() >= last)
    board.get_by_role("button", name=name).click()
    return last


def asked(table: AdlerAtTable, board: Any) -> None:
    """Seat 1 has asked seat 2, and the page shows whose turn it is now."""
    table.ask("seat-2")
    until(board, lambda: "Seat 2: your turn" in board.inner_text("#now"))


def test_an_arbiter_takes_the_first_turn_back(table: AdlerAtTable, board: Any) -> None:
    """The page took the first moment of an hour for the one where the game stands, and offered no way back."""
    asked(table, board)
    board.click("#more-button")
    assert "both" not in board.inner_text("dialog").lower(), "four play"
    board.keyboard.press("Escape")
    begin_ruling(board, "set-position")
    assert "both" not in board.inner_text("dialog").lower(), "four play"
    board.check("dialog input[value=take-back]")
    assert board.locator("dialog .moments label").all_inner_texts() == ["Hour 1, after: Seat 1 begins."]
    board.fill("dialog input[name=reason]", "misheard")
    board.click("dialog [data-key=send]")
    until(board, lambda: "Seat 1: your turn" in board.inner_text("#now"))
    assert table.way_back == ["Question: take it off the discard pile."]


def test_an_arbiter_sets_the_pile_and_nothing_else_is_offered(table: AdlerAtTable, board: Any) -> None:
    """Every zone was offered, and refused once the ruling was sent."""
    asked(table, board)
    begin_ruling(board, "set-position")
    spot = "dialog .small-board [data-spot-id='{}']".format
    board.locator(spot("place-1")).dispatch_event("click")
    assert board.locator("dialog:last-of-type select, dialog:last-of-type input").count() == 0
    assert "Only the discard pile can be set." in board.inner_text("dialog:last-of-type")
    board.keyboard.press("Escape")
    board.locator(spot("pile")).dispatch_event("click")
    offered = board.locator("dialog:last-of-type [data-key=card-0]").locator("option").all_inner_texts()
    assert len(offered) == 1 + len(KINDS) and "Gun" in offered, "no pile is put together with cards that nobody knows"
    board.select_option("dialog:last-of-type [data-key=card-0]", "gun")
    board.click("dialog:last-of-type [data-key=save]")
    assert "gun" in board.inner_text("dialog .position-editor").lower()
    board.fill("dialog input[name=reason]", "the cards were mixed")
    board.click("dialog [data-key=send]")
    until(board, lambda: table.state.mat.laid.zone("pile") == ("gun",))


def test_the_ring_shows_whose_turn_it_is_and_a_question_is_asked_by_its_buttons(table: AdlerAtTable, board: Any) -> None:
    ring = board.locator("#ring .ring li[data-seat]")
    assert ring.count() == 4 and board.locator(".ring li[aria-current=true]").get_attribute("data-seat") == "seat-1"
    assert "Cards: 7" in ring.first.inner_text() and "Draw and play a card." in ring.first.inner_text()
    upper, hour = boxes(board, "#ring .ring li[data-seat=seat-2]", "#ring .hour")
    assert hour["y"] < upper["y"] + upper["height"], "the hour stands between four seats, in no row of its own"
    table.lay("pile", "question")
    shot(board, "desktop-question")
    board.get_by_role("button", name="Seat 5", exact=True).click()
    until(board, lambda: table.public["phase"] == "asking")
    board.get_by_role("button", name="Hat").click()
    board.wait_for_selector("text=Seat 1: which colour do you ask Seat 5 about? (Hat)")
    board.get_by_role("button", name="red").click()
    until(board, lambda: table.public["phase"] == "play")
    assert table.public["answers"][0]["answer"] == "yes", "what was entrusted has answered"
    board.wait_for_selector(".ring li[aria-current=true][data-seat=seat-2]")
    board.click("#more-button")
    board.click("dialog [data-key=rule]")
    rulings = board.locator("dialog .options label").all_inner_texts()
    assert "Set a position" in rulings and all(rulings), "what can be ruled has its words"


def test_a_confrontation_grows_as_a_row_and_says_who_may_answer(table: AdlerAtTable, board: Any) -> None:
    table.to_hour(4)
    table.lay("place-4", "arrest")
    table.show()
    table.lay("place-4", "escape-bus")
    board.wait_for_selector(".card-row li >> nth=1")
    row = board.locator(".card-row").inner_text()
    assert "Escape by bus" in row and "May answer: Seat 1, Seat 2, and Seat 5" in row
    shot(board, "desktop-row")
    guns = board.locator(".piece[data-piece^=gun]").evaluate_all("pieces => pieces.map(one => one.getAttribute('data-place'))")
    assert guns == ["pile", "pile"]
    assert board.locator(".board").evaluate("svg => svg.querySelectorAll('[transform*=NaN]').length") == 0


def test_a_card_that_is_not_allowed_is_marked_over_the_card(table: AdlerAtTable, board: Any) -> None:
    """The marks lay below the cards, which fill their zones; the legend named what nobody saw."""
    table.lay("place-4", "arrest")
    board.wait_for_selector(".alarm")
    marked = "all => all.map((one) => [one.classList[0], one.dataset.spot])"
    over = board.eval_on_selector_all(".marks-over .wrong-ring, .marks-over .lay", marked)
    assert ["wrong-ring", "place-4"] in over and board.locator(".legend rect.wrong").count() == 1


def test_cards_and_zones_are_shown_by_pictograms_and_words(table: AdlerAtTable, board: Any) -> None:
    table.lay("pile", "document")
    board.wait_for_selector("#steps-list .sign")
    assert "?" not in board.locator("#steps-list").inner_text()
    names = board.locator(".zone-name").evaluate_all("names => names.map(one => one.textContent)")
    assert (
        "Discard pile" in names
        and "Role of seat 4" in names
        and not [name for name in names if name.startswith(("place", "role"))]
    )


@pytest.mark.parametrize("language", ["es", *(pytest.param(one, marks=pytest.mark.slow) for one in ("en", "it", "ja"))])
def test_the_name_of_a_zone_stays_within_it_in_every_language(board: Any, language: str) -> None:
    board.goto(f"{board.url.partition('?')[0]}?lang={language}")
    board.wait_for_selector(".zone-name")
    wide = board.locator(".zone-name").evaluate_all(
        "names => names.filter(one => one.getBBox().width > one.parentNode.querySelector('.plate').getBBox().width)"
        ".map(one => one.textContent)"
    )
    assert not wide


def test_before_the_first_turn_the_page_says_what_is_waited_for(tmp_path: Path, settings: PageSettings, page: Any) -> None:
    table = AdlerAtTable(tmp_path / "fresh")
    table.show()
    table.show()
    with shared_screen(table.table, settings, page, READY) as shown:
        assert "The seats tell their roles in secret" in shown.locator(".headline").inner_text()
    table.close()


def test_a_keyboard_goes_on_at_what_happens_now_once_all_secrets_are_told(
    tmp_path: Path, settings: PageSettings, page: Any
) -> None:
    """The list of secrets goes when it is empty: the focus fell to a place of the board, which a screen reader then read."""
    table = AdlerAtTable(tmp_path / "fresh")
    table.show()
    table.show()
    for seat in ("seat-1", "seat-2", "seat-4"):
        table.tell(seat, sealed=False)
    with shared_screen(table.table, settings, page, READY) as shown:
        shown.focus("[data-key=tell-seat-5-role]")
        table.tell("seat-5", sealed=False)
        shown.wait_for_selector("#own-card", state="hidden")
        until(shown, lambda: shown.evaluate("document.activeElement.id") == "now")
    table.close()


def test_every_area_of_the_mat_is_called_by_a_name(board: Any) -> None:
    told = board.eval_on_selector_all(".zone text", "all => all.map((one) => one.textContent)")
    assert "Hand of seat 1" in told and not [name for name in told if "-" in name]


def test_places_and_cards_are_called_by_name_to_whoever_does_not_see_them(table: AdlerAtTable, board: Any) -> None:
    table.lay("pile", "question")
    until(board, lambda: "Question" in board.get_attribute("[data-spot-id=pile]", "aria-label"))
    names = board.locator(".board [data-spot-id]").evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    assert "hour 2" in names and not [name for name in names if re.search(r"[a-z]-[0-9]|\(question\)", name)]
    for spot, title in (("hour-2", "What is on hour 2?"), ("hand-1", "Hand of seat 1: what is there?")):
        board.dispatch_event(f".board [data-spot-id={spot}]", "click")
        assert board.inner_text("dialog h2") == title
        assert "hour-" not in board.inner_text("dialog")
        board.click("dialog [data-key=cancel]")
        board.wait_for_selector("dialog", state="detached")


def test_a_misread_card_is_put_right_by_its_kind(table: AdlerAtTable, board: Any) -> None:
    table.to_hour(2)
    table.lay("pile", "question")
    last = put_right(table, board, "pile", "Discard pile")
    assert board.inner_text("dialog h2") == "Discard pile: what is there?"
    assert "The uppermost card comes first." in board.inner_text("dialog"), "which end of the list is the top was nowhere said"
    keys = board.eval_on_selector_all("dialog select", "all => all.map(one => one.dataset.key)")
    assert keys == [f"card-{rank}" for rank in reversed(range(last + 1))], "what was misread is the upmost, as a rule"
    names = board.locator(f"dialog [data-key=card-{last}] option").all_inner_texts()
    assert len(names) == len(set(names)) == 2 + len(KINDS) and {"Disguise", "Gun", "no card"} < set(names)
    assert not [name for name in names if "-" in name] and names[-1] == "Face down", names
    shot(board, "desktop-correct")
    board.select_option(f"[data-key=card-{last - 1}]", label="Disguise")
    board.click("dialog [data-key=save]")
    until(board, lambda: table.state.mat.laid.zone("pile")[-1] == "disguise")
    table.show()
    assert not table.faults and table.public["trouble"] is None


def test_a_card_that_lands_while_another_is_put_right_stays(table: AdlerAtTable, board: Any) -> None:
    """All cards of a zone are told then: the one that landed while the dialog was open would have been told away."""
    table.to_hour(2)
    table.lay("pile", "question")
    last = put_right(table, board, "pile", "Discard pile")
    board.select_option(f"[data-key=card-{last - 1}]", label="Disguise")
    table.lay("pile", "document")
    until(board, lambda: board.locator(".board [data-place=pile]").count() > last)
    board.click("dialog [data-key=save]")
    board.wait_for_selector("dialog", state="detached")
    assert table.table.snapshot()["table"]["state"]["cards"]["pile"][-2:] == ["disguise", "document"]


def test_a_card_is_taken_back_as_the_last_play(table: AdlerAtTable, board: Any) -> None:
    """It was "Take back pile": plays of cards are kept by the zone they were laid into."""
    table.to_hour(2)
    table.lay("pile", "question")
    until(board, lambda: board.locator(".board [data-place=pile]").count() > 3)
    begin_ruling(board, "take-back")
    moments = board.locator("dialog .moments label").all_inner_texts()
    assert moments and all(one.startswith("Hour ") for one in moments), moments
    board.click("dialog [data-key=cancel]")
    board.wait_for_selector("dialog", state="detached")
    board.click("[data-key=take-back]")
    assert board.inner_text("dialog h2") == "Take back the last play"
    board.get_by_role("button", name="Take it back").click()
    until(board, lambda: any(event.kind == "undo" for event in table.events()))
    board.wait_for_selector("text=The last play is taken back. Put back what it moved.")


def test_a_seat_says_that_a_card_is_its_own(table: AdlerAtTable, board: Any) -> None:
    table.to_hour(4)
    table.lay("place-4", "arrest")
    table.show()
    table.lay("place-4", "escape-bus")
    deeds = board.locator("[data-key^=deed-]")
    until(board, lambda: deeds.count() > 1)
    named = deeds.evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    assert len(set(named)) == len(named) > 1, "whose card it would be was said to nobody who does not see where it stands"
    board.locator("[data-key=deed-seat-5]").click()
    until(board, lambda: table.state.mat.by == 3)
    table.lay("place-4", "escape-bus")
    assert table.state.books.fight.pursuer == 3


def test_guns_that_are_laid_at_once_are_counted(tmp_path: Path, settings: PageSettings, page: Any) -> None:
    table = AdlerAtTable(tmp_path / "sealed", {"gunfight": "sealed"})
    table.open_up(sealed=False)
    table.to_hour(4)
    table.lay("place-4", "arrest")
    table.show()
    table.lay("place-4", "gun")
    with shared_screen(table.table, settings, page, READY) as shown:
        shown.get_by_role("button", name="Without sound").click()
        shown.fill("[data-key=count-0]", "2")
        shown.fill("[data-key=count-1]", "3")
        shot(shown, "desktop-shots")
        shown.click("[data-key=count-send]")
        until(shown, lambda: table.public["phase"] != "shoot")
        shown.wait_for_selector(".ring li[data-out]")
        look = "one => [getComputedStyle(one).opacity, getComputedStyle(one).borderTopStyle]"
        assert shown.eval_on_selector(".ring li[data-out]", look) == ["1", "dashed"], (
            "told by its frame, its words as plain as others"
        )
    assert not table.state.books.seats[2].alive, "three guns against two"
    table.close()


@pytest.mark.parametrize(("seat", "told"), [("seat-3", 1), ("seat-4", 0)])
def test_a_seat_that_the_match_does_not_have_is_told_so(seated: Callable[[str], Any], seat: str, told: int) -> None:
    """Its link was given before it was chosen how many play: the page looked like any other seat's, and never asked."""
    assert seated(seat).locator("#now [data-key=unplayed]").count() == told


def test_a_seat_sees_its_role_only_while_pressed(table: AdlerAtTable, seated: Callable[[str], Any]) -> None:
    page = seated("seat-4")
    assert "You are Adler." not in page.locator("body").inner_text()
    shot(page, "phone")
    veil = page.get_by_text("Press and hold to see what only you know")
    veil.scroll_into_view_if_needed()
    box = veil.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    until(page, lambda: "You are Adler." in page.locator("#own").inner_text())
    shot(page, "phone-pressed")
    page.mouse.up()
    until(page, lambda: "You are Adler." not in page.locator("#own").inner_text())

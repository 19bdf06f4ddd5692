"""Letters from Whitechapel on the screen that all share: a large graph with its pieces, questions answered on the board and by
numbers, the map of what is possible, corrections."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from seat_pages import PHONE, begin_ruling, shared_screen, until
from testkit.night_players import everybody_stays, flee, nobody_asks, to_the_circle
from testkit.night_record import read, replayed
from testkit.night_table import NightTable
from whitechapel_pages import IN_SIGHT, READY, begun, hunted

from companion import boards
from companion.web.app import create_app, views_of
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser
RECORDED = Path(__file__).parents[1] / "games" / "recorded_whitechapel"


@pytest.fixture
def board(night: NightTable, settings: PageSettings, page: Any) -> Iterator[Any]:
    with shared_screen(night.table, settings, page, READY) as shown:
        yield shown


def test_the_whole_board_is_drawn_with_its_policemen_and_the_scene(board: Any) -> None:
    known = boards.load("letters-from-whitechapel")
    assert board.locator(".cell").count() == len(known.cells) + len(known.places) == 429 + 29
    assert board.locator(".street").count() == 593
    assert board.locator(".shape-pawn").count() >= 5
    assert board.locator(".board").evaluate("svg => svg.querySelectorAll('[transform*=NaN]').length") == 0
    marks = board.eval_on_selector_all("[data-piece^=police-] .mark", "all => all.map((one) => one.textContent)")
    assert len(set(marks)) == 5, "policemen are told apart without colour"
    named = board.evaluate(
        """() => [...document.querySelectorAll(".cells .name-inside")].filter((one) => getComputedStyle(one).display !== "none")
          .map((one) => [one.textContent, one.getBoundingClientRect().height])"""
    )
    assert board.evaluate("document.getElementById('steps').getBoundingClientRect().bottom <= innerHeight"), (
        "the moves below it"
    )
    assert len(named) == 194 and min(height for _, height in named) >= 9, "numbers stand within their circles, legible"
    assert board.locator(".cells [data-spot-id='84'] .name-below").is_visible(), "below one that a scene covers"


def test_places_of_the_tracks_show_what_is_printed_on_them_and_the_night_alone_is_the_turn(board: Any) -> None:
    """Jack's pawn was said to go from 1 to 2, and drawn on its way from 6 to 7."""
    shown = dict(board.eval_on_selector_all(".places .place", "all => all.map((one) => [one.dataset.spotId, one.textContent])"))
    assert [shown[f"time-{name}"] for name in ("V", "IV", "III", "II", "I")] == ["V", "IV", "III", "II", "I"]
    assert [shown[f"space-{number}"] for number in range(1, 16)] == [str(number) for number in range(1, 16)]
    assert [shown[f"hour-{number}"] for number in range(1, 6)] == ["I", "II", "III", "IV", "V"]
    now = board.eval_on_selector_all(".place[data-now=yes]", "all => all.map((one) => one.dataset.spotId)")
    assert now == ["night-1"]


def test_what_is_done_is_not_asked_for_again_by_the_last_sentence(night: NightTable, board: Any) -> None:
    """While the brown policeman moved, Jack's pawn was still to be moved where it had been moved to."""
    night.say("moving", how="walk", home=False)
    night.entrust("move", "86")
    board.wait_for_selector(".last-said-text:has-text('move it from')")
    night.show()
    board.wait_for_selector(".headline .who:has-text('The brown policeman moves')")
    assert board.inner_text(".last-said-text") == "Jack walks."
    board.click("[data-key=repeat]")
    said = [board.text_content(f"#{urgency}").strip("\u200b") for urgency in ("polite", "assertive")]
    assert sorted(said) == ["", "Jack walks."]


def test_the_board_is_made_larger_smaller_and_whole_by_buttons_and_keys(board: Any) -> None:
    width = "() => document.querySelector('svg.board').getBoundingClientRect().width"
    usual, frame = board.evaluate(width), board.locator("#board").bounding_box()["width"]
    board.click("[data-key=zoom-all]")
    assert board.evaluate(width) == pytest.approx(frame, abs=2)
    board.locator("svg.board [tabindex='0']").focus()
    board.keyboard.press("+")
    board.keyboard.press("+")
    assert frame < board.evaluate(width) < usual
    board.click("[data-key=zoom-in]")
    board.keyboard.press("Tab")
    assert board.evaluate(width) > frame * 1.3**3 * 0.99


def test_the_clocks_of_five_policemen_are_told_apart(night: NightTable, board: Any) -> None:
    """Each was called "The police", on the clocks and wherever one of them is set."""
    night.table.answer({"kind": "clock", "action": "start", "seconds": 2700, "increment": 0, "delay": 0})
    board.wait_for_selector("#clocks .face")
    names = board.eval_on_selector_all("#clocks .face-role", "all => all.map((one) => one.textContent)")
    assert len(names) == len(set(names)) == 6 and "The brown policeman" in names
    labels = board.eval_on_selector_all("#clocks .face", "all => all.map((one) => one.getAttribute('aria-label'))")
    assert len(set(labels)) == 6
    for who in ("brown", "jack"):  # whoever's round it is
        board.click("[data-key=clock-set]")
        board.select_option("dialog select[name=role]", who)
        assert len(set(board.locator("dialog select[name=role] option").all_text_contents())) == 6
        board.fill("dialog [data-key=minutes]", "7")
        board.fill("dialog [data-key=reason]", "A fault")
        board.click("dialog [data-key=send]")
        board.wait_for_selector("dialog", state="detached")
        board.wait_for_selector(f"#clocks .face[data-role={who}] .face-time:has-text('7:0')")


def test_five_policemen_are_told_apart_where_one_is_meant_and_an_overlay_counts_nights(board: Any) -> None:
    board.click("#more-button")
    board.click("dialog [data-key=rule]")
    board.check("dialog input[value=penalty]")
    names = board.locator("dialog label:has([name=against])").all_inner_texts()
    assert "The blue policeman" in names and len(set(names)) == len(names)
    board.goto(f"{board.url}overlay")
    board.wait_for_selector(".overlay-now:has-text('Night')")
    assert "Turn" not in board.inner_text(".overlay-now")


def test_jack_answers_by_buttons_and_the_page_follows(board: Any, night: NightTable) -> None:
    texts = board.locator("[data-question=how] .choice").all_inner_texts()
    assert len(texts) == 4 and "Walk, and home" in " ".join(texts)
    assert "Moves left: 15. Coaches: 3, alleys: 2." in board.locator("#now").inner_text()
    assert board.locator("#now .turn").inner_text().startswith("Night 1")
    board.locator("[data-question=how] .choice").nth(0).click()
    until(board, lambda: night.public["phase"] == "telling")
    assert night.public["how"] == {"how": "walk", "home": False}
    board.wait_for_selector("[data-question=how] [data-key=answer-1][aria-pressed=true]")  # it was not seen to be taken
    board.locator("[data-question=how] .choice").nth(3).click()
    board.wait_for_selector("[data-question=how] [data-key=answer-4][aria-pressed=true]")
    assert board.locator("[data-question=how] [aria-pressed=true]").count() == 1 and night.public["expects"][0]["given"] == 3


def test_a_marker_that_was_laid_elsewhere_is_not_ticked_off(board: Any, night: NightTable) -> None:
    """Laying it was shown as done beside the request to move it where it was to be laid."""
    flee(night, "86")
    to_the_circle(night)
    night.say("search", circle=86, seat="brown")
    board.wait_for_selector(".chore")
    asked = "all => all.map((one) => [one.dataset.done, one.querySelector('.chore-text').textContent])"
    night.show(clues=("85",))
    until(board, lambda: board.locator(".alarm").count() == 1)
    assert board.locator("[data-list=clean-up] .chore").evaluate_all(asked) == [["no", "Clue marker: move it from 85 to 86."]]
    night.say("correct", subject="clue:86", place="86")
    taken_off = [["no", "Clue marker: take it off 85."]]
    until(board, lambda: board.locator("[data-list=clean-up] .chore").evaluate_all(asked) == taken_off)


BROKEN = """() => [...document.querySelectorAll("dialog .options label > span:last-child")].flatMap((one) =>
  [...one.firstChild.data.matchAll(/\\S+/g)].filter((word) => { const range = document.createRange();
    range.setStart(one.firstChild, word.index); range.setEnd(one.firstChild, word.index + word[0].length);
    return range.getClientRects().length > 1; }).map((word) => word[0]))"""
"""The words that are broken off within, of what can be said of a place."""


@pytest.mark.parametrize("language", ["en", "it"])
def test_who_stands_there_is_read_in_whole_words_on_a_phone_and_a_key_begins_at_who_is_shown(
    board: Any, night: NightTable, language: str
) -> None:
    """A policeman was written "policema n" over two lines, and the focus was on nobody: a key said that nobody stands there."""
    board.set_viewport_size(PHONE)
    board.goto(f"{board.url.partition('?')[0]}?lang={language}")
    board.wait_for_selector(READY)
    board.locator(f"#board [data-spot-id={dict(night.state.books.police)['brown']}]").dispatch_event("click")
    assert board.evaluate(BROKEN) == []
    assert board.evaluate("[document.activeElement.name, document.activeElement.value]") == ["who-police", "police-brown"]
    names = board.locator("dialog legend")
    assert names.count() == 2 and all(
        box["width"] > 9 for box in names.evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())")
    )


def test_the_log_tells_corrections_by_what_is_printed(board: Any, night: NightTable) -> None:
    """A crossing was told by its id, and the second space of the track as 7: the first five are those of the crime's time."""
    night.say("correct", subject="police-red", place="x143")
    night.say("correct", subject="jack-moves", place="space-2")
    board.wait_for_selector("#log li[data-kind=correction] >> nth=1")
    told = " ".join(board.locator("#log li[data-kind=correction]").all_inner_texts())
    assert "Red policeman → 118 & 120" in told and "Jack's pawn on the track → track 2" in told


@pytest.mark.parametrize(("touched", "said"), [("86", "Clue here, not on 85"), ("85", "Clue on 86, not here")])
def test_a_marker_that_is_read_on_the_circle_beside_is_put_right_by_one_correction(
    board: Any, night: NightTable, touched: str, said: str
) -> None:
    """It took two: that none lies on the one circle, and that one lies on the other."""
    flee(night, "86")
    to_the_circle(night)
    night.say("search", circle=86, seat="brown")
    night.show(clues=("85",))
    until(board, lambda: board.locator(".alarm").count() == 1)
    board.locator(f"#board [data-spot-id='{touched}']").dispatch_event("click")
    board.get_by_label(said, exact=True).check()
    board.click("dialog [data-key=save]")
    board.wait_for_selector("dialog", state="detached")
    until(board, lambda: board.locator(".alarm").count() == 0)
    assert night.state.books.clues == (86,)
    assert sum(event.kind == "correction" for event in night.record.events(0)) == 1


def test_a_side_of_a_token_says_of_what_it_is_one(board: Any) -> None:
    """Of a patrol token that lies face down a page said "Down"."""
    board.locator("#board [data-spot-id=x143]").dispatch_event("click")
    named = board.locator("dialog label:has(input[name=what-patrols])").all_inner_texts()
    assert "Patrol token, face down" in named and "Patrol token: blue" in named and "Down" not in named


def test_many_chores_scroll_on_a_phone_so_that_the_board_stays_near(tmp_path: Path, settings: PageSettings, page: Any) -> None:
    night = NightTable(tmp_path)
    night.lay_out(night.entrusting)
    page.set_viewport_size(PHONE)
    with shared_screen(night.table, settings, page, ".chores[data-many]") as shown:
        chores = shown.locator(".chores[data-many]")
        assert chores.locator(".chore").count() == 13 and "(0/13)" in shown.inner_text("#tidy-title")
        until(shown, lambda: (chores.bounding_box() or {"height": 300})["height"] < 300)  # none while it is drawn anew
        chores.focus()
        assert shown.evaluate("() => document.activeElement.dataset.list") == "clean-up", "the keyboard scrolls it as well"
        assert shown.locator("#board").bounding_box()["y"] < PHONE["height"]
        night.show()
        night.say("kill", circles=[84])
        night.show()
        night.show()
        shown.wait_for_selector("[data-question=how]")
        assert "place it on the crossing 29" not in shown.inner_text(".last-said-text"), "what is done is not asked for again"
    night.close()


# --- searches and arrests ---------------------------------------------------------------------------------------------


def test_a_number_says_what_and_the_next_one_where(board: Any, night: NightTable) -> None:
    hunted(night)
    board.wait_for_selector("[data-question=act]")
    numbers = board.eval_on_selector_all(".asked-number", "all => all.map((one) => [one.dataset.spot, one.textContent])")
    assert numbers == [["34", "1"], ["55", "2"]], "the page shows which key is which circle"
    assert board.evaluate(IN_SIGHT, ["34", "55"]) == ["34", "55"], "what is asked about comes into sight"
    assert board.locator("[data-question=act] .choice").all_inner_texts() == ["1\nSearch", "2\nArrest", "3\nDone"]
    board.keyboard.press("2")
    board.wait_for_selector("[data-key=answer-arrest-55]")
    board.click("[data-key=step-again]")
    board.keyboard.press("1")
    board.wait_for_selector("[data-key=answer-search-55]")
    assert night.public["phase"] == "police-act", "nothing is said yet"
    board.keyboard.press("2")
    until(board, lambda: any(event.kind == "answered" for event in night.record.events()))
    answered = [event for event in night.record.events() if event.kind == "answered"]
    assert answered[-1].data["act"]["circle"] == 55 and answered[-1].data["act"]["clue"] is False
    board.wait_for_selector("[data-key=kind-stop]")
    assert "asked about, number 1" in board.get_attribute(".cells [data-spot-id='34']", "aria-label")


def test_what_was_chosen_for_one_question_is_not_chosen_for_the_same_one_a_round_later(board: Any, night: NightTable) -> None:
    """A policeman who stayed where he was had "Arrest" chosen already, and a single key arrested."""
    hunted(night)
    board.wait_for_selector("[data-key=kind-arrest]")
    board.keyboard.press("2")
    board.wait_for_selector("[data-key=answer-arrest-55]")
    board.keyboard.press("1")
    until(board, lambda: any(event.kind == "answered" for event in night.record.events()))
    nobody_asks(night)
    flee(night, "68")
    everybody_stays(night)
    assert night.public["expects"][0]["seat"] == "brown"
    board.wait_for_selector("[data-question=act] [data-key=kind-arrest]")
    assert board.locator("[data-question=act] .choice").all_inner_texts() == ["1\nSearch", "2\nArrest", "3\nDone"]


def test_who_stayed_is_taken_back_without_anything_to_put_back(seated: Callable[[str], Any], night: NightTable) -> None:
    """Players were told to put its pieces back, and so was everybody who had taken it back."""
    hunted(night)
    page = seated("yellow")
    page.wait_for_selector("[data-key=take-back]")
    page.click("[data-key=take-back]")
    assert "Nothing was moved with it" in page.inner_text("dialog") and "Put its pieces back" not in page.inner_text("dialog")
    page.click("dialog [data-key=close]")
    night.say("undo")
    page.wait_for_selector("#log li:has-text('Yellow policeman is taken back.')")
    assert "Put the pieces back" not in page.inner_text("#log")


def test_a_tap_on_a_lit_circle_asks_what_for_and_after_that_counts_at_once(board: Any, night: NightTable) -> None:
    hunted(night)
    board.wait_for_selector(".asked-number")
    board.locator(".cells [data-spot-id='34']").click()
    assert board.locator("dialog .choice").all_inner_texts() == ["Search 34", "Arrest 34"]
    board.click("dialog [data-key=close]")
    board.click("[data-key=kind-search]")
    board.wait_for_selector("[data-key=answer-search-34]")
    board.locator(".cells [data-spot-id='34']").click()
    until(board, lambda: any(event.kind == "answered" for event in night.record.events()))


def test_what_a_finger_leaves_open_is_asked_with_the_place_and_can_be_waved_aside(board: Any, night: NightTable) -> None:
    hunted(night)
    board.wait_for_selector(".asked-number")
    assert "hold a finger on the place" in board.locator("[data-question=act]").inner_text()
    night.eyes.pointed = "55"
    assert night.show() == ["pointed-at"]
    board.wait_for_selector("[data-key=pointed-search]")
    assert board.locator("[data-question=act] .choice").all_inner_texts() == ["1\nSearch 55", "2\nArrest 55"]
    assert board.eval_on_selector_all(".asked-number", "all => all.map((one) => one.dataset.spot)") == ["55"]
    board.click("[data-key=step-again]")
    board.wait_for_selector("[data-key=kind-stop]")
    night.eyes.pointed = "34"
    night.show()
    board.wait_for_selector("[data-key=pointed-arrest]")
    board.keyboard.press("1")
    until(board, lambda: any(event.kind == "answered" for event in night.record.events()))
    assert [one.data["act"]["circle"] for one in night.record.events() if one.kind == "answered"] == [34]


def test_keys_of_a_box_do_the_same_and_the_page_numbers_the_circles(board: Any, night: NightTable) -> None:
    hunted(night)
    board.wait_for_selector(".asked-number")
    board.keyboard.press("Numpad1")
    board.wait_for_selector("[data-key=answer-search-34]")
    board.keyboard.press("Numpad3")
    until(board, lambda: any(event.kind == "answered" for event in night.record.events()))
    assert next(event for event in night.record.events() if event.kind == "answered").data["act"]["circle"] == 55


# --- the words of this game -------------------------------------------------------------------------------------------


def test_an_overlay_says_who_moves_and_the_row_of_moves_counts_nights(board: Any, night: NightTable) -> None:
    """It said that the police picks, and "Turn 1, pick 1" of every policeman."""
    flee(night, "86")
    night.say("stay")
    board.wait_for_selector("#steps [aria-label^='Night 1: ']")
    names = board.eval_on_selector_all("#steps [aria-label]", "all => all.map((one) => one.getAttribute('aria-label'))")
    assert not any("Turn" in name for name in names), names
    board.goto(f"{board.url}overlay")
    board.wait_for_selector(".overlay-now .large:has-text('The red policeman moves')")


def test_an_overlay_says_in_its_own_words_who_has_won(tmp_path: Path, settings: PageSettings, page: Any) -> None:
    night = replayed(read(RECORDED / "arrested-on-the-first-night.json"), tmp_path)
    with shared_screen(night.table, settings, page, ".ending") as shown:
        won = shown.inner_text(".ending h2")
        shown.goto(f"{shown.url}overlay")
        shown.wait_for_selector(".overlay-now .large")
        assert won == shown.inner_text(".overlay-now .large") == "The police win"
    night.close()


# --- the arbiter's board ----------------------------------------------------------------------------------------------


def edited(page: Any) -> Any:
    """The arbiter's board, opened."""
    begin_ruling(page, "set-position")
    return page.locator("dialog .position-editor")


def test_before_the_policemen_come_none_of_them_is_to_be_placed(tmp_path: Path, settings: PageSettings, page: Any) -> None:
    night = NightTable(tmp_path)
    night.show()
    with shared_screen(night.table, settings, page, ".piece[data-piece=night-pawn]") as shown:
        assert "As on record" in edited(shown).inner_text() and "Still to place" not in shown.inner_text("dialog")
        shown.fill("dialog input[name=reason]", "knocked over")
        shown.click("dialog [data-key=send]")
        until(shown, lambda: any(event.kind == "ruling" for event in night.record.events()))
    night.close()


def test_a_clue_marker_is_set_and_a_policeman_off_the_board_is_asked_for(board: Any, night: NightTable) -> None:
    hunted(night)
    board.wait_for_selector("[data-question=act]")
    words = edited(board)
    assert "Only policemen and clue markers can be set." in words.inner_text(), "women and scenes are on the list as well"
    spot = "dialog .small-board [data-spot-id='{}']".format
    brown = dict(night.state.books.police)["brown"]
    board.locator(spot(brown)).dispatch_event("click")
    assert board.inner_text("dialog:last-of-type h2").startswith("What shall be on "), "it was asked what stands there"
    board.check("dialog:last-of-type input[value='']")
    board.click("dialog:last-of-type [data-key=save]")
    assert "Still to place: Brown policeman" in words.inner_text()
    board.click("dialog [data-key=from-record]")
    board.locator(spot("86")).dispatch_event("click")
    asked = board.eval_on_selector_all("dialog:last-of-type input", "all => all.map((one) => one.name)")
    assert set(asked) == {"what-clues"}, "women, patrols and scenes were offered as well, and refused"
    board.check("dialog:last-of-type input[name=what-clues][value=yes]")
    board.click("dialog:last-of-type [data-key=save]")
    board.fill("dialog input[name=reason]", "found and forgotten")
    board.click("dialog [data-key=send]")
    until(board, lambda: night.state.books.clues == (86,))


# --- the map ----------------------------------------------------------------------------------------------------------


def test_the_map_shows_possible_and_ruled_out_circles_and_says_them_in_words(board: Any, night: NightTable) -> None:
    assert board.locator(".possible, .out").count() == 0, "nobody is shown it unasked"
    hunted(night)
    board.wait_for_selector("[data-question=act]")
    board.focus("[data-key=map-places]")
    board.keyboard.press("Enter")
    board.wait_for_selector(".possible")
    possible = board.eval_on_selector_all(".possible", "all => all.map((one) => Number(one.dataset.spot))")
    assert sorted(possible) == night.public["places"] and board.locator(".out-stroke").count() == 195 - len(possible)
    assert "possible" in board.get_attribute(".cells [data-spot-id='86']", "aria-label").split(", ")
    assert "ruled out" in board.get_attribute(".cells [data-spot-id='1']", "aria-label").split(", ")
    board.click("#map-words summary")
    assert board.inner_text("[data-key=map-possible]") == ", ".join(map(str, night.public["places"]))
    board.click("[data-key=map-hideouts]")
    until(board, lambda: board.locator(".possible").count() > 100)
    assert board.locator(".possible").count() == len(night.public["hideouts"])
    board.click("[data-key='map-']")
    assert board.locator(".possible, .out").count() == 0


def test_a_table_without_the_map_sends_and_shows_none(tmp_path: Path, settings: PageSettings, page: Any) -> None:
    night = begun(tmp_path, rules={"map": "hidden"})
    app = create_app(night.table, settings)
    with PageServer(app, settings=settings) as running:
        page.goto(running.address)
        page.wait_for_selector(".piece[data-piece=police-brown]")
        sent = page.evaluate("() => fetch('/api/snapshot').then((answer) => answer.json())")
        assert "places" not in sent and "hideouts" not in sent and sent["house_rules"]["map"] == "hidden"
        assert page.locator("#maps").is_hidden() and page.locator(".board-zoom button").count() == 3
        page.goto("about:blank")
    views_of(app).close()
    night.close()


# --- Jack's own page --------------------------------------------------------------------------------------------------


def test_a_position_is_put_together_where_the_pieces_stand(board: Any) -> None:
    """On a phone the board of the dialog began at its upper left corner, where there is nothing but streets."""
    board.set_viewport_size(PHONE)
    begin_ruling(board, "set-position")
    editor = board.locator("dialog .small-board")
    until(board, lambda: editor.evaluate("one => one.scrollTop + one.scrollLeft") > 0)
    in_sight = """box => { const frame = box.getBoundingClientRect();
      return [...box.querySelectorAll("[data-piece^=police-]")].filter((one) => { const at = one.getBoundingClientRect();
        return at.left > frame.left && at.right < frame.right && at.top > frame.top && at.bottom < frame.bottom; }).length; }"""
    until(board, lambda: editor.evaluate(in_sight) >= 1)
    assert editor.locator("svg.board").get_attribute("aria-label") == "The position that is put together"


def test_the_board_of_a_ruling_is_drawn_larger_and_smaller(board: Any) -> None:
    """By its own buttons and keys; the board of the page stays as it is."""
    board.set_viewport_size(PHONE)
    begin_ruling(board, "set-position")
    wide = "one => one.getBoundingClientRect().width"
    page, editor = board.locator("#board svg.board"), board.locator("dialog .small-board svg.board")
    before = page.evaluate(wide)
    board.click("dialog [data-key=zoom-all]")
    until(board, lambda: editor.evaluate(wide) < PHONE["width"])
    whole = editor.evaluate(wide)
    board.click("dialog [data-key=zoom-in]")
    until(board, lambda: editor.evaluate(wide) > whole)
    larger = editor.evaluate(wide)
    board.focus("dialog .small-board [tabindex='0']")
    board.keyboard.press("+")
    until(board, lambda: editor.evaluate(wide) > larger)
    board.keyboard.press("0")
    until(board, lambda: editor.evaluate(wide) == whole)
    assert page.evaluate(wide) == before

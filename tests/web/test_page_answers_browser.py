"""The page in a real browser: what is flagged, asked, answered, corrected and refused."""

from typing import Any

import pytest
from fake_table import CLEAN_UP, FLAG, FakeTable, call_data, play_data
from page_visits import flagged, show, visit
from seat_pages import until

from companion import boards
from companion.web.server import PageServer

pytestmark = pytest.mark.browser


def test_an_illegal_play_is_shown_with_its_reasons_reach_and_way_back(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    flagged(page, table)
    assert "Bert went 4 steps, he may go 3." in page.inner_text(".alarm")
    assert "Put Jeremy Bert back on i8." in page.inner_text(".alarm")
    assert page.inner_text("#assertive").startswith("Bert went 4 steps")
    marked = page.eval_on_selector_all(".marks .wrong", "all => all.map(one => one.dataset.spot)")
    reach = page.eval_on_selector_all(".marks .reach", "all => all.map(one => one.dataset.spot)")
    assert marked == ["g10"]
    assert set(reach) == set(FLAG["faults"][0]["allowed"])  # type: ignore[index]
    assert page.locator("[data-back='g10-i8']").count() == 1
    assert "not allowed here" in page.get_attribute("[data-spot-id=g10]", "aria-label")
    assert "within reach" in page.get_attribute("[data-spot-id=k9]", "aria-label")
    show(page, table, "playing")
    assert page.locator(".alarm, .marks .wrong, .marks .reach").count() == 0


def test_a_wrong_tap_at_the_call_is_put_right_with_one_touch(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    show(page, table, "clean-up")
    assert page.locator("[data-key=recall]").count() == 0, "tidying up has begun"
    table.change(recall=True)
    number = table.push("call", call_data(True)).number
    page.wait_for_selector(f"#room[data-number='{number}'] [data-key=recall]")
    page.click("[data-key=recall]")
    until(page, lambda: table.taken == [{"kind": "recall"}])
    table.show("call")
    page.wait_for_selector("[data-key=unseen]")
    assert page.locator("[data-key=recall]").count() == 0


def test_a_press_counts_although_the_table_changes_under_the_finger(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    show(page, table, "call")
    pressed = page.locator("[data-key=seen]")
    box = pressed.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    table.change(troubles=[{"kind": "sight", "text": "The frame is out of sight."}])
    number = table.push("notice", {"code": "n", "text": "meanwhile", "params": {}}).number
    page.wait_for_selector(f"#room[data-number='{number}']")
    assert "out of sight" not in page.inner_text("#now"), "nothing is taken away that is pressed"
    page.mouse.up()
    until(page, lambda: len(table.taken) == 1)
    assert table.saw < number, "it is about what was shown when it was pressed"
    page.wait_for_selector("#now [data-key=seen]", state="detached")


def test_what_was_long_ago_is_not_drawn_event_by_event(page: Any, server: PageServer, table: FakeTable) -> None:
    table.show("call")
    for number in range(60):
        table.push("play", {"code": "n", "text": f"Play {number}.", "params": {}})
    page.add_init_script(
        "window.drawn = 0; addEventListener('DOMContentLoaded', () => { const now = document.getElementById('now');"
        " if (now) new MutationObserver(() => window.drawn++).observe(now, { childList: true }); })"
    )
    visit(page, server)
    page.wait_for_selector(f"#log li[data-number='{table.log[-1].number}']", state="attached")
    page.wait_for_timeout(300)
    assert 1 <= page.evaluate("window.drawn") <= 20


def test_where_a_piece_may_lie_is_not_marked_as_within_reach(page: Any, server: PageServer, table: FakeTable) -> None:
    """A fault about a cover, one about a gaslight, and one about somebody's steps."""
    board = boards.load("mr-jack-london")
    cover = {"code": "cover-misplaced", "character": "bert", "cells": ["c3", "c2"], "allowed": ["a5"]}
    dark = next(cell for cell in board.cells if board.kind(cell) == "gaslight" and cell not in board.start["gaslights"])
    lamp = {"code": "lamp-misplaced", "character": "smith", "cells": ["e5", "f5"], "allowed": [dark]}
    words = {"message": "Not there.", "text": "Not there.", "params": {}, "pending": False}
    visit(page, server)
    table.show("flagged")
    steps = FLAG["faults"][0]  # type: ignore[index]
    table.change(flag={**FLAG, "faults": [cover | words, lamp | words, steps]})
    number = table.push("sight-restored", {}).number
    page.wait_for_selector(f"#room[data-number='{number}'] .marks .lay", state="attached")
    marked = "all => all.map(one => one.dataset.spot)"
    assert page.eval_on_selector_all(".marks .lay", marked) == ["a5", dark]
    assert set(page.eval_on_selector_all(".marks .reach", marked)) == set(steps["allowed"])
    assert page.inner_text(".legend").split("\n") == ["not allowed", "within reach", "may lie here"]
    label = page.get_attribute("[data-spot-id=a5]", "aria-label")
    assert "may lie here" in label and "within reach" not in label
    table.change(flag={**FLAG, "faults": [cover | words]})
    page.wait_for_selector(".legend:not(:has(.reach))")
    assert "within reach" not in page.inner_text(".legend")


def test_the_call_is_answered_and_then_very_big(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    show(page, table, "call")
    page.click("[data-key=seen]")
    page.wait_for_selector(".call[data-look=light]")
    assert table.taken == [{"kind": "call", "seen": True}]
    word = page.locator(".call .word").bounding_box()
    assert word["height"] > 80
    assert "Cleared: John H. Watson." in page.inner_text(".call")
    page.wait_for_selector("#assertive:has-text('Jack is seen')", state="attached")
    done = page.eval_on_selector_all(
        "[data-list=clean-up] .chore", "all => all.map(one => [one.dataset.subject, one.dataset.done])"
    )
    assert dict(done) == {"watson": "yes", "gaslight:b2": "no", "turn": "no"}
    table.change(chores=CLEAN_UP[2:])
    page.wait_for_selector("[data-subject='gaslight:b2'][data-done=yes]")


def test_a_doubt_is_settled_by_choosing(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    show(page, table, "doubt")
    page.click("[data-key=choice-1]")
    until(page, lambda: table.taken == [{"kind": "choose", "alternative": 1}])


def test_an_accepted_play_can_be_told_otherwise(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    told = [{"index": n, "redo": False, "plays": [], "text": f"Way {n}."} for n in (0, 1)]
    play = table.push("play", play_data("holmes", ["g5", "e6"], "Way 0.") | {"alternatives": told})
    show(page, table, "playing")
    page.click("text=Was it played another way?")
    page.click("[data-key=choice-1]")
    until(page, lambda: table.taken == [{"kind": "choose", "alternative": 1}])
    number = table.push("undo", {"undone": play.number, "character": "holmes", "cause": "answer"}).number
    page.wait_for_selector(f"#room[data-number='{number}']")
    assert page.locator("text=Was it played another way?").count() == 0, "of a play that was taken back"


def test_a_cell_is_corrected_by_tapping_it(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    show(page, table, "unsure")
    page.click("[data-spot-id=l10]", force=True)
    page.check("dialog input[value=watson]")
    page.select_option("dialog select[name=side]", "innocent")
    page.select_option("dialog select[name=facing]", "SW")
    page.click("dialog [data-key=save]")
    page.wait_for_selector("dialog", state="detached")
    page.click("[data-spot-id=f5]", force=True)
    page.check("dialog input[value='3']")
    page.click("dialog [data-key=save]")
    page.wait_for_selector("dialog", state="detached")
    page.click("[data-spot-id=e6]", force=True)
    page.check("dialog input[value='']")
    page.click("dialog [data-key=save]")
    page.wait_for_selector("dialog", state="detached")
    assert table.taken == [
        {"kind": "correct", "subject": "watson", "place": "l10", "side": "innocent", "facing": "SW"},
        {"kind": "correct", "subject": "gaslight:f5", "place": "f5", "label": 3},
        {"kind": "correct", "subject": "holmes", "place": None},
    ]


def test_a_disc_that_gives_way_to_another_has_to_stand_somewhere(page: Any, server: PageServer, table: FakeTable) -> None:
    """Bert was taken for Smith and Smith for Bert; or Bert stands elsewhere; or both stand there, as an accusation."""
    visit(page, server)
    show(page, table, "flagged")
    corrected = [{"kind": "correct", "subject": "smith", "place": "g10", "side": "suspect"}]

    def says(fate: str) -> list[dict[str, Any]]:
        table.taken.clear()
        page.click("#board [data-spot-id=g10]", force=True)
        assert page.locator("dialog input[name=displaced]").count() == 0, "asked only when it matters"
        page.check("dialog input[value=smith]")
        assert page.is_checked("dialog input[value=swap]")
        assert "Jeremy Bert stands where John Smith was shown (g8)" in page.inner_text("dialog .titled")
        page.check(f"dialog input[value={fate}]")
        page.click("dialog [data-key=save]")
        if fate == "next":
            assert page.inner_text("dialog:last-of-type h2") == "Where does Jeremy Bert stand?"
            assert table.taken == [], "nothing is said by halves"
            page.select_option("dialog:last-of-type select[name=where]", "h10")
            page.click("dialog:last-of-type [data-key=save]")
        page.wait_for_selector("dialog", state="detached")
        return list(table.taken)

    # In one answer: between two of them both would stand on one cell, and an accusation would be flagged.
    assert says("swap") == [{**corrected[0], "also": [{"subject": "bert", "place": "g8"}]}]
    assert says("next") == [{**corrected[0], "also": [{"subject": "bert", "place": "h10"}]}]
    assert says("both") == corrected


def test_on_a_phone_the_buttons_of_a_long_dialog_are_in_sight(page: Any, server: PageServer, table: FakeTable) -> None:
    page.set_viewport_size({"width": 360, "height": 480})
    visit(page, server)
    show(page, table, "unsure")
    page.click("[data-spot-id=l10]", force=True)
    page.wait_for_selector("dialog[open]")
    long = page.evaluate("(() => { const it = document.querySelector('dialog'); return it.scrollHeight - it.clientHeight; })()")
    assert long > 100, "the dialog is longer than the phone"
    for down in (0, long / 2, long):
        page.evaluate("(down) => document.querySelector('dialog').scrollTo(0, down)", down)
        for key in ("save", "cancel"):
            box = page.locator(f"dialog [data-key={key}]").bounding_box()
            over = page.evaluate("([x, y]) => document.elementFromPoint(x, y).dataset.key", [box["x"] + 9, box["y"] + 9])
            assert (over, box["y"] + box["height"] <= 480) == (key, True), down


def test_an_exit_can_be_corrected_too(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    show(page, table, "playing")
    page.click("[data-spot-id=NW]", force=True)
    page.check("dialog input[value=yes]")
    page.click("dialog [data-key=save]")
    page.wait_for_selector("dialog", state="detached")
    assert table.taken == [{"kind": "correct", "subject": "cordon:NW", "place": "NW"}]


def test_a_refusal_is_told_with_what_to_do(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    show(page, table, "call")
    table.refuse = "Jack cannot be seen: no suspect is seen now"
    page.click("[data-key=seen]")
    message = page.wait_for_selector(".message").inner_text()
    assert "no suspect is seen now" in message
    assert "then answer again" in message
    page.complaints.clear()  # the browser itself notes a refused request


def test_a_refused_dialog_says_so_in_itself_and_only_the_last_time(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    show(page, table, "playing")
    table.change(undo="holmes")
    number = table.push("sight-restored", {}).number
    page.wait_for_selector(f"#room[data-number='{number}']")
    page.click("#more-button")
    page.click("dialog [data-key=undo]")
    for refusal in ("the first try is refused", "the second try is refused"):
        table.refuse = refusal
        page.click("dialog [data-key=sure]")
        page.wait_for_selector(f"dialog [role=alert]:has-text('{refusal[1:]}')")
        told = page.locator("dialog [role=alert]")
        assert told.inner_text() == f"T{refusal[1:]}. Nothing was changed."
    box = told.bounding_box()
    over = page.evaluate("([x, y]) => document.elementFromPoint(x, y).getAttribute('role')", [box["x"] + 9, box["y"] + 9])
    assert over == "alert", "nothing hides it"
    assert page.locator("#messages .message").count() == 0
    table.refuse = None
    page.click("dialog [data-key=sure]")
    page.wait_for_selector("dialog", state="detached")
    page.complaints.clear()  # the browser itself notes a refused request


def test_a_newer_refusal_takes_the_place_of_the_older(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    show(page, table, "call")
    for n in (1, 2, 3):
        table.refuse = f"refused for the {n}. time"
        page.click("[data-key=seen]")
        page.wait_for_selector(f".message:has-text('{n}. time')")
        assert page.locator(".message").count() == 1
    page.complaints.clear()  # the browser itself notes a refused request


def test_only_as_many_cards_are_told_as_a_turn_has(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    show(page, table, "playing")
    table.change(available=None)
    number = table.push("sight-restored", {}).number
    page.wait_for_selector(f"#room[data-number='{number}']")
    page.click("#more-button")
    page.click("dialog [data-key=cards]")
    page.click("dialog [data-key=save]")
    assert page.inner_text("dialog [role=alert]") == "A turn has 4 cards; chosen are 1."
    for name in ("bert", "gull", "smith", "goodley"):
        page.check(f"dialog input[value={name}]")
    page.uncheck("dialog input[value=holmes]")
    page.click("dialog [data-key=save]")
    told = page.inner_text("dialog [role=alert]")
    assert told == "Already played this turn, so among the cards: Sherlock Holmes."
    assert table.taken == []
    page.uncheck("dialog input[value=gull]")
    page.check("dialog input[value=holmes]")
    page.click("dialog [data-key=save]")
    page.wait_for_selector("dialog", state="detached")
    assert set(table.taken[0]["characters"]) == {"holmes", "bert", "smith", "goodley"}


def test_menu_takes_back_and_tells_cards(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    show(page, table, "playing")
    table.change(undo="holmes", available=None)
    number = table.push("sight-restored", {}).number
    page.wait_for_selector(f"#room[data-number='{number}']")
    page.click("#more-button")
    assert "companion run" in page.inner_text("dialog [data-key=no-lobby]"), "a table without a lobby says how to come to one"
    page.click("dialog [data-key=undo]")
    meanwhile = table.push("sight-restored", {}).number
    page.wait_for_selector(f"#room[data-number='{meanwhile}']")
    page.click("dialog [data-key=sure]")
    page.wait_for_selector("dialog", state="detached")
    assert table.saw == number, "the play that it asks about is the one that was the last when it was opened"
    page.click("#more-button")
    page.click("dialog [data-key=cards]")
    for name in ("bert", "gull", "smith"):
        page.check(f"dialog input[value={name}]")
    page.click("dialog [data-key=save]")
    page.wait_for_selector("dialog", state="detached")
    assert table.taken[0] == {"kind": "undo"}
    assert table.taken[1]["kind"] == "cards"
    assert set(table.taken[1]["characters"]) == {"holmes", "bert", "gull", "smith"}


@pytest.mark.parametrize(
    "language", ["es", "it", "zh-Hans", *(pytest.param(other, marks=pytest.mark.slow) for other in ("en", "ja", "zh-Hant"))]
)
def test_the_two_buttons_of_a_call_hold_their_words(page: Any, table: FakeTable, server: PageServer, language: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    table.show("call")
    page.goto(f"{server.address}?lang={language}")
    page.wait_for_selector(".big >> nth=1")
    wide = page.eval_on_selector_all(
        ".big", "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)"
    )
    assert wide == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320

"""The page in a real browser: what players see, press, hear, and what happens when something fails."""

import json
import re
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from fake_table import CLEAN_UP, FLAG, SECRET, STATES, FakeTable, call_data, play_data

from companion import boards
from web.app import create_app
from web.server import PageServer
from web.settings import PageSettings

pytestmark = pytest.mark.browser

EARS = """
window.heard = [];
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [{ lang: "en-GB" }], cancel: () => window.heard.push("|"),
  speak: (said) => { window.heard.push(said.text + " @" + said.volume); setTimeout(() => said.onend?.(), 5); } } });
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""


def visit(page: Any, server: PageServer, *, sound: bool = False) -> None:
    page.goto(server.address)
    page.click("[data-key=start]" if sound else "[data-key=quiet]")
    page.wait_for_selector("#connection[data-state=good]")


def show(page: Any, table: FakeTable, state: str) -> None:
    """Put the table into a state and wait until the page has it."""
    table.show(state)
    table.push("sight-restored", {})
    page.wait_for_selector(f"#room[data-number='{len(table.log)}']")
    page.wait_for_selector(LANDMARKS[state])


LANDMARKS = {
    "set-up": ".now .chore", "playing": ".now .who", "flagged": ".alarm", "doubt": ".doubt", "call": ".big.yes",
    "clean-up": ".call .word", "over": "[data-phase=over]", "unsure": "#source[data-state=bad]",
    "blind": "[data-trouble=sight]",
}  # fmt: skip


def flagged(page: Any, table: FakeTable) -> None:
    table.push("flag", FLAG)
    show(page, table, "flagged")


@pytest.mark.parametrize("edition", boards.editions("mr-jack-london"))
def test_the_board_is_true_to_the_printed_one(page: Any, edition: str) -> None:
    table = FakeTable(edition)
    table.show("playing")
    with PageServer(create_app(table, PageSettings(streams=4, watch_seconds=0.1))) as server:
        visit(page, server)
        board = boards.load("mr-jack-london", edition)
        drawn = page.eval_on_selector_all(
            ".cells .cell",
            "all => all.map(one => [one.dataset.spotId, one.getAttribute('transform'), one.getAttribute('class')])",
        )
        assert {name for name, _, _ in drawn} == set(board.cells)
        for name, transform, classes in drawn:
            assert [float(number) for number in re.findall(r"[\d.]+", transform)] == pytest.approx(board.mm(name), abs=0.01)
            assert f"kind-{board.kind(name)}" in classes
        pieces = dict(page.eval_on_selector_all(".piece", "all => all.map(one => [one.dataset.piece, one.dataset.place])"))
        state = table.snapshot()["table"]["state"]
        assert {name: pieces[name] for name in state["characters"]} == {k: v["hex"] for k, v in state["characters"].items()}
        assert sorted(pieces[name] for name in ("cover-a", "cover-b")) == sorted(state["covers"])
        assert sorted(pieces[name] for name in ("cordon-a", "cordon-b")) == sorted(state["cordons"])
        assert {pieces[f"lamp-{n}"] for n in (1, 2, 3, 4)} == {
            hexagon for hexagon, n in state["gaslights"].items() if n != "blank"
        }
        assert pieces["turn"] == "turn-1"
        assert page.inner_text("#game-label") == board.label


def test_whose_play_it_is_and_what_was_played(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    table.push("play", play_data("holmes", ["g5", "g6", "f7", "e6"], "Holmes goes from g5 to e6."))
    show(page, table, "playing")
    assert page.inner_text(".now .who") == "Jack picks"
    assert "Pick 2 of 4" in page.inner_text(".headline")
    assert page.inner_text("#log li:nth-child(2)").endswith("Holmes goes from g5 to e6.")
    assert page.inner_text("#polite").strip("\u200b") == "Holmes goes from g5 to e6."
    assert page.get_attribute("[data-piece=holmes]", "data-place") == "e6"
    assert page.locator(".trail").count() == 1
    assert page.locator("#simulated").is_visible()


def test_nobody_is_called_seen_before_the_table_is_agreed(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    show(page, table, "set-up")
    assert page.locator("#suspects li").count() == 8 and page.locator("#suspects [data-seen]").count() == 0
    show(page, table, "playing")
    assert page.locator("#suspects [data-seen]").count() == 8


def test_a_real_camera_shows_no_sign_of_simulation(page: Any) -> None:
    with PageServer(create_app(FakeTable(simulated=False), PageSettings(streams=4))) as server:
        visit(page, server)
        assert page.locator("#simulated").is_hidden()
        page.goto("about:blank")  # before the server stops


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
    page.wait_for_function("() => !document.querySelector('[data-key=recall][aria-busy=true]')")
    assert table.taken == [{"kind": "recall"}]
    table.show("call")
    page.wait_for_selector("[data-key=unseen]")
    assert page.locator("[data-key=recall]").count() == 0


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
    page.wait_for_selector(".call[data-seen=yes]")
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
    page.wait_for_selector("[data-key=choice-1]:not([aria-disabled])")
    assert table.taken == [{"kind": "choose", "alternative": 1}]


def test_an_accepted_play_can_be_told_otherwise(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    told = [{"index": n, "redo": False, "plays": [], "text": f"Way {n}."} for n in (0, 1)]
    table.push("play", play_data("holmes", ["g5", "e6"], "Way 0.") | {"alternatives": told})
    show(page, table, "playing")
    page.click("text=Was it played another way?")
    page.click("[data-key=choice-1]")
    page.wait_for_selector("[data-key=choice-1]:not([aria-disabled])")
    assert table.taken == [{"kind": "choose", "alternative": 1}]


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

    assert says("swap") == [*corrected, {"kind": "correct", "subject": "bert", "place": "g8"}]
    assert says("next") == [*corrected, {"kind": "correct", "subject": "bert", "place": "h10"}]
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


def test_arrow_keys_walk_the_cells_and_every_cell_has_a_label(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    show(page, table, "playing")
    labels = page.eval_on_selector_all("[data-spot-id]", "all => all.map(one => one.getAttribute('aria-label'))")
    assert len(labels) > 86
    assert all(labels)
    assert page.locator(".board [tabindex='0']").count() == 1
    page.focus(".board [tabindex='0']")
    here = page.evaluate("document.activeElement.dataset.spotId")
    board = boards.load("mr-jack-london")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.spotId") == board.step(here, "N")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.spotId") == here
    for _ in range(20):
        page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.spotId") in {"a1", "a2", "a3", "a4", "a5", "NW", "SW"}
    assert page.locator(".board [tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert "Sherlock Holmes (suspect, seen)" in page.get_attribute("[data-spot-id=e6]", "aria-label")


def test_the_secret_is_on_the_screen_only_while_pressed(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    page.click("[data-key=entrust]")
    name = page.locator(f".veil [data-character={SECRET}]")
    assert not name.is_visible()
    box = page.locator(".veil").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    assert name.is_visible()
    target = name.bounding_box()
    page.mouse.move(target["x"] + 30, target["y"] + 20, steps=4)
    assert name.get_attribute("data-chosen") == "yes"
    page.mouse.up()
    assert not name.is_visible()
    assert page.locator("[data-chosen=yes]").count() == 0
    page.click("dialog [data-key=send]")
    page.wait_for_selector("dialog", state="detached")
    assert table.taken == [{"kind": "entrust", "character": SECRET}]
    page.wait_for_selector("text=Jack has entrusted who he is")


def test_the_secret_can_be_chosen_with_the_keyboard(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    page.click("[data-key=entrust]")
    page.focus(".veil")
    page.keyboard.down(" ")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    chosen = page.get_attribute("[data-chosen=yes]", "data-character")
    page.keyboard.up(" ")
    assert not page.locator(".veil .names").is_visible()
    page.click("dialog [data-key=send]")
    page.wait_for_selector("dialog", state="detached")
    assert table.taken == [{"kind": "entrust", "character": chosen}]


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
    for refusal in ("the first try is refused", "the second try is refused"):
        table.refuse = refusal
        page.click("dialog [data-key=undo]")
        page.wait_for_selector(f"dialog [role=alert]:has-text('{refusal[1:]}')")
        told = page.locator("dialog [role=alert]")
        assert told.inner_text() == f"T{refusal[1:]}. Nothing was changed."
    box = told.bounding_box()
    over = page.evaluate("([x, y]) => document.elementFromPoint(x, y).getAttribute('role')", [box["x"] + 9, box["y"] + 9])
    assert over == "alert", "nothing hides it"
    assert page.locator("#messages .message").count() == 0
    table.refuse = None
    page.click("dialog [data-key=undo]")
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


def test_a_demonstration_does_not_claim_that_a_camera_was_named(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    for simulated in (False, True):
        table.change(simulated=simulated)
        number = table.push("sight-restored", {}).number
        page.wait_for_selector(f"#room[data-number='{number}']")
        page.click("#more-button")
        note = page.inner_text("dialog [data-key=no-lobby]")
        assert ("camera named" in note, "demonstration" in note) == (not simulated, simulated)
        assert "companion run" in note
        page.click("dialog [data-key=cancel]")
        page.wait_for_selector("dialog", state="detached")


def test_menu_takes_back_and_tells_cards(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    show(page, table, "playing")
    table.change(undo="holmes", available=None)
    number = table.push("sight-restored", {}).number
    page.wait_for_selector(f"#room[data-number='{number}']")
    page.click("#more-button")
    assert "companion run" in page.inner_text("dialog [data-key=no-lobby]"), "a table without a lobby says how to come to one"
    page.click("dialog [data-key=undo]")
    page.wait_for_selector("dialog", state="detached")
    page.click("#more-button")
    page.click("dialog [data-key=cards]")
    for name in ("bert", "gull", "smith"):
        page.check(f"dialog input[value={name}]")
    page.click("dialog [data-key=save]")
    page.wait_for_selector("dialog", state="detached")
    assert table.taken[0] == {"kind": "undo"}
    assert table.taken[1]["kind"] == "cards"
    assert set(table.taken[1]["characters"]) == {"holmes", "bert", "gull", "smith"}


def test_a_lost_connection_is_shown_and_made_good_without_loss(page: Any, table: FakeTable) -> None:
    settings = PageSettings(streams=4, watch_seconds=0.1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    first = PageServer(create_app(table, settings), port=port, settings=settings)
    first.start()
    visit(page, first)
    table.push("notice", {"code": "n", "text": "before", "params": {}})
    page.wait_for_selector("#log li:has-text('before')")
    first.stop()
    page.wait_for_selector("#connection[data-state=bad]")
    table.push("notice", {"code": "n", "text": "meanwhile", "params": {}})
    table.show("doubt")
    again = PageServer(create_app(table, settings), port=port, settings=settings)
    with again:
        page.wait_for_selector("#connection[data-state=good]", timeout=15000)
        page.wait_for_selector("#log li:has-text('meanwhile')")
        page.wait_for_selector(".doubt")
        assert page.locator("#log li:has-text('before')").count() == 1
        assert page.locator("#log li:has-text('meanwhile')").count() == 1
        page.goto("about:blank")
    page.complaints.clear()  # the browser itself notes the refused connections


def test_a_silent_camera_is_said(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    table.push("notice", {"code": "source-silent", "text": "The camera is silent.", "params": {}})
    table.change(source={"name": "recording", "state": "stalled"})
    page.wait_for_selector("#source[data-state=bad]")
    assert "Camera silent since" in page.inner_text("#source")


def test_a_recording_that_is_over_says_so_and_what_can_be_done(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    assert page.locator("[data-key=recording-over]").count() == 0
    table.change(source={"name": "recording", "state": "over"}, simulated=True)
    page.wait_for_selector("[data-key=recording-over]:has-text('The recording is over')")
    assert "companion demo" in page.inner_text("[data-key=recording-over]")
    assert page.get_attribute("#source", "data-state") == "waiting"
    assert page.locator("#simulated").is_visible()


def test_a_board_out_of_sight_and_a_full_disk_are_shown_each_for_what_it_is_while_they_last(
    page: Any, server: PageServer, table: FakeTable
) -> None:
    visit(page, server)
    sight = {"kind": "sight", "text": "the picture is black: is the lens covered, or the light off?"}
    table.change(troubles=[sight])
    page.wait_for_selector("#source[data-state=bad]:has-text('out of sight')")
    shown = page.inner_text("[data-trouble=sight]")
    assert "The picture is black" in shown and "disk" not in shown and "record" not in shown
    table.change(troubles=[sight, {"kind": "reading", "text": "position: nobody is there"}])
    page.wait_for_selector("[data-trouble=reading]")
    assert "disk" not in page.inner_text("[data-trouble=reading]")
    table.change(troubles=[{"kind": "disk", "text": "game.record: the disk is full"}])
    page.wait_for_selector("[data-trouble=disk]:has-text('Make room on the disk')")
    page.wait_for_selector("#source[data-state=good]")
    table.change(troubles=[])
    page.wait_for_selector("[data-trouble]", state="detached")


def test_the_picture_comes_and_its_absence_is_said(page: Any, server: PageServer, table: FakeTable) -> None:
    table.frame = None
    visit(page, server)
    page.wait_for_selector("#picture-note:has-text('No picture yet')")
    table.frame = FakeTable().frame
    page.locator(".picture").scroll_into_view_if_needed()
    page.wait_for_selector("#picture:not([hidden])", state="attached", timeout=8000)
    page.complaints.clear()  # the browser itself notes the missing picture


def test_only_one_picture_is_asked_for_at_a_time(page: Any, server: PageServer) -> None:
    open_now, most = 0, 0

    def begin(request: Any) -> None:
        nonlocal open_now, most
        if "picture.jpg" in request.url:
            open_now += 1
            most = max(most, open_now)

    def end(request: Any) -> None:
        nonlocal open_now
        if "picture.jpg" in request.url:
            open_now -= 1

    page.on("request", begin)
    page.on("requestfinished", end)
    visit(page, server)
    page.wait_for_timeout(1500)
    assert most == 1


def test_calls_are_spoken_once_news_only_and_repeats_again(page: Any, server: PageServer, table: FakeTable) -> None:
    page.add_init_script(EARS)
    table.push("call", call_data(seen=False))
    visit(page, server, sound=True)
    table.push("call", call_data(seen=True))
    page.wait_for_selector("#assertive:has-text('Jack is seen')", state="attached")
    first = page.inner_text("#assertive")
    table.push("play", play_data("bert", ["i8", "k9"], "Bert goes from i8 to k9."))
    table.push("call", call_data(seen=True))
    page.wait_for_selector("#log li[data-number='4']")
    page.wait_for_timeout(100)
    heard = [said for said in page.evaluate("window.heard") if said.strip() and not said.startswith((" ", "|"))]
    assert [said.split(".")[0] for said in heard] == ["Jack is seen", "Jack is seen"]
    second = page.inner_text("#assertive")
    assert first.strip("\u200b") == second.strip("\u200b")


def test_sound_can_be_turned_off_and_stays_off(page: Any, server: PageServer, table: FakeTable) -> None:
    page.add_init_script(EARS)
    visit(page, server, sound=True)
    page.click("#sound-button")
    page.locator("dialog input[name=volume]").fill("0.5")
    page.click("dialog [data-key=try]")
    assert page.evaluate("window.heard").pop().endswith("@0.5")
    page.uncheck("dialog input[name=on]")
    page.keyboard.press("Escape")
    before = page.evaluate("window.heard.length")
    table.push("call", call_data(seen=True))
    page.wait_for_selector("#log li:has-text('Jack is seen')")
    assert page.evaluate("window.heard.length") == before
    assert json.loads(page.evaluate("localStorage.getItem('table-witness.voice')"))["on"] is False


GLIDES = """
window.glides = {};
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, ...how) {
  if (this.dataset?.piece) window.glides[this.dataset.piece] = (window.glides[this.dataset.piece] ?? 0) + frames.length;
  return animate.call(this, frames, ...how);
};
"""


def test_pieces_glide_along_the_path_unless_motion_is_unwanted(page: Any, server: PageServer, table: FakeTable) -> None:
    page.add_init_script(GLIDES)
    visit(page, server)
    show(page, table, "set-up")
    table.push("play", play_data("holmes", ["g5", "g6", "f7", "e6"], "Holmes goes from g5 to e6."))
    show(page, table, "playing")
    before = page.evaluate("window.glides")
    assert before["holmes"] == 4, "once, by every cell of the path"
    page.emulate_media(reduced_motion="reduce")
    table.show("set-up")
    table.push("sight-restored", {})
    page.wait_for_selector("[data-piece=holmes][data-place=g5]", state="attached")
    assert page.evaluate("window.glides") == before, "no other"


def test_day_and_night_follow_the_system_until_chosen(page: Any, server: PageServer) -> None:
    page.emulate_media(color_scheme="light")
    visit(page, server)
    assert page.get_attribute("html", "data-theme") == "day"
    page.click("#theme-button")
    assert page.get_attribute("html", "data-theme") == "night"
    page.reload()
    assert page.get_attribute("html", "data-theme") == "night"


SIZES = {
    "small": (320, 640),
    "phone": (360, 740),
    "tablet": (820, 1180),
    "laptop": (1366, 768),
    "wall": (1920, 1080),
    "4k": (3840, 2160),
}


@pytest.mark.parametrize("theme", ["day", "night"])
def test_every_state_on_every_screen(chromium: Any, server: PageServer, table: FakeTable, tmp_path: Path, theme: str) -> None:
    """No sideways scrolling anywhere, board and news in sight on wide screens; and pictures of it all to look at."""
    context = chromium.new_context(color_scheme="light" if theme == "day" else "dark")
    page = context.new_page()
    visit(page, server)
    for state in STATES:
        show(page, table, state)
        for name in SIZES if theme == "day" else ("phone", "wall"):  # the lay-out is the same by night
            width, height = SIZES[name]
            page.set_viewport_size({"width": width, "height": height})
            across = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
            assert across[0] <= across[1], f"{state} on {name}: {across}"
            if width >= 1366:
                board, now = page.locator(".board").bounding_box(), page.locator("#now").bounding_box()
                assert board["y"] + board["height"] <= height, f"{state} on {name}: board is cut off"
                assert now["y"] + now["height"] <= height, f"{state} on {name}: news are cut off"
    for name in ("phone", "wall"):
        page.set_viewport_size({"width": SIZES[name][0], "height": SIZES[name][1]})
        picture = tmp_path / f"{name}-{theme}.png"
        page.screenshot(path=str(picture))
        assert picture.stat().st_size > 10_000
    context.close()


def test_an_event_is_on_the_page_at_once(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    table.push("notice", {"code": "n", "text": "warm", "params": {}})
    page.wait_for_selector("#log li:has-text('warm')")
    began = time.monotonic()
    table.push("notice", {"code": "n", "text": "quick", "params": {}})
    page.wait_for_selector("#log li:has-text('quick')")
    assert time.monotonic() - began < 5.0, (
        "how fast it is on a quiet machine is measured elsewhere; here nobody asks again and again"
    )

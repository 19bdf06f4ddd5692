"""The page in a real browser: the board, the picture, the sound, and what happens when something fails."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from boxes import boxes
from fake_table import SECRET, STATES, FakeTable, call_data, play_data
from page_visits import show, visit
from testkit.ports import free_port

from companion import boards
from companion.web.app import create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser

EARS = """
window.heard = [];
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [{ lang: "en-GB" }], cancel: () => window.heard.push("|"),
  speak: (said) => { window.heard.push(said.text + " @" + said.volume); setTimeout(() => said.onend?.(), 5); } } });
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""


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
        page.goto("about:blank")  # that it finds no server once this one is stopped is no complaint


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


def test_a_play_that_an_arbiter_took_back_is_not_drawn_as_the_last_one(page: Any, server: PageServer, table: FakeTable) -> None:
    """Once the pieces were back its way still lay on the board, for spectators as for everybody."""
    visit(page, server)
    table.push("play", play_data("holmes", ["g5", "g6", "f7", "e6"], "Holmes goes from g5 to e6."))
    table.push("ruling", {"action": "penalty", "against": "jack", "reason": "slow"})
    show(page, table, "playing")
    assert page.locator(".trail").count() == 1, "a penalty moves nothing"
    back = {"action": "take-back", "to": 1, "turn": 1, "pick": 0, "reason": "-", "position": table.snapshot()["position"]}
    table.push("ruling", back)
    show(page, table, "playing")
    assert page.locator(".trail").count() == 0


def test_nobody_is_called_seen_before_the_table_is_agreed(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server)
    show(page, table, "set-up")
    assert page.locator("#people li").count() == 8 and page.locator("#people [data-state]").count() == 0
    show(page, table, "playing")
    assert page.locator("#people [data-state]").count() == 8


def test_a_real_camera_shows_no_sign_of_simulation(page: Any) -> None:
    with PageServer(create_app(FakeTable(simulated=False), PageSettings(streams=4))) as server:
        visit(page, server)
        assert page.locator("#simulated").is_hidden()
        page.goto("about:blank")  # before the server stops


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


def test_a_lost_connection_is_shown_and_made_good_without_loss(page: Any, table: FakeTable) -> None:
    settings = PageSettings(streams=4, watch_seconds=0.1)
    port = free_port()
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
    assert "with: companion demo --game mr-jack-london." in page.inner_text("[data-key=recording-over]"), "this game's, again"
    assert page.get_attribute("#source", "data-state") == "waiting"
    assert page.locator("#simulated").is_visible()
    table.show("over")
    table.change(source={"name": "recording", "state": "over"}, simulated=True)
    table.push("notice", {"code": "recording-over", "text": "The recording is over. It can be played again.", "params": {}})
    page.wait_for_selector(".ending ~ [data-key=recording-over]")
    assert page.locator("#now").inner_text().count("The recording is over") == 1, "who won comes first, and nothing twice"


def test_a_device_that_is_only_touched_hears_nothing_of_keys(chromium: Any, server: PageServer, table: FakeTable) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    visit(page, server)
    assert page.inner_text("#board-help") == "Tap a place on the board to correct it."
    page.goto("about:blank")
    context.close()


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


@pytest.mark.parametrize("theme", ["day", pytest.param("night", marks=pytest.mark.slow)])
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
                board, now = boxes(page, ".board", "#now")
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

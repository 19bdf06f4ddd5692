"""The players' clocks on the page, and a page that stays open while another game begins."""

import re
import time
from typing import Any

import pytest
from fake_table import FLAG, FakeTable, TableToCome, play_data
from testkit.ports import free_port

from companion.steady import stamp
from companion.web.app import create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser

CLOCK: dict[str, Any] = {
    "left": {"detective": 754.0, "jack": 95.0}, "running": "jack", "since": 0.0, "free": 0.0,
    "increment": 10.0, "delay": 5.0, "held": False, "fallen": [],
}  # fmt: skip

NEXT = PageSettings(streams=4, watch_seconds=0.1, retry_milliseconds=200)
"""Of tables one of which makes room for the next."""


def visit(page: Any, server: PageServer, table: FakeTable, **clock: Any) -> None:
    table.show("playing")
    table.change(clock=CLOCK | {"since": time.time()} | clock)
    page.goto(server.address)
    page.click("[data-key=quiet]")
    page.wait_for_selector("#clocks .face")


def opened(page: Any, table: FakeTable) -> tuple[PageServer, int]:
    """A page on a table whose server stops later, and the port that another one takes then."""
    port = free_port()
    server = PageServer(create_app(table, NEXT), port=port, settings=NEXT)
    server.start()
    page.goto(server.address)
    page.click("[data-key=quiet]")
    return server, port


def seconds(page: Any, role: str) -> float:
    text = page.inner_text(f".face[data-role={role}] .face-time")
    sign = -1 if text.startswith("\u2212") else 1
    minutes, rest = re.fullmatch(r"\u2212?(\d+):([\d.]+)", text).groups()  # type: ignore[union-attr]
    return sign * (60 * int(minutes) + float(rest))


def test_both_clocks_are_big_and_only_the_running_one_counts(page: Any, server: PageServer, table: FakeTable) -> None:
    began = time.monotonic()
    visit(page, server, table)
    before = (seconds(page, "detective"), seconds(page, "jack"))
    later = "(before) => document.querySelector('.face[data-role=jack] .face-time').textContent !== before"
    page.wait_for_function(later, arg=page.inner_text(".face[data-role=jack] .face-time"))
    after = (seconds(page, "detective"), seconds(page, "jack"))
    assert before[0] == after[0] == 754
    assert 1 <= before[1] - after[1] <= time.monotonic() - began + 1
    assert page.locator(".face[data-runs=yes]").get_attribute("data-role") == "jack"
    assert "runs" in page.inner_text(".face[data-role=jack]")
    assert page.locator(".face-time").first.bounding_box()["height"] > 40
    assert page.inner_text(".clock-note") == "5 s free for each pick · 10 s more after each pick"


def test_a_clock_that_goes_away_and_comes_back_as_it_was_is_shown(page: Any, server: PageServer, table: FakeTable) -> None:
    stands = {"running": None, "since": None}
    visit(page, server, table, **stands)
    table.change(clock=None)
    table.push("notice", {"code": "n", "text": "gone", "params": {}})
    page.wait_for_selector("#clocks", state="hidden")
    table.change(clock=CLOCK | stands)
    table.push("notice", {"code": "n", "text": "back", "params": {}})
    page.wait_for_selector("#clocks:not([hidden])")
    page.wait_for_selector("#clocks .face")
    assert (seconds(page, "detective"), seconds(page, "jack")) == (754, 95)


def test_a_device_whose_own_clock_is_wrong_shows_the_right_time(page: Any, server: PageServer, table: FakeTable) -> None:
    page.add_init_script("const now = Date.now; Date.now = () => now() - 3600_000;")
    began = time.monotonic()
    visit(page, server, table)
    assert 95 - (time.monotonic() - began) - 1 <= seconds(page, "jack") <= 95


def test_free_seconds_pass_first_and_overtime_is_said_in_words(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server, table, free=60.0)
    assert seconds(page, "jack") == 95
    assert "free for" in page.inner_text(".face[data-role=jack]")
    table.change(clock=CLOCK | {"since": time.time(), "left": {"detective": 754.0, "jack": -70.0}})
    page.wait_for_selector(".face[data-role=jack][data-short=over]")
    assert seconds(page, "jack") <= -70
    assert "the time is up" in page.inner_text(".face[data-role=jack]")


def test_why_the_clocks_stand_still_is_said(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server, table)
    table.change(clock=CLOCK | {"running": None}, flag=FLAG)
    page.wait_for_selector(".clock-note:has-text('Paused until the table is right')")
    assert page.locator(".face[data-runs=yes]").count() == 0
    table.push("clock", {"action": "hold", "reason": "A cat on the board"})
    table.change(clock=CLOCK | {"running": None, "held": True}, flag=None)
    page.wait_for_selector(".clock-note:has-text('Paused: A cat on the board')")
    table.change(clock=None)
    page.wait_for_selector("#clocks", state="hidden")


def test_clocks_are_given_stopped_and_set_each_word_with_its_reason(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server, table)
    page.click("[data-key=clock-hold]")
    page.click("dialog [data-key=send]")
    assert "Say why" in page.inner_text("dialog .wanting")
    assert table.taken == []
    page.click("dialog .chip-button >> nth=1")
    page.click("dialog [data-key=send]")
    page.wait_for_selector("dialog", state="detached")
    page.click("[data-key=clock-set]")
    page.select_option("dialog select[name=role]", "detective")
    assert page.input_value("dialog input[name=minutes]") == "12"
    page.fill("dialog input[name=minutes]", "3")
    page.fill("dialog input[name=seconds]", "5")
    page.fill("dialog input[name=reason]", "agreed")
    page.click("dialog [data-key=send]")
    page.wait_for_selector("dialog", state="detached")
    table.change(clock=None)
    page.wait_for_selector("#clocks", state="hidden")
    page.click("#more-button")
    page.click("dialog [data-key=clock]")
    page.fill("dialog input[name=minutes-jack]", "40")
    page.fill("dialog input[name=increment]", "2")
    page.click("dialog [data-key=send]")
    page.wait_for_selector("dialog", state="detached")
    assert table.taken == [
        {"kind": "clock", "action": "hold", "reason": "Something was knocked over"},
        {"kind": "clock", "action": "set", "role": "detective", "seconds": 185, "reason": "agreed"},
        {"kind": "clock", "action": "start", "budgets": {"detective": 1800, "jack": 2400}, "delay": 5, "increment": 2},
    ]


def test_a_time_that_cannot_be_is_told_at_its_field_and_never_sent(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server, table)
    table.change(clock=None)
    page.wait_for_selector("#clocks", state="hidden")
    page.click("#more-button")
    page.click("dialog [data-key=clock]")
    for typed in ("0", "1441", "", "2.5"):
        page.fill("dialog input[name=minutes-detective]", typed)
        page.click("dialog [data-key=send]")
        told = page.inner_text("dialog .wanting")
        assert told == "The detective: minutes: a whole number from 1 to 1440.", typed
        assert page.evaluate("document.activeElement.name") == "minutes-detective"
    assert table.taken == [] and page.locator("#messages .message").count() == 0
    page.fill("dialog input[name=minutes-detective]", "20")
    page.click("dialog [data-key=send]")
    page.wait_for_selector("dialog", state="detached")
    assert table.taken[0]["budgets"] == {"detective": 1200, "jack": 1800}


def test_an_open_page_forgets_the_game_before(page: Any) -> None:
    """As with the demo that loops: a new record, whose numbers begin anew, at the same address."""
    old, new = FakeTable(), FakeTable()
    old.show("clean-up")
    old.change(match="first")
    for n in range(5):
        old.push("play", play_data("holmes", ["g5", "e6"], f"An old play {n}."))
    first, port = opened(page, old)
    page.wait_for_selector("#log li:has-text('An old play 4')")
    page.click("#more-button")
    page.click("dialog [data-key=rule]")
    page.fill("dialog input[name=reason]", "too slow")
    first.stop()
    new.change(match="second")
    new.push("play", play_data("bert", ["i8", "k9"], "The first new play."))
    with PageServer(create_app(new, NEXT), port=port, settings=NEXT):
        page.wait_for_selector("#log li:has-text('The first new play')", timeout=15000)
        assert page.locator("#log li").count() == 1
        assert page.locator("dialog").count() == 0, "what was asked about the game before is not sent to this one"
        new.push("play", play_data("gull", ["e9", "e8"], "The second new play."))
        page.wait_for_selector("#log li:has-text('The second new play')")
        assert page.inner_text("#polite").strip("\u200b") == "The second new play."
        assert page.locator("#log li:has-text('old')").count() == 0
        page.goto("about:blank")
    page.complaints.clear()  # the browser itself notes the refused connections


def test_a_screen_that_waits_for_the_next_game_is_there_when_it_begins(page: Any) -> None:
    """While the table was being set up it asked ever more seldom, and a game had been on for eight seconds before it saw it."""
    old, new = FakeTable(), TableToCome()
    old.change(match="first")
    new.change(match="second")
    first, port = opened(page, old)
    page.wait_for_selector("#connection[data-state=good]")
    first.stop()
    with PageServer(create_app(new, NEXT), port=port, settings=NEXT):
        page.wait_for_selector("#status[data-state=set-up]")
        page.wait_for_timeout(8000)
        new.begun = True
        page.wait_for_selector("#connection[data-state=good]", timeout=4000)
        page.goto("about:blank")
    page.complaints.clear()


@pytest.mark.parametrize("left", ["playing", pytest.param("over", marks=pytest.mark.slow)])
def test_a_screen_that_waits_for_the_next_game_plays_the_last_no_further(page: Any, left: str) -> None:
    """It said whose play it was, and a clock went on, of a game that was no more."""
    old, new = FakeTable(), TableToCome()
    for one, match in ((old, "first"), (new, "second")):
        one.show("playing")
        one.change(match=match, clock=CLOCK | {"since": stamp()})
    if left == "over":
        old.show("over")
        old.change(match="first", clock=CLOCK | {"running": None})
    first, port = opened(page, old)
    page.wait_for_selector("#clocks .face")
    who = page.locator("#now .who").all_inner_texts()
    first.stop()
    with PageServer(create_app(new, NEXT), port=port, settings=NEXT):
        page.wait_for_selector("#now [data-key=set-up-anew]")
        assert "The table is still being set up" in page.inner_text("#now [data-key=set-up-anew]")
        assert page.locator(".face[data-runs=yes]").count() == 0 and "Nobody" not in page.inner_text(".clock-note")
        assert page.locator("#clocks button").count() == page.locator("#now .who").count() == 0
        assert ("Jack" in page.inner_text("#now")) == (left == "over"), "who has won is still told"
        stands = seconds(page, "jack")
        page.wait_for_timeout(1500)
        assert seconds(page, "jack") == stands
        new.begun = True
        page.wait_for_selector(".face[data-role=jack][data-runs=yes]")
        page.wait_for_selector("#now [data-key=set-up-anew]", state="detached")
        assert left == "over" or page.locator("#now .who").all_inner_texts() == who
        page.goto("about:blank")
    page.complaints.clear()


def test_the_clocks_of_a_recording_that_is_over_say_so(page: Any, server: PageServer, table: FakeTable) -> None:
    visit(page, server, table)
    table.change(clock=CLOCK | {"running": None}, source={"name": "demo", "state": "over", "since": None, "ailing": []})
    table.push("notice", {"code": "recording-over", "text": "The recording is over.", "params": {}})
    page.wait_for_selector(".clock-note:has-text('The recording is over')")
    assert page.locator(".face[data-runs=yes]").count() == 0

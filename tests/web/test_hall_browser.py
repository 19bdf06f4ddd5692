"""The hall's pages in a browser: the wall, a ruling from it to a table and back, the event, and nobody left out."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import numpy as np
import pytest
from axe_rules import violations
from boxes import boxes
from fake_hall import TROUBLE, FakeHall
from slow_network import held

from companion.host.overlay import jpeg
from companion.host.passes import Passes
from companion.hub.model import HallMatch
from companion.hub.wall import access
from companion.hub.wall.app import create_pages
from companion.hub.wall.book import EventBook
from companion.web.access import AccessControl
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser


class Hall:
    """A hall of four tables, its pages served; open to this machine, or by links."""

    def __init__(self, closed: bool = False) -> None:
        self.hall, self.book, self.passes = FakeHall(4), EventBook(), Passes.open(None)
        settings = PageSettings(streams=20, watch_seconds=0.1, heartbeat_seconds=0.5)
        control = AccessControl(self.passes, closed=closed, local=access.LOCAL)
        self.server = PageServer(create_pages(self.hall, self.book, settings, control), settings=settings)

    def come(self, page: Any, role: str, name: str, delay: int = 0, to: str = "") -> None:
        page.goto(f"{self.server.address}join{to}#{self.passes.issue(role, name, delay=delay)[1]}")


@pytest.fixture
def hall() -> Iterator[Hall]:
    made = Hall()
    with made.server:
        yield made


@pytest.fixture
def closed() -> Iterator[Hall]:
    made = Hall(closed=True)
    with made.server:
        yield made


@pytest.fixture
def wall(page: Any, hall: Hall) -> Any:
    page.goto(hall.server.address)
    page.wait_for_selector("#wall[data-ready=yes] .tile[data-table=t4]")
    return page


def test_a_link_opened_on_the_hall_s_own_computer_is_told_that_it_shows_the_hall(page: Any, hall: Hall) -> None:
    hall.come(page, "spectator", "Ann")
    page.wait_for_selector("#join:has-text('This browser shows the hall itself.')")


def tile(name: str, state: str = "") -> str:
    return f".tile[data-table={name}]" + (f"[data-state={state}]" if state else "")


def test_a_new_flag_is_seen_heard_and_told(wall: Any, hall: Hall) -> None:
    assert wall.get_attribute("#sound-button", "data-sound") == "off"
    wall.click("#sound-button")
    wall.wait_for_selector("#sound-button[data-sound=on]")
    rung = int(wall.get_attribute("html", "data-rung") or 0)  # switched on, it is heard once
    wall.wait_for_timeout(1600)  # two sounds have a pause between them
    hall.hall.flag("t3")
    wall.wait_for_selector(tile("t3", "flag") + "[data-new=yes]")
    wall.wait_for_selector(f"html[data-rung='{rung + 1}']")
    assert "Table 3: Flagged. Bert went 4 steps" in wall.inner_text("#assertive")
    assert "Bert went 4 steps, he may go 3." in wall.inner_text(tile("t3"))
    assert wall.title() == "(1) Table Witness"
    wall.click("#sound-button")
    assert wall.get_attribute("#sound-button", "data-sound") == "off"


def test_only_what_needs_me_is_shown_when_i_wish(wall: Any, hall: Hall) -> None:
    hall.hall.touch("t2", online=False)
    hall.hall.touch("t4", troubles=(TROUBLE,))
    wall.wait_for_selector(tile("t2", "offline"))
    wall.wait_for_selector(tile("t4", "trouble"))
    wall.click("#show-needs")
    assert wall.eval_on_selector_all(".tile:not([hidden])", "all => all.map(one => one.dataset.table)") == ["t2", "t4"]
    assert wall.inner_text("#show-needs") == "Needs me: 2"
    assert "Events 7 to 9 of this table are missing." in wall.inner_text(tile("t4"))
    hall.hall.touch("t2", online=True)
    hall.hall.touch("t4", troubles=())
    wall.wait_for_selector("#wall-empty:not([hidden])")
    wall.click("#show-all")
    wall.fill("#find", "3")
    assert wall.eval_on_selector_all(".tile:not([hidden])", "all => all.map(one => one.dataset.table)") == ["t3"]


def test_clocks_run_on_the_wall(wall: Any, hall: Hall) -> None:
    now = wall.evaluate("Date.now() / 1000")
    clock = {"left": {"jack": 600.0, "detective": 300.0}, "running": "jack", "since": now - 60, "free": 0, "fallen": []}
    hall.hall.touch("t1", snapshot={"clock": clock})
    wall.wait_for_selector(tile("t1") + " .tile-clock[data-runs=yes]")
    before = wall.inner_text(tile("t1") + " .tile-clock[data-runs=yes] b")
    assert before < "9:01"
    wall.wait_for_function(
        "before => document.querySelector('.tile[data-table=t1] .tile-clock[data-runs=yes] b').textContent !== before",
        arg=before,
    )
    assert wall.inner_text(tile("t1") + " .tile-clock[data-runs=no] b") == "5:00"


def test_a_ruling_goes_out_and_comes_back(wall: Any, hall: Hall) -> None:
    flagged = hall.hall.flag("t1")
    wall.wait_for_selector(tile("t1", "flag"))
    wall.click(tile("t1") + " a")
    wall.wait_for_selector("#room[data-number]")
    assert "Table 1" in wall.inner_text("h1")
    assert wall.query_selector(".start") is None  # nobody is asked about sound again
    wall.click("[data-key=rule-allow]")
    wall.fill("dialog input[name=reason]", "agreed")
    wall.click("dialog [data-key=send]")
    wall.wait_for_selector("#sent li[data-state=sent]")
    assert " · Arbiter · " in wall.inner_text("#sent")
    [sent] = hall.hall.sent
    assert (sent.about, sent.answer["action"], sent.answer["reason"]) == (flagged, "allow", "agreed")
    hall.hall.settle(sent, "refused", "The table is adjourned.")
    wall.wait_for_selector("#sent li[data-state=refused]")
    assert "The table is adjourned." in wall.inner_text("#sent")
    # It may be ruled on again, since nothing was taken.
    wall.click("[data-key=rule-allow]")
    wall.fill("dialog input[name=reason]", "agreed now")
    wall.click("dialog [data-key=send]")
    wall.wait_for_selector("#sent li[data-state=sent]")
    hall.hall.settle(hall.hall.sent[0], "taken")
    wall.wait_for_selector("#sent li[data-state=taken]")
    wall.click(".to-wall")
    wall.wait_for_selector(tile("t1"))


def test_a_ruling_on_a_table_that_is_not_heard_of_waits_for_it(wall: Any, hall: Hall) -> None:
    """It was "Sent to the table", which got nothing."""
    hall.hall.flag("t1")
    hall.hall.touch("t1", online=False)
    wall.wait_for_selector(tile("t1", "offline"))
    wall.click(tile("t1") + " a")
    wall.wait_for_selector("#room[data-number]")
    wall.click("[data-key=rule-allow]")
    wall.fill("dialog input[name=reason]", "agreed")
    wall.click("dialog [data-key=send]")
    wall.wait_for_selector("#sent li:has-text('Waits for the table')")
    assert "as soon as it is heard of again" in wall.inner_text("#messages")
    hall.hall.touch("t1", online=True)
    wall.wait_for_selector("#sent li:has-text('Sent, not yet answered')")


def test_the_second_of_two_arbiters_is_told_who_ruled(page: Any, closed: Hall) -> None:
    closed.hall.flag("t1")
    closed.come(page, "arbiter", "Tom", to="?to=/tables/t1/")
    page.wait_for_selector("#room[data-number]")
    number = int(page.get_attribute("#room", "data-number"))
    assert "Tom" in page.inner_text("#seat")
    page.click("[data-key=rule-allow]")
    page.fill("dialog input[name=reason]", "agreed")
    # Meanwhile Maria was faster.
    closed.hall.rule("t1", number, {"kind": "rule", "action": "allow", "reason": "x"}, "Maria")
    page.complaints = [one for one in page.complaints if "409" not in one]
    page.click("dialog [data-key=send]")
    page.wait_for_selector("dialog .refused")
    assert "Maria has ruled on event" in page.inner_text("dialog .refused")
    assert len(closed.hall.sent) == 1
    page.complaints.clear()  # the browser reports the 409


def test_a_spectator_watches_and_rules_nothing(page: Any, closed: Hall) -> None:
    closed.hall.touch("t2", troubles=(TROUBLE,))
    closed.come(page, "spectator", "Guest")
    page.wait_for_selector(tile("t2"))
    assert page.query_selector("#show-needs") is None
    assert page.query_selector("#sound-button") is None
    assert "missing" not in page.inner_text("#wall")
    page.click(tile("t2") + " a")
    page.wait_for_selector("#room[data-number]")
    assert page.query_selector("#arbiter") is None
    page.goto(f"{closed.server.address}tables/t2/overlay")
    page.wait_for_selector(".overlay-now .large")
    page.goto(f"{closed.server.address}event")
    assert page.query_selector("form") is None


def test_a_wall_that_runs_behind_says_from_when_it_shows_the_hall(page: Any, closed: Hall) -> None:
    """It said "No table is in this hall yet" of a hall of four."""
    closed.come(page, "spectator", "Guest", delay=15)
    page.wait_for_selector("#wall-empty:not([hidden])")
    assert "You see the hall 15 seconds behind, from " in page.inner_text("#wall-empty")
    page.wait_for_selector(tile("t4"))
    assert page.locator("#wall-empty").is_hidden()


def test_on_a_table_of_the_hall_nothing_is_left_free_where_no_picture_comes(page: Any, hall: Hall) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{hall.server.address}tables/t1/")
    page.wait_for_selector("#room[data-number]")
    assert page.locator("#hall-picture-card").is_hidden()
    now, log = boxes(page, ".news", ".log")
    assert (log["x"], log["width"]) == pytest.approx((now["x"], now["width"]), abs=1)
    words, status = boxes(page, "#status-text", "#status")
    assert words["x"] > status["x"] + 12, "its sign stands before the words, not on a line above them"


def test_until_when_a_link_is_good_is_told_by_its_date(page: Any, hall: Hall) -> None:
    """ "Good until Mon" was said on a Monday of what was good for a week."""
    held, _ = hall.passes.issue("arbiter", "Tom", hours=7 * 24)
    page.goto(f"{hall.server.address}?lang=it")
    page.click("#more-button")
    page.click("[data-key=links]")
    page.wait_for_selector(".seat-list li:has-text('Tom')")
    told = page.inner_text(".seat-list li:has-text('Tom')")
    assert re.search(rf"\b{datetime.fromtimestamp(hall.passes.label(held)).day}\b", told), told


def test_an_event_is_run_on_its_pages(page: Any, hall: Hall) -> None:
    page.goto(f"{hall.server.address}event")
    page.fill("input[name=name]", "Club evening")
    page.fill("input[name=minutes]", "30")
    page.click("[data-key=open]")
    page.wait_for_selector("h1:has-text('Club evening')")
    page.goto(f"{hall.server.address}event/players")
    let_go = held(page, "**/api/event")
    for name, presses in (("Ann", 2), ("Ben", 1), ("Cid", 1), ("Da", 0)):
        page.fill("input[name=name]", name)
        for _ in range(presses):
            page.keyboard.press("Enter")
    let_go()
    page.wait_for_selector(".players li:has-text('Cid')")
    assert page.locator(".players li").count() == 3, "what was pressed twice is sent once"
    page.keyboard.type("n")  # into what was being written when the page was drawn anew
    page.keyboard.press("Enter")
    page.wait_for_selector(".players li:has-text('Dan')")
    page.goto(f"{hall.server.address}event")
    page.click("[data-pair=round-robin]")
    page.wait_for_selector(".event-nav a:has-text('Round 1')")
    page.goto(f"{hall.server.address}event/rounds/1")
    let_go = held(page, "**/api/event")
    page.click("[data-board='1'] [data-result='1 0']")
    page.click("[data-board='2'] [data-result='1 0']")  # before the first one is answered
    let_go()
    page.wait_for_selector("[data-board='1'][data-done=yes]")
    page.wait_for_selector("[data-board='2'][data-done=yes]")
    page.click("[data-board='1'] [data-result='= =']")
    page.fill("dialog input[name=reason]", "Both agree")
    page.click("dialog [data-key=send]")
    page.wait_for_selector("h2:has-text('Corrections')")
    fixed = page.locator("[aria-labelledby=corrections-title] li").inner_text()
    assert fixed.startswith("Board 1: 1 – 0 → ½ – ½ · ") and fixed.endswith(" · Both agree") and "· ·" not in fixed
    # What another arbiter enters comes by itself.
    hall.book.add("result", {"round": 1, "board": 2, "marks": ["loss", "win"], "reason": "Wrong way round"}, "Tom")
    page.wait_for_selector("[aria-labelledby=corrections-title] li:has-text('Tom')")
    page.click("[data-clocks]")
    page.wait_for_selector("#clocks-told:has-text('0')")  # both have a result
    page.goto(f"{hall.server.address}event")
    points = page.eval_on_selector_all(".standings .points", "all => all.map(one => one.textContent)")
    assert points == ["1", "0.5", "0.5", "0"]


HERE = "({ dataset, textContent }) => [{ ...dataset }, textContent.trim()]"


def on(page: Any) -> tuple[dict[str, str], str]:
    """The data and the words of what has the focus, once the page had a moment to put it somewhere."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
    data, words = page.evaluate(f"({HERE})(document.activeElement)")
    return data, words


def test_a_keyboard_stays_where_it_was_on_pages_of_the_event(page: Any, hall: Hall) -> None:
    """With every result that was entered it began at the top again, and an arbiter enters twenty of them."""
    hall.book.add("event-opened", {"name": "E", "game": "mr-jack-london", "seats": ["jack", "detective"], "rounds": 3})
    for name in ("Ann", "Ben", "Cid", "Dan"):
        hall.book.add("player-entered", {"name": name})
    page.goto(f"{hall.server.address}event")
    page.focus("[data-pair=round-robin]")
    page.keyboard.press("Enter")
    page.wait_for_selector("a[href='/event/rounds/1']")
    page.wait_for_selector("[data-pair=round-robin]", state="detached")
    on(page)
    assert page.evaluate("document.activeElement.getAttribute('aria-labelledby')") == "pair-title", "the part that it was in"
    page.focus(".event-nav a[href='/event/players']")
    hall.book.add("player-entered", {"name": "Eva"}, "Tom")
    page.wait_for_selector(".standings th:has-text('Eva')")
    assert on(page)[1] == "Players"
    page.goto(f"{hall.server.address}event/rounds/1")
    page.focus("[data-board='2'] [data-result='0 1']")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-board='2'][data-done=yes]")
    data, _ = on(page)
    assert (data["board"], data["result"]) == ("2", "0 1")
    page.goto(f"{hall.server.address}event/players")
    page.focus("[data-player='3'] [data-left]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-player='3'] [data-back]")
    assert on(page)[1] == "Comes back" and page.evaluate("document.activeElement.closest('li').dataset.player") == "3"


def test_a_tile_that_changes_takes_nobody_back_to_it(wall: Any, hall: Hall) -> None:
    wall.set_viewport_size({"width": 320, "height": 200})
    wall.focus(tile("t1") + " a")
    wall.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    there = wall.evaluate("scrollY")
    assert there > 0
    hall.hall.flag("t1")
    wall.wait_for_selector(tile("t1", "flag"))
    assert on(wall)[1] == "Table 1" and wall.evaluate("scrollY") == pytest.approx(there, abs=100)
    box = wall.locator(tile("t1")).bounding_box()
    assert box["y"] + box["height"] < 0, "it is where it was, above what is looked at"


LONG = "The Honourable Table of Sir Arthur Conan-Doyle-Longfellow at the End of the Room"


def test_a_tile_names_its_game_and_is_found_by_it(page: Any, hall: Hall) -> None:
    """Of tables that play different games the wall did not say which plays which."""
    hall.hall.touch("t2", snapshot={"game": {"id": "letters-from-whitechapel", "name": "Letters from Whitechapel"}})
    page.goto(f"{hall.server.address}?lang=ja")
    page.wait_for_selector(f"{tile('t2')} .tile-game:has-text('ホワイトチャペルからの手紙')")
    assert "ミスタージャック（ロンドン）" in page.inner_text(tile("t1"))
    page.fill("#find", "ホワイトチャペル")
    assert page.eval_on_selector_all(".tile:not([hidden])", "all => all.map(one => one.dataset.table)") == ["t2"]
    page.fill("#find", "Table 3")
    assert page.eval_on_selector_all(".tile:not([hidden])", "all => all.map(one => one.dataset.table)") == ["t3"]


def test_twenty_tables_with_their_games_fit_a_small_laptop_s_screen(wall: Any, hall: Hall) -> None:
    for number in range(5, 21):
        hall.hall.add(number)
    hall.hall.flag("t2")
    wall.set_viewport_size({"width": 1366, "height": 768})
    wall.wait_for_selector(f"{tile('t20')} .tile-game")
    wall.wait_for_selector(tile("t2", "flag"))
    assert wall.evaluate("document.documentElement.scrollHeight") <= 768


def test_a_long_name_makes_no_other_card_taller(wall: Any, hall: Hall) -> None:
    """All rows of the wall are as tall as its tallest card, which had six lines of name; and nothing runs over its edge."""
    wall.locator(tile("t3") + " .tile-state span").evaluate(
        "words => (words.textContent = 'one word after the other '.repeat(12))"
    )
    box, foot = boxes(wall, tile("t3"), tile("t3") + " .tile-foot")
    assert foot["y"] + foot["height"] <= box["y"] + box["height"]
    for number in range(5, 13):
        hall.hall.add(number)
    wall.wait_for_selector(tile("t12"))
    before = wall.locator(tile("t1")).bounding_box()["height"]
    hall.hall.touch("t2", name=LONG)
    wall.wait_for_selector(f"{tile('t2')}:has-text('Conan-Doyle')")
    assert wall.locator(tile("t2") + " a").get_attribute("title") == LONG
    now = [wall.locator(tile(f"t{n}")).bounding_box()["height"] for n in range(1, 13)]
    assert max(now) <= before + 30, (before, now)


def test_the_wall_fits_a_phone_in_letters_twice_as_large(launch: Any, hall: Hall) -> None:
    """ "Offline 01:33 PM" stood in one line, as did two clocks, and all the wall was wider than the screen."""
    clock = {"left": {"jack": 600.0, "detective": 300.0}, "running": None, "since": 0, "free": 0, "fallen": []}
    hall.hall.touch("t1", snapshot={"clock": clock})
    hall.hall.touch("t2", online=False)
    hall.hall.touch("t3", name=LONG)
    hall.hall.flag("t4")
    browser = launch(["--blink-settings=defaultFontSize=32"])
    try:
        page = browser.new_page()
        page.set_default_timeout(30_000)
        page.goto(hall.server.address)
        page.wait_for_selector(tile("t4", "flag"))
        for width in (320, 390, 640):
            page.set_viewport_size({"width": width, "height": 640})
            across = "[document.documentElement.scrollWidth, document.body.scrollWidth]"
            assert page.evaluate(across) == [width, width]
            cut = page.eval_on_selector_all(
                ".tile-clock .spoken-part, .tile-turn, .tile-state span",
                "all => all.filter((one) => one.clientWidth && one.scrollWidth > one.clientWidth).map((one) => one.outerHTML)",
            )
            assert cut == []
        hall.book.add("event-opened", {"name": LONG, "game": "mr-jack-london", "seats": ["jack", "detective"], "rounds": 3})
        for name in ("Bartholomew Featherstonehaugh", "Maximiliana"):
            hall.book.add("player-entered", {"name": name, "club": "Royal Society of Games"})
        hall.book.add("round-paired", {"round": 1, "pairings": [{"board": 1, "players": [1, 2], "table": "t3"}], "byes": {}})
        hall.book.add("result", {"round": 1, "board": 1, "marks": ["win", "loss"]})
        hall.hall.more["t3"] = [finished("t3", n, "The detective accused Jack.") for n in range(40)]
        for path in ("event", "event/players", "event/rounds/1", "archive"):
            page.goto(f"{hall.server.address}{path}")
            page.wait_for_selector("#status[data-look=good]")
            for width in (320, 390, 640):
                page.set_viewport_size({"width": width, "height": 640})
                assert page.evaluate(across) == [width, width], path
        page.close()
    finally:
        browser.close()


def finished(table: str, number: int, said: str) -> HallMatch:
    outcome = {"winner": "detective", "text": said, "params": {}, "message": said}
    at = 1_750_000_000.0 - 3600 * number
    return HallMatch(table, f"m{number}", "mr-jack-london", "First printing (2006)", at, at + 1800, 90, "a" * 64, outcome)


def test_a_game_is_found_among_many(page: Any, hall: Hall) -> None:
    """All of them stood there, one below the other, with three controls each."""
    for number in range(100):
        table = f"t{number % 4 + 1}"
        said = "Jack escaped. ¡Qué lástima!" if number == 77 else "The detective accused Jack."
        hall.hall.more.setdefault(table, []).append(finished(table, number, said))
    page.goto(f"{hall.server.address}archive")
    seen = ".archive > li:visible"
    page.wait_for_selector("#found:has-text('100')")
    assert page.locator(seen).count() == 30
    page.focus("#more-games")
    page.keyboard.press("Enter")
    assert page.locator(seen).count() == 60
    words = "document.activeElement.closest('li') === document.querySelectorAll('.archive > li')[30]"
    assert on(page)[1] == "Report" and page.evaluate(words), "on with the first of those that came"
    page.fill("#find", "table 2 LASTIMA")
    page.wait_for_selector("#found:has-text('1')")
    assert page.locator(seen).count() == 1 and "¡Qué lástima!" in page.inner_text(seen)
    assert not page.locator("#more-games").is_visible()
    page.fill("#find", "lastima madrid")
    page.wait_for_selector("#found:has-text('No game fits these words.')")
    page.fill("#find", "table 2")
    page.wait_for_selector("#found:has-text('25')")
    page.fill("#find", "")
    page.wait_for_selector("#found:has-text('100')")
    assert page.locator(seen).count() == 30
    for _ in range(3):
        page.click("#more-games")
    assert page.locator(seen).count() == 100 and not page.locator("#more-games").is_visible()


def test_a_tables_picture_is_shown_with_its_age_to_whom_the_table_lets_see_it(page: Any, closed: Hall) -> None:
    closed.hall.pictures["t1"] = jpeg(np.full((90, 160, 3), 90, np.uint8))
    closed.hall.touch("t1", snapshot={"picture_for": "arbiters"})
    closed.come(page, "arbiter", "Ada")
    page.wait_for_selector("#wall[data-ready=yes]")
    page.goto(f"{closed.server.address}tables/t1/")
    page.wait_for_selector("#hall-picture:visible")
    # A function: an expression is evaluated again for every look but the first, which the page forbids.
    page.wait_for_function("() => document.getElementById('hall-picture-note').textContent.endsWith('seconds ago')")
    assert page.evaluate("document.getElementById('hall-picture').naturalWidth") == 160
    closed.hall.touch("t1", snapshot={"picture_for": None})
    page.wait_for_selector("#hall-picture-card", state="hidden")


def test_every_fault_of_a_file_is_listed(page: Any, hall: Hall) -> None:
    hall.book.add("event-opened", {"name": "E", "game": "mr-jack-london", "seats": ["jack", "detective"], "rounds": 3})
    page.goto(f"{hall.server.address}event")
    bad = {"name": "players.csv", "mimeType": "text/csv", "buffer": b"name,rating\n,x\nAnn,-1\n"}
    page.set_input_files("input[type=file]", bad)
    page.click("[data-key=read]")
    page.wait_for_selector("form .wanting li")
    assert page.locator("form .wanting li").count() == 3
    page.complaints.clear()  # the browser reports the 400
    page.set_input_files("input[type=file]", {**bad, "buffer": b"name,rating\nAnn,1500\n"})
    page.click("[data-key=read]")
    page.wait_for_selector(".standings tbody tr")


@pytest.mark.parametrize(("language", "word"), [("es", "mesas"), ("ja", "テーブル"), ("zh-Hant", "桌")])
def test_the_wall_speaks_the_readers_language(page: Any, hall: Hall, language: str, word: str) -> None:
    hall.hall.fakes["t1"].show("call")
    hall.hall.touch("t1")
    hall.hall.touch("t2", online=False)
    page.goto(f"{hall.server.address}?lang={language}")
    page.wait_for_selector(tile("t1", "question"))
    page.wait_for_selector(tile("t2", "offline"))
    assert word in page.inner_text("#show-all")
    for said in ("question", "seen or unseen", "Offline", "Nothing is heard", "picks"):
        assert said not in page.inner_text("#wall")


@pytest.fixture
def look(page: Any) -> Callable[[str], None]:
    """Runs the axe rules by day and by night, and checks that nothing scrolls sideways from a small phone to a wall."""

    def wrong() -> list[Any]:
        return [(one["id"], [node["target"] for node in one["nodes"]][:3]) for one in violations(page)]

    def check(name: str) -> None:
        if "print" not in name:
            page.wait_for_selector("#theme-button svg")  # day and night are the scripts' to set
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            told = wrong()
            if told:  # a colour half faded in is no fault; one that stays is
                page.wait_for_timeout(1000)
                told = wrong()
            assert told == [], (name, scheme)
        for width, height in ((320, 640), (390, 844), (1366, 768), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            across = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
            assert across[0] <= across[1], (name, width)
        page.set_viewport_size({"width": 1280, "height": 900})

    return check


def test_nothing_stands_in_anybodys_way(wall: Any, hall: Hall, look: Callable[[str], None]) -> None:
    hall.hall.flag("t1")
    hall.hall.touch("t2", online=False)
    hall.hall.fakes["t3"].show("call")
    hall.hall.touch("t3")
    wall.wait_for_selector(tile("t3", "question"))
    wall.wait_for_selector(tile("t1", "flag"))
    look("wall")
    wall.keyboard.press("Tab")
    assert wall.evaluate("document.activeElement.className") == "skip"
    wall.click("#more-button")
    wall.wait_for_selector("dialog")
    look("menu")
    wall.keyboard.press("Escape")
    hall.book.add("event-opened", {"name": "E", "game": "mr-jack-london", "seats": ["jack", "detective"], "rounds": 3})
    wall.goto(f"{hall.server.address}event")
    look("event")
    for name in ("Ann", "Ben", "Cid"):
        hall.book.add("player-entered", {"name": name})
    pairing = {"board": 1, "players": [1, 2], "table": "t1"}
    hall.book.add("round-paired", {"round": 1, "pairings": [pairing], "byes": {"3": "pairing"}})
    hall.book.add("result", {"round": 1, "board": 1, "marks": ["win", "loss"]})
    hall.book.add("result", {"round": 1, "board": 1, "marks": ["loss", "win"], "reason": "x"})
    for path in ("event", "event/players", "event/rounds/1", "event/rounds/1/print", "archive"):
        wall.goto(f"{hall.server.address}{path}")
        wall.wait_for_selector("main")
        look(path)

"""A network that vanishes without a word: the page says so, no answer waits mutely, and nothing is missed or done twice."""

import time
from collections.abc import Iterator
from typing import Any
from urllib.request import urlopen

import pytest
from fake_table import FakeTable
from page_visits import show
from seat_pages import come_in
from silent_proxy import SilentProxy
from testkit.ports import free_port

from companion.host.passes import Passes
from companion.web.access import AccessControl
from companion.web.app import create_app, views_of
from companion.web.delayed_table import DelayedTable, Pasts
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser

SETTINGS = PageSettings(streams=12, watch_seconds=0.1, heartbeat_seconds=0.5)

READ = """() => { window.read = [];
  for (const one of [document.getElementById("status-text"), document.getElementById("connection")])
    new MutationObserver(() => window.read.push(one.textContent)).observe(one, { childList: true }); }"""
"""Keeps whatever a page says of its connection, if only for a moment."""


@pytest.fixture
def app(table: FakeTable) -> Any:
    return create_app(table, SETTINGS)


@pytest.fixture
def way(app: Any) -> Iterator[SilentProxy]:
    with PageServer(app, settings=SETTINGS) as server, SilentProxy(server.address) as proxy:
        yield proxy


def come(page: Any, way: SilentProxy) -> None:
    page.goto(way.address)
    page.click("[data-key=quiet]")
    page.wait_for_selector("#status[data-state=set-up]")


def test_a_link_that_falls_silent_is_called_lost_within_seconds_and_made_good(
    page: Any, way: SilentProxy, table: FakeTable
) -> None:
    come(page, way)
    way.mute()
    began = time.monotonic()
    page.wait_for_selector("#status[data-state=offline]", timeout=10_000)
    print(f"called lost after {time.monotonic() - began:.1f} s, a beat coming every {SETTINGS.heartbeat_seconds} s")
    assert "may be old" in page.inner_text("#status-text")
    assert page.get_attribute("#connection", "data-state") == "bad"
    table.push("notice", {"code": "n", "text": "meanwhile", "params": {}})
    table.show("doubt")
    page.wait_for_timeout(3000)
    assert page.get_attribute("#status", "data-state") == "offline", "a try that is not answered is no connection"
    way.heal()
    page.wait_for_selector("#status[data-state=watching]", timeout=10_000)
    page.wait_for_selector(".doubt")
    page.wait_for_selector("#log li:has-text('meanwhile')")
    assert page.locator("#log li:has-text('meanwhile')").count() == 1
    page.complaints.clear()  # the browser may note what it gave up


@pytest.mark.parametrize("behind", [0, 10])
def test_between_two_games_nothing_is_called_lost(page: Any, behind: int) -> None:
    """Each game is served anew at the same address; whoever watched read for a second or two that the connection is lost, those
    who are behind in the middle of the game before."""
    passes, pasts, port = Passes.open(None), Pasts(), free_port()
    table, access_control = FakeTable(), AccessControl(passes, closed=True)
    table.show("playing")
    if behind:
        DelayedTable(table, 10, lambda: time.monotonic() - 60, pasts.of(behind)).look()

    def made() -> Any:
        return create_app(table, SETTINGS, access_control=access_control, pasts=pasts)

    app = made()
    with PageServer(app, port=port, settings=SETTINGS) as first:
        come_in(page, first.address, passes.issue("spectator", delay=behind)[1])
        page.wait_for_selector("#status[data-state=watching]")
        page.click("[data-key=quiet]")
        page.evaluate(READ)
        views_of(app).make_room()
    page.wait_for_selector("#status-text:has-text('The next game is being prepared.')")
    assert page.inner_text("#connection") == "Connecting"
    page.wait_for_timeout(1500)
    with PageServer(made(), port=port, settings=SETTINGS):
        page.wait_for_selector("#status[data-state=watching]")
        read = set(page.evaluate("window.read"))
        assert read == {"The next game is being prepared.", "Connecting", "Watching: recording", "Connected"}
        page.goto("about:blank")
    page.complaints.clear()  # nobody was there for a moment


def test_a_next_game_that_does_not_come_is_a_lost_connection(page: Any, app: Any) -> None:
    with PageServer(app, settings=SETTINGS) as server:
        page.goto(server.address)
        page.click("[data-key=quiet]")
        page.wait_for_selector("#status[data-state=set-up]")
        views_of(app).make_room()
    page.wait_for_selector("#status-text:has-text('The next game is being prepared.')")
    page.wait_for_selector("#status[data-state=offline]", timeout=20_000)
    assert page.inner_text("#connection") == "Connection lost, trying again"
    page.complaints.clear()


def test_an_answer_whose_reply_is_lost_is_said_and_sent_again_counts_once(
    page: Any, way: SilentProxy, table: FakeTable
) -> None:
    come(page, way)
    show(page, table, "call")
    way.back = False
    page.click(".big[data-look=light]")
    page.wait_for_selector(".message:has-text('does not answer')", timeout=15_000)
    assert "counts once" in page.inner_text(".message")
    assert len(table.taken) == 1, "it did arrive"
    way.heal()
    page.click(".message [data-key=offer]")
    page.wait_for_selector(".message", state="detached")
    page.wait_for_selector(".call .word")
    page.wait_for_timeout(500)
    assert len(table.taken) == 1
    page.complaints.clear()


def test_a_dialog_whose_reply_is_lost_stays_and_its_button_counts_once(page: Any, way: SilentProxy, table: FakeTable) -> None:
    come(page, way)
    show(page, table, "playing")
    table.change(undo="holmes")
    number = table.push("sight-restored", {}).number
    page.wait_for_selector(f"#room[data-number='{number}']")
    way.back = False
    page.click("#more-button")
    page.click("dialog [data-key=undo]")
    page.click("dialog [data-key=sure]")
    page.wait_for_selector("dialog [role=alert]:has-text('counts once')", timeout=15_000)
    way.heal()
    page.click("dialog [data-key=sure]")
    page.wait_for_selector(".message.fine")
    assert table.taken == [{"kind": "undo"}]
    page.complaints.clear()


def test_a_button_that_waits_shows_it(page: Any, way: SilentProxy, table: FakeTable) -> None:
    come(page, way)
    show(page, table, "call")
    way.there = False
    page.click(".big[data-look=light]")
    page.wait_for_selector(".big[data-look=light][aria-busy=true]", timeout=5000)
    way.heal()
    page.wait_for_selector(".call .word")
    assert len(table.taken) == 1
    page.complaints.clear()


def test_a_page_that_comes_into_sight_again_looks_at_once(page: Any, way: SilentProxy, table: FakeTable) -> None:
    """As after a phone's sleep: its timers stood still, and the stream it had is no more."""
    come(page, way)
    page.evaluate("setInterval = () => 0; for (let n = 0; n < 10000; n++) clearInterval(n)")
    way.mute()
    page.wait_for_timeout(1500)
    table.show("doubt")
    way.heal()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_selector(".doubt", timeout=5000)
    page.complaints.clear()


def test_why_a_stream_was_refused_is_said(page: Any, table: FakeTable) -> None:
    settings = PageSettings(streams=1, watch_seconds=0.1, heartbeat_seconds=0.5)
    app = create_app(table, settings)
    with PageServer(app, settings=settings) as server:
        taken = urlopen(f"{server.address}api/events", timeout=10)
        assert taken.readline()
        page.goto(server.address)
        page.wait_for_selector("#status[data-state=refused]:has-text('places for watching are taken')")
        taken.close()
        page.click("#status [data-key=status]")
        page.wait_for_selector("#status[data-state=set-up]")
        page.goto("about:blank")
    page.complaints.clear()  # the browser itself notes the refusal


def test_a_server_lets_its_beat_be_heard_as_often_as_its_pages_were_told(page: Any, table: FakeTable) -> None:
    """It had settings of its own: beats came every 3 s to pages that waited for one every 0.5 s, and called it lost."""
    with PageServer(create_app(table, SETTINGS)) as server:
        page.goto(server.address)
        page.click("[data-key=quiet]")
        page.wait_for_selector("#status[data-state=set-up]")
        page.evaluate("""() => {
            window.states = [];
            const { dataset } = document.getElementById("status");
            new MutationObserver(() => window.states.push(dataset.state)).observe(document.getElementById("status"), {
              attributes: true,
            });
        }""")
        page.wait_for_timeout(5000)
        assert "offline" not in page.evaluate("window.states")
        page.goto("about:blank")

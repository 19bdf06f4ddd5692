"""One state line on every role's screen, and the one button where the role may act."""

from typing import Any

import pytest
from fake_table import FakeTable, TableToCome

from companion.host.passes import Passes
from companion.host.status import STATES
from companion.web.access import AccessControl
from companion.web.app import create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser

SHOWN: dict[str, dict[str, Any]] = {
    "frozen": {"source": {"name": "door", "state": "frozen", "since": 1.75e9, "ailing": []}},
    "lost": {"source": {"name": "door", "state": "lost", "since": 1.75e9, "ailing": []}},
    "partly": {
        "source": {
            "name": "a + b", "state": "running", "since": 1.75e9, "ailing": [{"name": "b", "state": "lost", "since": 1.75e9}],
        }
    },
    "adjourned": {"adjourned": True, "source": {"name": "door", "state": "running"}},
    "over": {"phase": "over", "adjourned": False},
}  # fmt: skip
BUTTON = {("arbiter", "adjourned")}


@pytest.mark.parametrize(
    "role", ["table", "arbiter", "spectator", *(pytest.param(role, marks=pytest.mark.slow) for role in ("jack", "detective"))]
)
def test_every_seat_shows_the_state_and_only_who_may_act_has_its_button(page: Any, role: str) -> None:
    table, passes = FakeTable(), Passes.open(None)
    settings = PageSettings(streams=4, watch_seconds=0.1, heartbeat_seconds=0.5)
    with PageServer(
        create_app(table, settings, access_control=AccessControl(passes, closed=True)), settings=settings
    ) as server:
        table.show("playing")
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(f"{server.address}join#{passes.issue(role)[1]}")
        page.click("[data-key=quiet]")
        page.wait_for_selector("#status[data-state=watching]")
        for state, change in SHOWN.items():
            table.change(**change)
            page.wait_for_selector(f"#status[data-state={state}]")
            assert len(page.inner_text("#status-text")) > 10 and state in STATES
            assert (page.locator("#status [data-key=status]").count() == 1) == ((role, state) in BUTTON), state
            if state == "frozen":  # what is bad stays in sight wherever the page is read
                page.evaluate("scrollTo(0, document.body.scrollHeight)")
                box = page.locator("#status").bounding_box()
                assert 0 <= box["y"] < 300
            if (role, state) in BUTTON:
                page.click("#status [data-key=status]")
                page.wait_for_selector("dialog input[value=resume]:checked")
                page.keyboard.press("Escape")
        page.goto("about:blank")


def test_the_overlay_says_when_what_it_shows_is_not_watched(page: Any) -> None:
    table, passes = FakeTable(), Passes.open(None)
    settings = PageSettings(streams=4, watch_seconds=0.1, heartbeat_seconds=0.5)
    with PageServer(
        create_app(table, settings, access_control=AccessControl(passes, closed=True)), settings=settings
    ) as server:
        table.show("playing")
        page.goto(f"{server.address}join?view=overlay#{passes.issue('spectator')[1]}")
        page.wait_for_selector(".overlay-now .large")
        assert page.locator("#status").count() == 0, "all is well"
        for state in ("frozen", "lost", "adjourned"):
            table.change(**SHOWN[state])
            page.wait_for_selector(f"#status[data-state={state}]")
        page.goto("about:blank")


def test_the_table_is_not_taken_as_it_is_by_one_tap(page: Any) -> None:
    table, passes = FakeTable(), Passes.open(None)
    settings = PageSettings(streams=4, watch_seconds=0.1, heartbeat_seconds=0.5)
    with PageServer(
        create_app(table, settings, access_control=AccessControl(passes, closed=True)), settings=settings
    ) as server:
        page.goto(f"{server.address}join#{passes.issue('arbiter')[1]}")
        page.click("[data-key=quiet]")
        page.click("[data-key=accept]")
        assert "Not yet as at the start: 2." in page.inner_text("dialog")
        page.keyboard.press("Enter")  # the way out has the focus
        page.wait_for_selector("dialog", state="detached")
        assert table.taken == []
        page.click("[data-key=accept]")
        page.click("dialog [data-key=sure]")
        page.wait_for_selector("dialog", state="detached")
        assert table.taken == [{"kind": "accept"}]
        page.goto("about:blank")


def test_on_a_phone_the_button_lies_over_no_word_of_the_state(page: Any) -> None:
    """Beside the sign of a simulation "The recording is over" had as much room as "The"; the button covered the rest."""
    table = FakeTable()
    with PageServer(create_app(table, PageSettings(streams=4, watch_seconds=0.1))) as server:
        table.show("playing")
        table.change(simulated=True, **SHOWN["adjourned"])
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(server.address)
        page.wait_for_selector("#status[data-state=adjourned] button")
        assert page.locator("#simulated").is_visible()
        room = page.eval_on_selector("#status-text", "one => [one.scrollWidth - one.clientWidth, one.clientWidth]")
        assert room[0] == 0 and room[1] > 100, room
        page.goto("about:blank")


def test_who_sits_down_before_the_game_is_told_that_it_comes_by_itself(page: Any) -> None:
    """The page was empty but for a small line on top and an empty frame where the seat's name comes."""
    table, passes = TableToCome(), Passes.open(None)
    settings = PageSettings(streams=4, watch_seconds=0.1, heartbeat_seconds=0.5)
    app = create_app(table, settings, access_control=AccessControl(passes, closed=True))
    with PageServer(app, settings=settings) as server:
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(f"{server.address}join?lang=it#{passes.issue('jack')[1]}")
        page.wait_for_selector("#now [data-key=not-yet] p")
        assert page.locator("#now [data-key=not-yet]").is_visible() and not page.locator("#seat").is_visible()
        assert "la partita inizia" in page.inner_text("#now [data-key=not-yet]")
        table.begun = True
        page.wait_for_selector("#seat:has-text('Jack')")
        page.wait_for_selector("#now [data-key=not-yet]", state="detached")
        page.goto("about:blank")
    page.complaints.clear()  # the browser itself notes the answers before the game

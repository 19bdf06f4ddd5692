"""The end of a game on the page: who won and who Jack was, the game once more, its report to keep, and the next game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_lobby import PlayingLobby
from test_moves_browser import SETTINGS, Seats
from told_game import ToldGame

from companion.host.report import as_html
from companion.web.app import create_app
from companion.web.server import PageServer

pytestmark = pytest.mark.browser


class LastLobby(PlayingLobby):
    """A lobby in whose game the next one may be wished for."""

    wished = 0

    def _do_new(self, given: Any) -> None:
        self.wished += 1
        self.playing = False


@pytest.fixture
def lobby_port(tmp_path: Path) -> Iterator[LastLobby]:
    lobby_port = LastLobby(tmp_path)
    yield lobby_port
    lobby_port.close()


def ended(page: Any, server: PageServer) -> None:
    page.goto(server.address)
    page.click("[data-key=quiet]")
    page.wait_for_selector("[data-phase=over]")
    page.wait_for_selector("#steps-list button >> nth=2")


def test_the_end_says_who_won_and_who_jack_was_and_keeps_the_report(page: Any, lobby_port: LastLobby, tmp_path: Path) -> None:
    table = ToldGame(reveal="stealthy")
    with PageServer(create_app(table, SETTINGS, lobby_port=lobby_port), settings=SETTINGS) as server:
        ended(page, server)
        said = page.inner_text("[data-phase=over]")
        assert "Jack wins" in said and "Jack was Miss Stealthy." in said
        assert "The game is over" in page.inner_text("#status-text")
        with page.expect_download() as download:
            page.click("[data-key=report]")
            page.wait_for_selector("text=The report is saved.")  # said for some seconds only
        assert Path(download.value.path()).read_text(encoding="utf-8") == as_html(table.hands.game, table.log) + "\n"
        page.click("[data-key=play-again]")  # nothing is left to be done: not asked
        page.wait_for_url("**/lobby")
        assert lobby_port.wished == 1


def test_before_the_next_game_it_is_asked_about_what_is_not_saved(page: Any, lobby_port: LastLobby) -> None:
    table = ToldGame(reveal="stealthy")
    with PageServer(create_app(table, SETTINGS, lobby_port=lobby_port), settings=SETTINGS) as server:
        ended(page, server)
        for button in ("#status [data-key=status]", "[data-key=play-again]"):  # the state line's button asks as well
            page.click(button)
            assert "is not saved" in page.inner_text("dialog")
            assert "has not been said yet" not in page.inner_text("dialog")
            page.keyboard.press("Enter")  # the way out has the focus
            page.wait_for_selector("dialog", state="detached")
        assert lobby_port.wished == 0
        page.click("[data-key=play-again]")
        page.click("dialog [data-key=sure]")
        page.wait_for_url("**/lobby")
        assert lobby_port.wished == 1


def test_where_jack_was_not_named_the_end_says_so_and_asks(page: Any, lobby_port: LastLobby) -> None:
    table = ToldGame(reveal="stealthy")
    table.more = {"opened": None}
    with PageServer(create_app(table, SETTINGS, lobby_port=lobby_port), settings=SETTINGS) as server:
        ended(page, server)
        assert "has not been said yet" in page.inner_text("[data-key=unrevealed]")
        assert page.locator("[data-phase=over] [data-key=reveal]").count() == 1
        page.click("[data-key=play-again]")
        assert "Who Jack was has not been said yet." in page.inner_text("dialog")
        page.goto("about:blank")


@pytest.mark.parametrize(
    ("name", "words"),
    [("stealthy-escapes-in-turn-two", "Only he may leave"), ("wrong-accusation-loses", "The companion then says who has won")],
)
def test_while_everybody_asks_who_jack_is_nothing_is_to_be_told_in_secret(page: Any, name: str, words: str) -> None:
    """Jack's page offered, as large as the answer, to entrust who he is; nothing said how an escape of somebody else ends."""
    seats = Seats(ToldGame(name))
    with seats.server:
        seats.enter(page, "jack")
        assert words in page.inner_text("#now")
        assert page.locator("#now [data-key=reveal]").count() == 1
        assert page.locator("[data-key=entrust-own], [data-key=seal]").count() == 0
        assert not page.locator("#own-card").is_visible(), "it said again, and otherwise, what is asked for above"
        page.click("#more-button")
        assert page.locator("dialog [data-key=entrust], dialog [data-key=seal]").count() == 0
        page.goto("about:blank")


def test_the_whole_game_is_shown_again_and_can_be_stopped(page: Any) -> None:
    table = ToldGame(reveal="stealthy")
    seats = Seats(table)
    with seats.server:
        seats.enter(page, "jack")
        page.wait_for_selector("#steps-list button >> nth=6")
        page.clock.install(time=0)
        page.clock.pause_at(60)  # else it goes on by itself, and a slow machine sees the next move
        page.click("[data-key=replay]")
        assert "The start – not now" in page.inner_text("#steps-line")
        page.clock.run_for(1800)
        assert "Turn 1, pick 1 – not now" in page.inner_text("#steps-line")
        page.click("[data-key=replay-stop]")
        page.clock.run_for(8000)
        assert "Turn 1, pick 1 – not now" in page.inner_text("#steps-line")
        page.click("[data-key=replay]")
        page.clock.run_for(1800 * 20)
        assert page.get_attribute("#board", "data-past") == "no", "it ends with what is so now"
        page.goto("about:blank")


@pytest.mark.parametrize(
    ("role", "saves"),
    [
        ("table", True),
        ("spectator", False),
        *(pytest.param(*one, marks=pytest.mark.slow) for one in (("arbiter", True), ("jack", False), ("detective", False))),
    ],
)
def test_every_seat_sees_the_end_and_only_the_table_and_the_arbiter_save_it(page: Any, role: str, saves: bool) -> None:
    seats = Seats(ToldGame(reveal="stealthy"))
    with seats.server:
        seats.enter(page, role)
        assert "Jack was Miss Stealthy." in page.inner_text("[data-phase=over]")
        assert (page.locator("[data-key=report]").count() == 1) == saves
        assert page.locator("[data-key=play-again]").count() == 0, "who sets the table up begins the next game"
        page.goto("about:blank")

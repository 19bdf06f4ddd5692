"""In a real browser: Jack is asked on his own screen where he has one, and no code is offered that would lead nowhere."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from boxes import boxes
from fake_lobby import PlayingLobby
from fake_table import FakeTable
from lobby_rooms import PATIENCE, come, lobby_served, to

from companion.host.choices import Choices
from companion.host.passes import Passes
from companion.web.access import AccessControl
from companion.web.app import create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser


class Room:
    """A game that has just begun in the lobby, in which Jack is to seal who he is."""

    def __init__(self, folder: Path) -> None:
        self.passes, lobby_port = Passes.open(None), PlayingLobby(folder)
        lobby_port.setup = replace(lobby_port.setup, choices=Choices(secret="sealed"))
        table = FakeTable()
        table.change(phase="set-up", secret="asked", question=None)
        settings = PageSettings(streams=6, answers_burst=200)
        app = create_app(table, settings, lobby_port=lobby_port, access_control=AccessControl(self.passes))
        self.server = PageServer(app, settings=settings)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    with room.server:
        yield room


def test_sealing_opens_on_the_shared_screen_only_where_jack_has_none_of_his_own(page: Any, room: Room) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(f"{room.server.address}#secret")
    page.wait_for_selector("dialog .veil")
    given, token = room.passes.issue("jack")
    page.goto("about:blank")
    page.goto(f"{room.server.address}#secret")
    page.wait_for_selector("#connection[data-state=good]")
    page.wait_for_timeout(500)
    assert page.locator("dialog").count() == 0, "the others look at this screen"
    page.click("#now [data-key=seal]")
    page.wait_for_selector("dialog [data-key=own-screen]")
    page.click("[data-key=here-all-the-same]")
    page.wait_for_selector("dialog .veil")
    phone = page.context.browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    phone.set_default_timeout(PATIENCE)
    phone.goto(f"{room.server.address}join#{token}")
    phone.click("button:has-text('Take the new seat')")  # on this computer every browser shows the table
    phone.wait_for_selector("dialog .veil")
    assert [one.id for one in room.passes.handed_out()] == [given.id]
    phone.context.close()


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844), (320, 640)])
def test_a_link_that_works_on_this_computer_only_has_no_code_and_says_what_to_do(
    page: Any, tmp_path: Path, width: int, height: int
) -> None:
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size({"width": width, "height": height})
    with lobby_served(tmp_path) as page.base:
        come(page, "en")
        to(page, "seats")
        page.click("[data-key=seat-jack]")
        page.wait_for_selector("[data-key=no-code]")
        assert page.locator(".qr").count() == 0, "a phone would look for the table on itself"
        assert "--host 0.0.0.0" in page.inner_text("[data-key=no-code]")
        box, onward = boxes(page, "[data-key=no-code]", "#onward")
        assert box["y"] + box["height"] <= onward["y"], "in sight without scrolling"
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        page.goto("about:blank")


def test_the_warning_that_there_is_no_code_is_a_line_of_text(page: Any, room: Room) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(room.server.address)
    page.click("[data-key=quiet]")
    page.click("#more-button")
    page.click("dialog [data-key=seats]")
    page.click("dialog [data-key=issue]")
    sign = page.locator("dialog [data-key=no-code] svg").bounding_box()
    assert sign is not None and sign["width"] < 40

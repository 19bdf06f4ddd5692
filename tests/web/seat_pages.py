"""Pages of tables without threads, opened in a browser: the shared screen, and a seat by its link on a phone."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from companion.host.boxes import TableBoxes
from companion.host.passes import Passes
from companion.host.table import Table
from companion.web.access import AccessControl
from companion.web.app import create_app, views_of
from companion.web.guard import HEADER
from companion.web.server import PageServer
from companion.web.settings import PageSettings

PHONE = {"width": 390, "height": 844}
BY_LINK = """([token, header]) => fetch("/api/session", {
  method: "POST", headers: { "Content-Type": "application/json", [header]: "1" }, body: JSON.stringify({ token }),
}).then((answer) => answer.status)"""


def begin_ruling(page: Any, action: str) -> None:
    """Open the arbiter's dialog from the table's menu, at a kind of ruling."""
    page.click("#more-button")
    page.click("dialog [data-key=rule]")
    page.check(f"dialog input[value={action}]")


@contextmanager
def shared_screen(table: Table, settings: PageSettings, page: Any, ready: str) -> Iterator[Any]:
    """The page of a table with button boxes, once it shows what ``ready`` selects."""
    app = create_app(table, settings, button_boxes=TableBoxes(table))
    with PageServer(app, settings=settings) as running:
        page.goto(running.address)
        page.wait_for_selector(ready)
        yield page
        page.goto("about:blank")
    views_of(app).close()


@contextmanager
def seats(table: Table, settings: PageSettings, page: Any, ready: str) -> Iterator[Callable[[str], Any]]:
    """Opens the page of a seat by its link, on a phone, without sound."""
    passes = Passes.open(None)
    app = create_app(table, settings, access_control=AccessControl(passes, closed=True))
    with PageServer(app, settings=settings) as running:

        def sit(role: str) -> Any:
            page.set_viewport_size(PHONE)
            come_in(page, running.address, passes.issue(role)[1])
            page.wait_for_selector(ready)
            page.get_by_role("button", name="Without sound").click()
            return page

        yield sit
        page.goto("about:blank")
    views_of(app).close()


def come_in(page: Any, address: str, token: str) -> None:
    """Come in by a link, as a player does."""
    page.goto(address)
    page.complaints.clear()  # before the link there is no table to see
    assert page.evaluate(BY_LINK, [token, HEADER]) == 200
    page.goto(address)


def until(page: Any, holds: Callable[[], bool]) -> None:
    """Wait until something holds; only what goes wrong waits for half a minute."""
    for _ in range(300):
        if holds():
            return
        page.wait_for_timeout(100)
    raise AssertionError("it never held")

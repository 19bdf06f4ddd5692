"""Many pages of one browser share one stream: else six of them take every connection, and nothing else comes through."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from fake_table import FakeTable
from page_visits import visit

from companion.web.app import broadcaster_of
from companion.web.server import PageServer

pytestmark = pytest.mark.browser


@pytest.fixture
def context(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context()
    context.set_default_timeout(20_000)
    yield context
    context.close()


def told(table: FakeTable, text: str) -> None:
    table.push("notice", {"code": "n", "text": text, "params": {}})


def settle(app: Any, streams: int) -> None:
    end = time.monotonic() + 15
    while broadcaster_of(app).readers != streams:
        assert time.monotonic() < end, broadcaster_of(app).readers
        time.sleep(0.05)


def test_eight_pages_of_one_browser_hold_one_stream_and_all_hear_and_answer(
    context: Any, app: Any, server: PageServer, table: FakeTable
) -> None:
    pages = [context.new_page() for _ in range(8)]
    for page in pages:
        visit(page, server)
    settle(app, 1)
    told(table, "to all of you")
    for page in pages:
        page.wait_for_selector("#log li:has-text('to all of you')")
        assert page.locator("#log li:has-text('to all of you')").count() == 1
    table.show("call")
    pages[-1].click(".big[data-look=light]")
    for page in pages:
        page.wait_for_selector(".call .word")
    assert len(table.taken) == 1


def test_when_the_page_that_leads_is_closed_another_goes_on_and_nothing_is_missed(
    context: Any, app: Any, server: PageServer, table: FakeTable
) -> None:
    pages = [context.new_page() for _ in range(3)]
    for page in pages:
        visit(page, server)
    settle(app, 1)
    for left in (2, 1):
        told(table, f"before {left}")
        pages[0].wait_for_selector(f"#log li:has-text('before {left}')")
        pages.pop(0).close()
        told(table, f"after {left}")
        for page in pages:
            page.wait_for_selector(f"#log li:has-text('after {left}')")
            assert page.locator("#log li[data-number]").count() == len(table.log)
    settle(app, 1)


def test_a_page_that_leads_and_falls_silent_is_replaced(context: Any, app: Any, server: PageServer, table: FakeTable) -> None:
    """A page that a browser puts to sleep neither passes on nor says goodbye."""
    first, second = context.new_page(), context.new_page()
    visit(first, server)
    visit(second, server)
    settle(app, 1)
    leads = "BroadcastChannel.prototype.postMessage = () => {}"
    first.evaluate(leads)  # whichever leads: both orders of closing are tested above
    told(table, "heard by both")
    second.wait_for_selector("#log li:has-text('heard by both')")
    first.wait_for_selector("#log li:has-text('heard by both')")


def test_pages_in_two_languages_hear_each_their_own(context: Any, app: Any, server: PageServer, table: FakeTable) -> None:
    english, italian = context.new_page(), context.new_page()
    visit(english, server)
    italian.goto(f"{server.address}?lang=it")
    italian.wait_for_selector("#connection[data-state=good]")
    settle(app, 2)
    table.show("doubt")
    english.wait_for_selector(".doubt:has-text('What happened?')")
    italian.wait_for_selector(".doubt:has-text('Che cosa')")

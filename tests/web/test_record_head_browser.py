"""The record's head when the turn was opened stands on the public screen, to be photographed."""

from typing import Any

import pytest
from fake_table import FakeTable

from web.server import PageServer

pytestmark = pytest.mark.browser


def test_the_head_of_the_turn_is_shown_in_words(page: Any, server: PageServer, table: FakeTable) -> None:
    table.change(turn_head=None)
    page.goto(server.address)
    page.click("[data-key=quiet]")
    page.wait_for_selector("#connection[data-state=good]")
    assert page.locator("#record-head").is_hidden()
    table.push("sight-restored", {})
    table.change(turn_head={"number": 7, "turn": 2, "words": "gyzup-mihud-fotok-sypib"})
    page.wait_for_selector("#record-head:visible")
    assert page.locator("#record-head").inner_text() == "Record at turn 2: gyzup-mihud-fotok-sypib"
    table.change(turn_head={"number": 30, "turn": 3, "words": "babab-babab-babab-babab"})
    page.wait_for_selector("#record-head:has-text('turn 3')")

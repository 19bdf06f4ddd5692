"""The record's head when the turn was opened stands on the public screen, to be photographed."""

from typing import Any

import pytest
from fake_table import FakeTable

from companion.host.qr_code import qr_code
from companion.record.words import words
from companion.web.server import PageServer

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


def test_what_jack_sealed_is_shown_in_words_and_as_a_code(page: Any, server: PageServer, table: FakeTable) -> None:
    sealed = "5e" * 32
    table.change(secret="asked", commitment=None, commitment_words=None, commitment_qr=None)
    page.goto(server.address)
    page.click("[data-key=quiet]")
    page.wait_for_selector("#connection[data-state=good]")
    assert page.locator("#seal").is_hidden()
    table.push("sight-restored", {})
    table.change(secret="sealed", commitment=sealed, commitment_words=words(sealed), commitment_qr=qr_code(sealed))
    page.wait_for_selector("#seal:visible")
    assert page.locator("#seal-words").inner_text().endswith(words(sealed))
    page.click("#seal-words")
    assert page.locator("#seal-code svg path").get_attribute("d") == qr_code(sealed)["path"]

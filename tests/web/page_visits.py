"""How the browser tests of the page come in, and how they put the table behind it into a state."""

from typing import Any

from fake_table import FLAG, FakeTable

from companion.web.server import PageServer


def visit(page: Any, server: PageServer, *, sound: bool = False) -> None:
    page.goto(server.address)
    page.click("[data-key=start]" if sound else "[data-key=quiet]")
    page.wait_for_selector("#connection[data-state=good]")


def show(page: Any, table: FakeTable, state: str) -> None:
    """Put the table into a state and wait until the page has it."""
    table.show(state)
    table.push("sight-restored", {})
    page.wait_for_selector(f"#room[data-number='{len(table.log)}']")
    page.wait_for_selector(LANDMARKS[state])


LANDMARKS = {
    "set-up": ".now .chore", "playing": ".now .who", "flagged": ".alarm", "doubt": ".doubt", "call": ".big[data-look=light]",
    "clean-up": ".call .word", "over": "[data-phase=over]", "unsure": "#source[data-state=bad]",
    "blind": "[data-trouble=sight]",
}  # fmt: skip


def flagged(page: Any, table: FakeTable) -> None:
    table.push("flag", FLAG)
    show(page, table, "flagged")

"""A closed table of a club, served, for tests of every seat in a browser."""

from typing import Any

from fake_boxes import FakeBoxes
from fake_table import FLAG, FakeTable, play_data

from companion import games
from companion.host.notes import Notes
from companion.host.passes import Passes
from companion.host.secrets import Secrets
from companion.web.access import AccessControl
from companion.web.app import create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

PICTURE = "5" * 64
CLOCK = {
    "left": {"detective": 754.0, "jack": 12.0}, "running": "jack", "since": 2e9, "free": 0.0,
    "increment": 10.0, "delay": 5.0, "held": False, "fallen": [],
}  # fmt: skip


class Club:
    """A closed table, served, with a clock, penalties and pictures, and links to its seats."""

    def __init__(self) -> None:
        self.table = FakeTable()
        self.passes = Passes.open(None)
        notes = Notes(Secrets.open(None), games.load(), lambda: "match-1")
        settings = PageSettings(streams=12, watch_seconds=0.1, heartbeat_seconds=0.3)
        access_control = AccessControl(self.passes, closed=True, notes=notes)
        self.server = PageServer(
            create_app(self.table, settings, access_control=access_control, button_boxes=FakeBoxes()), settings=settings
        )
        self.table.kept[PICTURE] = self.table.frame or b""
        self.show("flagged")
        pictures = {"pictures": {"before": PICTURE, "after": PICTURE}}
        self.table.push("play", play_data("holmes", ["g5", "e6"], "Holmes goes from g5 to e6.") | pictures)
        self.table.push("ruling", {"action": "adjourn", "reason": "A break"})
        self.table.push("flag", FLAG)

    def show(self, state: str) -> int:
        moments = [{"number": 1, "turn": 1, "pick": 0, "character": None}]
        penalties = [{"against": "jack", "reason": "slow"}]
        self.table.show(state)
        self.table.change(match="match-1", clock=CLOCK, take_back=moments, penalties=penalties)
        return self.table.push("sight-restored", {}).number

    def sit(self, page: Any, role: str) -> None:
        page.goto(f"{self.server.address}join#{self.passes.issue(role)[1]}")
        page.wait_for_selector("[data-key=quiet], [data-key=switch]")
        if page.query_selector("[data-key=switch]"):  # this browser has another seat
            page.click("[data-key=switch]")
        page.wait_for_selector("[data-key=quiet]")

"""A whole recorded game as a table: what a real referee made of it, shown as far as a test wants."""

import sys
from pathlib import Path
from typing import Any

from fake_table import FakeTable

from companion.host.status import status
from companion.referee.match import fold
from companion.referee.view import view

sys.path.append(str(Path(__file__).parents[1] / "referee"))
from test_recorded_at_table import ASKED, GAMES, replay


class ToldGame(FakeTable):
    """Shows the events up to ``known``; :meth:`show_until` lets the game go on."""

    def __init__(self, name: str = "stealthy-escapes-in-turn-two", *, reveal: str | None = None) -> None:
        super().__init__()
        self.hands = replay(GAMES / "recorded" / f"{name}.json", ASKED)
        if reveal is not None:
            self.hands.say(kind="reveal", character=reveal)
        self.everything = list(self.hands.events)
        self.more: dict[str, Any] = {}
        self.log = list(self.everything)

    def snapshot(self) -> dict[str, Any]:
        source = {"name": "recording", "state": "running", "ailing": []}
        shown = view(fold(self.hands.game, self.log)) | self.more
        beside = {"simulated": True, "source": source, "troubles": [], "trouble": None, "moving": False, "occluded": False}
        return {**shown, **beside, "status": status(shown, source, ())}

    def show_until(self, number: int) -> None:
        with self._changed:
            self.log = self.everything[:number]
            self._changed.notify_all()

    def number_of(self, kind: str, count: int = 1) -> int:
        """The number of the so-many-th event of a kind."""
        return [event.number for event in self.everything if event.kind == kind][count - 1]

"""Made-up records for the hall's tests: chained events of matches, without a game behind them."""

from collections.abc import Mapping
from typing import Any

from companion import games
from companion.errors import BadInput
from companion.hub.model import HallMatch
from companion.hub.rehearsal.tables import GrowingTable
from companion.hub.store.port import Accepted
from companion.record.events import Event


def chained(count: int, data: dict[str, Any] | None = None, match: str = "m1", began: float = 1000.0) -> list[Event]:
    """A record of so many events. Words of several scripts, and numbers whose digits must not change, are among the data."""
    opened = {"id": match, "game": "mr-jack-london", "label": "Ökologie 倫敦", "rate": 0.1, "big": 1e-7}
    events: list[Event] = []
    for number in range(count):
        kind, body = ("match-opened", opened) if not number else ("notice", data or {"code": f"n{number}", "share": number / 3})
        events.append(Event.following(events[-1] if events else None, kind, body, began + number))
    return events


def accepted(table: str, match: str, events: list[Event]) -> Accepted:
    """Events as the intake lets them in."""
    head = events[-1]
    value = HallMatch(table, match, "mr-jack-london", "London", events[0].at, head.at, head.number, head.digest)
    return Accepted(value, tuple(events))


class StoryTable(GrowingTable):
    """A table of a rehearsal that a test drives: what it shows, and what it refuses."""

    def __init__(self, match: str = "m1", events: list[Event] | None = None) -> None:
        super().__init__(match, games.load("mr-jack-london"))
        self.record = list(events or [])
        self.refuse = ""

    def begin(self) -> None:
        self.write("match-opened", {"id": self.match, "game": self.game.id, "label": "London"})

    def snapshot(self) -> dict[str, Any]:
        return {"number": len(self.record), "match": self.match, "game": {"id": self.game.id}, "phase": "play"}

    def answer(self, answer: Mapping[str, Any], /, by: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        if self.refuse:
            raise BadInput(self.refuse)
        return super().answer(answer, by)

    def codes(self) -> list[str]:
        return [event.data["code"] for event in self.record if event.kind == "notice" and "code" in event.data]

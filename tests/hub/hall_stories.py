"""Made-up records for the hall's tests: chained events of matches, without a game behind them."""

import threading
import time
from collections.abc import Mapping
from typing import Any

from companion import games
from companion.errors import BadInput
from companion.hub.model import HallMatch
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


class StoryTable:
    """A table without a referee: a record that grows, a snapshot, and answers that become events."""

    def __init__(self, match: str = "m1", events: list[Event] | None = None) -> None:
        self.game = games.load("mr-jack-london")
        self.match = match
        self.record = list(events or [])
        self.refuse = ""
        self._changed = threading.Condition()

    def begin(self) -> None:
        self.write("match-opened", {"id": self.match, "game": self.game.id, "label": "London"})

    def write(self, kind: str, data: dict[str, Any] | None = None, at: float | None = None) -> Event:
        with self._changed:
            before = self.record[-1] if self.record else None
            event = Event.following(before, kind, data or {}, time.time() if at is None else at)
            self.record.append(event)
            self._changed.notify_all()
            return event

    def snapshot(self) -> dict[str, Any]:
        return {"number": len(self.record), "match": self.match, "game": {"id": self.game.id}, "phase": "play"}

    def watched(self) -> dict[str, Any]:
        return {}

    def wait_events(self, after: int, timeout: float) -> list[Event]:
        with self._changed:
            self._changed.wait_for(lambda: len(self.record) > after, timeout)
            return self.record[after:]

    def answer(self, answer: Mapping[str, Any], /, by: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        if self.refuse:
            raise BadInput(self.refuse)
        event = self.write("ruling", {**answer, **({"by": dict(by)} if by else {})})
        return {"number": event.number, "events": [event.kind]}

    def tell(self, notice: Any, /) -> None:
        self.write("notice", {"code": notice.code, "text": notice.text, "params": dict(notice.params)})

    def codes(self) -> list[str]:
        return [event.data["code"] for event in self.record if event.kind == "notice" and "code" in event.data]

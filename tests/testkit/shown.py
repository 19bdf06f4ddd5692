"""What a table without threads shows and has on record, in the words of tests."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, Protocol

from companion.host.table import Table
from companion.record.events import Event
from companion.record.log import Record


class Shown:
    """To be derived by whatever holds a table and its record."""

    table: Table
    record: Record

    @property
    def public(self) -> dict[str, Any]:
        """What everybody may see."""
        return dict(self.table.snapshot())

    @property
    def faults(self) -> list[str]:
        """What is flagged, by code."""
        return [fault["code"] for fault in (self.public["flag"] or {"faults": ()})["faults"]]

    @property
    def way_back(self) -> list[str]:
        """What hands are asked to do about it."""
        return [chore["message"] for chore in (self.public["flag"] or {"chores": ()})["chores"]]

    def events(self) -> list[Event]:
        return list(self.record.events())

    def last(self, kind: str) -> Event:
        return next(event for event in reversed(self.events()) if event.kind == kind)


class Ruled(Protocol):
    """A table at which an arbiter may speak."""

    @property
    def public(self) -> dict[str, Any]: ...

    def say(self, kind: str, **answer: Any) -> list[str]: ...


def put(table: Ruled, change: Callable[[Any], object]) -> list[str]:
    """Set the position on record with a change, as the arbiter's board sends it. Returns the kinds of events it led to."""
    position = deepcopy(table.public["position"])
    change(position)
    return table.say("rule", action="set-position", position=position, reason="knocked over")

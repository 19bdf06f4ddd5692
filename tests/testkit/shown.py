"""What a table without threads shows and has on record, in the words of tests."""

from typing import Any

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

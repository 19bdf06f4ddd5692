"""The event's record: entries numbered, chained and durable as a game's are, folded as they come."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from companion.errors import BadInput
from companion.hub.event import folding
from companion.hub.event.model import Tournament
from companion.record.events import Event
from companion.record.log import Record

Json = Mapping[str, Any]
MOST_ENTRIES = 20_000
"""Entries of one event, 1000 to a million: 200 players in nine rounds have two thousand."""


class EventBook:
    """One event on record. Every method may be called from any thread; with no path it is kept in memory alone."""

    def __init__(self, record: Record | None = None, clock: Callable[[], float] = time.time) -> None:
        self._record, self._clock = record, clock
        self._lock = threading.RLock()
        self.on_change: Callable[[], None] = lambda: None
        """Called after entries were put on record."""
        self._entries: list[Event] = list(record.events()) if record is not None else []
        self._state = folding.fold((one.number, one.kind, one.data) for one in self._entries)

    @classmethod
    def open(cls, path: Path | None, clock: Callable[[], float] = time.time) -> "EventBook":
        """The event of a file, a new one where there is none. Raises BadInput: open elsewhere, altered, or no record of an
        event."""
        if path is None:
            return cls(None, clock)
        record = Record.open(path)
        try:
            return cls(record, clock)
        except BadInput as error:
            record.close()
            raise BadInput(f"{path}: is not the record of an event ({error})") from error

    @property
    def state(self) -> Tournament | None:
        """The event as it stands; None before it was opened."""
        return self._state

    @property
    def number(self) -> int:
        """How many entries there are."""
        return len(self._entries)

    def seen(self) -> tuple[Tournament | None, int]:
        """The event as it stands, and how many entries it is made of: what a page shows, and what it sends back with a decision
        upon that. Asked for one by one, an entry of somebody else could come in between and never be noticed."""
        with self._lock:
            return self._state, self.number

    def entries(self, after: int = 0) -> list[Event]:
        """Entries numbered above ``after``."""
        with self._lock:
            return self._entries[after:]

    def add(self, kind: str, data: Json, by: str = "") -> Tournament:
        """Put one entry on record. Raises BadInput, and RecordTrouble when the disk refuses; then nothing is changed."""
        return self.add_all([(kind, data)], by)

    def add_all(self, entries: Iterable[tuple[str, Json]], by: str = "", *, number: int | None = None) -> Tournament:
        """Put entries on record that belong together: all of them fit, or none is written. ``number``: how many there were when
        somebody decided upon them; where there are more now, somebody else was faster, and it is refused."""
        with self._lock:
            if number is not None and number != self.number:
                raise BadInput("somebody else changed the event meanwhile; look at it again")
            state = self._state
            drafts: list[tuple[str, dict[str, Any]]] = []
            for kind, data in entries:
                told = {**data, "by": by} if by else dict(data)
                state = folding.apply(state, self.number + len(drafts) + 1, kind, told)
                drafts.append((kind, told))
            if self.number + len(drafts) > MOST_ENTRIES:
                raise BadInput(f"an event has at most {MOST_ENTRIES} entries")
            for kind, told in drafts:
                self._entries.append(self._stored(kind, told))
                # Each is true as soon as it is written, even where the disk refuses the next one.
                self._state = folding.apply(self._state, self.number, kind, told)
            made = self._state
        if made is None:
            raise BadInput("nothing was entered")
        self.on_change()
        return made

    def _stored(self, kind: str, data: Json) -> Event:
        if self._record is not None:
            return self._record.append(kind, data, self._clock())
        return Event.following(self._entries[-1] if self._entries else None, kind, data, self._clock())

    def close(self) -> None:
        """Close its file."""
        if self._record is not None:
            self._record.close()

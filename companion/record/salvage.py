"""Saving the intact beginning of a damaged record. The damaged file is copied first and never opened itself."""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from companion import bounded
from companion.errors import BadInput, InvalidRecord
from companion.record.damage import damage_of, found_in
from companion.record.events import Event
from companion.record.log import Record, no_record, stored_event
from companion.record.untouched import LONGEST_VALUE

_DATABASE = b"SQLite format 3\0"  # how every database file begins
_PARTS = ("", "-wal")  # what was appended last may still be in the write-ahead log


def salvage(path: Path | str, to: Path | str) -> tuple[int, str]:
    """Copy the events up to the last intact one into a new record at ``to``; the damaged file is left as it is.

    Returns how many events were saved and, in words, what is wrong with the first that was not. Raises BadInput when
    ``to`` is there already, InvalidRecord when not a single event is intact; then nothing is written.
    """
    path, to = Path(path), Path(to)
    if not path.is_file():
        raise InvalidRecord(no_record(path))
    if to.exists():
        raise BadInput(f"{to}: is already there; name a new file")
    try:
        saved, trouble = _saved(path)
        with path.open("rb") as file:
            begins = file.read(len(_DATABASE))
    except OSError as error:
        raise InvalidRecord(f"{path}: cannot be copied ({error.strerror})") from error
    if not saved and begins != _DATABASE:
        raise InvalidRecord(f"{path}: is no game record, or nothing is left of one's beginning")
    if not saved:
        raise InvalidRecord(f"{path}: nothing in it can be saved ({trouble})")
    with Record.open(to) as fresh:
        fresh.take_over(saved)
    return len(saved), trouble


def _saved(path: Path) -> tuple[list[Event], str]:
    """The longest intact beginning, as SQLite reads it or as its pages have it, and what is wrong with the rest."""
    damage = damage_of(path)
    with tempfile.TemporaryDirectory(prefix="table-witness-") as scratch:
        copy = Path(scratch) / "copy.record"
        for part in _PARTS:
            if Path(f"{path}{part}").exists():
                bounded.copy(Path(f"{path}{part}"), Path(f"{copy}{part}"), bounded.BOUNDS.record)
        found = found_in(copy)
        saved, trouble = _intact(copy)
    if damage is None and trouble == NOTHING and len(saved) >= len(found.events) and not found.beyond:
        return saved, trouble
    if len(found.events) >= len(saved):
        saved, trouble = found.events, NOTHING if trouble == NOTHING else f"after event {len(found.events)}: {DAMAGED}"
    if found.beyond:
        more = f"event {found.beyond[0]}" + (f" and others up to {found.beyond[-1]}" if len(found.beyond) > 1 else "")
        trouble = f"after event {len(saved)}: {DAMAGED}; {more} is still there but does not follow from it"
    elif found.lacking:
        trouble = f"after event {len(saved)}: the file is cut off, {found.lacking} of its pages are missing"
    elif damage is not None:
        trouble = f"{damage.text.removeprefix(f'{path}: ').partition(':')[0]}; event {len(saved)} is the last one found"
    return saved, trouble


NOTHING = "nothing is wrong"
DAMAGED = "the file is damaged"


def _intact(path: Path) -> tuple[list[Event], str]:
    saved: list[Event] = []
    try:
        for event in _stored(path):
            previous = saved[-1] if saved else None
            if event != Event.following(previous, event.kind, event.data, event.at):
                return saved, f"event {event.number} does not follow from event {len(saved)}"
            saved.append(event)
    except (sqlite3.Error, UnicodeDecodeError):
        return saved, f"after event {len(saved)}: {DAMAGED}"
    except InvalidRecord:
        return saved, f"after event {len(saved)}: the next one cannot be read"
    return saved, NOTHING


def _stored(path: Path) -> Iterator[Event]:
    with closing(sqlite3.connect(path)) as connection:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        # A damaged byte must not stop what can be read of a text; its digest tells that it was damaged.
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        for row in connection.execute("SELECT number, at, kind, data, digest FROM events ORDER BY number"):
            yield stored_event(row, path)

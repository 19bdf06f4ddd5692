"""Saving the intact beginning of a damaged record. The damaged file is copied first and never opened itself."""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from companion import bounded
from companion.errors import BadInput, InvalidRecord
from companion.record.events import Event
from companion.record.log import Record, stored_event
from companion.record.untouched import LONGEST_VALUE

_PARTS = ("", "-wal")  # what was appended last may still be in the write-ahead log


def salvage(path: Path | str, to: Path | str) -> tuple[int, str]:
    """Copy the events up to the last intact one into a new record at ``to``; the damaged file is left as it is.

    Returns how many events were saved and, in words, what is wrong with the first that was not. Raises BadInput when
    ``to`` is there already, InvalidRecord when not a single event is intact; then nothing is written.
    """
    path, to = Path(path), Path(to)
    if not path.is_file():
        raise InvalidRecord(f"{path}: there is no such record")
    if to.exists():
        raise BadInput(f"{to}: is already there; name a new file")
    with tempfile.TemporaryDirectory(prefix="table-witness-") as scratch:
        copy = Path(scratch) / "copy.record"
        try:
            for part in _PARTS:
                if Path(f"{path}{part}").exists():
                    bounded.copy(Path(f"{path}{part}"), Path(f"{copy}{part}"), bounded.BOUNDS.record)
        except OSError as error:
            raise InvalidRecord(f"{path}: cannot be copied ({error.strerror})") from error
        # A damaged write-ahead log may hide what the file itself still holds, and the other way round.
        saved, trouble = _intact(copy)
        if not saved:
            Path(f"{copy}-wal").unlink(missing_ok=True)
            saved, trouble = _intact(copy)
    if not saved:
        raise InvalidRecord(f"{path}: nothing in it can be saved ({trouble})")
    with Record.open(to) as fresh:
        fresh.take_over(saved)
    return len(saved), trouble


def _intact(path: Path) -> tuple[list[Event], str]:
    saved: list[Event] = []
    try:
        for event in _stored(path):
            previous = saved[-1] if saved else None
            if event != Event.following(previous, event.kind, event.data, event.at):
                return saved, f"event {event.number} does not follow from event {len(saved)}"
            saved.append(event)
    except UnicodeDecodeError:
        return saved, f"after event {len(saved)}: the file is damaged"
    except (sqlite3.Error, InvalidRecord) as error:
        return saved, f"after event {len(saved)}: {' '.join(str(error).replace(str(path), 'the file').split())}"
    return saved, "nothing is wrong"


def _stored(path: Path) -> Iterator[Event]:
    with closing(sqlite3.connect(path)) as connection:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        # A damaged byte must not stop what can be read of a text; its digest tells that it was damaged.
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        for row in connection.execute("SELECT number, at, kind, data, digest FROM events ORDER BY number"):
            yield stored_event(row, path)

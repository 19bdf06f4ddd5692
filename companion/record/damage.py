"""Whether a record's write-ahead log can be read to its end, and what can be found in a record whose files are damaged."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from companion import bounded
from companion.record.events import Event
from companion.record.pages import by_number, numbered, page_bytes_of, rows
from companion.record.wal import WriteAheadLog, frames_backfilled, frames_known, read_log

LOOK_AGAIN_S = 0.1
"""Seconds (0.02 to 1) after which a log that seems damaged is looked at again: a table may be writing in it just now."""


@dataclass(frozen=True, slots=True)
class Damage:
    """What a log does not give back. ``last_only``: only its very end is not whole, as after a power cut in the middle of an
    event; then nothing that was announced need be missing, but a log that was cut off looks the same."""

    text: str
    last_only: bool


def damage_of(path: Path) -> Damage | None:
    """What of a record's write-ahead log cannot be read; None when all of it can, or there is none. Raises OSError."""
    first = _look(path)
    if first is None:
        return None
    time.sleep(LOOK_AGAIN_S)
    return _look(path)


def _look(path: Path) -> Damage | None:
    index = _bytes(Path(f"{path}-shm"))  # before the log, which only grows: what it knows of must then be there
    log = read_log(_bytes(Path(f"{path}-wal")))
    known = frames_known(index, log) or 0
    lost = known > max(log.accepted, frames_backfilled(index))
    if not log.broken and not lost:
        return None
    if log.last_only and not lost:
        text = "the end of its write-ahead log is not whole, as after a power cut"
        return Damage(f"{path}: {text}: events may be missing at the end", last_only=True)
    there = max(known, len(log.frames))
    text = f"its write-ahead log is damaged, {log.accepted} of its {there} pages can be read"
    return Damage(f"{path}: {text}: events are missing at the end", last_only=False)


@dataclass(frozen=True, slots=True)
class RecoveredEvents:
    """``events``: the longest whole beginning; ``beyond``: numbers of later events that are there but cannot be joined to it;
    ``lacking``: pages that the file says it has and that are cut off."""

    events: list[Event]
    beyond: list[int]
    lacking: int


def found_in(path: Path) -> RecoveredEvents:
    """The events in a record's file and log, page by page, whatever of them is damaged. Each is held to its digest and to the
    one before it. Raises OSError."""
    file, log = _bytes(path), read_log(_bytes(Path(f"{path}-wal")))
    size = page_bytes_of(file, log.page_bytes)
    kept = dict(numbered(file, size))
    newest = kept | {frame.page: frame.body for frame in log.frames}
    events = [
        *rows(iter(kept.items()), by_number(kept)),
        *rows(((frame.page, frame.body) for frame in log.frames), by_number(newest)),
        *rows(iter(kept.items()), by_number(newest)),
    ]
    chained = _chained(events)
    last = len(chained)
    beyond = sorted({event.number for event in events if event.number > last})
    return RecoveredEvents(chained, beyond, max(0, _pages_told(file, log) - len(newest)))


def _chained(events: Iterable[Event]) -> list[Event]:
    known: dict[int, list[Event]] = {}
    for event in events:
        known.setdefault(event.number, []).append(event)
    chained: list[Event] = []
    while True:
        previous = chained[-1] if chained else None
        fits = (one for one in known.get(len(chained) + 1, ()) if one == Event.following(previous, one.kind, one.data, one.at))
        following = next(fits, None)
        if following is None:
            return chained
        chained.append(following)


def _pages_told(file: bytes, log: WriteAheadLog) -> int:
    """How many pages there should be: as the log's last transaction has it, or the file's header."""
    return max((frame.commit for frame in log.frames[: log.sound]), default=int.from_bytes(file[28:32], "big"))


def _bytes(path: Path) -> bytes:
    try:
        return bounded.read_bytes(path, bounded.BOUNDS.record)
    except FileNotFoundError:
        return b""

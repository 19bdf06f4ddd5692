"""Reading a record so that no file beside it appears, changes or goes, and yet nothing that was written is missed.

A program that merely reads a database with a write-ahead log makes that log and its index where there are none, and may not
take them away again. So a closed record is read from its file alone; a log that still holds events, of a table that is on or
of one that was cut off, is read with it.
"""

import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from companion import bounded
from companion.record.lock import is_open

Found = TypeVar("Found")
LONGEST_VALUE = 16 * 2**20
"""Bytes of one value or row (1 to 1000 MiB); an event has some kB."""
TRIES = 5
"""How often (1 to 20) a closed record is read again because a table began or ended on it meanwhile."""


def read_untouched(path: Path, load: Callable[[sqlite3.Connection], Found], timeout_s: float) -> Found:
    """What ``load`` reads from the record at ``path``. Raises sqlite3.Error, and whatever ``load`` raises."""
    for _ in range(TRIES):
        before = _state(path)
        if before[-1]:
            break
        try:
            with closing(connect(path, "ro&immutable=1", timeout_s)) as connection:
                found = load(connection)
        except Exception:
            if _state(path) == before:
                raise
            continue  # half of it was written while it was read
        if _state(path) == before:
            return found
    return _with_its_log(path, load, timeout_s)


def connect(path: Path, mode: str, timeout_s: float) -> sqlite3.Connection:
    """A connection in one of SQLite's modes (``rwc``, ``ro``, ``ro&immutable=1``); waits ``timeout_s`` for another's lock."""
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None, check_same_thread=False, timeout=timeout_s
    )
    # A file made by hand may compute its values: no event is nearly as long.
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    return connection


def _with_its_log(path: Path, load: Callable[[sqlite3.Connection], Found], timeout_s: float) -> Found:
    # The log's index is used where a table keeps it; one that was left behind by a table that was cut off stays as it is, since
    # it knows how much the log held.
    if Path(f"{path}-shm").exists() and is_open(path):
        try:
            with closing(connect(path, "ro", timeout_s)) as connection:
                return load(connection)
        except sqlite3.OperationalError:
            pass  # in a folder that cannot be written the index may be of no use
    with tempfile.TemporaryDirectory(prefix="table-witness-") as scratch:
        copy = Path(scratch) / "copy.record"
        for part in ("", "-wal"):
            if Path(f"{path}{part}").exists():
                bounded.copy(Path(f"{path}{part}"), Path(f"{copy}{part}"), bounded.BOUNDS.record)
        with closing(connect(copy, "rwc", timeout_s)) as connection:
            return load(connection)


def _state(path: Path) -> tuple[int, int, int]:
    """When the file was changed last, how large it is, and how large its log (0 when there is none)."""
    kept = path.stat()
    try:
        return kept.st_mtime_ns, kept.st_size, Path(f"{path}-wal").stat().st_size
    except FileNotFoundError:
        return kept.st_mtime_ns, kept.st_size, 0

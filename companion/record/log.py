"""The append-only event log: one SQLite file per game.

An event is durable before :meth:`Record.append` returns: write-ahead logging with ``synchronous=FULL`` syncs the log at
every commit, so neither a killed process nor a power cut takes back an event that was announced. Triggers refuse every
change and deletion, and each event's digest covers the one before it, so what was altered from outside shows.
"""

import contextlib
import itertools
import json
import shutil
import sqlite3
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from companion import bounded
from companion.errors import BadInput, InvalidRecord, StorageTrouble, quoted
from companion.record.damage import Damage, damage_of
from companion.record.events import Event
from companion.record.lock import RecordLock
from companion.record.untouched import connect, read_untouched
from companion.record.verify import Finding, check_chain

FORMAT = "record/1"
SALVAGE = "'companion salvage' saves what can be found in it"
BUSY_TIMEOUT_MS = 500  # how long an append waits for another program's lock: the page waits as long, and it is tried again
MOST_EVENTS = 200_000
"""Events of one record, 10 thousand to a million: a session has some thousands."""
Json = Mapping[str, Any]

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE events (
  number INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL, digest TEXT NOT NULL
);
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TRIGGER meta_is_never_changed BEFORE UPDATE ON meta BEGIN SELECT RAISE(ABORT, 'meta is never changed'); END;
CREATE TRIGGER meta_is_never_deleted BEFORE DELETE ON meta BEGIN SELECT RAISE(ABORT, 'meta is never deleted'); END;
"""


class RecordTrouble(InvalidRecord, StorageTrouble):
    """The record cannot be written just now (disk full, read-only, locked); nothing was lost, it may be tried again."""


class Record:
    """One game's log. Safe to use from several threads; one process writes, any number read."""

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        events: list[Event],
        *,
        writable: bool,
        lost_end: Path | None = None,
        damage: Damage | None = None,
        lock: RecordLock | None = None,
    ) -> None:
        """``lost_end``: where the log was laid aside whose end could not be read when the record was opened; ``damage``: that
        it cannot be read, in a record that is only read."""
        self.path, self.lost_end, self.damage = path, lost_end, damage
        self.writable = writable
        self._connection = connection
        self._events = events
        self._lock, self._held = threading.RLock(), lock

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open a record for writing, making it when it is not there.

        Raises BadInput while another companion has it open, InvalidRecord when the file is something else, was altered or is
        damaged, RecordTrouble when the disk refuses. A log that is damaged before its end is not opened, since the next event
        would be written over what is left of it; one whose end is not whole, as after a power cut, is laid aside first.
        """
        path = Path(path)
        lock = RecordLock(path)
        try:
            return cls._opened(path, lock)
        except BaseException:
            lock.close()
            raise

    @classmethod
    def _opened(cls, path: Path, lock: RecordLock) -> Self:
        lost_end = _lost_end(path)
        connection = _connect(path, "rwc")
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
            if _is_blank(connection):
                connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} INSERT INTO meta VALUES ('format', '{FORMAT}'); COMMIT;")
            events = _load(connection, path)
        except _UNREADABLE as error:
            connection.close()
            raise _said_plainly(error, path) from error
        except InvalidRecord:
            connection.close()
            raise
        return cls(path, connection, events, writable=True, lost_end=lost_end, lock=lock)

    @classmethod
    def read(cls, path: Path | str, *, check: bool = True) -> Self:
        """Open an existing record for reading only: no file appears or changes beside it, and what a table that was cut off
        left in its write-ahead log is read. With ``check=False`` an altered chain, or one whose log is damaged, is loaded as it
        is."""
        path = Path(path)
        if not path.is_file():
            raise InvalidRecord(no_record(path))
        try:
            damage = damage_of(path) if check else None
            events = read_untouched(path, lambda connection: _load(connection, path, check=check), BUSY_TIMEOUT_MS / 1000)
        except _UNREADABLE as error:
            raise _said_plainly(error, path) from error
        except OSError as error:
            raise RecordTrouble(f"cannot be read ({error.strerror})", path) from error
        if damage is not None and not damage.last_only:
            raise InvalidRecord(f"{damage.text}; {SALVAGE}")
        connection = _connect(path, "ro&immutable=1")  # opened when first used, and makes no file
        return cls(path, connection, events, writable=False, damage=damage)

    @property
    def head(self) -> Event | None:
        """The last event, or None in an empty record."""
        return self._events[-1] if self._events else None

    def events(self, after: int = 0) -> list[Event]:
        """Every event numbered above ``after``, in order."""
        return self._events[after:]

    def append(self, kind: str, data: Json, at: float) -> Event:
        """Number, chain and store one event; it is on the disk when this returns. Raises RecordTrouble, storing nothing."""
        with self._lock:
            event = self.next_event(kind, data, at)
            self.store(event)
            return event

    def next_event(self, kind: str, data: Json, at: float) -> Event:
        """The event that would come next, numbered and chained, its data as they are read back; nothing is stored. Raises
        BadInput for data that JSON cannot say."""
        try:
            text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
            text.encode("utf-8")  # half a surrogate pair is no text
        except (TypeError, ValueError) as error:
            raise BadInput(f"event {quoted(kind)} holds what JSON cannot say ({error})") from error
        return Event.following(self.head, kind, json.loads(text), float(at))

    def store(self, event: Event) -> None:
        """Store what :meth:`next_event` made; it is on the disk when this returns. Raises RecordTrouble, storing nothing."""
        text = json.dumps(event.data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        with self._lock:
            if event.number != (self.head.number if self.head else 0) + 1:
                raise RecordTrouble(f"event {event.number} is already there", self.path)
            try:
                with self._connection:
                    self._connection.execute("BEGIN IMMEDIATE")
                    self._connection.execute(
                        "INSERT INTO events VALUES (?, ?, ?, ?, ?)", (event.number, event.at, event.kind, text, event.digest)
                    )
            except sqlite3.IntegrityError as error:
                said = f"event {event.number} is already there; another companion is writing"
                raise RecordTrouble(said, self.path) from error
            except sqlite3.Error as error:
                raise _said_plainly(error, self.path) from error
            self._events.append(event)

    def take_over(self, events: list[Event]) -> None:
        """Fill an empty record with the intact events of another one, all or none. Raises RecordTrouble."""
        rows = [
            (
                event.number,
                event.at,
                event.kind,
                json.dumps(event.data, ensure_ascii=False, separators=(",", ":")),
                event.digest,
            )
            for event in events
        ]
        with self._lock:
            try:
                with self._connection:
                    self._connection.execute("BEGIN IMMEDIATE")
                    self._connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?)", rows)
            except sqlite3.Error as error:
                raise _said_plainly(error, self.path) from error
            self._events.extend(events)

    def settle(self) -> None:
        """Fold the write-ahead log into the file and empty it, so that a damaged log costs few events. What cannot be folded
        now (a reader is at it, the disk is full) stays in the log, as durable as before."""
        with self._lock, contextlib.suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close the file; the write-ahead log is folded into it."""
        with self._lock:
            self._connection.close()
            if self._held is not None:
                self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def no_record(path: Path) -> str:
    """What is said of a path at which there is no file."""
    return f"{path}: is a folder, not a record" if path.is_dir() else f"{path}: there is no such record"


def _lost_end(path: Path) -> Path | None:
    """Lays a log aside whose last event is not whole, and says where; None when all of it can be read."""
    try:
        damage = damage_of(path)
        if damage is None:
            return None
        if not damage.last_only:
            raise InvalidRecord(f"{damage.text}; {SALVAGE}")
        aside = next(to for count in itertools.count(1) if not (to := path.with_name(f"{path.name}.lost-{count}")).exists())
        shutil.copyfile(f"{path}-wal", aside)
    except OSError as error:
        raise RecordTrouble(f"cannot be read ({error.strerror})", path) from error
    return aside


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    try:
        return connect(path, mode, BUSY_TIMEOUT_MS / 1000)
    except sqlite3.Error as error:
        raise _said_plainly(error, path) from error


def _is_blank(connection: sqlite3.Connection) -> bool:
    return not connection.execute("SELECT 1 FROM sqlite_master").fetchall()


def _load(connection: sqlite3.Connection, path: Path, *, check: bool = True) -> list[Event]:
    if _is_blank(connection):
        return []  # cut off before its first event: a record is begun in it
    names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"meta", "events"} <= names:
        raise InvalidRecord(f"{path}: is not a game record")
    row = connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
    if row is None or row[0] != FORMAT:
        raise InvalidRecord(f"{path}: its format is {quoted(row[0] if row else 'not named')}, this companion reads {FORMAT!r}")
    rows = connection.execute("SELECT number, at, kind, data, digest FROM events ORDER BY number LIMIT ?", (MOST_EVENTS + 1,))
    events = [stored_event(row, path) for row in rows]
    if len(events) > MOST_EVENTS:
        raise InvalidRecord(f"{path}: holds more than {MOST_EVENTS} events, which is the most that is read")
    if check:
        _refuse(check_chain(events), path)
    return events


def stored_event(row: tuple[int, float, str, str, str], path: Path) -> Event:
    """The event in one row of the file. Raises InvalidRecord when it holds none."""
    try:
        return Event.stored(row[0], row[1], row[2], bounded.parsed(row[3]), row[4])
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidRecord(f"{path}: event {row[0]} cannot be read; {SALVAGE}") from error


def _refuse(findings: list[Finding], path: Path) -> None:
    if findings:
        raise InvalidRecord(f"{path}: {findings[0].text}")


_PLAIN: tuple[tuple[str, Callable[[str], InvalidRecord]], ...] = (
    ("disk is full", lambda path: RecordTrouble("the disk is full; free some space and the game goes on", path)),
    ("readonly", lambda path: RecordTrouble("the disk is read-only; nothing can be recorded until it can be written", path)),
    ("locked", lambda path: RecordTrouble("another program holds the record locked; close it and the game goes on", path)),
    ("unable to open", lambda path: RecordTrouble("cannot be opened; does the folder exist, may it be written?", path)),
    ("disk i/o error", lambda path: RecordTrouble("the disk reports an error; check it before playing on", path)),
    ("malformed", lambda path: InvalidRecord(f"{path}: is damaged; {SALVAGE}")),
    ("not a database", lambda path: InvalidRecord(f"{path}: is not a game record")),
    ("never changed", lambda path: InvalidRecord(f"{path}: events are never changed")),
)


_UNREADABLE = (sqlite3.Error, UnicodeDecodeError)  # the second comes from a damaged text, or an error message quoting one


def _said_plainly(error: sqlite3.Error | UnicodeDecodeError, path: Path) -> InvalidRecord:
    said = "malformed" if isinstance(error, UnicodeDecodeError) else str(error).lower()
    for words, make in _PLAIN:
        if words in said:
            return make(str(path))
    return InvalidRecord(f"{path}: {' '.join(str(error).split())}")

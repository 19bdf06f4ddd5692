"""The store in one SQLite file: nothing to install. Durable when a transaction ends (WAL, ``synchronous=FULL``)."""

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.errors import BadInput
from companion.hub.store.engine import Cursor, Duplicate, Row
from companion.hub.store.port import StoreTrouble

BUSY_TIMEOUT_S = 1.0
"""How long a transaction waits for another program's lock, 0.5 to 10 s: a backup holds none for so long."""
_WORDS = MappingProxyType(
    {
        "real": "REAL",
        "big": "INTEGER",
        "never_changed": """
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END""",
    }
)
_SAID = (
    ("disk is full", "the disk is full; free some space and the tables' events go on"),
    ("readonly", "it is read-only; nothing of the tables can be kept until it can be written"),
    ("read-only", "it is read-only; nothing of the tables can be kept until it can be written"),
    ("locked", "another program holds it locked; close that and the tables' events go on"),
    ("unable to open", "it cannot be opened; does the folder exist, may it be written?"),
    ("disk i/o error", "the disk reports an error; check it before playing on"),
)


class _SqliteCursor:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """See :class:`Cursor`. A statement without values may be several."""
        if not values and ";" in statement:
            for one in _statements(statement):
                self._connection.execute(one)
            return []
        return self._connection.execute(statement, tuple(values)).fetchall()

    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """See :class:`Cursor`."""
        self._connection.executemany(statement, rows)


class SqliteEngine:
    """See :class:`~companion.hub.store.engine.Engine`."""

    words = _WORDS

    def __init__(self, path: Path) -> None:
        """Raises BadInput when the file is something else, StoreTrouble when it cannot be opened."""
        self.name = str(path)
        self._path = path
        self._writer: sqlite3.Connection | None = None
        self._reader: sqlite3.Connection | None = None
        self._write_lock, self._read_lock = threading.RLock(), threading.RLock()
        self._closed = False

    @contextmanager
    def writing(self) -> Iterator[Cursor]:
        """See :class:`Engine`."""
        with self._write_lock, self._plainly():
            connection = self._writer = self._writer or self._open()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield _SqliteCursor(connection)
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[Cursor]:
        """See :class:`Engine`."""
        with self._read_lock, self._plainly():
            connection = self._reader = self._reader or self._open()
            connection.execute("BEGIN")
            try:
                yield _SqliteCursor(connection)
            finally:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")

    def has_table(self, cursor: Cursor, name: str) -> bool:
        """See :class:`Engine`."""
        return bool(cursor.run("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)))

    def close(self) -> None:
        """See :class:`Engine`."""
        self._closed = True
        with self._read_lock, self._write_lock:
            for connection in (self._reader, self._writer):
                if connection is not None:
                    connection.close()
            self._reader = self._writer = None

    def _open(self) -> sqlite3.Connection:
        if self._closed:  # whoever comes late must not leave a connection behind
            raise StoreTrouble("the hall's database refuses: the hub ends", self.name)
        connection = sqlite3.connect(self._path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
        try:
            with suppress(sqlite3.OperationalError):  # a database that is read-only is read all the same
                connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError as error:
            if "UNIQUE" in str(error):
                raise Duplicate(str(error)) from error
            raise BadInput(f"{self.name}: {error}") from error
        except OverflowError as error:  # a whole number beyond 64 bits
            raise BadInput(f"{self.name}: {error}") from error
        except sqlite3.Error as error:
            said = next((plain for words, plain in _SAID if words in str(error).lower()), None)
            if said is not None:
                raise StoreTrouble(f"the hall's database refuses: {said}", self.name) from error
            raise BadInput(f"{self.name}: is no database of a hall ({' '.join(str(error).split())})") from error


def _statements(text: str) -> Iterator[str]:
    """Several statements, one by one; a trigger has semicolons of its own."""
    part = ""
    for piece in text.split(";"):
        part += f"{piece};"
        if sqlite3.complete_statement(part):
            if part.strip("; \n"):
                yield part
            part = ""
    if part.strip("; \n"):
        yield part

"""The store in PostgreSQL, for a hall. A connection that is lost (the server was restarted) is opened again at the next use."""

import select
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from companion.errors import BadInput
from companion.hub.store.engine import Cursor, Duplicate, Row
from companion.hub.store.port import StoreTrouble

if TYPE_CHECKING:
    import psycopg

INSTALL = "PostgreSQL needs one more package; run: pip install 'table-witness[hall]'"
CONNECT_S, LOCK_S, DEAD_S = 5, 5, 15
"""Seconds (1 to 30) to wait for a connection, for another session's lock, and for a server whose machine is gone without a word
(a failover): its network acknowledges nothing then, and the system alone would try for a quarter of an hour."""
_WORDS = MappingProxyType(
    {
        "real": "DOUBLE PRECISION",
        "big": "BIGINT",
        "never_changed": """
CREATE FUNCTION events_are_kept() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'events are never changed or deleted'; END $$;
CREATE TRIGGER events_are_never_changed BEFORE UPDATE OR DELETE ON events
  FOR EACH ROW EXECUTE FUNCTION events_are_kept()""",
    }
)
_SAID = {
    "53100": "the server's disk is full; free some space and the tables' events go on",
    "25006": "it is read-only; nothing of the tables can be kept until it can be written",
    "42501": "this user may not write there; grant it and the tables' events go on",
    "53300": "it has too many connections; close some and the tables' events go on",
    "55P03": "another program holds it locked; end that and the tables' events go on",
}


class _PostgresCursor:
    def __init__(self, cursor: "psycopg.Cursor[Any]") -> None:
        self._cursor = cursor

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """See :class:`Cursor`."""
        self._cursor.execute(statement.replace("?", "%s").encode() if values else statement.encode(), tuple(values) or None)
        return self._cursor.fetchall() if self._cursor.description is not None else []

    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """See :class:`Cursor`."""
        self._cursor.executemany(statement.replace("?", "%s").encode(), rows)


class PostgresEngine:
    """See :class:`~companion.hub.store.engine.Engine`."""

    words = _WORDS

    def __init__(self, url: str) -> None:
        """Raises BadInput when the package is missing, and for what is no address."""
        try:
            import psycopg  # noqa: PLC0415 - loaded only where it is used
        except ImportError as error:
            raise BadInput(INSTALL) from error
        self._psycopg, self._url = psycopg, url
        try:
            parts = urlsplit(url)
        except ValueError as error:  # its words would quote the address
            raise BadInput("--database postgresql://…: this is no address, its host cannot be") from error
        self.name = f"postgresql://{parts.hostname or ''}{parts.path}"  # never the password
        self._connections: dict[bool, psycopg.Connection[Any]] = {}
        self._locks = {True: threading.RLock(), False: threading.RLock()}
        self._closed = False

    @contextmanager
    def writing(self) -> Iterator[Cursor]:
        """See :class:`Engine`."""
        with self._transaction(True) as cursor:
            yield cursor

    @contextmanager
    def reading(self) -> Iterator[Cursor]:
        """See :class:`Engine`."""
        with self._transaction(False) as cursor:
            yield cursor

    def has_table(self, cursor: Cursor, name: str) -> bool:
        """See :class:`Engine`."""
        return cursor.run("SELECT to_regclass(?) IS NOT NULL", (f"{name}",))[0][0] is True

    def close(self) -> None:
        """See :class:`Engine`."""
        self._closed = True
        for write, lock in self._locks.items():
            with lock:
                self._drop(write)

    @contextmanager
    def _transaction(self, write: bool) -> Iterator[Cursor]:
        with self._locks[write], self._plainly(write):
            connection = self._connection(write)
            with connection.transaction(), connection.cursor() as cursor:
                yield _PostgresCursor(cursor)

    def _connection(self, write: bool) -> "psycopg.Connection[Any]":
        if self._closed:  # whoever comes late must not leave a connection behind
            raise StoreTrouble("the hall's database refuses: the hub ends", self.name)
        held = self._connections.get(write)
        if held is not None and not held.closed and _was_ended(held.fileno()):
            self._drop(write)
            held = None
        if held is None or held.closed:
            held = self._psycopg.connect(
                self._url, autocommit=True, connect_timeout=CONNECT_S, application_name="table-witness-hub",
                keepalives_idle=DEAD_S // 3, keepalives_interval=DEAD_S // 3, keepalives_count=2,
                tcp_user_timeout=1000 * DEAD_S,
            )  # fmt: skip
            self._connections[write] = held
            held.execute(f"SET lock_timeout = '{LOCK_S}s'".encode())
        return held

    def _drop(self, write: bool) -> None:
        held = self._connections.pop(write, None)
        if held is not None:
            with suppress(self._psycopg.Error):
                held.close()

    @contextmanager
    def _plainly(self, write: bool) -> Iterator[None]:
        try:
            yield
        except self._psycopg.errors.UniqueViolation as error:
            raise Duplicate(str(error)) from error
        except self._psycopg.Error as error:
            held = self._connections.get(write)
            if held is None or held.closed or held.broken:
                self._drop(write)
            said = _SAID.get(error.sqlstate or "")
            if said is None and isinstance(error, self._psycopg.OperationalError | self._psycopg.InterfaceError):
                said = _unreachable(str(error)) if error.sqlstate is None else f"it breaks off ({error.diag.message_primary})"
            if said is not None:
                raise StoreTrouble(f"the hall's database refuses: {said}", self.name) from error
            raise BadInput(f"{self.name}: {' '.join(str(error).split())}") from error


def _unreachable(error: str) -> str:
    """Why there is no connection: while connecting the server's words come without a code."""
    _, fatal, why = error.partition("FATAL:")
    return f"it lets nobody in ({' '.join(why.split())})" if fatal else "it cannot be reached; is the server running?"


def _was_ended(socket: int) -> bool:
    """Whether the server has said goodbye: on a connection that waits for nothing, anything to be read is that."""
    return bool(select.select([socket], [], [], 0)[0])

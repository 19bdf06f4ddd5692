"""Where the hub keeps what tables sent: one port, kept in SQLite on this machine or in PostgreSQL."""

from pathlib import Path

from companion.errors import BadInput
from companion.hub.store.port import Store
from companion.hub.store.sql import SqlStore


def open_store(database: str) -> Store:
    """The store at a path, or at ``postgresql://…``; made, or brought to this companion's schema, when it has to be. Raises
    BadInput for what is no store of ours, StorageTrouble when it cannot be reached or written."""
    scheme = database.partition("://")[0].lower() if "://" in database else ""
    if scheme in ("postgresql", "postgres"):
        from companion.hub.store.postgres import PostgresEngine  # noqa: PLC0415 - needs the extra 'hall'

        return SqlStore(PostgresEngine(database))
    if "://" in database:
        raise BadInput(f"--database {scheme}://…: a file, or postgresql://… is allowed")
    from companion.hub.store.sqlite import SqliteEngine  # noqa: PLC0415

    if Path(database).is_dir():
        raise BadInput(f"{database}: is a folder; name a file in it")
    return SqlStore(SqliteEngine(Path(database)))

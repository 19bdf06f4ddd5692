"""What the store's statements need of a database. Statements are written with ``?``."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Row = Sequence[Any]


class Cursor(Protocol):
    """One transaction."""

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run one statement; its rows, if it has any."""

    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row."""


class Duplicate(Exception):
    """A row with this key is there already."""


class Engine(Protocol):
    """A database behind one connection to write and one to read, each opened again when it was lost."""

    name: str
    """What it is called in sentences."""

    @property
    def words(self) -> Mapping[str, str]:
        """What the schema's braces stand for."""

    def writing(self) -> AbstractContextManager[Cursor]:
        """A transaction that is committed, durably, at the end. Raises StoreTrouble, and Duplicate."""

    def reading(self) -> AbstractContextManager[Cursor]:
        """A transaction that only reads. Raises StoreTrouble."""

    def has_table(self, cursor: Cursor, name: str) -> bool:
        """Whether there is such a table."""

    def close(self) -> None:
        """Close both connections; whoever comes later gets StoreTrouble."""

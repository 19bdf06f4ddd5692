"""The store's port, and what goes in and out of it. Both implementations are held to the same tests."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.errors import CompanionError, StorageTrouble
from companion.hub.model import HallMatch, Ruling, Trouble
from companion.record.events import Event

MOST_REFUSED = 1000
"""Events of one table that were refused and are kept all the same, 100 to 100,000; beyond it only the sentence is kept."""


class StoreTrouble(StorageTrouble):
    """The database refuses just now (full, read-only, gone); nothing was written, it may be tried again."""


class WrittenMeanwhile(CompanionError):
    """Another hub wrote the same events: what is known of the heads has to be read again. Nothing was written."""

    def __init__(self) -> None:
        super().__init__("another hub writes to this database; only one may, so end one of them")


class RuledAlready(CompanionError):
    """Somebody ruled on this event before."""

    def __init__(self, before: Ruling) -> None:
        self.before = before
        super().__init__(f"{before.arbiter} has ruled on event {before.about} already")


@dataclass(frozen=True, slots=True)
class Enrolled:
    """A table that may write. ``digest``: SHA-256 of its credential, hex; empty when it was taken back."""

    table: str
    name: str
    digest: str
    added: float


@dataclass(frozen=True, slots=True)
class Accepted:
    """Events that follow one match's head without a gap, and the match as it is after them."""

    match: HallMatch
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """An event that did not fit: kept as it came, with the sentence that says why."""

    table: str
    match: str
    number: int
    digest: str
    body: str
    why: str
    at: float


@dataclass(frozen=True, slots=True)
class KeptState:
    """A table's last word of itself: the JSON text of its state, and when the hub heard it (Unix seconds)."""

    table: str
    body: str
    heard: float


class Store(Protocol):
    """Every method may be called from any thread, and raises StoreTrouble when the database refuses."""

    def tables(self) -> tuple[Enrolled, ...]:
        """All enrolled tables, by id."""

    def enrol(self, one: Enrolled) -> None:
        """Add a table, or give it another name and credential."""

    def matches(self) -> tuple[HallMatch, ...]:
        """Every match, the newest first."""

    def events(self, table: str, match: str, after: int, most: int) -> tuple[Event, ...]:
        """Events numbered above ``after``, at most ``most``, oldest first."""

    def write(self, accepted: Sequence[Accepted], refused: Sequence[Refused], troubles: dict[str, tuple[Trouble, ...]]) -> None:
        """All of it or nothing: new events with their matches, refused ones, and of the tables named all their troubles. On
        the disk when this returns. Raises WrittenMeanwhile."""

    def troubles(self) -> dict[str, tuple[Trouble, ...]]:
        """By table what is wrong with it."""

    def refused(self, table: str) -> tuple[Refused, ...]:
        """What was refused of a table, oldest first."""

    def keep_states(self, states: Sequence[KeptState]) -> None:
        """Replace what these tables last said of themselves."""

    def states(self) -> tuple[KeptState, ...]:
        """What every table last said of itself."""

    def add_ruling(self, ruling: Ruling) -> None:
        """Keep a new ruling. Raises RuledAlready when one about the same event stands (sent or taken)."""

    def settle_ruling(self, ruling: str, table: str, state: str, reason: str) -> Ruling | None:
        """Say what became of a ruling that was sent to this table; the first word counts. None when there is none."""

    def rulings(self, table: str, *, open_only: bool = False) -> tuple[Ruling, ...]:
        """Those sent to a table, the newest first; with ``open_only`` only those that were not answered, oldest first."""

    def counts(self) -> dict[str, int]:
        """How many tables, matches, events and rulings there are."""

    def dump(self) -> dict[str, list[list[Any]]]:
        """Every row of every table, of one moment."""

    def load(self, rows: dict[str, list[list[Any]]]) -> None:
        """Fill an empty store with what :meth:`dump` gave. Raises BadInput when it is not empty."""

    def close(self) -> None:
        """Let go of the database."""

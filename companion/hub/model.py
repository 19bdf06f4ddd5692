"""What the hub knows of its tables, as values; and the port by which its pages ask for it. Pure.

Every value is frozen and JSON both ways. What comes from a table or a store is bounded when it is read (``from_json`` raises
BadInput), so no page has to check it again.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.errors import BadInput, quoted
from companion.hub import fields

Json = Mapping[str, Any]
TABLE_ID = re.compile(r"[a-z0-9-]{1,32}")
MATCH_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")
NAME_LENGTH, ID_LENGTH, SENTENCE_LENGTH = 80, 64, 1000
MOST_TROUBLES = 16
"""Troubles kept of one table, the newest of each kind (5 to 50): a page shows one or two."""
SEAL = "record_seal"
"""The key under which a snapshot holds the seal of a game that is over, where its table signed it."""
PICTURE_FOR = "picture_for"
"""The key under which a snapshot says who in the hall may see the table's picture; absent where nobody may."""
FOR_ARBITERS, FOR_SPECTATORS = "arbiters", "spectators"
AUDIENCES = (FOR_ARBITERS, FOR_SPECTATORS)
"""Whom a table lets see its picture: arbiters alone, or spectators as well."""
RULING_STATES = ("sent", "taken", "refused")


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that is wrong with a table, as a sentence to be translated: ``text`` holds ``params`` in braces."""

    code: str
    """Kind: ``gap``, ``conflict``, ``forged``, ``version``, ``clock``, ``foreign``, ``unreadable``, ``store``, ``broker``."""
    text: str
    params: Json = field(default_factory=dict)
    since: float = 0.0
    """Unix seconds, by the hub's clock."""

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.text.format_map(self.params)

    def to_json(self) -> dict[str, Any]:
        return {"code": self.code, "text": self.text, "params": dict(self.params), "message": self.message, "since": self.since}

    @classmethod
    def from_json(cls, data: Any) -> "Trouble":
        """Raises BadInput."""
        told = fields.obj(data, "trouble")
        params = fields.inner(told, "params", {})
        made = cls(
            fields.text(told, "code", ID_LENGTH),
            fields.text(told, "text", SENTENCE_LENGTH),
            {str(name)[:ID_LENGTH]: str(value)[:SENTENCE_LENGTH] for name, value in params.items()},
            fields.number(told, "since", 0.0),
        )
        try:
            _ = made.message
        except (LookupError, ValueError, AttributeError) as error:
            raise BadInput(f"trouble: its sentence {quoted(made.text)} does not fit its words") from error
        return made


@dataclass(frozen=True, slots=True)
class HallTable:
    """One table of the hall as the hub knows it now."""

    table: str
    """Its id in the hall: 1 to 32 of ``a-z``, ``0-9`` and ``-``."""
    name: str
    """What people call it."""
    match: str = ""
    """The match of its record; empty before one is on."""
    game: str = ""
    number: int = 0
    """The last event of this match that the hub has committed."""
    online: bool = False
    heard: float = 0.0
    """Unix seconds, by the hub's clock, of the last word from it; 0 before the first."""
    version: str = ""
    """Of the companion at the table."""
    snapshot: Json = field(default_factory=dict)
    """As ``GET /api/snapshot`` gives it to a spectator; empty before the first."""
    troubles: tuple[Trouble, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "table": self.table, "name": self.name, "match": self.match, "game": self.game, "number": self.number,
            "online": self.online, "heard": self.heard, "version": self.version, "snapshot": dict(self.snapshot),
            "troubles": [trouble.to_json() for trouble in self.troubles],
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Any) -> "HallTable":
        """Raises BadInput."""
        told = fields.obj(data, "table")
        return cls(
            table_id(told.get("table")),
            fields.text(told, "name", NAME_LENGTH),
            match_id(told.get("match", ""), empty=True),
            fields.text(told, "game", ID_LENGTH, ""),
            fields.whole(told, "number", default=0),
            fields.flag(told, "online", False),
            fields.number(told, "heard", 0.0),
            fields.text(told, "version", ID_LENGTH, ""),
            fields.inner(told, "snapshot", {}),
            fields.rows(told, "troubles", Trouble.from_json, MOST_TROUBLES),
        )


@dataclass(frozen=True, slots=True)
class HallMatch:
    """One game, running or over, of which the hub has events."""

    table: str
    match: str
    game: str
    label: str
    """The board's name for people, as the game opened with it."""
    began: float
    """Unix seconds by the table's clock: the date of its first event, and of its last."""
    last: float
    number: int
    """Events committed."""
    head: str
    """Digest of the last one."""
    outcome: Json | None = None
    """The data of its event of kind ``outcome``; None while it is on."""
    whole: bool = True
    """False once an event was refused because the chain did not fit: then a trouble of the table says which."""

    def to_json(self) -> dict[str, Any]:
        return {
            "table": self.table, "match": self.match, "game": self.game, "label": self.label, "began": self.began,
            "last": self.last, "number": self.number, "head": self.head, "whole": self.whole,
            "outcome": None if self.outcome is None else dict(self.outcome),
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Any) -> "HallMatch":
        """Raises BadInput."""
        told = fields.obj(data, "match")
        return cls(
            table_id(told.get("table")),
            match_id(told.get("match")),
            fields.text(told, "game", ID_LENGTH),
            fields.text(told, "label", NAME_LENGTH, ""),
            fields.number(told, "began"),
            fields.number(told, "last"),
            fields.whole(told, "number"),
            fields.text(told, "head", ID_LENGTH),
            None if told.get("outcome") is None else fields.inner(told, "outcome"),
            fields.flag(told, "whole", True),
        )


@dataclass(frozen=True, slots=True)
class Ruling:
    """What an arbiter decided for one table, and what became of it there."""

    ruling: str
    """Its id; the table takes no ruling twice by it."""
    table: str
    match: str
    arbiter: str
    answer: Json
    """As ``POST /api/answers`` takes it."""
    about: int
    """The number of the event (a flag) that it answers; 0 if it answers none. About one event only one ruling is taken."""
    state: str = "sent"
    """``sent``, ``taken`` over, or ``refused`` by the table. One about an event on which another stands is never kept."""
    reason: str = ""
    """The table's words when it was refused."""
    at: float = 0.0
    """Unix seconds, by the hub's clock, when it was given."""

    def to_json(self) -> dict[str, Any]:
        return {
            "ruling": self.ruling, "table": self.table, "match": self.match, "arbiter": self.arbiter,
            "answer": dict(self.answer), "about": self.about, "state": self.state, "reason": self.reason, "at": self.at,
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Any) -> "Ruling":
        """Raises BadInput."""
        told = fields.obj(data, "ruling")
        state = fields.text(told, "state", ID_LENGTH, "sent")
        if state not in RULING_STATES:
            raise BadInput(f"state: {quoted(state)} is not one of {', '.join(RULING_STATES)}")
        return cls(
            fields.text(told, "ruling", ID_LENGTH),
            table_id(told.get("table")),
            match_id(told.get("match", ""), empty=True),
            fields.text(told, "arbiter", NAME_LENGTH),
            fields.inner(told, "answer"),
            fields.whole(told, "about", default=0),
            state,
            fields.text(told, "reason", SENTENCE_LENGTH, ""),
            fields.number(told, "at", 0.0),
        )


def table_id(value: Any) -> str:
    """A table's id. Raises BadInput."""
    if not isinstance(value, str) or not TABLE_ID.fullmatch(value):
        raise BadInput(f"table {_shown(value)}: 1 to 32 small letters, digits and - are allowed")
    return value


def match_id(value: Any, *, empty: bool = False) -> str:
    """A match's id; with ``empty`` also none. Raises BadInput."""
    if (empty and value == "") or (isinstance(value, str) and MATCH_ID.fullmatch(value)):
        return str(value)
    raise BadInput(f"match {_shown(value)}: 1 to 64 letters, digits and _ . - are allowed")


def _shown(value: Any) -> str:
    said = repr(value)
    return said if len(said) <= NAME_LENGTH else f"{said[:NAME_LENGTH]}…"


class Hall(Protocol):
    """What the hub knows, for its pages. Every method may be called from any thread."""

    def tables(self) -> tuple[HallTable, ...]:
        """Every enrolled table, in the order of their names."""

    def wait(self, after: int, timeout: float) -> int:
        """The number of the newest change of anything here, as soon as it is above ``after``, or after ``timeout`` seconds."""

    def events(self, table: str, match: str, after: int, most: int) -> tuple[Json, ...]:
        """Events of one match numbered above ``after``, oldest first, as the record has them."""

    def matches(self) -> tuple[HallMatch, ...]:
        """Every game that the hub has events of, the newest first."""

    def rule(self, table: str, about: int, answer: Json, arbiter: str) -> Ruling:
        """Send a ruling to a table. ``about``: the event it answers, or 0. Raises BadInput for what cannot be sent, and
        CompanionError when an arbiter ruled on that event already; the message names who."""

    def rulings(self, table: str) -> tuple[Ruling, ...]:
        """The rulings sent to a table, the newest first."""

    def picture(self, table: str, *, spectator: bool) -> tuple[bytes, float] | None:
        """The newest picture (JPEG) that a table lets arbiters, or a ``spectator``, see, and how many seconds ago it came; None
        where there is none."""

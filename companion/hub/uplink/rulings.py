"""Rulings of the hall taken over as answers, each exactly once: its id stands in the record, in the events it led to."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from companion.errors import BadInput, CompanionError, StorageTrouble, quoted
from companion.games.game import Game
from companion.hub import wire
from companion.hub.model import Ruling
from companion.record.events import Event
from companion.web.roles import ARBITER, SECRET_ANSWERS, rights_of

BY = "by"
"""The key of an event's data that says by whose word it is: ``arbiter`` and ``ruling``."""


class RuledTable(Protocol):
    """What is asked of the table."""

    @property
    def game(self) -> Game: ...
    def answer(self, answer: Mapping[str, Any], /, by: Mapping[str, Any] | None = None) -> Mapping[str, Any]: ...


class Rulings:
    """Takes rulings over. Not for several threads."""

    def __init__(self) -> None:
        self._refused: dict[str, str] = {}

    def take(self, ruling: Ruling, table: RuledTable, match: str, events: Sequence[Event]) -> wire.Ruled | None:
        """What became of it; None when the disk refuses, so that it has to come again."""
        if any(told_by(event) == ruling.ruling for event in reversed(events)):
            return wire.Ruled(ruling.ruling, "taken")
        if ruling.ruling in self._refused:
            return wire.Ruled(ruling.ruling, "refused", self._refused[ruling.ruling])
        try:
            if ruling.match != match:
                raise BadInput("another game is on at this table now")
            check(table.game, ruling.answer)
            table.answer(dict(ruling.answer), by={"arbiter": ruling.arbiter, "ruling": ruling.ruling})
        except StorageTrouble:
            return None
        except CompanionError as error:
            self._refused[ruling.ruling] = str(error)[:500]
            return wire.Ruled(ruling.ruling, "refused", self._refused[ruling.ruling])
        return wire.Ruled(ruling.ruling, "taken")


def check(game: Game, answer: Mapping[str, Any]) -> None:
    """Whether this is an answer that an arbiter may give. Raises BadInput. Nobody tells a secret from afar."""
    kind = answer.get("kind")
    rights = rights_of(game)
    if not isinstance(kind, str) or kind in SECRET_ANSWERS or not rights.may_answer(frozenset({ARBITER}), kind):
        raise BadInput(f"{str(kind)[:40]!r} is no answer of an arbiter's")
    unknown = sorted(answer.keys() - {"kind"} - rights.fields.get(kind, frozenset()))
    if unknown:
        raise BadInput(f"{unknown[0][:40]!r} is no part of the answer {quoted(kind)}")


def told_by(event: Event) -> str | None:
    """The id of the ruling that led to an event."""
    by = event.data.get(BY)
    found = by.get("ruling") if isinstance(by, Mapping) else None
    return found if isinstance(found, str) else None

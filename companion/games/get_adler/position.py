"""A whole position with its secret from JSON: read, completed, checked."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.bounded import json_kind
from companion.errors import InvalidPosition
from companion.games.get_adler.names import ARREST
from companion.games.get_adler.reading import TableReader
from companion.games.get_adler.secret_reading import SecretReader
from companion.games.get_adler.state import ENDS, Confrontation, Pending, State, Table
from companion.games.get_adler.validation import cards_missing, table_faults


def read_state(data: Any) -> State:
    """A position with its secret, if it has one. Raises InvalidPosition with every fault."""
    table, faults = _read(data)
    if table is None:
        raise InvalidPosition(faults)
    faults += table_faults(table)
    secret, more = SecretReader(table).read(data.get("secret"))
    faults += more
    if faults:
        raise InvalidPosition(faults)
    return State(table, secret)


def read_public(data: Any) -> Table:
    """A public table alone, whether or not it can be: a secret in it is not read. Raises InvalidPosition."""
    table, faults = _read(data)
    if table is None or faults:
        raise InvalidPosition(faults)
    return table


def read_look(before: Table, data: Any) -> Table:
    """A second look at the table ``before``: what it leaves out is as it was, cards may lack or be too many, and a secret in it
    is not read. Raises InvalidPosition."""
    if not isinstance(data, Mapping):
        raise InvalidPosition([f"must be a JSON object, not {json_kind(data)}"])
    table, faults = _read(_laid_over(before.to_json(), data))
    if table is None or faults:
        raise InvalidPosition(faults)
    return table


def _laid_over(before: dict[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """The look over the table before it; a seat or a confrontation that says a part leaves the rest as it was."""
    look = {key: value for key, value in data.items() if key != "secret"}
    seats, fight = look.get("seats"), look.get("confrontation")
    if isinstance(seats, list) and len(seats) == len(before["seats"]) and all(isinstance(seat, Mapping) for seat in seats):
        look["seats"] = [{**was, **seat} for was, seat in zip(before["seats"], seats, strict=True)]
    if isinstance(fight, Mapping) and before["confrontation"] is not None:
        look["confrontation"] = {**before["confrontation"], **fight}
    return {**before, **look}


def _read(data: Any) -> tuple[Table | None, list[str]]:
    if not isinstance(data, Mapping):
        return None, [f"must be a JSON object, not {json_kind(data)}"]
    reader = TableReader(data)
    table = reader.read()
    return (None if table is None else _completed(table)), reader.faults


def _completed(table: Table) -> Table:
    """What follows from the rest and may be left out: whose shot is next, that an accusing card lies apart from the pile, that
    nothing more is awaited once the game is over."""
    if table.over is not None:
        table = replace(table, step="over")
    table = _accusation_pending(table)
    if table.step == "return" and table.role(table.seat) == "adler":
        collins = [seat for seat in table.villains() if table.role(seat) == "collins"]
        table = replace(table, seat=collins[0] if collins else table.seat)
    pending, fight = table.pending, table.confrontation
    if fight is not None and fight.stage in ENDS and table.step == "confrontation":
        table = replace(table, step="refill")
    if pending is not None and table.step in ("verdict", "reveal") and cards_missing(table) == 1 and not pending.apart:
        table = replace(table, pending=replace(pending, apart=True))
    if fight is not None and fight.stage == "shoot":
        table = replace(table, confrontation=_shots_of_row(fight))
    return table


def _accusation_pending(table: Table) -> Table:
    """An accusation that is told as the confrontation which it may become is one that is pending."""
    fight = table.confrontation
    if fight is None or table.revealed or table.step not in ("verdict", "reveal"):
        return table
    pending = table.pending or Pending(ARREST, fight.by, fight.villain)
    return replace(table, confrontation=None, pending=replace(pending, apart=pending.apart or bool(fight.row)))


def _shots_of_row(fight: Confrontation) -> Confrontation:
    """A shoot-out as its row tells it: how many shots of each side lie there, and that the side that did not lay the last one
    is next, where that is not said (after a stop it is)."""
    shooters = fight.shooters
    shots = shooters.count(fight.villain), shooters.count(fight.pursuer)
    if sorted(shots) == sorted(fight.shots):
        fight = replace(fight, shots=shots)
    if fight.to is None:
        last = shooters[-1] if shooters else fight.villain
        fight = replace(fight, to=fight.pursuer if last == fight.villain else fight.villain)
    return fight

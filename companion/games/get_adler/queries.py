"""What the commands ask of this game: ``moves``, ``explain``, ``deduce``. Formats: :mod:`companion.games.get_adler`."""

from collections.abc import Mapping
from typing import Any

from companion.errors import BadInput, InvalidPosition
from companion.games.get_adler.acts import read_act
from companion.games.get_adler.deducing import deduced
from companion.games.get_adler.expecting import expects
from companion.games.get_adler.explaining import explain, explain_act
from companion.games.get_adler.names import GAME
from companion.games.get_adler.position import read_look, read_state
from companion.games.queries import Queries, Reply


def recognises(data: Any) -> bool:
    """Whether a position, or the first of a pair, names this game."""
    if isinstance(data, list) and data:
        data = data[0]
    return isinstance(data, Mapping) and data.get("game") == GAME


def moves(data: Any) -> Reply:
    """Every legal act; without a secret what some hand would allow."""
    acts = expects(read_state(data)).acts
    return Reply({"acts": [act.to_json() for act in acts]}, bool(acts), tuple(act.notation() for act in acts))


def explain_pair(data: Any) -> Reply:
    """``[before, after]``, or ``[before, act]`` where the second names an ``act``."""
    if not isinstance(data, list) or len(data) != 2:
        raise BadInput("must be a JSON array, [before, after] or [before, act]")
    state = _named("before", lambda: read_state(data[0]))
    if isinstance(data[1], Mapping) and "act" in data[1]:
        told = explain_act(state, read_act(data[1], state.table.players))
    else:
        told = explain(state, _named("after", lambda: read_look(state.table, data[1])))
    lines = (told.verdict, *(f"  {act.notation()}" for act in told.acts), *(f"  {fault.message}" for fault in told.faults))
    asked = (f"  to be asked: {', '.join(told.ask)}",) if told.ask else ()
    return Reply(told.to_json(), told.verdict in ("legal", "unchanged"), (*lines, *asked))


def _named(source: str, read: Any) -> Any:
    """Says which of two positions has a fault."""
    try:
        return read()
    except InvalidPosition as error:
        raise InvalidPosition(error.faults, source) from error


def deduce(data: Any) -> Reply:
    """By seat the roles it may still have."""
    found = deduced(read_state(data))
    lines = tuple(f"seat {seat}: {', '.join(roles) or 'nobody fits'}" for seat, roles in enumerate(found["roles"]))
    unjudged = () if found["judged"] else ("answers are not judged: the owner's trait table (secret.traits) is missing",)
    return Reply(found, found["deals"] > 0, (*lines, *unjudged))


QUERIES = Queries(recognises, {"moves": moves, "explain": explain_pair, "deduce": deduce})

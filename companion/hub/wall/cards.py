"""One table as a card on the wall: what can be read from two metres, and whether it needs somebody. Pure.

Sentences are English templates with their words (``text``, ``params``), told in the reader's language on their way out
(:func:`companion.announce.localised.localise`); names of seats are labels of the game's board.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion import boards
from companion.errors import BadInput
from companion.hub.model import HallTable, Json
from companion.hub.sentences.tables import OFFLINE as OFF
from companion.hub.sentences.tables import UNSEEN

# In the order of what an arbiter has to know first.
OFFLINE, FLAG, TROUBLE, DOUBT, TIME_UP, RULE = "offline", "flag", "trouble", "doubt", "time-up", "restoring"
QUESTION, SET_UP, ADJOURNED, PLAY, OVER, EMPTY = "question", "set-up", "adjourned", "play", "over", "empty"
PUBLIC = "public"
STATES = (OFFLINE, FLAG, TROUBLE, DOUBT, TIME_UP, RULE, QUESTION, SET_UP, ADJOURNED, PLAY, OVER, EMPTY)
NEEDS = frozenset({OFFLINE, FLAG, TROUBLE, DOUBT, TIME_UP})


def card(table: HallTable) -> dict[str, Any]:
    """The card of one table, as plain JSON; under :data:`PUBLIC` as spectators are shown it."""
    seen = {**_card(replace(table, troubles=())), "needs": False, "troubles": []}
    if seen["state"] == TROUBLE:
        seen |= {"state": PLAY, "line": {}}
    return {**_card(table), PUBLIC: seen}


def _card(table: HallTable) -> dict[str, Any]:
    shown = table.snapshot
    state = state_of(table)
    clock = shown.get("clock")
    return {
        "table": table.table,
        "name": table.name,
        "match": table.match,
        "number": table.number,
        "online": table.online,
        "heard": table.heard,
        "state": state,
        "needs": state in NEEDS,
        "since": _since(table, state),
        "game": _name_of_game(shown),
        **_round(shown),
        "mover": _seat(shown, shown.get("mover")),
        "plays": _plays(shown),
        "line": _line(table, state),
        "clock": _clock(shown, clock, ahead_of(table)) if isinstance(clock, Mapping) else None,
        "troubles": _troubles(table),
        "simulated": bool(shown.get("simulated")),
    }


def state_of(table: HallTable) -> str:
    """The one word for how a table stands, of :data:`STATES`."""
    shown = table.snapshot
    if not shown:
        return EMPTY if table.online or not table.heard else OFFLINE
    phase, over = shown.get("phase"), shown.get("phase") == "over"
    found = {
        OFFLINE: not table.online and not over,
        FLAG: bool(shown.get("flag")) and not shown.get("adjourned"),
        TROUBLE: bool(_unseen(shown)) or bool(table.troubles),
        DOUBT: bool(shown.get("doubt")),
        TIME_UP: bool(_fallen(shown)) and not over,
        RULE: bool(shown.get("restoring")),
        ADJOURNED: bool(shown.get("adjourned")),
        QUESTION: _question(shown) is not None,
        SET_UP: phase in ("unopened", "set-up"),
        OVER: over,
        PLAY: True,
    }
    order = (OFFLINE, OVER, *STATES[1:]) if over and not table.troubles else STATES
    return next(one for one in order if found.get(one))


def _since(table: HallTable, state: str) -> float | None:
    if state == OFFLINE:
        return table.heard or None
    if state == TROUBLE and table.troubles:
        return min(one.since for one in table.troubles)
    return None


def _line(table: HallTable, state: str) -> Json:
    """What to say about a table in one sentence; empty where its state says it all."""
    shown = table.snapshot
    if state == OFFLINE:
        return {"text": OFF, "params": {}}
    if state == FLAG:
        flag = shown.get("flag") or {}
        told = [*flag.get("faults", ()), *flag.get("chores", ())]
        return _said(told[0]) if told else {}
    if state == TROUBLE:
        found = _troubles(table)
        return found[0] if found else {}
    if state in (QUESTION, OVER):
        return _said(_question(shown) if state == QUESTION else shown.get("outcome"))
    waits = state == SET_UP or (state == PLAY and not shown.get("mover") and _plays(shown) is None)
    return _said(shown["chores"][0]) if waits and shown.get("chores") else {}


def _troubles(table: HallTable) -> list[Json]:
    shown = table.snapshot
    told: list[Json] = [{"text": one.text, "params": dict(one.params), "message": one.message} for one in table.troubles]
    unseen = _unseen(shown)
    if unseen:
        told.append({"text": unseen, "params": {}})
        told += [_said(one) for one in shown.get("troubles", ()) if isinstance(one, Mapping)]
    return [one for one in told if one]


def _unseen(shown: Json) -> str:
    status = shown.get("status")
    state = status.get("state") if isinstance(status, Mapping) else None
    if state is None and any(isinstance(one, Mapping) and one.get("kind") == "sight" for one in shown.get("troubles") or ()):
        state = "out-of-sight"
    return UNSEEN.get(str(state), "")


def _question(shown: Json) -> Json | None:
    return next((one for one in shown.get("expects") or () if isinstance(one, Mapping) and one.get("kind") == "question"), None)


def _said(told: Any) -> Json:
    """The sentence in a fault, a chore, a question or an outcome."""
    if not isinstance(told, Mapping) or not isinstance(told.get("text") or told.get("message"), str):
        return {}
    params = told.get("params")
    text, message = told.get("text"), told.get("message")
    made: dict[str, Any] = {"text": text or message, "params": dict(params) if isinstance(params, Mapping) else {}}
    return made | ({"message": message} if isinstance(message, str) else {})


def _fallen(shown: Json) -> list[str]:
    clock = shown.get("clock")
    fallen = clock.get("fallen") if isinstance(clock, Mapping) else None
    return [str(one) for one in fallen] if isinstance(fallen, list | tuple) else []


def ahead_of(table: HallTable) -> float:
    """Seconds by which the hub's clock is ahead of the table's, in halves: it was heard as it told its own time."""
    told = table.snapshot.get("table_time")
    apart = table.heard - told if isinstance(told, int | float) and table.heard else 0.0
    return round(2 * apart) / 2


def since_here(clock: Json, ahead: float) -> float:
    """Since when a clock runs, by the hub's clock."""
    since = clock.get("since", 0)
    return since + ahead if isinstance(since, int | float) and clock.get("running") else since


def _clock(shown: Json, clock: Json, ahead: float) -> Json | None:
    """The clock as the table has it, with what its seats are called."""
    left = clock.get("left")
    if not isinstance(left, Mapping):
        return None
    return {
        "left": dict(left), "running": clock.get("running"), "since": since_here(clock, ahead), "free": clock.get("free", 0),
        "fallen": _fallen(shown), "names": {role: _seat(shown, role) for role in left},
    }  # fmt: skip


def _round(shown: Json) -> Json:
    """The number of the turn, and how the game calls a turn; None where it has no word of its own."""
    turn = shown.get("turn") if shown.get("phase") not in (None, "unopened", "set-up") else None
    text = _words(shown).get("turn") if turn is not None else None
    return {"turn": turn, "round": None if text is None else {"text": text, "params": {"n": str(turn)}}}


def _plays(shown: Json) -> Json | None:
    """Whose play it is as the game says it; None where it has no words of its own."""
    words, mover = _words(shown), shown.get("mover")
    text = words.get(f"now-{shown.get('phase')}") or (words.get("picks") if mover else None)
    if text is None or ("{seat}" in text and not mover):
        return None
    called = {"seat": words.get(f"seat-{mover}", ""), "role": words.get(f"side-{mover}", "")}
    return {"text": text, "params": {name: word for name, word in called.items() if f"{{{name}}}" in text}}


def _name_of_game(shown: Json) -> str:
    game = shown.get("game")
    return str(game.get("name", "")) if isinstance(game, Mapping) else ""


def _seat(shown: Json, role: Any) -> Json | None:
    """A seat with its name, which stands under ``text``: the label of the board, or the id itself."""
    if not isinstance(role, str) or not role:
        return None
    return {"id": role, "text": _words(shown).get(f"side-{role}") or role.replace("-", " ").capitalize()}


def _words(shown: Json) -> Mapping[str, str]:
    """What the game of a table calls its things."""
    game = shown.get("game")
    return _labels(str(game.get("id", "")), str(game.get("edition", ""))) if isinstance(game, Mapping) else {}


def _labels(game: str, edition: str) -> Mapping[str, str]:
    try:
        return boards.load(game, edition).labels
    except (BadInput, KeyError):
        return {}  # a game that this machine does not have: its seats go by their ids

"""An arbiter's words: let a play stand, take the game back, set a position, adjourn, go on, a penalty, let a secret be
told anew; each with a reason.

After a ruling that changes what the table has to show, nothing that hands do is taken for a play until it shows that.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from companion.errors import BadInput, InvalidPosition, quoted
from companion.games.game import Position
from companion.referee.comparison import TableComparison, surface
from companion.referee.match import Draft, Match

Json = Mapping[str, Any]


def accept(match: Match, answer: Json) -> list[Draft]:
    """Take the table as it is; in play it counts as the flagged character's if one is named. Raises BadInput.

    Another set-up is agreed upon, anything later is ruled, and a ruling needs its reason.
    """
    goal = match.arrangement
    reason = given_reason(answer) if goal is None or not goal.start else ""
    if match.table is None or (goal is None and match.change is None):
        raise BadInput("there is no table to accept now")
    comparison = TableComparison.of(match, match.table)
    if comparison.blind:
        raise BadInput(f"not everything can be seen: {', '.join(comparison.blind)}")
    try:
        found = _as_it_lies(match, comparison)
        position = match.game.position(found.to_json())
    except InvalidPosition as error:
        raise BadInput(f"the table cannot be accepted as it is: {error}") from error
    if goal is not None:
        left = [] if goal.start else [chore["message"].rstrip(".") for chore in comparison.chores(position)]
        if left:
            raise BadInput(f"the table cannot be accepted before this is done: {'; '.join(left)}")
        why = {} if goal.start else {"reason": reason}
        return [Draft(goal.reached, {"position": position.to_json(), "accepted": True, **why})]
    if surface(match.game, position) == surface(match.game, match.position):
        raise BadInput("the table already shows what is on record")
    data: dict[str, Any] = {"action": "set-position", "position": position.to_json(), "reason": reason}
    character = answer.get("character", whose_play(match))
    if match.playing and character is not None:
        position = match.game.allowed(match.state, position, character)
        data |= {
            "action": "allow", "character": character, "mover": match.mover, "turn": position.turn,
            "pick": len(match.picks) + 1, "position": position.to_json(),
        }  # fmt: skip
    return [Draft("ruling", data)]


def _allow(match: Match, answer: Json) -> list[Draft]:
    """Let a play stand, where one is flagged and it is certain whose."""
    if answer.get("character", whose_play(match)) is None:
        raise BadInput("it is not certain whose play this is; take the table as it is, and say whose play it counts as")
    return accept(match, answer)


def _as_it_lies(match: Match, comparison: TableComparison) -> Position:
    """The position that a game goes on from whose table is taken as it lies. Raises BadInput."""
    if match.arrangement is None:
        return match.game.reset(match.state, comparison.after)
    return comparison.after if match.arrangement.start else match.game.arranged(match.state, comparison.after)


def rule(match: Match, answer: Json) -> list[Draft]:
    """One ruling. Raises BadInput."""
    action = answer.get("action")
    take = _RULINGS.get(action) if isinstance(action, str) else None
    if take is None:
        raise BadInput(f"ruling {quoted(action)} is not known; there are: {', '.join(_RULINGS)}")
    given_reason(answer)
    if match.adjourned and action not in ("resume", "penalty"):
        raise BadInput("the game is adjourned; it has to be resumed first" if action != "adjourn" else _ALREADY)
    return take(match, answer)


def given_reason(answer: Json) -> str:
    """The reason of a ruling. Raises BadInput when there is none."""
    reason = answer.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        raise BadInput("a ruling needs a reason")
    return reason


_ALREADY = "the game is adjourned already"


def _adjourn(match: Match, answer: Json) -> list[Draft]:
    return [Draft("ruling", {"action": "adjourn", "reason": answer["reason"]})]


def _resume(match: Match, answer: Json) -> list[Draft]:
    if not match.adjourned:
        raise BadInput("the game is not adjourned")
    return [Draft("ruling", {"action": "resume", "reason": answer["reason"]})]


def _penalty(match: Match, answer: Json) -> list[Draft]:
    against = answer.get("against")
    if against not in match.seats:
        raise BadInput(f"a penalty is against one of {', '.join(sorted(match.seats))}, not {quoted(against)}")
    return [Draft("ruling", {"action": "penalty", "against": against, "reason": answer["reason"]})]


def _take_back(match: Match, answer: Json) -> list[Draft]:
    """Back to what was on record after an earlier event of this game, across plays, calls and turns."""
    to = answer.get("to")
    match.game.may_go_back(match.context)
    goal = next((past for past in match.returns if past.number == to and not isinstance(to, bool)), None)
    if goal is None:
        known = ", ".join(str(past.number) for past in match.returns) or "none yet"
        raise BadInput(f"the game can be taken back to events {known}, not to {quoted(to)}")
    if match.stands_at(goal):
        raise BadInput("that is where the game stands")
    pick, turn = len(goal.picks), goal.position.turn
    data = {"to": goal.number, "turn": turn, "pick": pick, "position": goal.position.to_json(), "reason": answer["reason"]}
    return [Draft("ruling", {"action": "take-back", **data})]


def _set_position(match: Match, answer: Json) -> list[Draft]:
    """Any position, as JSON, as far as it fits what stays on record."""
    if match.change is None and (match.arrangement is None or match.arrangement.start):
        raise BadInput("a position is set while a game is being played")
    told = answer.get("position")
    if not isinstance(told, Mapping):
        raise BadInput("say which position, as JSON")
    position = match.game.position({"game": match.game.id, "edition": match.position.edition, **told}, tolerant=True)
    if position.edition != match.position.edition:
        raise BadInput(f"this game is played on the board {quoted(match.position.edition)}, not {quoted(position.edition)}")
    position = match.game.reset(match.state, position)
    match.game.position(position.to_json())  # raises with every fault
    data = {"action": "set-position", "position": position.to_json(), "restore": True, "reason": answer["reason"]}
    return [Draft("ruling", data)]


def _new_secret(match: Match, answer: Json) -> list[Draft]:
    """A seat is let go from what it entrusted or sealed (a slip, a lost opening), and tells it anew or is asked each time."""
    match.game.may_tell_anew(match.context)
    whose = {} if match.sole is not None else {key: answer.get(key) for key in ("seat", "purpose")}
    if whose and not match.row(str(whose["seat"]), str(whose["purpose"])):
        bound = ", ".join(f"{one.seat} ({one.purpose})" for one in match.told if one.number == 1) or "nobody"
        raise BadInput(f"a seat is let go from a secret that binds it; bound are: {bound}")
    return [Draft("ruling", {"action": "new-secret", **whose, "reason": answer["reason"]})]


def whose_play(match: Match) -> str | None:
    """Whose play lies on the table, by what is wrong with it; None where it names nobody who may be played, or several."""
    trouble = match.flag or match.unfinished
    if trouble is None or not match.playing or match.position is None:
        return None
    named = {fault["character"] for fault in trouble.get("faults", ())} & set(match.game.candidates(match.position))
    return named.pop() if len(named) == 1 else None


_RULINGS: Mapping[str, Callable[[Match, Json], list[Draft]]] = MappingProxyType(
    {
        "adjourn": _adjourn,
        "resume": _resume,
        "penalty": _penalty,
        "allow": _allow,
        "take-back": _take_back,
        "set-position": _set_position,
        "new-secret": _new_secret,
    }
)
RULINGS = tuple(_RULINGS)

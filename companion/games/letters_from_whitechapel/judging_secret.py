"""Which rules an act breaks, by what only one side knows: moves that no street makes, answers and tokens that are not true.

These sentences name secrets: they are for whoever holds the secret, never for the table.
"""

from collections.abc import Callable, Mapping

from companion.games.letters_from_whitechapel import acts, jack
from companion.games.letters_from_whitechapel.acts import Act, Hidden
from companion.games.letters_from_whitechapel.names import COLOURS, FAKE, MARKED, WALK
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.secret import JackSecret, PoliceSecret, hideouts


def of_jack(position: Position, act: Act, hidden: Hidden, secret: JackSecret) -> list[str]:
    """What speaks against the act by Jack's secret."""
    judge = _JUDGES.get(act.kind)
    return judge(position, act, hidden, secret) if judge else []


def _trapped(position: Position, _: Act, __: Hidden, secret: JackSecret) -> list[str]:
    return ["Jack is called trapped, but can move"] if jack.moves(position, secret) else []


def _answer(_: Position, act: Act, __: Hidden, secret: JackSecret) -> list[str]:
    truth = act.circle in secret.row if act.kind == acts.SEARCH else act.circle == secret.place
    return [] if act.yes == truth else [f"the answer to the {act.kind} at {act.circle} is not true"]


def _victims(_: Position, act: Act, __: Hidden, secret: JackSecret) -> list[str]:
    marked = {circle for circle, mark in secret.women.items() if mark == MARKED}
    told = not secret.women or marked == set(act.circles)
    return [] if told else ["the Wretched are not where the marked tokens lay"]


def _murder(_: Position, act: Act, hidden: Hidden, __: JackSecret) -> list[str]:
    told = len(act.circles) < 2 or sorted(hidden.circles) == sorted(act.circles)
    return [] if told else ["the two murders must be told in their true order"]


def _escape(position: Position, act: Act, hidden: Hidden, secret: JackSecret) -> list[str]:
    found = []
    trapped = not jack.moves(position, secret)
    legal = {(move.kind, move.by) for move in jack.moves(position, secret)}
    if trapped:
        found.append("Jack is trapped")
    elif (act.kind, hidden.circles) not in legal:
        found.append(f"no {act.kind} leads from {secret.place} by {', '.join(map(str, hidden.circles)) or 'nothing'}")
    at_home = act.kind == WALK and hidden.circles[-1:] == (secret.hideout,)
    if act.yes and not at_home:
        found.append("Jack says that he is home, but is not")
    if at_home and not act.yes and position.rule("arrival") == "must":
        found.append("Jack walked home and must say so")
    return found


def _women(position: Position, act: Act, hidden: Hidden, secret: JackSecret) -> list[str]:
    found = []
    if set(hidden.women) != set(act.circles):
        found.append("each woman's token is marked or blank")
    marked = list(hidden.women.values()).count(MARKED)
    if marked != position.tonight.marked:
        found.append(f"{marked} tokens are marked, but night {position.night} has {position.tonight.marked}")
    home = secret.hideout or hidden.hideout
    if home not in hideouts(position.streets, position.rule("hideout")):
        found.append(f"the hideout may not be on {home}")
    return found


def of_police(act: Act, hidden: Hidden, secret: PoliceSecret) -> list[str]:
    """What speaks against the act by what the patrol tokens are."""
    if act.kind == acts.LAY_PATROLS:
        return _patrols(act, hidden.patrols)
    if act.kind == acts.TURN_UP and secret.patrols and secret.patrols.get(str(act.crossing)) != act.token:
        return [f"the token on {act.crossing} is not {act.token}"]
    real = {colour: crossing for crossing, colour in secret.patrols.items() if colour != FAKE}
    if act.kind == acts.UNMASK and secret.patrols and real != dict(act.police):
        return ["the policemen do not come where their tokens lay"]
    return []


def _patrols(act: Act, patrols: Mapping[str, str]) -> list[str]:
    tokens = sorted(patrols.values())
    wanted = sorted((*COLOURS, *[FAKE] * (len(act.crossings) - len(COLOURS))))
    if set(patrols) != set(act.crossings) or tokens != wanted:
        return ["each patrol token is one of the five colours or a fake"]
    return []


_JUDGES: Mapping[str, Callable[[Position, Act, Hidden, JackSecret], list[str]]] = {
    **dict.fromkeys(acts.JACKS_MOVES, _escape),
    acts.TRAPPED: _trapped,
    acts.SEARCH: _answer,
    acts.ARREST: _answer,
    acts.LAY_WOMEN: _women,
    acts.VICTIMS: _victims,
    acts.MURDER: _murder,
}

"""The whole game as a fold: a state, who may do what in it, and the state after an act.

The state has a public part, the position, and a secret one of which either half may be unknown. What is known is held to; what
is not known is believed as long as nothing that everybody sees speaks against it.
"""

from dataclasses import dataclass, replace

from companion.errors import IllegalPlay
from companion.games.letters_from_whitechapel import acts, judging, judging_secret, police
from companion.games.letters_from_whitechapel.acts import Act, Hidden
from companion.games.letters_from_whitechapel.folding import fold
from companion.games.letters_from_whitechapel.names import (
    COLOURS,
    ESCAPE,
    FAKE,
    HEAD,
    JACK,
    KILL,
    LAST_TIME,
    OVER,
    PATROL_TOKENS,
    PATROLS,
    POLICE_ACT,
    POLICE_MOVE,
    REVEAL,
    SPACES,
    WALK,
    WOMEN,
    WRETCHED,
)
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.secret import NOTHING_KNOWN, JackSecret, PoliceSecret, Secret


@dataclass(frozen=True, slots=True)
class State:
    """What is so: ``position`` for everybody, ``secret`` for those who hold it."""

    position: Position
    secret: Secret = NOTHING_KNOWN


@dataclass(frozen=True, slots=True)
class Expectation:
    """``who`` (jack, head, or a policeman's colour) may do one of ``acts``."""

    who: str
    acts: tuple[str, ...]


def start(
    *, house_rules: dict[str, str] | None = None, seats: tuple[str, ...] = COLOURS, secret: Secret | None = None
) -> State:
    """The first night before anything is laid. ``house_rules`` holds those that are not the default."""
    rules = tuple(sorted((house_rules or {}).items()))
    return State(Position(1, WOMEN, seats=seats, house_rules=rules), secret or NOTHING_KNOWN)


def expects(position: Position) -> tuple[Expectation, ...]:
    """Who may act now, and how; nobody when the game is over."""
    if position.phase in (POLICE_MOVE, POLICE_ACT):
        return tuple(Expectation(colour, _police_acts(position)) for colour in police.turn(position))
    return () if position.phase == OVER else (_expected(position),)


def _expected(position: Position) -> Expectation:
    """The one who acts in a phase without an order of turns."""
    laid = len(position.patrols) == PATROL_TOKENS
    waits = (acts.WAIT,) if position.time < LAST_TIME else ()
    return {
        WOMEN: Expectation(JACK, (acts.LAY_WOMEN,)),
        PATROLS: Expectation(JACK, (acts.VICTIMS,)) if laid else Expectation(HEAD, _laying(position)),
        KILL: Expectation(JACK, (acts.MURDER, *waits)),
        WRETCHED: Expectation(HEAD, (acts.SCATTER,)),
        REVEAL: Expectation(HEAD, (acts.UNMASK,)) if position.murder_done else Expectation(JACK, (acts.TURN_UP,)),
        ESCAPE: Expectation(JACK, (*_kinds(position), acts.TRAPPED)),
    }[position.phase]


def _laying(position: Position) -> tuple[str, ...]:
    drawing = () if position.patrols else (acts.DRAW_HEAD,)
    return (*drawing, acts.LAY_PATROLS) if position.head else drawing


def _kinds(position: Position) -> tuple[str, ...]:
    return (WALK, *(kind for kind, count in position.tokens.items() if count > 0 and SPACES[kind] <= position.left))


def _police_acts(position: Position) -> tuple[str, ...]:
    if position.phase == POLICE_MOVE:
        return (acts.MOVE,)
    return (acts.SEARCH, acts.STOP) if position.missed else (acts.SEARCH, acts.ARREST, acts.STOP)


def apply(state: State, act: Act, hidden: Hidden | None = None) -> State:
    """The state after an act. Raises IllegalPlay with every broken rule."""
    position, secret, hides = state.position, state.secret, hidden or Hidden()
    broken = [fault.message for fault in judging.faults(position, act)]
    if not broken and secret.jack is not None:
        broken += judging_secret.of_jack(position, act, hides, secret.jack)
    if not broken and secret.police is not None:
        broken += judging_secret.of_police(act, hides, secret.police)
    if broken:
        raise IllegalPlay("; ".join(broken))
    after = fold(position, act)
    jack = None if secret.jack is None else _jack_after(position, after, act, hides, secret.jack)
    tokens = None if secret.police is None else _patrols_after(act, hides, secret.police)
    return State(after, Secret(jack, tokens))


def _jack_after(before: Position, after: Position, act: Act, hidden: Hidden, secret: JackSecret) -> JackSecret:
    if act.kind == acts.LAY_WOMEN:
        return replace(secret, women=dict(hidden.women), hideout=secret.hideout or hidden.hideout)
    if act.kind == acts.VICTIMS:
        return replace(secret, women={})
    if act.kind == acts.MURDER:
        return replace(secret, row=hidden.circles or act.circles)
    if act.kind in acts.JACKS_MOVES:
        return replace(secret, row=() if after.night > before.night else (*secret.row, *hidden.circles))
    return secret


def _patrols_after(act: Act, hidden: Hidden, secret: PoliceSecret) -> PoliceSecret:
    if act.kind == acts.LAY_PATROLS:
        return PoliceSecret(dict(hidden.patrols))
    if act.kind == acts.UNMASK:
        return PoliceSecret()
    if act.kind == acts.TURN_UP and act.token == FAKE:
        return PoliceSecret({spot: token for spot, token in secret.patrols.items() if spot != act.crossing})
    return secret


__all__ = ["Expectation", "State", "apply", "expects", "start"]

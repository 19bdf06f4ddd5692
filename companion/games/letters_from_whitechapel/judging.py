"""Which rules an act breaks, by what everybody sees: each a fault with a code and a sentence."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.games.game import Fault
from companion.games.letters_from_whitechapel import acts, jack, police, wretched
from companion.games.letters_from_whitechapel.acts import Act
from companion.games.letters_from_whitechapel.names import (
    ALLEY,
    COACH,
    COLOURS,
    DOWN,
    ESCAPE,
    FAKE,
    FAKE_TOKENS,
    KILL,
    LAST_TIME,
    PATROL_TOKENS,
    PATROLS,
    POLICE_ACT,
    POLICE_MOVE,
    REVEAL,
    SPACES,
    STRIDE,
    WALK,
    WOMEN,
    WRETCHED,
)
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.validation_rules import patrol_spots

Faults = list[Fault]

PHASES: Mapping[str, str] = {
    acts.LAY_WOMEN: WOMEN,
    acts.DRAW_HEAD: PATROLS,
    acts.LAY_PATROLS: PATROLS,
    acts.VICTIMS: PATROLS,
    acts.MURDER: KILL,
    acts.WAIT: KILL,
    acts.SCATTER: WRETCHED,
    acts.TURN_UP: REVEAL,
    acts.UNMASK: REVEAL,
    **dict.fromkeys((*acts.JACKS_MOVES, acts.TRAPPED), ESCAPE),
    acts.MOVE: POLICE_MOVE,
    **dict.fromkeys((acts.SEARCH, acts.STOP, acts.FINISH, acts.ARREST), POLICE_ACT),
}
"""When each act has its place."""


def faults(position: Position, act: Act) -> tuple[Fault, ...]:
    """Every rule the act breaks; empty when nothing that everybody sees speaks against it."""
    if position.phase != PHASES[act.kind]:
        return (_fault("out-of-step", act, "{act}, but now it is the step {phase}", act=act.text, phase=position.phase),)
    found = _JUDGES.get(act.kind, _nothing)(position, act)
    return tuple(([] if act.kind in _ORDERLESS else _order(position, act)) + found)


def _fault(
    code: str, act: Act, text: str, cells: Iterable[object] = (), allowed: Iterable[object] = (), /, **params: Any
) -> Fault:
    return Fault(code, act.by, text, params, tuple(map(str, cells)), tuple(map(str, allowed)))


def _told(values: Iterable[object]) -> str:
    return ", ".join(map(str, values)) or "none"


def _nothing(_: Position, __: Act) -> Faults:
    return []


# --- before the hunt --------------------------------------------------------------------------------------------------


def _lay_women(position: Position, act: Act) -> Faults:
    wanted, circles = position.tonight.women, act.circles
    found = []
    if len(circles) > wanted:
        text = "{count} women's tokens are laid; night {night} has {wanted}"
        found.append(_fault("number-of-women", act, text, count=len(circles), night=position.night, wanted=wanted))
    for circle, count in Counter(circles).items():
        if count > 1:
            found.append(_fault("two-women", act, "two women's tokens lie on {circle}", [circle], circle=circle))
        if circle not in position.streets.red:
            found.append(_fault("not-red", act, "a woman's token lies on {circle}, which is not red", [circle], circle=circle))
        if circle in position.all_scenes:
            text = "a woman's token lies on {circle}, where a crime scene marker lies"
            found.append(_fault("on-crime-scene", act, text, [circle], circle=circle))
    return found


def _draw_head(position: Position, act: Act) -> Faults:
    text = "a head of the investigation is drawn, but the patrol tokens lie already"
    return [_fault("head-after-patrols", act, text)] if position.patrols else []


def _lay_patrols(position: Position, act: Act) -> Faults:
    kept, others = patrol_spots(position)
    found = []
    if position.head is None:
        found.append(_fault("no-head", act, "the patrol tokens are laid, but no head of the investigation is drawn"))
    laid = set(act.crossings)
    if len(laid) > PATROL_TOKENS:
        text = "{count} patrol tokens are laid; there are {wanted}"
        found.append(_fault("number-of-patrols", act, text, count=len(laid), wanted=PATROL_TOKENS))
    for crossing in sorted(laid - kept - others):
        text = "a patrol token lies on {crossing}, where no policeman ended and which has no yellow border"
        found.append(_fault("patrol-place", act, text, [crossing], sorted(kept | others), crossing=crossing))
    for crossing in sorted(kept - laid) if len(laid) >= PATROL_TOKENS else ():
        text = "no patrol token lies on {crossing}, where a policeman ended the night before"
        found.append(_fault("patrol-missing", act, text, [crossing], crossing=crossing))
    return found


def _victims(position: Position, act: Act) -> Faults:
    wanted = position.tonight.marked
    found = []
    if len(position.patrols) < PATROL_TOKENS:
        found.append(_fault("patrols-first", act, "the women are turned up before the patrol tokens are laid"))
    if len(set(act.circles)) != wanted:
        text = "{count} Wretched come; night {night} has {wanted} marked tokens"
        found.append(_fault("number-of-wretched", act, text, count=len(act.circles), night=position.night, wanted=wanted))
    for circle in act.circles:
        if circle not in position.women:
            text = "a Wretched stands on {circle}, where no token lay"
            found.append(_fault("no-woman-there", act, text, [circle], position.women, circle=circle))
    return found


def _murder(position: Position, act: Act) -> Faults:
    wanted = position.tonight.victims
    found = []
    if len(set(act.circles)) != wanted:
        text = "{count} are killed; night {night} has {wanted}"
        found.append(_fault("number-of-victims", act, text, count=len(act.circles), night=position.night, wanted=wanted))
    for circle in act.circles:
        if circle not in position.wretched:
            text = "a crime scene on {circle}, where no Wretched stood"
            found.append(_fault("no-victim-there", act, text, [circle], position.wretched, circle=circle))
    return found


def _wait(position: Position, act: Act) -> Faults:
    if position.time < LAST_TIME:
        return []
    return [_fault("must-kill", act, "Jack waits, but the time of the crime is V: he must kill")]


def _scatter(position: Position, act: Act) -> Faults:
    """Each move against the places of the others as they are by then. Who stays had no target when it was her turn, which may
    have been before, between or after the moves of the others."""
    if act.circles:
        reached = next(wretched.rows(position, tuple(sorted(act.circles)), complete=act.yes is not False), None)
        return [] if reached is not None else [_fault("must-move", act, "the Wretched cannot move so", act.circles)]
    found: Faults = []
    settled: set[int] = set()
    could = {circle for circle in position.wretched if wretched.targets(position, circle)}
    for origin, to in act.moves:
        if origin not in position.wretched:
            found.append(_fault("no-woman-there", act, "no Wretched stands on {origin}", [origin], origin=origin))
            continue
        if origin in settled:
            found.append(_fault("moved-twice", act, "the Wretched on {origin} moves again", [origin], origin=origin))
        open_to_her = wretched.targets(position, origin)
        if to not in open_to_her:
            found.append(_no_target(position, act, origin, to, open_to_her))
        position = wretched.moved(position, origin, to)
        settled = settled - {origin} | {to}
        could -= {circle for circle in could if not wretched.targets(position, circle)}
    for circle in position.wretched if act.yes is not False else ():
        if circle in could - settled:
            text = "the Wretched on {circle} has not moved, but can"
            found.append(_fault("must-move", act, text, [circle], wretched.targets(position, circle), circle=circle))
    return found


def _no_target(position: Position, act: Act, origin: int, to: int, allowed: tuple[int, ...]) -> Fault:
    """Why a Wretched may not go there."""
    streets, patrols = position.streets, position.occupied
    beside = sorted(patrols.intersection(streets.doors[to]))
    code, why = "woman-too-far", "which is not one circle away"
    if to in position.wretched:
        code, why = "woman-on-woman", "where another stands"
    elif to in position.all_scenes:
        code, why = "woman-on-scene", "where a crime scene marker lies"
    elif beside:
        code, why = "woman-beside-patrol", f"beside the patrol on {_told(beside)}"
    elif to in streets.walks[origin]:
        code, why = "woman-past-patrol", "past a patrol"
    text = "the Wretched on {origin} moves to {to}, {why}; she may go to: {allowed}"
    return _fault(code, act, text, [to], allowed, origin=origin, to=to, why=why, allowed=_told(allowed))


def _turn_up(position: Position, act: Act) -> Faults:
    tokens = dict(position.patrols)
    if position.murder_done:
        return [_fault("all-turned-up", act, "one patrol token is turned up, but after the murder all are")]
    if tokens.get(str(act.crossing)) != DOWN:
        text = "a token is turned up on {crossing}, where none lies face down"
        return [_fault("no-token-there", act, text, [act.crossing], crossing=act.crossing)]
    if act.token in tokens.values():
        return [_fault("token-twice", act, "the token of {token} lies on the board already", [act.crossing], token=act.token)]
    if act.token == FAKE and len(tokens) <= PATROL_TOKENS - FAKE_TOKENS:
        return [_fault("third-fake", act, "a third patrol token left the board as a fake", [act.crossing])]
    return []


def _unmask(position: Position, act: Act) -> Faults:
    tokens, found = dict(position.patrols), []
    if not position.murder_done:
        found.append(_fault("one-turned-up", act, "all patrol tokens are turned up, but after a wait it is one"))
    came = dict(act.police)
    found += [
        Fault("policeman-missing", colour, "{colour} is not on the board", {"colour": colour})
        for colour in COLOURS
        if colour not in came
    ]
    for colour, crossing in act.police:
        shown = next((spot for spot, token in tokens.items() if token == colour), None)
        if crossing not in tokens or (tokens[crossing] not in (DOWN, colour)) or (shown and shown != crossing):
            text = "{colour} comes to {crossing}, where no token of his can have lain"
            allowed = [shown] if shown else [spot for spot, token in tokens.items() if token == DOWN]
            found.append(_fault("not-from-patrol", act, text, [crossing], allowed, colour=colour, crossing=crossing))
    for crossing, count in Counter(crossing for _, crossing in act.police).items():
        if count > 1:
            text = "{count} policemen come to {crossing}, but one token lay there"
            found.append(_fault("occupied", act, text, [crossing], crossing=crossing, count=count))
    return found


# --- the hunt ---------------------------------------------------------------------------------------------------------


def _escape(position: Position, act: Act) -> Faults:
    found = []
    if act.kind != WALK and position.tokens[act.kind] < 1:
        text = "Jack has no {kind} left tonight"
        found.append(_fault("no-token", act, text, kind=act.kind))
    if SPACES[act.kind] > position.left:
        text = "a {kind} takes {spaces} spaces of the track, {left} is left"
        found.append(_fault("track-too-short", act, text, kind=act.kind, spaces=SPACES[act.kind], left=position.left))
    if act.yes and act.kind != WALK:
        found.append(_fault("home-not-on-foot", act, "Jack comes home by {kind}, but only a walk ends there", kind=act.kind))
    starts = _starts(position)
    if act.kind != WALK and _stuck(position):
        text = "Jack goes by {kind} from {place}, where no walk leads anywhere: he is trapped"
        found.append(_fault("trapped", act, text, starts, kind=act.kind, place=_told(starts)))
    elif starts and act.kind != COACH and not any(_ways(position, act.kind, place) for place in starts):
        text = "Jack goes by {kind} from {place}, where no {kind} leads anywhere"
        found.append(_fault("no-way", act, text, starts, kind=act.kind, place=_told(starts)))
    return found


def _starts(position: Position) -> tuple[int, ...]:
    """Where Jack can stand, as long as that is known: before his first move."""
    return () if position.track else position.scenes


def _stuck(position: Position) -> bool:
    """Whether everybody sees that Jack has no walk where that is enough to be trapped."""
    starts = _starts(position)
    return bool(starts) and position.rule("trapped") == "walk" and not any(_ways(position, WALK, place) for place in starts)


def _ways(position: Position, kind: str, place: int) -> tuple[int, ...]:
    """Where a walk or an alley leads from a place, tokens aside."""
    return jack.walks(position, place) if kind == WALK else position.streets.alleys[place]


def _trapped(position: Position, act: Act) -> Faults:
    """A coach leads from everywhere, an alley from everywhere but where a circle has none of its own. Where a walk is what
    counts, whether there is one is seen before Jack's first move."""
    if position.rule("trapped") == "walk":
        starts = _starts(position)
        if not starts or not all(_ways(position, WALK, place) for place in starts):
            return []
        text = "Jack is called trapped, but a walk leads from {place}"
        return [_fault("can-walk", act, text, starts, place=_told(starts))]
    coach = position.tokens[COACH] > 0 and position.left >= SPACES[COACH]
    alley = (
        position.tokens[ALLEY] > 0 and not position.track and any(position.streets.alleys[scene] for scene in position.scenes)
    )
    if not (coach or alley):
        return []
    kind = COACH if coach else ALLEY
    return [_fault("not-trapped", act, "Jack is called trapped, but has a {kind} left", kind=kind)]


def _order(position: Position, act: Act) -> Faults:
    turn = police.turn(position)
    if act.by in turn:
        return []
    if act.by in police.done(position):
        return [_fault("twice", act, "{by} acts, but has had his turn in this step", by=act.by)]
    text = "{by} acts out of order; it is the turn of {turn}"
    return [_fault("out-of-order", act, text, by=act.by, turn=_told(turn))]


def _move(position: Position, act: Act) -> Faults:
    colour, to = str(act.by), str(act.crossing)
    allowed, origin = police.moves(position, colour), dict(position.police)[colour]
    if to in allowed:
        return []
    if to not in position.streets.reach(origin, STRIDE):
        steps = position.streets.distance(origin, to)
        text = "{by} moves {steps} crossings, from {origin} to {to}; it may be {most}"
        return [_fault("too-far", act, text, [to], allowed, by=colour, steps=steps, origin=origin, to=to, most=STRIDE)]
    other = next(other for other, crossing in position.police if crossing == to and other != colour)
    return [_fault("occupied", act, "{by} ends on {to}, where {other} stands", [to], allowed, by=colour, to=to, other=other)]


def _search(position: Position, act: Act) -> Faults:
    colour, circle = str(act.by), act.circle
    allowed = police.searches(position, colour)
    if circle in allowed:
        return []
    code, why = "out-of-reach", f"which is not joined to {dict(position.police)[colour]}"
    if circle in police.near(position, colour):
        code, why = "asked-twice", "which he has asked for already"
        if circle in position.clues:
            code, why = "clue-there", "where a clue lies already"
        elif circle not in police.searchable(position):
            code, why = "scene-not-searched", "a crime scene that is not searched"
    text = "{by} searches {circle}, {why}"
    return [_fault(code, act, text, [circle], allowed, by=colour, circle=circle, why=why)]


def _arrest(position: Position, act: Act) -> Faults:
    colour, found = str(act.by), []
    if position.missed:
        found.append(_fault("search-and-arrest", act, "{by} arrests, but has searched in this step", by=colour))
    if not act.circles:
        near = police.near(position, colour)
        return found if near else [*found, _fault("out-of-reach", act, "{by} arrests, but is near no circle", by=colour)]
    if act.circle not in police.near(position, colour):
        text = "{by} arrests at {circle}, which is not joined to {crossing}"
        crossing = dict(position.police)[colour]
        near = police.near(position, colour)
        found.append(_fault("out-of-reach", act, text, [act.circle], near, by=colour, circle=act.circle, crossing=crossing))
    return found


_JUDGES: Mapping[str, Callable[[Position, Act], Faults]] = {
    acts.DRAW_HEAD: _draw_head,
    acts.LAY_WOMEN: _lay_women,
    acts.LAY_PATROLS: _lay_patrols,
    acts.VICTIMS: _victims,
    acts.MURDER: _murder,
    acts.WAIT: _wait,
    acts.SCATTER: _scatter,
    acts.TURN_UP: _turn_up,
    acts.UNMASK: _unmask,
    **dict.fromkeys(acts.JACKS_MOVES, _escape),
    acts.TRAPPED: _trapped,
    acts.MOVE: _move,
    acts.SEARCH: _search,
    acts.ARREST: _arrest,
}
_ORDERLESS = {kind for kind, phase in PHASES.items() if phase not in (POLICE_MOVE, POLICE_ACT)}

"""Whether an act is legal, and if not, which rules it breaks. An act may leave open what a table does not show."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from companion.games.get_adler import faults
from companion.games.get_adler.acts import Act
from companion.games.get_adler.expecting import expects, holdable, responses, role_of
from companion.games.get_adler.faults import Fault
from companion.games.get_adler.names import (
    ACTIONS,
    ARREST,
    ARRESTS_FROM,
    GUN,
    QUESTION,
    RESPONSES,
    UNKNOWN,
    VEHICLES,
    VILLAINS,
    same_card,
    service_of,
)
from companion.games.get_adler.state import State

PLAYS = ("play", "discard")
TURN = ("draw", "play", "discard", "look", "take", "give", "pass", "return", "keep", "skip", "show")
"""Acts outside confrontations."""
FIGHT = ("respond", "match", "unmatched", "arrested", "shoot", "hold", "refill", "claim")
SPOKEN = ("answer", "verdict")


@dataclass(frozen=True, slots=True)
class Judgement:
    """``act``: what was done, completed by what follows; None when it is illegal. ``ask``: what it leaves open."""

    act: Act | None
    ask: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


def judged(state: State, given: Act) -> Judgement:
    """The judgement on one act."""
    act = in_context(state, given)
    if act.card is not None and service_of(act.card) is not None and not state.table.expert:
        return Judgement(None, (), (faults.not_held(state.table, act.seat, act.card),))
    if state.table.step == "pass" and act.act in PLAYS:  # by playing she keeps her cards
        state = replace(state, table=replace(state.table, step="play", passed=True))
    legal = [each for each in expects(state).acts if _fits(each, act)] if _right_number(state, act) else []
    if legal:
        return Judgement(_completed(act, legal), _open(state, act, legal))
    found = dict.fromkeys(fault for check in CHECKS for fault in check(state, act, seat_of(state, act)))
    return Judgement(None, (), tuple(found) or (faults.not_allowed(state.table, act, seat_of(state, act)),))


def in_context(state: State, act: Act) -> Act:
    """The act by the name it has here: a card without an action is discarded, a card laid in a confrontation responds or
    matches or is a shot, and a question after the reveal is played."""
    table = state.table
    if act.act == "unmatched" or (act.act == "claim" and act.answer == "no"):
        return replace(act, seat=None)
    if table.step == "confrontation" and table.confrontation is not None:
        return _in_confrontation(state, act)
    if act.act == "play" and act.card is not None and act.card not in ACTIONS:
        return replace(act, act="discard")
    if act.act == "discard" and act.card == QUESTION and table.revealed:
        return replace(act, act="play")
    return act


def _in_confrontation(state: State, act: Act) -> Act:
    fight = state.table.fight
    if act.act == "shoot" and fight.stage == "respond":
        return replace(act, act="respond", card=GUN)
    if act.act == "shoot" and act.shots is None:
        return replace(act, card=GUN)
    if act.act == "match" and act.card is None:
        return replace(act, card=fight.vehicle)
    if act.act not in ("play", "respond") or act.card not in RESPONSES:
        return act
    if fight.stage == "shoot" and act.card == GUN:
        return replace(act, act="shoot")
    hero = act.seat is not None and not state.table.villainous(act.seat)
    return replace(act, act="match" if hero and act.card in VEHICLES else "respond")


def _named(act: Act) -> tuple[str, ...]:
    """The cards that an act names."""
    return act.cards or (() if act.card is None else (act.card,))


def _due(state: State, act: Act) -> int | None:
    """How many cards go over face down with such an act; None where it is none of those."""
    pending = state.table.pending
    if act.act == "give" and pending is not None and state.table.step == "give":
        return pending.taken
    return 1 if act.act in ("pass", "return") else None


def _right_number(state: State, act: Act) -> bool:
    """Whether an act that hands over cards face down names as many as are due, or none."""
    return not _named(act) or _due(state, act) in (None, len(_named(act)))


def _fits(legal: Act, act: Act) -> bool:
    """Whether an act, as far as it is said, is this legal one. What the legal one leaves free may be anything."""
    if legal.act != act.act or legal.shots != act.shots:
        return False
    if act.count is None and legal.count == 2:
        return False
    if legal.cards and act.cards and sorted(legal.cards) != sorted(act.cards):
        return False
    card = act.card if act.card is not None or len(act.cards) != 1 else act.cards[0]
    if legal.card is not None and card is not None and not same_card(legal.card, card):
        return False
    names = ("seat", "target", "trait", "colour", "answer", "count")
    pairs = [(getattr(legal, name), getattr(act, name)) for name in names]
    return all(wanted is None or given is None or wanted == given for wanted, given in pairs)


def _completed(act: Act, legal: list[Act]) -> Act:
    """What all legal acts that it may be agree on is known."""
    changes = {}
    for name in ("seat", "card", "target", "trait", "colour", "answer", "count"):
        values = {getattr(each, name) for each in legal}
        if getattr(act, name) is None and len(values) == 1:
            changes[name] = values.pop()
    return replace(act, **changes)


def _open(state: State, act: Act, legal: list[Act]) -> tuple[str, ...]:
    """What has to be asked, since the act does not say it and several acts are legal."""
    found = [
        name
        for name in ("card", "target", "answer")
        if getattr(act, name) is None and len({getattr(each, name) for each in legal}) > 1
    ]
    unread = ["card"] if act.card == UNKNOWN else []
    return (*unread, *found, *unwritten(state, act))


def unwritten(state: State, act: Act) -> list[str]:
    """Of a question, and of an answer to one that nobody wrote down, the words that are not said."""
    pending = state.table.pending
    question = act.act == "play" and act.card == QUESTION and not state.table.revealed
    names = ("trait", "colour")
    if question:
        return [name for name in names if getattr(act, name) is None]
    if act.act == "answer" and pending is not None:
        return [name for name in names if getattr(act, name) is None and getattr(pending, name) is None]
    return []


def seat_of(state: State, act: Act) -> int | None:
    """Whose act it is: the seat it names, else the one whose turn for such an act it is."""
    table = state.table
    if act.seat is not None or act.act == "unmatched":
        return act.seat
    if act.act in SPOKEN:
        return table.pending.target if table.pending else None
    if act.act in FIGHT and table.confrontation is not None:
        return table.confrontation.to if act.act in ("shoot", "hold") else table.confrontation.villain
    return table.seat


# --- the checks ---------------------------------------------------------------------------------------------------

Check = Callable[[State, Act, int | None], Iterator[Fault]]


def _dead(state: State, act: Act, seat: int | None) -> Iterator[Fault]:
    for each in dict.fromkeys((seat, act.target)):
        if each is not None and not state.table.seats[each].alive:
            yield faults.dead_player(state.table, each)


def _spoken(state: State, act: Act, seat: int | None) -> Iterator[Fault]:
    table = state.table
    waiting = table.pending.target if table.pending and table.step in SPOKEN else None
    wrong = act.act != table.step or seat != waiting
    if wrong if act.act in SPOKEN else waiting is not None:
        yield faults.answer_out_of_order(table, seat, waiting)


def _fight(state: State, act: Act, seat: int | None) -> Iterator[Fault]:
    table, fight = state.table, state.table.confrontation
    if fight is None or table.step not in ("confrontation", "refill"):
        if act.act in FIGHT:
            yield faults.no_confrontation(table, seat)
        return
    ordinary = act.act == "respond" and act.card is not None and act.card not in RESPONSES
    if act.act in (*TURN, "reveal") or ordinary:
        yield faults.confrontation_open(table, seat)
    elif act.act == "match" and fight.stage == "match" and act.card != fight.vehicle:
        yield faults.wrong_vehicle(table, seat, act.card)
    elif act.act in FIGHT and not _whose(state, act, seat) and not _gives_up(state, act, seat):
        yield faults.not_his_stage(table, seat, expects(state).seats)


def _gives_up(state: State, act: Act, seat: int | None) -> bool:
    """Whether the villain lets himself be arrested at the right time, though he may hold a response."""
    fight = state.table.fight
    return act.act == "arrested" and state.table.step == "confrontation" and (fight.stage, fight.villain) == ("respond", seat)


def _whose(state: State, act: Act, seat: int | None) -> bool:
    """Whether such an act of that seat has its place here, whatever its card."""
    return any(each.act == act.act and (each.seat is None or each.seat == seat) for each in expects(state).acts)


def _turn(state: State, act: Act, seat: int | None) -> Iterator[Fault]:
    table = state.table
    if act.act not in TURN or act.act == "show" or seat is None or table.step in ("confrontation", "refill", "show", "over"):
        return
    if seat != table.seat and not (act.act == "return" and table.step == "return"):
        if table.seats[seat].skips and table.seats[seat].alive:
            yield faults.skips_this_turn(table, seat)
        yield faults.out_of_turn(table, seat)
    elif table.step == "draw" and table.skipping(seat) and act.act != "skip":
        yield faults.skips_this_turn(table, seat)
    elif table.step == "draw" and act.act in (*PLAYS, "pass", "keep", "look", "take", "give"):
        yield faults.draw_first(table, seat)
    elif act.act in PLAYS and table.step not in ("draw", "play", "pass", "return"):
        yield faults.two_cards(table, seat)
    elif act.act == "draw" and table.step != "draw":
        yield faults.drawn_already(table, seat)


def _arrests(state: State, act: Act, seat: int | None) -> Iterator[Fault]:
    table = state.table
    forbidden = act.act == "discard" and table.rule("early-arrest") == "forbidden"
    if act.card != ARREST or seat is None or not (act.act == "play" or (forbidden and table.hour < ARRESTS_FROM)):
        return
    if table.hour < ARRESTS_FROM:
        yield faults.arrest_before(table, seat)
    villain = table.villainous(seat) if table.revealed else role_of(state, seat) in VILLAINS
    if villain and (table.revealed or table.rule("villain-arrest") == "discard-only"):
        yield faults.arrest_by_villain(table, seat)
    if table.revealed and act.target is not None and table.villainous(act.target) is False:
        yield faults.arrest_on_hero(table, seat, act.target)


def _cards(state: State, act: Act, seat: int | None) -> Iterator[Fault]:
    """Cards that the seat cannot have: not in the hand, where it is known, or all of them lying open."""
    if act.act not in (*PLAYS, "give", "pass", "return", "respond", "match", "shoot") or seat is None:
        return
    held = holdable(state, seat)
    missing = [named for named in dict.fromkeys(_named(act)) if not any(same_card(card, named) for card in held)]
    for named in missing:
        yield faults.not_held(state.table, seat, named)
    if act.act == state.table.step and not _right_number(state, act):
        yield faults.other_number(state.table, seat, len(_named(act)), _due(state, act) or 0)
    if act.card is None or missing:
        return
    if act.act == "respond" and _whose(state, act, seat) and act.card in VEHICLES and act.card not in responses(state, seat):
        yield faults.vehicle_used(state.table, seat, act.card)


def _over(state: State, act: Act, seat: int | None) -> Iterator[Fault]:
    if state.table.step == "over":
        yield faults.game_over(state.table, seat)


def _must_respond(state: State, act: Act, seat: int | None) -> Iterator[Fault]:
    if state.table.confrontation is not None and _gives_up(state, act, seat):
        yield faults.must_respond(state.table, seat)


def _truth(state: State, act: Act, seat: int | None) -> Iterator[Fault]:
    pending = state.table.pending
    if act.act == state.table.step and act.act in SPOKEN and pending is not None and seat == pending.target:
        yield faults.untrue(state.table, seat)


CHECKS: tuple[Check, ...] = (_over, _dead, _spoken, _fight, _turn, _arrests, _cards, _must_respond, _truth)

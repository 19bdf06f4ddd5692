"""What a game expects: the step, whose act it is, and every legal act. Without a secret, all that some hand would allow."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from companion.games.get_adler.acts import ANSWERS, Act
from companion.games.get_adler.confronting import AGAINST, claimants, loot, refilling
from companion.games.get_adler.names import (
    ACTIONS,
    ARREST,
    ARRESTS_FROM,
    BINOCULARS,
    DOCUMENT,
    GUN,
    KINDS,
    QUESTION,
    RESPONSES,
    TRAITS,
    VEHICLES,
    VILLAINS,
    roles_of,
    same_colour,
    service_of,
)
from companion.games.get_adler.state import State
from companion.games.get_adler.validation import documents, unseen


@dataclass(frozen=True, slots=True)
class Expectation:
    """``seats``: who may act now. ``acts``: all legal ones."""

    step: str
    seats: tuple[int, ...]
    acts: tuple[Act, ...]


def expects(state: State) -> Expectation:
    """What comes next in this game."""
    table = state.table
    step = table.confrontation.stage if table.step == "confrontation" and table.confrontation is not None else table.step
    acts = tuple(_STEPS[step](state))
    seats = tuple(sorted({act.seat for act in acts if act.seat is not None}))
    return Expectation(step, seats, acts)


def holdable(state: State, seat: int) -> list[str]:
    """The cards that this seat holds, each once; where its hand is not known, those that it may hold."""
    if state.secret.hands is not None:
        return sorted(set(state.secret.hands[seat]), key=_order)
    if not state.table.seats[seat].hand:
        return []
    left = unseen(state.table)
    return [card for kind in KINDS if left[kind] > 0 for card in (documents(state.table) if kind == DOCUMENT else [kind])]


def _order(card: str) -> tuple[int, str]:
    kind = DOCUMENT if card not in KINDS else card
    return KINDS.index(kind), card


def role_of(state: State, seat: int) -> str | None:
    """The role of a seat as far as it is known here."""
    return state.table.role(seat) if state.secret.roles is None else state.secret.roles[seat]


# --- a turn -------------------------------------------------------------------------------------------------------


def _draw(state: State) -> Iterator[Act]:
    seat = state.table.seat
    yield Act("skip" if state.table.skipping(seat) else "draw", seat)


def _play(state: State) -> Iterator[Act]:
    seat = state.table.seat
    cards = holdable(state, seat)
    for card in cards:
        if card in ACTIONS:
            yield from _actions(state, card)
        if may_discard(state, card):
            yield Act("discard", seat, card)
    if _stuck(state, cards):
        yield Act("keep", seat)
    elif state.table.step == "play" and _may_pass(state):
        yield from _face_down(state, "pass", seat)


def may_discard(state: State, card: str) -> bool:
    """A question played after the reveal is always the extra turn; an early arrest is a point left open."""
    table = state.table
    if card == ARREST and table.hour < ARRESTS_FROM:
        return table.rule("early-arrest") == "discard"
    return not (card == QUESTION and table.revealed)


def _stuck(state: State, cards: list[str]) -> bool:
    """Whether the hand has, or may have, nothing but arrests that must not even be discarded: then it is kept."""
    table = state.table
    if table.hour >= ARRESTS_FROM or table.rule("early-arrest") == "discard":
        return False
    if state.secret.hands is not None:
        return cards == [ARREST]
    return unseen(table)[ARREST] >= table.seats[table.seat].hand


def _actions(state: State, card: str) -> Iterator[Act]:
    table, seat = state.table, state.table.seat
    others = [other for other in table.left_of(seat) if table.seats[other].alive]
    if card == QUESTION and table.revealed:
        yield Act("play", seat, card)
        return
    for other in sorted(others):
        if card == QUESTION:
            yield from _questions(state, seat, other)
        elif card == ARREST:
            if may_arrest(state, seat, other):
                yield Act("play", seat, card, other)
        elif card != BINOCULARS or table.seats[other].hand:
            yield Act("play", seat, card, other)


def _questions(state: State, seat: int, other: int) -> Iterator[Act]:
    """One for each trait and colour of the owner's table; without one the words of the question are free."""
    traits = state.secret.traits
    if traits is None:
        yield Act("play", seat, QUESTION, other)
        return
    for trait in TRAITS:
        for colour in sorted({traits[role][trait] for role in roles_of(state.table.players)}):
            yield Act("play", seat, QUESTION, other, trait, colour)


def may_arrest(state: State, seat: int, other: int) -> bool:
    """Whether an arrest may be laid before that seat."""
    table = state.table
    if table.hour < ARRESTS_FROM:
        return False
    if table.revealed:
        return not table.villainous(seat) and bool(table.villainous(other))
    return table.rule("villain-arrest") == "bluff" or role_of(state, seat) not in VILLAINS


def _answer(state: State) -> Iterator[Act]:
    pending = state.table.pending
    if pending is None or pending.target is None:
        return
    for answer in ANSWERS:
        if answer in truthful(state, pending.target, pending.trait, pending.colour):
            yield Act("answer", pending.target, answer=answer)


def truthful(state: State, seat: int, trait: str | None, colour: str | None) -> tuple[str, ...]:
    """The answers this seat may give: a hero only the true one, as far as roles and traits are known."""
    role, traits = role_of(state, seat), state.secret.traits
    if role is None or role in VILLAINS or traits is None or trait is None or colour is None:
        return ANSWERS
    return ("yes",) if same_colour(traits[role][trait], colour) else ("no",)


def _look(state: State) -> Iterator[Act]:
    yield Act("look", state.table.seat)


def _take(state: State) -> Iterator[Act]:
    table = state.table
    target = table.pending.target if table.pending else None
    most = table.seats[target].hand if target is not None else 0
    yield Act("take", table.seat, count=1)
    if most > 1 and _may_be_gold(state):
        yield Act("take", table.seat, count=2)


def _may_be_gold(state: State) -> bool:
    table, seat = state.table, state.table.seat
    if not table.advanced or (table.rule("abilities-hidden") == "only-after" and not table.revealed):
        return False
    role = role_of(state, seat)
    if role is not None:
        return role == "gold"
    return not any(table.role(other) == "gold" for other in range(table.players))


def _give(state: State) -> Iterator[Act]:
    table = state.table
    taken = table.pending.taken if table.pending else 1
    if taken == 1 or state.secret.hands is None:
        yield from _face_down(state, "give", table.seat)
        return
    for pair in sorted(set(combinations(sorted(state.secret.hands[table.seat], key=_order), taken))):
        yield Act("give", table.seat, cards=pair)


def _face_down(state: State, verb: str, seat: int) -> Iterator[Act]:
    """A card that nobody sees: named only where the hand is known."""
    if state.secret.hands is None:
        yield Act(verb, seat)
        return
    for card in holdable(state, seat):
        yield Act(verb, seat, card)


# --- accusing, Collins, the end -----------------------------------------------------------------------------------


def _verdict(state: State) -> Iterator[Act]:
    table = state.table
    if table.pending is None or table.pending.target is None:
        return
    target = table.pending.target
    if state.secret.roles is not None:
        answers: tuple[str, ...] = ("yes",) if state.secret.roles[target] in VILLAINS else ("no",)
    else:
        known = [seat for seat in range(table.players) if table.villainous(seat) is False]
        if table.rule("villain-arrest") == "discard-only" and table.pending.by not in known:
            known.append(table.pending.by)  # only a hero accuses
        heroes = sum(role not in VILLAINS for role in roles_of(table.players))
        answers = ("no",) if target in known else ("yes",) if len(known) == heroes else ANSWERS
    for answer in answers:
        yield Act("verdict", target, answer=answer)


def _reveal(state: State) -> Iterator[Act]:
    yield Act("reveal")


def _may_pass(state: State) -> bool:
    table = state.table
    both = {table.role(seat) for seat in table.villains()}
    return (
        table.revealed
        and table.role(table.seat) == "collins"
        and both.issuperset(VILLAINS)
        and not table.passed
        and table.seats[table.seat].hand > 0
    )


def _pass(state: State) -> Iterator[Act]:
    yield from _face_down(state, "pass", state.table.seat)
    yield Act("keep", state.table.seat)


def _return(state: State) -> Iterator[Act]:
    adler = next(seat for seat in state.table.villains() if seat != state.table.seat)
    yield from _face_down(state, "return", adler)


def _show(state: State) -> Iterator[Act]:
    table = state.table
    if not table.revealed:
        yield Act("reveal")
        return
    told = table.pending.told if table.pending else ()
    in_order = [seat for seat in (table.start, *table.left_of(table.start)) if seat in table.villains() and seat not in told]
    for seat in in_order[:1]:
        for answer in _shown(state, seat):
            yield Act("show", seat, answer=answer)


def _shown(state: State, seat: int) -> tuple[str, ...]:
    """Whether this villain holds a document that counts; both where nobody knows."""
    wanted = state.table.wanted or state.secret.wanted
    held = [card for card in holdable(state, seat) if card.startswith(DOCUMENT)]
    fits = [card for card in held if not state.table.expert or (wanted is not None and service_of(card) == wanted)]
    if state.secret.hands is not None and fits:
        return ("yes",)
    maybe = [card for card in held if wanted is None or service_of(card) in (None, wanted)]
    return ANSWERS if maybe else ("no",)


# --- confrontation ------------------------------------------------------------------------------------------------


def _respond(state: State) -> Iterator[Act]:
    table = state.table
    villain = table.fight.villain
    helpers = [seat for seat in table.villains() if seat != villain] if table.rule("fellow-helps") == "yes" else []
    own = responses(state, villain)
    for card in own:
        yield Act("respond", villain, card)
    for seat in helpers:
        for card in responses(state, seat):
            if card != GUN:
                yield Act("respond", seat, card)
    if not own or state.secret.hands is None or table.rule("must-respond") == "may":
        yield Act("arrested", villain)


def responses(state: State, seat: int) -> list[str]:
    """The responses this villain can play."""
    fight = state.table.fight
    used = {card for player, card in fight.row if state.table.villainous(player)} if _once(state) else set()
    return [card for card in holdable(state, seat) if card in RESPONSES and not (card in VEHICLES and card in used)]


def _once(state: State) -> bool:
    return state.table.rule("same-vehicle") == "once"


def _match(state: State) -> Iterator[Act]:
    table, fight = state.table, state.table.fight
    heroes = [fight.pursuer] if table.rule("who-matches") == "pursuer-only" else table.heroes()
    for seat in heroes:
        if fight.vehicle in holdable(state, seat):
            yield Act("match", seat, fight.vehicle)
    yield Act("unmatched")


def _shoot(state: State) -> Iterator[Act]:
    fight = state.table.fight
    if fight.row[-1][1] == GUN and (fight.to == fight.pursuer or state.table.rule("gunfight") == "sealed"):
        yield from _claims(state)
    if state.table.rule("gunfight") == "sealed":
        yield from _shoot_at_once(state)
        return
    if fight.to is not None and GUN in holdable(state, fight.to):
        yield Act("shoot", fight.to, GUN)
    yield Act("hold", fight.to)


def _claim(state: State) -> Iterator[Act]:
    yield from _claims(state)
    yield Act("claim", answer="no")


def _claims(state: State) -> Iterator[Act]:
    wanted = AGAINST[state.table.fight.row[-1][1]]
    for seat in claimants(state.table):
        if role_of(state, seat) in (None, wanted):
            yield Act("claim", seat, answer="yes")


def _shoot_at_once(state: State) -> Iterator[Act]:
    table, fight, left = state.table, state.table.fight, unseen(state.table)[GUN]

    def guns(seat: int) -> int:
        return min(left, table.seats[seat].hand) if state.secret.hands is None else state.secret.hands[seat].count(GUN)

    for villain in range(guns(fight.villain) + 1):
        for hero in range(guns(fight.pursuer) + 1):
            if villain + hero <= left:
                yield Act("shoot", shots=(fight.shots[0] + villain, fight.shots[1] + hero))


def _refill(state: State) -> Iterator[Act]:
    seat = refilling(state.table)
    act = Act("refill", seat)  # no seat: nobody lacks a card, and the confrontation is only to be cleared away
    if seat is None:
        yield act
        return
    opponent, count = loot(state.table, seat)
    if opponent is None or state.secret.hands is None or state.table.rule("loot") == "blind":
        yield act
        return
    for cards in sorted(set(combinations(sorted(state.secret.hands[opponent], key=_order), count))):
        yield replace(act, cards=cards)


def _nothing(state: State) -> Iterator[Act]:
    return iter(())


_STEPS: Mapping[str, Callable[[State], Iterator[Act]]] = {
    "draw": _draw,
    "play": _play,
    "answer": _answer,
    "look": _look,
    "take": _take,
    "give": _give,
    "verdict": _verdict,
    "reveal": _reveal,
    "pass": _pass,
    "return": _return,
    "respond": _respond,
    "match": _match,
    "shoot": _shoot,
    "claim": _claim,
    "refill": _refill,
    "show": _show,
    "over": _nothing,
}

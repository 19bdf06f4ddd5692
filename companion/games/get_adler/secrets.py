"""The whole game over one act: the public table by :mod:`.folding`, and what its secret becomes.

The table learns from the secret only what is turned up: roles at the reveal, the rest of a dead hand."""

from collections.abc import Sequence
from dataclasses import replace

from companion.errors import IllegalPlay
from companion.games.get_adler.acts import Act
from companion.games.get_adler.chance import shuffled
from companion.games.get_adler.confronting import loot, refilling
from companion.games.get_adler.folding import actor, fold
from companion.games.get_adler.names import FULL_HAND, GUN, UNKNOWN
from companion.games.get_adler.state import Secret, State, Table


def apply(state: State, act: Act) -> State:
    """The game after a legal act. Raises IllegalPlay where the act does not say what it must."""
    if act.act == "refill" and act.seat is None and refilling(state.table) is not None:
        while state.table.step == "refill" and (seat := refilling(state.table)) is not None:
            state = apply(state, replace(act, seat=seat))
        return state
    table, secret = state.table, state.secret
    if act.act == "reveal" and not act.roles:
        act = replace(act, roles=secret.roles or ())
    after = fold(table, act)
    if secret.hands is None:
        return State(after, replace(secret, deck=None))
    secret = _followed(table, secret, act)
    left = [seat for seat, player in enumerate(after.seats) if not player.alive and not player.hand and _hand(secret, seat)]
    opened = tuple(card for seat in left for card in sorted(_hand(secret, seat)))  # a hand has no order
    if left:
        for seat in left:
            secret = _with_hand(secret, seat, ())
        if table.rule("dead-hand") == "removed":
            secret = replace(secret, removed=(*secret.removed, *opened))
        else:
            after = fold(table, replace(act, opened=opened))
    return State(after, secret)


def _hand(secret: Secret, seat: int) -> tuple[str, ...]:
    return () if secret.hands is None else secret.hands[seat]


def _with_hand(secret: Secret, seat: int, hand: Sequence[str]) -> Secret:
    if secret.hands is None:
        return secret
    return replace(secret, hands=(*secret.hands[:seat], tuple(hand), *secret.hands[seat + 1 :]))


def _without(secret: Secret, seat: int, cards: Sequence[str]) -> Secret:
    hand = list(_hand(secret, seat))
    for card in cards:
        if card not in hand:
            raise IllegalPlay(f"seat {seat} holds no {card}")
        hand.remove(card)
    return _with_hand(secret, seat, hand)


def _handed(secret: Secret, giver: int, taker: int, cards: Sequence[str]) -> Secret:
    secret = _without(secret, giver, cards)
    return _with_hand(secret, taker, (*_hand(secret, taker), *cards))


def _drawn(table: Table, secret: Secret, seat: int, count: int) -> Secret:
    """Cards off the deck, which is made of the pile where it is empty. Unknown cards there make hands unknown as well."""
    for _ in range(count):
        if secret.deck == () and table.discard:
            if UNKNOWN in table.discard:
                return replace(secret, deck=None, hands=None)
            pile = shuffled(table.discard, secret.seed, secret.shuffles)
            secret = replace(secret, deck=pile, shuffles=secret.shuffles + 1)
            table = replace(table, discard=())
        if secret.deck is None:
            return replace(secret, hands=None)
        if secret.deck:
            secret = _with_hand(replace(secret, deck=secret.deck[1:]), seat, (*_hand(secret, seat), secret.deck[0]))
    return secret


def _followed(table: Table, secret: Secret, act: Act) -> Secret:
    """Hands and deck after the act."""
    seat = actor(table, act)
    match act.act:
        case "draw":
            secret = _drawn(table, secret, table.seat, 1)
        case "play" | "discard" | "match":
            secret = _without(secret, seat, _named(act))
        case "respond":
            secret = _without(secret, table.fight.villain if act.seat is None else seat, _named(act))
        case "take":
            took, secret = _picked(secret, _target(table), act.count or 1, act.took)
            secret = _handed(secret, _target(table), seat, took)
        case "give":
            secret = _handed(secret, seat, _target(table), _named(act))
        case "pass":
            secret = _handed(secret, table.seat, _fellow(table), _named(act))
        case "return":
            secret = _handed(secret, _fellow(table), table.seat, _named(act))
        case "shoot":
            secret = _shot(table, secret, act)
        case "refill" if refilling(table) is not None:
            secret = _refilled(table, secret, act, seat)
    return secret


def _target(table: Table) -> int:
    if table.pending is None or table.pending.target is None:
        raise IllegalPlay(f"step {table.step}: with whom is not said")
    return table.pending.target


def _fellow(table: Table) -> int:
    """The villain who is not on turn."""
    return next(seat for seat in table.villains() if seat != table.seat)


def _named(act: Act) -> tuple[str, ...]:
    """The cards that an act names; those that go face down have to be named here, where hands are known."""
    cards = act.cards or (() if act.card is None else (act.card,))
    if not cards:
        raise IllegalPlay(f"{act.act}: which card is not said")
    return cards


def _picked(secret: Secret, seat: int, count: int, took: tuple[str, ...]) -> tuple[tuple[str, ...], Secret]:
    """Cards drawn blind from a hand, and the secret that has asked chance for them."""
    if took:
        return took, secret
    picked = shuffled(_hand(secret, seat), secret.seed, secret.shuffles)[:count]
    return picked, replace(secret, shuffles=secret.shuffles + 1)


def _shot(table: Table, secret: Secret, act: Act) -> Secret:
    fight = table.fight
    if act.shots is None:
        shooter = act.seat if act.seat is not None else fight.to
        return secret if shooter is None else _without(secret, shooter, (GUN,))
    for seat, more in ((fight.villain, act.shots[0] - fight.shots[0]), (fight.pursuer, act.shots[1] - fight.shots[1])):
        secret = _without(secret, seat, (GUN,) * more)
    return secret


def _refilled(table: Table, secret: Secret, act: Act, seat: int) -> Secret:
    opponent, count = loot(table, seat)
    if opponent is not None:
        took, secret = _picked(secret, opponent, count, act.cards or act.took)
        secret = _handed(secret, opponent, seat, took)
    return _drawn(table, secret, seat, FULL_HAND - len(_hand(secret, seat)))

"""Confrontations on the public table: responses, matches, the shoot-out, the refill, and how play goes on.

``settled`` ends what nobody has to act in: a refill in which no hand lacks a card."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.errors import IllegalPlay
from companion.games.get_adler.acts import Act
from companion.games.get_adler.names import ARREST, BOMB, DISGUISE, FULL_HAND, GUN, UNKNOWN, VEHICLES, roles_of
from companion.games.get_adler.state import Confrontation, Pending, Table
from companion.games.get_adler.turns import drawn, lose_turn, next_turn

AGAINST: Mapping[str, str] = {DISGUISE: "townsend", BOMB: "tarasov", GUN: "sharpe"}
"""By card: the role whose ability counts against it."""


def opened(table: Table, by: int, villain: int) -> Table:
    """An arrest lies before a villain. The card has left its player's hand."""
    fight = Confrontation(by, villain, by, (by,), ((by, ARREST),))
    pending = None
    others = [seat for seat in table.villains() if seat != villain]
    if others and by != others[0] and table.rule("accuse-either") == "both" and table.step == "reveal":
        pending = Pending("second", by, others[0])
    return replace(table, step="confrontation", pending=pending, confrontation=fight)


def _laid(table: Table, seat: int, card: str, **changes: object) -> Table:
    """A card from a hand onto the row."""
    fight = replace(table.fight, row=(*table.fight.row, (seat, card)), **changes)  # type: ignore[arg-type]
    table = table.with_seat(seat, hand=table.seats[seat].hand - 1)
    return replace(table, confrontation=fight)


def ability(table: Table, role: str, seat: int) -> bool:
    """Whether this seat has the ability of this role, as far as the role lies open."""
    return table.advanced and table.role(seat) == role


# --- responses ----------------------------------------------------------------------------------------------------


def _respond(table: Table, act: Act) -> Table:
    fight = table.fight
    seat, card = fight.villain if act.seat is None else act.seat, act.card
    if card is None or card == UNKNOWN:
        raise IllegalPlay("with which card is not said")
    joined = fight.joined if seat == fight.villain or seat in fight.joined else (*fight.joined, seat)
    if card in VEHICLES:
        return _laid(table, seat, card, stage="match", vehicle=card, to=None, joined=joined)
    if card == GUN:
        return _laid(table, seat, card, stage="shoot", to=fight.pursuer, shots=(1, 0), held=False, joined=joined)
    table = _laid(table, seat, card, joined=joined)
    if ability(table, AGAINST[card], fight.pursuer):
        return table
    if claimants(table):
        return replace(table, confrontation=replace(table.fight, stage="claim"))
    return _effect(table, act)


def _effect(table: Table, act: Act) -> Table:
    """The disguise or bomb that was laid last does what it does."""
    if table.fight.row[-1][1] == DISGUISE:
        return ended(table, "away", act)
    for hero in table.heroes():
        if not ability(table, "tarasov", hero):
            table = lose_turn(table, hero)
    return ended(table, "bomb", act)


def claimants(table: Table) -> list[int]:
    """Who may turn up a hidden role because its ability counts against the card laid last: the hero in the confrontation, and
    after a bomb any hero. Nobody where all roles were turned up by the reveal."""
    role = AGAINST.get(table.fight.row[-1][1])
    known = {table.role(seat) for seat in range(table.players)}
    if not table.advanced or role is None or role in known or role not in roles_of(table.players):
        return []
    seats = [table.fight.pursuer] if role != "tarasov" else table.heroes()
    return [seat for seat in seats if table.role(seat) is None]


def _claim(table: Table, act: Act) -> Table:
    card = table.fight.row[-1][1]
    if act.answer == "no" or act.seat is None:
        return _effect(table, act)
    table = table.with_seat(act.seat, shown=AGAINST[card])
    if table.fight.stage == "shoot":
        return table
    if act.seat == table.fight.pursuer:
        return replace(table, confrontation=replace(table.fight, stage="respond"))
    return _effect(table, act)


def _match(table: Table, act: Act) -> Table:
    if act.seat is None:
        raise IllegalPlay("which hero matches is not said")
    joined = table.fight.joined if act.seat in table.fight.joined else (*table.fight.joined, act.seat)
    card = act.card or table.fight.vehicle or UNKNOWN
    return _laid(table, act.seat, card, pursuer=act.seat, joined=joined, stage="respond", vehicle=None, to=None)


def _unmatched(table: Table, act: Act) -> Table:
    return ended(table, "away", act)


def _arrested(table: Table, act: Act) -> Table:
    return ended(table.with_seat(table.fight.villain, alive=False), "arrested", act)


# --- the shoot-out ------------------------------------------------------------------------------------------------


def totals(table: Table) -> tuple[int, int]:
    """Shots of the villain and of the hero, Sharpe's additional one counted."""
    fight = table.fight
    villain, hero = fight.shots
    if ability(table, "sharpe", fight.pursuer) and (hero > 0 or table.rule("sharpe-zero") == "always"):
        hero += 1
    return villain, hero


def _shoot(table: Table, act: Act) -> Table:
    fight = table.fight
    if act.shots is not None:
        return _all_at_once(table, act, act.shots)
    seat = _shooter(table, act)
    villain, hero = fight.shots
    if seat == fight.villain:
        return _laid(table, seat, GUN, shots=(villain + 1, hero), to=fight.pursuer, held=False)
    return _laid(table, seat, GUN, shots=(villain, hero + 1), to=fight.villain, held=False)


def _shooter(table: Table, act: Act) -> int:
    seat = table.fight.to if act.seat is None else act.seat
    if seat is None:
        raise IllegalPlay("whose shot it is is not said")
    return seat


def _all_at_once(table: Table, act: Act, shots: tuple[int, int]) -> Table:
    fight = table.fight
    for seat, more in ((fight.villain, shots[0] - fight.shots[0]), (fight.pursuer, shots[1] - fight.shots[1])):
        for _ in range(more):
            table = _laid(table, seat, GUN)
    table = replace(table, confrontation=replace(table.fight, shots=shots))
    villain, hero = totals(table)
    if villain == hero:
        return ended(table, "away", act)
    return _killed(table, fight.villain if villain < hero else fight.pursuer, act)


def _hold(table: Table, act: Act) -> Table:
    """A stop: behind one loses; a second one at a tie ends it, and so does the villain's where he has the last word."""
    fight = table.fight
    seat = _shooter(table, act)
    villain, hero = totals(table)
    mine, theirs = (villain, hero) if seat == fight.villain else (hero, villain)
    if mine < theirs:
        return _killed(table, seat, act)
    last_word = table.rule("gunfight") == "villain-last" and seat == fight.villain
    if mine == theirs and (fight.held or last_word):
        return ended(table, "away", act)
    other = fight.pursuer if seat == fight.villain else fight.villain
    return replace(table, confrontation=replace(fight, to=other, held=True))


def _killed(table: Table, seat: int, act: Act) -> Table:
    return ended(table.with_seat(seat, alive=False), "death", act)


# --- the end of it ------------------------------------------------------------------------------------------------


def ended(table: Table, how: str, act: Act) -> Table:
    """The confrontation is decided: the game may be over, a second villain may be next, hands are refilled."""
    fight = replace(table.fight, stage=how, to=None, vehicle=None, held=False)
    table = replace(table, confrontation=fight)
    if not table.villains():
        return replace(table, step="over", over="heroes", pending=None)
    if not table.heroes():
        return replace(table, step="over", over="villains", pending=None)
    second = table.pending.target if table.pending is not None and table.pending.card == "second" else None
    if second is not None and table.seats[second].alive and table.seats[fight.by].alive:
        joined = (*fight.joined, *(seat for seat in (fight.villain,) if seat not in fight.joined))
        fight = replace(fight, villain=second, pursuer=fight.by, joined=joined, stage="respond", shots=(0, 0))
        return replace(table, confrontation=fight, pending=None)
    table = replace(table, step="refill", pending=None)
    if table.rule("refill") == "after-discard":
        table = _row_under_pile(table)
    return settled(table, act)


def _row_under_pile(table: Table) -> Table:
    fight = table.fight
    pile = (*(card for _, card in fight.row), *table.discard)
    return replace(table, discard=pile, confrontation=replace(fight, row=()))


def refilling(table: Table) -> int | None:
    """Whose hand is refilled next: clockwise from the player of the arrest, of those who took part; None when nobody's."""
    fight = table.fight
    took_part = {fight.by, fight.villain, *fight.joined, *(seat for seat, _ in fight.row)}
    for seat in (fight.by, *table.left_of(fight.by)):
        if seat in took_part and table.seats[seat].alive and table.seats[seat].hand < FULL_HAND:
            return seat if table.deck or table.discard or _loot(table, seat) is not None else None
    return None


def _loot(table: Table, seat: int) -> int | None:
    """From whose dead hand this seat draws first: of the opponent in a shoot-out, if it has cards."""
    fight = table.fight
    opponent = {fight.villain: fight.pursuer, fight.pursuer: fight.villain}.get(seat)
    if fight.stage != "death" or opponent is None or table.seats[opponent].alive or not table.seats[opponent].hand:
        return None
    return opponent


def loot(table: Table, seat: int) -> tuple[int | None, int]:
    """(from whose dead hand, how many cards) this seat draws before it draws from the deck."""
    opponent = _loot(table, seat)
    if opponent is None:
        return None, 0
    return opponent, min(FULL_HAND - table.seats[seat].hand, table.seats[opponent].hand)


def _refill(table: Table, act: Act) -> Table:
    if _next_refill(table) is None:
        return settled(table, act)
    if act.seat is None:
        while (seat := _next_refill(table)) is not None:
            table = _refill(table, replace(act, seat=seat))
        return table
    opponent, taken = loot(table, act.seat)
    if opponent is not None:
        table = table.with_seat(opponent, hand=table.seats[opponent].hand - taken)
    have = table.seats[act.seat].hand + taken
    table, got = drawn(table, FULL_HAND - have)
    return settled(table.with_seat(act.seat, hand=have + got), act)


def _next_refill(table: Table) -> int | None:
    return refilling(table) if table.step == "refill" else None


def settled(table: Table, act: Act) -> Table:
    """As it is while somebody refills; otherwise the used cards go under the pile, what is left of dead hands is laid open
    under it or leaves the game, and the turn is that of the seat left of the player of the arrest."""
    if refilling(table) is not None:
        return table
    table = _row_under_pile(table)
    faces = list(act.opened)
    for seat, player in enumerate(table.seats):
        if not player.alive and player.hand:
            table = table.with_seat(seat, hand=0)
            if table.rule("dead-hand") == "face-up":
                known = [faces.pop(0) if faces else UNKNOWN for _ in range(player.hand)]
                table = replace(table, discard=(*known, *table.discard))
    return next_turn(replace(table, seat=table.fight.by, confrontation=None))


FOLDS: Mapping[str, Callable[[Table, Act], Table]] = {
    "respond": _respond,
    "match": _match,
    "unmatched": _unmatched,
    "arrested": _arrested,
    "shoot": _shoot,
    "hold": _hold,
    "claim": _claim,
    "refill": _refill,
}

"""What somebody seems to have done, told from what lies on the table alone, whether it is legal or not."""

from companion.games.get_adler.acts import Act
from companion.games.get_adler.difference import row_of
from companion.games.get_adler.names import ARREST, GUN, VEHICLES
from companion.games.get_adler.state import Table

ACCUSED = ("verdict", "reveal", "confrontation")


def supposed(before: Table, seen: Table) -> list[Act]:
    """The acts in the order in which they would have been done: answers, draws, cards of a confrontation, cards of a turn."""
    change = [after.hand - was.hand for was, after in zip(before.seats, seen.seats, strict=True)]
    row = _row(before, seen, change)
    pile = _pile(before, seen, change)
    draws = [Act("draw", seat) for seat, more in enumerate(change) if more > 0 and seen.deck < before.deck]
    if before.step == "refill":
        draws = [Act("refill", act.seat) for act in draws]
    out = [Act("arrested", seat) for seat, was in enumerate(before.seats) if was.alive and not seen.seats[seat].alive]
    return [*_answers(before, seen), *draws, *row, *pile, *out]


def _answers(before: Table, seen: Table) -> list[Act]:
    found = [Act("answer", said.of, answer=said.answer) for said in seen.answers[len(before.answers) :]]
    newly = [seat for seat, was in enumerate(before.seats) if seen.seats[seat].cleared and not was.cleared]
    return [*found, *(Act("verdict", seat, answer="no") for seat in newly)]


def _row(before: Table, seen: Table, change: list[int]) -> list[Act]:
    """Cards laid in a confrontation. ``change``: what hands have more or less; what is explained here is taken out of it."""
    acts = []
    known = len(row_of(before))
    for seat, card in row_of(seen)[known:]:
        change[seat] += 1
        villain = before.villainous(seat)
        if card == ARREST:
            target = seen.confrontation.villain if seen.confrontation else None
            acts.append(Act("play", seat, ARREST, target))
        elif not villain and card in VEHICLES:
            acts.append(Act("match", seat, card))
        elif not villain and card == GUN:
            acts.append(Act("shoot", seat, card))
        else:
            acts.append(Act("respond", seat, card))
    return acts


def _pile(before: Table, seen: Table, change: list[int]) -> list[Act]:
    """Cards that came onto the pile, and an arrest that lies before a suspect: of those whose hands have shrunk, else of the
    seat on turn, which has drawn one as well."""
    known = len(before.discard)
    cards = list(seen.discard[known:]) if seen.discard[:known] == before.discard else []
    arrested = seen.step in ACCUSED and before.step not in ACCUSED and not (seen.confrontation and row_of(seen))
    if arrested and ARREST not in cards:
        cards.append(ARREST)
    players = [seat for seat, less in enumerate(change) for _ in range(-less)]
    acts = []
    for card in cards:
        seat = players.pop(0) if players else before.seat
        pending = seen.pending if seen.pending != before.pending or seen.step != before.step else None
        target = pending.target if pending is not None else None
        begun = card == ARREST if arrested else target is not None and seen.step in ("answer", "look", "take")
        if begun:
            acts.append(Act("play", seat, card, target))
        else:
            acts.append(Act("discard", seat, card))
    return acts

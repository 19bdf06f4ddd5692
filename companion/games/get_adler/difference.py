"""How a second look at the table agrees with a table that an act would leave.

What lies on the table (hands by their number, deck, pile, row, who is out) must be as expected. What is kept beside it (whose
turn, the step, what is pending) may also still be as before, since a look at the table does not show it; anything else
is a contradiction."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games.get_adler.acts import Act
from companion.games.get_adler.confronting import AGAINST, ability
from companion.games.get_adler.names import ARREST, GUN, RESPONSES, UNKNOWN, VEHICLES, same_card
from companion.games.get_adler.state import Table

Row = tuple[tuple[int, str], ...]


def row_of(table: Table) -> Row:
    return table.confrontation.row if table.confrontation is not None else ()


def lies_as(expected: Table, seen: Table, before: Table) -> bool:
    """Whether everything lies as expected; an unknown card agrees with every card."""
    for want, have, was in zip(expected.seats, seen.seats, before.seats, strict=True):
        if (want.hand, want.alive) != (have.hand, have.alive) or have.role not in (want.role, was.role):
            return False
    under = bool(row_of(before)) and len(row_of(expected)) < len(row_of(before))
    if seen.deck != expected.deck:
        return False
    pile, row = expected.discard, row_of(expected)
    if same_row(row, row_of(seen)) and _same_pile(pile, seen.discard, under):
        return True
    if expected.pending is None or not expected.pending.apart or expected.pending == before.pending:
        return False
    # An arrest that has just accused: noted before the suspect, on the pile, or as the first card of a confrontation to come.
    first = ((expected.pending.by, ARREST),)
    on_pile = same_row(row, row_of(seen)) and _same_pile((*pile, ARREST), seen.discard, under)
    return on_pile or (same_row(first, row_of(seen)) and _same_pile(pile, seen.discard, under))


def same_row(one: Row, other: Row) -> bool:
    return len(one) == len(other) and all(a[0] == b[0] and same_card(a[1], b[1]) for a, b in zip(one, other, strict=True))


def _same_pile(one: Sequence[str], other: Sequence[str], under: bool) -> bool:
    """``under``: cards were pushed under the pile, in whatever order."""
    if len(one) != len(other):
        return False
    top = len(one)
    while top and same_card(one[top - 1], other[top - 1]):
        top -= 1
    if not top or not under:
        return not top
    left, right = Counter(one[:top]), Counter(other[:top])
    unknown = left.pop(UNKNOWN, 0) + right.pop(UNKNOWN, 0)
    return (left - right).total() + (right - left).total() <= unknown


def notes(table: Table) -> dict[str, Any]:
    """What is kept beside the table, by name."""
    fight, pending = table.confrontation, table.pending
    step = {"pass": "play"}.get(table.step, table.step)
    found: dict[str, Any] = {
        "step": step,
        "seat": None if step in ("show", "over") else table.seat,
        "hour": table.hour,
        "over": table.over,
        "revealed": table.revealed,
        "answers": table.answers,
        "roles": tuple(map(table.role, range(table.players))),
        "cleared": tuple(seat.cleared for seat in table.seats),
    }
    if step in ("answer", "look", "take", "give", "verdict", "reveal"):
        found["target"] = None if pending is None else pending.target
    if step == "answer":
        found["trait"] = None if pending is None else pending.trait
        found["colour"] = None if pending is None else pending.colour
    if step == "confrontation" and fight is not None:
        found |= {"stage": fight.stage, "villain": fight.villain, "pursuer": fight.pursuer, "shots": fight.shots}
        found["vehicle"] = fight.vehicle if fight.stage == "match" else None
        found["held"] = fight.held
    return found


def said(expected: Table, seen: Table, before: Table) -> Mapping[str, bool] | None:
    """Of the notes that the act changes, whether the look has the new value (True) or still the old one; None where it has
    neither. A question's words that one of both leaves open contradict nothing."""
    want, have, was = notes(expected), notes(seen), notes(before)
    found = {}
    for name in want.keys() | have.keys():
        new, now, old = want.get(name), have.get(name), was.get(name)
        if now == new:
            if new != old:
                found[name] = True
        elif now == old or (name in ("trait", "colour") and None in (new, now)):
            found[name] = name in ("trait", "colour")
        elif (name == "answers" and _open_words(new, now)) or (name == "roles" and _some_up(new, now, old)):
            found[name] = True
        else:
            return None
    return found


def _some_up(expected: Any, seen: Any, before: Any) -> bool:
    """Whether role cards lie as before or as expected, some of them turned up and some not yet."""
    return all(now in (new, old) for new, now, old in zip(expected, seen, before, strict=True))


def losses_agree(expected: Table, seen: Table, before: Table) -> bool:
    """Whether every turn that the look says to be lost since before is lost by what is expected too."""
    seats = zip(expected.seats, seen.seats, before.seats, strict=True)
    return all(now.skips <= was.skips or will.skips == now.skips for will, now, was in seats)


def _open_words(expected: Any, seen: Any) -> bool:
    """Whether answers agree except for a trait or a colour that was not written down."""
    if len(expected) != len(seen):
        return False
    return all(
        replace(one, trait=None, colour=None) == replace(other, trait=None, colour=None)
        and (None in (one.trait, other.trait) or one.trait == other.trait)
        and (None in (one.colour, other.colour) or one.colour == other.colour)
        for one, other in zip(expected, seen, strict=True)
    )


def opened(before: Table, seen: Table) -> Counter[str]:
    """The cards that came under the pile and did not lie in the confrontation before: those of a hand that was laid open."""
    under = max(0, len(seen.discard) - len(before.discard))
    return Counter(seen.discard[:under]) - Counter(card for _, card in row_of(before))


def unplayed_responses(before: Table, seen: Table, act: Act) -> list[str]:
    """Responses that lie open in the hand of a villain who was arrested, where he must play what he holds: the only time when a
    table shows it. A card that does nothing against the hero in the confrontation obliges nobody."""
    fight = before.confrontation
    if fight is None or before.rule("must-respond") != "must" or before.rule("dead-hand") != "face-up":
        return []
    arrested = act.act == "arrested" or (act.act == "refill" and fight.stage == "arrested")
    if not arrested or seen.confrontation is not None or seen.deck > before.deck:
        return []
    vain = [card for card, role in AGAINST.items() if card != GUN and ability(before, role, fight.pursuer)]
    once = before.rule("same-vehicle") == "once"
    used = {card for seat, card in fight.row if before.villainous(seat) and card in VEHICLES and once}
    return sorted(card for card in opened(before, seen) if card in RESPONSES and card not in vain and card not in used)

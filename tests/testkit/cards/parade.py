"""Which card may be laid where, and what is wrong with those that lie otherwise."""

from collections.abc import Iterator

from companion.games.laid import Laid
from companion.games.values import Fault, Move, Play

ID, ROW, PILE, BACK = "hat-parade", "row", "pile", "back"
ZONES, SEATS, COLOURS = (ROW, PILE), ("north", "east", "south", "west"), ("black", "red", "white")
CARDS = tuple(f"{seat}-{colour}" for seat in SEATS for colour in COLOURS)
LAID = "{card} is laid in the {zone}."
FAULTS = {
    "not-yours": "{card} was laid, but it is the turn of {seat}.",
    "same-colour": "{card} may not follow a card of the same colour in the row.",
    "other-colour": "{card} may not cover a card of another colour on the pile.",
    "two-cards": "{cards} were laid at once: one card is laid a turn.",
    "taken": "{card} was taken back from the {zone}: a card that lies stays where it lies.",
    "moved": "{card} was moved: a card that lies stays where it lies.",
    "between": "{card} was laid between others: a card is laid at the end of the row.",
    "face-down": "A card lies face down in the {zone}.",
}
CHORES = {
    "move-card": "Put {card} back from the {place} to the {to}.", "take-card": "Take {card} away from the {place}.",
    "lay-card": "Lay {card} into the {to}, at its place.",
    "order-card": "Put {card} back to its place in the {to}: number {rank}.",
    "move-card:": "Put the card that lies face down from the {place} to the {to}.",
    "take-card:": "Take the card that lies face down away from the {place}.",
    "lay-card:": "Lay a card face down into the {to}.",
}  # fmt: skip


def name(card: str) -> str:
    seat, _, colour = card.partition("-")
    return f"{seat.title()} in {colour}"


def colour(card: str) -> str:
    return card.partition("-")[2]


def why_not(here: Laid, card: str, zone: str, mover: str | None) -> str | None:
    """The code of the fault of laying a card now; None where it is right."""
    if mover is not None and not card.startswith(mover):
        return "not-yours"
    last = here.zone(zone)[-1:]
    if zone == ROW:
        return "same-colour" if last and colour(last[0]) == colour(card) else None
    return "other-colour" if last and colour(last[0]) != colour(card) else None


def ways(here: Laid, card: str) -> Iterator[Play]:
    """Every play of a card whose turn it is."""
    for zone in ZONES:
        if why_not(here, card, zone, None) is None:
            params = {"card": name(card), "zone": zone}
            yield Play(card, (Move(card, "hand", zone),), None, here.put(card, zone), None, LAID, params)


def faults(before: Laid, after: Laid, mover: str | None) -> Iterator[Fault]:
    """What is wrong with cards that no plays explain."""
    was, now = ({card: zone for zone in ZONES for card in one.zone(zone)} for one in (before, after))
    new = [card for card in now if card not in was and card != BACK]
    for card, zone in was.items():
        kept = [other for other in before.zone(zone) if other in after.zone(zone)]
        left = [other for other in after.zone(zone) if other in before.zone(zone)]
        if now.get(card) != zone or (card in left and left.index(card) != kept.index(card)):
            yield _fault("taken" if card not in now else "moved", card, zone, allowed=(zone,))
    yield from (_fault("face-down", None, zone) for zone in ZONES if BACK in after.zone(zone))
    if len(new) > 1:
        cells = tuple({now[card]: 0 for card in new})
        yield _fault("two-cards", new[0], now[new[0]], cards=", ".join(map(name, new)), cells=cells)
    elif new:
        card, zone = new[0], now[new[0]]
        code = why_not(before, card, zone, mover) or (None if after.zone(zone)[-1] == card else "between")
        right = tuple(one for one in ZONES if why_not(before, card, one, mover) is None)
        if code is not None:
            yield _fault(code, card, zone, allowed=right, seat=(mover or "").title())


def _fault(
    code: str, card: str | None, zone: str, *, allowed: tuple[str, ...] = (), cells: tuple[str, ...] = (), **params: str
) -> Fault:
    return Fault(code, card, FAULTS[code], {"card": name(card or ""), "zone": zone, **params}, cells or (zone,), allowed)

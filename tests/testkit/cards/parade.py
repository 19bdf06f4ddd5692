"""The cards on the mat: which may be laid where, and what is wrong with those that lie otherwise."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion import boards
from companion.errors import InvalidPosition
from companion.games.layouts import zone_chores
from companion.games.values import Chore, Explanation, Fault, Json, Move, Play

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
    "move-back": "Put the card that lies face down from the {place} to the {to}.",
    "take-back": "Take the card that lies face down away from the {place}.",
    "lay-back": "Lay a card face down into the {to}.",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Position:
    """What lies in the row, and on the pile from the lowest card to the upmost."""

    edition: str
    turn: int = 1
    row: tuple[str, ...] = ()
    pile: tuple[str, ...] = ()

    @property
    def zones(self) -> dict[str, tuple[str, ...]]:
        return {ROW: self.row, PILE: self.pile}

    def to_json(self) -> dict[str, Any]:
        cards = {zone: list(cards) for zone, cards in self.zones.items() if cards}
        return {"game": ID, "edition": self.edition, "turn": self.turn, "cards": cards}

    def notation(self) -> str:
        return f"{self.edition} {self.turn} row {' '.join(self.row) or '-'} pile {' '.join(self.pile) or '-'}"

    def with_card(self, card: str, zone: str) -> "Position":
        row, pile = (*self.row, *((card,) * (zone == ROW))), (*self.pile, *((card,) * (zone == PILE)))
        return Position(self.edition, self.turn, row, pile)


def position(data: Json, tolerant: bool) -> Position:
    """A position from its JSON. Raises InvalidPosition with every fault."""
    held: Mapping[str, Sequence[str]] = data.get("cards", {})
    lying = [card for cards in held.values() for card in cards]
    faults = [f"there is no zone {zone!r} for cards" for zone in held if zone not in ZONES]
    faults += [f"there is no card {card!r}" for card in lying if card not in (*CARDS, "host-white", BACK)]
    faults += [f"{card} lies there twice" for card in dict.fromkeys(lying) if card != BACK and lying.count(card) > 1]
    faults += ["a card lies face down"] if BACK in lying and not tolerant else []
    if faults:
        raise InvalidPosition(faults)
    return Position(data["edition"], data.get("turn", 1), tuple(held.get(ROW, ())), tuple(held.get(PILE, ())))


def name(card: str) -> str:
    seat, _, colour = card.partition("-")
    return f"{seat.title()} in {colour}"


def colour(card: str) -> str:
    return card.partition("-")[2]


def why_not(here: Position, card: str, zone: str, mover: str | None) -> str | None:
    """The code of the fault of laying a card now; None where it is right."""
    if mover is not None and not card.startswith(mover):
        return "not-yours"
    if zone == ROW:
        return "same-colour" if here.row and colour(here.row[-1]) == colour(card) else None
    return "other-colour" if here.pile and colour(here.pile[-1]) != colour(card) else None


def plays(here: Position, card: str, mover: str | None) -> tuple[Play, ...]:
    return tuple(_play(here, card, zone) for zone in ZONES if why_not(here, card, zone, mover) is None)


def _play(here: Position, card: str, zone: str) -> Play:
    return Play(
        card, (Move(card, "hand", zone),), None, here.with_card(card, zone), None, LAID, {"card": name(card), "zone": zone}
    )


def explain(before: Position, after: Position, count: int, mover: str | None, seats: Sequence[str]) -> Explanation:
    """The plays of one seat after the other, at most ``count``, by which the cards came to lie as they do; else every fault."""
    if before.zones == after.zones:
        return Explanation("unchanged")
    order = seats[seats.index(mover) :] if mover in seats else seats
    stories = tuple(_stories(before, after, order[:count]))
    if stories:
        return Explanation("legal" if len(stories) == 1 else "ambiguous", stories)
    return Explanation("illegal", (), tuple(_faults(before, after, mover)))


def _stories(here: Position, after: Position, movers: Sequence[str]) -> Iterator[tuple[Play, ...]]:
    for zone in ZONES if movers else ():
        lie, now = here.zones[zone], after.zones[zone]
        if len(now) > len(lie) and now[: len(lie)] == lie and why_not(here, now[len(lie)], zone, movers[0]) is None:
            play = _play(here, now[len(lie)], zone)
            if play.position.zones == after.zones:
                yield (play,)
            yield from ((play, *rest) for rest in _stories(play.position, after, movers[1:]))


def _faults(before: Position, after: Position, mover: str | None) -> Iterator[Fault]:
    was, now = ({card: zone for zone in ZONES for card in one.zones[zone]} for one in (before, after))
    new = [card for card in now if card not in was and card != BACK]
    for card, zone in was.items():
        kept = [other for other in before.zones[zone] if other in after.zones[zone]]
        left = [other for other in after.zones[zone] if other in before.zones[zone]]
        if now.get(card) != zone or (card in left and left.index(card) != kept.index(card)):
            yield _fault("taken" if card not in now else "moved", card, zone, allowed=(zone,))
    yield from (_fault("face-down", None, zone) for zone in ZONES if BACK in after.zones[zone])
    if len(new) > 1:
        yield _fault(
            "two-cards", new[0], now[new[0]], cards=", ".join(map(name, new)), cells=tuple({now[card]: 0 for card in new})
        )
    elif new:
        card, zone = new[0], now[new[0]]
        code = why_not(before, card, zone, mover) or (None if after.zones[zone][-1] == card else "between")
        right = tuple(one for one in ZONES if why_not(before, card, one, mover) is None)
        if code is not None:
            yield _fault(code, card, zone, allowed=right, seat=(mover or "").title())


def _fault(
    code: str, card: str | None, zone: str, *, allowed: tuple[str, ...] = (), cells: tuple[str, ...] = (), **params: str
) -> Fault:
    return Fault(code, card, FAULTS[code], {"card": name(card or ""), "zone": zone, **params}, cells or (zone,), allowed)


def chores(expected: Position, state: Json, unknown: tuple[str, ...]) -> tuple[Chore, ...]:
    """What hands must do so that the cards lie as expected."""
    board, pieces = boards.load(ID), boards.load_pieces(ID)
    return tuple(zone_chores(_chore, pieces.groups["cards"], expected.zones, state, unknown, pieces, board.zones))


def _chore(code: str, subject: str, *, place: str | None, to: str | None, rank: int = 0) -> Chore:
    named = ":" not in subject
    text = CHORES[code if named else code.replace("card", "back")]
    return Chore(
        code, subject, text, {"card": name(subject) if named else "", "place": place, "to": to, "rank": rank}, place, to
    )

"""What lies on the mat, beside the public table that the rules know: the position of a refereed game.

A camera claims cards in zones (:class:`Laid`), the rules know counts, a pile and a row (:class:`Table`). In a lawful position
the one follows from the other (:func:`laid_of`); what hands did and nobody explained yet is a :class:`Mat` whose cards lie
otherwise than its table says. Hands, and what is left of the deck, lie out of sight and are kept as numbers alone.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from companion import boards
from companion.boards import Board, PieceSet
from companion.errors import InvalidPosition, quoted, stopped_by
from companion.games.expectations import TOLD, WHOLE
from companion.games.get_adler.names import DECK, EDITION, FULL_HAND, GAME, KINDS, ROLES, UNKNOWN
from companion.games.get_adler.position import read_public
from companion.games.get_adler.state import Seat, Table
from companion.games.get_adler.validation import table_faults

Cards = tuple[str, ...]
SEATS = tuple(f"seat-{number}" for number in range(1, 7))
"""Clockwise, by the places printed on the mat."""
_SEATED: Mapping[int, Cards] = {
    4: ("seat-1", "seat-2", "seat-4", "seat-5"),
    5: ("seat-1", "seat-2", "seat-4", "seat-5", "seat-6"),
    6: SEATS,
}
PILE, DECK_ZONE, BACK = "pile", "deck", "back"
BOOKS = "books"
"""Key of a mat's JSON under which the public table stands."""


def seated(players: int) -> Cards:
    """The seats of so many players, in the order of the rules' numbers."""
    return _SEATED[players]


def place_of(players: int, seat: int) -> str:
    """The zone before a player in which arrests are laid."""
    return seated(players)[seat].replace("seat", "place")


def seat_at(players: int, zone: str) -> int | None:
    """Whose place a zone is, by the rules' number; None where nobody of this game sits."""
    name = zone.replace("place", "seat")
    return seated(players).index(name) if zone.startswith("place-") and name in seated(players) else None


def role_zone(players: int, seat: int) -> str:
    """The zone in which a player's role card is turned up."""
    return seated(players)[seat].replace("seat", "role")


@dataclass(frozen=True, slots=True)
class Laid:
    """``cards``: by zone, sorted, from the lowest up; zones without cards are left out. ``roles``: (zone, role) of role cards
    that are up. ``hours``: the places of the track that have a marker."""

    cards: tuple[tuple[str, Cards], ...] = ()
    roles: tuple[tuple[str, str], ...] = ()
    hours: Cards = ()

    def zone(self, name: str) -> Cards:
        """The cards of one zone."""
        return dict(self.cards).get(name, ())

    def to_json(self) -> dict[str, Any]:
        return {
            "cards": {zone: list(cards) for zone, cards in self.cards},
            "roles": {zone: [role] for zone, role in self.roles},
            "hours": list(self.hours),
        }


@dataclass(frozen=True, slots=True)
class Mat:
    """A position of a refereed game: ``books`` for the rules, ``laid`` for the camera.

    ``waiting``: a card that lies there and is not yet an act, because somebody has to say what the mat does not show.
    ``by``: the seat that said the next card is its own; ``last``: the seat that laid the last one.
    ``loose``: how many cards lie lowest in the pile in an order that nobody knows. ``told``: zone and place (0 is the lowest)
    of cards that somebody told of and no look has shown: they lie upon cards that look the same.
    """

    books: Table
    laid: Laid = field(default_factory=Laid)
    waiting: str | None = None
    by: int | None = None
    last: int | None = None
    loose: int = 0
    told: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, books: Table, waiting: str | None = None, last: int | None = None, loose: int = 0) -> "Mat":
        """The mat on which everything lies as the table says."""
        return cls(books, laid_of(books, waiting), waiting, None, last, loose)

    @property
    def edition(self) -> str:
        return EDITION

    @property
    def turn(self) -> int:
        """The hour, 1..7."""
        return self.books.hour

    def to_json(self) -> dict[str, Any]:
        beside = {name: getattr(self, name) for name in ("waiting", "by", "last") if getattr(self, name) is not None}
        loose: dict[str, Any] = {"loose": self.loose} if self.loose else {}
        loose |= {TOLD: [list(one) for one in self.told]} if self.told else {}
        return {
            "game": GAME, "edition": EDITION, "turn": self.turn, **self.laid.to_json(), **beside, **loose,
            BOOKS: self.books.to_json(),
        }  # fmt: skip

    def notation(self) -> str:
        """Hour, seat and step, and what lies open, in one line."""
        zones = " ".join(f"{zone}={','.join(cards)}" for zone, cards in self.laid.cards)
        return f"{self.books.hour}:{seated(self.books.players)[self.books.seat]} {self.books.step} {zones or '-'}"


@cache
def board() -> Board:
    """The mat of the board file."""
    return boards.load(GAME, EDITION)


@cache
def pieces() -> PieceSet:
    """The cards of the board file."""
    return boards.load_pieces(GAME)


@cache
def card_name(card: str) -> str:
    """What a card is called, in English."""
    return pieces().pieces[f"{card}-1"].name if card in KINDS else "card"


@cache
def role_name(role: str) -> str:
    """What a role is called, in English."""
    return pieces().pieces[role].name


def seat_name(players: int, seat: int) -> str:
    """What a seat is called, in English."""
    return board().labels[f"seat-{seated(players)[seat]}"]


def opening_table(
    players: int, *, start: int = 0, advanced: bool = False, expert: bool = False, rules: tuple[tuple[str, str], ...] = ()
) -> Table:
    """The public table once everybody was dealt seven cards."""
    return Table(
        players=players, advanced=advanced, expert=expert, hour=1, start=start, seat=start, step="draw",
        seats=(Seat(FULL_HAND),) * players, deck=DECK[players] - FULL_HAND * players, discard=(), rules=rules,
    )  # fmt: skip


def laid_of(books: Table, waiting: str | None = None) -> Laid:
    """How everything lies by the public table, with a card that waits for words where it landed."""
    fight, pending = books.confrontation, books.pending
    zones: dict[str, list[str]] = {PILE: [BACK if card == UNKNOWN else card for card in books.discard]}
    if fight is not None and fight.row:
        zones[place_of(books.players, fight.villain)] = [BACK if card == UNKNOWN else card for _, card in fight.row]
    elif pending is not None and pending.apart and pending.target is not None:
        zones[place_of(books.players, pending.target)] = [pending.card]
    if waiting is not None:
        fighting = books.step == "confrontation" and fight is not None
        zones.setdefault(place_of(books.players, fight.villain) if fighting and fight is not None else PILE, []).append(waiting)
    roles = tuple(
        sorted((role_zone(books.players, n), seat.role) for n, seat in enumerate(books.seats) if seat.role is not None)
    )
    return Laid(
        tuple((zone, tuple(zones[zone])) for zone in sorted(zones) if zones[zone]),
        roles,
        tuple(f"hour-{hour}" for hour in range(1, books.hour + 1)),
    )


def mat_of(data: Any, *, tolerant: bool = False) -> Mat:
    """A mat from its JSON. Raises InvalidPosition with every fault; ``tolerant`` takes what hands can do."""
    if not isinstance(data, Mapping) or not isinstance(data.get(BOOKS), Mapping):
        raise InvalidPosition([f"a position of a refereed game has its public part under {BOOKS!r}"])
    books = read_public(data[BOOKS])
    faults = [] if tolerant else table_faults(books)
    try:
        laid = _laid(data)
    except (TypeError, AttributeError, ValueError) as error:
        raise InvalidPosition([f"the cards are not written as the board file has them: {stopped_by(error)}"]) from error
    zones = board().zones
    faults += [f"there is no zone {quoted(zone)} for cards" for zone, _ in laid.cards if zone not in zones]
    faults += [f"there is no card {quoted(card)}" for _, cards in laid.cards for card in cards if card not in (*KINDS, BACK)]
    faults += [f"there is no role {quoted(role)}" for _, role in laid.roles if role not in ROLES]
    faults += [f"there is no place {quoted(place)} for a marker" for place in laid.hours if place not in board().places]
    told = tuple((str(zone), int(place)) for zone, place in data.get(TOLD, ()))
    mat = Mat(books, laid, data.get("waiting"), data.get("by"), data.get("last"), int(data.get("loose", 0)), told)
    if not faults and not tolerant and laid != laid_of(books, mat.waiting):
        faults.append("what lies on the mat does not fit what is on record")
    if faults:
        raise InvalidPosition(faults)
    return mat


def _laid(data: Mapping[str, Any]) -> Laid:
    cards = {zone: tuple(lying) for zone, lying in (data.get("cards") or {}).items() if lying}
    roles = {zone: up[-1] for zone, up in (data.get("roles") or {}).items() if up and up[-1] != BACK}
    hours = tuple(sorted(data.get("hours") or ()))
    return Laid(tuple(sorted(cards.items())), tuple(sorted(roles.items())), hours)


# --- what a reading claims ----------------------------------------------------------------------------------------------


def complete(before: Mat, state: Mapping[str, Any], unknown: Sequence[str] = ()) -> Mat:
    """The mat that a reading claims over the one before.

    A reading claims of a stack the cards that it followed since they landed, or its top alone; by hand all of it is told. Cards
    that lie face down in the deck or as roles are no claim; a marker that is not laid yet is a reminder and no difference; role
    cards may lie elsewhere.
    """
    was, doubts = before.laid, set(unknown)
    cards = dict(was.cards)
    claimed = state.get("cards")
    if claimed is not None:
        zones = [zone for zone in board().zones.values() if not zone.masked]
        told = () if state.get(TOLD) else before.told
        cards = {zone.id: _in_zone(before, zone.id, tuple(claimed.get(zone.id, ())), doubts, told) for zone in zones}
        whole = [zone for zone in state.get(WHOLE, ()) if zone != DECK_ZONE]
        cards |= {zone: _in_order(before, zone, tuple(claimed.get(zone, ()))) for zone in whole}
    roles = dict(was.roles)
    for zone, up in (state.get("roles") or {}).items():
        if up and up[-1] != BACK and zone.startswith("role-"):
            roles[zone] = up[-1]
    hours = set(state.get("hours") or ()) | set(was.hours)
    laid = Laid(
        tuple((zone, lying) for zone, lying in sorted(cards.items()) if lying),
        tuple(sorted(roles.items())),
        tuple(sorted(hours)),
    )
    return replace(before, laid=laid)


def _in_order(before: Mat, zone: str, now: Cards) -> Cards:
    """All cards of a zone, where the lowest of the pile may lie in another order than they did."""
    was, loose = before.laid.zone(zone), before.loose if zone == PILE else 0
    return (*was[:loose], *now[loose:]) if Counter(now[:loose]) == Counter(was[:loose]) else now


def _in_zone(before: Mat, zone: str, now: Cards, doubts: set[str], told: Iterable[tuple[str, int]]) -> Cards:
    was = before.laid.zone(zone)
    if f"card:{zone}" in doubts:
        return was
    if zone == DECK_ZONE:
        return tuple(card for card in now if card != BACK)
    loose, unseen = before.loose if zone == PILE else 0, {place for name, place in told if name == zone}
    if not unseen:
        return stacked(was, now, loose)
    shown = tuple(card for place, card in enumerate(was) if place not in unseen)
    found = stacked(shown, now, loose)
    kept = next((n for n, (a, b) in enumerate(zip(shown, found, strict=False)) if a != b), min(len(shown), len(found)))
    if kept == len(shown):
        return (*was, *found[kept:])
    places = [place for place in range(len(was)) if place not in unseen]
    return (*was[: places[kept]], *found[kept:])


def laid_again(mat: Mat, zone: str) -> Mat | None:
    """The mat with the upmost card of a zone laid once more, as somebody may tell; None where none lies there face up."""
    lying = mat.laid.zone(zone)
    if not lying or lying[-1] == BACK or board().zones[zone].kind not in ("pile", "place"):
        return None
    cards = {**dict(mat.laid.cards), zone: (*lying, lying[-1])}
    laid = replace(mat.laid, cards=tuple(sorted(cards.items())))
    return replace(mat, laid=laid, told=(*mat.told, (zone, len(lying))))


def still_told(before: Mat, after: Mat) -> Mat:
    """A mat with the cards that were only told of before and lie there still; cards pushed under the pile shift those in it."""
    under = max(0, after.loose - before.loose)
    moved = ((zone, place + (under if zone == PILE else 0)) for zone, place in before.told)
    return replace(after, told=tuple((zone, place) for zone, place in moved if place < len(after.laid.zone(zone))))


def stacked(was: Cards, now: Cards, loose: int = 0) -> Cards:
    """What lies in a stack of which ``now`` shows, where ``was`` lay there before; a back that lay there may be any card.
    ``loose``: how many of the lowest lie in any order."""
    if not now:
        return ()
    for start in range(len(was)):
        tail = was[start:]
        if len(tail) <= len(now) and all(a in (BACK, b) for a, b in zip(tail, now, strict=False)):
            return (*was, *now[len(tail) :])
    if was and loose >= len(was) and not Counter(now) - Counter(was):
        return was
    if was and now[0] == was[0]:
        return now  # seen from the lowest up: the upmost were taken, or are others
    inside = [n for n in range(len(was) - len(now) + 1) if was[n : n + len(now)] == now] if len(now) > 1 else []
    return was[: inside[-1] + len(now)] if inside else (*was, *now)


__all__ = [
    "BACK",
    "BOOKS",
    "DECK_ZONE",
    "PILE",
    "SEATS",
    "Laid",
    "Mat",
    "board",
    "card_name",
    "complete",
    "laid_again",
    "laid_of",
    "mat_of",
    "opening_table",
    "pieces",
    "place_of",
    "role_name",
    "role_zone",
    "seat_at",
    "seat_name",
    "seated",
    "stacked",
    "still_told",
]  # fmt: skip

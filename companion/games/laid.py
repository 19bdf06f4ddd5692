"""A base for games whose position is nothing but what lies on the table, group by group, and the number of the turn.

:class:`Laid` reads and writes such a position from the board file alone; :class:`LaidGame` answers what follows from the game's
plays: which row of plays explains a change, and what hands must do. Groups are laid out ``by-piece``, ``by-place`` or
``by-zone`` (see :mod:`companion.boards.pieces`); a game with others keeps a position of its own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from companion import boards
from companion.boards import Group, Label
from companion.errors import BadInput, CompanionError, IllegalPlay, InvalidPosition, quoted
from companion.games.expectations import Change
from companion.games.layouts import alike_chores, zone_chores
from companion.games.rounds import RoundGame, RoundState
from companion.games.values import Chore, Explanation, Fault, Json, Play, Role

R = TypeVar("R", bound=RoundState)
BY_PIECE, BY_PLACE, BY_ZONE = "by-piece", "by-place", "by-zone"


@dataclass(frozen=True, slots=True)
class Laid:
    """``pieces``: where each piece of the groups ``by-piece`` stands (None: nowhere). ``tokens``: group, site and label of what
    lies ``by-place``, sorted. ``cards``: the cards of each zone in order, from the lowest of a stack up; no empty zone."""

    game: str
    edition: str
    turn: int = 1
    pieces: tuple[tuple[str, str | None], ...] = ()
    tokens: tuple[tuple[str, str, Label], ...] = ()
    cards: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def at(self, piece: str) -> tuple[str, int] | None:
        """Where a piece lies, and how many lie before it there; None where it does not lie on the table."""
        site = dict(self.pieces).get(piece)
        if site is not None:
            return site, 0
        return next(((zone, held.index(piece)) for zone, held in self.cards if piece in held), None)

    def site(self, piece: str) -> str | None:
        """The site or zone of a piece; None where it does not lie on the table."""
        found = self.at(piece)
        return None if found is None else found[0]

    def zone(self, zone: str) -> tuple[str, ...]:
        """The cards of a zone, in order."""
        return dict(self.cards).get(zone, ())

    def sites(self, group: str) -> tuple[str, ...]:
        """Where something of a group ``by-place`` lies."""
        return tuple(site for key, site, _ in self.tokens if key == group)

    def put(self, piece: str, to: str) -> "Laid":
        """With a piece on a site, or a card at the end of a zone."""
        if piece in dict(self.pieces):
            return replace(self, pieces=tuple((name, to if name == piece else site) for name, site in self.pieces))
        kept = {zone: tuple(card for card in held if card != piece) for zone, held in self.cards}
        kept[to] = (*kept.get(to, ()), piece)
        return replace(self, cards=_zones(self.game, kept))

    def lay(self, group: str, site: str, label: Label) -> "Laid":
        """With one more of a group ``by-place``."""
        return replace(self, tokens=tuple(sorted((*self.tokens, (group, site, label)), key=_order)))

    def looks_like(self, other: "Laid") -> bool:
        """Whether the same lies there, whichever turn it is."""
        return replace(self, turn=other.turn) == other

    def to_json(self) -> dict[str, Any]:
        """``game``, ``edition``, ``turn`` and one key a group."""
        data: dict[str, Any] = {"game": self.game, "edition": self.edition, "turn": self.turn}
        for group in _groups(self.game):
            if group.layout == BY_PIECE:
                names = {piece.id for piece in boards.load_pieces(self.game).in_group(group.key)}
                data[group.key] = {name: {"hex": site} for name, site in self.pieces if name in names}
            elif group.layout == BY_PLACE:
                data[group.key] = {site: label for key, site, label in self.tokens if key == group.key}
            else:
                data[group.key] = {zone: list(held) for zone, held in self.cards}
        return data

    def notation(self) -> str:
        """Edition, turn, and what lies where, on one line."""
        stand = [f"{name}@{site or '-'}" for name, site in self.pieces]
        lie = [f"{label}@{site}" for _, site, label in self.tokens] + [f"{','.join(held)}@{zone}" for zone, held in self.cards]
        return " ".join([self.edition, str(self.turn), *stand, *lie])


def _order(token: tuple[str, str, Label]) -> tuple[str, str, str]:
    return token[0], token[1], str(token[2])


def _groups(game: str) -> tuple[Group, ...]:
    groups = tuple(boards.load_pieces(game).groups.values())
    other = [group.key for group in groups if group.layout not in (BY_PIECE, BY_PLACE, BY_ZONE)]
    if other:
        raise CompanionError(f"{game}: a position of this kind has no {', '.join(other)}; the game needs one of its own")
    return groups


def _zones(game: str, cards: Mapping[str, Sequence[str]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((zone, tuple(cards[zone])) for zone in boards.load(game).zones if cards.get(zone))


def read(game: str, data: Json, *, tolerant: bool = False) -> Laid:
    """A position from its JSON; ``tolerant`` takes what hands can do. Raises InvalidPosition with every fault."""
    edition, turn = data.get("edition", boards.editions(game)[0]), data.get("turn", 1)
    stand: dict[str, str | None] = {}
    tokens: list[tuple[str, str, Label]] = []
    cards: Mapping[str, Sequence[str]] = {}
    faults: list[str] = []
    for group in _groups(game):
        claimed = data.get(group.key) or {}
        if group.layout == BY_PIECE:
            names = [piece.id for piece in boards.load_pieces(game).in_group(group.key)]
            faults += [f"there is no {group.singular} {quoted(name)}" for name in claimed if name not in names]
            found = {name: claimed.get(name, {}).get("hex") for name in names}
            stand |= found
            faults += _misplaced(game, group, [site for site in found.values() if site is not None], tolerant)
            if not tolerant:
                faults += [f"{name} is not on the board" for name, site in found.items() if site is None]
        elif group.layout == BY_PLACE:
            tokens += [(group.key, site, label) for site, label in claimed.items()]
            faults += _misplaced(game, group, list(claimed), tolerant)
        else:
            cards = claimed
            faults += _wrong_cards(game, group, cards, tolerant)
    if faults:
        raise InvalidPosition(faults)
    return Laid(game, edition, turn, tuple(stand.items()), tuple(sorted(tokens, key=_order)), _zones(game, cards))


def _misplaced(game: str, group: Group, sites: list[str], tolerant: bool) -> Iterator[str]:
    board = boards.load(game)
    yield from (f"{quoted(site)} is no site" for site in sites if site not in board.cells)
    if not tolerant:
        right = board.of_kind(*group.on)
        yield from (f"a {group.singular} is on {site}, no {' or '.join(group.on)}" for site in sites if site not in right)
        yield from (f"several {group.key} are on {site}" for site in dict.fromkeys(sites) if sites.count(site) > 1)


def _wrong_cards(game: str, group: Group, cards: Mapping[str, Sequence[str]], tolerant: bool) -> Iterator[str]:
    pieces, zones = boards.load_pieces(game), boards.load(game).zones
    names = {piece.id for piece in pieces.in_group(group.key)}
    shared = {face for piece in pieces.in_group(group.key) for face in piece.faces if pieces.sharing(piece.id, face)}
    lying = [card for held in cards.values() for card in held]
    yield from (f"there is no zone {quoted(zone)} for {group.key}" for zone in cards if zone not in zones)
    yield from (f"there is no {group.singular} {quoted(card)}" for card in lying if card not in names | shared)
    yield from (f"{card} lies there twice" for card in dict.fromkeys(lying) if card in names and lying.count(card) > 1)
    if not tolerant:
        yield from (f"a {group.singular} lies with its {card} up" for card in dict.fromkeys(lying) if card in shared)


class LaidGame(RoundGame[Laid, R]):
    """A game adds ``chores``, :meth:`seat_of`, :meth:`ways`, :meth:`faults` and what :class:`RoundGame` leaves to it."""

    characters: tuple[str, ...]
    chores: Mapping[str, str]
    """Sentence templates of what hands must do: ``move-``, ``take-``, ``lay-`` and, for cards, ``order-`` with the group's
    word. A code that ends in a colon is said of cards that show a side several share."""

    # --- the game's own answers -----------------------------------------------------------------------------------

    def seat_of(self, piece: str) -> Role | None:
        """The seat that plays a piece; None: no seat does."""
        raise NotImplementedError

    def ways(self, here: Laid, piece: str) -> Iterable[Play]:
        """Every legal play of a piece whose turn it is."""
        raise NotImplementedError

    def faults(self, before: Laid, after: Laid, mover: Role | None) -> Iterable[Fault]:
        """The rules that a change breaks which no row of plays explains. ``mover`` None: whoever plays first."""
        raise NotImplementedError

    def seats_by(self, rules: Json) -> tuple[Role, ...]:
        who = self.players(rules)
        return tuple(seat for seat in self.seats if seat in who)

    def players(self, rules: Json) -> tuple[Role, ...]:
        """The seats that play one after the other, under these house rules (none: the defaults)."""
        raise NotImplementedError

    def words(self, subject: str) -> Json:
        """The words of a piece in the templates of ``chores``."""
        return {}

    # --- what follows ---------------------------------------------------------------------------------------------

    def position(self, data: Json, *, tolerant: bool = False) -> Laid:
        return read(self.id, data, tolerant=tolerant)

    def movers(self, turn: int) -> tuple[Role, ...]:
        return self.players({})

    def candidates(self, position: Laid) -> tuple[str, ...]:
        return self.characters

    def plays(
        self, position: Laid, character: str, *, mover: Role | None = None, rules: Json | None = None
    ) -> tuple[Play, ...]:
        if character not in self.candidates(position) or mover not in (None, self.seat_of(character)):
            raise IllegalPlay(f"{character} is not to be played now")
        return tuple(self.ways(position, character))

    def explain(
        self, before: Laid, after: Laid, *, plays: int = 1, mover: Role | None = None, rules: Json | None = None
    ) -> Explanation:
        """The rows of plays, one for each seat in turn and at most ``plays``, that explain this; else every fault."""
        order = self.players(rules or {})
        first = order.index(mover) if mover in order else 0
        rows = tuple(self._rows(before, after, order[first : first + plays], ()))
        if rows:
            return Explanation("legal" if len(rows) == 1 else "ambiguous", rows)
        if before.looks_like(after):
            return Explanation("unchanged")
        return Explanation("illegal", (), tuple(self.faults(before, after, mover)))

    def _rows(self, here: Laid, after: Laid, movers: Sequence[Role], made: tuple[Play, ...]) -> Iterator[tuple[Play, ...]]:
        """Only one play alone may leave everything as it lies: of several each is seen."""
        if not movers or (made and not made[0].moves):
            return
        for piece in self.candidates(here):
            if self.seat_of(piece) != movers[0]:
                continue
            for play in self.ways(here, piece):
                if play.position.at(piece) != after.at(piece) or (made and not play.moves):
                    continue
                row = (*made, play)
                if play.position.looks_like(after):
                    yield row
                yield from self._rows(play.position, after, movers[1:], row)

    def differences(self, expected: Laid, state: Json, unknown: tuple[str, ...] = ()) -> tuple[Chore, ...]:
        """What hands must do, group by group."""
        pieces, doubts, found = self.pieces(), set(unknown), list[Chore]()
        claimed = self.complete(expected, state, unknown)
        for group in _groups(self.id):
            if group.layout == BY_ZONE:
                zones = self.board(expected.edition).zones
                found += zone_chores(self._chore, group, dict(expected.cards), state, unknown, pieces, zones)
            elif group.layout == BY_PLACE:
                found += alike_chores(self._chore, group.singular, expected.sites(group.key), claimed.sites(group.key), doubts)
            else:
                names = [piece.id for piece in pieces.in_group(group.key) if piece.id not in doubts]
                found += [
                    self._chore(f"{_hands(claimed.site(name), expected.site(name))}-{group.singular}", name,
                                place=claimed.site(name), to=expected.site(name))
                    for name in names
                    if claimed.site(name) != expected.site(name)
                ]  # fmt: skip
        return tuple(found)

    def _chore(self, code: str, subject: str, *, place: str | None = None, to: str | None = None, rank: int = 0) -> Chore:
        text = self.chores.get(f"{code}:" if ":" in subject else code) or self.chores[code]
        return Chore(code, subject, text, {**self.words(subject), "place": place, "to": to, "rank": rank}, place, to)

    def todo(self, target: Laid, lies: Laid) -> list[dict[str, Any]]:
        """What brings one table to another, as the events of a game list it under ``chores``."""
        return [chore.to_json() for chore in self.differences(target, lies.to_json())]

    def allowed(self, state: R, position: Laid, character: str) -> Laid:
        """Raises BadInput where no seat plays now, or the piece does not lie there."""
        plays = any(isinstance(one, Change) and one.seat is not None for one in self.expects(state))
        if not plays or position.at(character) is None:
            raise BadInput(f"{character} cannot have been played now")
        return position

    def reset(self, state: R, position: Laid) -> Laid:
        """The turn goes on."""
        return replace(position, turn=state.position.turn)


def _hands(place: str | None, to: str | None) -> str:
    return "take" if to is None else "lay" if place is None else "move"

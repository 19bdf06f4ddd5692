"""Where a piece lies: the one record that readers, codecs and programs exchange, and how each layout writes it as JSON.

A position's JSON groups pieces by how a game speaks of them (``layout`` of a :class:`Group`). The functions here are the only
ones that know those layouts in both directions; whoever reasons about pieces takes :class:`Placement`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from companion.boards.board import PAIR, Board
from companion.boards.pieces import Group, Label, Piece, PieceSet
from companion.errors import quoted

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Placement:
    """A piece on a site, with the face that is up and the direction it looks in.

    ``piece`` is None where the face is shared by several and nothing tells which it is: one of ``among`` then. ``site`` is a
    cell, a place, a zone, or two cells joined. ``rank``: how many pieces lie before it in the order of its zone; None where a
    zone has no order, and elsewhere.
    """

    piece: str | None
    site: str
    face: str | None = None
    heading: str | None = None
    among: tuple[str, ...] = ()
    rank: int | None = None

    @property
    def any_piece(self) -> str:
        """A piece that it may be: the one it is, or the first of ``among``."""
        return self.piece if self.piece is not None else self.among[0]


def encode(placements: Iterable[Placement], board: Board, pieces: PieceSet) -> Json:
    """Placements in the keys of a position's JSON, one key a group of pieces."""
    by_group: dict[str, list[Placement]] = {key: [] for key in pieces.groups}
    for placement in placements:
        by_group[pieces.pieces[placement.any_piece].group].append(placement)
    return {key: _ENCODERS[pieces.groups[key].layout](mine, board, pieces) for key, mine in by_group.items()}


def decode(state: Mapping[str, Any], board: Board, pieces: PieceSet) -> tuple[Placement, ...]:
    """The placements that a position's JSON speaks of, in the order of groups and pieces; keys that are no group are left out.

    A tile that is named by what it shows is the first of those that can show it and is not used up. Raises ValueError for more
    pieces than there are, KeyError or TypeError for JSON of another form.
    """
    found: list[Placement] = []
    for key, group in pieces.groups.items():
        if state.get(key) is not None:
            found += _DECODERS[group.layout](state[key], group, board, pieces)
    return tuple(found)


# --- to JSON --------------------------------------------------------------------------------------------------------


def _by_piece(mine: Sequence[Placement], board: Board, pieces: PieceSet) -> Json:
    order = {piece: number for number, piece in enumerate(pieces.pieces)}
    return {one.any_piece: _entry(one) for one in sorted(mine, key=lambda one: order[one.any_piece])}


def _entry(one: Placement) -> Json:
    entry = {"hex": one.site}
    if one.face is not None:
        entry["side"] = one.face
    if one.heading is not None:
        entry["facing"] = one.heading
    return entry


def _by_place(mine: Sequence[Placement], board: Board, pieces: PieceSet) -> Json:
    # A tile whose sides differ shows the side that is up; what is on its back is nobody's claim.
    return {one.site: _shows(one, pieces) for one in sorted(mine, key=lambda one: one.site)}


def _shows(one: Placement, pieces: PieceSet) -> Label | None:
    return one.face if one.face is not None else pieces.pieces[one.any_piece].label


def _places(mine: Sequence[Placement], board: Board, pieces: PieceSet) -> list[str]:
    return sorted(one.site for one in mine)


def _pairs(mine: Sequence[Placement], board: Board, pieces: PieceSet) -> list[list[str]]:
    return sorted(sorted(one.site.split(PAIR)) for one in mine)


def _lone(mine: Sequence[Placement], board: Board, pieces: PieceSet) -> Json | None:
    if not mine:
        return None
    face = mine[0].face
    return {"hex": mine[0].site, **({"side": face} if face is not None else {})}


def _value(mine: Sequence[Placement], board: Board, pieces: PieceSet) -> int | None:
    return board.places[mine[0].site].value if mine else None


def _by_zone(mine: Sequence[Placement], board: Board, pieces: PieceSet) -> Json:
    found: dict[str, list[str | None]] = {}
    ordered = sorted(mine, key=lambda one: (one.site, one.rank if one.rank is not None else 0, one.piece or "", one.face or ""))
    for one in ordered:
        found.setdefault(one.site, []).append(one.piece if one.piece is not None else one.face)
    return dict(found)


_ENCODERS: Mapping[str, Callable[[Sequence[Placement], Board, PieceSet], Any]] = MappingProxyType(
    {
        "by-piece": _by_piece, "by-place": _by_place, "places": _places, "value": _value, "pairs": _pairs, "lone": _lone,
        "by-zone": _by_zone,
    }
)  # fmt: skip


# --- from JSON ------------------------------------------------------------------------------------------------------


def _pieces_at(content: Mapping[str, Json], group: Group, board: Board, pieces: PieceSet) -> list[Placement]:
    return [
        Placement(name, entry["hex"], entry.get("side"), entry.get("facing"))
        for name, entry in content.items()
        if entry.get("hex") is not None
    ]


def _labels_at(content: Mapping[str, Label], group: Group, board: Board, pieces: PieceSet) -> list[Placement]:
    left = list(pieces.in_group(group.key))
    # What fewer pieces can show is taken first: a side on the back of all must not use up the last of another kind.
    rarest = sorted(content.items(), key=lambda entry: sum(_can_show(piece, entry[1]) for piece in left))
    found = {site: _taken(left, label, site, group, pieces) for site, label in rarest}
    return [found[site] for site in content]


def _can_show(piece: Piece, label: object) -> bool:
    return label in (piece.faces or (piece.label,))


def _taken(left: list[Piece], label: Label, site: str, group: Group, pieces: PieceSet) -> Placement:
    """The first piece left that can show a label, put on a site; it is left no longer."""
    piece = next((piece for piece in left if _can_show(piece, label)), None)
    if piece is None:
        raise ValueError(f"no {group.singular} is left that shows {quoted(label)}")
    left.remove(piece)
    face = str(label) if piece.faces else None
    among = pieces.sharing(piece.id, face)
    return Placement(None if among else piece.id, site, face, None, among)


def _nameless_at(content: Sequence[Any], group: Group, board: Board, pieces: PieceSet) -> list[Placement]:
    mine = pieces.in_group(group.key)
    if len(content) > len(mine):
        raise ValueError(f"{len(content)} {group.key} are laid, there are {len(mine)}")
    sites = [site if isinstance(site, str) else PAIR.join(site) for site in content]
    return [Placement(piece.id, site) for piece, site in zip(mine, sites, strict=False)]


def _lone_at(content: Json, group: Group, board: Board, pieces: PieceSet) -> list[Placement]:
    return [Placement(pieces.in_group(group.key)[0].id, content["hex"], content.get("side"))]


def _value_at(content: int, group: Group, board: Board, pieces: PieceSet) -> list[Placement]:
    site = next((p.id for p in board.places.values() if p.kind in group.on and p.value == content), None)
    if site is None:
        raise ValueError(f"no place for the {group.singular} has the value {quoted(content)}")
    return [Placement(pieces.in_group(group.key)[0].id, site)]


def _cards_at(content: Mapping[str, Sequence[str]], group: Group, board: Board, pieces: PieceSet) -> list[Placement]:
    named = {card for cards in content.values() for card in cards}
    backs = [piece for piece in pieces.in_group(group.key) if piece.id not in named]
    found = []
    for zone, cards in content.items():
        ordered = board.zones[zone].order is not None
        for rank, card in enumerate(cards):
            piece = pieces.pieces.get(card)
            if piece is None:
                found.append(_taken(backs, card, zone, group, pieces))
            else:
                up = [face for face in piece.faces if not pieces.sharing(card, face)]
                found.append(Placement(card, zone, up[0] if up else None))
            if ordered:
                one = found[-1]
                found[-1] = Placement(one.piece, one.site, one.face, one.heading, one.among, rank)
    return found


_DECODERS: Mapping[str, Callable[[Any, Group, Board, PieceSet], list[Placement]]] = MappingProxyType(
    {
        "by-piece": _pieces_at, "by-place": _labels_at, "places": _nameless_at, "value": _value_at, "pairs": _nameless_at,
        "lone": _lone_at, "by-zone": _cards_at,
    }
)  # fmt: skip

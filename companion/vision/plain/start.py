"""What a known position puts where: the labels that a start picture gives by itself."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from companion.boards import PAIR, Board, Group, Piece, PieceSet, Point
from companion.errors import BadInput, quoted

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LaidPiece:
    """One piece of a known position. ``height_mm`` is that of its top face above the board."""

    piece: str
    group: str
    place: str
    face: str | None
    facing: str | None
    mm: Point
    height_mm: float
    size_mm: tuple[float, float]
    round: bool


def placements(board: Board, pieces: PieceSet, state: Json) -> tuple[LaidPiece, ...]:
    """Every piece of a position. Raises BadInput for a piece or place this board does not have."""
    found: list[LaidPiece] = []
    for key, group in pieces.groups.items():
        content = state.get(key)
        if content is None:
            continue
        for laid in _LAYOUTS[group.layout](content, group, pieces.in_group(key), board):
            if any(cell not in board.cells and cell not in board.places for cell in laid.place.split(PAIR)):
                raise BadInput(f"the start position puts {laid.piece} on {quoted(laid.place)}, which is not on this board")
            found.append(
                LaidPiece(
                    laid.piece, key, laid.place, laid.face, laid.facing, board.mm(laid.place), group.height_mm, group.size_mm,
                    group.shape == "disc",
                )
            )  # fmt: skip
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Laid:
    piece: str
    place: str
    face: str | None = None
    facing: str | None = None


def _by_piece(content: Json, group: Group, members: Sequence[Piece], board: Board) -> list[_Laid]:
    names = {piece.id for piece in members}
    for piece in content:
        if piece not in names:
            raise BadInput(f"the start position names {quoted(piece)}, which is no piece of this game")
    return [_Laid(piece, entry["hex"], entry.get("side"), entry.get("facing")) for piece, entry in content.items()]


def _by_place(content: Json, group: Group, members: Sequence[Piece], board: Board) -> list[_Laid]:
    left, found = list(members), dict[str, _Laid]()
    # A side may be on the back of several kinds of tile: those that are called by their side take theirs first.
    for place, label in sorted(content.items(), key=lambda item: not any(item[1] == piece.label for piece in members)):
        named = next((piece for piece in left if piece.label == label), None)
        piece = named or next((piece for piece in reversed(left) if label in piece.faces), None)
        if piece is None:
            raise BadInput(f"the start position wants one {group.singular} {quoted(label)} more than there is")
        left.remove(piece)
        found[place] = _Laid(piece.id, place, label if label in piece.faces else None)
    return [found[place] for place in content]


def _places(content: Sequence[str], group: Group, members: Sequence[Piece], board: Board) -> list[_Laid]:
    if len(content) > len(members):
        raise BadInput(f"the start position has {len(content)} {group.key}, but there are only {len(members)}")
    return [_Laid(piece.id, place) for piece, place in zip(members, content, strict=False)]


def _pairs(content: Sequence[Sequence[str]], group: Group, members: Sequence[Piece], board: Board) -> list[_Laid]:
    return _places([PAIR.join(sorted(pair)) for pair in content], group, members, board)


def _lone(content: Json, group: Group, members: Sequence[Piece], board: Board) -> list[_Laid]:
    return [] if content.get("hex") is None else [_Laid(members[0].id, content["hex"], content.get("side"))]


def _value(content: int, group: Group, members: Sequence[Piece], board: Board) -> list[_Laid]:
    place = next((p.id for p in board.places.values() if p.kind in group.on and p.value == content), None)
    if place is None:
        raise BadInput(f"the start position puts {group.singular} on {quoted(content)}, which is not on this board")
    return [_Laid(members[0].id, place)]


_LAYOUTS: Mapping[str, Callable[[Any, Group, Sequence[Piece], Board], list[_Laid]]] = MappingProxyType(
    {"by-piece": _by_piece, "by-place": _by_place, "places": _places, "pairs": _pairs, "lone": _lone, "value": _value}
)


def other_sides(board: Board, pieces: PieceSet, state: Json) -> dict[str, Any] | None:
    """The position for a third picture, so that every side of every piece is seen once: the start position with its two-sided
    pieces turned over, and for every side still missing a flat piece on the free place farthest from all others. None for games
    whose start position shows every side of every piece."""
    changed: dict[str, Any] = {}
    for key, group in pieces.groups.items():
        members, content = pieces.in_group(key), state.get(key)
        sides = list(dict.fromkeys(face for piece in members for face in piece.faces))
        if not sides or not content or group.layout not in ("by-place", "lone"):
            continue
        if group.layout == "lone":
            changed[key] = {**content, "side": next(side for side in sides if side != content.get("side"))}
            continue
        laid = {place.place: place for place in placements(board, replace(pieces, groups={key: group}), {key: content})}
        faces = {piece.id: piece.faces for piece in members}
        shown = {place: next(side for side in faces[one.piece] if side != one.face) for place, one in laid.items()}
        missing = [side for side in sides if side not in shown.values() and side not in content.values()]
        for side in missing:
            shown[_lonely(board, pieces, group, {**state, key: shown})] = side
        changed[key] = shown
    turned = _turned_over(state, pieces)
    return {**state, **turned, **changed} if turned or changed else None


def _turned_over(state: Json, pieces: PieceSet) -> dict[str, Any]:
    """The movable pieces of a position where they stand, each of several sides with its other one up."""
    found = {}
    for key, group in pieces.groups.items():
        faces = {piece.id: piece.faces for piece in pieces.in_group(key)}
        if group.layout == "by-piece" and any(len(faces[piece]) > 1 for piece in state.get(key) or ()):
            found[key] = {
                piece: {**entry, "side": next((side for side in faces[piece] if side != entry.get("side")), entry.get("side"))}
                for piece, entry in state[key].items()
            }
    return found


SIDE_UP = "{side} on {place}"
LONE_SIDE_UP = "the {kind} on {place}, {side} side up"
TURNED_OVER = "every {kind} turned over where it stands"


def sides_laid(state: Json, pieces: PieceSet) -> tuple[tuple[str, Mapping[str, str]], ...]:
    """What is to be laid for a position of ``other_sides``, each as a template and its words: of the flat pieces where, and
    which side up; the movable ones stand as at the start, with their second sides up."""
    found: list[tuple[str, Mapping[str, str]]] = []
    for key, group in pieces.groups.items():
        content = state.get(key)
        if content and group.layout == "by-place" and any(piece.faces for piece in pieces.in_group(key)):
            found += [(SIDE_UP, {"side": side, "place": place}) for place, side in content.items()]
        elif content and group.layout == "lone":
            found.append((LONE_SIDE_UP, {"kind": group.singular, "place": content["hex"], "side": content["side"]}))
        elif content and group.layout == "by-piece":
            found.append((TURNED_OVER, {"kind": group.singular}))
    return tuple(found)


def laid(state: Json, pieces: PieceSet) -> str:
    """The same as one line."""
    return ", ".join([*(text.format(**words) for text, words in sides_laid(state, pieces)), "all else as at the start"])


def _lonely(board: Board, pieces: PieceSet, group: Group, state: Json) -> str:
    """The free place for a piece of the group that lies farthest from all others."""
    taken = [board.mm(cell) for put in placements(board, pieces, state) for cell in put.place.split(PAIR)]
    free = sorted(board.of_kind(*group.on))
    return max(free, key=lambda cell: min((x - board.mm(cell)[0]) ** 2 + (y - board.mm(cell)[1]) ** 2 for x, y in taken))

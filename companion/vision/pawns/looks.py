"""What can be told of pawns and tokens by looking: their looks, and the pictures from which a copy was learnt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.boards import Board, Group, PieceSet
from companion.vision.camera import Registration
from companion.vision.frame import Image
from companion.vision.plain.start import LaidPiece, placements

LAYOUTS = ("by-piece", "by-place", "places", "value", "lone")
"""The layouts of the groups that are read: pieces of one site each."""


@dataclass(frozen=True, slots=True)
class PieceLook:
    """One look that a piece can have. ``pieces``: those that can show it, which nobody can tell apart by it; ``face``: the side
    that is up then, of pieces that have sides."""

    key: str
    group: str
    pieces: tuple[str, ...]
    face: str | None = None


def called(look: PieceLook, pieces: PieceSet) -> str:
    """What people call a look: the piece's name, with the side that is up where it has several."""
    name = pieces.pieces[look.pieces[0]].name
    return f"{name} ({look.face})" if look.face else name


@dataclass(frozen=True, eq=False)
class PawnTeaching:
    """An unmodified copy as one camera sees it. ``empty``: a picture of the bare board, in which it lies as ``registration``
    says; ``lessons``: pictures of known positions, each with the position in its own JSON keys."""

    board: str
    edition: str
    empty: Image
    registration: Registration
    lessons: tuple[tuple[Image, Mapping[str, Any]], ...] = ()


def groups(pieces: PieceSet) -> tuple[Group, ...]:
    """The groups of pawns and tokens."""
    return tuple(group for group in pieces.groups.values() if group.layout in LAYOUTS and group.shape in ("pawn", "token"))


def looks(pieces: PieceSet) -> tuple[PieceLook, ...]:
    """All looks of a game's pawns and tokens, in the order of the pieces."""
    found: dict[str, PieceLook] = {}
    for group in groups(pieces):
        own = pieces.in_group(group.key)
        for piece in own:
            for face in piece.faces or (None,):
                key = _key(group, piece.id, piece.label, face)
                among = tuple(
                    one.id for one in own if any(_key(group, one.id, one.label, side) == key for side in one.faces or (None,))
                )
                found.setdefault(key, PieceLook(key, group.key, among, face))
    return tuple(found.values())


def _key(group: Group, piece: str, label: object, face: str | None) -> str:
    """What pieces that look alike have in common. Those that are named one by one look each like themselves."""
    if group.layout == "by-piece":
        return f"{group.key}:{piece}:{face}"
    return f"{group.key}:{face or label or ''}"


def laid_looks(board: Board, pieces: PieceSet, state: Mapping[str, Any]) -> tuple[tuple[PieceLook, LaidPiece], ...]:
    """The pieces of a known position, each with the look it shows."""
    known = looks(pieces)
    found = []
    for one in placements(board, pieces, state):
        look = next((look for look in known if one.piece in look.pieces and look.face == one.face), None)
        if look is not None:
            found.append((look, one))
    return tuple(found)


def untaught(board: Board, pieces: PieceSet, lessons: Sequence[Mapping[str, Any]]) -> tuple[PieceLook, ...]:
    """The looks that no lesson shows."""
    shown = {look.key for state in lessons for look, _ in laid_looks(board, pieces, state)}
    return tuple(look for look in looks(pieces) if look.key not in shown)

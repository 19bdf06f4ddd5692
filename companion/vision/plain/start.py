"""What a known position puts where: the labels that a start picture gives by itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.boards import Board, PieceSet, Point
from companion.errors import BadInput

UNTEACHABLE = (
    "This game is read by stickers only: its start position does not show every side of its tiles, so an unmodified copy "
    "cannot be taught."
)


@dataclass(frozen=True, slots=True)
class Placement:
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


def placements(board: Board, pieces: PieceSet, state: Mapping[str, Any]) -> tuple[Placement, ...]:  # noqa: PLR0912 - one branch per layout
    """Every piece of a position. Raises BadInput for a piece or place this board does not have, and for a game some of whose
    pieces a start picture cannot teach: tiles with two sides, of which it shows one."""
    if any(group.layout in ("pairs", "lone") for group in pieces.groups.values()) or any(
        piece.faces and pieces.groups[piece.group].layout == "by-place" for piece in pieces.pieces.values()
    ):
        raise BadInput(UNTEACHABLE)
    found: list[Placement] = []

    def put(piece: str, place: str, face: str | None = None, facing: str | None = None) -> None:
        if place not in board.cells and place not in board.places:
            raise BadInput(f"the start position puts {piece} on {place!r}, which is not on this board")
        group = pieces.group_of(piece)
        found.append(
            Placement(
                piece, group.key, place, face, facing, board.mm(place), group.height_mm, group.size_mm, group.shape == "disc"
            )
        )

    for key, group in pieces.groups.items():
        content = state.get(key)
        members = list(pieces.in_group(key))
        if content is None:
            continue
        if group.layout == "by-piece":
            for piece, entry in content.items():
                if piece not in pieces.pieces:
                    raise BadInput(f"the start position names {piece!r}, which is no piece of this game")
                put(piece, entry["hex"], entry.get("side"), entry.get("facing"))
        elif group.layout == "by-place":
            for place, label in content.items():
                piece = next((member for member in members if member.label == label), None)
                if piece is None:
                    raise BadInput(f"the start position wants one {group.singular} {label!r} more than there is")
                members.remove(piece)
                put(piece.id, place)
        elif group.layout == "places":
            if len(content) > len(members):
                raise BadInput(f"the start position has {len(content)} {key}, but there are only {len(members)}")
            for piece, place in zip(members, content, strict=False):
                put(piece.id, place)
        else:
            place = next((p.id for p in board.places.values() if p.kind in group.on and p.value == content), None)
            if place is None:
                raise BadInput(f"the start position puts {group.singular} on {content!r}, which is not on this board")
            put(members[0].id, place)
    return tuple(found)

"""What of a position lies on the table: the part that a camera can claim."""

from typing import Any

from companion.boards import PieceSet
from companion.games.values import Position


def surface(pieces: PieceSet, position: Position) -> dict[str, Any]:
    """The part of a position that lies on the table, as JSON: no cards, nothing that only heads know.

    Of a piece that has left the board nothing is seen, its side included.
    """
    data = position.to_json()
    return {key: _seen(data[key]) for key in pieces.groups if key in data}


def _seen(entry: Any) -> Any:
    if not isinstance(entry, dict):
        return entry
    return {"hex": None} if entry.get("hex", "") is None else {key: _seen(inner) for key, inner in entry.items()}

"""The printed board and its pieces as plain JSON for whoever wants to draw them: geometry and names, no strokes.

All lengths are board millimetres: x to the right, y down, from the top left corner of the board.
"""

from math import hypot
from typing import Any

from companion.boards import Board, PieceSet, Point
from companion.boards.surface import GRAPH
from companion.host.diagram import marks


def board_json(board: Board, pieces: PieceSet) -> dict[str, Any]:
    """Everything needed to draw a board and to put pieces on it."""
    letters = marks(pieces)
    return {
        "id": board.id,
        "name": board.name,
        "edition": board.edition,
        "label": board.label,
        "size": board.size_mm,
        "frame": board.frame_mm,
        "frame_colours": dict(board.frame_colours),
        "cell": board.cell_mm,
        "doubts": _doubts(board, pieces),
        "drawing": dict(board.drawing),
        "labels": dict(board.labels),
        "surface": board.surface,
        "spacing": round(board.spacing_mm, 2),
        "links": _streets(board),
        "page": dict(board.page),
        "one_way": [list(link) for link in board.one_way],
        "directions": {name: _rounded(vector) for name, vector in _directions(board).items()},
        "cells": [
            {
                "id": cell.id,
                "kind": cell.kind,
                "name": board.called(cell.id),
                "decor": cell.decor,
                "at": _rounded(board.mm(cell.id)),
                "outline": [_rounded(corner) for corner in board.outline_mm(cell.id)],
            }
            for cell in board.cells.values()
        ],
        "places": [
            {
                "id": place.id,
                "kind": place.kind,
                "name": board.called(place.id),
                "at": _rounded(place.mm),
                "value": place.value,
                "gate": place.gate,
            }
            for place in board.places.values()
        ],
        "zones": [
            {
                "id": zone.id,
                "kind": zone.kind,
                "at": _rounded(zone.middle),
                "outline": [_rounded(corner) for corner in zone.outline_mm],
                "order": zone.order,
                "along": _rounded(zone.along),
                "masked": zone.masked,
            }
            for zone in board.zones.values()
        ],
        "groups": [
            {
                "key": group.key,
                "singular": group.singular,
                "shape": group.shape,
                "layout": group.layout,
                "size": group.size_mm,
                "on": list(group.on),
                "cells": group.cells,
                "spots": list(board.pairs(board.of_kind(*group.on))) if group.cells > 1 else [],
            }
            for group in pieces.groups.values()
        ],
        "pieces": [
            {
                "id": piece.id,
                "group": piece.group,
                "name": piece.name,
                "mark": letters[piece.id],
                "colour": piece.colour,
                "faces": list(piece.faces),
                "shared": [face for face in piece.faces if pieces.sharing(piece.id, face)],
                "facing": piece.facing,
                "label": piece.label,
            }
            for piece in pieces.pieces.values()
        ],
    }


def _doubts(board: Board, pieces: PieceSet) -> dict[str, list[str]]:
    """Pieces, or groups of pieces, whose start the sources tell differently, with the places they name."""
    doubts: dict[str, Any] = dict(board.doubts)
    known = {*pieces.pieces, *pieces.groups}
    return {subject: list(told["places"]) for subject, told in doubts.items() if told.get("places") and subject in known}


def _streets(board: Board) -> list[list[str]]:
    """The links of a graph that run both ways, each once; on hexes neighbours touch, and there is nothing to draw."""
    if board.surface != GRAPH:
        return []
    return [[cell, other] for cell, beside in board.beside.items() for other in dict.fromkeys(beside) if cell < other]


def _directions(board: Board) -> dict[str, Point]:
    """Mean unit vector of each direction over all links that carry its name."""
    found: dict[str, Point] = {}
    for direction in board.directions:
        pairs = [(board.mm(cell), board.mm(onward[direction])) for cell, onward in board.links.items() if direction in onward]
        x = sum(end[0] - start[0] for start, end in pairs)
        y = sum(end[1] - start[1] for start, end in pairs)
        length = hypot(x, y) or 1.0
        found[direction] = (x / length, y / length)
    return found


def _rounded(point: Point) -> list[float]:
    return [round(point[0], 2), round(point[1], 2)]

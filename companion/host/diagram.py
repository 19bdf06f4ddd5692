"""A position drawn as a small SVG picture, from the board's geometry alone: for reports, where no page is at hand."""

from collections.abc import Mapping
from html import escape
from typing import Any

from companion.boards import Board, PieceSet

Json = Mapping[str, Any]

_CELLS = {"street": "#e9e4d8", "manhole": "#d8d2c2", "gaslight": "#cfc9bd", "obstacle": "#8d8579"}
_COLOURS = {"orange": "#d9822b", "yellow": "#e3c21c", "brown": "#8a5a34", "black": "#222", "purple": "#7d4b9e"}
_INK_ON = {"yellow": "#222"}


def svg(board: Board, pieces: PieceSet, position: Json, width: int = 560) -> str:
    """The position (its JSON) as an SVG element. Turned-over discs are hollow; their ring keeps the colour."""
    wide, high = board.size_mm
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" width="{width}" role="img">',
        f'<rect width="{wide:g}" height="{high:g}" fill="#f7f4ec" rx="6"/>',
    ]
    for cell in board.cells.values():
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in board.outline_mm(cell.id, 0.96))
        parts.append(f'<polygon points="{points}" fill="{_CELLS.get(cell.kind, "#ddd")}"/>')
        if cell.kind == "manhole":
            x, y = board.mm(cell.id)
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="#6b675f"/>')
    for group in pieces.groups.values():
        held: Any = position.get(group.key)
        if group.layout == "by-place":
            parts += [_tile(board, spot, "#ffd84d", str(label)[:1] if label != "blank" else "") for spot, label in held.items()]
        elif group.layout == "places":
            parts += [_tile(board, spot, "#4f5b76", "") for spot in held]
        elif group.layout == "value" and held is not None:
            spots = [place.id for place in board.places.values() if place.kind in group.on and place.value == held]
            parts += [_tile(board, spot, "#b03030", str(held)) for spot in spots]
    for group in pieces.groups.values():
        if group.layout == "by-piece":
            parts += [_disc(board, pieces, name, entry) for name, entry in position[group.key].items() if entry.get("hex")]
    return "".join([*parts, "</svg>"])


def _tile(board: Board, spot: str, colour: str, label: str) -> str:
    x, y = board.mm(spot)
    text = f'<text x="{x:.1f}" y="{y + 4:.1f}" font-size="12" text-anchor="middle">{escape(label)}</text>' if label else ""
    return f'<rect x="{x - 11:.1f}" y="{y - 9:.1f}" width="22" height="18" rx="4" fill="{colour}"/>{text}'


def _disc(board: Board, pieces: PieceSet, name: str, entry: Json) -> str:
    piece = pieces.pieces[name]
    x, y = board.mm(entry["hex"])
    colour = _COLOURS.get(piece.colour or "", piece.colour or "#777")
    first = not piece.faces or entry.get("side") == piece.faces[0]
    fill, ink = (colour, _INK_ON.get(piece.colour or "", "#fff")) if first else ("#fff", "#222")
    label, arrow = escape(name[:2].capitalize()), ""
    if entry.get("facing"):
        ahead = board.step(entry["hex"], entry["facing"])
        to_x, to_y = board.mm(ahead) if ahead else (x, y)
        arrow = (
            f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{(x + to_x) / 2:.1f}" y2="{(y + to_y) / 2:.1f}" '
            'stroke="#fff8c0" stroke-width="6"/>'
        )
    return (
        f'{arrow}<circle cx="{x:.1f}" cy="{y:.1f}" r="15" fill="{escape(fill)}" stroke="{escape(colour)}" stroke-width="4"/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}" font-size="11" text-anchor="middle" fill="{ink}">{label}</text>'
    )

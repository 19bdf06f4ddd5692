"""A position drawn as a small SVG picture, from the board's geometry alone: for reports, where no page is at hand."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from companion.boards import Board, PieceSet

Json = Mapping[str, Any]

_CELLS = {
    "street": "#e9e4d8", "manhole": "#d8d2c2", "gaslight": "#cfc9bd", "obstacle": "#8d8579", "building": "#8d8579",
    "subway": "#c9d0e2", "pier": "#c9a877", "statue": "#b7d0b0", "port": "#b5d3e2", "exit": "#f6f1dc",
}  # fmt: skip
_COLOURS = {
    "orange": "#d9822b", "yellow": "#e3c21c", "brown": "#8a5a34", "black": "#222", "purple": "#7d4b9e", "tan": "#d3a768",
    "red": "#c0392b", "green": "#2e8b57", "white": "#f4f1ea",
}  # fmt: skip
_INK_ON = {"yellow": "#222", "tan": "#222", "white": "#222"}
_TILES = {"subway": "#9fb0e8", "lamp": "#ffd84d", "building": "#c58672", "park": "#9bcf8f"}


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
        elif cell.kind not in ("street", "obstacle", "gaslight"):
            parts.append(_word(board, cell.id, cell.kind))
    parts += [_way(board, origin, to) for origin, to in board.one_way]
    for group in pieces.groups.values():
        held: Any = position.get(group.key)
        if group.layout == "by-place":
            parts += [_tile(board, spot, _TILES.get(str(label), "#ffd84d"), _shown(label)) for spot, label in held.items()]
        elif group.layout == "places":
            parts += [_tile(board, spot, "#4f5b76", "") for spot in held]
        elif group.layout == "pairs":
            parts += [_beam(board, pair) for pair in held]
        elif group.layout == "value" and held is not None:
            spots = [place.id for place in board.places.values() if place.kind in group.on and place.value == held]
            parts += [_tile(board, spot, "#b03030", str(held)) for spot in spots]
    for group in pieces.groups.values():
        if group.layout == "by-piece":
            parts += [_disc(board, pieces, name, entry) for name, entry in position[group.key].items() if entry.get("hex")]
        elif group.layout == "lone" and (position[group.key] or {}).get("hex"):
            parts.append(_disc(board, pieces, pieces.in_group(group.key)[0].id, position[group.key]))
    return "".join([*parts, "</svg>"])


def _shown(label: Any) -> str:
    """What is written on a tile: a number, or the side that is up; two letters tell sides apart without any colour."""
    return "" if label == "blank" else str(label)[:2].capitalize()


def _word(board: Board, cell: str, kind: str) -> str:
    x, y = board.mm(cell)
    return f'<text x="{x:.1f}" y="{y + 15:.1f}" font-size="7" text-anchor="middle" fill="#444">{escape(kind)}</text>'


def _way(board: Board, origin: str, to: str) -> str:
    """A way that runs one way only: a dotted line with a thick end where it leads."""
    (x, y), (to_x, to_y) = board.mm(origin), board.mm(to)
    end_x, end_y = x + (to_x - x) * 0.86, y + (to_y - y) * 0.86
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{end_x:.1f}" y2="{end_y:.1f}" stroke="#37617a" stroke-width="2" '
        f'stroke-dasharray="1 5"/><line x1="{end_x:.1f}" y1="{end_y:.1f}" x2="{x + (to_x - x) * 0.93:.1f}" '
        f'y2="{y + (to_y - y) * 0.93:.1f}" stroke="#37617a" stroke-width="6"/>'
    )


def _beam(board: Board, cells: Sequence[str]) -> str:
    """A piece that covers touching cells: a striped beam from one to the other."""
    (x, y), (to_x, to_y) = board.mm(cells[0]), board.mm(cells[-1])
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return (
        f'<line {ends} stroke="#8c1d15" stroke-width="13"/><line {ends} stroke="#fff" stroke-width="9" stroke-dasharray="5 5"/>'
    )


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

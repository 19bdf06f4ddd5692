"""A position drawn as a small SVG picture, from the board's data alone: for reports, where no page is at hand."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import escape
from math import atan2, degrees
from types import MappingProxyType
from typing import Any, cast

from companion.boards import Board, PieceSet, Point
from companion.boards.pieces import Group, Piece
from companion.boards.surface import GRAPH
from companion.host import diagram_symbols as symbols

Json = Mapping[str, Any]
_TURN = "turn"
_CROWDED, _FULL_WIDTH = 17.0, 30.0
"""How far two discs on one cell are drawn apart, and how wide they are at least for that."""


def svg(board: Board, pieces: PieceSet, position: Json, width: int = 760) -> str:
    """The position (its JSON) as an SVG element with the name of every cell. Turned-over discs are light inside their ring."""
    board, pieces = _in_units(board, pieces)
    wide, high = board.size_mm
    left, top, right, bottom = board.frame_mm
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" width="{width}" role="img" '
        f'aria-label="{escape(_told(pieces, position))}">',
        f'<rect width="{wide:g}" height="{high:g}" fill="#4a4238" rx="6"/>',
        f'<rect x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}" fill="#c9bfab"/>',
    ]
    parts += [_alley(board, place.mm, place.gate) for place in board.places.values() if place.gate]
    parts += _streets(board)
    parts += [_cell(board, cell) for cell in board.cells]
    parts += [_way(board, origin, to) for origin, to in board.one_way]
    held = [group for group in pieces.groups.values() if group.layout == "value"]
    for place in board.places.values():
        if place.kind == _TURN:
            now = any(position.get(group.key) == place.value for group in held if place.kind in group.on)
            parts.append(_put(place.mm, symbols.clock(place.value, now=now)))
    for group in pieces.groups.values():
        parts += _lying(board, pieces, group, position.get(group.key))
    parts += _discs(board, pieces, position)
    parts += [_name(board, spot) for spot in (*board.cells, *(place.id for place in board.places.values() if place.gate))]
    return "".join([*parts, "</svg>"])


_APART = 40.0
"""How far neighbouring sites lie apart in a diagram: letters and lines are made for that (hexes 40 mm apart)."""


def _in_units(board: Board, pieces: PieceSet) -> tuple[Board, PieceSet]:
    """Board and pieces in units of the diagram. Hexes are drawn in millimetres; the sites of a graph may lie 8 mm apart or 80,
    and are drawn as far apart as hexes are."""
    if board.surface != GRAPH:
        return board, pieces
    by = _APART / board.spacing_mm
    (width, height), groups = board.size_mm, pieces.groups.values()
    larger = {group.key: replace(group, size_mm=(group.size_mm[0] * by, group.size_mm[1] * by)) for group in groups}
    return board.scaled((width * by, height * by)), replace(pieces, groups=MappingProxyType(larger))


def _streets(board: Board) -> Iterator[str]:
    """The links of a graph that run both ways; on hexes neighbours touch, and there is nothing to draw."""
    for cell, beside in board.beside.items() if board.surface == GRAPH else ():
        for other in dict.fromkeys(beside):
            if cell < other:
                (x, y), (to_x, to_y) = board.mm(cell), board.mm(other)
                ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
                yield f'<line {ends} stroke="#ece6d9" stroke-width="4" stroke-linecap="round"/>'


def marks(pieces: PieceSet) -> dict[str, str]:
    """One or two letters a piece is known by: the beginning of its last name, or of the last word that tells it from another of
    its group, as short as it stays apart."""
    last = {piece.id: _telling_word(piece, pieces) for piece in pieces.pieces.values()}
    found = {}
    for piece in pieces.pieces.values():
        others = {last[other.id] for other in pieces.in_group(piece.group)} - {last[piece.id]}
        length = next((n for n in (1, 2) if not any(other[:n] == last[piece.id][:n] for other in others)), 3)
        found[piece.id] = last[piece.id][:length]
    return found


def _telling_word(piece: Piece, pieces: PieceSet) -> str:
    """The last word of a name; where another name of the group ends alike, the last that the other has not."""
    own = piece.name.split()
    alike = {word for other in pieces.in_group(piece.group) if other.name != piece.name for word in other.name.split()}
    return own[-1] if own[-1] not in alike else next((word for word in reversed(own) if word not in alike), own[-1])


def legend(board: Board, pieces: PieceSet) -> list[tuple[str, str]]:
    """Every symbol of a game's diagrams as an SVG of its own, with what it means, in English."""
    board, pieces = _in_units(board, pieces)
    letters = marks(pieces)
    found: list[tuple[str, str]] = []
    for group in pieces.groups.values():
        members = pieces.in_group(group.key) if group.layout == "by-piece" else ()
        found += [(_disc(piece, group, letters[piece.id], side=None), piece.name) for piece in members]
        turned = next((piece for piece in members if len(piece.faces) > 1), None)
        if turned is not None:
            found.append((_disc(turned, group, letters[turned.id], side=turned.faces[1]), f"turned over: {turned.faces[1]}"))
        found += _legend_of(group, pieces)
    kinds = dict.fromkeys(cell.decor or cell.kind for cell in board.cells.values())
    laid = {group.singular for group in pieces.groups.values()}
    printed = [kind for kind in kinds if kind in symbols.PRINTED and kind not in symbols.FACES]
    found += [(_plate(kind), f"place of a {kind}" if kind in laid else kind) for kind in printed]
    return [(_small(symbol), f"{word[:1].upper()}{word[1:]}") for symbol, word in found]


def _legend_of(group: Group, pieces: PieceSet) -> list[tuple[str, str]]:
    wide, high = group.size_mm
    members = pieces.in_group(group.key)
    if group.layout == "lone":
        return [(_disc(members[0], group, "", side=face), f"{members[0].name}, {face}") for face in members[0].faces]
    if group.layout == "by-place":
        faces = dict.fromkeys(face for piece in members for face in (piece.faces or (piece.label,)))
        if group.shape == "token":
            told = [(face, group.singular if len(faces) == 1 else f"{group.singular}: {face}") for face in faces]
            return [(_side_up(group, face, pieces), word) for face, word in told]
        if any(str(face) in symbols.FACES for face in faces):
            return [(symbols.tile(face, wide, high), f"{group.singular}: {face}") for face in faces]
        return [
            (symbols.tile(next(face for face in faces if (face == "blank") == bare), wide, high), f"{group.singular}{told}")
            for bare, told in ((False, " with its number"), (True, ", blank"))
            if any((face == "blank") == bare for face in faces)
        ]
    if group.layout in ("places", "pairs"):
        return [(_flat(group, None, 0.0), group.singular)]
    return []


def _told(pieces: PieceSet, position: Json) -> str:
    """Where the discs are, for those who hear the diagram."""
    for group in pieces.groups.values():
        if group.layout == "by-piece":
            lying = {name: entry["hex"] for name, entry in position[group.key].items() if entry.get("hex")}
            return ", ".join(f"{pieces.pieces[name].name} {cell}" for name, cell in lying.items())
    return ""


def _put(at: Point, symbol: str, what: str = "") -> str:
    told = f' data-piece="{escape(what)}"' if what else ""
    return f'<g transform="translate({at[0]:.1f} {at[1]:.1f})"{told}>{symbol}</g>'


def _small(symbol: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-24 -24 48 48" width="34" aria-hidden="true">{symbol}</svg>'


def _plate(kind: str) -> str:
    outline = "20.5,0 10.2,18 -10.2,18 -20.5,0 -10.2,-18 10.2,-18"
    return f'<polygon points="{outline}" fill="{symbols.PLATES.get(kind, "#ddd")}"/>{symbols.PRINTED.get(kind, "")}'


def _cell(board: Board, name: str) -> str:
    cell = board.cells[name]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in board.outline_mm(name, 0.97))
    kind = cell.decor or cell.kind
    fill = symbols.PLATES.get(kind) or _ground(board, name)
    plate = f'<polygon points="{points}" fill="{fill}" stroke="#b9af9c" stroke-width=".8"/>'
    return plate + (_put(board.mm(name), symbols.PRINTED[kind]) if kind in symbols.PRINTED else "")


def _ground(board: Board, name: str) -> str:
    """The colour by day that the board file gives a cell's kind."""
    said = board.drawing.get("ground", {}).get(board.kind(name), {}).get("fill")
    pair = board.drawing.get("colours", {}).get(said, (said, said))
    return pair[1] if isinstance(pair[1], str) and pair[1].startswith("#") else "#ddd"


def _name(board: Board, spot: str) -> str:
    """The name of a cell, at its lower edge and over whatever lies there, so that it is never hidden."""
    if spot in board.cells and board.kind(spot) in ("obstacle", "building"):
        return ""
    x, y = board.mm(spot)
    return f'<text class="name" x="{x:.1f}" y="{y + 17.6:.1f}">{escape(spot)}</text>'


def _alley(board: Board, at: Point, gate: str | None) -> str:
    """A street that leaves the board."""
    x, y = board.mm(gate) if gate else at
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{at[0]:.1f}" y2="{at[1]:.1f}"'
    return f'<line {ends} stroke="#ece6d9" stroke-width="32" stroke-linecap="round"/>'


def _way(board: Board, origin: str, to: str) -> str:
    """A way that runs one way only: a dotted line with a thick end where it leads."""
    (x, y), (to_x, to_y) = board.mm(origin), board.mm(to)
    end_x, end_y = x + (to_x - x) * 0.86, y + (to_y - y) * 0.86
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{end_x:.1f}" y2="{end_y:.1f}" stroke="#1f3f57" stroke-width="2" '
        f'stroke-dasharray="1 5"/><line x1="{end_x:.1f}" y1="{end_y:.1f}" x2="{x + (to_x - x) * 0.93:.1f}" '
        f'y2="{y + (to_y - y) * 0.93:.1f}" stroke="#1f3f57" stroke-width="6"/>'
    )


def _lying(board: Board, pieces: PieceSet, group: Group, held: Any) -> Iterator[str]:
    """The tiles and strips of a group."""
    if group.layout == "by-place":
        yield from (
            _put(board.mm(spot), _side_up(group, label, pieces), f"{group.singular}:{label}") for spot, label in held.items()
        )
    elif group.layout == "places":
        for spot in held:
            gate = board.places[spot].gate if spot in board.places else None
            turn = _turn(board.mm(gate), board.mm(spot)) + 90 if gate else 0.0
            yield _put(board.mm(spot), _flat(group, spot, turn), group.singular)
    elif group.layout == "pairs":
        for first, second in held:
            (x, y), (to_x, to_y) = board.mm(first), board.mm(second)
            symbol = symbols.barricade(*group.size_mm, _turn((x, y), (to_x, to_y)))
            yield _put(((x + to_x) / 2, (y + to_y) / 2), symbol, group.singular)


def _side_up(group: Group, label: object, pieces: PieceSet) -> str:
    """A piece that goes by what it shows: a tile with its picture or number, or a token with the letters of what it shows."""
    if group.shape != "token":
        return symbols.tile(label, *group.size_mm)
    showing = next((piece for piece in pieces.in_group(group.key) if label in (*piece.faces, piece.label)), None)
    return symbols.token(str(label)[:1].upper(), showing.colour if showing else None, group.size_mm[0] / 2)


def _flat(group: Group, spot: str | None, turn: float) -> str:
    wide, high = group.size_mm
    if group.shape == "hexagon":
        return symbols.tile(None, wide, high, covers=True)
    if group.cells > 1:
        return symbols.barricade(wide if spot else 44, high, turn)
    return symbols.steamboat() if "port" in group.on else symbols.cordon(wide, high, turn)


def _discs(board: Board, pieces: PieceSet, position: Json) -> Iterator[str]:
    """Discs of characters and lone ones; two on one cell stand a little apart."""
    letters = marks(pieces)
    found: list[tuple[Piece, Group, Json]] = []
    for group in pieces.groups.values():
        held = position.get(group.key)
        if group.layout == "by-piece" and held:
            found += [(pieces.pieces[name], group, entry) for name, entry in held.items() if entry.get("hex")]
        elif group.layout == "lone" and (held or {}).get("hex"):
            found.append((pieces.in_group(group.key)[0], group, cast("Json", held)))
    crowd, placed = Counter(entry["hex"] for _, _, entry in found), Counter[str]()
    for piece, group, entry in found:
        cell, facing = entry["hex"], entry.get("facing")
        x, y = board.mm(cell)
        x += (placed[cell] - (crowd[cell] - 1) / 2) * _CROWDED * min(1.0, group.size_mm[0] / _FULL_WIDTH)
        placed[cell] += 1
        turn = _direction(board, cell, facing) if facing else None
        yield _put((x, y), _disc(piece, group, letters[piece.id], side=entry.get("side"), turn=turn), piece.id)


def _disc(piece: Piece, group: Group, mark: str, *, side: str | None, turn: float | None = None) -> str:
    turned = len(piece.faces) > 1 and side == piece.faces[1]
    token = symbols.TOKENS.get(side or "", "")
    return symbols.disc(mark, piece.colour, group.size_mm[0] / 2, turned=turned, token=token, turn=turn)


def _direction(board: Board, cell: str, facing: str) -> float:
    """Degrees towards a direction, also where the board ends."""
    ahead = board.step(cell, facing)
    if ahead is None:
        cell, ahead = next((one, onward[facing]) for one, onward in board.links.items() if facing in onward)
    return _turn(board.mm(cell), board.mm(ahead))


def _turn(start: Point, end: Point) -> float:
    return degrees(atan2(end[1] - start[1], end[0] - start[0]))

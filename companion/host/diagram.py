"""A position drawn as a small SVG picture, from the board's data alone: for reports, where no page is at hand."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from math import atan2, degrees, hypot
from types import MappingProxyType
from typing import Any, cast

from companion.boards import Board, PieceSet, Point, Zone
from companion.boards.pieces import Group, Piece
from companion.boards.surface import GRAPH
from companion.host.diagram_look import BUILT, Look, clock

Json = Mapping[str, Any]
_TURN, BLANK = "turn", "blank"
SMALL = 44.0  # mm: what is wider is drawn smaller in the legend
_APART = 40.0
"""How far neighbouring sites lie apart in a diagram: letters and lines are made for that (hexes 40 mm apart)."""
_CROWDED, _FULL_WIDTH = 17.0, 30.0
"""How far two discs on one cell are drawn apart, and how wide they are at least for that."""


def svg(
    board: Board,
    pieces: PieceSet,
    position: Json,
    width: int = 760,
    *,
    way: Sequence[str] = (),
    marked: Sequence[str] = (),
) -> str:
    """The position (its JSON) as an SVG element with the name of every cell. Turned-over discs are light inside their ring.
    ``way``: spots in order that a numbered line leads through; ``marked``: spots with a ring; of a
    large board the part around both is drawn."""
    board, pieces = _in_units(board, pieces)
    look = Look(board)
    wide, high = board.size_mm
    left, top, right, bottom = board.frame_mm
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_view(board, (*way, *marked))}" width="{width}" role="img" '
        f'aria-label="{escape(_told(pieces, position))}">',
        f'<rect width="{wide:g}" height="{high:g}" fill="#4a4238" rx="6"/>',
        f'<rect x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}" fill="#c9bfab"/>',
    ]
    parts += [_alley(board, place.mm, place.gate) for place in board.places.values() if place.gate]
    parts += _streets(board)
    parts += [_cell(board, look, cell) for cell in board.cells]
    parts += [_way(board, origin, to) for origin, to in board.one_way]
    parts += [_zone(board, zone) for zone in board.zones.values()]
    held = [group for group in pieces.groups.values() if group.layout == "value"]
    for place in board.places.values():
        if place.kind == _TURN:
            now = any(position.get(group.key) == place.value for group in held if place.kind in group.on)
            parts.append(_put(place.mm, clock(place.value, now=now)))
    for group in pieces.groups.values():
        parts += _cards(board, look, pieces, group, position.get(group.key)) if group.layout == "by-zone" else ()
        parts += _lying(board, look, pieces, group, position.get(group.key))
    parts += _discs(board, look, pieces, position)
    parts += [
        _name(board, look, spot, bare=bool(way))
        for spot in (*board.cells, *(place.id for place in board.places.values() if place.gate))
    ]
    parts += [_ring(board, spot) for spot in marked]
    parts += _way_through(board, way)
    return "".join([*parts, "</svg>"])


_AROUND, _LEAST = 130.0, 620.0
"""How much of a board is drawn around a way that leads over a part of it, and how wide that is at least."""


def _view(board: Board, spots: Sequence[str]) -> str:
    """The part of the board that is drawn: around some spots, or all of it."""
    wide, high = board.size_mm
    if not spots or wide <= 2 * _LEAST:
        return f"0 0 {wide:g} {high:g}"
    xs, ys = zip(*(board.mm(spot) for spot in spots), strict=True)
    across = min(wide, max(max(xs) - min(xs) + 2 * _AROUND, (max(ys) - min(ys) + 2 * _AROUND) * wide / high, _LEAST))
    down = across * high / wide
    left = min(max((max(xs) + min(xs) - across) / 2, 0.0), wide - across)
    top = min(max((max(ys) + min(ys) - down) / 2, 0.0), high - down)
    return f"{left:.0f} {top:.0f} {across:.0f} {down:.0f}"


def _ring(board: Board, spot: str) -> str:
    x, y = board.mm(spot)
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="19" fill="none" stroke="#7a1fa2" stroke-width="5" data-marked="{escape(spot)}"/>'
    )


def _way_through(board: Board, spots: Sequence[str]) -> Iterator[str]:
    """A line through spots with the number of each step beside it; one that is met again has its numbers side by side."""
    if not spots:
        return
    points = [board.mm(spot) for spot in spots]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    for colour, wide in (("#fffdf6", 9), ("#b3261e", 4.5)):
        yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="{wide}" stroke-linejoin="round"/>'
    met = Counter[str]()
    for number, (spot, (x, y)) in enumerate(zip(spots, points, strict=True)):
        at = x + 15 + 17 * met[spot]
        met[spot] += 1
        yield (
            f'<circle cx="{at:.1f}" cy="{y - 14:.1f}" r="9.5" fill="#b3261e" stroke="#fffdf6" stroke-width="1.5"/>'
            f'<text x="{at:.1f}" y="{y - 10:.1f}" text-anchor="middle" fill="#fff" style="font-size:11px;font-weight:700" '
            f'data-step="{escape(spot)}">{number}</text>'
        )


def _in_units(board: Board, pieces: PieceSet) -> tuple[Board, PieceSet]:
    """Board and pieces in units of the diagram. Hexes are drawn in millimetres; the sites of a graph may lie 8 mm apart or 80,
    and are drawn as far apart as hexes are."""
    if board.surface != GRAPH:
        return board, pieces
    by = _APART / board.spacing_mm
    (width, height), groups = board.size_mm, pieces.groups.values()
    outlines = [[x for x, _ in board.outline_mm(cell)] for cell in board.cells]
    least = min(_FULL_WIDTH, by * max(max(xs) - min(xs) for xs in outlines))
    larger = {group.key: replace(group, size_mm=_drawn_size(group, by, least)) for group in groups}
    symbols = {
        name: [{**shape, "at": f"scale({by:.3f}) {shape.get('at', '')}".rstrip()} for shape in shapes]
        for name, shapes in board.drawing.get("symbols", {}).items()
    }
    drawn = replace(board.scaled((width * by, height * by)), drawing=MappingProxyType({**board.drawing, "symbols": symbols}))
    return drawn, replace(pieces, groups=MappingProxyType(larger))


def _drawn_size(group: Group, by: float, least: float) -> Point:
    """The size of a piece in units. From above a pawn is narrow and looks small, though it is what people look for: it is drawn
    no smaller than the widest site, ``least``."""
    width, height = group.size_mm[0] * by, group.size_mm[1] * by
    return (max(width, least), max(height, least)) if group.shape == "pawn" else (width, height)


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
    last = {piece: pieces.telling_word(piece) for piece in pieces.pieces}
    found = {}
    for piece in pieces.pieces.values():
        others = {last[other.id] for other in pieces.in_group(piece.group)} - {last[piece.id]}
        length = next((n for n in (1, 2) if not any(other[:n] == last[piece.id][:n] for other in others)), 3)
        found[piece.id] = last[piece.id][:length]
    return found


def legend(board: Board, pieces: PieceSet) -> list[tuple[str, str]]:
    """Every symbol of a game's diagrams as an SVG of its own, with what it means, in English."""
    board, pieces = _in_units(board, pieces)
    look, letters = Look(board), marks(pieces)
    found: list[tuple[str, str]] = []
    for group in pieces.groups.values():
        members = pieces.in_group(group.key) if group.layout == "by-piece" else ()
        found += [(look.disc(piece, group, letters[piece.id], side=None), piece.name) for piece in members]
        turned = next((piece for piece in members if len(piece.faces) > 1), None)
        if turned is not None:
            disc = look.disc(turned, group, letters[turned.id], side=turned.faces[1])
            found.append((disc, f"turned over: {turned.faces[1]}"))
        found += [(symbol, word.replace("-", " ")) for symbol, word in _legend_of(look, group, pieces)]
    laid = {group.singular for group in pieces.groups.values()}
    shown = {face for group in pieces.groups.values() for face in look.faces(group)}
    for kind, ground in {cell.decor or cell.kind: look.ground(cell.kind, cell.decor) for cell in board.cells.values()}.items():
        if look.printed(ground) and kind not in shown:
            found.append((_plate(look, ground), f"place of a {kind}" if kind in laid else kind))
    return [(_small(symbol), f"{word[:1].upper()}{word[1:]}") for symbol, word in found]


def _legend_of(look: Look, group: Group, pieces: PieceSet) -> list[tuple[str, str]]:
    members = pieces.in_group(group.key)
    if group.layout == "lone":
        return [(look.disc(members[0], group, "", side=face), f"{members[0].name}, {face}") for face in members[0].faces]
    if group.layout == "by-place":
        faces = dict.fromkeys(face for piece in members for face in (piece.faces or (piece.label,)))
        if group.shape == "token":
            told = [(face, group.singular if len(faces) == 1 else f"{group.singular}: {face}") for face in faces]
            return [(_side_up(look, group, face, pieces), word) for face, word in told]
        if look.faces(group):
            return [(look.tile(group, face), f"{group.singular}: {face}") for face in faces]
        return [
            (look.tile(group, next(face for face in faces if (face == BLANK) == bare)), f"{group.singular}{told}")
            for bare, told in ((False, " with its number"), (True, ", blank"))
            if any((face == BLANK) == bare for face in faces)
        ]
    return _legend_of_alike(look, group, pieces)


def _legend_of_alike(look: Look, group: Group, pieces: PieceSet) -> list[tuple[str, str]]:
    """Of cards the sides that several share; of pieces that all look alike one."""
    if group.layout == "by-zone":
        sides = (face for piece in pieces.in_group(group.key) for face in piece.faces if pieces.sharing(piece.id, face))
        half = '<g transform="scale(.5)">'
        return [
            (f"{half}{look.card(None, group, face=face)}</g>", f"{group.singular}: {face}") for face in dict.fromkeys(sides)
        ]
    if group.layout in ("places", "pairs"):
        wide, _ = group.size_mm
        symbol = _flat(look, group, 0.0)
        return [(symbol if wide <= SMALL else f'<g transform="scale({SMALL / wide:.2f})">{symbol}</g>', group.singular)]
    return []


def _told(pieces: PieceSet, position: Json) -> str:
    """Where the discs or the cards are, for those who hear the diagram."""
    for group in pieces.groups.values():
        if group.layout == "by-zone":
            zones = (position.get(group.key) or {}).items()
            return "; ".join(f"{zone}: {', '.join(_card_name(pieces, card) for card in cards)}" for zone, cards in zones)
        if group.layout == "by-piece":
            lying = {name: entry["hex"] for name, entry in position[group.key].items() if entry.get("hex")}
            return ", ".join(f"{pieces.pieces[name].name} {cell}" for name, cell in lying.items())
    return ""


def _card_name(pieces: PieceSet, card: str) -> str:
    """A card by its name; one that shows a side which several share by that side."""
    return pieces.pieces[card].name if card in pieces.pieces else card


def _put(at: Point, symbol: str, what: str = "") -> str:
    told = f' data-piece="{escape(what)}"' if what else ""
    return f'<g transform="translate({at[0]:.1f} {at[1]:.1f})"{told}>{symbol}</g>'


def _small(symbol: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-24 -24 48 48" width="34" aria-hidden="true">{symbol}</svg>'


def _plate(look: Look, ground: Json) -> str:
    return look.plate("20.5,0 10.2,18 -10.2,18 -20.5,0 -10.2,-18 10.2,-18", ground) + look.printed(ground)


def _cell(board: Board, look: Look, name: str) -> str:
    cell = board.cells[name]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in board.outline_mm(name, 0.97))
    ground = look.ground(cell.kind, cell.decor)
    printed = look.printed(ground)
    return look.plate(points, ground) + (_put(board.mm(name), printed) if printed else "")


def _name(board: Board, look: Look, spot: str, *, bare: bool = False) -> str:
    """The name of a cell, at its lower edge and over whatever lies there, so that it is never hidden; of a site of a graph,
    close below it. ``bare``: sites that the page does not name have none here either."""
    cell = board.cells.get(spot)
    ground = {} if cell is None else look.ground(cell.kind, None)
    unnamed = bare and board.surface == GRAPH and "label" in ground and ground["label"] is None
    if unnamed or ground.get("pattern") == BUILT:
        return ""
    (x, y), below, larger = board.mm(spot), 17.6, ""
    if board.surface == GRAPH and cell is not None:
        below, larger = max(corner[1] for corner in board.outline_mm(spot)) - y + 8, ' style="font-size:9px"'
    return f'<text class="name" x="{x:.1f}" y="{y + below:.1f}"{larger}>{escape(spot)}</text>'


def _zone(board: Board, zone: Zone) -> str:
    """An area of cards with its name at its upper edge."""
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in zone.outline_mm)
    outline = f'<polygon points="{corners}" fill="#ece6d9" stroke="#8b8578" stroke-width="1.4" stroke-dasharray="6 4"/>'
    name = escape(_zone_name(board, zone.id))
    return f'{outline}<text class="name" x="{zone.middle[0]:.1f}" y="{zone.box[1] + 9:.1f}">{name}</text>'


def _zone_name(board: Board, zone: str) -> str:
    """What an area of cards is called: as the board file has it, else by its id."""
    return board.labels.get(f"zone-{zone}", zone)


def card_mm(zone: Zone, size_mm: Point, rank: int, count: int) -> Point:
    """Where the middle of a card is drawn in its zone (board mm): side by side or staggered in a row, nearly upon each other
    in a stack, in a line where a zone has no order."""
    length = hypot(*zone.along)
    dx, dy = (zone.along[0] / length, zone.along[1] / length) if zone.order is not None else (1.0, 0.0)
    reach = [(x - zone.middle[0]) * dx + (y - zone.middle[1]) * dy for x, y in zone.outline_mm]
    span = abs(size_mm[0] * dx) + abs(size_mm[1] * dy)
    gap = min(5.0, span / 8) if zone.order == "stack" else span + 4
    step = min(gap, max(0.0, max(reach) - min(reach) - span - 6) / (count - 1)) if count > 1 else 0.0
    far = (min(reach) + span / 2 + 3 if zone.order == "row" else -step * (count - 1) / 2) + step * rank
    return zone.middle[0] + dx * far, zone.middle[1] + dy * far


def _cards(board: Board, look: Look, pieces: PieceSet, group: Group, held: Any) -> Iterator[str]:
    letters = marks(pieces)
    for zone, cards in (held or {}).items():
        for rank, name in enumerate(cards):
            piece = pieces.pieces.get(name)
            symbol = look.card(piece, group, letters.get(name, ""), None if piece is not None else name)
            yield _put(card_mm(board.zones[zone], group.size_mm, rank, len(cards)), symbol, name)


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


def _lying(board: Board, look: Look, pieces: PieceSet, group: Group, held: Any) -> Iterator[str]:
    """The tiles and strips of a group."""
    if group.layout == "by-place":
        yield from (
            _put(board.mm(spot), _side_up(look, group, face, pieces), f"{group.singular}:{face}") for spot, face in held.items()
        )
    elif group.layout == "places":
        for spot in held:
            gate = board.places[spot].gate if spot in board.places else None
            turn = _turn(board.mm(gate), board.mm(spot)) + 90 if gate else 0.0
            yield _put(board.mm(spot), _flat(look, group, turn), group.singular)
    elif group.layout == "pairs":
        for first, second in held:
            (x, y), (to_x, to_y) = board.mm(first), board.mm(second)
            symbol = look.strip(group, _turn((x, y), (to_x, to_y)))
            yield _put(((x + to_x) / 2, (y + to_y) / 2), symbol, group.singular)


def _side_up(look: Look, group: Group, face: object, pieces: PieceSet) -> str:
    """A piece that goes by what it shows: a tile, or a token with the letter of what it shows."""
    if group.shape != "token":
        return look.tile(group, face)
    showing = next(piece for piece in pieces.in_group(group.key) if face in (*piece.faces, piece.label))
    return look.disc(showing, group, str(face)[:1].upper(), side=str(face))


def _flat(look: Look, group: Group, turn: float) -> str:
    return look.tile(group, None) if group.shape == "hexagon" else look.strip(group, turn)


def _discs(board: Board, look: Look, pieces: PieceSet, position: Json) -> Iterator[str]:
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
        yield _put((x, y), look.disc(piece, group, letters[piece.id], side=entry.get("side"), turn=turn), piece.id)


def _direction(board: Board, cell: str, facing: str) -> float:
    """Degrees towards a direction, also where the board ends."""
    ahead = board.step(cell, facing)
    if ahead is None:
        cell, ahead = next((one, onward[facing]) for one, onward in board.links.items() if facing in onward)
    return _turn(board.mm(cell), board.mm(ahead))


def _turn(start: Point, end: Point) -> float:
    return degrees(atan2(end[1] - start[1], end[0] - start[0]))

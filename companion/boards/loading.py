"""Read board files (``format: board/1``) into :class:`Board` and :class:`PieceSet`, checking them on the way."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion import plugins
from companion.boards.board import PAIR, Board, Cell, Place
from companion.boards.drawing import drawing_faults, label_faults, page_faults
from companion.boards.pieces import LAYERS, NAMELESS, FrameMarker, Group, Piece, PieceSet, Sticker
from companion.boards.surface import GRAPH, HEXES, ORDERS, ZONES, SiteShape, Zone
from companion.errors import BadInput, InvalidBoard, quoted

FORMAT = "board/1"
_SURFACES = MappingProxyType({"hex-flat-top": HEXES, "graph": GRAPH, "zones": ZONES})
"""The kinds of ``layout`` of a board file."""
_SHAPES = ("hexagon", "circle", "square", "polygon")
Json = Mapping[str, Any]


_DATA = Path(__file__).parent / "data"
_BROUGHT = "board.json"
"""The board file in the package of a game that comes from outside (:mod:`companion.plugins`)."""


@cache
def _our_own() -> tuple[str, ...]:
    return tuple(sorted(file.stem for file in _DATA.glob("*.json")))


def available() -> tuple[str, ...]:
    """Ids of the boards that ship with the companion, then of those that packages of others bring."""
    return (*_our_own(), *(board_id for board_id in plugins.bringing(_BROUGHT) if board_id not in _our_own()))


def _shipped(board_id: str) -> Json:
    if board_id in _our_own():
        return _read(_DATA / f"{board_id}.json")
    folder = plugins.folder(board_id)
    if folder is None or not (folder / _BROUGHT).is_file():
        raise BadInput(f"board {quoted(board_id)} is not known; there are: {', '.join(available())}")
    data = _read(folder / _BROUGHT)
    if data.get("id") != board_id:
        raise BadInput(f"{folder / _BROUGHT}: the board has the id {quoted(data.get('id'))}, not {quoted(board_id)}")
    return data


@cache
def _read(file: Path) -> Json:
    return MappingProxyType(json.loads(file.read_text(encoding="utf-8")))


def shipped(board_id: str) -> Json:
    """The data of a shipped board file, or of one that a package brings, not to be changed. Raises BadInput for an unknown
    id."""
    return _shipped(board_id)


_ADOPTED: dict[tuple[str, str], Json] = {}
"""Editions out of the user's own files, by board and name (see :mod:`companion.boards.own`)."""


def take_over(board_id: str, edition: str, data: Json) -> None:
    """Let an edition be known from now on; its data was checked."""
    _ADOPTED[board_id, edition] = data


def adopted(board_id: str, edition: str) -> Json | None:
    """The data of an edition that was taken over."""
    return _ADOPTED.get((board_id, edition))


def editions(board_id: str) -> tuple[str, ...]:
    """Editions of a board, the default one first, those of the user's own files last."""
    data = _shipped(board_id)
    shipped = sorted(data["editions"], key=lambda edition: edition != data["default_edition"])
    return (*shipped, *(edition for board, edition in _ADOPTED if board == board_id and edition not in data["editions"]))


@cache
def load(board_id: str, edition: str | None = None) -> Board:
    """The board of that id, shipped or adopted. Raises BadInput for an unknown id or edition."""
    data = adopted(board_id, edition) if edition is not None else None
    return board_from_json(data or _shipped(board_id), edition, source=f"board {board_id}")


@cache
def load_pieces(board_id: str) -> PieceSet:
    """The pieces of a shipped board."""
    return pieces_from_json(_shipped(board_id), source=f"board {board_id}")


def start_faults(board: Board, pieces: PieceSet) -> list[str]:
    """Pieces of the start set-up that lie where pieces of their group may not lie, in words."""
    faults = []
    for key, laid in board.start.items():
        group = pieces.groups.get(key)
        if group is None or group.layout == "value":
            continue
        spots = _spots(laid, group.layout)
        for spot in spots:
            for cell in spot.split(PAIR):
                kind = board.kind_of(cell) if cell in board.spots else None
                if kind is None:
                    faults.append(f"the start set-up lays a {group.singular} on {quoted(cell)}, which is not on the board")
                elif kind not in group.on:
                    faults.append(
                        f"the start set-up lays a {group.singular} on {cell}, a {kind} ({', '.join(group.on)} allowed)"
                    )
        shared = sorted({spot for spot in spots if spots.count(spot) > 1 and spot not in board.zones})
        faults += [f"the start set-up lays two {key} on {spot}" for spot in shared]
    return faults


def _spots(laid: Any, layout: str) -> list[str]:
    if layout == "by-piece":
        return [entry["hex"] for entry in laid.values()]
    if layout == "lone":
        return [laid["hex"]]
    if layout == "pairs":
        return [PAIR.join(cells) for cells in laid]
    if layout == "by-zone":
        return [zone for zone, cards in laid.items() for _ in cards]
    return list(laid)


def board_from_json(data: Json, edition: str | None = None, source: str = "board") -> Board:
    """Build and check a board. Raises InvalidBoard with every fault, or BadInput for a format we do not know."""
    if data.get("format") != FORMAT:
        raise BadInput(f"{source}: format {quoted(data.get('format'))} is not {FORMAT!r}")
    edition = edition or data["default_edition"]
    variant = data["editions"].get(edition)
    if variant is None:
        raise BadInput(f"{source}: edition {quoted(edition)} is not known; there are: {', '.join(sorted(data['editions']))}")
    kinds = {cell: kind for kind, cells in variant.get("kinds", {}).items() for cell in cells}
    decor = {cell: name for name, cells in variant.get("decor", {}).items() for cell in cells}
    cells = {
        name: Cell(
            name,
            kinds.get(name, raw["kind"]),
            (float(raw["xy"][0]), float(raw["xy"][1])),
            decor.get(name),
            (raw["q"], raw["r"]) if "q" in raw else None,
            raw.get("name", ""),
        )
        for name, raw in data["cells"].items()
    }
    layout = data["layout"]
    surface = _SURFACES.get(layout["kind"])
    if surface is None:
        raise BadInput(f"{source}: layout {quoted(layout['kind'])} is not known; there are: {', '.join(_SURFACES)}")
    links = _hex_links(cells, layout["directions"]) if surface == HEXES else _listed_links(cells, layout, source)
    stray = [list(link) for link in layout.get("one_way", ()) if not {*link[:2]} <= cells.keys()]
    for origin, to, *label in layout.get("one_way", ()):
        if {origin, to} <= cells.keys():
            links[origin][f"{label[0] if label else 'one-way'}>{to}"] = to
    places = {
        name: Place(
            name,
            raw["kind"],
            (float(raw["mm"][0]), float(raw["mm"][1])),
            raw.get("value"),
            raw.get("gate"),
            raw.get("name", ""),
        )
        for name, raw in data.get("places", {}).items()
    }
    zones, printed = _zones(data.get("zones", {})), data["printed"]
    shapes = {name: _site_shape(name, raw, source) for name, raw in printed.get("sites", {}).items()}
    faults = [
        f"edition {edition} names cell {quoted(cell)}, which is not on the board" for cell in {*kinds, *decor} - cells.keys()
    ]
    faults += [f"the one-way link {' to '.join(link[:2])} names a cell that is not on the board" for link in stray]
    faults += _geometry_faults(cells) + (_connection_faults(links) if surface != ZONES else [])
    faults += _zone_faults(zones, cells, places)
    faults += _shape_faults(shapes, cells, surface, "cell_mm" in printed)
    faults += drawing_faults(data.get("drawing", {})) + label_faults(data.get("labels", {}))
    faults += page_faults(data.get("page", {}))
    faults += [
        f"place {p.id} leads from cell {quoted(p.gate)}, which is not on the board"
        for p in places.values()
        if p.gate and p.gate not in cells
    ]
    spacing = printed.get("spacing_mm")
    if spacing is not None and not spacing > 0:
        faults.append(f"spacing_mm is {spacing}, more than 0 is possible")
    folds = printed.get("folds", Board.folds)
    if not _are_folds(folds):
        faults.append(f"folds are {folds}, shares of the width and of the height are possible, each from less to more")
    if not isinstance(data.get("masked_outside", False), bool):
        faults.append("masked_outside is neither true nor false")
    if faults:
        raise InvalidBoard(source, faults)
    return Board(
        id=data["id"],
        name=data["name"],
        edition=edition,
        label=variant.get("label", edition),
        cells=MappingProxyType(cells),
        links=MappingProxyType({cell: MappingProxyType(onward) for cell, onward in links.items()}),
        directions=tuple(layout.get("directions", ())),
        headings=MappingProxyType(
            {} if surface == HEXES else {name: (float(x), float(y)) for name, (x, y) in layout.get("directions", {}).items()}
        ),
        places=MappingProxyType(places),
        size_mm=tuple(printed["board_mm"]),
        frame_mm=tuple(printed["frame_mm"]),
        cell_mm=_cell_mm(printed, shapes),
        frame_colours=MappingProxyType(printed.get("frame_colours", {})),
        start=MappingProxyType(variant.get("start", {})),
        doubts=MappingProxyType(variant.get("doubts", {})),
        lessons=tuple(MappingProxyType(lesson) for lesson in variant.get("lessons", ())),
        surface=surface,
        shapes=MappingProxyType(shapes),
        zones=MappingProxyType(zones),
        declared_spacing_mm=None if spacing is None else float(spacing),
        drawing=MappingProxyType(data.get("drawing", {})),
        labels=MappingProxyType(data.get("labels", {})),
        page=MappingProxyType(data.get("page", {})),
        masked_outside=data.get("masked_outside", False),
        folds=(tuple(folds[0]), tuple(folds[1])),
    )


def _cell_mm(printed: Json, shapes: Mapping[str, SiteShape]) -> tuple[float, float]:
    """The width and height of a cell; where only outlines are given, those of the largest."""
    if "cell_mm" in printed:
        return (float(printed["cell_mm"][0]), float(printed["cell_mm"][1]))
    return max((shape.size_mm for shape in shapes.values()), default=(0.0, 0.0))


def _site_shape(name: str, raw: Json, source: str) -> SiteShape:
    shape = raw["shape"]
    if shape not in _SHAPES:
        raise BadInput(f"{source}: the outline of {name} is a {quoted(shape)}; there are: {', '.join(_SHAPES)}")
    corners = tuple((float(x), float(y)) for x, y in raw.get("corners_mm", ()))
    if shape == "polygon":
        if len(corners) < 3:
            raise BadInput(f"{source}: the outline of {name} has {len(corners)} corners, a polygon has at least 3")
        xs, ys = zip(*corners, strict=True)
        return SiteShape(shape, (max(xs) - min(xs), max(ys) - min(ys)), corners)
    return SiteShape(shape, (float(raw["size_mm"][0]), float(raw["size_mm"][1])))


def _shape_faults(shapes: Mapping[str, SiteShape], cells: Mapping[str, Cell], surface: str, sized: bool) -> list[str]:
    """What is wrong with the outlines of cells; on a graph that is not ``sized`` all over alike every kind needs one."""
    kinds = {cell.kind for cell in cells.values()}
    if surface == HEXES:
        return (
            ["the cells of a board of hexes are hexagons of the size cell_mm: it takes no outlines of its own"]
            if shapes
            else []
        )
    missing = sorted(kinds - shapes.keys()) if surface == GRAPH and not sized else []
    faults = [f"no outline is given for cells of kind {kind}" for kind in missing]
    strange = sorted(shapes.keys() - kinds - cells.keys())
    return faults + [f"an outline is given for {quoted(name)}, which is no cell and no kind of cell" for name in strange]


def _zones(data: Json) -> dict[str, Zone]:
    return {
        name: Zone(
            name,
            raw["kind"],
            tuple((float(x), float(y)) for x, y in raw["outline_mm"]),
            raw.get("order"),
            (float(raw["along"][0]), float(raw["along"][1])) if "along" in raw else (1.0, 0.0),
            bool(raw.get("masked")),
        )
        for name, raw in data.items()
    }


def _are_folds(folds: object) -> bool:
    """Whether a file names shares of a width and of a height (each more than 0 and less than 1), from less to more."""
    if not (isinstance(folds, list | tuple) and len(folds) == 2 and all(isinstance(some, list | tuple) for some in folds)):
        return False
    shares = [share for some in folds for share in some]
    if not all(isinstance(share, float) and 0 < share < 1 for share in shares):
        return False
    return all(list(some) == sorted(set(some)) for some in folds)


def _zone_faults(zones: Mapping[str, Zone], cells: Mapping[str, Cell], places: Mapping[str, Place]) -> list[str]:
    faults = [f"zone {name} has the name of another spot" for name in zones.keys() & (cells.keys() | places.keys())]
    for name, zone in zones.items():
        if len(zone.outline_mm) < 3:
            faults.append(f"the outline of zone {name} has {len(zone.outline_mm)} corners, at least 3 are needed")
        if zone.order not in ORDERS:
            faults.append(f"zone {name} is ordered as {quoted(zone.order)}; there are: none, row, stack")
        if zone.along == (0.0, 0.0):
            faults.append(f"the direction of zone {name} has no length")
    return faults


def pieces_from_json(data: Json, source: str = "board") -> PieceSet:
    """Build and check the piece set of a board file."""
    groups = {
        key: Group(
            key, raw["singular"], raw["shape"], raw["layout"], tuple(raw["size_mm"]), float(raw["height_mm"]),
            tuple(raw["on"]), float(raw["marker_mm"]), float(raw["quiet_mm"]),
            int(raw.get("cells", 1)), tuple(raw.get("strays", ())),
            (float(raw["marker_at_mm"][0]), float(raw["marker_at_mm"][1])) if "marker_at_mm" in raw else (0.0, 0.0),
            float(raw.get("height_error_mm", 0.0)),
            tuple(raw["covered_by"]) if "covered_by" in raw else None,
            bool(raw.get("supply", False)), bool(raw.get("by_face", False)), tuple(raw.get("barred", ())),
        )
        for key, raw in data["groups"].items()
    }  # fmt: skip
    pieces = {
        name: Piece(
            name,
            raw["group"],
            raw["name"],
            tuple(raw.get("faces", ())),
            bool(raw.get("facing")),
            raw.get("label"),
            raw.get("colour"),
            bool(raw.get("wedge")),
        )
        for name, raw in data["pieces"].items()
    }
    stickers: dict[int, Sticker] = {}
    faults = [
        f"piece {piece.id} is in group {quoted(piece.group)}, which is not defined"
        for piece in pieces.values()
        if piece.group not in groups
    ]
    faults += [
        f"a {group.singular} is a {quoted(group.shape)}; there are: {', '.join(LAYERS)}"
        for group in groups.values()
        if group.shape not in LAYERS
    ]
    for name, raw in data["pieces"].items():
        for face, marker in raw.get("markers", {}).items():
            own = face if face in pieces[name].faces else None
            known = stickers.get(marker)
            if known is None:
                stickers[marker] = Sticker(marker, name, own)
            elif pieces[name].group in groups and _may_share(known, name, own, pieces, groups):
                stickers[marker] = replace(known, others=(*known.others, name))
            else:
                faults.append(f"marker {marker} stands for both {known.piece} and {name}")
    markers = data["markers"]
    frame = {
        raw["id"]: FrameMarker(raw["id"], corner, tuple(raw["centre_mm"]), raw["height_mm"], raw["side_mm"], raw["quiet_mm"])
        for corner, raw in markers["frame"].items()
    }
    if faults:
        raise InvalidBoard(source, faults)
    return PieceSet(
        MappingProxyType(groups), MappingProxyType(pieces), markers["dictionary"],
        MappingProxyType(stickers), MappingProxyType(frame), float(markers["frame_tolerance_mm"]),
    )  # fmt: skip


def _may_share(known: Sticker, name: str, face: str | None, pieces: Mapping[str, Piece], groups: Mapping[str, Group]) -> bool:
    """Whether a piece may carry a marker that another one carries: on the same side, of pieces that are entered without their
    names. Pieces with one side alone are told apart by nothing at all then, and need no marker each."""
    group = groups[pieces[name].group]
    alike = pieces[known.piece].group == group.key and known.face == face
    return alike and face is not None and group.layout in NAMELESS


def _hex_links(cells: Mapping[str, Cell], directions: Mapping[str, tuple[int, int]]) -> dict[str, dict[str, str]]:
    at = {cell.axial: cell.id for cell in cells.values() if cell.axial is not None}
    links: dict[str, dict[str, str]] = {cell: {} for cell in cells}
    for cell in cells.values():
        if cell.axial is not None:
            around = {name: (cell.axial[0] + dq, cell.axial[1] + dr) for name, (dq, dr) in directions.items()}
            links[cell.id] = {name: at[spot] for name, spot in around.items() if spot in at}
    return links


def _listed_links(cells: Mapping[str, Cell], layout: Json, source: str) -> dict[str, dict[str, str]]:
    links: dict[str, dict[str, str]] = {cell: {} for cell in cells}
    stray = [link for link in layout.get("links", ()) if not {*link[:2]} <= cells.keys()]
    if stray:
        raise InvalidBoard(
            source, [f"the link {one} to {other} names a cell that is not on the board" for one, other, *_ in stray]
        )
    for number, (one, other, *label) in enumerate(layout.get("links", ())):
        name = label[0] if label else f"link-{number}"
        links[one][f"{name}>{other}"] = other
        links[other][f"{name}>{one}"] = one
    return links


def _geometry_faults(cells: Mapping[str, Cell]) -> list[str]:
    seen: dict[tuple[float, float], str] = {}
    faults = []
    for cell in cells.values():
        spot = (round(cell.xy[0], 3), round(cell.xy[1], 3))
        if spot in seen:
            faults.append(f"cells {seen[spot]} and {cell.id} lie on one spot")
        seen[spot] = cell.id
    return faults


def _connection_faults(links: Mapping[str, Mapping[str, str]]) -> list[str]:
    if not links:
        return ["no cells"]
    touching: dict[str, set[str]] = {cell: set(onward.values()) for cell, onward in links.items()}
    for cell, onward in links.items():
        for other in onward.values():
            touching[other].add(cell)  # a one-way link connects as well
    first = next(iter(links))
    reached, queue = {first}, [first]
    while queue:
        for cell in touching[queue.pop()]:
            if cell not in reached:
                reached.add(cell)
                queue.append(cell)
    missing = sorted(links.keys() - reached)
    return [f"cells {', '.join(missing)} are not connected to {first}"] if missing else []

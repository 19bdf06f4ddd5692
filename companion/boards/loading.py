"""Read board files (``format: board/1``) into :class:`Board` and :class:`PieceSet`, checking them on the way."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from companion.boards.board import PAIR, Board, Cell, Place
from companion.boards.drawing import drawing_faults, label_faults
from companion.boards.pieces import FrameMarker, Group, Piece, PieceSet, Sticker
from companion.errors import BadInput, InvalidBoard

FORMAT = "board/1"
Json = Mapping[str, Any]


def available() -> tuple[str, ...]:
    """Ids of the boards that ship with the companion."""
    folder = resources.files("companion.boards") / "data"
    return tuple(sorted(entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json")))


@cache
def _shipped(board_id: str) -> Json:
    if board_id not in available():
        raise BadInput(f"board {board_id!r} is not known; there are: {', '.join(available())}")
    text = (resources.files("companion.boards") / "data" / f"{board_id}.json").read_text(encoding="utf-8")
    return MappingProxyType(json.loads(text))


def shipped(board_id: str) -> Json:
    """The data of a shipped board file, not to be changed. Raises BadInput for an unknown id."""
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
                place = board.places.get(cell)
                kind = place.kind if place else board.cells[cell].kind if cell in board else None
                if kind is None:
                    faults.append(f"the start set-up lays a {group.singular} on {cell!r}, which is not on the board")
                elif kind not in group.on:
                    faults.append(
                        f"the start set-up lays a {group.singular} on {cell}, a {kind} ({', '.join(group.on)} allowed)"
                    )
        faults += [f"the start set-up lays two {key} on {spot}" for spot in sorted({*spots}) if spots.count(spot) > 1]
    return faults


def _spots(laid: Any, layout: str) -> list[str]:
    if layout == "by-piece":
        return [entry["hex"] for entry in laid.values()]
    if layout == "lone":
        return [laid["hex"]]
    if layout == "pairs":
        return [PAIR.join(cells) for cells in laid]
    return list(laid)


def board_from_json(data: Json, edition: str | None = None, source: str = "board") -> Board:
    """Build and check a board. Raises InvalidBoard with every fault, or BadInput for a format we do not know."""
    if data.get("format") != FORMAT:
        raise BadInput(f"{source}: format {data.get('format')!r} is not {FORMAT!r}")
    edition = edition or data["default_edition"]
    variant = data["editions"].get(edition)
    if variant is None:
        raise BadInput(f"{source}: edition {edition!r} is not known; there are: {', '.join(sorted(data['editions']))}")
    kinds = {cell: kind for kind, cells in variant.get("kinds", {}).items() for cell in cells}
    decor = {cell: name for name, cells in variant.get("decor", {}).items() for cell in cells}
    cells = {
        name: Cell(
            name,
            kinds.get(name, raw["kind"]),
            (float(raw["xy"][0]), float(raw["xy"][1])),
            decor.get(name),
            (raw["q"], raw["r"]) if "q" in raw else None,
        )
        for name, raw in data["cells"].items()
    }
    layout = data["layout"]
    links = _hex_links(cells, layout["directions"]) if layout["kind"].startswith("hex") else _listed_links(cells, layout)
    stray = [list(link) for link in layout.get("one_way", ()) if not {*link[:2]} <= cells.keys()]
    for origin, to, *label in layout.get("one_way", ()):
        if {origin, to} <= cells.keys():
            links[origin][f"{label[0] if label else 'one-way'}>{to}"] = to
    places = {
        name: Place(name, raw["kind"], (float(raw["mm"][0]), float(raw["mm"][1])), raw.get("value"), raw.get("gate"))
        for name, raw in data.get("places", {}).items()
    }
    faults = [f"edition {edition} names cell {cell!r}, which is not on the board" for cell in {*kinds, *decor} - cells.keys()]
    faults += [f"the one-way link {' to '.join(link[:2])} names a cell that is not on the board" for link in stray]
    faults += _geometry_faults(cells) + _connection_faults(links) + drawing_faults(data.get("drawing", {}))
    faults += label_faults(data.get("labels", {}))
    faults += [
        f"place {p.id} leads from cell {p.gate!r}, which is not on the board"
        for p in places.values()
        if p.gate and p.gate not in cells
    ]
    if faults:
        raise InvalidBoard(source, faults)
    printed = data["printed"]
    return Board(
        id=data["id"],
        name=data["name"],
        edition=edition,
        label=variant.get("label", edition),
        cells=MappingProxyType(cells),
        links=MappingProxyType({cell: MappingProxyType(onward) for cell, onward in links.items()}),
        directions=tuple(layout.get("directions", ())),
        places=MappingProxyType(places),
        size_mm=tuple(printed["board_mm"]),
        frame_mm=tuple(printed["frame_mm"]),
        cell_mm=tuple(printed["cell_mm"]),
        frame_colours=MappingProxyType(printed.get("frame_colours", {})),
        start=MappingProxyType(variant.get("start", {})),
        doubts=MappingProxyType(variant.get("doubts", {})),
        drawing=MappingProxyType(data.get("drawing", {})),
        labels=MappingProxyType(data.get("labels", {})),
    )


def pieces_from_json(data: Json, source: str = "board") -> PieceSet:
    """Build and check the piece set of a board file."""
    groups = {
        key: Group(
            key, raw["singular"], raw["shape"], raw["layout"], tuple(raw["size_mm"]), float(raw["height_mm"]),
            tuple(raw["on"]), float(raw["marker_mm"]), float(raw["quiet_mm"]),
            int(raw.get("cells", 1)), tuple(raw.get("strays", ())),
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
        f"piece {piece.id} is in group {piece.group!r}, which is not defined"
        for piece in pieces.values()
        if piece.group not in groups
    ]
    for name, raw in data["pieces"].items():
        for face, marker in raw.get("markers", {}).items():
            if marker in stickers:
                faults.append(f"marker {marker} stands for both {stickers[marker].piece} and {name}")
            stickers[marker] = Sticker(marker, name, face if face in pieces[name].faces else None)
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


def _hex_links(cells: Mapping[str, Cell], directions: Mapping[str, tuple[int, int]]) -> dict[str, dict[str, str]]:
    at = {cell.axial: cell.id for cell in cells.values() if cell.axial is not None}
    links: dict[str, dict[str, str]] = {cell: {} for cell in cells}
    for cell in cells.values():
        if cell.axial is not None:
            around = {name: (cell.axial[0] + dq, cell.axial[1] + dr) for name, (dq, dr) in directions.items()}
            links[cell.id] = {name: at[spot] for name, spot in around.items() if spot in at}
    return links


def _listed_links(cells: Mapping[str, Cell], layout: Json) -> dict[str, dict[str, str]]:
    links: dict[str, dict[str, str]] = {cell: {} for cell in cells}
    for number, (one, other, *label) in enumerate(layout["links"]):
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

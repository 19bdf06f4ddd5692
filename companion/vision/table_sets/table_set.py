"""Table sets: a folder of pictures of one table with a ``table.json`` that describes camera and markers.

Only ``camera``, ``markers`` and the pictures of kind ``empty``, ``start`` and ``other-sides`` are used here: the bare board,
the start position, and (in games whose start does not show every side) the start with its two-sided pieces turned over. What
the file says about the other pictures is the truth that readings are measured against; it is read in
:mod:`companion.vision.table_sets.truth` alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from companion.boards import Board, FrameMarker, Group, PieceSet, Sticker, load, load_pieces
from companion.boards.json_file import read_object
from companion.errors import BadInput, quoted, stopped_by
from companion.vision.camera import Lens
from companion.vision.pictures.files import picture_paths
from companion.vision.table_sets.table_checks import SPANS, apart, check_lens, check_pieces, within

Json = Mapping[str, Any]
TABLE_FILE = "table.json"
_TEACHING = ("empty", "start", "other-sides")
"""The kinds of pictures that a table is taught from."""
# How a table file names the marker sizes of a group's shape, when it does not use the group's own name.
_SHAPE_KEYS = MappingProxyType({"disc": "discs", "hexagon": "tiles"})


@dataclass(frozen=True)
class TableSet:
    """A table's pictures, the listed ones first, and what may be known of them beforehand."""

    folder: Path
    game: str
    board: Board
    pieces: PieceSet
    lens: Lens
    marked: bool
    files: tuple[str, ...]
    empty: str | None
    start: str | None
    others: str | None = None
    deck: str | None = None
    """The table profile beside the pictures that knows the faces of a deck of unmodified cards, where there is one."""


def is_table_set(path: Path) -> bool:
    """Whether a path is a folder with a table file."""
    return path.is_dir() and (path / TABLE_FILE).is_file()


def read_table_json(folder: Path) -> Json:
    """The raw table file. Raises BadInput naming the file and the fault."""
    return read_object(folder / TABLE_FILE, "is not a table file")


def load_table_set(folder: Path) -> TableSet:
    """A table set without its truth. Raises BadInput naming the file and the key that is missing or wrong."""
    data = read_table_json(folder)
    path = folder / TABLE_FILE
    try:
        board = _scaled(load(data["game"], data.get("edition")), data.get("board_mm"))
        pieces = load_pieces(data["game"])
        marked = data.get("markers") is not None
        if marked:
            pieces = with_markers(pieces, data["markers"])
        camera = data["camera"]
        lens = Lens(
            np.asarray(camera["K"], np.float64).reshape(3, 3),
            np.asarray(camera["D"], np.float64).reshape(-1),
            (int(data["image_size"][0]), int(data["image_size"][1])),
        )
        check_lens(lens)
        if marked:
            check_pieces(pieces)
        frames = data.get("frames", ())
        listed = [str(frame["file"]) for frame in frames]
        files = tuple(dict.fromkeys([*listed, *(picture.name for picture in picture_paths(folder))]))
        kinds = {str(frame["file"]): frame.get("kind") for frame in frames if frame.get("kind") in _TEACHING}
    except KeyError as error:
        raise BadInput(f"{path}: key {quoted(error.args[0])} is missing") from error
    except (TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise BadInput(f"{path}: has a value of the wrong shape ({stopped_by(error)})") from error
    return TableSet(
        folder=folder,
        game=str(data["game"]),
        board=board,
        pieces=pieces,
        lens=lens,
        marked=marked,
        files=files,
        empty=next((file for file in files if kinds.get(file) == "empty"), None),
        start=next((file for file in files if kinds.get(file) == "start"), None),
        others=next((file for file in files if kinds.get(file) == "other-sides"), None),
        deck=str(data["deck"]) if data.get("deck") is not None else None,
    )


def with_markers(pieces: PieceSet, markers: Json) -> PieceSet:
    """The piece set with the stickers of one table: its dictionary, ids, sizes and tolerance instead of the usual ones."""
    groups = {key: _resized(group, markers) for key, group in pieces.groups.items()}
    stickers = apart(sticker for group in groups.values() for sticker in _group_stickers(pieces, group, markers))
    frame = {
        int(marker): FrameMarker(
            int(marker),
            str(raw["corner"]),
            (float(raw["centre_mm"][0]), float(raw["centre_mm"][1])),
            float(raw["height_mm"]),
            float(raw["side_mm"]),
            float(raw["quiet_mm"]),
        )
        for marker, raw in markers["frame"].items()
    }
    return PieceSet(
        MappingProxyType(groups),
        pieces.pieces,
        str(markers.get("dictionary", pieces.dictionary)),
        MappingProxyType(stickers),
        MappingProxyType(frame),
        float(markers.get("frame_tolerance_mm", pieces.frame_tolerance_mm)),
    )


def _resized(group: Group, markers: Json) -> Group:
    for key in (group.key, group.singular, f"{group.singular}_marker", _SHAPE_KEYS.get(group.shape, "")):
        size = markers.get(key)
        if isinstance(size, Mapping) and "side_mm" in size:
            return replace(group, marker_mm=float(size["side_mm"]), quiet_mm=float(size.get("quiet_mm", group.quiet_mm)))
    return group


def _group_stickers(pieces: PieceSet, group: Group, markers: Json) -> list[Sticker]:
    """The stickers of one group: by face (id -> piece), by label (id -> label), a list of ids, or one id."""
    mine = pieces.in_group(group.key)
    faces = tuple(dict.fromkeys(face for piece in mine for face in piece.faces))
    if faces and all(face in markers for face in faces):
        return [Sticker(int(marker), name, face) for face in faces for marker, name in markers[face].items()]
    if any(piece.label is not None for piece in mine):
        left = list(mine)
        stickers = []
        labels = [set(map(str, raw.values())) for raw in markers.values() if isinstance(raw, Mapping)]
        wanted = {str(piece.label) for piece in mine}
        raw = next((r for r, found in zip(_mappings(markers), labels, strict=True) if found and found <= wanted), None)
        for marker, label in (raw or {}).items():
            piece = next((piece for piece in left if str(piece.label) == str(label)), None)
            if piece is None:
                raise ValueError(f"more markers for label {quoted(label)} than pieces")
            left.remove(piece)
            stickers.append(Sticker(int(marker), piece.id, None))
        return stickers or _usual(pieces, group)
    listed = markers.get(group.key)
    if isinstance(listed, int):
        listed = [listed]
    if isinstance(listed, list):
        return [Sticker(int(marker), piece.id, None) for marker, piece in zip(listed, mine, strict=True)]
    return _usual(pieces, group)


def _mappings(markers: Json) -> list[Json]:
    return [raw for raw in markers.values() if isinstance(raw, Mapping)]


def _usual(pieces: PieceSet, group: Group) -> list[Sticker]:
    return [sticker for sticker in pieces.stickers.values() if pieces.pieces[sticker.piece].group == group.key]


def _scaled(board: Board, size_mm: Any) -> Board:
    """The board at another printed size (all its geometry scales with it)."""
    if size_mm is None or (float(size_mm[0]), float(size_mm[1])) == tuple(board.size_mm):
        return board
    within("board_mm", (float(size_mm[0]), float(size_mm[1])), SPANS.board_mm)
    return board.scaled((float(size_mm[0]), float(size_mm[1])))

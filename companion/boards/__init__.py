"""Printed boards and the pieces that lie on them: data and geometry, no rules, no pixels."""

from companion.boards.board import PAIR, Board, Cell, Place
from companion.boards.loading import (
    available,
    board_from_json,
    editions,
    load,
    load_pieces,
    pieces_from_json,
    shipped,
    start_faults,
)
from companion.boards.own import adopt, check, load_file
from companion.boards.pieces import FrameMarker, Group, Label, Piece, PieceSet, Sticker
from companion.boards.placement import Placement
from companion.boards.surface import Point, SiteShape, Zone

__all__ = [
    "PAIR",
    "Board",
    "Cell",
    "FrameMarker",
    "Group",
    "Label",
    "Piece",
    "PieceSet",
    "Place",
    "Placement",
    "Point",
    "SiteShape",
    "Sticker",
    "Zone",
    "adopt",
    "available",
    "board_from_json",
    "check",
    "editions",
    "load",
    "load_file",
    "load_pieces",
    "pieces_from_json",
    "shipped",
    "start_faults",
]

"""Printed boards and the pieces that lie on them: data and geometry, no rules, no pixels."""

from companion.boards.board import PAIR, Board, Cell, Place, Point
from companion.boards.loading import (
    available,
    board_from_json,
    editions,
    load,
    load_file,
    load_pieces,
    pieces_from_json,
    start_faults,
)
from companion.boards.pieces import FrameMarker, Group, Label, Piece, PieceSet, Sticker

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
    "Point",
    "Sticker",
    "available",
    "board_from_json",
    "editions",
    "load",
    "load_file",
    "load_pieces",
    "pieces_from_json",
    "start_faults",
]

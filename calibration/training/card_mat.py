"""A made-up mat for cards: a staggered row, a heap without order, a pile, and a hand that is not to be read."""

from typing import Any

from companion.boards import Board, PieceSet, board_from_json, pieces_from_json

CARDS = ("anna", "bert", "carl", "dora", "emil", "fay", "gus", "hal")


def mat_json() -> dict[str, Any]:
    """The board file of the mat, with four frame stickers beside it."""

    def box(x: float, y: float, w: float, h: float) -> list[list[float]]:
        return [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]

    width, height = 400.0, 300.0
    corners = {"TL": (-16, 16), "TR": (width + 16, 16), "BR": (width + 16, height - 16), "BL": (-16, height - 16)}
    return {
        "format": "board/1", "id": "made-up-mat", "name": "Made-up mat", "default_edition": "one",
        "layout": {"kind": "zones"},
        "printed": {"board_mm": [width, height], "frame_mm": [0.0, 0.0, width, height]},
        "cells": {},
        "zones": {
            "row": {"kind": "open", "outline_mm": box(15, 15, 230, 110), "order": "row", "along": [1, 0]},
            "heap": {"kind": "open", "outline_mm": box(15, 160, 150, 120)},
            "pile": {"kind": "open", "outline_mm": box(275, 15, 105, 115), "order": "stack", "along": [0, 1]},
            "hand": {"kind": "open", "outline_mm": box(200, 160, 180, 120), "masked": True},
        },
        "groups": {
            "cards": {
                "singular": "card", "shape": "card", "layout": "by-zone", "size_mm": [56.0, 80.0], "height_mm": 0.4,
                "on": ["open"], "marker_mm": 12.0, "quiet_mm": 1.5, "marker_at_mm": [-19.0, -31.0],
            },
        },
        "pieces": {
            name: {"group": "cards", "name": name.title(), "faces": ["up", "back"], "markers": {"up": 50 + n, "back": 70}}
            for n, name in enumerate(CARDS)
        },
        "markers": {
            "dictionary": "DICT_ARUCO_MIP_36h12",
            "frame_tolerance_mm": 0.4,
            "frame": {
                corner: {"id": 244 + n, "centre_mm": list(mm), "height_mm": 0.0, "side_mm": 20.0, "quiet_mm": 3.0}
                for n, (corner, mm) in enumerate(corners.items())
            },
        },
        "editions": {"one": {}},
    }  # fmt: skip


def built(data: dict[str, Any]) -> tuple[Board, PieceSet]:
    """The board and pieces of a board file."""
    return board_from_json(data), pieces_from_json(data)

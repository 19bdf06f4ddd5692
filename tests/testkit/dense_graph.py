"""A made-up board that is a graph of small sites, as dense as a street map, with pawns and tokens. Nothing of a real game."""

from typing import Any

import numpy as np

ROUND, SQUARE = "circle", "crossing"


def frame(width: float, height: float, first: int, tolerance_mm: float = 0.4) -> dict[str, Any]:
    """Four frame stickers beside a board."""
    corners = {"TL": (-16, 16), "TR": (width + 16, 16), "BR": (width + 16, height - 16), "BL": (-16, height - 16)}
    return {
        "dictionary": "DICT_ARUCO_MIP_36h12",
        "frame_tolerance_mm": tolerance_mm,
        "frame": {
            corner: {"id": 240 + first + n, "centre_mm": list(mm), "height_mm": 0.0, "side_mm": 20.0, "quiet_mm": 3.0}
            for n, (corner, mm) in enumerate(corners.items())
        },
    }


def scattered(seed: int, count: int, width: float, height: float) -> list[tuple[float, float, str]]:
    """Sites at random: circles 8 mm and more from each other and from crossings, all within 17 mm of their nearest."""
    rng = np.random.default_rng(seed)
    found: list[tuple[float, float, str]] = [(width / 2, height / 2, ROUND)]
    while len(found) < count:
        x, y, _ = found[rng.integers(len(found))]
        turn, reach = rng.uniform(0, 2 * np.pi), rng.uniform(8.0, 17.0)
        x, y = x + reach * np.cos(turn), y + reach * np.sin(turn)
        apart = min(np.hypot(x - a, y - b) for a, b, _ in found)
        if apart >= 8.0 and 20 <= x <= width - 20 and 20 <= y <= height - 20:
            found.append((float(x), float(y), (ROUND, SQUARE)[len(found) % 2]))
    return found


def graph_json(seed: int = 1, count: int = 80, size: tuple[float, float] = (200.0, 160.0)) -> dict[str, Any]:
    """A board file of a graph with its pieces: pawns of 28 mm, clue tokens, patrol tokens whose backs are all alike."""
    sites = scattered(seed, count, *size)
    names = [f"{kind[0]}{n:03}" for n, (_, _, kind) in enumerate(sites)]
    links = [
        [names[i], names[int(np.argmin([np.hypot(x - a, y - b) for a, b, _ in sites[:i]]))]]
        for i, (x, y, _) in enumerate(sites)
        if i
    ]
    colours = ("blue", "green", "red", "white", "amber")
    pieces: dict[str, Any] = {
        f"pawn-{colour}": {"group": "pawns", "name": f"{colour} pawn", "colour": colour, "markers": {"": 10 + n}}
        for n, colour in enumerate(colours)
    }
    pieces |= {f"clue-{n}": {"group": "clues", "name": "Clue", "label": "clue", "markers": {"": 20 + n}} for n in range(6)}
    pieces |= {
        f"patrol-{colour}": {
            "group": "patrols", "name": f"{colour} patrol", "faces": ["down", colour], "markers": {"down": 40, colour: 30 + n},
        }
        for n, colour in enumerate(colours)
    }  # fmt: skip
    return {
        "format": "board/1", "id": "made-up-graph", "name": "Made-up streets", "default_edition": "one",
        "layout": {"kind": "graph", "links": links},
        "printed": {
            "board_mm": list(size), "frame_mm": [0.0, 0.0, *size],
            "sites": {ROUND: {"shape": "circle", "size_mm": [6.5, 6.5]}, SQUARE: {"shape": "square", "size_mm": [4.0, 4.0]}},
        },
        "cells": {
            name: {"kind": kind, "xy": [x / size[0], y / size[1]]} for name, (x, y, kind) in zip(names, sites, strict=True)
        },
        "groups": {
            "pawns": {
                "singular": "pawn", "shape": "pawn", "layout": "by-piece", "size_mm": [8.0, 8.0], "height_mm": 28.0,
                "on": [SQUARE], "marker_mm": 6.5, "quiet_mm": 0.6, "height_error_mm": 0.5,
            },
            "clues": {
                "singular": "clue", "shape": "token", "layout": "by-place", "size_mm": [7.6, 7.6], "height_mm": 1.0,
                "on": [ROUND], "marker_mm": 6.0, "quiet_mm": 0.6,
            },
            "patrols": {
                "singular": "patrol", "shape": "token", "layout": "by-place", "size_mm": [7.6, 7.6], "height_mm": 1.5,
                "on": [SQUARE], "marker_mm": 6.0, "quiet_mm": 0.6, "covered_by": [],
            },
        },
        "pieces": pieces, "markers": frame(*size, 0), "editions": {"one": {}},
    }  # fmt: skip

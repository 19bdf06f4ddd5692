"""Two made-up boards that are no hexes, and pictures of them: a graph of small sites with pawns and tokens, a mat with cards.

Nothing of a real game: sites at random, 8 to 17 mm from their nearest neighbours, as dense as a street map; a mat with a row, a
heap, a pile and a hand that is nobody's business. ``shoot`` composes a picture of placements (own art, real markers, a lens).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.boards import Board, PieceSet
from companion.calibration.training.card_mat import CARDS, built, mat_json
from companion.calibration.training.laid_pieces import TABLE, Put
from companion.calibration.training.stickers_composed import SCALE, Shot, develop, marker_art, pose, warp


def shoot(
    board: Board, pieces: PieceSet, put: Sequence[Put], shot: Shot, seed: int = 0, art: np.ndarray | None = None
) -> np.ndarray:
    """A picture (H×W×3 BGR) of some pieces on a board, those that are named first below the others. ``art``: what is printed on
    the board, ``SCALE`` pixels a mm; made up where there is none."""
    registration, rng = pose(board, shot), np.random.default_rng(seed)
    image = warp(_ground(board, pieces, rng, art), registration, -TABLE, -TABLE, 0.0, None)
    for one in put:
        _lay(image, board, pieces, one, registration, rng)
    return develop(image, shot)


def _ground(board: Board, pieces: PieceSet, rng: np.random.Generator, printed: np.ndarray | None = None) -> np.ndarray:
    art = np.random.default_rng(99)
    size = [int((side + 2 * TABLE) * SCALE) for side in board.size_mm[::-1]]
    canvas = np.full((*size, 3), (70, 95, 120), np.uint8)

    def at(mm: Any) -> tuple[int, int]:
        return round((mm[0] + TABLE) * SCALE), round((mm[1] + TABLE) * SCALE)

    cv2.rectangle(canvas, at((0, 0)), at(board.size_mm), (165, 185, 190), -1)
    if printed is not None:
        left, top = at((0, 0))
        canvas[top : top + printed.shape[0], left : left + printed.shape[1]] = printed
    for cell, links in board.links.items() if printed is None else ():
        for other in links.values():
            cv2.line(canvas, at(board.mm(cell)), at(board.mm(other)), (120, 140, 150), 2, cv2.LINE_AA)
    for spot in (*board.cells, *board.zones) if printed is None else ():
        outline = np.array([at(corner) for corner in board.outline_mm(spot)], np.int32)
        colour = tuple(int(v) for v in art.integers(150, 230, 3))
        cv2.fillPoly(canvas, [outline], colour, cv2.LINE_AA)
        cv2.polylines(canvas, [outline], True, (60, 60, 60), 2, cv2.LINE_AA)
    for number, sticker in pieces.frame_markers.items():
        drawn = cv2.cvtColor(marker_art(pieces.dictionary, number, sticker.side_mm, sticker.quiet_mm), cv2.COLOR_GRAY2BGR)
        off = rng.uniform(-0.7, 0.7, 2) * pieces.frame_tolerance_mm
        x, y = at(np.array(sticker.centre_mm) + off)
        top, left = y - drawn.shape[0] // 2, x - drawn.shape[1] // 2
        canvas[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn
    return cv2.GaussianBlur(canvas, (0, 0), 0.8)


def _lay(image: np.ndarray, board: Board, pieces: PieceSet, one: Put, registration: Any, rng: np.random.Generator) -> None:
    group = pieces.group_of(one.piece)
    number = next(s.marker for s in pieces.stickers.values() if one.piece in s.pieces and s.face == one.face)
    reach = np.hypot(*group.size_mm) / 2 + 1
    size = 2 * int(reach * SCALE) + 1
    middle, top = size // 2, np.zeros((size, size, 4), np.uint8)
    colour = one.colour or tuple(int(v) for v in np.random.default_rng(sum(map(ord, one.piece))).integers(60, 220, 3))
    width, height = (side * SCALE / 2 for side in group.size_mm)
    if group.shape in ("pawn", "token", "disc"):
        cv2.circle(top, (middle, middle), int(width), (*colour, 255), -1)
    else:
        corner = (int(middle - width), int(middle - height)), (int(middle + width), int(middle + height))
        cv2.rectangle(top, *corner, (*colour, 255), -1)
    art = cv2.cvtColor(marker_art(pieces.dictionary, number, group.marker_mm, group.quiet_mm), cv2.COLOR_GRAY2BGR)
    x, y = (round(middle + off * SCALE - art.shape[0] / 2) for off in group.marker_at_mm)
    top[y : y + art.shape[0], x : x + art.shape[1], :3] = art
    top[y : y + art.shape[0], x : x + art.shape[1], 3] = 255
    turned = cv2.getRotationMatrix2D((middle, middle), -one.turn, 1.0)
    top = cv2.warpAffine(top, turned, (size, size))
    top[..., :3] = (top[..., :3].astype(np.float32) * (top[..., 3:] / 255)).astype(np.uint8)
    foot = np.array(board.mm(one.at) if isinstance(one.at, str) else one.at) + one.off_mm
    side = np.zeros_like(top)
    cv2.circle(side, (middle, middle), int(width), (*(int(v * 0.5) for v in colour), 255), -1)
    steps = max(2, int(group.height_mm * 1.5)) if group.height_mm > 3 else 0
    for level in np.linspace(0, 1, steps, endpoint=False):
        warp(side, registration, foot[0] - size / 2 / SCALE, foot[1] - size / 2 / SCALE, level * group.height_mm, image)
    warp(top, registration, foot[0] - size / 2 / SCALE, foot[1] - size / 2 / SCALE, group.height_mm, image)


__all__ = ["CARDS", "MAT_SHOT", "SHOT", "TABLE", "Put", "built", "mat_json", "shoot"]
SHOT = Shot(size=(1400, 1050), tilt=15.0, px_per_mm=4.8, roll=2.0, blur=0.6, noise=2.0)
"""Near enough for stickers of 6 mm: 29 pixels."""
MAT_SHOT = replace(SHOT, size=(1280, 960), px_per_mm=2.2)

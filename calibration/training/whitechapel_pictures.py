"""Pictures of made-up copies of Letters from Whitechapel on a table."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from companion.calibration.training.laid_pieces import TABLE, Put
from companion.calibration.training.stickers_composed import SCALE, Shot, develop, marker_art, pose, warp
from companion.calibration.training.whitechapel_copy import BOARD, PIECES, Copy, Image, hsv, texture
from companion.calibration.training.whitechapel_pawns import Light, lay_pawn, lay_shadows
from companion.calibration.training.whitechapel_print import printed
from companion.calibration.training.whitechapel_tokens import lay_token


def shoot_copy(copy: Copy, put: Sequence[Put], shot: Shot, light: Light | None = None, stickers: bool = True) -> Image:
    """A picture (H×W×3 BGR) of a copy with these pieces: tokens first, then pawns from the farthest to the nearest.
    ``stickers``: whether the frame stickers lie beside the board."""
    registration, light = pose(BOARD, shot), light or Light()
    image = warp(_table(copy, stickers), registration, -TABLE, -TABLE, 0.0, None)
    tokens = [one for one in put if PIECES.group_of(one.piece).shape != "pawn"]
    pawns = [one for one in put if PIECES.group_of(one.piece).shape == "pawn"]
    for one in tokens:
        lay_token(image, copy, one, registration)
    if light.shadow:
        lay_shadows(image, copy, pawns, registration, light)
    lying = {one.at: PIECES.group_of(one.piece).height_mm for one in tokens}
    for one in pawns:
        lay_pawn(image, copy, one, registration, light, lying.get(one.at, 0.0))
    return develop(image, shot)


@cache
def _table(copy: Copy, stickers: bool) -> Image:
    """The bare board on its table."""
    rng = copy.rng("table")
    size = [int((side + 2 * TABLE) * SCALE) for side in BOARD.size_mm[::-1]]
    wood = np.array(hsv(rng.uniform(5, 25), rng.uniform(40, 140), rng.uniform(60, 190)), np.float32)
    canvas = np.clip(wood + texture(rng, ("brick",), (size[0], size[1]), 10.0), 0, 255).astype(np.uint8)
    art, start = printed(copy), round(TABLE * SCALE)
    canvas[start : start + art.shape[0], start : start + art.shape[1]] = art
    for number, sticker in PIECES.frame_markers.items() if stickers else ():
        drawn = cv2.cvtColor(marker_art(PIECES.dictionary, number, sticker.side_mm, sticker.quiet_mm), cv2.COLOR_GRAY2BGR)
        off = rng.uniform(-0.7, 0.7, 2) * PIECES.frame_tolerance_mm
        x, y = (round((v + d + TABLE) * SCALE) for v, d in zip(sticker.centre_mm, off, strict=True))
        top, left = y - drawn.shape[0] // 2, x - drawn.shape[1] // 2
        canvas[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn
    return canvas


def varied(shot: Shot, rng: np.random.Generator) -> Shot:
    """The same camera under the light of another moment."""
    return replace(
        shot, exposure=float(rng.uniform(0.68, 0.9)), slope=(float(rng.uniform(-0.15, 0.15)), float(rng.uniform(-0.15, 0.15))),
        tint=(float(rng.uniform(0.94, 1.06)), float(rng.uniform(0.94, 1.06)), float(rng.uniform(0.94, 1.06))),
        noise=float(rng.uniform(1.5, 4.0)), blur=float(rng.uniform(0.5, 0.9)), vignette=float(rng.uniform(0.1, 0.35)),
        seed=int(rng.integers(1 << 30)),
    )  # fmt: skip

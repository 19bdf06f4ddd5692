"""The tokens of a made-up copy of Letters from Whitechapel."""

from functools import cache

import cv2
import numpy as np

from companion.calibration.training.laid_pieces import Put
from companion.calibration.training.stickers_composed import SCALE, warp
from companion.calibration.training.whitechapel_copy import BOARD, PIECES, POLICE, Copy, Image, hsv, texture
from companion.vision.camera import Registration

FINER = 2
"""How much finer than the board's print tokens are drawn."""


def _symbol(
    image: Image, copy: Copy, group: str, look: str, middle: tuple[int, int], unit: float, ink: tuple[int, int, int]
) -> None:
    """What is drawn on a token's face about its middle; ``unit``: a tenth of its size in pixels."""

    def at(x: float, y: float) -> tuple[int, int]:
        return middle[0] + round(x * unit), middle[1] + round(y * unit)

    def line(start: tuple[int, int], end: tuple[int, int], wide: float) -> None:
        cv2.line(image, start, end, ink, max(1, round(wide * unit)), cv2.LINE_AA)

    def ring(spot: tuple[int, int], radius: float, wide: float) -> None:
        cv2.circle(image, spot, round(radius * unit), ink, max(1, round(wide * unit)), cv2.LINE_AA)

    if group == "patrols" and look in POLICE:
        radii = np.where(np.arange(10) % 2 == 0, 3.6, 1.6)
        turn = np.arange(10) * np.pi / 5
        star = np.column_stack([np.sin(turn), -np.cos(turn)]) * radii[:, None] * unit + middle
        cv2.fillPoly(image, [star.astype(np.int32)], copy.pawn_colour(f"police-{look}"), cv2.LINE_AA)
    elif look == "marked":
        cv2.circle(image, middle, round(2.6 * unit), ink, -1, cv2.LINE_AA)
    elif look == "down" or group == "scenes":
        line(at(-2.4, -2.4), at(2.4, 2.4), 0.8)
        line(at(-2.4, 2.4), at(2.4, -2.4), 0.8)
    elif group == "clues":
        ring(at(-0.6, -0.6), 2.2, 0.7)
        line(middle, at(3, 3), 0.9)
    elif group == "time":
        ring(middle, 3, 0.6)
        line(middle, at(0, -2.4), 0.6)
    elif look == "coach":
        for x in (-4, 4):
            ring(at(x, 1.5), 2, 0.6)
    elif look == "alley":
        for x in (-4, -2, 0, 2, 4):
            line(at(x, -5), at(x, 5), 0.6)


@cache
def token(copy: Copy, group: str, look: str) -> Image:
    """The upper side (BGRA, ``SCALE * FINER`` pixels a mm) of a token, its colour premultiplied."""
    scale = SCALE * FINER
    width, height = (round(side * scale) for side in PIECES.groups[group].size_mm)
    rng = copy.rng(f"token {group} {look}")
    down, back = look == "down", float(copy.rng("backs").uniform(0, 180))
    base = {
        "patrols": hsv(back, 90, 75) if down else hsv(copy.rng("patrol").uniform(15, 30), 60, 190),
        "women": hsv(copy.rng("women").uniform(150, 178), 110, 110) if down else hsv(20, 40, 205),
        "scenes": hsv(177, 190, 150), "clues": hsv(27, 150, 225), "time": hsv(100, 60, 190),
        "specials": hsv(copy.rng("specials").uniform(12, 24), 120, 165),
    }[group]  # fmt: skip
    if look == "fake":
        base = hsv(0, 20, 45)
    if look == "marked":
        base = hsv(178, 170, 160)
    sheet = np.broadcast_to(np.array(base, np.float32), (height, width, 3)).copy()
    sheet += texture(rng, copy.look.tokens, (height, width), copy.look.contrast * 0.9)
    image = np.clip(sheet, 0, 255).astype(np.uint8)
    middle, unit = (width // 2, height // 2), min(width, height) / 10
    ink = (235, 240, 240) if sum(base) < 330 else (35, 30, 25)
    _symbol(image, copy, group, look, middle, unit, ink)
    mask = np.zeros((height, width), np.uint8)
    if PIECES.groups[group].size_mm[0] == PIECES.groups[group].size_mm[1]:
        cv2.circle(mask, middle, min(middle) - 1, 255, -1, cv2.LINE_AA)
    else:
        cv2.rectangle(mask, (1, 1), (width - 2, height - 2), 255, -1)
    room = int(np.hypot(width, height)) // 2 + 2 * scale
    whole = np.zeros((2 * room + 1, 2 * room + 1, 4), np.uint8)
    top, left = room - height // 2, room - width // 2
    whole[top : top + height, left : left + width, :3] = (image * (mask[..., None] / 255)).astype(np.uint8)
    whole[top : top + height, left : left + width, 3] = mask
    return whole


def lay_token(image: Image, copy: Copy, one: Put, registration: Registration) -> None:
    """Draw a token where it lies."""
    group, piece = PIECES.group_of(one.piece), PIECES.pieces[one.piece]
    art = token(copy, group.key, one.face or piece.label or group.key)
    size = art.shape[0]
    turned = cv2.warpAffine(art, cv2.getRotationMatrix2D((size // 2, size // 2), -one.turn, 1.0), (size, size))
    small = cv2.resize(turned, None, fx=1 / FINER, fy=1 / FINER, interpolation=cv2.INTER_AREA)
    x, y = np.array(BOARD.mm(one.at) if isinstance(one.at, str) else one.at) + one.off_mm - small.shape[0] / 2 / SCALE
    edge = small.copy()
    edge[..., :3] = (edge[..., 3:] / 255 * np.array([110, 125, 135])).astype(np.uint8)
    for level in (0.0, 0.33, 0.66):
        warp(edge, registration, x, y, level * group.height_mm, image)
    warp(small, registration, x, y, group.height_mm, image)

"""What the composed boards and tiles look like: own simple art for every kind of cell and every side of a tile."""

from types import MappingProxyType

import cv2
import numpy as np

Colour = tuple[int, ...]

_GROUND = MappingProxyType(
    {
        "building": (70, 80, 150),
        "port": (150, 110, 50),
        "pier": (85, 130, 165),
        "statue": (120, 150, 90),
        "exit": (60, 160, 200),
    }
)
_FACES = MappingProxyType({"subway": (165, 120, 60), "park": (70, 150, 80), "building": (60, 70, 165), "lamp": (80, 205, 235)})


def draw_cell(canvas: np.ndarray, kind: str, at: tuple[int, int], outline: np.ndarray, scale: int, street: Colour) -> None:
    """Draw what a kind of cell shows over its plain street. ``outline``: N×2 canvas pixels."""
    x, y = at
    if kind == "cobbles":  # a street where no two places are printed alike
        random = np.random.default_rng(x * 7919 + y)
        for _ in range(26):
            dx, dy = (int(v) for v in random.integers(-15 * scale, 15 * scale, 2))
            shade = int(random.integers(-26, 14))
            colour = tuple(int(np.clip(v + shade, 0, 255)) for v in street)
            cv2.ellipse(canvas, (x + dx, y + dy), (2 * scale, scale), float(random.integers(180)), 0, 360, colour, -1)
    if kind == "manhole":
        cv2.circle(canvas, at, 10 * scale, (45, 45, 45), -1)
        cv2.circle(canvas, at, 10 * scale, (110, 110, 110), scale)
        cv2.circle(canvas, (x + 12 * scale, y + 9 * scale), 5 * scale, (95, 95, 95), -1)
    if kind == "gaslight":
        cv2.circle(canvas, at, 14 * scale, tuple(int(v * 0.85) for v in street), -1)
        cv2.line(canvas, (x, y - 9 * scale), (x, y + 9 * scale), (40, 40, 40), 2 * scale)
    if kind in _GROUND:
        cv2.fillPoly(canvas, [outline], _GROUND[kind])
    if kind == "building":
        for row in range(-2, 3):
            for column in range(-2, 3):
                corner = (x + column * 6 * scale, y + row * 6 * scale)
                cv2.rectangle(canvas, corner, (corner[0] + 3 * scale, corner[1] + 4 * scale), (150, 200, 220), -1)
    if kind in ("port", "pier"):
        for row in range(-2, 3):
            shift = 3 * scale if kind == "port" and row % 2 else 0
            left, right = x - 13 * scale + shift, x + 13 * scale + shift
            cv2.line(canvas, (left, y + row * 6 * scale), (right, y + row * 6 * scale), (60, 60, 40), scale)
    if kind == "subway":
        cv2.circle(canvas, at, 13 * scale, (70, 60, 160), 2 * scale)
        cv2.rectangle(canvas, (x - 17 * scale, y - 3 * scale), (x + 17 * scale, y + 3 * scale), (150, 70, 40), -1)
    if kind == "statue":
        cv2.circle(canvas, at, 30 * scale, _GROUND[kind], -1)
        cv2.circle(canvas, at, 30 * scale, (60, 90, 50), scale)


def face_colour(face: str | None) -> Colour | None:
    """The ground colour (BGR) of a tile's side; None for sides that are no tile's."""
    return _FACES.get(face or "")


def face_pattern(top: np.ndarray, face: str | None, scale: int) -> None:
    """Draw a tile's art (H×W×4) around the middle, where its sticker goes."""
    if face is None or face not in _FACES:
        return
    middle, random = top.shape[0] // 2, np.random.default_rng(len(face))
    shade = tuple(int(v * 0.7) for v in _FACES[face])
    for angle in np.radians(range(0, 360, 30)):
        x, y = (int(middle + 16 * scale * f(angle)) for f in (np.cos, np.sin))
        size = int(random.integers(1, 3)) * scale
        if top[y, x, 3]:
            cv2.circle(top, (x, y), size, (*shade, 255), -1)

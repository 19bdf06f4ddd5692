# ruff: noqa: PLR0915, RUF005 - drawing and fitting scripts: long lists of strokes and numbers
"""Drawings for made-up copies of a board: every seed another print, other portraits, other tiles. Millimetres × SCALE.

Nothing here imitates a real print; the point is that no two copies look alike while the geometry stays the same.
"""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import ArrayLike

from companion.boards import Board, PieceSet

Colour = Sequence[float]
"""Blue, green, red, each 0 to 255."""
Palette = list[tuple[float, float, float]]
SCALE = 3.0  # drawing pixels per millimetre
NAMED = {
    "red": (0.985, 0.85, 0.72), "brown": (0.06, 0.55, 0.42), "yellow": (0.145, 0.85, 0.88), "blue": (0.59, 0.8, 0.72),
    "green": (0.36, 0.7, 0.55), "black": (0.6, 0.12, 0.15), "purple": (0.77, 0.6, 0.5), "orange": (0.085, 0.9, 0.95),
}  # fmt: skip


def bgr(h: float, s: float, v: float) -> tuple[float, float, float]:
    r, g, b = colorsys.hsv_to_rgb(h % 1, float(np.clip(s, 0, 1)), float(np.clip(v, 0, 1)))
    return 255 * b, 255 * g, 255 * r


def shaded(colour: Colour, share: float) -> tuple[float, float, float]:
    """A colour with that share of its light."""
    blue, green, red = colour
    return share * blue, share * green, share * red


def px(points: object) -> np.ndarray:
    return np.round(np.asarray(points, float) * SCALE * 16).astype(np.int32)


def poly(image: np.ndarray, points: object, colour: Colour) -> None:
    cv2.fillPoly(image, [px(points)], colour, cv2.LINE_AA, 4)


def circle(image: np.ndarray, xy: object, radius: float, colour: Colour, thick: float = -1) -> None:
    x, y = px(xy)
    cv2.circle(
        image,
        (int(x), int(y)),
        int(radius * SCALE * 16),
        colour,
        -1 if thick < 0 else max(1, round(thick * SCALE)),
        cv2.LINE_AA,
        4,
    )


def line(image: np.ndarray, a: object, b: object, colour: Colour, thick: float) -> None:
    cv2.line(image, px(a).tolist(), px(b).tolist(), colour, max(1, round(thick * SCALE)), cv2.LINE_AA, 4)


def noise(rng: np.random.Generator, shape: tuple[int, int], size: float) -> np.ndarray:
    small = rng.normal(size=(max(2, int(shape[0] / size) + 2), max(2, int(shape[1] / size) + 2))).astype(np.float32)
    return cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)


def clutter(
    rng: np.random.Generator, image: np.ndarray, mask: np.ndarray, palette: Palette, number: int, size: tuple[float, float]
) -> None:
    """Small houses, trees and boxes wherever the mask allows."""
    layer = image.copy()
    height, width = image.shape[:2]
    for _ in range(number):
        x, y = rng.uniform(0, width / SCALE), rng.uniform(0, height / SCALE)
        s = rng.uniform(*size)
        colour = palette[rng.integers(len(palette))]
        dark = tuple(0.35 * c for c in colour)
        kind = rng.integers(4)
        if kind == 0:
            circle(layer, (x, y), s * 0.5, colour)
            circle(layer, (x - s * 0.1, y - s * 0.1), s * 0.25, tuple(min(255, c * 1.4) for c in colour))
        else:
            turn = rng.normal(0, 0.25)
            c, n = np.cos(turn), np.sin(turn)
            turned, at = s * np.array([[c, n], [-n, c]]), (x, y)
            wall = palette[rng.integers(len(palette))]
            box = np.array([(-0.5, -0.1), (0.5, -0.1), (0.5, 0.5), (-0.5, 0.5)]) @ turned + at
            poly(layer, box, wall if kind != 3 else colour)
            if kind != 3:
                poly(layer, np.array([(-0.6, -0.1), (0, -0.6), (0.6, -0.1)]) @ turned + at, colour)
                poly(layer, np.array([(-0.1, 0.1), (0.1, 0.1), (0.1, 0.35), (-0.1, 0.35)]) @ turned + at, dark)
            cv2.polylines(layer, [px(box)], True, dark, 1, cv2.LINE_AA, 4)
    image[mask] = layer[mask]


@dataclass
class Copy:
    """One made-up copy: board picture, faces, tiles (square pictures, piece upright), colours of the wood."""

    board: Board
    pieces: PieceSet
    seed: int
    art: np.ndarray = field(init=False)
    faces: dict[tuple[str, str | None], np.ndarray] = field(init=False, default_factory=dict)
    wood: dict[str, tuple[float, float, float]] = field(init=False, default_factory=dict)
    radius: float = field(init=False)

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        self.rng = rng
        self.art = self._board(rng)
        self._discs(rng)
        self._tiles(rng)

    # --- the board ------------------------------------------------------------------------------------------------

    def _board(self, rng: np.random.Generator) -> np.ndarray:
        board = self.board
        width, height = board.size_mm
        image = np.zeros((round(height * SCALE), round(width * SCALE), 3), np.uint8)
        image[:] = bgr(rng.uniform(), rng.uniform(0, 0.5), rng.uniform(0.08, 0.35))
        left, top, right, bottom = board.frame_mm
        ground = bgr(rng.uniform(0.05, 0.7), rng.uniform(0.05, 0.4), rng.uniform(0.25, 0.6))
        poly(image, [(left, top), (right, top), (right, bottom), (left, bottom)], ground)
        palette = [bgr(rng.uniform(), rng.uniform(0.2, 0.9), rng.uniform(0.25, 0.95)) for _ in range(rng.integers(4, 9))]
        inside = np.zeros(image.shape[:2], bool)
        inside[int(top * SCALE) : int(bottom * SCALE), int(left * SCALE) : int(right * SCALE)] = True
        size = (rng.uniform(5, 9), rng.uniform(10, 16))
        clutter(rng, image, inside, palette, int(rng.integers(500, 1100)), size)
        # Streets: light paper on most copies, dark cobbles on some.
        dark = rng.uniform() < 0.25
        tone = rng.uniform(0.35, 0.5) if dark else rng.uniform(0.6, 0.9)
        hue, saturation = rng.uniform(), rng.uniform(0, 0.18)
        spread = rng.uniform(0.01, 0.03)
        stroke = bgr(
            rng.uniform(), rng.uniform(0, 0.2), rng.uniform(0.85, 1.0) if dark or rng.uniform() < 0.6 else rng.uniform(0.1, 0.4)
        )
        thick = rng.uniform(0.6, 1.6)
        grain = noise(rng, image.shape[:2], rng.uniform(3, 12)) * rng.uniform(1, 6) + noise(
            rng, image.shape[:2], 2
        ) * rng.uniform(0, 5)
        for place in board.places_of("exit"):
            street = bgr(hue, saturation, tone + rng.normal(0, spread))
            angles = np.linspace(0, 2 * np.pi, 6, endpoint=False) + rng.uniform(0, 1)
            poly(image, np.asarray(place.mm) + 30 * np.column_stack([np.cos(angles), np.sin(angles)]), street)
        for cell in board.cells.values():
            if cell.kind == "obstacle":
                mask = np.zeros(image.shape[:2], np.uint8)
                poly(mask, board.outline_mm(cell.id, 0.99), (255,))
                image[mask > 0] = bgr(hue + 0.3, rng.uniform(0.1, 0.5), rng.uniform(0.3, 0.6))
                x, y = (np.array(board.mm(cell.id)) * SCALE).astype(int)
                r = int(24 * SCALE)
                window = image[max(0, y - r) : y + r, max(0, x - r) : x + r]
                inner = mask[max(0, y - r) : y + r, max(0, x - r) : x + r] > 0
                clutter(rng, window, inner, palette, 25, size)
                continue
            poly(
                image, board.outline_mm(cell.id, 1.0), bgr(hue + rng.normal(0, 0.02), saturation, tone + rng.normal(0, spread))
            )
        for name in board.cells:
            cv2.polylines(image, [px(board.outline_mm(name))], True, stroke, max(1, round(thick * SCALE)), cv2.LINE_AA, 4)
        self._icons(rng, image, palette, hue, saturation, tone)
        self._frame(rng, image)
        self._track(rng, image, palette)
        out = image.astype(np.float32) * (1 + grain[..., None] / 255 * 2)
        return np.clip(out, 0, 255).astype(np.uint8)

    def _icons(
        self, rng: np.random.Generator, image: np.ndarray, palette: Palette, hue: float, saturation: float, tone: float
    ) -> None:
        board = self.board
        disc = bgr(hue, saturation + 0.1, tone * rng.uniform(0.7, 1.1))
        pole = bgr(rng.uniform(), rng.uniform(0, 0.5), rng.uniform(0.1, 0.3))
        glass = bgr(rng.uniform(), rng.uniform(0.1, 0.5), rng.uniform(0.5, 0.9))
        hole_style, hole = rng.integers(3), bgr(rng.uniform(), rng.uniform(0, 0.3), rng.uniform(0.05, 0.2))
        lid = bgr(rng.uniform(), rng.uniform(0, 0.3), rng.uniform(0.3, 0.55))
        lid_at = rng.uniform(0, 2 * np.pi)
        for cell in board.cells:
            x, y = board.mm(cell)
            if board.kind(cell) == "gaslight":
                circle(image, (x, y), 14, disc)
                circle(image, (x, y), 15, tuple(0.7 * c for c in disc), 0.7)
                line(image, (x, y + 12), (x, y - 4), pole, 1.6)
                poly(image, [(x - 3, y - 4), (x + 3, y - 4), (x + 4, y - 11), (x - 4, y - 11)], glass)
                line(image, (x - 4, y - 11), (x + 4, y - 11), pole, 1.5)
            elif board.kind(cell) == "manhole":
                if hole_style == 0:
                    circle(image, (x - 3, y - 2), 9.5, lid)
                    circle(image, (x - 3, y - 2), 7.5, hole)
                    cx, cy = x + 11.5 * np.cos(lid_at), y + 11.5 * np.sin(lid_at)
                    circle(image, (cx, cy), 5.5, lid)
                    circle(image, (cx, cy), 4.3, tuple(0.7 * c for c in lid), 0.6)
                elif hole_style == 1:
                    circle(image, (x, y), 12, lid)
                    circle(image, (x, y), 10, hole)
                    for k in range(6):
                        a = k * np.pi / 3
                        tip = np.array([x, y]) + 19 * np.array([np.cos(a), np.sin(a) * 0.95])
                        poly(
                            image,
                            [
                                tip,
                                tip - 3 * np.array([np.cos(a + 0.5), np.sin(a + 0.5)]),
                                tip - 3 * np.array([np.cos(a - 0.5), np.sin(a - 0.5)]),
                            ],
                            hole,
                        )
                else:
                    poly(image, [(x - 9, y - 8), (x + 9, y - 8), (x + 9, y + 8), (x - 9, y + 8)], hole)
                    for k in range(-3, 4):
                        line(image, (x + 2.5 * k, y - 8), (x + 2.5 * k, y + 8), lid, 0.7)

    def _frame(self, rng: np.random.Generator, image: np.ndarray) -> None:
        left, top, right, bottom = self.board.frame_mm
        grey, yellow = (
            bgr(rng.uniform(), rng.uniform(0, 0.2), rng.uniform(0.5, 0.8)),
            bgr(rng.uniform(0.1, 0.17), rng.uniform(0.6, 0.95), rng.uniform(0.7, 0.95)),
        )
        thick = rng.uniform(2, 4.5)
        line(image, (left, top), (right, top), grey, thick)
        line(image, (left, top), (left, bottom), grey, thick)
        line(image, (right, top), (right, bottom), yellow, thick)
        line(image, (left, bottom), (right, bottom), yellow, thick)
        fold = bgr(0, 0, rng.uniform(0.2, 0.7))
        width, height = self.board.size_mm
        line(image, (width / 2, 0), (width / 2, height), fold, 0.5)
        line(image, (0, height / 2), (width, height / 2), fold, 0.5)

    def _track(self, rng: np.random.Generator, image: np.ndarray, palette: Palette) -> None:
        base, dial = palette[rng.integers(len(palette))], bgr(rng.uniform(), rng.uniform(0, 0.2), rng.uniform(0.7, 1))
        tower = tuple(0.6 * c for c in base)
        for place in self.board.places_of("turn"):
            x, y = place.mm
            poly(image, [(x - 13, y - 16), (x, y - 21), (x + 13, y - 16), (x + 13, y + 21), (x - 13, y + 21)], tower)
            circle(image, (x, y), 10, dial)
            circle(image, (x, y), 10, tuple(0.4 * c for c in dial), 0.8)
            angle = (place.value or 0) * np.pi / 6 - np.pi / 2
            line(image, (x, y), (x + 5 * np.cos(angle), y + 5 * np.sin(angle)), (20, 20, 20), 1.2)
            line(image, (x, y), (x, y - 7.5), (20, 20, 20), 0.8)
            cv2.putText(
                image,
                str(place.value),
                tuple(int(v) for v in np.array([x - 2.5, y + 18]) * SCALE),
                cv2.FONT_HERSHEY_SIMPLEX,
                0.6,
                (240, 240, 240),
                2,
                cv2.LINE_AA,
            )

    # --- discs ----------------------------------------------------------------------------------------------------

    def _discs(self, rng: np.random.Generator) -> None:
        self.radius = float(rng.uniform(15.5, 17.5))
        rim = float(rng.uniform(1.3, 3.2))
        stroke = float(rng.uniform(0.45, 0.9))
        filled = bool(rng.uniform() < 0.5)
        wedge_to_rim = bool(rng.uniform() < 0.5)
        paper = bgr(rng.uniform(0.05, 0.2), rng.uniform(0, 0.1), rng.uniform(0.82, 0.98))
        for piece in self.pieces.in_group("characters"):
            h, s, v = NAMED.get(piece.colour or "", (rng.uniform(), 0.7, 0.6))
            colour = bgr(h + rng.normal(0, 0.008), s + rng.normal(0, 0.05), v + rng.normal(0, 0.04))
            self.wood[piece.id] = colour
            portrait = rng.integers(1 << 30)
            for side in ("suspect", "innocent"):
                self.faces[piece.id, side] = self._face(
                    int(portrait), side, colour, paper, rim, stroke, filled, piece.facing, wedge_to_rim
                )
        turn = np.zeros((round(18 * SCALE) + 8, round(18 * SCALE) + 8, 3), np.uint8)
        turn[:] = paper
        c = turn.shape[0] / 2 / SCALE
        ring = bgr(rng.uniform(), rng.uniform(0.5, 0.9), rng.uniform(0.4, 0.8))
        circle(turn, (c, c), 7.5, ring, 1.5)
        circle(turn, (c, c), rng.uniform(2, 4), bgr(rng.uniform(), rng.uniform(0.2, 0.9), rng.uniform(0.2, 0.8)))
        circle(turn, (c, c), 1.5, (20, 20, 20))
        self.faces["turn", None] = turn
        self.wood["turn"] = bgr(rng.uniform(), rng.uniform(0.1, 0.6), rng.uniform(0.4, 0.9))

    def _face(
        self,
        portrait: int,
        side: str,
        colour: Colour,
        paper: Colour,
        rim: float,
        stroke: float,
        filled: bool,
        wedge: bool,
        wedge_to_rim: bool,
    ) -> np.ndarray:
        """Square picture of a face, (2·radius) wide. The same portrait on both sides, drawn from its own seed."""
        rng = np.random.default_rng(portrait)
        n = round(2 * self.radius * SCALE)
        image = np.zeros((n, n, 3), np.uint8)
        image[:] = colour
        c = np.array([self.radius, self.radius])
        r = self.radius
        suspect = side == "suspect"
        if not suspect:
            circle(image, c, r - rim, paper)
        ink = (25, 22, 20)
        lum = 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]
        if lum < 60 and suspect:
            ink = (150, 150, 150) if rng.uniform() < 0.3 else (5, 5, 5)

        def fill(tone: float, tint: Colour | None = None) -> Colour | None:
            if suspect:
                return tint if tint is not None else tuple(min(255.0, k * tone) for k in colour)
            grey = 255 * min(0.95, 0.35 + 0.4 * tone)
            return (grey, grey, grey) if filled else None

        def shape(points: ArrayLike, tone: float, tint: Colour | None = None) -> None:
            outline = c + np.asarray(points) * r
            paint = fill(tone, tint)
            if paint is not None:
                poly(image, outline, paint)
            cv2.polylines(image, [px(outline)], True, ink, max(1, round(stroke * SCALE)), cv2.LINE_AA, 4)

        t = np.linspace(0, 2 * np.pi, 30, endpoint=False)
        skin = tuple(0.5 * k + 0.5 * s for k, s in zip(colour, (150, 190, 225), strict=True)) if rng.uniform() < 0.6 else None
        coat = rng.uniform(0.4, 0.65)
        shape(
            np.array([(-coat, 0.85), (-coat * 0.9, 0.45), (-0.2, 0.25), (0.2, 0.25), (coat * 0.9, 0.45), (coat, 0.85)]) * 0.88,
            0.7,
        )
        shape(
            np.column_stack([np.cos(t) * rng.uniform(0.24, 0.36), np.sin(t) * rng.uniform(0.3, 0.42) - 0.02])
            + (rng.normal(0, 0.03), 0),
            1.3,
            skin,
        )
        hat = rng.integers(4)
        w, h = rng.uniform(0.3, 0.45), rng.uniform(0.2, 0.42)
        if hat == 0:
            shape([(-w, -0.25), (w, -0.25), (w * 0.7, -0.25 - h), (-w * 0.7, -0.25 - h)], 0.5)
        elif hat == 1:
            shape([(-w * 1.3, -0.22), (w * 1.3, -0.22), (w * 1.3, -0.3), (-w * 1.3, -0.3)], 0.5)
            shape([(-w * 0.7, -0.3), (w * 0.7, -0.3), (w * 0.7, -0.3 - h), (-w * 0.7, -0.3 - h)], 0.4)
        elif hat == 2:
            shape(np.column_stack([np.cos(t[15:]) * w, np.sin(t[15:]) * h * 1.3 - 0.25]), 0.6)
        else:
            shape([(-w, -0.25), (rng.uniform(-0.2, 0.2), -0.3 - h * 1.2), (w, -0.25)], 0.6)
        for dx in (-0.11, 0.11):
            circle(image, c + np.array([dx, rng.uniform(-0.1, -0.02)]) * r, 0.5 + 0.4 * rng.uniform(), ink)
        if rng.uniform() < 0.5:
            line(image, c + np.array([-0.13, 0.16]) * r, c + np.array([0.13, 0.16]) * r, ink, stroke * rng.uniform(1, 2.5))
        for _ in range(rng.integers(1, 5)):
            a = rng.uniform(-0.5, 0.5, 2) * r + (0, 0.1 * r)
            line(image, c + a, c + a + rng.uniform(-0.3, 0.3, 2) * r, ink, stroke)
        if wedge:
            angles = np.radians(np.linspace(-30, 30, 20))
            reach = r * (1.02 if wedge_to_rim else 1 - rim / r)
            fan = np.vstack([c + (0.18 * r, 0), c + reach * np.column_stack([np.cos(angles), np.sin(angles)])])
            poly(image, fan, paper)
            cv2.polylines(image, [px(fan)], True, (25, 22, 20), max(1, round(stroke * SCALE * 0.7)), cv2.LINE_AA, 4)
            line(image, c + (0.5 * r, 0), c + (0.78 * r, 0), (20, 20, 20), stroke)
            poly(image, [c + (0.85 * r, 0), c + (0.7 * r, -0.1 * r), c + (0.7 * r, 0.1 * r)], (20, 20, 20))
        return image

    # --- tiles ----------------------------------------------------------------------------------------------------

    def _tiles(self, rng: np.random.Generator) -> None:
        w, h = self.pieces.groups["gaslights"].size_mm
        gold = bgr(rng.uniform(0.09, 0.16), rng.uniform(0.5, 0.9), rng.uniform(0.75, 0.97))
        glow = bgr(rng.uniform(0.1, 0.16), rng.uniform(0.15, 0.4), 0.98)
        pole = bgr(rng.uniform(), rng.uniform(0, 0.4), rng.uniform(0.1, 0.3))
        badge, size = rng.uniform() < 0.6, rng.uniform(0.55, 0.85)
        font = [cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX][
            rng.integers(4)
        ]
        lean = rng.uniform(-3, 3)
        for piece in self.pieces.in_group("gaslights"):
            image = np.zeros((round(h * SCALE), round(w * SCALE), 3), np.uint8)
            image[:] = gold
            circle(image, (w / 2, h / 2 - 3), 11, glow)
            circle(image, (w / 2, h / 2 - 3), 13, glow, 0.6)
            line(image, (w / 2 + lean, h - 5), (w / 2, h / 2), pole, 1.4)
            poly(image, [(w / 2 - 4, h / 2 - 9), (w / 2 + 4, h / 2 - 9), (w / 2 + 3, h / 2), (w / 2 - 3, h / 2)], glow)
            cv2.polylines(
                image,
                [px([(w / 2 - 4, h / 2 - 9), (w / 2 + 4, h / 2 - 9), (w / 2 + 3, h / 2), (w / 2 - 3, h / 2)])],
                True,
                pole,
                2,
                cv2.LINE_AA,
                4,
            )
            if isinstance(piece.label, int):
                spot = np.array([w / 4 + 3.6, 6.0])
                if badge:
                    circle(image, spot, 4.2, (250, 250, 250))
                    circle(image, spot, 4.2, (30, 30, 30), 0.4)
                (tw, th), _ = cv2.getTextSize(str(piece.label), font, size, 2)
                cv2.putText(
                    image,
                    str(piece.label),
                    (int(spot[0] * SCALE - tw / 2), int(spot[1] * SCALE + th / 2)),
                    font,
                    size,
                    (20, 20, 20),
                    2,
                    cv2.LINE_AA,
                )
            self.faces[piece.id, None] = image
            self.wood[piece.id] = shaded(gold, 0.5)
        grey = bgr(rng.uniform(), rng.uniform(0, 0.12), rng.uniform(0.4, 0.7))
        bars, style = bgr(rng.uniform(-0.05, 0.05) % 1, rng.uniform(0.6, 0.9), rng.uniform(0.5, 0.8)), rng.integers(2)
        for piece in self.pieces.in_group("covers"):
            image = np.zeros((round(h * SCALE), round(w * SCALE), 3), np.uint8)
            image[:] = grey
            circle(image, (w / 2, h / 2), 11, tuple(0.7 * c for c in grey))
            for k in range(-3, 4):
                line(image, (w / 2 + 3 * k, h / 2 - 9), (w / 2 + 3 * k, h / 2 + 9), tuple(0.5 * c for c in grey), 0.6)
            for y in (5.5, h - 5.5):
                if style == 0:
                    for k in range(6):
                        poly(
                            image,
                            [(10 + 3.5 * k, y - 2), (13.5 + 3.5 * k, y - 2), (13.5 + 3.5 * k, y + 2), (10 + 3.5 * k, y + 2)],
                            bars if k % 2 else (240, 240, 240),
                        )
                else:
                    poly(image, [(8, y - 2), (w - 8, y - 2), (w - 8, y + 2), (8, y + 2)], bgr(0.08, 0.5, 0.45))
            self.faces[piece.id, None] = image
            self.wood[piece.id] = shaded(grey, 0.4)
        w, h = self.pieces.groups["cordons"].size_mm
        violet = bgr(rng.uniform(0.6, 0.75), rng.uniform(0.45, 0.75), rng.uniform(0.35, 0.65))
        head = bgr(rng.uniform(0.02, 0.1), rng.uniform(0.2, 0.4), 0.9)
        for piece in self.pieces.in_group("cordons"):
            image = np.zeros((round(h * SCALE), round(w * SCALE), 3), np.uint8)
            image[:] = violet
            for k in (-1, 0, 1):
                circle(image, (w / 2 + 11 * k, h / 2 + 1), 3.2, head)
                poly(
                    image,
                    [(w / 2 + 11 * k - 3.5, h / 2 - 0.5), (w / 2 + 11 * k, h / 2 - 6), (w / 2 + 11 * k + 3.5, h / 2 - 0.5)],
                    (40, 20, 20),
                )
            self.faces[piece.id, None] = image
            self.wood[piece.id] = shaded(violet, 0.4)

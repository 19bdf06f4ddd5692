# ruff: noqa: E501, RUF005 - drawing and fitting scripts: long lists of strokes and numbers
"""Wilder made-up copies: random drawings, badges, lights and films, so that what is learned is sameness and not a style."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from companion.calibration.training.art import NAMED, SCALE, Colour, Copy, bgr, circle, line, poly, px
from companion.calibration.training.composed import Mood, Table

FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX_SMALL, cv2.FONT_HERSHEY_PLAIN,
)  # fmt: skip
ROMAN = {1: "I", 2: "II", 3: "III", 4: "IV"}


def grey(value: float) -> tuple[float, float, float]:
    return value, value, value


@dataclass
class WildCopy(Copy):
    """A copy whose portraits, tiles and icons are scribbles of one random style."""

    def _discs(self, rng: np.random.Generator) -> None:
        super()._discs(rng)
        self.style = np.random.default_rng(self.seed + 31)
        if self.style.uniform() < 0.25:
            return  # the ordinary portraits
        style = self.style
        self.rays = bool(style.uniform() < 0.3)
        self.flat = float(style.uniform())
        self.thick = float(style.uniform(0.35, 1.0))
        self.rim = float(style.uniform(1.2, 3.4))
        self.tone = bool(style.uniform() < 0.7)
        self.bust = bool(style.uniform() < 0.7)
        paper = bgr(style.uniform(0.05, 0.2), style.uniform(0, 0.12), style.uniform(0.78, 0.98))
        own = style.uniform() < 0.3
        members = list(self.pieces.in_group("characters"))
        hues = (np.arange(len(members)) / len(members) + style.uniform()) % 1
        for piece, hue in zip(members, style.permutation(hues), strict=True):
            h, s, v = NAMED.get(piece.colour or "", (0.5, 0.7, 0.6))
            if own:
                h, s, v = hue, style.uniform(0.1, 0.9), style.uniform(0.15, 0.9)
            colour = bgr(h + style.normal(0, 0.012), s + style.normal(0, 0.08), v + style.normal(0, 0.07))
            self.wood[piece.id] = colour
            seed = int(style.integers(1 << 30))
            for side in ("suspect", "innocent"):
                self.faces[piece.id, side] = self._scribble(seed, side == "suspect", colour, paper, piece.facing)

    def _scribble(self, seed: int, suspect: bool, colour: Colour, paper: Colour, facing: bool) -> np.ndarray:
        rng = np.random.default_rng(seed)
        r = self.radius
        n = round(2 * r * SCALE)
        image = np.zeros((n, n, 3), np.uint8)
        image[:] = colour
        c = np.array([r, r])
        ground = colour if suspect else paper
        ink = (25, 22, 20) if not suspect or sum(colour) > 200 else grey(float(rng.choice([5, 130, 160])))
        if not suspect:
            circle(image, c, r - self.rim, paper)
        elif self.style is not None and self.flat < 0.4:
            ground = tuple(float(np.clip(k * 0.8 + 25 * self.flat, 0, 255)) for k in colour)
            circle(image, c, r - self.rim, ground)
        picture = image.copy()

        def paint(tone: float, tint: Colour | None) -> Colour:
            if suspect:
                return tint if tint is not None and rng_tint else tuple(float(np.clip(k * tone, 0, 255)) for k in ground)
            return grey(255 * float(np.clip(0.3 + 0.45 * tone, 0, 1)))

        rng_tint = bool(rng.uniform() < 0.5)
        if self.rays:
            count = int(rng.integers(7, 14))
            for k in range(count):
                a = 2 * np.pi * k / count
                edge = c + r * np.array([(np.cos(a), np.sin(a)), (np.cos(a + np.pi / count), np.sin(a + np.pi / count))])
                poly(picture, np.vstack([c, edge]), paint(0.8, None))
        if self.bust:
            poly(picture, c + r * np.array([(-0.6, 0.95), (-0.45, 0.35), (0.45, 0.35), (0.6, 0.95)]) * rng.uniform(0.8, 1.1), paint(rng.uniform(0.4, 1.4), bgr(rng.uniform(), 0.5, 0.5)))  # fmt: skip
            head = rng.uniform(0.22, 0.42) * r
            circle(picture, c + rng.normal(0, 0.08, 2) * r, head, paint(1.3, (150, 190, 225)))
            circle(picture, c, head, ink, self.thick)
        for _ in range(int(rng.integers(3, 9))):
            at, size = c + rng.uniform(-0.55, 0.55, 2) * r, rng.uniform(0.1, 0.5) * r
            kind, tone, tint = (
                rng.integers(4),
                rng.uniform(0.2, 1.7),
                bgr(rng.uniform(), rng.uniform(0.2, 0.9), rng.uniform(0.2, 1)),
            )
            if kind == 0:
                circle(picture, at, size * 0.6, paint(tone, tint))
                circle(picture, at, size * 0.6, ink, self.thick)
            else:
                angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 7))))
                shape = at + size * np.column_stack([np.cos(angles), np.sin(angles)]) * rng.uniform(0.4, 1, 2)
                if kind < 3 and (self.tone or suspect):
                    poly(picture, shape, paint(tone, tint))
                cv2.polylines(picture, [px(shape)], kind != 3, ink, max(1, round(self.thick * SCALE)), cv2.LINE_AA, 4)
        for _ in range(int(rng.integers(2, 9))):
            start = c + rng.uniform(-0.6, 0.6, 2) * r
            line(picture, start, start + rng.uniform(-0.35, 0.35, 2) * r, ink, self.thick)
        ys, xs = np.mgrid[0:n, 0:n] / SCALE
        inside = np.hypot(xs - r, ys - r) < (r - self.rim if not suspect else r * rng.uniform(0.88, 1.0))
        image[inside] = picture[inside]
        if facing:
            angles = np.radians(np.linspace(-30, 30, 20))
            fan = np.vstack(
                [c + (0.2 * r, 0), c + r * rng.uniform(0.9, 1.02) * np.column_stack([np.cos(angles), np.sin(angles)])]
            )
            poly(image, fan, paper)
            line(image, c + (0.5 * r, 0), c + (0.78 * r, 0), (20, 20, 20), self.thick)
            poly(image, [c + (0.85 * r, 0), c + (0.7 * r, -0.1 * r), c + (0.7 * r, 0.1 * r)], (20, 20, 20))
        return image

    def _tiles(self, rng: np.random.Generator) -> None:
        super()._tiles(rng)
        style = np.random.default_rng(self.seed + 57)
        if style.uniform() < 0.2:
            return
        w, h = self.pieces.groups["gaslights"].size_mm
        base = self._emblem(style, w, h, bgr(style.uniform(0.05, 0.2) if style.uniform() < 0.7 else style.uniform(), style.uniform(0.2, 0.9), style.uniform(0.5, 0.97)))  # fmt: skip
        angle, out = style.integers(6) * np.pi / 3 + style.choice([0, np.pi / 6]), style.uniform(11.5, 15.0)
        spot = np.array([w / 2, h / 2]) + out * np.array([np.cos(angle), np.sin(angle)])
        badge, radius = int(style.integers(5)), style.uniform(3.4, 5.5)
        light = style.uniform() < 0.7
        ground, text = (bgr(style.uniform(), style.uniform(0, 0.3), style.uniform(0.85, 1)), (20, 20, 20)) if light else (bgr(style.uniform(), style.uniform(0, 0.8), style.uniform(0.05, 0.4)), (240, 240, 240))  # fmt: skip
        if badge == 0:
            text = (20, 20, 20) if base[int(spot[1] * SCALE), int(spot[0] * SCALE)].mean() > 110 else (240, 240, 240)
        writing = int(style.choice([0, 0, 0, 0, 1, 2]))
        font, bold = FONTS[style.integers(len(FONTS))], int(style.integers(1, 4))
        tall, spin = radius * style.uniform(1.1, 1.5), style.choice([0, 0, np.degrees(angle) + 90])
        for piece in self.pieces.in_group("gaslights"):
            image = base.copy()
            if isinstance(piece.label, int):
                self._badge(image, spot, badge, radius, ground)
                self._write(image, piece.label, spot, writing, font, bold, tall, spin, text)
            elif style.uniform() < 0.3:
                self._badge(image, spot, badge, radius, ground)
            self.faces[piece.id, None] = image
        image = self._emblem(style, w, h, bgr(style.uniform(), style.uniform(0, 0.3) if style.uniform() < 0.7 else style.uniform(), style.uniform(0.25, 0.8)))  # fmt: skip
        for piece in self.pieces.in_group("covers"):
            self.faces[piece.id, None] = image

    def _badge(self, image: np.ndarray, spot: np.ndarray, kind: int, radius: float, ground: Colour) -> None:
        if kind in (1, 2):
            circle(image, spot, radius, ground)
            if kind == 2:
                circle(image, spot, radius, (30, 30, 30), 0.4)
        elif kind == 3:
            poly(image, spot + radius * np.array([(-0.9, -1), (0.9, -1), (0.9, 1), (-0.9, 1)]), ground)
        elif kind == 4:
            poly(image, spot + radius * 1.2 * np.array([(-1, 0), (0, -1), (1, 0), (0, 1)]), ground)

    def _write(
        self, image: np.ndarray, label: int, spot: np.ndarray, writing: int, font: int, bold: int, tall: float, spin: float,
        colour: Colour,
    ) -> None:  # fmt: skip
        n = round(14 * SCALE)
        layer = np.zeros((n, n), np.uint8)
        if writing == 2:  # pips
            places = {
                1: [(0, 0)],
                2: [(-1, -1), (1, 1)],
                3: [(-1, -1), (0, 0), (1, 1)],
                4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
            }
            for right, down in places[label]:
                cv2.circle(layer, (int(n / 2 + right * tall * SCALE * 0.35), int(n / 2 + down * tall * SCALE * 0.35)), max(2, int(0.16 * tall * SCALE)), 255, -1, cv2.LINE_AA)  # fmt: skip
        else:
            text = ROMAN[label] if writing == 1 else str(label)
            (_, high), _ = cv2.getTextSize(text, font, 1.0, bold)
            size = tall * SCALE / max(high, 1)
            (wide, high), _ = cv2.getTextSize(text, font, size, bold)
            cv2.putText(layer, text, (int(n / 2 - wide / 2), int(n / 2 + high / 2)), font, size, 255, bold, cv2.LINE_AA)
        move: np.ndarray = cv2.getRotationMatrix2D((n / 2, n / 2), -float(spin), 1.0)
        move[:, 2] += spot * SCALE - n / 2
        alpha = cv2.warpAffine(layer, move, (image.shape[1], image.shape[0]))[..., None] / 255.0
        image[:] = np.clip(image * (1 - alpha) + np.array(colour) * alpha, 0, 255).astype(np.uint8)

    def _emblem(self, rng: np.random.Generator, w: float, h: float, ground: Colour) -> np.ndarray:
        """A tile's drawing: layers of shapes that have a top and a bottom."""
        image = np.zeros((round(h * SCALE), round(w * SCALE), 3), np.uint8)
        image[:] = ground
        c = np.array([w / 2, h / 2])

        def tint() -> Colour:
            if rng.uniform() < 0.6:
                return tuple(float(np.clip(k * rng.uniform(0.3, 1.5), 0, 255)) for k in ground)
            return bgr(rng.uniform(), rng.uniform(0, 0.8), rng.uniform(0.1, 1))

        if rng.uniform() < 0.5:
            circle(image, c, rng.uniform(9, 15), tint())
        if rng.uniform() < 0.4:
            count = int(rng.integers(6, 16))
            for k in range(count):
                a = 2 * np.pi * k / count
                line(
                    image,
                    c + 8 * np.array([np.cos(a), np.sin(a)]),
                    c + 16 * np.array([np.cos(a), np.sin(a)]),
                    tint(),
                    rng.uniform(0.3, 1.2),
                )
        if rng.uniform() < 0.5:
            stripe, across = tint(), rng.uniform() < 0.5
            for away in np.arange(-14, 15, rng.uniform(3, 8)):
                d = np.array([0.0, 1.0]) if across else np.array([1.0, 0.0])
                line(image, c + away * d[::-1] - 14 * d, c + away * d[::-1] + 14 * d, stripe, rng.uniform(0.5, 2.5))
        for _ in range(int(rng.integers(2, 7))):
            at, size = c + rng.uniform(-8, 8, 2), rng.uniform(2, 8)
            if rng.uniform() < 0.3:
                circle(image, at, size * 0.6, tint())
            else:
                angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 6))))
                shape = at + size * np.column_stack([np.cos(angles), np.sin(angles)])
                poly(image, shape, tint())
                if rng.uniform() < 0.6:
                    cv2.polylines(image, [px(shape)], True, (30, 26, 24), max(1, round(0.5 * SCALE)), cv2.LINE_AA, 4)
        line(image, c + (rng.uniform(-3, 3), 14), c + (0, -6), (30, 28, 26), rng.uniform(0.6, 2))
        return image


@dataclass
class WildTable(Table):
    """Stronger lamps, deeper glare, harder film."""

    strong: bool = field(init=False, default=False)

    def make_copy(self) -> Copy:
        return WildCopy(self.board, self.pieces, self.seed)

    def make_mood(self) -> Mood:
        rng = self.rng
        mood = super().make_mood()
        width, height = self.board.size_mm
        what = rng.uniform()
        if what < 0.4:  # one lamp in the dark, mirrored in the board
            lamp = (float(rng.uniform(-80, width + 80)), float(rng.uniform(-80, height + 80)), float(rng.uniform(180, 400)))
            warm = rng.uniform(0.2, 1.0)
            away = rng.normal(0, 60, 2)
            mirrored = (lamp[0] + away[0], lamp[1] + away[1], rng.uniform(50, 170), rng.uniform(0.1, 0.9))
            mood = replace(mood, lamp=lamp, lamp_share=float(rng.uniform(0.7, 1.0)), glare=(mirrored,), cast=(float(np.exp(-warm)), float(np.exp(-0.35 * warm)), 1.0), exposure=float(rng.uniform(0.2, 0.9)))  # fmt: skip
        elif what < 0.6:  # very soft or very strong mirror
            glare = tuple(
                (rng.uniform(0, width), rng.uniform(0, height), rng.uniform(40, 150), rng.uniform(0.05, 0.7)) for _ in range(2)
            )
            mood = replace(mood, glare=glare)
        grain = float(rng.uniform(2.5, 6)) if rng.uniform() < 0.2 else mood.noise
        self.sharp = float(rng.choice([0.0, 0.0, rng.uniform(0.3, 1.5)]))
        return replace(mood, noise=grain)

    def _film(self, picture: np.ndarray, mood: Mood) -> np.ndarray:
        image = super()._film(picture, mood)
        if getattr(self, "sharp", 0.0) > 0:
            soft = cv2.GaussianBlur(image, (0, 0), 1.2)
            image = cv2.addWeighted(image, 1 + self.sharp, soft, -self.sharp, 0)
        return image

# ruff: noqa: E501, RUF005, RUF059 - a drawing script: long lists of numbers
"""Made-up copies whose discs' second sides do not follow from the first ones, in several families of art.

``dimmed``: the portrait of the first side, darker and with less colour. ``other-picture``: another portrait on the same colour.
``symbol``: a plain sign on another colour. ``photograph``: both sides are cut out of photographs and textures, printed small, with
the paper's grain; the pictures come from a folder (``PICTURES_ENV``), of free sources; this family is kept apart for judging.
``ordinary``: as ``art`` draws them, the same portrait in grey on paper.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from companion.calibration.training.art import NAMED, SCALE, Colour, Copy, bgr, circle, poly
from companion.calibration.training.composed import Table

FAMILIES = ("dimmed", "other-picture", "symbol")
APART = "photograph"
ORDINARY = "ordinary"
"""The first ones in grey."""
PICTURES_ENV = "TABLE_WITNESS_ART"
"""Names a folder with free photographs (PNG, JPEG) and, if wished, ``lfw_subset.npy`` (200 faces of 25 × 25 samples)."""
SIDES = ("suspect", "innocent")


def mask_of(n: int, radius: float) -> np.ndarray:
    """A soft round mask (n × n × 1, 0..1) of a radius in samples about the middle."""
    ys, xs = np.mgrid[:n, :n].astype(np.float32) - (n - 1) / 2
    return np.clip(radius - np.hypot(xs, ys) + 0.5, 0, 1)[..., None]


class SecondSides(Copy):
    """The discs of a copy, of any game, with second sides of one family."""

    family: str

    def _discs(self, rng: np.random.Generator) -> None:
        super()._discs(rng)
        if self.family == ORDINARY:
            return
        own = np.random.default_rng(self.seed + 4_111)
        members = [piece.id for piece in self.pieces.in_group("characters")]
        if self.family == APART:
            for index, piece in enumerate(members):
                for side in SIDES:
                    self.faces[piece, side] = self._photograph(own, piece, side, index)
            return
        rim = float(own.uniform(1.2, 3.2))
        grounds = own.permutation(len(members))
        dim, fade, paper = (
            own.uniform(0.45, 0.7),
            own.uniform(0.3, 0.8),
            bgr(own.uniform(), own.uniform(0, 0.3), own.uniform(0.2, 0.95)),
        )
        for index, piece in enumerate(members):
            facing = self.pieces.pieces[piece].facing
            if self.family == "dimmed":
                first = self.faces[piece, "suspect"].astype(np.float32)
                grey = first.mean(axis=-1, keepdims=True)
                self.faces[piece, "innocent"] = np.clip(dim * ((1 - fade) * first + fade * grey), 0, 255).astype(np.uint8)
            elif self.family == "other-picture":
                colour, portrait = self.wood[piece], int(own.integers(1 << 30))
                ground = tuple(float(np.clip(k * own.uniform(0.7, 1.25) + 20, 0, 255)) for k in colour)
                face = self._face(portrait, "suspect", ground, paper, rim, float(own.uniform(0.4, 0.9)), True, facing, True)
                self.faces[piece, "innocent"] = face
            else:
                self.faces[piece, "innocent"] = self._symbol(own, piece, int(grounds[index]), rim, paper)
        for piece in members:
            if self.pieces.pieces[piece].facing and self.family == "symbol":
                self._wedge(self.faces[piece, "innocent"])

    def _wedge(self, image: np.ndarray) -> None:
        r = self.radius
        c = np.array([r, r])
        angles = np.radians(np.linspace(-30, 30, 20))
        poly(image, np.vstack([c + (0.18 * r, 0), c + r * np.column_stack([np.cos(angles), np.sin(angles)])]), (225, 235, 238))
        poly(image, [c + (0.85 * r, 0), c + (0.7 * r, -0.1 * r), c + (0.7 * r, 0.1 * r)], (20, 20, 20))

    def _symbol(self, rng: np.random.Generator, piece: str, which: int, rim: float, paper: Colour) -> np.ndarray:
        """A plain sign on another colour; its rim keeps the wood's."""
        r = self.radius
        n = round(2 * r * SCALE)
        image = np.zeros((n, n, 3), np.uint8)
        image[:] = self.wood[piece]
        c = np.array([r, r])
        ground = bgr((which + rng.uniform(0, 0.5)) / 8, rng.uniform(0.1, 0.6), rng.uniform(0.35, 0.95))
        ink = paper if abs(sum(paper) - sum(ground)) > 150 else (20, 20, 20) if sum(ground) > 300 else (235, 235, 235)
        circle(image, c, r - rim, ground)
        corners = 3 + which % 4
        star, reach = which >= 4, rng.uniform(0.4, 0.62) * r
        t = np.linspace(0, 2 * np.pi, corners * (2 if star else 1), endpoint=False) + rng.uniform(0, 6)
        out = np.where(np.arange(len(t)) % 2, 0.45, 1.0) if star else np.ones(len(t))
        poly(image, c + reach * out[:, None] * np.column_stack([np.cos(t), np.sin(t)]), ink)
        return image

    def _photograph(self, rng: np.random.Generator, piece: str, side: str, index: int) -> np.ndarray:
        """A round cut out of a photograph, printed in few, dull or tinted colours on grainy paper."""
        n = round(2 * self.radius * SCALE)
        sources = photographs()
        source = sources[int(rng.integers(len(sources)))]
        h, w = source.shape[:2]
        size = int(min(h, w) * rng.uniform(0.35, 0.95)) if min(h, w) > 60 else min(h, w)
        y, x = int(rng.integers(h - size + 1)), int(rng.integers(w - size + 1))
        cut = cv2.resize(
            source[y : y + size, x : x + size], (n, n), interpolation=cv2.INTER_AREA if size > n else cv2.INTER_CUBIC
        )
        cut = cut.astype(np.float32)
        grey = cut.mean(axis=-1, keepdims=True)
        style = np.random.default_rng(self.seed + 9_001)
        low, high = style.uniform(10, 60), style.uniform(120, 235)
        keep = style.uniform(0, 0.9)
        h_, s_, v_ = NAMED.get(self.pieces.pieces[piece].colour or "", (index / 8, 0.6, 0.6))
        tint = np.array(bgr(h_, s_ * (1.0 if side == "suspect" else style.uniform(0, 0.8)), 1.0), np.float32) / 255
        print_ = (keep * cut + (1 - keep) * grey - cut.min()) / max(1.0, float(np.ptp(cut))) * (high - low) + low
        print_ *= style.uniform(0.3, 1.0) * tint + (1 - style.uniform(0.3, 1.0)) if side == "suspect" else 0.4 * tint + 0.6
        print_ += style.normal(0, 3, print_.shape)
        wood = np.array(self.wood[piece], np.float32)
        inside = mask_of(n, n / 2 - style.uniform(1.2, 3.0) * SCALE)
        image = np.clip(inside * print_ + (1 - inside) * wood, 0, 255).astype(np.uint8)
        if self.pieces.pieces[piece].facing:
            self._wedge(image)
        return image


@dataclass
class SecondSideCopy(SecondSides):
    """A copy of the first game with second sides of one family."""

    family: str = "ordinary"


@lru_cache(maxsize=1)
def photographs() -> tuple[np.ndarray, ...]:
    """The free pictures that a folder holds. Raises FileNotFoundError when there are none."""
    folder = Path(os.environ.get(PICTURES_ENV, ""))
    found = [cv2.imread(str(path)) for path in sorted([*folder.glob("*.png"), *folder.glob("*.jpg")])]
    pictures = [image for image in found if image is not None and min(image.shape[:2]) >= 100]
    faces = folder / "lfw_subset.npy"
    if faces.exists():
        grey = np.load(faces)[:100]
        for face in grey:
            scaled = face if face.max() > 1 else face * 255
            pictures.append(cv2.cvtColor(np.clip(scaled, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR))
    if not pictures:
        raise FileNotFoundError(f"{PICTURES_ENV} names no folder with pictures")
    return tuple(pictures)


@dataclass
class SecondSideTable(Table):
    """One camera over such a copy."""

    family: str = "ordinary"

    def make_copy(self) -> Copy:
        return SecondSideCopy(self.board, self.pieces, self.seed, self.family)

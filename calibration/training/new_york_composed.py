# ruff: noqa: RUF005 - drawing scripts: long lists of strokes and numbers
"""Made-up unmodified copies of Mr. Jack in New York: every seed another print, other tiles, strips and portraits."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np

from companion.boards import PAIR
from companion.calibration.training.art import SCALE, Palette, bgr, circle, clutter, line, poly, px
from companion.calibration.training.composed import Table
from companion.calibration.training.new_york_stickers import BOARD, PIECES, wander
from companion.calibration.training.second_sides import SecondSides
from companion.calibration.training.wild import WildCopy

FLAT_MM = 2.05
"""Barricades and the informant may lie on tiles: a little higher, so that they are drawn over them."""


class Copy(WildCopy):
    """A copy of this game: printed houses, water, piers and a statue; tiles with two sides."""

    @property
    def radius(self) -> float:
        return self._radius

    @radius.setter
    def radius(self, value: float) -> None:
        self._radius = value - 1.5  # the discs of this game are 30 mm wide, not 33

    def _icons(
        self, rng: np.random.Generator, image: np.ndarray, palette: Palette, hue: float, saturation: float, tone: float
    ) -> None:
        water, wood = (
            bgr(rng.uniform(0.5, 0.65), rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.7)),
            bgr(0.08, rng.uniform(0.3, 0.6), rng.uniform(0.3, 0.6)),
        )
        sign, rail = (
            bgr(rng.uniform(), rng.uniform(0.3, 0.9), rng.uniform(0.2, 0.9)),
            bgr(rng.uniform(), 0.3, rng.uniform(0.1, 0.4)),
        )
        for cell in self.board.cells.values():
            x, y = self.board.mm(cell.id)
            outline = self.board.outline_mm(cell.id, 0.98)
            if cell.kind == "building":
                mask = np.zeros(image.shape[:2], np.uint8)
                poly(mask, outline, (255,))
                image[mask > 0] = bgr(hue + 0.3, rng.uniform(0.1, 0.5), rng.uniform(0.3, 0.6))
                corner, r = (np.array((x, y)) * SCALE).astype(int), int(24 * SCALE)
                part = np.s_[max(0, corner[1] - r) : corner[1] + r, max(0, corner[0] - r) : corner[0] + r]
                clutter(rng, image[part], mask[part] > 0, palette, 25, (5, 11))
            elif cell.kind in ("port", "pier", "statue", "exit"):
                poly(image, outline, wood if cell.kind == "pier" else sign if cell.kind == "exit" else water)
                for k in range(-2, 3):
                    wave = rng.uniform(-3, 3)
                    line(image, (x - 12 + wave, y + 6 * k), (x + 12 + wave, y + 6 * k), tuple(0.7 * c for c in water), 0.8)
                if cell.kind == "statue":
                    circle(image, (x, y), 15, wood)
                    circle(image, (x, y), 9, sign)
            elif cell.kind == "subway":
                circle(image, (x, y), 13, sign, 2.5)
                line(image, (x - 15, y), (x + 15, y), rail, 5)

    def _tiles(self, rng: np.random.Generator) -> None:
        style = np.random.default_rng(self.seed + 57)
        w, h = self.pieces.groups["tiles"].size_mm
        hues = style.permutation([0.12, 0.33, 0.58, 0.02]) + style.normal(0, 0.03, 4)
        sides = {}
        for side, hue in zip(("lamp", "park", "subway", "building"), hues, strict=True):
            sides[side] = self._emblem(style, w, h, bgr(hue, style.uniform(0.2, 0.9), style.uniform(0.35, 0.95)))
        for piece in self.pieces.in_group("tiles"):
            for side in piece.faces:
                self.faces[piece.id, side] = sides[side]
            self.wood[piece.id] = tuple(0.5 * c for c in sides[piece.faces[0]][2, 2])
        for key in ("barricades", "steamboats"):
            strip = self._strip(style, *self.pieces.groups[key].size_mm)
            for piece in self.pieces.in_group(key):
                self.faces[piece.id, None] = strip
                self.wood[piece.id] = tuple(0.5 * c for c in strip[1, 1])
        w, h = self.pieces.groups["informant"].size_mm
        seed = style.integers(1 << 30)
        for side in ("talkative", "silent"):
            ground = bgr(style.uniform(), style.uniform(0.1, 0.9), style.uniform(0.4, 0.95))
            image = self._emblem(np.random.default_rng(seed) if style.uniform() < 0.5 else style, w, h, ground)
            circle(image, (w / 2, h / 2), w / 2 - 1, tuple(0.4 * c for c in ground), 1.2)
            self.faces["informant", side] = image
        self.wood["informant"] = (60, 60, 60)

    def _strip(self, rng: np.random.Generator, w: float, h: float) -> np.ndarray:
        image = np.zeros((round(h * SCALE), round(w * SCALE), 3), np.uint8)
        ground, bars = (bgr(rng.uniform(), rng.uniform(0.1, 0.9), rng.uniform(0.2, 0.95)) for _ in range(2))
        image[:] = ground
        step, lean = rng.uniform(5, 14), rng.uniform(-0.5, 0.5) * h
        if rng.uniform() < 0.7:
            for x in np.arange(-h, w + h, step):
                poly(image, [(x, 0), (x + step * 0.45, 0), (x + step * 0.45 + lean, h), (x + lean, h)], bars)
        for _ in range(int(rng.integers(2, 7))):
            at, size = rng.uniform((4, 4), (w - 4, h - 4)), rng.uniform(2, 7)
            tint = bgr(rng.uniform(), rng.uniform(0, 0.9), rng.uniform(0.1, 1))
            circle(image, at, size * 0.6, tint)
            line(image, at - (size, 0), at + (size, rng.uniform(-3, 3)), (30, 28, 26), rng.uniform(0.4, 1.2))
        cv2.polylines(image, [px([(0.5, 0.5), (w - 0.5, 0.5), (w - 0.5, h - 0.5), (0.5, h - 0.5)])], True, (30, 28, 26), 2)
        return image


class SecondSideCopy(SecondSides, Copy):
    """A copy with second sides of one family (``second_sides``)."""

    def __init__(self, family: str, seed: int) -> None:
        self.family = family
        super().__init__(BOARD, PIECES, seed)


def _raised() -> Any:
    groups = {
        key: replace(group, height_mm=FLAT_MM) if key in ("barricades", "informant") else group
        for key, group in PIECES.groups.items()
    }
    return replace(PIECES, groups=MappingProxyType(groups))


class NewYorkTable(Table):
    """One camera over one made-up copy of this game."""

    def __init__(
        self, seed: int, size: tuple[int, int] = (1280, 720), tilt_most: float = 35.0, family: str = "ordinary"
    ) -> None:
        self.family = family
        super().__init__(BOARD, _raised(), seed, size, tilt_most)

    def make_copy(self) -> Copy:
        return SecondSideCopy(self.family, self.seed)

    def states(self, picks: int) -> list[dict[str, Any]]:
        """Positions of a game played at random, as a reading would say them."""
        return [readable(position.to_json()) for position in wander(np.random.default_rng(self.seed + 5), picks)]

    def shoot(  # type: ignore[override]
        self, state: dict[str, Any], **more: Any
    ) -> tuple[np.ndarray, dict[str, Any]]:
        raised = {"covers": list(state.get("tiles", ()))} if state else {}
        return super().shoot(state | raised, **more)

    def _reach(self, place: Any) -> float:
        return 5.0 if place.group == "informant" else super()._reach(place)

    def _outline(self, place: Any, x: float, y: float, turn: float) -> np.ndarray:
        if self.pieces.groups[place.group].shape != "strip":
            return super()._outline(place, x, y, turn)
        w, h = place.size_mm
        r = np.radians(turn)
        corners = np.array([(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)])
        return np.array([x, y]) + corners @ np.array([[np.cos(r), np.sin(r)], [-np.sin(r), np.cos(r)]])

    def _turn(self, place: Any) -> float:
        rng = self.rng
        if PAIR in place.place:
            one, other = (np.array(self.board.mm(cell)) for cell in place.place.split(PAIR))
            d = other - one
            return float(np.degrees(np.arctan2(d[1], d[0])) + rng.choice([0, 180]) + np.clip(rng.normal(0, 2.5), -6, 6))
        if place.group == "tiles":
            return float(rng.integers(6) * 60 + rng.normal(0, 3))
        return float(rng.uniform(0, 360))


def readable(state: dict[str, Any]) -> dict[str, Any]:
    """The part of a position that pieces on the board show."""
    kept = {key: state[key] for key in PIECES.groups if key in state}
    there = {name: entry for name, entry in kept["characters"].items() if entry["hex"] is not None}
    return kept | {"characters": there}

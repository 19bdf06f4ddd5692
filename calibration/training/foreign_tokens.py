"""Small things that belong to no game of ours, laid on a made-up table: coins, beads, dice, chits, counters and bottle caps.

``JUDGING`` are families that nothing was ever set by: they are for counting alone.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from companion.calibration.training.art import SCALE, bgr
from companion.calibration.training.composed import Table, blend, homography
from companion.vision.camera import Registration
from companion.vision.plain.surface import LINEAR

SETTING = ("coin", "bead", "die", "chit")
JUDGING = ("counter", "cap")


def picture(rng: np.random.Generator, family: str) -> tuple[np.ndarray, np.ndarray, float]:
    """A token from above: colours (H×W×3, ``SCALE`` pixels per mm), its outline (N×2 mm about the middle), its height (mm)."""
    wide = {"coin": (18, 27), "bead": (8, 15), "die": (11, 17), "chit": (20, 36), "counter": (15, 24), "cap": (26, 32)}[family]
    size = float(rng.uniform(*wide))
    n = round(size * SCALE)
    ys, xs = (np.mgrid[0:n, 0:n] + 0.5) / n * 2 - 1
    away, t = np.hypot(xs, ys), np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = size / 2 * np.column_stack([np.cos(t), np.sin(t)])
    square = size / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)
    image = np.zeros((n, n, 3), np.float32)
    if family == "coin":
        image[:] = bgr(rng.choice([0.09, 0.12, 0.6]), rng.uniform(0.05, 0.5), rng.uniform(0.4, 0.8))
        relief = cv2.GaussianBlur(rng.normal(0, 1, (n, n)).astype(np.float32), (0, 0), 0.9 * SCALE)
        image *= (1 + 0.9 * relief * (away < 0.8) + 0.25 * ((away > 0.85) & (away < 0.94)))[..., None]
        return image, ring, 2.0
    if family == "bead":
        image[:] = bgr(rng.uniform(), rng.uniform(0.2, 0.95), rng.uniform(0.3, 0.95))
        image *= np.sqrt(np.maximum(1.05 - away**2, 0.05))[..., None].astype(np.float32)
        image[np.hypot(xs + 0.3, ys + 0.35) < 0.18] = 255
        return image, ring, size * 0.6
    if family == "die":
        face, pip = (245, 20) if rng.uniform() < 0.5 else (40, 235)
        image[:] = bgr(rng.uniform(), rng.uniform(0, 0.8), 1.0) if rng.uniform() < 0.5 else (face, face, face)
        for x, y in [(-0.5, -0.5), (0.5, 0.5), (0.5, -0.5), (-0.5, 0.5), (0, 0)][: int(rng.integers(1, 6))]:
            image[np.hypot(xs - x, ys - y) < 0.2] = pip
        return image, square, size
    if family == "chit":
        image[:] = bgr(rng.uniform(), rng.uniform(0, 0.9), rng.uniform(0.2, 0.95))
        for _ in range(int(rng.integers(3, 8))):
            a, b = rng.integers(0, n, 2), rng.integers(0, n, 2)
            cv2.line(image, a.tolist(), b.tolist(), bgr(rng.uniform(), 0.8, rng.uniform(0.1, 1)), int(rng.integers(2, 9)))
        return image, ring if rng.uniform() < 0.4 else square, 2.0
    if family == "counter":
        image[:] = bgr(rng.uniform(), rng.uniform(0.5, 1), rng.uniform(0.4, 1))
        image *= np.where(away > 0.75, 0.7, 1.0 + 0.2 * ys)[..., None].astype(np.float32)
        return image, ring, 3.0
    image[:] = bgr(rng.uniform(), rng.uniform(0.2, 0.9), rng.uniform(0.3, 0.9))
    teeth = away > 0.86 + 0.05 * np.sign(np.sin(21 * np.arctan2(ys, xs)))
    image[teeth] = (170, 170, 170)
    band = np.abs(ys - rng.uniform(-0.2, 0.2)) < rng.uniform(0.15, 0.35)
    image[band & (away < 0.8)] = bgr(rng.uniform(), rng.uniform(0, 0.4), 0.95)
    return image, ring, 6.0


def strew(table: Table, tokens: list[tuple[str, str]], seed: int) -> None:
    """Let the table's next pictures, shot with ``junk=len(tokens)``, show tokens: (family, place) each."""
    rng, left = np.random.default_rng(seed), list(tokens)

    def lay(picture_: np.ndarray, pinhole: Registration, light: np.ndarray) -> None:
        family, place = left.pop(0)
        face, outline, height = picture(rng, family)
        (x, y), off, turn = table.board.mm(place), rng.uniform(-4, 4, 2), rng.uniform(0, 2 * np.pi)
        c, s = np.cos(turn), np.sin(turn)
        at = outline @ np.array([[c, s], [-s, c]]) + (x, y) + off
        here = table._local_light(light, x, y)
        lower, upper = pinhole.project(at, 0.0), pinhole.project(at, height)
        side = LINEAR[np.clip(face.mean(axis=(0, 1)), 0, 255).astype(np.uint8)] * here * 0.6
        shadow = pinhole.project(at + np.array(table.mood.shadow[:2]) * height * 0.5, 0.0)
        dark = 1 - 0.6 * table.mood.shadow[2]
        cast = picture_.copy()
        blend(cast, cv2.convexHull(np.vstack([lower, shadow]).astype(np.float32)).reshape(-1, 2), lambda box: 0.0)
        picture_[:] = np.where(cast < picture_, picture_ * dark, picture_)
        blend(picture_, cv2.convexHull(np.vstack([lower, upper]).astype(np.float32)).reshape(-1, 2), lambda box: side)
        h, w = face.shape[:2]
        middle = np.array([[c, -s, x + off[0]], [s, c, y + off[1]], [0, 0, 1]])
        unit = np.array([[1 / SCALE, 0, -w / 2 / SCALE], [0, 1 / SCALE, -h / 2 / SCALE], [0, 0, 1]])
        matrix = homography(pinhole, height) @ middle @ unit

        def paint(box: tuple[int, int, int, int]) -> Any:
            shift = np.array([[1, 0, -box[0]], [0, 1, -box[1]], [0, 0, 1.0]])
            codes = np.clip(face, 0, 255).astype(np.uint8)
            size = box[2], box[3]
            flat = cv2.warpPerspective(
                LINEAR[codes], shift @ matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
            )
            return flat * here

        blend(picture_, upper, paint)

    table._junk = lay  # type: ignore[method-assign, assignment]

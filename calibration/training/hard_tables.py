"""Hard tables with stickers: tilt to 45°, markers down to 24 px, dusk, noise, blur and glare, all drawn from a seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.boards import load, load_pieces
from companion.calibration.training.stickers_composed import Shot, pose
from companion.vision.camera import Registration

BOARD, PIECES = load("mr-jack-london"), load_pieces("mr-jack-london")
SMALLEST_PX = 24.0
"""Pixels a disc's marker is wide at least where it is farthest away."""


def smallest_marker_px(registration: Registration) -> float:
    """Side of the smallest disc marker on the board: the mean of its four sides, where it is farthest away."""
    half = PIECES.groups["characters"].marker_mm / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    sides = []
    for cell in BOARD.cells:
        corners = registration.project(np.asarray(BOARD.mm(cell)) + square, 8.0)
        sides.append(float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()))
    return min(sides)


def hard_shot(seed: int) -> Shot:
    """A camera and a light drawn from a seed; as far away as the smallest marker allows."""
    rng = np.random.default_rng(seed + 9000)
    tilt, azimuth = float(rng.uniform(0, 45)), float(rng.choice([0, 180]) + rng.normal(0, 12))
    shot = Shot(
        tilt=tilt, azimuth=azimuth, roll=float(rng.normal(0, 5)), exposure=float(rng.uniform(0.25, 1.05)),
        slope=(float(rng.normal(0, 0.25)), float(rng.normal(0, 0.2))), noise=float(rng.uniform(0.5, 4.5)),
        blur=float(rng.uniform(0.3, 0.9)), tint=(float(rng.uniform(0.6, 1.1)), 0.95, float(rng.uniform(0.9, 1.15))),
        quality=int(rng.integers(75, 93)), seed=seed,
    )  # fmt: skip
    for scale in np.arange(1.4, 2.3, 0.05):
        made = replace(shot, px_per_mm=float(scale))
        if smallest_marker_px(pose(BOARD, made)) >= SMALLEST_PX + rng.uniform(0, 4):
            return made
    return made


def glared(picture: np.ndarray, registration: Registration, rng: np.random.Generator, spots: int) -> np.ndarray:
    """A lamp mirrored in the board's varnish: soft bright spots, some of them burnt out."""
    film = picture.astype(np.float32)
    for _ in range(spots):
        x, y = registration.project([rng.uniform((30, 30), np.array(BOARD.size_mm) - 30)])[0]
        reach = rng.uniform(25, 80) * 1.7
        ys, xs = np.mgrid[0 : film.shape[0], 0 : film.shape[1]].astype(np.float32)
        film += (rng.uniform(50, 210) * np.exp(-((xs - x) ** 2 + ((ys - y) * 1.4) ** 2) / (2 * reach**2)))[..., None]
    return np.clip(film, 0, 255).astype(np.uint8)

"""The pawns of a made-up copy of Letters from Whitechapel, and their shadows."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.calibration.training.laid_pieces import Put
from companion.calibration.training.whitechapel_copy import BOARD, FORMS, PIECES, Copy, Image
from companion.vision.camera import Registration


@dataclass(frozen=True)
class Light:
    """Where the light comes from (degrees on the board), how dark (share) and long (mm) the shadows of pawns are."""

    azimuth: float = 220.0
    shadow: float = 0.3
    long_mm: float = 9.0


def lay_pawn(image: Image, copy: Copy, one: Put, registration: Registration, light: Light, base_mm: float) -> None:
    """A turned piece of wood: discs upon each other, lit from one side."""
    group, form = PIECES.group_of(one.piece), FORMS[copy.look.form]
    foot = np.array(BOARD.mm(one.at) if isinstance(one.at, str) else one.at) + one.off_mm
    tall, wide = copy.height(group.key), group.size_mm[0] / 2
    levels = np.linspace(0, 1, 60)
    heights, widths = np.array(form, np.float64).T
    radii = np.interp(levels, heights, widths) * wide
    turn = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    outlines = [
        registration.project(foot + ring * radius, base_mm + level * tall) for level, radius in zip(levels, radii, strict=True)
    ]
    every = np.vstack(outlines)
    low, high = np.floor(every.min(axis=0)).astype(int) - 2, np.ceil(every.max(axis=0)).astype(int) + 3
    low, high = np.maximum(low, 0), np.minimum(high, image.shape[1::-1])
    if (high <= low).any():
        return
    fine = 4
    size = (high - low) * fine
    drawn, mask = np.zeros((size[1], size[0], 3), np.float32), np.zeros((size[1], size[0]), np.uint8)
    colour = np.array(one.colour or copy.pawn_colour(one.piece), np.float32)
    sun = np.array([np.cos(np.radians(light.azimuth)), np.sin(np.radians(light.azimuth))])
    slopes = -np.gradient(radii, levels * tall)
    for outline, slope, level in zip(outlines, slopes, levels, strict=True):
        # A fan of the disc, each part lit by the way its rim looks.
        up, side = slope / np.hypot(1, slope), ring @ sun / np.hypot(1, slope)
        shade = np.full(len(ring), 0.95) if level == 1.0 else np.clip(0.5 + 0.3 * up + 0.35 * side, 0.25, 1.15)
        shine = copy.look.glossy * np.maximum(0.0, 0.6 * up + 0.55 * side) ** 14
        fan = np.stack([np.broadcast_to(outline.mean(axis=0), outline.shape), outline, np.roll(outline, -1, axis=0)], axis=1)
        parts = np.round((fan - low + 0.5) * fine).astype(np.int32)
        lit = np.minimum(255, colour * shade[:, None] + 255 * shine[:, None])
        for part, value in zip(parts, lit.tolist(), strict=True):
            cv2.fillConvexPoly(drawn, part, value)
        cv2.fillConvexPoly(mask, np.round((outline - low + 0.5) * fine).astype(np.int32), 255)
    drawn *= (mask > 0)[..., None]
    box = tuple(int(v) for v in high - low)
    alpha = cv2.resize(mask.astype(np.float32) / 255, box, interpolation=cv2.INTER_AREA)[..., None]
    colours = cv2.resize(drawn, box, interpolation=cv2.INTER_AREA)
    target = image[low[1] : high[1], low[0] : high[0]]
    target[:] = np.clip(target * (1 - alpha) + colours, 0, 255).astype(np.uint8)


def lay_shadows(image: Image, copy: Copy, pawns: Sequence[Put], registration: Registration, light: Light) -> None:
    """The soft shadows of pawns on what lies below."""
    dark = np.zeros(image.shape[:2], np.float32)
    away = -np.array([np.cos(np.radians(light.azimuth)), np.sin(np.radians(light.azimuth))])
    for one in pawns:
        foot = np.array(BOARD.mm(one.at) if isinstance(one.at, str) else one.at) + one.off_mm
        wide = PIECES.group_of(one.piece).size_mm[0] / 2
        part = np.zeros_like(dark)
        for share in np.linspace(0, 1, 10):
            turn = np.linspace(0, 2 * np.pi, 20)
            ring = (
                foot + away * share * light.long_mm + np.column_stack([np.cos(turn), np.sin(turn)]) * wide * (1 - 0.35 * share)
            )
            cv2.fillConvexPoly(part, np.round(registration.project(ring) * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
        dark = np.maximum(dark, part)
    blur = registration.pixels_per_mm((BOARD.size_mm[0] / 2, BOARD.size_mm[1] / 2)) * 1.5
    dark = np.asarray(cv2.GaussianBlur(dark, (0, 0), blur), np.float32)
    image[:] = (image * (1 - light.shadow * dark[..., None])).astype(np.uint8)

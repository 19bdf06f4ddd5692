"""The colour of the bare mat, and the light over it, which is told by it and taken out."""

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.cards.view import Floats
from companion.vision.frame import Image, Mask

_LIGHT_ROUNDS = (0.4, 0.25, 0.15, 0.1)
"""Natural logarithms by which the ground may differ from the fit of the light, round by round."""
_LEAST_GROUND = 0.08
"""0.05..0.2: the share of the mat that must look like bare ground for the slope of the light to be told."""
_BINS = 24
"""Levels between which the colours of the ground are told apart: a lamp's slope over a mat is some 40 levels."""


def evened(seen: Image, target: NDArray[np.float32], within: Mask) -> Floats:
    """A view (BGR) as it would look if the ground had the colour ``target`` all over the mat (``within``): the light's
    strength, tint and slope (a quadratic over the mat) taken out. What does not look like ground takes no part in the fit."""
    start = np.log((ground_colour(seen, within) + 2) / (target + 2))
    rows, columns = seen.shape[:2]
    inside = within[::5, ::5]
    ways = (np.mgrid[-1 : 1 : side * 1j].astype(np.float32)[::5] for side in (rows, columns))
    down, across = (np.broadcast_to(way, inside.shape) for way in np.ix_(*ways))
    ratio = np.log((seen[::5, ::5].astype(np.float32) + 2) / (target + 2))[inside] - start
    x, y = across[inside], down[inside]
    terms = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=1)
    fit, tint = np.zeros(6, np.float32), np.zeros(3, np.float32)
    for tolerance in _LIGHT_ROUNDS:
        rest = ratio - (terms @ fit)[:, None] - tint
        astray = np.abs(rest)
        near = np.maximum(np.maximum(astray[:, 0], astray[:, 1]), astray[:, 2]) < tolerance
        if near.mean() < _LEAST_GROUND:
            break
        tint = tint + np.median(rest[near], axis=0)
        own = terms[near]
        level = (ratio[near] - tint).mean(axis=1)
        fit = np.linalg.solve(own.T @ own + np.diag([1e-3, 1, 1, 4, 4, 4]).astype(np.float32), own.T @ level)
    v, u = (np.linspace(-1, 1, count, dtype=np.float32) for count in (24, 32))
    u, v = np.meshgrid(u, v)
    slope = np.clip(fit[1] * u + fit[2] * v + fit[3] * u * u + fit[4] * v * v + fit[5] * u * v, -0.7, 0.7)
    field = cv2.resize(np.exp(-slope - fit[0]).astype(np.float32), (columns, rows), interpolation=cv2.INTER_LINEAR)
    # As matrices, for broadcasting over three channels is slow.
    levels = cv2.merge([field * np.float32(level) for level in np.exp(-start - tint)])
    return np.asarray(cv2.multiply(seen, levels, dtype=cv2.CV_32F), np.float32)


def ground_colour(seen: Image, within: Mask) -> NDArray[np.float32]:
    """The colour (BGR) that most of a mat has, where it lies (``within``): what is not covered by cards is the most of it."""
    pixels = seen[::3, ::3][within[::3, ::3]].astype(np.float32)
    if not len(pixels):
        return np.full(3, 128, np.float32)
    level = 255 // _BINS + 1
    bins = (pixels // _BINS).astype(np.int32) @ np.array([1, level, level * level], np.int32)
    first = int(np.argmax(np.bincount(bins)))
    best = pixels[bins == first].mean(axis=0)
    for _ in range(3):
        astray = np.abs(pixels - best)
        near = np.maximum(np.maximum(astray[:, 0], astray[:, 1]), astray[:, 2]) < _BINS
        best = pixels[near].mean(axis=0)
    return np.asarray(best, np.float32)

"""How like its own picture on the empty board a place still looks, whatever the light does to it.

Compared are the place's footprint and the ring of board around it: what changed in both is light; what changed in the
footprint alone is a piece. Drawing is compared by correlation, so that neither shade nor exposure counts.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.settings import BareSettings

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

NAMES = ("brighter", "colour gap", "roughness", "drawing", "drawing energy", "drawing there", "ring drawing")


def bare_features(seen: Floats, bare: Floats, inside: Mask, ring: Mask, scale: float, settings: BareSettings) -> Array:
    """Features (7, see ``NAMES``) of an H×W×3 reflectance patch against the bare one. ``inside`` is the visible part of the
    footprint, ``ring`` the visible board around it."""
    if int(inside.sum()) < settings.fewest:
        return np.zeros(len(NAMES))
    ratio = np.log((seen + settings.floor) / (bare + settings.floor))
    bright = ratio.mean(axis=-1)
    colour = ratio - bright[..., None]
    reference = np.zeros(3, np.float32)
    level = 0.0
    rough_ring = 0.0
    if int(ring.sum()) >= settings.fewest:
        reference = np.median(colour[ring], axis=0)
        level = float(np.median(bright[ring]))
        rough_ring = float(np.minimum(np.linalg.norm(colour[ring] - reference, axis=-1), 1).mean())
    gap = float(np.linalg.norm(np.median(colour[inside], axis=0) - reference))
    rough = float(np.minimum(np.linalg.norm(colour[inside] - reference, axis=-1), 1).mean())
    one, other = (_drawing(patch, scale) for patch in (seen, bare))
    there = float(other[inside].std())
    energy = float(np.log((float(one[inside].std()) + 0.005) / (there + 0.005)))
    return np.array(
        [
            np.clip(float(np.median(bright[inside])) - level, -1.5, 1.5), min(gap, 1.5), rough - rough_ring,
            _correlation(one, other, inside), np.clip(energy, -2, 2), min(there * 20, 3.0),
            _correlation(one, other, ring) if int(ring.sum()) >= settings.fewest else 0.0,
        ]
    )  # fmt: skip


def _drawing(patch: Floats, scale: float) -> Floats:
    """Local contrast of a patch's lightness."""
    light = np.cbrt(np.maximum(patch, 0) @ np.array([0.11, 0.59, 0.3], np.float32) + 0.01)
    return np.asarray(cv2.GaussianBlur(light, (0, 0), 0.7) - cv2.GaussianBlur(light, (0, 0), 2.5 * scale), np.float32)


def _correlation(one: Floats, other: Floats, mask: Mask) -> float:
    """Correlation over a mask at the best shift of a sample: registration is no better than that."""
    want = other[mask] - other[mask].mean()
    down, across = np.nonzero(mask)
    height, width = one.shape
    shifts = np.arange(-1, 2)
    rows, columns = (shifts[:, None] + down) % height, (shifts[:, None] + across) % width
    have = one[rows[:, None], columns[None]].reshape(-1, len(want))
    have -= have.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(have, axis=1) * np.linalg.norm(want)
    return max(-1.0, float((have @ want / np.maximum(lengths, 1e-6)).max()))

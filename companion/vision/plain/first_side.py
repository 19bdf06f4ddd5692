"""Whether a disc shows the first side that was taught, whatever its second side looks like.

Second sides of real copies need not follow from the first ones: another picture on the same colour, the same one dimmed, a sign
on another colour. A look at one must not pass for the first side only because that is the likest of what is known. So the face
seen is compared with the taught one by itself, and a fitted logistic regression tells how like they are.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.discs import ANGLES, RADII, Face, TaughtFaces

FEATURES = (
    "lines", "pattern", "lightness", "cast", "residual", "saturation", "contrast", "portrait", "darker", "paler",
)  # fmt: skip
WITHIN = RADII <= 0.75
"""Rings that are compared: what lies farther out is rim, and bears the same colour on both sides."""
ADAPTED = 16.0
"""L* is about proportional to the cube root of luminance with 16 added; saturation is chroma as a share of that."""


@dataclass(frozen=True, slots=True)
class _Fit:
    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    weights: NDArray[np.float64]
    offset: float


@cache
def _fit() -> _Fit:
    data = json.loads((Path(__file__).with_name("first_side.json")).read_text("utf-8"))
    if tuple(data["features"]) != FEATURES:
        raise AssertionError(f"first_side.json was fitted on {data['features']}, not on {FEATURES}")
    mean, scale, weights = (np.array(data[key], np.float64) for key in ("mean", "scale", "weights"))
    return _Fit(mean, scale, weights, float(data["offset"]))


def likeness(seen: Face, taught: Face, portrait: float) -> float:
    """Log odds that a seen face is the taught one, on copies of which half the discs show it. ``portrait``: the portrait
    network's log-likelihood ratio of the two."""
    fit = _fit()
    return float((measures(seen, taught, portrait) - fit.mean) / fit.scale @ fit.weights + fit.offset)


def measures(seen: Face, taught: Face, portrait: float) -> NDArray[np.float64]:
    """How a seen face differs from a taught one at the turn that fits best, by ``FEATURES``; each about 0 to 1 or -1 to 1 as a
    rule."""
    patterns, lines = TaughtFaces([taught]).likeness([seen])
    own, other = np.roll(taught.lab, _turn(seen, taught), axis=1)[WITHIN], seen.lab[WITHIN]
    apart = other - own
    cast = np.median(apart.reshape(-1, 3), axis=0)
    residual = float(np.abs(apart - cast).mean())
    saturation = float(np.log((_saturation(other) + 0.05) / (_saturation(own) + 0.05)))
    contrast = float(np.log((seen.drawn + 1) / (taught.drawn + 1)))
    return np.array(
        [
            lines[0, 0], patterns[0, 0], abs(cast[0]) / 20, np.hypot(*cast[1:]) / 20, residual / 5, abs(saturation),
            abs(contrast), portrait / 5, max(0.0, -cast[0]) / 20, max(0.0, -saturation),
        ],
        np.float64,
    )  # fmt: skip


def _turn(seen: Face, taught: Face) -> int:
    """By how many samples a taught face is turned where it fits a seen one best, by colours and drawing."""
    products = (
        np.einsum("rfc,rfc->f", mine, np.conj(theirs))
        for mine, theirs in ((seen.colour_spectrum, taught.colour_spectrum), (seen.line_spectrum, taught.line_spectrum))
    )
    return int(np.fft.irfft(sum(products), n=ANGLES).argmax())


def _saturation(lab: NDArray[np.float32]) -> float:
    chroma = float(np.hypot(lab[..., 1], lab[..., 2]).mean())
    return chroma / (float(np.median(lab[..., 0])) + ADAPTED)

"""Whether a disc shows the first side that was taught, whatever its second side looks like.

Second sides of real copies need not follow from the first ones: another picture on the same colour, the same one dimmed, a sign
on another colour. A look at one must not pass for the first side only because that is the likest of what is known. So the face
seen is compared with the taught one by itself, and a fitted logistic regression tells how like they are.
"""

import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.discs import ANGLES, RADII, Face, TaughtFaces
from companion.vision.plain.logistic import shipped

FEATURES = (
    "lines", "pattern", "lightness", "cast", "residual", "saturation", "contrast", "portrait", "darker", "paler",
    "gain", "spread",
)  # fmt: skip
WITHIN = RADII <= 0.75
"""Rings that are compared: what lies farther out is rim, and bears the same colour on both sides."""
ADAPTED = 16.0
"""L* is about proportional to the cube root of luminance with 16 added; saturation is chroma as a share of that."""
DARKEST = 0.004
"""Standard deviation of luminance (white is 1) below which there is no contrast to compare: the noise of a camera at dusk."""
SLOPES = (0.1, 10.0)


def likeness(seen: Face, taught: Face, portrait: float) -> float:
    """Log odds that a seen face is the taught one, on copies of which half the discs show it. ``portrait``: the portrait
    network's log-likelihood ratio of the two."""
    return by_measures(measures(seen, taught, portrait))


def by_measures(measured: NDArray[np.float64]) -> float:
    """The same from the ``measures`` of a face."""
    return shipped("first_side.json", FEATURES).log_odds(measured)


def measures(seen: Face, taught: Face, portrait: float) -> NDArray[np.float64]:
    """How a seen face differs from a taught one at the turn that fits best, by ``FEATURES``; each about 0 to 1 or -1 to 1 as a
    rule."""
    patterns, lines = TaughtFaces([taught]).likeness([seen])
    own, other = laid_over(seen, taught)
    apart = other - own
    cast = np.median(apart.reshape(-1, 3), axis=0)
    residual = float(np.abs(apart - cast).mean())
    saturation = float(np.log((_saturation(other) + 0.05) / (_saturation(own) + 0.05)))
    contrast = float(np.log((seen.drawn + 1) / (taught.drawn + 1)))
    gain, spread = _gains(other, own)
    return np.array(
        [
            lines[0, 0], patterns[0, 0], abs(cast[0]) / 20, np.hypot(*cast[1:]) / 20, residual / 5, abs(saturation),
            abs(contrast), portrait / 5, max(0.0, -cast[0]) / 20, max(0.0, -saturation), abs(gain), abs(spread),
        ],
        np.float64,
    )  # fmt: skip


def _gains(seen: NDArray[np.float32], own: NDArray[np.float32]) -> tuple[float, float]:
    """How many times as much contrast a seen face has as a taught one (rings × angles × 3, L*a*b*), as natural logarithms:
    slope of its luminance by the other's, and ratio of their standard deviations. A print has both near 0 in every light:
    what a reflection adds everywhere takes no part in either, while a face that was printed darker has less of both."""
    light = [np.power((face[..., 0].ravel().astype(np.float64) + ADAPTED) / (100 + ADAPTED), 3) for face in (seen, own)]
    near = np.ones(light[0].size, bool)
    slope = 0.0
    for _ in range(2):
        y, x = (values - values[near].mean() for values in light)
        slope = float((y[near] * x[near]).mean() / (x[near].var() + DARKEST**2))
        astray = np.abs(y - slope * x)
        near = astray < 2.5 * float(np.median(astray)) + DARKEST**2
    deviations = [float(values[near].std()) + DARKEST for values in light]
    return float(np.log(np.clip(slope, *SLOPES))), float(np.log(deviations[0] / deviations[1]))


def laid_over(seen: Face, taught: Face) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The colours (rings × angles × 3, L*a*b*) of a taught face, turned as it fits best, and of a seen one."""
    return np.roll(taught.lab, _turn(seen, taught), axis=1)[WITHIN], seen.lab[WITHIN]


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

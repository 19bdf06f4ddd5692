"""Which of two taught sides a disc shows.

Each is asked by itself how like it is (``first_side``), and both together: where the two differ, which of them does the seen
face follow; and which of them would be as much lighter or darker than it was taught as all other discs of the picture are.
"""

import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.discs import Face
from companion.vision.plain.first_side import FEATURES as OF_ONE
from companion.vision.plain.first_side import laid_over
from companion.vision.plain.logistic import shipped

FEATURES = (*OF_ONE, "light", "residuals", "between", "drawn")
MOST = 3.0
"""Units of its scale that a measure counts at most, for a stray one must not outweigh all others."""
LIT = 2
"""Of how many others it must be known how much lighter they are than they were taught."""
LIGHT_STEP = 10.0
"""L* that are one unit."""
STRAY = 25.0
"""Distance in L*a*b* from which on a sample is astray (a reflection, a finger), and no more so the farther it is."""
DOUBT = 15.0
"""Distance at which a sample counts half for what lies between the two sides."""
LEAST = 50.0
"""Mean squared distance of two sides below which there is hardly anything to follow."""


def first_rather(
    seen: Face, taught: tuple[Face, Face], measured: tuple[NDArray[np.float64], NDArray[np.float64]], common: float | None
) -> float:
    """Log odds that the first of two taught sides shows, arguments as of ``compared``."""
    return shipped("which_side.json", FEATURES, MOST).log_odds(compared(seen, taught, measured, common))


def compared(
    seen: Face, taught: tuple[Face, Face], measured: tuple[NDArray[np.float64], NDArray[np.float64]], common: float | None
) -> NDArray[np.float64]:
    """By how much more the first of two ``taught`` sides is like a seen face than the second, by ``FEATURES``; nearly the same
    with the other sign where the two are exchanged. ``measured``: how it differs from each (``first_side.measures``).
    ``common``: by how much (L*) all other discs are lighter than they were taught, if that is known."""
    first, second = measured
    return np.array([*(first - second), _by_light(seen, taught, common), *_followed(seen, taught)], np.float64)


def lighter(seen: Face, taught: Face) -> float:
    """By how much (L*) a seen face is lighter than a taught one at the turn that fits best; less than nothing where darker."""
    own, other = laid_over(seen, taught)
    return float(np.median((other - own)[..., 0]))


def _by_light(seen: Face, taught: tuple[Face, Face], common: float | None) -> float:
    if common is None:
        return 0.0
    first, second = (abs(lighter(seen, face) - common) for face in taught)
    return (second - first) / LIGHT_STEP


def _followed(seen: Face, taught: tuple[Face, Face]) -> tuple[float, float, float]:
    """Ratio of what each side leaves unexplained (natural logarithm), and where the seen face lies between them: 0.5 where it
    is the first one, -0.5 where it is the second, with its colours and with the drawing alone."""
    (first, face), (second, _) = (laid_over(seen, one) for one in taught)
    a, b, s = (one.reshape(-1, 3).astype(np.float64) for one in (first, second, face))
    apart = [s - one for one in (a, b)]
    own, other = (np.minimum(np.linalg.norm(d - np.median(d, axis=0), axis=1), STRAY).mean() for d in apart)
    near = np.minimum(*(np.linalg.norm(d, axis=1) for d in apart))
    weights = 1 / (1 + (near / DOUBT) ** 2)
    between, difference = s - (a + b) / 2, a - b
    drawn, lines = (values - np.median(values, axis=0) for values in (between, difference))
    return (
        float(np.log((other + 1) / (own + 1))),
        _share(between, difference, weights),
        _share(drawn, lines, weights),
    )


def _share(values: NDArray[np.float64], along: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """How many times as far as ``along`` values (N×3) lie in its direction."""
    return float((weights[:, None] * values * along).sum() / ((weights[:, None] * along**2).sum() + LEAST * weights.sum()))

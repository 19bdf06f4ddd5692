"""Least squares for the light over a part of a picture, fitted robustly (bisquare weights): what does not go with most of it,
an arm or a piece, does not bend it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def quadratic_terms(x: Array, y: Array) -> Array:
    """The six terms of a quadratic surface at points of any shape (…): …×6."""
    return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)


def bisquare(left: Array, least: float) -> Array:
    """What each value counts by what is ``left`` of it beside a fit (N): nothing from four times the spread on. ``least``: what
    the spread is at the least, in the values' unit."""
    spread = 4.0 * max(1.4826 * float(np.median(np.abs(left))), least)
    return np.asarray(np.clip(1 - (left / spread) ** 2, 0, None) ** 2, np.float64)


def robust_fit(
    basis: Array, values: NDArray[np.floating[Any]], weight: Array, *, ridge: Array, least: float, rounds: int
) -> Array:
    """Coefficients (T) of terms (``basis``, N×T) by which they come nearest to ``values`` (N), which count by ``weight`` (N) at
    first and by ``bisquare`` then. ``ridge``: how much a coefficient (T) is held to 0, beside a term that is 1 everywhere."""
    held = np.diag(ridge) * len(basis)
    fit: Array = np.zeros(basis.shape[1])
    for _ in range(rounds):
        weighted = basis * weight[:, None]
        fit = np.asarray(np.linalg.solve(weighted.T @ basis + held, weighted.T @ values), np.float64)
        weight = bisquare(values - basis @ fit, least)
    return fit

"""Flat-field correction of the taught picture: how its light falls off over the board, told by tokens that look alike."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Point
from companion.vision.cards.view import Floats, lab

_ROUNDS = (0.3, 0.15, 0.1)
"""Natural logarithms by which a token may differ from the fit, round by round: one that was learnt beside its place differs
more."""
_HELD = (0.3, 0.3, 1.0, 1.0, 1.0)
"""As how many tokens at the board's edge it counts that there is no slope along each axis, and no bend."""
_FEWEST = 8
"""Tokens below which nothing is said."""


@dataclass(frozen=True, eq=False)
class FlatField:
    """What the levels of the taught picture are multiplied with so that its light is even: a quadratic over the board in
    natural logarithms (``terms``: of x, y, x², xy, y² from the middle, in half widths). A picture of the board alone does not
    tell light from print; without it a token would be brighter in the middle than it was taught at the edge."""

    size_mm: Point
    terms: NDArray[np.float64] = field(default_factory=lambda: np.zeros(5))

    @classmethod
    def of(cls, size_mm: Point, taught: Sequence[tuple[str, Point, float]]) -> "FlatField":
        """From tokens: which look, where (board mm), how bright (natural logarithm of a level)."""
        even = cls(size_mm)
        names = sorted({name for name, _, _ in taught})
        if len(taught) - len(names) < _FEWEST:
            return even
        own = np.array([[name == other for other in names] for name, _, _ in taught], np.float64)
        field_ = even._fields(np.array([mm for _, mm, _ in taught], np.float64))
        bright = np.array([level for _, _, level in taught], np.float64)
        design, held = np.column_stack([field_, own]), np.diag([*_HELD, *np.full(len(names), 1e-6)])
        near = np.ones(len(taught), np.bool_)
        fit = np.zeros(design.shape[1], np.float64)
        for tolerance in _ROUNDS:
            some = design[near]
            fit[:] = np.linalg.solve(some.T @ some + held, some.T @ bright[near])
            near = np.abs(bright - design @ fit) < tolerance
        return cls(size_mm, -fit[:5])

    def _fields(self, mm: NDArray[np.float64]) -> NDArray[np.float64]:
        half = np.asarray(self.size_mm) / 2
        x, y = np.clip((mm - half) / half, -1.0, 1.0).T
        return np.column_stack([x, y, x**2, x * y, y**2])

    def factors(self, mm: NDArray[np.float64]) -> Floats:
        """What levels at some spots (N×2 board mm) are multiplied with."""
        return np.asarray(np.exp(self._fields(mm) @ self.terms), np.float32)

    def flattened(self, colours: Floats, mm: Point) -> Floats:
        """Colours (…×3 Lab) that were taught at a spot, in the even light."""
        if not self.terms.any():
            return colours
        level = cv2.cvtColor(colours.reshape(1, -1, 3), cv2.COLOR_Lab2BGR) * (255 * self.factors(np.array([mm]))[0])
        return np.asarray(lab(np.minimum(level, 255).astype(np.float32)).reshape(colours.shape), np.float32)

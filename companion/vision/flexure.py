"""How the surface of a board lies off the flat one it was taken for: a fold that stands up, a bent corner.

Seen aslant, cardboard that stands up by some millimetres puts its print beside where a flat board would have it. In the plane
of the board that is a shift that changes slowly from place to place, with kinks along the folds, but without steps: a half that
slipped along its fold is not told by it.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

NODES = 5
"""Nodes across and down: boards fold in halves and in quarters, and the nodes lie on these folds."""
BENT_MM = 1.0
"""0.5..2 mm by which the shift of a node departs from the middle of its neighbours on a board with a fold that stands up."""
FLAT_MM = 4.0
"""3..8 mm: how far a node may be shifted; weighs only where nothing was measured."""
ROUNDS = 6
"""Of reweighting: what was measured on a piece that hides the print is left out by that."""
FINE = 65
"""Points across and down between which shifts are looked up: see :meth:`Flexure._fine`."""
_AT_ONCE = 16384
"""Points in one go: OpenCV takes less than 32,768 rows."""
_INVERTED = 3
"""Fixed-point steps that invert a shift: each leaves less than a twentieth of the error, as shifts change by less than that for
every millimetre."""


@dataclass(frozen=True, eq=False)
class Flexure:
    """Shifts (NODES×NODES×2, board mm) at nodes evenly spread over a board of ``size_mm``, bilinear between them: what is
    printed at a point is seen where a flat board would show the point plus its shift. Beyond the board as at its edge."""

    shifts: Floats
    size_mm: tuple[float, float]

    def at(self, mm: Array) -> Array:
        """The shifts (N×2 mm) at points of the board (N×2 mm)."""
        x, y = (np.asarray(mm) / np.array(self.size_mm) * (FINE - 1)).astype(np.float32).T.copy()
        found = np.empty((len(x), 2))
        for first in range(0, len(x), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            picked = cv2.remap(self._fine, x[part], y[part], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            found[part] = picked.reshape(-1, 2)
        return found

    @cached_property
    def _fine(self) -> Floats:
        """The shifts at FINE×FINE points: OpenCV looks between two points no closer than at 32 places."""
        along = _between(np.linspace(0, NODES - 1, FINE))
        return np.asarray(np.einsum("ai,bj,ijk->abk", along, along, self.shifts), np.float32)

    def flattened(self, mm: Array) -> Array:
        """The points (N×2 mm) that are seen at points of a flat board: the other way."""
        found = mm
        for _ in range(_INVERTED):
            found = mm - self.at(found)
        return found

    @property
    def most_mm(self) -> float:
        """The longest shift."""
        return float(np.hypot(self.shifts[..., 0], self.shifts[..., 1]).max())

    def plus(self, other: "Flexure") -> "Flexure":
        """Both shifts, of the same board: those of ``other`` were measured with these undone."""
        return Flexure(self.shifts + other.shifts, self.size_mm)


def fitted(mm: Array, shifts: Array, errors_mm: Array, size_mm: tuple[float, float]) -> Flexure:
    """The flexure that shifts (K×2 mm) measured at points (K×2 mm) of a board with standard errors (K) show. Penalised least
    squares, reweighted as for errors with Cauchy's density: smooth but for kinks, and none where nothing was measured."""
    weights = _bilinear(mm, size_mm)
    smooth = _second_differences() / BENT_MM
    flat = np.eye(NODES * NODES) / FLAT_MM
    penalty = smooth.T @ smooth + flat.T @ flat
    trust: Array = np.ones(len(mm))
    nodes: Array = np.zeros((NODES * NODES, 2))
    for _ in range(ROUNDS):
        scaled = weights * (trust / errors_mm**2)[:, None]
        nodes = np.asarray(np.linalg.solve(weights.T @ scaled + penalty, scaled.T @ shifts), np.float64)
        left = np.hypot(*(shifts - weights @ nodes).T) / errors_mm
        trust = 1 / (1 + (left / 2) ** 2)
    return Flexure(nodes.reshape(NODES, NODES, 2).astype(np.float32), size_mm)


def _bilinear(mm: Array, size_mm: tuple[float, float]) -> Array:
    """How much each node (columns, row by row) says of each point (rows)."""
    along = _between(np.clip(np.asarray(mm) / np.array(size_mm), 0, 1) * (NODES - 1))
    return np.asarray(np.einsum("kj,ki->kji", along[:, 1], along[:, 0]).reshape(len(along), NODES * NODES), np.float64)


def _between(steps: Array) -> Array:
    """How much each of NODES in a row (last axis) says of places counted in steps between them."""
    return np.asarray(np.maximum(0, 1 - np.abs(steps[..., None] - np.arange(NODES))), np.float64)


def _second_differences() -> Array:
    """What the second differences (rows) of all nodes along rows and columns are made of."""
    one = np.zeros((NODES - 2, NODES))
    for row in range(NODES - 2):
        one[row, row : row + 3] = 1, -2, 1
    return np.vstack([np.kron(np.eye(NODES), one), np.kron(one, np.eye(NODES))])

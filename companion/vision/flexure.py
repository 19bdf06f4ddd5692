"""How the surface of a board lies off the flat one it was taken for: a fold stands up, a corner is bent, a panel slipped.

Seen aslant, cardboard that stands up by some millimetres puts its print beside where a flat board would have it. In the plane
of the board that is a shift that changes slowly from place to place, with kinks along the folds. Panels that lie apart, or
slipped or turned against each other along a fold, add steps there, each of which is straight along its panel.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from operator import itemgetter

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
Folds = tuple[tuple[float, ...], tuple[float, ...]]
"""Where a board folds, as shares of its width (folds from top to bottom) and of its height, each from less to more."""

PANEL_NODES = 3
"""Nodes across and down each panel: both ends, and the middle, where boards without a fold bend."""
BENT_MM = 1.0
"""0.5..2 mm by which the shift of a node departs from the middle of its neighbours on a board with a fold that stands up."""
STEP_MM, NO_STEP_MM = 2.0, 0.1
"""1..3 mm by which the panels of a board that came apart lie apart or beside each other along a fold, and 0.05..0.2 mm of one
that did not."""
RARELY = 1.0
"""0..2 nats: how rarely a board comes apart at a fold."""
RIGID_MM = 0.2
"""0.1..0.4 mm by which such a step departs from straight along a panel: cardboard does not stretch."""
FLAT_MM = 4.0
"""3..8 mm: how far a node may be shifted; weighs only where nothing was measured."""
ROUNDS, CAUCHY = 6, 2.0
"""Of reweighting: what was measured on a piece that hides the print is left out by that. A shift that is by so many
standard errors off weighs half."""
FINE = 33
"""Points across and down a panel between which shifts are looked up: see :meth:`Flexure._fine`."""
_AT_ONCE = 16384
"""Points in one go: OpenCV takes less than 32,768 rows."""
_INVERTED = 3
"""Fixed-point steps that invert a shift: each leaves less than a twentieth of the error, as shifts change by less than that for
every millimetre."""


@dataclass(frozen=True, eq=False)
class Flexure:
    """Shifts (H×W×2, board mm) at the nodes of a board of ``size_mm`` that folds at ``folds``: PANEL_NODES a panel and way,
    so that two of them lie on each fold, one a panel. Bilinear between those of a panel: what is printed at a point is seen
    where a flat board would show the point plus its shift. Beyond the board as at its edge."""

    shifts: Floats
    size_mm: tuple[float, float]
    folds: Folds

    def at(self, mm: Array) -> Array:
        """The shifts (N×2 mm) at points of the board (N×2 mm)."""
        shares = np.asarray(mm) / np.array(self.size_mm)
        x, y = ((_steps(shares[:, axis], self.folds[axis], FINE)).astype(np.float32) for axis in range(2))
        found = np.empty((len(x), 2))
        for first in range(0, len(x), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            picked = cv2.remap(self._fine, x[part], y[part], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            found[part] = picked.reshape(-1, 2)
        return found

    @cached_property
    def _fine(self) -> Floats:
        """The shifts at FINE×FINE points of every panel: OpenCV looks between two points no closer than at 32 places."""
        across, down = (_between(_spread(len(folds) + 1), len(folds) + 1) for folds in self.folds)
        return np.asarray(np.einsum("ai,bj,ijk->abk", down, across, self.shifts), np.float32)

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
        return Flexure(self.shifts + other.shifts, self.size_mm, self.folds)


def fitted(mm: Array, shifts: Array, errors_mm: Array, size_mm: tuple[float, float], folds: Folds) -> Flexure:
    """The flexure that shifts (K×2 mm) measured at points (K×2 mm) of a board with standard errors (K) show. Penalised least
    squares, reweighted as for errors with Cauchy's density: smooth but for kinks and steps at the folds, and none where nothing
    was measured."""
    weights, smooth = _bilinear(mm, size_mm, folds), _penalty(folds)
    steps = _steps_at_folds(folds)
    found = []
    for apart in product((False, True), repeat=len(steps)):
        held = sum(
            (one.T @ one / (STEP_MM if open_ else NO_STEP_MM) ** 2 for one, open_ in zip(steps, apart, strict=True)), smooth
        )
        nodes, cost = _solved(weights, shifts, errors_mm, held)
        found.append((cost + sum(apart) * RARELY, nodes))
    nodes = min(found, key=itemgetter(0))[1]
    across, down = (PANEL_NODES * (len(some) + 1) for some in folds)
    return Flexure(nodes.reshape(down, across, 2).astype(np.float32), size_mm, folds)


def _solved(weights: Array, shifts: Array, errors_mm: Array, penalty: Array) -> tuple[Array, float]:
    """The shifts of all nodes, and in nats how badly such a penalty explains what was measured (Laplace's approximation of its
    evidence)."""
    trust = np.ones(len(shifts))
    for _ in range(ROUNDS):
        scaled = weights * (trust / errors_mm**2)[:, None]
        known = weights.T @ scaled + penalty
        nodes = np.asarray(np.linalg.solve(known, scaled.T @ shifts), np.float64)
        square = (np.hypot(*(shifts - weights @ nodes).T) / errors_mm / CAUCHY) ** 2
        trust = 1 / (1 + square)
    left = CAUCHY**2 / 2 * np.log1p(square).sum() + np.einsum("ik,ij,jk", nodes, penalty, nodes) / 2
    return nodes, float(left + np.linalg.slogdet(known)[1] - np.linalg.slogdet(penalty)[1])


def _steps(shares: Array, folds: tuple[float, ...], points: int) -> Array:
    """Where shares of a length lie, counted in points, of which each panel has so many from its one edge to its other."""
    edges = np.array((0.0, *folds, 1.0))
    panel = np.searchsorted(edges[1:-1], shares, side="right")
    return np.asarray(panel * points + (shares - edges[panel]) / np.diff(edges)[panel] * (points - 1), np.float64)


def _spread(panels: int) -> Array:
    """The places of FINE points a panel, counted in nodes."""
    one = np.linspace(0, PANEL_NODES - 1, FINE)
    return np.concatenate([one + PANEL_NODES * panel for panel in range(panels)])


def _bilinear(mm: Array, size_mm: tuple[float, float], folds: Folds) -> Array:
    """How much each node (columns, row by row) says of each point (rows)."""
    shares = np.clip(np.asarray(mm) / np.array(size_mm), 0, 1)
    x, y = (_between(_steps(shares[:, axis], folds[axis], PANEL_NODES), len(folds[axis]) + 1) for axis in range(2))
    return np.asarray(np.einsum("kj,ki->kji", y, x).reshape(len(x), y.shape[1] * x.shape[1]), np.float64)


def _between(steps: Array, panels: int) -> Array:
    """How much each node in a row (last axis) says of places counted in steps between them."""
    return np.asarray(np.maximum(0, 1 - np.abs(steps[..., None] - np.arange(PANEL_NODES * panels))), np.float64)


def _penalty(folds: Folds) -> Array:
    """What a flexure costs, as a form of the shifts of all nodes, row by row: what is far, what bends, and steps that are not
    straight along their panel."""
    across, down = (len(some) + 1 for some in folds)
    straight = np.diff(np.eye(PANEL_NODES), 2, axis=0)
    terms = [
        np.eye(PANEL_NODES**2 * across * down) / FLAT_MM,
        np.kron(np.eye(PANEL_NODES * down), _second_differences(across)) / BENT_MM,
        np.kron(_second_differences(down), np.eye(PANEL_NODES * across)) / BENT_MM,
        *(np.kron(np.eye(len(step) // PANEL_NODES), straight) @ step / RIGID_MM for step in _steps_at_folds(folds)),
    ]
    every = np.vstack(terms)
    return np.asarray(every.T @ every, np.float64)


def _steps_at_folds(folds: Folds) -> list[Array]:
    """For each fold what the steps (rows, from one end to the other) between the two nodes of each place on it are made of the
    shifts of all nodes, row by row."""
    across, down = (len(some) + 1 for some in folds)
    return [
        *(np.kron(np.eye(PANEL_NODES * down), step) for step in _jumps(across)[:, None]),
        *(np.kron(step, np.eye(PANEL_NODES * across)) for step in _jumps(down)[:, None]),
    ]


def _second_differences(panels: int) -> Array:
    """What the second differences (rows) of nodes in a row are made of: within each panel, then across each fold, on which the
    middle of its two nodes counts."""
    every = np.eye(PANEL_NODES * panels)
    right = np.arange(1, panels) * PANEL_NODES
    across = every[right - 2] - every[right - 1] - every[right] + every[right + 1]
    return np.vstack([np.kron(np.eye(panels), np.diff(np.eye(PANEL_NODES), 2, axis=0)), across])


def _jumps(panels: int) -> Array:
    """What the steps (rows) between the two nodes on each fold are made of."""
    every = np.eye(PANEL_NODES * panels)
    right = np.arange(1, panels) * PANEL_NODES
    return np.asarray(every[right] - every[right - 1], np.float64)

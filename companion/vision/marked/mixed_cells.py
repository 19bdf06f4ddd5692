"""What a camera makes of the bits of markers that are hardly larger than its pixels: each cell is mixed with those beside it.

Lens and pixels spread every point of a picture. Where a bit cell is as small as that, black cells among white ones are grey,
and a marker is little like its code. It is still like what the same spreading makes of its code, and of no other one.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.vision.marked.markers import codes

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
_REACH = 2
"""How many cells to each side of one are mixed with it; at 0.85 pixels a cell what lies farther off adds less than 1 %."""
_PARTS = 8
"""Into how many a cell is divided each way to sum what it adds."""


def mixing(px_per_cell: Array, spread_px: float, sampled: Array) -> Floats:
    """How much each of 5×5 cells adds to the brightness that is read in the middle one.

    ``px_per_cell``: 2×2, picture pixels of one cell's step to the right and of one down (columns), as the marker is turned;
    ``spread_px``: standard deviation of what a point is spread to; ``sampled``: where in a cell (shares of it from its middle,
    each axis) its brightness is read.
    """
    metric = px_per_cell.T @ px_per_cell / spread_px**2
    side = 2 * _REACH + 1
    steps = (np.arange(side * _PARTS) + 0.5) / _PARTS - side / 2
    x, y = np.meshgrid(steps, steps)
    mixed = np.zeros((side, side))
    for dx in sampled:
        for dy in sampled:
            right, down = x - dx, y - dy
            weight = np.exp(-(metric[0, 0] * right**2 + 2 * metric[0, 1] * right * down + metric[1, 1] * down**2) / 2)
            mixed += weight.reshape(side, _PARTS, side, _PARTS).sum(axis=(1, 3)) / weight.sum()
    return np.asarray(mixed / len(sampled) ** 2, np.float32)


def mixed_codes(name: str, markers: NDArray[np.intp] | None, mixed: Floats) -> Floats:
    """The cells of some markers of a dictionary (all of them for None), at each quarter turn and with their black border, mixed
    with those beside them: ids × 4 × cells × cells. Around the border lies white."""
    printed = _printed(name) if markers is None else _printed(name)[markers]
    size = printed.shape[-1] - 2 * _REACH
    found = np.zeros((*printed.shape[:2], size, size), np.float32)
    for down, row in enumerate(mixed):
        for right, weight in enumerate(row):
            found += weight * printed[:, :, down : down + size, right : right + size]
    return found


@cache
def _printed(name: str) -> Floats:
    """Every marker of a dictionary, black -1 and white +1, with border and the white around it: ids × 4 × cells × cells."""
    bits = codes(name)
    bordered = np.pad(bits, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-1.0)
    return np.pad(bordered, ((0, 0), (0, 0), (_REACH, _REACH), (_REACH, _REACH)), constant_values=1.0)

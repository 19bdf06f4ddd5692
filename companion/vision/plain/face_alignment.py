"""Where on a disc's crop a taught face lies, and how turned: where its drawing correlates best, at every turn and shift."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.vision.plain.stacks import DISC_MM, DISC_SIDE, Bytes, Floats, drawn

TURNS = 72
"""Turns that are tried, 5° apart. A photograph's correlation has fallen by half some 8° beside its best turn."""
INSIDE = 0.85
"""0.7..0.9: share of the disc's radius within which drawings are compared. Beyond lies the rim, alike on every disc and at
every turn, and the disc's own wall on the near side."""
REACH = 6
"""4..7 samples (0.75 mm): how far beside the crop's middle a face is looked for. Discs are found up to 4 mm beside theirs."""
EVEN = 1e-3
"""Sum of squares of a drawing below which there is none to be compared."""


@dataclass(frozen=True, slots=True)
class FacePose:
    """Where a taught face lies on a crop (mm from its middle), how far it is turned from how it was taught (radians,
    clockwise), and the correlation of the two drawings there (-1..1)."""

    offset_mm: tuple[float, float]
    turn: float
    alike: float


class FaceAligner:
    """Lays taught faces over crops (48×48×3, 36 mm across) of discs of one radius.

    Masked normalised cross-correlation of drawings by local contrast (J. P. Lewis, "Fast Normalized Cross-Correlation", 1995).
    """

    def __init__(self, radius_mm: float) -> None:
        step = DISC_MM / DISC_SIDE
        self._radius = min(radius_mm * INSIDE / step, DISC_SIDE / 2 - 2)

    def pose(self, seen: Bytes, face: Bytes) -> FacePose:
        """Where on the crop ``seen`` the taught one, ``face``, fits best."""
        half, step = int(np.ceil(self._radius)), DISC_MM / DISC_SIDE
        reach = min(REACH, DISC_SIDE // 2 - half - 1)
        low = DISC_SIDE // 2 - half - 1 - reach
        area = np.ascontiguousarray(drawn(seen)[low : DISC_SIDE - low, low : DISC_SIDE - low])
        mask, samples = self._mask, float(self._mask.sum())
        sums, squares = (cv2.matchTemplate(values, mask, cv2.TM_CCORR) for values in (area, area * area))
        power = np.maximum(squares - sums * sums / samples, EVEN)
        best = FacePose((0.0, 0.0), 0.0, -np.inf)
        for turn, template in self._turned(drawn(face)):
            own = max(float((template * template).sum()), EVEN)
            alike = cv2.matchTemplate(area, template, cv2.TM_CCORR) / np.sqrt(power * own)
            _, most, _, (x, y) = cv2.minMaxLoc(alike)
            if most > best.alike:
                best = FacePose(((x - reach) * step, (y - reach) * step), turn, float(most))
        return best

    @cached_property
    def _mask(self) -> Floats:
        """Which samples about the middle of a crop lie inside (1, else 0)."""
        half = int(np.ceil(self._radius)) + 0.5
        steps = np.arange(-half, half + 0.5, dtype=np.float32)
        return np.asarray(np.hypot(steps[:, None], steps) <= self._radius, np.float32)

    def _turned(self, drawing: Floats) -> Iterator[tuple[float, Floats]]:
        """Every turn (radians, clockwise), and the inside of a crop's drawing turned by it, its mean taken out."""
        side, samples = len(self._mask), float(self._mask.sum())
        low = (DISC_SIDE - side) // 2
        middle = ((DISC_SIDE - 1) / 2, (DISC_SIDE - 1) / 2)
        for index in range(TURNS):
            matrix = cv2.getRotationMatrix2D(middle, -360.0 * index / TURNS, 1.0)
            whole = cv2.warpAffine(drawing, matrix, (DISC_SIDE, DISC_SIDE), flags=cv2.INTER_LINEAR)
            part = whole[low : low + side, low : low + side]
            mean = float((part * self._mask).sum()) / samples
            yield 2 * np.pi * index / TURNS, np.asarray((part - mean) * self._mask, np.float32)

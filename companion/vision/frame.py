"""One picture with its capture time and source."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """One picture: ``image`` is H×W×3 BGR, ``captured_at`` seconds of the source's clock, ``number`` counts from 0.

    ``beside``: the newest picture of a second camera over the same table, if there is one.
    """

    image: Image
    captured_at: float
    source: str
    number: int = 0
    beside: "Frame | None" = None

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in pixels."""
        return self.image.shape[1], self.image.shape[0]

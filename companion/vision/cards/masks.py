"""Masks as large as a view: how much is marked, and the part of one in which anything is, so that work on it costs what it
holds and not what the view does."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.frame import Mask


def count(mask: Mask) -> int:
    """How many pixels are marked."""
    return cv2.countNonZero(mask.view(np.uint8))


@dataclass(frozen=True, slots=True)
class Cut:
    """A rectangle of a view of ``shape`` (rows, columns): its first pixel is at ``left`` and ``top``."""

    left: int
    top: int
    right: int
    bottom: int
    shape: tuple[int, int]

    @classmethod
    def around(cls, mask: Mask, margin: int) -> "Cut":
        """About all that is marked, with so many pixels around it as far as the view goes."""
        x, y, wide, tall = cv2.boundingRect(mask.view(np.uint8))
        rows, columns = mask.shape
        left, top, right, bottom = x - margin, y - margin, x + wide + margin, y + tall + margin
        return cls(max(0, left), max(0, top), min(columns, right), min(rows, bottom), (rows, columns))

    def of(self, mask: Mask) -> Mask:
        """What of a mask as large as the view lies in it."""
        return np.ascontiguousarray(mask[self.top : self.bottom, self.left : self.right])

    def whole(self, part: Mask) -> Mask:
        """A mask as large as the view of which it holds this part."""
        found = np.zeros(self.shape, np.bool_)
        found[self.top : self.bottom, self.left : self.right] = part
        return found

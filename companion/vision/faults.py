"""Pictures that cannot be used: too small, black, white, torn. One plain sentence each."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.frame import Image

Array = NDArray[np.float64]
_PEAK_PX = 64
"""32..128 px around the best fit of two rows that are the same fit: what is in a picture is that broad."""


@dataclass(frozen=True, slots=True)
class FrameSettings:
    """Tunables of the check.

    smallest_side_px
        240..600: below this a 16 mm sticker has under 12 px.
    dark, bright
        0..255: mean brightness of the darkest picture with anything in it, and of the brightest.
    contrast
        1..6 grey levels: standard deviation below which a picture is one flat colour.
    unfilled_share
        0.03..0.1 of them that are enough where they are neither black nor white: no scene is quite flat over its whole width.
    jump, most_jumps
        1.5..4 times the rows' usual change from one to the next is a row where a band may begin; 4..24 such rows are looked at.
    least_shift_px
        4..16 px: rows beside each other of an oblique edge differ by less.
    goes_on, breaks_off, once
        0.8..0.95, 0.3..0.7, 0.4..0.7: correlations of a row with the one above it, where it goes on, where it should have, and
        at most anywhere else. On 66 whole pictures none is taken for torn so; of 40 with 20 to 3,000 bytes missing 20 are,
        and of 40 shifted bands 28.
    torn_share
        0.2..0.6 of the rows at the lower edge that are one flat line: the rest of the picture never arrived.
    """

    smallest_side_px: int = 300
    dark: float = 6.0
    bright: float = 250.0
    contrast: float = 2.5
    torn_share: float = 0.2
    unfilled_share: float = 0.05
    jump: float = 1.7
    most_jumps: int = 16
    least_shift_px: int = 6
    goes_on: float = 0.8
    breaks_off: float = 0.65
    once: float = 0.5


def frame_fault(image: Image, settings: FrameSettings | None = None) -> str | None:
    """Why a picture (H×W×3) cannot be read, or None."""
    settings = settings or FrameSettings()
    height, width = image.shape[:2]
    if min(height, width) < settings.smallest_side_px:
        return f"the picture is {width}x{height}; at least {settings.smallest_side_px} pixels on the short side are needed"
    # Every picture that is read passes here: a sample of it, evened out, shows as much of these faults as all of it.
    sampled = cv2.resize(image, (480, 360), interpolation=cv2.INTER_NEAREST)
    thumb = cv2.resize(sampled, (160, 120), interpolation=cv2.INTER_AREA)
    mean, spread = float(thumb.mean()), float(cv2.transform(thumb, np.full((1, 3), 1 / 3)).std())
    if mean < settings.dark and (spread < settings.contrast or mean < settings.dark / 2):
        return "the picture is black: is the lens covered, or the light off?"
    if spread < settings.contrast:
        white = mean > settings.bright
        return "the picture is white: it is overexposed" if white else "the picture is one flat colour: nothing shows in it"
    torn = torn_share(image)
    if torn > settings.torn_share or (torn > settings.unfilled_share and not _is_border(image)):
        return f"the picture is torn: its lower {max(1, round(100 * torn))} % did not arrive"
    shift = band_shift_px(image, settings)
    if shift:
        return f"the picture is torn: a part of it lies {shift} pixels beside its place"
    return None


def _is_border(image: Image) -> bool:
    """Whether the lowest row is black or white, as a letter box or an overexposed cloth is: not what a decoder fills in."""
    return not 24 <= float(image[-1].mean()) <= 245


def band_shift_px(image: Image, settings: FrameSettings | None = None) -> int:
    """By how many pixels a band of a picture (H×W×3) lies beside its place, 0 where none does.

    Bytes that are lost on the way shift all that follows: from one row to the next the picture goes on, but farther left or
    right. No scene does that over half of its width: two rows of one are alike without a shift, or unlike with any.
    """
    settings = settings or FrameSettings()
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    jumps = cv2.reduce(cv2.absdiff(grey[1:], grey[:-1]), 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F).reshape(-1)
    around = cv2.blur(jumps.reshape(-1, 1), (1, 33)).reshape(-1)
    rows = np.flatnonzero(jumps > settings.jump * np.maximum(around, settings.contrast / 2))
    for row in rows[np.argsort(-jumps[rows])][: settings.most_jumps]:
        above, below = (grey[place].astype(np.float64) for place in (row, row + 1))
        width = len(above)
        for part in (slice(0, width), slice(0, width // 2), slice(width // 2, width)):
            shift = _shift_between(above, below[part], part.start, settings)
            if shift and _alone(grey, int(row), settings):
                return abs(shift)
    return 0


def _alone(grey: NDArray[Any], row: int, settings: FrameSettings) -> bool:
    """Whether the rows above and below a break go on without a shift. Along an edge that lies nearly as the rows do each row is
    shifted against the next one; where bytes were lost one is, and all that follows alike."""
    for first in (max(0, row - 1), min(len(grey) - 2, row + 1)):
        above, below = (grey[place].astype(np.float64) for place in (first, first + 1))
        if abs(_nearest_shift(int(np.argmax(_fits(above, below - below.mean()))), 0, len(above))) > settings.least_shift_px:
            return False
    return True


def _shift_between(above: Array, part: Array, start: int, settings: FrameSettings) -> int:
    """The shift (pixels, negative to the left) at which part of a row fits the row above it, where it does so at another place
    alone; else 0."""
    part = part - part.mean()
    norm = float(np.linalg.norm(part))
    if norm < settings.contrast * np.sqrt(len(part)):
        return 0
    over = above[start : start + len(part)] - above[start : start + len(part)].mean()
    if float(part @ over) > settings.breaks_off * norm * float(np.linalg.norm(over)):
        return 0  # it goes on where it should: so do all rows of nearly every picture, and that is soon seen
    fits = _fits(above, part)
    best = int(np.argmax(fits))
    width = len(above)
    shift = _nearest_shift(best, start, width)
    near = max(float(fits[(start + step) % width]) for step in range(-settings.least_shift_px, settings.least_shift_px + 1))
    if abs(shift) <= settings.least_shift_px or fits[best] < settings.goes_on or near > settings.breaks_off:
        return 0
    # The rows of a chequered cloth fit one another at many places.
    away = np.abs((np.arange(len(fits)) - best + width // 2) % width - width // 2) > _PEAK_PX
    return shift if float(fits[away].max()) <= settings.once else 0


def _fits(above: Array, part: Array) -> Array:
    """Correlations of a part of a row with the row above it, at every place, circular: what is shifted out on one side comes in
    on the other."""
    ring = np.concatenate([above, above[: len(part) - 1]])
    found = cv2.matchTemplate(
        ring.astype(np.float32).reshape(1, -1), part.astype(np.float32).reshape(1, -1), cv2.TM_CCOEFF_NORMED
    )
    return np.asarray(found, np.float64).reshape(-1)


def _nearest_shift(place: int, start: int, width: int) -> int:
    """From where a part starts to a place of a circular row, the shorter way."""
    return min(place - start, place - start + width, place - start - width, key=abs)


def torn_share(image: Image) -> float:
    """The share of a picture's rows (H×W×3), from its lower edge up, that never arrived: 0 to 1.

    A decoder fills what did not arrive with one colour: whole rows without any change.
    """
    height, width = image.shape[:2]
    sample = np.ascontiguousarray(image[:: max(1, height // 100), :: max(1, width // 100)])
    flat = ((sample.max(axis=1) - sample.min(axis=1)).max(axis=1) <= 2)[::-1]
    return (float(np.argmin(flat)) if not flat.all() else len(flat)) / len(flat)

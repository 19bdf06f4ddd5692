"""What is drawn finely on a card: print of less than a centimetre, without what is broad, and how two drawings agree."""

import cv2
import numpy as np

from companion.vision.cards.view import HEIGHT, WIDTH, Floats, cells
from companion.vision.frame import Mask

HALF = 2
"""Canonical pixels to each side that make one of a picture at half its size."""
_BROAD, _LEAST_DETAIL, _LEAST_DRAWN = 9, 120, 2.0
"""Pixels (of half the canonical size) over which what is broad is taken out; how many must be in sight, and how much (standard
deviation of light) must be drawn there for detail to be asked about."""
_TRACED = 0.64
"""0.6..0.68: the correlation of what is drawn finely with itself one canonical pixel astray; 0.36 to 0.58 on backs of small
scales that could not be told, 0.7 and more on all faces of eight decks."""
_MOST_LEFT = 20.0
"""How much light may be left unexplained beyond which more of it counts no more."""
_SPOT = 5
"""Pixels (of half the canonical size) to each side of a spot: a centimetre."""
_MOST_DRAWN = 12.0
"""How much is drawn (standard deviation of light) beyond which more of it counts no more."""


def fine_drawing(patch: Floats) -> Floats:
    """What is drawn finely of a picture (Lab): its light without what is broad, a glare's edges cut."""
    return finely(np.ascontiguousarray(patch[..., 0]), 2 * _BROAD - 1)


def finely(light: Floats, broad: int) -> Floats:
    """A picture's light (h×w) without what is as broad as so many pixels."""
    return np.asarray(np.clip(light - cv2.blur(light, (broad, broad)), -_MOST_DRAWN, _MOST_DRAWN), np.float32)


def agreement(seen: Floats, taught: Floats, open_: Mask) -> float | None:
    """How well two drawings (light, at half the canonical size) agree where they are ``open_``: correlations in small windows,
    so that a glare between them takes nothing away. None where too little is drawn, or in sight, to tell."""
    if int(open_.sum()) < _LEAST_DETAIL:
        return None
    alike, drawn = _correlation(seen, taught, open_)
    counts = drawn > _LEAST_DRAWN
    if int(counts.sum()) < _LEAST_DETAIL:
        return None
    return float(np.average(alike[counts], weights=np.minimum(drawn[counts], _MOST_DRAWN)))


def left_over(seen: Floats, relit: Floats, open_: Mask) -> float:
    """How much light (root of the mean square) is otherwise than in a taught picture in the light of this one, grain apart,
    where both are ``open_``."""
    rest = np.minimum(np.abs((seen - relit)[open_]), _MOST_LEFT)
    if len(rest) < _LEAST_DETAIL:
        return 0.0
    grain = 1.48 * float(np.median(rest)) + 0.3
    return float(np.sqrt(max(0.0, float(np.square(rest).mean()) - grain**2)))


def odd_spot(seen: Floats, relit: Floats, open_: Mask) -> float:
    """By how much (levels of light) the spot that differs most is darker than a taught picture in the light of this one has it
    anywhere near, a sign that is not on it; brighter ones, which glare makes too, count a third."""
    near = np.ones((3, 3), np.uint8)
    darker = np.maximum(np.asarray(cv2.erode(relit, near), np.float32) - seen, 0) * open_
    brighter = np.maximum(seen - np.asarray(cv2.dilate(relit, near), np.float32), 0) * open_
    return max(float(cv2.blur(part, (_SPOT, _SPOT)).max()) for part in (darker, brighter / 3))


def traced(patch: Floats, half: Floats) -> bool:
    """Whether what is drawn finely on a canonical picture (``half``: the same at half its size) is still as it is where the
    card lies one canonical pixel astray: a back of small scales is not."""
    whole = np.ones(half.shape[:2], np.bool_)
    for x, y in ((1.0, 0.0), (0.0, 1.0)):
        moved = cv2.warpAffine(
            patch, np.array([[1, 0, x], [0, 1, y]], np.float32), (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE
        )
        found = agreement(cells(np.asarray(moved, np.float32), HALF)[..., 0], half[..., 0], whole)
        if found is not None and found < _TRACED:
            return False
    return True


def _correlation(seen: Floats, taught: Floats, open_: Mask) -> tuple[Floats, Floats]:
    """For each pixel how the light about it correlates with the taught one (a window of _BROAD pixels, of which those that are
    ``open_`` count), and how much is drawn there (standard deviation of the taught light)."""
    weight = open_.astype(np.float32)

    def mean(values: Floats) -> Floats:
        return np.asarray(cv2.boxFilter(values * weight, -1, (_BROAD, _BROAD), normalize=False), np.float32) / total

    total = np.asarray(cv2.boxFilter(weight, -1, (_BROAD, _BROAD), normalize=False), np.float32) + 1e-3
    one, other = seen - mean(seen), taught - mean(taught)
    # A box filter adds and takes away as it goes along: of squares that were left behind a little below nothing may remain.
    both, own, its = mean(one * other), mean(one * one), np.maximum(mean(other * other), 0)
    enough = open_ & (total > _BROAD * _BROAD / 3)
    alike = both / np.sqrt(np.maximum(own * its, 1e-6))
    return np.where(enough, alike, 0).astype(np.float32), np.where(enough, np.sqrt(its), 0).astype(np.float32)

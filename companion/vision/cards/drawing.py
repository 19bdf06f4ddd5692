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
_SPOT, _BROAD_SPOT = 5, 11
"""Canonical pixels to each side of a spot that is darker, and of one that is brighter: half a centimetre, and one."""
_WHITE, _SMOOTH_PX = 102.0, 1.7
"""The light of what glare washes out, and 1.4..2.5 canonical pixels (standard deviation) within which its veil is even."""
_VEILED, _BESIDE = 0.06, 8
"""0.04..0.1 of the way to white from which on the veil beside what is washed out belongs to the same glare; canonical pixels
about it within which its edge is much of what is drawn. Of 137 looks at known faces on 30 decks that were washed out in part 54
were drawn just as taught (``exact_detail``, ``exact_spot``) with the veil, 113 without; of 135 at others 2 and 3."""
_LESS = 3.0
"""What is brighter counts so many times less: glare is as well."""
_AROUND, _LIGHTEST, _LIGHTER, _AS_PAPER = 29, 3.0, 20.0, 4.0
"""Canonical pixels to each side about one in which the paper is sought that a sign lies upon; by how much (levels) pixels of it
may seem darker than the lightest, by how much it is lighter than the sign, and 4..5 from which what shows there differs where
the sign is missing."""
_NEAR = np.ones((3, 3), np.uint8)
"""Canonical pixels about one; half of what they differ from it is allowed for, as a card may be fitted half a pixel amiss."""
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


def odd_spot(seen: Floats, relit: Floats, open_: Mask, washed: Mask | None = None) -> float:
    """By how much (levels of light) the spot that differs most is darker than a taught picture (canonical, Lab, in the light of
    this one) has it anywhere near, the veil of a glare over it: a sign that is not on it. A veil makes what it lies upon
    lighter and is smooth: it ends at no edge of a sign. Spots where the paper shows instead of a sign count a third, and so do
    broader ones that are brighter, as the rest of a glare is, but for what is ``washed`` out."""
    weight, light, taught = open_.astype(np.float32), *(np.ascontiguousarray(one[..., 0]) for one in (seen, relit))
    under = np.asarray(taught + np.clip(_veil(light, taught, weight), 0, 1) * _room(taught), np.float32)
    low, high = ((under + np.asarray(change(under, _NEAR), np.float32)) / 2 for change in (cv2.erode, cv2.dilate))
    darker = (np.clip(light, low, high) - light) * weight
    lacking = np.maximum(light - np.asarray(cv2.dilate(taught, _NEAR), np.float32), 0) * _paper_shows(seen, relit) * weight
    brighter = np.maximum(light - np.asarray(cv2.dilate(taught, _NEAR, iterations=2), np.float32), 0) * weight
    if washed is not None:
        brighter[washed] = 0
    spots = ((darker, _SPOT, 1.0), (lacking, _SPOT, _LESS), (brighter, _BROAD_SPOT, _LESS))
    return max(float(cv2.blur(part, (side, side)).max()) / less for part, side, less in spots)


def glare(seen: Floats, relit: Floats, open_: Mask, washed: Mask) -> Mask:
    """Where the glare lies (canonical) of which some cells of a card are ``washed`` out: these, and its veil beside them."""
    light, taught = (np.ascontiguousarray(one[..., 0]) for one in (seen, relit))
    veiled = open_ & (washed | (_veil(light, taught, open_.astype(np.float32)) > _VEILED))
    _, parts = cv2.connectedComponents(veiled.astype(np.uint8), connectivity=8)
    return np.asarray(veiled & np.isin(parts, np.unique(parts[washed & open_])), np.bool_)


def beside(found: Mask) -> Mask:
    """All that lies so near a glare (canonical) that its edge is most of what is drawn there."""
    side = 2 * _BESIDE + 1
    return np.asarray(cv2.dilate(found.astype(np.uint8), np.ones((side, side), np.uint8)) > 0, np.bool_)


def _veil(light: Floats, taught: Floats, weight: Floats) -> Floats:
    """What lies like a veil over a taught picture: how much of the way to white, where anything of it is in sight."""
    return np.asarray(_smoothed((light - taught) * weight) / (_smoothed(_room(taught) * weight) + 1e-3), np.float32)


def _room(taught: Floats) -> Floats:
    """By how much glare can make a picture lighter."""
    return np.asarray(np.maximum(_WHITE - taught, 1.0), np.float32)


def _paper_shows(seen: Floats, relit: Floats) -> Mask:
    """Where the paper about a sign shows instead of it, and not whiter than that, as what glare washes out is."""
    weight = np.exp((relit[..., :1] - 100) / _LIGHTEST)
    around = np.asarray(cv2.blur(np.dstack([relit * weight, weight]), (_AROUND, _AROUND)), np.float32)
    paper = around[..., :3] / around[..., 3:]
    as_paper = np.linalg.norm(cv2.blur(seen, (3, 3)) - paper, axis=2) < _AS_PAPER
    return np.asarray(as_paper & (paper[..., 0] > relit[..., 0] + _LIGHTER), np.bool_)


def _smoothed(light: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(np.asarray(light, np.float32), (0, 0), _SMOOTH_PX), np.float32)


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

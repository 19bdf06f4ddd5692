"""Bare places by similarity: a place without a reference patch is bare where it looks like other places of its kind.

A board prints the same drawing on every place of a kind. An arm, a sleeve, a card or glare over one of them shows none of
it. Where a board prints them differently nothing is alike, and the answer is "cannot be told", never "empty".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.frame import Image, Mask
from companion.vision.marked.background import BackgroundModel
from companion.vision.marked.rectify import patch
from companion.vision.marked.registered_image import RegisteredImage

Array = NDArray[np.float64]
_SCALE = 1.0
"""Patch pixels a millimetre: as many as the bare board's mosaic has."""


@dataclass(frozen=True, slots=True)
class SimilaritySettings:
    """Tunables of the comparison.

    radius_mm
        12..18 mm around a place that are compared: within the smallest tile and off the neighbours' pieces.
    match
        0.8..0.9 correlation with the most alike other place.
    tint
        0.1..0.25 natural logarithms one colour may differ from the others: light has one colour, skin another.
    contrast
        0.01..0.05: standard deviation over brightness below which there is no drawing to compare.
    """

    radius_mm: float = 15.0
    match: float = 0.86
    tint: float = 0.15
    contrast: float = 0.02


@dataclass(frozen=True, eq=False, slots=True)
class PlaceTexture:
    """What a place shows: ``pattern`` normalised, without the light's slope; ``tint`` per colour; ``contrast``."""

    pattern: Array
    tint: Array
    contrast: float


def bare_by_similarity(
    registered: RegisteredImage,
    spots: Iterable[str],
    taught: BackgroundModel | None,
    taught_spots: Iterable[str],
    settings: SimilaritySettings,
) -> Mapping[str, bool]:
    """For each of some uncovered places of one kind whether another one, here or as it was taught, shows the same."""
    board, half = registered.board, settings.radius_mm
    here = {
        spot: _drawing(patch(registered.image, registered.registration, board.mm(spot), half_mm=half, scale=_SCALE))
        for spot in spots
    }
    known: list[PlaceTexture] = []
    if taught is not None:
        places = [board.mm(spot) for spot in taught_spots]
        known = [_drawing(taught.patch(mm, half, _SCALE)) for mm in places if taught.shows(mm, half)]
    return dict(zip(here, _any_alike(list(here.values()), known, settings).tolist(), strict=True))


def _any_alike(here: Sequence[PlaceTexture], known: Sequence[PlaceTexture], settings: SimilaritySettings) -> Mask:
    """Which of some places show the same drawing as another one of them, or as a known one: N."""
    every = (*here, *known)
    if not every:
        return np.zeros(0, np.bool_)
    patterns, tints = np.stack([one.pattern for one in every]), np.stack([one.tint for one in every])
    drawn = np.array([one.contrast for one in every]) >= settings.contrast
    alike = patterns[: len(here)] @ patterns.T >= settings.match
    alike &= drawn[: len(here), None] & drawn
    alike &= np.abs(tints[: len(here), None] - tints).max(axis=2) <= settings.tint
    np.fill_diagonal(alike, False)
    return np.asarray(alike.any(axis=1), np.bool_)


@lru_cache(maxsize=8)
def _plane(size: int) -> tuple[Mask, Array]:
    """Which pixels of a square lie within its circle, and the three ways (N×3, orthonormal) in which even or sloping light
    lights them."""
    y, x = np.mgrid[0:size, 0:size] - (size - 1) / 2
    inside = np.hypot(x, y) <= size / 2
    light = np.column_stack([np.ones(int(inside.sum())), x[inside], y[inside]])
    return inside, np.asarray(np.linalg.qr(light)[0], np.float64)


def _drawing(straight: Image) -> PlaceTexture:
    grey = cv2.GaussianBlur(cv2.cvtColor(straight, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.0)
    inside, light = _plane(grey.shape[0])
    values = np.asarray(grey[inside], np.float64)
    left = values - light @ (light.T @ values)
    colour = np.log(straight[inside].reshape(-1, 3).mean(axis=0) + 4.0)
    pattern = left / (float(np.linalg.norm(left)) + 1e-6)
    return PlaceTexture(pattern, colour - colour.mean(), float(left.std() / (values.mean() + 4.0)))

"""The background model of the bare board, and the foreground: parts of a picture that are neither board nor a known piece,
such as arms, cards and sleeves.

A :class:`BackgroundModel` is the board seen from above with a mask of where nothing lay on it. Comparing it with a new picture
gives the *foreign* parts: neither board nor a known piece. A change of light is no foreign thing: brightness may differ by a
smooth factor over the board, and printed texture keeps its pattern in a shadow.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Point
from companion.vision.frame import Image, Mask
from companion.vision.marked.light_fit import bisquare, quadratic_terms, robust_fit
from companion.vision.marked.rectify import mosaic
from companion.vision.marked.registered_image import RegisteredImage, shares
from companion.vision.once import FoundOnce
from companion.vision.reading import Sighting

Floats = NDArray[np.float32]
_FIT_POINTS, _FIT_ROUNDS = 1500, 8  # six unknowns; more points or rounds change the surface by less than the noise
_LEAST_SPREAD = 0.01  # natural logarithms
_WINDOW_MM, _MIDDLE_MM = 11, 4.0
"""Side of the square in which drawing is measured, and how far from a place's middle it is."""
_RIDGE = np.array([0.0, 1.0, 1.0, 1.0, 1.0, 1.0]) * 1e-3


@dataclass(frozen=True, slots=True)
class BackgroundSettings:
    """Tunables of the comparison; the mosaic has one pixel a millimetre.

    shadow_mm
        3..12 mm around a piece that its shadow and its side may cover.
    block_mm
        3..8 mm: brightness is compared in blocks of this size; smaller is noisier.
    brightness, tint
        0.15..0.5 and 0.08..0.3 natural logarithms: how far a block's brightness or one of its colours may lie from the
        smooth change of light over the board.
    texture_window_mm, texture_contrast, texture_match
        Where the bare board has a pattern (standard deviation over brightness above ``texture_contrast`` in a window of
        11..21 mm), a correlation above 0.5..0.8 proves it is in sight, whatever its brightness.
    hidden_share
        0.15..0.5 of a spot's surroundings that must be foreign before the spot counts as hidden.
    around
        0.4..0.75 of a spot's room (22 mm on hexes): the surroundings that are looked at.
    unsure
        0.6..0.8 of a spot's room (30 mm on hexes) around where something may lie that are not learnt as bare.
    drawn, redrawn
        0.04..0.08 of the brightness: drawing that counts at all; 1.1..1.4 and 0.5..0.8 times the bare board's: more or less of
        it is another one.
    bare_compared, bare_foreign
        0.7..0.95 and 0..0.05: where this much could be compared and no more was foreign, no piece lies.
    card_share
        0.15..0.4 of a card's area that may be foreign in a zone beside the cards found there. A card staggered so that its
        sticker shows shows a third of itself.
    zone_scale
        0.9..0.97 of a zone within which its ground is of one colour: its printed edge is left out.
    """

    shadow_mm: float = 6.0
    block_mm: int = 5
    brightness: float = 0.35
    tint: float = 0.16
    texture_window_mm: int = 15
    texture_contrast: float = 0.08
    texture_match: float = 0.6
    hidden_share: float = 0.22
    around: float = 0.55
    unsure: float = 0.75
    drawn: float = 0.06
    redrawn: tuple[float, float] = (1.2, 0.7)
    bare_compared: float = 0.8
    bare_foreign: float = 0.02
    card_share: float = 0.25
    zone_scale: float = 0.94


EDGE_MM = 1.0
"""How far (mm) the outline of a piece may be off."""


@dataclass(frozen=True, eq=False)
class BackgroundModel(FoundOnce):
    """``picture``: H×W×3 mosaic, 1 px per mm; ``valid``: H×W, where the bare board was in sight."""

    picture: Image
    valid: Mask

    def merged(self, other: "BackgroundModel") -> "BackgroundModel":
        """This one, with the gaps filled from another."""
        fill = other.valid & ~self.valid
        if not fill.any() or not self.valid.any():
            return self if self.valid.any() else other
        both = cv2.erode((self.valid & other.valid).astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
        gain = np.ones(3)
        if both.any():  # the other picture may have been taken in another light
            gain = (_mean_colour(self.picture, both) + 1) / (_mean_colour(other.picture, both) + 1)
        picture = self.picture.copy()
        picture[fill] = np.clip(other.picture[fill] * gain, 0, 255).astype(np.uint8)
        return BackgroundModel(picture, self.valid | other.valid)

    def where(self, open_: Mask) -> "BackgroundModel":
        """This one where a mask (H×W) says, and nothing elsewhere."""
        return BackgroundModel(self.picture, self.valid & open_)

    def shows(self, mm: tuple[float, float], radius_mm: float) -> bool:
        """Whether the bare board is known (nine tenths of it) around a spot."""
        return self.once(("shows", mm, radius_mm), lambda: self._shows(mm, radius_mm))

    def patch(self, mm: tuple[float, float], half_mm: float, scale: float) -> Image:
        """The bare board's square (N×N×3) around a spot, ``scale`` pixels a millimetre, as ``rectify.patch`` cuts a picture's.
        Parts outside the board repeat its edge."""
        matrix, size = _square(mm, half_mm, scale)
        return np.asarray(cv2.warpAffine(self.picture, matrix, (size, size), borderMode=cv2.BORDER_REPLICATE), np.uint8)

    def patch_known(self, mm: tuple[float, float], half_mm: float, scale: float) -> Mask:
        """Which pixels (N×N) of :meth:`patch` show the bare board: not those outside it, nor where something lay on it."""
        matrix, size = _square(mm, half_mm, scale)
        return np.asarray(cv2.warpAffine(self.valid.astype(np.uint8), matrix, (size, size), borderValue=(0,)) > 0, np.bool_)

    def _shows(self, mm: tuple[float, float], radius_mm: float) -> bool:
        height, width = self.valid.shape
        left, top = max(0, int(mm[0] - radius_mm) - 1), max(0, int(mm[1] - radius_mm) - 1)
        around = self.valid[top : min(height, int(mm[1] + radius_mm) + 2), left : min(width, int(mm[0] + radius_mm) + 2)]
        inside = disc_mask(around.shape, (mm[0] - left, mm[1] - top), radius_mm)
        return bool(inside.any() and around[inside].mean() > 0.9)


def _mean_colour(picture: Image, where: Mask) -> NDArray[np.float64]:
    """Mean colour (3) of a picture (H×W×3) where a mask (H×W) says."""
    sums = cv2.sumElems(cv2.copyTo(picture, where.astype(np.uint8)))
    return np.asarray(sums[: picture.shape[2]], np.float64) / np.count_nonzero(where)


def _square(mm: tuple[float, float], half_mm: float, scale: float) -> tuple[NDArray[np.float64], int]:
    """What takes the mosaic's pixels to those of a square around a spot (2×3), and how many pixels wide that is."""
    left, top = mm[0] - half_mm, mm[1] - half_mm
    centre = 0.5 * scale - 0.5  # both grids put pixel centres on halves
    matrix = np.array([[scale, 0.0, centre - left * scale], [0.0, scale, centre - top * scale]])
    return matrix, round(2 * half_mm * scale)


def disc_mask(shape: tuple[int, ...], mm: tuple[float, float], radius_mm: float) -> Mask:
    """Mosaic pixels within a radius of a spot."""
    down, across = (np.square(np.arange(0.5, side) - at) for side, at in zip(shape[:2], reversed(mm), strict=True))
    return np.asarray(down[:, None] + across <= radius_mm**2)


def piece_mask(registered: RegisteredImage, sightings: Iterable[Sighting], shape: tuple[int, ...], grow_mm: float) -> Mask:
    """Mosaic pixels (at the board's surface) that a piece or its near shadow may cover."""
    mask = np.zeros(shape[:2], np.uint8)
    for sighting in sightings:
        radius = round(registered.radius(sighting) + grow_mm)
        for foot, top in registered.stands_over(sighting):
            for share in shares(foot, top, radius):
                x, y = foot[0] + (top[0] - foot[0]) * share, foot[1] + (top[1] - foot[1]) * share
                cv2.circle(mask, (round(x), round(y)), radius, 1, -1)
    return mask.astype(bool)


def background_model(
    registered: RegisteredImage, sightings: Iterable[Sighting], unsure: Collection[str], settings: BackgroundSettings
) -> BackgroundModel:
    """The bare board as far as one picture shows it. ``unsure`` spots (something may lie there) are left out."""
    picture = mosaic(registered.image, registered.registration, registered.board)
    covered = piece_mask(registered, sightings, picture.shape, settings.shadow_mm)
    seen = _any_colour(picture)
    for spot in unsure:
        # A zone's points lie half a spacing apart.
        radius = settings.unsure * registered.board.room_mm(spot) * (0.5 if spot in registered.board.zones else 1.0)
        for mm in registered.board.samples(spot):
            covered |= disc_mask(picture.shape, mm, radius)
    return BackgroundModel(picture, seen & ~covered)


@dataclass(frozen=True, eq=False)
class Foreground:
    """``mask``: H×W, not board and not a known piece; ``compared``: H×W, where a comparison was possible; ``redrawn``: H×W,
    where much more or less is drawn than on the bare board: a sticker, or what hides the print, but a shadow's edge as well."""

    mask: Mask
    compared: Mask
    redrawn: Mask

    def redrawn_at(self, spots_mm: NDArray[np.float64]) -> Mask:
        """For each spot (N×2 mm) whether that is so anywhere about its middle: N."""
        return np.asarray(_in_squares(self._redrawn_sums, spots_mm, _MIDDLE_MM) > 0, np.bool_)

    def square_shares(self, spots_mm: NDArray[np.float64], reach_mm: float) -> NDArray[np.float64]:
        """For each spot (N×2 mm) the share of a square about it, ``reach_mm`` to each side, that is foreign, of what could be
        compared there: N."""
        foreground, compared = (_in_squares(sums, spots_mm, reach_mm) for sums in self._sums)
        return foreground / np.maximum(1.0, compared)

    def shares(self, spots_mm: NDArray[np.float64], radius_mm: float) -> NDArray[np.float64]:
        """For each spot (N×2 mm) the share of its comparable surroundings that is foreign; 0 where nothing compares."""
        return self._shares(spots_mm, np.full(len(spots_mm), radius_mm))

    def shares_at(self, spots_mm: NDArray[np.float64], radii_mm: Sequence[float]) -> NDArray[np.float64]:
        """The same, with a radius of its own for each spot, to a pixel of the mosaic."""
        return self._shares(spots_mm, np.round(radii_mm))

    def _shares(self, spots_mm: NDArray[np.float64], radii_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        foreground, compared = self._around(spots_mm, radii_mm)
        return np.where(compared > 0.05, foreground / np.maximum(compared, 0.05), 0.0)

    def area_mm2(self, outline_mm: Sequence[Point]) -> float:
        """How much within a closed outline is foreign."""
        return float((self.mask & self.compared & within(self.mask.shape, outline_mm)).sum())

    def bare_at(self, spots_mm: NDArray[np.float64], radii_mm: Sequence[float], settings: BackgroundSettings) -> Mask:
        """For each spot (N×2 mm), with a radius of its own, whether it surely looks bare: nearly all around it could be
        compared, and is board."""
        foreground, compared = self._around(spots_mm, np.round(radii_mm))
        return np.asarray((compared >= settings.bare_compared) & (foreground <= settings.bare_foreign), np.bool_)

    def _around(
        self, spots_mm: NDArray[np.float64], radii_mm: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Shares (0..1) of each spot's surroundings that are foreign, and that could be compared."""
        rows, columns = self.mask.shape
        x = np.clip(spots_mm[:, 0].astype(int), 0, columns - 1)
        y = np.clip(spots_mm[:, 1].astype(int), 0, rows - 1)
        half = np.round(radii_mm * 0.886).astype(int)  # of the square with the circle's area
        left, right = np.maximum(x - half, 0), np.minimum(x + half + 1, columns)
        upper, lower = np.maximum(y - half, 0), np.minimum(y + half + 1, rows)
        foreground, compared = (
            (sums[lower, right] - sums[upper, right] - sums[lower, left] + sums[upper, left]) / (2 * half + 1) ** 2
            for sums in self._sums
        )
        return foreground, compared

    @cached_property
    def _sums(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """How many pixels above and to the left of every pixel are foreign, and how many could be compared."""
        foreground, compared = (cv2.integral(layer.astype(np.uint8)) for layer in (self.mask & self.compared, self.compared))
        return np.asarray(foreground, np.int32), np.asarray(compared, np.int32)

    @cached_property
    def _redrawn_sums(self) -> NDArray[np.int32]:
        return np.asarray(cv2.integral(self.redrawn.astype(np.uint8)), np.int32)


def _in_squares(sums: NDArray[np.int32], spots_mm: NDArray[np.float64], reach_mm: float) -> NDArray[np.float64]:
    """How many pixels of a mosaic, by their sums above and to the left ((H+1)×(W+1)), count in the square about each spot (N×2
    mm, on the board), to whole pixels: N."""
    rows, columns = sums.shape[0] - 1, sums.shape[1] - 1
    reach, (x, y) = round(reach_mm), np.round(spots_mm).astype(int).T
    left, right = np.clip(x - reach, 0, columns), np.clip(x + reach + 1, 0, columns)
    upper, lower = np.clip(y - reach, 0, rows), np.clip(y + reach + 1, 0, rows)
    return np.asarray(sums[lower, right] - sums[upper, right] - sums[lower, left] + sums[upper, left], np.float64)


def foreground_of(
    bare: BackgroundModel, registered: RegisteredImage, sightings: Iterable[Sighting], settings: BackgroundSettings
) -> Foreground:
    """Compare a picture with the bare board."""
    known = tuple(sightings)
    return registered.once(("foreground", bare, known, settings), lambda: _foreground_of(bare, registered, known, settings))


def _foreground_of(
    bare: BackgroundModel, registered: RegisteredImage, sightings: tuple[Sighting, ...], settings: BackgroundSettings
) -> Foreground:
    now = registered.once("mosaic", lambda: mosaic(registered.image, registered.registration, registered.board))
    covered = piece_mask(registered, sightings, now.shape, settings.shadow_mm)
    compared = bare.valid & ~covered & _any_colour(now)
    before, after = bare.once("drawn", lambda: _drawn(bare.picture)), registered.once("drawn", lambda: _drawn(now))
    redrawn = _redrawn(before, after, settings) & compared
    smooth = bare.once("smoothed", lambda: _smoothed(bare.picture))
    return Foreground(foreground_mask(bare.picture, now, compared, settings, smooth) & compared, compared, redrawn)


def unlike_ground(
    registered: RegisteredImage, sightings: Iterable[Sighting], known: Mask | None, settings: BackgroundSettings
) -> Foreground | None:
    """What in the zones of a board differs from the colour that most of its zone has, beside the pieces found: for what nobody
    ever showed bare. ``known``: H×W, where that is known otherwise. None where there is nothing to compare."""
    now = mosaic(registered.image, registered.registration, registered.board)
    open_ones = ~piece_mask(registered, sightings, now.shape, settings.shadow_mm) & _any_colour(now)
    open_ones &= ~known if known is not None else True
    before, compared = now.copy(), np.zeros(now.shape[:2], np.bool_)
    for zone in (zone for zone in registered.board.zones.values() if not zone.masked):
        inside = within(now.shape, registered.board.outline_mm(zone.id, settings.zone_scale)) & open_ones
        if inside.any():
            before[inside] = np.median(now[inside], axis=0)
            compared |= inside
    if not compared.any():
        return None
    return Foreground(foreground_mask(before, now, compared, settings) & compared, compared, np.zeros_like(compared))


def within(shape: tuple[int, ...], outline_mm: Sequence[Point]) -> Mask:
    """Mosaic pixels (H×W) within a closed outline."""
    inside = np.zeros(shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round(np.asarray(outline_mm)).astype(np.int32)], (1,))
    return np.asarray(inside > 0)


def _any_colour(picture: Image) -> Mask:
    """Pixels (H×W) that are not black: those outside the camera's picture are."""
    return np.asarray((picture[..., 0] | picture[..., 1] | picture[..., 2]) > 0, np.bool_)


def foreground_mask(
    before: Image, now: Image, compared: Mask, settings: BackgroundSettings, smooth: Floats | None = None
) -> Mask:
    """Where two mosaics (H×W×3) differ by more than light: H×W. Only ``compared`` pixels take part. ``smooth``: the first one
    as :func:`_smoothed` gives it, where that is known."""
    weight = compared.astype(np.float32)
    block = settings.block_mm
    share = np.asarray(cv2.resize(weight, None, fx=1 / block, fy=1 / block, interpolation=cv2.INTER_AREA), np.float32)
    light = [_block_means(picture, compared, share, block) for picture in (before, now)]
    usable = share > 0.3
    if usable.sum() < 30:
        return np.zeros(compared.shape, np.bool_)
    change = np.log(light[1] + 4.0) - np.log(light[0] + 4.0)
    change -= _smooth_light(change, usable)
    blue, green, red = cv2.split(change)  # along a short axis nothing is fast
    mean = (blue + green + red) / np.float32(3)
    odd = _any_beyond((blue, green, red), settings.brightness)
    odd |= _any_beyond((blue - mean, green - mean, red - mean), settings.tint)
    odd &= usable
    odd_fine = cv2.resize(odd.astype(np.uint8), (compared.shape[1], compared.shape[0]), interpolation=cv2.INTER_NEAREST) > 0
    smooth = smooth if smooth is not None else _smoothed(before)
    match, contrast = _texture(smooth, _smoothed(now), weight, settings.texture_window_mm)
    patterned = contrast > settings.texture_contrast
    torn = patterned & (match < settings.texture_match / 2)
    in_sight = patterned & (match > settings.texture_match)
    foreground = (odd_fine & ~in_sight) | torn
    kernel = np.ones((block, block), np.uint8)
    return np.asarray(cv2.morphologyEx(foreground.astype(np.uint8), cv2.MORPH_OPEN, kernel) > 0)


def _any_beyond(layers: Sequence[NDArray[Any]], limit: float) -> Mask:
    """Where any of some layers (H×W each) is farther from nought than a limit."""
    return np.asarray(np.logical_or.reduce([np.abs(layer) > limit for layer in layers]), np.bool_)


def _drawn(picture: Image) -> Floats:
    """How much is drawn around every pixel (H×W) of a mosaic: standard deviation over brightness."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    mean, square = (cv2.boxFilter(one, -1, (_WINDOW_MM, _WINDOW_MM)) for one in (grey, grey * grey))
    return np.asarray(cv2.divide(cv2.sqrt(_at_least(square - mean * mean, 0.0)), mean + 8.0), np.float32)


def _at_least(values: NDArray[Any], least: float) -> Floats:
    """The same values, lesser ones raised to ``least`` where they stand."""
    return np.asarray(np.maximum(values, least, out=values), np.float32)


def _redrawn(before: Floats, now: Floats, settings: BackgroundSettings) -> Mask:
    """Where much more is drawn than before, or much less."""
    more, less = settings.redrawn
    enough = np.maximum(before, now) > settings.drawn
    return np.asarray(enough & ((now > more * (before + 0.02)) | (now < less * before)), np.bool_)


def _block_means(picture: Image, counts: Mask, share: Floats, block: int) -> Floats:
    """Mean colour of each block, of the pixels that count; ``share`` is how many do, 0..1."""
    seen = cv2.copyTo(picture, counts.astype(np.uint8)).astype(np.float32)
    weighted = cv2.resize(seen, None, fx=1 / block, fy=1 / block, interpolation=cv2.INTER_AREA)
    return np.asarray(weighted / np.maximum(share, 1e-3)[..., None], np.float32)


@lru_cache(maxsize=4)
def _surface_terms(rows: int, columns: int) -> NDArray[np.float64]:
    """The terms of a quadratic surface over a picture, rows×columns×6."""
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    return quadratic_terms(x, y)


def _smooth_light(change: Floats, usable: Mask) -> Floats:
    """A quadratic surface per channel, fitted robustly (bisquare weights), so that an arm does not bend it."""
    terms = _surface_terms(*usable.shape)
    picked = np.flatnonzero(usable)
    picked = picked[:: max(1, len(picked) // _FIT_POINTS)]
    basis, values = terms.reshape(-1, terms.shape[-1])[picked], change.reshape(-1, change.shape[-1])[picked]
    surface = np.zeros_like(change)
    for channel in range(change.shape[2]):
        target = values[:, channel]
        weight = bisquare(target.astype(np.float64) - float(np.median(target)), _LEAST_SPREAD)
        # A little ridge: with half the board hidden the outer terms would run away.
        fit = robust_fit(basis, target, weight, ridge=_RIDGE, least=_LEAST_SPREAD, rounds=_FIT_ROUNDS)
        surface[..., channel] = terms @ fit
    return surface


def _smoothed(picture: Image) -> Floats:
    """A mosaic in grey, without its grain: H×W."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.2), np.float32)


def _texture(one: Floats, two: Floats, weight: Floats, window: int) -> tuple[Floats, Floats]:
    """Local correlation of two smoothed mosaics and the pattern's contrast in the first, both H×W."""

    def mean(values: Floats) -> Floats:
        return np.asarray(cv2.divide(cv2.boxFilter(cv2.multiply(values, weight), -1, (window, window)), total), np.float32)

    total = _at_least(cv2.boxFilter(weight, -1, (window, window)), 0.05)
    mean_one, mean_two = mean(one), mean(two)
    spread_one = _at_least(mean(one * one) - mean_one * mean_one, 0.0)
    spread_two = _at_least(mean(two * two) - mean_two * mean_two, 0.0)
    shared = mean(one * two) - mean_one * mean_two
    match = cv2.divide(shared, cv2.sqrt(_at_least(spread_one * spread_two, 0.5)))
    return np.asarray(match, np.float32), np.asarray(cv2.divide(cv2.sqrt(spread_one), mean_one + 8.0), np.float32)

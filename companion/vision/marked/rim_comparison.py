"""Compares the ring around a disc with the bare place: a tile below the disc has its marker hidden, but its rim in sight.

The rim is compared with what the bare place looks like on the taught bare board. Nothing here knows how a tile is printed.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Group
from companion.vision.frame import Image, Mask
from companion.vision.marked.background import BackgroundModel
from companion.vision.marked.rectify import patch, steps_mm
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.reading import Sighting

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class RimSettings:
    """Tunables of the rim test.

    scale
        1..3 patch pixels a millimetre.
    clear_mm
        1..4 mm kept free around pieces: edges, the core of their shadows, and the registration's error.
    outside_mm
        6..15 mm around the tile that tell how the light has changed.
    change, noise_factor
        0.06..0.2 natural logarithms, or 3..6 times the noise outside if that is more: a pixel that changed this much changed.
    tint
        0.05..0.15 natural logarithms between colours: a shadow darkens all colours alike.
    differs, covered, darker
        0.12..0.4 share of the rim that is brighter or tinted while 0.25..0.5 is changed at all, or 0.7..0.9 that is changed:
        something lies there. A shadow darkens one side of the rim only.
    unsure
        1.3..2.5 times these shares where the light could not be measured beside the tile.
    error_mm
        1..2 mm: with a registration of a larger standard error the rim would be looked for in the wrong place.
    tint_error_mm
        1.5..2.5 mm: the same where only its tint counts, which a tile changes whether all of it is in view or not.
    same, shaded
        0.03..0.1 and 0.3..0.6: below both the rim is the bare place, one side of it in shadow perhaps.
    kept_tint
        0.11..0.15 natural logarithms: with no more three quarters of a rim have kept the bare place's tint.
    other_tint
        0.18..0.3: with more a quarter of it surely is of another tint than the print. Tiles of nearly the street's colour
        had less.
    smallest_mm2
        40..200 mm² of rim must be in sight.
    """

    scale: float = 2.0
    clear_mm: float = 2.0
    outside_mm: float = 10.0
    change: float = 0.1
    noise_factor: float = 4.0
    tint: float = 0.08
    differs: float = 0.16
    covered: float = 0.3
    darker: float = 0.8
    unsure: float = 1.6
    error_mm: float = 1.3
    tint_error_mm: float = 2.0
    same: float = 0.08
    shaded: float = 0.45
    kept_tint: float = 0.13
    other_tint: float = 0.2
    smallest_mm2: float = 60.0


@dataclass(frozen=True, slots=True)
class Rim:
    """How a rim differs from a bare place: shares (0..1) of it that are changed at all, and changed otherwise than by
    shadow; ``tint``: three quarters of it changed their tint by less, natural logarithms over the colours.

    ``light_known``: the light was measured beside the tile; otherwise the rim's own median had to serve, and a tile of one
    even colour would go unnoticed.
    """

    changed: float
    unshadowed: float
    light_known: bool
    tint: float

    def lies_under(self, settings: RimSettings) -> bool | None:
        """Whether something lies under the piece; None when that cannot be told."""
        if not self.light_known:
            return True if min(self.unshadowed / settings.differs, self.changed / settings.covered) >= settings.unsure else None
        if (self.unshadowed >= settings.differs and self.changed >= settings.covered) or self.changed >= settings.darker:
            return True
        bare = self.unshadowed <= settings.same and self.changed <= settings.shaded
        # Where the light differs widely beside the tile so much may change unnoticed; what has another tint is not bare.
        return False if bare and self.keeps_tint(settings) else None

    def keeps_tint(self, settings: RimSettings) -> bool:
        """Whether next to all of it is of the bare place's tint."""
        return self.light_known and self.tint <= settings.kept_tint

    def of_another_tint(self, settings: RimSettings) -> bool:
        """Whether at least a quarter of it is plainly of another tint than the bare place."""
        return self.light_known and self.tint >= settings.other_tint

    def only_darker(self, settings: RimSettings) -> bool:
        """Whether all that speaks for a tile is that the rim is darker than the print: a lamp's shadow is that as well."""
        return self.keeps_tint(settings) and self.unshadowed < settings.differs


def compare_rim(
    registered: RegisteredImage,
    spot: str,
    top: Sighting,
    tile: Group,
    others: Iterable[Sighting],
    bare: Floats,
    settings: RimSettings,
) -> Rim | None:
    """Compare the visible rim around a piece with the bare place. None when too little rim is in sight.

    ``others``: the other pieces on the table, which may hide a part of the rim. ``bare``: the place's :func:`bare_light`.
    """
    now = rim_patch(registered, spot, tile, settings)
    rim, outside = _masks(registered, spot, top, tile, others, settings)
    if rim.sum() / settings.scale**2 < settings.smallest_mm2:
        return None
    return _compare(bare, rim_light(now, settings), rim, outside, settings)


def rim_patch(registered: RegisteredImage, spot: str, tile: Group, settings: RimSettings) -> Image:
    """The straightened surroundings of a place, for comparing rims."""
    half = rim_half_mm(tile, settings)
    return patch(registered.image, registered.registration, registered.board.mm(spot), half_mm=half, scale=settings.scale)


def bare_patch(bare: BackgroundModel, spot_mm: tuple[float, float], tile: Group, settings: RimSettings) -> Image | None:
    """The same patch out of the bare board, or None where that is not known."""
    if not bare.shows(spot_mm, max(tile.size_mm) / 2):
        return None
    return bare.patch(spot_mm, rim_half_mm(tile, settings), settings.scale)


def rim_light(straight: Image, settings: RimSettings) -> Floats:
    """Logarithms (H×W×3) of a patch's slightly smoothed colours, in which light adds up."""
    return np.asarray(np.log(cv2.GaussianBlur(straight, (0, 0), settings.scale).astype(np.float32) + 6.0), np.float32)


def bare_light(bare: BackgroundModel, spot_mm: tuple[float, float], tile: Group, settings: RimSettings) -> Floats | None:
    """The :func:`rim_light` of the bare board, or None where that is not known."""

    def make() -> Floats | None:
        taught = bare_patch(bare, spot_mm, tile, settings)
        return None if taught is None else rim_light(taught, settings)

    return bare.once(("rim", spot_mm, rim_half_mm(tile, settings), settings.scale), make)


def rim_half_mm(tile: Group, settings: RimSettings) -> float:
    """Half the width (mm) of the patches in which rims are compared."""
    return max(tile.size_mm) / 2 + settings.outside_mm


def _masks(
    registered: RegisteredImage, spot: str, top: Sighting, tile: Group, others: Iterable[Sighting], settings: RimSettings
) -> tuple[Mask, Mask]:
    """Patch pixels where a tile would show beside the piece on it, and those well outside of any tile."""
    half = rim_half_mm(tile, settings)
    steps = steps_mm(half, settings.scale)
    x, y = registered.board.mm(spot)
    distance = np.hypot(steps, steps[:, None])
    visible = ~registered.hidden_by([top, *others], steps + x, steps + y, settings.clear_mm)
    # A tile lies up to 5 mm off: the inner part of its rim is tile wherever it lies, beyond its reach there is none.
    rim = visible & (distance <= min(tile.size_mm) / 2 + 1.0)
    outside = visible & (distance > max(tile.size_mm) / 2 + 3.0) & (distance < half)
    return np.asarray(rim, np.bool_), np.asarray(outside, np.bool_)


def _compare(before: Floats, after: Floats, rim: Mask, outside: Mask, settings: RimSettings) -> Rim:
    change = after - before
    light, noise, known = np.median(change[rim], axis=0), 0.03, False
    if outside.sum() > 60:
        beside = np.median(change[outside], axis=0)
        off = np.abs(change[outside] - beside).max(axis=1)
        # Where all sorts of things changed beside the tile the rim itself must tell the light.
        if float((off < 2 * settings.change).mean()) > 0.7:
            light, noise, known = beside, float(np.median(off)), True
    threshold = max(settings.change, settings.noise_factor * noise)
    left = change[rim] - light
    apart = np.ptp(left, axis=1)
    changed = np.abs(left).max(axis=1) > threshold
    other = (left.max(axis=1) > threshold) | (apart > max(settings.tint, settings.noise_factor * noise))
    tint = np.linalg.norm(left - left.mean(axis=1, keepdims=True), axis=1)
    return Rim(float((changed | other).mean()), float(other.mean()), known, float(np.quantile(tint, 0.75)))

"""Does a disc stand on a cover tile or on the bare place? The tile's marker is hidden; its rim shows around the disc.

The rim is compared with what the bare place looks like: with the taught bare board there, or else with the other bare
places of the same kind in the same picture. Nothing here knows how a tile is printed.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from companion.boards import Group
from companion.vision.bare import BareBoard
from companion.vision.frame import Image
from companion.vision.reading import Sighting
from companion.vision.rectify import patch
from companion.vision.scene import Mask, Scene


@dataclass(frozen=True, slots=True)
class RimSettings:
    """Tunables of the rim test; patches have ``scale`` pixels a millimetre.

    scale
        1..3 pixels a millimetre.
    clear_mm
        1..4 mm kept free around the disc: its edge, its shadow's core, and the registration's error.
    differs, same
        0..1: share of the rim that must differ from the bare place to say "something lies under the disc", and share
        below which the rim *is* the bare place. In between the answer is "cannot tell".
    brightness
        0.15..0.5 natural logarithms a rim pixel may be brighter or darker than the bare place.
    smallest_mm2
        80..300 mm² of rim must be in sight.
    outside_mm
        6..15 mm around the tile that tell how the light has changed.
    """

    scale: float = 2.0
    clear_mm: float = 2.0
    differs: float = 0.34
    same: float = 0.16
    brightness: float = 0.22
    smallest_mm2: float = 120.0
    outside_mm: float = 10.0


def rim_difference(
    scene: Scene,
    spot: str,
    top: Sighting,
    tile: Group,
    others: Iterable[Sighting],
    references: Iterable[Image],
    settings: RimSettings | None = None,
) -> float | None:
    """Share (0..1) of the visible rim around a piece that differs from the bare place, for the most alike reference.

    ``others``: the other pieces on the table, which may hide a part of the rim. ``references``: patches of bare places made
    by :func:`rim_patch` or :func:`bare_patch`. None when too little rim is in sight or there is no reference.
    """
    settings = settings or RimSettings()
    now = rim_patch(scene, spot, tile, settings)
    rim, outside = _masks(scene, spot, top, tile, others, settings)
    if rim.sum() / settings.scale**2 < settings.smallest_mm2:
        return None
    shares = [_share(reference, now, rim, outside, settings) for reference in references]
    return min(shares) if shares else None


def rim_patch(scene: Scene, spot: str, tile: Group, settings: RimSettings | None = None) -> Image:
    """The straightened surroundings of a place, for comparing rims."""
    settings = settings or RimSettings()
    half = _half(tile, settings)
    return patch(scene.image, scene.registration, scene.board.mm(spot), half_mm=half, scale=settings.scale)


def bare_patch(bare: BareBoard, spot_mm: tuple[float, float], tile: Group, settings: RimSettings | None = None) -> Image | None:
    """The same patch out of the bare board, or None where that is not known."""
    settings = settings or RimSettings()
    half = _half(tile, settings)
    if not bare.shows(spot_mm, max(tile.size_mm) / 2):
        return None
    size, scale = round(2 * half * settings.scale), settings.scale
    matrix = np.array([[scale, 0, -(spot_mm[0] - half) * scale], [0, scale, -(spot_mm[1] - half) * scale]])
    # Both grids put pixel centres on halves.
    matrix[:, 2] += 0.5 * scale - 0.5
    return np.asarray(cv2.warpAffine(bare.picture, matrix, (size, size), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _half(tile: Group, settings: RimSettings) -> float:
    return max(tile.size_mm) / 2 + settings.outside_mm


def _masks(
    scene: Scene, spot: str, top: Sighting, tile: Group, others: Iterable[Sighting], settings: RimSettings
) -> tuple[Mask, Mask]:
    """Patch pixels where a tile would show beside the piece on it, and those well outside of any tile."""
    half = _half(tile, settings)
    size = round(2 * half * settings.scale)
    steps = (np.arange(size) + 0.5) / settings.scale - half
    around = np.stack(np.meshgrid(steps, steps), axis=-1)
    points = around + np.asarray(scene.board.mm(spot))
    distance = np.hypot(around[..., 0], around[..., 1])
    visible = ~scene.hidden_by([top, *others], points, settings.clear_mm)
    # A tile lies up to 5 mm off: the inner part of its rim is tile wherever it lies, beyond its reach there is none.
    rim = visible & (distance <= min(tile.size_mm) / 2 + 1.0)
    outside = visible & (distance > max(tile.size_mm) / 2 + 3.0) & (distance < half)
    return np.asarray(rim, np.bool_), np.asarray(outside, np.bool_)


def _share(reference: Image, now: Image, rim: Mask, outside: Mask, settings: RimSettings) -> float:
    """Share of rim pixels whose brightness or tint differs, once the change of light around the tile is taken out."""
    before, after = (np.log(cv2.GaussianBlur(p, (0, 0), settings.scale).astype(np.float32) + 6.0) for p in (reference, now))
    change = np.asarray(after - before, np.float32)
    if outside.sum() > 60:
        light = np.median(change[outside], axis=0)
        still = float((np.abs(change[outside] - light).max(axis=1) < settings.brightness).mean())
        # Around another place of the same kind lie other houses: then the rim itself must tell the light.
        light = light if still > 0.7 else np.median(change[rim], axis=0)
    else:
        light = np.median(change[rim], axis=0)
    return float((np.abs(change[rim] - light).max(axis=1) > settings.brightness).mean())

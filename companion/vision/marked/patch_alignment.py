"""Aligns the patch of a place with its patch in the reference picture, to a fraction of a millimetre.

The registration's error here is found by the fine structure that shows beside where a tile lies, and moved out of the taught
picture. What the two then tell is asked elsewhere: ``changed_area.py``, ``shade.py`` and ``print_visibility.py``.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Group
from companion.vision.frame import Mask
from companion.vision.marked.background import BackgroundModel
from companion.vision.marked.rectify import grid_mm, patch, steps_mm
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.reading import Sighting

Array = NDArray[np.float64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class AlignmentSettings:
    """Tunables of laying a place over the taught one.

    scale
        1.5..3 patch pixels a millimetre.
    clear_mm
        1..2.5 mm kept free around pieces: their blurred edges and the error of where they were seen.
    around_mm
        8..15 mm beyond a tile's reach that tell the light and how the picture lies over the taught one.
    off_mm
        4..6 mm a tile may lie off its place's middle.
    shift_mm
        1.5..4 mm the taught picture is moved to fit: the registration's error here.
    aligned
        0.6..0.9 correlation of the surroundings with the taught ones, below which nothing is concluded.
    error_mm
        1.5..3 mm: with a registration of a larger standard error the shift would not reach.
    burnt
        Grey levels above which a colour says nothing any more.
    """

    scale: float = 2.0
    clear_mm: float = 1.5
    around_mm: float = 12.0
    off_mm: float = 5.0
    shift_mm: float = 3.0
    aligned: float = 0.7
    error_mm: float = 2.2
    burnt: int = 249


@dataclass(frozen=True, slots=True)
class AlignedPatch:
    """A place now and as it was taught, laid over one another: pictures ``now`` and ``before`` (H×W×3), what is ``visible`` of
    both (H×W), where its pixels lie ``around`` its middle (H×W×2 mm) and at what ``distance`` (H×W mm); half a tile is
    ``outer_mm`` wide."""

    now: Floats
    before: Floats
    visible: Mask
    around: Array
    distance: Array
    outer_mm: float


def align_patch(
    registered: RegisteredImage,
    spot: str,
    tile: Group,
    pieces: Iterable[Sighting],
    bare: BackgroundModel,
    settings: AlignmentSettings,
    clear_mm: float,
) -> AlignedPatch | None:
    """A place laid over the taught one by what shows beside where a tile lies; ``clear_mm`` are kept free around pieces. None
    where that is not known, or too little of it shows."""
    outer = max(tile.size_mm) / 2
    half = outer + settings.around_mm
    if registered.registration.error_mm > settings.error_mm or not bare.shows(registered.board.mm(spot), outer):
        return None
    now, before, known = patches(registered, spot, bare, half, settings)
    around, steps = grid_mm(half, settings.scale), steps_mm(half, settings.scale)
    x, y = registered.board.mm(spot)
    visible = known & ~registered.hidden_by(pieces, steps + x, steps + y, clear_mm)
    visible &= most(now) < settings.burnt
    distance = np.hypot(around[..., 0], around[..., 1])
    outside = visible & (distance > outer + settings.off_mm)
    if outside.sum() < 150 * settings.scale**2 / 4:
        return None
    match, shift = alignment(now, before, outside, settings)
    if match < settings.aligned:
        return None
    move = np.array([[1.0, 0, shift[0]], [0, 1.0, shift[1]]])
    before = np.asarray(cv2.warpAffine(before, move, before.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.float32)
    return AlignedPatch(now, before, visible, around, distance, outer)


def patches(
    registered: RegisteredImage, spot: str, bare: BackgroundModel, half_mm: float, settings: AlignmentSettings
) -> tuple[Floats, Floats, Mask]:
    """A place as it is now and as it was taught (H×W×3 each), slightly smoothed, and where it was taught at all."""
    mm, scale = registered.board.mm(spot), settings.scale
    now = patch(registered.image, registered.registration, mm, half_mm=half_mm, scale=scale)
    taught = bare.patch(mm, half_mm, scale)
    smooth = [np.asarray(cv2.GaussianBlur(one.astype(np.float32), (0, 0), 0.7 * scale), np.float32) for one in (now, taught)]
    return smooth[0], smooth[1], bare.patch_known(mm, half_mm, scale)


def fine_structure(picture: Floats, shown: Mask, settings: AlignmentSettings) -> Floats:
    """The fine structure (H×W) of a picture: brightness less its mean over some millimetres of what is shown."""
    grey, weight = picture.mean(axis=2), shown.astype(np.float32)
    wide = 4.0 * settings.scale
    mean = cv2.GaussianBlur(grey * weight, (0, 0), wide) / np.maximum(cv2.GaussianBlur(weight, (0, 0), wide), 1e-3)
    return np.asarray(grey - mean, np.float32)


def alignment(now: Floats, before: Floats, shown: Mask, settings: AlignmentSettings) -> tuple[float, tuple[int, int]]:
    """Best correlation of what is shown with the taught picture, and how far (x, y pixels) that must be moved for it."""
    reach = round(settings.shift_mm * settings.scale)
    inner = slice(reach, -reach)
    mask = shown[inner, inner].astype(np.float32)
    everywhere = np.ones_like(shown)
    here, taught = fine_structure(now, shown, settings)[inner, inner], fine_structure(before, everywhere, settings)
    scores = cv2.matchTemplate(taught, np.ascontiguousarray(here), cv2.TM_CCOEFF_NORMED, mask=mask)
    scores[~np.isfinite(scores)] = -1.0
    _, match, _, at = cv2.minMaxLoc(scores)
    return float(match), (reach - at[0], reach - at[1])


def most(colours: Floats) -> Floats:
    """The largest of the three colours' values (H×W), faster than along a short axis."""
    return np.asarray(np.maximum(np.maximum(colours[..., 0], colours[..., 1]), colours[..., 2]), np.float32)

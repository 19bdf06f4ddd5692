"""Where the places beside the cells really lie on a printed copy: the board file's places, moved as the print has them.

Cells are found by their printed lattice. Spaces of a track are known only by the board file's estimate, which may be some
millimetres off on this printing. All places of one kind are printed alike and are moved together: by what the bare board shows
(the same circle about every one of them), and by where a piece lay that was put on one of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, Point
from companion.vision.camera import Registration
from companion.vision.frame import Image

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PlaceFitSettings:
    """Tunables of the fit.

    most_mm, most_share
        10..20 mm, and 0.3..0.45 of the way from one place to the next of its kind: no place is moved further.
    fewest
        4..6 places of a kind that must be in the picture; fewer have anything in common by chance.
    radii_mm
        Radii of circles that are looked for: clock towers are printed 25 mm wide, drawn tracks have 20 to 28 mm.
    edge_mm
        0.5..1.5 mm to either side of a circle between which the print must differ, all around alike.
    scale
        1..2 samples per millimetre.
    clear, ahead
        0.6..0.8 and 1.05..1.2: how evenly the print must differ all around the best circle (0..1), and how many times as evenly
        as around any circle whose middle lies ``apart_mm`` and more beside. Of a scan of the 2006 board the towers have 0.85
        (elsewhere 0.62), of path-traced and made-up boards circles have 0.96 and more, exits (no circles) 0.56 at most.
    apart_mm
        3..6 mm.
    hand_mm
        3..6 mm: how far beside its place a hand lays a piece. One that lay further off tells that the places are used, or
        printed, elsewhere.
    """

    most_mm: float = 15.0
    most_share: float = 0.4
    fewest: int = 5
    radii_mm: tuple[float, ...] = tuple(float(r) for r in np.arange(8.0, 16.01, 0.5))
    edge_mm: float = 1.0
    scale: float = 1.5
    clear: float = 0.65
    ahead: float = 1.1
    apart_mm: float = 5.0
    hand_mm: float = 5.0


def bound_mm(board: Board, kind: str, settings: PlaceFitSettings | None = None) -> float:
    """How far (mm) the places of a kind may be moved at most: less than half the way to the next one."""
    own = settings or PlaceFitSettings()
    spots = [place.mm for place in board.places_of(kind)]
    apart = min((hypot(a[0] - b[0], a[1] - b[1]) for i, a in enumerate(spots) for b in spots[i + 1 :]), default=np.inf)
    return float(min(own.most_mm, own.most_share * apart))


def fit_places(
    image: Image,
    registration: Registration,
    board: Board,
    laid: Mapping[str, Point] | None = None,
    settings: PlaceFitSettings | None = None,
) -> dict[str, Point]:
    """How far (board mm) the places of each kind lie beside where ``board`` has them, by a picture (H×W×3) of the bare board;
    kinds that lie as the board has them, or of which nothing can be told, are left out.

    ``laid``: by kind, how far (mm) beside its place of the board file a piece lay that somebody put on one.
    """
    own, found = settings or PlaceFitSettings(), {}
    for kind in dict.fromkeys(place.kind for place in board.places.values()):
        most, put = bound_mm(board, kind, own), (laid or {}).get(kind)
        printed = _common_circle(_evenness(image, registration, [p.mm for p in board.places_of(kind)], most, own), own)
        shift = _towards(printed or (0.0, 0.0), put, own.hand_mm) if put is not None else printed
        if shift is not None and 0.5 < hypot(*shift) <= most:
            found[kind] = shift
    return found


def _towards(printed: Point, laid: Point, hand_mm: float) -> Point:
    """The shift nearest to the ``printed`` one at which a piece that was ``laid`` lies no further than a hand lays it."""
    x, y = laid[0] - printed[0], laid[1] - printed[1]
    share = max(0.0, 1.0 - hand_mm / max(hypot(x, y), 1e-9))
    return printed[0] + share * x, printed[1] + share * y


def _common_circle(seen: "tuple[NDArray[np.float64], Floats] | None", own: PlaceFitSettings) -> Point | None:
    """The shift (of S×2 mm, S evennesses) at which circles lie about all places; None where none is clear."""
    if seen is None:
        return None
    shifts, evenness = seen
    best = int(evenness.argmax())
    elsewhere = np.hypot(*(shifts - shifts[best]).T) > own.apart_mm
    rival = float(evenness[elsewhere].max(initial=0.0))
    if evenness[best] < own.clear or evenness[best] < own.ahead * rival:
        return None
    return float(shifts[best][0]), float(shifts[best][1])


def _evenness(
    image: Image, registration: Registration, centres: Sequence[Point], most_mm: float, own: PlaceFitSettings
) -> "tuple[NDArray[np.float64], Floats] | None":
    """Shifts (S×2 mm), and how evenly (0..1) the print differs all around circles about all centres moved by each; None where
    too few of them are in the picture."""
    reach = most_mm + max(own.radii_mm) + 2 * own.edge_mm
    windows = [window for centre in centres if (window := _window(image, registration, centre, reach, own.scale)) is not None]
    if len(windows) < own.fewest:
        return None
    steps = np.arange(-np.floor(most_mm), most_mm + 0.01, 1.0)
    shifts = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    shifts = shifts[np.hypot(*shifts.T) <= most_mm]
    angles = np.linspace(0, 2 * np.pi, 36, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    best = np.zeros(len(shifts), np.float32)
    for radius in own.radii_mm:
        inner, outer = ((shifts[:, None] + ring[None] * (radius + side)) for side in (-own.edge_mm, own.edge_mm))
        differ = np.stack([_sample(w, outer, reach, own.scale) - _sample(w, inner, reach, own.scale) for w in windows], axis=-1)
        flat = differ.reshape(len(shifts), -1)
        even = np.abs(flat.mean(axis=1)) / np.sqrt((flat**2).mean(axis=1) + 1e-6)
        best = np.maximum(best, even)
    return shifts, best


def _window(image: Image, registration: Registration, centre: Point, reach: float, scale: float) -> Floats | None:
    """A square of the print about a centre as logarithms of grey, evened out; None where it is not all in the picture."""
    steps = np.arange(-reach, reach + 0.5 / scale, 1.0 / scale)
    mm = np.stack(np.meshgrid(steps, steps), axis=-1) + np.asarray(centre)
    pixels = registration.project(mm.reshape(-1, 2)).astype(np.float32).reshape(*mm.shape)
    inside = (pixels >= 0).all(axis=-1) & (pixels[..., 0] < image.shape[1]) & (pixels[..., 1] < image.shape[0])
    if float(inside.mean()) < 0.7:
        return None
    seen = cv2.remap(image, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    grey = np.log(seen.astype(np.float32) @ np.array([0.114, 0.587, 0.299], np.float32) + 6.0)
    grey = cv2.GaussianBlur(grey, (0, 0), 0.5 * scale)
    return np.asarray(grey / max(float(grey.std()), 0.02), np.float32)


def _sample(window: Floats, mm: NDArray[np.float64], reach: float, scale: float) -> Floats:
    at = ((mm + reach) * scale).astype(np.float32)
    return np.asarray(cv2.remap(window, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)

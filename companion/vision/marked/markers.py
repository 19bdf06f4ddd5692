"""Find ArUco markers in a picture. Knows pixels and ids; the meaning of an id is somebody else's business."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import BadInput
from companion.vision.frame import Image

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MarkerSettings:
    """Tunables of the detector.

    longest_side_px
        640..4000: larger pictures are halved until they fit; a 50-megapixel phone picture costs no more than a video frame.
    least_px
        16..24 px that the smallest sticker should keep by that, where the board fills the picture: one of 6 mm on a board
        800 mm wide is not halved to 14.
    smallest_perimeter
        0.01..0.05 of the longest side, OpenCV's minMarkerPerimeterRate; 0.02 keeps an outline of 10 px side at 1080p.
    cell_px
        4..10 pixels a bit cell gets when the marker is straightened; 6 reads blurred 20 px markers that 4 loses.
    threshold_windows_px
        Smallest, largest and step of the local threshold's window; 3, 13, 23 are OpenCV's own and the cheapest that
        find both the 22 mm frame stickers and the 12 mm ones.
    correction_rate
        0..1 of the dictionary's correctable bits that may be repaired; 0.6 of 5 bits keeps a distance of 9 to any other id.
    corner_window_px
        Half width of the sub-pixel refinement's window, in pixels; must stay under a bit cell or it locks onto inner corners.
    """

    longest_side_px: int = 2600
    least_px: float = 20.0
    smallest_perimeter: float = 0.02
    cell_px: int = 6
    threshold_windows_px: tuple[int, int, int] = (3, 23, 10)
    correction_rate: float = 0.6
    corner_window_px: int = 3


@dataclass(frozen=True, eq=False, slots=True)
class Marker:
    """One marker found. ``corners``: 4×2 pixels, from the marker's own top left corner clockwise as printed."""

    id: int
    corners: Array

    @property
    def centre(self) -> Array:
        """Where the diagonals cross (2): the printed centre, also in perspective."""
        return diagonal_crossing(self.corners)

    @property
    def side_px(self) -> float:
        """Mean length of the four sides in pixels."""
        return float(np.linalg.norm(np.roll(self.corners, -1, 0) - self.corners, axis=1).mean())


def diagonal_crossing(corners: Array) -> Array:
    """The point (2) where the diagonals of a quadrilateral (4×2) cross."""
    a, b, c, d = corners
    along, across = c - a, d - b
    denominator = along[0] * across[1] - along[1] * across[0]
    if abs(denominator) < 1e-9:
        return np.asarray(corners.mean(axis=0))
    step = ((b[0] - a[0]) * across[1] - (b[1] - a[1]) * across[0]) / denominator
    return np.asarray(a + step * along)


def refined(grey: Image, marker: Marker, window_px: int) -> Marker:
    """The marker with its corners refined to sub-pixels in a grey picture (H×W); one cut by the picture's edge stays."""
    if (marker.corners < 0).any() or (marker.corners > np.array(grey.shape[::-1]) - 1).any():
        return marker
    corners = np.ascontiguousarray(marker.corners.astype(np.float32).reshape(-1, 1, 2))
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 30, 0.01)
    moved = cv2.cornerSubPix(grey, corners, (window_px, window_px), (-1, -1), stop)
    return Marker(marker.id, np.asarray(moved, np.float64).reshape(4, 2))


@cache
def dictionary(name: str) -> cv2.aruco.Dictionary:
    """OpenCV's predefined dictionary of that name. Raises BadInput naming some that exist."""
    number = getattr(cv2.aruco, name, None) if name.startswith("DICT_") else None
    if not isinstance(number, int):
        known = ", ".join(sorted(entry for entry in dir(cv2.aruco) if entry.startswith("DICT_")))
        raise BadInput(f"marker dictionary {name!r} is not known; there are: {known}")
    return cv2.aruco.getPredefinedDictionary(number)


def cells_across(name: str) -> int:
    """How many cells a marker of a dictionary has on each side: its bits and the black border around them."""
    return int(dictionary(name).markerSize) + 2


@cache
def codes(name: str) -> NDArray[np.float32]:
    """Every marker of a dictionary as signed bits: ids × 4 quarter turns (counter-clockwise) × n × n, white +1, black -1."""
    source = dictionary(name)
    size = source.markerSize
    count = source.bytesList.shape[0]
    bits = np.stack([cv2.aruco.generateImageMarker(source, marker, size + 2)[1:-1, 1:-1] for marker in range(count)])
    signed = np.where(bits > 127, 1.0, -1.0).astype(np.float32)
    return np.stack([np.rot90(signed, turn, axes=(1, 2)) for turn in range(4)], axis=1)


class MarkerDetector:
    """Detects the markers of one dictionary; ids outside ``ids`` are dropped (None keeps all)."""

    def __init__(
        self,
        name: str,
        ids: Collection[int] | None = None,
        settings: MarkerSettings | None = None,
        smallest: float = 1.0,
    ) -> None:
        """``smallest``: the side of the smallest sticker as a share (0..1) of the board's width."""
        self._settings = settings or MarkerSettings()
        self._smallest = smallest
        self._ids = None if ids is None else frozenset(ids)
        parameters = cv2.aruco.DetectorParameters()
        low, high, step = self._settings.threshold_windows_px
        parameters.adaptiveThreshWinSizeMin = low
        parameters.adaptiveThreshWinSizeMax = high
        parameters.adaptiveThreshWinSizeStep = step
        parameters.perspectiveRemovePixelPerCell = self._settings.cell_px
        parameters.minMarkerPerimeterRate = self._settings.smallest_perimeter
        parameters.errorCorrectionRate = self._settings.correction_rate
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        parameters.cornerRefinementWinSize = self._settings.corner_window_px
        self._detector = cv2.aruco.ArucoDetector(dictionary(name), parameters)
        self._crops: dict[int, cv2.aruco.ArucoDetector] = {}
        self._name, self._parameters = name, parameters

    def detect(
        self, image: Image, offset: tuple[float, float] = (0.0, 0.0), longest_side: int | None = None
    ) -> tuple[Marker, ...]:
        """Markers in a picture (H×W×3 BGR or H×W grey). ``offset`` is added to the corners: the crop's place in the frame.

        ``longest_side``: that of the whole frame a crop is from, in pixels, so that the smallest outline stays the same.
        """
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
        scale, side = 1, longest_side or max(grey.shape)
        while max(grey.shape) / scale > self._settings.longest_side_px and (
            side * self._smallest / (2 * scale) >= self._settings.least_px
        ):
            scale *= 2
        if scale > 1:
            height, width = grey.shape[0] // scale * scale, grey.shape[1] // scale * scale
            grey = cv2.resize(grey[:height, :width], (width // scale, height // scale), interpolation=cv2.INTER_AREA)
        found, ids, _ = self._detector_for(max(grey.shape), (longest_side or 0) / scale).detectMarkers(grey)
        if ids is None:
            return ()
        # OpenCV 4 gives ids as N×1, OpenCV 5 as N; the corners came as 1×4×2 and as 4×2.
        numbers = np.asarray(ids).reshape(-1)
        return tuple(
            Marker(int(number), (np.asarray(corners, np.float64).reshape(4, 2) + 0.5) * scale - 0.5 + offset)
            for number, corners in zip(numbers, found, strict=True)
            if self._ids is None or int(number) in self._ids
        )

    def _detector_for(self, side: int, whole: float) -> cv2.aruco.ArucoDetector:
        """The detector for a crop. The smallest outline is set as a share of the picture: in a crop it would be a speck."""
        # Quarters of a doubling are fine enough, and few enough to keep.
        step = int(4 * np.log2(whole / side)) if whole > side else 0
        if step <= 0:
            return self._detector
        if step not in self._crops:
            self._parameters.minMarkerPerimeterRate = min(0.5, self._settings.smallest_perimeter * 2 ** (step / 4))
            self._crops[step] = cv2.aruco.ArucoDetector(dictionary(self._name), self._parameters)
            self._parameters.minMarkerPerimeterRate = self._settings.smallest_perimeter
        return self._crops[step]

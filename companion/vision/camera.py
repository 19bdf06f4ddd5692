"""The pinhole camera over the table: lens, pose, and the two directions between board millimetres and pixels.

Coordinate frames
    *Board*: millimetres, x right, y down, height counted **up** from the board's surface.
    *Camera*: OpenCV's (x right, y down, z forward). A board point ``(x, y, height)`` enters it as ``R @ (x, y, -height) + t``.
    *Pixels*: x right, y down, centre of the top left pixel at (0, 0), lens distortion included.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.errors import BadInput
from companion.vision.flexure import Flexure

Array = NDArray[np.float64]
OTHER_SHAPE = 0.02
"""0.01..0.05: width by height may differ by so much between two pictures of one camera: sizes are rounded to even numbers of
pixels. The nearest two shapes that cameras have, 5:4 and 4:3, are 0.08 apart."""


@dataclass(frozen=True, eq=False)
class Lens:
    """Intrinsics: ``matrix`` 3×3 in pixels, ``distortion`` OpenCV's k1 k2 p1 p2 k3, ``size`` (width, height) in pixels."""

    matrix: Array
    distortion: Array
    size: tuple[int, int]

    @classmethod
    def guess(cls, size: tuple[int, int], field_of_view_deg: float = 63.0, squeeze: float = 1.0) -> "Lens":
        """A distortion-free lens for an uncalibrated camera. The angle is the horizontal one. ``squeeze``: by how much its
        pictures are stretched across (3/4: those of a 16:9 sensor fill 4:3 whole); 1 are square pixels."""
        focal = size[0] / 2 / np.tan(np.radians(field_of_view_deg) / 2)
        matrix = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal / squeeze, (size[1] - 1) / 2], [0, 0, 1]], np.float64)
        return cls(matrix, np.zeros(5), size)

    @property
    def squeeze(self) -> float:
        """By how much its pictures are stretched across: 1 with square pixels."""
        return float(self.matrix[0, 0] / self.matrix[1, 1])

    def fits(self, size: tuple[int, int]) -> bool:
        """Whether a picture of this size (width, height in pixels) has the shape of the lens's own, as ``scaled`` needs it."""
        return abs(size[0] / size[1] - self.size[0] / self.size[1]) <= OTHER_SHAPE

    def scaled(self, size: tuple[int, int]) -> "Lens":
        """The same lens for a picture of another size (width, height in pixels) and the same shape. Raises BadInput for another
        shape: stretched, it would put the board's far side millimetres astray without a word."""
        if not self.fits(size):
            raise BadInput(
                f"the lens was measured in {self.size[0]}x{self.size[1]} pictures, the camera gives {size[0]}x{size[1]}: "
                "set the camera to the old shape or calibrate again"
            )
        sx, sy = size[0] / self.size[0], size[1] / self.size[1]
        matrix = self.matrix.copy()
        matrix[0] *= sx
        matrix[1] *= sy
        matrix[0, 2] = (self.matrix[0, 2] + 0.5) * sx - 0.5
        matrix[1, 2] = (self.matrix[1, 2] + 0.5) * sy - 0.5
        return Lens(matrix, self.distortion, size)

    @property
    def plumb_bob(self) -> bool:
        """Whether its distortion is the model of at most five coefficients, which a calibration gives and ROS calls so."""
        return self.distortion.size <= _COEFFICIENTS

    def project(self, points: Array) -> Array:
        """Points before the camera (N×3, its own frame) to pixels (N×2), as OpenCV's ``projectPoints`` has them; of a
        ``plumb_bob`` lens only."""
        k1, k2, p1, p2, k3 = np.append(self.distortion, np.zeros(_COEFFICIENTS - self.distortion.size))
        depth = np.where(points[:, 2] == 0, 1.0, points[:, 2])
        pixels = np.empty((len(points), 2))
        with np.errstate(over="ignore", invalid="ignore"):  # points far beside the picture, which no lens shows
            x, y = points[:, 0] / depth, points[:, 1] / depth
            square, twice = x * x + y * y, 2 * x * y
            radial = 1 + square * (k1 + square * (k2 + square * k3))
            pixels[:, 0] = (x * radial + p1 * twice + p2 * (square + 2 * x * x)) * self.matrix[0, 0] + self.matrix[0, 2]
            pixels[:, 1] = (y * radial + p1 * (square + 2 * y * y) + p2 * twice) * self.matrix[1, 1] + self.matrix[1, 2]
        return pixels

    def undistort(self, pixels: ArrayLike) -> Array:
        """Pixels (N×2) to normalised camera rays (N×2, z = 1)."""
        points = np.asarray(pixels, np.float64).reshape(-1, 1, 2)
        return np.asarray(cv2.undistortPoints(points, self.matrix, self.distortion), np.float64).reshape(-1, 2)


_COEFFICIENTS = 5
"""OpenCV's k1 k2 p1 p2 k3."""
_AT_ONCE, _FEW = 8192, 128
"""Points projected in one go, so that all samples of a board take little memory and stay in the processor's cache; points up to
which OpenCV projects faster. It derives each by every parameter of lens and pose as well, which of more points takes up to
seven times as long, and 240 bytes a point."""
_LEAST_SAID_MM = 0.1
_CROSS_MM = np.array([(-5.0, 0.0), (5.0, 0.0), (0.0, -5.0), (0.0, 5.0)])


def displayed_mm(error_mm: float) -> float:
    """An error on the board as it is said: to a tenth of a millimetre, and never none, for nothing is found exactly."""
    return max(_LEAST_SAID_MM, round(error_mm, 1))


@dataclass(frozen=True, eq=False)
class Registration:
    """Where the board lies in the picture: a lens with a pose. ``error_mm`` is the remaining error on the board; ``flexure``:
    how its surface lies off that of a flat one (None: not at all, as far as is known)."""

    lens: Lens
    rotation: Array
    translation: Array
    error_mm: float = 0.0
    flexure: Flexure | None = None

    @cached_property
    def _rotation_vector(self) -> Array:
        return np.asarray(cv2.Rodrigues(self.rotation)[0], np.float64)

    def project(self, mm: ArrayLike, height_mm: ArrayLike = 0.0) -> Array:
        """Board millimetres (N×2) at a height (scalar or N) to pixels (N×2)."""
        flat = np.asarray(mm, np.float64).reshape(-1, 2)
        points = np.empty((len(flat), 3))
        points[:, :2], points[:, 2] = flat, np.negative(height_mm)
        if 0 < len(points) <= _AT_ONCE:
            return self._projected(points)
        pixels = np.empty((len(points), 2))
        for first in range(0, len(points), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            pixels[part] = self._projected(points[part])
        return pixels

    def _projected(self, points: Array) -> Array:
        """Some board points (N×3, height down) to pixels (N×2)."""
        if self.flexure is not None:
            points[:, :2] += self.flexure.at(points[:, :2])
        if len(points) > _FEW and self.lens.plumb_bob:
            return self.lens.project(points @ self.rotation.T + self.translation.reshape(3))
        found, _ = cv2.projectPoints(points, self._rotation_vector, self.translation, self.lens.matrix, self.lens.distortion)
        return np.asarray(found, np.float64).reshape(-1, 2)

    def locate(self, pixels: ArrayLike, height_mm: ArrayLike = 0.0) -> Array:
        """Pixels (N×2) of points known to lie at a height (scalar or N) back to board millimetres (N×2)."""
        rays = self.lens.undistort(pixels)
        directions = np.column_stack([rays, np.ones(len(rays))]) @ self.rotation
        origin = -self.rotation.T @ self.translation.reshape(3)
        depth = np.negative(height_mm) - origin[2]
        flat = np.asarray(origin[:2] + directions[:, :2] * (depth / directions[:, 2])[:, None], np.float64)
        return flat if self.flexure is None else self.flexure.flattened(flat)

    def pixels_per_mm(self, mm: tuple[float, float], height_mm: float = 0.0) -> float:
        """Scale at one spot of the board: the smaller of the two directions' pixels per millimetre."""
        return float(self.scales([mm], height_mm)[0])

    def scales(self, mm: ArrayLike, height_mm: float = 0.0) -> Array:
        """The same at many spots (N×2 mm): N."""
        around = np.asarray(mm, np.float64).reshape(-1, 1, 2) + _CROSS_MM
        left, right, up, down = self.project(around.reshape(-1, 2), height_mm).reshape(-1, 4, 2).transpose(1, 0, 2)
        return np.asarray(np.minimum(np.hypot(*(right - left).T), np.hypot(*(down - up).T)) / 10, np.float64)

    def tilt_deg(self, mm: tuple[float, float]) -> float:
        """How far from straight above the camera looks at a spot of the board: 0 from above, 90 along the board."""
        x, y, z = -self.rotation.T @ self.translation.reshape(3) - np.array([*mm, 0.0])
        return float(np.degrees(np.arctan2(np.hypot(x, y), -z)))

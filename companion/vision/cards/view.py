"""The mat as seen from straight above, and cards cut out of it.

Coordinate frames
    *Board*: millimetres, x right, y down.
    *View*: pixels of the rectified picture; ``scale`` pixels a millimetre, its first pixel at ``origin_mm``.
    *Canonical*: a card's picture of :data:`WIDTH` by :data:`HEIGHT` pixels, its upper edge up, the outermost
    :data:`INSET_MM` left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import cos, hypot, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Point
from companion.vision.camera import Registration
from companion.vision.frame import Image, Mask

Floats = NDArray[np.float32]
Packed = NDArray[np.int16]
"""A view (Lab) as it is kept: whole numbers of 1/:data:`_UNITS` of a level, in half the memory."""
_UNITS = 128
NOWHERE = np.float32(-np.log(90.0 * 60.0 * 60.0))
"""Log density of a colour (Lab) about which nothing is known."""
NORMAL = 2.757
"""What a normal density of three channels is less, in nats, than its spread and distance say: 1.5 times the logarithm of 2π."""
WIDTH, HEIGHT = 56, 80
INSET_MM = 2.0
CELL = 4
_COARSE = 8
"""View pixels between those whose place in the picture is computed; the others lie between them."""
COLUMNS, ROWS = WIDTH // CELL, HEIGHT // CELL


@dataclass(frozen=True, slots=True)
class CardPose:
    """Where a card lies: its middle (board mm), how far its upper edge is turned clockwise (degrees), and how much larger than
    it is it seems (on a pile it lies nearer to the camera)."""

    x: float
    y: float
    turn: float
    scale: float = 1.0

    def turned(self, degrees: float) -> "CardPose":
        """The same, turned further."""
        return replace(self, turn=(self.turn + degrees + 180.0) % 360.0 - 180.0)

    def corners_mm(self, size_mm: Point, grow_mm: float = 0.0) -> NDArray[np.float64]:
        """Its corners (4×2, board mm), clockwise from the one that is the top left of the upright card."""
        half_w, half_h = (side * self.scale / 2 + grow_mm for side in size_mm)
        angle = radians(self.turn)
        across, down = np.array([cos(angle), sin(angle)]), np.array([-sin(angle), cos(angle)])
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return np.array([(self.x, self.y) + a * half_w * across + b * half_h * down for a, b in signs])

    def apart_mm(self, other: "CardPose") -> float:
        """How far apart the middles of two poses lie."""
        return hypot(self.x - other.x, self.y - other.y)

    def about(self, other: "CardPose", apart_mm: float, turned_deg: float) -> bool:
        """Whether two poses are nearly of one place, but for which way round."""
        turned = abs((self.turn - other.turn + 90.0) % 180.0 - 90.0)
        return turned < turned_deg and self.apart_mm(other) < apart_mm


@dataclass(frozen=True, eq=False)
class MatGrid:
    """The maps by which pictures of one registration are seen from above."""

    registration: Registration
    origin_mm: Point
    size: tuple[int, int]
    scale: float

    @classmethod
    def over(cls, registration: Registration, size_mm: Point, margin_mm: float, scale: float) -> "MatGrid":
        """A grid over a mat with a margin around it, as fine as the picture has it but not finer than ``scale``."""
        width, height = size_mm
        spots = [(width * a, height * b) for a in (0.2, 0.5, 0.8) for b in (0.2, 0.5, 0.8)]
        fine = min(scale, 1.15 * max(registration.pixels_per_mm(spot) for spot in spots))
        size = round((width + 2 * margin_mm) * fine), round((height + 2 * margin_mm) * fine)
        return cls(registration, (-margin_mm, -margin_mm), size, fine)

    def part(self, box_mm: tuple[float, float, float, float], grow_mm: float) -> "MatGrid":
        """A grid as fine over a rectangle (left, top, right, bottom) and so far around it."""
        left, top, right, bottom = box_mm
        size = round((right - left + 2 * grow_mm) * self.scale), round((bottom - top + 2 * grow_mm) * self.scale)
        return replace(self, origin_mm=(left - grow_mm, top - grow_mm), size=size)

    @cached_property
    def _coarse(self) -> Floats:
        """Where every so-manieth view pixel lies in the picture (h×w×2)."""
        columns, rows = (int(np.ceil(side / _COARSE)) + 1 for side in self.size)
        x, y = np.meshgrid(np.arange(columns) * _COARSE, np.arange(rows) * _COARSE)
        mm = self.mm(np.column_stack([x.ravel(), y.ravel()]).astype(np.float64))
        return self.registration.project(mm).reshape(rows, columns, 2).astype(np.float32)

    def _maps_at(self, rows: slice, columns: slice) -> tuple[Floats, Floats]:
        across, down = (
            np.arange(*part.indices(side), dtype=np.float32) / np.float32(_COARSE)
            for part, side in zip((columns, rows), self.size, strict=True)
        )
        x, y = (np.ascontiguousarray(one) for one in np.broadcast_arrays(across[None], down[:, None]))
        x_map, y_map = (cv2.remap(np.ascontiguousarray(self._coarse[..., axis]), x, y, cv2.INTER_LINEAR) for axis in (0, 1))
        return np.asarray(x_map, np.float32), np.asarray(y_map, np.float32)

    @cached_property
    def _maps(self) -> tuple[Floats, Floats]:
        return self._maps_at(slice(None), slice(None))

    def mm(self, view: NDArray[np.float64]) -> NDArray[np.float64]:
        """View pixels (N×2) to board millimetres."""
        return view / self.scale + self.origin_mm

    def px(self, mm: "Sequence[Point] | NDArray[np.float64]") -> NDArray[np.float64]:
        """Board millimetres (N×2) to view pixels."""
        return (np.asarray(mm, np.float64) - self.origin_mm) * self.scale

    def seen(self, image: Image) -> Image:
        """A picture (H×W×3 BGR) seen from above."""
        x_map, y_map = self._maps
        return np.asarray(cv2.remap(image, x_map, y_map, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.uint8)

    def seen_part(self, image: Image, rows: slice, columns: slice) -> Image:
        """Some rows and columns of what :meth:`seen` gives, alike to the last bit; keeps nothing for the next picture."""
        x_map, y_map = self._maps_at(rows, columns)
        return np.asarray(cv2.remap(image, x_map, y_map, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.uint8)

    def cropped(self, left: int, top: int, size: tuple[int, int]) -> "MatGrid":
        """The grid of a part of the view, from the view pixel ``left``, ``top`` on."""
        x, y = self.origin_mm
        return replace(self, origin_mm=(x + left / self.scale, y + top / self.scale), size=size)

    def taken_over(self, kept: Packed, other: "MatGrid") -> Packed:
        """A view by an ``other`` grid as this one has it; what that does not reach is 0."""
        found = cv2.warpAffine(kept, self._to(other), self.size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        return np.asarray(found, np.int16)

    def mask_taken_over(self, kept: Mask, other: "MatGrid") -> Mask:
        """A mask of a view by an ``other`` grid as this one has it."""
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(kept.astype(np.uint8), self._to(other), self.size, flags=flags), np.bool_)

    def _to(self, other: "MatGrid") -> NDArray[np.float64]:
        """The affine map (2×3) from view pixels to those of an ``other`` grid."""
        scale = other.scale / self.scale
        x, y = (np.array(self.origin_mm) - other.origin_mm) * other.scale
        return np.array([[scale, 0.0, x], [0.0, scale, y]])

    def in_picture(self) -> Mask:
        """Which view pixels the picture shows."""
        columns, rows = self.registration.lens.size
        return np.asarray(self.seen(np.full((rows, columns, 3), 255, np.uint8))[..., 0] > 0, np.bool_)

    def polygon(self, corners_mm: "Sequence[Point] | NDArray[np.float64]") -> Mask:
        """Which view pixels lie within an outline (board mm)."""
        drawn = np.zeros(self.size[::-1], np.uint8)
        cv2.fillPoly(drawn, [np.round(self.px(corners_mm) * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
        return np.asarray(drawn, np.bool_)

    def mat(self, size_mm: Point) -> Mask:
        """Which view pixels lie on a mat of this size."""
        width, height = size_mm
        return self.polygon([(0, 0), (width, 0), (width, height), (0, height)])

    def card_px(self, size_mm: Point) -> float:
        """The area of a card of this size, in view pixels."""
        return size_mm[0] * size_mm[1] * self.scale**2

    def to_view(self, pose: CardPose, size_mm: Point) -> NDArray[np.float64]:
        """The affine map (2×3) from canonical pixels to view pixels for a card that lies so."""
        inner = [side - 2 * INSET_MM for side in size_mm]
        angle = radians(pose.turn)
        fx, fy = inner[0] * pose.scale * self.scale / WIDTH, inner[1] * pose.scale * self.scale / HEIGHT
        turn = np.array([[cos(angle) * fx, -sin(angle) * fy], [sin(angle) * fx, cos(angle) * fy]])
        middle = self.px([(pose.x, pose.y)])[0]
        return np.column_stack([turn, middle - turn @ ((WIDTH - 1) / 2, (HEIGHT - 1) / 2)])

    def cut(self, view: "Floats | Packed", pose: CardPose, size_mm: Point) -> Floats:
        """The canonical picture of a card (HEIGHT×WIDTH×3)."""
        matrix = self.to_view(pose, size_mm)
        found = cv2.warpAffine(
            view, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        )
        return unpacked(np.asarray(found, np.int16)) if view.dtype == np.int16 else np.asarray(found, np.float32)

    def cut_colour(self, seen: "Image | Floats", pose: CardPose, size_mm: Point, finer: int) -> Image:
        """The picture of a card cut out of a view (BGR), ``finer`` times canonical."""
        matrix = self.to_view(pose, size_mm)
        matrix[:, :2] /= finer
        matrix[:, 2] -= matrix[:, :2] @ ((finer - 1) / 2, (finer - 1) / 2)
        size, flags = (WIDTH * finer, HEIGHT * finer), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        found = cv2.warpAffine(np.asarray(seen, np.float32), matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(np.clip(found, 0, 255), np.uint8)


def lab(image: "Image | Floats") -> Floats:
    """A picture (BGR, 0..255) in Lab: L 0..100, a and b about -100..100."""
    level = np.multiply(image, np.float32(1 / 255), dtype=np.float32)
    np.minimum(level, 1.0, out=level)
    return np.asarray(cv2.cvtColor(level, cv2.COLOR_BGR2Lab), np.float32)


def packed(view: Floats) -> Packed:
    """A view as it is kept until the next look; no level is off by more than a hundredth."""
    return np.asarray(np.rint(view * np.float32(_UNITS)), np.int16)


def unpacked(kept: Packed) -> Floats:
    """A view (Lab) that was kept."""
    return np.multiply(kept, np.float32(1 / _UNITS), dtype=np.float32)


def cells(patch: Floats, side: int = CELL) -> Floats:
    """The means of square cells of a picture (h×w×c)."""
    rows, columns = patch.shape[0] // side, patch.shape[1] // side
    found = cv2.resize(np.asarray(patch, np.float32), (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(found, np.float32).reshape(rows, columns, -1)

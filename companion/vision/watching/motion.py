"""Cheap change detection on small grey pictures: what moves, what differs from the last look, and at which spots."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, Point
from companion.vision.camera import Registration
from companion.vision.frame import Image, Mask
from companion.vision.pointing.raster import BoardRaster, RasterSettings
from companion.vision.watching.camera_changes import (
    NoiseLevel,
    Sensitivity,
    difference,
    may_be_the_camera,
    reaches_all_over,
    steadied_difference,
)


@dataclass(frozen=True, slots=True)
class MotionSettings:
    """Tunables of the change detection.

    width_px
        320..960: pictures are averaged down to about this width; at 480 a 33 mm disc on a 1080p table is 16 pixels wide.
    spacing_px
        8..20 pixels that lie between neighbouring sites at the least, where the board fills the picture: where sites are near
        each other pictures are averaged down less.
    margin_mm
        20..80 mm around the board that is watched too, for the frame markers and for arms coming in.
    least_grey
        5..15 grey levels: smallest change that counts, above any noise left after averaging.
    least_colour
        5..15 levels of red or blue less grey: the same of colour. A disc turned over may stay as bright as it was: one
        made-up portrait changed by 2 grey levels and by 32 of colour.
    noise_factor
        4..8 times the measured noise, when that is more.
    most_grey, most_colour
        12..24 levels: as far as noise that comes in blocks, as of a compressed picture, raises what counts.
    tremble_px
        3..6 pixels of the whole picture by which one may be shifted against the other, at its corners, without anything
        having moved: a camera's arm trembles.
    least
        0.04..0.15 of the square between four sites that count as a change: 90 mm² on hexes 40 mm apart, where a 12 mm turn
        marker covers 144 mm².
    near, around
        0.6..1 and 1..1.5 times the spacing of sites: what changed within 32 mm of a spot, on hexes, is about that spot, and
        what lies within 48 mm of a spot is next to it.
    memory_s
        0.1..0.3 s: a frame is also compared with the one this long ago, so that a slow slide is motion, too.
    rim_mm
        0..15 mm around the board that still count as the board: seen aslant, a piece near the edge leans over it.
    """

    width_px: int = 480
    spacing_px: float = 12.0
    margin_mm: float = 45.0
    least_grey: float = 8.0
    least_colour: float = 8.0
    noise_factor: float = 6.0
    most_grey: float = 16.0
    most_colour: float = 18.0
    tremble_px: float = 5.0
    least: float = 0.05625
    near: float = 0.8
    around: float = 1.2
    memory_s: float = 0.15
    rim_mm: float = 5.0


_COVERED = 0.5
"""0.3..0.7: the share of what is near a place that has to have changed for a hand to be over it."""
_AROUND = np.ones((5, 5), np.uint8)
"""What changed that far about something that no camera changes belongs to it (pixels of the small picture)."""
_EXPLAINED = 0.5
"""0.3..0.7: the camera explains a change if it leaves less than this share of it."""
_MOST_LABELLED = 8192
"""Points labelled in one go: each takes eight bytes for every sampled point of the board's spots."""


@dataclass(frozen=True, eq=False)
class ImageChange:
    """``mask``: h×w of the small picture; ``area_mm2`` on the board's plane; ``share`` of the watched region;
    ``beside_mm2``: how much changed beside the board (0 before it was found), ``on_board_mm2`` how much elsewhere."""

    mask: Mask
    area_mm2: float
    share: float
    beside_mm2: float = 0.0
    on_board_mm2: float = 0.0


def _soon_averaged(factor: int) -> int:
    """The number of pixels that are averaged in place of ``factor``, at least three quarters as many: of these the one with the
    most halves, which are averaged several times faster than any other parts."""
    least = -(-3 * factor // 4)
    return max(range(least, factor + 1), key=lambda one: (one & -one, one))


class MotionGate:
    """Watches one region of the picture. Re-aimed whenever the registration changes."""

    def __init__(self, size: tuple[int, int], board: Board, settings: MotionSettings | None = None) -> None:
        self._settings = settings or MotionSettings()
        self._board = board
        spacing = board.spacing_mm
        self.least_mm2 = self._settings.least * spacing**2
        self._near_mm, self._around_mm = self._settings.near * spacing, self._settings.around * spacing
        width = max(float(self._settings.width_px), self._settings.spacing_px * max(board.size_mm) / spacing)
        factor = max(1, round(size[0] / width))
        self._factor = _soon_averaged(factor)
        finer = next(step for step in range(max(1, factor // 2), 0, -1) if factor % step == 0)
        self._finer = next(step for step in range(finer, 0, -1) if self._factor % step == 0)
        self._box = (0, 0, size[0] // self._factor * self._factor, size[1] // self._factor * self._factor)
        self._spots: tuple[str, ...] = ()
        self._spots_mm: NDArray[np.float64] = np.empty((0, 2))
        self._neighbours: dict[str, frozenset[str]] = {}
        self._nearest: NDArray[np.int16] | None = None
        self._mm: NDArray[np.float32] = np.empty((0, 0, 2), np.float32)
        self._mm2_per_pixel = 1.0
        own = self._settings
        levels = ((own.least_grey, own.most_grey), (own.least_colour, own.most_colour))
        self._noise = [NoiseLevel(Sensitivity(least, most, own.noise_factor)) for least, most in levels]
        self._board_mask: NDArray[np.uint8] | None = None
        self._watched: NDArray[np.uint8] | None = None
        self._recent: deque[tuple[float, Image]] = deque(maxlen=16)

    def aim(self, registration: Registration) -> None:
        """Watch the board and a margin around it; forget the past."""
        margin, (width, height) = self._settings.margin_mm, self._board.size_mm
        outline = [[-margin, -margin], [width + margin, -margin], [width + margin, height + margin], [-margin, height + margin]]
        pixels = registration.project(outline)
        columns, rows = registration.lens.size
        step = self._factor
        left, top = (int(v) // step * step for v in np.clip(pixels.min(axis=0), 0, (columns - step, rows - step)))
        right, bottom = (int(v) for v in np.clip(pixels.max(axis=0), 0, (columns, rows)))
        self._box = (left, top, left + max(1, (right - left) // step) * step, top + max(1, (bottom - top) // step) * step)
        self._label(registration)
        self._recent.clear()

    def raster(self, registration: Registration, settings: RasterSettings) -> BoardRaster:
        """How pictures, as :meth:`fine` makes them now, lie over the board."""
        return BoardRaster(registration, self._board, self._box, self._finer, settings)

    def _label(self, registration: Registration) -> None:
        """For each small pixel the nearest spot near by (its index, -1 for none), computed for every other pixel. A zone counts
        by points all over it."""
        left, top, right, bottom = self._box
        step, coarse = self._factor, 2 * self._factor
        x, y = np.meshgrid(np.arange(left, right, coarse) + (coarse - 1) / 2, np.arange(top, bottom, coarse) + (coarse - 1) / 2)
        mm = registration.locate(np.column_stack([x.ravel(), y.ravel()]), 4.0).astype(np.float32)
        samples = [(spot, point) for spot in self._board.spots for point in self._board.samples(spot)]
        self._spots = tuple(spot for spot, _ in samples)
        self._spots_mm = np.array([point for _, point in samples])
        self._neighbours = {}
        self._mm = mm.reshape(*x.shape, 2)
        parts = range(0, len(mm), _MOST_LABELLED)
        index = np.concatenate([self._nearest_to(mm[part : part + _MOST_LABELLED]) for part in parts]).reshape(x.shape)
        shape = ((bottom - top) // step, (right - left) // step)
        self._nearest = index.repeat(2, axis=0).repeat(2, axis=1)[: shape[0], : shape[1]]
        width, height = self._board.size_mm
        on_board = (mm >= 0).all(axis=1) & (mm[:, 0] <= width) & (mm[:, 1] <= height)
        self._mm2_per_pixel = width * height / max(1, 4 * int(on_board.sum()))
        rim = self._settings.rim_mm
        near = (mm >= -rim).all(axis=1) & (mm[:, 0] <= width + rim) & (mm[:, 1] <= height + rim)
        self._board_mask = _fine(near.reshape(x.shape), shape)
        masked = [zone.outline_mm for zone in self._board.zones.values() if zone.masked]
        inside = [_inside(mm, outline).reshape(x.shape) for outline in masked]
        self._watched = _fine(~np.logical_or.reduce(inside), shape) if inside else None

    def _nearest_to(self, mm: NDArray[np.float32]) -> NDArray[np.int16]:
        """For each point (N×2 board mm) the index of the nearest spot, -1 where none is near."""
        spots = self._spots_mm.astype(np.float32)
        # |a - b|² = |a|² - 2ab + |b|²; the first term is the same for all spots and decides nothing until the end.
        squared = (spots**2).sum(axis=1) - 2 * (mm @ spots.T)
        nearest = squared.argmin(axis=1)
        near = squared[np.arange(len(mm)), nearest] + (mm**2).sum(axis=1) < self._near_mm**2
        return np.where(near, nearest, -1).astype(np.int16)

    def thumb(self, image: Image) -> Image:
        """The watched region, averaged down (H×W×3: grey, and how much redder and bluer)."""
        return self._averaged(image, self._factor)

    def fine(self, image: Image) -> Image:
        """The same averaged down half as much, for outlines."""
        return self._averaged(image, self._finer)

    def _averaged(self, image: Image, step: int) -> Image:
        left, top, right, bottom = self._box
        small = image[top:bottom, left:right]
        while step > 1:  # halves are averaged much faster than any other parts
            part = 2 if step % 2 == 0 else step
            small = cv2.resize(small, (small.shape[1] // part, small.shape[0] // part), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
            step //= part
        return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2YCrCb), np.uint8)

    def moving(self, thumb: Image, at: float, *, board_only: bool = False) -> ImageChange:
        """What moved between this thumb and the recent ones; remembers this one. ``board_only`` as for :meth:`compare`.

        The past ends at the last motion: a hand that has just left is no motion any more, while a slow slide, too little
        from one frame to the next, adds up from there.
        """
        recent = [entry for entry in self._recent if entry[1].shape == thumb.shape]
        changes = []
        if recent:
            changes.append(self.compare(recent[-1][1], thumb, board_only=board_only, measure_noise=True))
            older = [entry for entry in recent[:-1] if at - entry[0] <= self._settings.memory_s * 1.5]
            if older and not self.matters(changes[0]):
                changes.append(self.compare(older[0][1], thumb, board_only=board_only))
        change = max(
            changes, key=lambda change: change.area_mm2, default=ImageChange(np.zeros(thumb.shape[:2], np.bool_), 0.0, 0.0)
        )
        if self.matters(change):
            self._recent.clear()
        self._recent.append((at, thumb))
        while len(self._recent) > 2 and at - self._recent[0][0] > self._settings.memory_s * 1.5:
            self._recent.popleft()
        return change

    @property
    def still_since(self) -> float:
        """The time of the first remembered thumb: nothing has moved since. There is one after :meth:`moving`."""
        return self._recent[0][0]

    def compare(self, before: Image, now: Image, *, board_only: bool = False, measure_noise: bool = False) -> ImageChange:
        """What differs between two thumbs. A common change of brightness (auto-exposure) or colour is no difference, and none
        are bands of flickering light and a picture that trembles.

        ``board_only``: what changes beside the board (a phone's screen, a candle) is left out of account.
        """
        apart = _planes(difference(before, now))
        mask = self._changed(apart)
        found = self._measured(mask, board_only=board_only)
        most_px = self._settings.tremble_px / self._factor
        by_camera = self.matters(found) and may_be_the_camera(found.mask)
        steadied = steadied_difference(before, now, most_px) if by_camera else None
        if steadied is not None:
            planes = _planes(steadied)
            left = self._changed(planes)
            again = self._measured(left, board_only=board_only)
            if self.matters(again):  # edges were given up for it
                left = np.asarray(cv2.bitwise_and(cv2.dilate(left, _AROUND), mask), np.uint8)
                again = self._measured(left, board_only=board_only)
            if again.area_mm2 < _EXPLAINED * found.area_mm2:
                found, apart = again, planes
        if measure_noise:
            camera_alone = not self.matters(found) or self.everywhere(found)
            for plane, noise in zip(apart, self._noise, strict=True):
                noise.measure(plane, camera_alone=camera_alone)
        return found

    def _changed(self, apart: tuple[Image, Image]) -> NDArray[np.uint8]:
        """Where two thumbs that differ so much in grey and in colour differ by more than noise (H×W, 0 or 1)."""
        raw = np.zeros(apart[0].shape, np.uint8)
        for plane, noise in zip(apart, self._noise, strict=True):
            threshold = noise.threshold
            if plane.max() > threshold:
                cv2.bitwise_or(raw, cv2.threshold(plane, threshold, 1, cv2.THRESH_BINARY)[1], dst=raw)
        # Lone pixels are noise, or edges a quarter of a pixel off.
        return np.asarray(cv2.morphologyEx(raw, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)

    def _measured(self, changed: NDArray[np.uint8], *, board_only: bool) -> ImageChange:
        """How much has changed where (H×W, 0 or 1)."""
        mask = changed
        if self._watched is not None and self._watched.shape == mask.shape:
            mask = np.asarray(cv2.bitwise_and(mask, self._watched), np.uint8)  # done in a masked zone, it is its owner's alone
        count, beside = cv2.countNonZero(mask), 0
        if self._board_mask is not None and self._board_mask.shape == mask.shape and count:
            inner = np.asarray(cv2.bitwise_and(mask, self._board_mask), np.uint8)
            beside = count - cv2.countNonZero(inner)
            if board_only:
                mask, count = inner, count - beside
        on_board = count if board_only else count - beside
        scale = self._mm2_per_pixel
        return ImageChange(mask > 0, count * scale, count / mask.size, beside * scale, on_board * scale)

    def matters(self, change: ImageChange) -> bool:
        """Whether a change is large enough to be a piece."""
        return change.area_mm2 >= self.least_mm2

    def everywhere(self, change: ImageChange) -> bool:
        """Whether a change that matters lies all over the picture, as one does that the camera makes."""
        return self.matters(change) and may_be_the_camera(change.mask) and reaches_all_over(change.mask)

    def beside(self, change: ImageChange) -> bool:
        """Whether enough changed beside the board to matter, and too little on it."""
        return change.beside_mm2 >= self.least_mm2 > change.on_board_mm2

    def spots(self, change: ImageChange) -> frozenset[str]:
        """The spots a change touches, with everything next to them."""
        if self._nearest is None or self._nearest.shape != change.mask.shape:
            return frozenset()
        touched = {self._spots[index] for index in np.unique(self._nearest[change.mask]) if index >= 0}
        return self.with_neighbours(touched)

    def reached(self, change: ImageChange, reach_mm: float) -> frozenset[str]:
        """The spots a change touches, and those with some of it within ``reach_mm``."""
        if self._nearest is None or self._nearest.shape != change.mask.shape:
            return frozenset()
        touched = {self._spots[index] for index in np.unique(self._nearest[change.mask]) if index >= 0}
        rows, columns = np.nonzero(change.mask)
        coarse = np.unique(np.column_stack([rows // 2, columns // 2]), axis=0)
        mm = self._mm[coarse[:, 0], coarse[:, 1]]
        far = np.hypot(*(mm[:, None] - self._spots_mm[None].astype(np.float32)).transpose(2, 0, 1))
        return frozenset(touched | {self._spots[index] for index in np.flatnonzero((far < reach_mm).any(axis=0))})

    def covered(self, change: ImageChange, middles: Mapping[str, Point], within_mm: float) -> frozenset[str]:
        """Those of some places (board mm) about which at least half has changed, as far as it is in the picture."""
        if self._nearest is None or self._nearest.shape != change.mask.shape:
            return frozenset()
        mask, found = change.mask[::2, ::2], set()
        for name, middle in middles.items():
            offset = self._mm - np.asarray(middle, np.float32)
            near = np.square(offset).sum(axis=2) < within_mm**2
            if near.any() and float(mask[near].mean()) >= _COVERED:
                found.add(name)
        return frozenset(found)

    def with_neighbours(self, touched: Iterable[str]) -> frozenset[str]:
        """Spots next to the given ones."""
        return frozenset[str]().union(*map(self._next_to, touched))

    def _next_to(self, spot: str) -> frozenset[str]:
        """Spots next to one."""
        if spot not in self._neighbours:
            near: set[str] = set()
            for point in self._board.samples(spot) if spot in self._board.zones else (self._board.mm(spot),):
                distance = np.hypot(*(self._spots_mm - point).T)
                near |= {self._spots[index] for index in np.flatnonzero(distance < self._around_mm)}
            self._neighbours[spot] = frozenset(near)
        return self._neighbours[spot]

    def unexplained_mm2(self, change: ImageChange, explained: Iterable[str]) -> float:
        """Changed area on the board away from the given spots."""
        if self._nearest is None or self._nearest.shape != change.mask.shape:
            return change.area_mm2
        known = [number for number, spot in enumerate(self._spots) if spot in set(explained)]
        left = change.mask & (self._nearest >= 0) & ~np.isin(self._nearest, known)
        return float(left.sum()) * self._mm2_per_pixel


def _inside(mm: NDArray[np.float32], outline_mm: Sequence[Point]) -> NDArray[np.bool_]:
    """Which points (N×2) lie within a closed outline."""
    within = np.zeros(len(mm), np.bool_)
    for index, (x1, y1) in enumerate(outline_mm):
        x0, y0 = outline_mm[index - 1]
        if y0 != y1:
            crosses = (mm[:, 1] < y0) != (mm[:, 1] < y1)
            within ^= crosses & (mm[:, 0] < (x1 - x0) * (mm[:, 1] - y0) / (y1 - y0) + x0)
    return within


def _planes(apart: Image) -> tuple[Image, Image]:
    """How far two thumbs differ (H×W×3) in grey and in colour (H×W each)."""
    grey, red, blue = cv2.split(apart)
    return np.asarray(grey, np.uint8), np.asarray(cv2.max(red, blue), np.uint8)


def _fine(coarse: NDArray[np.bool_], shape: tuple[int, int]) -> NDArray[np.uint8]:
    """What was found for every other pixel (0 or 1), for all of them: H×W."""
    whole = coarse.astype(np.uint8).repeat(2, axis=0).repeat(2, axis=1)
    return np.ascontiguousarray(whole[: shape[0], : shape[1]])

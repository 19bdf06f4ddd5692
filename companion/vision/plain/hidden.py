"""What lies or hangs over the board that is no piece: arms, sleeves, cards, phones.

Pieces never cover the printed obstacles' middles, the margins or the track's edges. A change there betrays a stranger;
from there it is followed over everything changed that is not a piece already recognised.
"""

from collections.abc import Mapping
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, PieceSet, Point
from companion.vision.plain.scene import Scene, change_strength, clear
from companion.vision.plain.surface import Floats, Ground, max3

Mask = NDArray[np.bool_]


STILL_PRINTED = 0.7
"""0.5..0.8: local correlation of the fine drawing above which nothing lies on the print, whatever its brightness and colour."""
PLAINLY_PRINTED = 0.8
"""0.6..0.9: the same over a patch (``PATCH`` samples) that shows whole, whatever light fell on it. An arm was followed into
glare that came with it: on 20 composed copies 138 places beside an arm counted as hidden, now 36; of the 581 below an arm 479
were found, now 475."""
PATCH = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
HARDLY_PRINTED = 0.35
"""0.3..0.45: what covers the print shows less of its drawing than this, on average about every sample (``ABOUT`` across). Print
that changed under another light, or was washed out when it was taught, shows more: of 16 composed pictures with nothing
over the board but 101 places that counted as hidden fifteen are left, twelve of them in one; of 760 places found below arms on
66 others 759, of 110 beside them 55."""
ABOUT = 9
LEAST_MM2, LEAST_POSTS_MM2 = 900.0, 200.0
"""Areas (mm²) of what covers the print so, and of the part of it where nothing of ours ever lies: without the latter 47 of the
101 are left; with 700 of it two places in three below playing cards (60x88 mm) were lost."""
RIM = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))
"""What about it counts as covered as well, as far as it changed."""


class Watchman:
    """Knows where on the board no piece can be; finds what is there nevertheless."""

    def __init__(self, board: Board, pieces: PieceSet, ground: Ground) -> None:
        self._board = board
        self._pieces = pieces
        self._ground = ground
        self._circles: dict[tuple[str, float], NDArray[np.intp]] = {}

    @cached_property
    def _mm(self) -> NDArray[np.float32]:
        return np.asarray(self._ground.grid.mm[0], np.float32)

    @cached_property
    def _posts(self) -> Mask:
        """Where nothing of ours ever lies: farther from every place than a piece reaches, within the board."""
        spots = {cell for group in self._pieces.groups.values() for cell in self._board.of_kind(*group.on)}
        free = np.full(self._mm.shape[:2], np.inf)
        for spot in [*spots, *self._board.places]:
            reach = 30.0 if spot in self._board.places else 27.0
            at = self._board.mm(spot)
            free = np.minimum(free, np.hypot(self._mm[..., 0] - at[0], self._mm[..., 1] - at[1]) - reach)
        left, top, right, bottom = self._board.frame_mm
        x, y = self._mm[..., 0], self._mm[..., 1]
        # The frame line and what lies outside it (a dark border, the track) shine differently in every light.
        inside = (x > left + 5) & (y > top + 5) & (x < right - 5) & (y < bottom - 5)
        return np.asarray((free > 0) & inside, np.bool_)

    def strangers(self, scene: Scene, recognised: Mapping[Point, float]) -> Mask:
        """Coarse mask (the light grid's) of what is covered. ``recognised`` are middles (mm) of known pieces and radii.

        Another light changes print in places as strongly as an arm does, but its drawing stays. So something strange is only
        where the print is gone, whether stray light is taken out or not; from there it is followed over all that changed, but
        not to where the print plainly shows.
        """
        veil, print_now = scene.veil_at(self._mm), scene.print_at(scene.sheet.print, self._mm)
        change = change_strength(clear(scene.flat, veil, scene.sheet.street), print_now, veil)
        gone = scene.drawing < STILL_PRINTED
        # Print washed out by glare shows nothing either.
        posts = self._posts & gone & (max3(veil / scene.sheet.street) < 0.35)
        sure = np.minimum(change, change_strength(scene.flat, print_now)) * gone
        found = self._seeded(sure, posts, recognised)
        if not found.any():
            return found
        if scene.lost is None:  # where the light changed much, so did the print about what lies there
            shown = cv2.morphologyEx((scene.drawing > PLAINLY_PRINTED).astype(np.uint8), cv2.MORPH_OPEN, PATCH) > 0
            changed = self._seeded(change * ~shown, posts, recognised)
            _, labels = cv2.connectedComponents((changed | found).astype(np.uint8), connectivity=4)
            found = np.asarray(np.isin(labels, np.unique(labels[found])), np.bool_)
        return self._hiding(found, scene.drawing)

    def _hiding(self, changed: Mask, drawing: Floats) -> Mask:
        """What of the changed regions hides the print (``drawing``: how much of it shows), and its rim."""
        within = changed.astype(np.float32)
        some, all_of_it = (
            cv2.boxFilter(values, -1, (ABOUT, ABOUT)) for values in (np.clip(drawing, 0, 1).astype(np.float32) * within, within)
        )
        hides = (changed & (some < HARDLY_PRINTED * all_of_it)).astype(np.uint8)
        whole = cv2.morphologyEx(hides, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=4)
        sample = self._ground.settings.grid_mm**2
        on_posts = np.bincount(labels[self._posts], minlength=count) * sample
        large = (stats[:, cv2.CC_STAT_AREA] * sample >= LEAST_MM2) & (on_posts >= LEAST_POSTS_MM2)
        large[0] = False  # what is no region
        return np.asarray((cv2.dilate(large[labels].astype(np.uint8), RIM) > 0) & changed, np.bool_)

    def _seeded(self, change: Floats, posts: Mask, recognised: Mapping[Point, float]) -> Mask:
        """Changed regions, beside recognised pieces, that reach where no piece can be."""
        seeds = cv2.morphologyEx((posts & (change > 0.7)).astype(np.uint8), cv2.MORPH_OPEN, np.ones((4, 4), np.uint8)) > 0
        field = change > 0.55
        for (x, y), radius in recognised.items():
            about = self._window(x, y, radius)
            field[about] &= np.hypot(self._mm[about][..., 0] - x, self._mm[about][..., 1] - y) > radius
        field |= seeds
        field = cv2.morphologyEx(field.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
        count, labels, stats, _ = cv2.connectedComponentsWithStats(field.astype(np.uint8), connectivity=4)
        step = self._ground.settings.grid_mm
        seeded = np.bincount(labels[seeds], minlength=count) * step**2
        large = (seeded >= 450.0) & (stats[:, cv2.CC_STAT_AREA] * step**2 >= 900.0)
        large[0] = False  # what is no region
        return np.asarray(large[labels], np.bool_)

    def _window(self, x: float, y: float, radius: float) -> tuple[slice, slice]:
        """The coarse samples (rows, columns) within a radius of a point, and some more (mm)."""
        step = float(self._mm[0, 1, 0] - self._mm[0, 0, 0])
        rows, columns = (slice(max(0, int((at - radius) / step) - 1), max(0, int((at + radius) / step) + 2)) for at in (y, x))
        return rows, columns

    def covered(self, mask: Mask, spots: list[str], radius_mm: float, share: float) -> frozenset[str]:
        """Spots of whose middle circle at least ``share`` is masked."""
        if not mask.any():
            return frozenset()
        whole = np.ascontiguousarray(mask).reshape(-1)
        return frozenset(spot for spot in spots if float(whole[self._circle(spot, radius_mm)].mean()) >= share)

    def _circle(self, spot: str, radius_mm: float) -> NDArray[np.intp]:
        """The coarse samples (flat indices) about a spot."""
        key = (spot, radius_mm)
        if key not in self._circles:
            x, y = self._board.mm(spot)
            self._circles[key] = np.flatnonzero(np.hypot(self._mm[..., 0] - x, self._mm[..., 1] - y) <= radius_mm)
        return self._circles[key]

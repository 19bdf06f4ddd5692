"""Detects what lies or hangs over the board and is no piece: arms, sleeves, cards, phones.

Two properties distinguish a foreign object. Pieces never cover the printed obstacles' middles, the margins or the track's
edges: a change there is followed over everything changed that is not a piece already recognised. And nothing is as broad as a
card or a sleeve where discs alone may stand.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, Group, PieceSet, Point
from companion.vision.plain.prepared_image import PreparedImage, change_strength, clear
from companion.vision.plain.surface import Floats, LightGrid, max3

Mask = NDArray[np.bool_]


STILL_PRINTED = 0.7
"""0.5..0.8: local correlation of the fine drawing above which nothing lies on the print, whatever its brightness and colour."""
PLAINLY_PRINTED = 0.8
"""0.6..0.9: the same over a patch (``PATCH`` samples) that shows whole, whatever light fell on it: an arm is not followed into
glare that came with it."""
PATCH = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
HARDLY_PRINTED = 0.35
"""0.3..0.45: what covers the print shows less of its drawing than this, on average about every sample (``ABOUT`` across). Print
that changed under another light, or was washed out when it was taught, shows more."""
ABOUT = 9
LEAST_MM2, LEAST_POSTS_MM2 = 900.0, 200.0
"""Areas (mm²) of what covers the print so, and of the part of it where nothing of ours ever lies: without the latter 47 of the
101 are left; with 700 of it two places in three below playing cards (60x88 mm) were lost."""
BROAD_MM, BROAD_MM2, BROADEST_MM = 46.0, 800.0, 52.0
"""40..48 mm, 700..1200 mm², 49..56 mm: a disc with its side and shadow was 41 mm wide at most, a tile is 41 by 36, and into
three that touch goes a circle of some 46. What hides the print is a foreign object where a circle of the last fits in, or one
of the first with this much of it lying where no flat piece does. Of 110 places below playing cards on 12 composed copies of New
York 100 are found (45 by obstacles and margins alone), none on 44 copies with nothing over the board."""
BURNT, BURNT_MM, BURNT_SHARE = 0.95, 30.0, 0.8
"""0.93..0.98 of full intensity in every channel, 25..40 mm, 0.7..0.9: print that bright shows nothing. Where a circle so wide
of it goes in, with print about it that is not light by nature, it is a lamp's reflection and no white street; places are hidden
of which it takes that share."""
RIM = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))
"""What about it counts as covered as well, as far as it changed."""


class OcclusionDetector:
    """Detects foreign objects over the board, starting from the places where no piece can be."""

    def __init__(self, board: Board, pieces: PieceSet, ground: LightGrid) -> None:
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
        return self._free_of(list(self._pieces.groups.values()))

    @cached_property
    def _discs_only(self) -> Mask:
        """Where no flat piece ever lies, within the board."""
        return self._free_of([group for group in self._pieces.groups.values() if group.shape != "disc"])

    def _free_of(self, groups: Iterable[Group]) -> Mask:
        """Where no piece of some groups ever lies, and nothing on the tracks."""
        spots = {cell for group in groups for cell in self._board.of_kind(*group.on)}
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

    def foreign_objects(self, prepared: PreparedImage, recognised: Mapping[Point, float]) -> Mask:
        """Coarse mask (the light grid's) of what is covered. ``recognised`` are middles (mm) of known pieces and radii.

        Another light changes print in places as strongly as an arm does, but its drawing stays. So something strange is only
        where the print is gone, whether stray light is taken out or not; from there it is followed over all that changed, but
        not to where the print plainly shows.
        """
        floor = self._ground.settings.floor
        veil, print_now = prepared.veil_at(self._mm), prepared.print_at(prepared.reference.print, self._mm)
        change = change_strength(clear(prepared.flat, veil, prepared.reference.street), print_now, floor, veil)
        gone = prepared.drawing < STILL_PRINTED
        # Print washed out by glare shows nothing either.
        posts = self._posts & gone & (max3(veil / prepared.reference.street) < 0.35)
        sure = np.asarray(np.minimum(change, change_strength(prepared.flat, print_now, floor)), np.float32)
        found, broad = self._seeded(sure * gone, posts, recognised), self._broad(sure, prepared.drawing, recognised)
        if not found.any():
            return broad
        if prepared.lost is None:  # where the light changed much, so did the print about what lies there
            shown = cv2.morphologyEx((prepared.drawing > PLAINLY_PRINTED).astype(np.uint8), cv2.MORPH_OPEN, PATCH) > 0
            changed = self._seeded(change * ~shown, posts, recognised)
            _, labels = cv2.connectedComponents((changed | found).astype(np.uint8), connectivity=4)
            found = np.asarray(np.isin(labels, np.unique(labels[found])), np.bool_)
        return self._hiding(found, prepared.drawing) | broad

    def _broad(self, change: Floats, drawing: Floats, recognised: Mapping[Point, float]) -> Mask:
        """What hides the print, beside recognised pieces, and is broader than pieces are."""
        hides = _hides(self._beside(change > 0.55, recognised), drawing)
        deep = self._away_mm(hides)
        found = self._wide(deep, BROADEST_MM)
        found |= self._reaching(self._wide(deep, BROAD_MM), self._discs_only, BROAD_MM2)
        return np.asarray((cv2.dilate(found.astype(np.uint8), RIM) > 0) & hides, np.bool_)

    def _wide(self, deep: Floats, across_mm: float) -> Mask:
        """Where circles of some width go in, of a region whose samples lie so ``deep`` (mm) in it."""
        middles = deep >= across_mm / 2
        return self._away_mm(~middles) <= across_mm / 2 if middles.any() else middles

    def _away_mm(self, region: Mask) -> Floats:
        """How far (mm) each sample of a region lies from the region's edge, and 0 outside."""
        step = self._ground.settings.grid_mm
        away = cv2.distanceTransform(region.astype(np.uint8), cv2.DIST_L2, 5) * step
        return np.asarray(np.where(region, away + step / 2, 0.0), np.float32)

    def burnt_out(self, prepared: PreparedImage) -> Mask:
        """Coarse mask of what a lamp's reflection burns out, in this picture as it did when the board was taught, perhaps."""
        burnt = prepared.coarse.min(axis=-1) >= BURNT
        return self._reaching(self._wide(self._away_mm(burnt), BURNT_MM), self._posts, LEAST_POSTS_MM2)

    def _reaching(self, mask: Mask, where: Mask, least_there_mm2: float, least_mm2: float = 0.0) -> Mask:
        """Those regions of a mask of which so much lies somewhere, and that are so large."""
        if not mask.any():
            return mask
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
        sample = self._ground.settings.grid_mm**2
        there = np.bincount(labels[where], minlength=count) * sample
        large = (there >= least_there_mm2) & (stats[:, cv2.CC_STAT_AREA] * sample >= least_mm2)
        large[0] = False  # what is no region
        return np.asarray(large[labels], np.bool_)

    def _hiding(self, changed: Mask, drawing: Floats) -> Mask:
        """What of the changed regions hides the print (``drawing``: how much of it shows), and its rim."""
        hides = _hides(changed, drawing).astype(np.uint8)
        whole = cv2.morphologyEx(hides, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
        large = self._reaching(whole, self._posts, LEAST_POSTS_MM2, LEAST_MM2)
        return np.asarray((cv2.dilate(large.astype(np.uint8), RIM) > 0) & changed, np.bool_)

    def _seeded(self, change: Floats, posts: Mask, recognised: Mapping[Point, float]) -> Mask:
        """Changed regions, beside recognised pieces, that reach where no piece can be."""
        seeds = cv2.morphologyEx((posts & (change > 0.7)).astype(np.uint8), cv2.MORPH_OPEN, np.ones((4, 4), np.uint8)) > 0
        field = self._beside(change > 0.55, recognised) | seeds
        field = cv2.morphologyEx(field.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
        return self._reaching(np.asarray(field, np.bool_), seeds, 450.0, 900.0)

    def _beside(self, field: Mask, recognised: Mapping[Point, float]) -> Mask:
        """A field without the recognised pieces' circles."""
        for (x, y), radius in recognised.items():
            about = self._window(x, y, radius)
            field[about] &= np.hypot(self._mm[about][..., 0] - x, self._mm[about][..., 1] - y) > radius
        return field

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


def _hides(changed: Mask, drawing: Floats) -> Mask:
    """What of a changed region shows hardly any of the print (``drawing``: how much of it shows)."""
    within = changed.astype(np.float32)
    some, all_of_it = (
        cv2.boxFilter(values, -1, (ABOUT, ABOUT)) for values in (np.clip(drawing, 0, 1).astype(np.float32) * within, within)
    )
    return np.asarray(changed & (some < HARDLY_PRINTED * all_of_it), np.bool_)

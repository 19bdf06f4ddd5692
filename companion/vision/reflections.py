"""Which sites of a board the light has burnt out in a picture: what lies there cannot be told until the lamp is moved."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.vision.camera import Registration
from companion.vision.frame import Image

BURNT = 249
"""The middle one of a pixel's three values from which on its colour is lost: in warm light red alone burns out long before."""
SHARE = 0.3
"""0.2..0.5 of a site that is burnt out: the drawing on a piece is then hardly half in sight."""
TOPS_MM = (0.0, 9.0)
"""How high what shows on a site may lie: print and tokens, or the upper side of a disc, 8 to 10 mm."""


_BAND = 64
"""Rows of a picture that are told apart at once, so that no more than a mask as large as the picture is made: this is asked
while a look holds pictures of its own."""
_BLOCK = 8
"""Pixels each way that are counted together first. Most sites then need not be looked at closely."""
_CERTAIN = 0.8
"""How much of the share must be burnt out about a site before its pixels are counted: rounded to pixels a site may be smaller
than it is."""

Floats = NDArray[np.float64]
Mask = NDArray[np.uint8]


class BurntSites:
    """The sites of a board, to be asked of pictures which of them the light has burnt out."""

    def __init__(self, board: Board) -> None:
        self._sites = (*board.cells, *board.places)
        outlines = [np.asarray(_outline(board, site), np.float64) for site in self._sites]
        counts = [len(outline) for outline in outlines]
        self._ends = np.cumsum(counts, dtype=np.intp)
        self._starts = self._ends - counts
        self._next = np.arange(1, sum(counts) + 1)
        self._next[self._ends - 1] = self._starts
        self._outlines = np.concatenate(outlines) if outlines else np.empty((0, 2))

    def of(self, image: Image, registration: Registration) -> tuple[str, ...]:
        """The cells and places of which the light has burnt out a share, on the board or on top of what lies there, in the
        board's order. ``image``: the whole picture (H×W×3, BGR) in which the board lies as ``registration`` says."""
        if not self._sites or int(image.max()) < BURNT:
            return ()
        white, found = _white(image), np.zeros(len(self._sites), np.bool_)
        blocks = _summed_blocks(white)
        for height in TOPS_MM:
            pixels = registration.project(self._outlines, height)
            for site in np.flatnonzero(~found & self._may_be(blocks, pixels, (white.shape[1], white.shape[0]))):
                found[site] = _burnt(white, pixels[self._starts[site] : self._ends[site]])
        return tuple(site for site, burnt in zip(self._sites, found, strict=True) if burnt)

    def _may_be(self, blocks: NDArray[np.int32], pixels: Floats, size: tuple[int, int]) -> NDArray[np.bool_]:
        """Which sites, with their outlines at ``pixels``, have enough that is burnt out in the blocks about them."""
        inside = np.clip(pixels, 0, size)
        low, high = np.minimum.reduceat(inside, self._starts), np.maximum.reduceat(inside, self._starts)
        (left, top), (right, bottom) = (np.floor(low / _BLOCK).astype(int).T, np.ceil(high / _BLOCK + 0.5).astype(int).T)
        right, bottom = (np.minimum(edge, last - 1) for edge, last in zip((right, bottom), blocks.shape[::-1], strict=True))
        white = blocks[bottom, right] - blocks[top, right] - blocks[bottom, left] + blocks[top, left]
        (x, y), (next_x, next_y) = inside.T, inside[self._next].T
        area = np.abs(np.add.reduceat(x * next_y - next_x * y, self._starts)) / 2
        return np.asarray((high > low).all(axis=1) & (white >= _CERTAIN * SHARE * area))


def _outline(board: Board, site: str) -> Iterable[tuple[float, float]]:
    if site in board.cells:
        return board.outline_mm(site)
    (x, y), half = board.mm(site), board.spacing_mm / 4
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def _white(image: Image) -> Mask:
    """Which pixels (H×W, 0 or 1) are burnt out."""
    white = np.empty(image.shape[:2], np.uint8)
    for first in range(0, len(image), _BAND):
        rows = slice(first, first + _BAND)
        blue, green, red = cv2.split(image[rows])
        white[rows] = np.asarray(cv2.max(cv2.min(blue, green), cv2.min(cv2.max(blue, green), red))) >= BURNT
    return white


def _summed_blocks(white: Mask) -> NDArray[np.int32]:
    """How many pixels are burnt out above and left of each corner of the blocks (rows + 1 × columns + 1)."""
    height, width = (-(-side // _BLOCK) * _BLOCK for side in white.shape)
    if (height, width) != white.shape:
        white = np.pad(white, ((0, height - white.shape[0]), (0, width - white.shape[1])))
    counts = white.reshape(height // _BLOCK, _BLOCK, width).sum(axis=1, dtype=np.uint8)
    counts = counts.reshape(len(counts), width // _BLOCK, _BLOCK).sum(axis=2, dtype=np.uint8)
    return np.asarray(cv2.integral(counts, sdepth=cv2.CV_32S), np.int32)


def _burnt(white: Mask, corners: Floats) -> bool:
    """Whether a share of a polygon (N×2 pixels) is burnt out; not where it lies outside the picture."""
    left, top = np.maximum(np.floor(corners.min(axis=0)), 0).astype(int)
    right, bottom = np.minimum(np.ceil(corners.max(axis=0)) + 1, white.shape[::-1]).astype(int)
    if right <= left or bottom <= top:
        return False
    part = white[top:bottom, left:right]
    mask = np.zeros(part.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(corners - (left, top)).astype(np.int32)], 1)
    return float((part & mask).sum()) >= SHARE * max(1, int(mask.sum()))

"""Which sites of a board the light has burnt out in a picture: what lies there cannot be told until the lamp is moved."""

from collections.abc import Iterable

import cv2
import numpy as np

from companion.boards import Board
from companion.vision.camera import Registration
from companion.vision.frame import Image

BURNT = 249
"""The middle one of a pixel's three values from which on its colour is lost: in warm light red alone burns out long before."""
SHARE = 0.3
"""0.2..0.5 of a site that is burnt out: the drawing on a piece is then hardly half in sight."""
TOPS_MM = (0.0, 9.0)
"""How high what shows on a site may lie: print and tokens, or the upper side of a disc, 8 to 10 mm."""


def burnt_out(image: Image, registration: Registration, board: Board) -> tuple[str, ...]:
    """The cells and places of which the light has burnt out a share, on the board or on top of what lies there, in the board's
    order. ``image``: the whole picture (H×W×3, BGR) in which the board lies as ``registration`` says."""
    if int(image.max()) < BURNT or not (board.cells or board.places):
        return ()
    outlines = {site: np.asarray(_outline(board, site), np.float64) for site in (*board.cells, *board.places)}
    ends = np.cumsum([len(outline) for outline in outlines.values()])[:-1]
    together = np.concatenate(list(outlines.values()))
    pixels = [np.split(registration.project(together, height), ends) for height in TOPS_MM]
    return tuple(site for site, *corners in zip(outlines, *pixels, strict=True) if any(_burnt(image, one) for one in corners))


def _outline(board: Board, site: str) -> Iterable[tuple[float, float]]:
    if site in board.cells:
        return board.outline_mm(site)
    (x, y), half = board.mm(site), board.spacing_mm / 4
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def _burnt(image: Image, corners: np.ndarray) -> bool:
    """Whether a share of a polygon (N×2 pixels) is burnt out; not where it lies outside the picture. Nothing as large as the
    picture is made: this is asked while a look holds pictures of its own."""
    left, top = np.maximum(np.floor(corners.min(axis=0)), 0).astype(int)
    right, bottom = np.minimum(np.ceil(corners.max(axis=0)) + 1, image.shape[1::-1]).astype(int)
    if right <= left or bottom <= top or int(image[top:bottom, left:right].max()) < BURNT:
        return False
    blue, green, red = cv2.split(image[top:bottom, left:right])
    white = np.asarray(cv2.max(cv2.min(blue, green), cv2.min(cv2.max(blue, green), red))) >= BURNT
    mask = np.zeros(white.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(corners - (left, top)).astype(np.int32)], 1)
    return float((white & (mask > 0)).sum()) >= SHARE * max(1, int(mask.sum()))

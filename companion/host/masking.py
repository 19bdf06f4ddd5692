"""Pictures cut to the board where what lies beside it is its owner's alone (``masked_outside`` of the board file).

A camera over a table also sees a sheet that somebody writes on below its edge. What is outside the board's outline is black
before a picture is kept, sent or drawn upon, and a picture in which the board was not found is none at all.
"""

from itertools import pairwise

import cv2
import numpy as np

from companion.boards import Board
from companion.vision.camera import Registration
from companion.vision.frame import Image

_SAMPLES = 24
"""Points along each edge of the board, 2..200: a lens bends straight edges."""

Box = tuple[int, int, int, int]


def masked(image: Image, registration: Registration, board: Board) -> Image:
    """A copy of the picture (H×W×3) that is black outside the board's outline and in zones that are their owner's alone."""
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round(_outline(registration, board)).astype(np.int32)], 1)
    for zone in board.zones.values():
        if zone.masked:
            cv2.fillPoly(inside, [np.round(registration.project(zone.outline_mm)).astype(np.int32)], 0)
    return np.asarray(image * inside[:, :, None], np.uint8)


def box_of(image: Image, registration: Registration, board: Board) -> Box:
    """Left, top, right and bottom in pixels of what is not black, within the picture; all of it where that is nothing."""
    height, width = image.shape[:2]
    outline = _outline(registration, board)
    left, top = np.clip(np.floor(outline.min(axis=0)), 0, (width, height))
    right, bottom = np.clip(np.ceil(outline.max(axis=0)) + 1, 0, (width, height))
    if right <= left or bottom <= top:
        return 0, 0, width, height
    return int(left), int(top), int(right), int(bottom)


def cut(image: Image, box: Box, factor: float = 1.0) -> Image:
    """The part of a picture in a box that was measured before the picture was scaled by ``factor``."""
    left, top, right, bottom = (round(edge * factor) for edge in box)
    return np.ascontiguousarray(image[top : max(bottom, top + 1), left : max(right, left + 1)])


def _outline(registration: Registration, board: Board) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The board's edge in pixels (N×2), clockwise from the top left corner."""
    width, height = board.size_mm
    corners = np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height), (0.0, 0.0)])
    steps = np.linspace(0.0, 1.0, _SAMPLES, endpoint=False)[:, None]
    edges = [start + (end - start) * steps for start, end in pairwise(corners)]
    return registration.project(np.concatenate(edges))

"""Where the board lies: found by itself, or from four dragged corners snapped to the frame line; shown and measured."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike

from companion.boards import Board
from companion.vision.camera import Lens, Registration
from companion.vision.frame import Frame, Image
from companion.vision.plain.finder import fit_lattice, lattice_contrast
from companion.vision.plain.settings import FinderSettings
from companion.vision.plain.surface import Array
from companion.vision.plain.teach import check_picture, pose_from_corners


@dataclass(frozen=True, eq=False)
class BoardReport:
    """A registration with what is left over: ``error_mm`` on the board, ``corners`` (4×2 px) of the frame line, and how much
    clearer the printed lines are there than beside (``contrast``; below 1.1 nothing fits)."""

    registration: Registration
    error_mm: float
    corners: Array
    contrast: float

    @property
    def sentence(self) -> str:
        """The result in words."""
        if self.contrast < 1.1:
            return "the printed lines of the board are not where these corners put them: drag the corners again"
        return f"the board is found; what is left over is {self.error_mm:.1f} mm"


def from_corners(frame: Frame, corners: ArrayLike, board: Board, lens: Lens | None = None) -> BoardReport:
    """From four corners of the frame line (px: top left, top right, bottom right, bottom left), a few millimetres off at most.

    Raises BadInput for corners that are no board, or a picture that shows none.
    """
    check_picture(frame.image, "board")
    lens = Lens.guess(frame.size) if lens is None else lens.scaled(frame.size)
    pose = pose_from_corners(corners, board, lens)
    snapped = fit_lattice(frame.image, pose, board, FinderSettings())
    before, after = (lattice_contrast(frame.image, one, board) for one in (pose, snapped))
    return report(frame.image, snapped if after >= before else pose, board)


def report(image: Image, registration: Registration, board: Board) -> BoardReport:
    """Measure a registration in a picture of the (nearly) bare board."""
    left, top, right, bottom = board.frame_mm
    corners = registration.project([(left, top), (right, top), (right, bottom), (left, bottom)])
    return BoardReport(registration, registration.error_mm, corners, lattice_contrast(image, registration, board))


def draw(image: Image, registration: Registration, board: Board) -> Image:
    """The picture with the board's printed lines drawn where the registration has them."""
    drawn = image.copy()
    thick = max(1, round(image.shape[1] / 960))
    left, top, right, bottom = board.frame_mm
    sides = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    dense = np.vstack([np.linspace(sides[i], sides[(i + 1) % 4], 24) for i in range(4)])
    _line(drawn, registration.project(dense), (0, 220, 255), thick + 1)
    for cell in board.cells:
        outline = np.array(board.outline_mm(cell))
        colour = (90, 90, 90) if board.kind(cell) == "obstacle" else (60, 220, 60)
        _line(drawn, registration.project(outline), colour, thick)
    for place in board.places.values():
        x, y = registration.project([place.mm])[0]
        cv2.circle(drawn, (round(float(x)), round(float(y))), 4 * thick, (255, 120, 0), thick, cv2.LINE_AA)
    return drawn


def _line(image: Image, pixels: Array, colour: tuple[int, int, int], thick: int) -> None:
    if np.isfinite(pixels).all() and np.abs(pixels).max() < 1e5:
        cv2.polylines(image, [np.round(pixels * 16).astype(np.int32)], True, colour, thick, cv2.LINE_AA, 4)

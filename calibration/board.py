"""Where the board lies: found by itself (markers, or the taught print), or from four dragged corners snapped to the frame line;
shown and measured."""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import ArrayLike

from companion.boards import Board, PieceSet
from companion.boards.surface import HEXES
from companion.errors import BadInput
from companion.vision.camera import Lens, Registration, displayed_mm
from companion.vision.frame import Frame, Image
from companion.vision.marked.reader import MarkedReader
from companion.vision.plain.exemplars import Teaching
from companion.vision.plain.finder import fit_lattice, lattice_contrast
from companion.vision.plain.locating import pose_from_corners
from companion.vision.plain.settings import FinderSettings, PlainSettings
from companion.vision.plain.surface import Array, View
from companion.vision.plain.teach import check_picture
from companion.vision.plain.tracking import Tracker


@dataclass(frozen=True, eq=False)
class BoardReport:
    """A registration with what is left over: ``error_mm`` on the board, ``corners`` (4×2 px) of the frame line, how much
    clearer the printed lines are there than beside (``contrast``; below 1.1 nothing fits), and where the printed lines would
    have those corners (``pull_mm``, 4×2; zeros where the lines do not show). ``way``: markers, taught or corners."""

    registration: Registration
    error_mm: float
    corners: Array
    contrast: float
    pull_mm: Array = field(default_factory=lambda: np.zeros((4, 2)))
    way: str = "corners"

    @property
    def fits(self) -> bool:
        """Whether the printed lines are where the registration has them; markers are believed without."""
        return self.contrast >= CLEAR or self.way == "markers"

    @property
    def beside_mm(self) -> float:
        """How far the printed lines lie beside the registration at the worst corner of the frame line."""
        return float(np.linalg.norm(self.pull_mm, axis=1).max())

    @property
    def sentence(self) -> str:
        """The result in words."""
        if not self.fits:
            return "the printed lines of the board are not where these corners put them: drag the corners again"
        found = f"the board is found{_WAYS[self.way]}, to {displayed_mm(self.error_mm):.1f} mm"
        if self.way == "corners" or not self.pull_mm.any():
            return found
        return f"{found}; the printed lines lie up to {self.beside_mm:.1f} mm beside"


CLEAR = 1.1
_WAYS = {"markers": " by its markers", "taught": " by the taught print", "corners": ""}


def find_board(
    frame: Frame, board: Board, pieces: PieceSet, lens: Lens | None = None, teaching: Teaching | None = None
) -> BoardReport:
    """Find the board in one picture by itself: by the taught print and its lines where there is a teaching, else by the
    markers beside the board.

    Raises BadInput, with what can be done, when it is not found.
    """
    check_picture(frame.image, "board")
    if teaching is not None:
        return _by_teaching(frame, board, teaching)
    observation = MarkedReader(board, pieces, lens).read(frame)
    if observation.registration is None:
        raise BadInput(
            f"{'; '.join(observation.problems)}. Lay the markers beside the board, or give the corners of its frame line"
        )
    return report(frame.image, observation.registration, board, "markers")


def _by_teaching(frame: Frame, board: Board, teaching: Teaching) -> BoardReport:
    if (teaching.board, teaching.edition) != (board.id, board.edition):
        raise BadInput(
            f"this table was taught as {teaching.board} ({teaching.edition}), not {board.id} ({board.edition}): teach it again"
        )
    settings, view = PlainSettings(), View(teaching.empty, teaching.registration)
    if not view.registration.lens.fits(frame.size):
        raise BadInput(
            f"the picture is {frame.size[0]}x{frame.size[1]} pixels, but the table was taught in a picture of another shape: "
            "teach it again"
        )
    lens = view.registration.lens.scaled(frame.size)
    pose = Tracker(view, board, settings.track, settings.surface).find(frame.image, lens)
    if pose is None:
        raise BadInput("the taught board is not in this picture: show all of it, or teach this table again")
    snapped = fit_lattice(frame.image, pose, board, settings.finder)
    before, after = (lattice_contrast(frame.image, one, board) for one in (pose, snapped))
    return report(frame.image, snapped if after > before else pose, board, "taught")


def from_corners(frame: Frame, corners: ArrayLike, board: Board, lens: Lens | None = None) -> BoardReport:
    """From four corners of the frame line (px: top left, top right, bottom right, bottom left), a few millimetres off at most.

    Raises BadInput for corners that are no board, or a picture that shows none.
    """
    check_picture(frame.image, "board")
    if board.surface != HEXES:
        raise BadInput(f"{board.name} has no printed hexes to draw corners to: lay the markers beside the board")
    lens = Lens.guess(frame.size) if lens is None else lens.scaled(frame.size)
    pose = pose_from_corners(corners, board, lens)
    snapped = fit_lattice(frame.image, pose, board, FinderSettings())
    before, after = (lattice_contrast(frame.image, one, board) for one in (pose, snapped))
    return report(frame.image, snapped if after >= before else pose, board)


def report(image: Image, registration: Registration, board: Board, way: str = "corners") -> BoardReport:
    """Measure a registration in a picture of the (nearly) bare board."""
    frame_line = np.array(board.frame_corners_mm, np.float64)
    if board.surface != HEXES:  # how clearly a lattice of cells shows cannot be asked
        return BoardReport(registration, registration.error_mm, registration.project(frame_line), 0.0, way=way)
    corners, contrast = registration.project(frame_line), lattice_contrast(image, registration, board)
    pulled = fit_lattice(image, registration, board, FinderSettings(), frame=True)
    clear = lattice_contrast(image, pulled, board)
    pull = np.zeros((4, 2))
    if clear >= max(CLEAR, contrast):
        pull = registration.locate(pulled.project(frame_line)) - frame_line
    return BoardReport(registration, registration.error_mm, corners, contrast, pull, way)


def draw_report(image: Image, found: BoardReport, board: Board) -> Image:
    """The picture with the board's lines where the registration has them, and at each corner of the frame line, ten times as
    long as it is, the way to where the printed lines would have it."""
    drawn = draw(image, found.registration, board)
    thick = max(1, round(image.shape[1] / 960))
    corners = np.array(board.frame_corners_mm, np.float64)
    tips = found.registration.project(corners + 10 * found.pull_mm)
    for (x, y), (to_x, to_y), pull in zip(found.corners, tips, found.pull_mm, strict=True):
        at, to = (round(float(x)), round(float(y))), (round(float(to_x)), round(float(to_y)))
        cv2.circle(drawn, at, 5 * thick, (0, 0, 255), thick, cv2.LINE_AA)
        if pull.any():
            cv2.arrowedLine(drawn, at, to, (0, 0, 255), thick + 1, cv2.LINE_AA, tipLength=0.25)
        _label(drawn, f"{np.linalg.norm(pull):.1f} mm", (at[0] + 8 * thick, at[1] - 8 * thick), thick)
    _label(drawn, f"{displayed_mm(found.error_mm):.1f} mm left over", (12 * thick, 24 * thick), thick)
    return drawn


def _label(image: Image, words: str, at: tuple[int, int], thick: int) -> None:
    for colour, width in (((0, 0, 0), 3 * thick + 1), ((255, 255, 255), thick)):
        cv2.putText(image, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.6 * thick, colour, width, cv2.LINE_AA)


def draw(image: Image, registration: Registration, board: Board) -> Image:
    """The picture with the board's printed lines drawn where the registration has them."""
    drawn = image.copy()
    thick = max(1, round(image.shape[1] / 960))
    sides = np.array(board.frame_corners_mm, np.float64)
    dense = np.vstack([np.linspace(sides[i], sides[(i + 1) % 4], 24) for i in range(4)])
    _line(drawn, registration.project(dense), (0, 220, 255), thick + 1)
    for cell in (*board.cells, *board.zones):
        outline = np.array(board.outline_mm(cell))
        colour = (90, 90, 90) if board.kind_of(cell) == "obstacle" else (60, 220, 60)
        _line(drawn, registration.project(outline), colour, thick)
    for place in board.places.values():
        x, y = registration.project([place.mm])[0]
        cv2.circle(drawn, (round(float(x)), round(float(y))), 4 * thick, (255, 120, 0), thick, cv2.LINE_AA)
    return drawn


def _line(image: Image, pixels: Array, colour: tuple[int, int, int], thick: int) -> None:
    if np.isfinite(pixels).all() and np.abs(pixels).max() < 1e5:
        cv2.polylines(image, [np.round(pixels * 16).astype(np.int32)], True, colour, thick, cv2.LINE_AA, 4)

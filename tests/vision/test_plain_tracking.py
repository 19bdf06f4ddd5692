"""A board printed with the same few marks again and again is found where it lies, though many marks are taken for others."""

import cv2
import numpy as np
import pytest

from companion.calibration.training.photographed_boards import off_px, stretched
from companion.vision.camera import Lens, Registration
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.surface import View
from companion.vision.plain.tracking import Tracker

SIZE_MM = (600.0, 600.0)
SCALE = 3
CELLS = 14
LENS = Lens.guess((1440, 1080))


def printed() -> np.ndarray:
    """A square board (3 pixels a mm) of 14 by 14 cells with five marks, alike in all four quarters but for a title."""
    side = int(SIZE_MM[0] * SCALE)
    canvas = np.full((side, side, 3), (190, 110, 30), np.uint8)
    marks = np.random.default_rng(4).integers(0, 12, (CELLS // 2, CELLS // 2))
    quarters = np.block([[marks, marks[:, ::-1]], [marks[::-1], marks[::-1, ::-1]]])
    step, edge = round(side * 0.75 / CELLS), round(side * 0.125)
    for (row, column), mark in np.ndenumerate(quarters):
        x, y = edge + column * step, edge + row * step
        colour = (
            ((170, 90, 150), (190, 130, 20), (40, 160, 230), (60, 60, 160), (90, 150, 60))[mark]
            if mark < 5
            else (240, 235, 225)
        )
        cv2.rectangle(canvas, (x + 4, y + 4), (x + step - 4, y + step - 4), colour, -1, cv2.LINE_AA)
        if mark < 5:
            cv2.putText(
                canvas, ("x2", "+", "x3", "-", "%")[mark], (x + 18, y + 66), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (250,) * 3, 5
            )
    cv2.putText(canvas, "Arithmetic", (120, side - 90), cv2.FONT_HERSHEY_TRIPLEX, 3, (250, 240, 230), 6)
    return canvas


def laid(board: np.ndarray, count: int, seed: int) -> np.ndarray:
    """The board with so many pieces on cells at random."""
    rng, side = np.random.default_rng(seed), len(board)
    step, edge = round(side * 0.75 / CELLS), round(side * 0.125)
    covered = board.copy()
    for cell in rng.permutation(CELLS * CELLS)[:count]:
        x, y = edge + int(cell) % CELLS * step, edge + int(cell) // CELLS * step
        cv2.rectangle(covered, (x + 2, y + 2), (x + step - 2, y + step - 2), (170, 195, 210), -1)
        cv2.putText(covered, str(rng.integers(1, 90)), (x + 10, y + 66), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (30,) * 3, 5)
    return covered


def seen_from(tilt: float, turn: float) -> Registration:
    """A camera that looks at the middle of the board, so far off straight down and so turned (degrees)."""
    down, about = np.radians(tilt), np.radians(turn)
    lean = np.array([[1, 0, 0], [0, np.cos(down), -np.sin(down)], [0, np.sin(down), np.cos(down)]])
    spin = np.array([[np.cos(about), -np.sin(about), 0], [np.sin(about), np.cos(about), 0], [0, 0, 1]])
    rotation = lean @ spin
    away = np.array([0.0, 0.0, 1100.0]) - rotation @ np.array([SIZE_MM[0] / 2, SIZE_MM[1] / 2, 0.0])
    return Registration(LENS, rotation, away.reshape(3, 1))


def photograph(board: np.ndarray, pose: Registration) -> np.ndarray:
    """The board on a table, with a little blur and noise."""
    corners = np.array([(0, 0), (SIZE_MM[0], 0), SIZE_MM, (0, SIZE_MM[1])])
    way = cv2.getPerspectiveTransform((corners * SCALE).astype(np.float32), pose.project(corners).astype(np.float32))
    table = np.full((LENS.size[1], LENS.size[0], 3), (40, 70, 110), np.uint8)
    seen = cv2.warpPerspective(board, way, LENS.size, table, cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT)
    noise = np.random.default_rng(1).normal(0, 2, seen.shape)
    return np.clip(cv2.GaussianBlur(seen, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("tilt", "turn", "pieces"), [(0, 1, 0), (2, 0, 30), (12, 8, 40), (20, -25, 30), (30, 90, 20), (3, 180, 40)]
)
def test_a_board_of_marks_that_repeat_is_found(tilt: float, turn: float, pieces: int) -> None:
    board, settings = stretched(SIZE_MM), PlainSettings()
    taught, now = seen_from(0, 0), seen_from(tilt, turn)
    bare = printed()
    tracker = Tracker(View(photograph(bare, taught), taught), board, settings.track, settings.surface)
    found = tracker.find(photograph(laid(bare, pieces, 7), now), LENS)
    assert found is not None
    corners = np.array([(0, 0), (SIZE_MM[0], 0), SIZE_MM, (0, SIZE_MM[1])])
    way = cv2.getPerspectiveTransform(taught.project(corners).astype(np.float32), now.project(corners).astype(np.float32))
    median, largest = off_px(taught, found, way, board, 1000.0)
    assert median < 0.5 and largest < 2


@pytest.mark.parametrize("squeezed", [0.8, 0.85, 0.9])
def test_a_board_whose_print_fits_better_beside_where_it_was_found_is_not_found(squeezed: float) -> None:
    board, settings, taught = stretched(SIZE_MM), PlainSettings(), seen_from(0, 0)
    bare = printed()
    tracker = Tracker(View(photograph(bare, taught), taught), board, settings.track, settings.surface)
    seen = photograph(bare, seen_from(10, 15))
    height = round(LENS.size[1] * squeezed)
    lower = cv2.resize(seen, (LENS.size[0], height), interpolation=cv2.INTER_AREA)
    rest = LENS.size[1] - height
    found = tracker.find(cv2.copyMakeBorder(lower, rest // 2, rest - rest // 2, 0, 0, cv2.BORDER_REPLICATE), LENS)
    assert found is None, "no camera of this lens sees a square so"

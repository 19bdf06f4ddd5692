"""The board from the four corners of its frame line: any way round, and never from points that are no board's corners."""

import numpy as np
import pytest

from companion import boards
from companion.errors import BadInput
from companion.vision.camera import Lens, Registration
from companion.vision.plain.locating import pose_from_corners
from companion.vision.plain.tracking import solve_plane

BOARD = boards.load("mr-jack-london")
LEFT, TOP, RIGHT, BOTTOM = BOARD.frame_mm
CORNERS = np.array([(LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM)])
LENS = Lens.guess((1920, 1080))


def from_above(height_mm: float, turned: bool, lens: Lens = LENS, tilt_deg: float = 0.0) -> Registration:
    """A camera whose picture's middle shows the board's, from a height, the board turned round or not."""
    tilt = np.radians(tilt_deg)
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), np.sin(tilt)], [0, -np.sin(tilt), np.cos(tilt)]])
    rotation = lean @ (np.diag([-1.0, -1.0, 1.0]) if turned else np.eye(3))
    away = np.array([0, 0, height_mm]) - rotation @ [*np.divide(BOARD.size_mm, 2), 0.0]
    return Registration(lens, rotation, away.reshape(3, 1))


def off_mm(found: Registration | None, true: Registration) -> float:
    return float("inf") if found is None else float(np.abs(found.locate(true.project(CORNERS)) - CORNERS).max())


def test_points_that_are_no_boards_corners_are_refused() -> None:
    with pytest.raises(BadInput, match="not the four corners of the board: give top left, top right, bottom right"):
        pose_from_corners([(900, 50), (960, 60), (950, 1000), (880, 1030)], BOARD, LENS)


@pytest.mark.parametrize(("field_of_view_deg", "tilt_deg"), [(45, 60), (63, 60), (90, 40), (90, 60)])
def test_a_lens_that_is_only_guessed_is_no_reason_to_refuse_corners(field_of_view_deg: float, tilt_deg: float) -> None:
    lens = Lens.guess(LENS.size, field_of_view_deg)
    true = from_above(0.56 * float(lens.matrix[0, 0]), False, lens, tilt_deg)
    pose_from_corners(true.project(CORNERS), BOARD, LENS)


@pytest.mark.parametrize("turned", [False, True])
def test_exact_corners_give_the_exact_pose_from_every_height(turned: bool) -> None:
    cameras = {height: from_above(height, turned) for height in range(500, 1501, 50)}
    found = {height: off_mm(solve_plane(CORNERS, true.project(CORNERS), LENS), true) for height, true in cameras.items()}
    assert {height: off for height, off in found.items() if off > 0.01} == {}

"""What counts as a change between two pictures, and which spots it reaches."""

import cv2
import numpy as np
import pytest

from companion import boards
from companion.calibration.training.camera_faults import Fault, banded, dim, strongly_coded, trembling
from companion.calibration.training.stickers_composed import Shot, pose
from companion.vision.frame import Image
from companion.vision.watching.motion import ImageChange, MotionGate

BOARD = boards.load("mr-jack-london")
SHOT = Shot()
GROUND = (120, 130, 140)


@pytest.fixture
def gate() -> MotionGate:
    gate = MotionGate(SHOT.size, BOARD)
    gate.aim(pose(BOARD, SHOT))
    return gate


def picture(colour: tuple[int, int, int] | None = None, spot: str = "g5") -> Image:
    """A plain board, and a disc of a colour (blue, green, red) on a spot."""
    image = np.full((SHOT.size[1], SHOT.size[0], 3), GROUND, np.uint8)
    if colour is not None:
        turn = np.linspace(0, 2 * np.pi, 40)
        around = np.asarray(BOARD.mm(spot)) + 16.0 * np.column_stack([np.cos(turn), np.sin(turn)])
        cv2.fillPoly(image, [np.round(pose(BOARD, SHOT).project(around)).astype(np.int32)], colour)
    return image


def change(gate: MotionGate, before: Image, now: Image) -> ImageChange:
    return gate.compare(gate.thumb(before), gate.thumb(now))


def grey(colour: tuple[int, int, int]) -> int:
    return int(cv2.cvtColor(np.full((1, 1, 3), colour, np.uint8), cv2.COLOR_BGR2GRAY)[0, 0])


def test_a_disc_that_is_turned_over_and_stays_as_bright_is_a_change(gate: MotionGate) -> None:
    one, other = (60, 150, 140), (200, 110, 160)
    assert abs(grey(one) - grey(other)) <= 2
    found = change(gate, picture(one), picture(other))
    assert gate.matters(found) and 0.6 < found.area_mm2 / (np.pi * 16**2) < 1.4
    assert gate.reached(found, 20.0) == {"g5"}


def test_what_a_change_reaches_are_its_own_spot_and_those_near_its_edge(gate: MotionGate) -> None:
    found = change(gate, picture(), picture((20, 30, 200)))
    assert gate.reached(found, 5.0) == {"g5"}, "the spot that is touched, however short the reach"
    near = gate.reached(found, 32.0)
    beside = {spot for spot in (*BOARD.cells, *BOARD.places) if np.hypot(*np.subtract(BOARD.mm(spot), BOARD.mm("g5"))) < 44}
    assert {"g5"} < near <= beside
    assert gate.unexplained_mm2(found, near) == 0


def test_light_that_grows_warmer_everywhere_is_no_change(gate: MotionGate) -> None:
    before = picture((20, 30, 200))
    warmer = np.clip(before.astype(np.int16) + np.array([-12, 0, 14]), 0, 255).astype(np.uint8)
    assert not gate.matters(change(gate, before, warmer))


def test_noise_of_colour_is_no_change_once_it_is_known(gate: MotionGate) -> None:
    chance = np.random.default_rng(3)

    def noisy() -> Image:
        grain = cv2.resize(chance.normal(0, 3, (*(side // 3 for side in picture().shape[:2]), 3)), SHOT.size)
        return np.clip(picture() + grain, 0, 255).astype(np.uint8)

    for number in range(40):
        gate.moving(gate.thumb(noisy()), number / 30)
    assert not gate.matters(gate.moving(gate.thumb(noisy()), 41 / 30))


def textured() -> Image:
    """A printed board: edges and flecks everywhere."""
    image, chance = picture((20, 30, 200)), np.random.default_rng(8)
    for x, y in zip(chance.integers(0, SHOT.size[0], 900), chance.integers(0, SHOT.size[1], 900), strict=True):
        colour = tuple(int(level) for level in chance.integers(40, 215, 3))
        cv2.rectangle(image, (int(x), int(y)), (int(x) + 14, int(y) + 9), colour, -1)
    return image


def moved_disc(image: Image) -> Image:
    """The same with a disc more."""
    made, turn = image.copy(), np.linspace(0, 2 * np.pi, 40)
    around = np.asarray(BOARD.mm("e6")) + 16.0 * np.column_stack([np.cos(turn), np.sin(turn)])
    cv2.fillPoly(made, [np.round(pose(BOARD, SHOT).project(around)).astype(np.int32)], (200, 60, 30))
    return made


@pytest.mark.parametrize("fault", [banded, trembling, dim, strongly_coded])
def test_what_the_camera_alone_changes_is_no_motion_and_a_piece_is(gate: MotionGate, fault: Fault) -> None:
    still, after = textured(), moved_disc(textured())
    thumbs = [gate.thumb(fault(still, number, -9)) for number in range(24)]
    moved = [gate.matters(gate.moving(thumb, number / 15)) for number, thumb in enumerate(thumbs)]
    assert sum(moved[8:]) == 0
    for number in range(24, 28):
        found = gate.compare(thumbs[20], gate.thumb(fault(after, number, -9)))
        assert gate.matters(found)
        assert "e6" in gate.reached(found, 5.0)
        assert found.area_mm2 < 2.5 * np.pi * 16**2


def test_a_disc_laid_while_nothing_trembles_is_not_taken_for_a_tremble(gate: MotionGate) -> None:
    """In a dim picture a disc is nearly the only thing that differs, and draws the estimate of a shift to itself."""
    still, after = (np.asarray(image * 0.3, np.uint8) for image in (textured(), moved_disc(textured())))
    found = change(gate, still, after)
    assert 0.5 < found.area_mm2 / (np.pi * 16**2) < 1.5


def test_hands_that_move_for_long_do_not_blunt_the_eye_for_what_they_leave(gate: MotionGate) -> None:
    """What is kept of noise is not learnt from hands: a disc nearly as dark as the board is still a change."""
    still, height = textured(), SHOT.size[1]
    for number in range(90):
        reaching, x = still.copy(), 700 + round(200 * np.sin(number / 5))
        cv2.line(reaching, (x, height), (x + 40, height // 2 - number), (140, 165, 215), 110, cv2.LINE_AA)
        gate.moving(gate.thumb(reaching), number / 15)
    before, after = picture(), picture(tuple(level - 13 for level in GROUND))
    found = change(gate, before, after)
    assert gate.matters(found) and gate.reached(found, 20.0) == {"g5"}


@pytest.mark.parametrize("grey_levels", [20, -20])
def test_a_sleeve_across_a_plain_table_is_no_band_of_light(gate: MotionGate, grey_levels: int) -> None:
    """A grey sleeve from side to side of a bare mat, a little lighter or darker than it."""
    bare, covered = picture(), picture()
    rows = slice(450, 560)
    covered[rows] = np.clip(covered[rows].astype(np.int16) + grey_levels, 0, 255).astype(np.uint8)
    found = change(gate, bare, covered)
    assert gate.matters(found)
    rows_touched = np.flatnonzero(found.mask.mean(axis=1) > 0.5) / len(found.mask)
    assert rows_touched.size and 0.05 < np.ptp(rows_touched) < 0.15


def test_the_smallest_of_pictures_is_compared() -> None:
    for size in ((2, 2), (16, 9), (64, 36)):
        tiny = MotionGate(size, BOARD)
        chance = np.random.default_rng(1)
        for number in range(4):
            image = chance.integers(0, 255, (size[1], size[0], 3), np.uint8)
            tiny.moving(tiny.thumb(image), number / 15)


def test_a_shift_of_many_pixels_stays_a_change(gate: MotionGate) -> None:
    image = textured()
    pushed = np.roll(image, (14, 9), axis=(0, 1))
    found = change(gate, image, pushed)
    assert gate.matters(found) and gate.everywhere(found)


@pytest.mark.parametrize(("size", "width"), [((1920, 1080), 480), ((2560, 1440), 640), ((3840, 2160), 480), ((1280, 720), 426)])
def test_pictures_are_averaged_down_by_halves_where_that_is_near_what_is_asked(size: tuple[int, int], width: int) -> None:
    gate = MotionGate(size, BOARD)
    board = np.full((size[1], size[0], 3), GROUND, np.uint8)
    thumb, fine = gate.thumb(board), gate.fine(board)
    assert thumb.shape[1] == width and fine.shape[1] >= 960
    assert abs(int(thumb[0, 0, 0]) - grey(GROUND)) <= 1

"""What changed between the empty board and the start position is told from what another light makes of the same print."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from companion import boards
from companion.calibration.training.composed import Table
from companion.calibration.training.wild import WildTable
from companion.errors import BadInput
from companion.vision.frame import Frame, Image
from companion.vision.plain.locating import exchanged
from companion.vision.plain.reader import teach
from companion.vision.plain.settings import FinderSettings
from companion.vision.plain.start import placements
from companion.vision.plain.start_change import change_map

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
CELLS = np.array([BOARD.mm(cell) for cell in BOARD.cells])
SIZE = (960, 540)


def printed() -> np.ndarray:
    """A print of dark and light patches (H×W×3, linear)."""
    rng = np.random.default_rng(7)
    patches = rng.uniform(0.02, 0.6, (27, 48, 3)).astype(np.float32)
    return cv2.resize(patches, SIZE, interpolation=cv2.INTER_NEAREST)


def taken(reflected: np.ndarray) -> Image:
    coded = np.where(reflected <= 0.0031308, 12.92 * reflected, 1.055 * np.maximum(reflected, 1e-6) ** (1 / 2.4) - 0.055)
    return np.asarray(np.clip(coded * 255 + 0.5, 0, 255), np.uint8)


def lit(reflected: np.ndarray) -> np.ndarray:
    """Dimmer to one side, warmer, and with stray light over a third of it: that changes dark print tenfold."""
    across, down = np.meshgrid(np.linspace(0, 1, SIZE[0]), np.linspace(0, 1, SIZE[1]))
    gain = (0.8 - 0.4 * across)[..., None] * np.array([0.8, 1.0, 1.1])
    stray = 0.2 * np.exp(-((across - 0.3) ** 2 + (down - 0.6) ** 2) / 0.08)
    return reflected * gain + stray[..., None]


@pytest.mark.parametrize("light", [lambda one: one, lit], ids=["same", "other"])
def test_a_disc_is_a_change_in_any_light_and_the_print_around_it_is_none(light: Callable[[np.ndarray], np.ndarray]) -> None:
    bare = printed()
    covered = bare.copy()
    places = ((200, 120), (420, 300), (700, 400))
    for place, colour in zip(places, ((0.02, 0.03, 0.4), (0.5, 0.5, 0.5), (0.03, 0.03, 0.03)), strict=True):
        cv2.circle(covered, place, 18, colour, -1)
    change = change_map(taken(bare), taken(light(covered)), FinderSettings())
    discs = np.zeros(change.shape, np.uint8)
    for place in places:
        assert np.mean(change[place[1] - 9 : place[1] + 10, place[0] - 9 : place[0] + 10]) > 0.6, place
        cv2.circle(discs, place, 30, 1, -1)
    assert np.mean(change[discs == 0] > 0.5) < 0.03


@pytest.mark.parametrize("seed", [2787, pytest.param(2790, marks=pytest.mark.slow)])
def test_a_copy_is_taught_with_the_lamp_moved_between_the_two_pictures(seed: int) -> None:
    """These were taught half turned: the light made more spots than the pieces."""
    table = Table(BOARD, PIECES, seed, size=((1280, 720), (1600, 900), (1920, 1080))[seed % 3], tilt_most=35.0)
    empty, _, start = (
        Frame(picture, 0.0, "made")
        for picture in (
            table.shoot({})[0],
            table.shoot(dict(BOARD.start))[0],  # another light follows from what was drawn before it
            table.shoot(dict(BOARD.start), mood=table.other_light())[0],
        )
    )
    taught = teach(empty, start, BOARD, PIECES, table.lens, BOARD.start)
    off = np.linalg.norm(taught.registration.locate(table.pose.project(CELLS)) - CELLS, axis=1)
    assert np.median(off) < 5
    assert not [words for words in taught.warnings if " is not at " in words]


def _wild(seed: int) -> Table:
    return WildTable(BOARD, PIECES, seed, size=(1280, 720), tilt_most=40.0)


@pytest.mark.parametrize(
    "table",
    [
        Table(BOARD, PIECES, 2893, size=(1280, 720), tilt_most=35.0),
        _wild(905211),
        pytest.param(_wild(905210), marks=pytest.mark.slow),
        pytest.param(_wild(905200), marks=pytest.mark.slow),
    ],
    ids=["ordinary", "wild", "wild-2", "wild-3"],
)
def test_the_two_pictures_the_other_way_round_are_refused(table: Table) -> None:
    """What changed is the same then: the bare board would be learnt as the pieces, and they as the board. Pieces of the wild
    copies have other colours than those that they are named by."""
    empty, start = (Frame(table.shoot(state)[0], 0.0, "made") for state in ({}, dict(BOARD.start)))
    corners = table.pose.project(np.array(BOARD.frame_corners_mm))
    teach(empty, start, BOARD, PIECES, table.lens, BOARD.start)
    for known in (None, corners):
        with pytest.raises(BadInput, match="the two pictures are the other way round"):
            teach(start, empty, BOARD, PIECES, table.lens, BOARD.start, known)


def dim(picture: Image) -> Image:
    return np.asarray(picture * 0.4, np.uint8)


def soft(picture: Image) -> Image:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 3), np.uint8)


def noisy(picture: Image) -> Image:
    grain = np.random.default_rng(1).normal(0, 12, picture.shape)
    return np.asarray(np.clip(picture + grain, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("of_empty", "of_start"), [(np.asarray, dim), (np.asarray, soft), (noisy, np.asarray)], ids=["dim", "soft", "noisy"]
)
def test_no_right_pair_is_taken_for_exchanged_because_one_of_them_is_poor(
    of_empty: Callable[[Image], Image], of_start: Callable[[Image], Image]
) -> None:
    """By their own edges alone, not beside those of the print in the same picture, all three were."""
    table = _wild(905283)
    empty, start = of_empty(table.shoot({})[0]), of_start(table.shoot(dict(BOARD.start))[0])
    put = placements(BOARD, PIECES, dict(BOARD.start))
    assert not exchanged(empty, start, table.pose, BOARD, put, PIECES.movable.key)

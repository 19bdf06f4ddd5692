"""The board found in one picture by itself, what is left over in millimetres, and the same drawn on the picture."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import boards
from companion.calibration.board import BoardReport, draw_report, find_board
from companion.calibration.profile import TableProfile
from companion.calibration.teaching import teach_table
from companion.calibration.training.composed import Table
from companion.calibration.training.stickers_composed import EMPTY, Scene, Shot, compose, pose
from companion.cli import main
from companion.errors import BadInput
from companion.vision.camera import Registration
from companion.vision.frame import Frame
from companion.vision.plain.reader import Teaching

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
START = dict(BOARD.start)
SHOT = Shot(size=(1280, 720), px_per_mm=1.55, tilt=25)


def off_mm(found: BoardReport, true: Registration) -> float:
    mm = np.array([BOARD.mm(cell) for cell in BOARD.cells])
    return float(np.linalg.norm(found.registration.locate(true.project(mm)) - mm, axis=1).max())


@pytest.fixture(scope="module")
def marked() -> Frame:
    return Frame(compose(Scene(BOARD, PIECES, EMPTY, tolerance_mm=0.5), SHOT), 0.0, "marked")


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(BOARD, PIECES, 2010, size=(1280, 720), tilt_most=25.0)


@pytest.fixture(scope="module")
def taught(table: Table) -> Teaching:
    pictures = (Frame(table.shoot({})[0], 0.0, "empty"), Frame(table.shoot(START)[0], 0.0, "start"))
    teaching = teach_table(*pictures, BOARD, PIECES, START, table.lens).profile.teaching
    assert teaching is not None
    return teaching


def test_markers_find_the_board_and_the_printed_lines_say_how_well(marked: Frame) -> None:
    true = pose(BOARD, SHOT)
    found = find_board(marked, BOARD, PIECES, true.lens)
    assert found.way == "markers"
    assert found.fits
    assert off_mm(found, true) < 2.0
    assert f", to {found.error_mm:.1f} mm" in found.sentence
    # The printed lines know nothing of the markers: where they pull to is nearer to the truth, or as near.
    frame = np.array([BOARD.frame_mm[:2], BOARD.frame_mm[2:]])
    error = found.registration.locate(true.project(frame)) - frame
    assert np.linalg.norm(found.pull_mm[[0, 2]] - error, axis=1).max() < 2.0


def test_a_lens_that_is_not_the_cameras_shows_in_the_millimetres(marked: Frame) -> None:
    true = pose(BOARD, SHOT)
    bent = replace(true.lens, distortion=true.lens.distortion + np.array([0.25, 0, 0, 0, 0]))
    right, wrong = (find_board(marked, BOARD, PIECES, lens) for lens in (true.lens, bent))
    assert wrong.beside_mm > right.beside_mm + 1.0


def test_what_is_left_over_is_drawn(marked: Frame) -> None:
    found = find_board(marked, BOARD, PIECES, pose(BOARD, SHOT).lens)
    moved = replace(found, pull_mm=np.array([[4.0, 0.0], [0, 0], [0, 0], [0, 0]]))
    bare, arrow = (
        draw_report(marked.image, one, BOARD).astype(int) for one in (replace(found, pull_mm=np.zeros((4, 2))), moved)
    )
    x, y = found.registration.project([(BOARD.frame_mm[0] + 20, BOARD.frame_mm[1])])[0]
    around = (slice(round(y) - 4, round(y) + 5), slice(round(x) - 4, round(x) + 5))
    assert np.abs(arrow - bare)[around].max() > 100, "ten times four millimetres long, the arrow passes here"
    assert (bare != marked.image).any()


def test_the_taught_print_finds_the_board_elsewhere_and_turned_round(table: Table, taught: Teaching) -> None:
    state = table.random_state()
    moved = table.nudged()
    found = find_board(Frame(table.shoot(state, pose=moved)[0], 0.0, "nudged"), BOARD, PIECES, None, taught)
    assert found.way == "taught"
    assert off_mm(found, moved) < 4.0
    picture = table.shoot(state)[0]
    turned = find_board(Frame(cv2.rotate(picture, cv2.ROTATE_180), 0.0, "turned"), BOARD, PIECES, None, taught)
    mm = np.array([BOARD.mm(cell) for cell in BOARD.cells])
    size = np.array([picture.shape[1] - 1, picture.shape[0] - 1])
    off = np.linalg.norm(turned.registration.locate(size - table.pose.project(mm)) - mm, axis=1)
    assert off.max() < 5.0, "the players' seats may be changed: the print says which way round the board lies"


def test_a_picture_without_the_board_says_what_to_do(marked: Frame, taught: Teaching) -> None:
    bare = Frame(np.random.default_rng(1).integers(0, 255, (720, 1280, 3), np.uint8), 0.0, "noise")
    with pytest.raises(BadInput, match="Lay the markers beside the board, or give the corners"):
        find_board(bare, BOARD, PIECES)
    with pytest.raises(BadInput, match="the taught board is not in this picture"):
        find_board(marked, BOARD, PIECES, None, taught)
    with pytest.raises(BadInput, match="another shape"):
        find_board(Frame(cv2.resize(bare.image, (960, 720)), 0.0, "square"), BOARD, PIECES, None, taught)
    with pytest.raises(BadInput, match="teach it again"):
        find_board(bare, BOARD, PIECES, None, replace(taught, edition="1888"))
    with pytest.raises(BadInput, match="black"):
        find_board(Frame(np.zeros_like(bare.image), 0.0, "dark"), BOARD, PIECES)


def test_the_command_needs_one_picture(
    marked: Frame, table: Table, taught: Teaching, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture, overlay = tmp_path / "marked.png", tmp_path / "overlay.png"
    cv2.imwrite(str(picture), marked.image)
    assert main(["calibrate", "board", str(picture), "--overlay", str(overlay), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["way"] == "markers"
    assert 0 < said["error_mm"] < 4
    drawn = cv2.imread(str(overlay))
    assert drawn.shape == marked.image.shape
    plain, profile = tmp_path / "plain.png", tmp_path / "table.json"
    cv2.imwrite(str(plain), table.shoot(table.random_state())[0])
    TableProfile(BOARD.id, BOARD.edition, "plain", taught.lens, taught).save(profile)
    assert main(["calibrate", "board", str(plain), "--profile", str(profile)]) == 0
    assert "by the taught print, to " in capsys.readouterr().out
    assert main(["calibrate", "board", str(plain)]) == 2
    assert "give the corners" in capsys.readouterr().err


def test_without_a_calibrated_lens_the_focal_length_is_found_from_the_markers(marked: Frame) -> None:
    true = pose(BOARD, SHOT)
    found = find_board(marked, BOARD, PIECES)
    assert abs(found.registration.lens.matrix[0, 0] - true.lens.matrix[0, 0]) < 0.25 * true.lens.matrix[0, 0]
    assert off_mm(found, true) < 6.0

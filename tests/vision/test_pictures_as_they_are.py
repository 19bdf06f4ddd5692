"""Pictures as cameras give them: in grey, with shifted bands, of another shape; nothing sure is said of what is not shown."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.boards import load, load_pieces
from companion.calibration.training.stickers_composed import EMPTY, Scene, Shot, compose, pose, random_state
from companion.errors import BadInput
from companion.vision.camera import Lens
from companion.vision.faults import frame_fault
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.plain.colourless import WHY, ColourSettings, is_colourless, without_sides
from companion.vision.reading import Reading, Sighting

BOARD, PIECES = load("mr-jack-london"), load_pieces("mr-jack-london")
SHOT = Shot(size=(1280, 720), tilt=12, px_per_mm=1.4, noise=2, blur=0.5)
STATE = random_state(BOARD, PIECES, np.random.default_rng(2))


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    return compose(Scene(BOARD, PIECES, STATE, jitter=1), SHOT)


@pytest.mark.parametrize(("row", "shift"), [(208, 48), (360, 160), (520, -96)])
def test_a_picture_with_a_shifted_band_is_no_picture(picture: np.ndarray, row: int, shift: int) -> None:
    torn = picture.copy()
    torn[row:] = np.roll(torn[row:], shift, axis=1)
    assert frame_fault(picture) is None
    assert frame_fault(torn) == f"the picture is torn: a part of it lies {abs(shift)} pixels beside its place"


@pytest.mark.parametrize("run", [36, 40, 48])
def test_a_boards_edge_that_lies_nearly_along_the_rows_is_not_taken_for_a_torn_picture(run: int) -> None:
    """83502: from one row to the next all that runs along the edge, a sheet's end, a black rim, was shifted 32 pixels."""
    across, down = np.meshgrid(np.arange(1280), np.arange(720))
    depth = (across - 560) + (down - 160) * run
    board = np.select([depth < 0, depth < 90, depth < 200, depth < 320], [200, 0, 35, 110], 70)
    scene = np.where((down > 130) & (across > 360) & (across < 900), board, 100)
    scene = np.where((depth < -130) & (across > 360) & (across < 900), 100, scene)
    scene = scene + np.random.default_rng(7).normal(0, 1, scene.shape)
    assert frame_fault(np.repeat(np.clip(scene, 0, 255).astype(np.uint8)[..., None], 3, axis=2)) is None


def test_a_chequered_cloth_is_not_taken_for_a_torn_picture(picture: np.ndarray) -> None:
    cloth = np.repeat(((np.indices((720, 1280)) // 40).sum(0) % 2 * 180 + 30).astype(np.uint8)[..., None], 3, axis=2)
    cloth[150:600, 300:1000] = picture[150:600, 300:1000]
    assert frame_fault(cloth) is None


def test_a_picture_whose_last_rows_never_arrived_is_no_picture(picture: np.ndarray) -> None:
    torn = picture.copy()
    torn[-60:] = 128
    assert "did not arrive" in (frame_fault(torn) or "")


def test_a_lens_measured_in_pictures_of_another_shape_is_refused_and_not_stretched(picture: np.ndarray) -> None:
    reader = MarkedReader(BOARD, PIECES, Lens.guess((640, 480)))
    with pytest.raises(BadInput, match="measured in 640x480 pictures, the camera gives 1280x720"):
        reader.read(Frame(picture, 0.0, "night"))


def test_a_picture_in_grey_says_so_and_claims_no_sides(picture: np.ndarray) -> None:
    grey = np.repeat(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[..., None], 3, axis=2)
    tinted = np.clip(grey * np.array([1.1, 0.9, 1.05]), 0, 255).astype(np.uint8)
    assert is_colourless(grey, picture, ColourSettings())
    assert not is_colourless(picture, picture, ColourSettings())
    assert not is_colourless(picture // 4, picture, ColourSettings()), "dim is not grey"
    assert is_colourless(cv2.cvtColor(cv2.cvtColor(tinted, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), picture, ColourSettings())
    read = Reading((Sighting("holmes", "g5", "suspect"), Sighting("cover-a", "h6")))
    told = without_sides(read, PIECES)
    assert [one.piece for one in told.sightings] == ["cover-a"]
    assert told.unknown == {"holmes": WHY}
    assert told.lying == {"holmes": "g5"}
    assert WHY in told.problems


def test_a_covered_manhole_below_a_pencil_is_not_said_to_be_bare() -> None:
    covers = ["c2", "h6"]
    discs = {name: entry for name, entry in STATE["characters"].items() if entry["hex"] not in covers}
    state = {**STATE, "covers": covers, "characters": discs}
    steady = replace(SHOT, noise=0)
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, SHOT).lens)
    bare = Frame(compose(Scene(BOARD, PIECES, EMPTY), steady), 0.0, "bare")
    reader.learn(bare, reader.read(bare))
    x, y = BOARD.mm("h6")
    scene = Scene(BOARD, PIECES, state, jitter=1, extras=(("card", (x - 90, y - 3.5, x + 90, y + 3.5)),))
    reading = reader.read(Frame(compose(scene, steady), 1.0, "pencil")).reading
    claimed = {sighting.place for sighting in reading.sightings if sighting.piece.startswith("cover")}
    assert "h6" in claimed or "cover:h6" in reading.unknown

"""What lies beside a board whose game asks for it is black before a picture is kept or sent: a camera sees the sheet
that somebody writes on."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from testkit.night_table import GAME, sightings
from testkit.path_table import Pictures

from companion import boards
from companion.boards import board_from_json
from companion.boards.loading import shipped
from companion.boards.surface import Zone
from companion.errors import InvalidBoard
from companion.host.masking import box_of, cut, masked
from companion.host.picture_store import PictureStore
from companion.host.setup_vision import SetupVision
from companion.host.table import Table, TableSettings
from companion.record.log import Record
from companion.record.pictures import folder_of, referred
from companion.vision.camera import Lens, Registration
from companion.vision.frame import Frame, Image
from companion.vision.observation import Observation
from companion.vision.reading import Reading
from companion.vision.watching.frame_analysis import FrameAnalysis

BOARD = boards.load("letters-from-whitechapel")
SIZE = (960, 720)
SHEET = (255, 0, 255)
"""The colour of what lies beside the board, which nothing on the board has."""


def pose(tilt: float = 25.0, roll: float = 7.0, away: float = 1300.0) -> Registration:
    """A camera that looks at the board's middle, tilted and turned, ``away`` in mm."""
    focal = 0.85 * SIZE[0]
    matrix = np.array([[focal, 0, SIZE[0] / 2], [0, focal, SIZE[1] / 2], [0, 0, 1]])
    rotation = cv2.Rodrigues(np.radians([0.0, 0.0, roll]))[0] @ cv2.Rodrigues(np.radians([tilt, 0.0, 0.0]))[0]
    middle = np.array([BOARD.size_mm[0] / 2, BOARD.size_mm[1] / 2, 0.0])
    lens = Lens(matrix, np.array([-0.12, 0.03, 0.0, 0.0, 0.0]), SIZE)
    return Registration(lens, rotation, (np.array([0.0, 0.0, away]) - rotation @ middle).reshape(3, 1))


def photo(where: Registration) -> Image:
    """The board in grey, all around it the sheet: by asking each pixel which millimetre it shows."""
    ys, xs = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
    mm = where.locate(np.column_stack([xs.ravel(), ys.ravel()]).astype(np.float64))
    inside = ((mm >= 0) & (mm <= np.array(BOARD.size_mm))).all(axis=1).reshape(SIZE[1], SIZE[0])
    image = np.full((SIZE[1], SIZE[0], 3), SHEET, np.uint8)
    image[inside] = (128, 128, 128)
    return image


def of_the_sheet(image: Image) -> int:
    """Pixels that still show it (a pixel or two of blur at the edge do not)."""
    core = np.abs(image.astype(int) - np.array(SHEET)).max(axis=2) < 60
    return int(cv2.erode(core.astype(np.uint8), np.ones((3, 3), np.uint8)).sum())


def decoded(body: bytes | None) -> Image:
    assert body is not None
    return np.asarray(cv2.imdecode(np.frombuffer(body, np.uint8), cv2.IMREAD_COLOR), np.uint8)


class Found:
    """A watcher that is told what it finds."""

    def __init__(self) -> None:
        self.next = FrameAnalysis()

    def see(self, frame: Frame) -> FrameAnalysis:
        return self.next


class Masked:
    """A refereed table whose pictures are kept."""

    def __init__(self, folder: Path) -> None:
        self.record, self.eyes, self.shown = Record.open(folder / "game.record"), Found(), 0
        self.store = folder_of(self.record.path)
        self.table = Table(
            GAME, self.record, Pictures(), self.eyes, clock=lambda: 1000.0, steady=lambda: 0.0, match_id="g1",
            settings=TableSettings(tick_s=0.01), picture_store=PictureStore(self.store),
        )  # fmt: skip

    def show(self, image: Image, where: Registration | None, **more: Any) -> None:
        self.shown += 1
        at, laid = self.shown * 0.5, GAME.start().laid
        reading = Reading(sightings(laid), settled=True, captured_at=at)
        observation = Observation(replace(reading, settled=False), where)
        told = {"settled": reading if where is not None else None, "observation": observation, **more}
        self.eyes.next = FrameAnalysis(**told)
        self.table.look_at(Frame(image, at, "made", self.shown))


@pytest.fixture
def table(tmp_path: Path) -> Any:
    made = Masked(tmp_path)
    yield made
    made.table.stop()
    made.record.close()


@pytest.mark.parametrize("where", [pose(), pose(0.0, 0.0, 1500.0), pose(40.0, 80.0, 1400.0)])
def test_nothing_beside_the_board_is_left_and_all_of_the_board_is(where: Registration) -> None:
    image = photo(where)
    hidden = masked(image, where, BOARD)
    assert of_the_sheet(image) > 10_000 and of_the_sheet(hidden) == 0
    board = (image == 128).all(axis=2)
    core = cv2.erode(board.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool)
    assert (hidden[core] == 128).all()
    part = cut(hidden, box_of(image, where, BOARD))
    assert part.shape[0] * part.shape[1] < image.shape[0] * image.shape[1] and (part == 128).all(axis=2).sum() >= core.sum()


@pytest.mark.parametrize("overlay", [True, False])
def test_nothing_is_seen_before_the_board_is_found_and_none_of_its_surroundings_after(table: Masked, overlay: bool) -> None:
    where = pose()
    table.show(photo(where), None)
    assert decoded(table.table.picture(overlay)).max() < 10, "black"
    table.show(photo(where), where)
    sent = decoded(table.table.picture(overlay))
    assert of_the_sheet(sent) == 0 and (np.abs(sent.astype(int) - 128).max(axis=2) < 20).mean() > 0.4


def test_a_moving_camera_and_a_lost_board_send_the_last_picture_that_was_certain(table: Masked) -> None:
    where = pose()
    table.show(photo(where), where)
    before = table.table.picture(False)
    elsewhere = np.full((SIZE[1], SIZE[0], 3), SHEET, np.uint8)
    table.show(elsewhere, where, moving=True, settled=None)
    assert table.table.picture(False) == before
    table.show(elsewhere, where, lost="the board is out of sight", settled=None)
    assert table.table.picture(False) == before
    # Quiet, but what was found is older than the picture: the camera may stand elsewhere by now.
    stale = Observation(Reading((), captured_at=0.1), where)
    table.show(elsewhere, where, observation=stale, settled=None)
    assert table.table.picture(False) == before


def test_what_is_kept_on_the_disk_shows_the_board_alone(table: Masked) -> None:
    where = pose()
    table.show(photo(where), where)
    assert [event.kind for event in table.record.events() if referred(event)] == ["table-agreed"]
    files = list(table.store.iterdir())
    assert len(files) == 1 and of_the_sheet(decoded(files[0].read_bytes())) == 0


def test_the_lobby_of_a_running_game_shows_the_board_alone(tmp_path: Path) -> None:
    vision, where = SetupVision(BOARD, GAME.pieces()), pose()
    vision._registration = where
    frame = Frame(photo(where), 0.5, "made", 1)
    assert of_the_sheet(decoded(vision.overlay(frame, lines=True))) > 10_000, "the table is being set up: nobody writes yet"
    assert of_the_sheet(decoded(vision.overlay(frame, lines=True, private=True))) == 0


def test_boards_without_the_wish_keep_their_pictures_whole_and_another_word_is_a_fault() -> None:
    assert not boards.load("mr-jack-london").masked_outside and BOARD.masked_outside
    with pytest.raises(InvalidBoard, match="masked_outside is neither true nor false"):
        board_from_json({**shipped("letters-from-whitechapel"), "masked_outside": "yes"})


def test_zones_that_are_their_owners_alone_are_black_on_the_mat_too() -> None:
    outline = ((10.0, 10.0), (60.0, 10.0), (60.0, 50.0), (10.0, 50.0))
    zones = {name: Zone(name, "hand", outline, masked=name == "own") for name in ("own", "open")}
    where, image = pose(tilt=10.0), np.full((SIZE[1], SIZE[0], 3), 128, np.uint8)
    middle = tuple(round(float(v)) for v in where.project([(35.0, 30.0)])[0])
    for name, level in (("own", 0), ("open", 128)):
        found = masked(image, where, replace(BOARD, zones={name: zones[name]}))
        assert found[middle[1], middle[0]].max() == level
    assert boards.load("get-adler").masked_outside, "hands are held beside the mat"

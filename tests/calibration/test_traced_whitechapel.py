"""What is described to the path tracer of a table of Letters from Whitechapel: every piece, its sticker, what it stands on."""

import json
from pathlib import Path

import numpy as np
import pytest

from companion.calibration.training.laid_pieces import Put
from companion.calibration.training.trace_tables import LIGHTS
from companion.calibration.training.trace_whitechapel import WhitechapelSet, WhitechapelTable
from companion.calibration.training.whitechapel_copy import BOARD, PIECES
from companion.vision.marked.registration import sticker_corners

LAID = (
    Put("police-blue", "x042", None, (0.5, -0.5), 30.0),
    Put("scene-1", "27", None, (0.0, 1.0), 45.0),
    Put("wretched-1", "27", None, (0.3, 0.2), 200.0),
    Put("patrol-blue", "x058", "down", (0.0, 0.0), 10.0),
)


@pytest.fixture(scope="module")
def table() -> WhitechapelTable:
    return WhitechapelTable("lithograph", 5, (1280, 720), 30.0)


def made(table: WhitechapelTable, folder: Path, marked: bool = True) -> WhitechapelSet:
    return WhitechapelSet(table, LIGHTS[0], marked, folder)


def test_the_camera_sees_every_frame_sticker_from_its_tilt(table: WhitechapelTable) -> None:
    seen = np.vstack([table.pose.project(sticker_corners(one)) for one in PIECES.frame_markers.values()])
    assert ((seen > 0) & (seen < np.array(table.size))).all()
    assert table.pose.tilt_deg((BOARD.size_mm[0] / 2, BOARD.size_mm[1] / 2)) == pytest.approx(30.0, abs=0.1)


def test_every_piece_is_there_with_its_sticker_on_top(table: WhitechapelTable, tmp_path: Path) -> None:
    described = made(table, tmp_path)
    scene = json.loads(json.dumps(described.picture("000.jpg", LAID, table.pose, (described.lights, described.world), False)))
    solids = scene["pieces"]
    assert len(solids) == 2 * len(LAID)
    pawns = [one for one in solids if "profile" in one]
    assert len(pawns) == 2
    heights = {one["x"]: max(height for _, height in one["profile"]) for one in pawns}
    stickers = [one for one in solids if "sticker" in json.dumps(one.get("face", {}))]
    assert len(stickers) == len(LAID)
    for x, top in heights.items():
        (sticker,) = [one for one in stickers if one["x"] == x]
        assert sticker["bottom"] == pytest.approx(top)
    on_scene = next(one for one in pawns if abs(one["x"] - BOARD.mm("27")[0] - 0.3) < 1e-9)
    assert min(height for _, height in on_scene["profile"]) > 1.5, "it stands on the crime scene"
    assert all(Path(one["face"]["texture"]).exists() for one in solids if "face" in one)


def test_an_unmodified_copy_has_frame_stickers_only(table: WhitechapelTable, tmp_path: Path) -> None:
    described = made(table, tmp_path, marked=False)
    assert len(described.pieces(LAID)) == len(LAID)
    faces = [one["face"].get("texture", "") for one in described.things]
    assert sum("frame-" in face for face in faces) == len(PIECES.frame_markers)


def test_a_turned_sticker_lies_as_its_picture_is_turned(table: WhitechapelTable, tmp_path: Path) -> None:
    """The tracer turns the drawing by ``turn`` about the middle: so is the outline it is cut by."""
    (sticker,) = [one for one in made(table, tmp_path).pieces(LAID[:1]) if "sticker" in json.dumps(one.get("face", {}))]
    corner, middle = np.array(sticker["outline"][1]), np.array([sticker["x"], sticker["y"]])
    away = corner - middle  # the upper right corner before
    assert np.degrees(np.arctan2(away[1], away[0])) == pytest.approx(-45.0 + sticker["turn"], abs=0.1)

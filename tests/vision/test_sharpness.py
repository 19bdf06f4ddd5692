"""A picture's blur is measured on the frame stickers, and decides what may be called looked for."""

from dataclasses import replace

import numpy as np
import pytest
from surfaces import Put, shoot
from whitechapel_table import BOARD, PIECES, shot

from companion.calibration.training.stickers_composed import Shot, pose
from companion.vision.frame import Frame, Image
from companion.vision.marked.empty_place import why_not_empty
from companion.vision.marked.evidence import Evidence
from companion.vision.marked.occlusion_posterior import OcclusionPosterior
from companion.vision.marked.reader import MarkedReader
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.marked.settings import MarkedSettings
from companion.vision.marked.sharpness import spread_px
from companion.vision.marked.tile_sides import SideColours

CAMERA = shot((1840, 1035), 25.0)
"""Cells of 1.3 to 2 pixels."""
RED = sorted(BOARD.of_kind("red circle"))
BLURRED = "the picture is too blurred to read a sticker on "


def registered(camera: Shot, image: Image) -> RegisteredImage:
    return RegisteredImage(image, pose(BOARD, camera), BOARD, PIECES)


@pytest.mark.parametrize(
    "blur", [0.0, pytest.param(0.6, marks=pytest.mark.slow), pytest.param(1.0, marks=pytest.mark.slow), 1.4]
)
@pytest.mark.parametrize("size", [(1840, 1035), (2560, 1440)])
def test_the_spread_is_that_of_lens_and_pixels(size: tuple[int, int], blur: float) -> None:
    camera = replace(shot(size, 10.0), blur=blur)
    found = spread_px(registered(camera, shoot(BOARD, PIECES, (), camera, 3)))
    assert found is not None
    assert np.hypot(blur, 0.5) - 0.2 < found < np.hypot(blur, 0.5) + 0.2, "pixels add half a pixel"


def test_where_no_frame_sticker_is_in_sight_the_spread_is_not_known() -> None:
    grey = np.full((*CAMERA.size[::-1], 3), 120, np.uint8)
    assert spread_px(registered(CAMERA, grey)) is None


def test_a_place_is_called_empty_only_where_its_sticker_would_not_be_lost_in_the_blur() -> None:
    group = PIECES.groups["women"]

    def doubts(blur: float) -> dict[str, str]:
        camera = replace(CAMERA, blur=blur)
        seen = registered(camera, shoot(BOARD, PIECES, (), camera, 3))
        below = OcclusionPosterior(BOARD, PIECES, MarkedSettings().below)
        return why_not_empty(RED, group, Evidence(seen, None, None, None, SideColours(), below, MarkedSettings()))

    assert doubts(0.6) == {}
    assert doubts(2.4) == {spot: BLURRED + spot for spot in RED}


def test_where_all_is_blurred_nothing_that_was_not_found_is_called_absent() -> None:
    camera = replace(CAMERA, blur=2.4)
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, camera).lens)
    empty = Frame(shoot(BOARD, PIECES, (), camera, 3), 0.0, "made", 0)
    reader.learn(empty, reader.read(empty))
    found = reader.read(Frame(shoot(BOARD, PIECES, [Put("night-pawn", "night-1")], camera, 3), 1.0, "made", 1)).reading
    assert {f"woman:{spot}" for spot in RED} <= found.unknown.keys()
    assert {f"clue:{spot}" for spot in RED} <= found.unknown.keys()

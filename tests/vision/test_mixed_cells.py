"""Stickers whose bit cells are hardly larger than a camera's pixels are read by what its blur makes of each code."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from graph_table import NEAR
from surfaces import Put, shoot
from testkit.path_table import BOARD, PIECES

from companion.calibration.training.stickers_composed import pose
from companion.vision.marked.glance import Glance, Glances, GlanceSettings
from companion.vision.marked.markers import codes
from companion.vision.marked.mixed_cells import mixed_codes, mixing
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.marked.search import SearchSettings, _CloserLook, search

NAME = PIECES.dictionary
ALONE = np.array([0.0])
CIRCLES = sorted(BOARD.of_kind("circle"))
REACH_MM = 4.0
FAR = replace(NEAR, px_per_mm=1.35, size=(480, 360))
"""A camera in whose pictures the cells of the smallest stickers are about a pixel wide."""


def test_cells_much_larger_than_the_blur_keep_to_themselves() -> None:
    mixed = mixing(20.0 * np.eye(2), 0.9, ALONE)
    assert mixed[2, 2] > 0.99 and mixed.sum() == pytest.approx(1.0, abs=1e-5)
    assert np.allclose(mixed_codes(NAME, np.array([7]), mixed)[0, :, 1:-1, 1:-1], codes(NAME)[7], atol=0.05)


def test_what_is_narrow_in_the_picture_is_mixed_along_that_way_alone() -> None:
    mixed = mixing(np.diag([6.0, 1.0]), 0.9, ALONE)
    assert mixed[1, 2] > 0.15 > 10 * mixed[2, 1], "rows are steps down, columns to the right"
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    assert np.allclose(mixing(turn @ np.diag([6.0, 1.0]), 0.9, ALONE), mixed, atol=1e-5), (
        "how it is turned in the picture is all one"
    )


@pytest.mark.parametrize("cell_px", [1.0, 1.3])
def test_codes_are_mixed_as_a_camera_does_it(cell_px: float) -> None:
    """A marker drawn large, blurred and averaged to pixels, is like its own mixed code and unlike its plain one."""
    fine, number = 16, 31
    cells = np.pad(codes(NAME)[number, 0], 1, constant_values=-1.0)
    drawn = np.kron(np.pad(cells, 3, constant_values=1.0), np.ones((fine, fine))).astype(np.float32)
    spread = 0.9 / cell_px * fine
    seen = cv2.GaussianBlur(drawn, (0, 0), spread, borderType=cv2.BORDER_REPLICATE)
    middle = seen[fine // 2 :: fine, fine // 2 :: fine][3:-3, 3:-3]
    found = mixed_codes(NAME, None, mixing(cell_px * np.eye(2), 0.9, ALONE))
    alike = [np.corrcoef(middle.ravel(), found[number, turn].ravel())[0, 1] for turn in range(4)]
    assert alike[0] > 0.998 and max(alike[1:]) < 0.9
    assert np.corrcoef(middle[1:-1, 1:-1].ravel(), codes(NAME)[number, 0].ravel())[0, 1] < 0.85


def test_stickers_of_a_pixel_a_cell_are_read_and_nothing_else_is() -> None:
    spots = CIRCLES[2::7][:4]
    put = [Put(f"clue-{n + 1}", spot, None, (0.5, -0.4), 25.0 + 37.0 * n) for n, spot in enumerate(spots)]
    registered = RegisteredImage(shoot(BOARD, PIECES, put, FAR, 4), pose(BOARD, FAR), BOARD, PIECES)
    group, glances = PIECES.group_of("clue-1"), Glances(registered, GlanceSettings())
    cell_px = registered.registration.pixels_per_mm(BOARD.mm(spots[0]), group.height_mm) * group.marker_mm / 8
    assert 0.9 < cell_px < 1.25
    numbers = {sticker.marker: sticker.piece for sticker in PIECES.stickers.values()}
    plainly = SearchSettings(least_cell_px=SearchSettings().small_cell_px, large_cell_px=0.0)
    for one in put:
        (seen,) = glances.worth_a_search(group, [(BOARD.mm(one.at), REACH_MM)])  # type: ignore[arg-type]
        found = search(registered, seen, group, numbers)
        assert found.marker is not None and numbers[found.marker.id] == one.piece
        at = registered.registration.locate(found.marker.centre, group.height_mm)[0]
        assert np.hypot(*(at - BOARD.mm(one.at) - np.array(one.off_mm))) < 1.0  # type: ignore[arg-type]
        assert search(registered, seen, group, numbers, plainly).marker is None, "of cells that are their own none is asked"
        others = {number for number, piece in numbers.items() if piece != one.piece}
        assert search(registered, seen, group, others).marker is None, "it is taken for no other"
    bare = [spot for spot in CIRCLES if min(np.hypot(*np.subtract(BOARD.mm(spot), BOARD.mm(s))) for s in spots) > 20.0]
    outlines = glances.worth_a_search(group, [(BOARD.mm(spot), REACH_MM) for spot in bare])
    assert all(search(registered, glance, group, numbers).marker is None for glance in outlines)


def test_bits_without_a_black_border_are_no_sticker() -> None:
    """Drawing on a disc had the bits of a sticker, as mixed cells go, and a border as light as what lies around."""
    registered = RegisteredImage(np.zeros((360, 480, 3), np.uint8), pose(BOARD, FAR), BOARD, PIECES)
    group, mixed = PIECES.group_of("clue-1"), mixing(np.eye(2), 0.9, ALONE)
    (number,) = (sticker.marker for sticker in PIECES.stickers.values() if sticker.piece == "clue-1")
    seen, settings = Glance(0.8, BOARD.mm(CIRCLES[0]), 0.0), SearchSettings()
    printed = 120.0 + 60.0 * mixed_codes(NAME, np.array([number]), mixed)[0, 0]
    light = printed.copy()
    light[[0, -1]] += 150.0
    light[1:-1, [0, -1]] += 150.0
    for cells, found in ((printed, number), (light, None)):
        look = _CloserLook(seen, np.array([seen.middle]), np.zeros(1), cells[None].astype(np.float32), 1.0, mixed)
        sticker = (group.marker_mm, group.quiet_mm, group.height_mm)
        registered._found[("searched", seen, sticker, settings)] = look
        marker = search(registered, seen, group, {number}, settings).marker
        assert (marker.id if marker is not None else None) == found


def test_larger_cells_of_a_blurred_picture_are_read_as_mixed_once_by_themselves_they_tell_nothing() -> None:
    blurred = replace(FAR, px_per_mm=1.9, size=(640, 480), blur=1.3)
    put = [Put("clue-1", CIRCLES[9], None, (0.5, -0.4), 25.0), Put("clue-2", CIRCLES[-9], None, (-0.5, 0.3), 62.0)]
    registered = RegisteredImage(shoot(BOARD, PIECES, put, blurred, 4), pose(BOARD, blurred), BOARD, PIECES)
    group, glances = PIECES.group_of("clue-1"), Glances(registered, GlanceSettings())
    numbers = {sticker.marker: sticker.piece for sticker in PIECES.stickers.values()}
    assert registered.registration.pixels_per_mm(BOARD.mm(CIRCLES[9]), group.height_mm) * group.marker_mm / 8 > 1.3
    by_themselves = []
    for one in put:
        (seen,) = glances.worth_a_search(group, [(BOARD.mm(one.at), REACH_MM)])  # type: ignore[arg-type]
        by_themselves.append(search(registered, seen, group, numbers, SearchSettings(large_cell_px=0.0)).marker)
        found = search(registered, seen, group, numbers).marker
        assert found is not None and numbers[found.id] == one.piece
    assert None in by_themselves

"""How surely the pieces of Letters from Whitechapel are read by their stickers, over composed pictures of legal positions."""

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest
from surfaces import shoot
from whitechapel_table import BOARD, PIECES, put, shot, table, taught, verdicts

from companion.calibration.training.stickers_composed import Shot, pose
from companion.calibration.training.whitechapel_pictures import varied
from companion.games.letters_from_whitechapel.table import laid_of
from companion.vision.frame import Frame, Image
from companion.vision.marked.reader import MarkedReader
from companion.vision.reader import Region

LARGE = (3840, 2160)
"""A picture in which the smallest stickers, of 7.2 mm, are some 24 pixels wide."""
SMALLER = (2560, 1440)
"""One in which they are 17 pixels wide."""


def seen(reader: MarkedReader, shot: Shot, seed: int) -> tuple[Counter[str], list[str]]:
    """The verdicts on the position of one seed."""
    laid = laid_of(table(seed))
    pieces = put(laid, shot, np.random.default_rng([int(shot.tilt), shot.size[0], seed]))
    return verdicts(reader.read(Frame(shoot(BOARD, PIECES, pieces, shot, seed), 1.0, "made", seed + 1)).reading, laid)


def summed(found: Counter[str], verdict: str) -> dict[str, int]:
    """The groups of pieces with some of one verdict."""
    return {key: count for key, count in found.items() if key.endswith(verdict)}


def unread_pawn(image: Image, camera: Shot, spot: str) -> None:
    """Draw a policeman whose sticker nobody can read."""
    foot, top = (pose(BOARD, camera).project([BOARD.mm(spot)], height)[0] for height in (0.0, 22.0))
    ends = [(round(x), round(y)) for x, y in (foot, top)]
    cv2.line(image, *ends, (35, 45, 80), round(9.0 * camera.px_per_mm))
    cv2.circle(image, ends[1], round(4.5 * camera.px_per_mm), (70, 90, 160), -1)


def unreadable_sticker(image: Image, camera: Shot, spot: str) -> None:
    """Draw a policeman whose sticker nobody can read, on the whole as light as the board."""
    x, y = pose(BOARD, camera).project([BOARD.mm(spot)], 6.0)[0]
    half, cell = round(3.6 * camera.px_per_mm), round(2.4 * camera.px_per_mm)
    rows, columns = slice(round(y) - half, round(y) + half), slice(round(x) - half, round(x) + half)
    board = np.median(image[rows, columns].reshape(-1, 3), axis=0)
    dark = np.add.outer(np.arange(2 * half) // cell, np.arange(2 * half) // cell) % 2 == 0
    image[rows, columns] = np.clip(board + np.where(dark, -80, 80)[..., None], 0, 255)


def test_two_positions_are_read_exactly_and_what_has_no_sticker_is_not_called_absent() -> None:
    camera = shot(SMALLER, 10.0)
    reader = taught(camera)
    laid = laid_of(table(101))  # tokens of police and women, all others in the box
    image = shoot(BOARD, PIECES, put(laid, camera, np.random.default_rng(1)), camera, 7)
    found, lines = verdicts(reader.read(Frame(image, 1.0, "made", 8)).reading, laid)
    assert (found["patrols exact"], found["women exact"]) == (7, 8)
    unread_pawn(image, camera, "x042")
    assert "police-blue" in reader.read(Frame(image, 1.5, "made", 9)).reading.unknown
    image = shoot(BOARD, PIECES, put(laid, camera, np.random.default_rng(1)), camera, 7)
    assert not [one for one in reader.read(Frame(image, 1.6, "made", 9)).reading.unknown if one.startswith("police")]
    unreadable_sticker(image, camera, "x100")
    assert "police-blue" in reader.read(Frame(image, 1.7, "made", 9)).reading.unknown
    laid = laid_of(table(103))
    image = shoot(BOARD, PIECES, put(laid, camera, np.random.default_rng(1)), camera, 7)
    unread = {"1", "77", "120"} - {*laid.clues, *laid.scenes}
    for x, y in pose(BOARD, camera).project([BOARD.mm(cell) for cell in unread]):
        cv2.circle(image, (round(x), round(y)), round(5.5 * camera.px_per_mm), (70, 90, 160), -1)
    look = reader.read(Frame(image, 2.0, "made", 10))
    reading = look.reading
    spots = frozenset({"x001", "x002", "x003"})
    again = reader.read(Frame(image, 2.5, "made", 11), region=Region(look, spots)).reading
    assert again.unknown.keys() == reading.unknown.keys(), "what was doubted elsewhere still is"
    assert {f"clue:{cell}" for cell in unread} <= reading.unknown.keys()
    more = verdicts(reading, laid)
    assert all(more[0][f"{group} exact"] for group in ("police", "scenes", "pawn", "time", "night"))
    lines += more[1]
    assert not [line for line in lines if " bare unknown " not in line]
    assert len(lines) < 60, "what lies in the box makes no place doubtful that is in sight"


def test_an_empty_board_is_taken_at_its_word_where_some_stickers_would_be_too_small() -> None:
    camera = shot((1600, 900), 25.0)
    reader = taught(camera)
    empty = reader.read(Frame(shoot(BOARD, PIECES, (), camera, 4), 1.0, "made", 2)).reading
    assert any("too small in the picture" in why for why in empty.unknown.values())
    assert not any("was never shown bare" in why for why in empty.unknown.values())
    laid = laid_of(table(101))
    image = shoot(BOARD, PIECES, put(laid, camera, np.random.default_rng(1)), camera, 7)
    found, lines = verdicts(reader.read(Frame(image, 2.0, "made", 3)).reading, laid)
    assert not summed(found, " wrong")
    assert len([line for line in lines if "was never shown bare" in line]) < 30, "only beside sites that are too small"


def test_every_piece_is_read_where_a_cell_of_its_sticker_is_a_pixel_wide() -> None:
    camera = shot((1840, 1035), 40.0)
    reader = taught(camera)
    smallest = pose(BOARD, camera).scales([BOARD.mm(spot) for spot in BOARD.cells], 22.0).min()
    assert 0.8 < 7.2 / 8 * smallest < 1.0
    laid = laid_of(table(103))
    image = shoot(BOARD, PIECES, put(laid, camera, np.random.default_rng(1)), camera, 7)
    found, lines = verdicts(reader.read(Frame(image, 1.0, "made", 2)).reading, laid)
    assert not [line for line in lines if " bare unknown " not in line]
    assert all(found[f"{group} exact"] for group in ("police", "scenes", "pawn", "time", "night"))


def test_a_policeman_is_sought_as_far_off_as_hands_and_frame_stickers_have_him() -> None:
    """1.2 mm beside his crossing as he was laid, 2.8 mm in the pose that frame stickers laid by hand give."""
    camera, rng = shot((2720, 1530), 25.0), np.random.default_rng([54006, 25])
    light = varied(camera, rng)
    laid = laid_of(table(54006))
    image = shoot(BOARD, PIECES, put(laid, light, rng), light, 54006)
    found, lines = verdicts(taught(camera).read(Frame(image, 1.0, "made", 2)).reading, laid)
    assert found["police exact"] == 5, lines


def test_cells_as_small_are_read_as_sharply_as_a_picture_is_taken() -> None:
    camera = replace(shot((1840, 1035), 40.0), blur=0.0)
    reader = taught(camera)
    laid = laid_of(table(46002))
    image = shoot(BOARD, PIECES, put(laid, camera, np.random.default_rng(1)), camera, 7)
    found, lines = verdicts(reader.read(Frame(image, 1.0, "made", 2)).reading, laid)
    assert not [line for line in lines if " bare unknown " not in line]
    assert sum(summed(found, " exact").values()) == 19


def test_a_token_that_is_lost_in_the_blur_is_not_called_absent() -> None:
    """Its cells have 1.7 pixels, which was enough to call a place empty; a patrol token on x058 was absent."""
    camera = replace(shot((1840, 1035), 25.0), blur=2.0, noise=2.5)
    reader = taught(camera)
    laid, rng = laid_of(table(46203)), np.random.default_rng([25, 1840, 46203, 20])
    light = replace(
        camera, exposure=float(rng.uniform(0.6, 1.05)), slope=tuple(rng.uniform(-0.3, 0.3, 2)),
        noise=float(rng.uniform(1.5, 3.5)), vignette=float(rng.uniform(0.1, 0.4)), seed=46203,
    )  # fmt: skip
    image = shoot(BOARD, PIECES, put(laid, light, rng), light, 46203)
    reading = reader.read(Frame(image, 1.0, "made", 2)).reading
    assert not summed(verdicts(reading, laid)[0], " wrong")
    assert "too blurred" in reading.unknown["patrol:x058"]


@pytest.mark.slow
@pytest.mark.parametrize(("tilt", "first"), [(10.0, 300), (25.0, 200), (40.0, 100)])
def test_positions_of_legal_games_are_read_without_an_error(tilt: float, first: int) -> None:
    camera = shot(LARGE, tilt)
    reader = taught(camera)
    found = sum((seen(reader, camera, seed)[0] for seed in range(first, first + 8)), Counter[str]())
    assert not summed(found, " wrong"), dict(found)
    unknown = {key: count for key, count in summed(found, " unknown").items() if " bare " not in key}
    exact = sum(summed(found, " exact").values())
    assert sum(unknown.values()) <= 0.02 * exact, dict(found)


@pytest.mark.slow
def test_stickers_too_small_for_the_picture_are_unknown_and_never_wrong() -> None:
    camera = shot((1920, 1080), 25.0)
    reader = taught(camera)
    found = sum((seen(reader, camera, seed)[0] for seed in range(400, 412)), Counter[str]())
    assert not summed(found, " wrong"), dict(found)
    assert summed(found, " unknown")

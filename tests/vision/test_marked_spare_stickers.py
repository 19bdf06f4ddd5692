"""Sheets of spare stickers in view: what lies beside the board is no doubt of what lies on it, and never the board itself."""

from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from companion.boards import PieceSet, load, load_pieces
from companion.calibration.training.stickers_composed import (
    EMPTY,
    SCALE,
    Scene,
    Shot,
    compose,
    develop,
    marker_art,
    pose,
    random_state,
    warp,
)
from companion.vision.camera import Registration
from companion.vision.frame import Frame
from companion.vision.marked.markers import Marker
from companion.vision.marked.reader import MarkedReader
from companion.vision.marked.registration import register, sticker_corners
from companion.vision.observation import Observation
from companion.vision.table_sets.scoring import EXACT, WRONG, compare

LONDON = load("mr-jack-london"), load_pieces("mr-jack-london")
NEW_YORK = load("mr-jack-new-york"), load_pieces("mr-jack-new-york")
TABLES = {"london": LONDON, "new york": NEW_YORK}
STATES: dict[str, dict[str, Any]] = {
    "london": random_state(*LONDON, np.random.default_rng(4)),
    "new york": dict(NEW_YORK[0].start),
}
STATE = STATES["london"]
SHOT = Shot(size=(1280, 960), tilt=15, px_per_mm=1.4, noise=1.0, quality=95)
DEVELOPED = Shot(noise=1.0, blur=0, vignette=0, slope=(0.0, 0.0), quality=95)
PITCH_MM = 38.0
TABLE_MM = -2.0
Box = tuple[float, float, float, float]
Paper = tuple[list[int], tuple[float, float]]

DISCS = [marker for marker, one in LONDON[1].stickers.items() if LONDON[1].pieces[one.piece].group == "characters"]
FRAME = sorted(LONDON[1].frame_markers)
BELOW, ABOVE, RIGHT = (40.0, 430.0), (250.0, -100.0), (572.0, 60.0)


def sheet(pieces: PieceSet, ids: list[int], across: int = 5) -> np.ndarray:
    """A printed sheet (BGRA) with some stickers in rows, at the product's own pitch."""
    rows = -(-len(ids) // across)
    paper = np.full((round(rows * PITCH_MM * SCALE), round(min(len(ids), across) * PITCH_MM * SCALE), 4), 235, np.uint8)
    paper[..., 3] = 255
    for index, marker in enumerate(ids):
        frame = pieces.frame_markers.get(marker)
        like = frame if frame is not None else pieces.group_of(pieces.stickers[marker].piece)
        side, quiet = (like.side_mm, like.quiet_mm) if frame is not None else (like.marker_mm, like.quiet_mm)
        art = marker_art(pieces.dictionary, marker, side, quiet)
        row, column = divmod(index, across)
        top, left = (round((place + 0.5) * PITCH_MM * SCALE) - art.shape[0] // 2 for place in (row, column))
        paper[top : top + art.shape[0], left : left + art.shape[1], :3] = art[..., None]
    return paper


@cache
def _table(game: str, laid: bool) -> np.ndarray:
    board, pieces = TABLES[game]
    return compose(Scene(board, pieces, STATES[game] if laid else EMPTY), replace(SHOT, noise=0, quality=100))


def taken(
    *papers: Paper, over: Box | None = None, game: str = "london", laid: bool = True, paper_mm: float = TABLE_MM
) -> Frame:
    """A table with sheets of stickers on it, each by its upper left corner (board mm), and something ``over`` it."""
    board, pieces = TABLES[game]
    image, registration = _table(game, laid).copy(), pose(board, SHOT)
    for ids, (x, y) in papers:
        warp(sheet(pieces, ids), registration, x, y, paper_mm, image)
    if over is not None:
        x0, y0, x1, y1 = over
        corners = registration.project([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], 10.0)
        cv2.fillPoly(image, [corners.astype(np.int32)], (70, 90, 160), cv2.LINE_AA)
    return Frame(develop(image, DEVELOPED), 0.0, "test")


def reader(game: str = "london", *, bare: bool = True, lens: bool = True) -> MarkedReader:
    board, pieces = TABLES[game]
    eyes = MarkedReader(board, pieces, pose(board, SHOT).lens if lens else None)
    if bare:
        frame = taken(game=game, laid=False)
        eyes.learn(frame, eyes.read(frame))
    return eyes


def differing(observation: Observation, game: str = "london", only: str | None = None) -> list[Any]:
    board, pieces = TABLES[game]
    found = compare(STATES[game], observation.reading.state(board, pieces), observation.reading.unknown, pieces)
    return [verdict for verdict in found if verdict.verdict == only or (only is None and verdict.verdict != EXACT)]


# --- pieces ---------------------------------------------------------------------------------------------------------


def test_a_sheet_of_spare_stickers_in_view_makes_no_character_unknown() -> None:
    observation = reader(bare=False).read(taken((DISCS[:10], BELOW), (DISCS[10:11], ABOVE)))
    assert differing(observation) == []
    assert observation.problems == (), "a disc is not near a1 because a spare sticker of it lies far off the board"


@pytest.mark.parametrize("bare", [True, False])
def test_a_hidden_disc_is_not_gone_because_a_spare_sticker_of_it_lies_beside_the_board(bare: bool) -> None:
    x, y = LONDON[0].mm(STATE["characters"]["holmes"]["hex"])
    observation = reader(bare=bare).read(taken((DISCS[:10], BELOW), over=(x - 25, y - 25, x + 25, y + 25)))
    assert differing(observation, only=WRONG) == []
    assert set(observation.reading.unknown) == {"holmes"}


def test_two_stickers_of_one_disc_on_the_board_stay_a_doubt() -> None:
    taken_cells = {entry["hex"] for entry in STATE["characters"].values()}
    free = sorted(LONDON[0].of_kind("street") - taken_cells)[0]
    x, y = LONDON[0].mm(free)
    marker = next(one.marker for one in LONDON[1].stickers.values() if one.piece == "watson")
    observation = reader(bare=False).read(
        taken(([marker], (x - PITCH_MM / 2, y - PITCH_MM / 2)), ([marker], ABOVE), paper_mm=0.3)
    )
    assert "seen 2 times" in observation.reading.unknown["watson"]
    assert free in observation.reading.unknown["watson"]
    assert differing(observation, only=WRONG) == []


def test_spare_tiles_of_new_york_beside_its_supply_say_nothing_of_those_on_the_board() -> None:
    pieces = NEW_YORK[1]
    tiles = [marker for marker, one in pieces.stickers.items() if pieces.pieces[one.piece].group == "tiles"]
    observation = reader("new york").read(
        taken((tiles[:10], BELOW), (tiles[:3] + sorted(pieces.frame_markers)[:2], ABOVE), game="new york")
    )
    assert observation.problems == ()
    assert differing(observation, "new york", WRONG) == []
    assert differing(observation, "new york") == []


# --- the board ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lens", [True, False], ids=["known lens", "guessed lens"])
def test_frame_stickers_seen_three_times_do_not_lose_the_board(lens: bool) -> None:
    observation = reader(bare=False, lens=lens).read(taken((FRAME + DISCS[:6], BELOW), (FRAME, ABOVE)))
    assert observation.registration is not None
    assert differing(observation) == []


def test_half_a_board_beside_a_sheet_is_never_put_where_the_sheet_lies() -> None:
    width, height = LONDON[0].size_mm
    eyes = reader()
    known = eyes.read(taken()).registration
    assert known is not None
    halves = [(-60.0, -60.0, width / 2, height + 20), (-60.0, height / 2, width + 60, height + 20)]
    for over in (*halves, (-60.0, -60.0, width + 50, height + 20)):
        frame = taken((FRAME + DISCS[:6], BELOW), over=over)
        off = eyes.displacement_px(frame, known)
        assert off is None or off < 3.0, "the board has not moved"
        for eye in (reader(), eyes):
            assert differing(eye.read(frame), only=WRONG) == []


def test_a_sheet_over_a_corner_of_the_board_with_its_frame_sticker_makes_nothing_wrong() -> None:
    observation = reader().read(taken((FRAME + DISCS[:6], (-60.0, 330.0)), paper_mm=0.3))
    assert observation.registration is not None
    assert differing(observation, only=WRONG) == []


# --- which of several, without pictures -------------------------------------------------------------------------------


def markers(numbers: list[int], step_mm: tuple[float, float] = (0.0, 0.0), turn: float = 0.0) -> list[Marker]:
    """The London board's frame stickers as a camera sees them; ``step_mm`` and ``turn`` (radians): laid elsewhere."""
    true, found = pose(LONDON[0], SHOT), []
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    for number in numbers:
        frame = LONDON[1].frame_markers[number]
        found.append(Marker(number, true.project(sticker_corners(frame) @ turned.T + step_mm, frame.height_mm)))
    return found


def registered(found: list[Marker], last: Registration | None = None) -> float | None:
    """By how many mm the board's corners are put elsewhere, None where it is not found."""
    true = pose(LONDON[0], SHOT)
    pose_found = register(found, true.lens, *LONDON, last=last)
    if pose_found is None:
        return None
    corners = np.array(LONDON[0].frame_corners_mm)
    return float(np.linalg.norm(pose_found.locate(true.project(corners)) - corners, axis=1).max())


def test_of_two_whole_sets_of_frame_stickers_neither_is_the_board_unless_one_was_before() -> None:
    both = [*markers(FRAME), *markers(FRAME, (30.0, 190.0), 0.5)]
    assert registered(both) is None
    assert registered(both, pose(LONDON[0], SHOT)) == pytest.approx(0.0, abs=0.5)


def test_of_two_whole_sets_one_of_which_lacks_a_sticker_the_other_is_the_board() -> None:
    assert registered([*markers(FRAME), *markers(FRAME[:3], (30.0, 190.0), 0.5)]) == pytest.approx(0.0, abs=0.5)


def test_more_stickers_of_one_number_than_are_tried_are_left_out() -> None:
    many = [one for step in range(5) for one in markers([0], (30.0 * step + 40.0, 430.0))]
    assert registered([*markers(FRAME), *many]) == pytest.approx(0.0, abs=0.5)


def test_a_sticker_of_the_board_and_a_spare_one_are_no_pair() -> None:
    """A tilted pose can put two that do not belong together at their places: it was taken for the board, 250 mm off."""
    spare = markers([3], (120.0, 160.0))
    assert registered([*markers([1]), *spare]) is None


def test_a_sticker_found_twice_at_one_place_is_one() -> None:
    assert registered([*markers(FRAME), *markers(FRAME)]) == pytest.approx(0.0, abs=0.5)

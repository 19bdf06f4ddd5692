"""The parts of the marked mode: detector, registration, placing, second look, scoring."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.boards import load, load_pieces
from companion.calibration.training.stickers_composed import EMPTY, Scene, Shot, compose, pose, random_state
from companion.errors import BadInput
from companion.vision.camera import Lens
from companion.vision.frame import Frame
from companion.vision.marked.background import Foreground
from companion.vision.marked.claims import ClaimSettings
from companion.vision.marked.markers import Marker, MarkerDetector, cells_across, codes, diagonal_crossing
from companion.vision.marked.placing import Placer, direction_angles
from companion.vision.marked.reader import MarkedReader
from companion.vision.marked.registration import RegistrationSettings, fit_focal_length, register, sticker_corners
from companion.vision.table_sets.reading_metrics import confused
from companion.vision.table_sets.scoring import compare, reliability

BOARD, PIECES = load("mr-jack-london"), load_pieces("mr-jack-london")


def frame_markers(shot: Shot, off_mm: dict[int, tuple[float, float]] | None = None) -> list[Marker]:
    """The four frame stickers as a perfect detector would see them, some of them pushed aside."""
    registration = pose(BOARD, shot)
    return [
        Marker(
            marker,
            registration.project(sticker_corners(sticker) + np.array((off_mm or {}).get(marker, (0, 0))), sticker.height_mm),
        )
        for marker, sticker in PIECES.frame_markers.items()
    ]


def worst_mm(shot: Shot, found: object) -> float:
    cells = np.array(list(BOARD.centres.values()))
    seen = pose(BOARD, shot).project(cells)
    return float(np.linalg.norm(found.locate(seen) - cells, axis=1).max())  # type: ignore[attr-defined]


@settings(max_examples=25)
@given(tilt=st.floats(0, 45), azimuth=st.floats(0, 360), seed=st.integers(0, 9999))
def test_hand_laid_stickers_register_the_board_within_two_millimetres(tilt: float, azimuth: float, seed: int) -> None:
    shot = Shot(tilt=tilt, azimuth=azimuth)
    rng = np.random.default_rng(seed)
    off = {marker: tuple(rng.uniform(-0.9, 0.9, 2)) for marker in PIECES.frame_markers}
    found = register(frame_markers(shot, off), pose(BOARD, shot).lens, BOARD, PIECES)
    assert found is not None
    assert worst_mm(shot, found) < 2.0


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_stated_error_is_honest_for_crooked_stickers_however_few(count: int) -> None:
    rng, loose = np.random.default_rng(count), RegistrationSettings(largest_error=1e6)
    ratios = []
    for _ in range(60):
        shot = Shot(tilt=rng.uniform(0, 45), azimuth=rng.uniform(0, 360), px_per_mm=rng.uniform(1.5, 2.1))
        camera, markers = pose(BOARD, shot), []
        for marker in rng.choice(list(PIECES.frame_markers), count, replace=False):
            sticker, angle = PIECES.frame_markers[int(marker)], rng.normal(0, np.radians(1.0))
            turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
            laid = (sticker_corners(sticker) - sticker.centre_mm) @ turn + sticker.centre_mm + rng.uniform(-0.9, 0.9, 2)
            markers.append(Marker(int(marker), camera.project(laid, sticker.height_mm) + rng.normal(0, 0.25, (4, 2))))
        found = register(markers, camera.lens, BOARD, PIECES, loose)
        if found is not None:
            ratios.append(worst_mm(shot, found) / found.error_mm)
    assert len(ratios) > 50
    assert np.percentile(ratios, 95) < ClaimSettings().error_factor


def test_a_piece_is_not_claimed_where_the_registration_cannot_tell_two_cells_apart() -> None:
    placer, group = Placer(BOARD), PIECES.groups["characters"]
    x, y = BOARD.mm(sorted(BOARD.of_kind("street"))[20])
    assert placer.place(group, (x + 5, y), 2.0).verdict == "on"
    assert placer.place(group, (x + 5, y), 19.0).verdict == "between"


@pytest.mark.parametrize("left", [(0, 1, 2), (1, 2, 3), (0, 2, 3)])
def test_three_stickers_are_enough_and_the_stated_error_grows(left: tuple[int, ...]) -> None:
    shot = Shot(tilt=20)
    markers = frame_markers(shot)
    whole = register(markers, pose(BOARD, shot).lens, BOARD, PIECES)
    part = register([m for m in markers if m.id in left], pose(BOARD, shot).lens, BOARD, PIECES)
    assert whole is not None
    assert part is not None
    assert part.error_mm > whole.error_mm
    assert worst_mm(shot, part) < 0.1


def test_a_pushed_sticker_is_left_out() -> None:
    shot = Shot(tilt=15)
    found = register(frame_markers(shot, {2: (25.0, -10.0)}), pose(BOARD, shot).lens, BOARD, PIECES)
    assert found is not None
    assert worst_mm(shot, found) < 1.0


@pytest.mark.parametrize("left", [(0, 1), (1, 2), (2, 3)])
def test_two_small_stickers_lead_to_the_others(left: tuple[int, ...]) -> None:
    """Far away plain detection misses two of four, and two tell the board's place too roughly: it was not found at all."""
    shot = Shot(tilt=30, px_per_mm=1.0)
    camera, frame = pose(BOARD, shot), Frame(compose(Scene(BOARD, PIECES, EMPTY), shot), 0.0, "far")
    reader = MarkedReader(BOARD, PIECES, camera.lens)
    seen = [marker for marker in MarkerDetector(PIECES.dictionary).detect(frame.image) if marker.id in left]
    assert len(seen) == 2
    assert register(seen, camera.lens, BOARD, PIECES) is None
    found = reader.register(frame, seen)
    assert found is not None
    assert found.error_mm < 1.0
    corners = [[0.0, 0.0], list(BOARD.size_mm)]
    assert np.abs(found.project(corners) - camera.project(corners)).max() < 2.0


def covered_stickers(seed: int) -> tuple[MarkedReader, Frame, list[Marker], list[Marker]]:
    """A reader, a picture of a table, all markers on it and those of its pieces alone, as with all frame stickers covered."""
    shot = Shot(tilt=15, px_per_mm=1.9)
    state = random_state(BOARD, PIECES, np.random.default_rng(seed))
    frame = Frame(compose(Scene(BOARD, PIECES, state), shot), 0.0, "covered")
    seen = list(MarkerDetector(PIECES.dictionary, PIECES.marker_ids).detect(frame.image))
    on_pieces = [marker for marker in seen if marker.id not in PIECES.frame_markers]
    return MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens), frame, seen, on_pieces


@pytest.mark.parametrize("left", [0, 3])
def test_a_moment_in_which_nothing_tells_the_boards_place_does_not_make_it_forgotten(left: int) -> None:
    reader, frame, seen, on_pieces = covered_stickers(31)
    whole = reader.register(frame, seen)
    assert whole is not None
    assert reader.register(frame, on_pieces) is whole
    assert reader.register(frame, on_pieces[:left]) is None, "too few pieces to tell: nothing is claimed"
    assert reader.register(frame, on_pieces) is whole


def test_a_board_that_moved_while_its_stickers_were_covered_is_forgotten() -> None:
    reader, frame, seen, on_pieces = covered_stickers(32)
    assert reader.register(frame, seen) is not None
    assert reader.register(frame, []) is None
    assert reader.register(frame, [Marker(one.id, one.corners + 40.0) for one in on_pieces]) is None
    assert reader.register(frame, on_pieces) is None


def test_one_sticker_alone_registers_nothing() -> None:
    shot = Shot()
    assert register(frame_markers(shot)[:1], pose(BOARD, shot).lens, BOARD, PIECES) is None


def test_the_focal_length_of_a_guessed_lens_is_fitted() -> None:
    shot = Shot(tilt=35, distortion=(0.0,) * 5)
    markers = frame_markers(shot)
    fitted = fit_focal_length(markers, Lens.guess(shot.size), PIECES)
    assert fitted.squeeze == 1
    assert fitted.matrix[0, 0] == pytest.approx(pose(BOARD, shot).lens.matrix[0, 0], rel=0.06)


@pytest.mark.parametrize("tilt", [0, 35])
@pytest.mark.parametrize("squeeze", [3 / 4, 4 / 3, 8 / 9])
def test_through_a_camera_that_squeezes_its_pictures_discs_are_found_where_they_stand(squeeze: float, tilt: int) -> None:
    """Taken for square, half of the claims were unknown and the others wrong. Some squeezes a focal length makes up for."""
    shot = Shot(tilt=tilt, distortion=(0.0,) * 5)
    true = pose(BOARD, shot)
    markers = [Marker(one.id, one.corners * (squeeze, 1.0)) for one in frame_markers(shot)]
    fitted = fit_focal_length(markers, Lens.guess((round(shot.size[0] * squeeze), shot.size[1])), PIECES)
    found = register(markers, fitted, BOARD, PIECES)
    assert found is not None
    cells = np.array([BOARD.mm(cell) for cell in BOARD.cells])
    off = np.hypot(*(found.locate(true.project(cells, 4.0) * (squeeze, 1.0), 4.0) - cells).T)
    assert off.max() < BOARD.spacing_mm / 6, "discs are looked for within more"


@pytest.mark.parametrize("seed", range(4))
def test_stickers_laid_a_little_off_are_no_sign_of_squeezed_pictures(seed: int) -> None:
    shot, rng = Shot(tilt=(0, 12, 24, 35)[seed]), np.random.default_rng(seed)
    true = pose(BOARD, shot)
    markers = [Marker(one.id, true.project(true.locate(one.corners) + rng.normal(0, 3, 2))) for one in frame_markers(shot)]
    assert fit_focal_length(markers, Lens.guess(shot.size), PIECES).squeeze == 1


def test_no_marker_is_seen_in_pictures_that_have_none() -> None:
    rng = np.random.default_rng(3)
    detector = MarkerDetector(PIECES.dictionary)
    for _ in range(3):
        image = rng.integers(0, 255, (135, 240, 3), dtype=np.uint8).repeat(8, axis=0).repeat(8, axis=1)
        assert detector.detect(image) == ()


def test_an_unknown_dictionary_is_named() -> None:
    with pytest.raises(BadInput, match="DICT_NOT_THERE"):
        MarkerDetector("DICT_NOT_THERE")


def test_ids_outside_the_table_are_dropped() -> None:
    image = compose(Scene(BOARD, PIECES, EMPTY), Shot(px_per_mm=1.9))
    assert {m.id for m in MarkerDetector(PIECES.dictionary).detect(image)} == set(PIECES.frame_markers)
    assert {m.id for m in MarkerDetector(PIECES.dictionary, {1, 3}).detect(image)} == {1, 3}


def test_codes_are_far_apart_at_every_turn() -> None:
    table = codes(PIECES.dictionary).reshape(-1, 4, 36)
    upright = table[:, 0]
    agreement = np.einsum("ik,jtk->ijt", upright, table)
    agreement[np.arange(len(table)), np.arange(len(table)), 0] = 0
    assert agreement.max() <= 36 - 2 * 12


@pytest.mark.parametrize(("name", "cells"), [("DICT_ARUCO_MIP_36h12", 8), ("DICT_4X4_50", 6), ("DICT_7X7_50", 9)])
def test_a_marker_has_its_dictionarys_bits_and_a_border_around_them(name: str, cells: int) -> None:
    assert cells_across(name) == codes(name).shape[-1] + 2 == cells


def test_the_diagonals_of_a_square_cross_in_its_middle() -> None:
    assert diagonal_crossing(np.array([[0, 0], [4, 0], [4, 4], [0, 4]], float)) == pytest.approx((2, 2))


@given(st.sampled_from(sorted(BOARD.cells)), st.floats(0, 2 * math.pi), st.floats(0, 15.0))
@example("l12", -1.0644, 15.0)
@example("b1", 2.0759, 15.0)
def test_pieces_up_to_fifteen_millimetres_off_belong_to_their_cell(cell: str, angle: float, distance: float) -> None:
    x, y = BOARD.mm(cell)
    placing = Placer(BOARD).place(PIECES.groups["characters"], (x + distance * math.cos(angle), y + distance * math.sin(angle)))
    assert placing.spot == cell
    assert placing.verdict in ("on", "wrong-place")


@given(st.sampled_from(sorted(BOARD.cells)), st.sampled_from(BOARD.directions))
def test_a_piece_on_the_line_between_two_cells_is_on_neither(cell: str, direction: str) -> None:
    neighbour = BOARD.step(cell, direction)
    if neighbour is None:
        return
    middle = tuple(np.mean([BOARD.mm(cell), BOARD.mm(neighbour)], axis=0))
    assert Placer(BOARD).place(PIECES.groups["characters"], middle).verdict == "between"  # type: ignore[arg-type]


def test_a_pawn_whose_height_is_not_known_exactly_is_told_where_the_odds_lead() -> None:
    """Its foot may lie 4 mm nearer to the camera or further away: that is no doubt where only the one place may be its own."""
    board, groups = load("letters-from-whitechapel"), load_pieces("letters-from-whitechapel").groups
    circle, crossing = (np.array(board.mm(spot)) for spot in ("183", "x206"))
    apart = float(np.hypot(*(crossing - circle)))
    way = (crossing - circle) / apart
    placer, bound = Placer(board), 1.5

    def told(group: str, towards_mm: float, shift_mm: np.ndarray) -> tuple[str, str]:
        at, shift = circle + towards_mm * way, (float(shift_mm[0]), float(shift_mm[1]))
        placing = placer.place(groups[group], (float(at[0]), float(at[1])), bound, shift_mm=shift)
        return placing.verdict, placing.spot

    assert told("wretched", 2.0, 4.0 * way) == ("on", "183")
    assert told("police", 2.0, 4.0 * way)[0] == "between", "a policeman may be on the crossing only"
    assert told("police", apart - 1.0, 4.0 * way) == ("on", "x206")
    assert told("wretched", apart / 2, 4.0 * way)[0] == told("police", apart / 2, 4.0 * way)[0] == "between"
    assert told("wretched", apart, 0.5 * way) == ("on", "x206"), "where it may not be, once that is sure"


def test_facing_is_quantised_with_a_margin() -> None:
    placer = Placer(BOARD)
    for name, angle in direction_angles(BOARD).items():
        for off in (-15, 0, 15):
            turned = angle + math.radians(off)
            assert placer.facing((math.cos(turned), math.sin(turned))) == name
        between = angle + math.radians(30)
        assert placer.facing((math.cos(between), math.sin(between))) is None


def test_a_doubted_piece_is_never_counted_as_wrong() -> None:
    truth = {
        "characters": {"holmes": {"hex": "g5", "side": "suspect"}},
        "gaslights": {"b2": 1},
        "covers": ["c2"],
        "cordons": [],
        "turn": 1,
    }
    read = {"characters": {}, "gaslights": {"b2": 2}, "covers": [], "cordons": ["NE"], "turn": 1}
    found = {v.subject: v.verdict for v in compare(truth, read, ["holmes"], PIECES)}
    assert found == {"holmes": "unknown", "gaslight:b2": "wrong", "cover:c2": "wrong", "cordon:NE": "wrong", "turn": "exact"}


def test_a_doubt_about_the_one_piece_of_a_group_goes_by_its_own_name() -> None:
    pieces = load_pieces("letters-from-whitechapel")
    assert "night-pawn" in pieces.pieces, "not named like its group"
    found = {v.subject: v.verdict for v in compare({"night": 3}, {"night": None}, ["night-pawn"], pieces)}
    assert found == {"night-pawn": "unknown"}
    assert confused({"night": 3}, {"night": None}, ["night-pawn"], pieces)["night", "3", "unknown"] == 1


def test_the_reliability_curve_sets_what_was_claimed_beside_what_was_true() -> None:
    claims = [(0.92, True)] * 9 + [(0.92, False)] + [(0.9995, True)] * 5
    low, high = reliability(claims)
    assert (low.claims, low.true, round(low.claimed, 2)) == (10, 9, 0.92)
    assert (high.claims, high.true) == (5, 5)


def test_confusion_names_what_lies_on_a_place_and_what_was_read_there() -> None:
    truth = {"characters": {"holmes": {"hex": "a2", "side": "suspect"}, "bert": {"hex": "b3", "side": "suspect"}}, "turn": 3}
    read = {"characters": {"bert": {"hex": "a2", "side": "suspect"}}, "turn": 3}
    counts = confused(truth, read, ["holmes"], PIECES)
    assert counts["characters", "holmes suspect", "bert suspect"] == 1
    assert counts["characters", "bert suspect", "nothing"] == 1
    assert counts["turn", "3", "3"] == 1
    assert confused(truth, {"turn": 3}, ["holmes", "bert"], PIECES)["characters", "bert suspect", "unknown"] == 1


def test_squares_about_places_are_counted_as_pixel_by_pixel() -> None:
    chance = np.random.default_rng(4)
    compared = chance.random((70, 90)) < 0.9
    mask, redrawn = (chance.random(compared.shape) < share for share in (0.3, 0.01))
    found = Foreground(mask & compared, compared, redrawn)
    places = np.column_stack([chance.uniform(0, 90, 200), chance.uniform(0, 70, 200)])
    for reach in (0.4, 3.6, 4.5, 4.8):
        shares, steps = found.square_shares(places, reach), round(reach)
        for (x, y), share in zip(np.round(places).astype(int), shares, strict=True):
            here = (slice(max(0, y - steps), y + steps + 1), slice(max(0, x - steps), x + steps + 1))
            assert share == found.mask[here].sum() / max(1, compared[here].sum())
    drawn = [redrawn[max(0, y - 4) : y + 5, max(0, x - 4) : x + 5].any() for x, y in np.round(places).astype(int)]
    assert found.redrawn_at(places).tolist() == drawn and 0 < sum(drawn) < len(drawn)


@pytest.mark.parametrize(
    "distortion",
    [(0.1, -0.2, 0.001, -0.002), (0.1, -0.2, 0.001, -0.002, 0.05), (0.05, -0.02, 0.001, 0.001, 0.01, 0.02, 0.01, 0.0)],
)
@pytest.mark.parametrize("many", [3, 5000])
def test_points_are_projected_as_opencv_does_each_at_its_own_height(many: int, distortion: tuple[float, ...]) -> None:
    there, chance = pose(BOARD, Shot(tilt=30.0)), np.random.default_rng(5)
    registration = replace(there, lens=replace(there.lens, distortion=np.array(distortion)))
    mm, heights = chance.uniform(0, 400, (many, 2)), chance.uniform(0, 20, many)
    seen = registration.project(mm, heights)
    by_opencv, _ = cv2.projectPoints(
        np.column_stack([mm, -heights]), cv2.Rodrigues(registration.rotation)[0], registration.translation,
        registration.lens.matrix, registration.lens.distortion,
    )  # fmt: skip
    assert np.allclose(seen, by_opencv.reshape(-1, 2), atol=1e-9)
    assert np.allclose(registration.project([mm[0]], float(heights[0])), seen[:1], atol=1e-9)
    assert np.allclose(registration.locate(seen, heights), mm, atol=1e-4)
    assert registration.project(np.empty((0, 2))).shape == (0, 2)

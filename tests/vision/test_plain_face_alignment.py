"""A taught face is laid over a disc that was found beside its place: at every turn, in other light, with grain."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.plain.face_alignment import TURNS, FaceAligner
from companion.vision.plain.nets import Nets
from companion.vision.plain.stacks import DISC_MM, DISC_SIDE, Bytes, crop

RADIUS_MM = 12.5
SCALE = 4
MIDDLE = (DISC_SIDE * SCALE - 1) / 2
STEP_MM = DISC_MM / DISC_SIDE


def disc(
    portrait: int, at_mm: tuple[float, float] = (0.0, 0.0), turn: float = 0.0, light: float = 1.0, grain: float = 0.0
) -> Bytes:
    """A crop (48×48×3) on which a brown disc with a portrait lies beside the middle, turned (radians, clockwise)."""
    side = DISC_SIDE * SCALE
    picture = np.full((side, side, 3), 190, np.uint8)
    centre = (round(MIDDLE), round(MIDDLE))
    cv2.circle(picture, centre, round(RADIUS_MM / STEP_MM * SCALE), (40, 70, 120), -1, cv2.LINE_AA)
    cv2.circle(picture, centre, round(9.5 / STEP_MM * SCALE), (150, 190, 215), -1, cv2.LINE_AA)
    rng = np.random.default_rng(portrait)
    for _ in range(9):
        x, y = MIDDLE + rng.uniform(-6, 6, 2) / STEP_MM * SCALE
        axes = tuple(int(value) for value in rng.uniform(5, 20, 2))
        grey = tuple(float(value) for value in rng.uniform(10, 120, 3))
        cv2.ellipse(picture, (int(x), int(y)), axes, float(rng.uniform(0, 180)), 0, 360, grey, -1, cv2.LINE_AA)
    small = np.asarray(cv2.resize(picture, (DISC_SIDE, DISC_SIDE), interpolation=cv2.INTER_AREA), np.uint8)
    laid = crop(small, (0.0, 0.0), turn, DISC_SIDE, DISC_MM, 1 / STEP_MM)
    moved = crop(laid, (-at_mm[0], -at_mm[1]), 0.0, DISC_SIDE, DISC_MM, 1 / STEP_MM)
    noise = rng.normal(0, grain, moved.shape)
    return np.asarray(np.clip(moved * light + noise, 0, 255), np.uint8)


@settings(max_examples=40)
@given(
    x=st.floats(-3.7, 3.7), y=st.floats(-3.7, 3.7), turn=st.floats(0, 2 * np.pi), light=st.floats(0.5, 1.15),
    portrait=st.integers(0, 200),
)  # fmt: skip
def test_a_face_is_found_where_it_lies_and_as_it_is_turned(
    x: float, y: float, turn: float, light: float, portrait: int
) -> None:
    pose = FaceAligner(RADIUS_MM).pose(disc(portrait, (x, y), turn, light, grain=3.0), disc(portrait))
    assert np.hypot(pose.offset_mm[0] - x, pose.offset_mm[1] - y) < 1.2
    assert abs((pose.turn - turn + np.pi) % (2 * np.pi) - np.pi) <= 1.5 * 2 * np.pi / TURNS
    assert pose.alike > 0.7


def test_another_face_is_less_alike_wherever_it_is_laid() -> None:
    seen = [disc(portrait, (1.5, -2.0), 0.7 * portrait, grain=3.0) for portrait in range(6)]
    alike = np.array([[FaceAligner(RADIUS_MM).pose(one, disc(portrait)).alike for portrait in range(6)] for one in seen])
    others = np.where(np.eye(6, dtype=bool), -1.0, alike).max(axis=1)
    assert (alike.diagonal() > others + 0.15).all(), alike.round(2)


@pytest.mark.parametrize("light", [255.0, 0.0])
def test_a_crop_without_any_drawing_is_like_nothing(light: float) -> None:
    """Burnt out, or pitch dark."""
    pose = FaceAligner(RADIUS_MM).pose(np.full((DISC_SIDE, DISC_SIDE, 3), light, np.uint8), disc(1))
    assert abs(pose.alike) < 0.1


def test_a_face_laid_where_it_fits_shows_though_the_disc_was_found_three_millimetres_beside() -> None:
    nets, face, turn = Nets(1 / STEP_MM), disc(7), 1.2
    seen = disc(7, (2.2, -2.2), turn)
    pose = FaceAligner(RADIUS_MM).pose(seen, face)
    laid = crop(seen, pose.offset_mm, 0.0, DISC_SIDE, DISC_MM, 1 / STEP_MM)
    found, aligned = (float(nets.shows(one, [face], np.array([[pose.turn, pose.turn]]))[0]) for one in (seen, laid))
    assert aligned > 4 > found, (found, aligned)

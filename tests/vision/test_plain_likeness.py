"""Thin lines on white paper, turned, moved, blurred and in another light, told apart by the network of taught faces."""

import cv2
import numpy as np
import pytest

from companion.vision.plain.nets import Nets
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.stacks import DISC_MM, DISC_SIDE, Bytes, crop

RADIUS_MM = 13.5
SURE = 5.0


@pytest.fixture(scope="module")
def nets() -> Nets:
    return Nets(PlainSettings().surface.scale)


def drawn(seed: int) -> Bytes:
    """A white disc with a coloured rim and some strokes."""
    rng = np.random.default_rng(seed)
    wide = np.full((DISC_SIDE * 4, DISC_SIDE * 4, 3), 120, np.uint8)
    middle = (DISC_SIDE * 2, DISC_SIDE * 2)
    radius = round(RADIUS_MM / DISC_MM * DISC_SIDE * 4)
    cv2.circle(wide, middle, radius, (130, 40, 90), -1)
    cv2.circle(wide, middle, radius - 10, (215, 235, 230), -1)
    for _ in range(7):
        points = rng.integers(-radius // 2, radius // 2, (3, 2)) + middle[0]
        cv2.polylines(wide, [points.astype(np.int32).reshape(-1, 1, 2)], False, (60, 60, 60), 5)
    return np.asarray(cv2.resize(wide, (DISC_SIDE, DISC_SIDE), interpolation=cv2.INTER_AREA), np.uint8)


def seen_at(face: Bytes, turn: float, rng: np.random.Generator) -> Bytes:
    """The same a moment later, in the same light."""
    there = cv2.GaussianBlur(
        crop(face, (0.3, -0.2), turn, DISC_SIDE, DISC_MM, DISC_SIDE / DISC_MM).astype(np.float64), (0, 0), 0.7
    )
    return np.asarray(np.clip(there + rng.normal(0, 2.0, there.shape), 0, 255), np.uint8)


def seen(face: Bytes, turn: float, rng: np.random.Generator, off_mm: float = 0.8) -> Bytes:
    """The same as a camera sees it later."""
    x, y = rng.uniform(-off_mm, off_mm, 2)
    there = crop(face, (float(x), float(y)), turn, DISC_SIDE, DISC_MM, DISC_SIDE / DISC_MM).astype(np.float64)
    light = np.linspace(0.5, 0.9, DISC_SIDE)[None, :, None] * [1.0, 0.85, 0.7]
    blurred = cv2.GaussianBlur(there * light, (0, 0), 0.8)
    return np.asarray(np.clip(blurred + rng.normal(0, 2.0, blurred.shape), 0, 255), np.uint8)


def ratios(nets: Nets, disc: Bytes, faces: list[Bytes], turn: float) -> np.ndarray:
    """Log-likelihood ratios of taught faces on a disc that lies turned by radians, each tried at that turn and at another."""
    turns = np.tile([turn, turn + 2.0], (len(faces), 1))
    return nets.shows(disc, faces, turns)


def test_a_taught_face_is_known_again_at_any_turn(nets: Nets) -> None:
    faces, rng = [drawn(seed) for seed in range(8)], np.random.default_rng(5)
    for index, face in enumerate(faces):
        turn = float(rng.uniform(0, 2 * np.pi))
        alike = ratios(nets, seen(face, turn, rng), faces, turn)
        assert alike[index] > max(0.0, np.delete(alike, index).max() + 1)


def test_a_face_is_told_from_the_same_one_printed_darker(nets: Nets) -> None:
    """Whichever of the two lies there; and neither is told where both were taught alike."""
    rng, sure = np.random.default_rng(7), 0
    for seed in range(6):
        first = drawn(seed)
        second = np.asarray(first * 0.55, np.uint8)
        for shown, sign in ((first, 1), (second, -1)):
            turn = float(rng.uniform(0, 2 * np.pi))
            one, other = ratios(nets, np.asarray(seen_at(shown, turn, rng), np.uint8), [first, second], turn)
            assert sign * (one - other) > -1
            sure += sign * (one - other) > SURE
        one, other = ratios(nets, seen_at(first, 0.5, rng), [first, first.copy()], 0.5)
        assert one == pytest.approx(other)
    assert sure >= 8


@pytest.mark.parametrize("grey", [0, 128, 255])
def test_a_disc_without_any_drawing_shows_no_taught_face(nets: Nets, grey: int) -> None:
    disc = np.full((DISC_SIDE, DISC_SIDE, 3), grey, np.uint8)
    assert ratios(nets, disc, [drawn(1), drawn(2)], 0.0).max() < 0

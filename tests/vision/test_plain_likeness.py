"""Thin lines on white paper, turned, moved, blurred and under another light, told from one another by what is drawn."""

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.boards import load_pieces
from companion.vision.plain.evidence import BARE, REJECT, CellFeatures
from companion.vision.plain.face_similarity import FaceSimilarity
from companion.vision.plain.posteriors import PosteriorEstimator
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.stacks import DISC_MM, DISC_SIDE, Bytes, crop

RADIUS_MM = 13.5
WALKERS = [piece.id for piece in load_pieces("mr-jack-new-york").in_group("characters")]


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


def seen(face: Bytes, turn: float, rng: np.random.Generator, off_mm: float = 0.8) -> Bytes:
    """The same as a camera sees it later."""
    x, y = rng.uniform(-off_mm, off_mm, 2)
    there = crop(face, (float(x), float(y)), turn, DISC_SIDE, DISC_MM, DISC_SIDE / DISC_MM).astype(np.float64)
    light = np.linspace(0.5, 0.9, DISC_SIDE)[None, :, None] * [1.0, 0.85, 0.7]
    blurred = cv2.GaussianBlur(there * light, (0, 0), 0.8)
    return np.asarray(np.clip(blurred + rng.normal(0, 2.0, blurred.shape), 0, 255), np.uint8)


@pytest.mark.parametrize("off_mm", [0.8, 3.5])
def test_a_drawing_is_known_again_at_any_turn(off_mm: float) -> None:
    """Also where the disc was found a little beside its place."""
    faces = [drawn(seed) for seed in range(8)]
    likeness, rng = FaceSimilarity(faces, RADIUS_MM), np.random.default_rng(5)
    for index, face in enumerate(faces):
        alike = likeness.of(seen(face, float(rng.uniform(0, 2 * np.pi)), rng, off_mm))
        assert int(alike.argmax()) == index
        assert alike[index] > 0.8
        assert np.delete(alike, index).max() < alike[index] - 0.1


@pytest.mark.parametrize("grey", [0, 128, 255])
def test_a_disc_without_any_drawing_is_like_none(grey: int) -> None:
    likeness = FaceSimilarity([drawn(1), drawn(2)], RADIUS_MM)
    assert np.abs(likeness.of(np.full((DISC_SIDE, DISC_SIDE, 3), grey, np.uint8))).max() < 0.3


def test_a_drawing_says_whose_second_side_it_is_and_that_a_disc_lies_there() -> None:
    """Which side is up, or who else it may be, it does not."""
    pieces, rng = load_pieces("mr-jack-new-york"), np.random.default_rng(1)
    faces = {piece: drawn(seed) for seed, piece in enumerate(WALKERS[:4])}
    backs = SimpleNamespace(pieces=tuple(faces), crops=tuple(faces.values()))
    finder = SimpleNamespace(radius_mm=RADIUS_MM)
    extractor: Any = SimpleNamespace(pieces=pieces, backs=backs, finder=finder)
    estimator = PosteriorEstimator(extractor, {}, {}, SimpleNamespace(), PlainSettings().judge)  # type: ignore[arg-type]
    names = (BARE, REJECT, *(f"{piece}/{face}" for piece in WALKERS for face in pieces.pieces[piece].faces))
    mine = WALKERS[2]
    features: Any = CellFeatures("H7", names, stack=(seen(faces[mine], 1.0, rng), np.zeros((1, 1))))
    before = rng.dirichlet(np.ones(len(names)))
    after = estimator._with_drawing(features, before)
    second = [names.index(f"{piece}/{pieces.pieces[piece].faces[1]}") for piece in faces]
    first = [index for index, name in enumerate(names) if "/" in name and index not in second]
    assert after[second].sum() / after[first].sum() == pytest.approx(before[second].sum() / before[first].sum())
    assert after[first] / after[first].sum() == pytest.approx(before[first] / before[first].sum())
    assert after[:2].sum() < 0.1 * before[:2].sum()
    bare: Any = CellFeatures("H7", names, stack=(seen(drawn(99), 1.0, rng), np.zeros((1, 1))))
    assert estimator._with_drawing(bare, before)[:2] == pytest.approx(before[:2])
    assert after[names.index(f"{mine}/{pieces.pieces[mine].faces[1]}")] > 0.9 * after[second].sum()
    extractor.backs = None
    assert (
        PosteriorEstimator(extractor, {}, {}, SimpleNamespace(), PlainSettings().judge)._with_drawing(features, before)
        is before
    )  # type: ignore[arg-type]

"""A board that does not lie flat is read as one that does."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.calibration.training.bent_boards import SHAPES, read
from companion.calibration.training.judge import STEEPEST, table_of
from companion.calibration.training.second_sides import ORDINARY
from companion.vision.camera import Lens, Registration
from companion.vision.flexure import Flexure, fitted
from companion.vision.table_sets.scoring import EXACT, WRONG

SIZE_MM = (640.0, 480.0)
FOLDS = ((0.5,), (0.5,))


def spread(count: int, seed: int) -> np.ndarray:
    """Points all over a board (N×2 mm)."""
    return np.random.default_rng(seed).uniform((0, 0), SIZE_MM, (count, 2))


@pytest.mark.parametrize("shape", SHAPES)
def test_what_a_fold_shifts_is_found_though_a_quarter_of_it_is_hidden(shape: str) -> None:
    mm, rng = spread(36, 1), np.random.default_rng(2)

    def shift(at: np.ndarray) -> np.ndarray:
        return np.outer(SHAPES[shape](*(at / SIZE_MM).T).sum(axis=1), (1.5, -2.0))

    seen = shift(mm) + rng.normal(0, 0.2, mm.shape)
    seen[:9] = rng.uniform(-3, 3, (9, 2))  # found on pieces
    everywhere = spread(500, 3)
    off = np.hypot(*(fitted(mm, seen, np.full(36, 0.2), SIZE_MM, FOLDS).at(everywhere) - shift(everywhere)).T)
    assert np.quantile(off, 0.9) < 0.6 and np.median(off) < 0.25


def test_nothing_is_shifted_where_nothing_was_measured() -> None:
    assert fitted(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0), SIZE_MM, FOLDS).most_mm == 0
    flat = fitted(spread(36, 4), np.random.default_rng(5).normal(0, 0.1, (36, 2)), np.full(36, 0.15), SIZE_MM, FOLDS)
    assert flat.most_mm < 0.5, "the noise of what is measured is no flexure"


@given(st.integers(0, 10_000))
def test_pixels_lead_back_to_where_they_came_from(seed: int) -> None:
    rng = np.random.default_rng(seed)
    flexure = Flexure(rng.normal(0, 1.5, (6, 6, 2)).astype(np.float32), SIZE_MM, FOLDS)
    lens = Lens.guess((1280, 720))
    away = Registration(lens, np.eye(3), np.array([[-320.0], [-240.0], [900.0]]), flexure=flexure)
    mm = spread(40, seed)
    mm = mm[np.abs(mm - np.array(SIZE_MM) / 2).min(axis=1) > 2 * flexure.most_mm]  # where panels lie apart, nothing is printed
    for height in (0.0, 8.0):
        assert np.abs(away.locate(away.project(mm, height), height) - mm).max() < 0.05
    flat = Registration(lens, away.rotation, away.translation)
    assert away.project(mm) == pytest.approx(flat.project(mm + flexure.at(mm)))


def test_beyond_the_board_all_is_shifted_as_at_its_edge() -> None:
    flexure = fitted(spread(60, 6), np.tile((2.0, -1.0), (60, 1)), np.full(60, 0.2), SIZE_MM, FOLDS)
    inside, beyond = flexure.at(np.array([[640.0, 240.0], [900.0, 240.0]]))
    assert beyond == pytest.approx(inside) and inside == pytest.approx((2, -1), abs=0.2)


@pytest.mark.parametrize(
    ("shape", "lifts_mm", "moved"),
    [
        ("fold", (4.0, 4.0, 0.0), False),
        pytest.param("fold", (0.0, 5.0, 5.0), False, marks=pytest.mark.slow),
        ("slipped", (0.0, 0.0, 2.5), True),
        pytest.param("edges", (0.0, 0.0, 6.0), True, marks=pytest.mark.slow),
        pytest.param("parted", (0.0, 2.0, 2.0), False, marks=pytest.mark.slow),
    ],
)
def test_a_board_that_lies_otherwise_than_when_it_was_taught_is_read(
    shape: str, lifts_mm: tuple[float, float, float], moved: bool
) -> None:
    """Its print lies up to five pixels beside where a flat board has it; two covers were claimed where none lay, and a quarter
    of the pieces was not told."""
    every = [v for some in read(table_of(3002, ORDINARY, STEEPEST), SHAPES[shape], lifts_mm, moved) for v in some]
    assert not [v for v in every if v.verdict == WRONG]
    assert sum(v.verdict != EXACT for v in every) <= 1

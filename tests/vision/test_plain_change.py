"""How much a place changed: colours that a camera renders anew are no piece, a piece of another colour is one."""

import numpy as np
import pytest

from companion.vision.plain.prepared_image import change_strength
from companion.vision.plain.settings import SurfaceSettings

FLOOR = SurfaceSettings().floor


def change(seen: tuple[float, float, float], bare: tuple[float, float, float]) -> float:
    one, other = (np.array([[colour]], np.float32) for colour in (seen, bare))
    return float(change_strength(one, other, FLOOR)[0, 0])


@pytest.mark.parametrize(
    ("bare", "now"),
    [
        ((0.068, 0.594, 1.567), (0.093, 0.599, 1.589)),
        ((0.081, 0.760, 1.734), (0.110, 0.758, 1.805)),
        ((0.774, 0.394, 0.008), (0.787, 0.404, 0.002)),
    ],
)
def test_a_saturated_colour_that_a_telephone_rendered_anew_is_bare_print(
    bare: tuple[float, float, float], now: tuple[float, float, float]
) -> None:
    """Medians of bare cells of another game's board in two photographs (BGR reflectances): up to 0.7 before, where 0.75 is
    something that lies there."""
    assert change(now, bare) < 0.45


WHITE, BLUE, RED = (1.0, 1.0, 1.0), (1.57, 0.6, 0.07), (0.01, 0.39, 0.77)


@pytest.mark.parametrize(
    ("piece", "bare"),
    [
        (piece, bare)
        for bare in (WHITE, BLUE, RED)
        for piece in ((0.05, 0.05, 0.05), (0.3, 0.9, 0.2), (0.1, 0.7, 0.9), (0.9, 0.3, 0.2))
    ],
)
def test_a_piece_of_another_colour_changes_all(piece: tuple[float, float, float], bare: tuple[float, float, float]) -> None:
    assert change(piece, bare) > 0.95

"""What pieces hide of the board's surface: measured only where they reach, and the same as measured everywhere."""

import numpy as np
import pytest

from companion.boards import PAIR
from companion.calibration.training.new_york_stickers import BOARD, PIECES
from companion.calibration.training.stickers_composed import Shot, pose
from companion.vision.marked.background import BackgroundModel
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.reading import Sighting

SHOT = Shot(tilt=35, azimuth=20, px_per_mm=1.5)


@pytest.mark.parametrize("seed", range(6))
def test_what_pieces_hide_is_the_same_as_measured_at_every_point(seed: int) -> None:
    rng = np.random.default_rng(seed)
    registered = RegisteredImage(np.zeros((8, 8, 3), np.uint8), pose(BOARD, SHOT), BOARD, PIECES)
    spot = str(rng.choice(sorted(BOARD.of_kind("street"))))
    x, y = BOARD.mm(spot)
    pairs = [pair for pair in BOARD.pairs(BOARD.of_kind("street")) if spot in pair.split(PAIR)]
    near = [
        Sighting("smith", spot, "suspect", None, 1.0, (x + rng.normal(0, 12), y + rng.normal(0, 12))),
        Sighting("barricade-a", pairs[0], None, None, 1.0, BOARD.mm(pairs[0])),
        Sighting("informant", spot, "silent", None, 1.0, (x + 30.0, y - 20.0)),
    ]
    steps = np.arange(61) - 30.0
    hidden = registered.hidden_by(near, steps + x, steps + y, 2.0)
    points = np.stack(np.meshgrid(steps + x, steps + y), axis=-1)
    expected = np.zeros(points.shape[:2], bool)
    for piece in near:
        for foot, top in registered.stands_over(piece):
            for share in (0.0, 0.5, 1.0):
                middle = np.asarray(foot) * (1 - share) + np.asarray(top) * share
                expected |= np.hypot(*np.moveaxis(points - middle, -1, 0)) <= registered.radius(piece) + 2.0
    assert 0.1 < expected.mean() < 0.95
    assert (hidden == expected).all()


def test_what_a_bare_board_shows_is_found_out_once() -> None:
    bare = BackgroundModel(np.full((80, 80, 3), 90, np.uint8), np.ones((80, 80), np.bool_))
    made: list[int] = []
    assert [bare.once("key", lambda: made.append(1) or 7) for _ in range(3)] == [7, 7, 7]
    assert made == [1]
    assert bare.shows((40.0, 40.0), 15.0)
    bare.valid[:] = False
    assert not BackgroundModel(bare.picture, bare.valid).shows((40.0, 40.0), 15.0), "another board is asked afresh"

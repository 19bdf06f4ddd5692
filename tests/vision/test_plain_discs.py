"""Where exactly in its cell a round piece lies: told by its rim, whatever lies below and around."""

import numpy as np
import pytest
from new_york_plain_fit import below_discs
from new_york_plain_judge import BOARD, START, frame
from new_york_plain_tables import PIECES, NewYorkTable

from companion.vision.plain.discs import DiscFinder, rims_of
from companion.vision.plain.reader import PlainReader, teach
from companion.vision.plain.scene import Scene
from companion.vision.plain.surface import View

SEEDS = (8510, 8511)
"""Copies on which half of the discs on tiles seemed to lie more than 2 mm beside their place while only edges counted."""
NEAR_MM = 2.0


@pytest.mark.parametrize("seed", SEEDS)
def test_discs_on_tiles_are_found_where_they_lie(seed: int) -> None:
    table = NewYorkTable(seed)
    empty, start = (frame(table.shoot(state)[0]) for state in ({}, START))
    reader = PlainReader(BOARD, PIECES, teach(empty, start, BOARD, PIECES, table.lens, START))
    state = below_discs(table.states(7)[7], np.random.default_rng((seed, 7)))
    picture, truth = table.shoot(state)
    image, examiner = reader._fitted(frame(picture)), reader._examiner
    pose = reader._tracker.follow(image, reader._taught.registration.lens, reader._last)
    assert pose is not None
    height, scale = examiner.walkers.height_mm, image.shape[1] / table.size[0]
    lying = {place.place: ((x, y), top) for place, x, y, _, top, _ in truth["laid"] if place.group == "characters"}
    off = []
    for clue in examiner.walkers_at(Scene(reader._sheet, View(image, pose), reader._maps), set(lying)):
        at, top = lying[clue.spot]
        there = pose.locate(truth["pose"].project([at], top) * scale, height)[0] - np.asarray(BOARD.mm(clue.spot))
        assert clue.disc is not None
        off.append(float(np.hypot(*(there - clue.disc.offset_mm))))
    assert len(off) == len(lying)
    assert sum(far > NEAR_MM for far in off) <= 1, off
    assert np.median(off) < NEAR_MM / 2


def disc(rim: tuple[float, float, float], finder: DiscFinder, side: int, halved: bool = False) -> np.ndarray:
    """A patch (H×W×3 reflectances) with a disc in its middle; ``halved``: the other half of its rim is black."""
    ys, xs = (np.mgrid[0:side, 0:side] - (side - 1) / 2) / 1.5
    patch = np.full((side, side, 3), 0.5, np.float32)
    patch[np.hypot(xs, ys) <= finder.radius_mm] = rim
    if halved:
        patch[(np.hypot(xs, ys) <= finder.radius_mm) & (xs < 0)] = 0.0
    return patch


def test_a_rim_of_one_colour_is_even_and_counts_wholly() -> None:
    finder = DiscFinder(15.0, 7.0, 1.5, 72)
    even, halved = (finder.unevenness(disc((0.1, 0.4, 0.1), finder, 72, half), (0.0, 0.0)) for half in (False, True))
    assert even < 0.05
    assert halved > 0.6
    assert finder.unevenness(disc((0.1, 0.4, 0.1), finder, 72), (4.0, 0.0)) > 0.3
    assert rims_of([even, even, halved]) == 1.0
    assert rims_of([1.0, 0.9, 0.1]) == 0.0
    assert rims_of([]) == 1.0

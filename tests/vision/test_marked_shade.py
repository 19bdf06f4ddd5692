"""Under a wide lamp every disc wears a soft shadow: a bare place below it is still bare, and a tile is never denied."""

from dataclasses import replace

import pytest

from companion.calibration.training.new_york_stickers import BOARD, EMPTY, GAME, PIECES, table
from companion.calibration.training.stickers_composed import Shot, compose, pose
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.marked.shade import Shade, ShadeSettings
from companion.vision.table_sets.scoring import EXACT, UNKNOWN, WRONG, compare

START = GAME.start().to_json()
SHOT = Shot(tilt=15, px_per_mm=1.8)
SHADOW = 0.4
ONTO = START | {
    "tiles": START["tiles"] | {"H5": "park", "E8": "building"},
    "characters": START["characters"]
    | {"smith": {"hex": "L13", "side": "suspect"}, "grant": {"hex": "C10", "side": "suspect"}},
}


def taken(state: dict, shot: Shot = SHOT, jitter: int = 1) -> Frame:
    return Frame(compose(table(state, 1, jitter, shadow=SHADOW), shot), 0.0, "test")


@pytest.fixture(scope="module")
def taught() -> MarkedReader:
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, SHOT).lens)
    empty = taken(EMPTY)
    reader.learn(empty, reader.read(empty))
    return reader


def test_bare_places_below_discs_in_soft_shadow_are_bare(taught: MarkedReader) -> None:
    reading = taught.read(taken(START)).reading
    verdicts = compare(START, reading.state(BOARD, PIECES), reading.unknown, PIECES)
    assert [one for one in verdicts if one.verdict == WRONG] == []
    assert len([one for one in verdicts if one.verdict == UNKNOWN]) <= 2, "of eight places below discs"
    assert sum(one.verdict == EXACT for one in verdicts) >= 18


@pytest.mark.parametrize("jitter", [3, 4])
def test_no_tile_below_a_disc_in_soft_shadow_is_denied(taught: MarkedReader, jitter: int) -> None:
    reading = taught.read(taken(ONTO, replace(SHOT, seed=jitter), jitter)).reading
    seen = reading.state(BOARD, PIECES)["tiles"]
    for spot in ("L13", "C10", "H5", "E8"):
        assert seen.get(spot) == ONTO["tiles"][spot] or f"tile:{spot}" in reading.unknown
    assert {spot: label for spot, label in seen.items() if ONTO["tiles"].get(spot) != label} == {}


def test_a_print_that_is_too_faint_to_compare_says_nothing() -> None:
    settings = ShadeSettings()
    assert Shade(0.9, 1.0, 0.05).print_survives(settings)
    assert not Shade(0.9, 1.0, 0.01).print_survives(settings)
    assert Shade(0.9, 1.0, 0.01).print_may_be_gone(settings)
    assert Shade(0.3, 0.3, 0.05).print_may_be_gone(settings)
    assert not Shade(0.9, 1.0, 0.05).print_may_be_gone(settings)
    assert not Shade(0.9, 0.3, 0.05).print_survives(settings), "what shows is far fainter than the print"

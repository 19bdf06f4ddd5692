"""From measures to probabilities of sides and strips: they add up, and what cannot be together is not claimed together."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.plain.evidence import ALIEN, BARE
from companion.vision.plain.side_measures import BARE as OF_BARE
from companion.vision.plain.side_measures import SIDE
from companion.vision.plain.side_scores import STRIP, beliefs, shipped, strip_odds, strips_at

CELLS = st.sampled_from(["A1", "A2", "A3", "A4", "A5"])
SPOTS = st.tuples(CELLS, CELLS).filter(lambda pair: pair[0] < pair[1])


@given(st.dictionaries(SPOTS, st.floats(-8, 8), max_size=8), st.integers(1, 3))
def test_strips_that_share_a_cell_are_never_both_likely(odds: dict[tuple[str, ...], float], count: int) -> None:
    at = strips_at(odds, count, 0.02)
    assert set(at) == set(odds)
    assert sum(at.values()) <= count + 1e-9
    for cell in {cell for spot in odds for cell in spot}:
        assert sum(value for spot, value in at.items() if cell in spot) <= 1 + 1e-9


def test_strips_are_weighed_as_every_way_to_lay_them() -> None:
    odds = {("A1", "A2"): 1.0, ("A2", "A3"): 0.5, ("A4", "A5"): -1.0}
    ways = [chosen for n in range(3) for chosen in itertools.combinations(odds, n) if len({*sum(chosen, ())}) == 2 * n]
    weights = [np.exp(sum(odds[spot] for spot in chosen)) * 0.1 ** (2 - len(chosen)) for chosen in ways]
    at = strips_at(odds, 2, 0.1)
    for spot, value in at.items():
        share = sum(weight for weight, chosen in zip(weights, ways, strict=True) if spot in chosen) / sum(weights)
        assert value == pytest.approx(share)


@pytest.mark.parametrize("situation", ["open", "covered", "lone"])
def test_what_was_there_before_counts_as_far_as_nothing_is_seen(situation: str) -> None:
    weights = shipped(situation)
    assert (len(weights.bare), len(weights.side)) == (len(OF_BARE), len(SIDE))
    nothing, sides = np.zeros(len(OF_BARE)), np.zeros((2, len(SIDE)))
    fresh = beliefs(weights, nothing, sides, ("lamp", "park"))
    again = beliefs(weights, nothing, sides, ("lamp", "park"), before="park", stay=0.9)
    assert sum(fresh.values()) == pytest.approx(1)
    assert list(fresh) == [BARE, ALIEN, "lamp", "park"]
    assert again["park"] / again["lamp"] == pytest.approx(9 * fresh["park"] / fresh["lamp"])


@pytest.mark.parametrize("situation", ["open", "covered", "lone"])
def test_a_likeness_never_speaks_against_a_side(situation: str) -> None:
    weights = shipped(situation)
    assert all(weights.side[SIDE.index(name)] >= 0 for name in ("alike", "lead", "network"))
    assert all(weights.side[SIDE.index(name)] <= 0 for name in ("raw", "lightness", "colour"))


def test_a_strip_like_the_taught_one_is_likelier() -> None:
    assert len(STRIP) == 6
    assert strip_odds(0.95, 0.9, 0.1, 0.0, 0.3) > 4 > -4 > strip_odds(0.4, 0.5, 2.0, 0.3, 0.5)

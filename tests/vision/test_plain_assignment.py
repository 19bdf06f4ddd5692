"""The exact one-to-one assignment against brute force."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.plain import assignment
from companion.vision.plain.assignment import PlaceWeights, marginals

WEIGHT = st.floats(0.01, 5.0)


def brute(places: list[PlaceWeights], counts: dict[str, int], missing: dict[str, float]) -> tuple[dict, float]:
    """Every way to put pieces on places, one by one."""
    total, at = 0.0, {(p.spot, kind): 0.0 for p in places for kind in counts}
    for choice in product([None, *counts], repeat=len(places)):
        used = {kind: choice.count(kind) for kind in counts}
        if any(used[kind] > counts[kind] for kind in counts):
            continue
        weight = 1.0
        for place, kind in zip(places, choice, strict=True):
            weight *= place.none if kind is None else place.kinds[kind]
        for kind, count in counts.items():
            weight *= missing[kind] ** (count - used[kind])
        total += weight
        for place, kind in zip(places, choice, strict=True):
            if kind is not None:
                at[place.spot, kind] += weight
    return at, total


@settings(max_examples=40)
@given(st.lists(st.tuples(WEIGHT, WEIGHT, WEIGHT), min_size=1, max_size=4), st.integers(1, 2), WEIGHT, WEIGHT)
def test_marginals_are_those_of_all_assignments(rows: list, count: int, absent_a: float, absent_b: float) -> None:
    places = [PlaceWeights(f"p{i}", none, {"a": a, "b": b}) for i, (none, a, b) in enumerate(rows)]
    counts, missing = {"a": count, "b": 1}, {"a": absent_a, "b": absent_b}
    at, total = brute(places, counts, missing)
    found = marginals(places, counts, missing)
    for (spot, kind), weight in at.items():
        assert found.at[spot][kind] == pytest.approx(weight / total, abs=1e-9)


def test_two_places_cannot_hold_the_same_piece() -> None:
    """A washed-out disc that looks most like red is the other piece when a clear red one is in sight."""
    places = [
        PlaceWeights("clear", 1e-6, {"red": 1.0, "orange": 1e-4}),
        PlaceWeights("washed-out", 1e-3, {"red": 0.6, "orange": 0.4}),
    ]
    found = marginals(places, {"red": 1, "orange": 1}, {"red": 1e-3, "orange": 1e-3})
    assert found.at["washed-out"]["orange"] > 0.99
    assert found.at["clear"]["red"] > 0.99


def test_a_piece_nobody_sees_is_missing() -> None:
    found = marginals([PlaceWeights("p", 1.0, {"red": 1e-6})], {"red": 1}, {"red": 1e-3})
    assert found.missing["red"] > 0.99


@pytest.mark.parametrize(("lost", "within"), [(0, 1e-5), (2, 3e-4)])
def test_places_as_good_as_empty_may_count_together(monkeypatch: pytest.MonkeyPatch, lost: int, within: float) -> None:
    rng = np.random.default_rng(3)
    kinds = [f"p{index}" for index in range(6)]
    bare = [PlaceWeights(f"s{i}", rng.uniform(0.5, 1), {kind: rng.uniform(0, 1e-6) for kind in kinds}) for i in range(70)]
    busy = [PlaceWeights(f"d{i}", 0.01, {kind: rng.uniform() for kind in kinds}) for i in range(6 - lost)]
    places = [*bare[:40], *busy, PlaceWeights("open", 1.0, {}), *bare[40:]]
    counts, missing = dict.fromkeys(kinds, 1), dict.fromkeys(kinds, 1e-3)
    together = marginals(places, counts, missing)
    monkeypatch.setattr(assignment, "TOGETHER", 1)
    alone = marginals(places, counts, missing)
    assert list(together.at) == list(alone.at) == [place.spot for place in places]
    for place in places:
        assert together.at[place.spot] == pytest.approx(alone.at[place.spot], abs=within)
    assert together.missing == pytest.approx(alone.missing, abs=within)

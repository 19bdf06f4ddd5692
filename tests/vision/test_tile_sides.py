"""Which side of a tile lies under a disc, by the colour of what a disc leaves in sight of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.marked.tile_sides import SideColours, SideColourSettings

LAMP, SUBWAY, PARK, BUILDING = (-0.4, -0.43, -0.19), (-0.27, -0.01, 0.41), (-0.19, 0.03, -0.27), (0.32, 0.19, -0.21)
LOOKS = SideColours(
    {name: (np.array(ring),) for name, ring in (("lamp", LAMP), ("subway", SUBWAY), ("park", PARK), ("building", BUILDING))}
)


@pytest.mark.parametrize(("ring", "side"), [(SUBWAY, "subway"), (PARK, "park"), (BUILDING, "building")])
def test_a_side_in_the_light_is_told(ring: tuple[float, float, float], side: str) -> None:
    assert LOOKS.side_of(np.array(ring), SideColourSettings()) == side


def test_a_bright_side_in_a_shadow_is_not_taken_for_a_dark_one() -> None:
    """Measured under one lamp (a path-traced table): an orange subway below a disc was called a brown lamp, 0.99."""
    for ring in ((-0.51, -0.27, -0.01), (-0.5, -0.24, 0.03)):
        assert LOOKS.side_of(np.array(ring), SideColourSettings()) is None
        assert LOOKS.side_of(np.array(ring), SideColourSettings(), expected="lamp") is None


@given(st.sampled_from(sorted(LOOKS.rings)), st.floats(0, 1), st.lists(st.floats(-0.04, 0.04), min_size=3, max_size=3))
def test_no_shadow_makes_a_side_another(side: str, shadow: float, grain: list[float]) -> None:
    told = LOOKS.side_of(LOOKS.rings[side][0] - shadow + np.array(grain), SideColourSettings())
    assert told in (None, side)

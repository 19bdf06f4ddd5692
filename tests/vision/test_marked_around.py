"""What shows around a piece says whether a tile lies below it: which rule decides, from top to bottom."""

import pytest

from companion.vision.marked.changed_area import ChangedArea
from companion.vision.marked.occlusion_rules import ALIKE, NO_RULE, TWO_SIDED, VisibleSurround, tile_presence
from companion.vision.marked.rim_comparison import Rim
from companion.vision.marked.settings import MarkedSettings
from companion.vision.marked.shade import Shade

SETTINGS = MarkedSettings()
SAME, TINTED, A_LITTLE, PART, ALL = (
    Rim(0.05, 0.02, True, 0.02),
    Rim(0.0, 0.0, True, 0.27),
    Rim(0.4, 0.1, True, 0.05),
    Rim(0.6, 0.3, True, 0.05),
    Rim(0.9, 0.7, True, 0.4),
)
SHOWS, GONE, FAINT = Shade(0.9, 1.0, 0.05), Shade(0.3, 0.5, 0.05), Shade(0.72, 1.0, 0.05)
TILE, DARK, NOTHING, HALF = (
    ChangedArea(0.95, 0.9, 300.0, 400.0, True),
    ChangedArea(0.95, 0.1, 300.0, 400.0, True),
    ChangedArea(0.0, 0.0, 10.0, 400.0, True),
    ChangedArea(0.5, 0.5, 80.0, 400.0, True),
)


@pytest.mark.parametrize(
    ("around", "lies", "rule"),
    [
        (VisibleSurround(), None, NO_RULE),
        (VisibleSurround(before=True), True, "a tile lay there before"),
        (VisibleSurround(SAME), None, NO_RULE),
        (VisibleSurround(SAME, in_place=True), False, "the rim has hardly changed"),
        (VisibleSurround(SAME, in_place=True, shade=GONE, before=True), False, "the rim has hardly changed"),
        (VisibleSurround(TINTED, in_place=True), None, NO_RULE),
        (VisibleSurround(TINTED, in_place=True, before=True), True, "a tile lay there before"),
        (VisibleSurround(ALL, in_place=True), True, "the rim is a tile's"),
        (VisibleSurround(ALL, in_place=True, shade=SHOWS), False, "the print shows through"),
        (VisibleSurround(None, in_place=True, shade=SHOWS, before=True), False, "the print shows through"),
        (VisibleSurround(A_LITTLE, in_place=True), False, "the rim is bare"),
        (VisibleSurround(A_LITTLE, in_place=True, shade=FAINT), False, "the rim is bare"),
        (VisibleSurround(A_LITTLE, in_place=True, shade=GONE), None, NO_RULE),
        (VisibleSurround(A_LITTLE, in_place=True, shade=GONE, before=True), True, "a tile lay there before"),
    ],
)
def test_a_place_of_tiles_with_two_sides(around: VisibleSurround, lies: bool | None, rule: str) -> None:
    assert tile_presence(around, True, SETTINGS) == (lies, rule)


@pytest.mark.parametrize(
    ("around", "lies", "rule"),
    [
        (VisibleSurround(), None, NO_RULE),
        (VisibleSurround(ALL, in_place=True), None, NO_RULE),
        (VisibleSurround(ALL, in_place=True, changed_area=TILE), True, "a tile sticks out"),
        (VisibleSurround(None, changed_area=TILE), True, "a tile sticks out"),
        (VisibleSurround(Rim(0.9, 0.05, True, 0.05), in_place=True, changed_area=TILE), None, NO_RULE),
        (VisibleSurround(ALL, in_place=True, changed_area=DARK), None, NO_RULE),
        (VisibleSurround(SAME, in_place=True, changed_area=NOTHING), False, "nothing sticks out"),
        (VisibleSurround(SAME, in_place=True, changed_area=NOTHING, before=True), False, "nothing sticks out"),
        (VisibleSurround(ALL, in_place=True, changed_area=NOTHING), None, NO_RULE),
        (VisibleSurround(ALL, in_place=False, changed_area=NOTHING), False, "nothing sticks out"),
        (VisibleSurround(SAME, in_place=True, changed_area=HALF), None, NO_RULE),
        (VisibleSurround(SAME, in_place=True, changed_area=HALF, before=True), True, "a tile lay there before"),
    ],
)
def test_a_place_of_tiles_that_look_alike(around: VisibleSurround, lies: bool | None, rule: str) -> None:
    assert tile_presence(around, False, SETTINGS) == (lies, rule)


def test_every_rule_has_a_name_of_its_own() -> None:
    for rules in (TWO_SIDED, ALIKE):
        assert len({rule.name for rule in rules} | {NO_RULE}) == len(rules) + 1

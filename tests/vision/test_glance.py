"""A glance at many places: the outlines of stickers are seen where they lie, and hardly anywhere else."""

from dataclasses import replace
from math import dist
from typing import Any

import numpy as np
import pytest
from graph_table import NEAR
from surfaces import Put, shoot
from testkit.path_table import BOARD, PIECES
from whitechapel_table import BOARD as WHITECHAPEL
from whitechapel_table import PIECES as ITS_PIECES
from whitechapel_table import shot

from companion.boards import Group
from companion.calibration.training.stickers_composed import pose
from companion.vision.frame import Frame, Image
from companion.vision.marked.glance import Glance, Glances, GlanceSettings
from companion.vision.marked.markers import Marker
from companion.vision.marked.reader import MarkedReader
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.marked.search import SearchResult, search

CIRCLES = sorted(BOARD.of_kind("circle"))
LYING = {"clue-1": (CIRCLES[3], 20.0, (1.0, -0.8)), "clue-2": (CIRCLES[-2], 75.0, (-1.2, 0.4))}
REACH_MM = 4.0


def test_stickers_are_seen_where_they_lie_and_read_from_there() -> None:
    put = [Put(piece, spot, None, off, turn) for piece, (spot, turn, off) in LYING.items()]
    registered = RegisteredImage(shoot(BOARD, PIECES, put, NEAR, 4), pose(BOARD, NEAR), BOARD, PIECES)
    group = PIECES.group_of("clue-1")
    glances = Glances(registered, GlanceSettings())
    numbers = {sticker.marker for sticker in PIECES.stickers.values() if PIECES.group_of(sticker.piece) is group}
    for piece, (spot, turn, off) in LYING.items():
        (seen,) = glances.worth_a_search(group, [(BOARD.mm(spot), REACH_MM)])
        assert np.hypot(*np.subtract(seen.middle, np.add(BOARD.mm(spot), off))) < 1.0
        assert abs((np.degrees(seen.angle) - turn + 45) % 90 - 45) <= 10.0
        found = search(registered, seen, group, numbers).marker
        assert found is not None and piece in PIECES.stickers[found.id].pieces
    bare = [circle for circle in CIRCLES if all(circle != spot for spot, _, _ in LYING.values())]
    near = {spot for spot, _, _ in LYING.values()}
    far = [c for c in bare if min(np.hypot(*np.subtract(BOARD.mm(c), BOARD.mm(spot))) for spot in near) > 20.0]
    seen_bare = glances.worth_a_search(group, [(BOARD.mm(circle), REACH_MM) for circle in far])
    assert len(seen_bare) <= 0.25 * len(far), "what is printed is rarely taken for an outline"
    assert all(search(registered, glance, group, numbers).marker is None for glance in seen_bare)


def test_what_was_seen_at_a_place_is_told_in_the_order_asked_and_again_without_the_picture() -> None:
    spot = LYING["clue-1"][0]
    put = [Put("clue-1", spot, None, (0.0, 0.0), 20.0)]
    registered = RegisteredImage(shoot(BOARD, PIECES, put, NEAR, 4), pose(BOARD, NEAR), BOARD, PIECES)
    group, glances = PIECES.group_of("clue-1"), Glances(registered, GlanceSettings())
    first = glances.worth_a_search(group, [(BOARD.mm(spot), REACH_MM)])
    registered.image[:] = 128
    registered.grey[:] = 128
    assert glances.worth_a_search(group, [(BOARD.mm(spot), REACH_MM)] * 2) == first * 2
    plain = RegisteredImage(registered.image, registered.registration, BOARD, PIECES)
    assert not Glances(plain, GlanceSettings()).worth_a_search(group, [(BOARD.mm(spot), REACH_MM)])


def test_a_sticker_is_looked_at_closely_once_for_all_groups_that_bear_its_size() -> None:
    spot = LYING["clue-1"][0]
    put = [Put("clue-1", spot, None, (0.0, 0.0), 20.0)]
    registered = RegisteredImage(shoot(BOARD, PIECES, put, NEAR, 4), pose(BOARD, NEAR), BOARD, PIECES)
    group = PIECES.group_of("clue-1")
    (seen,) = Glances(registered, GlanceSettings()).worth_a_search(group, [(BOARD.mm(spot), REACH_MM)])
    numbers = {sticker.marker for sticker in PIECES.stickers.values()}
    (own,) = (sticker.marker for sticker in PIECES.stickers.values() if sticker.piece == "clue-1")
    first = search(registered, seen, group, numbers - {own})
    assert first.marker is None and first.outline > 0.5, "the outline is plain, and whose it is not asked for"
    registered.image[:] = registered.grey[:] = 128
    again = search(registered, seen, replace(group, key="others"), numbers)
    assert again.marker is not None and again.marker.id == own and again.outline == first.outline
    larger = search(registered, seen, replace(group, marker_mm=1.3 * group.marker_mm), numbers)
    assert larger.marker is None, "one of another size is looked at for itself"


def test_an_outline_whose_bits_were_read_is_not_searched_for_others_of_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Women's tokens bear stickers as large as those of crime scenes and clues, which are sought on the same circles."""
    camera = shot((1920, 1080), 10.0)
    reader = MarkedReader(WHITECHAPEL, ITS_PIECES, pose(WHITECHAPEL, camera).lens)
    red = sorted(WHITECHAPEL.of_kind("red circle"))
    women = [Put(one.id, spot, one.faces[0]) for one, spot in zip(ITS_PIECES.in_group("women"), red[:3], strict=False)]
    image = shoot(WHITECHAPEL, ITS_PIECES, women, camera, 4)
    searched: list[tuple[str, Glance]] = []

    def counted(registered: RegisteredImage, glance: Glance, group: Group, *rest: Any) -> SearchResult:
        searched.append((group.key, glance))
        return search(registered, glance, group, *rest)

    def searched_on_women() -> set[str]:
        return {key for key, one in searched if any(dist(one.middle, WHITECHAPEL.mm(spot)) < 1.0 for spot in red[:3])}

    monkeypatch.setattr("companion.vision.marked.reader.search", counted)
    read = reader.read(Frame(image, 0.0, "made")).reading
    assert {one.place for one in read.sightings} == set(red[:3]) and {one.confidence for one in read.sightings} == {0.9995}
    assert searched and not searched_on_women() & {"scenes", "clues"}
    detect = reader._detector.detect

    def undetected(image: Image, *rest: Any) -> list[Marker]:
        return [one for one in detect(image, *rest) if one.id not in ITS_PIECES.stickers]

    monkeypatch.setattr(reader._detector, "detect", undetected)
    again = reader.read(Frame(image, 1.0, "made")).reading
    assert {(one.piece, one.place) for one in again.sightings} == {(one.piece, one.place) for one in read.sightings}
    assert searched_on_women() >= {"women"}, "what detection missed is found by the second look"

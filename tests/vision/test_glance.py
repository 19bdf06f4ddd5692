"""A glance at many places: the outlines of stickers are seen where they lie, and hardly anywhere else."""

import numpy as np
from graph_table import NEAR
from surfaces import Put, shoot
from testkit.path_table import BOARD, PIECES

from companion.calibration.training.stickers_composed import pose
from companion.vision.marked.glance import Glances, GlanceSettings
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.marked.search import search

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

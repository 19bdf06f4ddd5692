"""The marked reader on a mat with zones of cards: an order, a pile, corners as stickers, a hand that is not to be read."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from surfaces import MAT_SHOT, Put, built, mat_json, shoot

from companion.boards import board_from_json
from companion.boards.placement import decode, encode
from companion.calibration.board import draw_report, find_board, from_corners
from companion.calibration.training.stickers_composed import pose
from companion.errors import BadInput
from companion.host.overlay import draw
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.observation import Observation
from companion.vision.plain.teach import teach
from companion.vision.reading import Reading, Sighting
from companion.vision.reading_comparison import changed_spots, same_claims
from companion.vision.table_sets.reading_metrics import confused
from companion.vision.table_sets.scoring import EXACT, UNKNOWN, WRONG, compare
from companion.vision.viewing import Viewing
from companion.vision.watching.merging import merge
from companion.vision.watching.watcher import Watcher

BOARD, PIECES = built(mat_json())
ROW = (
    Put("anna", (60.0, 70.0), "up", turn=3.0),
    Put("bert", (80.0, 70.0), "up", turn=-2.0),
    Put("dora", (100.0, 71.0), "back"),
    Put("carl", (200.0, 70.0), "up"),
)
PUT = (*ROW, Put("emil", (90.0, 220.0), "up", turn=40.0), Put("fay", (328.0, 70.0), "up"), Put("gus", (290.0, 220.0), "up"))


def frame(put: Any, seed: int = 0) -> Frame:
    return Frame(shoot(BOARD, PIECES, put, MAT_SHOT, seed), float(seed), "made", seed)


@pytest.fixture(scope="module")
def reader() -> MarkedReader:
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, MAT_SHOT).lens)
    empty = frame((), 3)
    observation = reader.read(empty)
    assert observation.reading.sightings == () and observation.reading.unknown == {}, (
        "what lies in a hand, or in the box, nobody asks"
    )
    reader.learn(empty, observation)
    return reader


@pytest.fixture(scope="module")
def start(reader: MarkedReader) -> Observation:
    return reader.read(frame(PUT))


def test_cards_are_read_zone_by_zone_and_in_order(start: Observation) -> None:
    state = start.reading.state(BOARD, PIECES)
    assert state == {"cards": {"heap": ["emil"], "pile": ["fay"], "row": ["anna", "bert", "back", "carl"]}}
    ranks = {p.piece: p.rank for p in start.reading.placements(BOARD, PIECES) if p.site == "row"}
    assert ranks == {"anna": 0, "bert": 1, None: 2, "carl": 3}


def test_a_card_lies_where_its_middle_is_not_the_sticker_in_its_corner(start: Observation) -> None:
    for one in PUT:
        seen = start.reading.of(one.piece)
        if seen is not None and not seen.among:
            assert seen.at_mm == pytest.approx(one.at, abs=1.0)


def test_a_back_is_nobodys_name(start: Observation) -> None:
    back = next(p for p in start.reading.placements(BOARD, PIECES) if p.face == "back")
    assert back.piece is None and set(back.among) == {"dora", "gus", "hal"}
    assert start.reading.unknown == {}, "who it may be is nobody's claim, and no doubt about what shows"


def test_what_lies_in_a_masked_zone_is_never_told(start: Observation) -> None:
    assert start.reading.of("gus") is None or start.reading.of("gus").among  # type: ignore[union-attr]
    assert not any(sighting.place == "hand" for sighting in start.reading.sightings)
    assert "card:hand" not in start.reading.unknown, "nor does anybody wait for it to be uncovered"


def test_cards_on_an_edge_between_zones_or_side_by_side_are_unknown(reader: MarkedReader) -> None:
    put = [Put("anna", (15.0, 200.0), "up"), Put("bert", (90.0, 141.0), "up"), Put("carl", (-42.0, 200.0), "up", turn=90.0)]
    observation = reader.read(frame(put))
    assert observation.reading.sightings == () and {"card:heap", "bert"} <= observation.reading.unknown.keys(), (
        "the edge hides Anna's sticker"
    )
    assert "carl" not in observation.reading.unknown, "beside the mat it is out of play"
    stacked = [Put("fay", (325.0, 60.0), "up"), Put("gus", (318.0, 85.0), "up"), Put("hal", (338.0, 86.0), "up")]
    observation = reader.read(frame(stacked))
    assert {"gus", "hal"} <= observation.reading.unknown.keys() and observation.reading.of("fay") is not None
    assert any("comes first in pile cannot be told" in why for why in observation.reading.problems)
    assert observation.reading.lying == {"gus": "pile", "hal": "pile"}, "where they lie is known"


def without_sticker(image: np.ndarray, middle: tuple[float, float]) -> np.ndarray:
    """The picture with the sticker of a card that lies straight painted over."""
    (x, y), reach = (middle[0] - 19.0, middle[1] - 31.0), 8.0
    corners = pose(BOARD, MAT_SHOT).project(
        [(x + a * reach, y + b * reach) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))], 0.4
    )
    return cv2.fillConvexPoly(image.copy(), np.round(corners).astype(np.int32), (90, 120, 60))


def test_a_card_whose_sticker_cannot_be_read_makes_its_zone_doubtful(reader: MarkedReader) -> None:
    image = without_sticker(shoot(BOARD, PIECES, PUT, MAT_SHOT, 0), (200.0, 70.0))
    observation = reader.read(Frame(image, 0.0, "made", 0))
    assert observation.reading.state(BOARD, PIECES)["cards"]["row"] == ["anna", "bert", "back"]
    assert observation.reading.unknown.keys() == {"card:row"}, "of the other zones all is told"


def fresh_reader() -> MarkedReader:
    return MarkedReader(BOARD, PIECES, pose(BOARD, MAT_SHOT).lens)


def test_a_mat_of_plain_zones_that_was_never_shown_empty_is_read_all_the_same() -> None:
    untaught = fresh_reader()
    observation = untaught.read(frame(ROW))
    assert (
        observation.reading.state(BOARD, PIECES)["cards"]["row"] == ["anna", "bert", "back", "carl"]
        and not observation.reading.unknown
    )
    image = without_sticker(shoot(BOARD, PIECES, PUT, MAT_SHOT, 0), (200.0, 70.0))
    assert untaught.read(Frame(image, 0.0, "made", 0)).reading.unknown.keys() == {"card:row"}
    untaught.learn(frame(PUT), untaught.read(frame(PUT)))
    moved = untaught.read(frame((*ROW[:3], Put("emil", (90.0, 220.0), "up"))))
    state = {"cards": {"row": ["anna", "bert", "back"], "heap": ["emil"]}}
    assert moved.reading.unknown == {} and moved.reading.state(BOARD, PIECES) == state, "what lay under a card may be bare now"


def test_zones_with_a_print_are_believed_once_they_were_shown_empty() -> None:
    def printed(put: Any) -> Frame:
        ground = np.array(pose(BOARD, MAT_SHOT).project([(160, 30), (235, 30), (235, 110), (160, 110)], 0.0))
        image = cv2.fillConvexPoly(shoot(BOARD, PIECES, (), MAT_SHOT, 0), np.round(ground).astype(np.int32), (40, 40, 160))
        over = shoot(BOARD, PIECES, put, MAT_SHOT, 0)
        laid = (over != shoot(BOARD, PIECES, (), MAT_SHOT, 0)).any(axis=2)
        return Frame(np.where(laid[..., None], over, image), 0.0, "made", 0)

    untaught = fresh_reader()
    assert untaught.read(printed(ROW[:2])).reading.unknown.keys() == {"card:row"}
    untaught.learn(printed(()), untaught.read(printed(())))
    assert untaught.read(printed(ROW[:2])).reading.unknown == {}


def test_cards_that_change_their_order_are_no_longer_where_they_were(reader: MarkedReader, start: Observation) -> None:
    swapped = (replace(ROW[0], piece="bert"), replace(ROW[1], piece="anna"), *PUT[2:])
    observation = reader.read(frame(swapped))
    assert observation.reading.state(BOARD, PIECES)["cards"]["row"] == ["bert", "anna", "back", "carl"]
    assert not same_claims(start.reading, observation.reading, None) and changed_spots(start.reading, observation.reading) == {
        "row"
    }


def test_placements_and_the_json_of_a_position_are_two_forms_of_one_thing(start: Observation) -> None:
    placements = start.reading.placements(BOARD, PIECES)
    state = encode(placements, BOARD, PIECES)
    again = decode(state, BOARD, PIECES)
    assert encode(again, BOARD, PIECES) == state
    assert {(p.piece, p.site, p.face, p.rank) for p in again if p.piece} == {
        (p.piece, p.site, p.face, p.rank) for p in placements if p.piece
    }


def lies(piece: str, zone: str, rank: int | None = None, among: tuple[str, ...] = ()) -> Sighting:
    return Sighting(piece, zone, "back" if among else "up", None, 0.99, None, None, among, rank)


BACK = ("dora", "gus", "hal")
HIDDEN = {"card:row": "something hides a part of row"}


@pytest.mark.parametrize(
    ("one", "other", "state", "unknown"),
    [
        (
            Reading((lies("anna", "row", 0), lies("bert", "row", 1))),
            Reading((lies("anna", "row", 0), lies("bert", "row", 1))),
            {"row": ["anna", "bert"]},
            set(),
        ),
        (
            Reading((lies("anna", "row", 0), lies("bert", "row", 1), lies("emil", "heap"))),
            Reading((lies("bert", "row", 0), lies("emil", "heap")), HIDDEN),
            {"row": ["anna", "bert"], "heap": ["emil"]},
            set(),
        ),
        (
            Reading((lies("anna", "row", 0), lies("bert", "row", 1), lies("emil", "heap"))),
            Reading((lies("bert", "row", 0), lies("anna", "row", 1), lies("emil", "heap"))),
            {"heap": ["emil"]},
            {"card:row"},
        ),
        (
            Reading((lies("dora", "row", 0, BACK),), {"card:pile": "something hides a part of pile"}),
            Reading((lies("dora", "pile", 0, BACK),), HIDDEN),
            {"row": ["back"], "pile": ["back"]},
            set(),
        ),
        (
            Reading((lies("anna", "row", 0), lies("bert", "row", 1))),
            Reading((lies("anna", "row", 0),), {"bert": "the marker of Bert lies between row and heap"}),
            {"row": ["anna", "bert"]},
            set(),
        ),
        (Reading((lies("anna", "row", 0),), HIDDEN), Reading((), HIDDEN), {}, {"card:row"}),
    ],
    ids=["agreed", "one-is-blind", "another-order", "two-backs", "one-cannot-place-it", "both-are-blind"],
)
def test_two_cameras_agree_on_a_mat_zone_by_zone(one: Reading, other: Reading, state: Any, unknown: set[str]) -> None:
    for first, second in ((one, other), (other, one)):
        merged = merge(first, second, PIECES)
        assert merged.state(BOARD, PIECES)["cards"] == state and merged.unknown.keys() == unknown
        assert len({s.piece for s in merged.sightings}) == len(merged.sightings), "each sighting has a name of its own"


def test_a_mat_is_seen_by_its_stickers_where_they_are_smallest() -> None:
    seen = Viewing.of(pose(BOARD, replace(MAT_SHOT, tilt=0.0)), BOARD, PIECES)
    assert seen.sticker_px == pytest.approx(12.0 * 2.2, rel=0.1)


@pytest.mark.parametrize(("zone", "settles"), [("hand", True), ("heap", False)])
def test_hands_that_sort_their_own_cards_keep_nobody_waiting(zone: str, settles: bool) -> None:
    watcher, rng = Watcher(fresh_reader(), BOARD), np.random.default_rng(5)
    still, told = shoot(BOARD, PIECES, ROW, MAT_SHOT, 0), []
    for count in range(24):
        x, y = BOARD.zones[zone].middle
        image = shoot(BOARD, PIECES, (), MAT_SHOT, 0) if count < 6 else still
        sorted_now = [(x + rng.uniform(-60, 20), y + rng.uniform(-40, 20)) for _ in range(3)]
        for a, b in sorted_now if count > 6 else ():
            corners = pose(BOARD, MAT_SHOT).project([(a, b), (a + 40, b), (a + 40, b + 25), (a, b + 25)], 1.0)
            image = cv2.fillConvexPoly(image.copy(), np.round(np.asarray(corners)).astype(np.int32), (30, 30, 200))
        analysis = watcher.see(Frame(image, 0.2 * count, "made", count))
        told += [analysis.settled] if analysis.settled is not None else []
    assert bool(told and told[-1].state(BOARD, PIECES)["cards"].get("row")) is settles


def test_the_set_up_finds_a_mat_and_shows_where_its_zones_lie() -> None:
    empty = frame(())
    found = find_board(empty, BOARD, PIECES, pose(BOARD, MAT_SHOT).lens)
    assert found.fits and found.way == "markers" and found.error_mm < 1.0
    assert (draw_report(empty.image, found, BOARD) != empty.image).any()
    with pytest.raises(BadInput, match="no printed hexes"):
        from_corners(empty, found.corners, BOARD)


def test_a_mat_without_stickers_is_refused_at_once() -> None:
    with pytest.raises(BadInput, match="only a copy with stickers can be read"):
        teach(frame(()), frame(PUT), BOARD, PIECES, None, {"cards": {"row": ["anna"]}})


CARL = ("cards", "carl", "carl")
TRUTH = {"row": ["anna", "bert", "back"], "pile": ["carl"]}


@pytest.mark.parametrize(
    ("read", "unknown", "verdicts"),
    [
        (TRUTH, (), {EXACT: 4}),
        ({"row": ["bert", "anna", "back"], "pile": ["carl"]}, (), {EXACT: 2, WRONG: 2}),
        ({"row": ["anna", "back"], "pile": ["carl"]}, (), {EXACT: 2, WRONG: 2}),
        ({"row": ["anna", "back"], "pile": ["carl"]}, ("card:row",), {EXACT: 3, UNKNOWN: 2}),
        ({"row": ["anna", "bert", "back"]}, ("carl",), {EXACT: 3, UNKNOWN: 1}),
        ({"row": ["anna", "dora", "back"], "pile": ["carl"]}, (), {EXACT: 3, WRONG: 2}),
    ],
)
def test_readings_of_cards_are_scored_card_by_card(read: Any, unknown: tuple[str, ...], verdicts: dict[str, int]) -> None:
    found = compare({"cards": TRUTH}, {"cards": read}, unknown, PIECES)
    assert {kind: sum(one.verdict == kind for one in found) for kind in verdicts} == verdicts
    assert len(found) == sum(verdicts.values())


def test_a_confusion_of_cards_is_counted_place_by_place() -> None:
    counts = confused({"cards": TRUTH}, {"cards": {"row": ["anna", "dora"], "pile": ["carl"]}}, ("card:row",), PIECES)
    assert (
        counts["cards", "bert", "dora"] == 1
        and counts["cards", "anna", "anna"] == 1
        and counts["cards", "back", "unknown"] == 1
    )


def test_the_picture_on_the_page_names_cards_and_outlines_zones(start: Observation) -> None:
    image = frame(PUT).image
    shown = draw(image, replace(start, occluded=frozenset({"heap"})), BOARD, PIECES, marks=["row"])
    assert (shown != draw(image, replace(start, occluded=frozenset()), BOARD, PIECES)).any()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data["zones"]["row"].update(order="heap"), "zone row is ordered as 'heap'"),
        (lambda data: data["zones"]["row"].update(outline_mm=[[0, 0], [1, 1]]), "zone row has 2 corners"),
        (lambda data: data["zones"]["row"].update(along=[0, 0]), "direction of zone row has no length"),
    ],
)
def test_a_mat_with_a_fault_is_refused(change: Any, words: str) -> None:
    data = mat_json()
    change(data)
    with pytest.raises(Exception, match=words):
        board_from_json(data)


def test_a_point_is_inside_a_zone_by_how_far_it_is_from_its_outline() -> None:
    zone = BOARD.zones["heap"]
    assert zone.inside_mm((20.0, 200.0)) == pytest.approx(5.0)
    assert zone.inside_mm((10.0, 155.0)) == pytest.approx(-np.hypot(5, 5))
    assert zone.middle == pytest.approx((90.0, 220.0))
    assert all(zone.inside_mm(point) > 0 for point in zone.samples(20.0)) and len(zone.samples(20.0)) == 8 * 6

"""The marked reader on a board that is no hexes: small sites 8 to 17 mm apart, stickers of 6 mm, pawns, backs all alike."""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
import pytest
from surfaces import SHOT, Put, built, shoot
from testkit.dense_graph import ROUND, SQUARE, graph_json, scattered

from companion.boards import Board, PieceSet, Placement, board_from_json
from companion.calibration.stickers import plan, sticker_pdf
from companion.calibration.training.stickers_composed import Shot, pose
from companion.vision.frame import Frame
from companion.vision.marked.placing import Placer
from companion.vision.marked.reader import MarkedReader
from companion.vision.observation import Observation
from companion.vision.reader import Region
from companion.vision.reading import Reading, Sighting
from companion.vision.reading_comparison import same_claims
from companion.vision.viewing import Viewing
from companion.vision.watching.merging import merge
from companion.vision.watching.watcher import Watcher

BOARD, PIECES = built(graph_json())
CIRCLES, CROSSINGS = (sorted(BOARD.of_kind(kind)) for kind in (ROUND, SQUARE))
PUT = (
    *(Put(f"clue-{n}", CIRCLES[5 * n + 2], off_mm=(0.7, -0.9), turn=40.0 * n) for n in range(3)),
    Put("patrol-blue", CROSSINGS[1], "down"),
    Put("patrol-red", CROSSINGS[9], "down", (-0.8, 0.8), 75.0),
    Put("patrol-green", CROSSINGS[15], "green", turn=10.0),
    *(
        Put(f"pawn-{colour}", CROSSINGS[20 + 6 * n], None, (0.8, -0.7), 33.0 * n)
        for n, colour in enumerate(("blue", "green", "red"))
    ),
)


def frame(put: Any, shot: Shot = SHOT, seed: int = 0, board: Board = BOARD, pieces: PieceSet = PIECES) -> Frame:
    return Frame(shoot(board, pieces, put, shot, seed), float(seed), "made", seed)


def taught(shot: Shot = SHOT, board: Board = BOARD, pieces: PieceSet = PIECES) -> MarkedReader:
    """A reader that was shown the empty board."""
    reader = MarkedReader(board, pieces, pose(board, shot).lens)
    empty = frame((), shot, 3, board, pieces)
    observation = reader.read(empty)
    assert (observation.reading.sightings, dict(observation.reading.unknown)) == ((), {})
    reader.learn(empty, observation)
    return reader


@pytest.fixture(scope="module")
def reader() -> MarkedReader:
    return taught()


@pytest.fixture(scope="module")
def start(reader: MarkedReader) -> tuple[Frame, Observation]:
    shown = frame(PUT)
    return shown, reader.read(shown)


def wrong(observation: Observation, put: Any = PUT) -> list[Placement]:
    """What was claimed and is not so."""
    there = {(one.piece if one.face != "down" else None, one.at, one.face) for one in put}
    return [p for p in observation.reading.placements(BOARD, PIECES) if (p.piece, p.site, p.face) not in there]


def test_a_graph_of_429_sites_is_a_board_with_outlines_rooms_stickers_and_a_view() -> None:
    data = graph_json(seed=4, count=429, size=(800.0, 534.0))
    board, pieces = built(data)
    assert len(board.cells) == 429 and 8.0 <= board.spacing_mm <= 10.0
    rooms = [board.room_mm(cell) for cell in board.cells]
    apart = [min(np.hypot(*np.subtract(mm, other)) for name, other in board.centres.items() if name != cell)
             for cell, mm in board.centres.items()]  # fmt: skip
    assert rooms == pytest.approx(apart) and min(rooms) >= 8.0 and max(rooms) <= 17.0
    circle, crossing = board.of_kind(ROUND), board.of_kind(SQUARE)
    assert {len(board.outline_mm(cell)) for cell in circle} == {24} and {len(board.outline_mm(c)) for c in crossing} == {4}
    printed = plan(pieces)
    assert len(printed) == 4 + 5 + 6 + 2 * 5, "frame, pawns, clues, and both sides of each patrol"
    assert [one.marker for one in printed].count(40) == 5, "the back that all share is needed five times"
    assert sticker_pdf(board, pieces).startswith(b"%PDF")
    shot = replace(SHOT, size=(3840, 2160), px_per_mm=4.2)
    seen = Viewing.of(pose(board, shot), board, pieces)
    assert 0.75 * 4.2 * 6.0 < seen.sticker_px < 1.1 * 4.2 * 6.0, "the smallest stickers tell how near the camera must be"


def test_small_pieces_on_small_sites_are_read_and_nothing_is_claimed_that_is_not_so(start: tuple[Frame, Observation]) -> None:
    observation = start[1]
    assert wrong(observation) == []
    state = observation.reading.state(BOARD, PIECES)
    assert state["pawns"] == {one.piece: {"hex": one.at} for one in PUT if one.piece.startswith("pawn")}
    assert state["clues"] == {one.at: "clue" for one in PUT if one.piece.startswith("clue")}
    assert state["patrols"] == {one.at: one.face for one in PUT if one.piece.startswith("patrol")}
    assert observation.reading.problems == () and len(observation.reading.unknown) <= 8, dict(observation.reading.unknown)


def test_nothing_tells_which_of_several_lies_with_its_back_up(start: tuple[Frame, Observation]) -> None:
    hidden = [p for p in start[1].reading.placements(BOARD, PIECES) if p.face == "down"]
    assert [p.piece for p in hidden] == [None, None]
    assert all({"patrol-blue", "patrol-red"} <= set(p.among) and "patrol-green" not in p.among for p in hidden)


def test_two_cameras_never_give_a_named_token_the_name_of_one_with_its_back_up() -> None:
    site = CROSSINGS[3:9]
    named = Sighting("patrol-green", site[0], "green", None, 0.99, (1.0, 1.0))
    backs = [Sighting("patrol-blue", site[1], "down", among=("patrol-blue", "patrol-red")),
             Sighting("patrol-red", site[2], "down", among=("patrol-blue", "patrol-red"))]  # fmt: skip
    every = tuple(piece.id for piece in PIECES.in_group("patrols"))
    unnamed = [
        Sighting(piece, at, "down", among=every) for piece, at in zip(("patrol-green", "patrol-blue"), site[1:], strict=False)
    ]
    hidden = {f"patrol:{site[0]}": "an arm hides it"}
    merged = merge(Reading((named, *backs), source="left"), Reading(tuple(unnamed), hidden, source="right"), PIECES)
    placements = merged.placements(BOARD, PIECES)
    assert [(p.piece, p.site, p.face) for p in placements if p.piece] == [("patrol-green", site[0], "green")]
    assert sorted(p.site for p in placements if p.piece is None) == sorted(site[1:3])


def test_a_pawn_stands_where_its_foot_is_not_where_its_top_is_seen(start: tuple[Frame, Observation]) -> None:
    shown, observation = start
    for sighting in observation.reading.sightings:
        if sighting.piece.startswith("pawn"):
            assert sighting.at_mm == pytest.approx(np.add(BOARD.mm(sighting.place), (0.8, -0.7)), abs=0.9)
    low = replace(PIECES.groups["pawns"], height_mm=1.0)
    flat = replace(PIECES, groups=MappingProxyType({**PIECES.groups, "pawns": low}))
    other = MarkedReader(BOARD, flat, pose(BOARD, SHOT).lens).read(shown)
    astray = [s.place != BOARD_OF[s.piece] for s in other.reading.sightings if s.piece.startswith("pawn")]
    assert any(astray) or len(astray) < 3, "taken for flat, pawns would be read elsewhere"


BOARD_OF = {one.piece: one.at for one in PUT}


def test_what_a_tall_pawn_may_hide_is_not_called_empty(reader: MarkedReader) -> None:
    shot = replace(SHOT, tilt=40.0)
    aslant = taught(shot)
    pawn = Put("pawn-blue", CROSSINGS[20])
    gone = [one for one in PUT if one.piece.startswith("clue")][:1]
    observation = aslant.read(frame([*gone, pawn], shot))
    assert wrong(observation, [*gone, pawn]) == []
    behind = [name for name, why in observation.reading.unknown.items() if "hides" in why]
    assert any(name.startswith(("clue:", "patrol:")) for name in behind), dict(observation.reading.unknown)


ROOMY = max(CROSSINGS, key=BOARD.room_mm)


def beside(reader: MarkedReader, apart_mm: float, covered: bool = False) -> Observation:
    """Two pawns side by side at one crossing; with ``covered`` nothing of the second one's sticker is to be seen."""
    x, y = BOARD.mm(ROOMY)
    at = (x - apart_mm / 2, y), (x + apart_mm / 2, y)
    shown = frame([Put("pawn-green", at[1], turn=80.0), Put("pawn-blue", at[0], turn=20.0)])  # the one nearer the camera last
    if covered:
        foot = pose(BOARD, SHOT).project(np.array([at[1]]), 28.0)[0]
        image = shown.image.copy()
        cv2.circle(image, (round(float(foot[0])), round(float(foot[1]))), 20, (90, 90, 90), -1)
        shown = replace(shown, image=image)
    return reader.read(shown)


def test_two_pawns_side_by_side_at_one_crossing_are_both_read(reader: MarkedReader) -> None:
    for apart_mm in (8.2, 9.0, 9.8):
        found = {s.piece: s.place for s in beside(reader, apart_mm).reading.sightings}
        assert found == {"pawn-blue": ROOMY, "pawn-green": ROOMY}, apart_mm


def test_a_pawn_beside_another_is_not_called_absent_when_its_sticker_cannot_be_read(reader: MarkedReader) -> None:
    observation = beside(reader, 9.0, covered=True)
    assert [s.piece for s in observation.reading.sightings] == ["pawn-blue"]
    assert ROOMY in observation.reading.unknown["pawn-green"]


def test_more_backs_than_there_are_pieces_are_a_contradiction_and_claimed_nowhere(reader: MarkedReader) -> None:
    twice = [*PUT, *(Put("patrol-white", site, "down") for site in CROSSINGS[26:36:3])]
    observation = reader.read(frame(twice))
    assert not any(s.among for s in observation.reading.sightings)
    assert {f"patrol:{one.at}" for one in twice if one.face == "down"} <= observation.reading.unknown.keys()


def test_a_piece_between_sites_is_unknown_and_never_set_aside(reader: MarkedReader) -> None:
    one, other = next(
        (a, b) for a in CIRCLES for b in BOARD.cells
        if a != b and np.hypot(*np.subtract(BOARD.mm(a), BOARD.mm(b))) < 11
    )  # fmt: skip
    middle = tuple(np.add(BOARD.mm(one), BOARD.mm(other)) / 2)
    far = next(
        (float(x), float(y)) for x in range(10, 190, 4) for y in range(10, 150, 4)
        if BOARD.nearest((x, y), BOARD.cells)[1] > 14
    )  # fmt: skip
    put = [Put("pawn-blue", middle), Put("pawn-green", far), Put("pawn-red", (-25.0, 80.0))]
    observation = reader.read(frame(put))
    assert observation.reading.sightings == ()
    assert {"pawn-blue", "pawn-green"} <= observation.reading.unknown.keys(), "on the board, so it was put down badly"
    assert "pawn-red" not in observation.reading.unknown, "off the board a piece is out of play"


def crowded() -> tuple[Board, PieceSet]:
    """Pairs of crossings 2.6 mm apart, one far from all others between them."""
    data = graph_json()
    sites = {f"s{n}{side}": (40.0 + 40 * n + 2.6 * (side == "b"), 60.0) for n in range(4) for side in "ab"}
    sites["alone"] = (100.0, 110.0)
    data["cells"] = {name: {"kind": SQUARE, "xy": [x / 200, y / 160]} for name, (x, y) in sites.items()}
    data["layout"]["links"] = [[one, other] for one, other in zip(list(sites), list(sites)[1:], strict=False)]
    del data["printed"]["sites"][ROUND]
    return built(data)


def test_the_only_site_of_a_board_has_no_rival() -> None:
    data = graph_json()
    data["cells"] = {"alone": {"kind": SQUARE, "xy": [0.5, 0.5]}}
    data["layout"]["links"] = []
    del data["printed"]["sites"][ROUND]
    board, pieces = built(data)
    placer, (x, y) = Placer(board), board.mm("alone")
    for shift in ((0.0, 0.0), (0.0, 3.0)):
        assert placer.place(pieces.group_of("pawn-blue"), (x + 1.0, y), 1.0, shift_mm=shift).verdict == "on"


def test_sites_nearer_than_the_camera_can_part_are_unknown() -> None:
    board, pieces = crowded()
    sharp = pose(board, SHOT)
    put = [Put("pawn-blue", "s0a"), Put("pawn-green", "s1b"), Put("pawn-red", "alone")]
    observation = MarkedReader(board, pieces, sharp.lens).read(frame(put, board=board, pieces=pieces))
    assert [(s.piece, s.place) for s in observation.reading.sightings] == [("pawn-red", "alone")]
    assert (
        "between s0" in observation.reading.unknown["pawn-blue"] and "between s1" in observation.reading.unknown["pawn-green"]
    )


def test_a_look_at_some_sites_agrees_with_a_look_at_all(reader: MarkedReader, start: tuple[Frame, Observation]) -> None:
    observation = start[1]
    moved = [replace(one, at=CROSSINGS[30]) if one.piece == "patrol-blue" else one for one in PUT]
    after = frame(moved, seed=1)
    whole = reader.read(after, observation.reading)
    undoubted = replace(observation, reading=replace(observation.reading, unknown={}))
    part = reader.read(after, None, Region(undoubted, frozenset({CROSSINGS[1], CROSSINGS[30]})))
    assert wrong(whole, moved) == [] == wrong(part, moved)
    assert same_claims(whole.reading, part.reading, 0.5) or part.reading.unknown


def test_a_watcher_settles_on_a_token_that_moved(reader: MarkedReader) -> None:
    moved = [replace(one, at=CROSSINGS[30]) if one.piece == "patrol-blue" else one for one in PUT]
    pictures = [shoot(BOARD, PIECES, put, SHOT) for put in (PUT, moved)]
    rng, watcher, settled = np.random.default_rng(5), Watcher(reader, BOARD), []
    grain = rng.integers(0, 3, (2, *pictures[0].shape), np.uint8)
    for number in range(12):
        noisy = cv2.add(pictures[number >= 6], grain[number % 2])
        analysis = watcher.see(Frame(np.asarray(noisy, np.uint8), number * 0.5, "made", number))
        if analysis.settled is not None:
            settled.append(analysis.settled.state(BOARD, PIECES)["patrols"])
    assert settled[0] == {one.at: one.face for one in PUT if one.piece.startswith("patrol")}
    assert settled[-1] == {one.at: one.face for one in moved if one.piece.startswith("patrol")}


def test_sites_of_a_made_up_board_lie_8_to_17_mm_apart() -> None:
    sites = np.array([(x, y) for x, y, _ in scattered(1, 80, 200.0, 160.0)])
    apart = np.hypot(*(sites[:, None] - sites[None]).transpose(2, 0, 1)) + np.eye(len(sites)) * 1e3
    assert apart.min() >= 8.0 and apart.min(axis=1).max() <= 17.0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data["printed"]["sites"].pop(ROUND), "no outline is given for cells of kind circle"),
        (lambda data: data["printed"]["sites"].update(pond={"shape": "circle", "size_mm": [3, 3]}), "'pond', which is no cell"),
        (lambda data: data["layout"]["links"].append(["c000", "c999"]), "c999 names a cell that is not on the board"),
        (lambda data: data["printed"]["sites"][ROUND].update(shape="blob"), "is a 'blob'; there are: hexagon"),
        (lambda data: data["layout"].update(kind="honeycomb"), "'honeycomb' is not known; there are: hex-flat-top"),
        (lambda data: data["printed"].update(spacing_mm=0), "spacing_mm is 0, more than 0"),
        (lambda data: data["printed"].update(folds=[[0.5, 0.3], []]), "folds are .*, each from less to more"),
        (lambda data: data["printed"].update(folds=[[0.5]]), "folds are .*shares of the width and of the height"),
        (lambda data: data["printed"].update(folds=[[], [1]]), "folds are .*, shares"),
        (lambda data: data["printed"].update(folds=[0.5, 0.5]), "folds are .*, shares"),
    ],
)
def test_a_graph_with_a_fault_is_refused_with_what_is_allowed(change: Any, words: str) -> None:
    data = graph_json()
    change(data)
    with pytest.raises(Exception, match=words.replace("(", r"\(")):
        board_from_json(data)

"""Marked tables of the second game: two-sided tiles, strips over two cells, boats, the informant; and what lies wrong."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from companion.calibration.training.ablate import NEW_YORK, MarkedCopy
from companion.calibration.training.new_york_stickers import BOARD, CAMERAS, EMPTY, GAME, PIECES, table, wander
from companion.calibration.training.stickers_composed import Shot, compose, pose
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.observation import Observation
from companion.vision.reader import Region
from companion.vision.table_sets.scoring import EXACT, UNKNOWN, WRONG, Verdict, compare

START = GAME.start().to_json()
SHOT = Shot(tilt=15, px_per_mm=1.8)


def taken(state: dict, shot: Shot = SHOT, **registered: object) -> Frame:
    settings = {"art": 1, "jitter": 1, **registered}
    return Frame(compose(table(state, **settings), shot), 0.0, "test")


def verdicts(state: dict, observation: Observation) -> tuple[Verdict, ...]:
    return compare(state, observation.reading.state(BOARD, PIECES), observation.reading.unknown, PIECES)


def differing(state: dict, observation: Observation) -> list[Verdict]:
    return [verdict for verdict in verdicts(state, observation) if verdict.verdict != EXACT]


@pytest.fixture(scope="module")
def taught() -> MarkedReader:
    """A reader that was shown the empty board; what it learns later stays out of it."""
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, SHOT).lens)
    empty = taken(EMPTY)
    observation = reader.read(empty)
    assert observation.reading.sightings == () and dict(observation.reading.unknown) == {}
    reader.learn(empty, observation)
    return reader


def counted(seeds: range) -> tuple[Counter[str], list[str]]:
    """Read one composed position a seed: the empty board and the start were shown, the position before it was read."""
    counts: Counter[str] = Counter()
    told = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        path = wander(rng, int(rng.integers(2, 14)))
        shot = replace(CAMERAS[seed % len(CAMERAS)], seed=seed)
        reader = MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens)
        prior = None
        for position, jitter in ((None, 0), (path[0], seed + 1000), (path[-2], seed), (path[-1], seed)):
            state = position.to_json() if position is not None else EMPTY
            frame = taken(state, shot, art=seed // 6, jitter=jitter)
            observation = reader.read(frame, prior)
            reader.learn(frame, observation)
            prior = observation.reading
        counts["pictures"] += 1
        counts["exact pictures"] += not differing(state, observation)
        counts.update(verdict.verdict for verdict in verdicts(state, observation))
        told += [f"{seed}: {verdict}" for verdict in differing(state, observation)]
    return counts, told


def test_composed_positions_are_read_exactly_or_not_at_all() -> None:
    counts, told = counted(range(101, 102))
    assert counts[WRONG] == 0, told
    assert counts[UNKNOWN] <= 1, told
    assert counts[EXACT] >= 20


@pytest.mark.slow
def test_many_composed_positions_with_every_camera_and_light() -> None:
    counts, told = counted(range(400, 424))
    print(dict(counts), *told, sep="\n")
    assert counts[WRONG] == 0, told
    assert counts[UNKNOWN] <= 0.01 * (counts[EXACT] + counts[UNKNOWN]), told


def test_tiles_of_the_supply_beside_the_board_are_neither_claimed_nor_a_problem(taught: MarkedReader) -> None:
    registered = table(START, 1, 4)
    assert registered.beside
    observation = taught.read(taken(START, jitter=4))
    assert differing(START, observation) == []
    assert observation.problems == ()


def test_what_may_not_lie_so_is_read_as_it_lies(taught: MarkedReader) -> None:
    state = START | {
        "tiles": {"D9": "subway", "B9": "subway", "C8": "subway", "A8": "lamp", "L13": "park"},
        "barricades": [["C12", "C14"], ["E4"]],
        "steamboats": ["G6", "K16"],
        "characters": START["characters"] | {"smith": {"hex": "LANDEXIT", "side": "innocent"}},
        "informant": {"hex": "H7", "side": "silent"},
    }
    observation = taught.read(taken(state))
    assert {verdict.subject for verdict in differing(state, observation)} <= {"tile:E4", "tile:G6"}, "what lies under strips"
    assert [verdict for verdict in verdicts(state, observation) if verdict.verdict == WRONG] == []
    position = GAME.complete(GAME.start(), observation.reading.state(BOARD, PIECES))
    assert ("E4",) in position.barricades and "G6" in position.steamboats and position.hex("smith") == "LANDEXIT"


def test_a_strip_between_its_places_is_a_problem_in_words(taught: MarkedReader) -> None:
    registered = table(START | {"barricades": [["K14", "L15"]]}, 1, 1)
    (x0, y0), (x1, y1) = BOARD.mm("E14"), BOARD.mm("E12")
    askew = replace(registered, beside=(("barricade-b", None, (x0 + 0.3 * (x1 - x0) + 14, y0 + 0.3 * (y1 - y0))),))
    observation = taught.read(Frame(compose(askew, SHOT), 0.0, "test"))
    assert any("Barricade" in problem and "between" in problem for problem in observation.problems)
    assert observation.reading.state(BOARD, PIECES)["barricades"] == [["K14", "L15"]]


def test_a_tile_under_a_disc_is_known_by_the_one_that_lay_there_and_by_its_like(taught: MarkedReader) -> None:
    before = taught.read(taken(START))
    onto = START | {"characters": START["characters"] | {"smith": {"hex": "L13", "side": "suspect"}}}
    assert differing(onto, taught.read(taken(onto), before.reading)) == []
    assert differing(onto, taught.read(taken(onto))) == []


def test_a_tile_turned_over_under_a_disc_is_not_taken_for_what_it_was(taught: MarkedReader) -> None:
    onto = START | {"characters": START["characters"] | {"smith": {"hex": "L13", "side": "suspect"}}}
    turned = onto | {"tiles": START["tiles"] | {"L13": "park"}}
    before = taught.read(taken(onto), taught.read(taken(START)).reading)
    observation = taught.read(taken(turned), before.reading)
    assert [verdict for verdict in verdicts(turned, observation) if verdict.verdict == WRONG] == []
    assert observation.reading.state(BOARD, PIECES)["tiles"].get("L13") != "subway"


def test_the_informant_under_a_barricade_or_a_disc_is_unknown_and_not_gone(taught: MarkedReader) -> None:
    state = START | {"barricades": [["G12", "G14"], ["K14", "L15"]]}
    observation = taught.read(taken(state | {"informant": None}))
    assert "informant" in observation.reading.unknown
    assert observation.reading.state(BOARD, PIECES)["informant"] is None


def test_a_look_at_the_changed_spots_alone_sees_the_same(taught: MarkedReader) -> None:
    before = taught.read(taken(START, steady=True))
    state = START | {
        "tiles": START["tiles"] | {"G12": "building"},
        "barricades": [["F3", "G4"], ["K14", "L15"]],
        "characters": START["characters"] | {"cloud_rider": {"hex": "H9", "side": "suspect"}},
    }
    observation = taught.read(taken(state, steady=True), None, Region(before, frozenset({"G12", "E4", "F3", "G4", "I8", "H9"})))
    assert differing(state, observation) == []


def test_who_was_never_shown_the_empty_board_says_so() -> None:
    observation = MarkedReader(BOARD, PIECES, pose(BOARD, SHOT).lens).read(taken(START))
    assert [verdict for verdict in verdicts(START, observation) if verdict.verdict == WRONG] == []
    assert all(name.startswith("tile:") for name in observation.reading.unknown)


@pytest.mark.slow
def test_a_tile_below_a_disc_is_not_called_absent_where_a_lamp_s_reflection_ends_beside_it() -> None:
    copy = MarkedCopy.made(95020, NEW_YORK)
    reader = MarkedReader(BOARD, PIECES, copy.lens)
    reader.learn(copy.empty, reader.read(copy.empty))
    frame, state = copy.pictures[2]
    assert state["tiles"]["B9"] == "subway" and state["characters"]["cloud_rider"]["hex"] == "B9"
    found = verdicts(state, reader.read(frame))
    assert [verdict for verdict in found if verdict.verdict == WRONG] == []

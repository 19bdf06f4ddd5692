"""Marked tables of our own making: read exactly, never surely wrong, and honest about what cannot be seen."""

import numpy as np
import pytest

from companion.boards import load, load_pieces
from companion.calibration.training.stickers_composed import EMPTY, Scene, Shot, compose, pose, random_state
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.observation import Observation
from companion.vision.table_sets.scoring import EXACT, WRONG, compare

BOARD, PIECES = load("mr-jack-london"), load_pieces("mr-jack-london")


def taken(state: dict, shot: Shot, **registered: object) -> Frame:
    return Frame(compose(Scene(BOARD, PIECES, state, **registered), shot), 0.0, "test")


def differences(state: dict, observation: Observation) -> list:
    verdicts = compare(state, observation.reading.state(BOARD, PIECES), observation.reading.unknown, PIECES)
    return [verdict for verdict in verdicts if verdict.verdict != EXACT]


def wrong(state: dict, observation: Observation) -> list:
    return [verdict for verdict in differences(state, observation) if verdict.verdict == WRONG]


@pytest.mark.parametrize(
    ("seed", "shot"),
    [
        (1, Shot(tilt=0, px_per_mm=2.1)),
        (2, Shot(tilt=25, azimuth=180, px_per_mm=2.0, blur=0.9)),
        (3, Shot(tilt=45, azimuth=10, px_per_mm=1.8)),
        (4, Shot(tilt=30, px_per_mm=1.6, exposure=0.2, noise=5.0, blur=0.8, tint=(0.6, 0.85, 1.1))),
    ],
    ids=["from above", "turned by 180 degrees", "tilted 45 degrees", "dim and noisy"],
)
def test_random_tables_are_read_exactly_with_nothing_taught(seed: int, shot: Shot) -> None:
    state = random_state(BOARD, PIECES, np.random.default_rng(seed), gone=seed - 1)
    observation = MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens).read(taken(state, shot, art=seed, jitter=seed))
    assert differences(state, observation) == []


def test_a_bare_board_is_read_as_bare() -> None:
    shot = Shot(px_per_mm=1.9)
    observation = MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens).read(taken(EMPTY, shot))
    assert observation.reading.sightings == ()
    assert dict(observation.reading.unknown) == {}


@pytest.mark.parametrize(
    ("left", "extras"),
    [((), ()), (("gaslights",), ()), ((), (("arm", (300.0, 520.0, 200.0, 200.0)),))],
    ids=["empty", "lamps were left lying", "an arm lies over it"],
)
def test_a_table_told_to_be_empty_is_learnt_as_if_all_of_it_had_been_searched(left: tuple, extras: tuple) -> None:
    shot, whole = Shot(tilt=20, px_per_mm=1.9), random_state(BOARD, PIECES, np.random.default_rng(6))
    state = EMPTY | {name: whole[name] for name in left}
    frame = taken(state, shot, extras=extras)
    told, read = (MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens) for _ in range(2))
    told.learn_empty(frame)
    read.learn(frame, read.read(frame))
    assert told.bare is not None and read.bare is not None
    assert np.array_equal(told.bare.valid, read.bare.valid) and np.array_equal(told.bare.picture, read.bare.picture)
    assert bool(told.bare.valid.all()) != bool(left or extras), "what lies below a piece or an arm is not known"


def test_nothing_is_learnt_of_a_picture_without_the_board() -> None:
    reader = MarkedReader(BOARD, PIECES)
    for picture in (np.zeros((720, 1280, 3), np.uint8), np.full((720, 1280, 3), 90, np.uint8)):
        reader.learn_empty(Frame(picture, 0.0, "test"))
    assert reader.bare is None


def test_an_uncalibrated_lens_is_good_enough() -> None:
    shot = Shot(tilt=20, px_per_mm=1.9)
    state = random_state(BOARD, PIECES, np.random.default_rng(11))
    assert differences(state, MarkedReader(BOARD, PIECES).read(taken(state, shot))) == []


def test_pieces_under_an_arm_are_unknown_and_the_places_hidden() -> None:
    shot = Shot(tilt=15, px_per_mm=1.9)
    state = random_state(BOARD, PIECES, np.random.default_rng(5))
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens)
    empty = taken(EMPTY, shot)
    reader.learn(empty, reader.read(empty))
    target = next(iter(state["gaslights"]))
    x, y = BOARD.mm(target)
    frame = taken(state, shot, extras=(("arm", (x + 120, 520.0, x, y)),))
    observation = reader.read(frame)
    assert wrong(state, observation) == []
    assert f"gaslight:{target}" in observation.reading.unknown
    assert target in observation.occluded
    untaught = MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens).read(frame)
    assert wrong(state, untaught) == []
    assert f"gaslight:{target}" in untaught.reading.unknown


@pytest.mark.parametrize("hidden", [1, 2, 3])
def test_lamps_under_an_arm_are_not_called_gone_by_who_never_saw_the_bare_board(hidden: int) -> None:
    shot = Shot(tilt=15, px_per_mm=1.9)
    state = random_state(BOARD, PIECES, np.random.default_rng(21), gone=1)
    lamps = sorted(state["gaslights"])[:hidden]
    arms = tuple(("arm", (BOARD.mm(spot)[0] + 90, 520.0, *BOARD.mm(spot))) for spot in lamps)
    frame = taken(state, shot, extras=arms)
    observation = MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens).read(frame)
    assert wrong(state, observation) == []
    assert {f"gaslight:{spot}" for spot in lamps} <= observation.reading.unknown.keys()


def test_lamps_that_left_the_table_are_gone_also_for_who_never_saw_the_bare_board() -> None:
    shot = Shot(tilt=15, px_per_mm=1.9)
    state = random_state(BOARD, PIECES, np.random.default_rng(22), gone=3)
    assert differences(state, MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens).read(taken(state, shot))) == []


def test_a_tile_under_a_disc_is_not_found_by_its_rim_while_an_arm_hides_where_else_it_may_lie() -> None:
    shot = Shot(tilt=15, px_per_mm=1.9)
    state = random_state(BOARD, PIECES, np.random.default_rng(7), under=True)
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens)
    empty = taken(EMPTY, shot)
    reader.learn(empty, reader.read(empty))
    below = {entry["hex"] for entry in state["characters"].values()}
    x, y = BOARD.mm(next(spot for spot in state["covers"] if spot not in below))
    observation = reader.read(taken(state, shot, extras=(("arm", (x + 100, 520.0, x, y)),)))
    assert wrong(state, observation) == []
    assert not [s for s in observation.reading.sightings if s.piece.startswith("cover")]


@pytest.mark.parametrize("taught", [True, False])
def test_a_tile_under_a_disc_is_found_or_unknown_but_never_denied(taught: bool) -> None:
    shot = Shot(tilt=20, px_per_mm=2.0)
    state = random_state(BOARD, PIECES, np.random.default_rng(7), under=True)
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens)
    if taught:
        empty = taken(EMPTY, shot)
        reader.learn(empty, reader.read(empty))
    observation = reader.read(taken(state, shot, cover_colour=(90, 90, 200)))
    assert wrong(state, observation) == []
    if taught:
        assert differences(state, observation) == []


def test_a_tile_where_it_may_not_lie_is_a_problem_with_its_name_and_place() -> None:
    shot = Shot(px_per_mm=1.9)
    state = random_state(BOARD, PIECES, np.random.default_rng(3))
    state["gaslights"] = {"g5": 3}
    state["characters"] = {}
    observation = MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens).read(taken(state, shot))
    assert any("Gaslight 3" in problem and "g5 (street)" in problem for problem in observation.problems)
    assert "gaslight:g5" in observation.reading.unknown
    assert observation.reading.state(BOARD, PIECES)["gaslights"] == {}


def test_a_board_half_out_of_the_picture_says_what_is_out_of_sight() -> None:
    shot = Shot(tilt=10, px_per_mm=2.0, shift_px=(600.0, 0.0))
    state = random_state(BOARD, PIECES, np.random.default_rng(9))
    observation = MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens).read(taken(state, shot))
    assert wrong(state, observation) == []
    assert {"m10", "turn-4"} <= observation.occluded


def test_two_stickers_of_one_id_are_a_problem_and_no_claim() -> None:
    shot = Shot(px_per_mm=1.9)
    state = random_state(BOARD, PIECES, np.random.default_rng(4))
    frame = taken(state, shot)
    registration = pose(BOARD, shot)
    spot = state["characters"]["holmes"]["hex"]
    other = next(
        c for c in BOARD.of_kind("street") if c not in {e["hex"] for e in state["characters"].values()} and c[0] != spot[0]
    )
    (x0, y0), (x1, y1) = (registration.project([BOARD.mm(s)], 8.0)[0].astype(int) for s in (spot, other))
    frame.image[y1 - 34 : y1 + 34, x1 - 34 : x1 + 34] = frame.image[y0 - 34 : y0 + 34, x0 - 34 : x0 + 34].copy()
    observation = MarkedReader(BOARD, PIECES, registration.lens).read(frame)
    assert "holmes" in observation.reading.unknown
    assert any("seen 2 times" in problem for problem in observation.problems)


@pytest.mark.parametrize(
    ("image", "words"),
    [
        (np.zeros((1080, 1920, 3), np.uint8), "black"),
        (np.full((1080, 1920, 3), 255, np.uint8), "white"),
        (np.full((1080, 1920, 3), 120, np.uint8), "flat"),
        (np.random.default_rng(0).integers(0, 255, (240, 320, 3), dtype=np.uint8), "320x240"),
        (np.random.default_rng(0).integers(0, 255, (1080, 1920, 3), dtype=np.uint8), "board is not found"),
    ],
)
def test_unusable_pictures_get_one_plain_sentence_and_no_claim(image: np.ndarray, words: str) -> None:
    observation = MarkedReader(BOARD, PIECES).read(Frame(image, 0.0, "test"))
    assert observation.registration is None
    assert observation.reading.sightings == ()
    assert len(observation.problems) == 1
    assert words in observation.problems[0]
    assert "\n" not in observation.problems[0]
    assert "holmes" in observation.reading.unknown


def test_a_torn_picture_is_called_torn() -> None:
    shot = Shot(px_per_mm=1.9)
    frame = taken(EMPTY, shot)
    frame.image[600:] = 128
    assert "torn" in MarkedReader(BOARD, PIECES).read(frame).problems[0]


def test_a_fifty_megapixel_picture_is_read() -> None:
    shot = Shot(size=(8192, 6144), px_per_mm=9.0, tilt=10, noise=0, blur=0)
    small = Shot(size=(2048, 1536), px_per_mm=2.25, tilt=10)
    state = random_state(BOARD, PIECES, np.random.default_rng(13))
    image = compose(Scene(BOARD, PIECES, state), small)
    large = np.repeat(np.repeat(image, 4, axis=0), 4, axis=1)
    observation = MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens).read(Frame(large, 0.0, "test"))
    assert differences(state, observation) == []

"""What lies below a disc where its rim does not tell, and stickers that cannot be read: told or unknown, never denied."""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
import pytest

from companion.boards import PieceSet, load, load_pieces
from companion.calibration.training import stickers_composed as composing
from companion.calibration.training.new_york_stickers import BOARD, EMPTY, GAME, PIECES, table
from companion.calibration.training.stickers_composed import EMPTY as LONDON_EMPTY
from companion.calibration.training.stickers_composed import Scene, Shot, compose, pose, random_state
from companion.vision.frame import Frame
from companion.vision.marked.occlusion_posterior import OcclusionPosterior
from companion.vision.marked.print_visibility import looks_bare, surroundings_show
from companion.vision.marked.reader import MarkedReader
from companion.vision.marked.registered_image import RegisteredImage as Marked
from companion.vision.observation import Observation
from companion.vision.table_sets.scoring import UNKNOWN, WRONG, compare

State = dict[str, Any]
SHOT = Shot(tilt=15, px_per_mm=1.8)
START: State = GAME.start().to_json()
DISCS = [entry["hex"] for entry in START["characters"].values()]
Lamps = tuple[tuple[tuple[float, float], float], ...]
LAMPS: Lamps = (((5.0, 5.0), 0.6), ((-6.0, 2.0), 0.6))
HARD: Lamps = (((7.0, -4.0), 0.35), ((-5.0, -6.0), 0.5))
"""How far (mm) each lamp throws a disc's shadow, and how much of the light that leaves."""


def shaded(state: State, jitter: int = 1, lamps: Lamps = LAMPS, **registered: Any) -> Frame:
    """A composed picture on which every disc throws two shadows."""
    picture, camera = compose(table(state, 1, jitter, **registered), SHOT), pose(BOARD, SHOT)
    angle = np.linspace(0, 2 * np.pi, 60)
    ring = np.column_stack([np.cos(angle), np.sin(angle)]) * 15.0
    discs = np.zeros(picture.shape[:2], np.uint8)
    light = np.ones(picture.shape[:2])
    middles = [np.asarray(BOARD.mm(entry["hex"])) for entry in state["characters"].values()]
    for middle in middles:
        for height in (0.0, 3.0, 6.0, 9.0):
            cv2.fillPoly(discs, [camera.project(middle + ring, height).astype(np.int32)], 255)
    for way, left in lamps:
        dark = np.zeros(picture.shape[:2], np.uint8)
        for middle in middles:
            cv2.fillPoly(dark, [camera.project(middle + ring + np.array(way)).astype(np.int32)], 255)
        light *= cv2.GaussianBlur(np.where((dark > 0) & (discs == 0), left ** (1 / 2.2), 1.0), (0, 0), 1.2)
    return Frame(np.asarray(picture * light[..., None], np.uint8), 0.0, "test")


def shown_empty() -> MarkedReader:
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, SHOT).lens)
    empty = Frame(compose(table(EMPTY, 1, 1), SHOT), 0.0, "test")
    reader.learn(empty, reader.read(empty))
    return reader


@pytest.fixture(scope="module")
def taught() -> MarkedReader:
    return shown_empty()


def counted(state: State, observation: Observation) -> tuple[int, int]:
    """How many pieces were read wrong, and how many are unknown."""
    verdicts = [
        entry.verdict for entry in compare(state, observation.reading.state(BOARD, PIECES), observation.reading.unknown, PIECES)
    ]
    return verdicts.count(WRONG), verdicts.count(UNKNOWN)


def with_tiles(sides: dict[str, str], *, more: dict[str, str] | None = None) -> State:
    """The start position with tiles below discs, and ``more`` in plain sight; as many others are taken away."""
    spare = [place for place in START["tiles"] if START["tiles"][place] in sides.values()][: len(sides)]
    return START | {"tiles": {p: side for p, side in START["tiles"].items() if p not in spare} | sides | (more or {})}


@pytest.mark.parametrize("jitter", [1, 2])
def test_a_closer_look_tells_what_rims_in_shadow_do_not(taught: MarkedReader, jitter: int) -> None:
    rims_alone, picture = MarkedReader(BOARD, PIECES, pose(BOARD, SHOT).lens), shaded(START, jitter)
    rims_alone.bare = taught.bare
    assert counted(START, rims_alone.read(picture))[1] >= 3
    assert counted(START, taught.read(picture)) == (0, 0)


@pytest.mark.parametrize("side", ["subway", "lamp", "park", "building"])
@pytest.mark.parametrize("jitter", [1, *(pytest.param(other, marks=pytest.mark.slow) for other in (2, 3))])
def test_no_tile_below_a_disc_is_denied_or_called_another(taught: MarkedReader, side: str, jitter: int) -> None:
    # Parks and buildings were never shown; a tile may lie far off its middle, of which a disc leaves one edge in sight.
    state = with_tiles(dict.fromkeys(DISCS[:2], side))
    observation = taught.read(shaded(state, jitter, HARD, sloppy_mm=6.0))
    assert counted(state, observation)[0] == 0


def test_a_known_side_below_a_disc_is_named_in_two_shadows(taught: MarkedReader) -> None:
    state = with_tiles({DISCS[2]: "park"}, more={"D5": "park", "H13": "building"})
    observation = taught.read(shaded(state))
    assert counted(state, observation)[0] == 0
    assert observation.reading.state(BOARD, PIECES)["tiles"].get(DISCS[2]) == "park"


def test_what_was_found_is_not_sought_again_while_nothing_changed() -> None:
    reader, picture = shown_empty(), shaded(START)
    first = reader.read(picture)
    below, asked = reader._below, []
    below._look = lambda *told: asked.append(told) or {}  # type: ignore[method-assign]
    again = reader.read(Frame(picture.image.copy(), 1.0, "test"))
    assert asked == []
    assert again.reading.unknown.keys() == first.reading.unknown.keys()
    moved = START | {"characters": START["characters"] | {"smith": {"hex": "L9", "side": "suspect"}}}
    reader.read(shaded(moved))
    assert asked


# --- stickers that are too small to be read -----------------------------------------------------------------------------


@pytest.mark.parametrize("way", [(12.0, 9.0), (-15.0, 3.0), (18.0, 0.0)])
def test_a_shadow_that_reaches_a_bare_street_is_nothing_that_lies_there(taught: MarkedReader, way: tuple[float, float]) -> None:
    """The sun stands low, and its edge is sharp: up to seven streets beside discs bore something that could not be read."""
    state = START | {"tiles": dict(list(START["tiles"].items())[1:])}  # one tile is gone, and may lie anywhere
    observation = taught.read(shaded(state, lamps=((way, 0.25),)))
    assert counted(state, observation)[0] == 0
    assert not [why for why in observation.reading.unknown.values() if "cannot be read" in why]


def lit(picture: np.ndarray, spot: str, strength: float) -> np.ndarray:
    """A lamp's warm reflection on the varnish, about a place."""
    x, y = pose(BOARD, SHOT).project([BOARD.mm(spot)])[0]
    ys, xs = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    light = strength * np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * 60.0**2))
    return np.asarray(np.clip(picture + light[..., None] * np.array([0.5, 0.75, 1.0]), 0, 255), np.uint8)


@pytest.mark.parametrize("taught_in_it", [True, False])
def test_a_street_on_which_a_reflection_falls_or_fell_shows_its_surroundings_and_one_below_a_card_does_not(
    taught_in_it: bool,
) -> None:
    """The lamp moved: seven streets that looked otherwise than when they were learnt were hidden (path-traced)."""
    street, reader = "G6", MarkedReader(BOARD, PIECES, pose(BOARD, SHOT).lens)
    strengths = (40.0, 0.0) if taught_in_it else (0.0, 40.0)
    empty, now = (
        lit(compose(table(state, 1, 1), SHOT), street, strength)
        for state, strength in zip((EMPTY, START), strengths, strict=True)
    )
    first = Frame(empty, 0.0, "empty")
    reader.learn(first, reader.read(first))
    observation = reader.read(Frame(now, 1.0, "lit otherwise"))
    assert reader.bare is not None
    assert observation.registration is not None
    registered, pieces = Marked(now, observation.registration, BOARD, PIECES), observation.reading.sightings
    prints, laid = reader.settings.prints, reader.settings.laid
    assert surroundings_show(registered, street, pieces, reader.bare, prints, laid)
    assert looks_bare(registered, street, reader.bare, 10.0, prints, laid)
    card = np.asarray(BOARD.mm(street)) + np.array([[-25, -35], [25, -35], [25, 35], [-25, 35]])
    cv2.fillPoly(now, [observation.registration.project(card).astype(np.int32)], (120, 150, 190))
    covered = Marked(now, observation.registration, BOARD, PIECES)
    assert not surroundings_show(covered, street, pieces, reader.bare, prints, laid)


def printed_small(side_mm: float) -> PieceSet:
    """The pieces with the turn marker's sticker printed smaller than it should be."""
    turn = replace(PIECES.groups["turn"], marker_mm=side_mm, quiet_mm=0.5)
    return replace(PIECES, groups=MappingProxyType({**PIECES.groups, "turn": turn}))


def small_sticker(state: State, side_mm: float = 7.0) -> Frame:
    registered = replace(table(state, 1, 1), pieces=printed_small(side_mm))
    return Frame(compose(registered, SHOT), 0.0, "test")


def test_a_sticker_too_small_to_be_read_makes_a_piece_unknown_and_not_gone(taught: MarkedReader) -> None:
    for turn in (2, 5):
        state = START | {"turn": turn}
        observation = taught.read(small_sticker(state))
        assert "turn" in observation.reading.unknown and f"turn-{turn}" in observation.reading.unknown["turn"]
        again = taught.read(small_sticker(state), observation.reading)
        assert "turn" in again.reading.unknown, "the same while the table is watched"


def test_a_turn_marker_that_lies_nowhere_is_gone(taught: MarkedReader) -> None:
    observation = taught.read(Frame(compose(table(START | {"turn": None}, 1, 1), SHOT), 0.0, "test"))
    assert "turn" not in observation.reading.unknown
    assert observation.reading.state(BOARD, PIECES)["turn"] is None


def veiled(state: State, share: float, blur_px: float) -> Frame:
    """A picture with an even reflection over the turn track, out of which so much of what is seen there is made."""
    picture, camera = compose(table(state, 1, 1), SHOT), pose(BOARD, SHOT)
    places = [place.id for place in BOARD.places.values() if place.id.startswith("turn")]
    x, y = np.array([camera.project([BOARD.mm(place)])[0] for place in places]).T
    about = slice(int(y.min()) - 30, int(y.max()) + 30), slice(int(x.min()) - 30, int(x.max()) + 30)
    picture[about] = np.rint(picture[about] * (1 - share) + 225 * share).astype(np.uint8)
    return Frame(cv2.GaussianBlur(picture, (0, 0), blur_px), 0.0, "test")


@pytest.mark.parametrize(
    ("share", "blur_px"),
    [
        (0.7, 1.7),
        *(pytest.param(*one, marks=pytest.mark.slow) for one in ((0.84, 0.9), (0.5, 0.9), (0.84, 1.3), (0.8, 1.7), (0.7, 2.1))),
    ],
)
def test_a_turn_marker_under_a_reflection_is_not_gone(share: float, blur_px: float) -> None:
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, SHOT).lens)
    empty = veiled(EMPTY, share, blur_px)
    reader.learn(empty, reader.read(empty))
    for turn in (2, 5):
        reading = reader.read(veiled(START | {"turn": turn}, share, blur_px)).reading
        assert reading.state(BOARD, PIECES)["turn"] == turn or "turn" in reading.unknown
    gone = reader.read(veiled(START | {"turn": None}, share, blur_px)).reading
    assert gone.state(BOARD, PIECES)["turn"] is None


def test_the_empty_board_is_learnt_even_where_a_place_is_too_small_to_tell() -> None:
    reader = MarkedReader(BOARD, printed_small(6.0), pose(BOARD, SHOT).lens)
    empty = Frame(compose(table(EMPTY, 1, 1), SHOT), 0.0, "test")
    observation = reader.read(empty)
    assert set(observation.reading.unknown) == {"turn"}
    reader.learn(empty, observation)
    assert reader.bare is not None and reader.bare.shows(BOARD.mm("E8"), 15.0)
    assert not reader.bare.shows(BOARD.mm("turn-1"), 9.0)


def test_a_lamp_as_light_as_its_place_whose_sticker_cannot_be_read_is_not_gone() -> None:
    board, pieces = load("mr-jack-london"), load_pieces("mr-jack-london")
    small = replace(pieces.groups["gaslights"], marker_mm=7.0, quiet_mm=0.5)
    reader = MarkedReader(board, pieces, pose(board, SHOT).lens)
    empty = Frame(compose(Scene(board, pieces, LONDON_EMPTY), SHOT), 0.0, "test")
    reader.learn(empty, reader.read(empty))
    state = random_state(board, pieces, np.random.default_rng(4), gone=2)
    spot = sorted(state["gaslights"])[0]
    x, y = pose(board, SHOT).project([board.mm(spot)])[0].astype(int)
    colour = np.median(empty.image[y - 12 : y + 12, x - 12 : x + 12].reshape(-1, 3), axis=0)
    printed = replace(pieces, groups=MappingProxyType({**pieces.groups, "gaslights": small}))
    registered = Scene(board, printed, state, jitter=4, tile_colour=tuple(int(value) for value in colour))
    observation = reader.read(Frame(compose(registered, SHOT), 1.0, "test"))
    read = observation.reading.state(board, pieces)["gaslights"]
    for place in board.of_kind("gaslight"):
        told = read.get(place) == state["gaslights"].get(place)
        assert told or f"gaslight:{place}" in observation.reading.unknown
    assert f"gaslight:{spot}" in observation.reading.unknown


def test_a_tile_of_the_streets_colour_whose_sticker_cannot_be_read_is_not_gone(
    taught: MarkedReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = compose(table(EMPTY, 1, 1), SHOT)
    x, y = pose(BOARD, SHOT).project([BOARD.mm("L9")])[0].astype(int)
    street = np.median(empty[y - 12 : y + 12, x - 12 : x + 12].reshape(-1, 3), axis=0)
    monkeypatch.setattr(
        composing, "face_colour", lambda face: tuple(int(value) for value in street) if face == "park" else None
    )
    small = replace(PIECES.groups["tiles"], marker_mm=9.0, quiet_mm=0.5)
    printed = replace(PIECES, groups=MappingProxyType({**PIECES.groups, "tiles": small}))
    for spot in ("L9", "D5"):
        state = START | {"tiles": {spot: "park"}}
        observation = taught.read(Frame(compose(replace(table(state, 1, 1), pieces=printed), SHOT), 0.0, "test"))
        assert (
            f"tile:{spot}" in observation.reading.unknown
            or observation.reading.state(BOARD, PIECES)["tiles"].get(spot) == "park"
        )
    bare = START | {"tiles": {}}
    observation = taught.read(Frame(compose(table(bare, 1, 1), SHOT), 0.0, "test"))
    assert [name for name in observation.reading.unknown if name.partition(":")[2] not in DISCS] == []


def test_print_in_the_shade_is_bare_a_little_sooner_than_print_of_another_look() -> None:
    below = OcclusionPosterior(BOARD, PIECES)
    for bare, otherwise, shaded_only in ((0.95, True, True), (0.85, False, True), (0.7, False, False)):
        found = {"bare": bare, "alien": 1 - bare, "lamp": 0.0}
        assert (below.surest(found) == ("bare", bare)) is otherwise
        assert (below.surest(found, only_darker=True) == ("bare", bare)) is shaded_only
    side = {"bare": 0.05, "alien": 0.03, "lamp": 0.92}
    assert below.surest(side) is below.surest(side, only_darker=True) is None
    assert below.surest(side, tinted=True) == ("lamp", 0.92)
    assert below.surest({"bare": 0.02, "alien": 0.93, "lamp": 0.05}, tinted=True) is None
    assert below.surest({"bare": 0.05, "alien": 0.25, "lamp": 0.7}, tinted=True) is None

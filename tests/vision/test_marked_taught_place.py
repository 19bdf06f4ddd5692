"""What a disc leaves of a cover in sight, and what shows through a lamp's reflection: found, or unknown, never denied."""

from dataclasses import replace
from typing import Any, cast

import cv2
import numpy as np
import pytest

from companion.boards import load, load_pieces
from companion.calibration.training.stickers_composed import EMPTY, Scene, Shot, compose, pose, random_state
from companion.vision.camera import Registration
from companion.vision.frame import Frame, Image
from companion.vision.marked.claims import Draft
from companion.vision.marked.evidence import Evidence
from companion.vision.marked.occlusion_refinement import OcclusionRefinement
from companion.vision.marked.reader import MarkedReader
from companion.vision.marked.rim_comparison import Rim
from companion.vision.observation import Observation
from companion.vision.plain.evidence import BARE
from companion.vision.table_sets.scoring import EXACT, compare

BOARD, PIECES = load("mr-jack-london"), load_pieces("mr-jack-london")
SHOT = Shot(tilt=20, px_per_mm=1.9)
DUSK = replace(SHOT, exposure=0.4)
HOLES = sorted(BOARD.of_kind("manhole"))


def taught_reader(shot: Shot = SHOT) -> MarkedReader:
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, shot).lens)
    empty = Frame(compose(Scene(BOARD, PIECES, EMPTY), shot), 0.0, "empty")
    reader.learn(empty, reader.read(empty))
    return reader


def glare(picture: Image, registration: Registration, spot: str, strength: float, reach_px: float = 90.0) -> Image:
    x, y = registration.project([BOARD.mm(spot)])[0]
    ys, xs = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    light = strength * np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * reach_px**2))
    return np.asarray(np.clip(picture + light[..., None], 0, 255), np.uint8)


def on_holes(seed: int, covers: list[str]) -> dict[str, Any]:
    """A position at random with discs on four manholes, and covers where they are wanted."""
    state = random_state(BOARD, PIECES, np.random.default_rng(seed))
    stand = dict(zip(HOLES[:4], list(state["characters"])[:4], strict=True))
    free = iter(sorted(set(BOARD.of_kind("street")) - {entry["hex"] for entry in state["characters"].values()}))
    for name, entry in state["characters"].items():
        entry["hex"] = next((hole for hole, who in stand.items() if who == name), next(free))
    return state | {"covers": sorted(covers)}


def differing(state: dict[str, Any], observation: Observation) -> list[tuple[str, str]]:
    verdicts = compare(state, observation.reading.state(BOARD, PIECES), observation.reading.unknown, PIECES)
    return [(verdict.subject, verdict.verdict) for verdict in verdicts if verdict.verdict != EXACT]


@pytest.mark.parametrize("strength", [0.0, 60.0])
def test_a_cover_under_one_of_four_discs_is_told_by_what_sticks_out(strength: float) -> None:
    state = on_holes(5, [HOLES[1], HOLES[6]])
    picture = compose(Scene(BOARD, PIECES, state, jitter=5), SHOT)
    observation = taught_reader().read(Frame(glare(picture, pose(BOARD, SHOT), HOLES[1], strength), 1.0, "test"))
    assert differing(state, observation) == []


@pytest.mark.parametrize("seed", [6, 7])
def test_a_cover_in_a_hand_is_not_looked_for_under_a_disc(seed: int) -> None:
    state = on_holes(seed, [HOLES[6]])
    observation = taught_reader().read(Frame(compose(Scene(BOARD, PIECES, state, jitter=seed), SHOT), 1.0, "test"))
    assert observation.reading.state(BOARD, PIECES)["covers"] == [HOLES[6]]
    assert any(name.startswith("cover:") for name in observation.reading.unknown), "where it is nobody can tell"


def shaded(picture: Image, registration: Registration, spot: str) -> Image:
    """A disc's hard shadow on the place it stands on, wide enough to look like a tile's rim."""
    size = picture.shape[1::-1]
    turn = np.linspace(0, 2 * np.pi, 60)
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    masks = []
    for radius, off, height in ((24.0, (4.0, 3.0), 0.0), (18.0, (0.0, 0.0), 8.0), (18.0, (0.0, 0.0), 0.0)):
        outline = registration.project(np.asarray(BOARD.mm(spot)) + off + radius * ring, height)
        masks.append(cv2.fillPoly(np.zeros(size[::-1], np.uint8), [outline.astype(np.int32)], 1) > 0)
    made = picture.copy()
    shadow = masks[0] & ~masks[1] & ~masks[2]
    made[shadow] = (made[shadow] * 0.55).astype(np.uint8)
    return made


def test_a_discs_shadow_is_not_taken_for_the_rim_of_a_cover_that_a_hand_holds() -> None:
    state = on_holes(6, [HOLES[6]])
    picture = compose(Scene(BOARD, PIECES, state, jitter=6, sloppy_mm=0.5), SHOT)
    observation = taught_reader().read(Frame(shaded(picture, pose(BOARD, SHOT), HOLES[2]), 1.0, "test"))
    assert observation.reading.state(BOARD, PIECES)["covers"] == [HOLES[6]]
    assert f"cover:{HOLES[2]}" in observation.reading.unknown


def test_a_cover_that_lay_there_before_the_disc_came_still_does() -> None:
    before, now = on_holes(12, [HOLES[1], HOLES[6]]), on_holes(12, [HOLES[1], HOLES[6]])
    free = next(c for c in sorted(BOARD.of_kind("street")) if c not in {e["hex"] for e in now["characters"].values()})
    for entry in before["characters"].values():
        entry["hex"] = free if entry["hex"] == HOLES[1] else entry["hex"]
    reader = taught_reader()
    first = reader.read(Frame(compose(Scene(BOARD, PIECES, before, jitter=12), SHOT), 1.0, "test"))
    picture = compose(Scene(BOARD, PIECES, now, jitter=12), SHOT)
    observation = reader.read(Frame(glare(picture, pose(BOARD, SHOT), HOLES[1], 60.0), 2.0, "test"), first.reading)
    assert differing(now, observation) == []


def test_a_lamps_place_that_shows_its_print_through_a_reflection_is_empty() -> None:
    state = random_state(BOARD, PIECES, np.random.default_rng(8), gone=2)
    bare = next(spot for spot in sorted(BOARD.of_kind("gaslight")) if spot not in state["gaslights"])
    picture = compose(Scene(BOARD, PIECES, state, jitter=8), DUSK)
    observation = taught_reader(DUSK).read(Frame(glare(picture, pose(BOARD, DUSK), bare, 100.0), 1.0, "test"))
    assert bare in observation.occluded, "the light is no board: it is the print that tells"
    assert f"gaslight:{bare}" not in observation.reading.unknown
    assert differing(state, observation) == []


@pytest.mark.parametrize("strength", [120.0, 190.0, 250.0])
def test_a_lamp_in_a_reflection_is_read_or_unknown_but_never_gone(strength: float) -> None:
    state = random_state(BOARD, PIECES, np.random.default_rng(9))
    spot = sorted(state["gaslights"])[0]
    picture = compose(Scene(BOARD, PIECES, state, jitter=9), SHOT)
    observation = taught_reader().read(Frame(glare(picture, pose(BOARD, SHOT), spot, strength), 1.0, "test"))
    left = [entry for entry in differing(state, observation) if entry[1] != "unknown"]
    assert left == []
    if strength < 200:
        assert observation.reading.state(BOARD, PIECES)["gaslights"][spot] == state["gaslights"][spot]


@pytest.mark.parametrize(
    ("bare", "cover", "rims", "denied"),
    [
        (1.0, 0.0, True, True),
        (0.93, 0.06, True, False),
        (0.93, 0.06, False, True),
        (0.19, 0.8, False, True),  # a shadow alone may look so: hard table 374
        (0.01, 0.98, False, False),
    ],
)
def test_a_rim_that_seems_a_covers_is_doubted_where_a_closer_look_shows_bare_print(
    monkeypatch: pytest.MonkeyPatch, bare: float, cover: float, rims: bool, denied: bool
) -> None:
    """A window was mirrored in the empty board: below a disc the print there looked changed, and a cover was said to lie on it
    while it lay below another (path-traced)."""
    group, rim = PIECES.groups["covers"], Rim(0.52, 0.36, True, 0.09)
    closer = OcclusionRefinement(cast(Evidence, None), group, {"l12": rim} if rims else {}, frozenset())
    monkeypatch.setattr(OcclusionRefinement, "posteriors", lambda *_: {BARE: bare, "alien": 1 - bare - cover, group.key: cover})
    assert closer.denies(cast(Draft, None), "l12") is denied

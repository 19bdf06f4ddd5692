"""Which side of a disc is up where only first sides were taught: by the colours painted on them and how the rim is set off."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.boards import load, load_pieces
from companion.calibration.training.wild import WildTable
from companion.vision.frame import Frame
from companion.vision.plain.discs import ANGLES, INNER, RADII, Face, colours_kept, rim_otherwise
from companion.vision.plain.evidence import BARE, REJECT, CellFeatures
from companion.vision.plain.reader import PlainReader, teach
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.upper_side import UpperSide
from companion.vision.table_sets.scoring import WRONG, compare

BOARD, PIECES = load("mr-jack-london"), load_pieces("mr-jack-london")


def face(lab: np.ndarray) -> Face:
    return Face(lab.astype(np.float32), np.zeros(lab.shape[:2], np.float32))


@pytest.fixture
def painted() -> Face:
    """Blocks of colour on beige, a blue rim."""
    rng = np.random.default_rng(4)
    lab = np.tile([70.0, 3.0, 12.0], (len(RADII), ANGLES, 1))
    lab[2:8, 10:30] = [50, -4, -38]
    lab[4:10, 50:70] = [58, 40, 30]
    lab[~INNER] = [55, -3, -30]
    return face(lab + rng.normal(0, 1, lab.shape))


@pytest.mark.parametrize("steps", [0, 17, 90])
def test_painted_colours_show_at_their_turn_under_any_cast(painted: Face, steps: int) -> None:
    seen = face(np.roll(painted.lab, steps, axis=1) + np.array([-8, 14, -9]))
    kept, colour = colours_kept(seen, painted, steps * 2 * np.pi / ANGLES)
    assert kept == pytest.approx(1, abs=0.05) and colour > 9
    elsewhere, _ = colours_kept(seen, painted, (steps + 45) * 2 * np.pi / ANGLES)
    assert elsewhere < 0.3


def test_a_drawing_in_grey_keeps_none_of_the_colours(painted: Face) -> None:
    lab = painted.lab.copy()
    lab[INNER, :, 1:] = [4, 10]
    assert abs(colours_kept(face(lab), painted, 0.0)[0]) < 0.05


def test_paper_within_the_rim_is_set_off_otherwise(painted: Face) -> None:
    lab = painted.lab.copy()
    lab[INNER] += np.array([20, 0, 0], np.float32)
    assert rim_otherwise(face(lab), painted) == pytest.approx(20, abs=2)
    assert rim_otherwise(face(painted.lab + np.array([9, -5, 7], np.float32)), painted) < 2


@pytest.mark.slow
def test_paper_that_is_not_pale_beside_coloured_streets_is_no_first_side() -> None:
    """A copy whose streets are not grey: its paper looks pink beside them, and a pale first side like it."""
    table = WildTable(BOARD, PIECES, 900614, size=(1920, 1080))
    empty, start = (Frame(table.shoot(state)[0], 0.0, "made") for state in ({}, dict(BOARD.start)))
    reader = PlainReader(BOARD, PIECES, teach(empty, start, BOARD, PIECES, table.lens, BOARD.start))
    told = 0
    for index in range(3):
        state = table.random_state()
        picture, _ = table.shoot(state, mood=table.other_light() if index % 2 else None)
        observation = reader.read(Frame(picture, 0.0, "made"))
        verdicts = compare(state, observation.reading.state(BOARD, PIECES), observation.reading.unknown, PIECES)
        assert [one.subject for one in verdicts if one.verdict == WRONG] == []
        told += sum(one.kind == "characters" and one.read is not None for one in verdicts)
    assert told >= 16


@pytest.mark.parametrize(("washed", "told"), [(0.0, False), (1.0, True)])
def test_a_veiled_first_side_is_not_doubted_for_its_pale_colours_and_rim(
    painted: Face, washed: float, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measured on a path-traced table: under a lamp's reflection 0.17 of the colours showed, and the rim stood out 10 less."""
    extractor: Any = SimpleNamespace(
        teaching=SimpleNamespace(unturned=()),
        faces={"gull": painted}, movable_ids=("gull",), faintness={}, knows_back=lambda piece: False, back=lambda piece: None,
        paleness=lambda piece: 0.0, washed_out=lambda face: washed,
    )  # fmt: skip
    estimator: Any = SimpleNamespace(portraits=lambda features: np.zeros((1, 2)), shows=lambda features, piece, side: 0.5)
    veiled = face(painted.lab * 0.17 + np.array([75, -3, 14]) * 0.83)
    disc: Any = SimpleNamespace(faces=(veiled,))
    features = CellFeatures("c2", (BARE, REJECT), stack=(np.zeros((1, 1, 3), np.uint8), np.zeros((1, 2))), disc=disc)
    upper = UpperSide(extractor, estimator, PlainSettings().judge)
    monkeypatch.setattr(UpperSide, "second_sides_known", True)
    sides = upper.sides("gull", {"suspect": 0.975, "innocent": 0.025}, {}, features, doubted=False)
    assert (sides["suspect"] >= PlainSettings().claim) is told


@pytest.mark.parametrize(
    ("faint", "ratio", "told"), [(0.0, 5.0, True), (0.0, 1.0, False), (1.0, 5.0, False), (1.0, 12.0, True)]
)
def test_a_first_side_that_was_taught_under_a_reflection_has_to_show_more_plainly(
    painted: Face, faint: float, ratio: float, told: bool
) -> None:
    """Measured on a dimmed copy: the second side was called the first one, which had been taught as faint (0.9999)."""
    extractor: Any = SimpleNamespace(
        teaching=SimpleNamespace(unturned=()), faces={"gull": painted}, movable_ids=("gull",), faintness={"gull": faint},
        knows_back=lambda piece: False, paleness=lambda piece: 0.0, washed_out=lambda face: 1.0,
    )  # fmt: skip
    estimator: Any = SimpleNamespace(portraits=lambda features: np.zeros((1, 2)), shows=lambda features, piece, side: ratio)
    disc: Any = SimpleNamespace(faces=(painted,))
    features = CellFeatures("c2", (BARE, REJECT), stack=(np.zeros((1, 1, 3), np.uint8), np.zeros((1, 2))), disc=disc)
    upper = UpperSide(extractor, estimator, PlainSettings().judge)
    sides = upper.sides("gull", {"suspect": 0.99, "innocent": 0.01}, {}, features, doubted=False)
    assert (sides["suspect"] >= PlainSettings().claim) is told


@pytest.mark.parametrize(
    ("ratios", "aligned", "believed", "told"),
    [
        ((9.0, 2.0), None, 0.5, "suspect"), ((-1.0, 7.0), None, 0.5, "innocent"), ((3.0, 1.0), None, 0.5, None),
        ((-9.0, -3.0), None, 0.5, None), ((1.1, 4.3), None, 0.5, None), ((1.1, 4.3), None, 0.05, "innocent"),
        ((-0.6, -2.6), None, 0.7, None), ((-9.0, -3.0), None, 0.001, None), ((0.3, -6.5), None, 0.9999, None),
        ((-0.1, -9.0), None, 0.9999, None), ((0.2, -5.6), (5.6, -1.9), 0.9, "suspect"),
        ((-2.3, -1.7), (0.1, 5.3), 0.3, "innocent"), ((4.2, 3.9), (9.0, 0.0), 0.5, None),
    ],
)  # fmt: skip
def test_of_two_taught_sides_the_one_that_shows_far_more_plainly_is_told(
    painted: Face, ratios: tuple[float, float], aligned: tuple[float, float] | None, believed: float, told: str | None
) -> None:
    """What else is seen of the disc counts as well, and all of it less where the disc is like neither, as found and with each
    taught face laid where it fits best: only of such a one that is asked."""
    extractor: Any = SimpleNamespace(
        teaching=SimpleNamespace(unturned=()), faces={"gull": painted}, movable_ids=("gull",), faintness={"gull": 0.0},
        knows_back=lambda piece: True, paleness=lambda piece: 0.0, washed_out=lambda face: 0.0,
    )  # fmt: skip
    estimator: Any = SimpleNamespace(
        portraits=lambda features: np.zeros((1, 2)), shows=lambda features, piece, side: ratios[side],
        shows_aligned=lambda features, piece: aligned or ratios,
    )  # fmt: skip
    disc: Any = SimpleNamespace(faces=(painted,))
    features = CellFeatures("c2", (BARE, REJECT), stack=(np.zeros((1, 1, 3), np.uint8), np.zeros((1, 2))), disc=disc)
    upper = UpperSide(extractor, estimator, PlainSettings().judge)
    sides = upper.sides("gull", {"suspect": believed, "innocent": 1 - believed}, {}, features, doubted=False)
    sure = [side for side, value in sides.items() if value >= PlainSettings().claim]
    assert sure == ([told] if told else []) and upper.underrated("gull") == 0


@pytest.mark.parametrize(("ratio", "told"), [(1.0, True), (-1.0, False), (-8.0, False)])
def test_where_second_sides_are_known_a_first_side_is_not_told_against_its_own_looks(
    painted: Face, ratio: float, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measured on a wild copy: a black disc's second side was called its first (0.991), which did not show at all."""
    extractor: Any = SimpleNamespace(
        teaching=SimpleNamespace(unturned=()), faces={"gull": painted}, movable_ids=("gull",), faintness={"gull": 0.0},
        knows_back=lambda piece: False, paleness=lambda piece: 0.0, washed_out=lambda face: 1.0,
    )  # fmt: skip
    estimator: Any = SimpleNamespace(portraits=lambda features: np.zeros((1, 2)), shows=lambda features, piece, side: ratio)
    disc: Any = SimpleNamespace(faces=(painted,))
    features = CellFeatures("c2", (BARE, REJECT), stack=(np.zeros((1, 1, 3), np.uint8), np.zeros((1, 2))), disc=disc)
    monkeypatch.setattr(UpperSide, "second_sides_known", True)
    sides = UpperSide(extractor, estimator, PlainSettings().judge).sides(
        "gull", {"suspect": 0.98, "innocent": 0.02}, {}, features, doubted=False
    )
    assert (sides["suspect"] >= PlainSettings().claim) is told and sides["suspect"] >= sides["innocent"]

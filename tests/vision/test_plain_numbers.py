"""Numbers on tiles read as figures: wherever a copy's own tiles show that they can be, and nowhere else."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from companion import boards
from companion.calibration.training.wild import WildCopy
from companion.vision.plain.evidence import BARE, REJECT, CellFeatures, Spot
from companion.vision.plain.model import shipped_blends
from companion.vision.plain.nets import Nets
from companion.vision.plain.numbers import Closeup, figure_of, learn_numbers
from companion.vision.plain.posteriors import PosteriorEstimator
from companion.vision.plain.settings import JudgeSettings
from companion.vision.plain.stacks import BRIGHTEST, CLOSE_SCALE, TILE_MM, coded
from companion.vision.plain.tile_features import Poses
from companion.vision.plain.tiles import FlatExemplar, flat_shape, set_apart

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
TILES = PIECES.in_group("gaslights")
FIGURES = 903_001
"""A copy whose numbers are figures; the network was trained on copies 300000 to 302399."""
ROMAN, DOTS = (903_003, 903_004, 903_012, 903_013, 903_021), (903_008, 903_014, 903_017, 903_023, 903_034)


@pytest.fixture(scope="module")
def nets() -> Nets:
    return Nets(1.5)


def shown(picture: np.ndarray, scale: float, gain: float = 1.0, veil: float = 0.0) -> np.ndarray:
    """A tile's drawing as a coded patch, dimmed and under stray light."""
    side = round(TILE_MM * scale)
    small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    rng = np.random.default_rng(5)
    light = (small / 255.0) ** 2.2 * 1.8 * gain + veil
    return coded(np.asarray(cv2.GaussianBlur(light + rng.normal(0, 0.004, light.shape), (0, 0), 0.6), np.float32))


def taught(seed: int, burnt: str | None = None) -> tuple[WildCopy, tuple[FlatExemplar, ...], list[Closeup]]:
    """A copy's tiles as they were taught; of the ``burnt`` one the number cannot be seen: it shows as a tile without."""
    copy = WildCopy(BOARD, PIECES, seed)
    without = next(piece for piece in TILES if piece.label == "blank")
    faces = [copy.faces[without.id if str(piece.label) == burnt else piece.id, None] for piece in TILES]
    patches = [(shown(face, 1.5).astype(np.float32) / 255) ** 2 * BRIGHTEST for face in faces]
    close = [shown(face, CLOSE_SCALE) for face in faces]
    known = [(str(piece.label), patch, (0.0, 0.0)) for piece, patch in zip(TILES, patches, strict=True)]
    exemplars = set_apart(known, flat_shape(PIECES.groups["gaslights"]), 1.5, close)
    return copy, exemplars, [(patch, exemplar.at_mm) for patch, exemplar in zip(close, exemplars, strict=True)]


def test_figures_are_read_under_stray_light(nets: Nets) -> None:
    copy, exemplars, close = taught(FIGURES)
    numbers = learn_numbers(nets, close, exemplars)
    assert numbers is not None
    assert numbers.trust == 1
    straight = Poses((0.0, 0.0), np.array([[-exemplar.turn] for exemplar in exemplars]) + exemplars[0].turn)
    for piece in TILES:
        seen = shown(copy.faces[piece.id, None], CLOSE_SCALE, 0.6, 0.25)
        told = numbers.read(nets, seen, straight, close, exemplars)
        best = {exemplar.label for exemplar, value in zip(exemplars, told, strict=True) if value == told.max()}
        assert best == {str(piece.label)}


def test_a_number_that_was_taught_burnt_out_is_read_all_the_same(nets: Nets) -> None:
    """The tile taught as 3 shows no number at all: to whoever only knows what was taught it is one without."""
    copy, exemplars, close = taught(FIGURES, burnt="3")
    numbers = learn_numbers(nets, close, exemplars)
    assert numbers is not None
    assert 0 < numbers.trust < 1  # one taught tile speaks against
    third = next(piece for piece in TILES if piece.label == 3)
    straight = Poses((0.0, 0.0), np.zeros((len(exemplars), 1)))
    told = numbers.read(nets, shown(copy.faces[third.id, None], CLOSE_SCALE), straight, close, exemplars)
    assert exemplars[int(told.argmax())].label == "3"
    marks, turns = [one.mark_mm for one in exemplars], np.array([one.turn for one in exemplars])
    blank = next(index for index, one in enumerate(exemplars) if one.label == "blank")
    assert nets.telling(close, marks, turns)[TILES.index(third), blank] == 0


@pytest.mark.parametrize(
    "seed", [*ROMAN[:3], *DOTS[:3], *(pytest.param(more, marks=pytest.mark.slow) for more in (*ROMAN[3:], *DOTS[3:]))]
)
def test_what_are_no_figures_is_not_misread(nets: Nets, seed: int) -> None:
    """Some Roman numbers pass for figures, always in their order; what is believed of any copy is then true."""
    copy, exemplars, close = taught(seed)
    numbers = learn_numbers(nets, close, exemplars)
    assert numbers is not None
    straight = Poses((0.0, 0.0), np.array([[-exemplar.turn] for exemplar in exemplars]) + exemplars[0].turn)
    for piece in TILES if numbers.trust else ():
        told = numbers.trust * numbers.read(
            nets, shown(copy.faces[piece.id, None], CLOSE_SCALE, 0.6, 0.25), straight, close, exemplars
        )
        sure = np.exp(told - np.logaddexp.reduce(told))
        assert {exemplar.label for exemplar, value in zip(exemplars, sure, strict=True) if value > 0.7} <= {str(piece.label)}


def test_other_labels_are_no_figures(nets: Nets) -> None:
    assert [figure_of(label) for label in ("1", "4", "5", "0", "blank", "lamp")] == [1, 4, 0, 0, 0, 0]
    _, exemplars, close = taught(FIGURES)
    numbered = [one for one, exemplar in zip(close, exemplars, strict=True) if exemplar.label.isdigit()]
    assert learn_numbers(nets, numbered, [one for one in exemplars if one.label.isdigit()]) is None  # none to compare with


@pytest.mark.parametrize(("read", "disputed"), [("3", False), ("2", True)])
def test_a_tile_is_in_dispute_whose_number_is_not_that_of_the_tile_it_looks_like(
    read: str, disputed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = ("1", "2", "3", "4", "blank")

    def apart(label: str) -> np.ndarray:
        return np.where(np.array(labels) == label, 6.0, 0.0)

    nets: Any = SimpleNamespace(
        place=lambda *_: np.log([0.001, 0.998, 0.001]),
        same_tile=lambda *_: apart("3")[:, None],
        same_mark=lambda *_: apart("3"),
    )
    of_each = {
        name: {"gaslights": ()} for name in ("flat_crops", "flat_colours", "flat_closeups", "flat_marks", "flat_exemplars")
    }
    of_each["flat_crops"] = {"gaslights": labels}
    extractor: Any = SimpleNamespace(tile=lambda *_: (None, Poses((0.0, 0.0), np.zeros((5, 1)))), **of_each)
    scorers: Any = {"gaslights": SimpleNamespace(scores=lambda _: np.zeros(7))}
    estimator = PosteriorEstimator(extractor, scorers, shipped_blends(), nets, JudgeSettings())
    numbers = SimpleNamespace(trust=1.0, read=lambda *_: apart(read) - 6)
    monkeypatch.setattr(estimator, "_numbered", lambda _: numbers)
    monkeypatch.setattr(estimator, "_telling", lambda _: np.ones((5, 5)))
    patch = np.zeros((8, 8, 3), np.uint8)
    spot = Spot(patch, patch, None, patch.astype(np.float32), patch.astype(np.float32), patch[..., 0].astype(np.float32), 2.0)
    features = CellFeatures("h8", (BARE, REJECT, *labels), scorer="gaslights", place=replace(spot, close=patch))
    assert max(estimator.posteriors(features).items(), key=lambda item: item[1])[0] == "3"
    assert estimator.disputed(features) is disputed

"""The small networks: that they load, stay small, and tell sameness on drawings nobody trained on."""

from dataclasses import replace
from importlib import resources
from itertools import product
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion import boards
from companion.calibration.training.wild import WildCopy
from companion.vision.plain.assignment import PlaceWeights, marginals
from companion.vision.plain.evidence import CellFeatures
from companion.vision.plain.model import BLEND, MARK, Blend, shipped_blends, tile_rows
from companion.vision.plain.nets import AROUND, HERE, Nets
from companion.vision.plain.posteriors import PosteriorEstimator
from companion.vision.plain.settings import JudgeSettings, PlainSettings
from companion.vision.plain.stacks import (
    BRIGHTEST,
    CLOSE_SCALE,
    DISC_SIDE,
    TILE_MM,
    Bytes,
    Floats,
    coded,
    crop,
    planes,
    slot_colour,
)
from companion.vision.plain.tiles import flat_shape, set_apart

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
SEED = 903_001
"""Copies below 2000 and from 7000 to 205000 were fitted on."""


@pytest.fixture(scope="module")
def drawings() -> WildCopy:
    return WildCopy(BOARD, PIECES, SEED)


@pytest.fixture(scope="module")
def nets() -> Nets:
    return Nets(1.5)


def shown(picture: np.ndarray, side: int, gain: float, veil: float, turn: float = 0.0) -> np.ndarray:
    """A drawing as a coded crop: dimmed, under stray light, turned clockwise by degrees."""
    small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    move = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), -turn, 1.0)
    turned = cv2.warpAffine(small, move, (side, side), borderMode=cv2.BORDER_REPLICATE)
    rng = np.random.default_rng(5)
    light = (turned / 255.0) ** 2.2 * 1.8 * gain + veil
    return coded(np.asarray(cv2.GaussianBlur(light + rng.normal(0, 0.004, light.shape), (0, 0), 0.6), np.float32))


def test_networks_are_small() -> None:
    sizes = [
        len((resources.files("companion.vision.plain") / f"{name}.onnx").read_bytes())
        for name in ("disc", "tile", "place", "mark", "facing", "below", "number", "wedge")
    ]
    assert sum(sizes) < 2_000_000


@pytest.mark.parametrize(("gain", "veil"), [(1.0, 0.0), (0.5, 0.5)])
def test_own_portrait_is_likelier_than_any_other(drawings: WildCopy, nets: Nets, gain: float, veil: float) -> None:
    movable = PIECES.in_group("characters")
    taught = [shown(drawings.faces[piece.id, piece.faces[0]], DISC_SIDE, 1.0, 0.0) for piece in movable]
    right = 0
    for index, piece in enumerate(movable):
        for face, name in enumerate(piece.faces):
            seen = shown(drawings.faces[piece.id, name], DISC_SIDE, gain, veil, 60.0)
            ratios = nets.same_face(seen, taught, np.full((len(movable), 1), np.radians(60.0)))
            right += int(np.unravel_index(int(ratios.argmax()), ratios.shape) == (index, face))
    assert right >= 14  # of 16


def test_own_number_is_likelier_than_any_other(drawings: WildCopy, nets: Nets) -> None:
    tiles = {str(piece.label): drawings.faces[piece.id, None] for piece in PIECES.in_group("gaslights")}
    side = round(TILE_MM * 1.5)
    exemplars = [(shown(picture, side, 1.0, 0.0), (0.0, 0.0)) for picture in tiles.values()]
    right = 0
    for index, picture in enumerate(tiles.values()):
        ratios = nets.same_tile(shown(picture, side, 0.7, 0.2), (0.0, 0.0), exemplars, np.zeros((len(exemplars), 1)))
        right += int(ratios.argmax() == index)
    assert right == len(tiles)


def test_own_number_is_likelier_by_the_number_alone(drawings: WildCopy, nets: Nets) -> None:
    tiles = {str(piece.label): drawings.faces[piece.id, None] for piece in PIECES.in_group("gaslights")}
    side, large = round(TILE_MM * 1.5), round(TILE_MM * CLOSE_SCALE)
    patches = [shown(picture, side, 1.0, 0.0) for picture in tiles.values()]
    close = [shown(picture, large, 1.0, 0.0) for picture in tiles.values()]
    light = [(patch.astype(np.float32) / 255) ** 2 * BRIGHTEST for patch in patches]
    shape = flat_shape(PIECES.groups["gaslights"])
    taught = set_apart([(label, patch, (0.0, 0.0)) for label, patch in zip(tiles, light, strict=True)], shape, 1.5, close)
    exemplars = [(patch, exemplar.at_mm) for patch, exemplar in zip(close, taught, strict=True)]
    marks = [exemplar.mark_mm for exemplar in taught]
    right = 0
    for index, picture in enumerate(tiles.values()):
        seen = shown(picture, large, 0.7, 0.2)
        right += int(nets.same_mark(seen, (0.0, 0.0), exemplars, marks, np.zeros((len(tiles), 1))).argmax() == index)
    assert right >= len(tiles) - 1


def test_numbers_that_were_taught_alike_are_not_told_apart(drawings: WildCopy, nets: Nets) -> None:
    tiles = {str(piece.label): drawings.faces[piece.id, None] for piece in PIECES.in_group("gaslights")}
    side, large = round(TILE_MM * 1.5), round(TILE_MM * CLOSE_SCALE)
    close = [shown(picture, large, 1.0, 0.0) for picture in tiles.values()]
    light = [(shown(picture, side, 1.0, 0.0).astype(np.float32) / 255) ** 2 * BRIGHTEST for picture in tiles.values()]
    shape = flat_shape(PIECES.groups["gaslights"])
    taught = set_apart([(label, patch, (0.0, 0.0)) for label, patch in zip(tiles, light, strict=True)], shape, 1.5, close)
    marks, turns = [exemplar.mark_mm for exemplar in taught], np.zeros(len(taught))
    clear = nets.telling([(patch, exemplar.at_mm) for patch, exemplar in zip(close, taught, strict=True)], marks, turns)
    burnt = [close[0], close[0], *close[2:]]  # the second shows the first one's number
    blurred = nets.telling([(patch, exemplar.at_mm) for patch, exemplar in zip(burnt, taught, strict=True)], marks, turns)
    assert clear[0, 1] == clear[1, 0] > 0.5
    assert blurred[0, 1] == 0
    assert blurred[0, 2] == pytest.approx(clear[0, 2])
    told = tile_rows(np.zeros(7), np.zeros(5), np.array([0.0, -6.0, -6.0, -6.0, -6.0]), blurred)
    assert told[1, MARK] == told[0, MARK] == 0
    assert told[2, MARK] < 0


def test_way_of_looking_is_told_by_either_face(drawings: WildCopy, nets: Nets) -> None:
    piece = next(piece for piece in PIECES.in_group("characters") if piece.facing)
    taught = shown(drawings.faces[piece.id, piece.faces[0]], DISC_SIDE, 1.0, 0.0)
    turns = np.radians(np.arange(6) * 60.0)[:, None]
    for side, face in enumerate(piece.faces):
        for way in range(6):
            seen = shown(drawings.faces[piece.id, face], DISC_SIDE, 0.8, 0.1, way * 60.0 + 4.0)
            assert nets.ways(seen, taught, turns, side).argmax() == way


def test_of_a_disc_found_beside_where_it_lies_the_way_counts_where_it_fits_best(drawings: WildCopy, nets: Nets) -> None:
    piece = next(piece for piece in PIECES.in_group("characters") if piece.facing)
    first = shown(drawings.faces[piece.id, piece.faces[0]], DISC_SIDE, 1.0, 0.0)
    turns = np.radians(np.arange(6) * 60.0)[:, None]
    plain = SimpleNamespace(pieces={piece.id: replace(piece, wedge=False)})
    extractor: Any = SimpleNamespace(pieces=plain, way_turns=lambda *_: (first, turns, 1))
    there, beside = (
        PosteriorEstimator(extractor, {}, shipped_blends(), nets, JudgeSettings(doubtless=sure))
        for sure in (0.0, JudgeSettings().doubtless)
    )
    weakest = []
    for way, shift in product(range(6), ((0, 4), (0, -4), (4, 0), (-4, 0))):
        seen = shown(drawings.faces[piece.id, piece.faces[1]], DISC_SIDE, 0.8, 0.1, way * 60.0 + 4.0)
        features = CellFeatures("c2", (), stack=(np.roll(seen, shift, (0, 1)), np.zeros((1, 1))))
        values = [some for one in (there, beside) if (some := one.ways(features, piece.id, piece.faces[1])) is not None]
        assert [int(some.argmax()) for some in values] == [way, way]
        weakest.append([float(some.max()) for some in values])
    assert min(now for _, now in weakest) > min(before for before, _ in weakest)
    assert all(now >= before for before, now in weakest), weakest


def test_a_plain_wedge_that_points_elsewhere_is_heeded(monkeypatch: pytest.MonkeyPatch, nets: Nets) -> None:
    """A face that was taught lying askew is surely taken to look the next way. The wedge printed on it tells; where it was not
    plain when it was taught, too, neither is believed."""
    extractor: Any = SimpleNamespace(pieces=PIECES, faintness={}, wedge_turns=np.zeros((6, 3)))
    piece = next(piece for piece in PIECES.in_group("characters") if piece.facing)
    taken = np.array([0.0, 0.994, 0.005, 0.0, 0.0, 0.001])
    asked: dict[tuple[bool, int], np.ndarray | None] = {}
    for printed, way in product((True, False), (1, 2)):
        estimator = PosteriorEstimator(extractor, {}, shipped_blends(), nets, JudgeSettings())
        vars(estimator)["_wedged"] = frozenset({(piece.id, piece.faces[0])} if printed else ())
        monkeypatch.setattr(estimator, "_ways_taught", lambda *_: taken)
        wedge = np.full((1, 6), -14.0)
        wedge[0, way] = 28.0
        monkeypatch.setattr(nets, "wedges", lambda *_, shown=wedge: shown)
        features = CellFeatures("c2", (), stack=(np.zeros((DISC_SIDE, DISC_SIDE, 3), np.uint8), np.zeros((1, 1))))
        asked[printed, way] = estimator.ways(features, piece.id, piece.faces[0])
    for printed in (True, False):
        agreed, odd = asked[printed, 1], asked[printed, 2]
        assert agreed is not None and odd is not None
        np.testing.assert_allclose(agreed, taken)
        if printed:
            assert odd.argmax() == 2
        else:
            assert odd.max() < 0.6


def test_a_wedge_that_is_not_seen_points_nowhere(monkeypatch: pytest.MonkeyPatch, nets: Nets) -> None:
    """A printing may have none; what the network makes of the portrait then must not say which way it looks."""
    extractor: Any = SimpleNamespace(pieces=PIECES, way_turns=lambda *_: None, faintness={})
    estimator = PosteriorEstimator(extractor, {}, shipped_blends(), nets, JudgeSettings())
    vars(estimator)["_wedged"] = frozenset()
    for best, told in ((-4.0, False), (6.0, True)):
        scores = np.array([best, -14.0, -14.0, -14.0, -14.0, -14.0])
        monkeypatch.setattr(estimator, "_wedge", lambda features, scores=scores: scores)
        features = CellFeatures("c2", (), stack=(np.zeros((DISC_SIDE, DISC_SIDE, 3), np.uint8), np.zeros((1, 1))))
        ways = estimator.ways(features, "watson", "suspect")
        assert ways is not None and ways.sum() == pytest.approx(1)
        assert bool(ways.max() >= 0.97) is told


def test_whether_a_wedge_is_printed_is_asked_of_each_taught_side_by_itself(drawings: WildCopy, nets: Nets) -> None:
    """A second side of another picture may show none that can be seen; where its face says the way surely, that counts."""
    piece = next(piece for piece in PIECES.in_group("characters") if piece.wedge)
    other = next(other for other in PIECES.in_group("characters") if not other.wedge)
    first, bare = (shown(drawings.faces[one.id, one.faces[0]], DISC_SIDE, 1.0, 0.0) for one in (piece, other))
    first_side, second_side = ((piece.id, face) for face in piece.faces)
    turns = np.radians(np.arange(6) * 60.0)[:, None]
    for second, told in ((None, {first_side, second_side}), (first, {first_side, second_side}), (bare, {first_side})):
        backs = None if second is None else SimpleNamespace(pieces=(piece.id,), crops=(second,))
        extractor: Any = SimpleNamespace(
            pieces=PIECES, movable_ids=(piece.id,), face_crops=(first,), backs=backs, wedge_turns=turns
        )
        assert PosteriorEstimator(extractor, {}, shipped_blends(), nets, JudgeSettings())._wedged == told


def test_a_disc_on_which_its_wedge_is_not_seen_is_not_trusted_to_look_any_way(
    monkeypatch: pytest.MonkeyPatch, nets: Nets
) -> None:
    """Watson was looked for 5 mm beside his place, and said to look a way he did not (0.987); a play was flagged for it."""
    sure = np.array([0.0, 0.002, 0.001, 0.979, 0.017, 0.001]), np.array([0.0, 0.001, 0.0, 0.998, 0.001, 0.0])
    none, seen = np.array([-5.8, -6.4, -8.0, 0.1, -1.9, -6.1]), np.array([-10.0, -12.0, -14.0, 18.0, -6.0, -8.0])
    faint = np.array([-8.4, -8.0, -8.5, 4.0, -10.8, -9.9])  # under a lamp's reflection, but where the face looks
    extractor: Any = SimpleNamespace(pieces=PIECES, faintness={}, wedge_turns=np.zeros((6, 1)))
    estimator = PosteriorEstimator(extractor, {}, shipped_blends(), nets, JudgeSettings())
    for taught, (wedge, printed, told) in product(
        sure, ((none, True, False), (seen, True, True), (faint, True, None), (none, False, True), (seen, False, True))
    ):
        monkeypatch.setattr(estimator, "_ways_taught", lambda *_, taught=taught: taught)
        monkeypatch.setattr(nets, "wedges", lambda shown, _, wedge=wedge: np.tile(wedge, (len(shown), 1)))
        vars(estimator)["_wedged"] = frozenset({("watson", "innocent")} if printed else ())
        features = CellFeatures("c2", (), stack=(np.zeros((DISC_SIDE, DISC_SIDE, 3), np.uint8), np.zeros((1, 1))))
        ways = estimator.ways(features, "watson", "innocent")
        assert ways is not None and ways.sum() == pytest.approx(1) and ways.argmax() == 3
        expected = taught is sure[1] if told is None else told
        assert bool(ways.max() >= PlainSettings().claim) is expected, (taught, wedge, printed)


def test_bare_print_is_bare_and_a_tile_is_not(drawings: WildCopy, nets: Nets) -> None:
    cover = next(drawings.faces[piece.id, None] for piece in PIECES.in_group("covers"))
    x, y = (round(v * 3) for v in BOARD.mm(next(iter(sorted(BOARD.of_kind("manhole"))))))
    bare_print = drawings.art[y - 72 : y + 72, x - 72 : x + 72]
    side = 72
    bare = shown(bare_print, side, 1.0, 0.0)
    lying = bare_print.copy()
    h, w = cover.shape[:2]
    inside = np.zeros((h, w), np.uint8)
    hexagon = np.array([(w - 1, h / 2), (3 * w / 4, h - 1), (w / 4, h - 1), (0, h / 2), (w / 4, 0), (3 * w / 4, 0)])
    cv2.fillPoly(inside, [hexagon.astype(np.int32)], 1)
    part = lying[72 - h // 2 : 72 - h // 2 + h, 72 - w // 2 : 72 - w // 2 + w]
    part[inside > 0] = cover[inside > 0]
    colour = slot_colour([(shown(lying, side, 1.0, 0.0), (0.0, 0.0))], 1.5)
    for light in (1.0, 0.6):
        still = nets.place(shown(bare_print, side, light, 0.0), bare, None, colour)
        covered = nets.place(shown(lying, side, light, 0.0), bare, None, colour)
        assert still.argmax() == 0
        assert covered.argmax() == 1


def below_a_disc(drawings: WildCopy) -> tuple[list[Bytes], NDArray[np.bool_], list[Floats]]:
    """Bare print, the same in a disc's shadow, a tile in it; what the disc hides; the colours of the tile and another one."""
    side, scale = 72, 1.5
    x, y = (round(v * 3) for v in BOARD.mm(next(iter(sorted(BOARD.of_kind("street"))))))
    print_ = drawings.art[y - 72 : y + 72, x - 72 : x + 72]
    bare = shown(print_, side, 1.0, 0.0)
    xs, ys = np.meshgrid(*2 * [(np.arange(side) - (side - 1) / 2) / scale])
    hidden = np.hypot(xs - 1, ys + 1) <= 16.0
    shade = 1 - cv2.GaussianBlur((np.hypot(xs - 6, ys - 4) <= 15).astype(np.float32), (0, 0), 2.0)[..., None] * (0.6, 0.5, 0.3)
    shaded = np.asarray(np.sqrt((bare / 255.0) ** 2 * shade) * 255, np.uint8)
    tile, other = np.array([[40, 120, 60], [150, 60, 40]], np.uint8)
    lying = shaded.copy()
    flats = [np.abs(xs * np.cos(a) + ys * np.sin(a)) <= 17.7 for a in np.radians([30, 90, 150])]
    lying[np.all(flats, axis=0)] = tile
    colours = [np.asarray(colour / 255, np.float32) for colour in (tile, other)]
    return [bare, shaded, lying], hidden, colours


def test_below_a_disc_print_in_a_coloured_shadow_is_bare_and_a_tile_is_not(drawings: WildCopy, nets: Nets) -> None:
    (bare, shaded, lying), hidden, colours = below_a_disc(drawings)
    for at in (HERE, AROUND):
        assert (nets.below(shaded, bare, hidden, colours, at).argmax(axis=1) == 0).all()
        assert nets.below(lying, bare, hidden, colours, at)[0].argmax() == 1
        assert nets.below(lying, bare, hidden, colours, at)[1].argmax() == 2


def test_several_looks_at_a_place_count_on_average_and_hang_less_on_where_it_was_found(drawings: WildCopy, nets: Nets) -> None:
    (bare, shaded, _), hidden, colours = below_a_disc(drawings)
    for look in (nets.below, nets.places):
        each = [look(shaded, bare, hidden, colours, (at,)) for at in AROUND]
        assert np.allclose(look(shaded, bare, hidden, colours, AROUND), np.mean(each, axis=0), atol=1e-3)
        spread = {}
        for points in (HERE, AROUND):
            shifted = [[np.roll(one, by, (0, 1)) for one in (shaded, bare, hidden)] for by in product((-1, 1), (-1, 1))]
            spread[points] = np.ptp([np.diff(look(*some, colours, points)[0, :2]) for some in shifted])
        assert spread[AROUND] < spread[HERE]


def test_a_disc_found_beside_where_it_lies_is_compared_there_as_well_once(drawings: WildCopy, nets: Nets) -> None:
    movable = PIECES.in_group("characters")
    crops = [shown(drawings.faces[piece.id, piece.faces[0]], DISC_SIDE, 1.0, 0.0) for piece in movable]
    turns = np.zeros((len(movable), 1))
    extractor: Any = SimpleNamespace(face_crops=crops, backs=None, movable_ids=[piece.id for piece in movable])
    estimator = PosteriorEstimator(extractor, {}, shipped_blends(), nets, JudgeSettings())
    estimator._judged = lambda *_, **__: {}  # type: ignore[method-assign] # what its outline says is not asked here
    gained = 0.0
    for index, piece in enumerate(movable):
        seen = shown(drawings.faces[piece.id, piece.faces[0]], DISC_SIDE, 0.7, 0.1)
        features = CellFeatures("c2", (), stack=(np.roll(seen, (0, 3), (0, 1)), turns))
        before = estimator.portraits(features)
        assert estimator.beside(features)
        after = estimator.portraits(features)
        assert (after >= before).all()
        gained += after[index, 0] - before[index, 0]
        assert not estimator.beside(features), "it was looked at there"
        assert (estimator.portraits(features) == after).all()
    assert gained > 1


def test_crop_turns_clockwise_about_the_point() -> None:
    patch = np.zeros((61, 61, 3), np.uint8)
    patch[28:33, 48:53] = 255  # to the right of the middle
    turned = crop(patch, (0.0, 0.0), np.pi / 2, 61, 61 / 1.5, 1.5)
    rows, columns = np.nonzero(turned[..., 0] > 128)
    assert abs(rows.mean() - 50) < 1
    assert abs(columns.mean() - 30) < 1


def test_drawing_plane_forgives_veil_and_shade() -> None:
    rng = np.random.default_rng(1)
    picture = cv2.resize(rng.choice([20.0, 230.0], (12, 12, 1)).astype(np.float32), (48, 48))[..., None].repeat(3, 2)
    faded = 0.4 * picture + 110
    one, other = planes([picture.astype(np.uint8), faded.astype(np.uint8)])[:, 3]
    assert np.corrcoef(one.ravel(), other.ravel())[0, 1] > 0.98
    assert other.std() > 0.6 * one.std()


def test_blend_follows_the_witness_it_trusts() -> None:
    scores, ratios = np.array([0.0, -2.0, -3.0, -3.0]), np.array([[6.0, -4.0]])
    weights = np.zeros(len(BLEND))
    weights[0] = 1.0
    assert Blend(weights).discs(scores, ratios).argmax() == 0
    weights[1] = 1.0
    assert Blend(weights).discs(scores, ratios).argmax() == 2


def test_print_that_looks_like_a_tile_is_still_print() -> None:
    weights = np.ones(len(BLEND))
    weights[3:] = 0
    found = Blend(weights).flats(
        np.log([0.98, 0.01, 0.01]), tile_rows(np.zeros(4), np.array([9.0, -9.0]), np.zeros(2), np.ones((2, 2))), 2
    )
    assert found[0] == pytest.approx(0.98)
    assert found.sum() == pytest.approx(1.0)


def test_every_blend_has_a_weight_for_every_witness() -> None:
    blends = shipped_blends()
    assert {"walkers", "facing", "gaslights", "covers", "covers under"} <= set(blends)
    assert all(blend.weights.shape == (len(BLEND),) for blend in blends.values())


def test_two_covers_seen_make_a_third_impossible() -> None:
    sure = [PlaceWeights(spot, 0.001, {"cover": 0.999}) for spot in ("a", "b")]
    doubtful = PlaceWeights("c", 0.7, {"cover": 0.3})
    found = marginals([*sure, doubtful], {"cover": 2}, {"cover": 0.01})
    assert found.at["c"]["cover"] < 0.01

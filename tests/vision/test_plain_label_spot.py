"""The spot that tells labelled tiles apart is found on drawings never seen, however the tiles lie."""

import cv2
import numpy as np
import pytest

from companion import boards
from companion.calibration.training.art import SCALE
from companion.calibration.training.wild import WildCopy
from companion.vision.plain.label_spot import AlignedCloseup, CommonDrawing, TilePose, common_drawing
from companion.vision.plain.stacks import BRIGHTEST, CLOSE_SCALE, Bytes, coded
from companion.vision.plain.tiles import flat_shape, set_apart

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
SHAPE = flat_shape(PIECES.groups["gaslights"])
PATCH_MM = 46.0


class TilesOnly(WildCopy):
    """A made-up copy of which only the tiles are drawn."""

    def __post_init__(self) -> None:
        self._tiles(np.random.default_rng(self.seed))


def tiles(seed: int) -> dict[str, np.ndarray]:
    """Drawings by piece id."""
    copy = TilesOnly(BOARD, PIECES, seed)
    return {piece.id: copy.faces[piece.id, None] for piece in PIECES.in_group("gaslights")}


def lying(picture: np.ndarray, turn: float, at_mm: tuple[float, float], rng: np.random.Generator) -> Bytes:
    """A close-up of a drawing that lies turned by radians at a point (mm from the middle), in light and grain of its own."""
    side = round(PATCH_MM * CLOSE_SCALE)
    factor = CLOSE_SCALE / SCALE
    move = cv2.getRotationMatrix2D(((picture.shape[1] - 1) / 2, (picture.shape[0] - 1) / 2), -float(np.degrees(turn)), factor)
    move[:, 2] += (side - 1) / 2 - np.array([(picture.shape[1] - 1) / 2, (picture.shape[0] - 1) / 2])
    move[:, 2] += np.array(at_mm) * CLOSE_SCALE
    ground = tuple(rng.uniform(60, 200, 3).tolist())
    out = cv2.warpAffine(picture, move, (side, side), flags=cv2.INTER_AREA, borderValue=ground).astype(np.float32) / 255
    out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.6, 1.4)) * rng.uniform(0.6, 1.0) + rng.uniform(0, 0.15)
    light = np.clip(out + rng.normal(0, 0.015, out.shape), 0, 1).astype(np.float32) ** 2
    return coded(light)


def truth_mm(drawings: dict[str, np.ndarray]) -> np.ndarray:
    """Where the drawings themselves differ (mm from their middle)."""
    stack = np.stack(list(drawings.values())).astype(int)
    weight = (stack.max(axis=0) - stack.min(axis=0)).sum(axis=2) ** 2.0
    ys, xs = np.mgrid[0 : weight.shape[0], 0 : weight.shape[1]]
    middle = np.array([(weight.shape[1] - 1) / 2, (weight.shape[0] - 1) / 2])
    return (np.array([(xs * weight).sum(), (ys * weight).sum()]) / weight.sum() - middle) / SCALE


def reflectance(close: Bytes) -> np.ndarray:
    """A close-up as a patch of 1.5 samples a millimetre."""
    small = cv2.resize(close, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return (small.astype(np.float32) / 255) ** 2 * BRIGHTEST


@pytest.mark.parametrize("styles", [20, pytest.param(40, marks=pytest.mark.slow)])
def test_the_spot_is_found_on_drawings_of_many_styles(styles: int) -> None:
    near = 0
    for seed in range(styles):
        rng = np.random.default_rng(seed)
        drawings = tiles(500_000 + seed)
        turns = rng.integers(0, 6, len(drawings)) * np.pi / 3 + rng.normal(0, 0.06, len(drawings))
        places = [(float(x), float(y)) for x, y in rng.normal(0, 1.2, (len(drawings), 2))]
        close = [lying(d, t, at, rng) for d, t, at in zip(drawings.values(), turns, places, strict=True)]
        labels = [str(PIECES.pieces[piece].label) for piece in drawings]
        taught = [(label, reflectance(one), at) for label, one, at in zip(labels, close, places, strict=True)]
        found = set_apart(taught, SHAPE, 1.5, close)
        x, y = truth_mm(drawings)
        off = []
        for exemplar, turn, at in zip(found, turns, places, strict=True):
            want = np.array([np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y]) + at
            off.append(float(np.linalg.norm(np.array(exemplar.mark_mm) + exemplar.at_mm - want)))
        near += int(np.median(off) < 3.0)
    assert near >= 0.9 * styles


def test_tiles_that_do_not_differ_have_a_spot_all_the_same() -> None:
    picture = next(iter(tiles(500_100).values()))
    rng = np.random.default_rng(1)
    same = [AlignedCloseup(lying(picture, 0.0, (0.0, 0.0), rng), (0.0, 0.0), [0.0], label) for label in "12"]
    drawing, found = common_drawing(same, SHAPE.footprint(84, 2.0, 0.9))
    assert [lies.turn for lies in found] == [pytest.approx(0.0, abs=0.05)] * 2
    assert np.hypot(*drawing.spot_mm) < 18


def test_a_tile_is_laid_the_right_way_round_when_only_wrong_ways_were_thought_of() -> None:
    right = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        drawings = list(tiles(500_000 + seed).values())
        close = [lying(picture, np.pi if index == 2 else 0.0, (0.0, 0.0), rng) for index, picture in enumerate(drawings)]
        laid = [AlignedCloseup(one, (0.0, 0.0), [0.0], str(index)) for index, one in enumerate(close)]
        _, found = common_drawing(laid, SHAPE.footprint(84, 2.0, 0.9))
        turns = np.degrees([lies.turn for lies in found])
        right += int(np.abs((turns - np.where(np.arange(len(turns)) == 2, 180, 0) + 180) % 360 - 180).max() < 5)
    assert right >= 10  # of 12: some drawings look the same both ways


def taught(seed: int, rng: np.random.Generator) -> tuple[list[np.ndarray], CommonDrawing, list[TilePose]]:
    """Drawings of a copy's tiles, what they have in common, and how each lay."""
    drawings = list(tiles(500_000 + seed).values())
    close = [lying(picture, 0.0, (0.0, 0.0), rng) for picture in drawings]
    laid = [AlignedCloseup(one, (0.0, 0.0), [0.0], str(index)) for index, one in enumerate(close)]
    return drawings, *common_drawing(laid, SHAPE.footprint(84, 2.0, 0.9))


def test_a_tile_seen_later_is_laid_exactly() -> None:
    """Numbers are told apart by strokes of half a millimetre: a tile found a millimetre amiss would show another's."""
    before, after = [], []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        drawings, drawing, found = taught(seed, rng)
        at = (1.1, -0.8)
        lies = drawing.laid(lying(drawings[1], 0.05, at, rng), (0.0, 0.0), 0.0)
        before.append(float(np.hypot(*at)))
        after.append(float(np.linalg.norm(np.subtract(lies.middle_mm, at) - found[0].middle_mm)))
    assert np.median(before) > 1.3
    assert np.median(after) < 0.25


def test_a_tile_seen_later_is_found_at_any_turn_and_some_millimetres_beside() -> None:
    """Where it was thought to be turned by half a side too much, nothing was like it: its number was looked for elsewhere."""
    right = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        drawings, drawing, found = taught(seed, rng)
        turn, at = float(rng.uniform(0, 2 * np.pi)), (2.0, -1.5)
        lies = drawing.laid(lying(drawings[1], turn, at, rng), (0.0, 0.0), turn + np.pi / 6)
        astray = np.degrees(lies.turn - found[1].turn - turn)
        near = float(np.linalg.norm(np.subtract(lies.middle_mm, at)))
        right += int(abs((astray + 180) % 360 - 180) < 4 and near < 1)
    assert right >= 11  # of 12

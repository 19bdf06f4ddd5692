"""A disc over which a lamp's reflection lay when it was taught is found as the one that is nobody else; a piece's printed wedge
tells who it is and which way it looks."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion import boards
from companion.calibration.training.composed import Table
from companion.calibration.training.wild import WildCopy
from companion.vision.frame import Frame
from companion.vision.plain.evidence import headings
from companion.vision.plain.exemplars import WHITE, Teaching
from companion.vision.plain.nets import Nets
from companion.vision.plain.reader import PlainReader, teach
from companion.vision.plain.stacks import DISC_MM, DISC_SIDE, coded, crop

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
START: dict[str, Any] = dict(BOARD.start)
SEED = 2606  # seeds below 2000 and from 7000 on were fitted on
WAYS = headings(BOARD)


def washed(teaching: Teaching, piece: str, left: float = 0.12) -> Teaching:
    """The same as if a reflection had lain on a piece when it was taught: of its drawing a part is left."""

    def veiled(patch: np.ndarray) -> np.ndarray:
        light = (patch.astype(np.float32) / 255) ** 2 * WHITE * left + 0.9
        return np.asarray(np.clip(np.sqrt(np.clip(light / WHITE, 0, 1)) * 255 + 0.5, 0, 255), np.uint8)

    every = [replace(one, patch=veiled(one.patch)) if one.piece == piece else one for one in teaching.exemplars]
    return replace(teaching, exemplars=tuple(every))


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(BOARD, PIECES, SEED, size=(1600, 900))


@pytest.fixture(scope="module")
def taught(table: Table) -> Teaching:
    empty, start = (Frame(table.shoot(state)[0], 0.0, "made") for state in ({}, START))
    return teach(empty, start, BOARD, PIECES, table.lens, START)


@pytest.fixture(scope="module")
def shots(taught: Teaching, table: Table) -> list[tuple[Frame, dict[str, Any]]]:
    some = [table.shoot(table.random_state()) for _ in range(2)]
    return [(Frame(picture, 0.0, "made"), truth["state"]) for picture, truth in some]


@pytest.mark.parametrize("piece", ["goodley", pytest.param("watson", marks=pytest.mark.slow)])
def test_who_was_taught_under_a_reflection_is_found_with_side_and_way(
    taught: Teaching, shots: list[tuple[Frame, dict[str, Any]]], piece: str
) -> None:
    reader = PlainReader(BOARD, PIECES, washed(taught, piece))
    assert reader.faint == (piece,) and PlainReader(BOARD, PIECES, taught).faint == ()
    for frame, state in shots:
        assert reader.read(frame).reading.state(BOARD, PIECES)["characters"] == state["characters"]


def test_who_was_taught_under_a_reflection_is_not_seen_on_the_bare_board(taught: Teaching, table: Table) -> None:
    """Next to nothing looks like bare print."""
    observation = PlainReader(BOARD, PIECES, washed(taught, "gull")).read(Frame(table.shoot({})[0], 0.0, "made"))
    assert not observation.reading.sightings and "gull" not in observation.reading.unknown


def seen(face: np.ndarray, turn: float, rng: np.random.Generator) -> np.ndarray:
    """A disc's crop from its drawing, turned clockwise by radians, in light and grain of its own."""
    light = (face / 255.0) ** 2.2 * rng.uniform(0.7, 1.6) + rng.normal(0, 0.01, face.shape) + rng.uniform(0, 0.1)
    patch = coded(np.asarray(light, np.float32))
    return crop(patch, (0.0, 0.0), turn, DISC_SIDE, DISC_MM, face.shape[0] / 35.0)


def test_a_wedge_is_seen_and_where_it_points() -> None:
    rng = np.random.default_rng(4)
    nets, turns = Nets(1.5), np.radians(list(WAYS.values()))[:, None] + np.array([-0.12, 0.0, 0.12])
    with_one, without = [], []
    for seed in range(903_101, 903_109):
        copy = WildCopy(BOARD, PIECES, seed)
        for face in ("suspect", "innocent"):
            way = int(rng.integers(6))
            picture = seen(copy.faces["watson", face], np.radians(list(WAYS.values())[way]) + rng.normal(0, 0.05), rng)
            scores = nets.wedges([picture], turns)[0]
            with_one.append(int(scores.argmax()) == way and scores.max() > 0)
            other = seen(copy.faces["bert", face], float(rng.uniform(0, 6.28)), rng)
            without.append(np.logaddexp.reduce(nets.wedges([other], turns)[0]) < 0)
    assert sum(with_one) >= 15 and sum(without) >= 15  # of 16 each

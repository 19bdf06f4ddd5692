"""A taught copy that is let go of leaves nothing behind: a lobby teaches and forgets many of them in one evening."""

import gc
import tracemalloc
import weakref
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion import boards
from companion.calibration.training.composed import Table
from companion.vision.frame import Frame
from companion.vision.plain import nets as nets_room
from companion.vision.plain.exemplars import Exemplar
from companion.vision.plain.memory import Memory
from companion.vision.plain.nets import Nets
from companion.vision.plain.reader import PlainReader, teach
from companion.vision.reader import Region

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")


def test_a_reader_that_is_gone_takes_its_lessons_with_it(copy: Table) -> None:
    empty, start = (Frame(copy.shoot(state)[0], 0.0, "made") for state in ({}, dict(BOARD.start)))
    reader = PlainReader(BOARD, PIECES, teach(empty, start, BOARD, PIECES, copy.lens, BOARD.start))
    observation = reader.read(start)
    kept = [
        *_patches_of(observation.memory),
        *(array for group in reader._extractor.flat_exemplars.values() for array in _flats(group)),
    ]
    assert kept
    views = [array.shape for array in kept if array.base is not None and array.base.nbytes > 1.5 * array.nbytes]
    assert views == [], "a view keeps all that it was cut from"
    assert all(len(disc.faces) == 1 for disc in observation.memory.discs.values())
    assert reader._at_hand is not None
    prepared = weakref.ref(reader._at_hand[1])
    reader.read(start, None, Region(observation, frozenset({"g5"})))
    gc.collect()
    assert prepared() is None, "a picture of full size is kept for the next look, and no longer"
    del observation, kept
    exemplars = [weakref.ref(exemplar) for group in reader._extractor.flat_exemplars.values() for exemplar in group]
    parts = [weakref.ref(part) for part in (reader, reader._extractor, reader._reference)]
    assert exemplars
    del reader
    gc.collect()
    left = [part for part in exemplars + parts if part() is not None]
    assert left == []


@pytest.mark.slow
def test_a_tile_that_was_taught_anew_is_let_go_of_with_all_that_was_found_out_about_it(copy: Table) -> None:
    """Of the others, which stay, an evening in the lobby would keep every tile that ever lay beside them."""
    empty, start = (Frame(copy.shoot(state)[0], 0.0, "made") for state in ({}, dict(BOARD.start)))
    teaching = teach(empty, start, BOARD, PIECES, copy.lens, BOARD.start)
    tiles = [one for one in teaching.exemplars if PIECES.pieces[one.piece].group == "gaslights"]
    assert len(tiles) > 2

    def looked_at(last: Exemplar) -> list[weakref.ref[object]]:
        others = tuple(one for one in teaching.exemplars if one is not tiles[-1])
        reader = PlainReader(BOARD, PIECES, replace(teaching, exemplars=(*others, last)))
        found = reader._extractor.flat_exemplars["gaslights"]
        assert found is PlainReader(BOARD, PIECES, reader.teaching)._extractor.flat_exemplars["gaslights"]
        return [weakref.ref(last), weakref.ref(found[0])]

    anew = [looked_at(replace(tiles[-1])) for _ in range(3)]
    gc.collect()
    assert [[one() is None for one in some] for some in anew] == [[True, True], [True, True], [False, False]]


def _patches_of(memory: object) -> "Iterator[np.ndarray]":
    """What a look keeps of every place of flat pieces."""
    assert isinstance(memory, Memory)
    for cell_features in memory.flats.values():
        for spot in (features.place for features in cell_features.values() if features.place is not None):
            yield from (spot.seen, spot.bare, spot.reflectance, spot.print, spot.change)


def _flats(exemplars: object) -> "Iterator[np.ndarray]":
    for exemplar in exemplars:  # type: ignore[attr-defined]
        yield from (exemplar.flat.lab, exemplar.flat.mask, exemplar.flat.centred)


def test_all_samples_of_a_board_are_projected_in_little_memory_to_the_same_pixels(copy: Table) -> None:
    """OpenCV derives every point by every parameter of lens and pose as well: 200,000 points were 50 MB and more at once."""
    pose = copy.pose
    points = np.random.default_rng(1).uniform(0, 400, (200_000, 2))
    heights = np.linspace(0, 20, len(points))
    tracemalloc.start()
    try:
        found = pose.project(points, heights)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 20e6
    solid = np.column_stack([points, -heights])
    vector = cv2.Rodrigues(pose.rotation)[0]
    whole, _ = cv2.projectPoints(solid, vector, pose.translation, pose.lens.matrix, pose.lens.distortion)
    assert np.allclose(found, whole.reshape(-1, 2), rtol=0, atol=1e-9)


def test_figures_are_shown_to_the_network_in_small_batches_with_the_same_answers() -> None:
    rng = np.random.default_rng(1)
    side = nets_room.mark_pair(
        rng.integers(0, 255, (90, 90, 3), np.uint8), (0.0, 0.0), 0.0, rng.integers(0, 255, (90, 90, 3), np.uint8),
        (0.0, 0.0), (0.0, 0.0),
    )[0].shape  # fmt: skip
    pairs = [tuple(rng.integers(0, 255, (2, *side), np.uint8)) for _ in range(nets_room.MOST_AT_ONCE + 5)]
    nets, shapes = Nets(1.5), list[int]()

    class Counted:
        def __init__(self) -> None:
            self.net = nets._load("number")

        def setInput(self, stack: object) -> None:  # noqa: N802 - OpenCV's name
            shapes.append(len(stack))  # type: ignore[arg-type]
            self.net.setInput(stack)

        def forward(self) -> object:
            return self.net.forward()

    nets.__dict__["_number"] = Counted()
    every = nets.figures(pairs)  # type: ignore[arg-type]
    assert shapes == [nets_room.MOST_AT_ONCE, 5]
    alone = np.concatenate([nets.figures([pair]) for pair in pairs])  # type: ignore[list-item]
    assert np.allclose(every, alone, atol=1e-4)

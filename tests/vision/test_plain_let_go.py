"""A taught copy that is let go of leaves nothing behind: a lobby teaches and forgets many of them in one evening."""

import gc
import weakref

import numpy as np
from plain_compose import Table

from companion import boards
from companion.vision.frame import Frame
from companion.vision.plain import nets as nets_room
from companion.vision.plain.nets import Nets
from companion.vision.plain.reader import PlainReader, teach

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")


def test_a_reader_that_is_gone_takes_its_lessons_with_it(copy: Table) -> None:
    empty, start = (Frame(copy.shoot(state)[0], 0.0, "made") for state in ({}, dict(BOARD.start)))
    reader = PlainReader(BOARD, PIECES, teach(empty, start, BOARD, PIECES, copy.lens, BOARD.start))
    reader.read(start)
    lessons = [weakref.ref(lesson) for group in reader._examiner.flat_lessons.values() for lesson in group]
    parts = [weakref.ref(part) for part in (reader, reader._examiner, reader._sheet)]
    assert lessons
    del reader
    gc.collect()
    left = [part for part in lessons + parts if part() is not None]
    assert left == []


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

"""One made-up unmodified copy for the tests of what its board shows."""

import pytest

from companion import boards
from companion.calibration.training.composed import Table
from companion.vision.frame import Frame
from companion.vision.plain.prepared_image import ReferenceImage
from companion.vision.plain.reader import teach
from companion.vision.plain.settings import SurfaceSettings
from companion.vision.plain.surface import View

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")


@pytest.fixture(scope="module")
def copy() -> Table:
    """A copy nobody fitted on; made anew for every module, for its pictures follow from one another."""
    return Table(BOARD, PIECES, 2003, size=(1280, 720), tilt_most=30.0)


@pytest.fixture(scope="module")
def reference(copy: Table) -> ReferenceImage:
    """Its empty board, as taught."""
    empty, start = (Frame(copy.shoot(state)[0], 0.0, "made") for state in ({}, dict(BOARD.start)))
    teaching = teach(empty, start, BOARD, PIECES, copy.lens, BOARD.start)
    return ReferenceImage(View(teaching.empty, teaching.registration), BOARD, SurfaceSettings())

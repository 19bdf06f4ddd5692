"""A glare spot that lay over the board when it was taught and is gone: light, and nothing that lies on the board."""

import numpy as np

from companion import boards
from companion.calibration.training.composed import Table
from companion.calibration.training.second_sides import SecondSideTable
from companion.vision.frame import Frame
from companion.vision.plain.light_correction import ALL_OVER, AMISS, SHOWS, block_medians, may_be_amiss
from companion.vision.plain.occlusion import OcclusionDetector
from companion.vision.plain.prepared_image import PreparedImage, ReferenceImage
from companion.vision.plain.settings import SurfaceSettings
from companion.vision.plain.surface import LINEAR, LightField, View, light_change
from companion.vision.plain.teach import teach

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")


def without_spot(picture: np.ndarray, reference: ReferenceImage, strength: float = 5.0) -> np.ndarray:
    """A picture as it is when a lamp's spot over the board's middle goes out, which made it ``strength`` times as bright."""
    x, y = np.divide(BOARD.size_mm, 2)
    middle, edge = reference.view.registration.project(np.array([(x, y), (x + 65.0, y)]))
    ys, xs = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    spot = np.exp(-0.5 * ((xs - middle[0]) ** 2 + (ys - middle[1]) ** 2) / np.hypot(*(edge - middle)) ** 2)
    dimmed = LINEAR[picture] / (1 + (strength - 1) * spot[..., None])
    return np.searchsorted(LINEAR, dimmed).astype(np.uint8)


def test_light_is_followed_where_the_print_shows(reference: ReferenceImage) -> None:
    prepared = PreparedImage(reference, View(without_spot(reference.view.image, reference), reference.view.registration))
    assert prepared.lost is not None
    near = np.hypot(*np.moveaxis(reference.ground.grid.mm[0] - np.divide(BOARD.size_mm, 2), -1, 0)) < 60
    light = (reference.print / reference.street).min(axis=-1) > 0.6
    before = reference.print[near & light]
    assert 0.7 < float(np.median(prepared.flat[near & light] / before)) < 1.3
    unfollowed = LightField(
        reference.light.log + light_change(prepared.coarse, reference.coarse, reference.ground).log, reference.light.block_mm
    )
    flat = prepared.coarse / unfollowed.at(reference.ground.grid.mm[0])
    assert float(np.median(flat[near & light] / before)) < 0.4, "or nothing was to be followed"
    assert not OcclusionDetector(BOARD, PIECES, reference.ground).foreign_objects(prepared, {}).any()


def test_light_that_stays_is_left_alone(copy: Table, reference: ReferenceImage) -> None:
    for picture in (reference.view.image, copy.shoot(dict(BOARD.start))[0], without_spot(reference.view.image, reference, 1.3)):
        assert PreparedImage(reference, View(picture, reference.view.registration)).lost is None


def test_an_arm_is_no_light(reference: ReferenceImage) -> None:
    copy = Table(BOARD, PIECES, 2003, size=(1280, 720), tilt_most=30.0)  # the same arms, whatever was shown before
    detector = OcclusionDetector(BOARD, PIECES, reference.ground)
    found = hidden = 0
    for _ in range(3):
        picture, truth = copy.shoot({}, arm=True)
        prepared = PreparedImage(reference, View(without_spot(picture, reference), reference.view.registration))
        assert prepared.lost is not None
        below = BOARD.cells.keys() & set(truth["hidden"])
        found += len(below & detector.covered(detector.foreign_objects(prepared, {}), sorted(BOARD.cells), 15.0, 0.3))
        hidden += len(below)
    assert found > 0.8 * hidden


def test_blocks_that_may_be_amiss_are_counted_not_too_few(reference: ReferenceImage) -> None:
    """The quick count against the medians themselves, on light and print made up at random."""
    rng = np.random.default_rng(5)
    down, across = reference.ground.blocks
    per = reference.print.shape[0] // down
    some = 0
    for _ in range(30):
        expected = rng.normal(0, 0.2, (down, across, 3)).astype(np.float32)
        off = expected.copy()
        row, column = rng.integers(0, down - 3), rng.integers(0, across - 3)
        off[row : row + 5, column : column + 5] += rng.choice([-1, 1]) * rng.uniform(0.4, 1.4) + rng.normal(0, 0.3, 3)
        ratio = np.repeat(np.repeat(off, per, axis=0), per, axis=1)
        ratio = (ratio + rng.normal(0, rng.uniform(0.02, 0.8), ratio.shape)).astype(np.float32)
        clear = rng.random(ratio.shape[:2]) < rng.uniform(0.02, 1)
        amiss = int((np.abs(block_medians(ratio, clear, expected)[0].mean(axis=2)) > AMISS).sum())
        assert amiss <= may_be_amiss(ratio, clear, expected)
        some += amiss > 0
    assert some > 10


def test_the_quick_count_sees_that_nothing_is_amiss(copy: Table, reference: ReferenceImage) -> None:
    prepared = PreparedImage(reference, View(copy.shoot(dict(BOARD.start))[0], reference.view.registration))
    ratio = np.log((prepared.coarse + 2e-3) / (reference.coarse + 2e-3))
    light = light_change(prepared.coarse, reference.coarse, reference.ground)
    assert may_be_amiss(ratio, prepared.drawing > SHOWS, light.log) < ALL_OVER


def test_pieces_on_dark_print_are_no_stray_light() -> None:
    """What lay on this copy's dark print passed for stray light, and the discs beside it were read too dark for it."""
    table = SecondSideTable(BOARD, PIECES, 86004, size=(1280, 720), tilt_most=35.0, family="dimmed")
    empty, start = (Frame(table.shoot(state)[0], 0.0, "made") for state in ({}, dict(BOARD.start)))
    teaching = teach(empty, start, BOARD, PIECES, table.lens, BOARD.start)
    reference = ReferenceImage(View(teaching.empty, teaching.registration), BOARD, SurfaceSettings())
    for state in (table.random_state(), table.random_state(), table.random_state()):
        prepared = PreparedImage(reference, View(table.shoot(state)[0], reference.view.registration))
        assert float(np.abs(prepared.veil / reference.street).max()) < 0.1


def test_a_veil_is_seen_where_hardly_any_print_is_drawn(copy: Table, reference: ReferenceImage) -> None:
    shown = [reference.view.image, copy.shoot(dict(BOARD.start))[0]]
    veiled = (np.searchsorted(LINEAR, np.minimum(LINEAR[one] * 0.8 + 0.1, 1.0)).astype(np.uint8) for one in shown)
    bare, laid = (PreparedImage(reference, View(one, reference.view.registration)).veil / reference.street for one in veiled)
    assert float(bare.max()) > 0.3, "or there is none"
    assert float((laid - bare).min()) > -0.1

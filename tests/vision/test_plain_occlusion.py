"""What lies or hangs over a made-up copy that is no piece of it."""

import cv2
import numpy as np
import pytest

from companion import boards
from companion.calibration.training.composed import Table
from companion.calibration.training.wild import WildTable
from companion.vision.camera import Registration
from companion.vision.frame import Frame
from companion.vision.plain.occlusion import BURNT_SHARE, OcclusionDetector
from companion.vision.plain.prepared_image import PreparedImage, ReferenceImage
from companion.vision.plain.reader import PlainReader, teach
from companion.vision.plain.surface import LINEAR, View

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")


def test_stray_light_that_is_not_there_makes_no_stranger(reference: ReferenceImage) -> None:
    """Pieces over most of the dark print nearby pass for stray light; with it taken out, the print there is too dark."""
    detector = OcclusionDetector(BOARD, PIECES, reference.ground)
    prepared = PreparedImage(reference, reference.view)
    prepared.veil = np.broadcast_to(0.3 * reference.street, prepared.veil.shape).astype(np.float32)
    assert not detector.foreign_objects(prepared, {}).any()


def test_an_arm_is_a_stranger_whatever_stray_light_there_seems_to_be(copy: Table, reference: ReferenceImage) -> None:
    detector = OcclusionDetector(BOARD, PIECES, reference.ground)
    picture, truth = copy.shoot({}, arm=True)
    prepared = PreparedImage(reference, View(picture, reference.view.registration))
    for veil in (prepared.veil, 0.2 * reference.street + 0 * prepared.veil):
        prepared.veil = veil.astype(np.float32)
        mask = detector.foreign_objects(prepared, {})
        found = detector.covered(mask, sorted(BOARD.cells), 15.0, 0.3)
        assert len(found & set(truth["hidden"])) > 0.7 * len(BOARD.cells.keys() & set(truth["hidden"]))


@pytest.mark.parametrize(("seed", "moods"), [(900265, (True, True)), (900517, (False, True, False, True))])
@pytest.mark.slow
def test_another_light_hides_nothing(seed: int, moods: tuple[bool, ...]) -> None:
    """The light of these copies falls so otherwise that wide parts of the print look as changed as under an arm."""
    table = WildTable(BOARD, PIECES, seed, size=(1600, 900))
    empty, start = (Frame(table.shoot(state)[0], 0.0, "made") for state in ({}, dict(BOARD.start)))
    reader = PlainReader(BOARD, PIECES, teach(empty, start, BOARD, PIECES, table.lens, BOARD.start))
    for other in moods:
        mood = table.other_light() if other else None
        picture, _ = table.shoot(table.random_state(), mood=mood)
        assert not reader.read(Frame(picture, 0.0, "made")).occluded


def test_a_playing_card_on_the_board_hides_what_lies_below(
    copy: Table, reference: ReferenceImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It reaches little where no piece can be: between the streets, and hardly the margin."""
    detector = OcclusionDetector(BOARD, PIECES, reference.ground)
    below = found = 0
    for x, y in ((150, 150), (200, 250), (260, 180), (300, 260), (350, 150), (380, 230)):
        card = cv2.boxPoints(((x, y), (60, 88), float(x)))

        def lay(picture: np.ndarray, pinhole: Registration, light: np.ndarray, card: np.ndarray = card) -> None:
            copy._slab(picture, pinhole, card, 0.5, np.array([0.6, 0.1, 0.05]), light)

        monkeypatch.setattr(copy, "_junk", lay)
        picture, _ = copy.shoot({}, junk=1)
        mask = detector.foreign_objects(PreparedImage(reference, View(picture, reference.view.registration)), {})
        cells = {cell for cell in BOARD.cells if cv2.pointPolygonTest(card, BOARD.mm(cell), False) > 0}
        below += len(cells)
        found += len(cells & detector.covered(mask, sorted(cells), 15.0, 0.3))
    assert found >= 0.8 * below > 10


def drawn_over(detector: OcclusionDetector, outlines: list[np.ndarray]) -> np.ndarray:
    """What is taken for a stranger where outlines (mm) alone have changed, and show no print."""
    mm = detector._mm
    changed = np.zeros(mm.shape[:2], np.uint8)
    for outline in outlines:
        samples = (outline - mm[0, 0]) / (mm[1, 1] - mm[0, 0])
        cv2.fillPoly(changed, [np.rint(samples).astype(np.int32)], 1)
    return detector._broad(changed.astype(np.float32), 1.0 - changed.astype(np.float32), {})


def rounded(middle: tuple[float, float], corners: int, radius: float) -> np.ndarray:
    turns = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    return np.asarray(middle) + radius * np.column_stack([np.cos(turns), np.sin(turns)])


@pytest.mark.parametrize("game", ["mr-jack-london", "mr-jack-new-york"])
def test_what_is_broader_than_any_pieces_is_a_stranger(game: str, reference: ReferenceImage) -> None:
    board = boards.load(game)
    detector = OcclusionDetector(board, boards.load_pieces(game), reference.ground)
    streets = sorted(board.of_kind("street"))
    for cell in streets[::7]:
        card = cv2.boxPoints((board.mm(cell), (60, 88), 35.0))
        mask = drawn_over(detector, [card])
        if all(20 < at < size - 20 for at, size in zip(board.mm(cell), board.size_mm, strict=True)):
            assert cell in detector.covered(mask, streets, 15.0, 0.3)
        # A disc of which a lamp throws a shadow, and whose side is seen, is wider than its face.
        assert not detector.covered(drawn_over(detector, [rounded(board.mm(cell), 40, 18.5)]), streets, 15.0, 0.3)
    # Tiles on cells that touch one another, and discs beside them.
    tiles = [g for g in detector._pieces.groups.values() if g.shape == "hexagon"]
    flat, half = {cell for g in tiles for cell in board.of_kind(*g.on)}, max(tiles[0].size_mm) / 2
    for cell in sorted(flat & board.cells.keys())[::5]:
        about = set(board.links[cell].values())
        first = next(iter(sorted(about)))
        three = {cell, first, *(about & set(board.links[first].values()))}
        outlines = [rounded(board.mm(one), 6 if one in flat else 40, half if one in flat else 15.0) for one in list(three)[:3]]
        assert not detector.covered(drawn_over(detector, outlines), streets, 15.0, 0.3)


@pytest.mark.slow
def test_a_dark_card_over_streets_hides_the_tile_below(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the streets below it hardly any print shows where no piece can be: a tile there was surely absent."""
    table = Table(BOARD, PIECES, 7753, size=(1600, 900))
    empty, start = (Frame(table.shoot(state)[0], 0.0, "made") for state in ({}, dict(BOARD.start)))
    reader = PlainReader(BOARD, PIECES, teach(empty, start, BOARD, PIECES, table.lens, BOARD.start))
    card = cv2.boxPoints((BOARD.mm("l11"), (60, 88), 20.0))

    def lay(picture: np.ndarray, pinhole: Registration, light: np.ndarray) -> None:
        table._slab(picture, pinhole, card, 0.5, np.array([0.09, 0.11, 0.1]), light)

    monkeypatch.setattr(table, "_junk", lay)
    state = dict(BOARD.start)
    observation = reader.read(Frame(table.shoot(state, junk=1)[0], 0.0, "made"))
    below = {cell for cell in BOARD.cells if cv2.pointPolygonTest(card, BOARD.mm(cell), False) > 0}
    assert below >= {"l11"}
    assert below <= observation.occluded
    read = observation.reading.state(BOARD, PIECES)["gaslights"]
    for lamp in below & set(BOARD.of_kind("gaslight")):
        assert lamp in read or f"gaslight:{lamp}" in observation.reading.unknown


def test_changed_print_hides_nothing_while_it_still_shows(reference: ReferenceImage) -> None:
    """Under another light less of its drawing shows than before, below an arm none."""
    detector = OcclusionDetector(BOARD, PIECES, reference.ground)
    x, y = detector._mm[..., 0], detector._mm[..., 1]
    changed = (x < 200) & (y < 250)
    below, about = (x < 90) & (y < 250), (x < 115) & (y < 250)
    for shows in (0.6, 0.4):
        assert not detector._hiding(changed, np.full(changed.shape, shows, np.float32)).any()
        mask = detector._hiding(changed, np.where(below, 0.05, shows).astype(np.float32))
        assert mask[below].all()
        assert not mask[~about].any()
    # What lies where pieces belong, and nowhere else, may be a piece.
    assert not detector._hiding(changed & ~detector._posts, np.zeros(changed.shape, np.float32)).any()


def test_an_arm_is_not_followed_into_the_glare_beside_it(copy: Table, reference: ReferenceImage) -> None:
    detector = OcclusionDetector(BOARD, PIECES, reference.ground)
    picture, truth = copy.shoot({}, arm=True)
    covered = BOARD.cells.keys() & set(truth["hidden"])
    ys, xs = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    added = np.zeros(picture.shape[:2])
    beside = {n for cell in covered for n in BOARD.links[cell].values()} - set(truth["hidden"])
    for cell in sorted(beside)[::4]:  # lamps shine on what lies about the arm
        x, y = reference.view.registration.project(np.array([BOARD.mm(cell)]))[0]
        added = np.maximum(added, 0.2 * np.exp(-0.5 * ((xs - x) ** 2 + (ys - y) ** 2) / 30.0**2))
    lit = np.searchsorted(LINEAR, np.minimum(LINEAR[picture] + added[..., None] * LINEAR[-1], LINEAR[-1])).astype(np.uint8)
    mask = detector.foreign_objects(PreparedImage(reference, View(lit, reference.view.registration)), {})
    found = detector.covered(mask, sorted(BOARD.cells), 15.0, 0.3)
    assert len(found & covered) > 0.7 * len(covered)
    assert len(found - covered) <= 3


@pytest.mark.slow
def test_a_reflection_that_burns_the_print_out_hides_it_though_it_lay_there_when_the_copy_was_taught() -> None:
    """Nothing has changed there: a gaslight and a cover below it were surely absent."""
    table = WildTable(BOARD, PIECES, 900721, size=(1600, 900))
    empty, start = (Frame(table.shoot(state)[0], 0.0, "made") for state in ({}, dict(BOARD.start)))
    reader = PlainReader(BOARD, PIECES, teach(empty, start, BOARD, PIECES, table.lens, BOARD.start))
    picture, truth = table.shoot(table.random_state())
    assert "c7" in truth["state"]["gaslights"]
    assert "a5" in truth["state"]["covers"]
    observation = reader.read(Frame(picture, 0.0, "made"))
    assert {"c7", "a5"} <= observation.occluded
    assert {"gaslight:c7", "cover:a5"} <= observation.reading.unknown.keys()


def test_overexposed_streets_are_no_reflection(reference: ReferenceImage) -> None:
    """What is printed beside them still shows; where a reflection lies on that as well, it hides both."""
    detector, registration, streets = (
        OcclusionDetector(BOARD, PIECES, reference.ground),
        reference.view.registration,
        BOARD.of_kind("street"),
    )
    white = reference.view.image.copy()
    for cell in streets:
        outline = rounded(BOARD.mm(cell), 6, max(BOARD.cell_mm) / 2)
        cv2.fillPoly(white, [registration.project(outline).astype(np.int32)], (255, 255, 255))
    assert not detector.burnt_out(PreparedImage(reference, View(white, registration))).any()
    lit = white.copy()
    cv2.fillPoly(lit, [registration.project(rounded((250.0, 180.0), 40, 70.0)).astype(np.int32)], (255, 255, 255))
    hidden = detector.covered(
        detector.burnt_out(PreparedImage(reference, View(lit, registration))), sorted(streets), 15.0, BURNT_SHARE
    )
    assert hidden
    assert all(np.hypot(*np.subtract(BOARD.mm(cell), (250.0, 180.0))) < 110 for cell in hidden)

"""What lies or hangs over a made-up copy that is no piece of it."""

import cv2
import numpy as np
import pytest
from plain_compose import Table
from plain_wild import WildTable

from companion import boards
from companion.vision.camera import Registration
from companion.vision.frame import Frame
from companion.vision.plain.hidden import Watchman
from companion.vision.plain.reader import PlainReader, teach
from companion.vision.plain.scene import Scene, Sheet
from companion.vision.plain.surface import LINEAR, View

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")


def test_stray_light_that_is_not_there_makes_no_stranger(sheet: Sheet) -> None:
    """Pieces over most of the dark print nearby pass for stray light; with it taken out, the print there is too dark."""
    watchman = Watchman(BOARD, PIECES, sheet.ground)
    scene = Scene(sheet, sheet.view)
    scene.veil = np.broadcast_to(0.3 * sheet.street, scene.veil.shape).astype(np.float32)
    assert not watchman.strangers(scene, {}).any()


def test_an_arm_is_a_stranger_whatever_stray_light_there_seems_to_be(copy: Table, sheet: Sheet) -> None:
    watchman = Watchman(BOARD, PIECES, sheet.ground)
    picture, truth = copy.shoot({}, arm=True)
    scene = Scene(sheet, View(picture, sheet.view.registration))
    for veil in (scene.veil, 0.2 * sheet.street + 0 * scene.veil):
        scene.veil = veil.astype(np.float32)
        mask = watchman.strangers(scene, {})
        found = watchman.covered(mask, sorted(BOARD.cells), 15.0, 0.3)
        assert len(found & set(truth["hidden"])) > 0.7 * len(BOARD.cells.keys() & set(truth["hidden"]))


@pytest.mark.parametrize(("seed", "moods"), [(900265, (True, True)), (900517, (False, True, False, True))])
def test_another_light_hides_nothing(seed: int, moods: tuple[bool, ...]) -> None:
    """The light of these copies falls so otherwise that wide parts of the print look as changed as under an arm."""
    table = WildTable(BOARD, PIECES, seed, size=(1600, 900))
    empty, start = (Frame(table.shoot(state)[0], 0.0, "made") for state in ({}, dict(BOARD.start)))
    reader = PlainReader(BOARD, PIECES, teach(empty, start, BOARD, PIECES, table.lens, BOARD.start))
    for other in moods:
        mood = table.other_light() if other else None
        picture, _ = table.shoot(table.random_state(), mood=mood)
        assert not reader.read(Frame(picture, 0.0, "made")).occluded


def test_a_playing_card_on_the_board_hides_what_lies_below(copy: Table, sheet: Sheet, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reaches little where no piece can be: between the streets, and hardly the margin."""
    watchman = Watchman(BOARD, PIECES, sheet.ground)
    below = found = 0
    for x, y in ((150, 150), (200, 250), (260, 180), (300, 260), (350, 150), (380, 230)):
        card = cv2.boxPoints(((x, y), (60, 88), float(x)))

        def lay(picture: np.ndarray, pinhole: Registration, light: np.ndarray, card: np.ndarray = card) -> None:
            copy._slab(picture, pinhole, card, 0.5, np.array([0.6, 0.1, 0.05]), light)

        monkeypatch.setattr(copy, "_junk", lay)
        picture, _ = copy.shoot({}, junk=1)
        mask = watchman.strangers(Scene(sheet, View(picture, sheet.view.registration)), {})
        cells = {cell for cell in BOARD.cells if cv2.pointPolygonTest(card, BOARD.mm(cell), False) > 0}
        below += len(cells)
        found += len(cells & watchman.covered(mask, sorted(cells), 15.0, 0.3))
    assert found >= 0.8 * below > 10


def test_changed_print_hides_nothing_while_it_still_shows(sheet: Sheet) -> None:
    """Under another light less of its drawing shows than before, below an arm none."""
    watchman = Watchman(BOARD, PIECES, sheet.ground)
    x, y = watchman._mm[..., 0], watchman._mm[..., 1]
    changed = (x < 200) & (y < 250)
    below, about = (x < 90) & (y < 250), (x < 115) & (y < 250)
    for shows in (0.6, 0.4):
        assert not watchman._hiding(changed, np.full(changed.shape, shows, np.float32)).any()
        mask = watchman._hiding(changed, np.where(below, 0.05, shows).astype(np.float32))
        assert mask[below].all()
        assert not mask[~about].any()
    # What lies where pieces belong, and nowhere else, may be a piece.
    assert not watchman._hiding(changed & ~watchman._posts, np.zeros(changed.shape, np.float32)).any()


def test_an_arm_is_not_followed_into_the_glare_beside_it(copy: Table, sheet: Sheet) -> None:
    watchman = Watchman(BOARD, PIECES, sheet.ground)
    picture, truth = copy.shoot({}, arm=True)
    covered = BOARD.cells.keys() & set(truth["hidden"])
    ys, xs = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    added = np.zeros(picture.shape[:2])
    beside = {n for cell in covered for n in BOARD.links[cell].values()} - set(truth["hidden"])
    for cell in sorted(beside)[::4]:  # lamps shine on what lies about the arm
        x, y = sheet.view.registration.project(np.array([BOARD.mm(cell)]))[0]
        added = np.maximum(added, 0.2 * np.exp(-0.5 * ((xs - x) ** 2 + (ys - y) ** 2) / 30.0**2))
    lit = np.searchsorted(LINEAR, np.minimum(LINEAR[picture] + added[..., None] * LINEAR[-1], LINEAR[-1])).astype(np.uint8)
    mask = watchman.strangers(Scene(sheet, View(lit, sheet.view.registration)), {})
    found = watchman.covered(mask, sorted(BOARD.cells), 15.0, 0.3)
    assert len(found & covered) > 0.7 * len(covered)
    assert len(found - covered) <= 3

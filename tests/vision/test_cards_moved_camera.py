"""Unmodified cards once the camera was moved: what lies there is gone on from."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.calibration.training import card_decks
from companion.calibration.training.card_campaign import MIDDLES, Sitting, Tally, nudge_camera
from companion.calibration.training.card_table import CARD_MM
from companion.vision.cards import landings
from companion.vision.cards.match import Match
from companion.vision.cards.memory import CardMemory
from companion.vision.cards.scene import Scene
from companion.vision.cards.view import MatGrid, lab, unpacked


@pytest.fixture(scope="module")
def once() -> Sitting:
    return Sitting(card_decks.deck(3), 3)


@pytest.fixture
def sitting(once: Sitting) -> Sitting:
    once.table.clear()
    once.memory = None
    once.settle()
    return once


def lay(sitting: Sitting, name: str, zone: str, off: tuple[float, float] = (0.0, 0.0), height: int = 0) -> None:
    x, y = MIDDLES[zone]
    art = sitting.deck.never[0] if name == "never" else sitting.deck.faces[name]
    sitting.table.lay(art, (x + off[0], y + off[1]), 20.0, CARD_MM * height, sitting.sleeve)
    sitting.settle()


def shown(sitting: Sitting) -> tuple[list[tuple[str, str | None]], set[str]]:
    """The zones and faces of the cards that are known to lie there, lowest first, and the zones in doubt."""
    assert sitting.memory is not None
    faces = sitting.reader.deck.faces
    return [(card.zone, faces[card.face].side) for card in sitting.memory.cards], set(sitting.memory.doubts)


def test_a_card_with_something_upon_it_that_was_not_told_is_kept_where_the_camera_is_moved(sitting: Sitting) -> None:
    lay(sitting, "face-9", "heap")
    alone, shot = sitting.table.film(), sitting.table.shot
    lay(sitting, "never", "heap", (30.0, 20.0), 1)
    said = [("heap", "face-9")], {"heap"}
    assert shown(sitting) == said
    sitting.nudge()
    sitting.settle()
    assert shown(sitting) == said
    sitting.table = sitting.table.seen_by(shot)
    sitting.table.restore(alone)
    sitting.registration = sitting.table.registration
    sitting.settle()
    assert shown(sitting) == ([("heap", "face-9")], set()), "moved back, and what lay upon it taken away"


def test_what_is_laid_and_taken_while_the_camera_is_moved_is_told(sitting: Sitting) -> None:
    lay(sitting, "face-4", "pile")
    lay(sitting, "face-9", "heap")
    sitting.table.clear()
    for name, zone in (("face-9", "heap"), ("face-7", "heap")):
        x, y = MIDDLES[zone]
        sitting.table.lay(sitting.deck.faces[name], (x + 25.0 * (name == "face-7"), y), 20.0, 0.0, sitting.sleeve)
    sitting.nudge()
    sitting.settle()
    assert shown(sitting) == ([("heap", "face-9"), ("heap", "face-7")], set())


def test_a_card_under_a_hand_while_the_camera_is_moved_is_told_once(sitting: Sitting) -> None:
    """Its pose is amiss by what two registrations differ, for it did not show."""
    lay(sitting, "face-9", "heap")
    assert sitting.memory is not None
    (card,) = sitting.memory.cards
    sitting.nudge()
    hand = sitting.table.hand(np.random.default_rng(5), MIDDLES["heap"])
    covered = sitting.look(None, hand).memory
    assert isinstance(covered, CardMemory)
    (known,) = covered.cards
    assert known == replace(card, moved=True) and set(covered.doubts) == {"heap"}
    sitting.memory = covered
    sitting.settle()
    (there,) = sitting.memory.cards
    assert not there.moved and there.face == card.face and there.pose != card.pose, "it shows, and where it lies"
    areas = sitting.reader._areas
    assert areas is not None
    view, plain = unpacked(sitting.memory.view), lab(sitting.reader._ground.reshape(1, 1, 3))
    scene = Scene(sitting.reader.deck, areas, view, sitting.memory.bare, plain, sitting.reader.settings)
    amiss = replace(there, pose=replace(there.pose, x=there.pose.x + 1.5))
    match = Match(there.face, there.pose, 900.0, (there.face,), 1.0, 0, 0.0, 1.0, 0.99)
    assert landings._lies_still(scene, match, [replace(amiss, moved=True)]) and not landings._lies_still(scene, match, [amiss])


def test_a_view_is_taken_over_by_where_it_lies_on_the_mat(sitting: Sitting) -> None:
    registration = sitting.registration
    one = MatGrid(registration, (-30.0, -30.0), (500, 400), 1.0)
    other = MatGrid(registration, (-10.0, -20.0), (900, 700), 2.0)

    def square(grid: MatGrid, at: Sequence[float]) -> np.ndarray:
        x, y = at
        return grid.polygon([(x, y), (x + 40, y), (x + 40, y + 40), (x, y + 40)])

    mask = square(one, (100.0, 60.0))
    found = other.mask_taken_over(mask, one)
    assert found.dtype == np.bool_ and (found ^ square(other, (100.0, 60.0))).sum() < 0.06 * found.sum()
    view = np.dstack([mask.astype(np.int16) * 500] * 3)
    assert other.taken_over(view, one).max() == 500


def test_some_looks_with_a_camera_that_is_moved_lose_and_invent_no_card() -> None:
    tally = Tally()
    nudge_camera(card_decks.deck(17), 17, 2, tally)
    lost = [count for (_, what), count in tally.counts.items() if what == "lost"]
    assert tally.false == [] and not any(lost) and sum(tally.counts.values()) >= 6, tally.doubts

"""Cards that lie there stay known, and nothing is claimed of what was never told, below others, hands and strangers."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from card_mat import Mat, look

from companion.calibration.training import card_decks
from companion.calibration.training.card_campaign import (
    DECKS,
    MIDDLES,
    Sitting,
    Tally,
    look_on,
)
from companion.calibration.training.card_table import CARD_MM
from companion.vision.cards import following, landings
from companion.vision.cards.likeness import FaceBank
from companion.vision.cards.match import Match
from companion.vision.cards.memory import LyingCard
from companion.vision.cards.scene import Scene
from companion.vision.cards.view import CardPose, Floats, lab, unpacked


def usual(mat: Mat) -> Floats:
    """The usual colour of the bare mat (Lab, 1×1×3)."""
    return lab(mat.reader._ground.reshape(1, 1, 3))


@pytest.mark.parametrize(("seed", "looks"), [(50003, 61), (50006, 175)])
@pytest.mark.slow
def test_a_card_that_lies_as_it_lay_is_no_second_one_turned_upon_itself(seed: int, looks: int) -> None:
    """After a hand has rested, or in grain alone, its face may fit a third of a turn round, but no better."""
    tally = Tally()
    look_on(DECKS["apart"](seed), seed, looks, tally)
    assert tally.false == [] and tally.counts["still", "right"] > looks // 2


@pytest.fixture(scope="module")
def shared() -> Mat:
    return Mat(card_decks.deck(3))


@pytest.fixture
def cleared(shared: Mat) -> Mat:
    shared.table.restore(shared.bare)
    return shared


def test_what_was_not_told_is_no_bare_mat_once_a_card_covers_most_of_it(cleared: Mat) -> None:
    """Two corners stick out, each too small to be asked for a card."""
    _, _, memory = look(cleared)
    cleared.table.lay(cleared.deck.never[0], MIDDLES["heap"], 20.0)
    *said, memory = look(cleared, memory)
    assert said == [{}, {"heap"}]
    cleared.lay("face-9", "heap", 0.4, turn=44.0)
    *said, memory = look(cleared, memory, 3)
    assert said == [{"heap": ["face-9"]}, set()] and len(memory.below) == 1
    cleared.table.restore(cleared.bare)
    *said, memory = look(cleared, memory)
    assert said == [{}, set()] and memory.below == ()


def test_a_shadow_too_small_to_be_asked_about_is_not_learnt_as_the_mat(cleared: Mat) -> None:
    """It was, and once it was gone the mat had another colour than that."""
    _, _, memory = look(cleared)
    learnt, film = memory.bare.copy(), cleared.bare.copy()
    corners = CardPose(*MIDDLES["heap"], 0.0).corners_mm((12.0, 12.0))
    outline = np.asarray(cleared.table.registration.project(corners), np.int32)
    lit = cv2.fillConvexPoly(np.ones(film.shape, np.float32), outline, (0.5,) * 3)
    cleared.table.restore((film * lit).astype(np.uint8))
    *said, memory = look(cleared, memory, 3)
    assert said == [{}, set()]
    assert np.abs(unpacked(memory.bare) - unpacked(learnt)).max() < 11
    cleared.table.restore(cleared.bare)
    *said, memory = look(cleared, memory)
    assert said == [{}, set()]


def test_of_a_stack_nothing_is_claimed_from_below_a_card_that_was_never_told(cleared: Mat) -> None:
    _, _, memory = look(cleared)
    cleared.lay("face-4", "pile")
    *said, memory = look(cleared, memory)
    cleared.table.lay(cleared.deck.never[0], MIDDLES["pile"], 5.0, 0.4)
    *said, memory = look(cleared, memory)
    assert said == [{"pile": ["face-4"]}, {"pile"}]
    cleared.lay("face-7", "pile", 0.8, (1.5, -1.0))
    *said, memory = look(cleared, memory)
    assert said == [{"pile": ["face-7"]}, set()] and memory.buried == {"pile": 1}
    cleared.table.restore(cleared.bare)
    *said, memory = look(cleared, memory)
    cleared.lay("face-4", "pile")
    *said, memory = look(cleared, memory)
    assert said == [{"pile": ["face-4"]}, set()], "what lay upon it has gone"


def test_a_fit_that_turns_a_card_which_lies_as_it_lay_lays_no_other(cleared: Mat, monkeypatch: pytest.MonkeyPatch) -> None:
    cleared.lay("face-4", "pile")
    *_, first = look(cleared)
    (card,) = first.cards
    turned = [card.pose.turned(turn) for turn in (1.2, 0.0)]
    monkeypatch.setattr(following, "_STIRRED", -1.0)
    monkeypatch.setattr(FaceBank, "shifted", lambda *_: turned[0])
    monkeypatch.setattr(FaceBank, "refitted", lambda *_: turned.pop(0))
    *_, memory = look(cleared, first)
    assert memory.cards == first.cards and not turned, "it was asked"


def test_no_card_was_moved_by_a_view_in_which_a_hand_lay_over_it(cleared: Mat, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hand rested, and what was seen with it is gone on from: no fit to that view tells where the card lay."""
    cleared.lay("face-4", "pile")
    *_, first = look(cleared)
    bare = cleared.table.film()
    cleared.table.restore(cleared.table.hand(np.random.default_rng(5), MIDDLES["pile"]))
    *said, rested = look(cleared, first)
    assert said == [{"pile": ["face-4"]}, {"pile"}] and rested.cards == first.cards
    cleared.table.restore(bare)
    asked: list[LyingCard] = []
    moved = following._moved
    monkeypatch.setattr(following, "_moved", lambda *given: asked.append(given[-1]) or moved(*given))
    *said, memory = look(cleared, rested)
    assert said == [{"pile": ["face-4"]}, set()] and asked == []
    monkeypatch.setattr(following, "_STIRRED", -1.0)
    *_, memory = look(cleared, memory)
    assert asked == [*memory.cards], "by a view that shows it"


def test_a_card_is_gone_only_where_the_mat_or_one_from_below_shows(cleared: Mat) -> None:
    *_, first = look(cleared)
    cleared.lay("face-9", "pile")
    one = cleared.table.film()
    *_, memory = look(cleared, first)
    cleared.lay("face-4", "pile", 0.4, (2.0, 3.0), 9.0)
    *_, memory = look(cleared, memory)
    cards, areas = memory.cards, cleared.reader._areas
    assert len(cards) == 2 and areas is not None

    def remain() -> tuple[list[LyingCard], list[LyingCard]]:
        """Of both cards those that lie there still, and those upon which something lies that was not told."""
        *_, now = look(cleared)
        scene = Scene(cleared.reader.deck, areas, unpacked(now.view), first.bare, usual(cleared), cleared.reader.settings)
        kept, hidden = following.remaining(scene, cards, scene.covered(cards), scene.nothing)
        return kept, [card for card, _ in hidden]

    assert remain() == ([*cards], []), "all of it has changed, and it shows"
    cleared.table.lay(cleared.deck.never[1], MIDDLES["pile"], 4.0, 0.8)
    assert remain() == ([*cards], [*cards[::-1]]), "something of like print perhaps lies upon both"
    cleared.table.restore(one)
    assert remain() == ([cards[0]], []), "the upper one was taken"
    cleared.table.restore(cleared.bare)
    assert remain() == ([], []), "both were taken"


def test_no_card_stays_claimed_below_something_untold_where_the_bare_mat_shows(cleared: Mat) -> None:
    """Five had, for ever: taken away at once they were one change, not told for a line on the mat in another light."""
    *said, first = look(cleared)
    memory, areas = first, cleared.reader._areas
    for number, face in enumerate(("face-9", "face-4")):
        cleared.table.lay(cleared.deck.faces[face], (52.0 + 30.0 * number, 70.0), 0.0)
        *said, memory = look(cleared, memory)
    assert areas is not None and said == [{"row": ["face-9", "face-4"]}, set()]
    views = {"cards": memory.view}
    cleared.table.lay(cleared.deck.never[0], (82.0, 70.0), 90.0, CARD_MM)
    views["a page"] = look(cleared)[-1].view
    cleared.table.restore(cleared.bare)
    views["the mat"] = look(cleared)[-1].view
    cover = Scene(
        cleared.reader.deck, areas, unpacked(memory.view), first.bare, usual(cleared), cleared.reader.settings
    ).covered(memory.cards)
    half = cover & (np.indices(cover.shape)[0] % 4 < 2)
    for shown, view in views.items():
        scene = Scene(cleared.reader.deck, areas, unpacked(view), first.bare, usual(cleared), cleared.reader.settings)
        for untold in (cover, half):
            kept = following.remaining(scene, memory.cards, cover & untold, scene.nothing, untold)
            assert kept == ([] if shown == "the mat" else [*memory.cards], []), shown


def test_a_rim_that_shows_of_a_card_below_others_may_look_otherwise(cleared: Mat) -> None:
    """A card that is laid beside shades it."""
    cleared.lay("face-9", "pile")
    *_, memory = look(cleared)
    (card,), areas = memory.cards, cleared.reader._areas
    assert areas is not None
    dark = unpacked(memory.view) - np.float32(20)
    scene = Scene(cleared.reader.deck, areas, dark, memory.bare, usual(cleared), cleared.reader.settings)
    upon = scene.area(CardPose(card.pose.x + 3.0, card.pose.y, card.pose.turn))
    assert following.remaining(scene, [card], scene.area(card.pose), upon) == ([card], [])


def test_a_card_that_was_fitted_amiss_where_it_lies_is_told_no_second_time(cleared: Mat) -> None:
    cleared.lay("face-9", "pile")
    *_, memory = look(cleared)
    (card,), areas = memory.cards, cleared.reader._areas
    assert areas is not None
    scene = Scene(cleared.reader.deck, areas, unpacked(memory.view), memory.bare, usual(cleared), cleared.reader.settings)
    amiss, there = (
        Match(card.face, pose, 900.0, (card.face,), 1.0, 0, 0.0, 1.0, 0.99)
        for pose in (replace(card.pose, x=card.pose.x + 0.5, turn=card.pose.turn + 4.1), card.pose)
    )
    assert landings._lies_still(scene, amiss, [card])
    assert not landings._lies_still(scene, there, [replace(card, pose=amiss.pose)]), "that one it is not"


@pytest.mark.slow
def test_cards_lie_still_below_a_page_never_taught_of_which_only_print_is_found() -> None:
    """Where a bar was printed the page is as blank as the mat, and had been taken for it: a pile of three was given up."""
    sitting = Sitting(DECKS["apart"](54002), 54002)
    sitting.settle()
    lying = (("face-2", (327.8, 71.4), 2.1), ("back", (329.3, 73.7), -1.1), ("face-12", (327.2, 71.2), -2.6))
    bare = sitting.table.film()
    for height, (face, at, turn) in enumerate(lying):
        sitting.table.lay(sitting.deck.faces[face], at, turn, CARD_MM * height, sitting.sleeve)
        sitting.settle()
    sitting.table.lay(sitting.deck.never[2], (327.5, 72.0), 178.0, CARD_MM * 3, sitting.sleeve)
    observation, _ = sitting.settle()
    assert [s.face for s in observation.reading.sightings] == [face for face, *_ in lying]
    assert observation.reading.unknown.keys() == {"card:pile"}
    sitting.table.restore(bare)
    observation, _ = sitting.settle()
    assert not observation.reading.sightings and not observation.reading.unknown, "all of them were taken away"

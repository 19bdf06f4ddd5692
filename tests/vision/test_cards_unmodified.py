"""Unmodified cards: taught, read as they land, followed, laid again, never made up."""

from dataclasses import replace

import numpy as np
import pytest
from card_mat import LIGHT, Mat

from companion.calibration.training import card_decks
from companion.calibration.training.card_campaign import (
    DECKS,
    MIDDLES,
    Sitting,
    Tally,
    lay_again,
    play,
)
from companion.errors import BadInput
from companion.vision.cards.changes import reaching_in
from companion.vision.cards.faces import CardTeaching, deck_faces
from companion.vision.cards.likeness import FaceBank
from companion.vision.cards.memory import CardMemory
from companion.vision.cards.reader import CardReader
from companion.vision.cards.view import MatGrid
from companion.vision.frame import Frame


@pytest.fixture(scope="module")
def deck() -> card_decks.Deck:
    return card_decks.deck(3)


@pytest.fixture
def mat(deck: card_decks.Deck) -> Mat:
    return Mat(deck)


def test_cards_are_told_as_they_land_and_followed_while_they_lie(mat: Mat) -> None:
    told = mat.watch()
    assert [mat.zones(reading) for reading in told] == [{}] and told[0].unknown == {}
    mat.lay("face-4", "pile")
    told = mat.watch()
    assert mat.zones(told[-1]) == {"pile": ["face-4"]} and not told[-1].unknown
    mat.lay("face-9", "heap", turn=137.0)
    told = mat.watch()
    assert mat.zones(told[-1]) == {"pile": ["face-4"], "heap": ["face-9"]}
    mat.lay("face-4", "pile", 0.4, (1.3, 0.6))
    told = mat.watch(pictures=12)
    assert told and mat.zones(told[-1])["pile"] == ["face-4", "face-4"], "the same face again is a card more"
    mat.lay("back", "pile", 0.8, (-2.0, 1.0), 181.0)
    told = mat.watch()
    assert mat.zones(told[-1]) == {"pile": ["face-4", "face-4", "back"], "heap": ["face-9"]} and not told[-1].unknown


def test_a_face_that_was_never_taught_is_unknown_and_a_hand_is_no_card(mat: Mat) -> None:
    mat.watch()
    rng = np.random.default_rng(8)
    for _ in range(2):
        assert mat.watch(mat.table.hand(rng, MIDDLES["heap"]), 1) == []
    hand = mat.table.hand(rng, MIDDLES["heap"])
    told = mat.watch(hand, 14)
    assert all(reading.sightings == () for reading in told), "a hand that rests is nothing that was taught"
    told = mat.watch()
    assert all(not reading.sightings for reading in told)
    mat.table.lay(mat.deck.never[0], MIDDLES["heap"], 20.0)
    told = mat.watch(pictures=16)
    assert told[-1].sightings == () and told[-1].unknown.keys() == {"card:heap"}


def test_a_deck_with_a_card_too_many_is_said(mat: Mat) -> None:
    mat.watch(pictures=3)
    for number, zone in enumerate(("pile", "heap", "hand", "heap")):
        mat.lay(
            "face-2",
            zone,
            off=(0.0, 0.0) if number < 3 else (9.0, -8.0),
            height=0.4 * (number == 3),
            turn=3.0 + 40 * (number == 3),
        )
        told = mat.watch() if number < 3 else mat.watch(pictures=14)
    assert any("4 cards that show face-2 were laid, the deck has 3" in why for why in told[-1].problems)
    assert told[-1].unknown and len({sighting.piece for sighting in told[-1].sightings}) == 3


def test_a_reader_needs_a_taught_deck_and_a_game_of_cards(mat: Mat) -> None:
    nothing = CardTeaching(mat.board.id, "one", (63.0, 88.0), (200.0, 200.0, 200.0))
    with pytest.raises(BadInput, match="show each face once"):
        CardReader(mat.board, mat.pieces, nothing)
    assert [face.name for face in deck_faces(mat.pieces)][:3] == ["face-0", "back of the cards", "face-1"]
    assert deck_faces(mat.pieces)[1].back and not deck_faces(mat.pieces)[0].back


def test_some_landings_at_random_are_told_and_none_falsely() -> None:
    tally = Tally()
    play(card_decks.deck(14), 14, 6, tally)
    assert tally.false == [] and sum(n for (_, what), n in tally.counts.items() if what == "right") >= 5, tally.doubts


@pytest.mark.slow
@pytest.mark.parametrize("source", ["tune", "apart"])
def test_many_landings_at_random_are_told_and_none_falsely(source: str) -> None:
    tally = Tally()
    for seed in range(100, 125):
        play(DECKS[source](seed), seed, 80, tally)
    print(dict(tally.counts), tally.false)
    assert tally.false == []
    assert tally.share("plain", "right") >= 0.97 and tally.share("alike", "right") >= 0.85


@pytest.mark.slow
def test_the_same_face_laid_again_is_noticed_and_a_hand_that_passes_lays_nothing() -> None:
    tally = Tally()
    for seed in range(200, 220):
        lay_again(card_decks.deck(seed), seed, 10, tally)
    print(dict(tally.counts), tally.false)
    assert tally.share("again", "noticed") >= 0.97 and tally.false == []


def test_a_sitting_can_be_gone_on_from_when_the_camera_was_moved(deck: card_decks.Deck) -> None:
    sitting = Sitting(card_decks.deck(12), 12)
    sitting.settle()
    sitting.table.lay(sitting.deck.faces["face-3"], MIDDLES["heap"], 30.0)
    sitting.settle()
    sitting.registration = replace(sitting.registration, error_mm=0.1)  # another registration: no view can be gone on from
    observation, _ = sitting.settle()
    assert [(s.place, s.face) for s in observation.reading.sightings] == [
        ("heap", "face-3")
    ] and not observation.reading.unknown


def test_a_hand_over_an_upmost_card_that_lies_as_it_lay_may_have_laid_the_same_again(mat: Mat) -> None:
    mat.watch(pictures=3)
    mat.lay("face-4", "pile")
    assert mat.zones(mat.watch()[-1]) == {"pile": ["face-4"]}
    hand = mat.table.hand(np.random.default_rng(5), MIDDLES["pile"])
    for _ in range(2):
        mat.watch(hand, 1)
        told = mat.watch()
        assert [reading.again for reading in told] == [("pile",)] and mat.zones(told[0]) == {"pile": ["face-4"]}
    assert mat.watch(mat.table.hand(np.random.default_rng(6), MIDDLES["heap"]), 1) + mat.watch() == [], "no card lies there"
    mat.watch(hand, 1)
    mat.lay("face-9", "heap", turn=20.0)
    told = mat.watch(pictures=12)
    assert [reading.again for reading in told] == [()] and mat.zones(told[-1])["heap"] == ["face-9"], (
        "the hand has laid another"
    )


def test_cards_that_come_to_lie_open_beside_the_mat_are_said_once_and_never_read(deck: card_decks.Deck) -> None:
    mat = Mat(deck, beside={"hand-1": [[20, -95], [190, -95], [190, -4], [20, -4]]})
    mat.watch(pictures=3)
    said: list[str] = []

    def beside(name: str, at: tuple[float, float]) -> list[str]:
        bare = mat.table.film()
        mat.table.lay(mat.deck.faces[name], at, 8.0)
        seen = mat.notices(8)
        assert all(not reading.sightings for reading in mat.told)
        mat.table.restore(bare)
        mat.notices(8)
        return seen

    said = beside("face-4", (100.0, -50.0))
    assert said == ["Cards of hand-1 are in the picture. Nothing of them is kept; turn them away from the camera."]
    assert beside("face-7", (90.0, -52.0)) == [], "within some seconds it is not said again"
    mat.count += 100
    assert beside("back", (100.0, -50.0)) == [], "a back tells nothing"
    arm = mat.table.hand(np.random.default_rng(3), (100.0, 60.0))
    assert mat.notices(4, arm) == [] and mat.notices(6) == [], "an arm is no card"


def test_a_face_of_which_all_cards_lie_there_is_less_likely_and_clear_evidence_overrules_it(mat: Mat) -> None:
    mat.lay("face-2", "heap")
    memory = mat.reader.read_at(Frame(mat.table.picture(LIGHT, 1), 0.0, "made", 1), mat.table.registration).memory
    assert isinstance(memory, CardMemory) and len(memory.cards) == 1
    (card,) = memory.cards
    assert mat.reader.deck.spent([card] * 2) == frozenset() and mat.reader.deck.spent([card] * 3) == {card.face}
    one, other = (
        mat.reader.deck.bank.match(memory.grid, memory.view, [card.pose], prior=prior) for prior in (None, {card.face: -5.0})
    )
    assert one is not None and other is not None and other.face == one.face == card.face
    assert other.margin == pytest.approx(one.margin - 5.0, abs=1e-3)


def test_two_cards_that_landed_at_once_are_both_told_the_lower_one_first(mat: Mat) -> None:
    mat.watch(pictures=3)
    mat.lay("face-9", "heap", turn=20.0)
    mat.lay("face-4", "heap", 0.4, (26.0, 24.0), 33.0)
    told = mat.watch()
    assert [(s.place, s.face) for s in told[-1].sightings] == [("heap", "face-9"), ("heap", "face-4")]
    assert not told[-1].unknown
    mat.table.lay(mat.deck.never[0], MIDDLES["pile"], 5.0)
    mat.lay("face-7", "pile", 0.4, (24.0, 20.0), 9.0)
    told = mat.watch(pictures=12)
    assert [s.face for s in told[-1].sightings if s.place == "pile"] == ["face-7"], "the one below it was never taught"
    assert told[-1].unknown.keys() == {"card:pile"}


def test_an_arm_is_told_from_cards_without_a_search(mat: Mat, monkeypatch: pytest.MonkeyPatch) -> None:
    mat.watch(pictures=3)
    asked: list[int] = []
    match = FaceBank.match
    monkeypatch.setattr(FaceBank, "match", lambda *given: asked.append(1) or match(*given))
    told = mat.watch(mat.table.hand(np.random.default_rng(5), (220.0, 150.0)), 4)
    assert told == [] and asked == [], "it reaches in from beside the mat"
    mat.lay("face-9", "heap", turn=137.0)
    assert mat.zones(mat.watch()[-1]) == {"heap": ["face-9"]} and asked


def test_what_reaches_in_goes_on_beside_the_mat(mat: Mat) -> None:
    grid = MatGrid.over(mat.table.registration, mat.board.size_mm, 30.0, 1.0)
    beyond, change = ~grid.mat(mat.board.size_mm), np.zeros(grid.size[::-1], np.bool_)
    card, arm = np.zeros_like(change), np.zeros_like(change)
    card[100:160, 100:140], arm[200:, 200:260] = True, True
    assert not reaching_in(card, beyond, grid).any()
    assert (reaching_in(card | arm, beyond, grid) == arm).all()

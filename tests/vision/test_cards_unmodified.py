"""Unmodified cards: taught, read as they land, followed, laid again, never made up."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from surfaces import MAT_SHOT

from companion.calibration.training import card_decks
from companion.calibration.training.card_campaign import (
    DECKS,
    MIDDLES,
    Sitting,
    Tally,
    lay_again,
    look_on,
    play,
    surface,
    taught,
)
from companion.calibration.training.card_table import CARD_MM, CardTable, Light
from companion.errors import BadInput
from companion.vision.cards import following, landings
from companion.vision.cards.changes import reaching_in
from companion.vision.cards.faces import CardTeaching, deck_faces
from companion.vision.cards.likeness import FaceBank
from companion.vision.cards.match import Match
from companion.vision.cards.memory import CardMemory, LyingCard
from companion.vision.cards.reader import CardReader
from companion.vision.cards.scene import Scene
from companion.vision.cards.settings import LikenessSettings
from companion.vision.cards.view import CardPose, MatGrid, unpacked
from companion.vision.frame import Frame
from companion.vision.reading import Reading
from companion.vision.watcher import Watcher

LIGHT = Light()


@pytest.fixture(scope="module")
def deck() -> card_decks.Deck:
    return card_decks.deck(3)


class Mat:
    """A taught deck on a mat with frame stickers, seen through a watcher."""

    def __init__(self, deck: card_decks.Deck, beside: dict[str, list[list[float]]] | None = None) -> None:
        self.deck = deck
        self.board, self.pieces = surface(deck, beside=beside)
        self.table = CardTable(self.board, replace(MAT_SHOT, size=(1280, 960), px_per_mm=1.9), 4, pieces=self.pieces)
        self.teaching = taught(deck, self.table, self.board, self.pieces, "")
        self.reader = CardReader(self.board, self.pieces, self.teaching, self.table.registration.lens)
        self.watcher = Watcher(self.reader, self.board)
        self.bare = self.table.film()
        self.count = 0

    def notices(self, pictures: int, film: np.ndarray | None = None) -> list[str]:
        """What is said while some pictures are taken; what settles meanwhile is kept in ``told``."""
        said: list[str] = []
        self.told: list[Reading] = []
        for _ in range(pictures):
            self.count += 1
            frame = Frame(self.table.picture(LIGHT, self.count, film), 0.2 * self.count, "made", self.count)
            analysis = self.watcher.see(frame)
            said += [one.text.format(**one.params) for one in analysis.notices if one.code == "cards-in-view"]
            self.told += [analysis.settled] if analysis.settled is not None else []
        return said

    def watch(self, film: np.ndarray | None = None, pictures: int = 6) -> list[Reading]:
        """What settles while some pictures are taken, a fifth of a second apart."""
        told = []
        for _ in range(pictures):
            self.count += 1
            image = self.table.picture(LIGHT, self.count, film)
            analysis = self.watcher.see(Frame(image, 0.2 * self.count, "made", self.count))
            told += [analysis.settled] if analysis.settled is not None else []
        return told

    def lay(self, name: str, zone: str, height: float = 0.0, off: tuple[float, float] = (0.0, 0.0), turn: float = 3.0) -> None:
        x, y = MIDDLES[zone]
        self.table.lay(self.deck.faces[name], (x + off[0], y + off[1]), turn, height)

    def zones(self, reading: Reading) -> dict[str, list[str]]:
        return dict(reading.state(self.board, self.pieces)["cards"])


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


@pytest.mark.parametrize(("seed", "taught", "never"), [(162, "face-13", 1), (7007, "face-10", 0)])
def test_other_signs_in_the_layout_of_a_taught_face_are_none_that_was_taught(seed: int, taught: str, never: int) -> None:
    """Of the first deck another kind of sign, of the second one sign more."""
    sitting = Sitting(DECKS["novel"](seed), seed)
    sitting.settle()
    sitting.table.lay(sitting.deck.faces[taught], MIDDLES["pile"], 3.0, 0.0, sitting.sleeve)
    sitting.table.lay(sitting.deck.never[never], MIDDLES["heap"], 20.0, 0.0, sitting.sleeve)
    observation, _ = sitting.settle()
    assert [(s.place, s.face) for s in observation.reading.sightings] == [("pile", taught)]
    assert observation.reading.unknown.keys() == {"card:heap"}


def lay_all(sitting: Sitting, *cards: tuple[str, tuple[float, float], float]) -> list[str]:
    """Lay cards (face, middle in mm, turn in degrees) upon each other at once; the faces claimed then, lowest first."""
    for height, (face, at, turn) in enumerate(cards):
        sitting.table.lay(sitting.deck.faces[face], at, turn, CARD_MM * height, sitting.sleeve)
    sitting.settle()
    assert sitting.memory is not None
    return [str(sitting.reader.deck.faces[card.face].side) for card in sitting.memory.cards]


def test_two_pale_cards_upon_each_other_are_found_by_their_print() -> None:
    """Where hardly anything differs from the mat but what is printed no outline leads to a card."""
    sitting = Sitting(DECKS["apart"](8002), 8002)
    assert lay_all(sitting, ("face-11", (104.1, 208.3), -42.8), ("face-3", (89.5, 213.6), 124.5))
    told = lay_all(sitting, ("face-2", (90.0, 220.0), -146.7), ("face-3", (109.0, 255.0), -133.6))
    assert told[-2:] == ["face-2", "face-3"]


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


@pytest.mark.parametrize(
    ("visible", "detail", "left", "spot", "margin", "sure"),
    [
        (1.0, 0.9, 5.0, 5.0, 12.0, True),
        (1.0, 0.71, 5.0, 5.0, 55.0, False),  # a drawing that agrees poorly
        (1.0, 0.71, 5.0, 5.0, 69.0, True),
        (0.5, 0.8, 5.0, 5.0, 111.0, False),  # only like a taught face: much more is asked of a part
        (0.5, 0.8, 5.0, 5.0, 112.0, True),
        (0.5, 0.97, 1.0, 1.0, 21.0, False),
        (0.5, 0.97, 1.0, 1.0, 22.0, True),  # just as taught
        (0.5, 0.97, 4.5, 1.0, 100.0, False),
        (0.5, 0.97, 1.0, 3.5, 100.0, False),
        (0.5, None, 0.0, 0.0, 56.0, False),
        (0.5, None, 0.0, 0.0, 57.0, True),
    ],
)
def test_the_less_of_a_card_is_in_sight_the_more_a_face_must_lead_unless_it_is_drawn_as_taught(
    visible: float, detail: float | None, left: float, spot: float, margin: float, sure: bool
) -> None:
    match = Match(1, CardPose(0.0, 0.0, 0.0), margin, (1,), 1.0, 0, 0.0, visible, detail, left, spot, outlined=True)
    assert match.sure(LikenessSettings()) is sure


def test_a_card_laid_where_something_lies_that_was_not_told_is_told_once() -> None:
    """The ninth lies upon one that was never taught, which is asked again where it shows no longer as it did."""
    tally = Tally()
    play(DECKS["novel"](9404), 9404, 9, tally)
    assert tally.false == [] and tally.counts["plain", "right"] == 8, tally.doubts


def test_signs_more_than_a_taught_face_has_are_not_told_as_that_face_a_row_beside_nor_once_they_are_half_covered() -> None:
    """A row of them apart the face fits just as well where it lies, but there it explains less."""
    sitting = Sitting(DECKS["novel"](50202), 50202)
    for name in sitting.deck.never:
        sitting.table.clear()
        sitting.memory = None
        sitting.settle()
        sitting.table.lay(name, (52.0, 71.0), 179.0, 0.0, sitting.sleeve)
        assert not sitting.settle()[0].reading.sightings
        sitting.table.lay(sitting.deck.faces["face-5"], (82.0, 70.0), -2.0, 0.0, sitting.sleeve)
        assert [(one.face, one.place) for one in sitting.settle()[0].reading.sightings] == [("face-5", "row")]


def test_a_page_of_text_upon_another_is_no_bare_mat_of_its_colour() -> None:
    """A fifth of the card below had changed, and the fit of the light had the white mat as brown as the page."""
    tally = Tally()
    play(DECKS["fresh"](52109), 52109, 2, tally)
    assert tally.counts["followed", "kept"] == 1 and tally.counts["followed", "lost"] == 0, tally.doubts


def test_a_page_of_text_never_taught_upon_another_is_asked_about_and_gone_when_it_is_taken() -> None:
    """A seventh of the page below changes, in thin lines of which none is a card."""
    sitting = Sitting(DECKS["fresh"](52109), 52109)
    sitting.settle()
    bare, table = sitting.table.film(), sitting.table
    table.lay(sitting.deck.faces["face-5"], (326.0, 74.0), 3.0, 0.0, sitting.sleeve)
    assert not sitting.settle()[0].reading.unknown
    one = table.film()
    table.lay(sitting.deck.never[1], (328.0, 72.0), -2.0, CARD_MM, sitting.sleeve)
    reading = sitting.settle()[0].reading
    assert [one.face for one in reading.sightings] == ["face-5"] and reading.unknown.keys() == {"card:pile"}
    for film, left in ((one, ["face-5"]), (bare, [])):
        table.restore(film)
        reading = sitting.settle()[0].reading
        assert [one.face for one in reading.sightings] == left and not reading.unknown


def test_a_sparse_page_of_text_upon_another_is_not_the_mat() -> None:
    """A quarter of the page below had changed, and but for its signs the upper one is much like the mat."""
    sitting = Sitting(DECKS["fresh"](52101), 52101)
    sitting.settle()
    for number, art in enumerate((sitting.deck.faces["face-7"], sitting.deck.never[2])):
        sitting.table.lay(art, (326.0 + number, 74.0), 3.0 - number, CARD_MM * number, sitting.sleeve)
        reading = sitting.settle()[0].reading
    assert [one.face for one in reading.sightings] == ["face-7"] and reading.unknown.keys() == {"card:pile"}


def test_two_cards_taken_away_together_leave_no_back_as_pale_as_the_mat() -> None:
    """Their common outline is none of one card, so that only its edges lead to where one might lie."""
    sitting = Sitting(DECKS["novel"](52214), 52214)
    sitting.settle()
    bare = sitting.table.film()
    for height, (face, at, turn) in enumerate((("face-0", (291.0, 219.0), 127.0), ("face-2", (283.0, 224.0), 97.0))):
        sitting.table.lay(sitting.deck.faces[face], at, turn, CARD_MM * height, sitting.sleeve)
        sitting.settle()
    sitting.table.restore(bare)
    looks = [sitting.look().reading for _ in range(6)]
    assert all(not reading.sightings and not reading.unknown for reading in looks)


def test_a_card_taken_away_under_a_broad_shadow_is_gone_once_the_shadow_is() -> None:
    """Where that goes a third of the view changes: of the mat that shows again next to nothing seemed unusual."""
    sitting = Sitting(DECKS["fresh"](53101), 53101)
    sitting.settle()
    bare, table = sitting.table.film(), sitting.table
    table.lay(sitting.deck.faces["face-3"], MIDDLES["pile"], 5.0, 0.0, sitting.sleeve)
    sitting.settle()
    x, y = table.registration.project([MIDDLES["pile"]])[0]
    down, across = np.mgrid[: bare.shape[0], : bare.shape[1]]
    shade = 1 - 0.45 * np.exp(-((np.hypot(across - x, down - y) / 127.0) ** 4))
    table.restore(np.asarray(bare * shade[..., None], np.uint8))
    reading = sitting.settle()[0].reading
    assert [one.face for one in reading.sightings] == ["face-3"] and reading.unknown.keys() == {"card:pile"}
    table.restore(bare)
    reading = sitting.settle()[0].reading
    assert not reading.sightings and not reading.unknown


def test_paper_printed_white_is_no_glare_upon_another_face() -> None:
    """A shield half white where the taught one is purple: as much of it may be washed out, but less of it tells then."""
    sitting = Sitting(DECKS["fresh"](51102), 51102)
    sitting.settle()
    sitting.table.lay(sitting.deck.never[2], (286.0, 219.6), 38.5, 0.0, sitting.sleeve)
    assert not sitting.settle()[0].reading.sightings
    sitting.table.clear()
    sitting.settle()
    sitting.table.lay(sitting.deck.faces["face-9"], (286.0, 219.6), 38.5, 0.0, sitting.sleeve)
    assert [(one.face, one.place) for one in sitting.settle()[0].reading.sightings] == [("face-9", "hand")]


@pytest.mark.parametrize(("seed", "looks"), [(50003, 61), pytest.param(50006, 175, marks=pytest.mark.slow)])
def test_a_card_that_lies_as_it_lay_is_no_second_one_turned_upon_itself(seed: int, looks: int) -> None:
    """After a hand has rested, or in grain alone, its face may fit a third of a turn round, but no better."""
    tally = Tally()
    look_on(DECKS["apart"](seed), seed, looks, tally)
    assert tally.false == [] and tally.counts["still", "right"] > looks // 2


@pytest.fixture(scope="module")
def shared(deck: card_decks.Deck) -> Mat:
    return Mat(deck)


@pytest.fixture
def cleared(shared: Mat) -> Mat:
    shared.table.restore(shared.bare)
    return shared


def look(mat: Mat, before: CardMemory | None = None, times: int = 1) -> tuple[dict[str, list[str]], set[str], CardMemory]:
    """The faces claimed by zones, the zones in doubt, and what is known after looks, each going on from the one before."""
    assert times > 0
    for _ in range(times):
        mat.count += 1
        frame = Frame(mat.table.picture(LIGHT, mat.count), float(mat.count), "made", mat.count)
        observation = mat.reader.read_at(frame, mat.table.registration, before)
        assert isinstance(observation.memory, CardMemory)
        before = observation.memory
    assert before is not None
    return mat.zones(observation.reading), set(before.doubts), before


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
        scene = Scene(cleared.reader.deck, areas, unpacked(now.view), first.bare, cleared.reader.settings)
        kept, hidden = following.remaining(scene, cards, scene.covered(cards), scene.nothing)
        return kept, [card for card, _ in hidden]

    assert remain() == ([*cards], []), "all of it has changed, and it shows"
    cleared.table.lay(cleared.deck.never[1], MIDDLES["pile"], 4.0, 0.8)
    assert remain() == ([*cards], [*cards[::-1]]), "something of like print perhaps lies upon both"
    cleared.table.restore(one)
    assert remain() == ([cards[0]], []), "the upper one was taken"
    cleared.table.restore(cleared.bare)
    assert remain() == ([], []), "both were taken"


def test_a_rim_that_shows_of_a_card_below_others_may_look_otherwise(cleared: Mat) -> None:
    """A card that is laid beside shades it."""
    cleared.lay("face-9", "pile")
    *_, memory = look(cleared)
    (card,), areas = memory.cards, cleared.reader._areas
    assert areas is not None
    dark = unpacked(memory.view) - np.float32(20)
    scene = Scene(cleared.reader.deck, areas, dark, memory.bare, cleared.reader.settings)
    upon = scene.area(CardPose(card.pose.x + 3.0, card.pose.y, card.pose.turn))
    assert following.remaining(scene, [card], scene.area(card.pose), upon) == ([card], [])


def test_no_card_is_told_where_the_bare_mat_is_far_likelier_though_its_outline_has_changed() -> None:
    settings = LikenessSettings()
    for over_bare, visible, sure in ((-8.0, 1.0, True), (-116.0, 1.0, False), (-30.0, 0.5, False)):
        match = Match(1, CardPose(0.0, 0.0, 0.0), 900.0, (1,), 1.0, 0, 0.0, visible, None, over_bare=over_bare, outlined=True)
        assert match.sure(settings) is sure


def test_a_card_that_was_fitted_amiss_where_it_lies_is_told_no_second_time(cleared: Mat) -> None:
    cleared.lay("face-9", "pile")
    *_, memory = look(cleared)
    (card,), areas = memory.cards, cleared.reader._areas
    assert areas is not None
    scene = Scene(cleared.reader.deck, areas, unpacked(memory.view), memory.bare, cleared.reader.settings)
    amiss, there = (
        Match(card.face, pose, 900.0, (card.face,), 1.0, 0, 0.0, 1.0, 0.99)
        for pose in (replace(card.pose, x=card.pose.x + 0.5, turn=card.pose.turn + 4.1), card.pose)
    )
    assert landings._lies_still(scene, amiss, [card])
    assert not landings._lies_still(scene, there, [replace(card, pose=amiss.pose)]), "that one it is not"


def test_a_page_never_taught_in_the_layout_of_a_taught_one_is_not_told_as_that() -> None:
    """Its drawing is somewhat alike; it had been told, since the taught one was likelier than any other."""
    sitting = Sitting(DECKS["fresh"](54101), 54101)
    sitting.settle()
    sitting.table.lay(sitting.deck.never[0], (84.7, 225.0), -48.4, 0.0, sitting.sleeve)
    observation, _ = sitting.settle()
    assert not observation.reading.sightings and observation.reading.unknown.keys() == {"card:heap"}
    sitting.table.lay(sitting.deck.faces["face-3"], MIDDLES["hand"], 25.0, 0.0, sitting.sleeve)
    observation, _ = sitting.settle()
    assert [(s.place, s.face) for s in observation.reading.sightings] == [("hand", "face-3")]


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

"""What no taught card is told for, and what is no bare mat: other signs, pages of text, white paper, shadows."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.calibration.training.card_campaign import (
    DECKS,
    MIDDLES,
    Sitting,
    Tally,
    lay_two,
    play,
)
from companion.calibration.training.card_table import CARD_MM
from companion.vision.cards.drawing import HALF, _correlation, agreement, beside, glare, odd_spot
from companion.vision.cards.match import Match
from companion.vision.cards.reader import CardReader
from companion.vision.cards.settings import LikenessSettings
from companion.vision.cards.view import HEIGHT, WIDTH, CardPose, cells
from companion.vision.frame import Image


@pytest.mark.parametrize(
    ("seed", "taught", "never"), [(162, "face-13", 1), pytest.param(7007, "face-10", 0, marks=pytest.mark.slow)]
)
def test_other_signs_in_the_layout_of_a_taught_face_are_none_that_was_taught(seed: int, taught: str, never: int) -> None:
    """Of the first deck another kind of sign, of the second one sign more."""
    sitting = Sitting(DECKS["novel"](seed), seed)
    sitting.settle()
    sitting.table.lay(sitting.deck.faces[taught], MIDDLES["pile"], 3.0, 0.0, sitting.sleeve)
    sitting.table.lay(sitting.deck.never[never], MIDDLES["heap"], 20.0, 0.0, sitting.sleeve)
    observation, _ = sitting.settle()
    assert [(s.place, s.face) for s in observation.reading.sightings] == [("pile", taught)]
    assert observation.reading.unknown.keys() == {"card:heap"}


@pytest.mark.parametrize(("seed", "rows", "columns"), [(329, 53, 32), (359, 57, 35), (360, 37, 32)])
def test_how_much_is_drawn_is_a_number_beyond_what_lies_open(seed: int, rows: int, columns: int) -> None:
    """Sums that are carried along left a little below nothing there, and its root was no number."""
    rng = np.random.default_rng(seed)
    taught = rng.uniform(0, 255, (HEIGHT, WIDTH)).astype(np.float32)
    open_ = np.zeros(taught.shape, np.bool_)
    open_[:rows, :columns] = True
    for values in _correlation(taught, taught, open_):
        assert np.isfinite(values).all()


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


@pytest.mark.parametrize(
    ("visible", "detail", "spot", "margin", "sure"),
    [
        (1.0, 0.95, 5.0, 12.0, True),
        (1.0, 0.95, 7.1, 900.0, False),  # a sign that is not on it
        (1.0, None, 7.1, 900.0, False),
        (1.0, 0.85, 5.0, 71.0, False),  # a drawing that agrees poorly
        (1.0, 0.85, 5.0, 73.0, True),
        (0.5, 0.85, 5.0, 111.0, False),  # only like a taught face: much more is asked of a part
        (0.5, 0.85, 5.0, 112.0, True),
        (0.5, 0.97, 1.0, 21.0, False),
        (0.5, 0.97, 1.0, 22.0, True),  # just as taught
        (0.5, 0.97, 4.5, 100.0, False),
        (0.5, None, 0.0, 56.0, False),
        (0.5, None, 0.0, 57.0, True),
    ],
)
def test_the_less_of_a_card_is_in_sight_the_more_a_face_must_lead_unless_it_is_drawn_as_taught(
    visible: float, detail: float | None, spot: float, margin: float, sure: bool
) -> None:
    match = Match(1, CardPose(0.0, 0.0, 0.0), margin + 1e-3, (1,), 1.0, 0, 1e-9, visible, detail, spot, outlined=True)
    assert match.sure(LikenessSettings()) is sure
    poor_without_glare = detail is not None and detail < 0.9
    assert replace(match, washed=0.0).sure(LikenessSettings()) is (sure and not poor_without_glare)


def test_a_card_laid_where_something_lies_that_was_not_told_is_told_once() -> None:
    """The ninth lies upon one that was never taught, which is asked again where it shows no longer as it did."""
    tally = Tally()
    play(DECKS["novel"](9404), 9404, 9, tally)
    assert tally.false == [] and tally.counts["plain", "right"] == 8, tally.doubts


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.slow
def test_a_sparse_page_of_text_upon_another_is_not_the_mat() -> None:
    """A quarter of the page below had changed, and but for its signs the upper one is much like the mat."""
    sitting = Sitting(DECKS["fresh"](52101), 52101)
    sitting.settle()
    for number, art in enumerate((sitting.deck.faces["face-7"], sitting.deck.never[2])):
        sitting.table.lay(art, (326.0 + number, 74.0), 3.0 - number, CARD_MM * number, sitting.sleeve)
        reading = sitting.settle()[0].reading
    assert [one.face for one in reading.sightings] == ["face-7"] and reading.unknown.keys() == {"card:pile"}


@pytest.mark.slow
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
    assert reading.unknown.keys() == {"card:pile"}, "the shadow itself is asked about"
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


def test_no_card_is_told_where_the_bare_mat_is_far_likelier_though_its_outline_has_changed() -> None:
    settings = LikenessSettings()
    for over_bare, visible, sure in ((-8.0, 1.0, True), (-116.0, 1.0, False), (-30.0, 0.5, False)):
        match = Match(1, CardPose(0.0, 0.0, 0.0), 900.0, (1,), 1.0, 0, 0.0, visible, None, over_bare=over_bare, outlined=True)
        assert match.sure(settings) is sure


@pytest.mark.slow
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


@pytest.mark.parametrize(
    ("fit", "detail", "visible", "sure"),
    [(0.965, 0.95, 1.0, False), (0.99, 0.95, 1.0, True), (0.965, 0.97, 1.0, True), (0.965, 0.95, 0.6, True)],
)
def test_a_whole_card_of_which_some_cells_differ_is_told_only_where_it_is_drawn_just_as_taught(
    fit: float, detail: float, visible: float, sure: bool
) -> None:
    match = Match(1, CardPose(0.0, 0.0, 0.0), 500.0, (1,), fit, 3, 0.0, visible, detail, 2.0, outlined=True)
    assert match.sure(LikenessSettings()) is sure


def under_glare(sitting: Sitting, art: Image, seed: int) -> list[tuple[str, str | None]]:
    """Where what is told of one card in a sleeve under the glare of a seed."""
    sitting.settle()
    sitting.table.rng = np.random.default_rng(seed)
    sitting.table.lay(art, MIDDLES["heap"], -10.0, 0.0, "glare")
    return [(one.place, one.face) for one in sitting.settle()[0].reading.sightings]


def test_a_shield_never_taught_that_has_most_of_its_drawing_in_common_with_a_taught_one_is_not_told() -> None:
    """Some cells of a quarter differ, and it leads by more than 150."""
    sitting = Sitting(DECKS["fresh"](61010), 61010)
    assert under_glare(sitting, sitting.deck.never[2], 1) == []


@pytest.mark.slow
def test_two_letters_never_taught_in_the_layout_of_two_others_are_not_told_as_those() -> None:
    """Cells of four millimetres forgive other strokes, and a glare makes cards that were taught differ as much on the whole."""
    sitting = Sitting(DECKS["apart"](61107), 61107)
    assert under_glare(sitting, sitting.deck.never[1], 1) == []
    sitting.table.clear()
    sitting.memory = None
    assert under_glare(sitting, sitting.deck.faces["face-5"], 1) == [("heap", "face-5")]


def test_a_sign_that_is_not_there_is_not_washed_out() -> None:
    """Of nine discs one is missing: the paper that shows there is as much brighter than it as glare would be."""
    sitting = Sitting(DECKS["novel"](61007), 61007)
    faces = {str(face.side): face.key for face in sitting.reader.deck.faces}
    without = tuple(one for one in sitting.teaching.faces if one.key != faces["face-9"])
    reader = CardReader(
        sitting.board, sitting.pieces, replace(sitting.teaching, faces=without), sitting.table.registration.lens
    )
    taught, sitting.reader = sitting.reader, reader
    assert under_glare(sitting, sitting.deck.faces["face-9"], 1) == []
    sitting.table.clear()
    sitting.memory, sitting.reader = None, taught
    assert under_glare(sitting, sitting.deck.faces["face-9"], 1) == [("heap", "face-9")]


def discs(*middles: tuple[int, int]) -> NDArray[np.float32]:
    """A pale yellow card with dark discs on it (Lab)."""
    found = np.empty((HEIGHT, WIDTH, 3), np.float32)
    found[:] = (88, 0, 12)
    for middle in middles:
        cv2.circle(found, middle, 6, (30, 0, 0), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(found, (0, 0), 0.7), np.float32)


def test_a_veil_of_glare_explains_no_other_sign() -> None:
    taught, whole = discs((18, 20), (38, 20), (18, 60), (38, 60)), np.ones((HEIGHT, WIDTH), np.bool_)
    veil = 0.7 * np.exp(-(((np.arange(WIDTH, dtype=np.float32) - 18) / 6) ** 2))[None, :, None]
    veiled = np.asarray(taught + veil * (np.array([102, 0, 0]) - taught), np.float32)
    assert odd_spot(veiled, taught, whole) < 5
    assert odd_spot(discs((18, 20), (38, 20), (18, 60), (38, 60), (28, 40)), taught, whole) > 20
    assert odd_spot(discs((18, 20), (38, 20), (18, 60), (38, 57)), taught, whole) > 7
    assert odd_spot(discs((18, 20), (38, 20), (18, 60)), taught, whole, whole) > 7  # not washed out: no whiter than the paper


def test_what_is_drawn_is_asked_where_no_glare_lies() -> None:
    """A streak that burns out the middle of a dark card, and fades to both sides: its edge is no part of the drawing."""
    taught, whole = discs((18, 20), (38, 20), (18, 60), (38, 60), (28, 40)), np.ones((HEIGHT, WIDTH), np.bool_)
    taught[..., 0] = 60 + (taught[..., 0] - 88) / 5
    share = np.empty((HEIGHT, WIDTH, 1), np.float32)
    share[:] = np.exp(-(((np.arange(HEIGHT, dtype=np.float32)[:, None, None] - 30) / 7) ** 2))
    seen = np.asarray(taught + share * (np.array([102, 0, 0]) - taught), np.float32)
    washed = share[..., 0] > 0.3
    lies = glare(seen, taught, whole, washed)
    assert lies[washed].all() and not lies[share[..., 0] < 0.01].any()

    def drawn(asked: NDArray[np.bool_]) -> float:
        found = agreement(cells(seen, HALF)[..., 0], cells(taught, HALF)[..., 0], asked[::HALF, ::HALF])
        assert found is not None
        return found

    assert drawn(~washed) < LikenessSettings().exact_detail < drawn(~beside(lies))
    assert not glare(seen, taught, whole, ~whole).any(), "what washes nothing out may be paper"


def test_a_card_below_another_is_told_beside_the_glare_upon_it() -> None:
    """Its drawing was asked for under the edge of the glare as well, and said to be another one's."""
    tally = Tally()
    lay_two(DECKS["fresh"](54627), 54627, 1, tally)
    assert tally.counts["80 to 89 % in sight", "right"] == 1, tally


@pytest.mark.slow
def test_plusses_in_the_place_of_discs_are_not_told_as_discs_where_no_glare_is() -> None:
    """The gaps beside their arms are lighter, as if a glare lay upon each."""
    sitting = Sitting(DECKS["novel"](61232), 61232)
    sitting.settle()
    for art, told in ((sitting.deck.never[1], []), (sitting.deck.faces["face-12"], [("heap", "face-12")])):
        sitting.table.clear()
        sitting.memory = None
        sitting.settle()
        sitting.table.lay(art, MIDDLES["heap"], -10.0, 0.0, "")
        assert [(one.place, one.face) for one in sitting.settle()[0].reading.sightings] == told


def test_a_card_taken_from_where_a_pale_one_was_learnt_as_bare_mat_is_gone() -> None:
    """A sleeve glared on a card as white as the mat, which was laid and taken away unseen."""
    sitting = Sitting(DECKS["novel"](52214), 52214)
    sitting.settle()
    film, memory = sitting.table.film(), sitting.memory
    assert memory is not None
    bare, pale = memory.bare.copy(), CardPose(*MIDDLES["heap"], 20.0)
    bare[memory.grid.polygon(pale.corners_mm((6.0, 9.0))), 0] += 10 * 128  # levels of light; 11 would count as a change
    sitting.memory = replace(memory, bare=bare)
    sitting.table.lay(sitting.deck.faces["face-0"], MIDDLES["heap"], 20.0, 0.0, sitting.sleeve)
    assert [one.face for one in sitting.settle()[0].reading.sightings] == ["face-0"]
    sitting.table.restore(film)
    reading = sitting.settle()[0].reading
    assert not reading.sightings and not reading.unknown


def test_cards_below_a_page_with_a_tint_are_not_gone() -> None:
    """Beside the mat one sees it at a glance; by itself it is the mat in other light."""
    sitting = Sitting(DECKS["novel"](52214), 52214)
    sitting.settle()
    x, y = MIDDLES["pile"]
    for number, face in enumerate(("face-1", "face-3")):
        sitting.table.lay(sitting.deck.faces[face], (x + number, y), 2.0 * number, CARD_MM * number, sitting.sleeve)
        sitting.settle()
    page = np.full_like(sitting.deck.faces["back"], (212, 232, 239))
    sitting.table.lay(page, (x + 1, y), 3.0, 2 * CARD_MM, sitting.sleeve)
    reading = sitting.settle()[0].reading
    assert [one.face for one in reading.sightings] == ["face-1", "face-3"] and reading.unknown.keys() == {"card:pile"}

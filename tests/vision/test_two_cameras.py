"""Two cameras on one table: readings merged piece by piece, and a hand that blocks one of the two views."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from world import RATE, Picture, false, grained, shaking, slab

from companion.announce.languages import LANGUAGES
from companion.announce.translator import translator
from companion.boards import load, load_pieces
from companion.calibration.training.camera_faults import arm, warped
from companion.calibration.training.stickers_composed import EMPTY, Scene, Shot, compose, pose, random_state
from companion.errors import BadInput
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.observation import Observation
from companion.vision.reader import Budget, Region
from companion.vision.reading import Reading, Sighting
from companion.vision.watching.frame_analysis import FrameAnalysis, Notice
from companion.vision.watching.merging import SUREST, merge
from companion.vision.watching.pair import PairWatcher
from companion.vision.watching.watcher import Watcher

BOARD, PIECES = load("mr-jack-london"), load_pieces("mr-jack-london")


def reading(*sightings: Sighting, unknown: dict[str, str] | None = None, source: str = "left") -> Reading:
    return Reading(sightings, unknown or {}, tuple((unknown or {}).values()), True, 1.0, source)


HOLMES = Sighting("holmes", "g5", "suspect", None, 0.98)
WATSON = Sighting("watson", "d7", "innocent", "N", 0.97)


def test_agreement_is_surer_than_either_and_never_certain() -> None:
    both = merge(reading(HOLMES), reading(replace(HOLMES, confidence=0.9), source="right"), PIECES)
    seen = both.of("holmes")
    assert seen is not None
    assert seen.confidence == pytest.approx(1 - 0.02 * 0.1)
    assert both.source == "left + right"
    sure = merge(reading(replace(HOLMES, confidence=0.9999)), reading(replace(HOLMES, confidence=0.999)), PIECES).of("holmes")
    assert sure is not None
    assert sure.confidence == SUREST


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (replace(HOLMES, place="g6"), "left sees g5 suspect, right sees g6 suspect"),
        (replace(HOLMES, face="innocent"), "left sees g5 suspect, right sees g5 innocent"),
        (None, "left sees g5 suspect, right sees nothing"),
    ],
)
def test_a_contradiction_is_unknown_and_names_both(other: Sighting | None, words: str) -> None:
    merged = merge(reading(HOLMES, WATSON), reading(*([other] if other else []), WATSON, source="right"), PIECES)
    assert merged.unknown == {"holmes": words}
    assert [s.piece for s in merged.sightings] == ["watson"]


def test_where_one_is_blind_the_other_counts() -> None:
    blind = reading(unknown={"holmes": "something hides g5", "gaslight:f5": "something hides f5"}, source="right")
    tile = Sighting("gaslight-1", "f5") if "gaslight-1" in PIECES.pieces else Sighting(PIECES.in_group("gaslights")[0].id, "f5")
    merged = merge(reading(HOLMES, tile), blind, PIECES)
    assert {s.piece for s in merged.sightings} == {"holmes", tile.piece}
    assert not merged.unknown
    assert merged.problems == (), "what the other camera solved is no problem"
    neither = merge(blind, replace(blind, source="left"), PIECES)
    assert neither.unknown == blind.unknown


def test_a_side_that_one_cannot_tell_is_taken_from_the_other_but_not_for_another_place() -> None:
    half = replace(reading(unknown={"holmes": "its side cannot be told"}, source="right"), lying={"holmes": "g5"})
    assert merge(reading(HOLMES), half, PIECES).of("holmes") == HOLMES
    elsewhere = merge(reading(replace(HOLMES, place="e6")), half, PIECES)
    assert elsewhere.unknown == {"holmes": "left sees e6 suspect, right sees g5"} and not elsewhere.lying
    both = merge(replace(half, source="left"), half, PIECES)
    assert both.lying == {"holmes": "g5"} and "holmes" in both.unknown


def test_two_pieces_on_one_place_from_two_cameras_are_both_in_doubt() -> None:
    one = reading(HOLMES, unknown={"watson": "hidden"})
    other = reading(replace(WATSON, place="g5"), unknown={"holmes": "hidden"}, source="right")
    merged = merge(one, other, PIECES)
    assert merged.sightings == ()
    assert set(merged.unknown) == {"holmes", "watson"}
    assert "holmes" in merged.unknown["watson"]
    assert "right sees watson" in merged.unknown["holmes"]


def test_tiles_that_look_alike_are_told_apart_and_there_are_no_more_than_there_are() -> None:
    blank = [p.id for p in PIECES.in_group("gaslights") if p.label == "blank"]
    cells = sorted(BOARD.of_kind("gaslight"))[:3]
    one = reading(Sighting(blank[0], cells[0]), unknown={f"gaslight:{c}": "hidden" for c in cells[1:]})
    other = reading(Sighting(blank[0], cells[1]), unknown={f"gaslight:{cells[0]}": "hidden"}, source="right")
    merged = merge(one, other, PIECES)
    assert merged.state(BOARD, PIECES)["gaslights"] == {cells[0]: "blank", cells[1]: "blank"}
    assert len({s.piece for s in merged.sightings}) == 2
    two = reading(
        Sighting(blank[0], cells[1]), Sighting(blank[1], cells[2]), unknown={f"gaslight:{cells[0]}": "?"}, source="right"
    )
    crowded = merge(reading(Sighting(blank[0], cells[0]), unknown={f"gaslight:{c}": "?" for c in cells[1:]}), two, PIECES)
    assert crowded.sightings == ()
    assert set(crowded.unknown) == {f"gaslight:{c}" for c in cells}


@st.composite
def readings(draw: st.DrawFn, source: str) -> Reading:
    people = draw(st.permutations([p.id for p in PIECES.in_group("characters")]))[:4]
    cells = draw(st.permutations(sorted(BOARD.of_kind("street"))[:6]))
    seen, unknown = [], {}
    for name, cell in zip(people, cells, strict=False):
        if draw(st.booleans()):
            seen.append(Sighting(name, cell, draw(st.sampled_from(("suspect", "innocent"))), None, draw(st.floats(0.5, 1))))
        elif draw(st.booleans()):
            unknown[name] = "hidden"
    lying = {name: cells[people.index(name)] for name in unknown if draw(st.booleans())}
    return replace(reading(*seen, unknown=unknown, source=source), lying=lying)


@given(readings("left"), readings("right"))
def test_merging_invents_nothing_and_does_not_care_who_comes_first(one: Reading, other: Reading) -> None:
    merged, back = merge(one, other, PIECES), merge(other, one, PIECES)

    def claims(reading: Reading) -> set[tuple[object, ...]]:
        return {(s.piece, s.place, s.face) for s in reading.sightings}

    assert claims(merged) == claims(back)
    assert merged.unknown.keys() == back.unknown.keys() >= merged.lying.keys()
    assert merged.lying == back.lying
    assert claims(merged) <= claims(one) | claims(other)
    assert not {s.piece for s in merged.sightings} & merged.unknown.keys()
    assert len({s.place for s in merged.sightings}) == len(merged.sightings)
    for sighting in merged.sightings:
        for reading in (one, other):
            mine = reading.of(sighting.piece)
            assert mine is None or (mine.place, mine.face) == (sighting.place, sighting.face)
            assert mine is not None or sighting.piece in reading.unknown, "denied by a camera that sees: no claim"
    assert claims(merge(one, replace(one, source="again"), PIECES)) >= claims(merge(one, one, PIECES))


# --- two films of one table ---------------------------------------------------------------------------------------

LEFT = Shot(size=(1280, 720), tilt=12, px_per_mm=1.4, noise=0, blur=0.5)
RIGHT = Shot(size=(1280, 720), tilt=30, azimuth=170, roll=-4, px_per_mm=1.45, noise=0, blur=0.5, seed=3)


class OneShapeOnly(MarkedReader):
    """Refuses pictures of any shape but the film's, as a taught copy does."""

    def read(
        self, frame: Frame, prior: Reading | None = None, region: Region | None = None, budget: Budget | None = None
    ) -> Observation:
        if frame.size != LEFT.size:
            raise BadInput("the picture of the table is only {}x{} pixels; at least 640x360 are needed".format(*frame.size))
        return super().read(frame, prior, region, budget)


class TwoFilms:
    def __init__(self, empty: tuple[Picture, Picture]) -> None:
        watchers = []
        for shot, bare in zip((LEFT, RIGHT), empty, strict=True):
            reader = OneShapeOnly(BOARD, PIECES, pose(BOARD, shot).lens)
            frame = Frame(bare, 0.0, "film")
            reader.learn(frame, reader.read(frame))
            watchers.append(Watcher(reader, BOARD))
        self.pair = PairWatcher(watchers[0], watchers[1], PIECES, ("left", "right"))
        self.now, self.number = 0.0, 0
        self.readings: list[tuple[float, Reading]] = []
        self.codes: list[str] = []
        self.notices: list[Notice] = []
        self._rng = np.random.default_rng(0)

    def _frame(self, picture: Picture, source: str, beside: Frame | None = None) -> Frame:
        grain = np.floor(self._rng.normal(0, 1.2, (90, 160))).astype(np.int16)
        grain = cv2.resize(grain, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)[:, : picture.shape[1]]
        return Frame(grained(picture, grain), self.now, source, self.number, beside)

    def show(self, left: Picture | None, right: Picture | None, seconds: float = 0.0) -> list[FrameAnalysis]:
        analyses = []
        for _ in range(max(1, round(seconds * RATE))):
            other = None if right is None else self._frame(right, "right")
            frame = other if left is None else self._frame(left, "left", other)
            assert frame is not None
            analyses.append(self.pair.see(frame))
            self.codes += [notice.code for notice in analyses[-1].notices]
            self.notices += analyses[-1].notices
            if analyses[-1].settled is not None:
                self.readings.append((self.now, analyses[-1].settled))
            self.now, self.number = self.now + 1 / RATE, self.number + 1
        return analyses


@pytest.fixture(scope="module")
def table() -> tuple[list[dict[str, Any]], list[tuple[Picture, Picture]], tuple[Picture, Picture]]:
    state = random_state(BOARD, PIECES, np.random.default_rng(2))
    middle = np.array(BOARD.size_mm) / 2
    used = {entry["hex"] for entry in state["characters"].values()}
    free = min(BOARD.of_kind("street") - used, key=lambda cell: float(np.hypot(*(np.array(BOARD.mm(cell)) - middle))))
    moved = state | {"characters": state["characters"] | {"holmes": state["characters"]["holmes"] | {"hex": free}}}
    states = [state, moved]

    def both(one: dict[str, Any]) -> tuple[Picture, Picture]:
        left, right = (compose(Scene(BOARD, PIECES, one, jitter=1), shot) for shot in (LEFT, RIGHT))
        return left, right

    return states, [both(one) for one in states], both(EMPTY)


@pytest.fixture
def films(table: tuple[list[dict[str, Any]], list[tuple[Picture, Picture]], tuple[Picture, Picture]]) -> TwoFilms:
    made = TwoFilms(table[2])
    made.show(*table[1][0], 1.0)
    ((_, first),) = made.readings
    assert false(first, table[0][0], BOARD, PIECES) == []
    assert first.source == "left + right"
    return made


def test_two_views_settle_once_on_each_move(films: TwoFilms, table: Any) -> None:
    states, pictures, _ = table
    films.show(arm(pictures[0][0], 0.5), arm(pictures[0][1], 0.5), 0.3)
    films.show(arm(pictures[1][0], 0.5), arm(pictures[1][1], 0.5), 0.2)
    begin = films.now
    films.show(*pictures[1], 1.5)
    ((at, last),) = films.readings[1:]
    assert at - begin <= 0.6
    assert false(last, states[1], BOARD, PIECES) == []
    assert last.unknown == {}


def test_a_hand_resting_in_one_view_hides_nothing_that_the_other_shows(films: TwoFilms, table: Any) -> None:
    states, pictures, _ = table
    films.show(arm(pictures[0][0], 0.7), arm(pictures[0][1], 0.4), 0.3)
    films.show(arm(pictures[1][0], 0.7), arm(pictures[1][1], 0.4), 0.2)
    begin = films.now
    analyses = films.show(arm(pictures[1][0], 0.7), pictures[1][1], 1.2)
    ((at, last),) = films.readings[1:]
    assert at - begin <= 0.6, "the right camera sees everything: nobody has to wait for the hand to leave the left one"
    assert false(last, states[1], BOARD, PIECES) == []
    assert last.unknown == {}
    assert last.of("holmes") is not None
    assert not analyses[-1].occluded


def test_what_one_view_hides_for_good_the_other_fills_in(films: TwoFilms, table: Any) -> None:
    states, pictures, _ = table
    x, y = BOARD.mm(states[0]["characters"]["bert"]["hex"])
    hidden = slab(pictures[0][0], pose(BOARD, LEFT), (x - 40, y - 30, x + 40, y + 30), (230, 240, 240))
    films.show(hidden, pictures[0][1], 4.0)
    for _, reading in films.readings[1:]:
        assert reading.unknown == {}
        assert false(reading, states[0], BOARD, PIECES) == []
    observation = films.show(hidden, pictures[0][1])[-1].observation
    assert observation is not None
    assert observation.reading.of("bert") is not None


def test_a_knock_to_one_camera_is_told_once_and_invents_nothing(films: TwoFilms, table: Any) -> None:
    _, pictures, _ = table
    knocked = warped(pictures[0][0], 1.5, (22, -14))
    for picture in shaking(knocked):
        films.show(picture, pictures[0][1])
    films.show(knocked, pictures[0][1], 1.5)
    assert films.codes == ["camera-moved", "registered-again"]
    assert films.readings[1:] == []
    assert told(films) == [
        "left: The camera or the board was moved; finding the board again.",
        f"left: The board is found again, to within {films.notices[1].params['said'].split()[-2]} mm.",
    ]


def told(films: TwoFilms, language: str = "en") -> list[str]:
    return [translator(language).say(notice.text, notice.params) for notice in films.notices]


@pytest.mark.parametrize("spoilt", ["left", pytest.param("right", marks=pytest.mark.slow)])
def test_a_picture_that_cannot_be_read_blinds_its_own_camera_alone(films: TwoFilms, table: Any, spoilt: str) -> None:
    states, pictures, _ = table

    def pair(number: int) -> list[Picture]:
        left, right = pictures[number]
        other = cv2.resize(left if spoilt == "left" else right, (960, 720), interpolation=cv2.INTER_AREA)
        return [other, right] if spoilt == "left" else [left, other]

    films.show(*pair(0), 1.0)
    films.show(*(arm(picture, 0.5) for picture in pair(0)), 0.3)
    films.show(*(arm(picture, 0.5) for picture in pair(1)), 0.2)
    films.show(*pair(1), 1.0)
    ((_, last),) = films.readings[1:]
    assert false(last, states[1], BOARD, PIECES) == []
    assert last.of("holmes") is not None
    assert films.codes == ["picture-unusable"], "once, however often it is refused"
    assert told(films) == [f"{spoilt}: the picture of the table is only 960x720 pixels; at least 640x360 are needed"]
    assert told(films, "es")[0].startswith(f"{spoilt}: ")
    assert "picture" not in told(films, "es")[0]
    films.show(*pictures[0], 1.0)
    assert false(films.readings[-1][1], states[0], BOARD, PIECES) == []
    assert films.readings[-1][1].source == "left + right", "it sees again"


def test_a_view_that_is_lost_names_its_camera_in_every_language(films: TwoFilms, table: Any) -> None:
    _, pictures, _ = table
    black = pictures[0][1] // 100
    reason = "the picture is black: is the lens covered, or the light off?"
    assert films.show(pictures[0][0], black, 1.5)[-1].lost == "", "the other one sees"
    lost = films.show(black, black, 1.5)[-1].lost
    assert lost == f"left does not see the board: {reason}; right does not see the board: {reason}"
    for language in LANGUAGES:
        retold = translator(language).text(lost)
        assert retold.count(translator(language).text(reason)) == 2, retold
        assert "left" in retold and "right" in retold
        assert (retold == lost) == (language == "en")
    assert films.show(*pictures[0], 1.0)[-1].lost == ""
    assert films.codes == ["board-lost", "board-lost", "board-back", "board-back"], "each camera's own"
    assert told(films)[:2] == [f"right: {reason}", f"left: {reason}"]
    for language in ("ja", "it"):
        assert told(films, language)[0] == f"right: {translator(language).text(reason)}" != told(films)[0]


def test_a_camera_that_dies_leaves_the_other_one_in_charge(films: TwoFilms, table: Any) -> None:
    states, pictures, _ = table
    films.show(pictures[0][0], None, 2.5)
    assert films.readings[1:] == []
    films.show(arm(pictures[0][0], 0.5), None, 0.3)
    films.show(pictures[1][0], None, 1.0)
    assert false(films.readings[-1][1], states[1], BOARD, PIECES) == []
    assert len(films.readings) == 2
    films.show(None, pictures[1][1], 2.0)
    assert len(films.readings) == 2, "the other camera sees the same table"


def test_views_of_two_different_tables_are_contradictions_not_plays(films: TwoFilms, table: Any) -> None:
    states, pictures, _ = table
    films.show(pictures[0][0], pictures[1][1], 4.0)
    last = films.readings[-1][1]
    assert "holmes" in last.unknown
    assert "left sees" in last.unknown["holmes"]
    assert "right sees" in last.unknown["holmes"]
    for _, reading in films.readings:
        assert reading.of("holmes") is None or reading.of("holmes").place == states[0]["characters"]["holmes"]["hex"]

"""A watched table at rest of which something can just be told, or just not: the rest must not wait for ever."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from world import Film

from companion.boards import load, load_pieces
from companion.calibration.training.stickers_composed import Scene, Shot, compose, pose
from companion.vision.camera import Registration
from companion.vision.frame import Frame
from companion.vision.observation import Observation
from companion.vision.reader import Budget, Region, Traits
from companion.vision.reading import Reading, Sighting
from companion.vision.reading_comparison import changed_spots, same_claims, what_both_claim

BOARD, PIECES = load("mr-jack-london"), load_pieces("mr-jack-london")
SHOT = Shot(tilt=20, azimuth=10, px_per_mm=1.75, size=(1280, 720))
HOME, AWAY = Sighting("holmes", "g5", "suspect"), Sighting("holmes", "e6", "suspect")
STILL = Sighting("smith", "j3", "suspect")
DOUBT = {"smith": "it may lie at j3 (92%)"}
TILE = Sighting("lamp-1", "f5")


class Told:
    """A thorough reader that says what it is told: of whole pictures one thing, of spots looked at again another."""

    traits = Traits(partial=True, incremental=True, spots_a_frame=100)

    def __init__(self, registration: Registration) -> None:
        self.whole: Callable[[], Reading] = lambda: Reading((HOME, STILL))
        self.part: Callable[[Observation], Reading] = lambda last: self.whole()
        self._registration, self._reads = registration, 0

    def read(
        self, frame: Frame, prior: Reading | None = None, region: Region | None = None, budget: Budget | None = None
    ) -> Observation:
        if region is not None:
            last = region.last
            told = last.reading if len(region.spots) <= 1 else self.part(last)
            return Observation(told, self._registration, memory=last.memory)
        self._reads += 1
        return Observation(self.whole(), self._registration, memory=self._reads)

    def displacement_px(self, frame: Frame, registration: Registration) -> float | None:
        return 0.0

    def learn(self, frame: Frame, observation: Observation) -> None:
        pass


@pytest.fixture(scope="module")
def pictures() -> list[np.ndarray]:
    start = dict(BOARD.start)
    holmes = start["characters"] | {"holmes": start["characters"]["holmes"] | {"hex": AWAY.place}}
    states = [start, start | {"characters": holmes}]
    return [compose(Scene(BOARD, PIECES, state, jitter=1, sloppy_mm=0), SHOT) for state in states]


@pytest.fixture
def reader() -> Told:
    return Told(pose(BOARD, SHOT))


@pytest.fixture
def film(pictures: list[np.ndarray], reader: Told) -> Film:
    made = Film(reader, BOARD)
    made.show(pictures[0], 1.0)
    assert made.readings, "the start settles"
    return made


def test_what_a_whole_look_told_is_not_doubted_again_by_going_on_from_an_older_one(
    film: Film, reader: Told, pictures: list[np.ndarray]
) -> None:
    old = reader.read(Frame(pictures[0], 0.0, "film")).memory
    reader.whole = lambda: Reading((AWAY, STILL))
    reader.part = lambda last: Reading((AWAY,), DOUBT) if last.memory < old else Reading((AWAY, STILL))
    begin = film.now
    film.show(pictures[1], 2.0)
    assert film.since(begin), "the move was not seen"
    assert film.since(begin)[0].of("smith") is not None
    assert not film.since(begin)[0].unknown


def test_a_doubt_that_comes_and_goes_keeps_nothing_else_waiting(film: Film, reader: Told, pictures: list[np.ndarray]) -> None:
    turns = iter(range(10_000))
    reader.whole = lambda: Reading((AWAY,), DOUBT) if next(turns) % 2 else Reading((AWAY, STILL))
    reader.part = lambda last: reader.whole()
    begin = film.now
    film.show(pictures[1], 5.0)
    assert film.since(begin), "the move was not seen"
    settled = film.since(begin)[0]
    assert settled.of("holmes") == AWAY
    assert "smith" in settled.unknown, "what one of two looks could not tell is not claimed"
    assert settled.of("smith") is None


def test_for_which_of_some_alike_a_piece_stands_keeps_nothing_waiting(
    film: Film, reader: Told, pictures: list[np.ndarray]
) -> None:
    """Face down two tokens are one like the other: a whole look and one at a part may name them otherwise, for ever."""
    alike = ("cover-1", "cover-2")
    named = [
        (Sighting(first, "c2", among=alike, at_mm=(0.0, 0.0)), Sighting(second, "h6", among=alike, at_mm=(90.0, 0.0)))
        for first, second in (alike, alike[::-1])
    ]
    turns = iter(range(10_000))
    reader.whole = lambda: Reading((AWAY, *named[next(turns) % 2]), {"smith": "a hand may hide it"})
    reader.part = lambda last: reader.whole()
    begin = film.now
    film.show(pictures[1], 5.0)
    assert [reading.of("holmes") for reading in film.since(begin)] == [AWAY], "settled once, and nothing new since"
    one, other = Reading(named[0]), Reading(named[1])
    assert same_claims(one, other, 0.1) and not changed_spots(one, other)
    moved = Reading((replace(named[1][0], place="a5"), named[1][1]))
    assert not same_claims(one, moved, None) and changed_spots(one, moved) == {"c2", "a5"}


def test_claims_that_come_and_go_never_settle(film: Film, reader: Told, pictures: list[np.ndarray]) -> None:
    turns = iter(range(10_000))
    reader.whole = lambda: Reading((AWAY, STILL), {"turn": "glare"}) if next(turns) % 2 else Reading((HOME, STILL))
    reader.part = lambda last: reader.whole()
    begin = film.now
    film.show(pictures[1], 5.0)
    assert not film.since(begin)


def test_what_two_readings_both_claim() -> None:
    sure, doubtful = Reading((AWAY, STILL)), Reading((AWAY,), DOUBT)
    for one, other in ((sure, doubtful), (doubtful, sure)):
        both = what_both_claim(one, other)
        assert both is not None
        assert both.sightings == (AWAY,)
        assert both.unknown == DOUBT


def test_what_one_reading_has_and_the_other_surely_has_not_is_no_agreement() -> None:
    with_tile, bare = Reading((AWAY, TILE)), Reading((AWAY,), DOUBT)
    assert what_both_claim(with_tile, bare) is None
    assert what_both_claim(bare, with_tile) is None
    assert what_both_claim(Reading((AWAY, TILE)), Reading((AWAY,), {"gaslight:f5": "glare"})) is not None
    assert what_both_claim(Reading((HOME, STILL)), Reading((AWAY,), DOUBT)) is None


@pytest.mark.parametrize("apart_mm", [2.6, 10.0])
def test_a_disc_whose_edge_is_found_at_two_places_by_turns_settles(
    film: Film, reader: Told, pictures: list[np.ndarray], apart_mm: float
) -> None:
    turns = iter(range(10_000))

    def seen() -> Reading:
        return Reading((replace(AWAY, at_mm=(100.0, 100.0 + apart_mm * (next(turns) % 2))), STILL))

    reader.whole, reader.part = seen, lambda last: seen()
    begin = film.now
    film.show(pictures[1], 2.0)
    assert film.since(begin)


def test_a_disc_that_creeps_does_not_settle(film: Film, reader: Told, pictures: list[np.ndarray]) -> None:
    turns = iter(range(10_000))

    def seen() -> Reading:
        return Reading((replace(AWAY, at_mm=(100.0, 100.0 + 4.5 * next(turns))), STILL))

    reader.whole, reader.part = seen, lambda last: seen()
    begin = film.now
    film.show(pictures[1], 2.0)
    assert not film.since(begin)

"""What a host makes of corrections and of discs that were turned over as asked: looks to be learnt, and taken back."""

from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest

from companion import games
from companion.host.enrolling import Enrolling
from companion.record.events import Event
from companion.vision.frame import Frame
from companion.vision.observation import Observation
from companion.vision.reader import Shown, Traits
from companion.vision.reading import Reading, Sighting

GAME = games.load("mr-jack-london")
PIECES = GAME.pieces()
FRAME: Any = SimpleNamespace()


@dataclass
class Learner:
    """A reader that learns what it is shown, or refuses."""

    refuses: str = ""
    learnt: list[Shown] = field(default_factory=list)
    forgotten: list[tuple[str, str]] = field(default_factory=list)
    traits: Traits = field(default_factory=lambda: Traits(enrols=True))

    def enrol(self, frame: Frame, observation: Observation, shown: Shown) -> str:
        if not self.refuses:
            self.learnt.append(shown)
        return self.refuses

    def forget(self, piece: str, face: str) -> bool:
        self.forgotten.append((piece, face))
        return True


@pytest.fixture
def reader() -> Any:
    return Learner()


def correction(number: int, piece: str, side: str, against: object = None) -> Event:
    fix = {"subject": piece, "entry": {"hex": "g5", "side": side}, "against": against or {"hex": "g5"}}
    return replace(Event.following(None, "correction", {"what": "sight", "fixes": [fix]}, 0.0), number=number)


def looking(sightings: dict[str, str], lying: dict[str, str], **more: Any) -> Any:
    reading = Reading(
        tuple(Sighting(piece, place, "suspect") for piece, place in sightings.items()),
        dict.fromkeys(lying, "its side cannot be told"), lying=lying,
    )  # fmt: skip
    plain = {"observation": Observation(reading), "steady": True, "occluded": False}
    return SimpleNamespace(**{**plain, **more})


def waiting(turned: dict[str, str], number: int = 9) -> Any:
    """A match in which these characters are to be turned over where they stand."""
    start = dict(GAME.start().to_json())
    people = {piece: {**start["characters"][piece], "side": side} for piece, side in turned.items()}
    target = SimpleNamespace(to_json=lambda: {**start, "characters": {**start["characters"], **people}})
    goal = SimpleNamespace(start=False, touched=tuple(turned), target=target)
    return SimpleNamespace(arrangement=goal, game=GAME, number=number)


NOTHING: Any = SimpleNamespace(arrangement=None, game=GAME, number=5)
HOLMES = GAME.start().to_json()["characters"]["holmes"]["hex"]


def test_what_a_person_puts_right_is_learnt_with_the_next_clear_look(reader: Any) -> None:
    kept: list[int] = []
    enrolling = Enrolling(reader, lambda: kept.append(1))
    enrolling.heed(correction(4, "holmes", "innocent"), PIECES)
    for hindered in ({"steady": False}, {"occluded": True}, {"observation": None}):
        assert enrolling.look(FRAME, looking({}, {"holmes": "g5"}, **hindered), NOTHING) == []
    (notice,) = enrolling.look(FRAME, looking({}, {"holmes": "g5"}), NOTHING)
    assert (notice.code, dict(notice.params)) == ("look-learnt", {"character": "holmes"})
    assert reader.learnt == [Shown("holmes", "g5", "innocent", told=True)] and kept == [1]
    assert enrolling.look(FRAME, looking({}, {}), NOTHING) == [], "once is enough"


def test_a_first_side_and_what_the_camera_had_right_teach_nothing(reader: Any) -> None:
    enrolling = Enrolling(reader)
    enrolling.heed(correction(4, "holmes", "suspect"), PIECES)
    enrolling.heed(correction(5, "smith", "innocent", {"hex": "g5", "side": "innocent"}), PIECES)
    assert enrolling.look(FRAME, looking({}, {}), NOTHING) == [] and reader.learnt == []


def test_a_disc_that_was_to_be_turned_over_and_looks_otherwise_is_learnt(reader: Any) -> None:
    enrolling = Enrolling(reader)
    enrolling.look(FRAME, looking({"holmes": HOLMES}, {}), NOTHING)
    match = waiting({"holmes": "innocent"})
    enrolling.look(FRAME, looking({}, {"holmes": HOLMES}), match)
    assert reader.learnt == [Shown("holmes", HOLMES, "innocent")]


@pytest.mark.parametrize(
    ("before", "lying", "turned"),
    [
        ({"holmes": HOLMES}, {"holmes": "e6"}, {"holmes": "innocent"}),
        ({"holmes": "e6"}, {"holmes": HOLMES}, {"holmes": "innocent"}),
        ({}, {"holmes": HOLMES}, {"holmes": "innocent"}),
        ({"holmes": HOLMES}, {"holmes": HOLMES}, {"smith": "innocent"}),
        ({"holmes": HOLMES, "smith": "a1"}, {"holmes": HOLMES, "smith": "a1"}, {"holmes": "innocent"}),
    ],
)
def test_what_lies_elsewhere_or_was_not_asked_for_is_not_learnt(
    reader: Any, before: dict[str, str], lying: dict[str, str], turned: dict[str, str]
) -> None:
    enrolling = Enrolling(reader)
    enrolling.look(FRAME, looking(before, {}), NOTHING)
    assert enrolling.look(FRAME, looking({}, lying), waiting(turned)) == [] and reader.learnt == []


def test_a_disc_that_was_unsure_before_it_was_to_be_turned_is_not_taken_for_turned(reader: Any) -> None:
    """In bad light it may show its first side still: what nobody has turned would be learnt as the second side."""
    enrolling, match = Enrolling(reader), waiting({"holmes": "innocent"})
    enrolling.look(FRAME, looking({"holmes": HOLMES}, {}), NOTHING)
    enrolling.look(FRAME, looking({}, {"holmes": HOLMES}), NOTHING)
    assert enrolling.look(FRAME, looking({}, {"holmes": HOLMES}), match) == [] and reader.learnt == []
    enrolling.look(FRAME, looking({"holmes": HOLMES}, {}), match)
    assert len(enrolling.look(FRAME, looking({}, {"holmes": HOLMES}), match)) == 1, "seen again, and then turned"


def test_a_disc_that_was_turned_and_could_not_be_made_out_is_learnt_once_it_can() -> None:
    learner = Learner(refuses="a reflection lies on it")
    reader: Any = learner
    enrolling, match = Enrolling(reader), waiting({"holmes": "innocent"})
    enrolling.look(FRAME, looking({"holmes": HOLMES}, {}), match)
    assert enrolling.look(FRAME, looking({}, {"holmes": HOLMES}), match) == []
    learner.refuses = ""
    assert len(enrolling.look(FRAME, looking({}, {"holmes": HOLMES}), match)) == 1


def test_what_is_refused_is_tried_again_with_another_look_alone() -> None:
    learner = Learner(refuses="a reflection lies on it")
    reader: Any = learner
    enrolling = Enrolling(reader)
    enrolling.heed(correction(4, "holmes", "innocent"), PIECES)
    same = looking({}, {"holmes": "g5"})
    assert enrolling.look(FRAME, same, NOTHING) == []
    learner.refuses = ""
    assert enrolling.look(FRAME, same, NOTHING) == [] and learner.learnt == []
    assert len(enrolling.look(FRAME, looking({}, {"holmes": "g5"}), NOTHING)) == 1


def test_saying_that_the_other_side_was_up_and_taking_back_unlearn(reader: Any) -> None:
    enrolling = Enrolling(reader)
    enrolling.heed(correction(4, "holmes", "innocent"), PIECES)
    enrolling.heed(correction(5, "smith", "innocent"), PIECES)
    enrolling.look(FRAME, looking({}, {}), NOTHING)
    enrolling.heed(correction(6, "holmes", "suspect"), PIECES)
    (notice,) = enrolling.look(FRAME, looking({}, {}), NOTHING)
    assert (notice.code, reader.forgotten) == ("look-forgotten", [("holmes", "innocent")])
    undone = Event.following(None, "undo", {"undone": 3}, 0.0)
    enrolling.heed(undone, PIECES)
    enrolling.look(FRAME, looking({}, {}), NOTHING)
    assert reader.forgotten == [("holmes", "innocent"), ("smith", "innocent")]

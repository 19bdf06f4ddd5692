"""What a look keeps for the next one, and how a dear reader's doubts are looked at again: a few spots a frame."""

from collections.abc import Collection

import numpy as np
from compose import Shot, pose

from companion.boards import load
from companion.vision.camera import Registration
from companion.vision.frame import Frame
from companion.vision.look import Look
from companion.vision.plain.memory import Findings
from companion.vision.reading import Reading
from companion.vision.watcher import Watcher

BOARD = load("mr-jack-london")
SHOT = Shot(tilt=10, px_per_mm=1.2, size=(1280, 720))
DOUBTED = sorted(BOARD.of_kind("street"))[:23]


def test_a_thing_is_found_out_once_and_again_where_it_is_looked_at() -> None:
    made: list[str] = []

    def look(findings: Findings, place: str) -> None:
        findings.once(place, "bare", lambda: made.append(place))

    first = Findings()
    for place in ("A1", "A1", "B2", "A1+A2", "B2+B3"):
        look(first, place)
    assert made == ["A1", "B2", "A1+A2", "B2+B3"]
    later = first.elsewhere({"A2", "B2"})
    made.clear()
    for place in ("A1", "B2", "A1+A2", "B2+B3"):
        look(later, place)
    assert made == ["B2", "A1+A2", "B2+B3"], "and what covers two cells hangs on both"
    made.clear()
    look(first, "B2")
    assert made == [], "the earlier look keeps its own"


class Doubter:
    """A reader that finds the board and cannot tell what lies on some cells."""

    thorough = True
    spots_a_frame = 5

    def __init__(self) -> None:
        self.registration: Registration = pose(BOARD, SHOT)
        self.asked: list[frozenset[str]] = []

    def read(self, frame: Frame, prior: Reading | None = None) -> Look:
        unknown = {f"gaslight:{cell}": "it cannot be told" for cell in DOUBTED}
        return Look(Reading((), unknown, (), True, frame.captured_at, frame.source), self.registration)

    def reread(self, frame: Frame, last: Look, spots: Collection[str]) -> Look:
        self.asked.append(frozenset(spots))
        return self.read(frame)

    def displacement_px(self, frame: Frame, registration: Registration) -> float | None:
        return 0.0


def test_doubts_before_the_first_settled_reading_are_looked_at_a_few_a_frame() -> None:
    reader = Doubter()
    watcher = Watcher(reader, BOARD)
    rng = np.random.default_rng(1)
    picture = rng.integers(60, 200, (45, 80, 3)).repeat(16, axis=0).repeat(16, axis=1).astype(np.uint8)
    frames = (Frame(picture, number / 30, "test") for number in range(90))
    assert any(watcher.see(frame).settled is not None for frame in frames), "patience ends it"
    assert max(len(spots) for spots in reader.asked) == reader.spots_a_frame
    assert frozenset().union(*reader.asked) == frozenset(DOUBTED)

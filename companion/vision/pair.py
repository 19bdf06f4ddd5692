"""Watch one table through two cameras: a watcher for each, one settled reading of both.

A camera that is not steady (something moves or lies over the board in its picture) counts as blind for that while, so a hand
that blocks one view hides nothing that the other shows. Doubts that neither camera had before, and contradictions, wait: a
hand goes, and one camera may settle on a move a little later than the other.
"""

from dataclasses import dataclass, replace

from companion.boards import PieceSet
from companion.errors import CompanionError
from companion.vision.frame import Frame
from companion.vision.frame_analysis import FrameAnalysis, Notice
from companion.vision.merging import merge
from companion.vision.observation import Observation
from companion.vision.reading import Reading
from companion.vision.watcher import Watcher


@dataclass(frozen=True, slots=True)
class PairSettings:
    """Tunables of the joint watcher.

    patience_s
        0.5..4 s that new doubts wait: contradictions, or what only the camera knew that is blind now.
    stale_s
        1..5 s after which a camera that sends nothing counts as blind.
    echo_s
        1..5 s in which the other camera's word of a knock is of the same knock, told once.
    """

    patience_s: float = 1.5
    stale_s: float = 2.0
    echo_s: float = 3.0


KNOCKED = frozenset({"camera-moved", "registered-again"})
"""Codes of notices that one push of the board brings from both cameras; the others are about one view alone."""


class PairWatcher:
    """Takes the frames of a pair of cameras: the first one's carry the other's newest in ``beside``."""

    def __init__(
        self, first: Watcher, second: Watcher, pieces: PieceSet, names: tuple[str, str], settings: PairSettings | None = None
    ) -> None:
        """``names``: the sources by which the frames of the first and the second camera are told apart."""
        self._watchers, self._names, self._pieces = (first, second), names, pieces
        self._settings = settings or PairSettings()
        self._analyses: list[FrameAnalysis | None] = [None, None]
        self._settled: list[Reading | None] = [None, None]
        self._seen_at = [-1e9, -1e9]
        self._numbers = [-1, -1]
        self._said: Reading | None = None
        self._doubt_since: float | None = None
        self._told: dict[str, tuple[int, float]] = {}
        self._unusable = ["", ""]

    def see(self, frame: Frame) -> FrameAnalysis:
        """Take in one frame, with the other camera's if it carries a new one."""
        now = frame.captured_at
        notices: list[Notice] = []
        for one in (frame, frame.beside):
            if one is not None:
                notices += self._take(one, now)
        main = 1 if frame.source == self._names[1] else 0
        mine, theirs = self._analyses[main], self._analyses[1 - main]
        if mine is None:
            return FrameAnalysis(notices=tuple(notices))
        both = theirs is not None and now - self._seen_at[1 - main] <= self._settings.stale_s
        settled = self._together(now)
        observation = self._look(mine.observation, theirs.observation if both and theirs is not None else None)
        moving = mine.moving and (not both or theirs is None or theirs.moving)
        occluded = mine.occluded and (not both or theirs is None or theirs.occluded)
        return FrameAnalysis(moving, occluded, observation, settled, tuple(notices), lost=self._lost(now))

    def _lost(self, now: float) -> str:
        """Why neither camera sees the board; empty while one of them does."""
        blind: list[tuple[str, str]] = []
        for name, analysis, unusable, at in zip(self._names, self._analyses, self._unusable, self._seen_at, strict=True):
            if analysis is None or now - at > self._settings.stale_s:
                continue
            reason = analysis.lost or unusable
            if not reason:
                return ""
            blind.append((name, reason))
        if len(blind) < 2:
            return "".join(f"{name} does not see the board: {reason}" for name, reason in blind)
        (one, this), (other, that) = blind
        return f"{one} does not see the board: {this}; {other} does not see the board: {that}"

    def _take(self, frame: Frame, now: float) -> list[Notice]:
        index = 1 if frame.source == self._names[1] else 0
        if frame.number == self._numbers[index]:
            return []  # the other camera was slower: its picture is the one already seen
        self._numbers[index], self._seen_at[index] = frame.number, now
        analysis = self._analyses[index] = self._glance(index, frame)
        if analysis.settled is not None:
            self._settled[index] = analysis.settled
        return [_naming(self._names[index], notice) for notice in analysis.notices if self._is_news(notice, index, now)]

    def _glance(self, index: int, frame: Frame) -> FrameAnalysis:
        """What one camera sees. A picture that its reader refuses blinds it and not the other; the reason is told once."""
        try:
            analysis = self._watchers[index].see(frame)
        except CompanionError as error:
            news, self._unusable[index] = self._unusable[index] != str(error), str(error)
            return FrameAnalysis(notices=(Notice("picture-unusable", "{reason}", {"reason": str(error)}),) if news else ())
        if analysis.settled is not None or analysis.steady:
            self._unusable[index] = ""  # until then nothing may have been read: that says nothing of the picture
        return analysis

    def _is_news(self, notice: Notice, index: int, now: float) -> bool:
        """A board that was knocked moves in both pictures; that is one knock."""
        by, at = self._told.get(notice.code, (index, -1e9))
        if notice.code in KNOCKED and by != index and now - at <= self._settings.echo_s:
            return False
        self._told[notice.code] = index, now
        return True

    def _together(self, now: float) -> Reading | None:
        """What both see now, when it is something new and certain enough to be said."""
        seeing = [reading for index, reading in enumerate(self._settled) if reading is not None and self._sees(index, now)]
        if not seeing:
            return None
        merged = merge(seeing[0], seeing[1], self._pieces) if len(seeing) == 2 else seeing[0]
        if self._said is not None and merged.unknown.keys() - self._said.unknown.keys():
            self._doubt_since = now if self._doubt_since is None else self._doubt_since
            if now - self._doubt_since < self._settings.patience_s:
                return None
        else:
            self._doubt_since = None
        if self._said is not None and _claims(self._said) == _claims(merged):
            return None
        self._said = replace(merged, settled=True)
        return self._said

    def _sees(self, index: int, now: float) -> bool:
        """Whether a camera's settled reading is what lies there now."""
        analysis = self._analyses[index]
        return analysis is not None and analysis.steady and now - self._seen_at[index] <= self._settings.stale_s

    def _look(self, mine: Observation | None, theirs: Observation | None) -> Observation | None:
        """The look shown: the shown picture's own, with what both know."""
        if mine is None or theirs is None or theirs.registration is None or mine.registration is None:
            return mine
        reading = merge(mine.reading, theirs.reading, self._pieces)
        return replace(mine, reading=reading, occluded=mine.occluded & theirs.occluded, problems=reading.problems)


def _naming(camera: str, notice: Notice) -> Notice:
    """The notice as one of two cameras says it."""
    return Notice(notice.code, "{source}: {said}", {"source": camera, "said": notice.text.format(**notice.params)})


def _claims(reading: Reading) -> tuple[object, ...]:
    return frozenset((s.piece, s.place, s.face, s.facing, s.rank) for s in reading.sightings), frozenset(reading.unknown)

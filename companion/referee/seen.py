"""Whether something is said of the table as it is now: two who say the same thing at once are heard once.

Taking back is about the last play, a choice about what it is between, an answer about its question. What each of these is may
have changed since somebody looked: another one was faster, and what is open now he has not seen. Pure.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.errors import BadInput
from companion.referee.match import Match

PLAY, DOUBT, QUESTION = "play", "doubt", "question"


@dataclass(frozen=True, slots=True)
class Subjects:
    """What can be spoken of now, and by which event each became what it is; 0: before anybody looked."""

    now: Mapping[str, Any] = field(default_factory=dict)
    since: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, match: Match) -> "Subjects":
        """As they are when a table is opened."""
        return cls(_subjects(match))

    def after(self, match: Match) -> "Subjects":
        """The same after one more event."""
        now = _subjects(match)
        if now == self.now:
            return self
        changed = {name: match.number for name, one in now.items() if one != self.now.get(name)}
        return Subjects(now, {**self.since, **changed})

    def check(self, match: Match, answer: Mapping[str, Any], saw: int) -> None:
        """Raises BadInput where an answer is about something that became what it is after event number ``saw``, the last that
        whoever gives it has seen."""
        subject = _subject_of(match, answer.get("kind"))
        if subject is not None and saw < self.since.get(subject, 0):
            raise BadInput("somebody else was faster; look at the table once more")


def _subjects(match: Match) -> dict[str, Any]:
    return {PLAY: tuple(one.number for one in match.picks), DOUBT: match.doubt, QUESTION: match.asked}


def _subject_of(match: Match, kind: object) -> str | None:
    if kind == "undo":
        return PLAY
    if kind == "choose":
        return DOUBT if match.doubt is not None else PLAY
    asked = match.asked
    return QUESTION if asked is not None and any(one["kind"] == kind for one in asked.form) else None

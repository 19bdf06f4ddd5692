"""What the button boxes need to know of a game, folded from its events: the open question, and what the lights say. Pure.

The match is folded as everywhere else; what is asked, flagged, out of sight or over is read from what it expects, so no kind of
event of a single game is known here.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from companion import games
from companion.devices.boxes import TABLE, Asking
from companion.errors import CompanionError
from companion.games.expectations import Question
from companion.games.game import Game
from companion.games.seats import ENTRUSTED, sole
from companion.record.events import Event
from companion.referee.match import Match, apply
from companion.referee.pointing import answers_at, narrowed

OPENS_A_SECRET = "reveal"


@dataclass(frozen=True, slots=True)
class OpenCall:
    """The open question: the number of the event that asked it, and when (seconds, the record's clock)."""

    number: int
    at: float
    question: Question = field(compare=False)


@dataclass(frozen=True, slots=True)
class BoxState:
    """The game as far as boxes go. ``number`` is that of the last event; ``match`` None before a game is on record, or once
    its record cannot be followed."""

    number: int = 0
    match: Match | None = field(default=None, compare=False, repr=False)
    asked: OpenCall | None = None
    answered: bool = False
    flagged: bool = False
    blind: bool = False
    over: bool = False

    @property
    def pattern(self) -> str:
        """The name of the pattern that the boxes show now; the same whatever was answered."""
        if self.over:
            return "over"
        if self.asked is not None:
            return "ask"
        if self.flagged:
            return "wrong"
        if self.blind:
            return "blind"
        return "taken" if self.answered else "ready"

    def asking(self, now: float) -> Asking | None:
        """The open question as boxes hear it: its seat, its answers, and when it was asked, ``now`` at the latest."""
        if self.asked is None:
            return None
        question = self.asked.question
        place = narrowed(self.match) if self.match is not None else ""
        if place:
            there = tuple(answers_at(question, place))
            return Asking(question.seat, there, min(self.asked.at, now), (place,) * len(there))
        return Asking(question.seat, question.form, min(self.asked.at, now), question.places)

    def after(self, event: Event, load: Callable[[str], Game] = games.load) -> "BoxState":
        """The scene after one more event. ``load`` finds a game by its id. After one that cannot be folded nothing is asked."""
        try:
            before = Match(load(event.data["game"])) if event.kind == "match-opened" else self.match
            match = apply(before, event) if before is not None else None
        except (CompanionError, KeyError, TypeError):
            match = None
        if match is None:
            return BoxState(event.number)
        asked = self._asked(match, event)
        answered = match.arrangement is not None and (self.answered or _open(self.match) is not None) and _open(match) is None
        return replace(
            self, number=event.number, match=match, asked=asked, answered=answered, flagged=match.flag is not None,
            blind=bool(match.blind), over=match.over,
        )  # fmt: skip

    def sounds(self, before: "BoxState") -> bool:
        """Whether the pattern is shown with its sound even where the lights stay as they were before: something new is asked,
        flagged or over."""
        again = self.match is not None and before.match is not None and self.match.flag != before.match.flag
        asked = self.asked is not None and self.asked != before.asked
        return asked or (self.flagged and again) or (self.over and not before.over)

    def _asked(self, match: Match, event: Event) -> OpenCall | None:
        """The question that somebody has to answer by a button; what was entrusted answers by itself."""
        question = _open(match)
        if question is None or not question.form or all(one["kind"] == OPENS_A_SECRET for one in question.form):
            return None
        if question.purpose is not None and any(one.mode == ENTRUSTED for one in match.row(question.seat, question.purpose)):
            return None
        if self.asked is not None and self.asked.question == question:
            return self.asked
        return OpenCall(event.number, event.at, question)


def _open(match: Match | None) -> Question | None:
    return None if match is None else match.asked


def seats_asked(game: Game) -> tuple[str, ...]:
    """The seats whose own box it can be: all whom the game may ask something."""
    alone = sole(game.purposes)
    return game.seats if alone is None or alone.seat is None else (alone.seat,)


def roles(game: Game | None) -> tuple[str, ...]:
    """The roles that a box can have at a table where this game is on."""
    return (*(() if game is None else seats_asked(game)), TABLE, "")


def fold(events: Iterable[Event], load: Callable[[str], Game] = games.load) -> BoxState:
    """The scene that these events make."""
    scene = BoxState()
    for event in events:
        scene = scene.after(event, load)
    return scene

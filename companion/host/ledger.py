"""The match and its record kept in step: a draft becomes an event on the disk first, and only then counts.

When the record cannot be written (disk full, locked), nothing is announced and nothing is lost: the match stays where
its record is, and since every draft follows from the match and the last reading, it is drafted again later.
"""

import logging
import threading
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.errors import BadInput, quoted
from companion.games.game import Game
from companion.games.seating import People, check, people_of
from companion.host.ports import Subscriber
from companion.record.events import Event
from companion.record.log import Record
from companion.referee.clock import ELAPSED
from companion.referee.match import Draft, Match, apply, check_expected, fold, look
from companion.vision.reading import Reading

Json = dict[str, Any]
_LOG = logging.getLogger(__name__)
Clock = Callable[[], float]


_SETTLED_BY = frozenset({"turn-opened", "outcome"})
"""Kinds of events after which the record is folded into one file: a turn is over, or the game."""


class Ledger:
    """The one writer of a game. Every method may be called from any thread; ``lock`` spans one decision."""

    def __init__(self, game: Game, record: Record, clock: Clock, steady: Clock | None = None) -> None:
        """``clock`` dates the events; ``steady``, which nobody sets, measures how long after each other they come (by default
        ``clock`` itself)."""
        self.lock = threading.RLock()
        self._news = threading.Condition()
        self._record = record
        self._clock, self._steady = clock, steady or clock
        self._head_at = self._steady()
        self.resting = False
        """Whether nobody plays any more at this table, as after a recording: from its last event on no time passes for the
        players' clocks."""
        self._subscribers: list[Subscriber] = []
        self.illustrate: Callable[[Draft], Draft] = lambda draft: draft
        """What is laid to an event before it is recorded: its pictures, if any."""
        self.match: Match = fold(game, record.events())

    def open_match(
        self, edition: str | None, rules: Json | None, match_id: str | None = None, people: People = (),
        copy: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Begin a match in an empty record; a record with a match in it goes on instead. ``people``: who plays which seats;
        ``copy``: what the owner entered of his copy. Raises BadInput."""
        game = self.match.game
        first = next(iter(self._record.events()), None)
        if first is not None:
            if first.data.get("game") != game.id:
                raise BadInput(
                    f"{self._record.path}: is a record of {quoted(first.data.get('game'))}, not of {quoted(game.id)}"
                )
            if edition not in (None, first.data.get("edition")):
                raise BadInput(
                    f"{self._record.path}: its game is played on the edition {quoted(first.data.get('edition'))}, "
                    f"not on {quoted(edition)}"
                )
            for name, choice in (rules or {}).items():
                if (held := self.match.rules.get(name)) != choice:
                    raise BadInput(
                        f"this game is played with the house rule {quoted(name)} = {quoted(held)}, not {quoted(choice)}"
                    )
            if people and people != people_of(first.data.get("seating", ())):
                raise BadInput("this game began with other people on its seats, and goes on with them")
            return
        check(people, game.seating, game.seats)
        chosen = {rule.name: rule.default for rule in game.house_rules}
        known = {rule.name: rule.choices for rule in game.house_rules}
        for name, choice in (rules or {}).items():
            if choice not in known.get(name, ()):
                raise BadInput(
                    f"house rule {quoted(name)} = {quoted(choice)} is not known; there are: {known.get(name, tuple(known))}"
                )
            chosen[name] = choice
        edition = edition or game.editions()[0]
        start = game.start(edition)
        data = {
            "id": match_id or uuid.uuid4().hex, "game": game.id, "edition": edition, "label": game.board(edition).label,
            "house_rules": chosen, "position": start.to_json(),
            **({"seating": [person.to_json() for person in people]} if people else {}),
        }  # fmt: skip
        self.write([Draft("match-opened", {**data, "copy": dict(copy)} if copy else data)])

    def now(self) -> float:
        """The moment at which an event would be dated."""
        head = self._record.head
        return max(self._clock(), head.at) if head else self._clock()

    @property
    def since(self) -> float:
        """The moment of the last event by the steady clock; that of the opening while none was written since."""
        return self._head_at

    def running(self) -> float:
        """The moment it is for the players' clocks: the date of the last event and the time that has really passed since."""
        head = self._record.head
        return (head.at if head else 0.0) + self._elapsed()

    def _elapsed(self) -> float:
        return 0.0 if self.resting else max(0.0, self._steady() - self._head_at)

    def subscribe(self, subscriber: Subscriber) -> None:
        """Tell somebody every event from now on, once it is in the record."""
        self._subscribers.append(subscriber)

    def look(self, reading: Reading) -> None:
        """Lay a new reading beside the match."""
        with self.lock:
            self.match = look(self.match, reading)

    def forget(self) -> None:
        """Leave the last reading out of account."""
        with self.lock:
            self.match = replace(self.match, table=None)

    def write(self, drafts: Iterable[Draft]) -> list[Event]:
        """Record drafts in order and take them over. Raises RecordTrouble at the first that the disk refuses, and
        InvalidRecord at one that the match cannot take over; that one is not recorded."""
        written: list[Event] = []
        with self.lock:
            for plain in drafts:
                draft = self.illustrate(plain)
                # The date is a label, and a clock that was set back must not make the record run backwards.
                timed = self.match.clock is not None
                at, elapsed = self._steady(), self._elapsed()
                data = {**draft.data, ELAPSED: round(elapsed, 3)} if timed else draft.data
                event = self._record.next_event(draft.kind, data, self.now())
                # What the match cannot take over must not be on record either: half an event would be there for good.
                after = apply(self.match, event)
                check_expected(after)
                self._record.store(event)
                self._head_at, self.match = at, after
                written.append(event)
                if event.kind in _SETTLED_BY:
                    self._record.settle()
                self._tell(event)
        return written

    def events(self, after: int = 0) -> Sequence[Event]:
        """Every event numbered above ``after``."""
        return self._record.events(after)

    def wait(self, after: int, timeout: float) -> list[Event]:
        """The events above ``after``, waiting up to ``timeout`` seconds for the first of them."""
        with self._news:
            self._news.wait_for(lambda: self.match.number > after, timeout)
        return self._record.events(after)

    def wake(self) -> None:
        """Let everybody go who waits for news."""
        with self._news:
            self._news.notify_all()

    def _tell(self, event: Event) -> None:
        self.wake()
        for subscriber in self._subscribers:
            try:
                subscriber(event)
            except Exception:
                # Whoever stumbles over an event must keep neither the game nor the others from it.
                _LOG.exception("a listener stumbled over event %d (%s)", event.number, event.kind)

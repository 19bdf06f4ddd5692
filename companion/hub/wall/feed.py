"""What happens in the hall, to every open page of it: the cards of all tables first, then only those that changed.

One thread waits for the hall and hands changed cards to every reader; of a slow reader's cards only the newest of each table
are kept, so it never falls behind by more than one round of the hall. Who is behind by some seconds on purpose gets every card
when it is old enough.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from companion.hub.model import Hall, HallTable
from companion.hub.wall.cards import card
from companion.web.event_stream import NewsQueue
from companion.web.problems import Problem
from companion.web.settings import PageSettings

_LOG = logging.getLogger(__name__)
Cards = Mapping[str, Mapping[str, Any]]


class Reader(NewsQueue):
    """One page's queue: the newest card of each table that changed, and the number of the event's record."""

    def __init__(self, feed: "Delayed", owner: str = "") -> None:
        super().__init__()
        self.owner = owner
        self._feed = feed
        self._cards: dict[str, Mapping[str, Any]] = {}
        self._gone: set[str] = set()
        self._poked = False

    @property
    def pending(self) -> bool:
        """See :class:`~companion.web.event_stream.NewsQueue`."""
        return bool(self._cards or self._gone or self._poked) or not self._open

    def put(self, cards: Cards, gone: frozenset[str]) -> None:
        """Hand over cards that changed, and tables that are none of the hall's any more."""
        with self._changed:
            self._cards |= cards
            self._gone = (self._gone | gone) - cards.keys()
            for table in gone:
                self._cards.pop(table, None)
            self._tell()

    def poke(self) -> None:
        """Something else than a card changed."""
        with self._changed:
            self._poked = True
            self._tell()

    def close(self) -> None:
        """Give the place back."""
        self._feed.leave(self)

    def take(self, timeout: float) -> tuple[Cards, frozenset[str], bool] | None:
        """Cards since the last call, tables that are gone, and whether that is news: a silent ``timeout`` is none. None at the
        end."""
        with self._changed:
            self._await(timeout)
            if not self._open:
                return None
            cards, gone, news = self._cards, frozenset(self._gone), bool(self._cards or self._gone or self._poked)
            self._cards, self._gone, self._poked = {}, set(), False
            return cards, gone, news


class Delayed:
    """The hall as it was some seconds ago, nought for now."""

    def __init__(self, delay: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.delay, self._clock = delay, clock
        self._lock = threading.Lock()
        self._shown: dict[str, Mapping[str, Any]] = {}
        self._waiting: deque[tuple[float, Cards, frozenset[str]]] = deque()
        self.readers: set[Reader] = set()
        self._began = not delay

    def put(self, cards: Cards, gone: frozenset[str]) -> None:
        """Cards that changed now; they are shown when they are old enough."""
        with self._lock:
            self._waiting.append((self._clock() + self.delay, cards, gone))

    def due(self) -> float | None:
        """Seconds until something is old enough; None when nothing waits."""
        with self._lock:
            return max(0.0, self._waiting[0][0] - self._clock()) if self._waiting else None

    def begins(self) -> float | None:
        """Seconds until anything at all is shown; None once it is."""
        due = self.due()
        return None if self._began else due

    def release(self) -> None:
        """Show what is old enough by now."""
        with self._lock:
            while self._waiting and self._waiting[0][0] <= self._clock():
                _, cards, gone = self._waiting.popleft()
                self._shown = {table: one for table, one in self._shown.items() if table not in gone} | dict(cards)
                for reader in self.readers:
                    reader.put(cards, gone)
                    if not self._began:
                        reader.poke()  # an empty hall is news as well
                self._began = True

    def join(self, owner: str) -> Reader:
        """A reader that begins with every card."""
        with self._lock:
            reader = Reader(self, owner)
            reader.put(self._shown, frozenset())
            reader.poke()  # an empty hall is news as well
            self.readers.add(reader)
            return reader

    def leave(self, reader: Reader) -> None:
        """A reader is gone."""
        with self._lock:
            self.readers.discard(reader)

    def cards(self) -> list[Mapping[str, Any]]:
        """Every card as it is shown, in the order of the tables' names."""
        with self._lock:
            return in_order(self._shown.values())


class Feed:
    """Watches a hall and keeps the cards of its tables, now and at every delay that somebody was given."""

    def __init__(self, hall: Hall, settings: PageSettings, saw: Callable[[HallTable], None] = lambda table: None) -> None:
        """``saw`` is told of every table that changed."""
        self._hall, self._settings, self._saw = hall, settings, saw
        self._lock = threading.RLock()
        self._last: dict[str, HallTable] = {}
        self._made: dict[str, Mapping[str, Any]] = {}
        self._delays: dict[int, Delayed] = {0: Delayed(0)}
        self._closed = threading.Event()
        self._seen = 0
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to watch."""
        with self._lock:
            if self._thread is None and not self._closed.is_set():
                self._look()
                self._thread = threading.Thread(target=self._run, name="hall-feed", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End every stream and stop."""
        self._closed.set()
        for one in list(self._delays.values()):
            for reader in list(one.readers):
                reader.end()
        if self._thread is not None:
            self._thread.join(self._settings.watch_seconds + 5)

    def at(self, delay: int) -> Delayed:
        """The hall some seconds ago; kept from now on. It begins empty, as nothing is that old yet."""
        self.start()
        with self._lock:
            found = self._delays.get(delay)
            if found is None:
                found = self._delays[delay] = Delayed(delay)
                found.put(dict(self._made), frozenset())
            return found

    def poke(self) -> None:
        """Tell every page that something else than a card changed; who is behind hears of it with the next card."""
        for reader in list(self._delays[0].readers):
            reader.poke()

    def follow(self, delay: int, owner: str, places: int) -> Reader:
        """A stream for one page. Raises Problem when no place is free."""
        feed = self.at(delay)
        watching = [reader for one in list(self._delays.values()) for reader in list(one.readers)]
        if len(watching) >= places:
            raise Problem(
                503, "too-many-streams", f"all {places} places for watching are taken",
                "Close a page that nobody looks at, then reload this one.",
            )  # fmt: skip
        if owner and sum(reader.owner == owner for reader in watching) >= self._settings.streams_each:
            raise Problem(
                503, "too-many-streams", f"this link is open on {self._settings.streams_each} pages already",
                "Close a page that nobody looks at, then reload this one.",
            )  # fmt: skip
        return feed.join(owner)

    def _run(self) -> None:
        while not self._closed.is_set():
            dues = [due for one in list(self._delays.values()) if (due := one.due()) is not None]
            try:
                self._seen = self._hall.wait(self._seen, min([self._settings.watch_seconds, *dues]))
                self._look()
            except Exception:
                _LOG.exception("the hall could not be read; trying again")
                self._closed.wait(self._settings.watch_seconds)

    def _look(self) -> None:
        """Make cards of the tables that changed; a table is compared by what it is, so the others cost nothing."""
        tables = {one.table: one for one in self._hall.tables()}
        changed = {name: one for name, one in tables.items() if self._last.get(name) is not one}
        for one in changed.values():
            self._saw(one)
        cards = {name: card(one) for name, one in changed.items()}
        fresh = {name: made for name, made in cards.items() if self._made.get(name) != made}
        gone = frozenset(self._last.keys() - tables.keys())
        self._last = tables
        with self._lock:  # a delay that begins now begins with these cards, and is not given older ones after them
            self._made = {name: made for name, made in (self._made | fresh).items() if name in tables}
            delays = list(self._delays.values())
            if fresh or gone:
                for feed in delays:
                    feed.put(fresh, gone)
        for feed in delays:
            feed.release()


def in_order(cards: Iterator[Any] | Any) -> list[Any]:
    """Cards in the order of their names as people count: table 2 before table 10."""
    return sorted(cards, key=lambda one: (natural(one["name"]), one["table"]))


def natural(name: str) -> list[tuple[int, int, str]]:
    """What names are ordered by: numbers in them by their size."""
    parts, digits = [], ""
    for letter in f"{name.casefold()}\0":
        if letter.isascii() and letter.isdigit():
            digits += letter
            continue
        if digits:
            parts.append((0, int(digits[:12]), ""))
            digits = ""
        parts.append((1, 0, letter))
    return parts

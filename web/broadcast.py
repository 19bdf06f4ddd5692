"""One thread listens to the table and hands every event to every open stream; nobody waits for a slow reader.

A stream joins *before* it fetches what it missed, and forgets numbers it already has: so nothing falls between the
two and nothing comes twice.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any

from companion.host.table_proxy import NoTableYet
from companion.record.events import Event
from companion.web.event_stream import NewsQueue
from companion.web.localisation import encode
from companion.web.port import TablePort
from companion.web.problems import Problem, shutting_down
from companion.web.roles import SPECTATOR
from companion.web.settings import PageSettings

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Quiet:
    """Nothing happened for one heartbeat."""


@dataclass(frozen=True, slots=True)
class EncodedSnapshot:
    """The newest snapshot, already encoded."""

    body: bytes


class Subscription(NewsQueue):
    """One reader's queue. Events are kept in order up to a limit; of snapshots only the newest is kept. ``owner`` is the pass
    by which it was let in, empty on this machine itself; ``seat`` whose view it is shown: a seat's, spectators', or None."""

    def __init__(self, limit: int, owner: str = "", seat: str | None = None) -> None:
        super().__init__()
        self._limit, self.owner, self.seat = limit, owner, seat
        self._events: deque[Event] = deque()
        self._state: EncodedSnapshot | None = None
        self.begun = False
        """Whether the reader knows what it missed; from then on it only hears what is put here."""

    @property
    def pending(self) -> bool:
        """See :class:`~companion.web.event_stream.NewsQueue`."""
        return not self.begun or bool(self._events) or self._state is not None or not self._open

    @property
    def open(self) -> bool:
        """False once the reader lagged too far behind or the broadcaster closed."""
        return self._open

    def put(self, events: list[Event], state: EncodedSnapshot | None) -> None:
        """Hand over news. Never blocks; a reader that is too far behind is dropped and must come back."""
        with self._changed:
            self._events.extend(events)
            self._state = state or self._state
            if len(self._events) > self._limit:
                self._open = False
            self._tell()

    def take(self, timeout: float) -> list[Event | EncodedSnapshot]:
        """News since the last call, events before the snapshot; empty after ``timeout`` seconds of silence."""
        with self._changed:
            self._await(timeout)
            news: list[Event | EncodedSnapshot] = [*self._events]
            self._events.clear()
            if self._state is not None:
                news.append(self._state)
                self._state = None
            return news


class Batches(Iterator["list[Event | EncodedSnapshot | Quiet]"]):
    """What one reader is told, batch by batch; each waits for news for one heartbeat, or not at all (:meth:`unblock`)."""

    def __init__(self, reader: Subscription, batches: Generator["list[Event | EncodedSnapshot | Quiet]", None, None]) -> None:
        self._batches = batches
        self.unblock = reader.unblock
        self._reader = reader

    def __next__(self) -> "list[Event | EncodedSnapshot | Quiet]":
        return next(self._batches)

    def close(self) -> None:
        """Give the reader's place back."""
        self._batches.close()

    @property
    def pending(self) -> bool:
        """Whether the next batch is news, or the end."""
        return self._reader.pending


class Singles(Iterator["Event | EncodedSnapshot | Quiet"]):
    """The same one by one. No generator: closing one that was never begun leaves what it was given open until nothing refers to
    it any more, and since Python 3.12 a closed one still does."""

    def __init__(self, batches: Batches) -> None:
        self._batches = batches
        self._items: Iterator[Event | EncodedSnapshot | Quiet] = iter(())

    def __next__(self) -> "Event | EncodedSnapshot | Quiet":
        while True:
            for item in self._items:
                return item
            self._items = iter(next(self._batches))

    def close(self) -> None:
        """Give the reader's place back, begun or not."""
        self._batches.close()
        self._items = iter(())


class Broadcaster:
    """Fans the table's events and snapshots out to streams. Starts its thread with the first stream."""

    def __init__(
        self,
        table: TablePort,
        settings: PageSettings,
        watching: Callable[[], int] | None = None,
        places: Callable[[], int] | None = None,
    ) -> None:
        """``watching`` counts the streams of all hubs that share the places; ``places`` is how many of those may be taken when
        whoever is asking now has one, by default all."""
        self._table = table
        self._settings = settings
        self._watching = watching or (lambda: self.readers)
        self._places = places or (lambda: settings.streams)
        self._lock = threading.Lock()
        self._readers: set[Subscription] = set()
        self._thread: threading.Thread | None = None
        self._states: dict[str | None, EncodedSnapshot] = {}
        self._closed = False
        self._parting = shutting_down()

    @property
    def readers(self) -> int:
        """How many streams are open."""
        return len(self._readers)

    def close(self, parting: Problem | None = None) -> None:
        """End every stream and stop listening. ``parting`` is what whoever comes then is told: by default that all ends."""
        with self._lock:
            self._closed, self._parting = True, parting or self._parting
            readers = list(self._readers)
            thread = self._thread
        for reader in readers:
            reader.end()
        if thread is not None:
            thread.join(self._settings.watch_seconds + 5)

    def follow(self, after: int | None) -> "Singles":
        """Every event numbered above ``after`` (None: from now on), and each new snapshot, until the stream is dropped.

        The snapshot comes first, so that a page that was away is right at once. Raises Problem when no stream is free.
        """
        return Singles(self.batches(after))

    def batches(self, after: int | None, owner: str = "", match: str = "", seat: str | None = None) -> Batches:
        """The same as :meth:`follow`, what came together kept together: one message to send instead of several.

        Whoever came by one pass (``owner``) has a few places only, so that nobody takes them all. A number of another game than
        this one (``match``, where it is told), or one that this game has not reached, begins at its first event: numbers begin
        anew with every game. ``seat``: whose view is told (:func:`seen_by`).
        """
        reader = self._join(owner, seat)
        news = self._read(reader, after, match)
        next(news)  # now begun, so that it gives its place back even when nobody reads on
        return Batches(reader, news)

    def _join(self, owner: str = "", seat: str | None = None) -> Subscription:
        with self._lock:
            if self._closed:
                raise self._parting
            places = self._places()
            if self._watching() >= places:
                raise Problem(
                    503,
                    "too-many-streams",
                    f"all {places} places for watching are taken",
                    "Close a page that nobody looks at, then reload this one.",
                )
            if owner and sum(reader.owner == owner for reader in self._readers) >= self._settings.streams_each:
                raise Problem(
                    503,
                    "too-many-streams",
                    f"this link is open on {self._settings.streams_each} pages already",
                    "Close a page that nobody looks at, then reload this one.",
                )
            if self._thread is None:
                now = self._table.snapshot()
                head = int(now["number"]), str(now.get("match", ""))
                self._thread = threading.Thread(target=self._listen, args=head, name="page-broadcast", daemon=True)
                self._thread.start()
            reader = Subscription(self._settings.stream_backlog, owner, seat)
            self._readers.add(reader)
            return reader

    def _read(
        self, reader: Subscription, after: int | None, match: str
    ) -> Generator[list[Event | EncodedSnapshot | Quiet], None, None]:
        try:
            yield [Quiet()]
            snapshot = self._table.snapshot()
            last = int(snapshot["number"]) if after is None else after
            if last > int(snapshot["number"]) or match not in ("", snapshot.get("match", "")):
                last = 0
            missed = self._table.wait_events(last, 0)
            last = missed[-1].number if missed else last
            reader.begun = True
            yield [EncodedSnapshot(encode(seen_by(reader.seat, self._table, snapshot))), *missed]
            while reader.open:
                news = reader.take(self._settings.heartbeat_seconds)
                if not news and reader.open:
                    yield [Quiet()]
                    continue
                fresh = [item for item in news if not (isinstance(item, Event) and item.number <= last)]
                last = max((item.number for item in fresh if isinstance(item, Event)), default=last)
                if fresh:
                    yield [*fresh]
        finally:
            with self._lock:
                self._readers.discard(reader)

    def _listen(self, last: int, match: str) -> None:
        while not self._closed:
            try:
                self._table.wait_events(last, self._settings.watch_seconds)
                states, now = self._new_states()
                # Asked for after the snapshot: the first of several events of one look ends the wait, and a page that is told
                # what the last of them led to has to know them all.
                events = self._table.wait_events(last, 0)
                if now not in (None, match):  # numbers have begun anew; who was here before knows some of them
                    events = self._table.wait_events(0, 0)[-self._settings.stream_backlog :]
                    match, last = now, 0
            except NoTableYet:  # the next game is being set up
                threading.Event().wait(self._settings.watch_seconds)
                continue
            except Exception:
                # A table that stumbles once must not silence every page for good.
                _LOG.exception("the table could not be read; trying again")
                threading.Event().wait(self._settings.watch_seconds)
                continue
            if events:
                last = events[-1].number
            if events or states:
                with self._lock:
                    readers = list(self._readers)
                for reader in readers:
                    reader.put(events, states.get(reader.seat))

    def _new_states(self) -> tuple[dict[str | None, EncodedSnapshot], str | None]:
        """The snapshots that changed, encoded once for every class of readers: those of a seat with a view of its own,
        spectators, and all others. None of them stands for all others, and for seats that see what everybody sees. And which
        match is on; None where nobody looks."""
        with self._lock:
            seats = {reader.seat for reader in self._readers}
        if not seats:
            return {}, None
        snapshot = self._table.snapshot()
        public = EncodedSnapshot(encode(snapshot))
        now: dict[str | None, EncodedSnapshot] = {}
        for seat in seats:
            seen = seen_by(seat, self._table, snapshot)
            now[seat] = public if seen is snapshot else EncodedSnapshot(encode(seen))
        changed = {seat: state for seat, state in now.items() if self._states.get(seat) != state}
        self._states = now
        return changed, str(snapshot.get("match", ""))


def seen_by(viewer: str | None, table: TablePort, snapshot: dict[str, Any]) -> dict[str, Any]:
    """The snapshot as a seat, or a spectator, sees it; the snapshot itself where that is what everybody sees."""
    if viewer == SPECTATOR:
        more = table.watched()
        return {**snapshot, **more} if more else snapshot
    own = table.private(viewer) if viewer is not None else None
    return snapshot if own is None else {**snapshot, "own": own}


class EncodedEvents:
    """The last few encoded events, so that a hundred streams encode each event once. They are known by their digests: where one
    page shows game after game, numbers begin anew with each."""

    def __init__(self, make: Callable[[Event, str], bytes], size: int = 256) -> None:
        self._make, self._size = make, size
        self._kept: dict[tuple[str, str], bytes] = {}
        self._lock = threading.Lock()

    def __call__(self, event: Event, language: str) -> bytes:
        """The event encoded in a language."""
        key = (event.digest, language)
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                found = self._kept[key] = self._make(event, language)
                while len(self._kept) > self._size:
                    del self._kept[next(iter(self._kept))]
            return found

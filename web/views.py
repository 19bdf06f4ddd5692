"""The table as each visitor may see it: now, or as it was some seconds ago, each with its stream of news."""

import threading
from typing import Any

from companion.web.access import visitor
from companion.web.broadcast import Broadcaster, seen_by
from companion.web.delayed_table import DelayedTable, Pasts
from companion.web.port import TablePort
from companion.web.problems import Problem, next_game, shutting_down
from companion.web.roles import SPECTATOR
from companion.web.settings import PageSettings


class Views:
    """One broadcaster for the present, and one more for every delay that somebody was given. ``kept``: what was kept for those
    who are behind before this table was, and is gone on with."""

    def __init__(self, table: TablePort, settings: PageSettings, kept: Pasts | None = None) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._pasts: dict[int, DelayedTable] = {}
        self._tables: dict[int, TablePort] = {0: table}
        self._broadcasters: dict[int, Broadcaster] = {0: Broadcaster(table, settings, self._watching, self._places)}
        self._present, self._closed = table, False
        self._parting: Problem | None = None
        self._kept = kept or Pasts()
        for delay in self._kept.delays:
            self.begin(delay)

    @property
    def broadcaster(self) -> Broadcaster:
        """The broadcaster of the present."""
        return self._broadcasters[0]

    def begin(self, delay: int) -> None:
        """Start keeping the past for a delay, so that it is there when somebody comes to see it. Raises Problem at the end."""
        with self._lock:
            if delay not in self._broadcasters:
                if self._closed:
                    raise self._parting or shutting_down()
                past = DelayedTable(self._present, delay, past=self._kept.of(delay))
                past.start()
                self._pasts[delay] = self._tables[delay] = past
                self._broadcasters[delay] = Broadcaster(past, self._settings, self._watching, self._places)

    def table_of_visitor(self) -> TablePort:
        """The table as the visitor who is asking may see it."""
        self.begin(visitor().delay)
        return self._tables[visitor().delay]

    def snapshot_of_visitor(self) -> dict[str, Any]:
        """The snapshot as the visitor who is asking may see it: with what his seat, or spectators alone, are shown."""
        table = self.table_of_visitor()
        return seen_by(visitor().viewer, table, table.snapshot())

    def broadcaster_of_visitor(self) -> Broadcaster:
        """The news as the visitor who is asking may hear them."""
        self.begin(visitor().delay)
        return self._broadcasters[visitor().delay]

    @property
    def watched(self) -> int:
        """How many streams are open, at all delays."""
        return self._watching()

    @property
    def parting(self) -> Problem | None:
        """What streams are told when they end; None where the companion itself ends."""
        return self._parting

    def make_room(self) -> None:
        """Another game follows at this address: whoever watches is told so when this one's streams end."""
        self._parting = next_game()

    def close(self) -> None:
        """End every stream."""
        with self._lock:
            self._closed = True
            pasts, broadcasters = list(self._pasts.values()), list(self._broadcasters.values())
        for past in pasts:
            past.close()
        for broadcaster in broadcasters:
            broadcaster.close(self._parting)

    def _places(self) -> int:
        """Streams that may be open when the visitor who is asking has his: some are kept from spectators, for the players."""
        kept = max(1, int(self._settings.streams * self._settings.player_streams))
        return self._settings.streams - kept if SPECTATOR in visitor().roles else self._settings.streams

    def _watching(self) -> int:
        return sum(broadcaster.readers for broadcaster in list(self._broadcasters.values()))

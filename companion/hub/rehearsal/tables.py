"""Tables of a rehearsal, as a program: ``python -m companion.hub.rehearsal.tables`` reads what to play from its input, plays,
and prints every table's record as numbers, dates and digests. Each table has a connection of its own, as a real one has."""

import heapq
import json
import random
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion import games
from companion.games.game import Game
from companion.host.ports import NoticePort
from companion.hub.link import table_address
from companion.hub.rehearsal.story import Beat, load
from companion.hub.transport.http_table import HttpTable
from companion.hub.transport.mqtt import MqttTable
from companion.hub.uplink.uplink import Uplink
from companion.record.events import Event

CATCH_UP_S = 120.0


class GrowingTable:
    """A record that grows, without a referee: what a table's own page would ask for is not there."""

    def __init__(self, match: str, game: Game) -> None:
        self.game, self.match = game, match
        self.record: list[Event] = []
        self._changed = threading.Condition()

    def write(self, kind: str, data: Mapping[str, Any] | None = None, at: float | None = None) -> Event:
        """One more event, now or ``at`` Unix seconds."""
        with self._changed:
            before = self.record[-1] if self.record else None
            event = Event.following(before, kind, dict(data or {}), time.time() if at is None else at)
            self.record.append(event)
            self._changed.notify_all()
            return event

    def watched(self) -> dict[str, Any]:
        """See :class:`SentTable`."""
        return {}

    def wait_events(self, after: int, timeout: float) -> list[Event]:
        """See :class:`SentTable`."""
        with self._changed:
            self._changed.wait_for(lambda: len(self.record) > after, timeout)
            return self.record[after:]

    def answer(self, answer: Mapping[str, Any], /, by: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        """See :class:`SentTable`: a ruling is put on record, and judged by nobody."""
        event = self.write("ruling", {**answer, **({"by": dict(by)} if by else {})})
        return {"number": event.number, "events": [event.kind]}

    def tell(self, notice: NoticePort, /) -> None:
        """See :class:`SentTable`."""
        self.write("notice", {"code": notice.code, "text": notice.text, "params": dict(notice.params)})


class RehearsedTable(GrowingTable):
    """A record that grows by a story, over and over."""

    def __init__(self, name: str, story: Sequence[Beat], game: Game) -> None:
        super().__init__(f"rehearsal-{name}", game)
        self._story, self._at = story, 0
        self._shown: Mapping[str, Any] = {}

    def play(self) -> float:
        """The next event happens now; seconds of the story until the one after it."""
        beat = self._story[self._at]
        data = {**beat.data, "id": self.match} if not self._at else beat.data
        with self._changed:
            self._shown = beat.snapshot
            self.write(beat.kind, data)
        self._at = self._at + 1 if self._at + 1 < len(self._story) else 1
        return self._story[self._at].pause

    def snapshot(self) -> dict[str, Any]:
        """See :class:`SentTable`."""
        with self._changed:
            return {**self._shown, "match": self.match, "number": len(self.record)}


def main() -> int:
    """Plays what its input says: ``links``, ``speed``, ``seconds``, ``seed``, ``record``."""
    told = json.load(sys.stdin)
    story = load(Path(told["record"]) if told["record"] else None)
    game = games.load(str(story[0].data["game"]))
    tables: list[RehearsedTable] = []
    uplinks: list[Uplink] = []
    for link in told["links"]:
        address = table_address(link)
        tables.append(RehearsedTable(address.table, story, game))
        uplinks.append(Uplink(tables[-1], MqttTable(address) if address.broker else HttpTable(address)))
    for table, uplink in zip(tables, uplinks, strict=True):
        table.play()
        uplink.start()
    _until_done(uplinks)  # the hall fills before its first round begins
    _play(tables, told["speed"], told["seconds"], random.Random(told["seed"]))
    _until_done(uplinks)
    for uplink in uplinks:
        uplink.close(0.0)
    json.dump({table.match: [[event.at, event.digest] for event in table.record] for table in tables}, sys.stdout)
    return 0


def _until_done(uplinks: Sequence[Uplink]) -> None:
    """Wait until the hub has everything, or for so long that something must be wrong: then the comparison tells."""
    end = time.monotonic() + CATCH_UP_S
    while not all(uplink.done for uplink in uplinks) and time.monotonic() < end:
        time.sleep(0.1)


def _play(tables: Sequence[RehearsedTable], speed: float, seconds: float, chance: random.Random) -> None:
    """Let every table's events happen at their pace, each beginning anywhere within a minute of the story."""
    now = begun = time.monotonic()
    due = [(now + chance.uniform(0, 60) / speed, number) for number in range(len(tables))]
    heapq.heapify(due)
    while due and due[0][0] < begun + seconds:
        at, number = heapq.heappop(due)
        if (wait := at - time.monotonic()) > 0:
            time.sleep(wait)
        heapq.heappush(due, (at + max(0.02, tables[number].play() / speed), number))


if __name__ == "__main__":
    raise SystemExit(main())

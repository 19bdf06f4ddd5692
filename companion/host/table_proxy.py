"""A proxy of the table that is played on: none while the first is set up, then one, exchanged when it is set up again.

The record stays the same, so numbers go on, and whoever follows the events notices nothing of the exchange.
"""

import threading
from collections.abc import Callable, Mapping
from typing import Any

from companion.errors import CompanionError
from companion.games.game import Game
from companion.host.ports import NoticePort, Subscriber
from companion.host.table import Table
from companion.record.events import Event


class NoTableYet(CompanionError):
    """Nothing is played yet."""

    def __init__(self) -> None:
        super().__init__("the table is still being set up")


class TableProxy:
    """As a :class:`~companion.host.table.Table` to whoever asks, answers or listens. Every method from any thread."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._over = False
        self._changed = threading.Condition()
        self._subscribers: list[Subscriber] = []

    @property
    def table(self) -> Table | None:
        """The table that is on."""
        return self._table

    def put(self, make: Callable[[], Table]) -> Table:
        """End the table that is on, make another and start it. A table that cannot be made leaves the stage empty, and so does
        one that is made while everything ends: NoTableYet."""
        with self._changed:
            before, self._table = self._table, None
        if before is not None:
            before.stop()
        table = make()
        for subscriber in self._subscribers:
            table.subscribe(subscriber)
        with self._changed:
            if not self._over:
                table.start()
                self._table = table
                self._changed.notify_all()
                return table
        table.stop()
        raise NoTableYet

    def stop(self) -> None:
        """End the table that is on, for good."""
        with self._changed:
            self._over, table = True, self._table
        if table is not None:
            table.stop()

    def subscribe(self, subscriber: Subscriber) -> None:
        """Tell somebody every event of this table and of those that follow."""
        self._subscribers.append(subscriber)
        if self._table is not None:
            self._table.subscribe(subscriber)

    def tell(self, notice: NoticePort) -> None:
        """Record what a device has to say; what it says before the first table is on is nobody's business."""
        if self._table is not None:
            self._table.tell(notice)

    @property
    def game(self) -> Game:
        """As a table's. Raises NoTableYet."""
        return self._on().game

    def private(self, seat: str, /) -> dict[str, Any] | None:
        """As a table's; before the first table is on no seat is shown anything."""
        return self._table.private(seat) if self._table is not None else None

    def watched(self) -> dict[str, Any]:
        """As a table's; before the first table is on spectators are shown nothing of their own."""
        return self._table.watched() if self._table is not None else {}

    def snapshot(self) -> dict[str, Any]:
        """As a table's. Raises NoTableYet."""
        return self._on().snapshot()

    def answer(
        self, answer: Mapping[str, Any], /, by: Mapping[str, Any] | None = None, *, saw: int | None = None
    ) -> Mapping[str, Any]:
        """As a table's. Raises NoTableYet."""
        return self._on().answer(answer, by, saw=saw)

    def picture(self, overlay: bool = True) -> bytes | None:
        """As a table's."""
        return self._table.picture(overlay) if self._table is not None else None

    def kept_picture(self, digest: str, /) -> bytes | None:
        """As a table's."""
        return self._table.kept_picture(digest) if self._table is not None else None

    def wait_events(self, after: int, timeout: float) -> list[Event]:
        """As a table's; until the first table is on there are none."""
        with self._changed:
            self._changed.wait_for(lambda: self._table is not None, timeout)
            table = self._table
        return table.wait_events(after, timeout) if table is not None else []

    def _on(self) -> Table:
        if self._table is None:
            raise NoTableYet
        return self._table

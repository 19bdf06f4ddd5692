"""What of one match is still to be sent, and when: one batch under way at a time, sent again until the hub has it. Pure.

Nothing is remembered on disk: the record has the events, and the hub says up to where it has them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.hub import wire
from companion.hub.model import Trouble
from companion.hub.sentences import troubles
from companion.record.events import FIRST_DIGEST, Event


@dataclass(frozen=True, slots=True)
class OutboxSettings:
    """
    resend_s        a message without an answer is sent again after so long, 0.5 .. 30; then after twice as long each time,
    most_resend_s   up to this, 5 .. 300.
    """

    resend_s: float = 2.0
    most_resend_s: float = 30.0


class Outbox:
    """Where one match stands with the hub. Not for several threads."""

    def __init__(self, match: str, settings: OutboxSettings | None = None) -> None:
        self.match = match
        self._settings = settings or OutboxSettings()
        self.committed: int | None = None
        """The last event that the hub has; None until it said so on this connection."""
        self._sent_up_to = 0
        self._again_at = 0.0
        self._wait = self._settings.resend_s
        self.trouble: Trouble | None = None
        """What the hub, or its word compared with the record, has against this match; None while all is well."""

    def connected(self) -> None:
        """There is a new connection: ask where to go on."""
        self.committed, self._again_at, self._wait = None, 0.0, self._settings.resend_s

    def done(self, head: int) -> bool:
        """Whether the hub has everything up to the record's last event."""
        return self.committed is not None and self.committed >= head

    def due(self, events: Sequence[Event], now: float) -> wire.Batch | None:
        """The batch to be sent now; None when nothing is, or one is under way. ``events``: all of the record."""
        if self.committed is None or self.committed >= len(events) or now < self._again_at:
            return None
        batch = wire.batches(self.match, events[self.committed :])
        self._sent_up_to = batch.events[-1].number
        self._under_way(now)
        return batch

    def hello_due(self, now: float) -> bool:
        """Whether the hub is to be asked now where to go on."""
        if self.committed is not None or now < self._again_at:
            return False
        self._under_way(now)
        return True

    def pause(self, now: float) -> float:
        """Seconds until something may be due again."""
        return max(0.0, self._again_at - now)

    def not_sent(self) -> None:
        """What was due could not be sent at all: it is due again with the next connection, or soon."""
        self._wait = self._settings.resend_s

    def heard(self, said: wire.Committed, events: Sequence[Event], now: float) -> None:
        """Take the hub's word for where it is. ``events``: all of the record."""
        moved = self.committed is None or said.number != self.committed
        self.trouble = said.trouble or self._own(said, events)
        if self.trouble is not None and self.trouble.code not in ("gap", "version", "clock", "foreign"):
            # Sent at once again it would only be refused again.
            self.committed = min(said.number, len(events))
            if moved:
                self._wait = self._settings.resend_s
            self._again_at = max(self._again_at, now + self._settings.resend_s)
            return
        self.committed = said.number
        if moved or said.number >= self._sent_up_to:
            self._again_at, self._wait = 0.0, self._settings.resend_s

    def _own(self, said: wire.Committed, events: Sequence[Event]) -> Trouble | None:
        if said.number > len(events):
            return troubles.cut_short(len(events), said.number, 0.0)
        digest = events[said.number - 1].digest if said.number else FIRST_DIGEST
        return troubles.conflict(said.number, 0.0) if said.digest and said.digest != digest else None

    def _under_way(self, now: float) -> None:
        self._again_at = now + self._wait
        self._wait = min(2 * self._wait, self._settings.most_resend_s)

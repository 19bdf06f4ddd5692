"""Spectators who watch a rehearsal: a process of their own with a connection each, and what they saw."""

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import isnan
from typing import Any

from companion import bounded
from companion.errors import DeviceError
from companion.hub.rehearsal.spectators import HOST, MOST

END_S = 60.0
PER_LINK = 8
"""Pages that one spectator's link may have open (:class:`~companion.web.settings.PageSettings`)."""
__all__ = ["MOST", "Audience", "Seen", "in_ms", "in_words", "percentile", "watching"]


@dataclass(frozen=True)
class Seen:
    """What spectators saw: how many there were, events that came to them, and how late (seconds from an event on its table to
    the spectator's own end of the stream); events that came to a table's spectators but not to this one; streams that ended
    before their time; spectators to whom no event came."""

    spectators: int
    events: int
    delays: tuple[float, float, float]
    """Median, 95th and 99th percentile."""
    missed: int
    losses: int
    silent: int

    def to_json(self) -> dict[str, Any]:
        told = dict(zip(("p50", "p95", "p99"), self.delays, strict=True))
        return {
            "spectators": self.spectators, "spectators_events": self.events, "spectators_missed": self.missed,
            "spectators_lost_streams": self.losses, "spectators_silent": self.silent,
            **{f"spectators_{name}_ms": in_ms(value) for name, value in told.items()},
        }  # fmt: skip

    def lines(self) -> list[str]:
        """As it is printed."""
        p50, p95, p99 = (in_words(one) for one in self.delays)
        return [
            f"{self.spectators} spectators saw {self.events} events: p50 {p50}, p95 {p95}, p99 {p99} after each happened",
            f"of them missed {self.missed}; streams lost {self.losses}; spectators without any event {self.silent}",
        ]


@dataclass
class Audience:
    """A running process of spectators, or none."""

    process: "subprocess.Popen[bytes] | None"
    spectators: int

    def end(self) -> Seen | None:
        """Let them go home, and hear what they saw. Raises DeviceError when they did not come to their end."""
        if self.process is None:
            return None
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.stdin = None
        try:
            out, _ = self.process.communicate(timeout=END_S)
        except subprocess.TimeoutExpired as error:
            raise DeviceError("the spectators of the rehearsal do not end") from error
        if self.process.returncode:
            raise DeviceError("the spectators of the rehearsal ended with an error")
        told = bounded.parsed(out)
        delays = told["delays"]
        shares = (percentile(delays, 0.5), percentile(delays, 0.95), percentile(delays, 0.99))
        return Seen(self.spectators, len(delays), shares, told["missed"], told["losses"], told["silent"])


@contextmanager
def watching(port: int, tables: Sequence[str], spectators: int) -> Iterator[Audience]:
    """So many spectators of the hub at this port of this machine, the tables in turn. Raises DeviceError."""
    if not spectators:
        yield Audience(None, 0)
        return
    tokens = [_token(port) for _ in range(-(-spectators // PER_LINK))]
    told = {"port": port, "watch": [(tables[one % len(tables)], tokens[one // PER_LINK]) for one in range(spectators)]}
    process = subprocess.Popen(
        [sys.executable, "-m", "companion.hub.rehearsal.spectators"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert process.stdin is not None
        process.stdin.write(json.dumps(told).encode() + b"\n")
        process.stdin.flush()
        yield Audience(process, spectators)
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def _token(port: int) -> str:
    """A spectator's, as the arbiter of a hub that serves its own machine alone hands it out."""
    connection = http.client.HTTPConnection(HOST, port, timeout=30)
    try:
        headers = {"Content-Type": "application/json", "X-Table-Witness": "1"}
        connection.request("POST", "/api/passes", json.dumps({"role": "spectator"}), headers)
        answer = connection.getresponse()
        body = answer.read(1 << 16)
    finally:
        connection.close()
    if answer.status >= 300:
        raise DeviceError(f"the hub lets no spectators in (HTTP {answer.status})")
    return str(bounded.parsed(body)["link"]).partition("#")[2]


def in_ms(seconds: float) -> float | None:
    """Milliseconds as JSON has them: null where nothing was measured."""
    return None if isnan(seconds) else round(1000 * seconds, 1)


def in_words(seconds: float) -> str:
    """Milliseconds as they are printed."""
    told = in_ms(seconds)
    return "not measured" if told is None else f"{told:g} ms"


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which so much of the values lies; not a number where there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")

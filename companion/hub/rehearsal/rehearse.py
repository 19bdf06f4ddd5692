"""A rehearsal from the hub's start to its figures: the hub and the tables as processes of their own, connections between."""

import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from companion import bounded
from companion.errors import BadInput, DeviceError
from companion.hub import credentials
from companion.hub.link import PORTS, TableAddress, parts_of
from companion.hub.rehearsal import audience, story
from companion.hub.rehearsal.audience import Seen, in_ms, in_words, percentile
from companion.hub.store import open_store
from companion.hub.store.port import Enrolled, Store

START_S, END_S = 60.0, 240.0
MOST_TABLES = 1000
MOST_SPECTATORS = audience.MOST
PER_PROCESS = 25
"""Tables of one process, 5 to 100: each has two or three threads."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """``tables`` at ``speed`` times the recorded pace for ``seconds``, over ``broker`` if one is named, with ``spectators`` who
    each follow one table's page."""

    tables: int = 8
    speed: float = 5.0
    seconds: float = 60.0
    database: str | None = None
    broker: str | None = None
    record: Path | None = None
    spectators: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.tables <= MOST_TABLES:
            raise BadInput(f"--tables {self.tables}: 1 to {MOST_TABLES} are allowed")
        if not 0.1 <= self.speed <= 1000:
            raise BadInput(f"--speed {self.speed:g}: 0.1 to 1000 is allowed")
        if not 1 <= self.seconds <= 24 * 3600:
            raise BadInput(f"--seconds {self.seconds:g}: 1 to 86400 are allowed")
        if self.broker is not None and parts_of(self.broker) is None:
            raise BadInput("--broker: mqtt://HOST or mqtts://HOST is allowed")
        if not 0 <= self.spectators <= MOST_SPECTATORS:
            raise BadInput(f"--spectators {self.spectators}: 0 to {MOST_SPECTATORS} are allowed")


@dataclass(frozen=True)
class Outcome:
    """What it came to. Delays in seconds, from an event on its table to its being in the hub's news, and to its being shown."""

    tables: int
    events: int
    lost: int
    doubled: int
    disordered: int
    committed: tuple[float, float]
    """Median and 99th percentile."""
    shown: tuple[float, float]
    hub_bytes: float
    hub_cpu: float
    """Processor seconds of the hub for a second of the rehearsal."""
    seconds: float
    seen: Seen | None = None
    """What spectators saw, where there were any."""

    @property
    def well(self) -> bool:
        """Whether every record arrived as it was."""
        arrived = self.events > 0 and not (self.lost or self.doubled or self.disordered)
        return arrived and (self.seen is None or not (self.seen.missed or self.seen.silent))

    def to_json(self) -> dict[str, Any]:
        return {
            "tables": self.tables, "events": self.events, "lost": self.lost, "doubled": self.doubled,
            "out_of_order": self.disordered, "news_p50_ms": in_ms(self.committed[0]),
            "news_p99_ms": in_ms(self.committed[1]), "shown_p50_ms": in_ms(self.shown[0]),
            "shown_p99_ms": in_ms(self.shown[1]), "hub_mib": round(self.hub_bytes / 2**20, 1),
            "hub_cpu": round(self.hub_cpu, 3), "seconds": round(self.seconds, 1),
            **(self.seen.to_json() if self.seen is not None else {}),
        }  # fmt: skip

    def lines(self) -> list[str]:
        """As it is printed."""
        told, news, shown = self.to_json(), *([in_words(one) for one in pair] for pair in (self.committed, self.shown))
        return [
            f"{self.tables} tables, {self.events} events in {self.seconds:.0f} s",
            f"lost {self.lost}, doubled {self.doubled}, out of order {self.disordered} (digest by digest)",
            f"event on a table to the hub's news: p50 {news[0]}, p99 {news[1]}",
            f"event on a table to its snapshot in the news: p50 {shown[0]}, p99 {shown[1]}",
            f"hub: {told['hub_mib']} MiB at most, {told['hub_cpu']} of one processor",
            *(self.seen.lines() if self.seen is not None else []),
        ]


@dataclass
class _Seen:
    """When the news first said that a match had so many events: times and numbers, both rising."""

    times: list[float] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def saw(self, number: int, at: float) -> None:
        if not self.numbers or number > self.numbers[-1]:
            self.times.append(at)
            self.numbers.append(number)

    def when(self, number: int) -> float | None:
        place = bisect_left(self.numbers, number)
        return self.times[place] if place < len(self.numbers) else None


def rehearse(plan: Rehearsal, say: Callable[[str], None] = lambda line: None) -> Outcome:
    """Play it; ``say`` is told where it can be looked at. Raises BadInput, and DeviceError when a part does not start."""
    story.load(plan.record)  # what cannot be played is refused before anything is started
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="table-witness-hall-")))
        database = plan.database or str(folder / "hall.sqlite")
        store = open_store(database)
        stack.callback(store.close)
        if store.counts()["events"]:
            raise BadInput("--database: holds games already; a rehearsal needs one of its own")
        hub = stack.enter_context(_hub(folder, database, plan.broker))
        say(f"the wall, as long as they play: http://127.0.0.1:{hub.port}/")
        links = _enrolled(store, plan, hub.port)
        news = _News(hub.port)
        stack.callback(news.close)
        time.sleep(6.0 if plan.broker else 0.5)  # the hub learns within seconds who was enrolled
        names = [_table(number) for number in range(plan.tables)]
        watching = stack.enter_context(audience.watching(hub.port, names, plan.spectators))
        begun, used = time.monotonic(), _cpu(hub.process.pid)
        records = _played(plan, links)
        seconds = time.monotonic() - begun
        cpu, seen = (_cpu(hub.process.pid) - used) / seconds, watching.end()
        return _judged(store, plan, records, news, hub, cpu, seconds, seen)


@dataclass
class _Hub:
    process: "subprocess.Popen[bytes]"
    port: int
    log: Path

    def figure(self, name: str) -> float:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", "/metrics")
            text = connection.getresponse().read().decode()
        finally:
            connection.close()
        lines = (line for line in text.splitlines() if line.startswith(f"table_witness_hub_{name} "))
        return next((float(line.split()[1]) for line in lines), 0.0)


@contextmanager
def _hub(folder: Path, database: str, broker: str | None) -> Iterator[_Hub]:
    command = [sys.executable, "-m", "companion", "hub", "--port", "0", "--database", database, "--log-json"]
    command += ["--broker", broker] if broker else []
    log = folder / "hub.log"
    with log.open("wb") as errors:
        environment = {**os.environ, "XDG_DATA_HOME": str(folder), "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=errors)
    try:
        assert process.stdout is not None
        line = process.stdout.readline().decode()
        if not line.startswith("hall:"):
            said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise DeviceError(f"the hub does not start ({said[-1] if said else 'it says nothing'})")
        yield _Hub(process, int(line.rstrip("/\n").rpartition(":")[2]), log)
    finally:
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _enrolled(store: Store, plan: Rehearsal, port: int) -> list[str]:
    at = urlsplit(plan.broker or f"http://127.0.0.1:{port}")
    links = []
    for number in range(plan.tables):
        table, secret = _table(number), credentials.new_secret()
        store.enrol(Enrolled(table, f"Table {number + 1:03}", credentials.digest(secret), time.time()))
        address = TableAddress(at.scheme, at.hostname or "127.0.0.1", at.port or PORTS[at.scheme], table, secret)
        links.append(address.link())
    return links


def _table(number: int) -> str:
    return f"rehearsal-{number + 1}"


def _played(plan: Rehearsal, links: Sequence[str]) -> dict[str, list[tuple[float, str]]]:
    """Every table's record as dates and digests, by match."""
    processes = []
    for number, begin in enumerate(range(0, len(links), PER_PROCESS)):
        process = subprocess.Popen(
            [sys.executable, "-m", "companion.hub.rehearsal.tables"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        told = {
            "links": links[begin : begin + PER_PROCESS], "speed": plan.speed, "seconds": plan.seconds, "seed": number,
            "record": str(plan.record.resolve()) if plan.record else "",
        }  # fmt: skip
        assert process.stdin is not None
        process.stdin.write(json.dumps(told).encode())
        process.stdin.close()
        process.stdin = None
        processes.append(process)
    found: dict[str, list[tuple[float, str]]] = {}
    try:
        for process in processes:
            out, _ = process.communicate(timeout=plan.seconds + END_S)
            if process.returncode:
                raise DeviceError("tables of the rehearsal ended with an error")
            found |= {match: [(at, digest) for at, digest in rows] for match, rows in bounded.parsed(out).items()}
    finally:
        for process in processes:
            process.kill()
            process.wait()
    return found


class _News(threading.Thread):
    """Follows the hub's news and notes when what was told."""

    def __init__(self, port: int) -> None:
        super().__init__(name="rehearsal-news", daemon=True)
        self.committed: dict[str, _Seen] = {}
        self.shown: dict[str, _Seen] = {}
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._connection.request("GET", "/api/hall/news")
        self._answer = self._connection.getresponse()
        self._closed = False
        self.start()

    def run(self) -> None:
        with suppress(OSError, http.client.HTTPException, ValueError, AttributeError):
            for line in bounded.lines(self._answer, 1 << 24):
                if line and line.startswith(b"data: "):
                    self._take(json.loads(line[6:]))
                if self._closed:
                    return

    def _take(self, rows: Sequence[Mapping[str, Any]]) -> None:
        now = time.time()
        for row in rows:
            self.committed.setdefault(row["match"], _Seen()).saw(row["number"], now)
            self.shown.setdefault(row["match"], _Seen()).saw(row["shown"], now)

    def close(self) -> None:
        self._closed = True
        self.join(10)
        self._connection.close()


def _judged(
    store: Store, plan: Rehearsal, records: Mapping[str, Sequence[tuple[float, str]]], news: _News, hub: _Hub, cpu: float,
    seconds: float, seen: Seen | None,
) -> Outcome:  # fmt: skip
    """Compare what the hub has with what the tables recorded, and the news with the events' dates."""
    lost = doubled = disordered = 0
    committed: list[float] = []
    shown: list[float] = []
    for match, record in records.items():
        held = [event.digest for event in store.events(match.removeprefix("rehearsal-"), match, 0, len(record) + 1000)]
        digests = [digest for _, digest in record]
        lost += len(set(digests) - set(held))
        doubled += len(held) - len(set(held))
        disordered += held != digests and set(held) == set(digests)
        for number, (at, _) in enumerate(record[1:], 2):  # the opening waits for its connection
            for told, delays in ((news.committed, committed), (news.shown, shown)):
                when = told[match].when(number) if match in told else None
                if when is not None:
                    delays.append(when - at)
    events = sum(map(len, records.values()))
    peak = max(_peak(hub.process.pid), hub.figure("resident_bytes"))
    return Outcome(
        plan.tables, events, lost, doubled, disordered, _percentiles(committed), _percentiles(shown), peak, cpu, seconds, seen
    )


def _percentiles(delays: list[float]) -> tuple[float, float]:
    return percentile(delays, 0.5), percentile(delays, 0.99)


def _cpu(process: int) -> float:
    """Processor seconds of a process; 0 where the system does not tell."""
    try:
        parts = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def _peak(process: int) -> float:
    """The most memory that a process had, in bytes; 0 where the system does not tell."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return next((float(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0.0)

"""The bench's figures of what a hosted session holds: memory and threads of a process of its own, three seats connected."""

import http.client
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from companion import games
from companion.cli import processors
from companion.demo import DemoCamera, load_script, table_of
from companion.vision.table_sets.read_set import set_reader
from companion.vision.table_sets.table_set import load_table_set

SEATS = 3
_PATIENCE_S = 180.0
"""Until a slow machine has taught itself a plain copy."""


@dataclass(frozen=True, slots=True)
class ProcessUsage:
    """What a process held at its most while it was watched: resident memory in MB, threads, open files."""

    resident_mb: float
    threads: int
    files: int


def process_usage(process: int) -> ProcessUsage:
    """What a process holds at the moment. Raises OSError where the system does not tell."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    said = dict(line.split(":", 1) for line in lines if ":" in line)
    files = len(os.listdir(f"/proc/{process}/fd"))  # noqa: PTH208 - one call, however many there are
    return ProcessUsage(int(said["VmRSS"].split()[0]) / 1024, int(said["Threads"]), files)


def hosted_session(game: str, *, plain: bool, seconds: float) -> ProcessUsage | None:
    """Host a game's bundled recording for so long, three pages open, and tell what that held; None where the system does not
    tell. ``plain``: the copy is taught from its pictures and read without its stickers; a deck of
    cards is read as it is."""
    if not Path("/proc/self/status").exists():
        return None
    prepare = "from companion.cli import processors; processors.before_numpy()"
    code = f"{prepare}; from companion.cli.bench_host import host_recording; host_recording({game!r}, {plain!r})"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        try:
            address = _address(child)
            if address is None:
                return None
            with _seats(address):
                return _watched(child, address, seconds)
        finally:
            child.terminate()


def _watched(child: "subprocess.Popen[str]", address: str, seconds: float) -> ProcessUsage:
    most, ends = process_usage(child.pid), time.monotonic() + seconds
    while time.monotonic() < ends:
        _ask(address, "/api/picture.jpg?overlay=1").close()  # as a page with the live picture does
        now = process_usage(child.pid)
        most = ProcessUsage(
            max(most.resident_mb, now.resident_mb), max(most.threads, now.threads), max(most.files, now.files)
        )  # fmt: skip
        time.sleep(0.5)
    return most


def _address(child: "subprocess.Popen[str]") -> str | None:
    """Where the page is, once it says so; None when it never does."""
    guard = threading.Timer(_PATIENCE_S, child.kill)
    guard.start()
    try:
        assert child.stdout is not None, "it was asked for"
        said = (line.split() for line in child.stdout if line.startswith("page:"))
        return next((words[1] for words in said), None)
    finally:
        guard.cancel()


@contextmanager
def _seats(address: str) -> Iterator[None]:
    """Three pages that listen."""
    streams = [_ask(address, "/api/events?after=0") for _ in range(SEATS)]
    readers = [threading.Thread(target=_listen, args=(stream,), daemon=True) for stream in streams]
    for reader in readers:
        reader.start()
    yield


def _listen(stream: http.client.HTTPResponse) -> None:
    try:
        while stream.readline():
            pass
    except (OSError, ValueError, http.client.HTTPException):
        return  # the session is over


def _ask(address: str, path: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    connection.request("GET", path)
    return connection.getresponse()


def host_recording(game_id: str, plain: bool) -> None:
    """Host a bundled recording until this process is ended. What the measured process runs."""
    from companion.calibration.set_deck import deck_reader  # noqa: PLC0415
    from companion.cli.session.hosting import TableSession, host  # noqa: PLC0415 - the page is loaded by this process only
    from companion.cli.session.output import OutputOptions  # noqa: PLC0415
    from companion.host.allocator import few_arenas  # noqa: PLC0415

    processors.once_loaded()
    few_arenas()
    stopped = threading.Event()
    signal.signal(signal.SIGTERM, lambda number, frame: stopped.set())
    game, table = games.load(game_id), load_table_set(table_of(game_id))
    script = load_script(game=game_id)
    with tempfile.TemporaryDirectory(prefix="table-witness-") as scratch:
        session = TableSession(
            game=game,
            board=table.board,
            camera=DemoCamera(script, hold=True),
            reader=deck_reader(table) if table.deck else set_reader(replace(table, marked=not plain)),
            record=Path(scratch) / "bench.sqlite",
            showing=OutputOptions(port=0),
            kept=False,
        )
        host(session, stopped, dict(script.told) or "asked", once=False)

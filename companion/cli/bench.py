"""``companion bench``: the speed figures, each beside the floor measured in the same run."""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion import games
from companion.calibration.set_deck import deck_reader
from companion.cli.bench_host import hosted_session
from companion.cli.bench_table import RecordedPlay, play_recording
from companion.demo import bundled, table_of
from companion.errors import BadInput, IllegalPlay
from companion.games.game import Game
from companion.vision.frame import Frame
from companion.vision.marked.markers import dictionary
from companion.vision.pictures.decoding import decode
from companion.vision.pictures.files import load_picture
from companion.vision.reader import Reader
from companion.vision.table_sets.read_set import set_reader
from companion.vision.table_sets.table_set import TableSet, is_table_set, load_table_set
from companion.vision.watching.watcher import Watcher

RATE = 30.0
SETTLED_BY = 180
"""Frames after which the first reading has settled whatever is in doubt: six seconds. Patience ends doubts after two; a table
that is read badly needs more than one attempt."""
PLAIN_FACTOR = 1.5
"""How much longer than the marked mode the plain one may take."""
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure; ``limit`` is what it should stay under (or above, for ``more``), in the same unit."""

    name: str
    value: float
    unit: str
    limit: float
    more: bool = False

    def json(self) -> Json:
        """Plain data for ``--json``."""
        met = self.value >= self.limit if self.more else self.value <= self.limit
        return {
            "figure": self.name,
            "value": round(self.value, 3),
            "unit": self.unit,
            "target": round(self.limit, 3),
            "met": met,
        }


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command of this module."""
    bench = commands.add_parser(
        "bench",
        help="measure the speed figures",
        description="Measure the speed figures, each beside the floor of the same run.",
    )
    bench.add_argument("--json", action="store_true", help="print JSON")
    bench.add_argument("--game", help=f"which game's bundled table is played, of: {', '.join(bundled())} ({games.DEFAULT})")
    bench.add_argument(
        "--tables", type=Path, metavar="DIR", help="table set that single pictures are taken from (the game's bundled one)"
    )
    bench.add_argument("--quick", action="store_true", help="play 30 seconds of the recording instead of all, fewer repeats")
    bench.add_argument("--repeats", type=int, default=60, metavar="N", help="frames per figure, 5 to 1000 (%(default)s)")
    bench.set_defaults(run=run_bench)


def run_bench(options: argparse.Namespace) -> int:
    """Measure and print. Returns 1 when a target is missed."""
    if not 5 <= options.repeats <= 1000:
        raise BadInput(f"--repeats {options.repeats}: 5 to 1000 are allowed")
    table = _table(options.tables, options.game)
    game = games.load(table.game)
    repeats = min(options.repeats, 20) if options.quick else options.repeats
    start_up = _start_to_first_reading(table.folder / table.files[-1])
    floor = Floor.measure(table, repeats)
    session = play_recording(game, table_reader(table), 30.0 if options.quick else None, RATE)
    figures = [
        *_reading_costs(table, floor, repeats),
        Figure("hand leaves to the ruling on the page, p50", _percentile(session.waits, 50), "s", 0.3),
        Figure("hand leaves to the ruling on the page, p95", _percentile(session.waits, 95), "s", 0.6),
        Figure("frames kept up with, page open", session.frames_a_second, "/s", 30.0, more=True),
        *(rule_costs(game, floor) or recorded_costs(game, floor, session.plays)),
        Figure("the page's snapshot of the running table, as sent", session.snapshot_ms / floor.total_ms, "x floor", 0.1),
        Figure("start to first reading", start_up, "s", 2.0),
        *_memory_figures(_memory_mb(table.folder)),
        *_hosting_costs(table, 10.0 if options.quick else 60.0),
    ]
    lines = [figure.json() for figure in figures]
    if options.json:
        load = [round(average, 2) for average in os.getloadavg()] if hasattr(os, "getloadavg") else None
        samples = {"rulings": len(session.waits), "frames_seen": session.frames, "frames_sent": session.sent}
        print(json.dumps({"game": game.id, "floor": floor.json(), "figures": lines, "samples": samples, "load": load}))
    else:
        parts = f"decode {floor.decode_ms:.1f} + markers in the whole frame {floor.detect_ms:.1f}"
        print(f"{game.name}, floor: {floor.total_ms:.1f} ms ({parts})")
        for line in lines:
            sign = "met" if line["met"] else "MISSED"
            print(f"{line['figure']}: {line['value']:g} {line['unit']} (target {line['target']:g}, {sign})")
    return 0 if all(line["met"] for line in lines) else 1


@dataclass(frozen=True, slots=True)
class Floor:
    """What no reader can do without for a fresh frame: decoding it, and finding markers in all of it."""

    decode_ms: float
    detect_ms: float

    @property
    def total_ms(self) -> float:
        return self.decode_ms + self.detect_ms

    def json(self) -> Json:
        return {name: round(getattr(self, name), 2) for name in ("decode_ms", "detect_ms", "total_ms")}

    @classmethod
    def measure(cls, table: TableSet, repeats: int) -> "Floor":
        path = table.folder / table.files[-1]
        grey = cv2.cvtColor(load_picture(path).image, cv2.COLOR_BGR2GRAY)  # what cannot be used is refused before it is timed
        data = np.frombuffer(path.read_bytes(), np.uint8)
        detector = cv2.aruco.ArucoDetector(dictionary(table.pieces.dictionary), cv2.aruco.DetectorParameters())
        decoding = _median_ms(lambda: cv2.imdecode(data, cv2.IMREAD_COLOR), repeats)
        return cls(decoding, _median_ms(lambda: detector.detectMarkers(grey), repeats))


def _median_ms(work: Callable[[], object], repeats: int) -> float:
    return float(np.median([_timed_ms(work) for _ in range(repeats)]))


def _timed_ms(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000


def _table(folder: Path | None, game: str | None) -> TableSet:
    """The set that single pictures are taken from. Raises BadInput for one of another game, or one that is none."""
    folder = folder or table_of(game or games.DEFAULT)
    if not is_table_set(folder):
        raise BadInput(f"{folder}: is not a table set (a folder with a table.json)")
    table = load_table_set(folder)
    if game not in (None, table.game):
        raise BadInput(f"{folder}: is a table of {table.game!r}, not of {game!r}")
    return table


def table_reader(table: TableSet) -> Reader:
    """Who reads a table set as it is: a deck of unmodified cards, stickers, or a taught copy."""
    return deck_reader(table) if table.deck is not None else set_reader(table)


def _reading_costs(table: TableSet, floor: Floor, repeats: int) -> list[Figure]:
    """What frames cost in the modes in which the table can be read."""
    if table.deck is not None:
        return _frame_costs("cards", table_reader(table), table, floor, repeats, PLAIN_FACTOR)
    return [*_frame_costs("marked", table_reader(table), table, floor, repeats), *_plain_costs(table, floor, repeats)]


def _plain_costs(table: TableSet, floor: Floor, repeats: int) -> list[Figure]:
    """The plain mode taught from the same pictures; what counts here is the work it does, not what it makes of stickers.
    None for a game whose unmodified copies cannot be taught."""
    try:
        reader = set_reader(replace(table, marked=False))
    except BadInput as error:
        print(f"plain: not measured ({error})", file=sys.stderr)
        return []
    return _frame_costs("plain", reader, table, floor, repeats, PLAIN_FACTOR)


def _frame_costs(mode: str, reader: Reader, table: TableSet, floor: Floor, repeats: int, factor: float = 1.0) -> list[Figure]:
    """Cost of a frame, decoding included: nothing moving, and from the moment one piece lies elsewhere until that settled.

    ``factor``: how much more than the marked mode this one may take.
    """
    still, before, after = (table.folder / name for name in (table.files[1], table.files[1], table.files[2]))
    watcher = Watcher(reader, table.board)
    clock = iter(np.arange(0, 1e6, 1 / RATE))
    for data in islice(cycle(list(_grained(still, 12))), SETTLED_BY):
        if watcher.see(_decoded(data, next(clock))).settled is not None:
            break
    steady = [_timed_ms(lambda data=data: watcher.see(_decoded(data, next(clock)))) for data in _grained(still, repeats)]  # type: ignore[misc]
    moved: list[float] = []
    for turn in range(max(3, repeats // 10)):
        path = after if turn % 2 == 0 else before
        for data in _grained(path, 14):
            begin = time.perf_counter()
            analysis = watcher.see(_decoded(data, next(clock)))
            moved.append((time.perf_counter() - begin) * 1000)
            if analysis.settled is not None:
                break
    steady_ms, moved_ms = float(np.median(steady)), float(np.median(moved))
    return [
        Figure(f"{mode}: steady cost of a frame, nothing moving", steady_ms / floor.total_ms, "x floor", 0.35 * factor),
        Figure(f"{mode}: cost of a frame, one piece moved", moved_ms / floor.total_ms, "x floor", 0.6 * factor),
        Figure(f"{mode}: dearest frame until a move settled", max(moved) / floor.total_ms, "x floor", 3.0 * factor),
    ]


def _grained(path: Path, count: int) -> Iterator[bytes]:
    """A picture as a camera would send it again and again: fresh grain, JPEG. Made before anything is timed."""
    rng = np.random.default_rng(1)
    image = load_picture(path).image.astype(np.int16)
    for _ in range(count):
        grain = np.tile(rng.normal(0, 1.5, (180, 320, 3)), (image.shape[0] // 180 + 1, image.shape[1] // 320 + 1, 1))
        noisy = np.clip(image + grain[: image.shape[0], : image.shape[1]], 0, 255).astype(np.uint8)
        yield cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


def _decoded(data: bytes, at: float) -> Frame:
    return Frame(decode(data, "bench").image, float(at), "bench")


def _percentile(values: Sequence[float], share: float) -> float:
    return float(np.percentile(values, share)) if values else float("inf")


def rule_costs(game: Game, floor: Floor) -> list[Figure]:
    """What the rules cost: every play of every character from the start, a sample of each character's plays. Nothing of a
    game in which nobody can play at the start: its tokens are laid first (:func:`recorded_costs`)."""
    start = game.start()
    afters = []
    for character in game.characters:
        with suppress(IllegalPlay):
            plays = game.plays(start, character)
            afters += [play.position for play in plays[:: max(1, len(plays) // 25)]]
    if not afters:
        return []
    calls = [_timed_ms(lambda after=after: game.deduce(after)) for after in afters]  # type: ignore[misc]
    costs = [_timed_ms(lambda after=after: game.explain(start, after)) for after in afters]  # type: ignore[misc]
    return [
        Figure("explaining a change, p99", _percentile(costs, 99), "ms", 20.0),
        Figure("who is seen and why, p99", _percentile(calls, 99) / floor.total_ms, "x floor", 0.05),
    ]


def recorded_costs(game: Game, floor: Floor, plays: Sequence[RecordedPlay]) -> list[Figure]:
    """What the rules cost in the recording: each of its plays explained, and what everybody is told after it."""
    if not plays:
        return []
    costs = [_timed_ms(lambda play=play: game.explain(play.before, play.after)) for play in plays]  # type: ignore[misc]
    views = [_timed_ms(lambda play=play: game.view(play.state, play.context)) for play in plays]  # type: ignore[misc]
    return [
        Figure("explaining a change of the recording, p99", _percentile(costs, 99), "ms", 20.0),
        Figure("what everybody is told after a play, p99", _percentile(views, 99) / floor.total_ms, "x floor", 0.05),
    ]


def _start_to_first_reading(picture: Path) -> float:
    """A fresh process from nothing to one reading on its output."""
    begin = time.perf_counter()
    command = [sys.executable, "-c", "from companion.cli import main; raise SystemExit(main())", "read", str(picture), "--json"]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


def _hosting_costs(table: TableSet, seconds: float) -> list[Figure]:
    """What a hosted session holds with three seats connected, for a marked table and for a taught plain copy, or for a deck of
    cards."""
    found = []
    for mode in ("marked", "plain") if table.deck is None else ("cards",):
        held = hosted_session(table.game, plain=mode == "plain", seconds=seconds)
        if held is None:
            print(f"{mode}: what a hosted evening holds was not measured", file=sys.stderr)
            continue
        found += [
            Figure(f"{mode}: resident memory of a hosted evening", held.resident_mb, "MB", 300.0),
            Figure(f"{mode}: threads of a hosted evening", held.threads, "", 40.0),
        ]
    return found


def _memory_figures(most: float | None) -> list[Figure]:
    if most is None:
        print("resident memory was not measured: this system does not tell it", file=sys.stderr)
        return []
    return [Figure("resident memory at its highest", most, "MB", 300.0)]


def _memory_mb(folder: Path) -> float | None:
    """Highest resident memory of a fresh process that watches a table for a while; None where the system does not tell it."""
    code = f"from companion.cli.bench import watch_a_while; print(watch_a_while({str(folder)!r}))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return None if done.stdout.strip() == "None" else float(done.stdout)


def watch_a_while(folder: str) -> float | None:
    """Watch every picture of a table set for a few frames each; returns this process's highest resident memory in MB."""
    table = load_table_set(Path(folder))
    watcher, number = Watcher(table_reader(table), table.board), 0
    for file in table.files:
        for _ in range(8):
            watcher.see(_decoded((table.folder / file).read_bytes(), number / RATE))
            number += 1
    return _highest_resident_mb()


def _highest_resident_mb() -> float | None:
    """This process's own highest resident memory. What getrusage says begins with that of the process that started it."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024
    except (OSError, StopIteration):
        pass  # no Linux
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return None
    unit = 2**20 if sys.platform == "darwin" else 1024  # macOS counts bytes, everybody else KiB
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit

"""What every setting of a reader is worth: put out of action in turn, on copies that were never used before.

    python -m companion.calibration.training.ablate plain|marked FIRST LAST [--only PREFIX,…]
        [--workers N] [--copies KIND,…] [--probe N]

A setting is a number in the reader's settings class. It is put out of action twice: by a value so low, and by one so high,
that what it bounds always or never happens (``extremes``). Each time the reader reads the same pictures as with its own
settings; printed is what that costs in pieces exact, unknown and wrong, summed over all copies, with the interval of 90 % of a
bootstrap over copies. ``costs nothing`` stands where one extreme makes nothing wrong, leaves no more unknown and no fewer
exact: what such a setting bounds can go. ``never used`` stands where neither changes any verdict.

``plain`` takes copies as ``judge`` does; ``--copies`` names their kinds by turns, ``ordinary``, ``wild`` or a family of second
sides, with ``+third`` where every disc is shown turned over. ``marked`` takes hard tables (``hard_tables``), by turns of
London or, named ``new-york``, of New York. Each seed is one copy; take fresh ones. An extreme that costs something on the
first ``--probe`` copies is measured on no more. Every measurement has a process of its own with at most ``MOST_BYTES`` of
memory: what takes more, or never ends, is a finding as well. About 5 s a copy and extreme (plain): 100 settings take 17
minutes of one core for each copy; ``--workers`` settings are measured beside each other.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from copy import copy
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import cv2
import numpy as np

from companion.boards import Board, PieceSet
from companion.calibration.repeated_enrolment import learn_sides
from companion.calibration.training import hard_tables, judge, new_york_stickers
from companion.calibration.training.foreign_tokens import SETTING, strew
from companion.calibration.training.hard_tables import glared, hard_shot
from companion.calibration.training.second_sides import ORDINARY
from companion.calibration.training.stickers_composed import EMPTY, Scene, compose, pose, random_state
from companion.errors import BadInput
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.marked.settings import MarkedSettings
from companion.vision.plain.reader import PlainReader, teach
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.start import other_sides
from companion.vision.table_sets.scoring import EXACT, UNKNOWN, WRONG, Verdict, compare

VERDICTS = (EXACT, UNKNOWN, WRONG)
NEW_YORK, SHADOW = "new-york", 0.4
"""Copies with stickers of the other game than London; the share of the light that a disc takes at its foot."""
PICTURES = 3
"""Positions a copy is read in, with nothing on the table but its pieces."""
ROUNDS = 2000
"""Of the bootstrap."""
MOST_BYTES, MOST_SECONDS = 6 << 30, 120.0
"""Of a measurement; seconds of the processor for each copy."""
HIGH = 1000.0
"""By what a number is multiplied to be higher than anything it is compared with; a share becomes 1."""

Counts = np.ndarray
"""Pieces exact, unknown and wrong (3)."""


def leaves(settings: Any, prefix: str = "") -> Iterator[tuple[str, float | int]]:
    """Every number in a settings class and those inside, by its path; truth values are no numbers."""
    for field in fields(settings):
        value = getattr(settings, field.name)
        if is_dataclass(value):
            yield from leaves(value, f"{prefix}{field.name}.")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield f"{prefix}{field.name}", value


def changed(settings: Any, path: str, value: float) -> Any:
    """The settings with one number changed."""
    name, _, rest = path.partition(".")
    return replace(settings, **{name: changed(getattr(settings, name), rest, value) if rest else value})


def extremes(value: float) -> tuple[float, float]:
    """A value that is lower, and one that is higher, than all it bounds, of the same type."""
    if isinstance(value, int):
        return (0, int(value * HIGH)) if value >= 0 else (int(value * HIGH), 0)
    if 0 <= value <= 1:
        return 0.0, 1.0
    return (0.0, value * HIGH) if value > 0 else (value * HIGH, 0.0)


def counted(verdicts: Sequence[Verdict]) -> Counts:
    kinds = Counter(v.verdict for v in verdicts)
    return np.array([kinds[verdict] for verdict in VERDICTS])


def _with_fewer_tiles(state: dict[str, Any]) -> list[str]:
    """Take the highest lamp, a cover and a cordon off a position, and name four places where none of them lies."""
    state["gaslights"].pop(max(state["gaslights"], key=lambda spot: str(state["gaslights"][spot])))
    state["covers"], state["cordons"] = state["covers"][:1], state["cordons"][:1]
    lamps, exits = sorted(judge.BOARD.of_kind("gaslight")), [place.id for place in judge.BOARD.places_of("exit")]
    taken = {*state["gaslights"], *state["cordons"]}
    free = [[place for place in kind if place not in taken] for kind in (lamps, exits)]
    return [*free[0][:3], *free[1][:1]]


@dataclass(frozen=True)
class PlainCopy:
    """Pictures of one unmodified copy, taken once and read with many settings: ``PICTURES`` positions, an arm over one more,
    and foreign things on places of tiles that are free."""

    empty: Frame
    start: Frame
    turned: Frame | None
    lens: Any
    pictures: tuple[tuple[Frame, dict[str, Any]], ...]

    @classmethod
    def made(cls, seed: int, kind: str) -> PlainCopy:
        name, _, third = kind.partition("+")
        table = judge.table_of(seed, name)
        start: dict[str, Any] = dict(judge.BOARD.start)
        first = [Frame(table.shoot(state)[0], 0.0, "made") for state in (judge.EMPTY, start)]
        other = other_sides(judge.BOARD, judge.PIECES, start) if third else None
        turned = Frame(table.shoot(other)[0], 0.0, "made") if other else None
        pictures = []
        for index in range(PICTURES):
            picture, truth = table.shoot(table.random_state(), mood=table.other_light() if index % 2 else None)
            pictures.append((Frame(picture, 0.0, "made"), truth["state"]))
        picture, truth = table.shoot(table.random_state(), arm=True)
        pictures.append((Frame(picture, 0.0, "made"), truth["state"]))
        fewer = table.random_state()
        free = _with_fewer_tiles(fewer)
        strew(table, [(SETTING[n % len(SETTING)], place) for n, place in enumerate(free)], seed)
        picture, truth = table.shoot(fewer, junk=len(free))
        pictures.append((Frame(picture, 0.0, "made"), truth["state"]))
        return cls(first[0], first[1], turned, table.lens, tuple(pictures))

    def read(self, settings: PlainSettings | None) -> Counts | None:
        """Verdicts over all pictures; none where the copy can't be taught."""
        board, pieces = judge.BOARD, judge.PIECES
        try:
            teaching = teach(self.empty, self.start, board, pieces, self.lens, board.start, settings=settings)
            if self.turned is not None:
                teaching = learn_sides(teaching, self.turned, board, pieces).teaching
            reader = PlainReader(board, pieces, teaching, settings)
        except BadInput:
            return None
        total = np.zeros(len(VERDICTS), int)
        for frame, truth in self.pictures:
            reading = reader.read(frame).reading
            total += counted(compare(truth, reading.state(board, pieces), reading.unknown, pieces))
        return total


@dataclass(frozen=True)
class MarkedCopy:
    """Pictures of one hard table with stickers."""

    kind: str
    empty: Frame
    lens: Any
    pictures: tuple[tuple[Frame, dict[str, Any]], ...]

    @property
    def game(self) -> tuple[Board, PieceSet]:
        """What lies on the table."""
        made_by = new_york_stickers if self.kind == NEW_YORK else hard_tables
        return made_by.BOARD, made_by.PIECES

    @classmethod
    def made(cls, seed: int, kind: str) -> MarkedCopy:
        """One in three pictures of New York lies in soft shadow, as under a wide lamp; only there do tiles have two sides."""
        rng, shot, shadows = np.random.default_rng(seed + 500), hard_shot(seed), kind == NEW_YORK
        game = new_york_stickers if shadows else hard_tables
        board, pieces = game.BOARD, game.PIECES
        registration, pictures = pose(board, shot), []
        for index in range(PICTURES):
            art, jitter = seed % 7, seed + 7919 * index
            if shadows:
                state = new_york_stickers.wander(rng, 4 + 6 * index)[-1].to_json()
                scene = new_york_stickers.table(state, art, jitter, shadow=SHADOW if index == 1 else 0.0)
            else:
                state = random_state(board, pieces, rng, gone=int(rng.integers(0, 5)), under=bool(rng.uniform() < 0.3))
                scene = Scene(board, pieces, state, art=art, jitter=jitter)
            picture = compose(scene, shot)
            if index == PICTURES - 1:
                picture = glared(picture, registration, rng, int(rng.integers(1, 3)))
            pictures.append((Frame(picture, 1.0 + index, "made"), state))
        bare = Scene(board, pieces, new_york_stickers.EMPTY if shadows else EMPTY, art=seed % 7)
        return cls(kind, Frame(compose(bare, shot), 0.0, "made"), registration.lens, tuple(pictures))

    def read(self, settings: MarkedSettings | None) -> Counts | None:
        """Verdicts over all pictures, each read as the first one after the bare board."""
        total, (board, pieces) = np.zeros(len(VERDICTS), int), self.game
        taught = MarkedReader(board, pieces, self.lens, settings=settings)
        try:
            taught.learn(self.empty, taught.read(self.empty))
            for frame, truth in self.pictures:
                reading = copy(taught).read(frame).reading  # a reading changes nothing of what was learnt
                total += counted(compare(truth, reading.state(board, pieces), reading.unknown, pieces))
        except BadInput:
            return None
        return total


KINDS: dict[str, tuple[Any, Any]] = {"plain": (PlainCopy, PlainSettings), "marked": (MarkedCopy, MarkedSettings)}
_COPIES: list[Any] = []
"""Inherited by the processes that measure."""


def _apart(*job: Any) -> list[Counts | str | None]:
    """``_measured`` in a process of its own, which has the copies that were made in this one."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        try:
            return pool.submit(_measured, *job).result()
        except BrokenProcessPool:
            return ["the process ended"] * len(_COPIES[job[-2] : job[-1]])


def _measured(kind: str, path: str | None, value: float, first: int, last: int | None) -> list[Counts | str | None]:
    """Counts of the copies from ``first`` to before ``last`` with one setting changed; an error's name where it fails."""
    cv2.setNumThreads(1)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    seconds = round(MOST_SECONDS * len(_COPIES[first:last]))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    settings = None if path is None else changed(KINDS[kind][1](), path, value)
    found: list[Counts | str | None] = []
    for one in _COPIES[first:last]:
        try:
            found.append(one.read(settings))
        except Exception as error:  # with a senseless number a reader may fail anywhere, and that is the finding
            found.append(type(error).__name__)
    return found


def interval(differences: np.ndarray, rng: np.random.Generator) -> tuple[int, int]:
    """5 and 95 of 100 of the summed difference, over copies (N) drawn again."""
    drawn = differences[rng.integers(len(differences), size=(ROUNDS, len(differences)))].sum(axis=1)
    low, high = np.percentile(drawn, [5, 95])
    return round(low), round(high)


def told(base: Sequence[Any], found: Sequence[Any], rng: np.random.Generator) -> tuple[str, np.ndarray | None]:
    """What a change costs, in words, and summed by verdict; none where it makes copies unreadable."""
    failed = Counter(str(one) for one in found if isinstance(one, str))
    pairs = [(one, other) for one, other in zip(base, found, strict=True) if isinstance(one, np.ndarray)]
    lost = sum(other is None for _, other in pairs)
    if failed or lost:
        return ", ".join(
            [*(f"{name} on {count}" for name, count in failed.items()), *([f"{lost} not taught"] if lost else [])]
        ), None
    apart = np.array([other - one for one, other in pairs])
    parts = []
    for index, verdict in enumerate(VERDICTS):
        low, high = interval(apart[:, index], rng)
        parts.append(f"{verdict} {apart[:, index].sum():+d} ({low:+d} to {high:+d})")
    return ", ".join(parts), apart.sum(axis=0)


def harmless(apart: np.ndarray | None) -> bool:
    """Nothing wrong that was not, no more unknown, no fewer exact."""
    return apart is not None and bool(apart[0] >= 0 and apart[1] <= 0 and apart[2] <= 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("reader", choices=KINDS, help="whose settings")
    parser.add_argument("first", type=int, help="the first seed")
    parser.add_argument("last", type=int, help="the seed after the last one")
    parser.add_argument("--only", default="", metavar="PREFIX,…", help="settings whose names begin so")
    parser.add_argument("--copies", default=ORDINARY, metavar="KIND,…", help="what kinds, by turns (%(default)s)")
    parser.add_argument(
        "--probe", type=int, default=0, metavar="N", help="what costs something on so many is measured on no more"
    )
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="so many settings beside each other (%(default)s)")
    options = parser.parse_args()
    kind, first, copies, probe = options.reader, options.first, options.copies.split(","), options.probe
    seeds = range(first, options.last)
    settings = [leaf for leaf in leaves(KINDS[kind][1]()) if leaf[0].startswith(tuple(options.only.split(",")))]
    rng = np.random.default_rng(0)
    cv2.setNumThreads(1)
    with ThreadPoolExecutor(options.workers) as pool:
        making = [pool.submit(_made, kind, seed, copies[index % len(copies)]) for index, seed in enumerate(seeds)]
        _COPIES[:] = [job.result() for job in making]
        base = _apart(kind, None, 0.0, 0, None)
        if not any(isinstance(one, np.ndarray) for one in base):
            raise SystemExit("none of these copies can be read at all")
        whole = np.sum([one for one in base if isinstance(one, np.ndarray)], axis=0)
        print(f"{kind}, {len(base)} copies from {first}:", dict(zip(VERDICTS, whole.tolist(), strict=True)), flush=True)
        measuring = [(leaf, pool.submit(_without, kind, *leaf, base, probe)) for leaf in settings]
        for (path, value), job in measuring:
            found = job.result()
            said = {one: told(base[: len(counts)], counts, rng) for one, counts in found.items()}
            free = [one for one, (_, apart) in said.items() if len(found[one]) == len(base) and harmless(apart)]
            same = len(free) == len(found) and not any(apart is not None and apart.any() for _, apart in said.values())
            print(f"{path} = {value}: {'never used' if same else 'costs nothing' if free else 'needed'}")
            for one, (words_, _) in said.items():
                print(f"    {one:g}, {len(found[one])} copies: {words_}", flush=True)


def _made(kind: str, seed: int, copy: str) -> Any:
    """One copy's pictures, made in a process of its own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        return pool.submit(KINDS[kind][0].made, seed, copy).result()


def _without(kind: str, path: str, value: float, base: Sequence[Any], probe: int) -> dict[float, list[Any]]:
    """Counts with one setting at each of its extremes; of the first ``probe`` copies only, where it costs something there."""
    found: dict[float, list[Any]] = {}
    for one in extremes(value):
        found[one] = _apart(kind, path, one, 0, probe or None)
        if 0 < probe < len(base) and harmless(told(base[:probe], found[one], np.random.default_rng(0))[1]):
            found[one] += _apart(kind, path, one, probe, None)
    return found


if __name__ == "__main__":
    main()

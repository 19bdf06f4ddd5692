"""Films of hands over a table of a dense board while something may be pointed at, and what pointing makes of them.

``python pointing_films.py 200 0`` judges 200 films of fingers that point and 200 of hands that do not, from seed 0 on. Looks
from seed 5000 on (``APART``: papers, skins, gloves and sleeves) were never used for tuning.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

import cv2
import hands
import numpy as np
from hands import Hand, Look, Picture
from surfaces import shoot
from whitechapel_table import BOARD, PIECES, put, shot, table

from companion.calibration.training.stickers_composed import Shot, pose
from companion.games.letters_from_whitechapel.table import is_crossing, laid_of
from companion.vision.camera import Registration
from companion.vision.pointing import Holding, PointerLook, held
from companion.vision.pointing.finder import PointerFinder
from companion.vision.watching.motion import MotionGate
from companion.vision.watching.settings import WatchSettings

RATE = 10.0
"""Pictures a second; a slow camera makes it harder."""
APART = 5000
"""Seeds from here on have looks that are kept apart for judging."""
SETTINGS = WatchSettings()
TILTS = (5.0, 15.0, 25.0, 35.0, 45.0)
SIZES = ((1920, 1080), (1920, 1080), (2560, 1440), (1600, 900))
OTHERS = ("passing", "halting", "pinch", "two", "flat", "fist", "elsewhere", "between", "leaning")
"""What hands do that do not point."""


@dataclass(frozen=True, eq=False)
class Scene:
    """A table with nothing over it, as one camera sees it."""

    shot: Shot
    pose: Registration
    bare: Picture
    finder: PointerFinder
    noise: float


@lru_cache(maxsize=1)
def scene(seed: int) -> Scene:
    """The table of one copy: some position of a game, some camera."""
    rng = np.random.default_rng([seed, 11])
    camera = shot(SIZES[int(rng.integers(len(SIZES)))], float(rng.choice(TILTS)))
    warm = tuple(float(v) for v in rng.uniform(0.85, 1.12, 3))
    lit = Shot(
        **{
            **camera.__dict__,
            "exposure": rng.uniform(0.55, 1.1),
            "tint": warm,
            "slope": tuple(rng.uniform(-0.3, 0.3, 2)),
            "noise": 0.0,
        }
    )
    where = pose(BOARD, lit)
    pieces = put(laid_of(table(seed % 40)), lit, rng)
    bare = shoot(BOARD, PIECES, pieces, lit, seed, hands.art(BOARD, seed, apart=seed >= APART))
    gate = MotionGate(lit.size, BOARD)
    gate.aim(where)
    finder = PointerFinder(gate, BOARD, SETTINGS)
    noise = float(rng.uniform(1.0, 4.0))
    finder.keep(hands.noisy(bare, hands.grain(lit.size, rng, noise)), where)
    return Scene(lit, where, bare, finder, noise)


def reach(rng: np.random.Generator) -> tuple[str, list[str]]:
    """A crossing and the circles next to it."""
    while True:
        crossing = str(rng.choice([cell for cell in BOARD.cells if is_crossing(cell)]))
        near = [cell for cell in BOARD.links[crossing].values() if not is_crossing(cell)]
        if near:
            return crossing, sorted(near)[:4]


@dataclass(frozen=True)
class Act:
    """Pictures of a hand, each as (seconds after the one before, hand or None)."""

    steps: tuple[tuple[float, Hand | None], ...]
    meant: str = ""


def pointing(seed: int) -> tuple[Act, Look, list[str]]:
    """A finger comes in, rests on one asked circle and goes."""
    rng = np.random.default_rng([seed, 1])
    look, (_, asked) = Look.drawn(rng, apart=seed >= APART), reach(rng)
    meant = str(rng.choice(asked))
    at = np.array(BOARD.mm(meant)) + rng.normal(0, 1.3, 2)
    return Act(_held(at, look, rng, rng.uniform(1.4, 1.8)), meant), look, asked


def other(seed: int, kind: str) -> tuple[Act, Look, list[str]]:
    """A hand that points at none of the asked circles."""
    rng = np.random.default_rng([seed, 2])
    look, (crossing, asked) = Look.drawn(rng, apart=seed >= APART), reach(rng)
    spot = str(rng.choice(asked))
    at, turn = np.array(BOARD.mm(spot)), float(rng.uniform(0, 2 * np.pi))
    jitter = [tuple(at + rng.normal(0, 0.3, 2)) for _ in range(4)]
    if kind == "passing":
        way = np.linspace(-90, 90, 16)[:, None] * np.array([np.cos(turn + 1.4), np.sin(turn + 1.4)])
        steps = [hands.hand(tuple(at + off), turn, look, raised=8, slope=0.5) for off in way]
        return Act(tuple((1 / RATE, one) for one in steps)), look, asked
    if kind == "halting":
        return Act(_held(at, look, rng, rng.uniform(0.3, 0.75))), look, asked
    if kind == "elsewhere":
        free = [cell for cell in BOARD.cells if not is_crossing(cell) and cell not in asked]
        nearest = min(free, key=lambda cell: float(np.hypot(*(np.array(BOARD.mm(cell)) - at))))
        return Act(_held(np.array(BOARD.mm(nearest)) + rng.normal(0, 1.0, 2), look, rng, 1.5)), look, asked
    if kind == "between":
        rest = [cell for cell in BOARD.cells if not is_crossing(cell) and cell != spot]
        nearest = min(rest, key=lambda cell: float(np.hypot(*(np.array(BOARD.mm(cell)) - at))))
        # Its pad, not its tip, touches the middle between two.
        return Act(_held((at + BOARD.mm(nearest)) / 2, look, rng, 1.5)), look, asked
    if kind == "pinch":
        foot = np.array(BOARD.mm(crossing))
        made = [hands.pinch(tuple(foot + rng.normal(0, 0.3, 2)), turn, look) for _ in range(4)]
    elif kind == "two":
        spread = float(rng.uniform(0.0, 0.5))
        made = [hands.hand(one, turn, look, fingers=2, spread=spread, slope=0.4) for one in jitter]
    elif kind == "flat":
        made = [hands.flat_hand(one, turn, look) for one in jitter]
    elif kind == "fist":
        made = [hands.hand(one, turn, look, length=8, slope=0.5, raised=20) for one in jitter]
    else:
        # A wrist and sleeve over the asked circles, the hand somewhere behind them.
        over = at - 200 * np.array([np.cos(turn), np.sin(turn)])
        made = [hands.hand(tuple(over + rng.normal(0, 0.3, 2)), turn, look, slope=0.4) for _ in range(4)]
    far = np.array([np.cos(turn), np.sin(turn)])
    still = [made[n % 4] for n in range(round(1.6 * RATE))]
    away = [_moved(made[0], far * d) for d in (260, 150, 60)]
    return Act(tuple((1 / RATE, one) for one in (*away, *still, *reversed(away), None, None, None))), look, asked


def _moved(one: Hand, by: np.ndarray) -> Hand:
    def shift(balls: tuple[hands.Ball, ...]) -> tuple[hands.Ball, ...]:
        return tuple((x + by[0], y + by[1], h + 20, r) for x, y, h, r in balls)

    return Hand(shift(one.skin), shift(one.sleeve))


def _held(at: np.ndarray, look: Look, rng: np.random.Generator, seconds: float) -> tuple[tuple[float, Hand | None], ...]:
    turn, slope = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.2, 0.65))
    thumb, bent = float(rng.choice([0.0, 18.0, 26.0])), float(rng.normal(0, 2.5))
    far = np.array([np.cos(turn), np.sin(turn)])

    def shown(off: np.ndarray) -> Hand:
        return hands.hand(tuple(at + off), turn, look, thumb=thumb, slope=slope, bent=bent)

    made = [shown(rng.normal(0, 0.4, 2)) for _ in range(4)]
    away = [_moved(shown(np.zeros(2)), far * d + rng.normal(0, 4, 2)) for d in (280, 170, 80, 30)]
    still = [made[n % 4] for n in range(round(seconds * RATE))]
    return tuple((1 / RATE, one) for one in (*away, *still, *reversed(away), None, None, None))


def film(act: Act, look: Look, here: Scene, seed: int) -> Iterator[tuple[float, tuple[int, int], Callable[[], Picture]]]:
    """The film: seconds, which of its pictures is shown, and how that is made. It begins with the table alone. Each picture is
    shown with two draws of the sensor's noise by turns."""
    noise, now = hands.grain(here.shot.size, np.random.default_rng([seed, 3]), here.noise), 0.0
    made: dict[int, Picture] = {}

    def picture(one: Hand | None) -> Picture:
        if one is not None and id(one) not in made:
            made[id(one)] = hands.drawn(here.bare, here.pose, one, look, seed)
        return hands.noisy(here.bare if one is None else made[id(one)], noise)

    for number, (passed, one) in enumerate((*((1 / RATE, None) for _ in range(4)), *act.steps)):
        now += passed
        yield now, (id(one), number % 2), partial(picture, one)


def told(act: Act, look: Look, asked: list[str], here: Scene, seed: int) -> tuple[list[str], list[str]]:
    """Every place that was told, and what the looks found."""
    state, found, why, looks = Holding(), [], [], dict[tuple[int, int], PointerLook]()
    for now, key, made in film(act, look, here, seed):
        if key not in looks:
            looks[key] = here.finder.look(made(), tuple(asked))
        seen = looks[key]
        state, answer = held(state, tuple(asked), seen, now, SETTINGS.holding)
        found += [answer.place] if answer.place else []
        why.append(seen.place or seen.why or seen.found)
    return found, why


def judge(count: int, first: int) -> Counter[str]:
    """Films of both kinds, a copy for every eight of each."""
    counts: Counter[str] = Counter()
    for seed in range(first, first + count):
        here = scene(first + (seed - first) // 8)
        act, look, asked = pointing(seed)
        found, why = told(act, look, asked, here, seed)
        verdict = "right" if found == [act.meant] else "none" if not found else "wrong"
        counts[f"pointing {verdict}"] += 1
        counts[f"pointing at {here.shot.tilt:.0f} degrees {verdict}"] += 1
        if verdict != "right":
            print(seed, here.shot.tilt, here.shot.size, act.meant, asked, found, Counter(why).most_common(4), flush=True)
        kind = OTHERS[seed % len(OTHERS)]
        act, look, asked = other(seed, kind)
        found, why = told(act, look, asked, here, seed)
        counts[f"{kind} {'answered' if found else 'none'}"] += 1
        if found:
            print(seed, here.shot.tilt, kind, asked, found, Counter(why).most_common(4), flush=True)
        if (seed - first) % 10 == 9:
            print(seed + 1 - first, {key: number for key, number in sorted(counts.items()) if "degrees" not in key}, flush=True)
    return counts


if __name__ == "__main__":
    cv2.setNumThreads(1)
    begun = time.time()
    for key, number in sorted(judge(int(sys.argv[1]), int(sys.argv[2])).items()):
        print(f"{number:5} {key}")
    print(f"{time.time() - begun:.0f} s")

"""A long evening, speeded up: what the companion holds does not grow, game after game, with people who come and go.

``pytest -m slow -s tests/cli/test_soak.py`` prints what was held after every game; docs/measurements.md keeps the figures.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from soaked import Phone, Served, made_copy, telling
from world import arm

from companion import games
from companion.cli.bench_host import Held
from companion.host.choices import Choices

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
GAMES = int(os.environ.get("SOAK_GAMES", "10"))
"""A game of the bundled recording stands for three quarters of an hour: ten are eight hours."""
MOST_MB, MOST_THREADS = 300, 40


def wait(until: Callable[[], Any], seconds: float = 180.0) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)


def begin(served: Served, first: bool) -> None:
    """The bundled table as camera, and the game."""
    if first:
        served.wish(do="camera", kind="demo")
    served.wish(do="go", step="board")
    wait(lambda: not json.loads(served.ask("GET", "/api/lobby"))["missing"])
    served.wish(do="start")


def another(served: Served) -> None:
    """The next game at this table; meanwhile the page is away for a moment."""
    served.wish(do="new")
    time.sleep(1)
    wait(lambda: answers(served))


def answers(served: Served) -> bool:
    try:
        return bool(served.ask("GET", "/api/lobby"))
    except OSError:
        return False


def flat(held: list[Held]) -> None:
    for one in held:
        print(telling(one))
    assert max(one.threads for one in held) <= MOST_THREADS
    assert max(one.resident_mb for one in held) <= MOST_MB
    before, after = held[: len(held) // 2], held[len(held) // 2 :]
    assert max(one.files for one in after) <= max(one.files for one in before) + 3
    assert sum(o.resident_mb for o in after) / len(after) <= 1.05 * sum(o.resident_mb for o in before) / len(before)


@pytest.mark.slow
def test_eight_hours_of_games_hold_no_more_in_the_end_than_in_the_beginning(tmp_path: Path) -> None:
    held = []
    with Served(tmp_path, pace=16.0) as served, served.listening(3):
        for number in range(GAMES + 2):
            begin(served, number == 0)
            wait(lambda: served.snapshot()["number"] >= 40)
            served.visitors(40)
            time.sleep(3)
            held.append(served.held())
            another(served)
    flat(held[2:])


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ["mr-jack-london", "mr-jack-new-york"])
def test_a_taught_plain_copy_is_read_all_evening_in_the_same_memory(tmp_path: Path, game_id: str) -> None:
    """A phone's pictures of a made-up copy, taught in the lobby; one game again and again."""
    copy, shown = made_copy(game_id)
    held = []
    with Served(tmp_path, pace=1.0) as served, Phone(served) as phone, served.listening(3):
        served.wish(do="game", game=game_id, edition=games.load(game_id).editions()[0])
        served.wish(do="camera", kind="phone")
        phone.show(copy({}))
        served.wish(do="go", step="board")
        served.wish(do="mode", mode="plain")
        served.wish(do="take", picture="empty")
        phone.show(copy(shown[0]))
        served.wish(do="take", picture="start")
        served.wish(do="accept")
        served.wish(do="choices", choices=Choices(secret="entrusted").to_json())
        served.wish(do="go", step="start")
        wait(lambda: not json.loads(served.ask("GET", "/api/lobby"))["missing"])
        served.wish(do="start")
        jack = {"kind": "entrust", "character": games.load(game_id).characters[0]}
        served.ask("POST", "/api/answers", json.dumps(jack).encode())
        pictures = [copy(state) for state in shown]
        for _ in range(GAMES + 2):
            for before, after in pairwise(pictures):
                phone.show(arm(before, 0.6), arm(after, 0.5), seconds=0.6)
                phone.show(after, seconds=1.4)
            served.visitors(20)
            held.append(served.held())
    flat(held[2:])

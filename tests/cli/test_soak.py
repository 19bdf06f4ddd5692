"""A long session, speeded up: what the companion holds does not grow, game after game, with people who come and go.

``pytest -m slow -s tests/cli/test_soak.py`` prints what was held after every game; HISTORY.md keeps the figures.
"""

import http.client
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

from companion import games
from companion.calibration.training.camera_faults import arm
from companion.cli.bench_host import ProcessUsage
from companion.host.choices import Choices

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
TURNS = int(os.environ.get("SOAK_TURNS", "86"))
"""A game has eight turns in three quarters of an hour: 86 turns are eight hours."""
OF_RECORDING = 2
"""Turns in the bundled recording."""
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
    wait(lambda: between_games(served))


def between_games(served: Served) -> bool:
    """Whether the page is there and the game before is gone."""
    try:
        return not json.loads(served.ask("GET", "/api/lobby"))["playing"]
    except (OSError, http.client.HTTPException):
        return False


def looked_at(held: list[ProcessUsage], served: Served) -> None:
    """What is held now, printed while one waits."""
    held.append(served.held())
    print(len(held), telling(held[-1]), flush=True)


def flat(held: list[ProcessUsage]) -> None:
    """Within 5 % in the second half of what it was in the first, and no more threads and files."""
    assert max(one.threads for one in held) <= MOST_THREADS
    assert max(one.resident_mb for one in held) <= MOST_MB
    before, after = held[: len(held) // 2], held[len(held) // 2 :]
    assert max(one.files for one in after) <= max(one.files for one in before) + 3
    assert sum(o.resident_mb for o in after) / len(after) <= 1.05 * sum(o.resident_mb for o in before) / len(before)


@pytest.mark.slow
def test_eight_hours_of_games_hold_no_more_in_the_end_than_in_the_beginning(tmp_path: Path) -> None:
    held = []
    with Served(tmp_path, pace=16.0) as served, served.listening(3):
        for number in range(TURNS // OF_RECORDING + 2):
            begin(served, number == 0)
            wait(lambda: (served.snapshot()["turn"] or 0) > OF_RECORDING)
            served.visitors(40)
            time.sleep(3)
            looked_at(held, served)
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
        pictures = [copy(state) for state in shown]  # the plays of one turn, and back
        for _ in range(TURNS + 2):
            for before, after in pairwise(pictures):
                phone.show(arm(before, 0.6), arm(after, 0.5), seconds=0.6)
                phone.show(after, seconds=1.4)
            served.visitors(20)
            looked_at(held, served)
    flat(held[2:])

"""Composed tables of Mr. Jack in New York: random legal positions from the game itself, cameras, lights, a supply."""

from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from companion.calibration.training.stickers_composed import Scene, Shot, State
from companion.games.mr_jack.deduction import movers
from companion.games.mr_jack_new_york.game import GAME

BOARD, PIECES = GAME.board(GAME.editions()[0]), GAME.pieces()
EMPTY: State = {}
CAMERAS = (
    Shot(tilt=0, px_per_mm=1.9),
    Shot(tilt=20, azimuth=180, px_per_mm=1.85, blur=0.8),
    Shot(tilt=35, azimuth=8, px_per_mm=1.75),
    Shot(tilt=28, azimuth=-12, px_per_mm=1.6, exposure=0.3, noise=4.0, tint=(0.65, 0.85, 1.1)),
    Shot(tilt=15, px_per_mm=1.3, size=(1280, 720), noise=3.0, blur=0.5, slope=(-0.4, 0.25)),
    Shot(tilt=45, azimuth=4, px_per_mm=2.4, size=(2560, 1440), exposure=1.25, tint=(1.1, 1.0, 0.8)),
)
"""Straight and slanting, from Jack's side, dim and warm, a small picture with slanting light, a large one far aslant."""


def wander(rng: np.random.Generator, picks: int) -> list[Any]:
    """The positions of a game played at random: the start, then one after each pick (calls and ends of turns in between)."""
    position = replace(GAME.start(), available=None, played=None)
    told = [position]
    left: list[str] = []
    for _ in range(picks):
        if not left:
            if len(told) > 1:
                position = GAME.close_turn(replace(GAME.call(position, bool(rng.integers(2))), available=None, played=None))
                position = replace(position, available=None, played=None)
            left = [str(name) for name in rng.permutation(GAME.characters)[: len(movers(position.turn))]]
        name = left.pop()
        found = [play for play in islice(GAME.plays(position, name), 4000) if play.ends is None]
        if found:
            position = replace(found[int(rng.integers(len(found)))].position, available=None, played=None)
        told.append(position)
    return told


def supply(state: State, rng: np.random.Generator) -> tuple[tuple[str, str | None, tuple[float, float]], ...]:
    """Some of the tiles that are not on the board, lying beside it with either side up."""
    left = {piece.id: piece for piece in PIECES.in_group("tiles")}
    for label in sorted(state["tiles"].values(), key="park".__eq__):
        left.pop(next(name for name in reversed(left) if label in left[name].faces))
    some = list(left)[: int(rng.integers(0, 6))]
    return tuple((name, str(rng.choice(left[name].faces)), (90.0 + 46.0 * i, -34.0)) for i, name in enumerate(some))


def table(state: State, art: int, jitter: int, **more: Any) -> Scene:
    """A scene of this game with a part of the supply beside the board."""
    beside = supply(state, np.random.default_rng(jitter)) if state.get("tiles") else ()
    return Scene(BOARD, PIECES, state, art=art, jitter=jitter, beside=beside, **more)

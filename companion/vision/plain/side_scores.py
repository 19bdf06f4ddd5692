"""From measures to probabilities: a conditional logit over bare print, every taught side, and something else.

One set of weights a situation: a place wholly in sight (``open``), the same while a strip may lie there (``wary``), one that a
disc may stand on, or where none of these pieces belongs (``doubtful``), one under a disc or a strip (``covered``), the lone
piece (``lone``; whether one of the other flat pieces is there counts as well), two cells that may bear a strip (``strip``).
They were fitted on made-up copies only (``calibration/training/fit_new_york.py``) and lie in ``sides.json`` beside this file.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.evidence import BARE, REJECT
from companion.vision.plain.model import softmax

Array = NDArray[np.float64]
STRIP = ("one", "alike", "changed", "gap", "bare", "lead")
"""Of two cells that may bear a strip: how like the taught one, how much its least changed parts changed, how far off in colour,
how like the bare print; and by how much the next best strip over one of its cells is less like."""


@dataclass(frozen=True, eq=False)
class Weights:
    """What each measure weighs for bare print, for a taught side, and for something else (one, a disc is presumed, a
    side was never shown)."""

    bare: Array
    side: Array
    other: Array

    def scores(self, bare: Array, sides: Array, disc: bool, untaught: bool) -> Array:
        """Scores of bare print, something else, then every side."""
        other = np.array([1.0, float(disc), float(untaught)])
        return np.concatenate([[bare @ self.bare, other @ self.other], sides @ self.side])


@cache
def _shipped() -> Mapping[str, Any]:
    text = (resources.files("companion.vision.plain") / "sides.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


@cache
def shipped(name: str) -> Weights:
    """The fitted weights of one situation."""
    entry = _shipped()[name]
    return Weights(*(np.array(entry[part], np.float64) for part in ("bare", "side", "other")))


def posteriors(
    weights: Weights,
    bare: Array,
    sides: Array,
    names: Sequence[str],
    disc: bool = False,
    before: str | None = None,
    stay: float = 0.5,
    untaught: bool = False,
) -> dict[str, float]:
    """Probability of bare print, something else, and each named side. What was there ``before`` (a side, or bare) is there
    still with probability ``stay``, as far as nothing has been seen. ``untaught``: there are sides that were never shown."""
    scores = weights.scores(bare, sides, disc, untaught)
    every = (BARE, REJECT, *names)
    if before in every:
        scores[every.index(before)] += np.log(stay / (1 - stay))
    return dict(zip(every, map(float, softmax(scores)), strict=True))


def surest(told: Mapping[str, float], bare: float, side: float) -> tuple[str, float] | None:
    """What is there for sure, and how surely; None where that cannot be told: bare print less surely than ``bare``, or one of
    the sides than ``side``."""
    name, value = max(told.items(), key=lambda item: item[1], default=(REJECT, 0.0))
    return (name, value) if value >= (bare if name == BARE else side) and name != REJECT else None


def among_others(bare: Array, told: Mapping[str, float]) -> Array:
    """The measures of a place of the lone piece: those of bare print, and the log odds that ``told`` gives the other pieces."""
    some = sum(value for name, value in told.items() if name not in (BARE, REJECT))
    odds = np.log(max(some, 1e-12) / max(1 - some, 1e-12))
    return np.append(bare, np.clip(odds, -MOST_ODDS, MOST_ODDS))


MOST_ODDS = 9.0
"""6..12 log odds beyond which it is not believed that another piece is there, or none."""


def strip_measures(alike: float, changed: float, gap: float, bare: float, rival: float) -> list[float]:
    """What is weighed of two cells (see ``STRIP``); ``rival`` is how like another strip over one of them is."""
    return [1.0, float(np.arctanh(np.clip(alike, -0.5, 0.98))), changed, gap, bare, alike - max(rival, RIVAL)]


def strip_odds(alike: float, changed: float, gap: float, bare: float, rival: float) -> float:
    """Log odds that a strip lies over two cells."""
    return float(np.array(strip_measures(alike, changed, gap, bare, rival)) @ _shipped()["strip"])


RIVAL = 0.35
"""A correlation that any two cells have with a taught strip by chance."""


def strips_at(odds: Mapping[tuple[str, ...], float], count: int, missing: float) -> dict[tuple[str, ...], float]:
    """Probability of a strip over each tuple of cells: ``count`` of them exist, no two share a cell, and each that lies nowhere
    weighs ``missing``. ``odds`` are log odds."""
    likely = sorted(odds, key=lambda cells: -odds[cells])[:MOST]
    total, at = 0.0, dict.fromkeys(odds, 0.0)
    for number in range(count + 1):
        for chosen in combinations(likely, number):
            cells = [cell for spot in chosen for cell in spot]
            if len(set(cells)) < len(cells):
                continue
            weight = float(np.exp(min(sum(odds[spot] for spot in chosen), 600.0))) * missing ** (count - number)
            total += weight
            for spot in chosen:
                at[spot] += weight
    return {spot: value / total for spot, value in at.items()}


MOST = 24
"""12..40 of the likeliest places of strips that are weighed against one another; the others hardly count."""

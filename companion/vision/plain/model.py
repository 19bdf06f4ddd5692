"""A tiny network that turns features into probabilities over hypotheses.

Every hypothesis about a place (bare; something that is none of our pieces; piece k with face f) gets one score from the
same small network, fed with what is known of the place and how well that hypothesis fits; a softmax over the
hypotheses gives their probabilities. The weights were fitted on made-up copies only (``calibration/training/fit_scorers.py``).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scorer:
    """One hidden layer: score = v · tanh(W x + b) + u · x; ``temperature`` > 1 flattens over-sure answers."""

    hidden: Array
    bias: Array
    out: Array
    skip: Array
    mean: Array
    scale: Array
    temperature: float = 1.0

    def scores(self, features: Array) -> Array:
        """Scores (…) of hypotheses with features (… ×F)."""
        x = (features - self.mean) / self.scale
        return np.asarray((np.tanh(x @ self.hidden + self.bias) @ self.out + x @ self.skip) / self.temperature, np.float64)

    def probabilities(self, features: Array) -> Array:
        """Softmax over the last but one axis of features (… ×H×F)."""
        scores = self.scores(features)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return np.asarray(scores / scores.sum(axis=-1, keepdims=True), np.float64)

    def as_json(self) -> dict[str, Any]:
        """Plain numbers, rounded to five figures."""
        return {
            name: np.vectorize(lambda v: float(f"{v:.5g}"))(getattr(self, name)).tolist()
            for name in ("hidden", "bias", "out", "skip", "mean", "scale")
        } | {"temperature": self.temperature}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Scorer":
        """The inverse of :meth:`as_json`."""
        arrays = {name: np.array(data[name], np.float64) for name in ("hidden", "bias", "out", "skip", "mean", "scale")}
        return cls(**arrays, temperature=float(data["temperature"]))


def hypotheses(common: Array, pair: Array, kinds: Array) -> Array:
    """Feature rows of all hypotheses of one place: bare, alien, then one per row of ``pair``, of the kind in ``kinds``.

    Layout of a row: one-hot kind (bare, alien, kind 0, kind 1), common features, pair features times kind 0 or 1 in
    separate columns (a coloured and a white face are judged by different marks).
    """
    k, c = pair.shape[1], len(common)
    width = 4 + 4 * c + 2 * k
    rows = np.zeros((2 + len(pair), width))
    rows[0, 0] = rows[1, 1] = 1
    rows[0, 4 : 4 + c] = common
    rows[1, 4 + c : 4 + 2 * c] = common
    for index, kind in enumerate(kinds.astype(int)):
        row = rows[2 + index]
        row[2 + kind] = 1
        row[4 + (2 + kind) * c : 4 + (3 + kind) * c] = common
        row[4 + 4 * c + kind * k : 4 + 4 * c + (kind + 1) * k] = pair[index]
    return rows


@dataclass(frozen=True, eq=False)
class Blend:
    """The weight of each classifier's output, in the order of ``BLEND``."""

    weights: Array

    def discs(self, scores: Array, pair: Array) -> Array:
        """Probabilities of bare, strange, then every piece and face, from the scorer's scores (H) and the portrait network's
        log-likelihood ratios (T×2)."""
        return softmax(disc_rows(scores, pair) @ self.weights)

    def flats(self, place: Array, which: Array | None, count: int, below: Array | None = None) -> Array:
        """Probabilities of bare, strange, then every one of ``count`` taught pieces, from the place network's
        log-probabilities (bare, piece, strange), what speaks for each of them (``tile_rows``), if that was asked, and under a
        disc those of the network for such places.

        First whether a piece lies there, then which: the print below may show the same drawing as a tile.
        """
        bare, strange, piece = softmax(place_rows(place, below) @ self.weights)
        each = np.full(count, 1 / count) if which is None else softmax(which @ self.weights)
        return np.concatenate([[bare, strange], piece * each])

    def ways(self, scores: Array) -> Array:
        """Probabilities of every way a piece may look (D), from the network's scores."""
        return softmax(way_rows(scores) @ self.weights)


BLEND = ("score", "pair", "place", "alien", "piece", "second face", "mark", "number")
"""The scorer's score, a pair network's log-likelihood ratio, the place network's log-probability, whether the hypothesis is
something strange, one of our pieces, a piece's second face, the score of the network that compares tiles' numbers, and the
log-probability of the one that reads them."""

MARK, NUMBER = BLEND.index("mark"), BLEND.index("number")


def disc_rows(scores: Array, pair: Array) -> Array:
    """What a blend weighs of a cell's hypotheses (H×8)."""
    rows = np.zeros((len(scores), len(BLEND)))
    rows[:, 0] = np.clip(scores - scores.max(), -SURE, 0)
    rows[2:, 1] = np.clip(pair.reshape(-1), -SURE, SURE)
    rows[1, 3] = 1
    rows[2:, 4] = 1
    rows[2:, 5] = np.tile([0.0, 1.0], len(pair))
    return rows


def place_rows(place: Array, below: Array | None = None) -> Array:
    """What a blend weighs of bare print, something strange, a piece (3×8): the place network's log-probabilities, and those of
    the network for places of which only the edge is in sight, as a pair network's."""
    rows = np.zeros((3, len(BLEND)))
    rows[:, 2] = np.clip([place[0], place[2], place[1]], -SURE, 0)
    if below is not None:
        rows[:, 1] = np.clip([below[0], below[2], below[1]], -SURE, 0)
    rows[1, 3] = rows[2, 4] = 1
    return rows


def tile_rows(scores: Array, pair: Array, marks: Array, telling: Array, numbers: Array | None = None) -> Array:
    """What a blend weighs of the taught pieces (P×8), given that one of them lies there: the scorer's scores (bare, alien,
    then P), the tile network's ratios (P), the mark network's scores (P) and how far those can be trusted to tell every two
    of them apart (P×P, 0..1), and the log-probabilities (P) of their numbers as figures, as far as those can be trusted."""
    rows = np.zeros((pair.size, len(BLEND)))
    rows[:, 0] = np.clip(scores[2:] - scores[2:].max(), -SURE, 0)
    rows[:, 1] = np.clip(pair.reshape(-1), -SURE, SURE)
    rows[:, MARK] = np.clip(marks - marks.max(), -UNLIKE, 0) * telling[int(marks.argmax())]
    if numbers is not None:
        rows[:, NUMBER] = np.clip(numbers - numbers.max(), -UNLIKE, 0)
    return rows


def way_rows(scores: Array) -> Array:
    """What a blend weighs of the ways a piece may look (D×8): the network's scores (D)."""
    rows = np.zeros((scores.size, len(BLEND)))
    rows[:, 1] = np.clip(scores - scores.max(), -SURE, 0)
    return rows


def softmax(scores: Array) -> Array:
    """Probabilities from scores."""
    values = np.exp(scores - scores.max())
    return np.asarray(values / values.sum(), np.float64)


def weighed(chance: float, weight: float) -> float:
    """A probability with its log odds multiplied by a weight."""
    held = min(max(chance, 1e-12), 1 - 1e-12)
    return float(1 / (1 + ((1 - held) / held) ** weight))


SURE = 15.0
"""5..20: log-ratios of a classifier are clipped there."""

UNLIKE = 8.0
"""4..15: a mark that fits worse than the best by more than this is simply another one."""


@cache
def _shipped() -> dict[str, Any]:
    text = (resources.files("companion.vision.plain") / "weights.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


@cache
def shipped() -> Mapping[str, Scorer]:
    """The fitted scorers that come with the companion, by name."""
    return {name: Scorer.from_json(entry) for name, entry in _shipped()["scorers"].items()}


@cache
def shipped_blends() -> Mapping[str, Blend]:
    """The fitted blends that come with the companion, by scorer's name."""
    return {name: Blend(np.array(weights, np.float64)) for name, weights in _shipped().get("blends", {}).items()}

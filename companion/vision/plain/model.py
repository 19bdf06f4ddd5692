"""A tiny network that turns features into probabilities over hypotheses.

Every hypothesis about a place (bare; something that is none of our pieces; piece k with face f) gets one score from the
same small network, fed with what is known of the place and how well that hypothesis fits; a softmax over the
hypotheses gives their probabilities. The weights were fitted on made-up copies only (``tests/vision/plain_fit.py``).
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


@cache
def shipped() -> Mapping[str, Scorer]:
    """The fitted scorers that come with the companion, by name."""
    text = (resources.files("companion.vision.plain") / "weights.json").read_text(encoding="utf-8")
    return {name: Scorer.from_json(entry) for name, entry in json.loads(text)["scorers"].items()}

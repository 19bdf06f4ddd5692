"""A fitted logistic regression over standardised measures, as the training writes it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class LogisticFit:
    """``mean``, ``scale`` and ``weights`` (F) of measures, and an offset."""

    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    weights: NDArray[np.float64]
    offset: float
    most: float = np.inf
    """Units of its scale that a measure counts at most."""

    def log_odds(self, measures: NDArray[np.float64]) -> float:
        """Of one row of measures (F)."""
        return float(np.clip((measures - self.mean) / self.scale, -self.most, self.most) @ self.weights + self.offset)


@cache
def shipped(name: str, features: Sequence[str], most: float = np.inf) -> LogisticFit:
    """The fit in a file beside this one. Raises AssertionError where it was fitted on other measures."""
    data = json.loads(Path(__file__).with_name(name).read_text("utf-8"))
    if tuple(data["features"]) != tuple(features):
        raise AssertionError(f"{name} was fitted on {data['features']}, not on {features}")
    mean, scale, weights = (np.array(data[key], np.float64) for key in ("mean", "scale", "weights"))
    return LogisticFit(mean, scale, weights, float(data["offset"]), most)

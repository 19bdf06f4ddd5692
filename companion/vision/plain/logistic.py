"""Fitted logistic regressions of one or two measures, as the training writes them."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FIRST, WHICH = "first_side", "which_side"
"""From the network's ratio of a first side to log odds that it shows; from the difference of both taught sides' ratios and the
log odds of the first of them by all that is seen of a disc to log odds of it (``calibration/training/fit_sides.py``)."""


@dataclass(frozen=True, slots=True)
class LogisticFit:
    """Log odds by measures."""

    weights: tuple[float, ...]
    offset: float

    def log_odds(self, *measures: float) -> float:
        """Natural logarithm; as many measures as weights."""
        return sum(weight * measure for weight, measure in zip(self.weights, measures, strict=True)) + self.offset


@cache
def shipped(name: str) -> LogisticFit:
    """The fit in a file beside this one."""
    told = json.loads((Path(__file__).with_name(f"{name}.json")).read_text("utf-8"))
    return LogisticFit(tuple(told["weights"]), told["offset"])

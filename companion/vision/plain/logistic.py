"""Fitted logistic regressions of one measure, as the training writes them."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FIRST, WHICH = "first_side", "which_side"
"""From the network's ratio of a first side to log odds that it shows; from the difference of both taught sides' ratios to log
odds of the first of them (``calibration/training/fit_sides.py``)."""


@dataclass(frozen=True, slots=True)
class LogisticFit:
    """Log odds by one measure."""

    weight: float
    offset: float

    def log_odds(self, measure: float) -> float:
        """Natural logarithm."""
        return self.weight * measure + self.offset


@cache
def shipped(name: str) -> LogisticFit:
    """The fit in a file beside this one."""
    return LogisticFit(**json.loads((Path(__file__).with_name(f"{name}.json")).read_text("utf-8")))

"""JSON as far as an answer can need it: what would make Python stumble later is unreadable at once."""

import json
import math
from typing import Any, NoReturn

from flask.json.provider import DefaultJSONProvider

_DIGITS = 15
"""Digits of a whole number that every reader of JSON keeps exactly (RFC 8259, 6)."""


class StrictJson(DefaultJSONProvider):
    """Refuses what is nested beyond the stack, numbers that are none (``NaN``, ``1e999``), whole numbers beyond 15 digits."""

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """The value. Raises ValueError."""
        try:
            return json.loads(s, parse_int=_whole, parse_float=_finite, parse_constant=_none, **kwargs)
        except RecursionError as error:
            raise ValueError("nested too deeply") from error


def _whole(digits: str) -> int:
    if len(digits.lstrip("-")) > _DIGITS:
        raise ValueError("a whole number has too many digits")
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def _none(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")

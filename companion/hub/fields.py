"""Parts of a JSON object that came over a network: read one by one, bounded, and refused by name."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from companion.errors import BadInput, quoted

Json = Mapping[str, Any]
T = TypeVar("T")
MOST_WHOLE = 10**15
"""Whole numbers below it are kept exactly by every reader of JSON (RFC 8259, 6)."""


def obj(data: Any, what: str) -> Json:
    """``data`` if it is a JSON object. Raises BadInput."""
    if not isinstance(data, Mapping):
        raise BadInput(f"{what}: a JSON object is expected, not {type(data).__name__}")
    return data


def text(data: Json, key: str, most: int, default: str | None = None) -> str:
    """The text at ``key`` of at most ``most`` characters without null; ``default`` where there is none. Raises BadInput."""
    value = data.get(key, default)
    if not isinstance(value, str):
        raise BadInput(f"{key}: a text is expected, not {type(value).__name__}")
    if len(value) > most:
        raise BadInput(f"{key}: has {len(value)} characters, at most {most} are allowed")
    if "\0" in value:
        raise BadInput(f"{key}: holds a null character, which no database keeps as text")
    return value


def whole(data: Json, key: str, least: int = 0, most: int = MOST_WHOLE, default: int | None = None) -> int:
    """The whole number at ``key`` within its bounds. Raises BadInput."""
    value = data.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadInput(f"{key}: {quoted(value)} is not a whole number from {least} to {most}")
    return value


def number(data: Json, key: str, default: float | None = None) -> float:
    """The finite number at ``key``. Raises BadInput."""
    value = data.get(key, default)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise BadInput(f"{key}: {quoted(value)} is not a number")
    try:
        found = float(value)
    except OverflowError:  # a whole number in JSON may have hundreds of digits
        found = math.inf
    if not math.isfinite(found):
        raise BadInput(f"{key}: {quoted(found)} is not a number")
    return found


def flag(data: Json, key: str, default: bool | None = None) -> bool:
    """True or false at ``key``. Raises BadInput."""
    value = data.get(key, default)
    if not isinstance(value, bool):
        raise BadInput(f"{key}: {quoted(value)} is neither true nor false")
    return value


def inner(data: Json, key: str, default: Json | None = None) -> Json:
    """The JSON object at ``key``. Raises BadInput."""
    return obj(data.get(key, default), key)


def rows(data: Json, key: str, read: Callable[[Any], T], most: int) -> tuple[T, ...]:
    """The list at ``key``, at most ``most`` long, each entry read by ``read``. Raises BadInput."""
    value = data.get(key, ())
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise BadInput(f"{key}: a list is expected, not {type(value).__name__}")
    if len(value) > most:
        raise BadInput(f"{key}: has {len(value)} entries, at most {most} are allowed")
    return tuple(read(one) for one in value)

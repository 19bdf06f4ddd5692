"""Pieces of a one-line notation that every game shares: a line of fields, lists with commas, numbers.

A list has commas between its items, ``-`` is an empty one.
"""

from collections.abc import Iterable


def joined(items: Iterable[str]) -> str:
    """A list as text."""
    return ",".join(items) or "-"


def items(text: str) -> list[str]:
    """A list from its text."""
    return [] if text == "-" else text.split(",")


def fields_of(line: str, count: int) -> list[str]:
    """The fields of a line of notation. Raises ValueError when there are not ``count`` of them."""
    fields = line.split()
    if len(fields) != count:
        raise ValueError(f"a position has {count} fields, this line has {len(fields)}")
    return fields


def number(text: str) -> int | str:
    """A whole number where the text is one; anything else is left for the checks to refuse."""
    return int(text) if text.isdecimal() else text

"""Chance as a pure function of a seed and of how often it was asked: shuffling, and picks from hands held face down."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from typing import TypeVar

Item = TypeVar("Item")


def _numbers(seed: int, asked: int) -> Iterator[int]:
    """Numbers of 64 bits, the same ones for the same seed and count."""
    for block in count():
        yield int.from_bytes(sha256(f"{seed}/{asked}/{block}".encode()).digest()[:8], "big")


def shuffled(items: Sequence[Item], seed: int, asked: int) -> tuple[Item, ...]:
    """The items in an order of chance (Fisher and Yates; 64 bits make the bias of the remainder negligible)."""
    mixed = list(items)
    for last, number in zip(range(len(mixed) - 1, 0, -1), _numbers(seed, asked), strict=False):
        other = number % (last + 1)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return tuple(mixed)

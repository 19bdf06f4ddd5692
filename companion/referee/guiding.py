"""The way back, one piece at a time: chores in an order in which each can be done when its turn comes."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

Json = Mapping[str, Any]


def in_order(chores: Sequence[Json], rank: Mapping[str, int] = MappingProxyType({})) -> list[Json]:
    """The same chores: first what is turned or taken away where it is, then pieces whose goal is free, one after the other.

    ``rank``, by subject: of chores that can be done as soon, those of a lower rank come first. A piece is moved before it is
    turned. Where pieces stand in each other's way all round, the first of them goes first: it waits beside its goal until that
    is free.
    """
    chores = sorted(chores, key=lambda chore: rank.get(chore["subject"], 0))
    moving = [chore for chore in chores if chore["to"] is not None and chore["to"] != chore["place"]]
    movers = {chore["subject"] for chore in moving}
    staying = [chore for chore in chores if chore not in moving]
    ordered = [chore for chore in staying if chore["subject"] not in movers]
    while moving:
        taken = {chore["place"] for chore in moving}
        free = next((chore for chore in moving if chore["to"] not in taken), moving[0])
        ordered.append(free)
        moving.remove(free)
    return [*ordered, *(chore for chore in staying if chore["subject"] in movers)]

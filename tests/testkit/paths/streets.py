"""The two ways of walking: the hider's from circle to circle, the pawns' from square to square."""

from collections.abc import Iterable
from functools import cache

from companion import boards

ID, CIRCLE, SQUARE, CLUES = "hide-and-seek", "circle", "square", "clues"
RED, BLUE = PAWNS = ("pawn-red", "pawn-blue")
MOST_STEPS = 2
"""Squares that a pawn may go in one play."""


def _in_order(sites: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(sites, key=lambda site: (len(site), site)))


@cache
def of_kind(kind: str) -> tuple[str, ...]:
    """The circles (numbers) or the squares (letters), in order."""
    return _in_order(boards.load(ID).of_kind(kind))


@cache
def beside(site: str | None) -> tuple[str, ...]:
    """The sites that are linked to one, in order; none where it is None."""
    return () if site is None else _in_order(boards.load(ID).beside[site])


def walk(start: str, taken: Iterable[str | None]) -> dict[str, tuple[str, ...]]:
    """Every square within reach of a pawn over squares that are not taken, with the way there, both ends included."""
    found: dict[str, tuple[str, ...]] = {start: (start,)}
    edge = [start]
    for _ in range(MOST_STEPS):
        steps = [(here, between, far) for here in edge for between in beside(here) for far in beside(between)]
        edge = []
        for here, between, far in steps:
            if far not in found and far not in taken:
                found[far] = (*found[here], between, far)
                edge.append(far)
    return found


def ways_on(place: str, pawns: Iterable[str | None]) -> tuple[str, ...]:
    """The circles to which the hider may go: one street further, across a square on which no pawn stands."""
    open_ones = [square for square in beside(place) if square not in pawns]
    return tuple(site for site in of_kind(CIRCLE) if site != place and any(site in beside(square) for square in open_ones))

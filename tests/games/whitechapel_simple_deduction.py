"""Deduction by listing: every row that fits a night's events, one circle after the other, for each hideout by itself."""

from collections.abc import Iterator
from typing import Any

import whitechapel_brute_force as simple

ALL = range(1, 196)


def deduce(nights: list[list[list[Any]]], arrival: str, hideouts: set[int] | None = None) -> tuple[set[int], set[int]]:
    """(places, hideouts) by trying every hideout with every row."""
    homes = set(ALL) - simple.RED if hideouts is None else hideouts
    places: set[int] = set()
    for events in nights:
        found = [(home, row[-1]) for row, walked in rows(events) for home in _fitting(events, row, walked, homes, arrival)]
        homes = {home for home, _ in found}
        places = {place for _, place in found} if events else set()
    return places, homes


def _fitting(events: list[list[Any]], row: list[int], walked: list[int], homes: set[int], arrival: str) -> set[int]:
    if ["home"] in events:
        homes = homes & {row[-1]}
        walked = walked[:-1]
    return homes - set(walked) if arrival == "must" else homes


def rows(events: list[list[Any]]) -> Iterator[tuple[list[int], list[int]]]:
    """(row, circles its walks ended on) of every row that fits the answers."""
    if not events:
        return
    scenes = events[0][1]
    for last in scenes:
        start = [scene for scene in scenes if scene != last] + [last]
        yield from _longer(events[1:], start, [])


def _longer(events: list[list[Any]], row: list[int], walked: list[int]) -> Iterator[tuple[list[int], list[int]]]:
    """Takes in the answers up to the next move, then tries each move. An answer yet to come cannot be foreseen here."""
    for number, event in enumerate(events):
        kind = event[0]
        if kind == "search" and (event[1] in row) != event[2]:
            return
        if kind == "arrest" and row[-1] == event[1]:
            return
        rest = events[number + 1 :]
        if kind == "walk":
            for to in simple.walk(row[-1], frozenset(event[1])):
                yield from _longer(rest, [*row, to], [*walked, to])
            return
        if kind == "coach":
            for middle in simple.walk(row[-1]):
                for end in simple.walk(middle):
                    if end != row[-1]:
                        yield from _longer(rest, [*row, middle, end], walked)
            return
        if kind == "alley":
            for to in simple.alley(row[-1]):
                yield from _longer(rest, [*row, to], walked)
            return
    yield row, walked


State = tuple[int, frozenset[int]]
"""Where Jack is, and which of the clues he has written."""


def ends(events: list[list[Any]], home: int | None = None) -> set[int]:
    """Where Jack may be after a whole night, by sets of states; with a hideout, by rows whose unannounced walks do not end
    there."""
    missed, due = _asked(events)
    scenes = events[0][1]
    if any(missed.get(scene, -1) >= 0 for scene in scenes):
        return set()
    states = {(scene, frozenset(due.keys() & set(scenes))) for scene in scenes}
    layer = 0
    for number, event in enumerate(events):
        kind = event[0]
        layer += SPACES.get(kind, 0)
        if kind in SPACES:
            shut = {circle for circle, last in missed.items() if last >= layer}
            if kind == "walk" and events[number + 1 :] != [["home"]] and home:
                shut.add(home)
            middles = {circle for circle, last in missed.items() if last >= layer - 1}
            states = {
                (by[-1], seen | (set(by) & due.keys()))
                for place, seen in states
                for by in _moves(event, place)
                if by[-1] not in shut and by[0] not in (middles if kind == "coach" else ())
            }
        states = {(place, seen) for place, seen in states if all(by > layer or clue in seen for clue, by in due.items())}
        if kind == "arrest":
            states = {state for state in states if state[0] != event[1]}
    return {place for place, _ in states}


SPACES = {"walk": 1, "alley": 1, "coach": 2}


def _asked(events: list[list[Any]]) -> tuple[dict[int, int], dict[int, int]]:
    """(circle -> last layer when it was asked for in vain, clue -> layer when it was found)."""
    missed: dict[int, int] = {}
    due: dict[int, int] = {}
    layer = 0
    for event in events:
        layer += SPACES.get(event[0], 0)
        if event[0] == "search" and event[2]:
            due.setdefault(event[1], layer)
        elif event[0] == "search":
            missed[event[1]] = layer
    return missed, due


def _moves(event: list[Any], place: int) -> Iterator[tuple[int, ...]]:
    """The circles that a move of that kind writes."""
    if event[0] == "walk":
        yield from ((to,) for to in simple.walk(place, frozenset(event[1])))
    elif event[0] == "alley":
        yield from ((to,) for to in simple.alley(place))
    else:
        yield from ((middle, to) for middle in simple.walk(place) for to in simple.walk(middle) if to != place)

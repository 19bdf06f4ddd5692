"""How the Wretched move after a wait: every one that can, one circle, one after the other in an order the head chooses."""

from collections.abc import Iterator
from dataclasses import replace

from companion.games.letters_from_whitechapel.names import NIGHTS
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.streets import walks_among

Moves = tuple[tuple[int, int], ...]


def targets(position: Position, circle: int) -> tuple[int, ...]:
    """Where the Wretched on ``circle`` may go now.

    One circle along dotted lines, past no patrol token (fake ones bar while they lie there), not onto a circle joined to a
    crossing with one, not onto another Wretched, not onto any crime scene. A legal target must be taken.
    """
    patrols = position.occupied
    barred = set(position.wretched) | position.all_scenes
    streets = position.streets
    return tuple(
        to
        for to in walks_among(position.rule("edge-44") == "open", patrols)[circle]
        if to not in barred and not patrols.intersection(streets.doors[to])
    )


def rows(position: Position, after: tuple[int, ...], *, complete: bool = True) -> Iterator[Moves]:
    """Every row of moves that brings the Wretched to ``after``; with ``complete`` none is left that could and did not move.

    Rows with the same (from, to) pairs are told once.
    """
    told: set[frozenset[tuple[int, int]]] = set()
    for moves in _rows(position, after, (), frozenset(), complete):
        if frozenset(moves) not in told:
            told.add(frozenset(moves))
            yield moves


def _rows(position: Position, after: tuple[int, ...], moves: Moves, settled: frozenset[int], complete: bool) -> Iterator[Moves]:
    """``settled`` are circles whose Wretched had her turn."""
    waiting = [circle for circle in position.wretched if circle not in settled]
    if position.wretched == after and (not waiting or not complete):
        yield moves
    for circle in waiting:
        open_to_her = targets(position, circle)
        if not open_to_her and circle in after:
            yield from _rows(position, after, moves, settled | {circle}, complete)
        for to in open_to_her:
            if to in after:
                yield from _rows(moved(position, circle, to), after, (*moves, (circle, to)), settled | {to}, complete)


def moved(position: Position, circle: int, to: int) -> Position:
    """The position with one Wretched moved, whether or not the rules allow it."""
    others = [other for other in position.wretched if other != circle]
    return replace(position, wretched=tuple(sorted((*others, to))))


def expected(position: Position) -> int:
    """How many Wretched stand on the board now: tonight's marked tokens less the dead."""
    night = NIGHTS[position.night]
    return night.marked - (night.victims if position.murder_done else 0)

"""The board, positions, and the two ways of walking: the hider's from circle to circle, the pawns' from square to square."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from companion import boards
from companion.boards import Board
from companion.errors import InvalidPosition

ID, EDITION, CIRCLE, SQUARE, CLUE = "hide-and-seek", "one", "circle", "square", "clue"
RED, BLUE = PAWNS = ("pawn-red", "pawn-blue")
MOST_STEPS = 2
"""Squares that a pawn may go in one play."""


@dataclass(frozen=True)
class Position:
    """Where both pawns stand (None: off the board), the circles with a clue, the round."""

    pawns: tuple[str | None, ...]
    clues: tuple[str, ...] = ()
    turn: int = 1
    edition: str = EDITION

    def at(self, pawn: str) -> str | None:
        return self.pawns[PAWNS.index(pawn)]

    def moved(self, pawn: str, to: str) -> "Position":
        return replace(self, pawns=tuple(to if name == pawn else site for name, site in zip(PAWNS, self.pawns, strict=True)))

    def to_json(self) -> dict[str, Any]:
        pawns = {name: {"hex": site} for name, site in zip(PAWNS, self.pawns, strict=True)}
        return {
            "game": ID,
            "edition": self.edition,
            "pawns": pawns,
            "clues": dict.fromkeys(self.clues, CLUE),
            "turn": self.turn,
        }

    def notation(self) -> str:
        return f"{'/'.join(site or '-' for site in self.pawns)} {'/'.join(self.clues) or '-'} {self.turn}"


def board() -> Board:
    return boards.load(ID, EDITION)


@cache
def of_kind(kind: str) -> tuple[str, ...]:
    """The circles (numbers) or the squares (letters), in order."""
    return tuple(sorted(board().of_kind(kind), key=lambda site: (len(site), site)))


@cache
def beside(site: str) -> tuple[str, ...]:
    return tuple(sorted(board().beside[site], key=lambda site: (len(site), site)))


def position(given: Mapping[str, Any], *, tolerant: bool) -> Position:
    """A position from its JSON; ``tolerant`` takes what hands can do. Raises InvalidPosition with every fault."""
    red, blue = (given.get("pawns", {}).get(name, {}).get("hex") for name in PAWNS)
    clues, turn = tuple(sorted(given.get("clues", {}))), given.get("turn", 1)
    faults = [f"{site!r} is no site" for site in (red, blue, *clues) if site is not None and site not in board().cells]
    if not faults and not tolerant:
        faults += [f"a pawn stands on {site}, no square" for site in (red, blue) if site not in of_kind(SQUARE)]
        faults += [f"both pawns stand on {red}"] if red == blue else []
        faults += [f"a clue lies on {site}, no circle" for site in clues if site not in of_kind(CIRCLE)]
    if faults:
        raise InvalidPosition(faults)
    return Position((red, blue), clues, turn)


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

"""The board, positions, and the two ways of walking: the hider's from circle to circle, the pawns' from square to square."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from companion.boards import Board, PieceSet, board_from_json, pieces_from_json
from companion.errors import InvalidPosition

ID, EDITION = "hide-and-seek", "one"
RED, BLUE = "pawn-red", "pawn-blue"
PAWNS = (RED, BLUE)
CIRCLE, SQUARE = "circle", "square"
MOST_STEPS = 2
"""Squares that a pawn may go in one play."""


@cache
def data() -> Any:
    """The board file."""
    return json.loads(Path(__file__).with_name("board.json").read_text(encoding="utf-8"))


@cache
def board() -> Board:
    return board_from_json(data())


@cache
def pieces() -> PieceSet:
    return pieces_from_json(data())


@cache
def beyond(site: str) -> Mapping[str, str]:
    """The sites of the same kind one street further, each with the site of the other kind that lies between."""
    ground = board()
    ways = ((far, near) for near in ground.beside[site] for far in ground.beside[near] if far != site)
    return {far: near for far, near in sorted(ways) if ground.kind(far) == ground.kind(site)}


@dataclass(frozen=True)
class Position:
    """Where both pawns stand (None: off the board), the circles with a clue, the round."""

    red: str | None
    blue: str | None
    clues: tuple[str, ...] = ()
    turn: int = 1
    edition: str = EDITION

    @property
    def pawns(self) -> Mapping[str, str | None]:
        return {RED: self.red, BLUE: self.blue}

    def with_pawn(self, pawn: str, site: str | None) -> "Position":
        held = {**self.pawns, pawn: site}
        return Position(held[RED], held[BLUE], self.clues, self.turn)

    def to_json(self) -> dict[str, Any]:
        pawns = {name: {"hex": site} for name, site in self.pawns.items()}
        return {"game": ID, "edition": self.edition, "pawns": pawns, "clues": list(self.clues), "turn": self.turn}

    def notation(self) -> str:
        return f"{self.red or '-'} {self.blue or '-'} {','.join(self.clues) or '-'} {self.turn}"


def parse(line: str) -> dict[str, Any]:
    """The JSON of a line of notation. Raises InvalidPosition."""
    parts = line.split()
    if len(parts) != 4 or not parts[3].isdigit():
        raise InvalidPosition(["a position is written as 'RED BLUE CLUE,CLUE ROUND', '-' for none"])
    red, blue, clues = (None if part == "-" else part for part in parts[:3])
    return Position(red, blue, tuple((clues or "").split(",")) if clues else (), int(parts[3])).to_json()


def position(given: Mapping[str, Any], *, tolerant: bool) -> Position:
    """A position from its JSON; ``tolerant`` takes what hands can do. Raises InvalidPosition with every fault."""
    pawns = {name: (given.get("pawns", {}).get(name) or {}).get("hex") for name in PAWNS}
    clues, turn = tuple(sorted(given.get("clues", ()))), given.get("turn", 1)
    faults = [f"{site!r} is no site" for site in (*pawns.values(), *clues) if site is not None and site not in board().cells]
    faults += [] if isinstance(turn, int) and turn >= 1 else [f"round {turn!r} is not 1 or more"]
    if not faults and not tolerant:
        faults += [f"{name} does not stand on a square" for name, site in pawns.items() if site not in board().of_kind(SQUARE)]
        faults += ["both pawns stand on one square"] if pawns[RED] == pawns[BLUE] else []
        faults += [f"a clue lies on the square {site}" for site in clues if board().kind(site) != CIRCLE]
        faults += ["two clues lie on one circle"] if len(set(clues)) < len(clues) else []
    if faults:
        raise InvalidPosition(faults)
    return Position(pawns[RED], pawns[BLUE], clues, turn)


def walk(start: str, taken: Iterable[str | None], most: int = MOST_STEPS) -> dict[str, tuple[str, ...]]:
    """Every square within so many steps of a square over squares that are not taken, with the way there, both ends included."""
    found, edge = {start: (start,)}, [start]
    for _ in range(most):
        steps = [(here, between, far) for here in edge for far, between in beyond(here).items()]
        edge = []
        for here, between, far in steps:
            if far not in found and far not in taken:
                found[far] = (*found[here], between, far)
                edge.append(far)
    return found


def ways_on(place: str, pawns: Iterable[str | None]) -> tuple[str, ...]:
    """The circles to which the hider may go: one street further, across a square on which no pawn stands."""
    ground = board()
    free = [square for square in ground.beside[place] if square not in pawns]
    return tuple(sorted({far for square in free for far in ground.beside[square] if ground.kind(far) == CIRCLE} - {place}, key=int))

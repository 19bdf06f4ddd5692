"""What each printed board means for walking and for light: tables made once per edition, looked up ever after."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from companion import boards
from companion.boards import Board
from companion.games.mr_jack_london.names import ID

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Streets:
    """One edition's network. ``on_foot[a][b]`` counts street steps from a to b without sewers; nobody blocks."""

    board: Board
    streets: frozenset[str]
    manholes: frozenset[str]
    lamp_posts: frozenset[str]
    exits: Mapping[str, str]
    neighbours: Mapping[str, tuple[str, ...]]
    street_neighbours: Mapping[str, tuple[str, ...]]
    on_foot: Mapping[str, Mapping[str, int]]
    rays: Mapping[tuple[str, str], Path]
    nearby: Mapping[str, tuple[tuple[str, int], ...]]


@cache
def streets_of(edition: str) -> Streets:
    """The tables of one edition. Raises BadInput for an edition that does not exist."""
    board = boards.load(ID, edition)
    streets = board.of_kind("street", "manhole")
    on_foot = {cell: board.distances(cell, streets) for cell in sorted(streets)}
    rays = {}
    for cell in streets:
        for direction in board.directions:
            lit = []
            for hit in board.ray(cell, direction):
                if hit not in streets:
                    break
                lit.append(hit)
            rays[cell, direction] = tuple(lit)
    return Streets(
        board=board,
        streets=streets,
        manholes=board.of_kind("manhole"),
        lamp_posts=board.of_kind("gaslight"),
        exits={place.id: place.gate for place in board.places_of("exit") if place.gate},
        neighbours={cell: tuple(board.neighbours(cell).values()) for cell in board.cells},
        street_neighbours={cell: tuple(c for c in board.neighbours(cell).values() if c in streets) for cell in board.cells},
        on_foot=on_foot,
        rays=rays,
        nearby={
            cell: tuple((other, steps) for other, steps in on_foot[cell].items() if 0 < steps <= 3) for cell in sorted(streets)
        },
    )


@lru_cache(maxsize=8192)
def reach(edition: str, start: str, covers: tuple[str, ...], limit: int, crossing: bool) -> Mapping[str, Path]:
    """Every street hex that a character on ``start`` can get to in at most ``limit`` steps, with a shortest path.

    Open manholes (all but ``covers``) are one step from each other. Characters never block. ``crossing`` lets the path
    run over any hex in play. ``start`` itself is in the answer with a path of one hex; ending there is not a move.
    """
    net = streets_of(edition)
    links = net.neighbours if crossing else net.street_neighbours
    open_manholes = net.manholes.difference(covers)
    paths: dict[str, Path] = {start: (start,)}
    queue = deque([start])
    sewers_used = False
    while queue:
        here = queue.popleft()
        path = paths[here]
        if len(path) > limit:
            continue
        onward = links[here]
        if here in open_manholes and not sewers_used:
            sewers_used = True
            onward = (*onward, *sorted(open_manholes))
        for cell in onward:
            if cell not in paths:
                paths[cell] = (*path, cell)
                queue.append(cell)
    return {cell: path for cell, path in paths.items() if cell in net.streets}


@lru_cache(maxsize=8192)
def steps_needed(edition: str, start: str, goal: str, covers: tuple[str, ...], crossing: bool) -> int | None:
    """Steps of the shortest way from start to goal for a character that is not limited; None when there is none."""
    path = reach(edition, start, covers, len(streets_of(edition).board.cells), crossing).get(goal)
    return None if path is None else len(path) - 1


def ways_out(
    edition: str, start: str, covers: tuple[str, ...], cordons: tuple[str, ...], limit: int, crossing: bool, cost: int
) -> dict[str, Path]:
    """Exits that can be left by in at most ``limit`` steps, with the path (it ends with the exit's name)."""
    net = streets_of(edition)
    inside = reach(edition, start, covers, limit, crossing)
    return {
        name: (*inside[gate], name)
        for name, gate in net.exits.items()
        if name not in cordons and gate in inside and len(inside[gate]) - 1 + cost <= limit
    }

"""What the printed board means for standing, walking and leaving, and how far a character gets on a built-up board."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from companion import boards
from companion.boards import Board
from companion.games.mr_jack_new_york.names import BUILDING, CLOUD_RIDER, ID, LAMP, STEPS, SUBWAY
from companion.games.mr_jack_new_york.position import Barricade, Position, Tile

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Streets:
    """One edition's network. ``ground`` is what can be stood on, ``apart[a][b]`` counts hexes from a to b over it."""

    board: Board
    streets: frozenset[str]
    buildings: frozenset[str]
    subways: frozenset[str]
    ports: frozenset[str]
    exits: frozenset[str]
    statue: frozenset[str]
    ground: frozenset[str]
    onward: Mapping[str, tuple[str, ...]]
    beside: Mapping[str, tuple[str, ...]]
    pairs: tuple[Barricade, ...]
    apart: Mapping[str, Mapping[str, int]]


@cache
def streets_of(edition: str) -> Streets:
    """The tables of one edition. Raises BadInput for an edition that does not exist."""
    board = boards.load(ID, edition)
    ground = board.of_kind("street", "subway", "pier", "statue")
    return Streets(
        board=board,
        streets=board.of_kind("street"),
        buildings=board.of_kind("building"),
        subways=board.of_kind("subway"),
        ports=board.of_kind("port"),
        exits=board.of_kind("exit"),
        statue=board.of_kind("statue"),
        ground=ground,
        onward={cell: tuple(board.neighbours(cell).values()) for cell in board.cells},
        beside=board.beside,
        pairs=tuple(tuple(pair.split(boards.PAIR)) for pair in board.pairs(board.of_kind("street", "subway"))),
        apart={cell: board.distances(cell, ground | board.of_kind("building")) for cell in sorted(ground)},
    )


@lru_cache(maxsize=32768)
def reach(
    edition: str,
    start: str,
    tiles: tuple[Tile, ...],
    barricades: tuple[Barricade, ...],
    on_foot: bool,
    flying: bool,
    limit: int = STEPS,
) -> Mapping[str, tuple[int, Path]]:
    """Every hex that can be got to in ``limit`` steps, with the steps and a shortest path; ``start`` at 0.

    Lamps, buildings and barricades are in the way, characters never. Open subways are one step from each other unless
    ``on_foot``. ``flying`` (Cloud Rider) runs over buildings without counting them; they are in the answer, because ways
    out may begin there, and nobody may stop on them.
    """
    net = streets_of(edition)
    built = dict(tiles)
    covered = {cell for pair in barricades for cell in pair}
    houses = net.buildings.union(cell for cell, label in tiles if label == BUILDING) if flying else frozenset()
    walls = {cell for cell, label in tiles if label in (LAMP, BUILDING)} | covered
    trains = {cell for cell in (*net.subways, *(c for c in built if built[c] == SUBWAY)) if cell not in covered}
    found: dict[str, tuple[int, Path]] = {start: (0, (start,))}
    level = deque([start])
    rode = on_foot
    for steps in range(limit):
        later: deque[str] = deque()
        while level:
            here = level.popleft()
            path = found[here][1]
            onward = net.onward[here]
            if not rode and here in trains:
                rode = True
                onward = (*onward, *sorted(trains))
            for cell in onward:
                if cell in found or cell in covered:
                    continue
                if cell in houses:
                    found[cell] = (steps, (*path, cell))
                    level.append(cell)
                elif cell in net.ground and cell not in walls:
                    found[cell] = (steps + 1, (*path, cell))
                    later.append(cell)
        level = later
    if flying:
        _over_the_roofs(net, found, houses - covered)
    return found


def _over_the_roofs(net: Streets, found: dict[str, tuple[int, Path]], houses: frozenset[str] | set[str]) -> None:
    """Houses beside the last hexes cost nothing either."""
    queue = deque(found)
    while queue:
        here = queue.popleft()
        steps, path = found[here]
        for cell in net.onward[here]:
            if cell in houses and cell not in found:
                found[cell] = (steps, (*path, cell))
                queue.append(cell)


def ways(position: Position, character: str, *, on_foot: bool = False) -> Mapping[str, Path]:
    """Where a character may walk to, with paths, without the hex it starts on. Occupied hexes count in."""
    start = position.hex(character)
    if start is None:
        return {}
    flying = character == CLOUD_RIDER and not on_foot
    return _standable(position.edition, start, position.tiles, position.barricades, on_foot, flying)


@lru_cache(maxsize=8192)
def _standable(
    edition: str, start: str, tiles: tuple[Tile, ...], barricades: tuple[Barricade, ...], on_foot: bool, flying: bool
) -> Mapping[str, Path]:
    """What can be got to and stood on, with paths, without ``start``."""
    ground = streets_of(edition).ground
    houses = {cell for cell, label in tiles if label == BUILDING} if flying else ()
    found = reach(edition, start, tiles, barricades, on_foot, flying)
    return {cell: path for cell, (_, path) in found.items() if cell != start and cell in ground and cell not in houses}


def ways_out(position: Position, character: str, *, on_foot: bool = False, cost: int = 1) -> dict[str, Path]:
    """Ports with a steamboat and land exits that can be left by, with paths that end there."""
    start = position.hex(character)
    if start is None:
        return {}
    net = streets_of(position.edition)
    flying = character == CLOUD_RIDER and not on_foot
    found = reach(position.edition, start, position.tiles, position.barricades, on_foot, flying)
    out: dict[str, Path] = {}
    for goal in sorted(net.exits | net.ports.intersection(position.steamboats)):
        gates = [found[cell] for cell in net.beside[goal] if cell in found and found[cell][0] + cost <= STEPS]
        if gates:
            out[goal] = (*min(gates)[1], goal)
    return out


def blocked(position: Position) -> frozenset[str]:
    """Hexes that nobody may stand on: lamp and building tiles, and all under barricades."""
    return position.covered.union(cell for cell, label in position.tiles if label in (LAMP, BUILDING))


def steps_needed(position: Position, character: str, goal: str) -> int | None:
    """Steps to a hex for a character that is not limited; None when there is no way."""
    start = position.hex(character)
    if start is None:
        return None
    everywhere = len(streets_of(position.edition).board.cells)
    flying = character == CLOUD_RIDER
    found = reach(position.edition, start, position.tiles, position.barricades, False, flying, everywhere)
    return found[goal][0] if goal in found else None

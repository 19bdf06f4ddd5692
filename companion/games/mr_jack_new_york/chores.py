"""What hands must do about a difference in this game's own pieces."""

from collections.abc import Iterator

from companion.boards import PAIR
from companion.games.game import Chore
from companion.games.layouts import alike_chores
from companion.games.mr_jack_new_york.names import INFORMANT, PARK
from companion.games.mr_jack_new_york.position import Position
from companion.games.mr_jack_new_york.wording import chore


def piece_chores(expected: Position, claimed: Position, doubts: set[str]) -> Iterator[Chore]:
    """Tiles, barricades, steamboats and the informant to be brought in line; what is in doubt agrees with everything."""
    want, have = ([PAIR.join(pair) for pair in position.barricades] for position in (expected, claimed))
    yield from _tiles(expected, claimed, doubts)
    yield from alike_chores(chore, "barricade", want, have, doubts)
    yield from alike_chores(chore, "steamboat", expected.steamboats, claimed.steamboats, doubts)
    yield from _informant(expected, claimed, doubts)


def _tiles(expected: Position, claimed: Position, doubts: set[str]) -> list[Chore]:
    want, have = dict(expected.tiles), dict(claimed.tiles)
    differ = [spot for spot in sorted({*want, *have}) if want.get(spot) != have.get(spot) and f"tile:{spot}" not in doubts]
    # A tile that shows the wrong side may be the right tile: its other side is the first thing to look at.
    turned = [spot for spot in differ if spot in want and spot in have and PARK in (want[spot], have[spot])]
    wrong = [spot for spot in differ if spot in have and spot not in turned]
    missing = [spot for spot in differ if spot in want and spot not in turned]
    away, moves = [], []
    for spot in wrong:
        goal = next((there for there in missing if want[there] == have[spot] and there not in have), None)
        if goal is None:
            away.append(chore(f"take-tile/{have[spot]}", f"tile:{spot}", place=spot))
        else:
            missing.remove(goal)
            moves.append(chore(f"move-tile/{have[spot]}", f"tile:{spot}", place=spot, to=goal))
    # Away first, then moves, then lay: no hand has to put a tile on a tile.
    return [
        *away,
        *moves,
        *(chore(f"turn-tile/{want[spot]}", f"tile:{spot}", place=spot) for spot in turned),
        *(chore(f"lay-tile/{want[spot]}", f"tile:{spot}", to=spot) for spot in missing),
    ]


def _informant(expected: Position, claimed: Position, doubts: set[str]) -> list[Chore]:
    if INFORMANT in doubts or expected.informant is None:
        return []
    chores = []
    if claimed.informant != expected.informant:
        chores.append(chore("informant-back", INFORMANT, place=claimed.informant, to=expected.informant))
    if claimed.informant_side not in (None, expected.informant_side) and expected.informant_side is not None:
        chores.append(chore(f"turn-informant/{expected.informant_side}", INFORMANT, place=expected.informant))
    return chores

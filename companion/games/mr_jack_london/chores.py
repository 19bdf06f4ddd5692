"""What hands must do about a difference in this game's own pieces."""

from collections.abc import Iterator

from companion.games.game import Chore
from companion.games.layouts import alike_chores
from companion.games.mr_jack_london.names import NAMES, WATSON
from companion.games.mr_jack_london.position import Label, Position
from companion.games.mr_jack_london.wording import chore


def piece_chores(expected: Position, claimed: Position, doubts: set[str]) -> Iterator[Chore]:
    """Lantern, gaslights, covers and cordons to be brought in line; what is in doubt agrees with everything."""
    yield from _lantern(expected, claimed, doubts)
    yield from _lamps(expected, claimed, doubts)
    yield from alike_chores(chore, "cover", expected.covers, claimed.covers, doubts)
    yield from alike_chores(chore, "cordon", expected.cordons, claimed.cordons, doubts)


def _lantern(expected: Position, claimed: Position, doubts: set[str]) -> Iterator[Chore]:
    want = expected.hex(WATSON)
    if WATSON not in doubts and want and claimed.hex(WATSON) and claimed.facing not in (None, expected.facing):
        yield chore("turn-lantern", WATSON, place=want, facing=expected.facing, character=NAMES[WATSON])


def _lamps(expected: Position, claimed: Position, doubts: set[str]) -> list[Chore]:
    want, have = dict(expected.gaslights), dict(claimed.gaslights)
    differ = [spot for spot in sorted({*want, *have}) if want.get(spot) != have.get(spot) and f"gaslight:{spot}" not in doubts]
    missing: list[tuple[str, Label]] = [(spot, want[spot]) for spot in differ if spot in want]
    chores = []
    for spot in differ:
        if spot not in have:
            continue
        label = have[spot]
        goal = next((there for there, other in missing if other == label), None)
        if goal is None:
            chores.append(chore("take-lamp", f"gaslight:{spot}", place=spot, lamp=label))
        else:
            missing.remove((goal, label))
            chores.append(chore("move-lamp", f"gaslight:{spot}", place=spot, to=goal, lamp=label))
    # Away first, then moves, then lay: no hand has to put a tile on a tile.
    chores.sort(key=lambda item: item.code != "take-lamp")
    return chores + [chore("lay-lamp", f"gaslight:{spot}", to=spot, lamp=label) for spot, label in missing]

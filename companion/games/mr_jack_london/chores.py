"""From what a camera claims to a position, and from a difference to what hands must do about it."""

from collections.abc import Iterator

from companion.boards import load_pieces
from companion.games.claims import State, alike_chores, completed, disc_chores, turn_chores
from companion.games.game import Chore
from companion.games.mr_jack_london.names import CHARACTERS, ID, NAMES, WATSON
from companion.games.mr_jack_london.position import Label, Position
from companion.games.mr_jack_london.validation import from_json
from companion.games.mr_jack_london.wording import chore


def complete(before: Position, state: State, unknown: tuple[str, ...]) -> Position:
    """The tolerant position a reading claims: what it does not claim, or is not on the table, is as in ``before``.

    A key that ``state`` lacks is not claimed. Raises InvalidPosition when the state names what does not exist.
    """
    return from_json(completed(before.to_json(), state, unknown, load_pieces(ID)), tolerant=True)


def differences(expected: Position, state: State, unknown: tuple[str, ...]) -> tuple[Chore, ...]:
    """What hands must do to turn the claimed state into ``expected``; unknowns and absent keys agree with everything.

    The turn marker off the track counts as a difference; cards and the witness card are not looked at.
    """
    doubts = set(unknown)
    claimed = complete(expected, state, unknown)
    return (
        *disc_chores(chore, NAMES, expected, claimed, doubts, CHARACTERS),
        *_lantern(expected, claimed, doubts),
        *_lamps(expected, claimed, doubts),
        *alike_chores(chore, "cover", expected.covers, claimed.covers, doubts),
        *alike_chores(chore, "cordon", expected.cordons, claimed.cordons, doubts),
        *turn_chores(chore, expected.turn, state, doubts),
    )


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

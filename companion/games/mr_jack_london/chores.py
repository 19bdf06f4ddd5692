"""From what a camera claims to a position, and from a difference to what hands must do about it."""

from collections.abc import Mapping
from typing import Any

from companion.games.game import Chore
from companion.games.mr_jack_london.names import CHARACTERS, NAMES, WATSON
from companion.games.mr_jack_london.position import Label, Position
from companion.games.mr_jack_london.validation import from_json
from companion.games.mr_jack_london.wording import chore

State = Mapping[str, Any]


def complete(before: Position, state: State, unknown: tuple[str, ...]) -> Position:
    """The tolerant position a reading claims: what it does not claim, or is not on the table, is as in ``before``.

    A key that ``state`` lacks is not claimed. Raises InvalidPosition when the state names what does not exist.
    """
    doubts = set(unknown)
    data = before.to_json()
    if "characters" in state:
        characters: dict[str, Any] = {}
        for name in (*CHARACTERS, *(extra for extra in state["characters"] if extra not in CHARACTERS)):
            was = data["characters"].get(name, {})
            claimed = state["characters"].get(name)
            if claimed is None:
                characters[name] = was if name in doubts else {"hex": None}
            else:
                characters[name] = {**{key: value for key, value in was.items() if key != "hex"}, **claimed}
        data["characters"] = characters
    if "gaslights" in state:
        data["gaslights"] = {
            **{spot: label for spot, label in data["gaslights"].items() if f"gaslight:{spot}" in doubts},
            **state["gaslights"],
        }
    for key, word in (("covers", "cover"), ("cordons", "cordon")):
        if key in state:
            kept = [spot for spot in data[key] if f"{word}:{spot}" in doubts and spot not in state[key]]
            data[key] = [*state[key], *kept]
    if state.get("turn") is not None and "turn" not in doubts:
        data["turn"] = state["turn"]
    for key in ("witness_card", "available", "played"):
        if key in state:
            data[key] = state[key]
    return from_json(data, tolerant=True)


def differences(expected: Position, state: State, unknown: tuple[str, ...]) -> tuple[Chore, ...]:
    """What hands must do to turn the claimed state into ``expected``; unknowns and absent keys agree with everything.

    The turn marker off the track counts as a difference; cards and the witness card are not looked at.
    """
    doubts = set(unknown)
    claimed = complete(expected, state, unknown)
    chores: list[Chore] = []
    for index, name in enumerate(CHARACTERS):
        if name not in doubts:
            chores += _disc(expected, claimed, index, name)
    chores += _lamps(expected, claimed, doubts)
    chores += _alike("cover", expected.covers, claimed.covers, doubts)
    chores += _alike("cordon", expected.cordons, claimed.cordons, doubts)
    if "turn" in state and "turn" not in doubts and state["turn"] != expected.turn:
        place = f"turn-{state['turn']}" if state["turn"] else None
        chores.append(chore("turn-marker", "turn", place=place, to=f"turn-{expected.turn}", turn=expected.turn))
    return tuple(chores)


def _disc(expected: Position, claimed: Position, index: int, name: str) -> list[Chore]:
    want, have = expected.hexes[index], claimed.hexes[index]
    words = {"character": NAMES[name]}
    if want is None:
        return [] if have is None else [chore("take-off-board", name, place=have, **words)]
    if have is None:
        return [chore("put-on-board", name, to=want, **words)]
    chores = []
    if want != have:
        chores.append(chore("put-back", name, place=have, to=want, **words))
    side = expected.sides[index]
    if claimed.sides[index] not in (None, side):
        chores.append(chore("turn-disc", name, place=want, side=side, **words))
    if name == WATSON and claimed.facing not in (None, expected.facing):
        chores.append(chore("turn-lantern", name, place=want, facing=expected.facing, **words))
    return chores


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


def _alike(word: str, want: tuple[str, ...], have: tuple[str, ...], doubts: set[str]) -> list[Chore]:
    wrong = [spot for spot in have if spot not in want and f"{word}:{spot}" not in doubts]
    missing = [spot for spot in want if spot not in have and f"{word}:{spot}" not in doubts]
    chores = [chore(f"move-{word}", f"{word}:{a}", place=a, to=b) for a, b in zip(wrong, missing, strict=False)]
    chores += [chore(f"take-{word}", f"{word}:{spot}", place=spot) for spot in wrong[len(missing) :]]
    return chores + [chore(f"lay-{word}", f"{word}:{spot}", to=spot) for spot in missing[len(wrong) :]]

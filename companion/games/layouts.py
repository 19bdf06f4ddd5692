"""From what a camera claims to a position, and from a difference to what hands must do: what any game can take from here.

Everything here follows from the layouts of the piece groups (see :mod:`companion.boards.pieces`); nothing asks a rule.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from companion.boards import PAIR, Group, PieceSet
from companion.games.game import Chore

State = Mapping[str, Any]
Say = Callable[..., Chore]


def completed(
    data: dict[str, Any], state: State, unknown: Sequence[str], pieces: PieceSet, off_table: Sequence[str] = ()
) -> dict[str, Any]:
    """The JSON of the position a reading claims: what it does not claim, or is not on the table, is as in ``data``.

    A key that ``state`` lacks is not claimed; a subject in ``unknown`` stays as it was. ``off_table`` are keys that no camera
    claims but that somebody may tell along with a state.
    """
    doubts = set(unknown)
    claimed = dict(data)
    for group in pieces.groups.values():
        if group.key in state:
            names = [piece.id for piece in pieces.in_group(group.key)]
            claimed[group.key] = _LAYOUTS[group.layout](data.get(group.key), state[group.key], group, doubts, names)
    for key in off_table:
        if key in state:
            claimed[key] = state[key]
    return claimed


def _by_piece(was: Any, claim: Any, group: Group, doubts: set[str], names: list[str]) -> Any:
    discs: dict[str, Any] = {}
    for name in (*names, *(extra for extra in claim if extra not in names)):
        known, seen = was.get(name, {}), claim.get(name)
        if seen is None:
            discs[name] = known if name in doubts else {"hex": None}
        else:
            discs[name] = {**{key: value for key, value in known.items() if key != "hex"}, **seen}
    return discs


def _by_place(was: Any, claim: Any, group: Group, doubts: set[str], names: list[str]) -> Any:
    return {**{spot: label for spot, label in was.items() if f"{group.singular}:{spot}" in doubts}, **claim}


def _places(was: Any, claim: Any, group: Group, doubts: set[str], names: list[str]) -> Any:
    return [*claim, *(spot for spot in was if f"{group.singular}:{spot}" in doubts and spot not in claim)]


def _pairs(was: Any, claim: Any, group: Group, doubts: set[str], names: list[str]) -> Any:
    seen = [sorted(pair) for pair in claim]
    return [*seen, *(p for p in was if f"{group.singular}:{PAIR.join(p)}" in doubts and sorted(p) not in seen)]


def _lone(was: Any, claim: Any, group: Group, doubts: set[str], names: list[str]) -> Any:
    if not claim:
        return was if names[0] in doubts else {"hex": None}
    return {**{key: value for key, value in (was or {}).items() if key != "hex"}, **claim}


def _value(was: Any, claim: Any, group: Group, doubts: set[str], names: list[str]) -> Any:
    return was if claim is None or names[0] in doubts else claim


_LAYOUTS: Mapping[str, Callable[[Any, Any, Group, set[str], list[str]], Any]] = {
    "by-piece": _by_piece, "by-place": _by_place, "places": _places, "pairs": _pairs, "lone": _lone, "value": _value,
}  # fmt: skip


# --- what hands must do -------------------------------------------------------------------------------------------------


def alike_chores(say: Say, word: str, want: Sequence[str], have: Sequence[str], doubts: set[str]) -> list[Chore]:
    """Pieces that all look alike: what lies wrong is moved to what is missing, the rest taken away or laid."""
    wrong = [spot for spot in have if spot not in want and f"{word}:{spot}" not in doubts]
    missing = [spot for spot in want if spot not in have and f"{word}:{spot}" not in doubts]
    chores = [say(f"move-{word}", f"{word}:{a}", place=a, to=b) for a, b in zip(wrong, missing, strict=False)]
    chores += [say(f"take-{word}", f"{word}:{spot}", place=spot) for spot in wrong[len(missing) :]]
    return chores + [say(f"lay-{word}", f"{word}:{spot}", to=spot) for spot in missing[len(wrong) :]]


def turn_chores(say: Say, turn: int, state: State, doubts: set[str]) -> Iterator[Chore]:
    """The turn marker elsewhere on its track, or off it."""
    if "turn" in state and "turn" not in doubts and state["turn"] != turn:
        place = f"turn-{state['turn']}" if state["turn"] else None
        yield say("turn-marker", "turn", place=place, to=f"turn-{turn}", turn=turn)

"""From what a camera claims to a position, and from a difference to what hands must do: what any game can take from here.

Everything here follows from the layouts of the piece groups (see :mod:`companion.boards.pieces`); nothing asks a rule.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.boards import PAIR, Group, PieceSet, Zone
from companion.games.game import Chore

State = Mapping[str, Any]
Say = Callable[..., Chore]


def completed(
    data: dict[str, Any],
    state: State,
    unknown: Sequence[str],
    pieces: PieceSet,
    off_table: Sequence[str] = (),
    zones: Mapping[str, Zone] = MappingProxyType({}),
) -> dict[str, Any]:
    """The JSON of the position a reading claims: what it does not claim, or is not on the table, is as in ``data``.

    A key that ``state`` lacks is not claimed; a subject in ``unknown`` stays as it was. ``off_table`` are keys that no camera
    claims but that somebody may tell along with a state. ``zones``: the board's, where cards lie in any.
    """
    doubts = set(unknown)
    claimed = dict(data)
    for group in pieces.groups.values():
        if group.key in state:
            names = [piece.id for piece in pieces.in_group(group.key)]
            if group.layout == "by-zone":
                claimed[group.key] = zones_completed(data.get(group.key) or {}, state[group.key], group, doubts, names, zones)
                continue
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


Cards = Mapping[str, Sequence[str]]
"""The cards of each zone in order, the lowest of a stack first: names of pieces, or a side that several share."""


def zones_completed(
    was: Cards, claim: Cards, group: Group, doubts: Collection[str], names: Collection[str], zones: Mapping[str, Zone]
) -> dict[str, list[str]]:
    """The cards of each zone, of what shows there (``claim``) and what lay there before; zones without cards are left out.

    In a stack those that lay below the lowest one that shows lie there still, covered. Where something may lie that cannot be
    read (``"card:row"`` among the doubts) and where a card cannot be placed, what does not show elsewhere stays as it was.
    """
    shown = {card for cards in claim.values() for card in cards if card in names}
    found: dict[str, list[str]] = {}
    for zone in dict.fromkeys((*was, *claim)):
        before = [card for card in was.get(zone, ()) if card not in shown or card in claim.get(zone, ())]
        now = list(claim.get(zone, ()))
        if f"{group.singular}:{zone}" in doubts:
            found[zone] = _woven(before, now)
            continue
        stack = zone in zones and zones[zone].order == "stack"
        covered = _covered(before, now, names) if stack else []
        rest = [card for card in before if card not in covered or card not in names]
        found[zone] = [*covered, *_woven(_staying(rest, now, doubts), now)]
    return {zone: cards for zone, cards in found.items() if cards}


def _covered(before: Sequence[str], now: Sequence[str], names: Collection[str]) -> list[str]:
    """The cards of a stack that lie below what shows of it: all, where the lowest that shows was not among them. A card that
    shows is not covered."""
    if not now:
        return []
    # What lies upmost shows again where only cards were laid upon it; several may show one side.
    laid_upon = [index for index in range(len(before)) if list(before[index:]) == list(now[: len(before) - index])]
    at = laid_upon[:1] or [index for index, card in enumerate(before) if card == now[0]][-1:]
    below = before[: at[0]] if at else before
    return [card for card in below if card not in names or card not in now]


def _staying(before: Sequence[str], now: Sequence[str], doubts: Collection[str]) -> list[str]:
    """Of the cards that lay in a zone those that show there still, and those that cannot be placed."""
    left, found = list(now), list[str]()
    for card in before:
        if card in left:
            left.remove(card)
            found.append(card)
        elif card in doubts:
            found.append(card)
    return found


def _woven(before: Sequence[str], now: Sequence[str]) -> list[str]:
    """The cards that show in their order, and between them those that lay there before, each after the one it followed."""
    found = list(now)
    left = list(now)
    after = -1
    for card in before:
        if card in left:
            left.remove(card)
            after = next((at for at in range(after + 1, len(found)) if found[at] == card), found.index(card))
        else:
            after += 1
            found.insert(after, card)
    return found


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


def zone_chores(
    say: Say, group: Group, want: Cards, state: State, unknown: Sequence[str], pieces: PieceSet, zones: Mapping[str, Zone]
) -> list[Chore]:
    """What brings the cards to ``want``: cards laid into another zone or away, laid down, or put in their order in a zone.

    Codes are ``move-``, ``take-``, ``lay-`` and ``order-`` with the group's word. Cards that show a side several share go by
    ``"card:zone"``. A card put in order has ``rank``, the place it comes to, counted from 1.
    """
    if group.key not in state:
        return []
    names = [piece.id for piece in pieces.in_group(group.key)]
    doubts, word = set(unknown), group.singular
    have = zones_completed(want, state[group.key], group, doubts, names, zones)
    lies = {card: zone for zone, cards in have.items() for card in cards if card in names}
    goes = {card: zone for zone, cards in want.items() for card in cards if card in names}
    chores = []
    for card in dict.fromkeys((*lies, *goes)):
        origin, goal = lies.get(card), goes.get(card)
        if origin != goal:
            code = "take" if goal is None else "lay" if origin is None else "move"
            chores.append(say(f"{code}-{word}", card, place=origin, to=goal))
    for label in dict.fromkeys(card for cards in (*have.values(), *want.values()) for card in cards if card not in names):
        wrong, missing = (
            [zone for zone in one for _ in range(list(one[zone]).count(label) - list(other.get(zone, ())).count(label))]
            for one, other in ((have, want), (want, have))
        )
        chores += [say(f"move-{word}", f"{word}:{a}", place=a, to=b) for a, b in zip(wrong, missing, strict=False)]
        chores += [say(f"take-{word}", f"{word}:{zone}", place=zone, to=None) for zone in wrong[len(missing) :]]
        chores += [say(f"lay-{word}", f"{word}:{zone}", place=None, to=zone) for zone in missing[len(wrong) :]]
    for zone in want:
        if zone in zones and zones[zone].order is not None:
            chores += _order_chores(say, word, zone, want[zone], have.get(zone, ()), names)
    return chores


def _order_chores(
    say: Say, word: str, zone: str, want: Sequence[str], have: Sequence[str], names: Collection[str]
) -> Iterator[Chore]:
    """The cards of a zone that are to be put elsewhere in its order: as few as can be."""
    common = [card for card in have if card in want]
    right = _longest_common(want, common)
    for card in common:
        if card in right:
            right.remove(card)
        elif card in names:
            yield say(f"order-{word}", card, place=zone, to=zone, rank=list(want).index(card) + 1)


def _longest_common(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """The longest sequence of cards that both have in this order."""
    best: list[list[list[str]]] = [[[] for _ in range(len(other) + 1)] for _ in range(len(one) + 1)]
    for i, card in enumerate(one):
        for j, rival in enumerate(other):
            longer = max(best[i][j + 1], best[i + 1][j], key=len)
            best[i + 1][j + 1] = [*best[i][j], card] if card == rival else longer
    return best[-1][-1]


def turn_chores(say: Say, turn: int, state: State, doubts: set[str]) -> Iterator[Chore]:
    """The turn marker elsewhere on its track, or off it."""
    if "turn" in state and "turn" not in doubts and state["turn"] != turn:
        place = f"turn-{state['turn']}" if state["turn"] else None
        yield say("turn-marker", "turn", place=place, to=f"turn-{turn}", turn=turn)

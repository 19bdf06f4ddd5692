"""Who is seen and why, in one order for every game; by what light is each game's to say."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Spots = Sequence[str | None]
Standing = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Witness:
    """Who is seen, who is not, and why (``because`` holds the seen ones only)."""

    seen: tuple[str, ...]
    unseen: tuple[str, ...]
    because: Mapping[str, tuple[str, ...]]

    def to_json(self) -> dict[str, Any]:
        return {"seen": list(self.seen), "unseen": list(self.unseen), "because": {k: list(v) for k, v in self.because.items()}}


def witnessed(characters: Sequence[str], hexes: Spots, reasons: Callable[[str, str], Iterable[str]]) -> Witness:
    """Who is seen: whoever has a reason. ``reasons`` takes a character and its hex.

    Both lists and the reasons follow the fixed order of the characters; whoever is off the board is neither.
    """
    because: dict[str, tuple[str, ...]] = {}
    unseen = []
    for character, spot in zip(characters, hexes, strict=True):
        if spot is None:
            continue
        found = tuple(reasons(character, spot))
        if found:
            because[character] = found
        else:
            unseen.append(character)
    return Witness(tuple(because), tuple(unseen), because)


def standing(characters: Sequence[str], hexes: Spots) -> dict[str, list[str]]:
    """Who stands where, by hex; hands may have put two on one."""
    found: dict[str, list[str]] = {}
    for character, spot in zip(characters, hexes, strict=True):
        if spot is not None:
            found.setdefault(spot, []).append(character)
    return found


def next_to(characters: Sequence[str], character: str, cells: Iterable[str], there: Standing) -> list[str]:
    """The reasons that others on these cells give, in the characters' order."""
    beside = {other for cell in cells for other in there.get(cell, ()) if other != character}
    return [f"next to {other}" for other in characters if other in beside]

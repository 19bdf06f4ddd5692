"""What changed between two positions as far as every game of this family has it: discs, turn marker, witness card.

A game derives its difference and adds its own pieces of the board.
"""

from dataclasses import dataclass
from typing import Any, TypeVar

Spot = TypeVar("Spot")


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseDifference:
    """``moved`` and ``turned`` are indices of characters."""

    moved: tuple[int, ...]
    turned: tuple[int, ...]
    turn: bool
    witness_card: bool

    @property
    def pieces(self) -> bool:
        """Whether anything changed that some play changes (discs turned over, turn marker and cards left aside)."""
        raise NotImplementedError

    @property
    def nothing(self) -> bool:
        """Whether the table looks the same."""
        return not (self.pieces or self.turned or self.turn or self.witness_card)


def shared_changes(before: Any, after: Any) -> dict[str, Any]:
    """The fields of a :class:`BaseDifference`. A side that ``after`` does not say counts as unchanged."""
    hexes, sides = zip(before.hexes, after.hexes, strict=True), zip(before.sides, after.sides, strict=True)
    return {
        "moved": tuple(i for i, (was, now) in enumerate(hexes) if was != now),
        "turned": tuple(i for i, (was, now) in enumerate(sides) if now is not None and was != now),
        "turn": before.turn != after.turn,
        "witness_card": before.witness_card != after.witness_card,
    }


def gone_and_new(before: tuple[Spot, ...], after: tuple[Spot, ...]) -> tuple[tuple[Spot, ...], tuple[Spot, ...]]:
    """Of pieces that look alike: (where one lies no more, where one lies newly)."""
    gone, new = list(before), list(after)
    for spot in before:
        if spot in new:
            gone.remove(spot)
            new.remove(spot)
    return tuple(gone), tuple(new)

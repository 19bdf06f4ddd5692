"""What changed between two positions, piece by piece, before any rule is asked."""

from dataclasses import dataclass
from typing import TypeVar

from companion.games.mr_jack_new_york.position import Barricade, Position, Tile

Spot = TypeVar("Spot")


@dataclass(frozen=True, slots=True)
class Difference:
    """``moved`` and ``turned`` are indices of characters; ``shown`` are tiles that show another side: (hex, was, now)."""

    moved: tuple[int, ...]
    turned: tuple[int, ...]
    tiles_gone: tuple[Tile, ...]
    tiles_new: tuple[Tile, ...]
    shown: tuple[tuple[str, str, str], ...]
    barricades_gone: tuple[Barricade, ...]
    barricades_new: tuple[Barricade, ...]
    boats_gone: tuple[str, ...]
    boats_new: tuple[str, ...]
    informant: bool
    informant_turned: bool
    turn: bool
    witness_card: bool

    @property
    def nothing(self) -> bool:
        """Whether the table looks the same."""
        return not (self.pieces or self.turned or self.turn or self.witness_card)

    @property
    def pieces(self) -> bool:
        """Whether anything changed that some play changes."""
        return bool(
            self.moved or self.tiles_gone or self.tiles_new or self.shown or self.barricades_gone or self.barricades_new
            or self.boats_gone or self.boats_new or self.informant or self.informant_turned
        )  # fmt: skip


def difference(before: Position, after: Position) -> Difference:
    """Compare two positions of one edition. A side that ``after`` does not say counts as unchanged."""
    was, now = dict(before.tiles), dict(after.tiles)
    barricades_gone, barricades_new = _apart(before.barricades, after.barricades)
    boats_gone, boats_new = _apart(before.steamboats, after.steamboats)
    return Difference(
        moved=tuple(i for i, (a, b) in enumerate(zip(before.hexes, after.hexes, strict=True)) if a != b),
        turned=tuple(i for i, (a, b) in enumerate(zip(before.sides, after.sides, strict=True)) if b is not None and a != b),
        tiles_gone=tuple(tile for tile in before.tiles if tile[0] not in now),
        tiles_new=tuple(tile for tile in after.tiles if tile[0] not in was),
        shown=tuple((cell, was[cell], label) for cell, label in after.tiles if was.get(cell, label) != label),
        barricades_gone=barricades_gone,
        barricades_new=barricades_new,
        boats_gone=boats_gone,
        boats_new=boats_new,
        informant=before.informant != after.informant,
        informant_turned=after.informant_side is not None and before.informant_side != after.informant_side,
        turn=before.turn != after.turn,
        witness_card=before.witness_card != after.witness_card,
    )


def _apart(before: tuple[Spot, ...], after: tuple[Spot, ...]) -> tuple[tuple[Spot, ...], tuple[Spot, ...]]:
    gone, new = list(before), list(after)
    for spot in before:
        if spot in new:
            gone.remove(spot)
            new.remove(spot)
    return tuple(gone), tuple(new)

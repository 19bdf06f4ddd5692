"""What changed between two positions, piece by piece, before any rule is asked."""

from dataclasses import dataclass

from companion.games.mr_jack.changes import BaseDifference, gone_and_new, shared_changes
from companion.games.mr_jack_new_york.position import Barricade, Position, Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference(BaseDifference):
    """``shown`` are tiles that show another side: (hex, was, now)."""

    tiles_gone: tuple[Tile, ...]
    tiles_new: tuple[Tile, ...]
    shown: tuple[tuple[str, str, str], ...]
    barricades_gone: tuple[Barricade, ...]
    barricades_new: tuple[Barricade, ...]
    boats_gone: tuple[str, ...]
    boats_new: tuple[str, ...]
    informant: bool
    informant_turned: bool

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
    barricades_gone, barricades_new = gone_and_new(before.barricades, after.barricades)
    boats_gone, boats_new = gone_and_new(before.steamboats, after.steamboats)
    return Difference(
        **shared_changes(before, after),
        tiles_gone=tuple(tile for tile in before.tiles if tile[0] not in now),
        tiles_new=tuple(tile for tile in after.tiles if tile[0] not in was),
        shown=tuple((cell, was[cell], label) for cell, label in after.tiles if was.get(cell, label) != label),
        barricades_gone=barricades_gone,
        barricades_new=barricades_new,
        boats_gone=boats_gone,
        boats_new=boats_new,
        informant=before.informant != after.informant,
        informant_turned=after.informant_side is not None and before.informant_side != after.informant_side,
    )

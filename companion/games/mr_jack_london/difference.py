"""What changed between two positions, piece by piece, before any rule is asked."""

from dataclasses import dataclass

from companion.games.mr_jack.changes import BaseDifference, gone_and_new, shared_changes
from companion.games.mr_jack_london.names import INDEX, WATSON
from companion.games.mr_jack_london.position import Label, Position

Lamp = tuple[str, Label]
WATSON_INDEX = INDEX[WATSON]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference(BaseDifference):
    """The pairs of fields are what lies no more and what lies newly."""

    lantern: bool
    lamps_gone: tuple[Lamp, ...]
    lamps_new: tuple[Lamp, ...]
    covers_gone: tuple[str, ...]
    covers_new: tuple[str, ...]
    cordons_gone: tuple[str, ...]
    cordons_new: tuple[str, ...]

    @property
    def pieces(self) -> bool:
        """Whether anything moved that a play can move."""
        return bool(
            self.moved
            or self.lantern
            or self.lamps_gone
            or self.lamps_new
            or self.covers_gone
            or self.covers_new
            or self.cordons_gone
            or self.cordons_new
        )


def difference(before: Position, after: Position) -> Difference:
    """Compare two positions of one edition. What ``after`` does not say (a side, the lantern) counts as unchanged."""
    covers_gone, covers_new = gone_and_new(before.covers, after.covers)
    cordons_gone, cordons_new = gone_and_new(before.cordons, after.cordons)
    lamps_before, lamps_after = set(before.gaslights), set(after.gaslights)
    lantern = after.facing is not None and after.facing != before.facing and after.hexes[WATSON_INDEX] is not None
    return Difference(
        **shared_changes(before, after),
        lantern=lantern,
        lamps_gone=tuple(sorted(lamps_before - lamps_after)),
        lamps_new=tuple(sorted(lamps_after - lamps_before)),
        covers_gone=covers_gone,
        covers_new=covers_new,
        cordons_gone=cordons_gone,
        cordons_new=cordons_new,
    )

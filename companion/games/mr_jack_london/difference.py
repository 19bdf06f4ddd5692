"""What changed between two positions, piece by piece, before any rule is asked."""

from dataclasses import dataclass

from companion.games.mr_jack_london.names import INDEX, WATSON
from companion.games.mr_jack_london.position import Label, Position

Lamp = tuple[str, Label]
WATSON_INDEX = INDEX[WATSON]


@dataclass(frozen=True, slots=True)
class Difference:
    """``moved`` and ``turned`` are indices of characters; the pairs are what lies no more and what lies newly."""

    moved: tuple[int, ...]
    turned: tuple[int, ...]
    lantern: bool
    lamps_gone: tuple[Lamp, ...]
    lamps_new: tuple[Lamp, ...]
    covers_gone: tuple[str, ...]
    covers_new: tuple[str, ...]
    cordons_gone: tuple[str, ...]
    cordons_new: tuple[str, ...]
    turn: bool
    witness_card: bool

    @property
    def nothing(self) -> bool:
        """Whether the table looks the same."""
        return not (self.pieces or self.turned or self.turn or self.witness_card)

    @property
    def pieces(self) -> bool:
        """Whether anything moved that a play can move (discs turned over, the turn marker and cards left aside)."""
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
    covers_gone, covers_new = _places(before.covers, after.covers)
    cordons_gone, cordons_new = _places(before.cordons, after.cordons)
    lamps_before, lamps_after = set(before.gaslights), set(after.gaslights)
    return Difference(
        moved=tuple(i for i, (was, now) in enumerate(zip(before.hexes, after.hexes, strict=True)) if was != now),
        turned=tuple(
            i for i, (was, now) in enumerate(zip(before.sides, after.sides, strict=True)) if now is not None and was != now
        ),
        lantern=(
            after.facing is not None and after.facing != before.facing and after.hexes[WATSON_INDEX] is not None
        ),
        lamps_gone=tuple(sorted(lamps_before - lamps_after)),
        lamps_new=tuple(sorted(lamps_after - lamps_before)),
        covers_gone=covers_gone,
        covers_new=covers_new,
        cordons_gone=cordons_gone,
        cordons_new=cordons_new,
        turn=before.turn != after.turn,
        witness_card=before.witness_card != after.witness_card,
    )  # fmt: skip


def _places(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    gone, new = list(before), list(after)
    for place in before:
        if place in new:
            gone.remove(place)
            new.remove(place)
    return tuple(gone), tuple(new)

"""Comparing two readings of one table: whether they say the same, and where they differ."""

import math
from dataclasses import replace

from companion.vision.reading import Reading, Sighting


def _claims(reading: Reading) -> dict[str, tuple[str, str | None, str | None]]:
    return {s.piece: (s.place, s.face, s.facing) for s in reading.sightings}


def changed_spots(before: Reading, now: Reading) -> set[str]:
    """Where a piece came, went, turned, changed or was nudged by more than a millimetre."""
    old, new = _claims(before), _claims(now)
    changed = {piece for piece in old.keys() | new.keys() if old.get(piece) != new.get(piece)}
    nudged = {
        one.piece
        for one in now.sightings
        for other in before.sightings
        if one.piece == other.piece and _apart_mm(one, other) > 1.0
    }
    return {entry[piece][0] for entry in (old, new) for piece in changed | nudged if piece in entry}


def same_claims(one: Reading, other: Reading, within_mm: float | None) -> bool:
    """Whether two readings claim and doubt the same; with ``within_mm`` also at the same spots on the board."""
    if _claims(one) != _claims(other) or one.unknown.keys() != other.unknown.keys():
        return False
    if within_mm is None:
        return True
    before = {s.piece: s for s in one.sightings}
    return all(_apart_mm(before[s.piece], s) <= within_mm for s in other.sightings)


def differ_in_doubts(one: Reading, other: Reading) -> bool:
    """Whether two readings differ only in what one of them cannot tell: what both claim, they claim alike."""
    before, now = _claims(one), _claims(other)
    alike = all(before[piece] == now[piece] for piece in before.keys() & now.keys())
    return alike and one.unknown.keys() != other.unknown.keys()


def what_both_claim(one: Reading, now: Reading) -> Reading | None:
    """The later of two readings without what the earlier could not tell; None where one of them claims what the other neither
    claims nor doubts, for then they contradict each other."""
    before, after = _claims(one), _claims(now)
    both = {piece for piece in before.keys() & after.keys() if before[piece] == after[piece]}
    for claimed, other in ((one, now), (now, one)):
        doubted = {name.partition(":")[2] or name for name in other.unknown}
        if any(s.piece not in both and doubted.isdisjoint((s.piece, s.place)) for s in claimed.sightings):
            return None
    kept = tuple(sighting for sighting in now.sightings if sighting.piece in both)
    return replace(now, sightings=kept, unknown={**one.unknown, **now.unknown})


def _apart_mm(one: Sighting, other: Sighting) -> float:
    """How far apart one piece was seen; 0 when its exact spot is not known (a tile under a disc)."""
    if one.at_mm is None or other.at_mm is None:
        return 0.0
    return math.hypot(one.at_mm[0] - other.at_mm[0], one.at_mm[1] - other.at_mm[1])

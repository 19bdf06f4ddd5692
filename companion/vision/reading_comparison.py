"""Comparing two readings of one table: whether they say the same, and where they differ."""

import math
import re
from dataclasses import replace

from companion.vision.reading import Reading, Sighting

_SHARE = re.compile(r"\d+ ?%")


def _claims(reading: Reading) -> dict[str, tuple[str, str | None, str | None, int | None]]:
    return {s.piece: (s.place, s.face, s.facing, s.rank) for s in reading.sightings}


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
    halves = {place for _, place in before.lying.items() ^ now.lying.items()}
    return {entry[piece][0] for entry in (old, new) for piece in changed | nudged if piece in entry} | halves


def same_claims(one: Reading, other: Reading, within_mm: float | None) -> bool:
    """Whether two readings claim and doubt the same; with ``within_mm`` also at the same spots on the board."""
    if _claims(one) != _claims(other) or one.unknown.keys() != other.unknown.keys() or _contradict(one, other):
        return False
    if within_mm is None:
        return True
    before = {s.piece: s for s in one.sightings}
    return all(_apart_mm(before[s.piece], s) <= within_mm for s in other.sightings)


def _contradict(one: Reading, other: Reading) -> bool:
    """Whether two readings have an unknown piece at two places."""
    return any(other.lying.get(piece, place) != place for piece, place in one.lying.items())


def differ_in_doubts(one: Reading, other: Reading) -> bool:
    """Whether two readings differ only in what one of them cannot tell: what both claim, they claim alike."""
    before, now = _claims(one), _claims(other)
    alike = all(before[piece] == now[piece] for piece in before.keys() & now.keys()) and not _contradict(one, other)
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
    unknown = {**one.unknown, **now.unknown}
    places = {piece: (_place(one, piece), _place(now, piece)) for piece in unknown}
    lying = {piece: place for piece, (place, later) in places.items() if place is not None and place == later}
    return replace(now, sightings=kept, unknown=unknown, lying=lying)


def _place(reading: Reading, piece: str) -> str | None:
    """Where a piece lies by a reading, told in full or not."""
    sighting = reading.of(piece)
    return reading.lying.get(piece) if sighting is None else sighting.place


def doubts_more(before: Reading, now: Reading) -> bool:
    """Whether the later of two readings doubts something that the earlier one did not, or for another reason; how sure it is of
    what may lie there is no reason."""
    known = {(name, _SHARE.sub("", why)) for name, why in before.unknown.items()}
    return any((name, _SHARE.sub("", why)) not in known for name, why in now.unknown.items())


def _apart_mm(one: Sighting, other: Sighting) -> float:
    """How far apart one piece was seen; 0 when its exact spot is not known (a tile under a disc)."""
    if one.at_mm is None or other.at_mm is None:
        return 0.0
    return math.hypot(one.at_mm[0] - other.at_mm[0], one.at_mm[1] - other.at_mm[1])

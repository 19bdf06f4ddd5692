"""Comparing two readings of one table: whether they say the same, and where they differ."""

import math
import re
from collections import Counter
from dataclasses import replace

from companion.vision.reading import Reading, Sighting

_SHARE = re.compile(r"\d+ ?%")
_Claim = tuple[str, str | None, str | None, int | None]


def keyed(*readings: Reading) -> list[dict[str, Sighting]]:
    """The sightings of readings that are compared, under keys that mean the same in all of them: a piece by its name. A piece
    that only stands for several which show the same goes by that and its place, where no reading has two such there: which of
    them it stands for is chosen anew whenever a whole picture is read."""
    shown = [Counter((s.place, s.face) for s in reading.sightings if s.among) for reading in readings]

    def key(s: Sighting) -> str:
        lone = s.among and all(count[s.place, s.face] <= 1 for count in shown)
        return f"{s.face} {s.place}" if lone else s.piece

    return [{key(s): s for s in reading.sightings} for reading in readings]


def _claimed(s: Sighting) -> _Claim:
    return s.place, s.face, s.facing, s.rank


def _claims(sightings: dict[str, Sighting]) -> dict[str, _Claim]:
    return {key: _claimed(s) for key, s in sightings.items()}


def changed_spots(before: Reading, now: Reading) -> set[str]:
    """Where a piece came, went, turned, changed or was nudged by more than a millimetre."""
    old, new = keyed(before, now)
    were, are = _claims(old), _claims(new)
    changed = {key for key in old.keys() | new.keys() if were.get(key) != are.get(key)}
    nudged = {key for key in old.keys() & new.keys() if _apart_mm(old[key], new[key]) > 1.0}
    halves = {place for _, place in before.lying.items() ^ now.lying.items()}
    return {named[key].place for named in (old, new) for key in changed | nudged if key in named} | halves


def same_claims(one: Reading, other: Reading, within_mm: float | None) -> bool:
    """Whether two readings claim and doubt the same; with ``within_mm`` also at the same spots on the board."""
    before, now = keyed(one, other)
    if _claims(before) != _claims(now) or one.unknown.keys() != other.unknown.keys() or _contradict(one, other):
        return False
    return within_mm is None or all(_apart_mm(before[key], s) <= within_mm for key, s in now.items())


def _contradict(one: Reading, other: Reading) -> bool:
    """Whether two readings have an unknown piece at two places."""
    return any(other.lying.get(piece, place) != place for piece, place in one.lying.items())


def differ_in_doubts(one: Reading, other: Reading) -> bool:
    """Whether two readings differ only in what one of them cannot tell: what both claim, they claim alike."""
    before, now = map(_claims, keyed(one, other))
    alike = all(before[key] == now[key] for key in before.keys() & now.keys()) and not _contradict(one, other)
    return alike and one.unknown.keys() != other.unknown.keys()


def what_both_claim(one: Reading, now: Reading) -> Reading | None:
    """The later of two readings without what the earlier could not tell; None where one of them claims what the other neither
    claims nor doubts, for then they contradict each other."""
    before, after = keyed(one, now)
    both = {key for key in before.keys() & after.keys() if _claimed(before[key]) == _claimed(after[key])}
    for claimed, other in ((before, now), (after, one)):
        doubted = {name.partition(":")[2] or name for name in other.unknown}
        if any(key not in both and doubted.isdisjoint((s.piece, s.place)) for key, s in claimed.items()):
            return None
    kept = tuple(sighting for key, sighting in after.items() if key in both)
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

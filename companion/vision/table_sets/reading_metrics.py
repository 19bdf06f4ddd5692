"""Metrics of a reading beyond right and wrong: the confidences by subject, and the confusions of pieces."""

from collections import Counter
from collections.abc import Iterable, Mapping

from companion.boards import PAIR, Group, PieceSet
from companion.vision.reading import Json, Reading, about_place, named_by_piece, subject

NOTHING, NOT_SAID = "nothing", "unknown"


def confidences(reading: Reading, pieces: PieceSet) -> dict[str, float]:
    """Each claim's confidence by the subject it is about."""
    found = {}
    for sighting in reading.sightings:
        group = pieces.group_of(sighting.piece)
        named = sighting.piece if named_by_piece(group) else PAIR.join(sorted(sighting.place.split(PAIR)))
        found[subject(named, group)] = sighting.confidence
    return found


def confused(truth: Json, read: Json, unknown: Iterable[str], pieces: PieceSet) -> Counter[tuple[str, str, str]]:
    """(kind, truth, read) place by place: which piece with which side lay there, and what was read there.

    A piece that was read as unknown counts as that on its true place; on a place where nothing lies and nothing was read
    nothing is counted.
    """
    doubts = frozenset(unknown)
    counts: Counter[tuple[str, str, str]] = Counter()
    for group in pieces.groups.values():
        there, seen = _labels(truth.get(group.key), group), _labels(read.get(group.key), group)
        lone = pieces.in_group(group.key)[0].id if group.layout in ("lone", "value") else None
        doubted = {lone or _named(place, label, group) for place, label in there.items()} & doubts
        for place in there.keys() | seen.keys():
            label = there.get(place, NOTHING)
            said = seen.get(place, NOTHING)
            if said == NOTHING and (lone or _named(place, label, group)) in doubted:
                said = NOT_SAID
            counts[group.key, label, said] += 1
    return counts


def _labels(value: object, group: Group) -> dict[str, str]:
    """Place to what lies there, in words."""
    if value is None or group.layout == "value" or not isinstance(value, Iterable):
        return {group.key: str(value)} if value is not None and group.layout == "value" else {}
    if group.layout == "by-piece" and isinstance(value, Mapping):
        return {
            str(entry["hex"]): " ".join([str(name), *(str(entry[key]) for key in ("side", "facing") if key in entry)])
            for name, entry in value.items()
            if entry.get("hex") is not None
        }
    if group.layout == "lone" and isinstance(value, Mapping):
        side = [str(value["side"])] if "side" in value else []
        return {} if value.get("hex") is None else {str(value["hex"]): " ".join([group.singular, *side])}
    if isinstance(value, Mapping):
        if group.layout == "by-zone":
            return {f"{zone} {rank + 1}": str(card) for zone, cards in value.items() for rank, card in enumerate(cards)}
        return {str(place): str(label) for place, label in value.items()}
    return {PAIR.join(sorted(place)) if group.layout == "pairs" else str(place): group.singular for place in value}


def _named(place: str, label: str, group: Group) -> str:
    """The subject under which a doubt about what lies here would be."""
    if group.layout == "by-piece":
        return label.partition(" ")[0]
    if group.layout == "by-zone":
        return about_place(place.rpartition(" ")[0], group)
    return f"{group.singular}:{place}"

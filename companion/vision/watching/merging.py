"""Two cameras on one table: two readings of the same moment made into one. Pure.

Where both say the same, the claim is surer than either. Where one is blind, the other counts. Where they contradict each
other nothing is claimed, and the doubt names both cameras with what each of them saw.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from companion.boards import Group, PieceSet
from companion.vision.reading import Reading, Sighting, about_place, named_by_piece, subject

SUREST = 0.9999
"""However sure both are: two cameras over one table share its light and its lookalikes."""


def merge(one: Reading, other: Reading, pieces: PieceSet) -> Reading:
    """One reading of two, taken of the same table at the same time."""
    sightings: list[Sighting] = []
    unknown: dict[str, str] = {}
    for group in pieces.groups.values():
        if group.layout == "by-zone":
            sightings += _named_apart(group, list(_zones(group, one, other, pieces, unknown)), unknown)
            continue
        mine = list(_merged(group, one, other, pieces, unknown))
        sightings += (
            _apart(group, mine, one, other, unknown) if named_by_piece(group) else _told_apart(group, mine, pieces, unknown)
        )
    seeing = [reading for reading in (one, other) if reading.sightings or not reading.unknown] or [one, other]
    solved = {why for reading in (one, other) for why in reading.unknown.values()} - set(unknown.values())
    problems = dict.fromkeys(problem for reading in seeing for problem in reading.problems if problem not in solved)
    return Reading(
        tuple(sightings), unknown, tuple(problems), one.settled and other.settled, max(one.captured_at, other.captured_at),
        f"{one.source} + {other.source}", _lying(one, other, unknown), again=_again(one, other, sightings, unknown, pieces),
    )  # fmt: skip


def _lying(one: Reading, other: Reading, unknown: Mapping[str, str]) -> dict[str, str]:
    """Where pieces that stay unknown lie, as far as the two do not contradict each other."""
    found = {}
    for piece in unknown:
        places = {reading.lying[piece] for reading in (one, other) if piece in reading.lying}
        if len(places) == 1 and one.of(piece) is None and other.of(piece) is None:
            found[piece] = places.pop()
    return found


def _again(
    one: Reading, other: Reading, sightings: Iterable[Sighting], unknown: Mapping[str, str], pieces: PieceSet
) -> tuple[str, ...]:
    """Zones in which the upmost card may have been laid once more, as one camera tells and the other does not see better."""
    doubted = {about_place(zone, group) for group in pieces.groups.values() for zone in (*one.again, *other.again)}
    in_doubt = {name.partition(":")[2] for name in doubted & unknown.keys()}
    lying = Counter(s.place for s in sightings)
    counted = {
        zone: max(sum(s.place == zone for s in reading.sightings) for reading in (one, other) if zone in reading.again)
        for zone in dict.fromkeys((*one.again, *other.again))
    }
    return tuple(zone for zone, count in counted.items() if zone not in in_doubt and lying[zone] <= count)


def _merged(group: Group, one: Reading, other: Reading, pieces: PieceSet, unknown: dict[str, str]) -> Iterator[Sighting]:
    """Subject by subject: what both say, or what the one says that can see. Doubts go into ``unknown``."""
    first, second = _by_subject(one, group, pieces), _by_subject(other, group, pieces)
    doubted = {name for reading in (one, other) for name in reading.unknown if _is_about(name, group, pieces)}
    for name in sorted(first.keys() | second.keys() | doubted):
        a, b = first.get(name), second.get(name)
        if name in one.unknown and name in other.unknown:
            unknown[name] = one.unknown[name]
        elif name in one.unknown or name in other.unknown:
            seen, doubting = (b, one) if name in one.unknown else (a, other)
            place = doubting.lying.get(name)
            if seen is not None and place not in (None, seen.place):
                words = _words(seen, pieces)
                unknown[name] = _contradiction(one, other, *((place, words) if doubting is one else (words, place)))
            elif seen is not None:
                yield seen
        elif a is not None and b is not None and _claim(a, pieces) == _claim(b, pieces):
            surer = a if a.confidence >= b.confidence else b
            together = 1 - (1 - a.confidence) * (1 - b.confidence)
            yield replace(surer, confidence=max(surer.confidence, min(together, SUREST)))
        else:
            unknown[name] = _contradiction(one, other, _words(a, pieces), _words(b, pieces))


def _zones(group: Group, one: Reading, other: Reading, pieces: PieceSet, unknown: dict[str, str]) -> Iterator[Sighting]:
    """The cards of a group zone by zone: what both see there, or what the one sees that can read the zone. A card that one of
    them cannot place is where the other has it."""
    cards = {piece.id for piece in pieces.in_group(group.key)}
    lost = {card for card in cards if card in one.unknown and card in other.unknown}
    unknown |= {card: one.unknown[card] for card in sorted(lost)}
    in_doubt = {card for card in cards if card in one.unknown or card in other.unknown} - lost
    shown = [{zone: _in_zone(reading, zone, cards) for zone in _zones_of(reading, cards)} for reading in (one, other)]
    doubts = {name for reading in (one, other) for name in reading.unknown if _is_about_zone(name, group)}
    told = {about_place(zone, group) for zones in shown for zone in zones} | doubts
    for name in sorted(told):
        a, b = (zones.get(name.partition(":")[2], ()) for zones in shown)
        if name in one.unknown and name in other.unknown:
            unknown[name] = one.unknown[name]
            yield from (s for s in a if (_shown(s), s.face) in {(_shown(x), x.face) for x in b})
        elif name in one.unknown or name in other.unknown:
            yield from b if name in one.unknown else a
        elif _sure(a, in_doubt) == _sure(b, in_doubt):
            yield from a if len(a) >= len(b) else b
        elif (seen := _once_more(name.partition(":")[2], (one, a), (other, b))) is not None:
            yield from seen
        else:
            unknown[name] = _contradiction(one, other, *(", ".join(map(_shown, side)) or "nothing" for side in (a, b)))


def _once_more(zone: str, *sides: tuple[Reading, tuple[Sighting, ...]]) -> tuple[Sighting, ...] | None:
    """The cards of a zone as the one camera has them, of two sides, where it saw the upmost laid once more and the other says
    that this may be; else None."""
    for (reading, fewer), (_, more) in (sides, sides[::-1]):
        shown = [_shown(s) for s in fewer]
        if zone in reading.again and fewer and [_shown(s) for s in more] == [*shown, shown[-1]]:
            return more
    return None


def _named_apart(group: Group, mine: list[Sighting], unknown: dict[str, str]) -> list[Sighting]:
    """Cards that show a side which several share each get another of these names; those for which none is left are in doubt."""
    kept = [s for s in mine if not s.among]
    for sighting in (s for s in mine if s.among):
        taken = {s.piece for s in kept}
        name = next((name for name in (sighting.piece, *sighting.among) if name not in taken), None)
        if name is None:
            unknown[about_place(sighting.place, group)] = f"there is no further {group.singular} to lie at {sighting.place}"
        else:
            kept.append(replace(sighting, piece=name))
    return kept


def _zones_of(reading: Reading, cards: Collection[str]) -> set[str]:
    return {s.place for s in reading.sightings if s.piece in cards}


def _in_zone(reading: Reading, zone: str, cards: Collection[str]) -> tuple[Sighting, ...]:
    """The cards that a reading has in a zone, in order."""
    mine = [s for s in reading.sightings if s.place == zone and s.piece in cards]
    return tuple(sorted(mine, key=lambda s: (s.rank or 0, s.piece)))


def _sure(lying: Iterable[Sighting], in_doubt: Collection[str]) -> list[str]:
    return [_shown(s) for s in lying if s.piece not in in_doubt]


def _shown(sighting: Sighting) -> str:
    """What a card shows: its name, or a side that several share."""
    return str(sighting.face) if sighting.among else sighting.piece


def _is_about_zone(name: str, group: Group) -> bool:
    return name.partition(":")[0] == group.singular and ":" in name


def _apart(group: Group, mine: list[Sighting], one: Reading, other: Reading, unknown: dict[str, str]) -> list[Sighting]:
    """Two pieces that each was seen by another camera at one and the same place: neither is claimed."""
    kept = []
    for sighting in mine:
        rival = next((s for s in mine if s.place == sighting.place and s.piece != sighting.piece), None)
        if rival is None:
            kept.append(sighting)
        else:
            by_one = one.of(sighting.piece) is not None
            words = (sighting.piece, rival.piece) if by_one else (rival.piece, sighting.piece)
            unknown[subject(sighting.piece, group)] = _contradiction(one, other, *words)
    return kept


def _told_apart(group: Group, mine: list[Sighting], pieces: PieceSet, unknown: dict[str, str]) -> list[Sighting]:
    """Pieces that look alike get names of their own; more of them than there are cannot be."""
    kept: list[Sighting] = []
    for sighting in sorted(mine, key=lambda one: bool(one.among)):  # whose name was read keeps it
        taken = {s.piece for s in kept}
        alike = _alike(sighting, group, pieces)
        name = next((name for name in (sighting.piece, *alike) if name not in taken), None)
        if name is not None:
            kept.append(replace(sighting, piece=name))
            continue
        for rival in (sighting, *(s for s in kept if s.piece in alike)):
            unknown[subject(rival.place, group)] = f"there is no further {group.singular} to lie at {rival.place}"
        kept = [s for s in kept if s.piece not in alike]
    return [s for s in kept if subject(s.place, group) not in unknown]


def _alike(sighting: Sighting, group: Group, pieces: PieceSet) -> list[str]:
    """The pieces that a sighting may as well be of: those that share the side seen, or tiles with one label."""
    if sighting.among:
        return list(sighting.among)
    mine = pieces.in_group(group.key)
    if any(sticker.others for sticker in pieces.stickers.values() if pieces.pieces[sticker.piece].group == group.key):
        mine = tuple(piece for piece in mine if sighting.face in (None, *piece.faces))
    return [piece.id for piece in mine if piece.label == pieces.pieces[sighting.piece].label]


def _by_subject(reading: Reading, group: Group, pieces: PieceSet) -> dict[str, Sighting]:
    by_piece = named_by_piece(group)
    mine = (s for s in reading.sightings if pieces.pieces[s.piece].group == group.key)
    return {subject(s.piece if by_piece else s.place, group): s for s in mine}


def _is_about(name: str, group: Group, pieces: PieceSet) -> bool:
    if named_by_piece(group):
        return name in pieces.pieces and pieces.pieces[name].group == group.key
    return name.partition(":")[0] == group.singular and ":" in name


def _claim(sighting: Sighting, pieces: PieceSet) -> tuple[object, ...]:
    return pieces.pieces[sighting.piece].label, sighting.place, sighting.face, sighting.facing


def _words(sighting: Sighting | None, pieces: PieceSet) -> str:
    if sighting is None:
        return "nothing"
    label = pieces.pieces[sighting.piece].label
    parts = (sighting.place, sighting.face, sighting.facing, None if label is None else str(label))
    return " ".join(part for part in parts if part)


def _contradiction(one: Reading, other: Reading, first: str, second: str) -> str:
    return f"{one.source} sees {first}, {other.source} sees {second}"

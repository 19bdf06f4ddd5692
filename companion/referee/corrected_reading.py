"""What the table shows once corrections by hand are laid over the camera's claims. Knows layouts, no rules."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.boards import PAIR, Board, Group, Piece, PieceSet
from companion.errors import BadInput, quoted
from companion.games.expectations import WHOLE
from companion.vision.reading import Reading, covers

Json = Mapping[str, Any]
NOT_SEEN = "unknown"
"""What a claim is when the camera makes none."""
BY_SPOT = frozenset({"by-place", "places", "pairs"})
"""Layouts of pieces that look alike: what counts is the spot, and their subjects name it."""
IN_ZONES = "by-zone"
"""The layout of cards: their subjects name a card, or all that lies in a zone (``"card:row"``)."""


@dataclass(frozen=True)
class CorrectedReading:
    """The claimed part of a position in its own JSON keys, what is unknown (subject to reason), what looks wrong, and where
    unknown pieces lie for all that (``places``; only their side, or the way they look, cannot be told; ``facings``: which way
    they face, where it is the side alone). ``burnt``: the sites that the light has burnt out. ``whole``: the zones of which
    every card was said by hand, in order."""

    state: dict[str, Any]
    unknown: dict[str, str]
    problems: tuple[str, ...]
    places: Mapping[str, str] = field(default_factory=dict)
    facings: Mapping[str, str] = field(default_factory=dict)
    burnt: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()

    @property
    def claimed(self) -> dict[str, Any]:
        """The claimed part for the game, which reads of a zone that nobody told in full what was laid since."""
        return {**self.state, WHOLE: list(self.whole)} if self.whole else self.state

    def burnt_for(self, subjects: Collection[str]) -> tuple[str, ...]:
        """The burnt-out sites that may be why subjects are unknown: those they are about, and all where one of them may be
        anywhere."""
        about = {self.places.get(subject) or subject.partition(":")[2] for subject in subjects}
        return tuple(site for site in self.burnt if "" in about or any(covers(spot, site) for spot in about))

    @property
    def subjects(self) -> tuple[str, ...]:
        """The unknown subjects, sorted."""
        return tuple(sorted(self.unknown))


def group_of(subject: str, pieces: PieceSet) -> Group:
    """The group that a subject belongs to. Raises BadInput for a subject that names nothing."""
    word, colon, _ = subject.partition(":")
    if colon:
        for group in pieces.groups.values():
            if group.singular == word and (group.layout in BY_SPOT or group.layout == IN_ZONES):
                return group
    elif subject in pieces.pieces:
        return pieces.group_of(subject)
    raise BadInput(f"{quoted(subject)} names no piece of this table; there are: {', '.join(pieces.pieces)}")


def shows(piece: Piece) -> tuple[Any, ...]:
    """What one tile may show: each of its sides, or its one label."""
    return piece.faces or (piece.label,)


def is_spot(spot: str, group: Group, board: Board) -> bool:
    """Whether a spot names a cell or place, or up to as many as a piece of this group covers (hands may lay it on fewer); of
    cards, whether it names a zone that is read."""
    if group.layout == IN_ZONES:
        return spot in board.zones and not board.zones[spot].masked
    cells = spot.split(PAIR) if group.cells > 1 else [spot]
    return len(set(cells)) == len(cells) <= group.cells and all(cell in board.cells or cell in board.places for cell in cells)


def claim(reading: Reading, subject: str, board: Board, pieces: PieceSet) -> Any:
    """What the camera claims about one subject, as JSON: NOT_SEEN, None for nothing there, or the entry. Of a piece of which
    only the place is known, the entry has no more than that."""
    if subject in reading.unknown:
        return {"hex": reading.lying[subject]} if subject in reading.lying else NOT_SEEN
    entry = entry_of(reading.state(board, pieces), subject, pieces)
    if entry is None and subject in pieces.pieces and group_of(subject, pieces).layout == IN_ZONES:
        word = group_of(subject, pieces).singular  # it may show in a zone that cannot be read
        return NOT_SEEN if any(name.partition(":")[0] == word for name in reading.unknown if ":" in name) else None
    return entry


def perceive(reading: Reading, overrides: Mapping[str, Json], board: Board, pieces: PieceSet) -> CorrectedReading:
    """The reading with the corrections that still hold laid over it."""
    state, unknown = reading.state(board, pieces), dict(reading.unknown)
    for subject, fix in overrides.items():
        unknown.pop(subject, None)
        entry, upon = fix["entry"], _laid_upon(fix, entry_of(state, subject, pieces), group_of(subject, pieces))
        with_entry(state, subject, [*entry, *upon] if upon else entry, pieces)
    places = {piece: place for piece, place in reading.lying.items() if piece in unknown}
    named = (subject.partition(":") for subject in overrides if group_of(subject, pieces).layout == IN_ZONES)
    whole = tuple(zone for _, colon, zone in named if colon)
    return CorrectedReading(state, unknown, reading.problems, places, reading.facings, reading.burnt, whole)


def keeping_sides(sight: CorrectedReading, base: Json, pieces: PieceSet, touched: Collection[str]) -> CorrectedReading:
    """The same with the side that movable pieces should have (``base``), where the camera tells their places alone.

    No play turns such a piece over. Where hands were asked to touch one (``touched``), it stays unknown until its side is seen.
    Pieces that face somewhere stay unknown as well where the camera does not tell which way: that may have changed.
    """
    state, unknown = dict(sight.state), dict(sight.unknown)
    for piece, place in sight.places.items():
        group = group_of(piece, pieces)
        entry = (base.get(group.key) or {}).get(piece) if group.layout == "by-piece" else None
        facing = {"facing": sight.facings[piece]} if piece in sight.facings else {}
        if entry is not None and piece not in touched and (facing or not pieces.pieces[piece].facing):
            del unknown[piece]
            with_entry(state, piece, {**entry, "hex": place, **facing}, pieces)
    places = {piece: place for piece, place in sight.places.items() if piece in unknown}
    return replace(sight, state=state, unknown=unknown, places=places)


def outdated(reading: Reading, overrides: Mapping[str, Json], board: Board, pieces: PieceSet) -> tuple[str, ...]:
    """Corrected subjects about which the camera now claims something new: seeing again beats being told earlier."""
    changed = []
    for subject, fix in overrides.items():
        now = claim(reading, subject, board, pieces)
        if subject in reading.unknown and now != NOT_SEEN:
            # Of what was said, only the place can be held against it.
            told = [entry["hex"] for entry in (fix["entry"], fix["against"]) if isinstance(entry, Mapping)]
            changed += [subject] if now["hex"] not in told else []
        elif now not in (NOT_SEEN, fix["against"]) and not _laid_upon(fix, now, group_of(subject, pieces)):
            changed.append(subject)
    return tuple(changed)


def _laid_upon(fix: Json, now: Any, group: Group) -> list[str]:
    """The cards that a camera sees upon those of which a person said what they are: it goes on taking these for what it took
    them for, which is nothing new about them."""
    entry, against = fix["entry"], fix["against"]
    if not (group.layout == IN_ZONES and group.by_face and all(isinstance(one, list) for one in (entry, against, now))):
        return []
    return list(now[len(against) :]) if now[: len(against)] == against else []


def relevant(sight: CorrectedReading, before: Json, after: Json, pieces: PieceSet) -> tuple[str, ...]:
    """Unknown subjects that could hide a change. ``after`` is the claimed position with unknowns as they were in ``before``.

    Tiles that lie where they lay are accounted for as long as none is missing and none is one too many: nothing of the
    group can be elsewhere. The turn marker never stops a game.
    """
    return tuple(subject for subject in sight.subjects if _could_hide(group_of(subject, pieces), before, after, pieces))


def to_be_laid(sight: CorrectedReading, head: Json, target: Json, pieces: PieceSet) -> tuple[str, ...]:
    """Unknown spots on which something must be laid that does not lie there by what is on record (``head``): that it was laid
    follows from nothing else."""
    return tuple(
        subject
        for subject in sight.subjects
        if group_of(subject, pieces).layout in BY_SPOT
        and entry_of(head, subject, pieces) is None
        and entry_of(target, subject, pieces) is not None
    )


def stood_upon(state: Json, subject: str, board: Board, pieces: PieceSet) -> bool:
    """Whether a piece is seen on a subject's spot that the board file names among those that stand on pieces of its group."""
    covering = group_of(subject, pieces).covered_by or ()
    spot = subject.partition(":")[2]
    return any(spot in _stands(state.get(key), pieces.groups[key], board) for key in covering)


def _stands(held: Any, group: Group, board: Board) -> set[str]:
    """As :func:`lying`, and the space of a track that a marker shows."""
    if group.layout != "value":
        return lying(held, group)
    return {place.id for place in board.places.values() if place.kind in group.on and place.value == held}


def shaded(sight: CorrectedReading, pieces: PieceSet) -> tuple[str, ...]:
    """Unknown spots where a tile may have been laid or turned over without any other tile telling.

    A tile with two sides may be turned where it lies, and where tiles are built there may be one more than before: what is
    under a disc then stays open, although no tile is missing.
    """
    return tuple(subject for subject in sight.subjects if _turns_over(group_of(subject, pieces), pieces))


def lying(held: Any, group: Group) -> set[str]:
    """The cells and places on which a group's pieces lie, by its part of a state."""
    if group.layout in ("by-piece", "lone"):
        entries = (held or {}).values() if group.layout == "by-piece" else [held or {}]
        return {entry["hex"] for entry in entries if entry.get("hex")}
    if group.layout == "pairs":
        return {cell for pair in held or () for cell in pair}
    return set() if group.layout == "value" else set(held or ())  # of cards, their zones


def _could_hide(group: Group, before: Json, after: Json, pieces: PieceSet) -> bool:
    if group.layout == "value":
        return False
    if group.layout not in BY_SPOT:
        return True
    was, now = before.get(group.key) or (), after.get(group.key) or ()
    return len(now) < len(was) or _too_many(now, group, pieces)


def _too_many(held: Any, group: Group, pieces: PieceSet) -> bool:
    """Whether more lie on the table than there are pieces to show it."""
    mine = pieces.in_group(group.key)
    if len(held) > len(mine):
        return True
    shown = list(held.values()) if isinstance(held, Mapping) else []
    return any(shown.count(label) > sum(label in shows(piece) for piece in mine) for label in set(shown))


def _turns_over(group: Group, pieces: PieceSet) -> bool:
    return group.layout == "by-place" and any(len(piece.faces) > 1 for piece in pieces.in_group(group.key))


def entry_of(state: Json, subject: str, pieces: PieceSet) -> Any:
    """One subject's entry in a state; None where nothing of it lies there."""
    group = group_of(subject, pieces)
    held = state.get(group.key)
    spot = subject.partition(":")[2]
    if group.layout == "by-piece":
        return (held or {}).get(subject)
    if group.layout == "by-place":
        return (held or {}).get(spot)
    if group.layout == "places":
        return True if spot in (held or ()) else None
    if group.layout == "pairs":
        return True if _cells(spot) in (held or ()) else None
    if group.layout == IN_ZONES:
        zone = zone_of(held, subject)
        return (list((held or {}).get(spot, ())) or None) if spot else None if zone is None else {"hex": zone}
    return held


def zone_of(held: Any, card: str) -> str | None:
    """The zone in which a card shows, by its group's part of a state; None where it shows in none."""
    return next((zone for zone, cards in (held or {}).items() if card in cards), None)


def with_entry(state: dict[str, Any], subject: str, entry: Any, pieces: PieceSet) -> None:
    """Put one subject's entry (None: nothing there) into a state; its groups are replaced, never changed.

    The entry of a card says its zone (``hex``) and how many lie before it there (``rank``; at the end where that is left out),
    that of a zone lists its cards.
    """
    group = group_of(subject, pieces)
    spot = subject.partition(":")[2]
    if group.layout == IN_ZONES:
        state[group.key] = _zones_with(state.get(group.key) or {}, subject, spot, entry, pieces)
    elif group.layout in ("value", "lone"):
        state[group.key] = entry
    elif group.layout == "pairs":
        kept_pairs = [pair for pair in state.get(group.key, ()) if sorted(pair) != _cells(spot)]
        state[group.key] = sorted([*kept_pairs, _cells(spot)] if entry else kept_pairs)
    elif group.layout == "places":
        kept = [place for place in state.get(group.key, ()) if place != spot]
        state[group.key] = sorted([*kept, spot] if entry else kept)
    else:
        key = subject if group.layout == "by-piece" else spot
        kept_entries = {name: value for name, value in state.get(group.key, {}).items() if name != key}
        state[group.key] = kept_entries if entry is None else {**kept_entries, key: entry}


def _zones_with(held: Json, subject: str, zone: str, entry: Any, pieces: PieceSet) -> dict[str, list[str]]:
    told = set(pieces.pieces).intersection(entry or ()) if zone else {subject}
    found = {name: [card for card in cards if card not in told] for name, cards in held.items()}
    if zone:
        found[zone] = list(entry or ())
    elif entry is not None:
        cards = found.setdefault(entry["hex"], [])
        cards.insert(min(entry.get("rank", len(cards)), len(cards)), subject)
    return {name: cards for name, cards in found.items() if cards}


def _cells(spot: str) -> list[str]:
    return sorted(spot.split(PAIR))

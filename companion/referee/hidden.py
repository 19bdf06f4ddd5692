"""What may be said while something stays hidden: a change that no hidden piece could explain, or that nobody can tell.

Every place where a hidden piece may be is tried. Only when the rest of the table is wrong with each of them is it flagged;
when one of them would make it right, the companion cannot tell, and asks again. The trying is done in small steps (a
generator), so that whoever drives it can stop in between.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from companion.boards import Group
from companion.games.game import Fault
from companion.referee.comparison import TableComparison, tile_sides
from companion.referee.corrected_reading import IN_ZONES, CorrectedReading, group_of, with_entry
from companion.referee.match import Draft, Match
from companion.referee.settings import RefereeSettings

Json = Mapping[str, Any]
Phase = Callable[[TableComparison, RefereeSettings], list[Draft]]


def stuck(comparison: TableComparison) -> bool:
    """Whether the game cannot go on by itself until the hidden pieces are seen."""
    match = comparison.match
    if not comparison.blind or match.flag is not None or match.doubt is not None:
        return False
    if match.unfinished is not None and comparison.at <= match.unfinished["until"]:
        return False
    if match.change is not None:
        return not comparison.shows(match.position)
    return match.arrangement is not None and not comparison.chores(comparison.base)


def consider(comparison: TableComparison, phase: Phase, settings: RefereeSettings) -> Generator[None, None, list[Draft]]:
    """The flag that every guess at the hidden pieces leads to, or nothing. Yields after each guess."""
    if comparison.match.change is None:
        return []
    settings = replace(settings, begun_s=0.0)  # whoever was laying a play piece by piece has had the time
    common: dict[tuple[str, str | None], Json] | None = None
    for guess in _guesses(comparison, settings.most_guesses):
        drafts = phase(guess, settings)
        if not drafts or drafts[-1].kind != "flag":
            return []
        faults = {(fault["code"], fault["character"]): fault for fault in drafts[-1].data["faults"]}
        common = faults if common is None else {key: fault for key, fault in common.items() if key in faults}
        yield
    if common is None:
        return []
    faults_left = list(common.values()) or [_NO_PLACE.to_json()]
    verdict = "illegal" if any(fault["character"] for fault in faults_left) else "out-of-step"
    return comparison.flag_drafts(verdict, faults_left, comparison.chores(comparison.match.position))


def asked_again(match: Match, comparison: TableComparison) -> Draft:
    """The request to uncover what is hidden, once more."""
    return comparison.asking(comparison.blind, (match.hidden or {}).get("times", 0) + 1)


def patience(match: Match, settings: RefereeSettings) -> float:
    """Seconds from the last request until the next: each takes twice as long, so that a broken table is no chatterbox."""
    times: int = (match.hidden or {}).get("times", 0)
    return float(min(settings.ask_again_s * 2**times, settings.ask_again_most_s))


_NO_PLACE = Fault("no-play", None, "Wherever the hidden pieces are, no play explains what changed on the table.")


def _guesses(comparison: TableComparison, most: int) -> Iterator[TableComparison]:
    """The scene with each combination of places for what is hidden; none at all when there are more than ``most``."""
    choices: list[list[tuple[str, Any]]] = []
    count = 1
    for subject in comparison.blind:
        entries = _entries(comparison, subject)
        count *= len(entries)
        if not entries or count > most:
            return
        choices.append([(subject, entry) for entry in entries])
    for chosen in product(*choices):
        state = dict(comparison.sight.state)
        for subject, entry in chosen:
            with_entry(state, subject, entry, comparison.pieces)
        unknown = {subject: why for subject, why in comparison.sight.unknown.items() if subject not in comparison.blind}
        places = {piece: place for piece, place in comparison.sight.places.items() if piece in unknown}
        yield replace(comparison, sight=CorrectedReading(state, unknown, comparison.sight.problems, places))


def _entries(comparison: TableComparison, subject: str) -> list[Any]:
    """What a hidden subject may be, as entries of a position; empty for a kind of piece that is not guessed at.

    Discs keep their side: hands that turn one over make nothing legal.
    """
    group = group_of(subject, comparison.pieces)
    if group.layout in ("places", "pairs"):
        return [True, None]
    if group.layout == "by-place":
        return [*tile_sides(comparison, group), None]
    if group.layout not in ("by-piece", "lone"):
        return _cards_entries(comparison, subject, group) if group.layout == IN_ZONES else []
    known = comparison.base.to_json()[group.key] or {}
    piece = comparison.pieces.pieces[subject]
    place = comparison.sight.places.get(subject)
    cells = sorted(comparison.board.of_kind(*group.on)) if place is None else [place]
    gone = [None] if place is None else []
    if group.layout == "lone":  # whoever is met in the streets is turned over in the same play
        sides = piece.faces or (None,)
        return [*({**known, "hex": cell, **({"side": side} if side else {})} for cell in cells for side in sides), *gone]
    entry = known.get(subject, {})
    if not piece.facing:
        return [*({**entry, "hex": cell} for cell in cells), *gone]
    return [*({**entry, "hex": cell, "facing": to} for cell in cells for to in comparison.board.directions), *gone]


def _cards_entries(comparison: TableComparison, subject: str, group: Group) -> list[Any]:
    """Where a card that cannot be placed may be: at any place of a row, upmost in a stack, anywhere else in a zone that is
    read, or in none. What may lie in a zone that cannot be read is not guessed at."""
    if subject not in comparison.pieces.pieces:
        return []
    place, shown = comparison.sight.places.get(subject), comparison.sight.state.get(group.key) or {}
    zones = [zone for zone in comparison.board.zones.values() if zone.kind in group.on and not zone.masked]
    entries: list[Any] = []
    for zone in (zone for zone in zones if place in (None, zone.id)):
        count = len(shown.get(zone.id, ()))
        entries += [{"hex": zone.id, "rank": rank} for rank in (range(count + 1) if zone.order == "row" else (count,))]
    return [*entries, *([None] if place is None else [])]

"""Where Jack may be and where his hideout may be, exactly, from public events alone.

The nights have the hideout in common and nothing else: each leaves those for which a row fits. Under ``arrival`` ``may`` only
the end of a night says something of the hideout. Under ``must`` a walk that was not announced did not end there, so that a
hideout falls out once every row that fits walks onto it. One row that fits clears all hideouts it does not walk onto; the few
that are left in doubt are settled with a slot each (:mod:`.layers`).
"""

from dataclasses import dataclass
from functools import lru_cache

from companion.games.letters_from_whitechapel.history import History, Night
from companion.games.letters_from_whitechapel.layers import Rows
from companion.games.letters_from_whitechapel.names import WALK
from companion.games.letters_from_whitechapel.secret import hideouts
from companion.games.letters_from_whitechapel.streets import load

_ROWS_TRIED = 8
"""1..10: rows drawn to clear hideouts before the rest is settled exactly; each costs about a tenth of a settlement."""

_WIDE = 2000
"""Bits of a place, 500..20000, from which going back through the layers first is worth its while."""

Circles = frozenset[int]
_NONE: Circles = frozenset()


@dataclass(frozen=True, slots=True)
class Deduction:
    """Circles where Jack may be now (none before a night's crime), circles where his hideout may be; both sorted."""

    places: tuple[int, ...]
    hideouts: tuple[int, ...]


def deduce(history: History) -> Deduction:
    """Exactly the circles for which some hideout and some rows fit every event. Both empty where none fit."""
    homes = hideouts(load(history.line_44), history.hideout)
    places = _NONE
    for night in history.nights:
        places = _NONE
        if night is not None:
            places, homes = after_night(night, homes, history.arrival, history.line_44)
    return Deduction(tuple(sorted(places)), tuple(sorted(homes)))


@lru_cache(maxsize=256)
def after_night(night: Night, homes: Circles, arrival: str, line_44: bool) -> tuple[Circles, Circles]:
    """(places, hideouts) that one night's events leave of the hideouts possible before it."""
    found = {clue for clue, _ in night.due} - set(night.scenes)
    if len(found) > night.last:  # more clues than circles written; sets of them would be too many to look at
        return _NONE, _NONE
    rows = Rows(night, line_44)
    places = frozenset(rows.final)
    if not places or not homes:
        return _NONE, _NONE
    unannounced = sum(leg.kind == WALK for leg in night.legs) - night.home
    if night.home:
        homes &= places
        if arrival == "must" and unannounced:
            homes = _reached_first(rows, homes)
        return homes, homes
    if arrival == "may" or not unannounced:
        return places, homes
    if len(homes) > unannounced:  # whatever row leads to a place, it leaves a hideout over
        return places, homes - _walked_onto(rows, homes)
    return _settled(rows, homes)


def _ends(rows: Rows, homes: Circles) -> dict[int, Circles]:
    """Hideout -> where rows that do not walk onto it end. All at once while there are few sets; else one after the other, and
    only through places that are known to lead on: long numbers are slow to handle."""
    order = sorted(homes)
    if rows.sets.width * len(order) > _WIDE:
        within = rows.alive()
        return {home: frozenset(Rows(rows.night, rows.line_44, [home], spare=False, within=within).final) for home in order}
    apart = Rows(rows.night, rows.line_44, order, spare=False)
    slots = {home: apart.sets.slot(number) for number, home in enumerate(order)}
    return {home: frozenset(place for place, sets in apart.final.items() if sets & slot) for home, slot in slots.items()}


def _settled(rows: Rows, doubtful: Circles) -> tuple[Circles, Circles]:
    """(places, hideouts) with each hideout's rows kept apart."""
    ends = _ends(rows, doubtful)
    return _NONE.union(*ends.values()), frozenset(home for home, places in ends.items() if places)


def _walked_onto(rows: Rows, homes: Circles) -> Circles:
    """Hideouts that every row walks onto."""
    certain = homes & _found_on_foot(rows.night)
    doubtful = homes - certain
    for number in range(_ROWS_TRIED):
        ends = sorted(rows.final, key=lambda place: (place in doubtful, place))
        doubtful &= rows.walked(ends[number * (len(ends) - 1) // _ROWS_TRIED], doubtful)
        if not doubtful:
            return certain
    return certain | (doubtful - _settled(rows, doubtful)[1])


def _found_on_foot(night: Night) -> Circles:
    """Clues found before any coach or alley: they were walked onto, if Jack did not start there."""
    on_foot = next((number for number, leg in enumerate(night.legs) if leg.kind != WALK), len(night.legs))
    return frozenset(clue for clue, by in night.due if by <= on_foot) - frozenset(night.scenes)


def _reached_first(rows: Rows, homes: Circles) -> Circles:
    """Hideouts that some row reaches by its last walk and by none before."""
    at_once = frozenset(home for home in homes if home not in rows.walked(home, frozenset({home})))
    ends = _ends(rows, homes - at_once)
    return at_once | frozenset(home for home, places in ends.items() if home in places)

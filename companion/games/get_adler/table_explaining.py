"""Which cards were laid between two looks at the mat, or which rules they broke."""

from collections.abc import Iterator
from dataclasses import replace

from companion.games.get_adler.landing import landed, play
from companion.games.get_adler.mat import PILE, Mat, card_name, still_told
from companion.games.get_adler.names import KINDS
from companion.games.get_adler.telling import fault
from companion.games.values import Explanation, Fault, Json, Play

Landings = tuple[tuple[str, str], ...]
"""Zone and card, in the order in which they are taken to have landed."""


def explain(before: Mat, after: Mat, plays: int, rules: Json) -> Explanation:
    """The verdict on a change; up to ``plays`` cards may have been laid one after the other."""
    if before.laid == after.laid:
        return Explanation("unchanged")
    strayed = tuple(_strayed(before, after))
    if strayed:
        return Explanation("illegal", (), strayed)
    worst: tuple[Fault, ...] = ()
    for order in _orders(before, after):
        found = _in_order(before, order, plays, rules)
        if found.verdict == "legal":
            early = tuple(_early(found.alternatives[0][-1].position, after))
            if not early and found.alternatives[0][-1].position.laid.cards == after.laid.cards:
                return replace(found, alternatives=tuple(_told(row, after) for row in found.alternatives))
            worst = worst or early
        worst = worst or found.faults
    return Explanation("illegal", (), worst or (fault("not-allowed", PILE, card="card"),))


def _told(row: tuple[Play, ...], after: Mat) -> tuple[Play, ...]:
    """Plays with what is only told of the cards that lie there."""
    return tuple(replace(one, position=still_told(after, one.position)) for one in row)


def all_plays(mat: Mat, rules: Json) -> tuple[Play, ...]:
    """Every card that may land now, wherever it may."""
    zones = (PILE, *(f"place-{number}" for number in range(1, 7)))
    found = []
    for zone in zones:
        for card in KINDS:
            landing = landed(mat, zone, card, rules)
            if landing.mat is not None:
                found.append(play(mat, zone, card, landing))
    return tuple(found)


def _strayed(before: Mat, after: Mat) -> Iterator[Fault]:
    """What is wrong whoever played: cards taken away, role cards and markers that are up too early."""
    for zone, was in before.laid.cards:
        now = after.laid.zone(zone)
        kept = next((n for n, (a, b) in enumerate(zip(was, now, strict=False)) if a != b), min(len(was), len(now)))
        if kept < len(was):
            yield fault("taken", zone, card=card_name(was[kept]), allowed=(zone,))
    was_up = dict(before.laid.roles)
    for zone, role in after.laid.roles:
        if was_up.get(zone) != role:
            yield fault("role-up", zone)
    if before.laid.cards == after.laid.cards:
        yield from _early(before, after)


def _early(reached: Mat, after: Mat) -> Iterator[Fault]:
    """Markers of hours that have not begun."""
    for place in after.laid.hours:
        if place not in reached.laid.hours:
            yield fault("hour-early", place, hour=place.rpartition("-")[2])


def _orders(before: Mat, after: Mat) -> Iterator[Landings]:
    """The new cards in the orders in which they may have landed: each zone in its own, one zone after the other."""
    new = {zone: now[len(before.laid.zone(zone)) :] for zone, now in after.laid.cards}
    zones = [zone for zone, cards in new.items() if cards]
    for order in (zones, zones[::-1]) if len(zones) > 1 else (zones,):
        yield tuple((zone, card) for zone in order for card in new[zone])


def _in_order(before: Mat, order: Landings, plays: int, rules: Json) -> Explanation:
    told: list[Play] = []
    here = before
    for number, (zone, card) in enumerate(order):
        landing = landed(here, zone, card, rules, second=number > 0)
        if landing.mat is None:
            return Explanation("illegal", (), landing.faults)
        if number >= plays:
            return Explanation("illegal", (), (fault("not-allowed", zone, card=card_name(card)),))
        told.append(play(here, zone, card, landing))
        here = landing.mat
    return Explanation("legal", (tuple(told),)) if told else Explanation("unchanged")

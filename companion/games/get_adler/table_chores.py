"""What hands must do to bring one mat to another."""

from collections.abc import Iterator
from typing import Any

from companion.games.get_adler.mat import PILE, Laid, Mat, card_name, role_name
from companion.games.get_adler.telling import CHORES, OTHERWISE, zone_name
from companion.games.values import Chore


def chores(expected: Mat, claimed: Mat) -> tuple[Chore, ...]:
    """What differs, as things to do: away first."""
    want, have = expected.laid, claimed.laid
    return (*_cards(want, have), *_roles(want, have), *_hours(want, have))


def subjects(before: Mat, after: Mat) -> tuple[str, ...]:
    """What hands touch who bring one mat to the other: zones, the pile among them where cards leave or join it. The marker of
    an hour is a reminder, and nothing waits for it."""
    zones = {zone for zone, _ in (*before.laid.cards, *after.laid.cards) if before.laid.zone(zone) != after.laid.zone(zone)}
    roles = {role for _, role in {*before.laid.roles} ^ {*after.laid.roles}}
    return (*(f"card:{zone}" for zone in sorted(zones)), *sorted(roles))


def still_asked(lies: Laid, before: Laid, asked: Laid) -> Laid:
    """What lies there, with zones in which nothing was done yet as they are asked to be."""
    names = {zone for zone, _ in (*lies.cards, *before.cards, *asked.cards)}
    cards = {zone: asked.zone(zone) if lies.zone(zone) == before.zone(zone) else lies.zone(zone) for zone in names}
    roles = asked.roles if lies.roles == before.roles else lies.roles
    return Laid(tuple(sorted((zone, lying) for zone, lying in cards.items() if lying)), roles, lies.hours)


def unlike(told: Mat, record: Mat) -> tuple[str, ...]:
    """Zones beside the pile in which other cards lie than on record, as refusals. Markers of hours are reminders."""

    def beside(laid: Laid) -> dict[str, Any]:
        return {zone: lying for zone, lying in (*laid.cards, *laid.roles) if zone != PILE}

    lies, was = beside(told.laid), beside(record.laid)
    zones = sorted(zone for zone in {*lies} | {*was} if lies.get(zone) != was.get(zone))
    return tuple(OTHERWISE.format(zone=zone_name(zone)) for zone in zones)


def _chore(code: str, subject: str, place: str | None, to: str | None, **words: object) -> Chore:
    text = CHORES[code]
    named = {"zone": zone_name(place or to or ""), "to": zone_name(to or ""), **words}
    params = {name: value for name, value in named.items() if f"{{{name}}}" in text}
    return Chore(f"{code}-card", subject, text, params, place, to)


def _cards(want: Laid, have: Laid) -> Iterator[Chore]:
    zones = sorted({zone for zone, _ in (*want.cards, *have.cards)})
    over: list[tuple[str, str]] = []
    under: list[tuple[str, str]] = []
    for zone in zones:
        wanted, lies = want.zone(zone), have.zone(zone)
        kept = next((n for n, (a, b) in enumerate(zip(wanted, lies, strict=False)) if a != b), min(len(wanted), len(lies)))
        if zone == PILE and len(lies) > 1 and not wanted:
            yield _chore("clear-pile", f"card:{zone}", zone, None)
            continue
        if zone != PILE and len(lies) > 1 and not wanted:
            yield _chore("clear", f"card:{zone}", zone, PILE)
            continue
        over += [(card, zone) for card in reversed(lies[kept:])]
        under += [(card, zone) for card in wanted[kept:]]
    for card, zone in over:
        goal = next(((one, to) for one, to in under if one == card), None)
        if goal is not None:
            under.remove(goal)
            yield _chore("move", f"card:{zone}", zone, goal[1], card=card_name(card))
        else:
            yield _chore("take", f"card:{zone}", zone, None, card=card_name(card))
    for card, zone in under:
        yield _chore("lay", f"card:{zone}", None, zone, card=card_name(card))


def _roles(want: Laid, have: Laid) -> Iterator[Chore]:
    wanted, lies = dict(want.roles), dict(have.roles)
    for zone in sorted({*wanted} | {*lies}):
        if wanted.get(zone) != lies.get(zone):
            if lies.get(zone) is not None:
                yield _chore("role-wrong", lies[zone], zone, None, role=role_name(lies[zone]))
            else:
                yield _chore("role", wanted[zone], None, zone, role=role_name(wanted[zone]))


def _hours(want: Laid, have: Laid) -> Iterator[Chore]:
    for place in sorted({*want.hours} ^ {*have.hours}):
        code = "hour" if place in want.hours else "hour-early"
        yield _chore(code, f"hour-marker:{place}", *((None, place) if code == "hour" else (place, None)), hour=place[-1])

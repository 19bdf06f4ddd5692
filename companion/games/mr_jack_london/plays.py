"""Every legal play of a character, by building the positions it can lead to."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.games.game import Move, Play
from companion.games.mr_jack import deduction
from companion.games.mr_jack.deduction import ACCUSATION, ESCAPE, card_laid
from companion.games.mr_jack_london.house_rules import Rules
from companion.games.mr_jack_london.names import (
    ABILITY,
    BERT,
    CHARACTERS,
    GOODLEY,
    GULL,
    INDEX,
    LESTRADE,
    SMITH,
    STEALTHY,
    STEPS,
    WATSON,
)
from companion.games.mr_jack_london.position import Label, Position
from companion.games.mr_jack_london.streets import Path, reach, streets_of, ways_out
from companion.games.mr_jack_london.whistling import Called, allowed_whistles, whistled_accusations
from companion.games.mr_jack_london.wording import played as sentence

WATSON_INDEX = INDEX[WATSON]


@dataclass(frozen=True, slots=True)
class Change:
    """What an ability did to the board apart from the character's own walk: the pieces' moves and the new lay-out."""

    moves: tuple[Move, ...]
    gaslights: tuple[tuple[str, Label], ...]
    covers: tuple[str, ...]
    cordons: tuple[str, ...]


def unchanged(position: Position) -> Change:
    """No ability used."""
    return Change((), position.gaslights, position.covers, position.cordons)


def ability_changes(position: Position, character: str) -> list[Change]:
    """Every way to use an ability that moves a piece of the board (gaslight, cordon, cover)."""
    net = streets_of(position.edition)
    none = unchanged(position)
    if character == SMITH:
        lit = dict(position.gaslights)
        return [
            replace(
                none,
                moves=(Move(f"gaslight {label}", origin, to),),
                gaslights=tuple(sorted((*(lamp for lamp in position.gaslights if lamp[0] != origin), (to, label)))),
            )
            for origin, label in position.gaslights
            for to in sorted(net.lamp_posts - lit.keys())
        ]
    if character == LESTRADE:
        return [
            replace(none, moves=(Move("cordon", origin, to),), cordons=moved(position.cordons, origin, to))
            for origin in position.cordons
            for to in net.exits
            if to not in position.cordons
        ]
    if character == BERT:
        return [
            replace(none, moves=(Move("cover", origin, to),), covers=moved(position.covers, origin, to))
            for origin in position.covers
            for to in sorted(net.manholes.difference(position.covers))
        ]
    return []


def moved(places: tuple[str, ...], origin: str, to: str) -> tuple[str, ...]:
    """The sorted places after one piece went from origin to to."""
    return tuple(sorted((*(place for place in places if place != origin), to)))


def may_leave(position: Position, character: str, role: str | None, rules: Rules) -> bool:
    """Whether Jack's player may take this character off the board now, exits and distance apart."""
    return deduction.may_leave(position, INDEX[character], role, first_turn=rules["escape-in-turn-one"] == "yes")


def accusable(position: Position, character: str, role: str | None, rules: Rules) -> tuple[int, ...]:
    """Indices of the characters that this one may be moved onto."""
    return deduction.accusable(position, INDEX[character], role, anybody=rules["accuse-innocent"] == "yes")


def walk(position: Position, character: str, covers: tuple[str, ...], start: str | None = None) -> dict[str, Path]:
    """Where a character may walk to with these covers, with paths, without the hex it starts on. Occupied hexes count in."""
    origin = start or position.hex(character)
    if origin is None:
        return {}
    found = dict(reach(position.edition, origin, covers, STEPS[character], False))
    if character == STEALTHY:
        for cell, path in reach(position.edition, origin, covers, STEPS[character], True).items():
            if cell not in found:
                found[cell] = path
    found.pop(origin, None)
    return found


def exits(
    position: Position, character: str, covers: tuple[str, ...], cordons: tuple[str, ...], start: str, rules: Rules
) -> dict[str, Path]:
    """Exits through which a character on ``start`` gets out in one play, with paths."""
    cost = 0 if rules["leaving-cost"] == "free" else 1
    blocked = cordons
    if rules["lestrade-opens-and-leaves"] == "no":
        blocked = tuple({*cordons, *position.cordons})
    return ways_out(position.edition, start, covers, blocked, STEPS[character], character == STEALTHY, cost)


def every_play(position: Position, character: str, role: str | None, rules: Rules) -> Iterator[Play]:
    """Every legal play; some lead to the same position. ``role`` None: either side may be moving."""
    if character == GOODLEY:
        yield from _goodley(position, role, rules)
        return
    changes = ability_changes(position, character)
    if changes:
        for change in changes:
            for covers in dict.fromkeys((position.covers, change.covers)):
                yield from _walks(position, character, covers, change, rules, after=covers == position.covers)
    else:
        yield from _walks(position, character, position.covers, unchanged(position), rules, after=True)
    if character == GULL:
        yield from _swaps(position)
    for change in (unchanged(position), *changes):
        yield from _ends(position, character, change, role, rules)


def _walks(
    position: Position, character: str, covers: tuple[str, ...], change: Change, rules: Rules, *, after: bool
) -> Iterator[Play]:
    index = INDEX[character]
    origin = position.hexes[index]
    occupied = set(position.hexes)
    for to, path in walk(position, character, covers).items():
        if to in occupied or origin is None:
            continue
        hexes = (*position.hexes[:index], to, *position.hexes[index + 1 :])
        ability = used_ability(position, character, path, bool(change.moves))
        for facing in _facings(position, index):
            if character == WATSON and facing == position.facing and rules["lantern-direction"] == "must-change":
                continue
            own = Move(character, origin, to, path, facing if index == WATSON_INDEX else None)
            moves = (own, *change.moves) if after else (*change.moves, own)
            yield make(position, character, moves, ability, hexes, facing, change)


def used_ability(position: Position, character: str, path: Path, changed: bool) -> str | None:
    """The ability that a plain walk shows: optional ones only when they were needed."""
    if character == STEALTHY:
        streets = streets_of(position.edition).streets
        return ABILITY[STEALTHY] if any(cell not in streets for cell in path) else None
    if character == GULL or (character in (SMITH, LESTRADE, BERT, GOODLEY) and not changed):
        return None
    return ABILITY[character]


def _facings(position: Position, *moved_characters: int) -> tuple[str | None, ...]:
    if WATSON_INDEX in moved_characters:
        return streets_of(position.edition).board.directions
    return (position.facing,)


def _swaps(position: Position) -> Iterator[Play]:
    gull = INDEX[GULL]
    here = position.hexes[gull]
    if here is None:
        return
    for other, there in enumerate(position.hexes):
        if other == gull or there is None:
            continue
        hexes = list(position.hexes)
        hexes[gull], hexes[other] = there, here
        for facing in _facings(position, other):
            moves = (
                Move(GULL, here, there),
                Move(CHARACTERS[other], there, here, facing=facing if other == WATSON_INDEX else None),
            )
            yield make(position, GULL, moves, ABILITY[GULL], tuple(hexes), facing, unchanged(position))


def _ends(position: Position, character: str, change: Change, role: str | None, rules: Rules) -> Iterator[Play]:
    """Accusations and escapes of a character that did nothing yet, or did ``change`` first."""
    index = INDEX[character]
    origin = position.hexes[index]
    if origin is None:
        return
    ability = ABILITY[character] if change.moves else None
    ways = walk(position, character, change.covers)
    for target in accusable(position, character, role, rules):
        to = position.hexes[target]
        if to is None or to not in ways:
            continue
        hexes = (*position.hexes[:index], to, *position.hexes[index + 1 :])
        moves = (*change.moves, Move(character, origin, to, ways[to]))
        yield make(
            position, character, moves, ability or _crossed(position, character, ways[to]), hexes, position.facing, change,
            ACCUSATION, accuser=character, accused=CHARACTERS[target],
        )  # fmt: skip
    if not may_leave(position, character, role, rules):
        return
    for path in exits(position, character, change.covers, change.cordons, origin, rules).values():
        hexes = (*position.hexes[:index], None, *position.hexes[index + 1 :])
        facing = None if index == WATSON_INDEX else position.facing
        moves = (*change.moves, Move(character, origin, None, path))
        yield make(
            position, character, moves, ability or _crossed(position, character, path[:-1]), hexes, facing, change, ESCAPE
        )


def _crossed(position: Position, character: str, path: Path) -> str | None:
    return used_ability(position, character, path, False) if character == STEALTHY else None


def _goodley(position: Position, role: str | None, rules: Rules) -> Iterator[Play]:
    net = streets_of(position.edition)
    index = INDEX[GOODLEY]
    origin = position.hexes[index]
    if origin is None:
        return
    none = unchanged(position)
    ways = walk(position, GOODLEY, position.covers)
    suspects = accusable(position, GOODLEY, role, rules)
    yield from _ends(position, GOODLEY, none, role, rules)
    way_out = next(iter(exits(position, GOODLEY, position.covers, position.cordons, origin, rules).values()), None)
    leaving = way_out if may_leave(position, GOODLEY, role, rules) else None
    for called in allowed_whistles(net, position.hexes, origin, rules):
        now, calls = _after_whistle(position, called)
        standing = set(now)
        for facing in _facings(position, *(who for who, _ in called)):
            told = _facing_told(calls, facing)
            for to, path in ways.items():
                moves = (*told, Move(GOODLEY, origin, to, path))
                hexes = (*now[:index], to, *now[index + 1 :])
                if to not in standing:
                    yield make(position, GOODLEY, moves, ABILITY[GOODLEY], hexes, facing, none)
                    continue
                accused = next((target for target in suspects if now[target] == to), None)
                if accused is not None:
                    yield make(
                        position, GOODLEY, moves, ABILITY[GOODLEY], hexes, facing, none,
                        ACCUSATION, accuser=GOODLEY, accused=CHARACTERS[accused],
                    )  # fmt: skip
            if leaving is not None:
                hexes = (*now[:index], None, *now[index + 1 :])
                moves = (*told, Move(GOODLEY, origin, None, leaving))
                yield make(position, GOODLEY, moves, ABILITY[GOODLEY], hexes, facing, none, ESCAPE)
    occupied = set(position.hexes)
    for to, path in ways.items():
        if to in occupied:
            continue
        arrived = (*position.hexes[:index], to, *position.hexes[index + 1 :])
        own = Move(GOODLEY, origin, to, path)
        for called in allowed_whistles(net, arrived, to, rules):
            hexes, calls = _after_whistle(position, called, arrived)
            for facing in _facings(position, *(who for who, _ in called)):
                yield make(position, GOODLEY, (own, *_facing_told(calls, facing)), ABILITY[GOODLEY], hexes, facing, none)
        yield from _whistled_onto(position, arrived, to, (own,), suspects, rules)
    yield from _whistled_onto(position, position.hexes, origin, (), suspects, rules)


def _whistled_onto(
    position: Position,
    hexes: tuple[str | None, ...],
    centre: str,
    before: tuple[Move, ...],
    suspects: tuple[int, ...],
    rules: Rules,
) -> Iterator[Play]:
    if rules["whistle-accusation"] == "never":
        return
    for called, accused in whistled_accusations(streets_of(position.edition), hexes, centre, suspects):
        now, calls = _after_whistle(position, called, hexes)
        for facing in _facings(position, *(who for who, _ in called)):
            yield make(
                position, GOODLEY, (*before, *_facing_told(calls, facing)), ABILITY[GOODLEY], now, facing,
                unchanged(position), ACCUSATION, accuser=CHARACTERS[called[-1][0]], accused=CHARACTERS[accused],
            )  # fmt: skip


def _after_whistle(
    position: Position, called: Called, hexes: tuple[str | None, ...] | None = None
) -> tuple[tuple[str | None, ...], tuple[Move, ...]]:
    now = list(hexes or position.hexes)
    calls = []
    for who, to in called:
        calls.append(Move(CHARACTERS[who], str(now[who]), to))
        now[who] = to
    return tuple(now), tuple(calls)


def _facing_told(calls: tuple[Move, ...], facing: str | None) -> tuple[Move, ...]:
    return tuple(replace(call, facing=facing) if call.piece == WATSON else call for call in calls)


def make(
    position: Position,
    character: str,
    moves: tuple[Move, ...],
    ability: str | None,
    hexes: tuple[str | None, ...],
    facing: str | None,
    change: Change,
    ends: str | None = None,
    *,
    accuser: str | None = None,
    accused: str | None = None,
) -> Play:
    """A play with its resulting position: the pieces as given, the character's card laid, all else as before."""
    available, played = card_laid(position.available, position.played, character)
    result = Position(
        position.edition, position.turn, position.witness_card, hexes, position.sides, facing,
        change.gaslights, change.covers, change.cordons, available=available, played=played,
    )  # fmt: skip
    text, params = sentence(character, moves, ability, ends, accuser=accuser, accused=accused)
    return Play(character, moves, ability, result, ends, text, params)

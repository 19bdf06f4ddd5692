"""What abilities do to the board, one action at a time: where each may be used, and the position afterwards."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from companion.boards import PAIR
from companion.games.game import Move
from companion.games.mr_jack_new_york.names import (
    BUILDS,
    CALLAHAN,
    CHARACTERS,
    GRANT,
    INDEX,
    INFORMANT,
    LAMP,
    PARK,
    SILENT,
    SMITH,
    SUBWAY,
    SUPPLY,
    TUMBLETY,
)
from companion.games.mr_jack_new_york.position import Barricade, Position
from companion.games.mr_jack_new_york.streets import blocked, streets_of

Rules = Mapping[str, str]
SUPPLY_BOX = "supply"
"""Where a tile comes from."""


@dataclass(frozen=True, slots=True)
class Action:
    """One use of an ability: the moves that tell it and the position after it."""

    moves: tuple[Move, ...]
    position: Position


def actions(position: Position, character: str, rules: Rules) -> Iterator[Action]:
    """Every way to use a character's ability right now (Eastman's is a walk and not among them)."""
    if character in BUILDS:
        label = BUILDS[character]
        for cell in build_cells(position, label, rules):
            yield build(position, label, cell)
    elif character == GRANT:
        for cell in park_cells(position):
            yield make_park(position, cell)
    elif character == CALLAHAN:
        for old in position.barricades:
            for new in barricade_pairs(position, old, rules):
                yield move_barricade(position, old, new)
    elif character == SMITH:
        for boat in position.steamboats:
            for port in sorted(streets_of(position.edition).ports.difference(position.steamboats)):
                yield move_steamboat(position, boat, port)
    elif character == TUMBLETY:
        for one, other in swappable(position, rules):
            yield swap(position, one, other)


# --- tiles --------------------------------------------------------------------------------------------------------------


def why_not_build(position: Position, label: str, cell: str, rules: Rules) -> tuple[str, str] | None:
    """(fault, word) when a tile may not be built on this hex, None when it may. The order is that of the plainest reason."""
    net = streets_of(position.edition)
    built = dict(position.tiles)
    if cell not in net.streets or cell in built or cell in position.covered:
        return "build-misplaced", ""
    if cell in position.hexes:
        return "build-occupied", CHARACTERS[position.hexes.index(cell)]
    if cell == position.informant and not (label == SUBWAY and rules["build-on-informant"] == "subway"):
        return "build-occupied", INFORMANT
    if label in (SUBWAY, LAMP):
        for other in net.beside[cell]:
            if built.get(other) == label or (label == SUBWAY and other in net.subways):
                return "build-touching", other
    return None


def in_supply(position: Position, label: str) -> bool:
    """Whether a tile of this kind can be left beside the board (parks are not counted: nobody knows their backs)."""
    return sum(shown == label for _, shown in position.tiles) < SUPPLY[label] and len(position.tiles) < sum(SUPPLY.values())


def build_cells(position: Position, label: str, rules: Rules) -> Iterator[str]:
    """Hexes where such a tile may be built now."""
    if in_supply(position, label):
        for cell in sorted(streets_of(position.edition).streets):
            if why_not_build(position, label, cell, rules) is None:
                yield cell


def build(position: Position, label: str, cell: str) -> Action:
    """A tile laid from the supply."""
    tiles = tuple(sorted((*position.tiles, (cell, label))))
    return Action((Move(f"tile {label}", SUPPLY_BOX, cell),), replace(position, tiles=tiles))


def park_cells(position: Position) -> list[str]:
    """Tiles that may be turned into parks: all but parks and subways under a barricade."""
    covered = position.covered
    return [cell for cell, label in position.tiles if label != PARK and cell not in covered]


def make_park(position: Position, cell: str) -> Action:
    """A tile turned over."""
    label = dict(position.tiles)[cell]
    tiles = tuple((spot, PARK if spot == cell else shown) for spot, shown in position.tiles)
    return Action((Move(f"{PARK} {label}", cell, cell),), replace(position, tiles=tiles))


# --- barricades and steamboats ------------------------------------------------------------------------------------------


def why_not_barricade(position: Position, old: Barricade, new: Barricade, rules: Rules) -> tuple[str, str, str] | None:
    """(fault, cell, who) when the barricade on ``old`` may not go to ``new``, None when it may."""
    net = streets_of(position.edition)
    built = dict(position.tiles)
    if len(set(new)) != 2 or new[1] not in net.beside[new[0]]:
        return "barricade-short", new[0] if new else "", ""
    for cell in new:
        if (cell not in net.streets and cell not in net.subways) or built.get(cell, PARK) not in (PARK, SUBWAY):
            return "barricade-misplaced", cell, ""
        if cell in position.hexes or cell == position.informant:
            who = CHARACTERS[position.hexes.index(cell)] if cell in position.hexes else INFORMANT
            return "barricade-occupied", cell, who
        if rules["barricades-overlap"] == "no" and any(cell in pair for pair in position.barricades if pair != old):
            return "barricade-doubled", cell, ""
    return ("barricade-doubled", new[0], "") if new in position.barricades else None


def barricade_pairs(position: Position, old: Barricade, rules: Rules) -> list[Barricade]:
    """Where one barricade may go."""
    net = streets_of(position.edition)
    walls = {cell for cell, label in position.tiles if label not in (PARK, SUBWAY)}
    full = {cell for cell in (*position.hexes, position.informant) if cell is not None} | walls
    if rules["barricades-overlap"] == "no":
        full |= {cell for pair in position.barricades if pair != old for cell in pair}
    return [pair for pair in net.pairs if pair not in position.barricades and pair[0] not in full and pair[1] not in full]


def move_barricade(position: Position, old: Barricade, new: Barricade) -> Action:
    """A barricade laid elsewhere."""
    kept = list(position.barricades)
    kept.remove(old)
    move = Move("barricade", PAIR.join(old), PAIR.join(new))
    return Action((move,), replace(position, barricades=tuple(sorted((*kept, new)))))


def move_steamboat(position: Position, old: str, new: str) -> Action:
    """A steamboat in another port."""
    boats = tuple(sorted((*(boat for boat in position.steamboats if boat != old), new)))
    return Action((Move("steamboat", old, new),), replace(position, steamboats=boats))


# --- Tumblety -----------------------------------------------------------------------------------------------------------


def beside_tumblety(position: Position) -> list[str]:
    """Characters next to Tumblety."""
    here = position.hex(TUMBLETY)
    if here is None:
        return []
    around = streets_of(position.edition).beside[here]
    return [name for name, spot in zip(CHARACTERS, position.hexes, strict=True) if spot in around]


def swappable(position: Position, rules: Rules) -> Iterator[tuple[str, str]]:
    """Pairs that Tumblety may swap: one beside him, the other anywhere."""
    done: set[frozenset[str]] = set()
    for one in beside_tumblety(position):
        for other in CHARACTERS:
            if other == one or position.hex(other) is None or (other == TUMBLETY and rules["swap-himself"] == "no"):
                continue
            if frozenset((one, other)) not in done:
                done.add(frozenset((one, other)))
                yield one, other


def swap(position: Position, one: str, other: str) -> Action:
    """Two characters in each other's place."""
    one, other = sorted((one, other), key=CHARACTERS.index)  # told alike however it was found
    here, there = position.hex(one) or "", position.hex(other) or ""
    hexes = list(position.hexes)
    hexes[INDEX[one]], hexes[INDEX[other]] = there, here
    return Action((Move(one, here, there), Move(other, there, here)), replace(position, hexes=tuple(hexes)))


# --- the informant ------------------------------------------------------------------------------------------------------


def informant_cells(position: Position) -> list[str]:
    """Free hexes that the informant may be moved to, others than his own; somebody stands with him already."""
    net = streets_of(position.edition)
    return sorted(net.ground - blocked(position) - {spot for spot in (*position.hexes, position.informant) if spot})


def move_informant(position: Position, to: str) -> Action:
    """The informant met, turned silent and moved."""
    move = Move(INFORMANT, position.informant or "", to)
    return Action((move,), replace(position, informant=to, informant_side=SILENT))


def stand(position: Position, character: str, spot: str | None) -> Position:
    """The position with one character elsewhere."""
    index = INDEX[character]
    return replace(position, hexes=(*position.hexes[:index], spot, *position.hexes[index + 1 :]))

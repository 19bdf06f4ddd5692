"""From JSON to a :class:`Position`, listing every fault. Strict for real positions, tolerant for what hands can leave."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.boards import PAIR
from companion.errors import quoted
from companion.games.mr_jack.checking import PositionReader, Spots
from companion.games.mr_jack_new_york.names import (
    ALL_TILES,
    BARRICADES,
    BUILDING,
    CHARACTERS,
    INFORMANT,
    INFORMANT_SIDES,
    LAMP,
    PARK,
    STEAMBOATS,
    SUBWAY,
    SUPPLY,
    TILES,
)
from companion.games.mr_jack_new_york.position import Barricade, Position, Tile
from companion.games.mr_jack_new_york.streets import Streets, streets_of

KINDS = {
    "street": "a street",
    "building": "a printed building",
    "subway": "the printed subway",
    "pier": "a pier",
    "statue": "the statue's island",
    "port": "a port",
    "exit": "the land exit",
}


class Reader(PositionReader):
    """The reader of this game: tiles with a supply, barricades on two hexes, boats in ports, the informant."""

    state = Position
    kinds = KINDS
    footing = "a place to stand"

    def ground(self, edition: str) -> frozenset[str]:
        """What is printed to be stood on; what was built on it is looked at with the pieces."""
        return streets_of(edition).ground

    def pieces(self, edition: str, hexes: Spots) -> dict[str, Any]:
        """Tiles, barricades, steamboats and the informant, and who stands where one of them lies."""
        net = streets_of(edition)
        tiles = self.tiles(net)
        barricades = self.barricades(net, dict(tiles))
        boats = self.boats(net)
        informant, side = self.informant(net)
        self.crowding(hexes, dict(tiles), barricades, informant)
        return {"tiles": tiles, "barricades": barricades, "steamboats": boats, "informant": informant, "informant_side": side}

    def tiles(self, net: Streets) -> tuple[Tile, ...]:
        tiles: list[Tile] = []
        for spot, label in self.mapping("tiles").items():
            if spot not in net.board:
                self.fault(f"tiles: hex {quoted(spot)} is not on the board")
            elif not isinstance(label, str) or label not in TILES:
                self.fault(f"tile on {spot}: {quoted(label)} is not one of {', '.join(TILES)}")
            else:
                if spot not in net.streets:
                    self.broken_rule(f"{label} tile lies on {spot}, which is {KINDS[net.board.kind(spot)]}, not a street")
                tiles.append((spot, label))
        tiles.sort()
        self.supply(Counter(label for _, label in tiles))
        trains = {*net.subways, *(spot for spot, label in tiles if label == SUBWAY)}
        lamps = {spot for spot, label in tiles if label == LAMP}
        for word, spots in ((SUBWAY, trains), (LAMP, lamps)):
            for one in sorted(spots):
                for other in sorted(net.beside[one]):
                    if one < other and other in spots:
                        self.broken_rule(f"{word}s on {one} and {other} touch each other, which they may not")
        return tuple(tiles)

    def supply(self, count: Counter[str]) -> None:
        """Parks lie on the backs of all three kinds, so they only count in the sum."""
        for label, most in SUPPLY.items():
            if count[label] > most:
                self.broken_rule(f"{label} tiles: {count[label]} of them, but there are {most}")
        if sum(count.values()) > ALL_TILES:
            self.broken_rule(f"tiles: {sum(count.values())} with {count[PARK]} parks, but there are {ALL_TILES}")

    def barricades(self, net: Streets, built: Mapping[str, str]) -> tuple[Barricade, ...]:
        given = self.listing("barricades")
        found: list[Barricade] = []
        for pair in given:
            if not isinstance(pair, list | tuple):
                self.fault(f"barricades: {quoted(pair)} is not a list of two hexes")
                continue
            strange = [cell for cell in pair if not isinstance(cell, str) or cell not in net.board]
            for cell in strange:
                self.fault(f"barricades: hex {quoted(cell)} is not on the board")
            if strange:
                continue
            found.append(tuple(sorted(pair)))
            self.barricade(net, built, found[-1])
        self.count_alike("barricades", [PAIR.join(pair) for pair in found], len(given), BARRICADES)
        return tuple(sorted(found))

    def barricade(self, net: Streets, built: Mapping[str, str], pair: Barricade) -> None:
        name = PAIR.join(pair) or "nothing"
        if len(set(pair)) != 2:
            self.broken_rule(f"barricade on {name}: covers {len(set(pair))} hexes, but it is two hexes long")
        elif pair[1] not in net.beside[pair[0]]:
            self.broken_rule(f"barricade on {name}: these hexes do not touch")
        for cell in dict.fromkeys(pair):
            if cell not in net.streets and cell not in net.subways:
                self.broken_rule(f"barricade on {name}: {cell} is {KINDS[net.board.kind(cell)]}, where none may lie")
            elif built.get(cell) in (LAMP, BUILDING):
                self.broken_rule(f"barricade on {name}: a {built[cell]} stands on {cell}")

    def boats(self, net: Streets) -> tuple[str, ...]:
        given = self.listing("steamboats")
        found: list[str] = []
        for spot in given:
            if not isinstance(spot, str) or spot not in net.board:
                self.fault(f"steamboats: hex {quoted(spot)} is not on the board")
                continue
            if spot not in net.ports:
                self.broken_rule(f"steamboat lies on {spot}, which is {KINDS[net.board.kind(spot)]}, not a port")
            found.append(spot)
        self.count_alike("steamboats", found, len(given), STEAMBOATS)
        return tuple(sorted(found))

    def informant(self, net: Streets) -> tuple[str | None, str | None]:
        if INFORMANT not in self.data:
            self.broken_rule(f"{INFORMANT}: missing")
            return None, None
        entry = self.mapping(INFORMANT)
        if not isinstance(self.data[INFORMANT], Mapping):
            return None, None
        return self.spot(net.board, net.ground, INFORMANT, entry), self.side(INFORMANT, entry, INFORMANT_SIDES)

    def crowding(
        self, hexes: Spots, built: Mapping[str, str], barricades: tuple[Barricade, ...], informant: str | None
    ) -> None:
        """Who stands where something else lies."""
        covered = {cell for pair in barricades for cell in pair}
        for name, spot in (*zip(CHARACTERS, hexes, strict=True), (INFORMANT, informant)):
            if spot is None:
                continue
            if built.get(spot) in (LAMP, BUILDING):
                self.broken_rule(f"{name}: stands on {spot}, where a {built[spot]} stands")
            if spot in covered:
                self.broken_rule(f"{name}: stands on {spot}, which is under a barricade")
        if informant is not None and informant in hexes:
            self.broken_rule(f"{INFORMANT}: stands on {informant} with {CHARACTERS[hexes.index(informant)]}")

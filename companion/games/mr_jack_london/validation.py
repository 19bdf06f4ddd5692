"""From JSON to a :class:`Position`, listing every fault. Strict for real positions, tolerant for what hands can leave."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.errors import quoted
from companion.games.mr_jack.checking import PositionReader, Spots
from companion.games.mr_jack_london.names import BLANK, CHARACTERS, LAMP_TILES, WATSON
from companion.games.mr_jack_london.position import Label, Position
from companion.games.mr_jack_london.streets import Streets, streets_of

KINDS = {"street": "a street", "manhole": "a manhole", "gaslight": "a gaslight", "obstacle": "a building or garden"}


class Reader(PositionReader):
    """The reader of this game: a lantern to point, gaslights with numbers, two covers, two cordons."""

    state = Position
    kinds = KINDS
    footing = "a street"
    entry_keys = ("hex", "side", "facing")

    def ground(self, edition: str) -> frozenset[str]:
        """Streets and manholes."""
        return streets_of(edition).streets

    def pieces(self, edition: str, hexes: Spots) -> dict[str, Any]:
        """The lantern, gaslights, covers and cordons."""
        net = streets_of(edition)
        given = self.data.get("characters")
        return {
            "facing": self.facing(net, given) if isinstance(given, Mapping) else None,
            "gaslights": self.lamps(net),
            "covers": self.places("covers", "cover", net.manholes, net.board.cells, net),
            "cordons": self.places("cordons", "cordon", net.exits, net.exits, net),
        }

    def facing(self, net: Streets, entries: Mapping[str, Any]) -> str | None:
        facing: str | None = None
        for name, entry in entries.items():
            if name not in CHARACTERS or not isinstance(entry, Mapping) or "facing" not in entry:
                continue
            value = entry["facing"]
            if name != WATSON:
                self.fault(f"{name}: has a facing, but only {WATSON} carries a lantern")
            elif value is None and self.tolerant:
                continue
            elif not isinstance(value, str) or value not in net.board.directions:
                self.fault(f"{name}: facing {quoted(value)} is not one of {', '.join(net.board.directions)}")
            else:
                facing = value
        bearer = entries.get(WATSON)
        if isinstance(bearer, Mapping) and "facing" not in bearer and bearer.get("hex") is not None:
            self.broken_rule(f"{WATSON}: facing is missing ({', '.join(net.board.directions)})")
        return facing

    def lamps(self, net: Streets) -> tuple[tuple[str, Label], ...]:
        given = self.mapping("gaslights")
        lamps: list[tuple[str, Label]] = []
        for spot, label in given.items():
            if spot not in net.board:
                self.fault(f"gaslights: hex {quoted(spot)} is not on the board")
            elif isinstance(label, bool) or not isinstance(label, int | str) or label not in LAMP_TILES:
                self.fault(f"gaslight on {spot}: {quoted(label)} is not 1, 2, 3, 4 or {BLANK!r}")
            else:
                if spot not in net.lamp_posts:
                    self.broken_rule(f"gaslight {label} lies on {spot}, which is {KINDS[net.board.kind(spot)]}, not a gaslight")
                lamps.append((spot, label))
        if isinstance(self.data.get("gaslights"), Mapping):
            self.count_lamps(Counter(label for _, label in lamps))
        return tuple(sorted(lamps))

    def count_lamps(self, count: Counter[Label]) -> None:
        # Which tile should be gone by now is the clean-up's business, not a fault: a table between two turns, or one
        # where the clean-up was forgotten, is still a table on which everybody is seen or not.
        if sum(count.values()) > len(LAMP_TILES):
            self.broken_rule(f"gaslights: {sum(count.values())} tiles, but there are {len(LAMP_TILES)}")
        for label in sorted(count, key=str):
            if count[label] > LAMP_TILES.count(label):
                given, most = count[label], LAMP_TILES.count(label)
                self.broken_rule(
                    f"gaslight {label} is there {given} times, but there are {most}"
                    if label != BLANK
                    else f"gaslight without a number is there {given} times, but there are {most}"
                )

    def places(self, key: str, word: str, allowed: Any, known: Any, net: Streets) -> tuple[str, ...]:
        """The two covers or cordons. ``known`` are words that name something, ``allowed`` where the piece may lie."""
        if key not in self.data or not isinstance(self.data[key], list | tuple):
            self.listing(key)
            return ()
        given = self.listing(key)
        found: list[str] = []
        for spot in given:
            if not isinstance(spot, str) or spot not in known:
                what = f"an exit; there are: {', '.join(sorted(known))}" if key == "cordons" else "on the board"
                self.fault(f"{key}: {quoted(spot)} is not {what}")
            elif spot not in allowed:
                self.broken_rule(f"{word} lies on {spot}, which is {KINDS[net.board.kind(spot)]}, not a manhole")
                found.append(spot)
            else:
                found.append(spot)
        self.count_alike(key, found, len(given), 2)
        return tuple(sorted(found))

"""From JSON to a :class:`Position`, listing every fault. Strict for real positions, tolerant for what hands can leave.

Absent keys: ``edition`` is the default one, ``turn`` 1, ``witness_card`` ``"seen"`` (how every game begins; a later turn's
card has to be given, otherwise escaping counts as not allowed), cards unknown. Everything else must be there.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.errors import InvalidPosition
from companion.games.checking import PositionReader
from companion.games.mr_jack_london.names import BLANK, CHARACTERS, ID, LAMP_TILES, WATSON
from companion.games.mr_jack_london.position import Label, Position, json_of
from companion.games.mr_jack_london.streets import Streets, streets_of

KEYS = frozenset(
    ("game", "edition", "turn", "characters", "gaslights", "covers", "cordons", "witness_card", "available", "played")
)
KINDS = {"street": "a street", "manhole": "a manhole", "gaslight": "a gaslight", "obstacle": "a building or garden"}


def from_notation(notation: str, *, tolerant: bool = False) -> Position:
    """A position from its line of notation. Raises InvalidPosition."""
    try:
        data = json_of(notation)
    except ValueError as error:
        raise InvalidPosition([str(error)], f"notation {notation[:60]!r}") from error
    return from_json(data, tolerant=tolerant)


def from_json(data: Any, *, tolerant: bool = False) -> Position:
    """A position from its JSON. Raises InvalidPosition with every fault.

    ``tolerant`` lets pass what a hand can do to pieces (missing, doubled up, on the wrong kind of hex) and still refuses
    words that name nothing.
    """
    position: Position = _Reader.position(data, tolerant=tolerant)
    return position


class _Reader(PositionReader):
    """The reader of this game: a lantern to point, gaslights with numbers, two covers, two cordons."""

    game = ID
    characters = CHARACTERS
    keys = KEYS
    kinds = KINDS
    entry_keys = ("hex", "side", "facing")

    def read(self) -> Position | None:
        edition = self.edition()
        if edition is None:
            return None
        net = streets_of(edition)
        turn, card = self.turn(), self.witness_card()
        hexes, sides = self.discs(net.board, net.streets, "a street")
        given = self.data.get("characters")
        facing = self.facing(net, given) if isinstance(given, Mapping) else None
        lamps = self.lamps(net)
        covers = self.places("covers", "cover", net.manholes, net.board.cells, net)
        cordons = self.places("cordons", "cordon", net.exits, net.exits, net)
        available, played = self.cards()
        if self.faults:
            return None
        return Position(
            edition=edition,
            turn=turn,
            witness_card=card,
            hexes=hexes,
            sides=sides,
            facing=facing,
            gaslights=lamps,
            covers=covers,
            cordons=cordons,
            available=available,
            played=played,
        )

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
                self.fault(f"{name}: facing {value!r} is not one of {', '.join(net.board.directions)}")
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
                self.fault(f"gaslights: hex {spot!r} is not on the board")
            elif isinstance(label, bool) or not isinstance(label, int | str) or label not in LAMP_TILES:
                self.fault(f"gaslight on {spot}: {label!r} is not 1, 2, 3, 4 or {BLANK!r}")
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
                name = f"gaslight {label}" if label != BLANK else "gaslight without a number"
                self.broken_rule(f"{name} is there {count[label]} times, but there are {LAMP_TILES.count(label)}")

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
                self.fault(f"{key}: {spot!r} is not {what}")
            elif spot not in allowed:
                self.broken_rule(f"{word} lies on {spot}, which is {KINDS[net.board.kind(spot)]}, not a manhole")
                found.append(spot)
            else:
                found.append(spot)
        self.count_alike(key, found, len(given), 2)
        return tuple(sorted(found))

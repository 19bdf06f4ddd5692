"""From JSON to a :class:`Position`, listing every fault. Strict for real positions, tolerant for what hands can leave.

Absent keys: ``edition`` is the default one, ``turn`` 1, ``witness_card`` ``"seen"`` (how every game begins; a later turn's
card has to be given, otherwise escaping counts as not allowed), cards unknown. Everything else must be there.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion import boards
from companion.errors import InvalidPosition
from companion.games.deduction import LAST_TURN, SIDES, WITNESS_CARD, card_faults
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
    if not isinstance(data, Mapping):
        raise InvalidPosition([f"must be a JSON object, not {type(data).__name__}"])
    reader = _Reader(data, tolerant)
    position = reader.read()
    if reader.faults or position is None:
        raise InvalidPosition(reader.faults)
    return position


class _Reader:
    """Collects faults while reading one position."""

    def __init__(self, data: Mapping[str, Any], tolerant: bool) -> None:
        self.data = data
        self.tolerant = tolerant
        self.faults: list[str] = []

    def fault(self, text: str) -> None:
        self.faults.append(text)

    def broken_rule(self, text: str) -> None:
        """Something hands can do, so a fault only in a strict position."""
        if not self.tolerant:
            self.faults.append(text)

    def read(self) -> Position | None:
        known = boards.editions(ID)
        edition = self.data.get("edition", known[0])
        for key in self.data:
            if key not in KEYS:
                self.fault(f"{key!r} is not part of a position; there are: {', '.join(sorted(KEYS))}")
        if self.data.get("game", ID) != ID:
            self.fault(f"game: {self.data['game']!r} is not {ID}")
        if not isinstance(edition, str) or edition not in known:
            self.fault(f"edition: {edition!r} is not known; there are: {', '.join(known)}")
            return None
        net = streets_of(edition)
        turn = self.turn()
        card = self.data.get("witness_card", WITNESS_CARD[0])
        if not isinstance(card, str) or card not in WITNESS_CARD:
            self.fault(f"witness_card: {card!r} is not {' or '.join(WITNESS_CARD)}")
        hexes, sides, facing = self.discs(net)
        lamps = self.lamps(net)
        covers = self.places("covers", "cover", net.manholes, net.board.cells, net)
        cordons = self.places("cordons", "cordon", net.exits, net.exits, net)
        available, played = self.data.get("available"), self.data.get("played")
        faults = card_faults(CHARACTERS, available, played)
        self.faults += faults
        if self.faults:
            return None
        return Position(
            edition=edition,
            turn=turn,
            witness_card=str(card),
            hexes=hexes,
            sides=sides,
            facing=facing,
            gaslights=lamps,
            covers=covers,
            cordons=cordons,
            available=None if available is None else tuple(sorted(available, key=CHARACTERS.index)),
            played=None if played is None else tuple(played),
        )

    def turn(self) -> int:
        turn = self.data.get("turn", 1)
        if isinstance(turn, int) and not isinstance(turn, bool) and 1 <= turn <= LAST_TURN:
            return turn
        self.fault(f"turn: {turn!r} is not a number from 1 to {LAST_TURN}")
        return 1

    def mapping(self, key: str) -> Mapping[str, Any]:
        value = self.data.get(key)
        if isinstance(value, Mapping):
            return value
        self.fault(f"{key}: missing" if key not in self.data else f"{key}: must be an object, not {value!r}")
        return {}

    def discs(self, net: Streets) -> tuple[tuple[str | None, ...], tuple[str | None, ...], str | None]:
        given = self.mapping("characters")
        entries: dict[str, Mapping[str, Any]] = {}
        for name, entry in given.items():
            if name not in CHARACTERS:
                self.fault(f"characters: {name!r} is not a character; there are: {', '.join(CHARACTERS)}")
            elif not isinstance(entry, Mapping):
                self.fault(f"{name}: must be an object with hex and side, not {entry!r}")
            else:
                entries[name] = entry
        if len(given) > len(CHARACTERS):
            self.fault(f"characters: {len(given)} of them, but there are {len(CHARACTERS)}")
        if isinstance(self.data.get("characters"), Mapping):
            for name in CHARACTERS:
                if name not in given:
                    self.broken_rule(f"{name}: missing from characters")
        hexes = {name: self.spot(net, name, entry) for name, entry in entries.items()}
        standing = Counter(spot for spot in hexes.values() if spot is not None)
        for spot, count in standing.items():
            if count > 1:
                names = [name for name in CHARACTERS if hexes.get(name) == spot]
                self.broken_rule(f"{' and '.join(names)} stand on one hex, {spot}")
        sides = {name: self.side(name, entry) for name, entry in entries.items()}
        facing = self.facing(net, entries)
        return tuple(map(hexes.get, CHARACTERS)), tuple(map(sides.get, CHARACTERS)), facing

    def spot(self, net: Streets, name: str, entry: Mapping[str, Any]) -> str | None:
        for key in entry:
            if key not in ("hex", "side", "facing"):
                self.fault(f"{name}: {key!r} is not known; there are: hex, side, facing")
        spot = entry.get("hex")
        if spot is None:
            self.broken_rule(f"{name}: stands on no hex")
            return None
        if not isinstance(spot, str) or spot not in net.board:
            self.fault(f"{name}: hex {spot!r} is not on the board")
            return None
        if spot not in net.streets:
            self.broken_rule(f"{name}: stands on {spot}, which is {KINDS[net.board.kind(spot)]}, not a street")
        return spot

    def side(self, name: str, entry: Mapping[str, Any]) -> str | None:
        side = entry.get("side")
        if side is None:
            self.broken_rule(f"{name}: side is missing ({' or '.join(SIDES)})")
            return None
        if not isinstance(side, str) or side not in SIDES:
            self.fault(f"{name}: side {side!r} is not {' or '.join(SIDES)}")
            return None
        return side

    def facing(self, net: Streets, entries: Mapping[str, Mapping[str, Any]]) -> str | None:
        facing: str | None = None
        for name, entry in entries.items():
            if "facing" not in entry:
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
        if WATSON in entries and "facing" not in entries[WATSON] and entries[WATSON].get("hex") is not None:
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
        given = self.data.get(key)
        if not isinstance(given, list | tuple):
            self.fault(f"{key}: missing" if key not in self.data else f"{key}: must be a list, not {given!r}")
            return ()
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
        for spot, count in Counter(found).items():
            if count > 1:
                self.broken_rule(f"{key}: {count} on {spot}")
        if len(given) != 2:
            self.broken_rule(f"{key}: {len(given)} of them, but there are always 2")
        return tuple(sorted(found))

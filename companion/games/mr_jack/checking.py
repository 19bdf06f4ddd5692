"""From JSON to a position, listing every fault: what all games of this family check alike.

A game derives its reader from :class:`PositionReader` and adds its own pieces. Strict for real positions, tolerant for
what hands can leave on a table: :meth:`~PositionReader.fault` is for words that name nothing,
:meth:`~PositionReader.broken_rule` for what hands can do.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from companion import boards
from companion.boards import Board
from companion.bounded import json_kind
from companion.errors import InvalidPosition, quoted
from companion.games.mr_jack.deduction import LAST_TURN, SIDES, WITNESS_CARD, Cards, card_faults
from companion.games.mr_jack.public_state import PublicState

Spots = tuple[str | None, ...]
SHARED_KEYS = ("game", "edition", "turn", "characters", "witness_card", "available", "played")


class PositionReader:
    """Collects faults while reading one position. Absent keys: the default edition, turn 1, the card on ``"seen"`` (how
    every game begins; a later turn's card has to be given, otherwise escaping counts as not allowed), cards unknown.
    Everything else must be there."""

    state: ClassVar[type[PublicState]]
    """What is read: the game's position."""
    kinds: ClassVar[Mapping[str, str]]
    """What a cell of each kind is called in a fault."""
    footing: ClassVar[str]
    """What a character stands on, in words."""
    entry_keys: ClassVar[tuple[str, ...]] = ("hex", "side")

    def __init__(self, data: Mapping[str, Any], tolerant: bool) -> None:
        self.data = data
        self.tolerant = tolerant
        self.faults: list[str] = []

    @classmethod
    def position(cls, data: Any, *, tolerant: bool = False) -> Any:
        """A position from its JSON. Raises InvalidPosition with every fault.

        ``tolerant`` lets pass what a hand can do to pieces (missing, doubled up, on the wrong kind of hex) and still refuses
        words that name nothing.
        """
        if not isinstance(data, Mapping):
            raise InvalidPosition([f"must be a JSON object, not {json_kind(data)}"])
        reader = cls(data, tolerant)
        position = reader.read()
        if reader.faults or position is None:
            raise InvalidPosition(reader.faults)
        return position

    @classmethod
    def parsed(cls, notation: str, *, tolerant: bool = False) -> Any:
        """A position from its line of notation. Raises InvalidPosition."""
        try:
            data = cls.state.data_of(notation)
        except ValueError as error:
            raise InvalidPosition([str(error)], f"notation {notation[:60]!r}") from error
        return cls.position(data, tolerant=tolerant)

    # --- what every game writes itself ----------------------------------------------------------------------------

    def ground(self, edition: str) -> Collection[str]:
        """Where a character may stand."""
        raise NotImplementedError

    def pieces(self, edition: str, hexes: Spots) -> dict[str, Any]:
        """The fields of the position that are this game's own, checked; the discs stand on ``hexes``."""
        raise NotImplementedError

    # --- what all games share -------------------------------------------------------------------------------------

    def read(self) -> PublicState | None:
        """The position, or None when it could not be built."""
        edition = self.edition()
        if edition is None:
            return None
        turn, card = self.turn(), self.witness_card()
        hexes, sides = self.discs(boards.load(self.state.game, edition), self.ground(edition))
        pieces = self.pieces(edition, hexes)
        available, played = self.cards()
        if self.faults:
            return None
        return self.state(edition, turn, card, hexes, sides, available=available, played=played, **pieces)

    def fault(self, text: str) -> None:
        """Something that names nothing, wrong in any position."""
        self.faults.append(text)

    def broken_rule(self, text: str) -> None:
        """Something hands can do, so a fault only in a strict position."""
        if not self.tolerant:
            self.faults.append(text)

    def edition(self) -> str | None:
        """The edition, after the names of the keys and the game were looked at; None when there is no such edition."""
        game, keys = self.state.game, {*SHARED_KEYS, *self.state.piece_keys}
        known = boards.editions(game)
        for key in self.data:
            if key not in keys:
                self.fault(f"{quoted(key)} is not part of a position; there are: {', '.join(sorted(keys))}")
        if self.data.get("game", game) != game:
            self.fault(f"game: {quoted(self.data['game'])} is not {game}")
        edition = self.data.get("edition", known[0])
        if isinstance(edition, str) and edition in known:
            return edition
        self.fault(f"edition: {quoted(edition)} is not known; there are: {', '.join(known)}")
        return None

    def turn(self) -> int:
        """The turn's number."""
        turn = self.data.get("turn", 1)
        if isinstance(turn, int) and not isinstance(turn, bool) and 1 <= turn <= LAST_TURN:
            return turn
        self.fault(f"turn: {quoted(turn)} is not a number from 1 to {LAST_TURN}")
        return 1

    def witness_card(self) -> str:
        """Which side of the witness card is up."""
        card = self.data.get("witness_card", WITNESS_CARD[0])
        if not isinstance(card, str) or card not in WITNESS_CARD:
            self.fault(f"witness_card: {quoted(card)} is not {' or '.join(WITNESS_CARD)}")
        return str(card)

    def cards(self) -> tuple[Cards, Cards]:
        """Cards available (in the game's order) and played (in the order played)."""
        available, played = self.data.get("available"), self.data.get("played")
        faults = card_faults(self.state.characters, available, played)
        self.faults += faults
        if faults:
            return None, None
        return (
            None if available is None else tuple(sorted(available, key=self.state.characters.index)),
            None if played is None else tuple(played),
        )

    def mapping(self, key: str) -> Mapping[str, Any]:
        """The object under a key; empty, with a fault, when there is none."""
        value = self.data.get(key)
        if isinstance(value, Mapping):
            return value
        self.fault(f"{key}: missing" if key not in self.data else f"{key}: must be an object, not {quoted(value)}")
        return {}

    def listing(self, key: str) -> tuple[Any, ...]:
        """The list under a key; empty, with a fault, when there is none."""
        value = self.data.get(key)
        if isinstance(value, list | tuple):
            return tuple(value)
        self.fault(f"{key}: missing" if key not in self.data else f"{key}: must be a list, not {quoted(value)}")
        return ()

    # --- discs ----------------------------------------------------------------------------------------------------

    def entries(self) -> dict[str, Mapping[str, Any]]:
        """Every character's entry, those with other names or shapes refused."""
        given = self.mapping("characters")
        found: dict[str, Mapping[str, Any]] = {}
        for name, entry in given.items():
            if name not in self.state.characters:
                self.fault(f"characters: {quoted(name)} is not a character; there are: {', '.join(self.state.characters)}")
            elif not isinstance(entry, Mapping):
                self.fault(f"{name}: must be an object with hex and side, not {quoted(entry)}")
            else:
                found[name] = entry
        if len(given) > len(self.state.characters):
            self.fault(f"characters: {len(given)} of them, but there are {len(self.state.characters)}")
        if isinstance(self.data.get("characters"), Mapping):
            for name in self.state.characters:
                if name not in given:
                    self.broken_rule(f"{name}: missing from characters")
        return found

    def discs(self, board: Board, standable: Collection[str]) -> tuple[Spots, Spots]:
        """(hexes, sides) in the characters' order."""
        entries = self.entries()
        hexes = {name: self.spot(board, standable, name, entry) for name, entry in entries.items()}
        standing = Counter(spot for spot in hexes.values() if spot is not None)
        for spot, count in standing.items():
            if count > 1:
                names = [name for name in self.state.characters if hexes.get(name) == spot]
                self.broken_rule(f"{(' and ' if count == 2 else ', ').join(names)} stand on one hex, {spot}")
        sides = {name: self.side(name, entry, SIDES) for name, entry in entries.items()}
        return tuple(map(hexes.get, self.state.characters)), tuple(map(sides.get, self.state.characters))

    def spot(self, board: Board, standable: Collection[str], name: str, entry: Mapping[str, Any]) -> str | None:
        """Where one piece stands."""
        for key in entry:
            if key not in self.entry_keys:
                self.fault(f"{name}: {quoted(key)} is not known; there are: {', '.join(self.entry_keys)}")
        spot = entry.get("hex")
        if spot is None:
            self.broken_rule(f"{name}: stands on no hex")
            return None
        if not isinstance(spot, str) or spot not in board:
            self.fault(f"{name}: hex {quoted(spot)} is not on the board")
            return None
        if spot not in standable:
            self.broken_rule(f"{name}: stands on {spot}, which is {self.kinds[board.kind(spot)]}, not {self.footing}")
        return spot

    def side(self, name: str, entry: Mapping[str, Any], sides: tuple[str, ...]) -> str | None:
        """Which side of one piece is up."""
        side = entry.get("side")
        if side is None:
            self.broken_rule(f"{name}: side is missing ({', '.join(sides)})")
            return None
        if not isinstance(side, str) or side not in sides:
            self.fault(f"{name}: side {quoted(side)} is not {' or '.join(sides)}")
            return None
        return side

    # --- pieces that look alike -----------------------------------------------------------------------------------

    def count_alike(self, key: str, found: list[str], given: int, always: int) -> None:
        """Faults of doubled places and of a wrong number of pieces."""
        for spot, count in Counter(found).items():
            if count > 1:
                self.broken_rule(f"{key}: {count} on {spot}")
        if given != always:
            self.broken_rule(f"{key}: {given} of them, but there are always {always}")

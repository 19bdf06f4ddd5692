"""The secret half of a position from JSON, checked against the table."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.errors import quoted
from companion.games.get_adler.acts import is_card
from companion.games.get_adler.names import COPIES, TRAITS, UNKNOWN, VILLAINS, kind_of, roles_of, service_of
from companion.games.get_adler.state import Secret, Table, Traits
from companion.games.get_adler.validation import cards_seen

KEYS = ("roles", "hands", "deck", "seed", "shuffles", "removed", "traits", "wanted")
Cards = tuple[str, ...]


class SecretReader:
    """Collects faults while reading the secret of one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.faults: list[str] = []

    def read(self, data: Any) -> tuple[Secret, list[str]]:
        """The secret and its faults. Absent or empty parts are unknown."""
        if data is None:
            return Secret(), []
        if not isinstance(data, Mapping):
            return Secret(), [f"secret: must be an object, not {quoted(data)}"]
        for key in data:
            if key not in KEYS:
                self.faults.append(f"secret: {quoted(key)} is not known; there are: {', '.join(KEYS)}")
        secret = Secret(
            roles=self.roles(data.get("roles")),
            hands=self.hands(data.get("hands")),
            deck=self.deck(data.get("deck")),
            seed=self.count(data, "seed", 1),
            shuffles=self.count(data, "shuffles", 0),
            removed=self.cards(data.get("removed") or [], "removed"),
            wanted=self.wanted(data.get("wanted")),
            traits=self.traits(data.get("traits")),
        )
        if not self.faults:
            self.add_up(secret)
        return secret, self.faults

    def count(self, data: Mapping[str, Any], key: str, absent: int) -> int:
        value = data.get(key, absent)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        self.faults.append(f"secret: {key} {quoted(value)} is not a number")
        return absent

    def wanted(self, value: Any) -> str | None:
        if value is None or isinstance(value, str):
            return None if value is None else service_of(value) or value
        self.faults.append(f"secret: wanted {quoted(value)} is not a word")
        return None

    def roles(self, given: Any) -> Cards | None:
        if not given:
            return None
        dealt = roles_of(self.table.players)
        if not isinstance(given, list | tuple) or sorted(map(str, given)) != sorted(dealt):
            self.faults.append(f"secret: roles {quoted(given)} are not one each of {', '.join(dealt)}")
            return None
        for number, role in enumerate(given):
            known = self.table.role(number)
            if known is not None and known != role:
                self.faults.append(f"secret: seat {number} is {role}, but shown to be {known}")
            elif self.table.villainous(number) is False and role in VILLAINS:
                self.faults.append(f"secret: seat {number} is {role}, but known to be a hero")
        return tuple(given)

    def cards(self, given: Any, where: str) -> Cards:
        if not isinstance(given, list | tuple):
            self.faults.append(f"secret: {where} must be a list, not {quoted(given)}")
            return ()
        strange = [card for card in given if not is_card(card) or card == UNKNOWN]
        self.faults += [f"secret: {where}: {quoted(card)} is not a card" for card in strange]
        return tuple(card for card in given if card not in strange)

    def hands(self, given: Any) -> tuple[Cards, ...] | None:
        if not given:
            return None
        if not isinstance(given, list | tuple) or len(given) != self.table.players:
            self.faults.append(f"secret: hands must be {self.table.players} lists, one a seat")
            return None
        hands = tuple(self.cards(hand, f"hand of seat {number}") for number, hand in enumerate(given))
        for number, (hand, seat) in enumerate(zip(hands, self.table.seats, strict=True)):
            if len(hand) != seat.hand:
                self.faults.append(f"secret: hand of seat {number} has {len(hand)} cards, but he holds {seat.hand}")
        return hands

    def deck(self, given: Any) -> Cards | None:
        if not given:
            return () if self.table.deck == 0 else None
        deck = self.cards(given, "deck")
        if len(deck) != self.table.deck:
            self.faults.append(f"secret: deck has {len(deck)} cards, but {self.table.deck} lie there")
        return deck

    def traits(self, given: Any) -> Traits | None:
        if not given:
            return None
        if not isinstance(given, Mapping):
            self.faults.append(f"secret: traits must be an object, not {quoted(given)}")
            return None
        dealt = roles_of(self.table.players)
        found: dict[str, dict[str, str]] = {}
        for role in dealt:
            row = given.get(role)
            if not isinstance(row, Mapping):
                self.faults.append(f"secret: traits of {role} are missing")
                continue
            found[role] = {}
            for trait in TRAITS:
                colour = row.get(trait)
                if isinstance(colour, str) and colour.strip():
                    found[role][trait] = colour
                else:
                    self.faults.append(f"secret: traits of {role}: the colour of the {trait} is missing")
            self.faults += [f"secret: traits of {role}: {quoted(key)} is not a trait" for key in row if key not in TRAITS]
        self.faults += [f"secret: traits: {quoted(role)} is not a role" for role in given if role not in roles_of(6)]
        return found

    def add_up(self, secret: Secret) -> None:
        """Every card once: where hands and deck are known and nothing on the pile is unknown."""
        known: Counter[str] = Counter()
        for card, count in cards_seen(self.table).items():
            known[kind_of(card)] += count
        for cards in (*(secret.hands or ()), secret.deck or (), secret.removed):
            known.update(map(kind_of, cards))
            for card in cards:
                if service_of(card) is not None and not self.table.expert:
                    self.faults.append(f"secret: {card}: documents have no service unless the expert mission is played")
        hidden = known.pop(UNKNOWN, 0)
        complete = secret.cards and not hidden
        for kind, copies in COPIES[self.table.players].items():
            if known[kind] > copies or (complete and known[kind] != copies):
                self.faults.append(f"secret: {known[kind]} {kind} in all, but there are {copies}")

"""How a session is played, as chosen beforehand: at the prompt or in the lobby. One frozen value for both."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from companion.errors import BadInput, quoted
from companion.games import seating
from companion.games.game import Game
from companion.games.seating import People

Json = Mapping[str, Any]
SECRETS = ("asked", "entrusted", "sealed")
"""What becomes of secrets: whoever has one is asked each time, entrusted it, or sealed it by a commitment."""
LONGEST_S = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class ClockChoice:
    """Time for each side: ``seconds`` for the whole game, ``increment`` added after and ``delay`` free before each pick."""

    seconds: float
    increment: float = 0.0
    delay: float = 0.0


@dataclass(frozen=True)
class Choices:
    """``secret`` is one of ``SECRETS``; ``deal``: the companion draws the cards; ``clock`` None plays without;
    ``rules``: house rule to choice, only those that differ from the usual; ``album``: keep a picture of every play;
    ``seating``: who plays which seats, empty where nobody said it;
    ``copy``: what the owner entered of his copy, by table, row and column."""

    secret: str = "asked"
    deal: bool = False
    clock: ClockChoice | None = None
    rules: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    album: bool = False
    seating: People = ()
    copy: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=lambda: MappingProxyType({}))

    def check(self, game: Game) -> None:
        """Raises BadInput, one sentence, for what this game cannot be played with."""
        if self.secret not in SECRETS:
            raise BadInput(f"secret mode {quoted(self.secret)} is not known; there are: {', '.join(SECRETS)}")
        known = {rule.name: rule.choices for rule in game.house_rules}
        for name, choice in self.rules.items():
            if name not in known:
                raise BadInput(f"house rule {quoted(name)} is not known; there are: {', '.join(known) or 'none'}")
            if choice not in known[name]:
                raise BadInput(
                    f"house rule {quoted(name)} = {quoted(choice)} is not known; there are: {', '.join(known[name])}"
                )
        tables = {table.name: table for table in game.copy_tables}
        for name, cells in self.copy.items():
            if name not in tables:
                raise BadInput(f"from the copy: there is no table {name[:30]!r}; there are: {', '.join(tables) or 'none'}")
            faults = tables[name].faults(cells, game.copy_rows(name, self.rules))
            if faults:
                raise BadInput(f"{name}: {'; '.join(faults)}")
        seating.check(self.seating, game.seating, game.seats)
        for name, least in (("seconds", 10.0), ("increment", 0.0), ("delay", 0.0)) if self.clock else ():
            given = getattr(self.clock, name)
            if not least <= given <= LONGEST_S:
                raise BadInput(f"clock: {name} from {least:g} to {LONGEST_S:g} are allowed, not {given:g}")

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, as :meth:`from_json` takes it."""
        clock = self.clock and {"seconds": self.clock.seconds, "increment": self.clock.increment, "delay": self.clock.delay}
        people = [person.to_json() for person in self.seating]
        copy = {name: {row: dict(words) for row, words in cells.items()} for name, cells in self.copy.items()}
        return {
            "secret": self.secret, "deal": self.deal, "clock": clock, "rules": dict(self.rules), "album": self.album,
            "seating": people,
            **({"copy": copy} if copy else {}),
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Any) -> "Choices":
        """From plain JSON. Raises BadInput for another shape; what the game allows is for :meth:`check` to say."""
        try:
            known = {"secret", "deal", "clock", "rules", "album", "seating", "copy"}
            if not set(data) <= known:
                raise BadInput(f"how an evening is played has no field {quoted(sorted(set(data) - known)[0])}")
            clock, rules = data.get("clock"), data.get("rules", {})
            flags = data.get("deal", False), data.get("album", False)
            numbers = () if clock is None else tuple(clock.get(key, 0) for key in ("seconds", "increment", "delay"))
            if not all(isinstance(flag, bool) for flag in flags) or any(isinstance(number, bool) for number in numbers):
                raise TypeError
            return cls(
                str(data.get("secret", "asked")), flags[0],
                None if clock is None else ClockChoice(*(float(number) for number in numbers)),
                MappingProxyType({str(name): str(choice) for name, choice in rules.items()}), flags[1],
                seating.people_of(data.get("seating", ())),
                MappingProxyType(_cells(data.get("copy", {}))),
            )  # fmt: skip
        except (TypeError, AttributeError, ValueError, OverflowError) as error:
            raise BadInput("how an evening is played is an object: secret, deal, clock, rules, album, seating") from error


def _cells(copy: Any) -> dict[str, dict[str, dict[str, str]]]:
    """What was entered of a copy: rows of which nothing was entered are none, spaces around words do not count."""
    found = {}
    for name, cells in copy.items():
        rows = {
            str(row): {str(column): " ".join(str(word).split()) for column, word in words.items() if str(word).strip()}
            for row, words in cells.items()
        }
        kept = {row: words for row, words in rows.items() if words}
        if kept:
            found[str(name)] = kept
    return found

"""From JSON to a position and a secret, listing every fault in words.

Strict for real positions, tolerant for what hands can leave on a table: :meth:`_Reader.fault` is for words that name nothing,
:meth:`_Reader.broken_rule` for what hands can do.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.bounded import json_kind
from companion.errors import InvalidPosition, quoted
from companion.games.letters_from_whitechapel import police, streets, validation_rules
from companion.games.letters_from_whitechapel.house_rules import CHOICES, DEFAULTS
from companion.games.letters_from_whitechapel.names import (
    COLOURS,
    DOWN,
    EDITION,
    ID,
    LAST_TIME,
    NIGHTS,
    PATROLS,
    PHASES,
    POLICE_ACT,
    POLICE_MOVE,
    SPACES,
    WOMEN,
)
from companion.games.letters_from_whitechapel.position import KEYS, Position, data_of

_HEADER = ("game", "edition")


def position_of(data: Any, *, tolerant: bool = False) -> Position:
    """A position from its JSON. Raises InvalidPosition with every fault.

    Only ``phase`` must be there; what is absent is as at the start of a game's first night, so a hunt without policemen is a
    fault. ``tolerant`` lets pass what a hand can do to pieces and still refuses words that name nothing.
    """
    if not isinstance(data, Mapping):
        raise InvalidPosition([f"must be a JSON object, not {json_kind(data)}"])
    reader = _Reader(data)
    position = reader.read()
    faults = reader.faults
    if not tolerant:
        faults += reader.broken
        if position is not None:
            faults += validation_rules.broken(position)
    if faults or position is None:
        raise InvalidPosition(faults)
    return position


def parsed(line: str) -> Position:
    """A position from its line of notation. Raises InvalidPosition."""
    try:
        data = data_of(line)
    except ValueError as error:
        raise InvalidPosition([str(error)], f"notation {line[:60]!r}") from error
    return position_of(data)


def rules_of(given: Any, faults: list[str]) -> tuple[tuple[str, str], ...]:
    """The house rules that are not the default; faults are added for names and choices that there are not."""
    if not isinstance(given, Mapping):
        faults.append(f"house_rules: must be an object, not {quoted(given)}")
        return ()
    found = {}
    for name, choice in given.items():
        if name not in CHOICES:
            faults.append(f"house rule {quoted(name)} is not known; there are: {', '.join(CHOICES)}")
        elif choice not in CHOICES[name]:
            faults.append(f"house rule {name}: {quoted(choice)} is not {' or '.join(CHOICES[name])}")
        elif choice != DEFAULTS[name]:
            found[name] = choice
    return tuple(sorted(found.items()))


def is_number(value: Any, least: int, most: int) -> bool:
    """Whether a JSON value is a whole number within bounds."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def settled(position: Position) -> Position:
    """The position in its one form: a step that is over (all five in ``moved`` or ``acted``) is told by the phase, the
    time of the crime counts from the arrival of the victims on, and turns taken are told clockwise where that is the order."""
    everybody = len(COLOURS)
    if position.rule("police-order") == "clockwise":
        turns = police.order(position)
        position = replace(
            position,
            moved=tuple(sorted(position.moved, key=turns.index)),
            acted=tuple(sorted(position.acted, key=turns.index)),
        )
    return replace(
        position,
        time=1 if position.phase in (WOMEN, PATROLS) else position.time,
        moved=() if position.phase != POLICE_MOVE and len(set(position.moved)) == everybody else position.moved,
        acted=() if position.phase != POLICE_ACT and len(set(position.acted)) == everybody else position.acted,
    )


class _Reader:
    """Collects faults while reading one position."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.faults: list[str] = []
        self.broken: list[str] = []
        self.board = streets.load()

    def read(self) -> Position | None:
        """The position, or None when words in it name nothing."""
        for key in self.data:
            if key not in (*_HEADER, *KEYS):
                self.faults.append(f"{quoted(key)} is not part of a position; there are: {', '.join((*_HEADER, *KEYS))}")
        for key, only in zip(_HEADER, (ID, EDITION), strict=True):
            if self.data.get(key, only) != only:
                self.faults.append(f"{key}: {quoted(self.data[key])} is not {only}")
        position = Position(
            night=self.number("night", len(NIGHTS)),
            phase=self.phase(),
            time=self.number("time", LAST_TIME),
            crime_scenes=self.crime_scenes(),
            women=self.circles("women"),
            wretched=self.circles("wretched"),
            patrols=self.patrols(),
            police=self.police(),
            clues=self.circles("clues"),
            track=self.track(),
            head=self.head(),
            seats=self.seats(),
            moved=self.colours("moved"),
            acted=self.colours("acted"),
            missed=self.circles("missed"),
            house_rules=rules_of(self.data.get("house_rules", {}), self.faults),
        )
        return None if self.faults else settled(position)

    def number(self, key: str, most: int) -> int:
        value = self.data.get(key, 1)
        if is_number(value, 1, most):
            return int(value)
        self.faults.append(f"{key}: {quoted(value)} is not a number from 1 to {most}")
        return 1

    def phase(self) -> str:
        value = self.data.get("phase")
        if isinstance(value, str) and value in PHASES:
            return value
        said = "missing" if "phase" not in self.data else f"{quoted(value)} is not known"
        self.faults.append(f"phase: {said}; there are: {', '.join(PHASES)}")
        return PHASES[0]

    def listing(self, key: str) -> list[Any]:
        return self.listed(key, self.data.get(key, []))

    def listed(self, key: str, value: Any) -> list[Any]:
        if isinstance(value, list | tuple):
            return list(value)
        self.faults.append(f"{key}: must be a list, not {quoted(value)}")
        return []

    def circles(self, key: str) -> tuple[int, ...]:
        return self.circles_in(key, self.data.get(key, []))

    def circles_in(self, key: str, value: Any) -> tuple[int, ...]:
        """A sorted list of circles; twice on one is a broken rule."""
        found = []
        for circle in self.listed(key, value):
            if is_number(circle, 1, len(self.board.circles)):
                found.append(circle)
            else:
                self.faults.append(f"{key}: {quoted(circle)} is not a circle from 1 to {len(self.board.circles)}")
        for circle, count in sorted(Counter(found).items()):
            if count > 1:
                self.broken.append(f"{key}: {count} on {circle}")
        return tuple(sorted(found))

    def crime_scenes(self) -> tuple[tuple[int, ...], ...]:
        return tuple(self.circles_in("crime_scenes", night) for night in self.listing("crime_scenes"))

    def mapping(self, key: str) -> Mapping[str, Any]:
        value = self.data.get(key, {})
        if isinstance(value, Mapping):
            return value
        self.faults.append(f"{key}: must be an object, not {quoted(value)}")
        return {}

    def crossing(self, key: str, value: Any) -> bool:
        if isinstance(value, str) and value in self.board.looks:
            return True
        self.faults.append(
            f"{key}: {quoted(value)} is not a crossing; they are {self.board.crossings[0]} to {self.board.crossings[-1]}"
        )
        return False

    def patrols(self) -> tuple[tuple[str, str], ...]:
        found = []
        for crossing, token in self.mapping("patrols").items():
            named = self.crossing("patrols", crossing)
            if not isinstance(token, str) or token not in (DOWN, *COLOURS):
                self.faults.append(f"patrols: {quoted(token)} on {crossing} is not {DOWN} or one of {', '.join(COLOURS)}")
            elif named:
                found.append((crossing, token))
        return tuple(sorted(found))

    def police(self) -> tuple[tuple[str, str], ...]:
        found = {
            colour: crossing
            for colour, crossing in self.mapping("police").items()
            if self.colour("police", colour) & self.crossing(f"police: {colour}", crossing)
        }
        return tuple((colour, found[colour]) for colour in COLOURS if colour in found)

    def colour(self, key: str, value: Any) -> bool:
        if isinstance(value, str) and value in COLOURS:
            return True
        self.faults.append(f"{key}: {quoted(value)} is not a policeman; there are five: {', '.join(COLOURS)}")
        return False

    def colours(self, key: str) -> tuple[str, ...]:
        found = tuple(colour for colour in self.listing(key) if self.colour(key, colour))
        for colour, count in Counter(found).items():
            if count > 1:
                self.broken.append(f"{key}: {colour} is there {count} times")
        return found

    def head(self) -> str | None:
        value = self.data.get("head")
        return value if value is None or self.colour("head", value) else None

    def seats(self) -> tuple[str, ...]:
        if "seats" not in self.data:
            return COLOURS
        found = self.colours("seats")
        if sorted(found) != sorted(COLOURS):
            self.faults.append(f"seats: {', '.join(found) or 'nobody'} instead of the five colours once each")
        return found

    def track(self) -> tuple[str, ...]:
        found = []
        for kind in self.listing("track"):
            if isinstance(kind, str) and kind in SPACES:
                found.append(kind)
            else:
                self.faults.append(f"track: {quoted(kind)} is not {' or '.join(SPACES)}")
        return tuple(found)

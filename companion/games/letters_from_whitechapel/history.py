"""The public events of nights, as ``deduce`` takes them, made into constraints on Jack's row.

Events: ``["crime", [27]]`` (two circles in the third night, either of them last), ``["walk", [five crossings]]`` with the
policemen as they stood, ``["coach"]``, ``["alley"]``, ``["search", 29, true]``, ``["arrest", 50]`` in vain (``true`` behind it:
made), ``["home"]`` right after a walk, as the last event of a night.

Layers are the circles of a row in order. An answer speaks of the row so far: a miss bars its circle from every layer up to the
one then reached, a clue says that its circle is one of them; an arrest speaks of the present layer alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.bounded import json_kind
from companion.errors import InvalidPosition, quoted
from companion.games.letters_from_whitechapel.house_rules import CHOICES, DEFAULTS
from companion.games.letters_from_whitechapel.names import ALLEY, COACH, COLOURS, MOST_SPACES, NIGHTS, SPACES, WALK
from companion.games.letters_from_whitechapel.streets import load
from companion.games.letters_from_whitechapel.validation import is_number, rules_of

CRIME, SEARCH, ARREST, HOME = "crime", "search", "arrest", "home"
_HEADER = ("game", "edition")
_LENGTHS = {CRIME: (2,), WALK: (2,), COACH: (1,), ALLEY: (1,), SEARCH: (3,), ARREST: (2, 3), HOME: (1,)}


@dataclass(frozen=True, slots=True)
class Leg:
    """One of Jack's moves: its kind and, of a walk, the crossings where policemen stood."""

    kind: str
    occupied: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Night:
    """What everybody knows of one night's row. Layers count from 0, the place Jack flees from.

    ``barred``: circle -> last layer from which it is barred (all before it too); ``due``: clue -> layer by which its circle was
    written; ``not_at`` and ``at``: (layer, circle) of arrests; ``home``: whether the last walk ended at the hideout.
    """

    scenes: tuple[int, ...]
    legs: tuple[Leg, ...] = ()
    barred: tuple[tuple[int, int], ...] = ()
    due: tuple[tuple[int, int], ...] = ()
    not_at: tuple[tuple[int, int], ...] = ()
    at: tuple[tuple[int, int], ...] = ()
    home: bool = False

    @property
    def last(self) -> int:
        """The layer reached."""
        return sum(SPACES[leg.kind] for leg in self.legs)


@dataclass(frozen=True, slots=True)
class History:
    """Nights in order, the last one perhaps still going on or not begun (None), and the house rules that bear on them."""

    nights: tuple[Night | None, ...]
    arrival: str
    hideout: str
    line_44: bool


def history_of(data: Any) -> History:
    """Read ``{"nights": […], "arrival": …}``; other house rules may stand beside or under ``house_rules``. Raises
    InvalidPosition with every fault."""
    faults: list[str] = []
    if not isinstance(data, Mapping):
        raise InvalidPosition([f"must be a JSON object, not {json_kind(data)}"], "events")
    beside = {key: value for key, value in data.items() if key in CHOICES}
    known = ("nights", "house_rules", *CHOICES)
    faults += [
        f"{quoted(key)} is not part of it; there are: {', '.join(known)}" for key in data if key not in (*known, *_HEADER)
    ]
    given = data.get("house_rules", {})
    chosen = {**DEFAULTS, **dict(rules_of({**given, **beside} if isinstance(given, Mapping) else given, faults))}
    listed = data.get("nights")
    if not isinstance(listed, list | tuple):
        raise InvalidPosition([*faults, f"nights: must be a list, not {quoted(listed)}"], "events")
    if len(listed) > len(NIGHTS):
        faults.append(f"nights: {len(listed)} of them, but a game has {len(NIGHTS)}")
    nights = tuple(_NightReader(number, faults).read(events) for number, events in enumerate(listed, 1))
    for number, night in enumerate(nights[:-1], 1):
        if night is not None and not night.home:
            faults.append(f"night {number}: has no end, but another night follows; its last event must be [{HOME!r}]")
        if night is None and not faults:
            faults.append(f"night {number}: empty, but another night follows")
    if faults:
        raise InvalidPosition(faults, "events")
    return History(nights, chosen["arrival"], chosen["hideout"], chosen["edge-44"] == "open")


class _NightReader:
    """Reads the events of one night; every fault is added with the number of its event."""

    def __init__(self, number: int, faults: list[str]) -> None:
        self.number = number
        self.faults = faults
        self.board = load()
        self.scenes: tuple[int, ...] = ()
        self.legs: list[Leg] = []
        self.layer = 0
        self.barred: dict[int, int] = {}
        self.due: dict[int, int] = {}
        self.not_at: list[tuple[int, int]] = []
        self.at: list[tuple[int, int]] = []
        self.home = False
        self.before = ""

    def read(self, events: Any) -> Night | None:
        if not isinstance(events, list | tuple):
            self.faults.append(f"night {self.number}: must be a list of events, not {quoted(events)}")
            return None
        for number, event in enumerate(events, 1):
            fault = self.event(event)
            if fault:
                self.faults.append(f"night {self.number}, event {number}: {fault}")
        if not events:
            return None
        found = tuple(sorted(self.barred.items())), tuple(sorted(self.due.items()))
        return Night(self.scenes, tuple(self.legs), *found, tuple(self.not_at), tuple(self.at), self.home)

    def event(self, event: Any) -> str | None:
        """Take one event in; what is wrong with it, or None."""
        kind = event[0] if isinstance(event, list | tuple) and event else None
        if not isinstance(kind, str) or kind not in _LENGTHS:
            return f"{quoted(event)} is none of: {', '.join(_LENGTHS)}"
        if len(event) not in _LENGTHS[kind]:
            return f"{quoted(event)} has {len(event)} parts; {kind} has {' or '.join(map(str, _LENGTHS[kind]))}"
        order = self.out_of_order(kind)
        if order:
            return order
        if self.layer + SPACES.get(kind, 0) > MOST_SPACES:
            return f"{kind} takes Jack past the end of the track: it has at most {MOST_SPACES} spaces"
        fault = {CRIME: self.crime, WALK: self.walk, SEARCH: self.search, ARREST: self.arrest}.get(kind, self.plain)(event)
        self.before = kind
        return fault

    def out_of_order(self, kind: str) -> str | None:
        if self.home:
            return f"{kind} after {HOME}: the night is over"
        if self.at:
            return f"{kind} after an arrest that was made: the game is over"
        if (kind == CRIME) != (not self.before):
            return f"{kind}: a night begins with its crime, and has one"
        if kind == HOME and self.before != WALK:
            return f"{HOME} after {self.before}: only a walk ends at home"
        return None

    def circle(self, value: Any) -> str | None:
        last = len(self.board.circles)
        return None if is_number(value, 1, last) else f"{quoted(value)} is not a circle from 1 to {last}"

    def crime(self, event: Any) -> str | None:
        scenes = event[1]
        if not isinstance(scenes, list | tuple) or len(scenes) not in (1, 2):
            return f"crime at {quoted(scenes)}: must be a list of one circle or, in a double event, two"
        for scene in scenes:
            fault = self.circle(scene)
            if fault:
                return fault
        if len(set(scenes)) < len(scenes):
            return f"two crimes at {scenes[0]}"
        self.scenes = tuple(sorted(scenes))
        return None

    def walk(self, event: Any) -> str | None:
        crossings = event[1]
        if not isinstance(crossings, list | tuple) or len(crossings) != len(COLOURS):
            return f"walk past {quoted(crossings)}: must be a list of the crossings of the {len(COLOURS)} policemen"
        for crossing in crossings:
            if not isinstance(crossing, str) or crossing not in self.board.looks:
                return f"{quoted(crossing)} is not a crossing; they are {self.board.crossings[0]} to {self.board.crossings[-1]}"
        self.legs.append(Leg(WALK, frozenset(crossings)))
        self.layer += 1
        return None

    def search(self, event: Any) -> str | None:
        _, circle, found = event
        fault = self.circle(circle)
        if fault or not isinstance(found, bool):
            return fault or f"search of {circle}: {quoted(found)} is not true or false"
        if found:
            self.due.setdefault(circle, self.layer)
        else:
            self.barred[circle] = self.layer
        return None

    def arrest(self, event: Any) -> str | None:
        circle, made = event[1], event[2] if len(event) > 2 else False
        fault = self.circle(circle)
        if fault or not isinstance(made, bool):
            return fault or f"arrest at {circle}: {quoted(made)} is not true or false"
        (self.at if made else self.not_at).append((self.layer, circle))
        return None

    def plain(self, event: Any) -> str | None:
        """A coach, an alley, or home."""
        kind = event[0]
        if kind == HOME:
            self.home = True
        else:
            self.legs.append(Leg(kind))
            self.layer += SPACES[kind]
        return None

"""A position: what everybody at the table sees. Immutable, one line of notation, plain JSON; all three round-trip.

Notation, seventeen fields with one blank between them (``-`` nothing)::

    revised-2012 3 police-act 2 27/44/3+158 - - - blue:x042,… 9,44 walk,coach blue blue,yellow,… - blue 12 arrival=must
    edition  night phase time scenes women wretched patrols police clues track head seats moved acted missed house-rules

Crime scenes: nights apart by ``/``, the two of the third night by ``+``. House rules: only those that are not the default.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import quoted
from companion.games.letters_from_whitechapel import streets
from companion.games.letters_from_whitechapel.house_rules import DEFAULTS
from companion.games.letters_from_whitechapel.names import (
    BEFORE_THE_HUNT,
    COLOURS,
    EDITION,
    ID,
    MOVES_FROM_TIME_ONE,
    NIGHTS,
    OVER,
    REVEAL,
    SPACES,
    Night,
)
from companion.games.notation import fields_of, items, joined, number

KEYS = (
    "night", "phase", "time", "crime_scenes", "women", "wretched", "patrols", "police", "clues", "track", "head", "seats",
    "moved", "acted", "missed", "house_rules",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Position:
    """The public state. Numbers and crossings are sorted, ``police`` goes by :data:`COLOURS`; ``track``, ``seats``, ``moved``
    and ``acted`` keep their order. ``house_rules`` holds what is not the default, sorted."""

    night: int
    phase: str
    time: int = 1
    crime_scenes: tuple[tuple[int, ...], ...] = ()
    women: tuple[int, ...] = ()
    wretched: tuple[int, ...] = ()
    patrols: tuple[tuple[str, str], ...] = ()
    police: tuple[tuple[str, str], ...] = ()
    clues: tuple[int, ...] = ()
    track: tuple[str, ...] = ()
    head: str | None = None
    seats: tuple[str, ...] = COLOURS
    moved: tuple[str, ...] = ()
    acted: tuple[str, ...] = ()
    missed: tuple[int, ...] = ()
    house_rules: tuple[tuple[str, str], ...] = ()

    # --- what follows from it -------------------------------------------------------------------------------------

    def rule(self, name: str) -> str:
        """The choice of a house rule."""
        return dict(self.house_rules).get(name, DEFAULTS[name])

    @property
    def streets(self) -> streets.Streets:
        """The graph under the house rule ``edge-44``."""
        return streets.load(self.rule("edge-44") == "open")

    @property
    def tonight(self) -> Night:
        """What this night brings."""
        return NIGHTS[self.night]

    @property
    def scenes(self) -> tuple[int, ...]:
        """Tonight's crime scenes; empty before the murder."""
        return self.crime_scenes[self.night - 1] if len(self.crime_scenes) >= self.night else ()

    @property
    def all_scenes(self) -> frozenset[int]:
        """Every circle with a crime scene marker."""
        return frozenset(circle for night in self.crime_scenes for circle in night)

    @property
    def police_first(self) -> bool:
        """Whether tonight's second murder takes Jack's first space and the police move before he does."""
        return self.tonight.victims > 1 and self.rule("double-event") == "police-first"

    @property
    def spaces(self) -> int:
        """Spaces of the move track behind the crime, those used included."""
        return MOVES_FROM_TIME_ONE - 1 + self.time - self.police_first

    @property
    def used(self) -> int:
        """Spaces of the track that Jack's moves took tonight: circles on his row behind the scenes."""
        return sum(SPACES[kind] for kind in self.track)

    @property
    def left(self) -> int:
        """Spaces of the track still free."""
        return self.spaces - self.used

    @property
    def tokens(self) -> Mapping[str, int]:
        """Special movement tokens Jack still has tonight."""
        return {kind: count - self.track.count(kind) for kind, count in self.tonight.stock.items()}

    @property
    def murder_done(self) -> bool:
        """Whether tonight's victims are dead."""
        return bool(self.scenes)

    @property
    def turning_up(self) -> bool:
        """Whether Jack has to turn up one patrol token, as after every wait."""
        return self.phase == REVEAL and not self.murder_done

    @property
    def occupied(self) -> frozenset[str]:
        """Crossings that nobody but policemen passes: those of policemen in the hunt, of patrol tokens before."""
        before = self.phase in BEFORE_THE_HUNT
        return frozenset(self._patrol_places if before else (crossing for _, crossing in self.police))

    @property
    def _patrol_places(self) -> Iterable[str]:
        return (crossing for crossing, _ in self.patrols)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == OVER

    # --- JSON and notation ----------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """All keys, in the order of the format."""
        return {
            "game": ID,
            "edition": EDITION,
            "night": self.night,
            "phase": self.phase,
            "time": self.time,
            "crime_scenes": [list(night) for night in self.crime_scenes],
            "women": list(self.women),
            "wretched": list(self.wretched),
            "patrols": dict(self.patrols),
            "police": dict(self.police),
            "clues": list(self.clues),
            "track": list(self.track),
            "head": self.head,
            "seats": list(self.seats),
            "moved": list(self.moved),
            "acted": list(self.acted),
            "missed": list(self.missed),
            "house_rules": dict(self.house_rules),
        }

    def notation(self) -> str:
        """The position in one line."""
        scenes = "/".join("+".join(map(str, night)) for night in self.crime_scenes)
        return " ".join(
            (
                EDITION, str(self.night), self.phase, str(self.time), scenes or "-",
                _numbers(self.women), _numbers(self.wretched), _pairs(self.patrols), _pairs(self.police), _numbers(self.clues),
                joined(self.track), self.head or "-", joined(self.seats), joined(self.moved), joined(self.acted),
                _numbers(self.missed), joined(f"{name}={choice}" for name, choice in self.house_rules),
            )
        )  # fmt: skip


def data_of(line: str) -> dict[str, Any]:
    """The JSON of a position from its line of notation, unchecked. Raises ValueError."""
    edition, night, phase, time, scenes, *rest = fields_of(line, 17)
    women, wretched, patrols, police, clues, track, head, seats, moved, acted, missed, rules = rest
    return {
        "game": ID,
        "edition": edition,
        "night": number(night),
        "phase": phase,
        "time": number(time),
        "crime_scenes": [] if scenes == "-" else [_numbers_of(night, "+") for night in scenes.split("/")],
        "women": _numbers_of(women),
        "wretched": _numbers_of(wretched),
        "patrols": _pairs_of(patrols, ":"),
        "police": _pairs_of(police, ":"),
        "clues": _numbers_of(clues),
        "track": items(track),
        "head": None if head == "-" else head,
        "seats": items(seats),
        "moved": items(moved),
        "acted": items(acted),
        "missed": _numbers_of(missed),
        "house_rules": _pairs_of(rules, "="),
    }


def _numbers(values: Iterable[int]) -> str:
    return joined(map(str, values))


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    return joined(f"{name}:{value}" for name, value in pairs)


def _numbers_of(text: str, between: str = ",") -> list[int | str]:
    return [] if text == "-" else [number(item) for item in text.split(between)]


def _pairs_of(text: str, between: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in items(text):
        name, mark, value = item.partition(between)
        if not mark:
            raise ValueError(f"{quoted(item)} is not NAME{between}VALUE")
        if name in found:
            raise ValueError(f"{name} is there twice")
        found[name] = value
    return found

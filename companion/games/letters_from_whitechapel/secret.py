"""The secret part: Jack's hideout, row and women, the identity of the patrol tokens. It is read, never written: a position
goes out without it, so nothing here makes JSON of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.games.letters_from_whitechapel.names import COACH, SPACES, WALK
from companion.games.letters_from_whitechapel.streets import Streets


@dataclass(frozen=True, slots=True)
class JackSecret:
    """``hideout``: circle; ``row``: tonight's circles, scenes first in their true order; ``women``: circle -> marked or blank,
    while the tokens lie face down."""

    hideout: int | None = None
    row: tuple[int, ...] = ()
    women: Mapping[int, str] = field(default_factory=dict)

    @property
    def place(self) -> int | None:
        """Where Jack is."""
        return self.row[-1] if self.row else None


@dataclass(frozen=True, slots=True)
class PoliceSecret:
    """``patrols``: crossing -> colour or ``fake``."""

    patrols: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Secret:
    """Both halves; either may be unknown."""

    jack: JackSecret | None = None
    police: PoliceSecret | None = None


NOTHING_KNOWN = Secret()


def hideouts(streets: Streets, rule: str) -> frozenset[int]:
    """Circles where the hideout may be, under the house rule ``hideout``."""
    everywhere = frozenset(streets.circles)
    if rule == "any":
        return everywhere
    if rule == "not-red":
        return everywhere - streets.red
    return everywhere - streets.red - {circle for red in streets.red for circle in streets.walks[red]}


def legs(row: tuple[int, ...], scenes: int, track: tuple[str, ...]) -> list[tuple[str, int, tuple[int, ...]]]:
    """The row cut into moves: (kind, origin, circles written). The row must be as long as the track says."""
    told, at = [], scenes
    for kind in track:
        told.append((kind, row[at - 1], row[at : at + SPACES[kind]]))
        at += SPACES[kind]
    return told


def leg_fault(streets: Streets, kind: str, origin: int, written: tuple[int, ...]) -> str | None:
    """Why no move of that kind leads there on a board without policemen; None where one does."""
    if kind == WALK and written[0] not in streets.walks[origin]:
        return f"no walk leads from {origin} to {written[0]}"
    if kind == COACH:
        middle, end = written
        if middle not in streets.walks[origin] or end not in streets.walks[middle]:
            return f"no coach goes from {origin} by {middle} to {end}"
        if end == origin:
            return f"a coach from {origin} may not come back to it"
    if kind not in (WALK, COACH) and written[0] not in streets.alleys[origin]:
        return f"no alley leads from {origin} to {written[0]}: they share no block"
    return None

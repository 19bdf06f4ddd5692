"""Jack's moves: walk, coach, alley; and whether he is trapped."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.letters_from_whitechapel.names import ALLEY, COACH, SPACES, WALK
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.secret import JackSecret
from companion.games.letters_from_whitechapel.streets import walks_among


@dataclass(frozen=True, slots=True)
class Escape:
    """One move: its kind, the circles it writes (a coach's two), whether it ends at the hideout so that he may be home."""

    kind: str
    by: tuple[int, ...]
    home: bool

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "by": list(self.by), "home": self.home}


def moves(position: Position, jack: JackSecret) -> tuple[Escape, ...]:
    """All of Jack's moves, walks first. Empty when he is trapped, by the house rule even where a coach is left.

    A walk stops at the first circle and passes no policeman. A coach goes by one circle to another that is not the origin,
    an alley to any circle of a block here, both past policemen; only a walk ends at home.
    """
    place = jack.place
    if place is None:
        return ()
    found = [Escape(WALK, (to,), to == jack.hideout) for to in walks(position, place)]
    if not found and position.rule("trapped") == "walk":
        return ()
    found += [Escape(COACH, by, False) for by in coaches(position, place)]
    found += [Escape(ALLEY, (to,), False) for to in alleys(position, place)]
    return tuple(found)


def walks(position: Position, place: int) -> tuple[int, ...]:
    """Circles one walk away with the policemen where they are."""
    return walks_among(position.rule("edge-44") == "open", position.occupied)[place]


def coaches(position: Position, place: int) -> tuple[tuple[int, int], ...]:
    """(middle, end) of every coach; none without a token or with one space left."""
    if position.tokens[COACH] < 1 or position.left < SPACES[COACH]:
        return ()
    near: Mapping[int, tuple[int, ...]] = position.streets.walks
    return tuple((middle, end) for middle in near[place] for end in near[middle] if end != place)


def alleys(position: Position, place: int) -> tuple[int, ...]:
    """Circles on the rim of a block that the place lies on too; none without a token."""
    return position.streets.alleys[place] if position.tokens[ALLEY] > 0 else ()

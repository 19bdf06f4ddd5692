"""What is remembered of a game beside its position: kinds of secrets, moves and answers, acts as events write them."""

from dataclasses import dataclass

from companion.games.letters_from_whitechapel.acts import Act
from companion.games.letters_from_whitechapel.names import COLOURS, NIGHTS
from companion.games.letters_from_whitechapel.position import Position
from companion.games.values import Json

HIDEOUT, MOVE = "hideout", "move"
WOMEN_OF = tuple(f"women-{night}" for night in NIGHTS)
PATROLS_OF = tuple(f"patrols-{night}" for night in NIGHTS)
"""Kinds of secrets: one for all nights, the row of all nights, and what tokens show, one kind a night (opened that night)."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One of Jack's moves: the event that told it, the position before it, how many secrets of his row came before its own."""

    number: int
    books: Position
    kind: str
    home: bool
    first: int


@dataclass(frozen=True, slots=True)
class Told:
    """An answer: its event, ``search``, ``arrest`` or ``turn-up``, on which circle or crossing, what was said, and how many
    secrets of Jack's row there were by then; ``night`` counts from 1."""

    number: int
    kind: str
    spot: str
    said: object
    night: int
    rows: int


def act_of(data: Json) -> Act:
    """An act of an event, from its JSON."""
    yes = next((data[key] for key in ("clue", "arrested", "complete", "home") if key in data), None)
    circles = (data["circle"],) if "circle" in data else tuple(data.get("circles", ()))
    return Act(
        data["act"], by=data.get("by"), circles=circles, crossing=data.get("crossing"), token=data.get("token"), yes=yes,
        police=tuple((colour, data["police"][colour]) for colour in COLOURS if colour in data.get("police", {})),
    )  # fmt: skip

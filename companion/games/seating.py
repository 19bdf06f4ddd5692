"""Who sits at the table: people, in their order around it, and the seats of the game that each of them plays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.errors import BadInput
from companion.games.values import Json, Role

LONGEST_NAME = 24
"""Characters of a name."""


@dataclass(frozen=True, slots=True)
class Seating:
    """How people may share the seats of a game: ``least`` to ``most`` of them, every seat one person's, and nobody without one.
    Whoever has a seat of ``alone`` has no other."""

    least: int
    most: int
    alone: tuple[Role, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"least": self.least, "most": self.most, "alone": list(self.alone)}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the table; ``name`` may be empty."""

    name: str
    seats: tuple[Role, ...]

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "seats": list(self.seats)}


People = tuple[Person, ...]
"""Clockwise around the table; empty: nobody said who sits there."""


def people_of(data: Any) -> People:
    """People from plain JSON. Raises BadInput for another shape."""
    if not isinstance(data, list | tuple):
        raise BadInput("who plays is a list of people, each with a name and seats")
    found = []
    for one in data:
        name, seats = (one.get("name", ""), one.get("seats")) if isinstance(one, Mapping) else (None, None)
        if not isinstance(name, str) or not isinstance(seats, list | tuple) or not all(isinstance(seat, str) for seat in seats):
            raise BadInput("who plays is a list of people, each with a name and seats")
        found.append(Person(" ".join(name.split()), tuple(seats)))
    return tuple(found)


def check(people: People, seating: Seating | None, seats: Sequence[Role]) -> None:
    """Raises BadInput, one sentence, where people cannot share the seats of a game like that."""
    if not people:
        return
    if seating is None:
        raise BadInput("in this game nobody chooses seats beforehand")
    if not seating.least <= len(people) <= seating.most:
        raise BadInput(f"{seating.least} to {seating.most} people play, not {len(people)}")
    if any(len(person.name) > LONGEST_NAME for person in people):
        raise BadInput(f"a name has {LONGEST_NAME} characters at most")
    given = [seat for person in people for seat in person.seats]
    if sorted(given) != sorted(seats):
        raise BadInput(f"each of these is played by one person: {', '.join(seats)}")
    for person in people:
        if not person.seats:
            raise BadInput("everybody who plays needs a seat of the game")
        if len(person.seats) > 1 and set(person.seats) & set(seating.alone):
            raise BadInput(f"whoever plays {', '.join(seating.alone)} plays nobody else")


def in_order(opened: Json) -> tuple[Role, ...]:
    """The seats clockwise around the table, by the event that opened the match; empty where nobody said it."""
    return tuple(seat for person in opened.get("seating", ()) for seat in person["seats"])

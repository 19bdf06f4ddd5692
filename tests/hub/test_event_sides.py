"""Whom an event counts: the seats of its game, or the sides that win together."""

import pytest

from companion import games
from companion.hub.event.folding import outcome_marks
from companion.hub.event.model import LOSS, WIN
from companion.hub.event.reading import plan_of
from companion.hub.wall.event_api import seats_of


@pytest.mark.parametrize(
    ("name", "sides"),
    [
        ("mr-jack-london", ["jack", "detective"]),
        ("mr-jack-new-york", ["jack", "detective"]),
        ("letters-from-whitechapel", ["jack", "police"]),
    ],
)
def test_whoever_wins_by_a_games_end_is_counted(name: str, sides: list[str]) -> None:
    game = games.load(name)
    assert seats_of(game) == sides
    plan = plan_of({"name": "Club evening", "game": name, "seats": sides, "rounds": 3})
    assert [outcome_marks(plan, winner) for winner in sides] == [(WIN, LOSS), (LOSS, WIN)]


def test_a_seat_of_a_side_wins_nothing_by_itself() -> None:
    plan = plan_of({"name": "Cup", "game": "letters-from-whitechapel", "seats": ["jack", "police"], "rounds": 1})
    assert outcome_marks(plan, "blue") is None

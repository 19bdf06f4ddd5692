"""Who plays which seats: what people may share, what the record keeps of it, and what a game makes of their order."""

from pathlib import Path
from typing import Any

import pytest
from testkit.night_players import flee, hunt
from testkit.night_table import GAME, NightTable

from companion import games
from companion.errors import BadInput
from companion.games.seating import Person, Seating, check, people_of
from companion.host.choices import Choices
from companion.host.resuming import choices_of

SEATS = ("jack", "blue", "yellow", "brown", "red", "green")
HOW = Seating(2, 6, ("jack",))


def people(*seats: str) -> Any:
    return tuple(Person(f"P{n}", tuple(one.split("+"))) for n, one in enumerate(seats))


@pytest.mark.parametrize(
    "seats",
    [
        ("jack", "blue+yellow+brown+red+green"),
        ("red+blue", "jack", "yellow+brown+green"),
        ("jack", "blue", "yellow", "brown", "red", "green"),
    ],
)
def test_two_to_six_people_share_the_seats_in_any_order(seats: tuple[str, ...]) -> None:
    check(people(*seats), HOW, SEATS)


@pytest.mark.parametrize(
    ("seats", "why"),
    [
        (("jack+blue+yellow+brown+red+green",), "2 to 6 people play, not 1"),
        (("jack", "blue+yellow+brown+red"), "each of these is played by one person: jack, blue"),
        (("jack", "blue+yellow+brown+red+green+green"), "each of these is played by one person"),
        (("jack", "blue+yellow+brown+red+purple"), "each of these is played by one person"),
        (("jack+blue", "yellow+brown+red+green"), "whoever plays jack plays nobody else"),
    ],
)
def test_what_people_cannot_share_is_one_sentence(seats: tuple[str, ...], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        check(people(*seats), HOW, SEATS)


def test_somebody_without_a_seat_and_a_long_name_are_refused() -> None:
    with pytest.raises(BadInput, match="everybody who plays needs a seat"):
        check((*people("jack", "blue+yellow+brown+red+green"), Person("late", ())), HOW, SEATS)
    with pytest.raises(BadInput, match="24 characters"):
        check((Person("n" * 25, ("jack",)), *people("blue+yellow+brown+red+green")), HOW, SEATS)
    with pytest.raises(BadInput, match="nobody chooses"):
        Choices(seating=people("jack", "detective")).check(games.load(games.DEFAULT))


@pytest.mark.parametrize("data", ["jack", [1], [{"name": 1, "seats": []}], [{"name": "a"}], [{"seats": [1]}]])
def test_another_shape_is_refused(data: Any) -> None:
    with pytest.raises(BadInput, match="list of people"):
        people_of(data)


def test_the_record_keeps_who_plays_and_the_order_around_the_table_counts(tmp_path: Path) -> None:
    chosen = people("red+blue", "jack", "green+brown+yellow")
    table = NightTable(tmp_path, people=chosen)
    assert [one["seats"] for one in table.public["seating"]] == [["red", "blue"], ["jack"], ["green", "brown", "yellow"]]
    hunt(table)
    flee(table, "86")
    order = []
    while table.public["phase"] == "police-move":
        order.append(table.public["mover"])
        table.say("stay")
    assert order == ["brown", "yellow", "red", "blue", "green"], "clockwise from the head of the investigation"
    given = Choices(seating=people("jack", "blue+yellow+brown+red+green"))
    assert choices_of(GAME, table.events(), None, Choices()).seating == chosen
    assert choices_of(GAME, table.events(), None, given).seating == given.seating, "to be refused"
    table.close()
    with pytest.raises(BadInput, match="began with other people"):
        NightTable(tmp_path, people=given.seating)
    again = NightTable(tmp_path)
    assert again.public["seating"][0] == {"name": "P0", "seats": ["red", "blue"]}
    again.close()


def test_choices_go_through_json_and_older_ones_name_nobody() -> None:
    chosen = Choices(seating=people("jack", "blue+yellow+brown+red+green"))
    assert Choices.from_json(chosen.to_json()) == chosen
    assert Choices.from_json({"secret": "asked"}).seating == ()

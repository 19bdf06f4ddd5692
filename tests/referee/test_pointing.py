"""Answers that are pointed at: with a finger, or with a marker that is laid there; what both mean is asked, never guessed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from testkit.night_players import YELLOW, flee, hunt, to_the_circle
from testkit.night_table import NightTable

from companion.announce.phrases import Phrases
from companion.games.letters_from_whitechapel import wretched
from companion.host.box_state import fold
from companion.referee.decide import on_pointing


@pytest.fixture
def night(tmp_path: Path) -> Iterator[NightTable]:
    """A policeman on x085 is to search or to arrest; Jack fled from 84 and walked to 86, where his trace is."""
    table = NightTable(tmp_path)
    hunt(table)
    flee(table, "86")
    to_the_circle(table)
    assert table.public["phase"] == "police-act"
    yield table
    table.close()


def point(table: NightTable, place: str, *, stayed: bool = False) -> list[str]:
    """Hold a finger on a place, or keep it there; the kinds of the events."""
    table.eyes.pointed, table.eyes.stayed = place, stayed
    return table.show()


def asked(table: NightTable) -> Any:
    return table.public["expects"][0]


def test_only_the_places_of_the_open_question_come_into_question(night: NightTable) -> None:
    night.show()
    form = asked(night)["form"]
    assert set(night.eyes.asked) == {str(one["circle"]) for one in form if "circle" in one} and len(night.eyes.asked) <= 4
    before = night.public["number"]
    assert point(night, "3") == [] and night.public["number"] == before
    assert on_pointing(night.table._ledger.match, "3", stayed=False) == []
    assert on_pointing(night.table._ledger.match, "3", stayed=True) == []


def test_where_two_answers_are_about_a_place_it_is_asked_which_and_nothing_is_guessed(night: NightTable) -> None:
    assert point(night, "86") == ["pointed-at"]
    (event,) = [one.to_json() for one in night.record.events() if one.kind == "pointed-at"]
    assert event["data"]["by"] == "finger" and event["data"]["seat"] == "brown"
    assert Phrases().announce(event).text == "86: search for a clue, or arrest?"
    assert asked(night)["pointed"] == "86" and night.public["phase"] == "police-act"
    assert point(night, "86", stayed=True) == [], "a finger that stays says nothing of which is meant"
    # The box offers the two that are meant, by their numbers.
    asking = fold(night.record.events()).asking(0.0)
    assert asking is not None and [one["kind"] for one in asking.answers] == ["search", "arrest"]
    # A finger on another place takes its place, and so does any other answer.
    other = next(place for place in night.eyes.asked if place != "86")
    assert point(night, other) == ["pointed-at"] and asked(night)["pointed"] == other
    assert point(night, "86") == ["pointed-at"]
    assert night.say("search", seat="brown", circle=86) == ["asked", "answered"]
    assert "pointed" not in asked(night)


def test_where_one_answer_is_about_a_place_it_is_told_first_and_given_where_the_finger_stays(night: NightTable) -> None:
    other = next(place for place in (night.show(), night.eyes.asked)[1] if place != "86")
    assert night.say("search", seat="brown", circle=int(other)) == ["asked", "answered"]
    assert point(night, "86", stayed=True) == ["pointed-at"], "what was never told is told first"
    (told,) = night.record.events()[-1:]
    assert (told.data["place"], told.data["by"]) == ("86", "finger") and asked(night)["pointed"] == "86"
    assert Phrases().announce(told.to_json()).text == "86? Stay there for yes."
    asking = fold(night.record.events()).asking(0.0)
    assert asking is not None and [one["circle"] for one in asking.answers] == [86], "a button says yes as well"
    assert point(night, "86", stayed=True) == ["asked", "answered"]
    question, reply = night.record.events()[-2:]
    assert question.data["circle"] == 86 and question.data["by"] == "brown"
    assert reply.data["text"] == "There is a clue at {circle}."
    assert "86" in Phrases().announce(reply.to_json()).text


def test_a_clue_marker_laid_on_a_place_points_at_it_and_stays_where_a_clue_is_found(night: NightTable) -> None:
    assert night.show(clues=("86",)) == ["pointed-at"] and asked(night)["pointed"] == "86"
    assert night.show(clues=("86",)) == [] and night.public["flag"] is None, "it may lie there until it is said"
    assert night.say("search", seat="brown", circle=86)[:2] == ["asked", "answered"]
    assert "laid" in [*(one.kind for one in night.record.events()[-2:]), *night.show(clues=("86",))]
    assert night.public["flag"] is None


def test_a_marker_where_one_answer_can_be_gives_it_at_once(night: NightTable) -> None:
    other = next(place for place in (night.show(), night.eyes.asked)[1] if place != "86")
    assert night.say("search", seat="brown", circle=int(other)) == ["asked", "answered"]
    assert night.show(clues=("86",))[:3] == ["pointed-at", "asked", "answered"]
    told = next(one for one in reversed(night.record.events()) if one.kind == "pointed-at")
    assert (told.data["by"], told.data.get("text")) == ("clues", None)
    assert Phrases().announce(told.to_json()) is None, "the answer names the place"


def test_a_marker_where_nothing_is_found_has_to_go_again(night: NightTable) -> None:
    other = next(place for place in (night.show(), night.eyes.asked)[1] if place != "86")
    assert night.show(clues=(other,)) == ["pointed-at"]
    assert night.say("search", seat="brown", circle=int(other)) == ["asked", "answered", "flag"]
    assert night.public["flag"] is not None
    night.show()
    assert night.public["flag"] is None and night.public["phase"] == "police-act"


def test_a_marker_elsewhere_or_two_of_them_are_no_answer_but_a_fault(night: NightTable) -> None:
    night.show(clues=("3",))
    assert night.public["flag"] is not None and "pointed" not in asked(night)
    night.show()
    two = tuple(night.eyes.asked[:2])
    night.show(clues=two)
    assert night.public["flag"] is not None and "pointed" not in asked(night)


def test_a_patrol_token_to_be_turned_up_can_be_pointed_at(tmp_path: Path) -> None:
    table = NightTable(tmp_path)
    table.lay_out(table.entrusting)
    table.show()
    table.say("wait")
    table.show()
    books = table.state.books
    for circle in books.wretched:
        open_to_her = wretched.targets(books, circle)
        books = wretched.moved(books, circle, open_to_her[0]) if open_to_her else books
    table.show(wretched=tuple(map(str, sorted(books.wretched))))
    table.show()
    assert table.public["phase"] == "turn-up"
    assert set(table.eyes.asked) == set(YELLOW)
    assert point(table, "x042") == ["pointed-at"]
    assert point(table, "x042", stayed=True)[:1] == ["turning"]
    table.close()

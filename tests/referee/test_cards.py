"""What is known when cards are not seen: dealt by the companion, told, following from the turn before, or not at all."""

from dataclasses import replace

import pytest
from scripted_table import GAME, Hands, settled_hands

from companion.errors import BadInput
from companion.referee.answers import dealt, may_deal
from companion.referee.audit import audit
from companion.referee.match import Draft, fold
from companion.referee.settings import DEFAULTS
from companion.referee.view import view

FOUR = ["holmes", "bert", "stealthy", "goodley"]


def first_turn(hands: Hands) -> None:
    hands.move("holmes", "e6").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    hands.say(kind="call", seen=True)
    hands.lay(hands.match.expected)
    hands.see()


def test_unknown_cards_leave_any_four_on_odd_turns_and_the_other_four_on_even_ones() -> None:
    hands = settled_hands()
    assert view(hands.match)["cards"] == "unknown" and view(hands.match)["available"] is None
    first_turn(hands)
    plays = [event.data for event in hands.events if event.kind == "play"]
    assert [play["cards"] for play in plays] == ["unknown"] * 4, "whether a card was there cannot be told, and is not"
    shown = view(hands.match)
    assert shown["cards"] == "deduced" and set(shown["available"]) == set(GAME.characters) - set(FOUR)
    assert hands.move("bert", "l10").see() == ["flag"]
    assert "not-in-cards" in {fault["code"] for fault in hands.match.flag["faults"]}
    assert not may_deal(hands.match)
    with pytest.raises(BadInput, match="nobody knows them yet"):
        dealt(hands.match, FOUR)


def test_a_character_twice_in_one_turn_is_illegal_though_the_cards_are_unknown() -> None:
    hands = settled_hands()
    hands.move("stealthy", "i5").see()
    hands.move("holmes", "e6").see()
    assert hands.move("stealthy", "k7").see() == ["unfinished"], "Goodley may have begun to whistle"
    assert hands.see(DEFAULTS.begun_s + 1) == ["flag"]
    assert hands.match.flag["faults"][0]["code"] == "not-in-cards"


@pytest.mark.parametrize("level", ["told", "dealt"])
def test_known_cards_decide(level: str) -> None:
    hands = settled_hands()
    if level == "dealt":
        assert hands.write(dealt(hands.match, FOUR)) == ["cards"]
    else:
        hands.say(kind="cards", characters=FOUR)
    assert view(hands.match)["cards"] == level and set(view(hands.match)["available"]) == set(FOUR)
    assert hands.move("gull", "d7").see() == ["flag"]
    assert hands.match.flag["faults"][0]["code"] == "not-in-cards"
    hands.lay(hands.match.position)
    hands.see()
    first_turn(hands)
    assert {event.data["cards"] for event in hands.events if event.kind == "play"} == {level}
    assert audit(GAME, hands.events)[1] == []


def test_cards_told_late_count_for_the_plays_before() -> None:
    hands = settled_hands()
    hands.move("holmes", "e6").see()
    hands.say(kind="cards", characters=FOUR)
    assert hands.move("bert", "k9").shift("covers", "c2", "h6").see() == ["play"]
    assert [event.data["cards"] for event in hands.events if event.kind == "play"] == ["unknown", "told"]
    assert not may_deal(hands.match)


@pytest.mark.parametrize("level", ["told", "dealt"])
@pytest.mark.parametrize("plays", [0, 1])
def test_cards_stay_known_where_an_arbiter_takes_the_turn_back(level: str, plays: int) -> None:
    """The companion dealt four others where the players had theirs in hand."""
    hands = settled_hands()
    if level == "dealt":
        hands.write(dealt(hands.match, FOUR))
    if plays:
        hands.move("holmes", "e6").see()
    if level == "told":  # before the first play, or late
        hands.say(kind="cards", characters=FOUR)
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    start = next(one for one in view(hands.match)["take_back"] if one["pick"] == 0)
    hands.say(kind="rule", action="take-back", to=start["number"], reason="misheard")
    assert not may_deal(hands.match)
    assert (view(hands.match)["cards"], set(view(hands.match)["available"])) == (level, set(FOUR))
    hands.lay(hands.match.position)
    hands.see()
    first_turn(hands)
    assert audit(GAME, hands.events)[1] == []
    assert fold(GAME, hands.events) == replace(hands.match, table=None)


def test_a_record_that_forgot_the_cards_is_folded_as_it_was_written() -> None:
    hands = settled_hands()
    forgotten = hands.match.position.to_json()
    hands.say(kind="cards", characters=FOUR)
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    (start,) = view(hands.match)["take_back"]
    data = {"to": start["number"], "turn": 1, "pick": 0, "position": forgotten, "reason": "misheard"}
    hands.write([Draft("ruling", {"action": "take-back", **data})])
    hands.lay(hands.match.position)
    hands.see()
    assert view(hands.match)["cards"] == "unknown"
    first_turn(hands)
    assert audit(GAME, hands.events)[1] == []


def test_where_the_game_stands_is_no_moment_to_take_it_back_to() -> None:
    hands = settled_hands()
    hands.say(kind="cards", characters=FOUR)
    assert view(hands.match)["take_back"] == []
    hands.move("holmes", "e6").see()
    assert [one["pick"] for one in view(hands.match)["take_back"]] == [0]

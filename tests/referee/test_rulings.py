"""The arbiter: back across plays, calls and turns, any position set, and nothing taken for a play until the table shows it."""

from dataclasses import replace
from typing import Any

import pytest
from scripted_table import GAME, Hands, settled_hands
from test_recorded_at_table import ASKED, RECORDED, replay

from companion.announce.phrases import Phrases
from companion.errors import BadInput
from companion.record.events import Event
from companion.referee.audit import audit
from companion.referee.match import fold
from companion.referee.rulings import rule
from companion.referee.view import view


def second_turn() -> Hands:
    hands = settled_hands()
    hands.move("holmes", "e6").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    hands.say(kind="call", seen=True)
    hands.lay(hands.match.expected)
    hands.see()
    assert hands.match.position.turn == 2
    return hands


def test_the_game_is_taken_back_across_a_call_and_goes_on_from_there() -> None:
    hands = second_turn()
    hands.move("watson", "c4", facing="SE").see()
    goal = next(one for one in view(hands.match)["take_back"] if one["turn"] == 1 and one["pick"] == 3)
    kinds = hands.say(kind="rule", action="take-back", to=goal["number"], reason="the third play was misheard")
    assert kinds == ["ruling", "flag"]
    assert hands.match.position.turn == 1 and hands.match.played == ("holmes", "bert", "stealthy")
    assert hands.match.state.called is None and hands.match.mover == "detective"
    assert {chore["subject"] for chore in hands.match.flag["chores"]} >= {"watson", "goodley", "smith", "gull", "gaslight:b2"}
    hands.move("watson", "a3", facing="NE").see()
    assert hands.match.restoring and hands.match.played == ("holmes", "bert", "stealthy"), "hands putting back play nothing"
    hands.lay(hands.match.position)
    assert hands.see() == ["flag-cleared"]
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10")
    assert hands.see() == ["play", "call-asked"]
    hands.say(kind="call", seen=False)
    assert fold(GAME, hands.events) == hands.match and audit(GAME, hands.events)[1] == []
    said = Phrases().announce(hands.last("ruling").to_json())
    assert said is not None and "turn 1, 3 played" in said.text


def test_a_call_that_was_taken_back_is_not_held_against_jack() -> None:
    hands = second_turn()  # the call said seen; Watson was not
    opening = Event(hands.match.number + 1, 0.0, "opening", {"character": "watson"}, "")
    assert [finding.code for finding in audit(GAME, [*hands.events, opening])[1]] == ["false-call"]
    last = next(one for one in view(hands.match)["take_back"] if one["turn"] == 1 and one["pick"] == 4)
    hands.say(kind="rule", action="take-back", to=last["number"], reason="Jack answered wrongly")
    hands.lay(hands.match.position)
    hands.see()
    hands.say(kind="call", seen=False)
    opening = Event(hands.match.number + 1, 0.0, "opening", {"character": "watson"}, "")
    assert audit(GAME, [*hands.events, opening])[1] == []


def test_back_to_the_last_pick_of_a_turn_asks_the_call_anew_once_the_table_is_right() -> None:
    hands = second_turn()
    last = next(one for one in view(hands.match)["take_back"] if one["turn"] == 1 and one["pick"] == 4)
    assert hands.say(kind="rule", action="take-back", to=last["number"], reason="wrong answer") == ["ruling", "flag"]
    hands.lay(hands.match.position)
    assert hands.see() == ["flag-cleared", "call-asked"]


def offered(hands: Hands) -> list[int]:
    return [one["number"] for one in view(hands.match)["take_back"]]


def test_what_led_to_an_open_question_by_itself_is_no_moment_to_go_back_to_until_it_is_answered() -> None:
    """Going back to the turn's last play, while Jack was being asked, changed nothing and was on record for good."""
    hands = second_turn()
    plays = [event.number for event in hands.events if event.kind == "play"]
    asked = next(event.number for event in hands.events if event.kind == "call-asked")
    for number in (plays[3], asked):
        then = fold(GAME, [event for event in hands.events if event.number <= number])
        assert then.returns[-1].number == plays[3]
        assert [one["number"] for one in view(then)["take_back"]][-1] == plays[2]
        with pytest.raises(BadInput, match="that is where the game stands"):
            rule(then, {"action": "take-back", "to": plays[3], "reason": "x"})
    assert plays[3] in offered(hands), "once Jack answered, that is where he is asked again"


@pytest.mark.parametrize("name", ["stealthy-escapes-in-turn-two", "wrong-accusation-loses"])
def test_while_jack_is_asked_who_he_is_the_play_that_ended_the_game_is_no_moment_to_go_back_to(name: str) -> None:
    hands = replay(next(path for path in RECORDED if path.stem == name), ASKED, until="accusation")
    assert hands.match.question is not None
    play = hands.last("play").number
    assert play not in offered(hands) and offered(hands)
    with pytest.raises(BadInput, match="that is where the game stands"):
        hands.say(kind="rule", action="take-back", to=play, reason="x")
    assert hands.say(kind="rule", action="take-back", to=offered(hands)[-1], reason="misheard")[0] == "ruling"
    assert hands.match.question is None


def test_a_position_is_set_and_laid() -> None:
    hands = second_turn()
    position = hands.match.position.to_json()
    position["characters"]["gull"]["hex"] = "e9"
    kinds = hands.say(kind="rule", action="set-position", position=position, reason="the board was knocked over")
    assert kinds == ["ruling", "flag"]
    assert [chore["subject"] for chore in hands.match.flag["chores"]] == ["gull"]
    lies = hands.state["characters"]["gull"]["hex"]
    assert [chore["message"] for chore in hands.match.flag["chores"]] == [f"Move Gull from {lies} to e9."], (
        "he never stood there"
    )
    assert hands.move("gull", "e9").see() == ["flag-cleared"]
    assert hands.move("watson", "c4", facing="SE").see() == ["play"]
    assert fold(GAME, hands.events) == hands.match


def nobody_left(position: dict[str, Any]) -> dict[str, Any]:
    """All are innocent: nobody is Jack, and every call after it would have nobody to ask about."""
    return position | {"characters": {who: one | {"side": "innocent"} for who, one in position["characters"].items()}}


def test_rulings_that_cannot_be_are_refused_in_one_line() -> None:
    hands = second_turn()
    for wrong in (
        {"action": "take-back", "to": 9999, "reason": "x"},
        {"action": "take-back", "to": True, "reason": "x"},
        {"action": "take-back", "to": hands.match.returns[-1].number, "reason": "x"},
        {"action": "take-back", "to": view(hands.match)["take_back"][0]["number"]},
        {"action": "set-position", "reason": "x"},
        {"action": "set-position", "position": {"turn": 99}, "reason": "x"},
        {"action": "set-position", "position": {**hands.match.position.to_json(), "played": ["gull"]}, "reason": "x"},
        {"action": "set-position", "position": nobody_left(hands.match.position.to_json()), "reason": "x"},
        {"action": "allow", "reason": " "},
        {"action": "allow", "reason": "nothing to allow"},
    ):
        number = hands.match.number
        with pytest.raises(BadInput) as refused:
            hands.say(kind="rule", **wrong)
        assert "\n" not in str(refused.value) and hands.match.number == number


def test_a_play_is_allowed_by_the_arbiter_with_a_reason() -> None:
    hands = settled_hands()
    hands.move("bert", "g10").see()
    assert view(hands.match)["whose_play"] == "bert"
    assert hands.say(kind="rule", action="allow", reason="both agree") == ["ruling"]
    assert view(hands.match)["whose_play"] is None
    assert hands.match.played == ("bert",) and hands.last("ruling").data["action"] == "allow"


def test_a_play_that_the_arbiter_let_stand_is_followed_and_taken_back() -> None:
    """No moves are on record of it: that it could be a stay, or a part of another play, was asked of them, and nothing was
    taken back."""
    hands = settled_hands()
    hands.lay(hands.game.plays(hands.match.position, "watson")[3].position)
    hands.see()
    hands.move("bert", "g10").see()
    hands.say(kind="rule", action="allow", reason="both agree")
    assert view(hands.match)["undo"] == "bert" and hands.match.mover == "jack"
    before = hands.match.number
    hands.move("holmes", "a1").see()
    assert "flag" in [event.kind for event in hands.events if event.number > before], "what no play explains is flagged"
    hands.lay(hands.match.position)
    hands.see()
    hands.say(kind="undo")
    assert hands.match.played == ("watson",) and "still" not in hands.last("undo").data
    assert fold(GAME, hands.events) == hands.match


def test_no_play_stands_where_nobody_made_one() -> None:
    """Pieces that are still to be put back count as nobody's play, though "the play counts as it was made" was what it said."""
    hands = settled_hands()
    hands.move("holmes", "e6").see()
    hands.say(kind="rule", action="take-back", to=hands.match.returns[0].number, reason="misheard")
    assert hands.match.flag["faults"][0]["code"] == "as-ruled"
    assert view(hands.match)["whose_play"] is None
    with pytest.raises(BadInput, match="it is not certain whose play this is"):
        hands.say(kind="rule", action="allow", reason="both agree")
    assert hands.say(kind="accept", reason="both agree", character="holmes") == ["ruling"]
    assert hands.match.played == ("holmes",)


@pytest.mark.parametrize("blamed", [[], ["holmes"], ["bert", "goodley"]])
def test_it_is_not_certain_whose_play_lies_there(blamed: list[str]) -> None:
    """Nobody's, one that counts already, one of two."""
    hands = settled_hands()
    hands.move("holmes", "e6").see()
    hands.move("bert", "g10").see()
    flag = hands.match.flag
    assert flag is not None and view(hands.match)["whose_play"] == "bert"
    faults = [{**flag["faults"][0], "character": name} for name in (*blamed, None)]
    assert view(replace(hands.match, flag={**flag, "faults": faults}))["whose_play"] is None


@pytest.mark.parametrize("reason", [{}, {"reason": ""}, {"reason": "  "}, {"reason": 7}])
def test_once_the_game_is_on_the_table_is_taken_as_it_is_only_for_a_reason(reason: dict) -> None:
    hands = settled_hands()
    hands.move("bert", "g10").see()
    number = hands.match.number
    with pytest.raises(BadInput, match="needs a reason"):
        hands.say(kind="accept", **reason)
    assert hands.match.number == number


def called() -> Hands:
    """The first turn was played, and Jack has called himself seen."""
    hands = settled_hands()
    hands.move("holmes", "e6").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    hands.say(kind="call", seen=True)
    assert hands.match.phase == "clean-up"
    return hands


def test_a_clean_up_that_is_taken_as_it_is_keeps_the_reason() -> None:
    hands = called()
    hands.mark_turn(2).see()
    kinds = hands.say(kind="accept", reason="the lamp stays, both agree")
    assert kinds[0] == "clean-up" and hands.last("clean-up").data["reason"] == "the lamp stays, both agree"
    assert hands.match.position.turn == 2 and "b2" in hands.match.position.to_json()["gaslights"]
    assert hands.match.flag is None and hands.see() == []


def test_a_turn_is_not_played_again_because_its_marker_was_not_moved_on() -> None:
    """The table was taken with the marker where it lay, and the turn that was over began anew."""
    hands = called()
    number = hands.match.number
    with pytest.raises(BadInput, match=r"before this is done: Move the turn marker to 2$"):
        hands.say(kind="accept", reason="both agree")
    assert hands.match.number == number and hands.match.phase == "clean-up"


def test_a_marker_that_lies_in_another_turn_is_named_where_a_table_is_not_taken() -> None:
    hands = settled_hands()
    hands.move("holmes", "e6").see()
    hands.move("bert", "g10").mark_turn(2).see()
    with pytest.raises(BadInput, match="characters were played in turn 1: the turn marker stays there"):
        hands.say(kind="accept", reason="both agree", character=None)

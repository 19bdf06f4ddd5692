"""The policy of taking back: players within their own picks, everything else only by the arbiter's word."""

import pytest
from scripted_table import GAME, Hands, settled_hands

from companion.errors import BadInput
from companion.games import load
from companion.record.events import Event
from companion.referee.audit import audit
from companion.referee.match import fold
from companion.referee.view import view


def after_two() -> Hands:
    """The detective played Stealthy, Jack played Goodley and has the pick again."""
    hands = settled_hands()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    assert hands.match.played == ("stealthy", "goodley") and hands.match.mover == "jack"
    return hands


def back_to(hands: Hands, picks: int) -> int:
    return next(one["number"] for one in view(hands.match)["take_back"] if one["pick"] == picks)


def test_a_player_takes_back_while_the_pick_is_still_with_him() -> None:
    hands = after_two()
    assert view(hands.match)["undo"] == "goodley" and view(hands.match)["undo_refused"] is None
    assert hands.say(kind="undo") == ["undo", "flag"]
    assert hands.match.played == ("stealthy",) and hands.match.mover == "jack"


def test_once_the_pick_has_passed_only_the_arbiter_takes_back() -> None:
    hands = settled_hands()
    hands.move("stealthy", "k7").see()
    assert view(hands.match)["undo"] is None and view(hands.match)["undo_refused"] == "passed"
    with pytest.raises(BadInput, match="somebody else's turn"):
        hands.say(kind="undo")
    assert hands.say(kind="rule", action="take-back", to=back_to(hands, 0), reason="both agree") == ["ruling", "flag"]
    assert hands.match.played == () and hands.match.mover == "detective"


def test_nor_do_several_steps_reach_the_other_players_play() -> None:
    hands = after_two()
    hands.say(kind="undo")
    with pytest.raises(BadInput, match="somebody else's turn"):
        hands.say(kind="undo")


def test_hands_that_put_back_late_are_told_and_the_arbiter_may_agree() -> None:
    hands = settled_hands()
    hands.move("stealthy", "k7").see()
    assert hands.move("stealthy", "i4").see() == ["flag"]
    assert [fault["code"] for fault in hands.match.flag["faults"]] == ["put-back-late"]
    assert hands.match.flag["verdict"] == "out-of-step" and hands.match.played == ("stealthy",)
    assert [chore["to"] for chore in hands.match.flag["chores"]] == ["k7"]
    assert hands.move("stealthy", "k7").see() == ["flag-cleared"], "laid out again"
    hands.move("stealthy", "i4").see()
    kinds = hands.say(kind="rule", action="take-back", to=back_to(hands, 0), reason="he had not let go")
    assert kinds == ["ruling", "flag-cleared"] and hands.match.played == () and hands.match.mover == "detective"
    assert fold(GAME, hands.events) == hands.match and audit(GAME, hands.events)[1] == []


def test_another_play_instead_of_one_that_is_out_of_reach_is_out_of_step() -> None:
    hands = settled_hands()
    hands.move("stealthy", "k7").see()
    hands.move("stealthy", "i4").move("goodley", "l10").move("smith", "g10").move("gull", "f10")
    assert hands.see() == ["flag"]
    assert hands.match.played == ("stealthy",)


def test_the_same_character_moved_further_is_no_step_back() -> None:
    hands = settled_hands()
    hands.move("stealthy", "k7").see()
    assert hands.move("stealthy", "i5").see() == ["correction"]
    assert hands.match.played == ("stealthy",)


def test_a_drawn_card_is_never_put_back_without_the_arbiter() -> None:
    hands = settled_hands()
    hands.move("stealthy", "k7").see()
    hands.move("holmes", "e6").see()
    assert hands.match.mover == "jack", "the pick has not passed on"
    assert view(hands.match)["undo_refused"] == "drawn"
    with pytest.raises(BadInput, match="a card was drawn"):
        hands.say(kind="undo")
    assert hands.move("holmes", "g5").see() == ["flag"]
    assert [fault["code"] for fault in hands.match.flag["faults"]] == ["put-back-drawn"]
    kinds = hands.say(kind="rule", action="take-back", to=back_to(hands, 1), reason="the card went back unseen")
    assert kinds == ["ruling", "flag-cleared"]


def test_the_last_pick_of_a_turn_may_be_taken_back_until_jack_has_answered() -> None:
    hands = after_two()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("watson", "c4", facing="SE").see()
    assert hands.match.phase == "call" and view(hands.match)["undo"] == "watson"
    hands.say(kind="call", seen=True)
    assert view(hands.match)["undo"] is None and view(hands.match)["undo_refused"] is None
    with pytest.raises(BadInput, match="stays as it is"):
        hands.say(kind="undo")


def test_verify_names_an_undo_that_was_not_the_players_to_make() -> None:
    hands = settled_hands()
    hands.move("stealthy", "k7").see()
    last = hands.match.picks[-1]
    data = {"undone": last.number, "character": "stealthy", "cause": "answer", "position": last.before.to_json()}
    forged = Event.following(hands.events[-1], "undo", data, 1.0)
    findings = audit(GAME, [*hands.events, forged])[1]
    assert [finding.text for finding in findings] == [
        f"event {forged.number}: a play was taken back that only the arbiter may take back"
    ]


def test_whoever_meets_the_talkative_informant_draws_a_card() -> None:
    game = load("mr-jack-new-york")
    before = game.start()
    met = next(
        play
        for name in game.characters
        for play in game.plays(before, name, mover="detective")
        if play.position.informant != before.informant
    )
    left = next(play for name in game.characters for play in game.plays(before, name, mover="detective") if play is not met)
    assert game.draws(before, met.position, met.character)
    assert game.draws(before, left.position, left.character) == (left.position.informant_side != before.informant_side)


def at_the_call(jack: str | None = None) -> Hands:
    """The four plays of turn 1 are made; Jack is asked, or has entrusted who he is."""
    hands = settled_hands(jack=jack)
    if jack is not None:
        hands.write_secret()
    hands.move("holmes", "e6").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    return hands


def test_a_slip_of_the_finger_at_the_call_is_answered_anew() -> None:
    hands = at_the_call()
    before, head = hands.match, hands.match.position
    assert hands.match.phase == "call" and view(hands.match)["recall"] is False
    hands.say(kind="call", seen=False)
    assert view(hands.match)["recall"] is True
    assert hands.say(kind="recall") == ["correction", "call-asked"]
    shown = view(hands.match)
    assert (shown["phase"], shown["called"], shown["recall"], shown["chores"]) == ("call", None, False, [])
    assert hands.match.position == head and hands.match.picks == before.picks
    assert shown["suspects"] == view(before)["suspects"], "nobody is cleared by a slip"
    assert hands.say(kind="call", seen=True)[0] == "call"
    hands.lay(hands.match.expected)
    assert hands.see()[-1] == "turn-opened"
    assert fold(GAME, hands.events) == hands.match
    match, findings = audit(GAME, hands.events)
    assert match == hands.match and findings == []


def test_what_jack_shows_afterwards_is_held_against_the_answer_that_counts() -> None:
    hands = at_the_call()
    seen = "stealthy" in GAME.witness(hands.match.position).seen
    hands.say(kind="call", seen=not seen)
    hands.say(kind="recall")
    hands.say(kind="call", seen=seen)
    opening = Event.following(hands.events[-1], "opening", {"character": "stealthy"}, hands.now)
    assert audit(GAME, [*hands.events, opening])[1] == []


def test_nobody_answers_anew_once_the_table_was_touched() -> None:
    hands = at_the_call()
    with pytest.raises(BadInput, match="no call"):
        hands.say(kind="recall")
    hands.say(kind="call", seen=True)
    assert hands.turn("watson").see() == ["chores"]
    assert view(hands.match)["recall"] is False
    with pytest.raises(BadInput, match="tidying up has begun"):
        hands.say(kind="recall")


def test_what_was_entrusted_is_no_slip() -> None:
    hands = at_the_call(jack="stealthy")
    assert hands.match.phase == "clean-up" and hands.match.secret == "entrusted"
    assert view(hands.match)["recall"] is False
    with pytest.raises(BadInput, match="not answered by hand"):
        hands.say(kind="recall")

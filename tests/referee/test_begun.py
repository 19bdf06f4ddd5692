"""Plays that are under way: begun before the first view of a table, or after an illegal one was put right in part."""

from scripted_table import GAME, Hands

from companion.referee.audit import audit


def test_a_play_made_before_the_first_view_is_told() -> None:
    hands = Hands.at_start()
    assert hands.move("stealthy", "k7").see() == ["table-agreed", "turn-opened", "play"]
    assert hands.match.played == ("stealthy",) and audit(GAME, hands.events)[1] == []


def test_several_plays_made_before_the_first_view_are_told_in_the_order_of_the_movers() -> None:
    hands = Hands.at_start()
    hands.move("bert", "k9").shift("covers", "c2", "h6").move("stealthy", "k7")
    kinds = hands.see()
    assert kinds[:2] == ["table-agreed", "turn-opened"] and "chores" not in kinds
    assert set(hands.match.played) == {"bert", "stealthy"} or hands.match.doubt is not None


def test_a_play_that_was_under_way_is_waited_for() -> None:
    hands = Hands.at_start()
    assert hands.move("bert", "k9").see() == ["table-agreed", "turn-opened", "unfinished"]
    assert hands.shift("covers", "c2", "h6").see() == ["play"]


def test_a_set_up_that_no_play_explains_is_asked_for() -> None:
    hands = Hands.at_start()
    assert hands.move("bert", "a3" if hands.state["characters"]["watson"]["hex"] != "a3" else "b3").see() == ["chores"]


def test_pieces_laid_out_under_the_camera_are_guided_not_followed() -> None:
    hands = Hands.at_start()
    assert hands.move("stealthy", None).move("bert", None).see() == ["chores"]
    hands.move("bert", "i8")
    hands.see()
    assert hands.move("stealthy", "k7").see()[-1] == "chores", "one hex off is not a play while the table is being set up"
    assert hands.move("stealthy", "i4").see() == ["table-agreed", "turn-opened"]


def test_what_was_put_within_reach_is_no_longer_asked_back_while_the_rest_of_the_play_is_waited_for() -> None:
    hands = Hands.at_start()
    hands.see()
    assert hands.move("bert", "g10").see() == ["flag"]
    assert [(chore["subject"], chore["to"]) for chore in hands.match.flag["chores"]] == [("bert", "i8")]
    assert hands.move("bert", "k9").see() == ["flag-cleared", "unfinished"]
    assert [fault["code"] for fault in hands.match.unfinished["faults"]] == ["ability-missing"]
    assert not hands.match.unfinished.get("chores"), "he stands where he may: nothing is to be put back"
    assert hands.shift("covers", "c2", "h6").see() == ["play"]


def test_what_an_illegal_play_left_elsewhere_stays_asked_for_while_a_part_of_it_may_become_a_play() -> None:
    hands = Hands.at_start()
    hands.see()
    assert hands.move("bert", "k9").move("stealthy", "g10").see()[-1] == "flag"
    elsewhere = {chore["subject"]: chore["place"] for chore in hands.match.flag["chores"]}
    assert elsewhere["bert"] == "k9"
    hands.move("stealthy", "i4")
    assert hands.see() == ["flag-cleared", "unfinished"]
    assert [chore["subject"] for chore in hands.match.unfinished["chores"]] == ["bert"], "going back is still open to him"

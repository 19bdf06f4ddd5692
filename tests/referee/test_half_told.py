"""Discs of which only the place can be told, not which side is up or which way they look."""

from scripted_table import Hands, replace, settled_hands

WAY = "it lies there, but which way it faces cannot be told"


def test_one_that_stays_where_it_is_keeps_nothing_waiting_and_is_not_asked_for() -> None:
    hands = settled_hands()
    hands.half_told("watson", WAY)
    hands.half_told("gull")
    assert hands.see() == []
    assert hands.move("holmes", "e6").see() == ["play"]
    assert hands.match.blind == ()


def test_a_disc_without_a_front_keeps_its_side_when_it_is_moved() -> None:
    """No play turns a disc over; one whose second side nobody has shown must not stop the game at every move."""
    hands = settled_hands()
    hands.half_told("holmes", "its side cannot be told")
    assert hands.move("holmes", "e6").see() == ["play"]
    assert hands.match.position.to_json()["characters"]["holmes"] == {"hex": "e6", "side": "suspect"}
    assert hands.move("holmes", "k9").see() == ["flag"], "its place is judged all the same"


def test_a_disc_with_a_front_keeps_its_side_where_the_way_it_faces_is_told() -> None:
    hands = settled_hands()
    hands.half_told("watson", "its side cannot be told")
    seen = replace(hands.move("watson", "b3", facing="S").reading(), facings={"watson": "S"}, captured_at=1.0)
    assert hands.see(reading=seen) == ["play"]
    assert hands.match.position.to_json()["characters"]["watson"] == {"hex": "b3", "side": "suspect", "facing": "S"}


def test_a_disc_that_is_to_be_turned_over_stays_unknown_until_its_side_is_seen() -> None:
    hands = settled_hands(jack="watson")
    hands.move("holmes", "e6").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    wanted = hands.match.arrangement.target.to_json()["characters"]
    turned = [piece for piece, entry in wanted.items() if entry["side"] == "innocent"]
    assert "holmes" in turned
    hands.turn(*turned).shift("gaslights", "b2", None).mark_turn(2)
    hands.half_told("holmes", "its side cannot be told")
    assert hands.see() == ["cannot-see"] and hands.match.blind == ("holmes",)
    assert "clean-up" in hands.say(kind="correct", subject="holmes", place=wanted["holmes"]["hex"], side="innocent")
    assert hands.match.position.to_json()["characters"]["holmes"]["side"] == "innocent"


def test_one_that_was_moved_is_asked_for_and_nothing_is_made_of_it_meanwhile() -> None:
    hands = settled_hands()
    hands.half_told("watson", WAY)
    assert hands.move("watson", "b3").see() == ["cannot-see"]
    assert hands.match.blind == ("watson",) and hands.match.position.hex("watson") == "a3"
    hands.unknown, hands.half = {}, set()
    assert hands.see() == ["sight-restored", "play"] and hands.match.played == ("watson",)


def test_who_was_moved_in_this_turn_is_asked_which_way_he_looks_now() -> None:
    hands = settled_hands()
    hands.move("watson", "b3").see()
    hands.half_told("watson", WAY)
    assert hands.move("watson", "b3", facing="S").see() == ["cannot-see"], "the lantern may be turned until the next pick"
    hands.unknown, hands.half = {}, set()
    assert hands.see() == ["sight-restored", "correction"]
    assert hands.match.position.facing == "S"


def test_no_later_play_is_told_while_the_place_of_one_contradicts_the_record() -> None:
    hands = settled_hands()
    hands.move("holmes", "e6").see()
    hands.half_told("watson", WAY)
    assert hands.move("watson", "b3").see() == ["cannot-see"]
    assert hands.see() == [], "the last play is not told anew"
    assert hands.match.played == ("holmes",)


def test_a_place_that_no_way_of_looking_makes_right_is_flagged_all_the_same() -> None:
    hands = settled_hands()
    hands.half_told("watson", WAY)
    assert hands.move("watson", "k9").see() == ["cannot-see"]
    assert hands.ponder(25.0) == ["flag"]
    assert "too-far" in {fault["code"] for fault in hands.match.flag["faults"]}


def test_what_was_said_of_one_ends_when_it_is_seen_elsewhere() -> None:
    """Watson was put right by hand, walked on, and was taken to stand where he had been put right."""
    hands = settled_hands()
    hands.half_told("watson", WAY)
    hands.say(kind="correct", subject="watson", place="a3", facing="NE")
    assert hands.match.overrides.keys() == {"watson"}
    assert hands.see() == [] and hands.match.overrides, "the camera sees what it saw"
    assert "cannot-see" in hands.move("watson", "b3").see()
    assert not hands.match.overrides


def test_what_was_said_against_the_place_that_is_seen_holds_as_long_as_that_is_seen() -> None:
    hands = settled_hands()
    hands.state["characters"]["gull"] = {"hex": "f10", "side": "suspect"}
    hands.half_told("gull")
    hands.see()
    hands.say(kind="correct", subject="gull", place="e9")
    assert hands.match.overrides and hands.see() == []
    assert hands.match.overrides, "said against just this sight"


def test_the_record_of_a_correction_holds_what_the_camera_told() -> None:
    hands: Hands = settled_hands()
    hands.half_told("watson", WAY)
    hands.see()
    hands.say(kind="correct", subject="watson", place="a3", facing="S")
    (fix,) = next(event for event in reversed(hands.events) if event.kind == "correction").data["fixes"]
    assert fix["against"] == {"hex": "a3"}

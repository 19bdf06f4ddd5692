"""Scenes at a table: what hands do in steps, late, wrongly and twice, and what the referee makes of it."""

import pytest
from scripted_table import GAME, Hands, reading_of, settled_hands

from companion.errors import BadInput
from companion.record.commitment import commit
from companion.referee.view import view
from companion.vision.reading import Reading


def turn_two(jack: str = "stealthy") -> Hands:
    """Turn 2 of the fragment: left to play are Watson, Smith, Lestrade and Gull, Jack picks first."""
    hands = settled_hands(jack=jack)
    hands.move("holmes", "e6").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    hands.turn("watson").shift("gaslights", "b2", None).mark_turn(2).see()
    assert hands.match.phase == "play" and hands.match.position.turn == 2
    return hands


# --- looking --------------------------------------------------------------------------------------------------------


def test_nothing_happens_while_nothing_changes() -> None:
    hands = settled_hands()
    assert [hands.see() for _ in range(5)] == [[]] * 5


def test_a_reading_that_is_not_settled_decides_nothing() -> None:
    hands = settled_hands()
    hands.move("holmes", "e6")
    loose = reading_of(hands.state)
    assert hands.see(reading=type(loose)(loose.sightings, settled=False)) == []


def test_the_set_up_is_asked_for_piece_by_piece() -> None:
    hands = Hands.at_start()
    hands.move("holmes", "g6").move("watson", None)
    assert hands.see() == ["chores"]
    assert {chore["subject"] for chore in hands.match.chores} == {"holmes", "watson"}
    assert hands.move("holmes", "g5").see() == ["chores"]
    assert [chore["subject"] for chore in hands.match.chores] == ["watson"]
    assert hands.move("watson", "a3", side="suspect", facing="NE").see() == ["table-agreed", "turn-opened"]
    assert hands.match.chores == ()


def test_another_set_up_may_be_accepted_but_not_an_impossible_one() -> None:
    hands = Hands.at_start()
    hands.move("watson", "i4").move("stealthy", "a3").see()
    hands.say(kind="accept")
    assert hands.match.phase == "play" and hands.match.position.hex("watson") == "i4"
    other = Hands.at_start()
    other.move("holmes", "e5").see()
    with pytest.raises(BadInput, match="one hex"):
        other.say(kind="accept", reason="both like it so")


def test_what_cannot_be_seen_is_said_once_and_waited_for() -> None:
    hands = settled_hands()
    hands.unknown = {"bert": "glare"}
    assert hands.see() == ["cannot-see"]
    assert hands.see() == []
    hands.move("bert", "g10").unknown = {}
    assert hands.see() == ["sight-restored", "flag"]


def test_a_board_out_of_sight_changes_nothing() -> None:
    hands = settled_hands(jack="stealthy")
    hands.move("holmes", "e6").see()
    hands.move("bert", "g10").see()
    flag = hands.match.flag
    subjects = [*GAME.characters, "turn"] + [f"cover:{spot}" for spot in GAME.board("first-2006").of_kind("manhole")]
    subjects += [f"gaslight:{spot}" for spot in GAME.board("first-2006").of_kind("gaslight")]
    subjects += [f"cordon:{spot}" for spot in ("NW", "NE", "SW", "SE")]
    lost = Reading((), dict.fromkeys(subjects, "the board is not found"))
    assert hands.see(reading=lost) == ["cannot-see"]
    assert hands.match.flag == flag, "what is wrong stays wrong while nobody sees"
    assert hands.see() == ["sight-restored"]
    assert hands.move("bert", "i8").see() == ["flag-cleared"]


def test_no_verdict_while_a_disc_that_may_matter_is_hidden() -> None:
    hands = settled_hands()
    hands.unknown = {"goodley": "a sleeve lies there"}
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10")
    assert hands.see() == ["cannot-see"], "a whistle without its whistler must not be called illegal"
    hands.unknown = {}
    assert hands.see() == ["sight-restored", "play"]
    assert hands.last("play").data["character"] == "goodley"


def test_a_hidden_disc_that_did_not_move_blocks_nothing() -> None:
    hands = settled_hands()
    hands.unknown = {"lestrade": "glare"}
    hands.move("holmes", "e6")
    assert hands.see() == ["cannot-see", "play"]


def test_a_cover_hidden_under_a_disc_is_still_where_it_was() -> None:
    hands = settled_hands()
    hands.unknown = {"cover:c2": "a disc stands on it"}
    hands.move("holmes", "e6")
    assert hands.see() == ["play"]
    hands.move("bert", "k9").shift("covers", "l12", "h6")
    assert hands.see() == ["play"]
    assert hands.match.position.covers == ("c2", "h6")


# --- plays in steps -------------------------------------------------------------------------------------------------


def test_a_whistle_in_steps_is_one_play() -> None:
    hands = settled_hands()
    assert hands.move("goodley", "l10").see() == ["unfinished"]
    assert hands.move("smith", "g10").see() == ["unfinished"]
    assert hands.move("gull", "f10").see() == ["play"]
    assert hands.match.unfinished is None and hands.match.played == ("goodley",)


def test_whistling_first_and_walking_afterwards_is_one_play() -> None:
    hands = settled_hands()
    assert hands.move("smith", "g10").see() == ["unfinished"]
    assert hands.move("bert", "j8").see() == ["unfinished"]
    assert hands.move("goodley", "l10").see() == ["play"]
    assert [event.data["character"] for event in hands.events if event.kind == "play"] == ["goodley"]


def test_an_ability_before_walking_waits_for_the_walk() -> None:
    hands = settled_hands()
    assert hands.shift("covers", "c2", "h6").see() == ["unfinished"]
    assert hands.move("bert", "k9").see() == ["play"]
    assert hands.last("play").data["ability"] == "move_manhole_cover"


def test_an_unfinished_play_is_flagged_when_time_is_up() -> None:
    hands = settled_hands()
    hands.move("bert", "k9").see()
    assert hands.wait(20) == []
    assert hands.wait(30) == ["flag"]
    assert hands.match.flag["faults"][0]["code"] == "ability-missing"
    assert hands.see() == []
    assert hands.shift("covers", "c2", "h6").see() == ["flag-cleared", "play"]


def test_waiting_begins_anew_when_the_source_counts_its_seconds_anew() -> None:
    hands = settled_hands()
    hands.now = 5000.0
    hands.move("bert", "k9").see()
    hands.now = 0.0
    assert hands.see() == ["unfinished"]
    assert hands.wait(46) == ["flag"]


def test_an_unfinished_play_is_flagged_when_play_goes_on() -> None:
    hands = settled_hands()
    hands.move("bert", "k9").see()
    assert hands.move("holmes", "e6").see() == ["flag"]
    assert "ability-missing" in {fault["code"] for fault in hands.match.flag["faults"]}
    assert hands.shift("covers", "c2", "h6").see() == ["flag-cleared", "play", "play"]
    assert set(hands.match.played) == {"bert", "holmes"}


def test_a_disc_held_in_a_hand_and_then_set_down_wrongly_is_told_by_where_it_stands() -> None:
    hands = settled_hands()
    assert hands.move("holmes", None).see() == ["unfinished"]
    assert hands.move("holmes", "m12").see() == ["flag"]
    assert [fault["code"] for fault in hands.match.flag["faults"]] == ["too-far"], "it is in nobody's hand any more"
    assert hands.see() == [], "said once"


def test_a_disc_set_down_on_its_way_is_the_same_play() -> None:
    hands = settled_hands()
    assert hands.move("stealthy", "i5").see() == ["play"]
    assert hands.move("stealthy", "k7").see() == ["correction"]
    assert hands.match.played == ("stealthy",) and hands.match.position.hex("stealthy") == "k7"
    assert hands.last("correction").data["supersedes"] == hands.last("play").number


def test_watson_walks_and_then_turns() -> None:
    hands = settled_hands()
    assert hands.move("watson", "c4").see() == ["play"]
    assert hands.move("watson", "c4", facing="SE").see() == ["correction"]
    assert hands.match.position.facing == "SE" and len(hands.match.picks) == 1


def test_a_play_put_back_by_hand_is_taken_back() -> None:
    hands = settled_hands()
    hands.move("holmes", "e6").see()
    hands.move("stealthy", "k7").see()
    assert hands.move("stealthy", "i4").see() == ["undo"]
    assert hands.match.played == ("holmes",) and hands.match.mover == "jack"
    assert hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see() == ["play"]


def test_a_lifted_disc_is_waited_for() -> None:
    hands = settled_hands()
    assert hands.move("holmes", None).see() == ["unfinished"]
    assert hands.move("holmes", "e6").see() == ["play"]


# --- late views -----------------------------------------------------------------------------------------------------


def test_four_plays_seen_at_once_are_told_one_by_one() -> None:
    hands = settled_hands()
    hands.move("holmes", "e6").move("bert", "k9").shift("covers", "c2", "h6").move("stealthy", "k7")
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10")
    kinds = hands.see()
    if hands.match.doubt is not None:
        told = [{play["character"] for play in item["plays"]} for item in hands.match.doubt["alternatives"]]
        kinds += hands.say(kind="choose", alternative=told.index({"holmes", "bert", "stealthy", "goodley"}))
    assert kinds.count("play") == 4 and hands.match.phase == "call"
    assert set(hands.match.played) == {"holmes", "bert", "stealthy", "goodley"}


def test_two_plays_seen_at_once_keep_the_order_of_movers() -> None:
    hands = turn_two()
    hands.move("smith", "i9").shift("gaslights", "h8", "f9").move("watson", "c4", facing="SE")
    assert hands.see() == ["play", "play"]
    plays = [event.data for event in hands.events if event.kind == "play"][-2:]
    assert [play["mover"] for play in plays] == ["jack", "detective"]
    assert [play["pick"] for play in plays] == [1, 2]


def test_clean_up_and_next_play_seen_late() -> None:
    hands = settled_hands(jack="stealthy")
    hands.move("holmes", "e6").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    hands.turn("watson").shift("gaslights", "b2", None).mark_turn(2)
    hands.move("gull", "e6").move("holmes", "f10")
    assert hands.see() == ["clean-up", "turn-opened", "play"]
    assert hands.last("play").data["ability"] == "swap"


# --- wrong plays ----------------------------------------------------------------------------------------------------


def test_an_illegal_play_put_back_clears_the_flag() -> None:
    hands = settled_hands()
    assert hands.move("bert", "g10").see() == ["flag"]
    assert hands.move("bert", "i8").see() == ["flag-cleared"]
    assert hands.match.flag is None and hands.match.played == ()


def test_a_character_played_twice_in_two_turns_is_flagged() -> None:
    hands = turn_two()
    assert hands.move("bert", "l10").see() == ["flag"]
    assert hands.match.flag["verdict"] == "illegal"
    assert "not-in-cards" in {fault["code"] for fault in hands.match.flag["faults"]} or hands.match.flag["faults"]


def test_a_lamp_taken_in_mid_turn_is_out_of_step() -> None:
    hands = settled_hands()
    hands.shift("gaslights", "f5", None).see()
    hands.wait(60)
    assert hands.match.flag is not None
    assert [chore["subject"] for chore in hands.match.flag["chores"]] == ["gaslight:f5"]
    hands.state["gaslights"]["f5"] = "blank"
    assert hands.see() == ["flag-cleared"]


def test_a_wrong_clean_up_is_out_of_step_until_put_right() -> None:
    hands = settled_hands(jack="stealthy")
    hands.move("holmes", "e6").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    hands.turn("holmes")
    assert hands.see() == ["chores", "flag"]
    assert hands.match.flag["verdict"] == "out-of-step"
    assert "holmes" in {chore["subject"] for chore in hands.match.flag["chores"]}
    hands.turn("holmes", side="suspect").turn("watson").shift("gaslights", "b2", None).mark_turn(2)
    assert hands.see() == ["flag-cleared", "clean-up", "turn-opened"]


def test_discs_turned_before_the_answer_are_out_of_step_until_it_comes() -> None:
    hands = settled_hands()
    hands.move("holmes", "e6").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    assert hands.match.phase == "call"
    assert hands.turn("watson").see() == ["flag"]
    assert hands.match.flag["faults"][0]["code"] == "before-the-answer"
    assert hands.say(kind="call", seen=True)[0] == "call"
    hands.shift("gaslights", "b2", None).mark_turn(2)
    assert hands.see() == ["clean-up", "turn-opened"]


def test_an_answer_that_leaves_nobody_is_refused() -> None:
    hands = settled_hands()
    start = GAME.start("first-2006").to_json()
    crowd = {"holmes": "g5", "watson": "g6", "smith": "g8", "lestrade": "h8"}
    assert crowd and start
    hands.move("holmes", "e6").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    hands.say(kind="call", seen=False)
    assert GAME.suspects(hands.match.position) == ("watson",)
    hands.lay(hands.match.expected)
    hands.see()
    hands.move("watson", "b3", facing="N").see()
    hands.move("gull", "e6").move("holmes", "f10").see()
    hands.move("smith", "i9").shift("gaslights", "h8", "f9").see()
    hands.move("lestrade", "d7").shift("cordons", "NE", "NW").see()
    assert hands.match.phase == "call"
    seen = "watson" in GAME.witness(hands.match.position).seen
    with pytest.raises(BadInput, match="somebody erred"):
        hands.say(kind="call", seen=not seen)
    assert hands.say(kind="call", seen=seen) == ["call"]


# --- answers --------------------------------------------------------------------------------------------------------


def test_a_correction_overrules_the_camera_until_it_sees_something_new() -> None:
    hands = settled_hands()
    misread = {**hands.state["characters"]["holmes"]}
    hands.move("holmes", "a1").see()
    assert hands.match.flag is not None
    assert hands.say(kind="correct", subject="holmes", place=misread["hex"]) == ["correction", "flag-cleared"]
    assert hands.see() == [], "the camera still says a1, and still is overruled"
    assert view(hands.match)["table"]["overrides"] == ["holmes"]
    assert hands.move("holmes", "e6").see() == ["correction", "play"]
    assert hands.match.overrides == {}


def test_corrections_of_tiles() -> None:
    hands = settled_hands()
    hands.shift("covers", "c2", "a5").see()
    assert hands.say(kind="correct", subject="cover:a5", place="c2")[0] == "correction"
    assert hands.match.unfinished is None and hands.match.flag is None
    hands.shift("gaslights", "b2", "h4").see()
    assert hands.say(kind="correct", subject="lamp-1", place="b2")[0] == "correction"
    assert hands.match.flag is None and hands.match.unfinished is None
    for wrong in (
        {"subject": "moriarty", "place": "a1"},
        {"subject": "holmes", "place": "z9"},
        {"subject": "holmes", "place": "a1", "side": "upper"},
        {"subject": "holmes", "place": "a1", "facing": "N"},
        {"subject": "gaslight:h4", "place": "f9"},
        {"subject": "turn", "place": "a1"},
        {"subject": None},
    ):
        with pytest.raises(BadInput):
            hands.say(kind="correct", **wrong)


def test_undo_steps_back_and_asks_for_the_pieces_back() -> None:
    hands = settled_hands()
    hands.move("holmes", "e6").see()
    hands.move("stealthy", "k7").see()
    assert hands.say(kind="undo") == ["undo", "flag"]
    assert hands.match.played == ("holmes",)
    assert hands.match.flag["chores"][0]["subject"] == "stealthy"
    assert hands.see() == []
    assert hands.move("stealthy", "i4").see() == ["flag-cleared"]
    assert hands.move("stealthy", "k7").see() == ["play"], "the same play may be made again"
    assert hands.say(kind="undo") == ["undo", "flag"]
    with pytest.raises(BadInput, match="a card was drawn"):
        hands.say(kind="undo")


@pytest.mark.parametrize("label", [[], {}, None, 9, "moon"])
def test_a_tile_is_corrected_to_one_that_there_is_and_to_nothing_else(label: object) -> None:
    wrong = {"subject": "gaslight:f5", "place": "f5", "label": label}
    for answer in (wrong, {"subject": "bert", "place": "i8", "also": [wrong]}):
        with pytest.raises(BadInput, match="say which one lies there"):
            settled_hands().say(kind="correct", **answer)


def test_two_discs_taken_for_each_other_are_put_right_at_once() -> None:
    hands = settled_hands()
    hands.move("holmes", "e6").see()
    hands.move("bert", "g8").move("smith", "i8")
    assert hands.see() == ["flag"], "the camera takes them for each other"
    both = hands.say(kind="correct", subject="smith", place="g8", also=[{"subject": "bert", "place": "i8"}])
    assert both == ["correction", "flag-cleared"], "and nobody is said to accuse in between"
    for also in ("bert", ["bert"], {"subject": "bert", "place": "i8"}):
        with pytest.raises(BadInput, match="list of corrections"):
            hands.say(kind="correct", subject="smith", place="g8", also=also)


def test_undo_never_crosses_a_call() -> None:
    hands = turn_two()
    with pytest.raises(BadInput, match="stays as it is"):
        hands.say(kind="undo")


def test_the_last_play_may_be_taken_back_before_the_answer() -> None:
    hands = settled_hands()
    hands.move("holmes", "e6").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "i5").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    assert hands.match.phase == "call"
    assert hands.say(kind="undo") == ["undo", "flag"]
    assert hands.match.phase == "play" and hands.match.question is None
    hands.move("goodley", "m10").move("smith", "g8").move("gull", "e9").see()
    assert hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see() == ["play", "call-asked"]


def test_cards_told_narrow_what_is_legal() -> None:
    hands = settled_hands()
    hands.move("holmes", "e6").see()
    with pytest.raises(BadInput, match="holmes"):
        hands.say(kind="cards", characters=["bert", "gull", "goodley", "smith"])
    with pytest.raises(BadInput, match="4 different"):
        hands.say(kind="cards", characters=["holmes", "holmes", "gull", "smith"])
    assert hands.say(kind="cards", characters=["holmes", "bert", "gull", "goodley"]) == ["cards"]
    assert view(hands.match)["available"] == ["goodley", "gull", "bert"]
    assert hands.move("stealthy", "h3").see() == ["flag"]
    assert hands.match.flag["faults"][0]["code"] == "not-in-cards"


def test_an_arbiter_may_let_an_illegal_play_stand() -> None:
    hands = settled_hands()
    hands.move("bert", "g10").see()
    assert hands.say(kind="accept", reason="agreed by both") == ["ruling"]
    assert hands.match.played == ("bert",) and hands.match.position.hex("bert") == "g10"
    assert hands.last("ruling").data["reason"] == "agreed by both"
    with pytest.raises(BadInput, match="already shows"):
        hands.say(kind="accept", reason="once more")


def test_an_adjourned_game_takes_nothing_for_a_play() -> None:
    hands = settled_hands()
    assert hands.say(kind="rule", action="adjourn", reason="lunch") == ["ruling"]
    assert hands.move("bert", "g10").see() == []
    with pytest.raises(BadInput, match="adjourned"):
        hands.say(kind="undo")
    hands.move("bert", "i8").see()
    assert hands.say(kind="rule", action="penalty", reason="late", against="jack") == ["ruling"]
    assert hands.say(kind="rule", action="resume", reason="back") == ["ruling"]
    assert hands.move("holmes", "e6").see() == ["play"]
    assert view(hands.match)["penalties"] == [{"against": "jack", "reason": "late"}]
    for wrong in (
        {"action": "hang"},
        {"action": "resume", "reason": "x"},
        {"action": "penalty", "reason": "x"},
        {"action": "adjourn"},
    ):
        with pytest.raises(BadInput):
            hands.say(kind="rule", **wrong)


# --- the end --------------------------------------------------------------------------------------------------------


def test_an_accusation_is_confirmed_by_waiting_and_ends_with_who_jack_is() -> None:
    hands = settled_hands()
    hands.move("holmes", "g8")
    assert hands.see() == ["unfinished"]
    assert hands.match.unfinished["faults"][0]["code"] == "ends-the-game"
    assert hands.wait(6) == ["play", "accusation"]
    assert hands.match.question["kind"] == "accusation"
    with pytest.raises(BadInput, match="moriarty"):
        hands.say(kind="reveal", character="moriarty")
    assert hands.say(kind="reveal", character="smith") == ["opening", "outcome"]
    assert hands.match.phase == "over" and hands.match.outcome["winner"] == "detective"


def test_a_disc_laid_on_another_for_a_moment_ends_nothing() -> None:
    hands = settled_hands()
    hands.move("holmes", "g8").see()
    assert hands.move("holmes", "g5").see() == ["flag-cleared"]
    assert hands.wait(10) == []
    assert hands.match.phase == "play" and hands.match.picks == ()


def test_a_sealed_secret_opens_only_with_its_own_words() -> None:
    hands = settled_hands()
    nonce = bytes(range(32))
    assert hands.say(kind="seal", commitment=commit(hands.match.id, "smith", nonce)) == ["secret"]
    with pytest.raises(BadInput, match="only the arbiter"):
        hands.say(kind="seal", commitment="0" * 64)
    hands.move("holmes", "g8").see()
    hands.wait(6)
    with pytest.raises(BadInput, match="does not open"):
        hands.say(kind="reveal", character="gull", nonce=nonce.hex())
    assert hands.say(kind="reveal", character="smith", nonce=nonce.hex()) == ["opening", "outcome"]

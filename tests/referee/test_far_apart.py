"""Far more differs than plays can move: nobody is accused of it, and the way back is one piece at a time."""

import pytest
from scripted_table import GAME, Hands, settled_hands

from companion.announce.phrases import Phrases
from companion.errors import BadInput

ELSEWHERE = {
    "holmes": "b3", "watson": "c4", "smith": "d5", "lestrade": "l10",
    "stealthy": "k9", "goodley": "k7", "gull": "e6", "bert": "i5",
}  # fmt: skip


def another_table() -> Hands:
    """In the middle of a turn another table lies under the camera."""
    hands = settled_hands(jack="stealthy")
    hands.move("holmes", "e6").see()
    for name, cell in ELSEWHERE.items():
        hands.move(name, cell)
    hands.shift("covers", "c2", "h6").shift("gaslights", "f5", None)
    return hands


def spoken(hands: Hands) -> str:
    found = Phrases().announce(hands.events[-1].to_json())
    return found.text if found else ""


def test_another_table_accuses_nobody_of_ten_faults() -> None:
    hands = another_table()
    assert hands.see() == ["flag"]
    flag = hands.match.flag
    assert flag is not None and flag["verdict"] == "out-of-step"
    assert [(fault["code"], fault["character"]) for fault in flag["faults"]] == [("too-much-changed", None)]
    count = len({chore["subject"] for chore in flag["chores"]})
    assert count > 8 and flag["faults"][0]["params"] == {"count": count}
    assert len(spoken(hands)) < 200 and str(count) in spoken(hands)


def test_the_way_back_from_far_apart_is_one_piece_at_a_time_and_no_play() -> None:
    hands = another_table()
    hands.see()
    assert hands.say(kind="guide") == ["flag"]
    before = hands.match.position
    steps = 0
    while hands.match.flag is not None:
        step = hands.match.flag["chores"][0]
        assert spoken(hands) in {str(step["text"]).format(**step["params"]), "Put right."}
        put_right(hands, step)
        kinds = hands.see()
        assert set(kinds) <= {"flag", "flag-cleared"}, "nothing on the way back is a play"
        steps += 1
        assert steps < 30
    assert hands.match.position == before and hands.match.played == ("holmes",)
    assert hands.last("flag-cleared").data["how"] == "put-back"


def put_right(hands: Hands, step: dict[str, object]) -> None:
    subject = str(step["subject"])
    group, _, spot = subject.partition(":")
    wanted = hands.match.position.to_json()
    if not spot:
        hands.move(subject, wanted["characters"][subject]["hex"])
        for key in ("side", "facing"):
            if key in wanted["characters"][subject]:
                hands.state["characters"][subject][key] = wanted["characters"][subject][key]
        return
    hands.state = {**hands.state, f"{group}s": wanted[f"{group}s"]}


def test_hands_that_put_pieces_back_by_themselves_are_led_on() -> None:
    hands = another_table()
    hands.see()
    goal = hands.match.position.to_json()["characters"]
    hands.move("gull", goal["gull"]["hex"])
    assert hands.see() == ["flag"]
    assert hands.match.flag is not None and hands.match.flag["guiding"]
    for name in ELSEWHERE:
        if name != "bert":
            hands.move(name, **{"to": goal[name]["hex"]})
    hands.state["gaslights"]["f5"] = "blank"
    hands.shift("covers", "h6", "c2")
    # Bert alone is elsewhere, within reach: on the way back that is no play of his.
    assert hands.see() == ["flag"] and hands.match.played == ("holmes",)
    hands.move("bert", goal["bert"]["hex"])
    assert hands.see() == ["flag-cleared"]


def test_a_table_that_was_away_for_a_moment_is_read_as_it_is() -> None:
    hands = settled_hands(jack="stealthy")
    before = {name: entry["hex"] for name, entry in hands.state["characters"].items()}
    for name, cell in ELSEWHERE.items():
        hands.move(name, cell)
    hands.shift("covers", "c2", "h6").shift("gaslights", "f5", None).see()
    for name, cell in before.items():
        hands.move(name, cell)
    hands.shift("covers", "h6", "c2")
    hands.state["gaslights"]["f5"] = "blank"
    hands.move("holmes", "e6")
    assert hands.see() == ["flag-cleared", "play"]


def test_the_table_may_be_taken_as_it_is_when_far_too_much_differs() -> None:
    hands = another_table()
    hands.see()
    hands.say(kind="accept", reason="another game goes on here")
    assert hands.match.flag is None
    assert hands.match.position.hex("goodley") == "k7"


def test_nobody_is_led_back_where_one_play_was_wrong() -> None:
    hands = settled_hands()
    hands.move("bert", "g10").see()
    with pytest.raises(BadInput, match="nothing to be led back from"):
        hands.say(kind="guide")


def test_what_is_left_of_the_way_back_stays_in_sight_while_the_play_may_still_go_on() -> None:
    """Bert went too far and moved a cover; he is put back, and the cover's step must not be forgotten."""
    hands = settled_hands()
    assert hands.move("bert", "g10").shift("covers", "c2", "h6").see() == ["flag"]
    assert {chore["subject"].partition(":")[0] for chore in hands.match.flag["chores"]} == {"bert", "cover"}
    assert hands.move("bert", "i8").see() == ["flag-cleared", "unfinished"]
    assert hands.match.unfinished is not None
    assert [chore["subject"] for chore in hands.match.unfinished["chores"]] == ["cover:h6"]
    assert "Or put back" in spoken(hands)
    assert hands.shift("covers", "h6", "c2").see() == ["flag-cleared"]
    assert hands.match.unfinished is None and hands.match.played == ()


def test_the_disc_turned_by_mistake_is_asked_for_before_those_that_are_pending() -> None:
    hands = settled_hands(jack="stealthy")
    hands.move("holmes", "e6").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    assert hands.match.phase == "clean-up" and "watson" in hands.match.duties and "holmes" not in hands.match.duties
    hands.turn("holmes").see()
    assert hands.match.flag["chores"][0]["subject"] == "holmes"
    hands.turn("watson").see()  # what was pending is done meanwhile: what went wrong still comes first
    assert hands.match.flag["chores"][0]["subject"] == "holmes"
    assert GAME.characters

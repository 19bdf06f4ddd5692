"""The referee follows a scripted two-turn fragment: an illegal play and its correction, calls, clean-ups."""

from scripted_table import GAME, Hands, settled_hands


def first_turn(hands: Hands) -> None:
    hands.move("holmes", "e6").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()


def test_two_turns_with_an_illegal_play_and_its_correction() -> None:
    hands = Hands.at_start(jack="stealthy")
    assert hands.see() == ["table-agreed", "turn-opened"]
    assert hands.match.phase == "play" and hands.match.mover == "detective"

    assert hands.move("holmes", "e6").see() == ["play"]
    assert hands.last("play").data["character"] == "holmes"
    assert hands.match.mover == "jack"

    assert hands.move("bert", "g10").see() == ["flag"]
    flag = hands.match.flag
    assert flag is not None and flag["verdict"] == "illegal"
    assert {fault["code"] for fault in flag["faults"]} == {"too-far", "ability-missing"}
    assert [(chore["subject"], chore["to"]) for chore in flag["chores"]] == [("bert", "i8")]
    assert hands.see() == [], "the same flag is not raised twice"

    assert hands.move("bert", "k9").shift("covers", "c2", "h6").see() == ["flag-cleared", "play"]
    assert hands.match.flag is None and hands.match.played == ("holmes", "bert")

    assert hands.move("stealthy", "k7").see() == ["play"]
    kinds = hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    assert kinds == ["play", "call-asked", "call"]
    call = hands.last("call").data
    assert call["seen"] is True and call["cleared"] == ["watson"] and call["witness"]["unseen"] == ["watson"]
    assert {chore["subject"] for chore in call["chores"]} == {"watson", "gaslight:b2", "turn"}

    hands.turn("watson").see()
    assert hands.match.phase == "clean-up" and {chore["subject"] for chore in hands.match.chores} == {"gaslight:b2", "turn"}
    assert hands.shift("gaslights", "b2", None).mark_turn(2).see() == ["clean-up", "turn-opened"]
    assert hands.match.position.available == ("watson", "smith", "lestrade", "gull")
    assert hands.match.mover == "jack"

    hands.move("gull", "e6").move("holmes", "f10").see()
    assert hands.last("play").data["ability"] == "swap"
    hands.move("smith", "i9").shift("gaslights", "h8", "f9").see()
    hands.move("watson", "c4", facing="SE").see()
    hands.move("lestrade", "d7").shift("cordons", "NE", "NW").see()
    call = hands.last("call").data
    assert set(call["witness"]["unseen"]) == {"watson", "smith", "gull"}
    assert set(call["cleared"]) == {"gull", "smith"}
    hands.turn("gull", "smith").shift("gaslights", "l11", None).mark_turn(3)
    assert hands.see() == ["clean-up", "turn-opened"]
    assert hands.match.position.turn == 3 and hands.match.position.available is None
    assert hands.match.movers == ("detective", "jack", "jack", "detective")


def test_the_answer_is_awaited_when_nobody_entrusted_anything() -> None:
    hands = settled_hands()
    first_turn(hands)
    assert hands.match.phase == "call" and hands.match.question["kind"] == "call"
    assert hands.see() == []
    assert hands.say(kind="call", seen=True) == ["call"]
    assert GAME.suspects(hands.match.position) == ("holmes", "smith", "lestrade", "stealthy", "goodley", "gull", "bert")

"""A piece that stays hidden: nothing is called legal or illegal that it could change, and the referee does not fall silent."""

import random

import pytest
from random_game import legal_play
from scripted_table import GAME, settled_hands

from companion.announce.phrases import Phrases
from companion.referee.view import view

GLARE = "glare"


def test_a_change_that_is_wrong_wherever_the_hidden_disc_is_is_flagged() -> None:
    hands = settled_hands()
    hands.unknown = {"lestrade": GLARE}
    hands.turn("holmes")  # no play turns a disc over
    assert hands.see() == ["cannot-see"]
    assert hands.ponder(5) == [], "a sleeve may be gone in a moment"
    assert hands.ponder(16) == ["flag"]
    assert "holmes" in {chore["subject"] for chore in hands.match.flag["chores"]}
    assert hands.ponder(100) == [] and hands.see() == []
    hands.turn("holmes", side="suspect").unknown = {}
    assert hands.see() == ["sight-restored", "flag-cleared"]


def test_what_is_said_is_what_is_wrong_with_every_guess() -> None:
    hands = settled_hands()
    hands.unknown = {"lestrade": GLARE}
    hands.turn("watson", "bert").move("smith", "a1")
    hands.see()
    assert hands.ponder(21) == ["flag"]
    assert "lestrade" not in {fault["character"] for fault in hands.match.flag["faults"]}
    assert "lestrade" not in {chore["subject"] for chore in hands.match.flag["chores"]}


def test_what_the_hidden_disc_could_explain_is_not_judged_but_asked_for() -> None:
    hands = settled_hands()
    hands.unknown = {"goodley": GLARE}
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10")
    assert hands.see() == ["cannot-see"]
    assert hands.ponder(21) == ["cannot-see"]
    assert hands.last("cannot-see").data["times"] == 1 and hands.match.flag is None
    assert hands.ponder(21) == [], "each request waits twice as long as the one before"
    assert hands.ponder(21) == ["cannot-see"]
    hands.unknown = {}
    assert hands.see() == ["sight-restored", "play"]


def test_nobody_is_nagged_about_a_hidden_piece_that_stops_nothing() -> None:
    hands = settled_hands()
    hands.unknown = {"goodley": GLARE}
    assert hands.see() == ["cannot-see"]
    assert hands.ponder(1000) == []


def test_a_reflection_that_may_be_why_is_named_with_what_to_do_about_it() -> None:
    hands = settled_hands()
    hands.burnt = ("c2", "g5")
    hands.unknown = {"lestrade": GLARE}
    hands.turn("holmes")
    assert hands.see() == ["cannot-see"]
    asked = hands.events[-1].to_json()
    assert asked["data"]["burnt"] == ["c2", "g5"], "a disc that is nowhere may lie on either"
    said = Phrases(names={"lestrade": "Lestrade"}).announce(asked)
    assert said and said.text == ("I cannot see: Lestrade. A reflection lies on c2, g5: move the light or the camera a little.")
    hands.unknown = {"cover:c2": GLARE}
    hands.shift("covers", "c2", "h6")
    hands.see()
    assert hands.match.blind == ("cover:c2",)
    assert view(hands.match)["table"]["burnt"] == ["c2"], "of a doubt about a place, that place alone"


def test_a_clean_up_that_cannot_be_seen_to_its_end_is_asked_for() -> None:
    hands = settled_hands(jack="stealthy")
    hands.move("holmes", "e6").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    hands.write_secret()
    hands.settle()
    hands.lay(hands.match.expected)
    hands.unknown = {"watson": GLARE}
    assert hands.see() == ["cannot-see"]
    assert hands.ponder(21) == ["cannot-see"]
    hands.unknown = {}
    assert hands.see() == ["sight-restored", "clean-up", "turn-opened"]


def test_too_many_hidden_pieces_to_try_are_asked_for() -> None:
    hands = settled_hands()
    hands.unknown = dict.fromkeys(GAME.characters[:3], GLARE)
    hands.move(GAME.characters[5], "a1").turn(GAME.characters[6])
    hands.see()
    assert hands.ponder(21) == ["cannot-see"]


@pytest.mark.parametrize("seed", range(6))
def test_no_legal_play_is_ever_flagged_because_a_piece_is_hidden(seed: int) -> None:
    chance = random.Random(seed)
    hands = settled_hands()
    for _ in range(2):
        play = legal_play(hands.match, chance)
        assert play is not None
        hands.lay(play.position)
        hands.unknown = {chance.choice(GAME.characters): GLARE}
        hands.see()
        hands.ponder(21)
        assert hands.match.flag is None
        hands.unknown = {}
        hands.see()
        if hands.match.doubt is not None:
            return
        assert hands.match.flag is None and play.character in hands.match.played

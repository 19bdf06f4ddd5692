"""Out of step: back one piece at a time, each request one that hands can follow, while nobody's time runs."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_table import GAME, settled_hands

from companion.announce.phrases import Phrases
from companion.referee.guiding import in_order


def knocked(seed: int, discs: int):
    """A running game, its clocks set, whose table is knocked over: some discs stand elsewhere."""
    chance, hands = random.Random(seed), settled_hands()
    hands.say(kind="clock", action="start", seconds=600)
    hands.move("stealthy", "k7").see()
    board = GAME.board(hands.match.position.edition)
    cells = sorted(board.of_kind("street"))
    where = {name: entry["hex"] for name, entry in hands.match.position.to_json()["characters"].items()}
    for name in chance.sample(sorted(where), discs):
        where[name] = chance.choice([cell for cell in cells if cell not in where.values()])
    for name, cell in where.items():
        hands.move(name, cell)
    return hands


def follow_one(hands) -> None:
    """Hands do what the first request says."""
    chore = hands.match.flag["chores"][0]
    if chore["to"] is not None:
        others = [entry["hex"] for name, entry in hands.state["characters"].items() if name != chore["subject"]]
        assert chore["to"] not in others, "the goal is free when a piece is asked to go there"
        hands.move(chore["subject"], chore["to"])
    else:
        side = hands.match.position.to_json()["characters"][chore["subject"]]["side"]
        hands.turn(chore["subject"], side=side)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(5, 8))
def test_a_table_that_was_knocked_over_is_guided_back_piece_by_piece(seed: int, discs: int) -> None:
    hands = knocked(seed, discs)
    hands.see()
    if hands.match.flag is None:
        return  # a play, by chance
    assert hands.match.clock.running is None
    left = len(hands.match.flag["chores"])
    while hands.match.flag is not None:
        follow_one(hands)
        hands.see()
        now = len(hands.match.flag["chores"]) if hands.match.flag else 0
        assert now < left or hands.match.played != ("stealthy",)
        left = now
        if hands.match.played != ("stealthy",) or hands.match.doubt is not None:
            return  # what was left to do looks like a play, and the next look tells
    assert hands.match.clock.running == hands.match.mover == "jack"


def test_one_request_at_a_time_is_said_and_all_are_shown() -> None:
    hands = settled_hands()
    hands.move("stealthy", "k7").see()
    position = hands.match.position.to_json()
    position["characters"]["gull"]["hex"], position["characters"]["bert"]["hex"] = "f10", "k9"
    hands.say(kind="rule", action="set-position", position=position, reason="knocked over")
    flag = hands.last("flag")
    assert len(flag.data["chores"]) == 2
    said = Phrases().announce(flag.to_json())
    assert said is not None and said.text.count("Move ") == 1, "the fault and one request"
    follow_one(hands)
    assert hands.see() == ["flag"] and len(hands.match.flag["chores"]) == 1
    follow_one(hands)
    assert hands.see() == ["flag-cleared"]


def chore(subject: str, place: str | None, to: str | None) -> dict:
    return {"code": "x", "subject": subject, "place": place, "to": to}


def test_pieces_wait_for_their_goal_and_a_ring_begins_somewhere() -> None:
    one, two = chore("a", "c1", "c2"), chore("b", "c2", "c3")
    assert in_order([one, two]) == [two, one]
    ring = [chore("a", "c1", "c2"), chore("b", "c2", "c1"), chore("a", "c1", None), chore("d", "e5", None)]
    assert [(item["subject"], item["to"]) for item in in_order(ring)] == [("d", None), ("a", "c2"), ("b", "c1"), ("a", None)]


@settings(max_examples=50)
@given(st.permutations([chore("a", "c1", "c2"), chore("b", "c2", "c3"), chore("c", None, "c1"), chore("d", "e1", None)]))
def test_nothing_is_lost_whatever_the_order(chores: list) -> None:
    ordered = in_order(chores)
    assert sorted(map(str, ordered)) == sorted(map(str, chores))
    assert [item["subject"] for item in ordered if item["to"]] == ["b", "a", "c"]

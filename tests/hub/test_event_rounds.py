"""Rounds on record: what is folded, what is refused, how pairings keep the first seat even."""

import random
from typing import Any

import pytest
from event_rounds import Book, events
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadInput, Faults
from companion.hub.event import balance, folding
from companion.hub.event.model import Tournament


@pytest.mark.parametrize("count", range(2, 31))
def test_in_a_circle_everybody_meets_everybody_once_and_no_seat_is_had_twice_more_often(count: int) -> None:
    rounds = balance.circle(count)
    met = [frozenset(pair) for pairs in rounds for pair in pairs if max(pair) <= count]
    assert len(met) == len(set(met)) == count * (count - 1) // 2
    lead = dict.fromkeys(range(1, count + 2), 0)
    for pairs in rounds:
        assert len({player for pair in pairs for player in pair}) == 2 * len(pairs)
        for first, second in pairs:
            lead[first], lead[second] = lead[first] + 1, lead[second] - 1
        assert all(abs(lead[player]) <= 2 for player in range(1, count + 1))
    assert all(abs(lead[player]) <= 1 for player in range(1, count + 1))


@pytest.mark.parametrize("count", [2, 5, 8, 11])
def test_an_undisturbed_round_robin_is_even_at_its_end(count: int) -> None:
    book, rng = Book(count), random.Random(count)
    for _ in range(count - 1 + count % 2):
        book.pair()
        book.finish(rng)
    assert len(book.state.met()) == count * (count - 1) // 2
    for player in book.state.players:
        first, second = book.state.seat_counts(player)
        assert abs(first - second) <= 1


@settings(max_examples=60)
@given(events())
def test_every_round_has_everybody_once_and_seats_stay_nearly_even(state: Tournament) -> None:
    for one in state.rounds:
        placed = [player for pairing in one.pairings for player in pairing.players] + list(one.byes)
        assert sorted(placed) == sorted(player.number for player in state.players.values() if player.present(one.number))
        assert sum(kind == "pairing" for kind in one.byes.values()) <= 1
    for player in state.players:
        first, second = state.seat_counts(player)
        assert abs(first - second) <= 2
        assert first + second + sum(bool(game.bye) for game in state.games(player)) == len(state.rounds)


@settings(max_examples=40)
@given(events(), st.data())
def test_points_of_a_round_are_those_of_its_games_and_byes(state: Tournament, data: st.DataObject) -> None:
    if not state.rounds:
        return
    one = data.draw(st.sampled_from(state.rounds))
    earned = {player: state.games(player)[one.number - 1].points for player in state.players}
    for pairing in one.pairings:
        result = one.results[pairing.board]
        together = sum(earned[player] for player in pairing.players)
        assert together == 10 if result.played or "win" in result.marks else together == 0
    assert {earned[player] for player, kind in one.byes.items() if kind == "pairing"} <= {10}


def test_a_late_player_a_bye_and_one_who_leaves() -> None:
    book = Book(4)
    book.by_hand((1, 2), (3, 4))
    for board in (1, 2):
        book.result(board, ["win", "loss"])
    book.add("player-entered", name="Late", since=2)
    book.add("player-left", number=4, after=1)
    book.add("player-away", number=3, round=2, bye="half")
    state = book.pair()
    assert [pairing.players for pairing in state.rounds[1].pairings] in ([(2, 5)], [(1, 5)], [(5, 1)])
    assert dict(state.rounds[1].byes)[3] == "half"
    assert next(game.bye for game in state.games(5)) == "zero"  # the round he was not there for
    assert state.score(3) == 15
    book.result(1, ["win", "loss"])
    state = book.add("player-back", number=4, since=3)
    assert state.players[4].plays(3)
    assert not state.players[4].plays(2)


def test_a_correction_keeps_what_stood_before_and_who_changed_it() -> None:
    book = Book(2)
    book.by_hand((1, 2))
    book.result(1, ["win", "loss"], by="Ana", source="table", match="m1", head="ab")
    with pytest.raises(BadInput, match="say why"):
        book.result(1, ["loss", "win"], by="Ben")
    state = book.result(1, ["loss", "win"], by="Ben", reason="Entered the wrong way round")
    [made] = state.corrections
    assert (made.before.marks, made.before.by, made.after and made.after.by) == (("win", "loss"), "Ana", "Ben")
    assert (made.reason, state.score(1), state.score(2)) == ("Entered the wrong way round", 0, 10)
    state = book.add("result-withdrawn", round=1, board=1, by="Ana", reason="Played again")
    assert not state.rounds[0].results
    assert len(state.corrections) == 2
    assert folding.fold(book.entries) == state


@pytest.mark.parametrize(
    ("kind", "data", "said"),
    [
        ("event-opened", {}, "open already"),
        ("party", {}, "no entry of kind"),
        ("player-entered", {"name": "Player 1"}, "entered already"),
        ("player-entered", {"name": " x"}, "without blanks"),
        ("player-entered", {"name": "x" * 33}, "1 to 32 letters"),
        ("player-entered", {"name": "X", "number": 9}, "number 5"),
        ("player-entered", {"name": "X", "rating": True}, "rating"),
        ("player-left", {"number": 9, "after": 1}, "no player 9"),
        ("player-left", {"number": 1, "after": 0}, "round 1 is paired"),
        ("player-back", {"number": 1, "since": 3}, "did not leave"),
        ("player-away", {"number": 1, "round": 1, "bye": "half"}, "paired already"),
        ("player-away", {"number": 1, "round": 2, "bye": "long"}, "full, half, zero"),
        ("round-paired", {"round": 3, "pairings": []}, "round 2 is the next"),
        ("round-paired", {"round": 2, "pairings": []}, "no result yet at board 1, 2"),
        ("round-changed", {"round": 1, "pairings": [{"board": 1, "players": [1, 3]}]}, "neither a game nor a bye"),
        ("round-withdrawn", {"round": 2}, "not paired"),
        ("result", {"round": 1, "board": 7, "marks": ["win", "loss"]}, "no board 7"),
        ("result", {"round": 1, "board": 1, "marks": ["win", "win"]}, "one wins and one loses"),
        ("result", {"round": 1, "board": 1, "marks": ["draw", "draw"], "played": False}, "no draw"),
        ("result", {"round": 1, "board": 1, "marks": ["win"]}, "each of 2 seats"),
        ("result", {"round": 1, "board": 1, "marks": ["win", "loss"], "source": "rumour"}, "source"),
        ("result-withdrawn", {"round": 1, "board": 1, "reason": "x"}, "no result at board 1"),
        ("event-changed", {"game": "other"}, "cannot be changed"),
        ("event-changed", {"rounds": 0}, "rounds"),
        ("event-changed", {"points": {"win": 5, "draw": 10}}, "no less than a draw"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(kind: str, data: dict[str, Any], said: str) -> None:
    book = Book(4)
    book.by_hand((1, 2), (3, 4))
    before = book.state
    with pytest.raises(BadInput, match=said):
        book.add(kind, **data)
    assert book.state is before


def test_all_faults_of_a_pairing_by_hand_are_told_at_once() -> None:
    book = Book(5)
    book.add("player-away", number=5, round=1, bye="zero")
    pairings = [
        {"board": 1, "players": [1, 2], "table": "t1"}, {"board": 1, "players": [2, 9], "table": "t1"},
        {"board": 3, "players": [1]}, {"board": 4, "players": [3, 5]},
    ]  # fmt: skip
    with pytest.raises(Faults) as refused:
        book.add("round-paired", round=1, pairings=pairings, byes={"x": "half"})
    told = " ".join(refused.value.faults)
    for said in (
        "board 1 is there twice", "table t1 has board 1 already", "Player 2 is at board 1 already", "there is no player 9",
        "board 3: 2 players are needed", "Player 5 asked not to be paired", "Player 4 has neither a game nor a bye", "bye of x",
    ):  # fmt: skip
        assert said in told


def test_games_for_more_than_two_are_paired_by_hand_and_scored_by_seat() -> None:
    book = Book(3, seats=["a", "b", "c"])
    with pytest.raises(BadInput, match="by hand"):
        book.pair()
    with pytest.raises(Faults, match="2–3 players are needed"):
        book.add("round-paired", round=1, pairings=[{"board": 1, "players": [2]}], byes={"1": "full", "3": "full"})
    book.add("round-paired", round=1, pairings=[{"board": 1, "players": [2, 3, 1]}])
    state = book.result(1, ["win", "loss", "win"])
    assert [state.score(player) for player in (1, 2, 3)] == [10, 10, 0]
    assert state.seat_counts(2) == (1, 0, 0)


def test_points_by_the_outcome_of_a_game() -> None:
    book = Book(2, points={"win": 10, "draw": 5, "loss": 0, "codes": {"fled": [7, 3]}})
    book.by_hand((1, 2))
    state = book.result(1, ["win", "loss"], code="fled")
    assert (state.score(1), state.score(2)) == (7, 3)
    assert folding.outcome_marks(state.plan, "second") == ("loss", "win")
    assert folding.outcome_marks(state.plan, None) == ("draw", "draw")
    assert folding.outcome_marks(state.plan, "the-others") is None

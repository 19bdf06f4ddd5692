"""Standings by the formulas of C.07: worked cases, and properties over made-up events."""

from event_rounds import Book, events
from hypothesis import given, settings

from companion.hub.event.model import Tournament
from companion.hub.event.standings import standings

FIRST, SECOND, DRAW = ["win", "loss"], ["loss", "win"], ["draw", "draw"]


def _four() -> Book:
    """Everybody against everybody: 1 beats 2 and 3, 2 beats 3 and 4, 3 beats 4, 4 beats 1."""
    book = Book(4)
    book.by_hand((1, 2), (3, 4))
    book.result(1, FIRST)
    book.result(2, FIRST)
    book.by_hand((1, 3), (2, 4))
    book.result(1, FIRST)
    book.result(2, FIRST)
    book.by_hand((4, 1), (2, 3))
    book.result(1, FIRST)
    book.result(2, FIRST)
    return book


def test_two_who_are_tied_are_told_apart_by_their_game() -> None:
    state = _four().state
    lines = standings(state)
    assert [(line.place, line.player, line.points, line.buchholz, line.wins) for line in lines] == [
        (1, 1, 20, 40, 2), (2, 2, 20, 40, 2), (3, 3, 10, 50, 1), (4, 4, 10, 50, 1),
    ]  # fmt: skip
    assert [line.direct for line in lines] == [1, 2, 1, 2]  # 1 beat 2, and 3 beat 4


def test_without_the_direct_encounter_they_share_a_place() -> None:
    book = _four()
    book.add("event-changed", tie_breaks=["buchholz", "wins"])
    assert [(line.place, line.player) for line in standings(book.state)] == [(1, 1), (1, 2), (3, 3), (3, 4)]


def test_three_in_a_ring_stay_tied() -> None:
    book = Book(4, tie_breaks=["direct"])
    for pairs in (((1, 2), (3, 4)), ((2, 3), (1, 4)), ((3, 1), (2, 4))):
        book.by_hand(*pairs)
        book.result(1, FIRST)
        book.result(2, FIRST)
    assert [(line.place, line.player, line.direct) for line in standings(book.state)] == [
        (1, 1, 0), (1, 2, 0), (1, 3, 0), (4, 4, 0),
    ]  # fmt: skip


def test_a_game_that_was_not_played_leaves_it_open_who_is_first() -> None:
    """1 and 2 are tied and never met: nothing among themselves tells them apart (6.2)."""
    book = Book(4, tie_breaks=["direct"])
    book.by_hand((1, 3), (2, 4))
    book.result(1, FIRST)
    book.result(2, FIRST)
    assert [(line.place, line.player) for line in standings(book.state)] == [(1, 1), (1, 2), (3, 3), (3, 4)]


def test_whoever_is_first_whatever_is_missing_is_first() -> None:
    """Of 1, 2 and 3 with equal points 1 beat both; that 2 and 3 did not meet cannot change that (6.2)."""
    book = Book(6, tie_breaks=["direct"])
    for pairs in (((1, 2), (3, 5), (4, 6)), ((1, 3), (2, 6), (5, 4)), ((4, 1), (2, 5), (3, 6)), ((5, 1), (2, 4), (3, 4))):
        marks = [FIRST] * 3
        byes = {}
        if pairs[2] == (3, 4):  # in the last round 4 has one game only
            pairs, marks, byes = pairs[:2], [FIRST] * 2, {3: "full", 6: "zero"}  # noqa: PLW2901 - the last round's own
        book.by_hand(*pairs, byes=byes)
        for board, mark in enumerate(marks, 1):
            book.result(board, mark)
    lines = {line.player: line for line in standings(book.state)}
    assert (lines[1].points, lines[2].points, lines[3].points) == (20, 30, 30)
    tied = [line.player for line in standings(book.state) if line.points == 30]
    assert tied == [2, 3]
    assert lines[2].place == lines[3].place == 1  # they never met


def test_unplayed_rounds_count_as_against_oneself() -> None:
    """Article 16: a bye counts as an opponent with one's own points; a player who went away is not worth less for it."""
    book = Book(3)
    book.by_hand((1, 2), byes={3: "pairing"})
    book.result(1, FIRST)
    book.add("player-left", number=2, after=1)
    book.add("player-away", number=3, round=2, bye="half")
    book.pair(lambda _: ([], {1: "pairing", 3: "half"}), "hand")
    lines = {line.player: line for line in standings(book.state)}
    assert (lines[1].points, lines[3].points, lines[2].points) == (20, 15, 0)
    # 1: against 2, whose round after he left counts as a draw (16.3.2), and a bye against himself (16.4).
    assert lines[1].buchholz == (0 + 5) + 20
    # 3: two rounds without a game, both against himself.
    assert lines[3].buchholz == 15 + 15
    assert lines[1].wins == 1  # the bye is none


def test_who_did_not_come_is_no_opponent() -> None:
    book = Book(2)
    book.by_hand((1, 2))
    state = book.result(1, FIRST, played=False)
    lines = {line.player: line for line in standings(state)}
    assert (lines[1].points, lines[1].wins, lines[1].buchholz, lines[1].played) == (10, 0, 10, 0)
    assert (lines[2].points, lines[2].buchholz) == (0, 0)


@settings(max_examples=50)
@given(events())
def test_places_follow_points_and_everybody_is_there_once(state: Tournament) -> None:
    lines = standings(state)
    assert sorted(line.player for line in lines) == sorted(state.players)
    assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True)
    assert [line.place for line in lines] == sorted(line.place for line in lines)
    for index, line in enumerate(lines):
        assert line.place <= index + 1
        assert line.points == state.score(line.player)
    played = sum(result.played for one in state.rounds for result in one.results.values())
    assert sum(line.played for line in lines) == 2 * played

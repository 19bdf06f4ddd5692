"""Files of an event: written and read back, and bad ones told with line and field, all at once."""

import os
import random
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from event_rounds import MARKS, Book, events
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadInput, Faults
from companion.hub.event import folding, swiss, tables, trf
from companion.hub.event.model import Tournament
from companion.hub.event.standings import standings

REAL = os.environ.get("BBP_PAIRINGS") or swiss.program()


def _again(state: Tournament, entries: tuple[tuple[str, dict[str, object]], ...]) -> Tournament:
    made: Tournament | None = folding.apply(None, 1, "event-opened", state.plan.to_json())
    for number, (kind, data) in enumerate(entries, 2):
        made = folding.apply(made, number, kind, data)
    assert made is not None
    return made


@settings(max_examples=60)
@given(events())
def test_trf_is_read_back_as_it_was_written(state: Tournament) -> None:
    text = trf.written(state)
    report = trf.read(text)
    again = _again(state, report.entries)
    assert trf.written(again) == text
    assert [line.to_json() for line in standings(again)] == [line.to_json() for line in standings(state)]
    assert report.name == state.plan.name
    assert report.points == {"win": 10, "draw": 5, "loss": 0, "bye": 10}


def _games(state: Tournament) -> list[list[tuple[int, tuple[int, ...], tuple[str, ...], bool]]]:
    return [
        [(game.board, game.players, one.results[game.board].marks, one.results[game.board].played) for game in one.pairings]
        for one in state.rounds
    ]


@settings(max_examples=60)
@given(events())
def test_csv_is_read_back_as_it_was_written(state: Tournament) -> None:
    people = _again(state, tables.read_players(tables.players_csv(state)))
    assert [(one.name, one.club, one.rating, one.since, one.until) for one in people.players.values()] == [
        (one.name, one.club, one.rating, one.since, one.until) for one in state.players.values()
    ]
    told = tables.games_csv(state)
    assert tables.read_games(told, state) == ()  # nothing new in it
    made = people
    for number, (kind, data) in enumerate(_asked(state, tables.read_games(told, people)), 100):
        made = folding.apply(made, number, kind, data)
    assert _games(made) == _games(state)
    assert [dict(one.byes) for one in made.rounds] == [dict(one.byes) for one in state.rounds]


def _asked(state: Tournament, entries: Iterable[tables.Entry]) -> Iterator[tables.Entry]:
    """The entries of rounds, and before them what players asked for: that stands in no file of games."""
    for player in state.players.values():
        for number, bye in player.away.items():
            yield "player-away", {"number": player.number, "round": number, "bye": bye}
    yield from entries


NAMES = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp", "Zs", "Cf", "Cn", "Co")), min_size=1, max_size=32)


@settings(max_examples=80)
@given(st.lists(NAMES, min_size=1, max_size=6, unique_by=str.casefold))
def test_any_name_survives_a_spreadsheet(names: list[str]) -> None:
    book = Book()
    for name in names:
        book.add("player-entered", name=name)
    read = tables.read_players(tables.players_csv(book.state))
    assert [data["name"] for _, data in read] == names


@settings(max_examples=150)
@given(
    st.one_of(
        st.text(max_size=300),
        st.text(alphabet="01 23wb=+-UHZF\n", max_size=300).map(lambda tail: f"001    1      A\n001{tail}"),
    )
)
def test_no_text_is_read_as_a_file_without_being_one(text: str) -> None:
    for read in (trf.read, tables.read_players, lambda told: tables.read_games(told, Book(2).state)):
        try:
            read(text)
        except Faults as error:
            assert all("\n" not in fault for fault in error.faults)


def test_all_faults_of_a_trf_are_told_with_line_and_columns() -> None:
    lines = trf.written(_played(4, 2)).splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith("001"))
    lines[first] = lines[first][:91] + "   9 w 1" + lines[first][99:]  # against nobody of this file
    lines[first + 1] = lines[first + 1][:14] + " " * 33 + lines[first + 1][47:]  # without a name
    lines[first + 2] = lines[first + 2][:48] + "12x4" + lines[first + 2][52:]
    lines[first + 3] = lines[first + 3][:98] + "?" + lines[first + 3][99:]
    lines.append("BBW lots")
    with pytest.raises(Faults) as refused:
        trf.read("\n".join(lines))
    told = "\n".join(refused.value.faults)
    for said in (
        f"line {first + 1}, columns 92-99: there is no player 9", f"line {first + 2}, columns 15-47: a name",
        f"line {first + 3}, columns 49-52: a rating", f"line {first + 4}, columns 92-99: the result is one of",
        f"line {len(lines)}, columns 5 and on: points",
    ):  # fmt: skip
        assert said in told


def test_results_of_a_trf_that_contradict_each_other_are_told() -> None:
    lines = trf.written(_played(2, 1)).splitlines()
    at = [index for index, line in enumerate(lines) if line.startswith("001")]
    lines[at[0]], lines[at[1]] = lines[at[0]][:98] + "1", lines[at[1]][:98] + "1"
    with pytest.raises(Faults, match="do not fit"):
        trf.read("\n".join(lines))
    with pytest.raises(Faults, match="no player's line"):
        trf.read("012 Nothing\n")


def test_all_faults_of_a_csv_are_told_with_line_and_field() -> None:
    with pytest.raises(Faults) as refused:
        tables.read_players(f"name;club;rating\nAnn;;1500\n;x;\nANN;;-3\nBen;{'c' * 30};12,5\nCid;;;9\n")
    assert [fault.split(":")[0] for fault in refused.value.faults] == [
        "line 3, name", "line 4, name", "line 4, rating", "line 5, club", "line 5, rating", "line 6",
    ]  # fmt: skip
    with pytest.raises(Faults, match="there is no column 'colour'"):
        tables.read_players("name,colour\nAnn,red\n")
    with pytest.raises(Faults, match="column name is missing"):
        tables.read_players("club\nNorth\n")
    with pytest.raises(Faults) as refused:
        tables.read_games("round,board,players,result\n1,1,1 2,2-0\n1,2,3 9,1 0\nx,3,1 2,\n1,4,2,lunch\n", Book(3).state)
    assert [fault.split(":")[0] for fault in refused.value.faults] == [
        "line 2, result", "line 3, players", "line 4, round", "line 5, result",
    ]  # fmt: skip


def test_results_of_a_file_are_entered_and_those_that_differ_corrected() -> None:
    book = Book(4)
    book.by_hand((1, 2), (3, 4))
    book.result(1, ["win", "loss"])
    entries = tables.read_games("round,board,players,result\n1,1,1 2,0 1\n1,2,3 4,½-½\n", book.state)
    for kind, data in entries:
        book.add(kind, **data)
    assert [book.state.rounds[0].results[board].marks for board in (1, 2)] == [("loss", "win"), ("draw", "draw")]
    assert len(book.state.corrections) == 1
    with pytest.raises(Faults, match="board 1 of round 1 is another game"):
        tables.read_games("round,board,players,result\n1,1,2 1,0 1\n", book.state)


def test_standings_for_a_spreadsheet() -> None:
    rows = tables.standings_csv(_played(4, 2)).splitlines()
    assert rows[0] == "place,number,name,club,points,buchholz,wins,direct,played,first,second"
    assert len(rows) == 5


def _played(players: int, rounds: int) -> Tournament:
    book, rng = Book(players), random.Random(7)
    for _ in range(rounds):
        book.pair()
        for pairing in book.state.rounds[-1].pairings:
            book.result(pairing.board, rng.choice((["win", "loss"], ["loss", "win"])))
    return book.state


# --- the pairing program -----------------------------------------------------------------------------------------------


def _program(folder: Path, body: str) -> str:
    """A small program in the place of bbpPairings: it reads what it was given, and answers as ``body`` says."""
    path = folder / "bbpPairings"
    path.write_text(f"#!/bin/sh\ninput=$2 output=$4\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_the_pairing_program_is_asked_and_heard(tmp_path: Path) -> None:
    book = Book(6)
    book.add("player-away", number=6, round=1, bye="half")
    at = _program(
        tmp_path, f'cp "$input" {tmp_path}/asked.trf; [ "$1 $3" = "--dutch -p" ] && printf "3\\n3 1\\n2 4\\n5 0\\n" > "$output"'
    )
    assert swiss.swiss(book.state, at=at) == ([(3, 1), (2, 4)], {6: "half", 5: "pairing"})
    asked = (tmp_path / "asked.trf").read_text()
    assert [line[91:99] for line in asked.splitlines() if line.startswith("001")] == [""] * 5 + ["0000 - H"]
    assert "XXR 5" in asked
    assert "XXC white1" in asked


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("exit 1", "no Swiss pairing is left"),
        ("echo 'what is this' >&2; exit 3", "refused .what is this"),
        ('printf "2\\n1 2\\n" > "$output"', "promised 2 pairs and gave 1"),
        ('printf "2\\n1 2\\n1 3\\n" > "$output"', "exactly once"),
        ('printf "2\\n1 2\\n3 9\\n" > "$output"', "exactly once"),
        ('printf "tea\\n" > "$output"', "is not a list of pairs"),
        ("true", "could not be used"),
    ],
)
def test_what_the_pairing_program_may_do_wrong(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        swiss.swiss(Book(4).state, at=_program(tmp_path, body))


def test_without_the_program_it_is_said_what_else_there_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInput, match="not installed; pair by round robin or by hand"):
        swiss.swiss(Book(4).state)


@pytest.mark.skipif(REAL is None, reason="bbpPairings is not installed (BBP_PAIRINGS names it)")
@pytest.mark.parametrize("players", [7, 12, 30])
def test_the_real_program_pairs_whole_events(players: int) -> None:
    book, rng = Book(players), random.Random(players)
    for number in range(1, 6):
        if number == 3:
            book.add("player-left", number=2, after=2)
            book.add("player-entered", name="Late", since=3)
            book.add("player-away", number=4, round=3, bye="half")
        book.pair(lambda state: swiss.swiss(state, at=REAL), "bbpPairings")
        for pairing in book.state.rounds[-1].pairings:  # all played: games that were not may be paired again, and give no seat
            book.result(pairing.board, rng.choice(MARKS))
    assert len(book.state.met()) == sum(len(one.pairings) for one in book.state.rounds)  # nobody met twice
    for player in book.state.players:
        first, second = book.state.seat_counts(player)
        assert abs(first - second) <= 2

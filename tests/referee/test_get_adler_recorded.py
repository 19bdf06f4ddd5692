"""Whole recorded games of Get Adler!, played again at the table: each proves what it is named after, without a false word."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from testkit.adler_table import AdlerTable, perform, table_of

sys.path.insert(0, str(Path(__file__).parents[1] / "games"))
from get_adler_games import Step
from record_get_adler_games import FOLDER, PROOFS

from companion.games.get_adler.acts import parsed
from companion.games.get_adler.position import read_state
from companion.games.get_adler.secrets import apply
from companion.referee.audit import audit
from companion.referee.match import fold

GAMES = sorted(FOLDER.glob("*.json"))


def told(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_there_is_a_game_for_everything_that_is_to_be_proved() -> None:
    assert {path.stem for path in GAMES} == set(PROOFS) and len(PROOFS) >= 12


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_game_proves_what_it_is_named_after(path: Path) -> None:
    game = told(path)
    state, steps = read_state(game["start"]), []
    for line in game["acts"]:
        act = parsed(line)
        after = apply(state, act)
        steps.append(Step(state, act, after))
        state = after
    assert PROOFS[path.stem](steps)
    assert (state.table.over, state.table.hour) == (game["over"], game["hour"])


@pytest.mark.parametrize("sealed", [True, False], ids=["sealed", "entrusted"])
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_game_is_refereed_to_its_end(path: Path, sealed: bool) -> None:
    game = told(path)
    table = _replayed(game, sealed)
    assert table.match.over and table.books.over == game["over"] and table.books.hour == game["hour"]
    assert [seat.alive for seat in table.books.seats] == game["alive"]
    assert table.match.outcome is not None and table.match.outcome["winner"] == game["over"]
    for seat in table.match.seats:
        if seat not in table.state.opened:
            table.reveal(seat)
    match, findings = audit(table.match.game, table.events)
    assert match == table.match == fold(table.match.game, table.events)
    assert [one for one in findings if "answered falsely" not in one.text] == []


def _replayed(game: Any, sealed: bool) -> AdlerTable:
    table = table_of(read_state(game["start"]), sealed=sealed)
    for line in game["acts"]:
        perform(table, parsed(line))
        assert not table.trouble, (line, table.faults)
    return table

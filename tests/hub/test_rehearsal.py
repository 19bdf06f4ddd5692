"""``companion hub rehearse``: tables as processes of their own play against a hub of its own, and everything arrives."""

import json
import socket
from pathlib import Path

import pytest

from companion import games
from companion.cli import main
from companion.errors import BadInput
from companion.hub.rehearsal.audience import Seen
from companion.hub.rehearsal.rehearse import Outcome, Rehearsal
from companion.hub.rehearsal.spectators import Spectator
from companion.hub.rehearsal.story import load
from companion.hub.rehearsal.tables import RehearsedTable


def test_a_small_rehearsal_loses_nothing_and_says_how_long_it_took(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["hub", "rehearse", "--tables", "2", "--seconds", "3", "--speed", "100", "--spectators", "5", "--json"]
    assert main(words) == 0
    out, errors = capsys.readouterr()
    assert "http://127.0.0.1:" in errors, "where it can be looked at"
    told = json.loads(out)
    assert (told["tables"], told["lost"], told["doubled"], told["out_of_order"]) == (2, 0, 0, 0)
    assert told["events"] > 10
    assert 0 < told["news_p50_ms"] <= told["news_p99_ms"]
    assert told["hub_mib"] < 300
    assert (told["spectators"], told["spectators_missed"], told["spectators_silent"]) == (5, 0, 0)
    assert told["spectators_events"] > told["events"], "two or three at each table"
    assert 0 < told["spectators_p50_ms"] <= told["spectators_p95_ms"]


def test_what_a_spectator_was_not_told_is_counted() -> None:
    near, far = socket.socketpair()
    spectator = Spectator(1, "table-1", "token")
    spectator.take_over(near)
    far.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    assert spectator.read()
    frames = [f'id: {n}\ndata: {{"number":{n},"at":{spectator.opened + 1}}}\n\n' for n in (3, 4, 6)]
    early = 'id: 2\ndata: {"number":2,"at":5.0}\n\n'
    for piece in ("1f\r\n" + early, frames[0][:11], frames[0][11:] + frames[1], "event: beat\ndata: {}\n\n", frames[2]):
        far.sendall(piece.encode())
        assert spectator.read()
    assert [number for number, _ in spectator.told] == [3, 4, 6], "what was before the stream is no measure of it"
    assert spectator.missed == 1
    far.close()
    assert not spectator.read()
    spectator.close(0.0)
    assert (spectator.idle, spectator.losses) == (True, 1)


def test_what_was_not_measured_is_null_and_not_nan() -> None:
    nothing = float("nan"), float("nan")
    outcome = Outcome(2, 2, 0, 0, 0, nothing, nothing, 0.0, 0.0, 1.0, Seen(1, 0, (*nothing, nothing[0]), 0, 0, 0))
    told = json.loads(json.dumps(outcome.to_json()), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert told["news_p50_ms"] is told["spectators_p99_ms"] is None
    assert not any("nan" in line or "None" in line for line in outcome.lines())


@pytest.mark.parametrize("name", ["folder", "text.sqlite", "text.jsonl", "nowhere.jsonl", "nowhere.sqlite"])
def test_a_record_that_cannot_be_played_is_refused_in_one_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was the traceback of a process that plays tables."""
    (tmp_path / "folder").mkdir()
    for one in ("text.sqlite", "text.jsonl"):
        (tmp_path / one).write_text('{"a": 1}')
    assert main(["hub", "rehearse", "--record", str(tmp_path / name), "--tables", "1", "--seconds", "1"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"companion: {tmp_path / name}: ") and error.count("\n") == 1


def test_the_bundled_game_is_a_whole_one() -> None:
    story = load()
    assert (story[0].kind, story[-1].kind) == ("match-opened", "outcome")
    assert [beat.snapshot["number"] for beat in story] == list(range(1, len(story) + 1))
    assert 600 < sum(beat.pause for beat in story) < 2400, "seconds, as people play"


def test_a_rehearsed_table_shows_what_a_real_one_does() -> None:
    story = load()
    table = RehearsedTable("r1", story, games.load(str(story[0].data["game"])))
    table.play()
    shown = table.snapshot()
    assert shown == {**story[0].snapshot, "match": "rehearsal-r1", "number": 1}
    assert shown["game"].keys() >= {"id", "name", "edition", "label"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"tables": 0}, "--tables 0"),
        ({"speed": 0}, "--speed 0"),
        ({"seconds": 0}, "--seconds 0"),
        ({"spectators": 401}, "--spectators 401"),
    ],
)
def test_what_cannot_be_rehearsed_is_refused(words: dict, said: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=said):
        Rehearsal(**words)
    (tmp_path / "x.jsonl").write_text("")
    with pytest.raises(BadInput, match="from its opening on"):
        load(tmp_path / "x.jsonl")

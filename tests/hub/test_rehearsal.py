"""``companion hub rehearse``: tables as processes of their own play against a hub of its own, and everything arrives."""

import json
from pathlib import Path

import pytest

from companion import games
from companion.cli import main
from companion.errors import BadInput
from companion.hub.rehearsal.rehearse import Rehearsal
from companion.hub.rehearsal.story import load
from companion.hub.rehearsal.tables import RehearsedTable


def test_a_small_rehearsal_loses_nothing_and_says_how_long_it_took(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hub", "rehearse", "--tables", "2", "--seconds", "3", "--speed", "100", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["tables"], told["lost"], told["doubled"], told["out_of_order"]) == (2, 0, 0, 0)
    assert told["events"] > 10
    assert 0 < told["news_p50_ms"] <= told["news_p99_ms"]
    assert told["hub_mib"] < 300


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
    ("words", "said"), [({"tables": 0}, "--tables 0"), ({"speed": 0}, "--speed 0"), ({"seconds": 0}, "--seconds 0")]
)
def test_what_cannot_be_rehearsed_is_refused(words: dict, said: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=said):
        Rehearsal(**words)
    (tmp_path / "x.jsonl").write_text("")
    with pytest.raises(BadInput, match="from its opening on"):
        load(tmp_path / "x.jsonl")

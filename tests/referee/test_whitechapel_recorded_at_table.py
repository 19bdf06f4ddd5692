"""Recorded nights of Letters from Whitechapel, shown to the referee look by look: what it says is what the record says."""

import re
from pathlib import Path

import pytest
from testkit.night_players import place_of
from testkit.night_record import found, read, replayed
from testkit.night_table import GAME

from companion.host.report import as_csv, as_html
from companion.host.turn_opening import turn_opening
from companion.record.verify import check_chain
from companion.record.words import words
from companion.referee.match import fold

RECORDED = sorted((Path(__file__).parents[1] / "games" / "recorded_whitechapel").glob("*.json"))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_night_is_followed_to_its_result(path: Path, tmp_path: Path) -> None:
    record = read(path)
    table = replayed(record, tmp_path)
    ends = table.public["outcome"]
    assert {"winner": ends["winner"], "code": ends["code"]} == record["result"]
    assert found(table) == record["found"] and check_chain(table.events()) == []
    assert fold(GAME, table.events()).state == table.state
    assert all("value" in one for one in table.public["secrets"] if one["purpose"] in ("move", "hideout"))
    if not path.stem.startswith("sealed"):
        assert place_of(table) in table.public["places"] and record["found"] == []
        lair = next(one["value"] for one in table.public["secrets"] if one["purpose"] == "hideout")
        assert int(lair) in table.public["hideouts"], "what public events leave possible holds what is true"
    report = as_html(GAME, table.events())
    nights = re.findall(r"<h2>Night (\d)</h2><p>.*?</p><svg", report)
    assert nights == [str(number + 1) for number in range(table.state.books.night)], "each night has its heading and its board"
    events, heads = table.events(), {}
    for last in range(1, len(events) + 1):
        if (opened := turn_opening(events[:last], counted=True)) is not None:
            assert heads.setdefault(opened[1], opened[0]) is opened[0], "what was photographed stays the head of its night"
    told = re.findall(r"<h2>Night \d</h2><p><small>.*? · head of the record: ([a-z-]+)</small>", report)
    assert told == [words(heads[int(night)].digest) for night in nights], "the report says the words that were photographed"
    assert "<svg" in report and as_csv(GAME, table.events())
    table.close()

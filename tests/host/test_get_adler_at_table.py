"""Get Adler! at a running table with its record on disk: gone on with after a kill, exported, verified, a liar named."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from testkit.adler_at_table import ROLES, TRAITS, AdlerAtTable
from testkit.adler_table import GAME

from companion.announce.phrases import Phrases
from companion.announce.translator import translator
from companion.cli import main
from companion.host.report import as_csv, as_html
from companion.host.turn_opening import turn_opening
from companion.record.words import words


@pytest.fixture
def table(tmp_path: Path) -> Iterator[AdlerAtTable]:
    made = AdlerAtTable(tmp_path)
    yield made
    made.close()


def _finish(table: AdlerAtTable, sealed: bool) -> None:
    """Adler is arrested in hour 4, rides away once, and has no response then."""
    table.to_hour(4)
    table.lay("place-4", "arrest")
    if sealed:
        table.say("say", answer="yes", seat="seat-4")
        for seat in ("seat-4", "seat-1", "seat-2", "seat-5"):
            table.reveal(seat)
    table.show()
    assert table.public["phase"] == "respond", table.public["phase"]
    table.lay("place-4", "escape-bus")
    table.lay("place-4", "escape-bus")
    table.say("matched", who="seat-2")
    assert [card["card"] for card in table.public["row"]["cards"]] == ["Arrest", "Escape by bus", "Escape by bus"]
    assert table.public["row"]["may"] == ["seat-4"]
    table.say("arrested", seat="seat-4")
    assert table.public["outcome"]["code"] == "arrested"


def test_an_entrusted_game_answers_by_itself_and_verifies(
    table: AdlerAtTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table.open_up(sealed=False)
    table.ask("seat-5")
    assert table.public["answers"][0]["answer"] == "yes"
    own = table.table.private("seat-4")
    assert own is not None and own["lines"][0]["params"] == {"role": "Adler"}
    assert table.table.private("seat-5")["lines"][0]["params"] == {"role": "Townsend"}
    _finish(table, sealed=False)
    told = [event.data["how"] for event in table.events() if event.kind == "judged"]
    assert told == ["true"]
    table.close()
    assert main(["verify", str(tmp_path / "game.record")]) == 0
    assert "Townsend" not in capsys.readouterr().err


def test_nothing_is_said_twice_in_a_row(table: AdlerAtTable) -> None:
    """The hour's marker was asked for with the answer and again with the hour; who goes after was told before it was known."""
    table.open_up(sealed=False)
    table.ask("seat-5")
    _finish(table, sealed=False)
    phrases = Phrases(translator("en"), {piece.id: piece.name for piece in GAME.pieces().pieces.values()})
    told = [
        line.aloud
        for line in (phrases.announce(event.to_json()) for event in table.events())
        if line is not None and line.aloud
    ]
    assert sum("Lay the marker of hour" in line for line in told) == 3
    assert told.count("Seat 2 goes after: Escape by bus.") == 1 and "Somebody goes after: Escape by bus." in told
    for one, other in pairwise(told):
        assert not set(re.split(r"(?<=[.?!]) ", one)) & set(re.split(r"(?<=[.?!]) ", other)), (one, other)


def test_a_hero_who_lied_under_seal_is_named_by_verify_and_in_the_report(
    table: AdlerAtTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table.open_up(sealed=True)
    table.ask("seat-5")
    assert table.public["question"] is not None
    table.say("say", answer="no", seat="seat-5")  # Townsend's hat is red
    table.ask("seat-4")
    table.say("say", answer="no", seat="seat-4")  # so is Adler's, who may lie
    _finish(table, sealed=True)
    events = table.events()
    assert [event.data["how"] for event in events if event.kind == "judged"] == ["false", "allowed"]
    page = as_html(GAME, events)
    assert re.findall(r"<h2>((?:Set-up|Hour \d)\b)", page) == ["Set-up", "Hour 1", "Hour 2", "Hour 3", "Hour 4"]
    opened = [turn_opening(events[:last], counted=True) for last in range(1, len(events) + 1)]
    heads = {one[1]: words(one[0].digest) for one in opened if one is not None}
    assert re.findall(r"head of the record: ([a-z-]+)</small>", page) == [heads[hour] for hour in (1, 2, 3, 4)]
    assert table.table.snapshot()["turn_head"]["words"] == heads[4], "the screens show what the report will say"
    assert "is a hero and did not tell the truth about Hat" in page and "and was allowed to" in page
    assert "Seat 5" in as_csv(GAME, events)
    table.close()
    assert main(["verify", str(tmp_path / "game.record")]) == 1
    assert "seat-5 is a hero and answered falsely" in capsys.readouterr().out


def test_the_companion_that_was_killed_goes_on_in_the_middle_of_a_question(table: AdlerAtTable, tmp_path: Path) -> None:
    table.open_up(sealed=False)
    table.lay("pile", "magnifier")
    before = {key: table.public[key] for key in ("phase", "position", "ring", "expects")}
    assert before["phase"] == "acting"
    table.close()
    again = AdlerAtTable(tmp_path)
    assert {key: again.public[key] for key in before} == before
    again.say("on", on="seat-4")
    assert again.public["ring"][1]["turn"] and again.public["ring"][1]["may"]["text"] == "Draw and play a card."
    again.close()


def test_spectators_are_shown_who_everybody_may_be_and_players_only_where_all_agreed(tmp_path: Path) -> None:
    for rules, shown in (({}, False), ({"memory": "players"}, True)):
        table = AdlerAtTable(tmp_path / str(shown), rules)
        table.open_up(sealed=False)
        table.ask("seat-5")
        everybody, spectator = table.table.snapshot()["deduced"], table.table.watched()["deduced"]
        assert (everybody is not None) == shown and spectator["deals"] < 24, "the answer rules out some ways to deal"
        assert "seat-5" in spectator["roles"] and "deduced" not in (table.table.private("seat-1") or {})
        table.close()


def test_traits_that_were_entered_beforehand_judge_answers_from_the_first_question_on(tmp_path: Path) -> None:
    table = AdlerAtTable(tmp_path, copy={"traits": {**TRAITS, "collins": TRAITS["gold"]}})
    table.show()
    table.show()
    for seat in ROLES:
        table.tell(seat, sealed=False)
    assert "traits" not in [event.kind for event in table.record.events()]
    table.say("start", who="seat-1")
    table.ask("seat-5")
    assert table.public["answers"][0]["answer"] == "yes", "the companion answers by the role that was entrusted"
    table.close()

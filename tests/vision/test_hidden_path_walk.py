"""A hidden path on a graph at a refereed table, from composed pictures to the verified record."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from graph_table import SeenTable
from testkit.path_table import BOARD, GAME, HOME, PathTable, Sealer

from companion.cli import main
from companion.devices.boxes.box import Button
from companion.errors import BadInput
from companion.host.boxes import TableBoxes
from companion.host.report import as_csv, as_html
from companion.record.verify import check_chain
from companion.record.words import words
from companion.referee.audit import audit
from companion.referee.match import fold


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[SeenTable]:
    """A table under a camera."""
    table = SeenTable(tmp_path)
    yield table
    table.close()


@pytest.fixture
def told(tmp_path: Path) -> Iterator[PathTable]:
    """The same without a camera, set up: the hider is about to begin."""
    table = PathTable(tmp_path)
    assert table.show(**HOME) == ["table-agreed", "turn-opened"]
    yield table
    table.close()


def findings(table: PathTable) -> list[str]:
    """What the rules do not bear out in the record."""
    return [one.text for one in audit(GAME, table.events())[1]]


def hide(table: PathTable, lair: str, start: str) -> None:
    assert table.entrust("lair", lair) == ["secret"] == table.entrust("move", start)


def test_an_entrusted_path_is_refereed_from_pictures_to_the_verified_record(seen: SeenTable) -> None:
    assert seen.show("a", "f") == ["chores"] and [one["subject"] for one in seen.public["chores"]] == ["pawn-blue"]
    assert seen.show(**HOME) == ["table-agreed", "turn-opened"]
    hide(seen, "9", "3")
    assert seen.show("e", "b") == ["play"] and seen.last("play").data["moves"][0]["path"] == ["a", "2", "e"]
    assert seen.show("e", "c") == ["play"]
    assert seen.say("look", seat="seeker", site="8", catch=True) == ["asked", "answered"], "the path itself answers"
    assert seen.last("answered").data["yes"] is False
    assert seen.say("look", seat="seeker-2", site="3") == ["asked", "answered"]
    assert seen.show("e", "c", {"1": "2"}) == ["chores", "flag"] and seen.way_back == ["Move the clue from 2 to 3."]
    assert seen.public["flag"]["faults"][0]["message"] == "Something else was laid or moved than what was asked for."
    assert seen.show("e", "c", {"1": "3"}) == ["flag-cleared", "clue-laid", "turn-opened"]
    assert seen.public["position"]["clues"] == {"3": "clue"}
    assert [one["value"] for one in seen.own()["tells"][0]["choices"]] == ["2", "5", "6", "9"], "no pawn is crossed"
    with pytest.raises(BadInput, match="'8' cannot be the move; there are: 2, 5, 6, 9"):
        seen.entrust("move", "8")
    assert seen.entrust("move", "9") == ["secret"] and seen.own()["trail"] == ["3", "9"]
    assert seen.say("stay") == ["play"] and seen.show("e", "f", {"1": "3"}) == ["play"]
    assert seen.say("pass") == ["passed"]
    assert seen.say("look", seat="seeker-2", site="9", catch=True) == ["asked", "answered", "outcome", "opening", "opening"]
    assert seen.public["outcome"]["code"] == "caught" and [one["value"] for one in seen.public["secrets"]] == ["9", "3", "9"]
    assert findings(seen) == [] and check_chain(seen.events()) == []
    assert fold(GAME, seen.events()).state == seen.table._ledger.match.state
    report = as_html(GAME, seen.events())
    assert (
        report.count("<svg") >= 3
        and "Hider has told the companion a secret." in report
        and "There is a clue at 3. Lay a clue on 3." in report
    )
    assert "reveals: 3, 9" in report
    assert as_csv(GAME, seen.events()).count("\n") == len(seen.events()) + 1


@pytest.mark.parametrize(
    ("red", "blue", "codes", "back"),
    [
        ("l", "b", ["too-far"], "Put the red pawn back from l to a."),
        ("c", "b", ["through"], "Put the red pawn back from c to a."),
        ("5", "b", ["off-the-squares"], "Put the red pawn back from 5 to a."),
        ("a", "h", ["out-of-turn"], "Put the blue pawn back from h to b."),
    ],
)
def test_what_hands_may_not_do_is_flagged_with_the_way_back(
    seen: SeenTable, red: str, blue: str, codes: list[str], back: str
) -> None:
    seen.show(**HOME)
    hide(seen, "9", "3")
    assert seen.show(red, blue) == ["flag"] and seen.faults == codes and seen.way_back == [back]
    assert back.rsplit(maxsplit=1)[-1].strip(".") in seen.public["flag"]["faults"][0]["allowed"]
    assert seen.show(**HOME) == ["flag-cleared"]


def test_two_pawns_that_crowd_one_small_site_are_read_and_flagged(seen: SeenTable) -> None:
    seen.show(**HOME)
    hide(seen, "9", "3")
    x, y = BOARD.mm("b")
    assert seen.show((x - 4.8, y), (x + 4.8, y)) == ["flag"] and seen.faults == ["occupied"]
    assert seen.way_back == ["Put the red pawn back from b to a."]


def test_a_pawn_held_in_a_hand_waits_and_is_judged_where_it_is_set_down(seen: SeenTable) -> None:
    seen.show(**HOME)
    hide(seen, "9", "3")
    assert seen.show(None, "b") == ["unfinished"] and seen.public["unfinished"]["faults"][0]["code"] == "lifted"
    assert seen.show("l", "b") == ["flag"] and seen.faults == ["too-far"]
    assert seen.show("h", "b") == ["flag-cleared", "play"]


def test_both_pawns_moved_before_anybody_looked_are_two_plays_in_turn(seen: SeenTable) -> None:
    seen.show(**HOME)
    hide(seen, "9", "3")
    assert seen.show("g", "f") == ["play", "play"]
    assert [one.data["mover"] for one in seen.events() if one.kind == "play"] == ["seeker", "seeker-2"]


def test_a_misread_pawn_is_corrected_by_hand_and_seeing_it_elsewhere_counts_again(seen: SeenTable) -> None:
    seen.show(**HOME)
    hide(seen, "9", "3")
    assert seen.show("g", "b") == ["play"]
    assert seen.say("correct", subject="pawn-red", place="e") == ["correction", "correction"]
    assert seen.public["position"]["pawns"]["pawn-red"] == {"hex": "e"} and seen.public["table"]["overrides"] == ["pawn-red"]
    assert seen.show("e", "b") == ["correction"], "what it now sees agrees, and nothing is overridden any more"
    assert seen.public["table"]["overrides"] == [] and seen.public["position"]["pawns"]["pawn-red"] == {"hex": "e"}
    assert seen.show("e", "b", {"1": "8"}) == ["flag"] and seen.faults == ["clue-moved"]
    assert seen.say("correct", subject="clue:8", place=None) == ["correction", "flag-cleared"], "no clue lies there"
    assert findings(seen) == []


def test_a_play_is_taken_back_by_a_word_and_by_hands_until_the_other_seeker_is_on(seen: SeenTable) -> None:
    seen.show(**HOME)
    hide(seen, "9", "3")
    seen.show("g", "b")
    with pytest.raises(BadInput, match="somebody else's turn"):
        seen.say("undo")
    seen.show("g", "f")
    assert seen.say("undo") == ["undo", "flag"] and seen.way_back == ["Put the blue pawn back from f to b."]
    assert seen.show("g", "b") == ["flag-cleared"] and seen.show("g", "c") == ["play"] and seen.show("g", "b") == ["undo"]
    assert seen.show("g", "f") == ["play"]
    assert seen.say("look", site="8") == ["asked", "answered"]
    with pytest.raises(BadInput, match="no play in this round"):
        seen.say("undo")
    assert findings(seen) == []


def test_a_table_that_was_killed_goes_on_with_path_and_position(seen: SeenTable, tmp_path: Path) -> None:
    seen.show(**HOME)
    hide(seen, "9", "3")
    seen.show("e", "b")
    seen.show("e", "c")
    before = {key: seen.public[key] for key in ("position", "phase", "expects", "secrets", "answers")}
    own = seen.own()
    seen.close()
    again = SeenTable(tmp_path)
    assert {key: again.public[key] for key in before} == before and again.own() == own
    again.show("e", "c")
    again.say("pass")
    assert again.say("look", seat="seeker-2", site="3") == ["asked", "answered"] and again.last("answered").data["yes"] is True
    assert again.show("e", "c", {"1": "3"}) == ["clue-laid", "turn-opened"] and again.entrust("move", "6") == ["secret"]
    assert again.own()["trail"] == ["3", "6"] and findings(again) == []
    again.close()


# --- what is kept secret: nothing is seen, all is told ------------------------------------------------------------------


def round_of(table: PathTable, red: str, blue: str, *looks: dict[str, Any]) -> None:
    """Both pawns move, and both seekers look or pass."""
    table.show(red, blue, lying(table))
    while table.public["phase"] == "moving":
        table.say("stay")
    for observation in looks:
        table.say(**observation)


def lying(table: PathTable) -> dict[str, str]:
    """The cell features that lie on the table."""
    return {str(n): site for n, site in enumerate(sorted(table.public["position"]["clues"]), 1)}


PASS = {"kind": "pass"}


def test_a_clue_that_nobody_saw_laid_is_looked_for_before_it_counts(told: PathTable) -> None:
    hide(told, "9", "3")
    round_of(told, "e", "c", PASS, {"kind": "look", "site": "3"})
    assert told.public["phase"] == "clue"
    assert told.show("e", "c", hidden={"clue:3": "a hand hides it"}) == ["cannot-see"] and told.public["phase"] == "clue"
    assert told.show("e", "c", {"1": "3"}) == ["sight-restored", "clue-laid", "turn-opened"]


def walked(told: PathTable, sealer: Sealer, path: list[str], answers: list[bool], lair: str = "12") -> None:
    """A game of a hider who seals, to its end: the second seeker looks at 3 in the first round, at 9 in the second."""
    sealer.seal("lair", lair)
    plan = [("e", "c", "3"), ("e", "f", "9"), ("e", "f", None)]
    for number, (place, (red, blue, site)) in enumerate(zip(path, plan, strict=True)):
        assert sealer.seal("move", place) == ["secret"]
        round_of(told, red, blue, PASS)
        if site is None:
            told.say("pass")
            continue
        assert told.say("look", seat="seeker-2", site=site) == ["asked"], "nobody but the hider knows"
        told.say("say", yes=answers[number])
        if answers[number]:
            told.show(red, blue, {**lying(told), "6": site})
    assert told.public["phase"] == "walked" and told.public["expects"][0] == {
        "kind": "opening",
        "seat": "hider",
        "purpose": "move",
    }


def test_a_hider_who_seals_answers_alone_and_opens_the_path_at_the_end(told: PathTable) -> None:
    sealer = Sealer(told)
    walked(told, sealer, ["3", "9", "12"], [True, True])
    assert told.own()["trail"] == [], "the companion knows nothing of it"
    with pytest.raises(BadInput, match="does not open commitment 2"):
        sealer.reveal("move", n2="6")
    assert sealer.reveal("move") == ["opening"] and sealer.reveal("lair") == ["opening", "outcome"]
    assert told.public["outcome"]["code"] == "home" and findings(told) == []


def test_the_hiders_own_box_answers_and_anybody_elses_does_not(told: PathTable) -> None:
    boxes = TableBoxes(told.table, clock=lambda: 1000.5)
    sealer = Sealer(told)
    sealer.seal("lair", "9")
    sealer.seal("move", "3")
    round_of(told, "e", "c", PASS)
    with pytest.raises(BadInput):
        boxes.press(Button.ANSWER_A, role="hider")
    told.say("look", seat="seeker-2", site="3")
    assert {"hider", "seeker"} <= set(boxes.status()["roles"])
    with pytest.raises(BadInput):
        boxes.press(Button.ANSWER_A, role="seeker")
    assert told.public["phase"] == "asked"
    boxes.press(Button.ANSWER_A, role="hider")
    assert told.last("answered").data["yes"] is True and told.public["phase"] == "clue"


def test_a_hider_who_lies_is_named_when_the_path_is_opened(told: PathTable) -> None:
    sealer = Sealer(told)
    walked(told, sealer, ["3", "9", "6"], [True, False])
    sealer.reveal("move")
    sealer.reveal("lair")
    number = told.last("answered").number
    assert told.public["outcome"]["code"] == "away" and f"event {number}: the answer about 9 is false" in findings(told)


def test_the_commands_verify_and_export_a_record_of_this_game(told: PathTable, tmp_path: Path, capsys: Any) -> None:
    sealer = Sealer(told)
    walked(told, sealer, ["3", "9", "6"], [True, False])
    sealer.reveal("move")
    record = str(tmp_path / "game.record")
    assert main(["verify", record]) == 1
    said = capsys.readouterr().out
    assert f"event {told.last('answered').number}: the answer about 9 is false" in said
    assert main(["export", record, "--format", "html"]) == 0 and "There is a clue at 3." in capsys.readouterr().out
    assert main(["replay", record]) == 1, "it goes through the record with the rules in hand as well"


def test_a_path_that_leaps_is_named_when_it_is_opened(told: PathTable) -> None:
    sealer = Sealer(told)
    walked(told, sealer, ["3", "10", "11"], [True, False])
    sealer.reveal("move")
    sealer.reveal("lair")
    leap = [one.number for one in told.events() if one.kind == "secret"][2]
    assert f"event {leap}: nobody gets from 3 to 10 in one move" in findings(told)


def test_a_commitment_that_was_changed_on_record_is_named(told: PathTable) -> None:
    hide(told, "9", "3")
    round_of(told, "e", "c", PASS, {"kind": "look", "site": "3", "catch": True})
    assert told.public["outcome"]["code"] == "caught" and findings(told) == []
    changed = [
        replace(one, data={**one.data, "commitment": "0" * 64})
        if one.kind == "secret" and one.data["purpose"] == "move"
        else one
        for one in told.events()
    ]
    assert [one.code for one in audit(GAME, changed)[1]] == ["commitment"]
    assert check_chain(changed)[0].number == next(
        one.number for one in changed if one.kind == "secret" and "0" * 64 in str(one.data)
    )


def test_an_arbiter_takes_the_game_back_and_the_path_with_it(told: PathTable) -> None:
    hide(told, "9", "3")
    round_of(told, "e", "c", PASS, PASS)
    told.entrust("move", "9")
    told.show("h", "c")
    goal = next(one["number"] for one in told.public["take_back"] if (one["turn"], one["pick"]) == (1, 1))
    assert told.say("rule", action="take-back", to=goal, reason="the wrong pawn") == ["ruling", "flag"]
    assert [one["number"] for one in told.public["secrets"]] == [1, 1] and told.own()["trail"] == ["3"]
    assert told.show("e", "b") == ["flag-cleared"] and told.show("e", "f") == ["play"]
    told.say("pass")
    told.say("pass")
    assert told.entrust("move", "6") == ["secret"] and told.own()["trail"] == ["3", "6"]
    round_of(told, "e", "f", PASS)
    assert told.say("look", seat="seeker-2", site="9", catch=True) == ["asked", "answered", "turn-opened"]
    assert told.last("answered").data["yes"] is False, "where the hider was before the ruling counts no more"
    assert findings(told) == []


def test_links_of_steps_that_were_taken_back_are_named_and_stay_closed(
    told: PathTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sealer = Sealer(told)
    sealer.seal("lair", "6")
    sealer.seal("move", "3")
    round_of(told, "e", "c", PASS, PASS)
    sealer.seal("move", "9")
    round_of(told, "h", "c", PASS, PASS)
    sealer.seal("move", "12")
    goal = next(one["number"] for one in told.public["take_back"] if (one["turn"], one["pick"]) == (1, 1))
    assert told.say("rule", action="take-back", to=goal, reason="the wrong pawn")[0] == "ruling"
    gone = [one.number for one in told.events() if one.kind == "secret"][-2:]
    sealer.taken_back(2)
    told.show("e", "b")
    told.show("e", "f")
    told.say("pass")
    told.say("pass")
    for place in ("6", "12"):
        assert sealer.seal("move", place) == ["secret"]
        round_of(told, "e", "f", PASS, PASS)
    with pytest.raises(BadInput, match="does not open commitment 2"):
        sealer.reveal("move", n2="9")
    assert sealer.reveal("move") == ["opening"] and sealer.reveal("lair") == ["opening", "outcome"]
    assert findings(told) == [] and told.public["outcome"]["code"] == "away"
    why = f"links 2 to 3 of what hider committed to (move), events {gone[0]} to {gone[1]}, were made for steps that were taken"
    assert main(["verify", str(tmp_path / "game.record")]) == 0 and why in capsys.readouterr().out
    assert as_html(GAME, told.events()).count("were made for steps that were taken back") == 1
    assert fold(GAME, told.events()).state == told.table._ledger.match.state


def test_two_hidden_paths_under_the_same_public_events_leave_the_same_bytes(tmp_path: Path) -> None:
    """Until something is opened: the snapshot, what the other seats are shown, every event but its commitments, the report."""
    left = []
    for name, path, lair in (("one", ("3", "5", "9"), "9"), ("two", ("6", "5", "2"), "1")):
        (tmp_path / name).mkdir()
        table = PathTable(tmp_path / name)
        table.show(**HOME)
        table.entrust("lair", lair)
        for place, red, site in zip(path, ("e", "h", "g"), ("4", "5", "7"), strict=True):
            table.entrust("move", place)
            round_of(table, red, "c", {"kind": "look", "site": site})
            if table.public["phase"] == "clue":
                table.show(red, "c", {"1": site})
            if place != path[-1]:
                table.say("pass")
        bound = {str(one.data["commitment"]): f"commitment {one.number}" for one in table.events() if one.kind == "secret"}
        shown = {
            "snapshot": {**table.public, "commitment_qr": None}, "seats": [table.own(seat) for seat in ("seeker", "seeker-2")],
            "events": [[one.number, one.kind, dict(one.data)] for one in table.events()],
            "report": as_html(GAME, table.events()), "table": as_csv(GAME, table.events()),
        }  # fmt: skip
        text = without_digests(json.dumps(shown, sort_keys=True, ensure_ascii=False), table)
        for commitment, word in bound.items():
            text = text.replace(commitment, word).replace(words(commitment), f"words of {word}")
        left.append(text)
        assert len(bound) == 4 and table.own()["trail"] == list(path) and table.public["position"]["clues"] == {"5": "clue"}
        table.close()
    assert left[0] == left[1]


def without_digests(text: str, table: PathTable) -> str:
    """The same without what depends on commitments: digests of the chain, also as words."""
    for one in table.events():
        text = text.replace(one.digest, f"digest {one.number}").replace(words(one.digest), f"words {one.number}")
    return text

"""Whole nights of Letters from Whitechapel, named after what they prove, replayed by the rules to the exact result.

Told by record_whitechapel_games.py; shown to the referee look by look in tests/referee/test_whitechapel_recorded_at_table.py.
"""

from pathlib import Path
from typing import Any

import pytest
from testkit.night_record import events, read

from companion.games.letters_from_whitechapel import explaining, judging
from companion.games.letters_from_whitechapel.acts import Act
from companion.games.letters_from_whitechapel.folding import fold
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.sheet import act_of
from companion.games.letters_from_whitechapel.validation import parsed

FOLDER = Path(__file__).parent / "recorded_whitechapel"
GAMES = {path.stem: path for path in sorted(FOLDER.glob("*.json"))}


def folded(before: Position, row: tuple[Act, ...]) -> Position:
    for act in row:
        before = fold(before, act)
    return before


def replay(record: dict[str, Any]) -> Position:
    """The last position: every act is lawful and leads just there, and what hands did is found by explanation."""
    before: Position | None = None
    known: list[Position] = []
    for event in events(record, "match-opened", "table-agreed", "play", "act", "answered", "undo", "ruling", "correction"):
        if "position" not in event:
            continue
        after = parsed(event["position"])
        if before is None or event["event"] == "table-agreed":
            assert event["event"] in ("match-opened", "table-agreed")
        elif event["event"] in ("act", "answered"):
            act = act_of(event["act"])
            assert judging.faults(before, act) == () and fold(before, act) == after, event
        elif event["event"] == "play":
            found = explaining.explain(before, explaining.goal_of(before, after.to_json()))
            assert found.verdict in ("legal", "ambiguous"), event
            assert all(folded(before, row) == after for row in found.alternatives)
        else:
            assert after in known, "nothing but what was on record comes back"
        known.append(after)
        before = after
    assert before is not None
    return before


def test_there_are_enough_games() -> None:
    assert len(GAMES) >= 12


@pytest.mark.parametrize("name", GAMES)
def test_replay(name: str) -> None:
    record = read(GAMES[name])
    assert record["name"] == name and record["proves"]
    last, result = replay(record), record["result"]
    assert last.over == (result["code"] in ("arrested", "escaped", "trapped", "too-late"))
    assert next(events(record, "outcome"))["says"]
    assert all(event["says"] and "{" not in event["says"] for event in events(record, "play", "act", "answered"))


def refused(name: str) -> list[str]:
    """Why answers were refused."""
    return [step["refused"] for step in read(GAMES[name])["steps"] if "refused" in step]


def flagged(name: str) -> list[str]:
    """What was flagged, by code, in order."""
    return [fault["code"] for step in read(GAMES[name])["steps"] for fault in step.get("flag", {"faults": ()})["faults"]]


def acts_of(name: str) -> list[dict[str, Any]]:
    return [event["act"] for event in events(read(GAMES[name]), "act", "answered")]


def test_the_clue_came_before_the_arrest() -> None:
    asked = [act for act in acts_of("arrested-on-the-first-night") if act["act"] in ("search", "arrest")]
    assert [(act["act"], act["circle"], act.get("clue", act.get("arrested"))) for act in asked] == [
        ("search", 68, False), ("search", 86, True), ("arrest", 68, False), ("arrest", 102, True),
    ]  # fmt: skip


def test_the_track_was_used_to_its_last_space() -> None:
    last = replay(read(GAMES["track-runs-out"]))
    assert last.left == 0 and last.night == 1 and read(GAMES["track-runs-out"])["result"]["code"] == "too-late"


def test_two_died_in_the_third_night_and_one_in_the_others() -> None:
    killed = [act["circles"] for act in acts_of("home-on-the-fourth-night") if act["act"] == "kill"]
    assert [len(circles) for circles in killed] == [1, 1, 2, 1]
    order = [act["act"] for act in acts_of("home-on-the-fourth-night")]
    third = [index for index, act in enumerate(order) if act == "kill"][2]
    told = [event["event"] for event in events(read(GAMES["home-on-the-fourth-night"]), "act", "secret", "play")]
    assert order[third + 1] == "reveal" and "play" in told


def test_the_fake_token_left_the_board_and_the_true_one_stayed() -> None:
    turned = {name: next(act for act in acts_of(name) if act["act"] == "turn-up") for name in
              ("false-patrol-turned-up", "patrol-turned-up-twice-refused")}  # fmt: skip
    assert [act["token"] for act in turned.values()] == ["fake", "blue"]
    for name, act in turned.items():
        after = next(event for event in events(read(GAMES[name]), "act") if event["act"] == act)
        assert (act["crossing"] in dict(parsed(after["position"]).patrols)) == (act["token"] != "fake")


def test_jack_had_no_walk_left() -> None:
    record = read(GAMES["trapped-by-two"])
    assert record["rules"] == {"trapped": "walk"} and acts_of("trapped-by-two")[-1]["act"] == "trapped"


def test_only_the_false_game_is_found_false() -> None:
    assert {name for name in GAMES if read(GAMES[name])["found"]} == {"sealed-and-false"}
    told = " ".join(read(GAMES["sealed-and-false"])["found"])
    assert "no walk leads from 86 to 120" in told and "the answer about 86 is false" in told

"""The commands ``moves``, ``answer``, ``deduce`` and ``explain`` about Letters from Whitechapel, from outside."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from whitechapel_positions import GAME, POLICE, RED, YELLOW, ask, explained, position

from companion import games
from companion.cli import main
from companion.games.letters_from_whitechapel.streets import load
from companion.games.letters_from_whitechapel.validation import position_of

BOARD = load()
WALK = ["walk", list(POLICE.values())]


def answered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str, *lines: Any) -> list[Any]:
    """What a command says to lines on standard input."""
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main([command, "-"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_lines_are_answered_one_by_one_and_bad_ones_with_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = {"jack": {"hideout": 1, "row": [147]}}
    asked = [{"position": position("jack"), "secret": secret}, {"position": position("jack")}, position("police-move")]
    told = answered(monkeypatch, capsys, "moves", *asked, "{", {"game": GAME}, position("wretched"))
    assert [sorted(answer) for answer in told] == [
        ["jack", "left", "tokens", "trapped"], ["error"], ["police", "turn"], ["error"], ["error"], ["wretched"],
    ]  # fmt: skip
    assert told[0]["left"] == 15 and told[0]["tokens"] == {"coach": 3, "alley": 2}


def test_deduce_needs_no_name_of_a_game(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    nights = [[["crime", [147]], ["walk", ["x219", "x224", "x225", "x226", "x227"]], ["search", 146, False], ["home"]]]
    told = answered(
        monkeypatch, capsys, "deduce", {"nights": nights, "arrival": "may"}, {"nights": nights[0]}, {"arrival": "may"}
    )
    assert "only a walk ends at home" in told[0]["error"] and "error" in told[1] and "error" in told[2]
    nights[0][2:] = [["home"]]
    told = answered(monkeypatch, capsys, "deduce", {"nights": nights}, {"nights": []})
    assert told[0] == {"places": [111, 133, 134, 146], "hideouts": [111, 133, 134, 146]}
    assert told[1]["places"] == [] and len(told[1]["hideouts"]) == 187


def test_answer_and_explain_by_lines_and_by_files(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    beside = BOARD.doors[146][0]
    data = position("police-act", police={**POLICE, "blue": beside})
    question = {
        "position": data,
        "secret": {"jack": {"hideout": 1, "row": [147, 146]}},
        "ask": {"by": "blue", "kind": "search", "circle": 146},
    }
    after = {**data, "clues": [146], "acted": ["blue"]}
    assert answered(monkeypatch, capsys, "answer", question) == [{"legal": True, "clue": True}]
    told = answered(monkeypatch, capsys, "explain", [data, after], [{"position": data}, {"position": after}], [data], data)
    play = {"act": "search", "by": "blue", "circle": 146, "clue": True, "text": "blue searches 146: a clue"}
    assert told[0] == told[1] == {"verdict": "legal", "plays": [play], "faults": []}
    assert "error" in told[2] and "error" in told[3]
    names = []
    for name, value in (("before", data), ("after", after), ("wrong", {**after, "acted": ["red"]}), ("question", question)):
        names.append(str(tmp_path / f"{name}.json"))
        Path(names[-1]).write_text(json.dumps(value), encoding="utf-8")
    assert main(["explain", names[0], names[1]]) == 0
    assert capsys.readouterr().out == "legal\n  blue searches 146: a clue\n"
    assert main(["explain", names[0], names[2], "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "illegal"
    assert main(["answer", names[3]]) == 0 and capsys.readouterr().out == "yes\n"
    assert main(["moves", names[0]]) == 0 and capsys.readouterr().out.startswith("blue: search")
    assert main(["answer", names[0]]) == 2 and "ask: null is not an object" in capsys.readouterr().err


def test_no_answer_holds_a_secret() -> None:
    value = {
        "position": position("police-act"),
        "secret": {"jack": {"hideout": 55, "row": [147, 146]}},
        "ask": {"by": "blue", "kind": "search", "circle": 146},
    }
    assert set(ask("answer", value)) == {"legal", "clue"}
    assert "secret" not in json.dumps(ask("explain", [value["position"], value["position"]]))


def test_whole_questions_are_answered_at_the_prompt_though_the_game_is_refereed_as_well() -> None:
    assert GAME in games.available()
    for data in (position("jack"), {"position": position("jack")}, [position("jack"), {}], {"nights": []}):
        assert games.queries_of(data) is not None
    for other in ({"game": "mr-jack-london"}, {"turn": 1}, [], 5, None, [[]], {"position": 5}):
        assert games.queries_of(other) is None


# --- explain: what no act of a game played by chance brings up ----------------------------------------------------------


def test_nothing_changed_and_what_after_leaves_out_is_as_before() -> None:
    data = position("police-move")
    assert explained(data, data) == ("unchanged", [])
    to = BOARD.steps["x042"][0]
    assert explained(data, {"police": {**POLICE, "blue": to}}) == ("legal", ["move"])
    assert explained(data, {"police": POLICE, "moved": ["blue"]}) == ("legal", ["move"])


def test_several_policemen_may_have_moved_between_two_looks() -> None:
    data = position("police-move")
    to = {**POLICE, "blue": BOARD.steps["x042"][0], "brown": BOARD.steps["x058"][0]}
    assert explained(data, {"police": to}) == ("legal", ["move"] * 3)
    assert explained(data, {"police": to, "phase": "police-act"}) == ("legal", ["move"] * 5)


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({"police": {**POLICE, "blue": "x001"}, "moved": ["blue"]}, ["too-far"]),
        ({"moved": ["yellow"]}, ["out-of-order"]),
        ({"police": {**POLICE, "blue": "x044"}, "moved": ["blue"]}, ["occupied"]),
        ({"track": ["walk", "walk"], "moved": ["blue"]}, ["track-does-not-fit"]),
        ({"clues": [146], "moved": ["blue"]}, ["clues-changed"]),
        ({"phase": "jack"}, ["step-skipped"]),
        ({"crime_scenes": [[3]]}, ["scenes-changed"]),
        ({"time": 2}, ["time-changed"]),
        ({"night": 2, "phase": "women", "track": []}, ["night-changed", "step-skipped", "track-does-not-fit"]),
    ],
)
def test_faults_of_a_change_while_policemen_move(change: dict[str, Any], codes: list[str]) -> None:
    police = {**POLICE, "blue": BOARD.steps["x044"][0]}
    data = position("police-move", police=police)
    moved = {**change, "police": {**police, **{k: v for k, v in change.get("police", {}).items() if v != POLICE[k]}}}
    if codes == ["too-far"]:
        assert BOARD.distance(police["blue"], "x001") > 2
    assert explained(data, {**data, **moved}) == ("illegal", codes)


def test_faults_of_jacks_moves() -> None:
    data = position("jack", track=["coach"] * 3)
    after = {**data, "phase": "police-move"}
    assert explained(data, {**after, "track": ["coach"] * 4}) == ("illegal", ["no-token"])
    late = position("jack", track=["walk"] * 14)
    assert "track-too-short" in explained(late, {**late, "phase": "over", "track": [*late["track"], "coach"]})[1]
    assert explained(data, {**data, "phase": "over"})[0] == "legal"
    assert explained(position("jack"), position("over"))[1] == ["not-trapped"]
    assert explained(data, after)[1] == ["track-does-not-fit"] or explained(data, after)[0] == "illegal"
    moved = {**after, "track": [*data["track"], "walk"], "police": {**POLICE, "red": "x001"}}
    assert explained(data, moved) == ("illegal", ["moved-out-of-turn"])


def test_where_a_walk_is_what_counts_everybody_sees_at_the_scene_whether_jack_is_trapped() -> None:
    rule = {"house_rules": {"trapped": "walk"}}
    free, over = position("jack", **rule), position("over", **rule)
    assert explained(free, over) == ("illegal", ["can-walk"])
    assert explained({**free, "track": ["walk"]}, {**over, "track": ["walk"]}) == ("legal", ["trapped"])
    shut = dict(zip(POLICE, [*BOARD.doors[147], *YELLOW], strict=False))  # nobody gets past the doors of 147
    assert BOARD.flood(147, tuple(shut.values())) == () and len(set(shut.values())) == 5
    shut = {"police": shut}
    assert explained({**free, **shut}, {**over, **shut}) == ("legal", ["trapped"])
    for kind in ("coach", "alley"):
        gone = position("police-move", track=[kind], **shut)
        assert explained({**free, **shut}, {**gone, **rule}) == ("illegal", ["trapped"])
        assert explained(position("jack", **shut), gone) == ("legal", [kind])


def test_what_the_board_does_not_tell_is_not_made_up() -> None:
    data = position("police-act")
    assert explained(data, {**data, "acted": ["blue"]}) == ("legal", ["finish"])
    women = position("wretched", time=2)
    told = ask("explain", [women, {**women, "phase": "reveal", "wretched": [2, 20, 28, 66, 67]}])
    assert told["verdict"] == "legal" and told["plays"][0].get("circles") == [2, 20, 28, 66, 67]


def test_tokens_may_be_laid_one_by_one() -> None:
    data = position("women")
    assert explained(data, {**data, "women": [3, 21]}) == ("legal", ["women"])
    laying = position("patrols", patrols={"x042": "down"})
    assert explained(position("patrols"), laying) == ("legal", ["patrols"])
    full = {**laying, "patrols": dict.fromkeys(YELLOW, "down")}
    assert explained(laying, full) == ("legal", ["patrols"])
    turned = {**full, "phase": "kill", "women": [], "wretched": RED[:5]}
    assert explained(full, turned) == ("legal", ["victims"])
    assert explained(laying, turned) == ("legal", ["patrols", "victims"])


def test_the_women_may_be_turned_up_before_anybody_looks_again() -> None:
    data, laid = position("women"), {"patrols": dict.fromkeys(YELLOW, "down")}
    turned = position("kill", wretched=RED[:5], **laid)
    assert explained(data, turned) == ("legal", ["women", "patrols", "victims"])
    assert explained(data, {**turned, "phase": "wretched", "time": 2}) == ("legal", ["women", "patrols", "victims", "wait"])
    dead = {**turned, "phase": "reveal", "wretched": RED[:4], "crime_scenes": [RED[4:5]]}
    assert explained(data, dead) == ("legal", ["women", "patrols", "victims", "kill"])
    second = {"night": 2, "crime_scenes": [[50]], "police": POLICE}  # eight red circles are free, and seven tokens lie
    told = ask("explain", [position("women", **second), position("kill", **second, wretched=RED[:4], **laid)])
    assert told["verdict"] == "ambiguous" and len(told["alternatives"]) == 4
    assert explained(data, {**turned, "wretched": [*RED[:4], 4]}) == ("illegal", ["not-red"])


def test_acts_of_several_steps_may_lie_between_two_looks() -> None:
    near = list(BOARD.looks["x042"])
    last = position("police-move", moved=["blue", "yellow", "brown", "red"])
    to = BOARD.steps["x143"][0]
    found = position("police-act", police={**POLICE, "green": to}, clues=near[:1], acted=["blue"])
    assert explained(last, found) == ("legal", ["move", "search"])
    done = position("police-act", acted=["blue", "yellow", "brown", "red"])
    assert explained(done, position("police-move", track=["walk", "coach"])) == ("legal", ["finish", "coach"])
    moved = position("police-move", police={**POLICE, "blue": BOARD.steps["x042"][0]}, track=["walk"], moved=["blue"])
    assert explained(position("jack"), moved) == ("legal", ["walk", "move"])
    end = position("jack", track=["walk"], clues=[146])
    women = position("patrols", night=2, crime_scenes=[[147]], police=POLICE, women=[red for red in RED if red != 147])
    assert explained(end, women) == ("legal", ["walk", "women"])
    lost = position("over", track=["walk"] * 15)
    assert explained(position("police-act", track=["walk"] * 14, acted=done["acted"]), lost) == ("legal", ["finish", "walk"])
    caught = position("over", clues=near[:1])
    assert explained(position("police-act"), caught) == ("legal", ["search", "arrest"])


def test_acts_before_the_hunt_may_lie_between_two_looks() -> None:
    kill = position("kill")
    dead = {"crime_scenes": [[84]], "track": ["walk"]}
    assert explained(kill, position("police-move", **dead)) == ("legal", ["kill", "reveal", "walk"])
    waiting = position("wretched", wretched=[2, 20, 28, 66, 67], time=2)
    assert explained(position("wretched"), {**waiting, "phase": "reveal"}) == ("legal", ["wretched"])
    shown = {**dict.fromkeys(YELLOW, "down"), "x042": "red"}
    again = {**waiting, "time": 3, "patrols": shown}
    assert explained(position("wretched"), again) == ("legal", ["wretched", "turn-up", "wait"])
    murder = {**waiting, "phase": "reveal", "wretched": [2, 20, 28, 66], "crime_scenes": [[67]], "patrols": shown}
    assert explained(position("wretched"), murder) == ("legal", ["wretched", "turn-up", "kill"])


def test_where_a_policeman_came_from_is_said_to_be_open_once_he_has_moved() -> None:
    unmasked = position("reveal", night=3, crime_scenes=[[50], [51], [21, 27]], wretched=[3], police=POLICE, time=1)
    to = BOARD.steps["x156"][0]
    hunt = {key: value for key, value in unmasked.items() if key not in ("wretched", "patrols")}
    hunt |= {"phase": "police-move", "police": {**POLICE, "blue": to}, "moved": ["blue"]}
    told = ask("explain", [unmasked, hunt])
    came = {row[0]["police"]["blue"] for row in told.get("alternatives", [told["plays"]])}
    assert told["verdict"] in ("legal", "ambiguous") and "x156" in came
    assert all(BOARD.distance(crossing, to) <= 2 for crossing in came)


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({"police": {**POLICE, "blue": "x001"}}, ["too-far"]),
        ({"police": {**POLICE, "blue": "x044"}}, ["occupied"]),
        ({"crime_scenes": [[3]]}, ["scenes-changed"]),
        ({"clues": [146]}, ["clues-changed"]),
    ],
)
def test_a_fault_among_acts_of_several_steps_is_that_one_alone(change: dict[str, Any], codes: list[str]) -> None:
    police = {**POLICE, "blue": BOARD.steps["x044"][0]}
    before = position("jack", police=police)
    change = {**change, "police": {**police, **{k: v for k, v in change.get("police", {}).items() if v != POLICE[k]}}}
    assert explained(before, position("police-move", moved=["blue"], track=["walk"], police=police))[0] == "legal"
    assert explained(before, {**position("police-move", moved=["blue"], track=["walk"]), **change}) == ("illegal", codes)


def test_five_policemen_come_when_the_patrols_are_turned_up() -> None:
    dead = position("reveal", time=1, crime_scenes=[[84]], wretched=[3, 21, 27, 65])
    assert explained(dead, position("jack", crime_scenes=[[84]])) == ("legal", ["reveal"])
    four = {colour: crossing for colour, crossing in POLICE.items() if colour != "green"}
    assert explained(dead, position("jack", crime_scenes=[[84]], police=four)) == ("illegal", ["policeman-missing"])


def test_what_no_camera_sees_may_be_left_out_of_the_position_after() -> None:
    def seen(data: dict[str, Any]) -> dict[str, Any]:
        hidden = ("night", "phase", "time", "head", "moved", "acted", "missed")
        return {key: value for key, value in position_of(data).to_json().items() if key not in hidden}

    dead = position("reveal", time=1, crime_scenes=[[84]], wretched=[3, 21, 27, 65])
    assert explained(dead, seen(position("jack", crime_scenes=[[84]]))) == ("legal", ["reveal"])
    end = position("jack", track=["walk"], clues=[146])
    home = position("women", night=2, crime_scenes=[[147]], police=POLICE)
    assert explained(end, seen(home)) == ("legal", ["walk"])
    moved = position("wretched", wretched=[2, 20, 28, 66, 67], time=2)
    assert explained(position("kill"), seen(moved)) == ("legal", ["wait", "wretched"])
    laid = position("patrols", patrols=dict.fromkeys(YELLOW, "down"))
    told = ask("explain", [position("patrols", head=None), seen(laid)])
    assert told["verdict"] == "ambiguous" and {row[0]["by"] for row in told["alternatives"]} == set(POLICE)


def test_house_rules_hold_for_the_whole_game() -> None:
    data = position("police-move")
    with pytest.raises(Exception, match="house_rules: not the same in both positions"):
        explained(data, {**data, "house_rules": {"arrival": "must"}})


def test_who_has_had_his_turn_may_be_listed_in_any_order() -> None:
    told = position("police-act", acted=["yellow", "blue"])
    assert ask("moves", told) == ask("moves", position("police-act", acted=["blue", "yellow"]))
    assert explained(told, position("police-act", acted=["blue", "yellow"]))[0] == "unchanged"
    assert explained(told, position("police-act", acted=["brown", "yellow", "blue"])) == ("legal", ["finish"])


@pytest.mark.parametrize("acted", [["blue", "red"], ["red", "blue"]])
def test_in_free_order_the_two_who_are_done_may_be_listed_in_any_order(acted: list[str]) -> None:
    free = {"house_rules": {"police-order": "any"}}
    before = position("police-act", acted=["red"], **free)
    assert explained(before, position("police-act", acted=acted, **free)) == ("legal", ["finish"])
    asked = position("police-act", missed=[29], **free)  # only blue can have asked that, so he is done first
    assert explained(asked, position("police-act", acted=acted, **free)) == ("legal", ["finish", "finish"])

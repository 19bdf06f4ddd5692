"""``companion witness``, ``moves`` and ``explain`` as a user types them."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.cli import main
from companion.games import load

START = load().start().to_json()
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def go(*arguments: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(typed.encode())))
        status = main(list(arguments))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return go


@pytest.fixture
def write(tmp_path: Path) -> Callable[[object, str], str]:
    def put(data: object, name: str = "position.json") -> str:
        path = tmp_path / name
        path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
        return str(path)

    return put


def with_disc(position: dict[str, object], name: str, **entry: object) -> dict[str, object]:
    characters = dict(position["characters"])
    characters[name] = {**characters[name], **entry}
    return {**position, "characters": characters}


def test_witness(run: Run, write: Callable[..., str]) -> None:
    status, out, err = run("witness", write(START), "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == {
        "seen": ["holmes", "smith", "lestrade", "bert"],
        "unseen": ["watson", "stealthy", "goodley", "gull"],
        "because": {
            "holmes": ["gaslight f5"], "smith": ["gaslight h8"], "lestrade": ["gaslight f5"], "bert": ["gaslight h8"],
        },
    }  # fmt: skip
    status, out, _ = run("witness", write(START))
    assert status == 0 and "holmes: seen (gaslight f5)" in out and "gull: unseen" in out


def test_moves(run: Run, write: Callable[..., str]) -> None:
    status, out, err = run("moves", write(START), "--character", "holmes", "--json")
    assert (status, err) == (0, "")
    plays = json.loads(out)["plays"]
    assert len(plays) == 28
    for play in plays:
        assert list(play) == ["character", "moves", "ability", "position", "ends"]
        assert play["character"] == "holmes"
        assert play["moves"][0]["path"][0] == play["moves"][0]["from"] == "g5"
    status, out, _ = run("moves", write(START), "--character", "holmes")
    assert status == 0 and len(out.splitlines()) == 28
    accusing = [play for play in plays if play["ends"] == "accusation"]
    assert accusing
    _, out, _ = run("moves", write(START), "--character", "holmes", "--mover", "jack", "--json")
    assert len(json.loads(out)["plays"]) == 28 - len(accusing)


def test_moves_of_a_character_whose_card_is_gone(run: Run, write: Callable[..., str]) -> None:
    cards = {**START, "available": ["holmes", "bert"], "played": ["gull", "smith"]}
    status, out, _ = run("moves", write(cards), "--character", "gull", "--json")
    assert status == 1
    answer = json.loads(out)
    assert answer["plays"] == [] and "gull cannot be played now" in answer["reason"]
    status, out, _ = run("moves", write(cards), "--character", "bert", "--json")
    after = json.loads(out)["plays"][0]["position"]
    assert (after["available"], after["played"]) == (["holmes"], ["gull", "smith", "bert"])


def test_house_rules_are_chosen_on_the_line(run: Run, write: Callable[..., str]) -> None:
    after = with_disc(with_disc(START, "goodley", hex="m9"), "bert", hex="j8")
    pair = (write(START, "before.json"), write(after, "after.json"))
    assert run("explain", *pair, "--json")[0] == 1
    assert run("explain", *pair, "--rule", "whistle-points=any", "--json")[0] == 0
    for wrong in ("whistle-points=two", "nonsense=yes", "nonsense"):
        status, out, err = run("explain", *pair, "--rule", wrong)
        assert status == 2 and out == "" and len(err.splitlines()) == 1


def test_explain_legal(run: Run, write: Callable[..., str]) -> None:
    after = {**with_disc(START, "bert", hex="k9"), "covers": ["h6", "l12"]}
    status, out, _ = run("explain", write(START, "b.json"), write(after, "a.json"), "--json")
    answer = json.loads(out)
    assert (status, answer["verdict"], answer["faults"]) == (0, "legal", [])
    (play,) = answer["plays"]
    assert (play["character"], play["ability"]) == ("bert", "move_manhole_cover")
    assert {(m["piece"], m["from"], m["to"]) for m in play["moves"]} == {("bert", "i8", "k9"), ("cover", "c2", "h6")}
    status, out, _ = run("explain", write(START, "b.json"), write(START, "a.json"), "--json")
    assert (status, json.loads(out)["verdict"]) == (0, "unchanged")


def test_explain_illegal(run: Run, write: Callable[..., str]) -> None:
    after = with_disc(START, "bert", hex="g10")
    status, out, _ = run("explain", write(START, "b.json"), write(after, "a.json"), "--json")
    answer = json.loads(out)
    assert (status, answer["verdict"], answer["plays"]) == (1, "illegal", [])
    assert [(f["code"], f["character"]) for f in answer["faults"]] == [("too-far", "bert"), ("ability-missing", "bert")]
    assert answer["faults"][0]["message"] == "Bert went 4 steps, he may go 3: put him back on i8 or within reach."
    status, out, _ = run("explain", write(START, "b.json"), write(after, "a.json"))
    assert status == 1 and "illegal" in out and "put him back on i8" in out


@pytest.mark.parametrize("change", [{"hex": "h5"}, {"hex": "g5"}, {"hex": None}])
def test_what_an_illegal_play_leaves_is_explained_not_refused(run: Run, write: Callable[..., str], change: object) -> None:
    after = with_disc(START, "bert", **change)
    status, out, err = run("explain", write(START, "b.json"), write(after, "a.json"), "--json", "--mover", "jack")
    assert (status, err) == (1, "")
    assert json.loads(out)["faults"][0]["character"] == "bert"


def test_a_character_missing_afterwards_and_keys_left_out(run: Run, write: Callable[..., str]) -> None:
    after = {"characters": {k: v for k, v in START["characters"].items() if k != "gull"}}
    status, out, _ = run("explain", write(START, "b.json"), write(after, "a.json"), "--json")
    assert (status, json.loads(out)["faults"][0]["code"]) == (1, "escape-first-turn")


def test_two_plays_seen_late(run: Run, write: Callable[..., str]) -> None:
    after = {**with_disc(with_disc(START, "bert", hex="k9"), "holmes", hex="e6"), "covers": ["h6", "l12"]}
    pair = (write(START, "b.json"), write(after, "a.json"))
    assert run("explain", *pair, "--json")[0] == 1
    status, out, _ = run("explain", *pair, "--plays", "2", "--json")
    assert status == 0 and {play["character"] for play in json.loads(out)["plays"]} == {"bert", "holmes"}
    assert run("explain", *pair, "--plays", "5")[0] == 2


BAD = {
    "no such file": None,
    "not JSON": "{",
    "not an object": "[1, 2]",
    "twice": '{"turn": 1, "turn": 2}',
    "too deep": "[" * 100_000,
    "unknown game": '{"game": "chess"}',
    "game no word": '{"game": 7}',
    "many faults": json.dumps({**with_disc(START, "holmes", hex="z9"), "turn": 12, "covers": ["g5"]}),
    "two on one hex": json.dumps(with_disc(START, "holmes", hex="g8")),
    "nine": json.dumps({**START, "characters": {**START["characters"], "moriarty": {"hex": "a1", "side": "suspect"}}}),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("command", ["witness", "moves", "explain"])
def test_bad_input_is_one_line_and_exit_two(run: Run, write: Callable[..., str], name: str, command: str) -> None:
    text = BAD[name]
    source = "nowhere.json" if text is None else write(text)
    more = {"witness": [], "moves": ["--character", "holmes"], "explain": [write(START, "after.json")]}[command]
    status, out, err = run(command, source, *more, "--json")
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1 and source in err
    if name == "many faults":
        assert all(word in err for word in ("z9", "turn: 12", "covers: 1 of them", "g5"))


def test_bad_words_after_a_play_are_bad_input(run: Run, write: Callable[..., str]) -> None:
    nine = {**START, "characters": {**START["characters"], "moriarty": {"hex": "a1"}}}
    for after in (
        nine,
        with_disc(START, "holmes", hex="z9"),
        {**START, "cordons": ["X", "SW"]},
        {**START, "edition": "revised-2016"},
    ):
        status, out, err = run("explain", write(START, "b.json"), write(after, "a.json"), "--json")
        assert (status, out, len(err.splitlines())) == (2, "", 1)


def test_an_unknown_character_and_a_missing_after(run: Run, write: Callable[..., str]) -> None:
    status, _, err = run("moves", write(START), "--character", "moriarty")
    assert status == 2 and "moriarty" in err and "holmes" in err
    assert run("explain", write(START))[0] == 2


def test_streams_answer_line_by_line_and_survive_bad_ones(run: Run) -> None:
    good = json.dumps(START)
    status, out, err = run("witness", "-", typed=f"{good}\n{{\n\n[]\n{good}\n")
    lines = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert [list(line) for line in lines] == [
        ["seen", "unseen", "because"],
        ["error"],
        ["error"],
        ["seen", "unseen", "because"],
    ]
    status, out, _ = run("moves", "-", "--character", "holmes", typed=f"{good}\nx\n")
    first, second = map(json.loads, out.splitlines())
    assert status == 0 and len(first["plays"]) == 28 and "error" in second
    pair = json.dumps([START, with_disc(START, "bert", hex="g10")])
    status, out, _ = run("explain", "-", typed=f"{pair}\n{good}\n[1]\n[{good}, {good}]\n")
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [a.get("verdict", "error") for a in answers] == ["illegal", "error", "error", "unchanged"]


def test_where_it_is_ambiguous_every_play_that_it_may_have_been_is_named(run: Run, write: Callable[..., str]) -> None:
    start = load("mr-jack-new-york").start("first-2009").to_json()
    before = {key: value for key, value in start.items() if key not in ("available", "played")}
    after = with_disc(before, "tumblety", hex="G12")
    status, out, _ = run("explain", write(before, "b.json"), write(after, "a.json"), "--json")
    answer = json.loads(out)
    assert (status, answer["verdict"]) == (1, "ambiguous")
    assert {"eastman", "tumblety"} <= {play["character"] for play in answer["plays"]}
    assert [[play] for play in answer["plays"]] == answer["alternatives"]
    status, out, _ = run("explain", write(before, "b.json"), write(after, "a.json"))
    told = out.splitlines()
    assert told[0] == "ambiguous" and len(told) == 1 + len(answer["plays"])
    assert all(line.startswith("  or: ") for line in told[2:])


def test_a_fault_of_ours_spoils_its_own_line_of_a_stream_only(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def errs(*_: object) -> None:
        raise KeyError("origin")

    monkeypatch.setattr(type(load()), "witness", errs)
    status, out, _ = run("witness", "-", typed=f"{json.dumps(START)}\n[]\n")
    assert status == 0
    first, second = (json.loads(line)["error"] for line in out.splitlines())
    assert first == "the companion erred (KeyError: 'origin')" and "JSON object" in second

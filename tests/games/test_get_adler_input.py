"""Bad input about Get Adler!: every fault at once, in words; acts and their notation; the commands from outside."""

import io
import json
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from get_adler_games import game_of_chance, played
from get_adler_positions import ROLES, after, confronted, fight, legal, position, state_of

from companion.cli import main
from companion.errors import BadInput, InvalidPosition
from companion.games import available, queries_of
from companion.games.get_adler.acts import parsed, read_act
from companion.games.get_adler.queries import QUERIES


def moves(data: Any) -> Any:
    return QUERIES.commands["moves"](data).data


def with_secret(**secret: Any) -> dict[str, Any]:
    data = position()
    data["secret"].update(secret)
    return data


def six_with_the_cards_of_five() -> dict[str, Any]:
    data = position(6, known=False)
    data["deck"] -= 13
    return data


ASKED = {"card": "question", "by": 0, "target": 0}
TWO = {"card": "binoculars", "by": 0, "target": 1, "taken": 2}
SHARPES = {**TWO, "by": 2}
ADVANCED = {"advanced": True, "expert": False}
SHOT = {"stage": "shoot", "row": [[0, "arrest"], [1, "gun"]]}
TOLD = {"hour": 1, "by": 0, "of": 1, "answer": "no"}
EYELESS = {role: {"hat": "x", "hair": "x", "coat": "x"} for role in ROLES}
BROKEN: list[tuple[str, Any]] = [
    ("must be a JSON object, not a list", [position()]),
    ("players: 3 is not one of 4, 5, 6", {**position(), "players": 3}),
    ("deck: '37 is not' is not a number", {**position(), "deck": "37 is not"}),
    ("65 of them, 4 play with 64: 1 card too many", {**position(known=False), "deck": 37}),
    ("77 of them, 6 play with 90 .*13 cards too few; those marked 6\\+ seem to be missing", six_with_the_cards_of_five()),
    ("2 bomb lie open, but there are 1 with 4 players", {**position(known=False), "deck": 34, "discard": ["bomb", "bomb"]}),
    ("discard: 'jewel' is not a card", {**position(), "discard": ["jewel"]}),
    ("an answer is awaited, but nobody was asked a question", position(step="answer")),
    ("^position: answer 1: of: null is not a seat; there are: 0 to 3$", position(answers=[{**TOLD, "of": None}])),
    ("^position: answer 1: must be an object, not 3$", position(answers=[3])),
    ("answer 1: there is a question but no answer", position(answers=[{**TOLD, "answer": None}])),
    ("answer 1: trait: 'shoes' is not one of", position(answers=[{**TOLD, "trait": "shoes"}])),
    ("answer 1: seat 1 asks himself", position(answers=[{**TOLD, "by": 1}])),
    ("answer 1: is of hour 5, but it is hour 1", position(answers=[{**TOLD, "hour": 5}])),
    ("only Gold takes two, and only in the advanced game", position(step="give", pending=TWO)),
    ("two cards were taken, but seat 2 is not Gold", position(revealed=True, step="give", variant=ADVANCED, pending=SHARPES)),
    ("pending: seat 0 has chosen himself", position(step="answer", pending=ASKED)),
    ("hour: 8 is not a number from 1 to 7", position(hour=8)),
    ("step: 'dance' is not one of", position(step="dance")),
    ("seats: 3 of them, but 4 play", {**position(known=False), "seats": position()["seats"][:3]}),
    ("seat 2: hand: missing", {**position(known=False), "seats": [{"hand": 7}, {"hand": 7}, {}, {"hand": 7}]}),
    ("seat 1: role: 'jack' is not one of", position(seats={1: {"role": "jack"}})),
    ("role gold is up, but roles are not revealed", position(seats={0: {"role": "gold"}}, known=False)),
    ("roles are revealed, but his is missing", position(revealed=True, seats={0: {"role": None}})),
    ("role: adler is at 2 seats", position(revealed=True, known=False, seats={0: {"role": "adler"}})),
    ("revealed in hour 2, but no arrest", {**position(revealed=True), "hour": 2}),
    ("more than 3 are known to be heroes", position(hour=5, known=False, seats={n: {"cleared": True} for n in range(4)})),
    ("was cleared by a false arrest and is adler", position(revealed=True, seats={1: {"cleared": True}})),
    ("seat 2: is out and cannot be on turn", position(revealed=True, seat=2, seats={2: {"alive": False}})),
    ("step confrontation: there is no confrontation", position(revealed=True, step="confrontation")),
    ("step draw: a confrontation is open", position(revealed=True, confrontation=fight())),
    ("confrontation: seat 2 is a hero", confronted(confrontation=fight(villain=2))),
    ("confrontation: seat 4 is a villain, and only heroes arrest", confronted(5, confrontation=fight(by=4))),
    ("a match is awaited, but no vehicle is named", confronted(confrontation=fight(stage="match"))),
    ("shots are 3 and 0, but 1 and 0 guns lie there", confronted(confrontation=fight(**SHOT, shots=[3, 0]))),
    ("its row does not begin with an arrest", confronted(confrontation=fight(row=[]))),
    ("wanted: a document is wanted by its service only in the expert", position(wanted="air")),
    ("wanted: the expert mission needs", position(variant={"advanced": False, "expert": True})),
    ("document-air: documents have no service unless", {**position(known=False), "deck": 35, "discard": ["document-air"]}),
    ("step over: it is not said who won", position(step="over")),
    ("'colour' is not part of a position", position(colour="red")),
    ("only she passes a card", position(5, revealed=True, step="pass")),
    ("secret: hand of seat 0 has 0 cards, but he holds 7", with_secret(hands=[[], [], [], []])),
    ("secret: hands must be 4 lists", with_secret(hands=[[]])),
    ("secret: deck has 1 cards, but 36 lie there", with_secret(deck=["gun"])),
    ("secret: roles .* are not one each of adler, gold, sharpe, townsend", with_secret(roles=["gold"] * 4)),
    ("secret: traits of sharpe are missing", with_secret(traits={"adler": {}})),
    ("secret: traits of gold: the colour of the eyes is missing", with_secret(traits=EYELESS)),
    ("secret: 'password' is not known", with_secret(password=1)),
]  # fmt: skip


@pytest.mark.parametrize(("words", "data"), BROKEN)
def test_what_cannot_be_is_told_in_words(words: str, data: Any) -> None:
    with pytest.raises(InvalidPosition, match=words):
        moves(data)


def test_all_faults_come_at_once() -> None:
    data = {**position(known=False), "deck": 40, "hour": 9, "step": "dance", "seat": 4, "rules": {"loot": "beg"}}
    with pytest.raises(InvalidPosition) as error:
        moves(data)
    assert len(error.value.faults) == 5


@pytest.mark.parametrize("key", ["players", "hour", "seat", "step", "seats", "deck", "discard", "revealed"])
def test_what_is_missing_is_named(key: str) -> None:
    data = position(known=False)
    del data[key]
    with pytest.raises(InvalidPosition, match=f"{key}: missing"):
        moves(data)


def test_whatever_a_value_is_no_position_ends_in_a_fault_of_ours() -> None:
    chance = random.Random(1)
    rubbish = [None, True, -1, 99, 3.5, "", "gun", [], [[]], {}, {"by": "x"}, [None], "unknown", ["gun", 7], [[1, 2, 3]]]
    good = [position(), confronted(5), position(step="answer", pending={"by": 0, "target": 2}), confronted(6, known=False)]
    refused = 0
    for _ in range(1000):
        data = json.loads(json.dumps(chance.choice(good)))
        holder = chance.choice([data, data["seats"][1], data.get("secret") or data, data.get("confrontation") or data])
        holder[chance.choice(list(holder))] = chance.choice(rubbish)
        try:
            moves(data)
            QUERIES.commands["deduce"](data)
        except BadInput:
            refused += 1
    assert refused > 500


BAD_ACTS = [
    ("must be a JSON object", [1]),
    ("act: 'fly' is not known", {"act": "fly"}),
    ("seat 7 is not a number from 0 to 3", {"act": "draw", "seat": 7}),
    ("card 'jewel' is not one of", {"act": "discard", "card": "jewel"}),
    ("trait 'shoes' is not one of hat, hair, eyes, coat", {"act": "play", "trait": "shoes"}),
    ("answer 'perhaps' is not one of yes, no", {"act": "answer", "answer": "perhaps"}),
    ("shots \\[1\\] are not two numbers", {"act": "shoot", "shots": [1]}),
    ("cards 'gun' is not a list of cards", {"act": "give", "cards": "gun"}),
    ("'colour_' is not part of an act", {"act": "play", "colour_": 1}),
]


@pytest.mark.parametrize(("words", "act"), BAD_ACTS)
def test_an_act_that_is_none_is_refused(words: str, act: Any) -> None:
    with pytest.raises(BadInput, match=words):
        read_act(act, 4)


def test_acts_round_trip_as_json_and_as_notation() -> None:
    for number in range(0, 40, 4):
        for step in played(game_of_chance(number), random.Random(number)):
            assert parsed(step.act.notation()) == step.act
            assert read_act(json.loads(json.dumps(step.act.to_json()))) == step.act


def test_a_target_has_other_names() -> None:
    assert read_act({"act": "play", "card": "question", "of": 2}).target == 2
    assert read_act({"act": "play", "card": "arrest", "to": 3}).target == 3


def test_an_accusation_is_read_in_each_way_it_may_be_noted() -> None:
    pending = {"card": "arrest", "by": 0, "target": 1}
    apart = position(hour=5, step="verdict", pending=pending)
    on_pile = {**apart, "discard": ["arrest"]}
    as_fight = {**apart, "pending": None, "confrontation": fight()}
    for data in (apart, on_pile, as_fight):
        assert moves(data) == {"acts": [{"act": "verdict", "seat": 1, "answer": "yes"}]}
        game = after(data, "verdict 1 answer=yes", "reveal -")
        assert game.table.fight.row == ((0, "arrest"),)
        assert not game.table.discard


def test_a_refill_that_nobody_needs_is_only_cleared_away() -> None:
    more = fight(row=[[0, "arrest"], [1, "disguise"]], stage="away")
    data = position(revealed=True, step="refill", confrontation=more)
    assert moves(data) == {"acts": [{"act": "refill"}]}
    game = after(data, "refill -")
    assert (game.table.step, game.table.seat, game.table.discard) == ("draw", 1, ("arrest", "disguise"))


def test_the_seat_of_a_return_may_be_that_of_either_villain() -> None:
    for seat in (1, 4):
        data = position(5, revealed=True, seat=seat, step="return", passed=True, hands={1: ("gun",)})
        assert moves(data) == {"acts": [{"act": "return", "seat": 1, "card": "gun"}]}


def test_notation_is_a_line_that_can_be_read() -> None:
    act = parsed("play 2 card=question target=0 trait=hat colour=dark%20red")
    assert act.to_json() == {"act": "play", "seat": 2, "card": "question", "target": 0, "trait": "hat", "colour": "dark red"}
    assert parsed("unmatched -").to_json() == {"act": "unmatched"}
    assert act.notation() == "play 2 card=question target=0 trait=hat colour=dark%20red"
    with pytest.raises(BadInput, match="the seat is missing"):
        parsed("draw")


def test_the_game_answers_questions_and_is_refereed_at_a_table() -> None:
    assert "get-adler" in available()
    queries = queries_of(position())
    assert queries is not None
    assert set(queries.commands) == {"moves", "explain", "deduce"}
    assert queries_of([position(), {}]) is queries


def run(*words: str, lines: list[Any] | None = None, monkeypatch: Any = None) -> int:
    if lines is not None:
        text = "\n".join(json.dumps(line) for line in lines)
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    return main(list(words))


def test_the_commands_answer_line_by_line(capsys: Any, monkeypatch: Any) -> None:
    match = {"row": [[0, "arrest"], [1, "escape-bus"]], "stage": "match", "vehicle": "escape-bus"}
    good = confronted(hands={0: ("escape-bus",)}, confrontation=fight(**match))
    assert run("moves", "-", lines=[good, {**good, "hour": 9}, good], monkeypatch=monkeypatch) == 0
    first, second, third = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == third == {"acts": [{"act": "match", "seat": 0, "card": "escape-bus"}, {"act": "unmatched"}]}
    assert "hour: 9" in second["error"]
    pairs = [[good, {"act": "unmatched"}], [good, {"act": "draw", "seat": 0}], [good]]
    assert run("explain", "-", lines=pairs, monkeypatch=monkeypatch) == 0
    first, second, third = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["verdict"] == "legal"
    assert [fault["code"] for fault in second["faults"]] == ["confrontation-open"]
    assert "must be a JSON array" in third["error"]
    assert run("deduce", "-", lines=[position(known=False)], monkeypatch=monkeypatch) == 0
    assert json.loads(capsys.readouterr().out)["deals"] == 24


def test_the_commands_take_files_and_say_no_by_their_exit_status(tmp_path: Path, capsys: Any) -> None:
    before, after, bad = (tmp_path / name for name in ("before.json", "after.json", "bad.json"))
    before.write_text(json.dumps(position(known=False)))
    after.write_text(json.dumps({"discard": ["gun"], "seats": [{"hand": 6}, {}, {}, {}]}))
    bad.write_text(json.dumps({**position(known=False), "deck": 40}))
    assert run("moves", str(before), "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"acts": [{"act": "draw", "seat": 0}]}
    assert run("moves", str(before)) == 0
    assert capsys.readouterr().out == "draw 0\n"
    assert run("explain", str(before), str(after)) == 1
    assert "played before drawing" in capsys.readouterr().out
    assert run("deduce", str(before)) == 0
    assert "not judged" in capsys.readouterr().out
    assert run("moves", str(bad)) == 2
    assert "4 cards too many" in capsys.readouterr().err


def test_a_command_of_another_game_is_refused_with_those_that_there_are(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "cards.json"
    path.write_text(json.dumps(position()))
    assert main(["witness", str(path)]) == 2
    assert "this game cannot be asked 'witness'; it answers: moves, explain, deduce" in capsys.readouterr().err


BUS_MATCHED = [[0, "arrest"], [1, "escape-bus"], [2, "escape-bus"]]


@pytest.mark.parametrize(
    ("stage", "row", "acts"),
    [
        ("respond", BUS_MATCHED, None),
        ("shoot", [*BUS_MATCHED, [1, "gun"]], {"shoot 2 card=gun", "hold 2"}),
        ("shoot", [*BUS_MATCHED, [1, "gun"], [2, "gun"]], {"shoot 1 card=gun", "hold 1"}),
        ("match", [*BUS_MATCHED, [1, "escape-car"]], {f"match {hero} card=escape-car" for hero in (0, 2, 3)} | {"unmatched -"}),
    ],
)
def test_what_a_row_tells_may_be_left_out_of_a_confrontation(stage: str, row: list[Any], acts: set[str] | None) -> None:
    data = confronted(4, known=False, confrontation={"by": 0, "villain": 1, "row": row, "stage": stage})
    assert state_of(data).table.fight.pursuer == 2
    assert acts is None or legal(data) == acts

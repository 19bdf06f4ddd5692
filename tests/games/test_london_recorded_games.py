"""Whole games, named after what they prove, replayed to the exact result. Told by record_games.py."""

import json
from pathlib import Path

import pytest

from companion.games.mr_jack_london import GAME
from companion.games.mr_jack_london.names import CHARACTERS

GAMES = sorted((Path(__file__).parent / "recorded").glob("*.json"))


def test_there_are_enough_games() -> None:
    assert len(GAMES) >= 10


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_replay(path: Path) -> None:
    record = json.loads(path.read_text(encoding="utf-8"))
    assert record["name"] == path.stem and record["proves"]
    position = GAME.start(record["edition"])
    outcome = None
    for event in record["events"]:
        assert outcome is None, "nothing happens after the end"
        if event["event"] == "deal":
            told = {**position.to_json(), "available": event["cards"], "played": []}
            position = GAME.position(told)
        elif event["event"] == "illegal":
            explained = GAME.explain(position, GAME.parse(event["table"], tolerant=True))
            assert explained.verdict == "illegal"
            assert [fault.code for fault in explained.faults] == event["faults"]
        elif event["event"] == "play":
            after = GAME.parse(event["position"], tolerant=event["ends"] is not None)
            assert GAME.mover(position) == event["by"]
            plays = [p for p in GAME.plays(position, event["character"]) if (p.position, p.ends) == (after, event["ends"])]
            assert len(plays) == 1, "exactly one legal play leads there"
            explained = GAME.explain(position, after)
            assert explained.verdict == "legal"
            (play,) = explained.alternatives[0]
            assert (play.character, play.ability, play.ends) == (event["character"], event["ability"], event["ends"])
            assert "{" not in play.text.format(**play.params)
            position = after
            outcome = GAME.outcome(position, play, record["jack"])
        elif event["event"] == "call":
            assert (record["jack"] in GAME.witness(position).seen) == event["seen"]
            position = GAME.call(position, event["seen"])
            assert position == GAME.parse(event["position"])
            assert record["jack"] in GAME.suspects(position)
        else:
            position = GAME.close_turn(position)
            assert position == GAME.parse(event["position"])
    assert outcome is not None
    assert {"winner": outcome.winner, "code": outcome.code} == record["result"]
    assert "{" not in outcome.message


def events(name: str, kind: str = "play") -> list[dict[str, object]]:
    record = json.loads((Path(__file__).parent / "recorded" / f"{name}.json").read_text(encoding="utf-8"))
    return [event for event in record["events"] if event["event"] == kind]


def test_each_character_is_used_once_in_two_turns() -> None:
    plays = events("eighth-turn-jack-wins")
    assert len(plays) == 32
    for first in range(0, 32, 8):
        assert {play["character"] for play in plays[first : first + 8]} == set(CHARACTERS)


def test_the_numbered_lamp_went_out_where_it_lay() -> None:
    played = GAME.parse(events("lamp-keeps-its-number")[3]["position"])
    closed = GAME.parse(events("lamp-keeps-its-number", "close")[0]["position"])
    assert dict(played.gaslights)["f9"] == 1 and "b2" not in dict(played.gaslights)
    assert dict(closed.gaslights) == {spot: label for spot, label in played.gaslights if spot != "f9"}


def test_whoever_moved_watson_aimed_him() -> None:
    swap = events("gull-swaps-watson-and-aims")[0]
    assert swap["ability"] == "swap"
    assert GAME.parse(swap["position"]).facing == "S"


def test_the_cover_came_off_before_bert_went_down() -> None:
    travel = next(e for e in events("bert-opens-then-travels") if e["character"] == "bert" and e["moves"][0]["piece"] == "cover"
                  and e["moves"][1]["to"] == "c2")  # fmt: skip
    assert travel["moves"][0]["from"] == "c2"
    assert travel["moves"][1]["path"] == ["h6", "c2"]


def test_this_whistle_only_works_before_the_walk() -> None:
    before = GAME.start()
    play = events("whistle-before-walking")[0]
    (explained,) = GAME.explain(before, GAME.parse(play["position"])).alternatives[0]
    assert explained.moves[-1].piece == "goodley" and len(explained.moves) > 1


def test_holmes_turns_nobody_over() -> None:
    holmes = next(e for e in events("holmes-by-jack") if e["character"] == "holmes")
    assert holmes["by"] == "jack" and holmes["ability"] == "draw_alibi"
    assert GAME.suspects(GAME.parse(holmes["position"])) == CHARACTERS

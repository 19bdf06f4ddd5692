"""Whole games of New York, named after what they prove, replayed to the exact result. Told by record_new_york_games.py."""

import json
from collections import Counter
from pathlib import Path

import pytest

from companion.games.mr_jack_new_york import GAME
from companion.games.mr_jack_new_york.names import CHARACTERS

FOLDER = Path(__file__).parent / "recorded_new_york"
GAMES = sorted(FOLDER.glob("*.json"))


def test_there_are_enough_games() -> None:
    assert len(GAMES) >= 10


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_replay(path: Path) -> None:
    record = json.loads(path.read_text(encoding="utf-8"))
    assert record["name"] == path.stem and record["proves"]
    position = GAME.start()
    outcome = None
    for event in record["events"]:
        assert outcome is None, "nothing happens after the end"
        if event["event"] == "deal":
            position = GAME.position({**position.to_json(), "available": event["cards"], "played": []})
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
            assert play.text.format(**play.params) == event["says"]
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
    record = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return [event for event in record["events"] if event["event"] == kind]


def test_the_supply_is_just_enough_for_eight_turns() -> None:
    plays = events("eighth-turn-jack-wins")
    assert Counter(play["character"] for play in plays) == dict.fromkeys(CHARACTERS, 4)
    last = GAME.parse(plays[-1]["position"])
    assert len(last.tiles) == 17 and sum(label == "park" for _, label in last.tiles) == 4
    first = next(play for play in plays if play["character"] == "beach")
    assert first["ability"] == "build_subway"


def test_he_rode_to_the_subway_he_had_just_built() -> None:
    play = events("subway-taken-as-soon-as-built")[8]
    assert [move["piece"] for move in play["moves"]] == ["tile subway", "beach"]
    assert play["moves"][1]["path"] == ["G8", "M6"]


def test_the_park_stays_dark() -> None:
    play = events("lamp-turned-into-a-park")[0]
    assert dict(GAME.parse(play["position"]).tiles)["M12"] == "park"
    assert "lamp M12" not in str(GAME.witness(GAME.parse(play["position"])).because)


def test_the_informant_talks_again_in_the_next_turn() -> None:
    met = GAME.parse(events("informant-met-by-beach")[8]["position"])
    assert (met.informant, met.informant_side) == ("M2", "silent")
    closed = GAME.parse(events("informant-met-by-beach", "close")[2]["position"])
    assert closed.informant_side == "talkative"


def test_illegal_attempts_are_named() -> None:
    assert events("touching-subways-are-flagged", "illegal")[0]["faults"] == ["build-touching"]
    assert events("lamp-turned-into-a-park", "illegal")[0]["faults"] == ["parks-several"]
    assert events("barricade-slides-by-one-hex", "illegal")[0]["faults"] == ["barricade-short"]
    early = [event["faults"][0] for event in events("no-escape-in-turn-one", "illegal")]
    assert early == ["escape-not-jack", "escape-first-turn"]


@pytest.mark.parametrize("name", ["out-by-land-under-an-unseen-card", "smith-brings-his-own-boat"])
def test_jack_got_away(name: str) -> None:
    last = events(name)[-1]
    assert last["ends"] == "escape" and last["by"] == "jack"

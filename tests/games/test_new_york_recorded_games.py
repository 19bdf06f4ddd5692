"""Whole games of New York, named after what they prove, replayed to the exact result. Told by record_new_york_games.py."""

from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from replaying import events as recorded_events
from replaying import replay

from companion.games.mr_jack_new_york import GAME
from companion.games.mr_jack_new_york.names import CHARACTERS

FOLDER = Path(__file__).parent / "recorded_new_york"
GAMES = sorted(FOLDER.glob("*.json"))


def test_there_are_enough_games() -> None:
    assert len(GAMES) >= 10


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_replay(path: Path) -> None:
    replay(GAME, path)


events = partial(recorded_events, FOLDER, kind="play")


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
    closed = GAME.parse(events("informant-met-by-beach", kind="close")[2]["position"])
    assert closed.informant_side == "talkative"


def test_illegal_attempts_are_named() -> None:
    assert events("touching-subways-are-flagged", kind="illegal")[0]["faults"] == ["build-touching"]
    assert events("lamp-turned-into-a-park", kind="illegal")[0]["faults"] == ["parks-several"]
    assert events("barricade-slides-by-one-hex", kind="illegal")[0]["faults"] == ["barricade-short"]
    early = [event["faults"][0] for event in events("no-escape-in-turn-one", kind="illegal")]
    assert early == ["escape-not-jack", "escape-first-turn"]


@pytest.mark.parametrize("name", ["out-by-land-under-an-unseen-card", "smith-brings-his-own-boat"])
def test_jack_got_away(name: str) -> None:
    last = events(name)[-1]
    assert last["ends"] == "escape" and last["by"] == "jack"

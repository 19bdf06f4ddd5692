"""Whole games, named after what they prove, replayed to the exact result. Told by record_games.py."""

from functools import partial
from pathlib import Path

import pytest
from replaying import events as recorded_events
from replaying import replay

from companion.games.mr_jack_london import GAME
from companion.games.mr_jack_london.names import CHARACTERS

FOLDER = Path(__file__).parent / "recorded"
GAMES = sorted(FOLDER.glob("*.json"))


def test_there_are_enough_games() -> None:
    assert len(GAMES) >= 10


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_replay(path: Path) -> None:
    replay(GAME, path)


events = partial(recorded_events, FOLDER, kind="play")


def test_each_character_is_used_once_in_two_turns() -> None:
    plays = events("eighth-turn-jack-wins")
    assert len(plays) == 32
    for first in range(0, 32, 8):
        assert {play["character"] for play in plays[first : first + 8]} == set(CHARACTERS)


def test_the_numbered_lamp_went_out_where_it_lay() -> None:
    played = GAME.parse(events("lamp-keeps-its-number")[3]["position"])
    closed = GAME.parse(events("lamp-keeps-its-number", kind="close")[0]["position"])
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

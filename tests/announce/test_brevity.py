"""What is heard of an event: two sentences at most, like things said as one, no addresses; the page keeps the whole."""

import re
from typing import Any

import pytest

from companion.announce.brevity import for_the_ear, merge_repeats
from companion.announce.languages import LANGUAGES
from companion.announce.phrases import Phrases
from companion.announce.translator import translator
from companion.games import load

GAME = load("mr-jack-london")
NAMES = {piece.id: piece.name for piece in GAME.pieces().pieces.values()}


def event(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind, "data": data, "number": 1, "at": 0.0}


@pytest.mark.parametrize(
    "address", ["http://192.168.1.20:8080/video", "rtsp://user:pw@cam.lan/stream", "/media/films/film.mp4"]
)
def test_no_address_is_spoken(address: str) -> None:
    said = for_the_ear(f"{address}: nothing arrives. It is tried again.", "The camera")
    assert said == "The camera: nothing arrives. It is tried again."


def test_at_most_two_sentences_are_spoken() -> None:
    assert for_the_ear("One. Two! Three? Four.", "") == "One. Two!"
    assert for_the_ear("一。二。三。", "") == "一。二。"
    assert for_the_ear("Bert went 4 steps, he may go 3: put him back.", "") == "Bert went 4 steps, he may go 3: put him back."


def test_things_that_differ_in_one_word_are_said_as_one() -> None:
    turn = "Turn {character} to the {side} side."
    chores = [{"text": turn, "params": {"character": name, "side": "innocent"}} for name in ("Bert", "Gull", "Smith")]
    lamp = {"text": "Take gaslight {lamp} away from {place}.", "params": {"lamp": 1, "place": "b2"}}
    back = {"text": turn, "params": {"character": "Holmes", "side": "suspect"}}
    assert [item["params"] for item in merge_repeats([chores[0], lamp, *chores[1:], back])] == [
        {"character": "Bert, Gull, Smith", "side": "innocent"},
        {"lamp": 1, "place": "b2"},
        {"character": "Holmes", "side": "suspect"},
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_ten_faults_are_read_and_two_are_heard(language: str) -> None:
    fault = {
        "text": "{character} was moved from {origin} to {to} though {player} was played: put {character} back on {origin}.",
        "code": "other-moved",
    }
    faults = [
        {**fault, "params": {"character": NAMES[name], "origin": "g5", "to": f"e{row}", "player": NAMES["bert"]}}
        for row, name in enumerate(GAME.characters, start=1)
    ]
    told = Phrases(translator(language), NAMES).announce(event("flag", {"verdict": "illegal", "faults": faults, "chores": []}))
    assert told is not None
    assert len(told.text) > 3 * len(told.aloud) and told.text.startswith(told.aloud)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_hears_of_frame_markers(language: str) -> None:
    reason = "the board is not found: 0 of the frame markers 0, 1, 2, 3 seen, at least 2 are needed"
    data = {"code": "board-lost", "text": "{reason}", "params": {"reason": reason}}
    told = Phrases(translator(language)).announce(event("notice", data))
    assert told is not None and not re.search(r"\d", told.aloud) and re.search(r"\d", told.text)


def test_words_of_people_are_not_cut_short() -> None:
    reason = "Spoke to Jack. Twice. And again."
    told = Phrases().announce(event("ruling", {"action": "penalty", "against": "detective", "reason": reason}))
    assert told is not None and told.aloud == told.text and reason in told.aloud


def test_a_call_is_two_sentences_and_the_rest_follows_when_the_first_is_done() -> None:
    turn = {"code": "turn-disc", "text": "Turn {character} to the {side} side."}
    chores = [{**turn, "subject": name, "params": {"character": name, "side": "innocent"}} for name in ("Bert", "Gull")]
    lamp = {"code": "take-lamp", "text": "Take gaslight {lamp} away from {place}.", "params": {"lamp": 1, "place": "b2"}}
    phrases = Phrases(names=NAMES)
    told = phrases.announce(event("call", {"seen": False, "cleared": ["bert", "gull"], "chores": [*chores, lamp]}))
    assert told is not None and told.aloud == "Jack is not seen. Turn Bert, Gull to the innocent side."
    rest = phrases.announce(event("chores", {"chores": [lamp], "next": True}))
    assert rest is not None and rest.aloud == "Take gaslight 1 away from b2."
    assert phrases.announce(event("chores", {"chores": [lamp]})) is None
    nobody = phrases.announce(event("call", {"seen": True, "cleared": [], "chores": [lamp]}))
    assert nobody is not None and nobody.aloud == "Jack is seen, and nobody is cleared. Take gaslight 1 away from b2."

"""Whole recorded games of every kind, shown to the referee look by look: what it says is what the record of the game says."""

import json
from pathlib import Path
from typing import Any

import pytest
from scripted_table import Hands

from companion.announce.languages import LANGUAGES
from companion.announce.phrases import Phrases
from companion.announce.translator import translator
from companion.games import load
from companion.host.report import as_csv, as_html
from companion.record.commitment import commit
from companion.referee.audit import audit
from companion.referee.match import fold
from companion.referee.view import view

GAMES = Path(__file__).parents[1] / "games"
FOLDERS = {"recorded": "mr-jack-london", "recorded_new_york": "mr-jack-new-york"}
RECORDED = [path for folder in FOLDERS for path in sorted((GAMES / folder).glob("*.json"))]
ASKED, ENTRUSTED, SEALED = "asked", "entrusted", "sealed"
NONCE = bytes(range(32))


def replay(path: Path, secret: str, until: str = "") -> Hands:
    """Every event of a recorded game happens on the table; the referee is asked nothing but what people would say. ``until``:
    no further once an event of this kind is on record."""
    record = json.loads(path.read_text(encoding="utf-8"))
    game = load(FOLDERS[path.parent.name])
    first = next(event["position"] for event in record["events"] if "position" in event)
    hands = Hands.at_start(game.parse(first, tolerant=True).edition, game, jack=record["jack"] if secret == ENTRUSTED else None)
    hands.see()
    if secret == ENTRUSTED:
        hands.write_secret()
    if secret == SEALED:
        hands.say(kind="seal", commitment=commit(hands.match.id, record["jack"], NONCE))
    for event in record["events"]:
        if until and any(one.kind == until for one in hands.events):
            break
        STEPS[event["event"]](hands, event)
    return hands


def dealt(hands: Hands, event: dict[str, Any]) -> None:
    assert hands.match.phase == "play"
    hands.say(kind="cards", characters=event["cards"])
    assert set(hands.match.position.available) == set(event["cards"])


def wrong(hands: Hands, event: dict[str, Any]) -> None:
    hands.lay(hands.game.parse(event["table"], tolerant=True))
    said = hands.see()
    if "unfinished" in said:
        said += hands.wait(46)
    assert "flag" in said
    # A disc that is lifted and played by nobody is first of all missing.
    assert [fault["code"] for fault in hands.match.flag["faults"]] in (event["faults"], ["vanished"])
    way_back = hands.match.flag["chores"]
    assert way_back and all(chore["text"] for chore in way_back)
    hands.lay(hands.match.position)
    assert "flag-cleared" in hands.see(), "doing what is asked for is the way back"
    assert hands.match.flag is None


def played(hands: Hands, event: dict[str, Any]) -> None:
    assert hands.match.mover == event["by"]
    before = len(hands.match.picks)
    after = hands.game.parse(event["position"], tolerant=event["ends"] is not None)
    hands.lay(after)
    said = hands.see()
    if event["ends"]:
        assert said == ["unfinished"], "the end of a game must rest on the table before it counts"
        said = hands.wait(6)
        assert "accusation" in said
    if hands.match.doubt is not None:
        texts = [one["plays"][-1]["character"] for one in hands.match.doubt["alternatives"]]
        said += hands.say(kind="choose", alternative=texts.index(event["character"]))
    assert "play" in said and "flag" not in said and len(hands.match.picks) == before + 1
    play = hands.match.picks[-1].play
    assert (play["character"], play["ability"], play["ends"]) == (event["character"], event["ability"], event["ends"])
    assert play["text"].format(**play["params"]) == event["says"]
    assert hands.match.position_from(play["position"]) == after


def called(hands: Hands, event: dict[str, Any]) -> None:
    if hands.jack is None:
        assert hands.match.question is not None and hands.match.question["kind"] == "call"
        hands.say(kind="call", seen=event["seen"])
    assert hands.match.phase == "clean-up" and hands.match.state.called["seen"] == event["seen"]
    assert hands.match.position == hands.game.parse(event["position"])


def closed(hands: Hands, event: dict[str, Any]) -> None:
    expected = hands.match.expected
    assert expected == hands.game.parse(event["position"])
    assert {chore["subject"] for chore in hands.match.chores} == set(hands.match.duties)
    hands.lay(expected)
    assert hands.see()[0] == "clean-up"


STEPS = {"deal": dealt, "illegal": wrong, "play": played, "call": called, "close": closed}


@pytest.mark.parametrize("secret", [ASKED, ENTRUSTED, SEALED])
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_recorded_game_is_followed_to_its_result(path: Path, secret: str) -> None:
    record = json.loads(path.read_text(encoding="utf-8"))
    hands = replay(path, secret)
    if hands.match.question is not None:
        hands.say(kind="reveal", character=record["jack"], **({"nonce": NONCE.hex()} if secret != ASKED else {}))
    outcome = hands.match.outcome
    assert outcome is not None and (outcome["winner"], outcome["code"]) == (
        record["result"]["winner"],
        record["result"]["code"],
    )
    if secret != ENTRUSTED:
        assert "secret" not in {event.kind for event in hands.events} or hands.match.commitment
        assert record["jack"] not in json.dumps([event.to_json() for event in hands.events if event.kind == "secret"])
    assert fold(hands.game, hands.events) == hands.match
    assert audit(hands.game, hands.events)[1] == []
    assert json.loads(json.dumps(view(hands.match))) == view(hands.match)


def test_exports_tell_a_whole_game_in_every_language() -> None:
    hands = replay(GAMES / "recorded_new_york" / "informant-met-by-beach.json", ENTRUSTED)
    told = set()
    for language in LANGUAGES:
        page = as_html(hands.game, hands.events, Phrases(translator(language)))
        table = as_csv(hands.game, hands.events, Phrases(translator(language)))
        assert "{" not in table.replace("{}", "")
        told.add(table)
        assert page.count('role="img"') == sum(event.kind == "turn-opened" for event in hands.events) + 1
    assert len(told) == len(LANGUAGES)


@pytest.mark.parametrize("make", [as_html, as_csv])
def test_a_report_calls_people_by_their_names(make: Any) -> None:
    """It called them by their ids with a capital, "Cloud_rider"."""
    hands = replay(GAMES / "recorded_new_york" / "informant-met-by-beach.json", ENTRUSTED)
    report = make(hands.game, hands.events)
    names = {piece.id: piece.name for piece in hands.game.pieces().pieces.values()}
    cleared = [event.data["cleared"] for event in hands.events if event.kind == "call" and event.data["cleared"]]
    assert any("cloud_rider" in call for call in cleared)
    for call in cleared:
        assert f"Cleared: {', '.join(names[one] for one in call)}." in report
    assert "Cloud_rider" not in report


def test_whoever_gets_away_is_said_to_have_left_what_the_play_says() -> None:
    """The play left Manhattan, the end "the district"."""
    hands = replay(GAMES / "recorded_new_york" / "smith-brings-his-own-boat.json", ASKED)
    hands.say(kind="reveal", character="smith")
    assert hands.last("play").data["text"].startswith("{character} leaves Manhattan")
    assert hands.last("outcome").data["message"] == "Smith was Jack and has left Manhattan. Jack wins."

"""Replays a recorded whole game to the exact result: every play is found by enumeration and by explanation."""

import json
from pathlib import Path
from typing import Any

from companion.games.mr_jack.deduction import choices
from companion.games.mr_jack.investigation import Investigation


def replay(game: Investigation, path: Path) -> None:
    """Assert that the game of this record goes as it says."""
    record = json.loads(path.read_text(encoding="utf-8"))
    assert record["name"] == path.stem and record["proves"]
    position = game.start(record.get("edition"))
    outcome = None
    for event in record["events"]:
        assert outcome is None, "nothing happens after the end"
        if event["event"] == "deal":
            position = game.position({**position.to_json(), "available": event["cards"], "played": []})
        elif event["event"] == "illegal":
            explained = game.explain(position, game.parse(event["table"], tolerant=True))
            assert explained.verdict == "illegal"
            assert [fault.code for fault in explained.faults] == event["faults"]
        elif event["event"] == "play":
            play = _replayed(game, position, event)
            position = play.position
            outcome = game.outcome(position, play, record["jack"])
        elif event["event"] == "call":
            assert (record["jack"] in game.witness(position).seen) == event["seen"]
            position = game.call(position, event["seen"])
            assert position == game.parse(event["position"])
            assert record["jack"] in game.suspects(position)
        else:
            position = game.close_turn(position)
            assert position == game.parse(event["position"])
    assert outcome is not None
    assert {"winner": outcome.winner, "code": outcome.code} == record["result"]
    assert "{" not in outcome.message


def _replayed(game: Investigation, position: Any, event: dict[str, Any]) -> Any:
    after = game.parse(event["position"], tolerant=event["ends"] is not None)
    assert game.mover(position) == event["by"]
    assert event["character"] in game.candidates(position)
    every = game.every_play(position, event["character"], game.mover(position), choices(game.house_rules, None))
    assert any((play.position, play.ends) == (after, event["ends"]) for play in every), "a legal play leads there"
    explained = game.explain(position, after)
    assert explained.verdict == "legal"
    (play,) = explained.alternatives[0]
    assert play.position == after
    assert (play.character, play.ability, play.ends) == (event["character"], event["ability"], event["ends"])
    assert play.text.format(**play.params) == event["says"]
    return play


def events(folder: Path, name: str, kind: str) -> list[dict[str, Any]]:
    """The events of one kind in a record."""
    record = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return [event for event in record["events"] if event["event"] == kind]

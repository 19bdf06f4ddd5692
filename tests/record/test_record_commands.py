"""``companion replay`` and ``companion verify`` as a person uses them."""

import csv
import io
import json
import sqlite3
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from scripted_table import Hands, settled_hands

from companion import games
from companion.cli import main
from companion.record.commitment import commit
from companion.record.log import Record

NONCE = bytes(range(32))


def a_sealed_game(jack: str = "smith", *, answer: bool = True) -> Hands:
    """One turn, the call answered, then Holmes accuses Smith in turn 3 … shortened: the accusation is in turn 2."""
    hands = settled_hands()
    hands.say(kind="seal", commitment=commit("g1", jack, NONCE))
    hands.move("holmes", "e6").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    hands.say(kind="call", seen=answer)
    hands.lay(hands.match.expected)
    hands.see()
    return hands


def stored(hands: Hands, path: Path) -> Path:
    with Record.open(path) as record:
        for event in hands.events:
            record.append(event.kind, event.data, event.at)
    return path


def test_replay_folds_to_the_exact_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands = a_sealed_game()
    path = stored(hands, tmp_path / "g.record")
    assert main(["replay", str(path), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["position"] == hands.match.position.to_json() and shown["phase"] == "play" and shown["turn"] == 2
    assert shown["head"] == hands.events[-1].digest and shown["findings"] == []
    played = next(event.number for event in hands.events if event.kind == "play")
    assert main(["replay", str(path), "--until", str(played)]) == 0
    told = capsys.readouterr().out
    assert "played: holmes\n" in told and "outcome: -\n" in told
    for beyond in ("0", "-1", "9999"):
        assert main(["replay", str(path), "--until", beyond]) == 2
        assert f"1 to {len(hands.events)} are allowed" in capsys.readouterr().err


def test_verify_proves_a_true_game_and_its_opening(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands = a_sealed_game()
    hands.write([])
    path = stored(hands, tmp_path / "g.record")
    assert main(["verify", str(path), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["ok"] is True and shown["events"] == len(hands.events)
    assert main(["verify", str(path), "--head", hands.events[5].digest[:12]]) == 0
    capsys.readouterr()
    assert main(["verify", str(path), "--head", "ffffff"]) == 1
    assert "another record" in capsys.readouterr().out


def test_verify_finds_the_lie_once_the_seal_is_opened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands = a_sealed_game("watson", answer=True)  # Watson was unseen, the call said seen, and so cleared him
    with Record.open(tmp_path / "g.record") as record:
        for event in hands.events:
            record.append(event.kind, event.data, event.at)
        record.append("opening", {"character": "watson", "nonce": NONCE.hex()}, 1.0)
    assert main(["verify", str(tmp_path / "g.record")]) == 1
    out = capsys.readouterr().out
    assert "Jack (watson) was not seen, the call of turn 1 says seen" in out
    with Record.open(tmp_path / "g.record") as record:
        record.append("opening", {"character": "smith", "nonce": NONCE.hex()}, 1.0)
    assert main(["verify", str(tmp_path / "g.record")]) == 1
    assert "not what was committed to" in capsys.readouterr().out


def test_verify_names_the_event_that_was_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = stored(a_sealed_game(), tmp_path / "g.record")
    connection = sqlite3.connect(path)
    connection.executescript("DROP TRIGGER events_are_never_changed; UPDATE events SET data = '{}' WHERE number = 5;")
    connection.close()
    assert main(["verify", str(path)]) == 1
    assert capsys.readouterr().out.startswith("event 5 ")
    assert main(["replay", str(path)]) == 2
    assert "event 5" in capsys.readouterr().err


def test_bad_records_are_one_line_and_status_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text").write_text("hello" * 500)
    with Record.open(tmp_path / "empty"):
        pass
    with Record.open(tmp_path / "headless") as record:
        record.append("play", {}, 1.0)
    with Record.open(tmp_path / "other") as record:
        record.append("match-opened", {"game": "chess"}, 1.0)
    for name in ("nowhere", "text", "empty", "headless", "other"):
        for command in ("replay", "verify"):
            assert main([command, str(tmp_path / name)]) == 2
            error = capsys.readouterr().err
            assert error.count("\n") == 1 and error.startswith("companion: ")


def test_export_as_lines_can_be_verified_without_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands = a_sealed_game()
    path, lines = stored(hands, tmp_path / "g.record"), tmp_path / "g.jsonl"
    assert main(["export", str(path), "--output", str(lines)]) == 0
    assert len(lines.read_text().splitlines()) == len(hands.events) + 1
    assert main(["verify", str(lines)]) == 0
    lines.write_text(lines.read_text().replace('"to":"e6"', '"to":"e7"'))
    capsys.readouterr()
    assert main(["verify", str(lines)]) == 1
    assert "was changed" in capsys.readouterr().out
    lines.write_text('{"format":"record-lines/1"}\nnonsense\n')
    assert main(["verify", str(lines)]) == 2
    assert "line 2" in capsys.readouterr().err
    lines.write_text('{"format":"record-lines/1"}\n{"number":"1","at":0,"kind":"x","data":[],"digest":""}\n')
    assert main(["verify", str(lines)]) == 2
    assert "line 2" in capsys.readouterr().err
    assert main(["export", str(path), "--output", str(tmp_path / "no" / "file")]) == 2


def test_export_for_organisers_and_players(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands = a_sealed_game()
    path = stored(hands, tmp_path / "g.record")
    assert main(["export", str(path), "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == len(hands.events)
    play = next(row for row in rows if row["kind"] == "play")
    assert (play["turn"], play["pick"], play["player"], play["character"]) == ("1", "1", "detective", "holmes")
    assert (rows[0]["turn"], rows[0]["player"]) == ("", ""), "what an event does not say is empty"
    assert "Holmes goes from g5 to e6" in play["text"] and play["notation"].startswith("first-2006 1 ")
    assert main(["export", str(path), "--format", "html"]) == 0
    page = capsys.readouterr().out
    assert page.count('role="img"') == 3 and "Holmes goes from g5 to e6" in page and hands.events[-1].digest in page
    assert "name='viewport'" in page
    for rule in games.load().house_rules:
        assert f"<li data-rule='{rule.name}'>{escape(rule.text)} <b>" in page
    assert "<b>all of them</b>" in page and "spend-all" not in page
    for picture in page.split("<svg")[1:]:
        ElementTree.fromstring("<svg" + picture.split("</svg>")[0] + "</svg>")

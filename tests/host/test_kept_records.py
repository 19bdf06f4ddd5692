"""Records kept by an earlier build open, show what they showed, go on and are verified: the record's contract with old games.

``tests/fixtures/kept/NAME.record`` is the record as that build left it (``cut-off`` with the log of a killed process),
``NAME.json`` the snapshot it showed then. They are never written anew; a new moment of a game is a new fixture.
"""

import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "referee"))

from random_game import step
from scripted_table import NONCE, Hands

from companion.cli import main
from companion.games import load
from companion.games.game import Game
from companion.host.entrusting import Entrusting
from companion.host.ledger import Ledger
from companion.host.secrets import Secrets
from companion.record.commitment import opens
from companion.record.events import Event
from companion.record.log import Record
from companion.referee.match import fold
from companion.referee.view import view

KEPT = Path(__file__).parents[1] / "fixtures" / "kept"
NAMES = sorted(path.stem for path in KEPT.glob("*.record"))


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    for path in KEPT.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    if (secret := tmp_path / "entrusted-mid-turn.secret").exists():
        secret.chmod(0o600)
    return tmp_path


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> Iterator[str]:
    yield request.param


SINCE = {"seats", "secrets", "expects", "seals", "whose_play"}
"""What the snapshot has beside all that it had when the fixtures were made (version 1.1 in docs/api.md)."""


def test_a_dozen_moments_are_kept() -> None:
    assert len(NAMES) >= 12


def at(game: Game, events: Sequence[Event], number: int) -> object:
    """The position once the event with a number was written."""
    return fold(game, [event for event in events if event.number <= number]).position


def test_a_kept_record_shows_the_snapshot_it_showed(kept: Path, name: str) -> None:
    told = (kept / f"{name}.json").read_text(encoding="utf-8")
    with Record.open(kept / f"{name}.record") as record:
        events = record.events()
        game = load(str(events[0].data["game"]))
        match = Ledger(game, record, lambda: 5000.0).match
    shown, before = view(match), json.loads(told)
    assert set(shown) - set(before) == SINCE
    shown = {key: value for key, value in shown.items() if key not in SINCE}
    # Where the game stands is no moment to take it back to any more, nor is one from which an open question followed by itself;
    # it was listed as the last one.
    stands = [one for one in before["take_back"] if at(game, events, one["number"]) == match.position]
    stands = stands if match.playing or match.question is not None else []
    assert stands == before["take_back"][len(shown["take_back"]) :]
    shown["take_back"] += stands
    assert json.dumps(shown, ensure_ascii=False, separators=(",", ":")) + "\n" == told


def test_a_kept_record_is_verified(kept: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(kept / f"{name}.record"), "--json"]) == 0, capsys.readouterr().out
    assert json.loads(capsys.readouterr().out)["ok"] is True
    assert main(["replay", str(kept / f"{name}.record"), "--json"]) == 0
    replayed, told = json.loads(capsys.readouterr().out), json.loads((kept / f"{name}.json").read_text(encoding="utf-8"))
    assert (replayed["number"], replayed["position"]) == (told["number"], told["position"])


def test_a_kept_record_is_gone_on_with(kept: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = kept / f"{name}.record"
    with Record.open(path) as record:
        game = load(str(record.events()[0].data["game"]))
        ledger = Ledger(game, record, lambda: 5000.0)
        hands, chance, before = Hands(game, ledger.match), random.Random(3), ledger.match.number

        def write(drafts: list) -> list[str]:
            ledger.write(drafts)
            hands.match = replace(ledger.match, table=hands.match.table)
            return [draft.kind for draft in drafts]

        hands.write = write  # type: ignore[method-assign]
        if hands.match.adjourned:
            hands.say(kind="rule", action="resume", reason="we are back")
        hands.lay(hands.match.expected or hands.match.position)
        hands.see()
        question = hands.match.question
        if question is not None and question["kind"] != "call":
            hands.say(kind="reveal", character=hands.match.picks[-1].character)
        for _ in range(2):
            step(hands, chance)
        assert hands.match.number > before or hands.match.phase == "over"
    assert main(["verify", str(path), "--json"]) == 0, capsys.readouterr().out


def test_a_secret_entrusted_to_an_earlier_build_still_answers(kept: Path) -> None:
    with Record.open(kept / "entrusted-mid-turn.record") as record:
        match = Ledger(load("mr-jack-new-york"), record, lambda: 5000.0).match
        assert not Entrusting(Secrets.open(kept / "entrusted-mid-turn.secret")).lost(match)
        assert Entrusting(Secrets.open(kept / "none.secret")).lost(match)


def test_a_seal_of_an_earlier_build_is_opened_by_what_was_kept(kept: Path) -> None:
    with Record.open(kept / "call-answered-anew.record") as record:
        match = Ledger(load("mr-jack-london"), record, lambda: 5000.0).match
    assert match.commitment is not None and opens(match.commitment, match.id, "smith", NONCE.hex())


def test_a_record_cut_off_with_its_log_is_read_without_a_new_file(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(path.name for path in kept.iterdir())
    assert main(["verify", str(kept / "cut-off.record")]) == 0, capsys.readouterr()
    assert sorted(path.name for path in kept.iterdir()) == before

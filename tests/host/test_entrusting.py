"""Jack is who he said he is: a secret is told once, binds by a commitment, and is held against every call at the end."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scripted_camera import ScriptedCamera, ScriptedGlance, ScriptedWatcher
from scripted_table import GAME, NONCE, Hands, reading_of

from companion.cli import main
from companion.errors import BadInput
from companion.games.game import Play
from companion.games.mr_jack.answering import NO_ANSWER
from companion.games.mr_jack.deduction import DETECTIVE, JACK
from companion.games.seats import Secret
from companion.host.passes import Passes
from companion.host.secrets import BLOCK, Kept, Secrets
from companion.host.table import Table
from companion.record.commitment import commit, opens
from companion.record.log import Record
from companion.vision.frame import Frame
from companion.web.access import AccessControl
from companion.web.app import create_app, views_of
from companion.web.roles import ARBITER, OWNER, SPECTATOR, TABLE

ONCE = "only the arbiter may let him tell it anew"
IDENTITY = ("jack", "identity")
SEAL = {"kind": "seal", "commitment": commit("g1", "gull", NONCE)}


def told(path: Path, game: str = "g1") -> str:
    """Who Jack is, as a file of secrets has it."""
    (kept,) = Secrets.open(path).of_game(game, IDENTITY)
    return kept.secret.value


class Sitting:
    """A table without threads over a record and a file of secrets, which can be stood up from and sat down at again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / "game.record"
        self.hands, self.at = Hands.at_start(), 0.0
        self.sit_down()

    def sit_down(self) -> None:
        self.record, self.watcher = Record.open(self.path), ScriptedWatcher()
        self.table = Table(
            GAME, self.record, ScriptedCamera(), self.watcher, Secrets.open(self.folder / "game.record.secrets"),
            clock=lambda: 1000.0 + self.at, match_id="g1",
        )  # fmt: skip

    def sit_down_again(self) -> None:
        self.record.close()
        self.sit_down()

    def look(self, seconds: float = 1.0) -> None:
        self.at += seconds
        self.watcher.analyses.append(ScriptedGlance(settled=reading_of(self.hands.state, self.at)))
        self.table.look_at(Frame(np.zeros((9, 16, 3), np.uint8), self.at, "scripted", int(self.at)))

    def first_turn(self) -> None:
        """Smith, Gull, Goodley, Stealthy, Holmes and Bert end seen, Watson and Lestrade unseen."""
        self.look()
        self.hands.move("holmes", "e6")
        self.look()
        self.hands.move("bert", "k9").shift("covers", "c2", "h6")
        self.look()
        self.hands.move("stealthy", "k7")
        self.look()
        self.hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10")
        self.look()

    def accusation(self) -> Play:
        """The detective ends the game on some suspect's place, in turn 1."""
        self.look()
        play = next(
            play
            for name in GAME.characters
            for play in GAME.plays(self.hands.match.position, name, mover="detective")
            if play.ends == "accusation"
        )
        self.hands.lay(play.position)
        self.look()
        self.look(10)
        return play

    def say(self, **answer: Any) -> dict[str, Any]:
        return self.table.answer(answer)

    def kinds(self) -> list[str]:
        return [event.kind for event in self.record.events()]

    def verified(self, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
        capsys.readouterr()
        code = main(["verify", str(self.path), "--json"])
        return code, json.loads(capsys.readouterr().out)


@pytest.fixture
def sitting(tmp_path: Path) -> Iterator[Sitting]:
    made = Sitting(tmp_path)
    yield made
    made.record.close()


def test_jack_cannot_become_somebody_else_after_a_call(sitting: Sitting, capsys: pytest.CaptureFixture[str]) -> None:
    sitting.say(kind="entrust", character="stealthy")
    sitting.first_turn()
    before = sitting.record.events()
    assert sitting.table.snapshot()["called"]["seen"] is True
    with pytest.raises(BadInput, match=ONCE):
        sitting.say(kind="entrust", character="gull")
    assert sitting.record.events() == before
    assert told(sitting.folder / "game.record.secrets") == "stealthy"
    code, shown = sitting.verified(capsys)
    assert code == 0 and [remark.partition(":")[0] for remark in shown["remarks"]] == ["Jack's commitment is not opened yet"]


@pytest.mark.parametrize("first", [{"kind": "entrust", "character": "gull"}, SEAL], ids=["entrusted", "sealed"])
@pytest.mark.parametrize("again", [False, True], ids=["at once", "after a resumption"])
def test_a_secret_is_told_once_and_the_refusal_does_not_tell_who_he_is(sitting: Sitting, first: dict, again: bool) -> None:
    sitting.table.answer(first)
    if again:
        sitting.sit_down_again()
    told, refused = len(sitting.record.events()), set()
    others = [{"kind": "seal", "commitment": commit("g1", "bert", NONCE)}, SEAL]
    for answer in [{"kind": "entrust", "character": name} for name in (*GAME.characters, "nobody")] + others:
        with pytest.raises(BadInput, match=ONCE) as why:
            sitting.table.answer(answer)
        refused.add(str(why.value))
    assert len(refused) == 1 and len(sitting.record.events()) == told
    assert "secret-lost" not in str(sitting.record.events())


def test_no_seat_and_no_link_can_change_who_jack_is(sitting: Sitting) -> None:
    sitting.say(kind="entrust", character="gull")
    access_control = AccessControl(Passes.open(None), closed=True)
    app = create_app(sitting.table, access_control=access_control)
    for role in (TABLE, JACK, DETECTIVE, ARBITER, SPECTATOR, OWNER):
        head = {
            "Authorization": f"Bearer {access_control.passes.issue(role)[1]}",
            "X-Table-Witness": "1",
            "Origin": "http://localhost",
        }
        for answer in ({"kind": "entrust", "character": "bert"}, {"kind": "entrust", "character": "gull"}, SEAL):
            said = app.test_client().post("/api/answers", json=answer, headers=head)
            assert said.status_code in (400, 403), (role, answer)
            assert "gull" not in said.get_data(as_text=True)
    views_of(app).close()
    assert sitting.kinds().count("secret") == 1
    assert told(sitting.folder / "game.record.secrets") == "gull"


def test_what_was_entrusted_is_opened_at_the_end_and_checked(sitting: Sitting, capsys: pytest.CaptureFixture[str]) -> None:
    accused = sitting.hands.match.position.to_json()["characters"]
    sitting.say(kind="entrust", character="gull")
    (told,) = [event for event in sitting.record.events() if event.kind == "secret"]
    play = sitting.accusation()
    assert accused and play.ends == "accusation"
    (opening,) = [event for event in sitting.record.events() if event.kind == "opening"]
    assert opening.data["character"] == "gull" and opening.data["commitment"] == told.data["commitment"]
    assert opens(told.data["commitment"], "g1", "gull", opening.data["nonce"])
    assert sitting.verified(capsys) == (0, {**sitting.verified(capsys)[1], "ok": True, "remarks": []})


def test_a_file_of_secrets_that_was_changed_makes_no_calls_and_is_said(sitting: Sitting) -> None:
    sitting.say(kind="entrust", character="stealthy")
    path = sitting.folder / "game.record.secrets"
    kept = json.loads(path.read_text())
    path.write_text(json.dumps({**kept, "entrusted": {"g1": "watson"}}))
    sitting.sit_down_again()
    sitting.first_turn()
    assert "call" not in sitting.kinds() and sitting.table.snapshot()["question"]["kind"] == "call"
    assert [event.data["code"] for event in sitting.record.events() if event.kind == "notice"] == ["secret-lost"]


def test_the_arbiter_lets_jack_tell_anew_and_it_is_on_record(sitting: Sitting, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadInput, match="nothing to tell anew"):
        sitting.say(kind="rule", action="new-secret", reason="why not")
    sitting.say(kind="entrust", character="stealthy")
    with pytest.raises(BadInput, match="reason"):
        sitting.say(kind="rule", action="new-secret", reason=" ")
    sitting.say(kind="rule", action="new-secret", reason="a slip of the finger")
    shown = sitting.table.snapshot()
    assert (shown["secret"], shown["commitment"]) == ("asked", None)
    sitting.say(kind="entrust", character="gull")
    sitting.sit_down_again()
    sitting.first_turn()
    assert sitting.table.snapshot()["called"]["seen"] is True
    code, found = sitting.verified(capsys)
    assert code == 0 and "let Jack tell anew who he is (a slip of the finger)" in found["remarks"][0]


def test_verify_finds_a_secret_that_was_told_twice(sitting: Sitting, capsys: pytest.CaptureFixture[str]) -> None:
    sitting.say(kind="entrust", character="gull")
    sitting.record.append("secret", {"mode": "entrusted", "commitment": commit("g1", "bert", NONCE)}, 2000.0)
    code, found = sitting.verified(capsys)
    assert code == 1 and "told again" in found["findings"][0]["text"]


def test_verify_finds_another_jack_than_the_one_entrusted(sitting: Sitting, capsys: pytest.CaptureFixture[str]) -> None:
    sitting.say(kind="entrust", character="gull")
    sitting.record.append("opening", {"character": "smith", "nonce": NONCE.hex()}, 2000.0)
    code, found = sitting.verified(capsys)
    assert code == 1 and found["findings"][0]["code"] == "commitment"


def test_a_record_from_before_commitments_goes_on_and_still_verifies(
    sitting: Sitting, capsys: pytest.CaptureFixture[str]
) -> None:
    sitting.record.append("secret", {"mode": "entrusted"}, 1000.0)
    (sitting.folder / "game.record.secrets").write_text(json.dumps({"entrusted": {"g1": "stealthy"}}))
    sitting.sit_down_again()
    sitting.first_turn()
    assert sitting.table.snapshot()["called"]["seen"] is True
    with pytest.raises(BadInput, match=ONCE):
        sitting.say(kind="entrust", character="gull")
    assert sitting.verified(capsys)[0] == 0


def test_a_call_that_no_answer_fits_is_said_without_a_name(sitting: Sitting) -> None:
    sitting.say(kind="entrust", character="watson")
    sitting.look()
    position = sitting.table.snapshot()["position"]
    others = [name for name in GAME.characters if name != "smith"]
    cleared = {name: {**position["characters"][name], "side": "innocent"} for name in others}
    ruled = {**position, "characters": {**position["characters"], **cleared}}
    sitting.say(kind="rule", action="set-position", reason="knocked over", position=ruled)
    sitting.hands.turn(*others)
    sitting.look()
    sitting.first_turn()
    shown = sitting.table.snapshot()
    assert shown["phase"] == "call" and [one["text"] for one in shown["troubles"]] == [NO_ANSWER]


@pytest.mark.parametrize("notes", [(), ("smith", "watson")])
def test_the_size_of_the_file_of_secrets_does_not_tell_the_name(tmp_path: Path, notes: tuple[str, ...]) -> None:
    sizes = set()
    for name in (*GAME.characters, "x" * 40):
        for own in ((), notes, GAME.characters):
            path = tmp_path / f"{name}-{len(own)}"
            secrets = Secrets.open(path)
            for game in ("a" * 32, "b" * 32):
                secrets.note(game, "detective", own)
                secrets.keep(game, Kept(Secret("jack", "identity", 1, name), NONCE.hex()), alone=True)
            sizes.add(path.stat().st_size)
            assert told(path, "b" * 32) == name
            assert Secrets.open(path).of_game("b" * 32, IDENTITY)[0].nonce == NONCE.hex()
    assert len(sizes) == 1 and sizes.pop() % BLOCK == 0

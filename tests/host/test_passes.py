"""Passes: what lets somebody in, and for how long; and the notes nobody else sees."""

import json
import stat
from pathlib import Path

import pytest

from companion import games
from companion.errors import BadInput
from companion.games.seats import Secret
from companion.host.notes import Notes
from companion.host.passes import Passes
from companion.host.secrets import Kept, Secrets


class Clock:
    now = 1_750_000_000.0

    def __call__(self) -> float:
        return self.now


def test_a_pass_lets_in_until_it_expires() -> None:
    clock = Clock()
    passes = Passes.open(None, clock)
    given, token = passes.issue("jack", "  Anna   B ", hours=2)
    assert passes.check(token) == given
    assert (given.role, given.seat) == ("jack", "Anna B")
    clock.now += 2 * 3600 - 1
    assert passes.check(token) is not None
    clock.now += 2
    assert passes.check(token) is None
    assert passes.handed_out() == []


@pytest.mark.parametrize("position", [0, 20, -2])  # of the very last letter two bits are padding, which nobody reads
def test_a_changed_token_lets_nobody_in(position: int) -> None:
    passes = Passes.open(None)
    token = list(passes.issue("spectator")[1])
    token[position] = "A" if token[position] != "A" else "B"
    assert passes.check("".join(token)) is None
    assert passes.check(Passes.open(None).issue("jack")[1]) is None
    assert passes.check("") is None


def test_taken_back_is_taken_back_for_ever_and_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "game.sqlite.passes"
    passes = Passes.open(path)
    (_, kept), (lost, token) = passes.issue("detective"), passes.issue("jack")
    passes.revoke(lost.id)
    again = Passes.open(path)
    assert again.check(token) is None
    assert again.check(kept) is not None
    with pytest.raises(BadInput):
        again.revoke(lost.id)


def test_a_lost_link_is_replaced_and_dead() -> None:
    passes = Passes.open(None)
    lost, old = passes.issue("spectator", "Club", delay=60)
    fresh, new = passes.renew(lost.id)
    assert passes.check(old) is None
    assert passes.check(new) == fresh
    assert (fresh.role, fresh.seat, fresh.delay) == ("spectator", "Club", 60)


def test_the_file_is_for_its_owner_and_holds_no_token(tmp_path: Path) -> None:
    path = tmp_path / "game.sqlite.passes"
    _, token = Passes.open(path).issue("jack")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert token not in path.read_text()
    assert token.rpartition(".")[2] not in path.read_text()


@pytest.mark.parametrize("content", ["{", "[]", "{}", json.dumps({"key": "x", "issued": [{"id": 1}], "revoked": {}})])
def test_a_broken_file_is_said(tmp_path: Path, content: str) -> None:
    path = tmp_path / "passes"
    path.write_text(content)
    with pytest.raises(BadInput, match="cannot be read"):
        Passes.open(path)


def test_what_cannot_be_given() -> None:
    passes = Passes.open(None)
    for wrong in ({"seat": "x" * 25}, {"hours": 0}, {"hours": 10_000}):
        with pytest.raises(BadInput):
            passes.issue("jack", **wrong)  # type: ignore[arg-type]


def test_notes_belong_to_one_seat_of_one_game(tmp_path: Path) -> None:
    path, match = tmp_path / "game.sqlite.secrets", "one"
    secrets = Secrets.open(path)
    notes = Notes(secrets, games.load(), lambda: match)
    name, other = games.load().characters[:2]
    secrets.keep("one", Kept(Secret("jack", "identity", 1, other), ""), alone=True)
    notes.write("detective", [name, name])
    assert notes.read("detective") == [name]
    assert notes.read("second detective") == []
    assert Notes(Secrets.open(path), games.load(), lambda: match).read("detective") == [name]
    assert [one.secret.value for one in Secrets.open(path).of_game("one", ("jack", "identity"))] == [other]
    match = "two"
    assert notes.read("detective") == []
    with pytest.raises(BadInput):
        notes.write("detective", ["nobody-of-that-name"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600

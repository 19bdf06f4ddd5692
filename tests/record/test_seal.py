"""A record's seal: whose it is, and that nothing in it can be changed without being noticed."""

import builtins
import json
from pathlib import Path
from typing import Any

import pytest
from scripted_table import settled_hands

from companion.cli import main
from companion.errors import BadInput
from companion.record.log import Record
from companion.record.seal import INSTALL, check_seal, known_as, seal

SEED = bytes(range(32))
EVENTS = settled_hands().events


def stored(path: Path, count: int | None = None) -> Path:
    with Record.open(path) as record:
        record.take_over(EVENTS[:count])
    return path


def test_a_seal_holds_for_its_record_alone() -> None:
    made = seal(EVENTS, SEED)
    assert check_seal(made, EVENTS) == [] and check_seal(made, EVENTS, known_as(made["signer"])[:11]) == []
    assert [finding.code for finding in check_seal(made, EVENTS, "bibib")] == ["other-signer"]
    assert [finding.code for finding in check_seal(made, EVENTS[:-1])] == ["other-seal"]
    assert [finding.code for finding in check_seal(seal(EVENTS[:2], SEED), EVENTS)] == ["unsealed"]


@pytest.mark.parametrize("key", ["match", "events", "head", "outcome", "signer", "signature"])
def test_whatever_is_changed_in_a_seal_is_noticed(key: str) -> None:
    made = seal(EVENTS, SEED)
    other: Any = seal(EVENTS, bytes(32))[key] if key in ("signer", "signature") else {"events": 1}.get(key, "ab" * 32)
    assert "seal-forged" in {finding.code for finding in check_seal({**made, key: other}, EVENTS)}


def test_what_is_no_seal_is_said_in_one_line() -> None:
    made = seal(EVENTS, SEED)
    for wrong in ({}, [], {**made, "more": 1}, {**made, "format": "x"}, {**made, "signer": "xy"}, {**made, "signature": 3}):
        with pytest.raises(BadInput):
            check_seal(wrong, EVENTS)
    with pytest.raises(BadInput, match="no game"):
        seal([], SEED)


def test_a_record_is_signed_and_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, key = stored(tmp_path / "g.record"), tmp_path / "key"
    assert main(["verify", str(path), "--signer", "bibib"]) == 1
    assert "there is no seal" in capsys.readouterr().out
    assert main(["sign", str(path), "--key", str(key)]) == 0
    signer = capsys.readouterr().out.split()[-1]
    assert key.stat().st_mode & 0o077 == 0
    assert main(["verify", str(path), "--signer", signer, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["signer"] == signer
    assert main(["sign", str(stored(tmp_path / "h.record", 2)), "--key", str(key), "--output", str(tmp_path / "h")]) == 0
    assert capsys.readouterr().out.split()[-1] == signer, "the key is kept"
    assert main(["verify", str(path), "--seal", str(tmp_path / "h")]) == 1
    assert "came after the seal" in capsys.readouterr().out
    key.write_text("{}")
    for arguments in (["sign", str(path), "--key", str(key)], ["verify", str(path), "--seal", str(key / "x")]):
        assert main(arguments) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_without_the_package_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *more: Any) -> Any:
        if name.startswith("cryptography"):
            raise ImportError(name)
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(BadInput) as refused:
        seal(EVENTS, SEED)
    assert str(refused.value) == INSTALL

"""The doctor looks at everything, survives what is broken, and its bundle holds no secret."""

import json
import zipfile

import pytest

from companion.cli import doctor, main
from companion.cli.doctor import Check
from companion.record.log import Record


def test_every_part_is_looked_at(capsys):
    status = main(["doctor", "--json"])
    answer = json.loads(capsys.readouterr().out)
    checks = {check["name"]: check for check in answer["checks"]}
    assert list(checks) == ["machine", "packages", "games", "page", "cameras", "serial ports", "voices", "disk"]
    assert "opencv-python-headless" in checks["packages"]["text"]
    assert "mr-jack-london first-2006" in checks["games"]["text"]
    assert status == int(any(check["status"] == "wrong" for check in checks.values()))


def test_what_is_broken_is_a_finding_not_an_end(monkeypatch, capsys):
    def _voices():
        raise RuntimeError("no sound card")

    monkeypatch.setattr(doctor, "_voices", _voices)
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "wrong   voices: cannot be looked at: RuntimeError('no sound card')" in out
    assert "disk" in out


def test_the_bundle_holds_facts_and_no_secrets(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CAMERA_TOKEN", "hush-token")
    monkeypatch.setenv("HOME", str(tmp_path / "home" / "mrs-hudson"))
    path = tmp_path / "game.sqlite"
    with Record.open(path) as record:
        record.append("notice", {"code": "x", "where": str(tmp_path / "home" / "mrs-hudson" / "clip.mp4")}, 1.0)
    (tmp_path / "game.sqlite.secrets").write_text('{"entrusted": {"1": "hush-stealthy"}}')
    bundle = tmp_path / "bundle.zip"
    main(["doctor", "--bundle", str(bundle), "--record", str(path)])
    assert "bundle written" in capsys.readouterr().out
    with zipfile.ZipFile(bundle) as archive:
        content = {name: archive.read(name).decode() for name in archive.namelist()}
    assert set(content) == {"doctor.json", "packages.json", "environment.json", "record.jsonl"}
    assert json.loads(content["record.jsonl"])["data"]["where"] == "~/clip.mp4"
    assert json.loads(content["packages.json"])["numpy"]
    everything = "".join(content.values())
    assert "hush" not in everything
    assert "mrs-hudson" not in everything


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--record", "x"], "name one with --bundle"),
        (["--bundle", "/nowhere/at/all.zip"], "cannot be written"),
        (["--bundle", "b.zip", "--record", "none.sqlite"], "no such record"),
    ],
)
def test_what_cannot_be_done_is_one_line(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(doctor, "examine", lambda: [Check("machine", "ok", "fine")])
    assert main(["doctor", *arguments]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1

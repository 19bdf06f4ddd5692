"""The units, the container's file and compose.yaml: what they name exists, and what they start is understood."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from companion.cli import parser
from companion.cli.hub import PORT, SECURE_PORT
from companion.hub.broker_files import IN_COMPOSE

ROOT = Path(__file__).parents[2]
UNITS = sorted((ROOT / "docs").glob("*.service"))
CONTAINER = (ROOT / "Containerfile").read_text(encoding="utf-8")
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")


def words(listed: str) -> list[str]:
    """The words of a list as YAML and a Containerfile write it on one line."""
    return [one.strip().strip('"') for one in listed.strip("[] ").split(",")]


def understood(arguments: list[str]) -> bool:
    """Whether the companion takes these words; else it ends with a sentence."""
    return bool(parser(arguments).parse_args(arguments).run)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_holds_and_starts_what_the_companion_understands(unit: Path, tmp_path: Path) -> None:
    text = unit.read_text(encoding="utf-8")
    program, *arguments = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)[0].split()
    assert program == "/opt/table-witness/bin/companion"
    assert understood(arguments)
    kept = re.findall(r"^StateDirectory=(.*)$", text, re.MULTILINE)[0]
    assert f"Environment=XDG_DATA_HOME=/var/lib/{kept}\n" in text, "a user of systemd's making has no home to keep a key in"
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    copy = tmp_path / unit.name
    copy.write_text(text.replace(program, sys.executable), encoding="utf-8")
    found = subprocess.run(["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, timeout=60, check=False)
    said = [line for line in found.stderr.splitlines() if unit.name in line]
    assert (found.returncode, said) == (0, [])


def test_the_containers_file_copies_and_installs_what_there_is() -> None:
    for line in re.findall(r"^COPY (.*)$", CONTAINER, re.MULTILINE):
        *sources, _ = line.split()
        assert all((ROOT / one).exists() for one in sources), line
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert {"hall"} == set(re.findall(r"\[([a-z-]+)\]'", CONTAINER)) <= extras.keys()
    entry, *_ = words(re.findall(r"^ENTRYPOINT (.*)$", CONTAINER, re.MULTILINE)[0])
    assert entry == "companion"
    assert understood(words(re.findall(r"^CMD (.*)$", CONTAINER, re.MULTILINE)[0]))
    (kept,) = re.findall(r"^VOLUME (.*)$", CONTAINER, re.MULTILINE)
    assert f"\nENV XDG_DATA_HOME={kept}\n" in CONTAINER, "what phones trust outlives the container"
    assert {str(PORT), str(SECURE_PORT)} <= set(re.findall(r"^EXPOSE (.*)$", CONTAINER, re.MULTILINE)[0].split())


def test_compose_starts_a_hub_whose_broker_and_ports_are_those_it_has() -> None:
    hub = COMPOSE.partition("\n  hub:\n")[2]
    assert understood(words(re.findall(r"command: (\[.*\])", hub)[0]))
    assert f"mqtts://{IN_COMPOSE}:8883" in hub and f"aliases: [{IN_COMPOSE}]" in COMPOSE
    for port in (PORT, SECURE_PORT):
        assert f'"{port}:{port}"' in hub
    check = re.findall(r'test: \[CMD, python, -c, "(.*)"\]', hub)[0]
    compile(check, "healthcheck", "exec")
    assert f"http://127.0.0.1:{PORT}/healthz" in check
    for line in re.findall(r"^#   docker compose run --rm hub (.*)$", COMPOSE, re.MULTILINE):
        assert understood(line.split())

"""The companion is killed in the middle of a game and started again with its record: everything is offered with one press."""

import json
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from testkit.ports import free_port

from companion import games
from companion.calibration.set_deck import deck_reader
from companion.cli.run import _profile_of
from companion.cli.session.resume_options import USUAL, go_on, named_setup, take_over
from companion.demo import TABLE, table_of
from companion.host.choices import Choices
from companion.host.resuming import kept_setup, resumable, setup_file
from companion.host.secrets import Secrets
from companion.record.log import Record
from companion.vision.table_sets.table_set import load_table_set

ANSWER = {"X-Table-Witness": "1", "Content-Type": "application/json"}


class Running:
    """A companion in a process of its own, asked over HTTP with a link's token (empty: as whoever sits at this computer)."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process, self.token, self.address = process, "", ""
        self.lines: list[str] = []
        assert process.stdout is not None
        for line in process.stdout:
            self.lines.append(line)
            found = re.match(r"page: +(\S+/)(?:join#(\S+))?$", line.rstrip())
            if found:
                self.address, self.token = found[1].replace("0.0.0.0", "127.0.0.1"), found[2] or ""
            if line.startswith("Ctrl-C"):
                break

    def ask(self, path: str, body: Any = None, token: str | None = None) -> Any:
        """What an address answers: the status of a refusal, else its JSON or bytes."""
        held = self.token if token is None else token
        headers = {**(ANSWER if body is not None else {}), **({"Authorization": f"Bearer {held}"} if held else {})}
        data = None if body is None else json.dumps(body).encode()
        try:
            with urllib.request.urlopen(urllib.request.Request(self.address + path, data, headers), timeout=30) as reply:
                content = reply.read()
                return json.loads(content) if reply.headers.get_content_type() == "application/json" else content
        except urllib.error.HTTPError as error:
            return error.code

    def do(self, wish: str, **fields: Any) -> Any:
        return self.ask("api/lobby", {"do": wish, **fields})

    def wait(self, until: Any, seconds: float = 60.0) -> Any:
        end = time.monotonic() + seconds
        while not (found := until()):
            assert time.monotonic() < end, "waited in vain"
            time.sleep(0.1)
        return found


@contextmanager
def companion(folder: Path, *words: str) -> Iterator[Running]:
    command = [sys.executable, "-m", "companion", "run", "--no-browser", "--box", "none", *words]
    environment = {"XDG_DATA_HOME": str(folder), "HOME": str(folder), "PATH": "/usr/bin:/bin"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    try:
        yield Running(process)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(20)
        if process.stdout is not None:
            process.stdout.close()


def test_after_sigkill_one_press_restores_camera_table_options_secret_and_guests(tmp_path: Path) -> None:
    record = tmp_path / "game.sqlite"
    choices = {"secret": "entrusted", "deal": False, "clock": {"seconds": 1800}, "rules": {}, "album": True}
    port = str(free_port())  # one that nobody is given while the companion is down
    with companion(tmp_path, "--record", str(record), "--host", "0.0.0.0", "--port", port, "--no-https") as first:
        first.do("camera", kind="demo")
        first.do("go", step="board")
        first.wait(lambda: first.ask("api/lobby")["missing"] == [])
        first.do("choices", choices=choices)
        guest = first.ask("api/passes", {"role": "jack"})["link"].partition("#")[2]
        assert first.do("start", name="My table")["playing"]
        first.wait(lambda: any(_pictures(record)))
        before, address = first.ask("api/snapshot"), first.address
    assert setup_file(record).stat().st_mode & 0o077 == 0, "a camera's address may hold a password"
    with companion(tmp_path, "--record", str(record)) as again:
        assert again.address == address, "the links that were handed out name it"
        assert any("open to other devices, as this game was" in line for line in again.lines)
        offered = again.ask("api/lobby")
        assert offered["resume"] == {
            "name": "My table", "turn": before["turn"], "over": False, "secret": "entrusted", "asks": "asked",
            "camera": {"kind": "demo", "address": "mr-jack-london"}, "lines": [],
        }  # fmt: skip
        assert {key: offered["choices"][key] for key in choices} == choices | {
            "clock": {**choices["clock"], "increment": 0.0, "delay": 0.0}
        }
        assert again.ask("api/snapshot", token=guest) == 503, "he is let in, and waits for the table"
        assert again.do("resume")["playing"]
        after = again.ask("api/snapshot", token=guest)
        assert (after["match"], after["secret"]) == (before["match"], "entrusted")
        assert after["clock"] is not None
        for digest in _pictures(record):
            assert isinstance(again.ask(f"api/pictures/{digest}"), bytes), "a kept picture is there after resuming"
        assert again.ask("api/lobby")["resume"] is None
        assert again.do("resume") == 400


def _pictures(record: Path) -> set[str]:
    with Record.read(record) as log:
        return {digest for event in log.events() for digest in event.data.get("pictures", {}).values()}


@pytest.mark.slow
def test_a_table_that_was_named_at_the_prompt_is_offered_as_well(tmp_path: Path) -> None:
    record = tmp_path / "game.sqlite"
    words = ("--record", str(record), "--pictures", "--clock", "20m", "--seconds-each", "5", "--port", "0")
    with companion(tmp_path, str(TABLE), *words) as first:
        first.wait(lambda: any(_pictures(record)))
    with companion(tmp_path, "--record", str(record)) as again:
        offered = again.ask("api/lobby")
        assert offered["resume"]["camera"] == {"kind": "address", "address": str(TABLE)}
        assert (offered["choices"]["album"], offered["choices"]["clock"]["seconds"]) == (True, 1200)
        assert again.do("resume")["playing"]
        for digest in _pictures(record):
            assert isinstance(again.ask(f"api/pictures/{digest}"), bytes)
    options = Namespace(record=record, ports_before={}, **USUAL)
    kept = take_over(options)
    assert kept is not None and options.seconds_each == 5.0, "named at the prompt once, it counts again"
    choices = go_on(record, games.load(), kept, Choices())
    assert choices.album and choices.clock is not None, "with its source named again, and without its options"


def test_a_set_with_a_deck_that_was_named_at_the_prompt_is_known_by_its_faces_again() -> None:
    """Nothing was kept of the deck, and the game was gone on with as if its cards had stickers."""
    table = load_table_set(table_of("get-adler"))
    profile = _profile_of(games.load("get-adler"), table.board, deck_reader(table), None)
    options = Namespace(source=str(table.folder), **USUAL)
    kept = named_setup(options, Namespace(ports={}), Choices(), profile, second=False)  # type: ignore[arg-type]
    assert kept.mode == "cards" and kept.profile is not None and kept.profile.cards is not None


@pytest.mark.parametrize("damage", ["", "{", '{"format": "kept-setup/9"}', '{"format": "kept-setup/1", "camera": 5}'])
def test_a_record_without_its_set_up_says_what_is_known_and_asks_for_the_camera(tmp_path: Path, damage: str) -> None:
    record = tmp_path / "game.sqlite"
    if damage:
        setup_file(record).write_text(damage)
    assert kept_setup(record) is None
    game = games.load()
    assert resumable(game, [], None, Secrets.open(None)) is None, "nothing was begun"

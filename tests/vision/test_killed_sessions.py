"""Games from outside in a process of their own that is killed: in the middle of a play, and right after an answer.

A folder of composed pictures is the camera, an entry point of an installed distribution brings the game. What is started again
with the same record goes on where it was.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import pytest
from graph_table import NEAR
from graph_table import picture as graph_picture
from surfaces import Put
from test_cards_at_table import SHOT, Mat
from testkit.path_table import BOARD as GRAPH
from testkit.sitting import brought

from companion.calibration.training.stickers_composed import pose
from companion.cli import main
from companion.record.commitment import Link, commit
from companion.record.events import Event
from companion.record.log import Record

TESTS = Path(__file__).resolve().parents[1]
PATIENCE_S = 120.0
NONCE = bytes(range(32))


class Session:
    """``companion run`` over a folder of pictures. ``heard``: the events that it printed, as JSON."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process, self.heard, self.said = process, list[Any](), list[str]()
        self._threads = [
            threading.Thread(target=_read, args=args, daemon=True)
            for args in ((process.stdout, self._event), (process.stderr, self.said.append))
        ]
        for thread in self._threads:
            thread.start()

    def _event(self, line: str) -> None:
        self.heard.append(json.loads(line))

    def wait(self, kind: str, count: int = 1) -> Any:
        """The data of an event of that kind, once so many of them were printed."""
        return self._until(lambda: [one["data"] for one in list(self.heard) if one["kind"] == kind][count - 1 :])[0]

    def _until(self, found: Any) -> Any:
        end = time.monotonic() + PATIENCE_S
        while not (value := found()):
            assert time.monotonic() < end and self.process.poll() is None, ("".join(self.said), self.heard)
            time.sleep(0.02)
        return value

    def ask(self, path: str, body: Any = None) -> Any:
        """What the page of this computer answers."""
        address = self._until(lambda: [line.split()[1] for line in list(self.said) if line.startswith("page:")])[0]
        headers = {"X-Table-Witness": "1", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(address + path, data, headers), timeout=60) as reply:
            return json.load(reply)

    def say(self, kind: str, **answer: Any) -> None:
        self.ask("api/answers", {"kind": kind, **answer})

    def kill(self) -> None:
        """SIGKILL: nothing of it can end in order."""
        self.process.kill()
        assert self.process.wait(60) == -signal.SIGKILL
        for thread in self._threads:
            thread.join(60)


def _read(lines: Any, take: Callable[[str], None]) -> None:
    with lines:
        for line in lines:
            take(line)


class Table:
    """One record, started over and over with other pictures."""

    def __init__(self, folder: Path, game: str, package: str, lens: Any) -> None:
        self.folder, self.game, self.record, self.started = folder, game, folder / "game.record", 0
        installed = folder / "site" / f"{game.replace('-', '_')}-1.0.dist-info"
        installed.mkdir(parents=True)
        (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {game}\nVersion: 1.0\n")
        (installed / "entry_points.txt").write_text(f"[table_witness.games]\n{game} = {package}\n")
        self.lens = folder / "lens.json"
        size = [int(side) for side in lens.size]
        self.lens.write_text(json.dumps({"K": lens.matrix.tolist(), "D": [0.0] * 5, "image_size": size}))

    @contextmanager
    def session(self, pictures: Sequence[Any], *more: str) -> Iterator[Session]:
        """The companion over these pictures, each shown for some seconds and the last one from then on."""
        self.started += 1
        shown = self.folder / f"pictures-{self.started}"
        shown.mkdir()
        for number, picture in enumerate(pictures):
            assert cv2.imwrite(str(shown / f"{number:03}.png"), picture)
        command = [
            sys.executable, "-m", "companion", "run", str(shown), "--game", self.game, "--profile", str(self.lens), "--record",
            str(self.record), "--port", "0", "--no-browser", "--json", "--box", "none", "--seconds-each", "3", *more,
        ]  # fmt: skip
        paths = os.pathsep.join([str(TESTS), str(self.folder / "site")])
        environment = {**os.environ, "PYTHONPATH": paths, "XDG_DATA_HOME": str(self.folder), "HOME": str(self.folder)}
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=self.folder
        )
        session = Session(process)
        try:
            yield session
        finally:
            session.kill()

    def events(self) -> list[Event]:
        with Record.read(self.record) as log:
            return list(log.events())


def whole(table: Table, before: list[Event]) -> list[str]:
    """Assert that nothing on record was changed or lost since ``before``; the kinds of all events."""
    events = table.events()
    assert [one.to_json() for one in events[: len(before)]] == [one.to_json() for one in before]
    assert [one.number for one in events] == list(range(1, len(events) + 1))
    return [one.kind for one in events]


def on_graph(red: str, blue: str) -> Any:
    return graph_picture((Put("pawn-red", red), Put("pawn-blue", blue)))


def test_a_hidden_path_goes_on_after_kills(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(tmp_path, "hide-and-seek", "testkit.paths", pose(GRAPH, NEAR).lens)
    with table.session([on_graph("a", "b")]) as first:
        first.wait("turn-opened")
        first.say("entrust", seat="hider", purpose="lair", value="9")
        first.say("entrust", seat="hider", purpose="move", value="3")
        first.kill()
    before = table.events()
    assert [one.kind for one in before if one.kind != "notice"][-2:] == ["secret", "secret"], "what was answered is on record"
    with table.session([on_graph("a", "b"), on_graph("e", "b")]) as second:
        assert second.wait("play")["mover"] == "seeker"
        second.kill()
    assert "play" in whole(table, before)
    before = table.events()
    with table.session([on_graph("e", "b"), on_graph("e", "c")]) as third:
        assert third.wait("play")["mover"] == "seeker-2", "the round goes on with the other seeker"
        third.say("pass")
        third.say("look", site="3")
        assert third.wait("answered")["yes"] is True, "the path that was entrusted before the first kill answers"
        third.kill()
    kinds = [kind for kind in whole(table, before) if kind not in ("notice", "chores")]
    assert kinds.count("play") == 2 and kinds.count("match-opened") == 1 and "flag" not in kinds
    with brought("hide-and-seek", "testkit.paths"):
        assert main(["verify", str(table.record)]) == 0 and "chain whole" in capsys.readouterr().out


@pytest.mark.slow
def test_a_parade_of_cards_goes_on_after_kills(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with brought("hat-parade", "testkit.cards") as game:
        mat, table = Mat(game), Table(tmp_path, "hat-parade", "testkit.cards", pose(game.board("one"), SHOT).lens)

    def lying(row: list[str], pile: list[str]) -> Any:
        mat.row, mat.pile = row, pile
        return mat.picture()

    with table.session([lying([], ["host-white"])], "--house-rule", "players=3") as first:
        first.wait("table-agreed")
        match = first.ask("api/snapshot")["match"]
        first.say("entrust", seat="north", purpose="role", value="hero-black")
        first.say("entrust", seat="east", purpose="role", value="villain-red")
        sealed = commit(match, "hero-red", NONCE, Link("south", "role", 1, ""))
        first.say("seal", seat="south", purpose="role", commitment=sealed)
        first.kill()
    before = table.events()
    with table.session([lying(["north-red"], ["host-white"]), lying(["north-red", "east-black"], ["host-white"])]) as second:
        assert second.wait("asked")["of"] == "south", "the black card asks the seat that sealed who it is"
        second.kill()
    whole(table, before)
    before = table.events()
    with table.session([lying(["north-red", "east-black"], ["host-white"])]) as third:
        assert third.ask("api/snapshot")["question"]["kind"] == "hat", "it is still asked"
        third.say("say", yes=False)
        third.kill()
    assert whole(table, before)[-1] == "answered"
    before = table.events()
    with table.session([lying(["north-red", "east-black"], ["host-white", "south-white"])]) as fourth:
        assert fourth.wait("play")["mover"] == "south"
        fourth.say("accuse", of="south", role="hero-red")
        opened = [{"number": 1, "value": "hero-red", "nonce": NONCE.hex()}]
        fourth.say("reveal", seat="south", purpose="role", opened=opened)
        assert fourth.wait("outcome")["winner"] == "north"
        fourth.wait("opening", 3)
        fourth.kill()
    kinds = whole(table, before)
    assert kinds.count("play") == 3 and kinds.count("match-opened") == 1 and kinds.count("opening") == 3
    with brought("hat-parade", "testkit.cards"):
        assert main(["verify", str(table.record)]) == 0 and "chain whole" in capsys.readouterr().out

"""``kill -9`` at any moment: nothing announced is lost, the next start goes on from the same head."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from scripted_table import GAME

from companion.host.ledger import Ledger
from companion.host.sealing import Sealer
from companion.record.log import Record
from companion.record.pictures import check_pictures, folder_of
from companion.record.seal import check_seal, seal_of
from companion.record.verify import check_chain
from companion.referee.audit import audit

PROGRAM = Path(__file__).with_name("killed_table.py")


def run_and_kill(path: Path, seed: int, after: float) -> tuple[int, float, list[tuple[int, str]], bool]:
    """Play on the record and kill it ``after`` seconds from its first word: (resumed at, in seconds, announced, over)."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, PROGRAM, path, str(seed)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        words = process.stdout.readline().split()
        assert words[:1] == ["resumed"], words
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
        told, errors = process.communicate()
    assert errors == "", "it was killed, it did not fall over"
    lines = told.splitlines()
    whole = [line.split() for line in lines if line.count(" ") == 1 and len(line.split()[1]) == 64]
    return int(words[1]), float(words[2]), [(int(number), digest) for number, digest in whole], "over" in lines


def survive(folder: Path, kills: int, seed: int, longest: float) -> None:
    chance, game, head, slowest, seals = random.Random(seed), 0, 0, 0.0, 0
    for kill in range(kills):
        path = folder / f"game-{game}.record"
        resumed, took, announced, over = run_and_kill(path, seed + kill, chance.uniform(0.0, longest))
        assert resumed == head, "the next start goes on from what was on the disk"
        with Record.open(path) as record:
            events = record.events()
        slowest = max(slowest, took)
        assert took < 2
        digests = {event.number: event.digest for event in events}
        assert [digests.get(number) for number, _ in announced] == [digest for _, digest in announced]
        assert check_chain(events) == []
        changed, _, gone = check_pictures(events, folder_of(path))
        assert changed == [] and gone == 0, "a picture is on the disk before the event that refers to it"
        match, findings = audit(GAME, events)
        assert findings == [] and match.number == len(events)
        head = len(events)
        if over or match.phase == "over":
            seals += match.phase == "over" and sealed(path)
            game, head = game + 1, 0
    print(f"{kills} kills survived, {game} games ended, {seals} of them signed, slowest resume {slowest * 1e3:.0f} ms")


def sealed(path: Path) -> bool:
    """The next start signs what the killed one had no time to sign."""
    with Record.open(path) as record:
        ledger = Ledger(GAME, record, lambda: 1000.0)
        Sealer(path.with_name("key"), seal_of(path)).finish(ledger)
        assert check_seal(json.loads(seal_of(path).read_text()), record.events()) == []
    return True


def test_a_killed_game_goes_on_where_it_was(tmp_path: Path) -> None:
    survive(tmp_path, 4, 7, 0.4)


@pytest.mark.slow
def test_two_hundred_kills_lose_nothing(tmp_path: Path) -> None:
    survive(tmp_path, 200, 1000, 2.0)

# ruff: noqa: E402 - finds the made-up copies, which live with the tests of vision
"""A companion in a process of its own that begins in the lobby, driven through its HTTP interface, with visitors; and what it
holds."""

import http.client
import json
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Self

sys.path[:0] = [str(Path(__file__).parents[1] / room) for room in ("vision", "host")]

import cv2
import numpy as np
from testkit.ports import free_port

from companion import boards, games
from companion.boards import PieceSet
from companion.calibration.training.composed import Table
from companion.calibration.training.new_york_composed import NewYorkTable
from companion.cli.bench_host import ProcessUsage, process_usage
from companion.referee.comparison import surface

HEADERS = {"X-Table-Witness": "1", "Content-Type": "application/json"}
SERVED = """
import signal, sys, threading
from pathlib import Path
from companion.cli.session.lobby import LobbySession, host_lobby
from companion.cli.session.output import OutputOptions
from companion.devices.cameras.addresses import CameraSettings
from companion.host.allocator import few_arenas
few_arenas()
folder, port, pace = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
stopped = threading.Event()
signal.signal(signal.SIGTERM, lambda number, frame: stopped.set())
camera, showing = CameraSettings(pace=pace), OutputOptions(port=port)
host_lobby(LobbySession(folder / "game.sqlite", folder / "tables", camera=camera, showing=showing), stopped)
"""


class Served:
    """The process, its address, and what is asked of it. ``pace``: how many times as fast the bundled recording plays."""

    def __init__(self, folder: Path, pace: float) -> None:
        self.port = free_port()
        self._ended = threading.Event()
        words = [sys.executable, "-c", SERVED, str(folder), str(self.port), str(pace)]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL)

    def __enter__(self) -> Self:
        for _ in range(600):
            with socket.socket() as knock:
                if knock.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.1)
        raise AssertionError("the page never came")

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def ask(self, method: str, path: str, body: bytes | None = None, kind: str = "application/json") -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, path, body, {**HEADERS, "Content-Type": kind} if method == "POST" else {})
            answer = connection.getresponse()
            data = answer.read()
            assert answer.status < 400, data
            return data
        finally:
            connection.close()

    def wish(self, **wish: Any) -> dict[str, Any]:
        return dict(json.loads(self.ask("POST", "/api/lobby", json.dumps(wish).encode())))

    def snapshot(self) -> dict[str, Any]:
        return dict(json.loads(self.ask("GET", "/api/snapshot")))

    def held(self) -> ProcessUsage:
        return process_usage(self.process.pid)

    @contextmanager
    def listening(self, count: int) -> Iterator[None]:
        """So many pages that are open all the time, each with the live picture."""
        seats = [threading.Thread(target=self._listen, args=(language,)) for language in ("en", "ja", "es", "it")[:count]]
        looks = threading.Thread(target=self._look)
        for thread in (*seats, looks):
            thread.start()
        try:
            yield
        finally:
            self._ended.set()
            for thread in (*seats, looks):
                thread.join(30)

    def _listen(self, language: str) -> None:
        while not self._ended.is_set():
            try:
                with socket.create_connection(("127.0.0.1", self.port), 5) as stream:
                    stream.settimeout(1)
                    stream.sendall(f"GET /api/events?lang={language} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                    while not self._ended.is_set():
                        try:
                            if not stream.recv(1 << 16):
                                break
                        except TimeoutError:
                            continue
            except OSError:
                time.sleep(0.1)  # between two games nobody answers

    def _look(self) -> None:
        while not self._ended.wait(0.4):
            try:
                self.ask("GET", "/api/picture.jpg?overlay=1")
            except (OSError, AssertionError, http.client.HTTPException):
                continue

    def visitors(self, count: int) -> None:
        """So many who come, hear what is on, and leave."""
        for _ in range(count):
            with socket.create_connection(("127.0.0.1", self.port), 10) as visitor:
                visitor.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert visitor.recv(1 << 16)


def telling(held: ProcessUsage) -> str:
    return f"{held.resident_mb:.0f} MB, {held.threads} threads, {held.files} files"


class Phone:
    """Pushes pictures as a phone does: one of those that are shown after the other, with fresh grain."""

    def __init__(self, served: Served, rate: float = 8.0) -> None:
        self._served, self._rate = served, rate
        self._shown: list[bytes] = []
        self._ended = threading.Event()
        self._grain = np.random.default_rng(1)
        self._thread = threading.Thread(target=self._push)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join(60)

    def show(self, *pictures: Any, seconds: float = 2.0) -> None:
        """Show these for so long; they stay afterwards."""
        self._shown = [self._sent(picture) for picture in pictures for _ in range(2)]
        time.sleep(seconds)

    def _sent(self, picture: Any) -> bytes:
        height, width = picture.shape[:2]
        grain = cv2.resize(self._grain.normal(0, 1.2, (height // 8, width // 8)).astype(np.float32), (width, height))
        grainy = np.clip(picture + grain[..., None], 0, 255).astype(np.uint8)
        return bytes(cv2.imencode(".jpg", grainy, [cv2.IMWRITE_JPEG_QUALITY, 88])[1])

    def _push(self) -> None:
        number = 0
        while not self._ended.wait(1 / self._rate):
            shown, number = self._shown, number + 1
            if shown:
                try:
                    self._served.ask("POST", "/api/camera/picture", shown[number % len(shown)], "image/jpeg")
                except (OSError, AssertionError, http.client.HTTPException):
                    continue


def made_copy(game_id: str) -> tuple[Callable[[dict[str, Any]], Any], list[dict[str, Any]]]:
    """A made-up unmodified copy, as pictures of any state, and the states of a short game that begins at the start position
    and goes back to it."""
    game, board, pieces = games.load(game_id), boards.load(game_id), boards.load_pieces(game_id)
    chance, truth = random.Random(1), game.start()
    positions = [truth]
    for mover, name in zip(game.movers(1), game.characters, strict=False):
        plays = islice(game.plays(replace(truth, available=None, played=None), name, mover=mover), 4000)
        truth = chance.choice([play for play in plays if play.ends is None]).position
        positions.append(truth)
    made: Any = NewYorkTable(8400) if game_id == "mr-jack-new-york" else Table(board, pieces, 2402, size=(1920, 1080))
    states = [_lying(surface(game, position), pieces) for position in positions]
    return lambda state: made.shoot(state)[0], [*states, states[0]]


def _lying(state: dict[str, Any], pieces: PieceSet) -> dict[str, Any]:
    """What of a position lies on the board."""
    return {
        key: {name: one for name, one in value.items() if one["hex"] is not None}
        if key in pieces.groups and pieces.groups[key].layout == "by-piece"
        else value
        for key, value in state.items()
    }

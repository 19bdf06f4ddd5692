"""The hub as a process of its own, as it is started at a prompt; to be killed."""

import os
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Self

from servers import PATIENCE_S, listens, until
from testkit.ports import free_port


class HubProcess:
    """``companion hub`` on a port of loopback, with a data folder of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.port, self._options = folder, free_port(), options
        folder.mkdir(parents=True, exist_ok=True)
        self.environment = {**os.environ, "XDG_DATA_HOME": str(folder), "PYTHONWARNINGS": "default"}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "companion", "hub", "--port", str(self.port), "--log-json", *self._options]
        with (self.folder / "hub.log").open("ab") as log:
            self._process = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)

    def wait(self) -> None:
        until(lambda: listens(self.port), f"the hub does not start, see {self.folder / 'hub.log'}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=PATIENCE_S) as answer:
            return str(answer.read().decode())

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE_S)
            self._process = None

    def stop(self) -> int:
        assert self._process is not None
        self._process.terminate()
        status = self._process.wait(PATIENCE_S)
        self._process = None
        return status

"""Real servers on loopback for the tests: a temporary PostgreSQL cluster and Mosquitto, from Debian's packages."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from testkit.ports import free_port

MOSQUITTO = Path("/usr/sbin/mosquitto")
PATIENCE_S = 90.0  # only what goes wrong waits so long


def or_skip(there: bool, reason: str) -> None:
    """Without a server its tests are skipped, but never on the machine whose word counts."""
    if there:
        return
    if os.environ.get("CI") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def until(true: object, what: str = "", seconds: float = PATIENCE_S) -> None:
    """Wait until ``true()`` holds."""
    end = time.monotonic() + seconds
    while not true():  # type: ignore[operator]
        assert time.monotonic() < end, what or "it did not come true"
        time.sleep(0.01)


class Postgres:
    """One cluster of its own; as root it runs as the user that Debian's package made, since it refuses to run as root."""

    def __init__(self, folder: Path) -> None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        or_skip(bool(found), "PostgreSQL is not installed (apt install postgresql)")
        self._bin, self._data, self.port = found[-1].parent, folder / "data", free_port()
        self._user = "postgres" if os.getuid() == 0 else None
        if self._user is not None:
            shutil.chown(folder, self._user)
        self._run("initdb", "-D", self._data, "-A", "trust", "-U", "hall", "-E", "UTF8", "--locale=C", "--no-sync")
        self._folder, self._made = folder, 0
        self._process: subprocess.Popen[bytes] | None = None

    def _run(self, program: str, *arguments: object) -> None:
        command = [str(self._bin / program), *map(str, arguments)]
        subprocess.run(command, user=self._user, check=True, capture_output=True, cwd="/", timeout=120)

    def start(self) -> None:
        # What a process of the server wrote survives its end; only a machine that loses power needs the disk to be waited for.
        command = [
            str(self._bin / "postgres"), "-D", str(self._data), "-p", str(self.port), "-k", str(self._folder),
            "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=200", "-c", "shared_buffers=16MB",
        ]  # fmt: skip
        end = time.monotonic() + PATIENCE_S
        while True:
            with (self._folder / "log").open("ab") as log:
                self._process = subprocess.Popen(command, user=self._user, cwd="/", stdout=subprocess.DEVNULL, stderr=log)
            until(lambda: self._ended() or self.answers(), f"PostgreSQL does not start, see {self._folder / 'log'}")
            if not self._ended():
                return
            # It does not begin while a process of the one before is still ending, as on a busy machine.
            assert time.monotonic() < end, f"PostgreSQL does not start, see {self._folder / 'log'}"
            time.sleep(0.2)

    def _ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def answers(self) -> bool:
        import psycopg  # noqa: PLC0415

        with contextlib.suppress(psycopg.Error):
            psycopg.connect(self.url("postgres"), connect_timeout=2).close()
            return True
        return False

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """SIGQUIT ends at once, as a crash does; SIGINT in order, cutting every connection."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE_S)
            self._process = None

    def url(self, database: str) -> str:
        return f"postgresql://hall@127.0.0.1:{self.port}/{database}"

    def database(self) -> str:
        """The address of a new, empty database."""
        import psycopg  # noqa: PLC0415

        if self._ended():
            self.start()  # a test that failed left it down
        self._made += 1
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE hall{self._made}".encode())
        return self.url(f"hall{self._made}")


class Mosquitto:
    """One broker on a port of loopback with a configuration of the test's, restarted at the same place."""

    def __init__(self, folder: Path, lines: str) -> None:
        or_skip(MOSQUITTO.exists(), f"{MOSQUITTO} is not installed (apt install mosquitto)")
        self.folder, self.port = folder, free_port()
        folder.mkdir(parents=True, exist_ok=True)
        self._config = folder / "mosquitto.conf"
        user = "user root\n" if os.getuid() == 0 else ""
        self._config.write_text(f"listener {self.port} 127.0.0.1\n{user}{lines}")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen([str(MOSQUITTO), "-c", str(self._config)], stdout=log, stderr=log)
        until(lambda: listens(self.port), f"Mosquitto does not start, see {self.folder / 'log'}")

    def reload(self) -> None:
        """Have the password and ACL files read again."""
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE_S)
            self._process = None

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(PATIENCE_S)
            self._process = None


def running_postgres() -> Iterator[Postgres]:
    # Not below pytest's folder: whichever pytest begins next closes that for everybody but its own user.
    with tempfile.TemporaryDirectory(prefix="postgres-") as folder:
        cluster = Postgres(Path(folder))
        cluster.start()
        yield cluster
        cluster.stop()

"""Every command starts where modules of this system are missing: Windows has no fcntl, termios, pty, resource, grp or pwd."""

import os
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

LESSER = Path(__file__).with_name("lesser_python.py")
PICTURE = Path(__file__).parents[2] / "companion" / "demo" / "mr-jack-london" / "table" / "000.jpg"


def lesser(system, *words, folder):
    command = [sys.executable, str(LESSER), system, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=folder, check=False)


@pytest.mark.parametrize("system", ["windows", "macos"])
def test_no_module_is_imported_that_is_missing_there(system, tmp_path):
    done = lesser(system, folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[0]) > 300, "every module was tried"


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["read", PICTURE], 0, "settled"),
        (["doctor"], None, "cameras: none is found"),
        (["box", "list"], None, ""),
        (["box", "simulate"], 2, "a simulated box needs pseudo-terminals, which this system has not"),
        (["run", "0", "--no-browser"], 2, "camera 0: cannot be opened (tried 0 with DirectShow)"),
        (["demo", "--once", "--no-browser", "--port", "0", "--speed", "100"], 0, "page:   http://127.0.0.1:"),
    ],
    ids=lambda value: str(value[0]) if isinstance(value, list) else None,
)
def test_a_command_starts_without_what_windows_lacks(words, status, says, tmp_path):
    done = lesser("windows", *words, folder=tmp_path)
    assert "Traceback" not in done.stderr, done.stderr
    assert status in (None, done.returncode), done.stderr
    assert says in done.stdout + done.stderr


@pytest.mark.skipif(os.name != "posix", reason="looks at what a Unix is told")
def test_a_port_is_not_shared_by_two_programs_on_windows(monkeypatch):
    """SO_REUSEADDR there means that a second program may take the port of the first."""
    from companion.web import server  # noqa: PLC0415 - nothing else here needs the page

    with socket.socket() as trial:
        monkeypatch.setattr(server, "os", SimpleNamespace(name="nt"))
        server._reuse(trial)
        assert not trial.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)
        monkeypatch.setattr(server, "os", SimpleNamespace(name="posix"))
        server._reuse(trial)
        assert trial.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)

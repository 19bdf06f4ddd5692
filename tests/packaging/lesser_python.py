"""Run before a command: takes away what Windows and macOS have not, as far as one process can do without it.

``python lesser_python.py windows|macos WORD...`` runs ``companion WORD...``; without words every module of the companion is
imported. Modules that are missing there raise ``ImportError``, whether they are in the standard library or were loaded
already; names of ``os``, ``signal``, ``socket``, ``select`` and ``time`` are gone. What the standard library itself has loaded
and keeps using stays with it.
"""

import importlib.abc
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

ONLY_LINUX = {"spwd", "nis", "ossaudiodev", "_crypt"}
ONLY_POSIX = {"fcntl", "termios", "pty", "tty", "resource", "grp", "pwd", "syslog", "crypt", "curses", "_curses", "readline"}
MISSING_MODULES = {"macos": ONLY_LINUX, "windows": ONLY_LINUX | ONLY_POSIX}
# Names that the standard library or pyserial looks up while it works are left alone: they use others there.
_LINUX = {
    os: "sched_getaffinity sched_setaffinity memfd_create eventfd splice copy_file_range O_TMPFILE O_DIRECT O_PATH fdatasync",
    select: "epoll",
    socket: "AF_NETLINK AF_PACKET SO_BINDTODEVICE SOCK_CLOEXEC SOCK_NONBLOCK MSG_NOSIGNAL TCP_USER_TIMEOUT",
    time: "CLOCK_BOOTTIME CLOCK_TAI",
    signal: "SIGPWR SIGPOLL SIGRTMIN SIGRTMAX sigtimedwait sigwaitinfo",
}
_POSIX = {
    os: "fork forkpty getuid geteuid getgid getegid setsid uname getloadavg mkfifo chown fchown lchown fchmod O_NOFOLLOW "
    "O_DIRECTORY O_SYNC ttyname openpty set_blocking get_blocking pread pwrite sendfile nice killpg sync register_at_fork "
    "sysconf confstr wait getgroups",
    select: "poll",
    socket: "SO_REUSEPORT MSG_DONTWAIT sethostname",
    time: "clock_gettime clock_settime clock_getres CLOCK_MONOTONIC CLOCK_REALTIME tzset",
    signal: "SIGHUP SIGKILL SIGUSR1 SIGUSR2 SIGALRM SIGPIPE SIGCHLD SIGQUIT SIGSTOP SIGTSTP alarm setitimer pause pthread_kill",
}
MISSING_NAMES = {"macos": (_LINUX,), "windows": (_LINUX, _POSIX)}


class Absent(importlib.abc.MetaPathFinder):
    """Says of a few modules that they are not there."""

    def __init__(self, names: set[str]) -> None:
        self._names = names

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name.partition(".")[0] in self._names:
            raise ModuleNotFoundError(f"No module named {name!r} (as on the other system)", name=name)
        return None


def lessen(system: str) -> None:
    """Take away what ``system`` has not. What others wrote is loaded before: it looks at the system by itself."""
    import asyncio  # noqa: F401, PLC0415
    import multiprocessing.pool  # noqa: F401, PLC0415
    import subprocess  # noqa: F401, PLC0415
    import tempfile  # noqa: F401, PLC0415

    import babel.messages.pofile  # noqa: F401, PLC0415
    import cheroot.wsgi  # noqa: F401, PLC0415
    import cryptography.x509  # noqa: F401, PLC0415
    import cv2  # noqa: F401, PLC0415
    import flask  # noqa: F401, PLC0415
    import segno  # noqa: F401, PLC0415
    import serial.tools.list_ports  # noqa: F401, PLC0415

    names = MISSING_MODULES[system]
    for name in [name for name in sys.modules if name.partition(".")[0] in names]:
        del sys.modules[name]
    sys.meta_path.insert(0, Absent(names))
    for kinds in MISSING_NAMES[system]:
        for module, gone in kinds.items():
            for name in gone.split():
                if hasattr(module, name):
                    delattr(module, name)
    sys.platform = {"windows": "win32", "macos": "darwin"}[system]


def modules(folder: Path, prefix: str) -> Iterator[str]:
    """Every module below a folder, links followed."""
    for path in sorted(folder.iterdir()):
        if path.suffix == ".py" and path.stem != "__main__":
            yield prefix if path.stem == "__init__" else f"{prefix}.{path.stem}"
        elif (path / "__init__.py").exists() and path.name != "training":  # not shipped, and PyTorch is nobody's need
            yield from modules(path, f"{prefix}.{path.name}")


def import_everything() -> list[str]:
    """What could not be imported, and why."""
    import companion  # noqa: PLC0415

    wrong = []
    names = list(modules(Path(companion.__file__).parent, "companion"))
    for name in names:
        try:
            importlib.import_module(name)
        except Exception as error:
            wrong.append(f"{name}: {type(error).__name__}: {error}")
    print(len(names), "modules")
    return wrong


if __name__ == "__main__":
    lessen(sys.argv[1])
    if len(sys.argv) > 2:
        from companion.cli import main

        sys.exit(main(sys.argv[2:]))
    failed = import_everything()
    print(*failed, sep="\n")
    sys.exit(bool(failed))

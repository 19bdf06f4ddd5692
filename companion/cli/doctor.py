"""``companion doctor``: what is here, what works, and a bundle for a bug report with the secrets left out."""

import argparse
import importlib.metadata
import io
import json
import os
import platform
import shutil
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion import __version__, boards, games
from companion.announce.speech import PROGRAM as SPEECH_PROGRAM
from companion.cli.writing import keep_apart, write_file
from companion.devices.cameras.listing import LINUX
from companion.devices.cameras.modes import all_modes
from companion.errors import BadInput, CompanionError

OK, MISSING, WRONG = "ok", "missing", "wrong"
NEEDED_PACKAGES = ("opencv-python-headless", "numpy", "flask", "cheroot", "pyserial")
LEAST_FREE_MIB = 200
"""A long game's record stays below 5 MiB; below this the disk may fill during a session for other reasons."""
TELLING_VARIABLES = ("LANG", "LC_ALL", "DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "OPENCV_LOG_LEVEL")
"""The only environment variables that are ever reported: others may hold secrets."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. ``missing`` is no fault (a camera that is not plugged in), ``wrong`` is."""

    name: str
    status: str
    text: str
    details: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "status": self.status,
            "text": self.text,
            **({"details": self.details} if self.details else {}),
        }


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``doctor``."""
    doctor = commands.add_parser(
        "doctor",
        help="what is here and what works; a bundle for a bug report",
        description="Look at versions, cameras, serial ports, voices and disk. Returns 1 when something is wrong.",
    )
    doctor.add_argument("--json", action="store_true", help="print JSON")
    doctor.add_argument("--bundle", type=Path, metavar="FILE", help="write a zip for a bug report; secrets are left out")
    doctor.add_argument("--record", type=Path, metavar="FILE", help="a game's record to go into the bundle, as plain events")
    doctor.set_defaults(run=run_doctor)


def run_doctor(options: argparse.Namespace) -> int:
    """Print the checks and write the bundle. Returns 1 when something is wrong."""
    if options.record and not options.bundle:
        raise BadInput("--record goes into a bundle: name one with --bundle")
    keep_apart(options.bundle, options.record)
    checks = examine()
    if options.bundle:
        write_bundle(options.bundle, checks, options.record)
    if options.json:
        print(json.dumps({"version": __version__, "checks": [check.to_json() for check in checks]}, ensure_ascii=False))
    else:
        for check in checks:
            print(f"{check.status:8}{check.name}: {check.text}")
        if options.bundle:
            print(f"bundle written: {options.bundle}")
    return 1 if any(check.status == WRONG for check in checks) else 0


def examine() -> list[Check]:
    """Every check, none of which may keep the others from being made."""
    steps: tuple[Callable[[], Check], ...] = (_machine, _packages, _games, _page, _cameras, _serial_ports, _voices, _disk)
    checks = []
    for step in steps:
        try:
            checks.append(step())
        except Exception as error:
            # The doctor is for machines where anything may be broken; what failed to be looked at is a finding, too.
            checks.append(Check(step.__name__.strip("_").replace("_", " "), WRONG, f"cannot be looked at: {error!r}"))
    return checks


def write_bundle(path: Path, checks: list[Check], record: Path | None) -> None:
    """A zip with the checks, the installed packages and, if wished, a record's events. Raises BadInput.

    What goes in is listed here one by one: no folder is swept up, so no secrets file, profile or token can slip in.
    """
    parts = {
        "doctor.json": {"version": __version__, "checks": [check.to_json() for check in checks]},
        "packages.json": {item.name: item.version for item in importlib.metadata.distributions()},
        "environment.json": {name: os.environ[name] for name in TELLING_VARIABLES if name in os.environ},
    }
    lines, packed = _record_lines(record) if record else None, io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in parts.items():
            bundle.writestr(name, _homeless(json.dumps(content, ensure_ascii=False, indent=1)))
        if lines is not None:
            bundle.writestr("record.jsonl", _homeless(lines))
    write_file(path, packed.getvalue(), "the bundle")


def _record_lines(path: Path) -> str:
    from companion.record.log import Record  # noqa: PLC0415 - only a bundle needs it

    with Record.read(path, check=False) as record:
        return "".join(json.dumps(event.to_json(), ensure_ascii=False) + "\n" for event in record.events())


def _homeless(text: str) -> str:
    """The text without the user's name in paths."""
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text


# --- the checks -----------------------------------------------------------------------------------------------------


def _machine() -> Check:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    text = (
        f"companion {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}, {cores} cores"
    )
    details = {"platform": platform.platform(), "python": sys.version, "cores": cores}
    return Check("machine", OK, text, details)


def _packages() -> Check:
    versions: dict[str, str | None] = {}
    for name in NEEDED_PACKAGES:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = None
    gone = [name for name, version in versions.items() if version is None]
    if gone:
        return Check("packages", WRONG, f"not installed: {', '.join(gone)}; run: make install", versions)
    import cv2  # noqa: PLC0415 - a broken OpenCV must not keep the doctor from starting

    if not hasattr(cv2, "aruco"):
        return Check("packages", WRONG, f"OpenCV {cv2.__version__} has no marker detection (aruco)", versions)
    return Check("packages", OK, ", ".join(f"{name} {version}" for name, version in versions.items()), versions)


def _games() -> Check:
    found = {}
    for name in games.available():
        game = games.load(name)
        for edition in game.editions():
            found[f"{name} {edition}"] = boards.load(name, edition).label
    return Check("games", OK, ", ".join(found), found)


def _page() -> Check:
    try:
        from companion.web.app import create_app  # noqa: F401, PLC0415 - only whether it can be loaded
    except (ImportError, CompanionError) as error:
        return Check("page", WRONG, f"cannot be loaded: {error}")
    return Check("page", OK, "can be served")


def _cameras() -> Check:
    cameras = all_modes()
    details = {"devices": [camera.to_json() for camera in cameras]}
    usable = [camera for camera in cameras if camera.modes]
    silent = [f"{camera.device} {camera.problem}" for camera in cameras if camera.problem]
    if not usable:
        none = "is plugged in (there is no /dev/video*)" if sys.platform == LINUX else "is found"
        text = "; ".join(silent) or f"none {none}; files and network addresses work without"
        return Check("cameras", WRONG if silent else MISSING, text, details)
    return Check("cameras", OK, "; ".join(_camera_text(camera.name, camera.device, camera.modes) for camera in usable), details)


def _camera_text(name: str, device: str, modes: dict[str, tuple[tuple[int, int], ...]]) -> str:
    best = [f"{kind} up to {sizes[0][0]}x{sizes[0][1]}" for kind, sizes in modes.items() if sizes]
    return f"{device} {name} ({', '.join(best) or 'no sizes named'})"


def _serial_ports() -> Check:
    from serial.tools import list_ports  # noqa: PLC0415 - only the doctor lists them here

    ports = [{"device": port.device, "description": port.description} for port in list_ports.comports()]
    if not ports:
        return Check("serial ports", MISSING, "none (a button box is optional)")
    return Check("serial ports", OK, ", ".join(f"{p['device']} ({p['description']})" for p in ports), {"ports": ports})


def _voices() -> Check:
    where = shutil.which(SPEECH_PROGRAM)
    if where is None:
        return Check("voices", MISSING, f"{SPEECH_PROGRAM} is not installed; the page speaks with the browser's own voice")
    return Check("voices", OK, f"{SPEECH_PROGRAM} at {where}", {SPEECH_PROGRAM: where})


def _disk() -> Check:
    here = Path.cwd()
    free = shutil.disk_usage(here).free // 2**20
    text = f"{free} MiB free where you are"
    if free < LEAST_FREE_MIB:
        return Check("disk", WRONG, f"{text}, at least {LEAST_FREE_MIB} MiB should be", {"free_mib": free})
    return Check("disk", OK, text, {"free_mib": free})

"""``companion box``: find button boxes, try one out, or pretend to be one."""

import argparse
import json
import os
import select
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from companion.devices.boxes.box import PATTERNS, BoxNotice, Press
from companion.devices.boxes.manager import Boxes
from companion.devices.boxes.serial_line import SerialPorts
from companion.errors import BadInput
from companion.steady import stamp

if TYPE_CHECKING:
    from companion.devices.boxes.terminal import TerminalBox

FOUND, NONE = 0, 1
LOOKING = 2.6  # s; a port is looked at, asked and judged within this time
SHOWN = ("ready", "ask", "taken", "wrong", "blind", "over", "dark")
SHOWN_EACH = 1.5  # s
ASKED = ("silent", "foreign", "incompatible", "gone")
"""States of a port that was asked and has no box: when it will be asked again is no matter of a list."""
LONGEST_TEST = 86400.0  # s

_LONGEST_COMMAND = 4096
"""Bytes of a command to a simulated box."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``box list``, ``box test`` and ``box simulate``."""
    box = commands.add_parser("box", help="button boxes: list, test, simulate", description="Button boxes on serial lines.")
    verbs = box.add_subparsers(title="verbs", metavar="VERB", required=True)

    listing = verbs.add_parser("list", help="ask on every serial port who is there", description=run_list.__doc__)
    _ports(listing)
    listing.add_argument("--json", action="store_true", help="one JSON object a port")
    listing.set_defaults(run=run_list)

    test = verbs.add_parser("test", help="show every light and print every press", description=run_test.__doc__)
    _ports(test)
    test.add_argument("--seconds", type=float, default=60.0, metavar="S", help="how long (%(default)s)")
    test.add_argument("--json", action="store_true", help="one JSON object a line")
    test.set_defaults(run=run_test)

    simulate = verbs.add_parser("simulate", help="pretend to be a box on a pseudo-terminal", description=run_simulate.__doc__)
    simulate.add_argument("--name", metavar="LINK", help="make a link of this name to the pseudo-terminal")
    simulate.set_defaults(run=run_simulate)


def _ports(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ports", nargs="*", metavar="PORT", help="only these ports, or patterns of them like '/dev/ttyUSB*' (all there are)"
    )


def _boxes(ports: list[str], on_press: Callable[[Press], object], on_notice: Callable[[BoxNotice], object]) -> Boxes:
    source = SerialPorts(only=ports)
    lacking = [port for port in ports if not SerialPorts(only=[port]).ports()]
    if lacking:
        raise BadInput(f"{lacking[0]}: no such port; there are: {', '.join(SerialPorts().ports()) or 'none'}")
    return Boxes(on_press, on_notice, source=source)


def run_list(options: argparse.Namespace) -> int:
    """Ask on every serial port whether a button box is there. Exit status 1 when there is none."""
    boxes = _boxes(options.ports, lambda press: None, lambda notice: None)
    boxes.start()
    try:
        time.sleep(LOOKING)
        found = boxes.status()
    finally:
        boxes.stop()
    for entry in found:
        print(json.dumps(entry) if options.json else _line(entry))
    if not found and not options.json:
        print("no serial ports")
    return FOUND if any(entry["state"] == "linked" for entry in found) else NONE


def _line(entry: dict[str, Any]) -> str:
    if entry["state"] in ASKED:
        return f"{entry['port']}: {entry['state']}"
    if entry["state"] != "linked":
        return f"{entry['port']}: {entry['state']}" + (f" ({entry['text']})" if entry["text"] else "")
    return f"{entry['port']}: button box {entry['box']}, firmware {entry['firmware']}, {entry['buttons']} buttons"


def run_test(options: argparse.Namespace) -> int:
    """Show every pattern of lights in turn and print every press with its time. Exit status 1 when no box came."""
    if not 0 < options.seconds <= LONGEST_TEST:
        raise BadInput(f"--seconds {options.seconds:g}: above 0 and up to {LONGEST_TEST:g} are allowed")
    begin = stamp()
    came = threading.Event()

    def out(text: str, data: dict[str, Any]) -> None:
        print(json.dumps(data) if options.json else text, flush=True)

    def on_press(press: Press) -> None:
        marks = " together with another" * press.together + " held" * press.held
        data = {"box": press.box, "button": str(press.button), "at": press.at, "error": press.error}
        data |= {"together": press.together, "held": press.held}
        out(f"{press.at - begin:8.3f} s  box {press.box}: {press.button}{marks}", data)

    def on_notice(notice: BoxNotice) -> None:
        if notice.code in {"box-found", "box-back"}:
            came.set()
        out(str(notice), {"notice": notice.code, "text": str(notice)})

    boxes = _boxes(options.ports, on_press, on_notice)
    boxes.start()
    try:
        end, shown = time.monotonic() + options.seconds, 0
        while (left := end - time.monotonic()) > 0:
            if came.is_set():
                pattern = SHOWN[shown % len(SHOWN)]
                boxes.show(PATTERNS[pattern] if shown < len(SHOWN) else PATTERNS[pattern].quiet())
                shown += 1
            time.sleep(min(SHOWN_EACH, left))
    finally:
        boxes.stop()
    return FOUND if came.is_set() else NONE


def run_simulate(options: argparse.Namespace) -> int:
    """Pretend to be a button box on a pseudo-terminal, whose name is printed. Commands on standard input, one a line:
    press BUTTON, reset, power, drop|flip|double CHANCE, delay SECONDS, babble CHANCE, quit."""
    from companion.devices.boxes.terminal import TerminalBox  # noqa: PLC0415 - for this command alone

    if sys.stdin is None:
        raise BadInput("standard input is closed: commands to the box are read from it")
    with TerminalBox(options.name) as box:
        print(f"simulated box on {box.path}", flush=True)
        lights, pending = box.box.lights, b""
        while True:
            ready, _, _ = select.select([sys.stdin, box.handle], [], [], 0.005)
            box.turn()
            if box.box.lights != lights:
                lights = box.box.lights
                print("lights " + " ".join(("off", "on", "slow", "fast")[lights >> 2 * n & 3] for n in range(4)), flush=True)
            if sys.stdin in ready:
                # Read past Python's own buffer: a line waiting in there would wake nobody.
                data = os.read(sys.stdin.fileno(), 4096)
                *lines, pending = (pending + data).split(b"\n")
                pending = pending[:_LONGEST_COMMAND]  # a line without an end is no command and need not be kept
                if not data or not _obey(box, [line.decode(errors="replace").split() for line in lines]):
                    return FOUND


def _obey(box: "TerminalBox", commands: list[list[str]]) -> bool:
    """Carry out commands; False once one of them is to quit."""
    for words in commands:
        if words == ["quit"]:
            return False
        try:
            box.command(words)
        except BadInput as error:
            print(json.dumps({"error": str(error)}), flush=True)
    return True

"""``--box``: where button boxes are looked for on one evening."""

import argparse
from dataclasses import dataclass

from companion.devices.boxes.adapters import BoardPorts
from companion.devices.boxes.box import PortSource
from companion.devices.boxes.serial_line import SerialPorts
from companion.devices.boxes.simulator import SimulatedBox, SimulatedPorts
from companion.errors import BadInput

AUTO, NONE, SIMULATED = "auto", "none", "simulated"
SIMULATED_NAME = 0x51301A7E  # the simulated box's lasting identity; any number but 0 will do


@dataclass(frozen=True)
class BoxChoice:
    """What ``--box`` says: where boxes may be (None: nowhere), and whether they are only pretended."""

    source: PortSource | None = None
    simulated: bool = False


def add_option(command: argparse.ArgumentParser, usual: str = AUTO) -> None:
    """Add ``--box``."""
    command.add_argument(
        "--box", action="append", metavar="auto|none|simulated|PORT",
        help="button boxes: on serial adapters as boards have them (auto), none, a simulated one to press on the page, or on "
        f"these ports, given once or more and patterns allowed ({usual})",
    )  # fmt: skip


def choose(given: list[str] | None, usual: str = AUTO) -> BoxChoice:
    """What the option means. Raises BadInput for words that do not go together."""
    words = given or [usual]
    if len(words) > 1 and {AUTO, NONE, SIMULATED} & set(words):
        raise BadInput(f"--box {' '.join(words)}: {AUTO}, {NONE} and {SIMULATED} stand alone; several ports may be named")
    match words:
        case ["auto"]:
            return BoxChoice(BoardPorts())
        case ["none"]:
            return BoxChoice()
        case ["simulated"]:
            lines = SimulatedPorts()
            lines.plug("simulated", SimulatedBox(SIMULATED_NAME))
            return BoxChoice(lines, simulated=True)
    if "" in words:
        raise BadInput("--box: name a port, or say auto, none or simulated")
    return BoxChoice(SerialPorts(only=words))

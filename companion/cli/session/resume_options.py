"""What was named at the prompt when a game began counts again when its record is resumed, unless it is named otherwise now."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.calibration.profile import TableProfile
from companion.cli.session.match_options import USUAL_MIB
from companion.cli.session.output import ALONE, PageServers
from companion.devices.cameras.addresses import device_of
from companion.games.game import Game
from companion.host.choices import Choices
from companion.host.resuming import KeptSetup, choices_of, kept_setup
from companion.host.setup import CARDS, MARKED, PLAIN, CameraChoice
from companion.record.log import Record

USUAL: Mapping[str, Any] = MappingProxyType(
    {
        "host": None, "https": None, "speak": False, "language": None, "box": None,
        "size": None, "no_lock": False, "seconds_each": 2.0, "loop": False, "pictures_mib": USUAL_MIB, "board": None,
        "hub": None,
        "hub_picture": None,
    }
)  # fmt: skip
"""Every option that is kept, with what it is while nobody named it. How the game is played is kept as choices; for ports, those
that were taken are tried again first."""
_TYPES: Mapping[str, type | tuple[type, ...]] = MappingProxyType(
    {"https": bool, "speak": bool, "box": list, "no_lock": bool, "loop": bool,
     "seconds_each": (int, float), "pictures_mib": int}
)  # fmt: skip
"""Types of those that are no words."""
PORTS = "ports"


def kept_options(options: argparse.Namespace, pages: PageServers) -> dict[str, Any]:
    """What to keep of these options, as JSON, and the ports at which the page is: links name them."""
    given: dict[str, Any] = {name: getattr(options, name, usual) for name, usual in USUAL.items()}
    kept = {name: value for name, value in given.items() if value != USUAL[name]}
    if "board" in kept:
        kept["board"] = str(Path(str(kept["board"])).resolve())
    return {**kept, PORTS: pages.ports}


def take_over(options: argparse.Namespace) -> KeptSetup | None:
    """Complete ``options`` by what was kept beside their record; returns all that was. Says what opens the page to others."""
    kept = kept_setup(options.record) if options.record is not None and options.record.exists() else None
    if kept is None:
        return None
    ports = kept.options.get(PORTS)
    options.ports_before = {
        way: port for way, port in (ports.items() if isinstance(ports, dict) else ()) if isinstance(port, int)
    }
    if options.https is None and "secure" in options.ports_before:
        options.https = True
    for name, value in kept.options.items():
        if name == "https" and options.https_port is not None:
            continue  # its port is named now
        if name == "language" and not (options.speak or kept.options.get("speak")):
            continue  # of a companion that kept a language without a voice
        if name == "board" and not Path(str(value)).is_file():
            continue  # moved since: where it lies now is asked for, with the edition that the record names
        if name in USUAL and isinstance(value, _TYPES.get(name, str)) and getattr(options, name) == USUAL[name]:
            setattr(options, name, Path(str(value)) if name == "board" else value)
            if name == "board":
                options.board_named = False
            if name == "host" and value not in (ALONE, "localhost"):
                words = f"open to other devices, as this game was (--host {value}; --host {ALONE} keeps it to this computer)"
                print(words, file=sys.stderr)
    return kept


def go_on(record: Path, game: Game, kept: KeptSetup | None, given: Choices) -> Choices:
    """How a game that is named at the prompt is played: as ``given``, or as it was begun where its record is there already."""
    if not record.exists():
        return given
    with Record.read(record) as log:
        events = log.events()
    # A record of another game is refused later, in one sentence.
    return choices_of(game, events, kept, given) if events and events[0].data.get("game") == game.id else given


def named_setup(
    options: argparse.Namespace, pages: PageServers, choices: Choices, profile: TableProfile | None, *, second: bool
) -> KeptSetup:
    """What a table whose camera was named at the prompt was set up with. A file is named in full: the folder may be another."""
    source = str(options.source).strip()
    kind = "phone" if source == "phone" else "device" if source.isdigit() or source.startswith("/dev/") else "address"
    if kind == "address" and "://" not in source and device_of(source) is None:
        source = str(Path(source).expanduser().resolve())
    mode = MARKED
    if profile is not None and (profile.taught or profile.cards is not None):
        mode = CARDS if profile.cards is not None else PLAIN
    camera = CameraChoice(kind, "" if kind == "phone" else source)
    return KeptSetup(camera, mode, choices, options=kept_options(options, pages), profile=profile, second=second)

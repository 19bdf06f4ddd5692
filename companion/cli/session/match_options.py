"""How one session's game is played: the players' clocks, cards dealt, house rules, pictures kept. Options and their meaning."""

import argparse
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion import games
from companion.boards.json_file import read_object
from companion.bounded import BOUNDS
from companion.errors import BadInput
from companion.games.game import Game
from companion.games.seating import People, people_of
from companion.host.choices import Choices, ClockChoice
from companion.host.picture_store import PictureStoreSettings

MOST_MIB = 4096
USUAL_MIB = PictureStoreSettings().most_bytes // 2**20
_UNITS = MappingProxyType({"h": 3600, "m": 60, "s": 1})
_SPAN = re.compile(r"(?:\d+(?:\.\d+)?[hms])+")
_PART = re.compile(r"(\d+(?:\.\d+)?)([hms])")


def add_options(command: argparse.ArgumentParser) -> None:
    """Add what a game of its own may choose."""
    command.add_argument(
        "--house-rule", action="append", metavar="NAME=VALUE",
        help="settle a disputed point of the rules for this game; given once or more (--house-rules lists them)",
    )  # fmt: skip
    command.add_argument("--house-rules", action=_ListRules, nargs=0, help="list the house rules of every game, and stop")
    command.add_argument(
        "--copy", type=Path, metavar="FILE",
        help="what this game needs to know of your copy (JSON: by table, row and column; --copy-tables lists them)",
    )  # fmt: skip
    command.add_argument("--copy-tables", action=_ListTables, nargs=0, help="list these tables of every game, and stop")
    command.add_argument(
        "--player", action="append", metavar="[NAME=]SEAT[+SEAT]",
        help="who plays which seats, where people may share them, as Ben=SEAT+SEAT; once for each person, clockwise",
    )  # fmt: skip
    command.add_argument("--deal", action="store_true", help="the companion deals the cards of every turn and says them")
    add_shared_options(command)


def add_shared_options(command: argparse.ArgumentParser) -> None:
    """Add what the demo's game may choose as well."""
    command.add_argument(
        "--clock", metavar="TIME[+INCREMENT][,delay=TIME]",
        help="clocks for all players, as 45m+30s or 45m,delay=10s; a game that is resumed keeps its own",
    )  # fmt: skip
    command.add_argument(
        "--pictures", action="store_true", help="keep a picture before and after every play and ruling beside the record"
    )
    command.add_argument(
        "--pictures-mib", type=int, default=USUAL_MIB, metavar="MIB", help="how much of them one game may keep (%(default)s)"
    )


def choose(options: argparse.Namespace, game: Game, secret: str = "asked") -> Choices:
    """What the options mean for this game. Raises BadInput for what cannot be."""
    if not 1 <= options.pictures_mib <= MOST_MIB:
        raise BadInput(f"--pictures-mib {options.pictures_mib}: 1 to {MOST_MIB} MiB are allowed")
    if getattr(options, "deal", False) and not game.deals:
        raise BadInput(f"--deal: {game.id} draws no cards that the companion could deal")
    choices = Choices(
        secret=secret,
        deal=getattr(options, "deal", False),
        clock=None if options.clock is None else clock(options.clock),
        rules=MappingProxyType(house_rules(getattr(options, "house_rule", None) or (), game)),
        album=options.pictures,
        copy=_copy(getattr(options, "copy", None), getattr(options, "profile", None)),
        seating=people(getattr(options, "player", None) or ()),
    )
    choices.check(game)
    return choices


def _copy(file: Path | None, profile: Path | None) -> Mapping[str, Any]:
    """What was entered of the copy: in a file of its own, else with the table that the lobby kept. Raises BadInput."""
    if file is not None:
        try:
            return Choices.from_json({"copy": read_object(file, "is no table of words", BOUNDS.table)}).copy
        except BadInput as error:
            if str(error).startswith(str(file)):
                raise
            raise BadInput(f"--copy {file}: is no table of words by row and column; --copy-tables lists them") from error
    if profile is None:
        return MappingProxyType({})
    session = read_object(profile, "is neither a table profile nor a lens", BOUNDS.profile).get("evening") or {}
    return Choices.from_json({"copy": session.get("choices", {}).get("copy", {})}).copy


def people(given: Sequence[str]) -> People:
    """``[NAME=]SEAT[+SEAT]`` words as people, in their order. Which seats there are is for the game to say."""
    found = []
    for word in given:
        name, equals, seats = word.rpartition("=")
        listed = [seat.strip().lower() for seat in seats.split("+")]
        if (equals and not name.strip()) or not all(listed):
            raise BadInput(f"--player {word}: [NAME=]SEAT[+SEAT] is allowed, as Ben=SEAT+SEAT")
        found.append({"name": name, "seats": listed})
    return people_of(found)


def picture_store_settings(options: argparse.Namespace) -> PictureStoreSettings:
    """How many bytes of pictures one game may keep."""
    return PictureStoreSettings(most_bytes=options.pictures_mib * 2**20)


def house_rules(given: Sequence[str], game: Game) -> dict[str, str]:
    """``NAME=VALUE`` words as a mapping. Raises BadInput naming what there is."""
    known = {rule.name: rule.choices for rule in game.house_rules}
    chosen: dict[str, str] = {}
    for word in given:
        name, equals, value = (part.strip() for part in word.partition("="))
        if not equals or name not in known:
            raise BadInput(f"--house-rule {word}: NAME=VALUE with one of these names is allowed: {', '.join(known)}")
        if value not in known[name]:
            raise BadInput(f"--house-rule {word}: {name} can be {' or '.join(known[name])}")
        if chosen.setdefault(name, value) != value:
            raise BadInput(f"--house-rule {name}: is given twice")
    return chosen


def clock(text: str) -> ClockChoice:
    """The clocks that ``45m``, ``45m+30s`` or ``1h30m,delay=10s`` means. Raises BadInput."""
    told = "".join(text.lower().split())
    most, *parts = told.split(",")
    budget, plus, increment = most.partition("+")
    delay = "0s"
    for part in parts:
        name, _, delay = part.partition("=")
        if name != "delay" or len(parts) > 1:
            raise BadInput(_NO_CLOCK.format(text=text))
    return ClockChoice(*(_seconds(word, text) for word in (budget, increment if plus else "0s", delay)))


_NO_CLOCK = "--clock {text}: TIME[+INCREMENT][,delay=TIME] is allowed, as 45m, 45m+30s or 1h30m,delay=10s"


def _seconds(word: str, text: str) -> float:
    if not _SPAN.fullmatch(word):
        raise BadInput(_NO_CLOCK.format(text=text))
    return sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(word))


class _ListTables(argparse.Action):
    """Prints the tables to be filled in from a copy, and stops, whatever else is asked."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        for name in games.available():
            game = games.load(name)
            for table in game.copy_tables:
                print(f"{game.name} (--game {game.id})\n  {table.name}: {table.text}")
                print(f"      rows: {', '.join(row for row, _ in table.rows)}")
                print(f"      columns: {', '.join(column for column, _ in table.columns)}")
        parser.exit()


class _ListRules(argparse.Action):
    """Prints the house rules and stops, whatever else is asked."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        for name in games.available():
            game = games.load(name)
            print(f"{game.name} (--game {game.id})")
            for rule in game.house_rules:
                choices = " | ".join(f"{choice} (usual)" if choice == rule.default else choice for choice in rule.choices)
                print(f"  {rule.name}={choices}\n      {rule.text}\n      {rule.because}")
        parser.exit()

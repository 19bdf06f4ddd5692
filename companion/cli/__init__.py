"""The command line. Each module here that has an ``add`` function brings its own commands, and is loaded for them alone."""

import argparse
import codecs
import io
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from companion import __version__, boards, games
from companion.cli import processors
from companion.errors import CompanionError

DONE, NO, BAD_INPUT = 0, 1, 2
_ESCAPED = "companion-json"
COMMANDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "run": ("run", "demo"),
        "reading": ("read", "markers"),
        "evaluate": ("evaluate",),
        "positions": (*games.commands(), "moves", "explain"),
        "queries": ("answer", "deduce"),
        "records": ("replay", "verify", "export", "salvage"),
        "sealing": ("sign",),
        "calibrate": ("calibrate",),
        "box": ("box",),
        "hub": ("hub",),
        "bench": ("bench",),
        "doctor": ("doctor",),
    }
)
"""Every module with its commands, in the order in which ``--help`` and the README list them."""
OWN_BOARD = "--own-board"


class _Commands(argparse._SubParsersAction):  # type: ignore[type-arg]  # takes no type argument when the program runs
    """Commands whose own ``--help`` begins, if nothing more is told, with the line that stands for them in the list. Options of
    a command that does something by itself are refused before one of its own commands, which would not heed them."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: str | None = None
    ) -> None:
        name = str(values[0])
        command = self.choices.get(name)
        if command is not None and parser.get_default("run") is not None:
            for action in parser._actions:
                given = getattr(namespace, action.dest, action.default)
                if not action.option_strings or given == action.default:
                    continue
                taken = [one for one in command._actions if one.dest == action.dest]
                if not taken:
                    parser.error(f"{action.option_strings[0]} is not for '{name}'")
                if taken[0].default is not argparse.SUPPRESS:
                    parser.error(f"{action.option_strings[0]} stands after '{name}'")
        super().__call__(parser, namespace, values, option_string)

    def add_parser(self, name: str, **options: Any) -> argparse.ArgumentParser:
        line = options.get("help", "")
        made: argparse.ArgumentParser = super().add_parser(name, **{"description": line[:1].upper() + line[1:] + "."} | options)
        return made


class _Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line, like every other refusal; its subcommands' parsers do so too. What is given
    by its place is named in capitals, and a file FILE."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.register("action", "parsers", _Commands)

    def add_argument(self, *names: Any, **options: Any) -> argparse.Action:
        if names and not names[0].startswith("-"):
            options.setdefault("metavar", names[0].upper())
        elif options.get("type") is Path:
            options.setdefault("metavar", "FILE")
        return super().add_argument(*names, **options)

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {_one_line(message)} (see {self.prog} --help)\n")


def parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser with the command that ``arguments`` begin with, or, if they begin with none, with every one; each command's
    function is in ``run`` and returns the exit status."""
    top = _Parser(prog="companion", description="A referee's eye over a real deduction board game.")
    top.add_argument("--version", action="version", version=__version__)
    top.add_argument(
        OWN_BOARD, type=Path, action="append", default=[], metavar="FILE",
        help="a board file of your own ('companion calibrate new-board'), whose edition is then known; may be repeated",
    )  # fmt: skip
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    wanted = _command(arguments)
    for module, names in COMMANDS.items():
        if wanted is None or wanted in names:
            import_module(f"{__name__}.{module}").add(commands)
    return top


def main(arguments: list[str] | None = None, loaded: Callable[[], None] | None = None) -> int:
    """Run one command. Returns 0 done, 1 the answer is no/illegal/differs, 2 bad input (one line on stderr).

    ``loaded`` is called once the command's modules are there and its options are understood.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ESCAPED)
    arguments = sys.argv[1:] if arguments is None else arguments
    processors.before_numpy()
    try:
        options = _parsed(arguments)
        if loaded is not None:
            loaded()
        for path in options.own_board:
            boards.adopt(path)
        status: int = options.run(options)
        if sys.stdout is not None:
            sys.stdout.flush()  # a full disk is told here, not by the interpreter when it ends
    except CompanionError as error:
        print(f"companion: {_one_line(str(error))}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output went away; point stdout elsewhere so that the interpreter's last flush is quiet.
        sys.stdout = None
        return DONE
    except OSError as error:
        where = f"{error.filename}: " if error.filename is not None else ""
        print(f"companion: {_one_line(f'{where}{error.strerror or error}')}", file=sys.stderr)
        sys.stdout = None  # it may be what failed, and is flushed again when the interpreter ends
        return BAD_INPUT
    return status


def _parsed(arguments: list[str]) -> argparse.Namespace:
    """The options. Ends the program where they ask for help or for a list, once that is written, or cannot be."""
    try:
        return parser(arguments).parse_args(arguments)
    except SystemExit:
        if sys.stdout is not None:
            sys.stdout.flush()
        raise


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """What a terminal has no letters for, half a surrogate pair included, written as in JSON: it may be JSON."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(_ESCAPED, _escaped)


def _command(arguments: Sequence[str]) -> str | None:
    """The command, if there is one and nothing before it but boards of one's own."""
    left = iter(arguments)
    for word in left:
        if word == OWN_BOARD:
            next(left, None)
        elif not word.startswith(f"{OWN_BOARD}="):
            return word if any(word in names for names in COMMANDS.values()) else None
    return None


def _one_line(text: str) -> str:
    """What was typed may hold a line break, and is quoted in what is said about it."""
    return " ".join(text.splitlines())

"""The README says what is: every command is in it, and every command line in it would be taken."""

import argparse
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import companion.cli
from companion import boards
from companion.cli import COMMANDS, parser

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
SHELL = [line.split("#")[0].strip() for block in re.findall(r"```sh\n(.*?)```", README, re.S) for line in block.splitlines()]


def commands(arguments=()):
    (choices,) = [action.choices for action in parser(arguments)._actions if isinstance(action, argparse._SubParsersAction)]
    return list(choices)


def test_every_command_is_in_the_table_and_no_other_in_the_order_of_the_help():
    assert list(dict.fromkeys(re.findall(r"^\| `companion (\w+)", README, re.M))) == commands()


@pytest.mark.parametrize("line", [line for line in SHELL if "companion" in line])
def test_every_command_line_is_taken(line):
    program, *arguments = shlex.split(line)
    assert program == ".venv/bin/companion"
    assert callable(parser().parse_args(arguments).run)


@pytest.mark.parametrize("line", [line for line in SHELL if line.startswith("make")])
def test_every_verb_is_in_the_makefile(line):
    makefile = (Path(__file__).parents[2] / "Makefile").read_text("utf-8")
    assert re.search(rf"^{line.split()[1]}:", makefile, re.M)


def test_the_sticker_table_is_that_of_the_pieces():
    pieces = boards.load_pieces("mr-jack-london")
    rows = re.findall(r"^ *\| (.+?) \| (\d+)(?:(?: … |, )(\d+))? \| ([\d.]+) mm, ([\d.]+) mm \|$", README, re.M)
    told = {}
    for _, first, last, size, border in rows:
        told |= {marker: (float(size), float(border)) for marker in range(int(first), int(last or first) + 1)}
    really = {marker: (frame.side_mm, frame.quiet_mm) for marker, frame in pieces.frame_markers.items()}
    for marker, sticker in pieces.stickers.items():
        group = pieces.group_of(sticker.piece)
        really[marker] = (group.marker_mm, group.quiet_mm)
    assert told == really
    assert pieces.dictionary in README


def test_every_module_with_commands_is_in_the_list_with_all_of_them():
    made = {}
    for entry in iter_modules(companion.cli.__path__):
        add = getattr(import_module(f"companion.cli.{entry.name}"), "add", None)
        if add is not None:
            kinds = argparse.ArgumentParser().add_subparsers()
            add(kinds)
            made[entry.name] = set(kinds.choices)
    assert made == {module: set(names) for module, names in COMMANDS.items()}


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("read picture.jpg --json", {"read", "markers"}),
        ("--own-board read witness position.json", {"witness", "moves", "explain"}),
        ("--own-board=read --own-board x markers a.jpg", {"read", "markers"}),
        ("--help", None),
        ("--own-board run", None),
        ("reed picture.jpg", None),
        ("", None),
    ],
)
def test_only_what_is_asked_for_is_loaded(line, known):
    """A third of the time that ``companion read`` took went on loading the page's server."""
    arguments = line.split()
    assert set(commands(arguments)) == (known or {name for names in COMMANDS.values() for name in names})


def test_a_picture_is_read_without_the_pages_server():
    code = "import sys; from companion.cli import parser; parser(['read', 'a.jpg']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert "companion.cli.reading" in loaded and not {"flask", "companion.web", "companion.host"}.intersection(loaded)

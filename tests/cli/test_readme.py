"""The README says what is: every command is in it, and every command line in it would be taken."""

import argparse
import re
import shlex
from pathlib import Path

import pytest

from companion import boards
from companion.cli import parser

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
SHELL = [line.split("#")[0].strip() for block in re.findall(r"```sh\n(.*?)```", README, re.S) for line in block.splitlines()]


def commands():
    (choices,) = [action.choices for action in parser()._actions if isinstance(action, argparse._SubParsersAction)]
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

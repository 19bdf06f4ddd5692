"""``companion read`` and ``markers``: pictures in, readings out."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from companion import boards, games
from companion.cli.files import read_lens
from companion.cli.other_sides import learn_other_sides
from companion.errors import BadInput
from companion.vision.camera import Lens
from companion.vision.frame import Frame
from companion.vision.marked.markers import MarkerDetector
from companion.vision.marked.reader import MarkedReader
from companion.vision.pictures.files import WHOLE, left_out, load_picture, picture_paths
from companion.vision.reader import Reader
from companion.vision.table_sets.read_set import PictureReading, read_one, read_set
from companion.vision.table_sets.table_set import TableSet, is_table_set, load_table_set


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands of this module."""
    read = commands.add_parser("read", help="read pictures or table sets", description="Read pictures or table sets.")
    read.add_argument("paths", metavar="PATH", nargs="+", type=Path, help="picture, folder of pictures, or table set")
    read.add_argument("--json", action="store_true", help="one JSON object a line")
    read.add_argument(
        "--board", default=None, help="board id for pictures that are no table set (the one whose markers lie beside it)"
    )
    read.add_argument("--edition", default=None, help="edition of that board (its default one)")
    read.add_argument(
        "--lens", type=Path, default=None, help="a lens file written by 'companion calibrate lens', or a table profile"
    )
    read.set_defaults(run=run_read)

    markers = commands.add_parser(
        "markers", help="raw marker detection, for trouble-shooting", description="Raw marker detection, for trouble-shooting."
    )
    markers.add_argument("paths", metavar="PICTURE", nargs="+", type=Path, help="picture file")
    markers.add_argument("--dictionary", default="DICT_ARUCO_MIP_36h12", help="OpenCV's name of the dictionary (%(default)s)")
    markers.add_argument("--json", action="store_true", help="one JSON object a line")
    markers.set_defaults(run=run_markers)


def run_read(options: argparse.Namespace) -> int:
    """Read everything named. Returns 0; a path that cannot be used raises BadInput after the others were read."""
    lens = read_lens(options.lens)
    if options.board is not None:
        boards.load(options.board, options.edition)  # a board that does not exist is said before anything is read
    bad: list[BadInput] = []
    for path in options.paths:
        for reading in _readings(path, options, lens):
            if isinstance(reading, BadInput):
                bad.append(reading)
            else:
                _print_reading(reading, options.json)
    if bad:
        raise BadInput("; ".join(str(error) for error in bad))
    return 0


def _readings(path: Path, options: argparse.Namespace, lens: Lens | None) -> Iterator[PictureReading | BadInput]:
    """What is read from one path; a picture that cannot be used is yielded as what is wrong with it."""
    try:
        if is_table_set(path):
            table = _set_of(path, options)
            if lens is not None:
                raise BadInput(f"{path}: a table set has its own lens; leave --lens out")
            yield from read_set(table, learn_other_sides, _deck_reader(table) if table.deck else None)
            return
        pictures, others = _pictures(path)
    except BadInput as error:
        yield error
        return
    for picture in pictures:
        try:
            yield _read_picture(picture, options, lens)
        except BadInput as error:
            yield error
    yield from (BadInput(f"{path}: left out: {why}") for why in others)


def _deck_reader(table: TableSet) -> Reader:
    from companion.calibration.set_deck import deck_reader  # noqa: PLC0415 - cards are loaded only where a set has a deck

    return deck_reader(table)


def _read_picture(picture: Path, options: argparse.Namespace, lens: Lens | None) -> PictureReading:
    if options.lens is None and is_table_set(picture.parent):
        return read_one(_set_of(picture.parent, options), picture, learn_other_sides)
    frame = load_picture(picture)
    game = options.board or _board_beside(frame)
    board, pieces = boards.load(game, options.edition), boards.load_pieces(game)
    observation = MarkedReader(board, pieces, lens).read(frame)
    if observation.registration is None:
        raise BadInput(f"{picture}: {observation.problems[0]} (a table without markers needs a table profile)")
    return PictureReading(str(picture), observation, observation.reading.state(board, pieces))


def _set_of(folder: Path, options: argparse.Namespace) -> TableSet:
    """A table set, which has its own board. Raises BadInput where another one was named."""
    table = load_table_set(folder)
    for name, given, own in (("--board", options.board, table.game), ("--edition", options.edition, table.board.edition)):
        if given not in (None, own):
            raise BadInput(f"{folder}: is a table set of {own}, not of {given}; leave {name} out")
    return table


def _board_beside(frame: Frame) -> str:
    """The board most of whose frame markers are in a picture; the usual one when none is."""

    def seen(game: str) -> int:
        pieces = boards.load_pieces(game)
        return len(MarkerDetector(pieces.dictionary, pieces.frame_markers).detect(frame.image))

    order = sorted(boards.available(), key=lambda game: game != games.DEFAULT)
    return max(order, key=seen)


def run_markers(options: argparse.Namespace) -> int:
    """Print every marker of a dictionary found in each picture. Returns 0; a picture that cannot be used raises BadInput after
    the others were looked at."""
    detector = MarkerDetector(options.dictionary)
    bad: list[BadInput] = []
    for path in options.paths:
        try:
            picture = load_picture(path, limits=WHOLE)
        except BadInput as error:
            bad.append(error)
            continue
        found = sorted(detector.detect(picture.image), key=lambda marker: marker.id)
        markers = [{"id": marker.id, "corners": np.round(marker.corners, 2).tolist()} for marker in found]
        if options.json:
            print(json.dumps({"file": str(path), "markers": markers}))
        else:
            print(f"{path}: {', '.join(str(marker['id']) for marker in markers) or 'no markers'}")
    if bad:
        raise BadInput("; ".join(str(error) for error in bad))
    return 0


def _pictures(path: Path) -> tuple[list[Path], list[str]]:
    """The pictures at a path, and what lies beside them and is left out, in words."""
    if not path.is_dir():
        return [path], []
    found, others = list(picture_paths(path)), left_out(path)
    if not found:
        raise BadInput("; ".join([f"{path}: holds no pictures and no table.json", *others]))
    return found, others


def _lines(key: str, value: Any) -> Iterator[str]:
    """One part of a state in plain words; what lies there piece by piece has a line for each."""
    label = key.replace("_", " ")
    if isinstance(value, dict) and value and all(isinstance(one, dict) for one in value.values()):
        yield f"{label}:"
        yield from (f"  {name.replace('_', ' ')}: {_words(one)}" for name, one in value.items())
    else:
        yield f"{label}: {_words(value)}"


def _words(value: Any) -> str:
    match value:
        case {"hex": cell, **more}:
            facing = more.pop("facing", None)
            told = [str(one) for one in (cell, *more.values()) if one is not None]
            return ", ".join([*told, f"facing {facing}"] if facing else told) or "not there"
        case dict():
            return ", ".join(f"{place} {_words(one)}" for place, one in value.items()) or "none"
        case list() | tuple():
            return ", ".join("+".join(one) if isinstance(one, list | tuple) else str(one) for one in value) or "none"
    return "not there" if value is None else str(value)


def _print_reading(reading: PictureReading, as_json: bool) -> None:
    line = reading.json()
    if as_json:
        print(json.dumps(line, ensure_ascii=False), flush=True)
        return
    print(f"{reading.file}: {'settled' if reading.settled else 'not settled'}")
    for key, value in reading.state.items():
        for told in _lines(key, value):
            print(f"  {told}")
    for name, reason in sorted(reading.observation.reading.unknown.items()):
        print(f"  unknown {name}: {reason}")
    for problem in reading.observation.problems:
        print(f"  problem: {problem}")

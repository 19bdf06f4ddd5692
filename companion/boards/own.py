"""Board files of the user's own: another printing, a fan's map. Once adopted, its editions are played like the shipped ones."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.boards import loading
from companion.boards.board import Board
from companion.boards.json_file import read_object
from companion.boards.pieces import PieceSet
from companion.errors import BadInput, CompanionError, InvalidBoard, quoted, stopped_by

Json = Mapping[str, Any]


def read(path: Path) -> Json:
    """A board file's JSON. Raises BadInput naming the file and the fault."""
    return read_object(path, "is not a board file")


def check(data: Json, edition: str | None = None, source: str = "board") -> tuple[Board, PieceSet]:
    """The board and pieces of a board file's JSON. Raises InvalidBoard with every fault, or BadInput where something is
    missing altogether."""
    try:
        board, pieces = loading.board_from_json(data, edition, source), loading.pieces_from_json(data, source)
    except CompanionError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise BadInput(f"{source}: is not a whole board file ({stopped_by(error)})") from error
    faults = loading.start_faults(board, pieces)
    if faults:
        raise InvalidBoard(source, faults)
    return board, pieces


def load_file(path: Path, edition: str | None = None) -> tuple[Board, PieceSet]:
    """A board file of the user's own. Raises BadInput naming the file and the fault."""
    return check(read(path), edition, str(path))


def adopt(path: Path) -> tuple[str, tuple[str, ...]]:
    """Make the editions of a file known beside those that ship with its game; (game, editions).

    Other printings have the same pieces on other cells. Raises BadInput for a file of no known game, with other pieces, or
    with an edition of a name that is taken.
    """
    data = read(path)
    game, named = data.get("id"), data.get("editions")
    if game not in loading.available():
        raise BadInput(f"{path}: board {quoted(game)} is not known; there are: {', '.join(loading.available())}")
    names = tuple(named) if isinstance(named, dict) else ()
    for edition in names or (None,):
        _, pieces = check(data, edition, str(path))
        if pieces != loading.load_pieces(game):
            raise BadInput(f"{path}: its pieces are not those of {game}: another printing lays the same pieces")
        if edition in loading.editions(game) and loading.adopted(game, str(edition)) != data:
            raise BadInput(f"{path}: an edition {quoted(edition)} of {game} is there already: give this one another name")
    for edition in names:
        loading.take_over(game, edition, data)
    return game, names

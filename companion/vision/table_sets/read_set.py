"""Read every picture of a table set with what may be known beforehand: camera, markers, the empty and the start picture."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import BadInput
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.observation import Observation
from companion.vision.pictures.files import load_picture
from companion.vision.reader import Reader
from companion.vision.reading import Json
from companion.vision.table_sets.table_set import TableSet

if TYPE_CHECKING:
    from companion.vision.plain.reader import Teaching

    SidesLearner = Callable[[Teaching, Frame, TableSet], Teaching]


@dataclass(frozen=True)
class PictureReading:
    """One picture's file name and what was read in it, in the position's own JSON keys."""

    file: str
    observation: Observation
    state: Json

    @property
    def settled(self) -> bool:
        """False when the board is lost or a piece may be hidden; a piece that lies wrong is settled, and a problem."""
        reading = self.observation.reading
        return self.observation.registration is not None and set(reading.unknown.values()) <= set(reading.problems)

    def json(self) -> Json:
        """The line ``companion read`` prints."""
        return {
            "file": self.file,
            "settled": self.settled,
            "state": self.state,
            "unknown": sorted(self.observation.reading.unknown),
            "problems": list(self.observation.problems),
        }


def set_reader(table: TableSet, learn_sides: "SidesLearner | None" = None) -> Reader:
    """The reader for a set: marked, or plain taught from its empty and start pictures.

    ``learn_sides`` learns of a plain table what its picture of the other sides shows, where the set has one.
    """
    if table.marked:
        reader = MarkedReader(table.board, table.pieces, table.lens)
        if table.empty is not None:
            reader.learn_empty(load_picture(table.folder / table.empty))
        if table.start is not None:
            start = load_picture(table.folder / table.start)
            reader.learn(start, reader.read(start))
        return reader
    if table.board.lessons:
        return _pawn_reader(table)
    if table.empty is None or table.start is None:
        raise BadInput(f"{table.folder}: a plain table needs a picture of kind empty and one of kind start to be taught")
    from companion.vision.plain.reader import PlainReader, teach  # noqa: PLC0415 - the plain mode is loaded only where it is used

    empty, start = (load_picture(table.folder / file) for file in (table.empty, table.start))
    teaching = teach(empty, start, table.board, table.pieces, table.lens, dict(table.board.start))
    if table.others is not None and learn_sides is not None:
        teaching = learn_sides(teaching, load_picture(table.folder / table.others), table)
    plain: Reader = PlainReader(table.board, table.pieces, teaching)
    return plain


def _pawn_reader(table: TableSet) -> Reader:
    """The reader of a copy of pawns and tokens; its lessons are the pictures of kind start and other-sides."""
    from companion.vision.marked.frame_stickers import registered  # noqa: PLC0415 - loaded only where it is used
    from companion.vision.pawns.looks import PawnTeaching  # noqa: PLC0415
    from companion.vision.pawns.reader import PawnReader  # noqa: PLC0415

    files = [file for file in (table.start, table.others) if file is not None]
    if table.empty is None or not files:
        raise BadInput(f"{table.folder}: a plain table needs a picture of kind empty and one of kind start to be taught")
    empty = load_picture(table.folder / table.empty)
    found = registered(empty, table.board, table.pieces, table.lens)
    if found is None:
        raise BadInput(f"{table.folder / table.empty}: the board is not found by its frame stickers")
    laid = ((load_picture(table.folder / file).image, state) for file, state in zip(files, table.board.lessons, strict=False))
    teaching = PawnTeaching(table.board.id, table.board.edition, empty.image, found, tuple(laid))
    return PawnReader(table.board, table.pieces, teaching)


def read_set(
    table: TableSet, learn_sides: "SidesLearner | None" = None, reader: Reader | None = None
) -> Iterator[PictureReading | BadInput]:
    """Read a set picture by picture, in the file's order; a picture that cannot be used comes as its error. ``reader``: of a
    deck of cards that the set knows; it goes on from one picture to the next."""
    reader = reader or set_reader(table, learn_sides)
    for number, file in enumerate(table.files):
        try:
            yield read_picture(reader, load_picture(table.folder / file, number), table, file)
        except BadInput as error:
            yield error


def read_one(table: TableSet, path: Path, learn_sides: "SidesLearner | None" = None) -> PictureReading:
    """Read one picture that lies in a set's folder, with what the set says of its camera and markers."""
    return read_picture(set_reader(table, learn_sides), load_picture(path), table, str(path))


def read_picture(reader: Reader, frame: Frame, table: TableSet, file: str) -> PictureReading:
    """Read one picture of a set."""
    observation = reader.read(frame)
    return PictureReading(file, observation, observation.reading.state(table.board, table.pieces))

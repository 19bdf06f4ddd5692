"""The truth of a table set, for measuring readings. Nothing that reads pictures may import this."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.errors import BadInput, stopped_by
from companion.vision.plain.start import placements
from companion.vision.reading import Json
from companion.vision.table_sets.table_set import TABLE_FILE, TableSet, read_table_json


@dataclass(frozen=True)
class Truth:
    """What really lies on the table in one picture. ``hand``: an arm hides a part of it."""

    file: str
    kind: str
    state: Json

    @property
    def hand(self) -> bool:
        """Whether an arm is in the picture: such pictures cannot be read exactly, only without a false claim."""
        return self.kind == "hand"


def load_truth(folder: Path) -> tuple[Truth, ...]:
    """The truth of every picture of a set. Raises BadInput naming the file and the missing key."""
    data = read_table_json(folder)
    try:
        return tuple(Truth(str(raw["file"]), str(raw["kind"]), dict(raw["state"])) for raw in data["frames"])
    except (KeyError, TypeError) as error:
        raise BadInput(f"{folder / TABLE_FILE}: a frame cannot be used: {stopped_by(error)}") from error


def check_truth(truth: Truth, table: TableSet) -> None:
    """Raises BadInput, naming the picture, where what is said to lie on the table cannot be laid out on its board."""
    try:
        placements(table.board, table.pieces, {key: _on_board(content) for key, content in truth.state.items()})
    except (BadInput, KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(
            f"{table.folder / TABLE_FILE}: the state of {truth.file} cannot be laid out ({stopped_by(error)})"
        ) from error


def _on_board(content: object) -> object:
    """A group's part of a state without those whose place is null: they have left the board."""
    if not isinstance(content, Mapping):
        return content
    return {name: one for name, one in content.items() if not (isinstance(one, Mapping) and one.get("hex", "") is None)}

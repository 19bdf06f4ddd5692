"""The truth of a table set, for measuring readings. Nothing that reads pictures may import this."""

from dataclasses import dataclass
from pathlib import Path

from companion.errors import BadInput
from companion.vision.reading import Json
from companion.vision.table_set import TABLE_FILE, read_table_json


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
        raise BadInput(f"{folder / TABLE_FILE}: a frame has no usable {error}") from error

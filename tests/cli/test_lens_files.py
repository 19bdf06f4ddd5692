"""A lens file whose numbers picture nothing is refused by its own name, not blamed on the table."""

import json
from pathlib import Path

import pytest

from companion.cli.files import read_lens
from companion.errors import BadInput

GOOD = {"K": [[1600, 0, 960], [0, 1600, 540], [0, 0, 1]], "D": [0, 0, 0, 0, 0], "image_size": [1920, 1080]}


@pytest.mark.parametrize(
    "change", [{"D": [0, 0, 0]}, {"D": [float("nan")] * 5}, {"image_size": [0, 0]}, {"K": [[0, 0, 0]] * 3}]
)
def test_numbers_that_picture_nothing_are_refused(change: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "lens.json"
    path.write_text(json.dumps(GOOD))
    assert read_lens(path) is not None
    path.write_text(json.dumps({**GOOD, **change}))
    with pytest.raises(BadInput, match=": is not a lens"):
        read_lens(path)

"""A file that should hold one JSON object: read, or refused in one line that says why."""

from pathlib import Path

import pytest

from companion.boards.json_file import read_object
from companion.errors import BadInput


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not JSON: Expecting value"),
        (b'{"a": 1', "not JSON: "),
        (b"\xff\xfe\x00", "not text in UTF-8, at byte 1"),
        (b"[" * 200_000, "not JSON: nested too deeply"),
        (b'{"a": ' + b"9" * 9000 + b"}", "not JSON: a number of more than 4300 digits"),
        (b"[1]", "holds no JSON object"),
        (b"null", "holds no JSON object"),
    ],
)
def test_what_is_no_object_is_refused_in_one_line(content: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(content)
    with pytest.raises(BadInput) as refused:
        read_object(path, "is not a plan")
    assert str(refused.value).startswith(f"{path}: is not a plan ({why}")
    assert "\n" not in str(refused.value)


def test_an_object_is_read_and_a_missing_file_named(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text('{"a": [1]}')
    assert read_object(path, "is not a plan") == {"a": [1]}
    with pytest.raises(BadInput, match="cannot be read \\(Is a directory\\)"):
        read_object(tmp_path, "is not a plan")

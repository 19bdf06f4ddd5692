"""Files that are written whole or not at all."""

import threading
from pathlib import Path

import pytest

from companion import atomic


def test_what_was_there_stays_until_the_new_file_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    atomic.write(path, "old")
    with pytest.raises(ZeroDivisionError), atomic.replacing(path) as file:
        file.write(b"half")
        assert path.read_text() == "old"
        raise ZeroDivisionError
    assert path.read_text() == "old" and [one.name for one in tmp_path.iterdir()] == ["kept.json"]
    atomic.write(path, "Grüße")
    assert path.read_bytes() == "Grüße".encode()


def test_a_file_of_its_owner_alone_is_never_open_to_others(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    with atomic.replacing(path, 0o600):
        (part,) = tmp_path.iterdir()
        assert part.stat().st_mode & 0o077 == 0
    assert path.stat().st_mode & 0o777 == 0o600


def test_many_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    path, texts = tmp_path / "kept", [str(number) * 50_000 for number in range(8)]
    writers = [threading.Thread(target=atomic.write, args=(path, text)) for text in texts]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    assert path.read_text() in texts and len(list(tmp_path.iterdir())) == 1

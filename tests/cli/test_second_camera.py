"""``companion run SOURCE --also SOURCE2``: a play that one camera cannot see is told because the other one can."""

import argparse
import json
import shutil
from types import SimpleNamespace

import cv2
import pytest

from companion import boards
from companion.cli import main
from companion.cli.session import second_camera
from companion.demo import TABLE
from companion.devices.cameras.addresses import CameraSettings, open_camera
from companion.errors import BadInput
from companion.vision.marked.reader import MarkedReader
from companion.vision.reader import Traits

COMMON = ("--profile", TABLE / "table.json", "--port", "0", "--no-browser", "--json", "--once", "--seconds-each", 4)


def events(capsys, *arguments):
    assert main(["run", *map(str, arguments)]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.fixture
def folders(tmp_path):
    blocked, free = tmp_path / "blocked", tmp_path / "free"
    for folder in (blocked, free):
        folder.mkdir()
        for picture in ("001", "002"):
            shutil.copy(TABLE / f"{picture}.jpg", folder)
    image = cv2.imread(str(blocked / "002.jpg"))
    height, width = image.shape[:2]
    cv2.line(image, (width // 2, height), (width // 3, 0), (120, 150, 200), width // 3)
    cv2.imwrite(str(blocked / "002.jpg"), image)
    return blocked, free


def test_a_play_hidden_from_one_camera_is_told_by_the_other(folders, tmp_path, capsys):
    blocked, free = folders
    alone = events(capsys, blocked, "--record", tmp_path / "alone.sqlite", *COMMON)
    assert "play" not in {event["kind"] for event in alone}
    both = events(
        capsys, blocked, "--also", free, "--also-profile", TABLE / "table.json", "--record", tmp_path / "both.sqlite", *COMMON
    )
    kinds = [event["kind"] for event in both]
    assert kinds.count("table-agreed") == 1
    assert kinds.count("play") == 1
    assert "flag" not in kinds


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--also-profile", "x.json"), "name it with --also"),
        (("--also", "{source}"), "that is the first camera"),
        (("--also", "phone"), "is the only camera"),
        (("--also", "nowhere.mp4"), "no such file or folder"),
    ],
)
def test_a_second_camera_that_cannot_be_is_one_line(arguments, words, tmp_path, capsys):
    said = [part.format(source=TABLE) for part in arguments]
    assert main(["run", str(TABLE), *said, "--record", str(tmp_path / "r.sqlite"), "--port", "0", "--no-browser"]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_a_second_camera_needs_a_first(capsys):
    assert main(["run", "--also", "1"]) == 2
    assert "name the first one before it; the lobby watches with one camera alone" in capsys.readouterr().err


def test_an_unmodified_copy_needs_a_profile_for_its_second_camera_too():
    """Without one the second camera would look for stickers all session, and say nothing."""
    options = argparse.Namespace(also="1", also_profile=None)
    board, pieces = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
    first, settings = open_camera(str(TABLE / "001.jpg"), CameraSettings()), CameraSettings()
    marked = MarkedReader(board, pieces)
    with pytest.raises(BadInput, match="name the second one's profile with --also-profile"):
        second_camera.join(
            options,
            first,
            (board, SimpleNamespace(traits=Traits(taught=True))),
            pieces,
            settings,
            lambda source, profile: (board, marked),
        )
    first.close()

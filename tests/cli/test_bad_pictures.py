"""Pictures and profiles that cannot be used, through the command line: one plain sentence each, status 2, no traceback."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import boards
from companion.calibration.profile import TableProfile
from companion.cli import main
from companion.demo import TABLE
from companion.vision.camera import Lens
from companion.vision.frame import Image
from companion.vision.plain.locating import pose_from_corners
from companion.vision.plain.reader import Exemplar, Teaching

GOOD = TABLE / "002.jpg"


def torn(picture: Image) -> Image:
    made = picture.copy()
    made[picture.shape[0] * 6 // 10 :] = 128
    return made


SPOILT: dict[str, tuple[Callable[[Image], Image], str]] = {
    "black": (np.zeros_like, "the picture is black: is the lens covered, or the light off?"),
    "white": (lambda picture: np.full_like(picture, 255), "the picture is white: it is overexposed"),
    "torn": (torn, "the picture is torn: its lower 40 % did not arrive"),
    "small": (lambda picture: np.asarray(cv2.resize(picture, (320, 240))), "the picture is 320x240; at least 300 pixels"),
}


def kept(folder: Path, name: str, picture: Image) -> str:
    assert cv2.imwrite(str(folder / name), picture)
    return str(folder / name)


@pytest.mark.parametrize("kind", list(SPOILT))
def test_a_spoilt_picture_is_one_sentence_and_the_good_one_beside_it_is_read(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil, words = SPOILT[kind]
    bad = kept(tmp_path, f"{kind}.png", np.asarray(spoil(cv2.imread(str(GOOD))), np.uint8))
    assert main(["read", bad, str(GOOD), "--json"]) == 2
    out, error = capsys.readouterr()
    assert words in error and f"{kind}.png" in error
    assert error.count("\n") == 1
    assert json.loads(out)["settled"] is True


def test_a_picture_of_fifty_megapixels_is_read_like_any_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = cv2.imread(str(GOOD))
    width, height = 8192, round(8192 * picture.shape[0] / picture.shape[1])
    while width * height < 50_000_000:
        width, height = round(width * 1.02), round(height * 1.02)
    large = kept(tmp_path, "large.jpg", np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_CUBIC)))
    assert main(["read", large, "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["state"]["characters"]["holmes"] == {"hex": "e6", "side": "suspect"}


@pytest.mark.parametrize(("kind", "words"), [("black", "is black"), ("white", "is white"), ("small", "is only 320x240 pixels")])
def test_a_spoilt_picture_teaches_nothing_and_writes_no_profile(
    kind: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = kept(tmp_path, f"{kind}.png", np.asarray(SPOILT[kind][0](cv2.imread(str(GOOD))), np.uint8))
    profile = tmp_path / "table.json"
    assert main(["calibrate", "teach", bad, str(GOOD), str(profile)]) == 2
    error = capsys.readouterr().err
    assert f"the picture of the empty board {words}" in error
    assert error.count("\n") == 1
    assert not profile.exists()


def test_a_profile_of_another_board_is_refused_where_a_board_is_sought(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = boards.load("mr-jack-new-york")
    path = tmp_path / "other.json"
    TableProfile(other.id, other.edition, "marked", Lens.guess((1280, 720))).save(path)
    assert main(["calibrate", "board", str(GOOD), "--profile", str(path)]) == 2
    error = capsys.readouterr().err
    assert "the profile is of mr-jack-new-york" in error
    assert error.count("\n") == 1


def _copy_of(board: boards.Board) -> TableProfile:
    """A profile of an unmodified copy, of which nothing but the empty board and one face is known."""
    picture = np.random.default_rng(3).integers(60, 200, (720, 1280, 3), np.uint8)
    pose = pose_from_corners([(200, 40), (1080, 40), (1080, 680), (200, 680)], board, Lens.guess((1280, 720)))
    first = boards.load_pieces(board.id).in_group("characters")[0].id
    exemplar = Exemplar(first, "", "suspect", None, np.full((72, 72, 3), 90, np.uint8))
    teaching = Teaching(board.id, board.edition, picture, pose, 33.0, (exemplar,))
    return TableProfile(board.id, board.edition, "plain", Lens.guess((1280, 720)), teaching)


def _of_another_board(path: Path) -> None:
    _copy_of(boards.load("mr-jack-new-york")).save(path)


def _of_another_edition(path: Path) -> None:
    _copy_of(boards.load("mr-jack-london", "revised-2016")).save(path)


def _newer(path: Path) -> None:
    _copy_of(boards.load("mr-jack-london")).save(path)
    written, changed = re.subn(r"table-profile/\d+", "table-profile/9", path.read_text())
    assert changed == 1
    path.write_text(written)


def _broken_off(path: Path) -> None:
    _copy_of(boards.load("mr-jack-london")).save(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _without_its_picture(path: Path) -> None:
    _copy_of(boards.load("mr-jack-london")).save(path)
    document = json.loads(path.read_text())
    document["teaching"]["empty_jpg"] = document["teaching"]["empty_jpg"][:40]
    path.write_text(json.dumps(document))


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (
            _of_another_board,
            "the profile is of mr-jack-new-york (first-2009), the game is played on mr-jack-london (first-2006)",
        ),
        (_of_another_edition, "the profile is of mr-jack-london (revised-2016)"),
        (_newer, "was written by a newer companion (version 9; this one reads up to 6): update the companion"),
        (_broken_off, "is neither a table profile nor a lens (not JSON: "),
        (_without_its_picture, "the profile is damaged"),
        (lambda path: path.write_text("[1, 2]"), "holds no JSON object"),
        (lambda path: None, "cannot be read"),
    ],
)
def test_an_evening_with_a_profile_that_cannot_be_used_is_refused_in_one_line(
    write: Callable[[Path], None], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, record = tmp_path / "other.json", tmp_path / "game.sqlite"
    write(path)
    common = ["--record", str(record), "--port", "0", "--no-browser", "--box", "none"]
    assert main(["run", str(GOOD), "--profile", str(path), *common]) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1, error
    assert not record.exists()


def test_a_camera_of_another_shape_than_was_taught_is_said_on_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, folder = tmp_path / "mine.json", tmp_path / "pictures"
    _copy_of(boards.load("mr-jack-london")).save(path)
    folder.mkdir()
    kept(folder, "1.png", np.asarray(cv2.resize(cv2.imread(str(GOOD)), (960, 720)), np.uint8))
    common = ["--record", str(tmp_path / "r.sqlite"), "--port", "0", "--no-browser", "--box", "none", "--once", "--json"]
    assert main(["run", str(folder), "--profile", str(path), *common]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = [
        event["data"]["params"]["reason"]
        for event in events
        if event["kind"] == "notice" and "reason" in event["data"]["params"]
    ]
    assert told == ["the picture is 960x720 pixels, but the table was taught in a picture of another shape: teach it again"]

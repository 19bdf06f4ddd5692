"""Pictures and profiles that cannot be used, through the command line: one plain sentence each, status 2, no traceback."""

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import TableProfile
from companion import boards
from companion.cli import main
from companion.demo import TABLE
from companion.vision.camera import Lens
from companion.vision.frame import Image

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

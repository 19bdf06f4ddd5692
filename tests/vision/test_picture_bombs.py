"""A small file that unfolds to gigabytes is refused before anything is decoded, whatever it is and whatever it is called."""

import base64
import json
import sys
from pathlib import Path

import bombs
import cv2
import numpy as np
import pytest

from companion.calibration.migrations import picture_from
from companion.demo import TABLE
from companion.errors import BadInput
from companion.vision.pictures.decoding import PictureLimits, decode
from companion.vision.pictures.files import load_picture
from companion.vision.pictures.header import header_of

MOST_GROWN_MIB = 200
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts memory by /proc")


@pytest.mark.parametrize("name", list(bombs.BOMBS))
def test_a_bomb_is_refused_undecoded_in_one_sentence_that_names_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("decoded"))
    path = tmp_path / name
    path.write_bytes(bombs.BOMBS[name]())
    assert path.stat().st_size < 120_000
    with pytest.raises(BadInput, match=name) as refused:
        load_picture(path)
    assert any(words in str(refused.value) for words in ("megapixels are read", "is of the kind"))
    with pytest.raises(ValueError, match=r"megapixels are read|is of the kind"):
        picture_from(base64.b64encode(path.read_bytes()).decode())


@linux
def test_a_folder_of_bombs_costs_no_memory(tmp_path: Path) -> None:
    for name, make in bombs.BOMBS.items():
        (tmp_path / name).write_bytes(make())
    status, out, error, grown = bombs.counted(["read", str(tmp_path), "--json"])
    assert (status, out) == (2, "")
    assert all(name in error for name in bombs.BOMBS), error
    assert grown < MOST_GROWN_MIB


@linux
def test_a_bomb_in_a_profile_costs_no_memory(tmp_path: Path) -> None:
    profile = tmp_path / "table.json"
    lens = {"matrix": [[900, 0, 640], [0, 900, 360], [0, 0, 1]], "distortion": [0] * 5, "size": [1280, 720]}
    taught = {
        "lens": lens, "pose": {"rotation": np.eye(3).tolist(), "translation": [0, 0, 900], "error_mm": 1.0}, "lessons": [],
        "disc_mm": 33.0, "white": 1.0, "warnings": [], "empty_jpg": base64.b64encode(bombs.jpeg(30_000, b"\xff\x01")).decode(),
    }  # fmt: skip
    told = {"format": "table-profile/3", "board": "mr-jack-london", "edition": "first-2006", "mode": "plain", "lens": lens}
    profile.write_text(json.dumps({**told, "teaching": taught}))
    words = ["run", str(TABLE / "001.jpg"), "--profile", str(profile), "--port", "0", "--no-browser", "--box", "none"]
    status, _, error, grown = bombs.counted([*words, "--record", str(tmp_path / "r.sqlite")])
    assert status == 2
    assert "a picture in it: picture of 30000×30000 pixels, at most" in error
    assert grown < MOST_GROWN_MIB


@linux
@pytest.mark.slow
@pytest.mark.parametrize(("ending", "options"), [(".png", []), (".webp", [cv2.IMWRITE_WEBP_QUALITY, 40]), (".bmp", []),
    (".jpg", [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])])  # fmt: skip
def test_a_picture_as_large_as_is_read_takes_no_more_than_it_is_given(ending: str, options: list[int], tmp_path: Path) -> None:
    """Just below the bound, of one colour: decoded, and too small a board to be found in it."""
    image = np.full((5000, 7000, 3), 120, np.uint8)
    path = tmp_path / f"large{ending}"
    path.write_bytes(bytes(cv2.imencode(ending, image, options)[1]))
    _, _, _, grown = bombs.counted(["markers", str(path)])
    assert grown < 700


def test_the_size_that_is_told_is_the_size_that_comes_out() -> None:
    image = cv2.resize(np.random.default_rng(2).integers(0, 255, (9, 12, 3), np.uint8), (331, 207))
    for ending in (".jpg", ".png", ".webp", ".bmp", ".tif"):
        data = bytes(cv2.imencode(ending, image)[1])
        assert header_of(data).size == (331, 207), ending
        assert decode(data, ending).image.shape == (207, 331, 3)
        assert decode(data, ending, PictureLimits(most_pixels=20_000)).reduction == 2
        with pytest.raises(BadInput, match="torn picture: it ends after"):
            decode(data[: len(data) * 2 // 3] if ending != ".tif" else data[:9], ending)


def test_an_animation_is_not_taken_for_one_picture() -> None:
    data = bytearray(bombs.png(64))
    at = data.index(b"IDAT") - 4
    data[at:at] = b"\0\0\0\x08acTL\0\0\0\x02\0\0\0\0CRC!"
    with pytest.raises(BadInput, match=r"several pictures \(an animation\)"):
        decode(bytes(data), "moving.png")


def test_opencv_itself_is_bound_before_it_is_loaded() -> None:
    """Whatever reaches a decoder of OpenCV's by another way."""
    import os  # noqa: PLC0415

    limits = {name: int(os.environ[f"OPENCV_IO_MAX_IMAGE_{name}"]) for name in ("PIXELS", "WIDTH", "HEIGHT")}
    assert limits["PIXELS"] <= 200_000_000
    assert max(limits["WIDTH"], limits["HEIGHT"]) <= 65_535

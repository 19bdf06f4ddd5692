"""Files as phones and people make them: read alike wherever they are given, and never left out without a word."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.demo import TABLE
from companion.devices.cameras.addresses import CameraSettings, open_camera
from companion.errors import BadInput

GOOD = (TABLE / "002.jpg").read_bytes()
FAST = CameraSettings(pace=None, seconds_each=0.1)


def box(name: bytes, *content: bytes) -> bytes:
    data = b"".join(content)
    return (8 + len(data)).to_bytes(4, "big") + name + data


FILM = box(b"ftyp", b"mp42", bytes(4), b"isommp42") + box(b"mdat", bytes(50_000))
HEIC = box(b"ftyp", b"heic", bytes(4), b"mif1heic") + box(b"meta", bytes(60))
AVIF = box(b"ftyp", b"avif", bytes(4), b"avifmif1") + box(b"meta", bytes(60))


def shown(address: Path) -> tuple[int, list[str]]:
    """How many pictures a source shows, and what it says."""
    camera = open_camera(str(address), FAST)
    heard: list[str] = []
    camera.listen(lambda notice: heard.append(notice.message))
    return len(list(camera.frames())), heard


def read(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, object]], str]:
    status = main(["read", *words, "--json"])
    told = capsys.readouterr()
    return status, [json.loads(line) for line in told.out.splitlines()], told.err


def test_a_motion_photo_is_read_alike_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "MVIMG_1.jpg").write_bytes(GOOD + FILM)
    assert shown(tmp_path) == (1, [])
    assert shown(tmp_path / "MVIMG_1.jpg") == (1, [])
    status, lines, error = read([str(tmp_path)], capsys)
    assert (status, error, len(lines)) == (0, "", 1)


@pytest.mark.parametrize("missing", [1, 2, 30, 2000])
def test_a_jpeg_without_its_last_bytes_is_torn_everywhere(
    missing: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "1.jpg"
    path.write_bytes(GOOD[:-missing])
    words = f"1.jpg: torn picture: it ends after {len(GOOD) - missing} bytes without its end mark"
    (tmp_path / "2.jpg").write_bytes(GOOD)
    count, heard = shown(tmp_path)
    assert count == 1 and len(heard) == 1 and words in heard[0]
    status, lines, error = read([str(tmp_path)], capsys)
    assert (status, len(lines)) == (2, 1)
    assert words in error


def test_a_torn_motion_photo_is_torn_though_its_film_holds_an_end_mark(tmp_path: Path) -> None:
    (tmp_path / "1.jpg").write_bytes(GOOD[: len(GOOD) // 2] + FILM + b"\xff\xd9")
    (tmp_path / "2.jpg").write_bytes(GOOD[: len(GOOD) // 2] + GOOD)
    (tmp_path / "3.jpg").write_bytes(GOOD)
    count, heard = shown(tmp_path)
    assert count == 1
    assert any("1.jpg: torn picture: it breaks off after" in said for said in heard)
    assert any("2.jpg: torn picture: it breaks off after" in said for said in heard)


@pytest.mark.parametrize(("name", "data", "kind"), [("IMG_2.HEIC", HEIC, "HEIC"), ("IMG_2.avif", AVIF, "AVIF"),
    ("IMG_2.MOV", FILM, "film"), ("IMG_2.gif", b"GIF89a" + bytes(99), "GIF")])  # fmt: skip
def test_what_is_left_out_of_a_folder_is_named_with_its_reason(
    name: str, data: bytes, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "IMG_1.jpg").write_bytes(GOOD)
    (tmp_path / name).write_bytes(data)
    (tmp_path / "notes.txt").write_text("no picture, and nothing to be said of it")
    (tmp_path / ".hidden").write_bytes(data)
    count, heard = shown(tmp_path)
    assert count == 1 and len(heard) == 1
    status, lines, error = read([str(tmp_path)], capsys)
    assert (status, len(lines), error.count("\n")) == (2, 1, 1)
    for said in (heard[0], error):
        assert f"{name}: is of the kind {kind}" in said and "save or send it as JPEG" in said
        assert "notes" not in said and "hidden" not in said


def test_many_of_a_kind_are_said_once(tmp_path: Path) -> None:
    (tmp_path / "0.jpg").write_bytes(GOOD)
    for number in range(1, 21):
        (tmp_path / f"{number}.heic").write_bytes(HEIC)
    _, heard = shown(tmp_path)
    assert len(heard) == 1
    assert "1.heic, 2.heic, 3.heic (+ 17): is of the kind HEIC" in heard[0]


def test_a_folder_of_nothing_but_what_is_not_read_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "1.heic").write_bytes(HEIC)
    with pytest.raises(BadInput, match=r"holds no pictures .*1\.heic: is of the kind HEIC"):
        open_camera(str(tmp_path), FAST)
    assert read([str(tmp_path)], capsys)[0] == 2


@pytest.mark.parametrize("name", ["1.heic", "1.avif", "1.jpg"])
@pytest.mark.parametrize(("data", "kind"), [(HEIC, "HEIC"), (AVIF, "AVIF")])
def test_a_kind_that_is_not_read_is_refused_alike_by_read_and_run(
    name: str, data: bytes, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    status, _, error = read([str(path)], capsys)
    assert status == 2 and f"is of the kind {kind}" in error
    with pytest.raises(BadInput, match=f"is of the kind {kind}"):
        open_camera(str(path), FAST)


def test_a_picture_whose_name_has_no_ending_is_read_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "photo"
    path.write_bytes(GOOD)
    assert shown(path) == (1, [])
    assert read([str(path)], capsys)[0] == 0
    (tmp_path / "1.jpg").write_bytes(GOOD)
    _, heard = shown(tmp_path)
    assert "photo: a picture of the kind JPEG whose name does not end as one; rename it" in heard[0]


@pytest.mark.parametrize("name", ["half:time.avi", "2026-11-25 20:15:01.avi", "http:clip.avi"])
def test_a_video_whose_name_has_a_colon_is_opened(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    writer = cv2.VideoWriter("plain.avi", cv2.VideoWriter.fourcc(*"MJPG"), 20, (160, 120))
    for shade in range(5):
        writer.write(np.full((120, 160, 3), shade * 40, np.uint8))
    writer.release()
    Path("plain.avi").rename(name)
    assert shown(Path(name)) == (5, [])


def test_a_video_of_larger_pictures_than_are_decoded_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "wide.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20, (640, 480))
    writer.write(np.zeros((480, 640, 3), np.uint8))
    writer.release()
    assert len(list(open_camera(str(path), FAST).frames())) == 1
    with pytest.raises(BadInput, match="picture of 640×480 pixels, at most 0 megapixels"):
        open_camera(str(path), CameraSettings(pace=None, most_video_pixels=300_000))


@pytest.mark.parametrize("name", ["huge.mp4", "huge.avi"])
def test_a_picture_under_a_videos_name_passes_the_pictures_gate(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(b"BM" + bytes(12) + b"\x28\0\0\0" + (30_000).to_bytes(4, "little") * 2 + b"\1\0\x08\0\1\0\0\0" + bytes(99))
    with pytest.raises(BadInput, match="picture of 30000×30000 pixels, at most"):
        open_camera(str(path), FAST)


def test_a_playlist_under_a_videos_name_opens_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    path.write_text("#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/clip.ts\n")
    with pytest.raises(BadInput, match="is not a video that can be opened"):
        open_camera(str(path), FAST)

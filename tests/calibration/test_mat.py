"""The mat of a card game as a PDF reader shows it: true sizes, stickers that read, zones in their places."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from test_printed_pdf import PER_MM, shown

from companion import boards
from companion.calibration.mat import mat_pdf, mat_sheets
from companion.cli import main
from companion.errors import BadInput

GAME = "get-adler"


def stickers(picture: np.ndarray, dictionary: str) -> dict[int, tuple[float, float]]:
    """The middles (mm) of the stickers on a page."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary)))
    corners, ids, _ = detector.detectMarkers(picture)
    if ids is None:
        return {}
    middles = [np.asarray(corner).reshape(4, 2).mean(axis=0) / PER_MM for corner in corners]
    return {int(number): (float(x), float(y)) for number, (x, y) in zip(np.asarray(ids).reshape(-1), middles, strict=True)}


@pytest.mark.parametrize("paper", ["a3", "a4"])
def test_frame_stickers_and_zones_are_printed_where_the_camera_expects_them(paper: str) -> None:
    board, pieces = boards.load(GAME), boards.load_pieces(GAME)
    pages = shown(mat_pdf(board, pieces, paper))
    width = 420.0 if paper == "a3" else 210.0
    assert len(pages) == (1 if paper == "a3" else 2)
    found: dict[int, tuple[float, float]] = {}
    for number, (picture, _, size) in enumerate(pages):
        assert size == pytest.approx((width, 297.0), abs=0.01)
        found |= {marker: (x + number * width, y) for marker, (x, y) in stickers(picture, pieces.dictionary).items()}
    assert found.keys() == pieces.frame_markers.keys()
    for marker, middle in found.items():
        assert middle == pytest.approx(pieces.frame_markers[marker].centre_mm, abs=0.3)
    assert np.median(pages[0][0]) == pytest.approx(0xC4, abs=2), "white rims of cards stand out from it"
    words = " ".join(text for _, text, _ in pages)
    assert all(name in words for name in ("Deck", "Discard pile", "Seat 3", "Role of seat 6"))
    assert "hand" not in words, "hands lie beside it"


def test_four_loose_stickers_are_printed_for_a_plain_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pieces, path = boards.load_pieces(GAME), tmp_path / "mat.pdf"
    assert main(["calibrate", "mat", str(path), "--board", GAME, "--paper", "stickers"]) == 0
    assert capsys.readouterr().out.strip() == str(path)
    [(picture, words, size)] = shown(path.read_bytes())
    assert size == pytest.approx((210, 297), abs=0.01)
    assert stickers(picture, pieces.dictionary).keys() == pieces.frame_markers.keys()
    assert "394 mm apart across and 271 mm down" in words


def test_what_cannot_be_printed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no mat to print"):
        mat_sheets(boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london"))
    large = boards.load(GAME).scaled((700.0, 500.0))
    with pytest.raises(BadInput, match="does not fit on A3"):
        mat_sheets(large, boards.load_pieces(GAME))
    assert len(mat_sheets(large, boards.load_pieces(GAME), "a4")) == 8
    assert main(["calibrate", "mat", str(tmp_path / "mat.svg"), "--board", GAME]) == 2

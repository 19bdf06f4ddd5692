"""The pages to print, as a PDF reader shows them: true sizes, readable markers, words in their places."""

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import boards
from companion.calibration.lens import charuco, sheet_pdf
from companion.calibration.pdf import pdf, width_mm
from companion.calibration.stickers import plan, sticker_pages, sticker_pdf
from companion.calibration.svg import Sheet
from companion.cli import main

PER_MM = 6.0


def shown(data: bytes) -> list[tuple[np.ndarray, str, tuple[float, float]]]:
    """Each page as a grey picture (``PER_MM`` pixels a millimetre), its words, and its size in mm."""
    document = pypdfium2.PdfDocument(data)
    pages = []
    for page in document:
        text = page.get_textpage()
        picture = page.render(scale=PER_MM * 25.4 / 72, grayscale=True).to_numpy()
        pages.append((np.array(picture).reshape(picture.shape[:2]), text.get_text_range(), page.get_size()))
        text.close()
        page.close()
    document.close()
    return [(picture, words, (width / 72 * 25.4, height / 72 * 25.4)) for picture, words, (width, height) in pages]


@pytest.mark.parametrize("game", ["mr-jack-london", "mr-jack-new-york"])
def test_every_sticker_of_the_pdf_reads_at_its_size_with_its_name_in_words(game: str) -> None:
    board, pieces = boards.load(game), boards.load_pieces(game)
    wanted = {sticker.marker: sticker for sticker in plan(pieces)}
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, pieces.dictionary)))
    pages = shown(sticker_pdf(board, pieces))
    assert len(pages) == len(sticker_pages(board, pieces))
    found = {}
    for picture, words, size in pages:
        assert size == pytest.approx((210, 297), abs=0.01)
        corners, ids, _ = detector.detectMarkers(picture)
        for marker, corner in zip(np.asarray(ids).reshape(-1), corners, strict=True):
            points = np.asarray(corner).reshape(4, 2)
            found[int(marker)] = float(np.linalg.norm(points[1] - points[0])) / PER_MM
            quiet = wanted[int(marker)].quiet_mm * PER_MM
            (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
            # The white border: nothing printed beside the square, as wide as it must be (round ones: at the middle of a side).
            middle = round((top + bottom) / 2)
            assert picture[middle, round(left - quiet * 0.8) : round(left) - 2].min() > 250
            assert picture[middle, round(right) + 3 : round(right + quiet * 0.8)].min() > 250
        for sticker in wanted.values():
            if sticker.marker in np.asarray(ids).reshape(-1):
                assert sticker.words in words
    assert set(found) == set(wanted)
    for marker, side in found.items():
        assert side == pytest.approx(wanted[marker].side_mm, abs=0.5)


def test_the_lens_sheet_of_the_pdf_shows_every_corner() -> None:
    ((picture, words, size),) = shown(sheet_pdf())
    assert size == pytest.approx((297, 210), abs=0.01)
    assert "Print at 100 %" in words
    _, ids, _, _ = cv2.aruco.CharucoDetector(charuco()).detectBoard(picture)
    assert len(ids) == 7 * 4


def test_a_cut_line_is_a_dashed_circle_where_it_should_be() -> None:
    sheet = Sheet(60, 40, "circle")
    sheet.cut_line(10, 5, 30, 30, round_=True)
    picture = shown(pdf([sheet]))[0][0]
    ys, xs = np.nonzero(picture < 240)
    radius = np.hypot(xs / PER_MM - 25, ys / PER_MM - 20)
    assert radius.min() > 14.7
    assert radius.max() < 15.3
    turn = np.degrees(np.arctan2(ys / PER_MM - 20, xs / PER_MM - 25)) % 360
    share = len(np.unique(turn.astype(int))) / 360
    assert 0.4 < share < 0.8, "half of a dashed line is gaps"


@settings(max_examples=40)
@given(st.text(st.characters(codec="cp1252", exclude_categories=("C", "Z")), min_size=1, max_size=20))
def test_words_come_out_of_the_file_as_they_went_in(words: str) -> None:
    sheet = Sheet(200, 40, words)
    sheet.text(100, 20, words, 4.0, "middle")
    assert shown(pdf([sheet]))[0][1].replace("\r\n", "") == words


@pytest.mark.parametrize(
    "words", ["Sergeant Goodley, innocent", "QUICK ZEPHYRS BLOW VEXING DAFT JUMPS", "héros à l'été", "0123456789"]
)
def test_a_line_is_as_wide_as_reckoned_and_in_the_middle(words: str) -> None:
    sheet = Sheet(200, 40, words)
    sheet.text(100, 20, words, 4.0, "middle")
    columns = np.nonzero((shown(pdf([sheet]))[0][0] < 200).any(axis=0))[0]
    assert (columns[0] + columns[-1]) / 2 / PER_MM == pytest.approx(100, abs=0.5)
    assert (columns[-1] - columns[0]) / PER_MM == pytest.approx(width_mm(words, 4.0), abs=0.8)


def test_the_command_writes_pdf_by_the_files_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "stickers", str(tmp_path / "stickers.pdf")]) == 0
    assert main(["calibrate", "sheet", str(tmp_path / "sheet.PDF")]) == 0
    for name in ("stickers.pdf", "sheet.PDF"):
        assert (tmp_path / name).read_bytes().startswith(b"%PDF-1.4")
    assert len(list(tmp_path.iterdir())) == 2
    assert main(["calibrate", "stickers", str(tmp_path / "nowhere" / "stickers.pdf")]) == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("game", boards.available())
def test_no_page_is_printed_for_a_few_stickers(game: str) -> None:
    board, pieces = boards.load(game), boards.load_pieces(game)
    on_page = [sum(f">{sticker.words}<" in page for sticker in plan(pieces)) for page in sticker_pages(board, pieces)]
    assert sum(on_page) == len(plan(pieces))
    assert min(on_page) > max(on_page) / 2

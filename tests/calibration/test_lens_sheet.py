"""The lens sheet and stickers as printed, and a lens measured from pictures of the sheet."""

import xml.etree.ElementTree as ET

import cv2
import numpy as np
import pytest

from companion import boards
from companion.calibration.lens import DICTIONARY, calibrate_lens, charuco, sheet_svg
from companion.calibration.stickers import plan, sticker_pages
from companion.errors import BadInput
from companion.vision.camera import Lens, Registration
from companion.vision.frame import Frame

PER_MM = 6


def drawn(svg: str) -> np.ndarray:
    """The rectangles of one of our pages as a picture."""
    root = ET.fromstring(svg)
    _, _, width, height = (float(v) for v in root.attrib["viewBox"].split())
    page = np.full((round(height * PER_MM), round(width * PER_MM)), 255, np.uint8)
    for part in root:
        if part.tag.endswith("rect") and part.attrib["fill"] != "none":
            x, y, w, h = (float(part.attrib.get(k, 0)) * PER_MM for k in ("x", "y", "width", "height"))
            page[round(y) : round(y + h), round(x) : round(x + w)] = 255 if part.attrib["fill"] == "#fff" else 0
    return page


def test_every_sticker_on_the_pages_reads_as_its_id_at_its_size() -> None:
    board, pieces = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
    wanted = {sticker.marker: sticker for sticker in plan(pieces)}
    assert set(wanted) == set(pieces.marker_ids)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, pieces.dictionary)))
    seen = {}
    for page in sticker_pages(board, pieces):
        corners, ids, _ = detector.detectMarkers(drawn(page))
        for marker, corner in zip(np.asarray(ids).reshape(-1), corners, strict=True):
            points = np.asarray(corner).reshape(4, 2)
            seen[int(marker)] = float(np.linalg.norm(points[1] - points[0])) / PER_MM
        for piece in pieces.pieces.values():
            assert "<text" in page, piece
    assert set(seen) == set(wanted)
    for marker, side in seen.items():
        assert side == pytest.approx(wanted[marker].side_mm, abs=0.5)
    words = " ".join(sticker_pages(board, pieces))
    assert all(piece.name in words for piece in pieces.pieces.values())


def photographs(lens: Lens, count: int) -> list[Frame]:
    """The sheet seen by a known lens from several sides."""
    page = drawn(sheet_svg())
    rng = np.random.default_rng(4)
    frames = []
    for number in range(count):
        turn = cv2.Rodrigues(rng.uniform(-0.45, 0.45, 3))[0]
        middle = turn @ np.array([148.0, 100.0, 0.0])
        shift = np.array([rng.uniform(-40, 40), rng.uniform(-25, 25), rng.uniform(330, 460)]) - middle
        pose = Registration(lens, turn, shift.reshape(3, 1))
        ys, xs = np.mgrid[0 : lens.size[1], 0 : lens.size[0]]
        where = pose.locate(np.column_stack([xs.ravel(), ys.ravel()])).reshape((*xs.shape, 2)).astype(np.float32)
        # A printed point at p mm lies at p·PER_MM - ½ in the drawing, whose first pixel's middle is half a pixel in.
        grey = cv2.remap(page, where[..., 0] * PER_MM - 0.5, where[..., 1] * PER_MM - 0.5, cv2.INTER_LINEAR, borderValue=120)
        frames.append(Frame(cv2.cvtColor(cv2.GaussianBlur(grey, (0, 0), 0.7), cv2.COLOR_GRAY2BGR), 0.0, f"picture {number}"))
    return frames


def test_a_lens_is_measured_from_a_few_pictures_of_the_sheet() -> None:
    guess = Lens.guess((1280, 720), 66)
    lens = Lens(guess.matrix, np.array([-0.08, 0.02, 0.0, 0.0, 0.0]), guess.size)
    frames = [*photographs(lens, 6), Frame(np.full((720, 1280, 3), 90, np.uint8), 0.0, "the table top")]
    report = calibrate_lens(frames)
    assert report.error_px < 0.5
    assert len(report.per_picture) == 6
    assert [why for why in report.left_out if "table top" in why]
    assert report.lens.matrix[0, 0] == pytest.approx(lens.matrix[0, 0], rel=0.01)
    edge = np.array([[240.0, 140.0], [1040.0, 580.0]])
    assert np.abs(report.lens.undistort(edge) - lens.undistort(edge)).max() * lens.matrix[0, 0] < 6


def test_pictures_without_the_sheet_are_refused_in_words() -> None:
    grey = Frame(np.full((720, 1280, 3), 90, np.uint8), 0.0, "wall.jpg")
    with pytest.raises(BadInput, match=r"wall\.jpg.*only 0 corners"):
        calibrate_lens([grey, grey, grey])
    with pytest.raises(BadInput, match="take all alike"):
        calibrate_lens([grey, Frame(grey.image[:360, :640].copy(), 0.0, "small.jpg")])


def test_the_sheet_uses_markers_that_are_no_pieces() -> None:
    assert boards.load_pieces("mr-jack-london").dictionary != DICTIONARY
    assert len(np.asarray(charuco().getIds())) > 10

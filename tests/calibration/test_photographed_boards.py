"""Photographs of other prints from a folder: found where they lie, not found elsewhere, and a wrong finding is counted."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.calibration.training import photographed_boards
from companion.calibration.training.photographed_boards import (
    OTHERS,
    PHOTOGRAPHS_ENV,
    Finding,
    findings,
    folders,
    main,
    photographed,
    summary,
)
from companion.vision.camera import Lens

SIZE = (800, 600)
CORNERS = np.array([(120, 90), (680, 90), (680, 510), (120, 510)], np.float64)


def way() -> np.ndarray:
    """From a camera that looks straight down on a print 600 mm wide to one that leans by 25 degrees and is turned by 12."""
    matrix, (down, about) = Lens.guess(SIZE).matrix, np.radians([25.0, 12.0])
    away = np.array([0.0, 0.0, 600 * matrix[0, 0] / (CORNERS[1, 0] - CORNERS[0, 0])])
    spin = np.array([[np.cos(about), -np.sin(about), 0], [np.sin(about), np.cos(about), 0], [0, 0, 1]])
    turn = np.array([[1, 0, 0], [0, np.cos(down), -np.sin(down)], [0, np.sin(down), np.cos(down)]]) @ spin
    straight, leaning = (matrix @ np.column_stack([one[:, :2], away]) for one in (np.eye(3), turn))
    return np.asarray(leaning @ np.linalg.inv(straight))


def art(seed: int) -> np.ndarray:
    """A made-up print that fills a picture."""
    rng = np.random.default_rng(seed)
    canvas = np.full((SIZE[1], SIZE[0], 3), rng.integers(120, 200, 3), np.uint8)
    for _ in range(420):
        middle, radius = tuple(int(v) for v in rng.integers(0, SIZE)), int(rng.integers(5, 26))
        colour = tuple(int(v) for v in rng.integers(20, 250, 3))
        cv2.ellipse(canvas, middle, (radius, int(radius * 0.6)), float(rng.integers(180)), 0, 360, colour, -1, cv2.LINE_AA)
    return cv2.GaussianBlur(canvas, (0, 0), 0.9)


def put(folder: Path, seed: int) -> None:
    """A print and two later pictures of it: from elsewhere with a piece on it, and one of another print passed off as it."""
    folder.mkdir()
    later = cv2.warpPerspective(art(seed), way(), SIZE, flags=cv2.INTER_AREA)
    cv2.rectangle(later, (330, 250), (400, 300), (40, 40, 40), -1)
    for name, picture in (("1", art(seed)), ("2", later), ("10", art(seed + 50))):
        cv2.imwrite(str(folder / f"{name}.png"), picture)
    np.savetxt(folder / "H_1_2", way())
    np.savetxt(folder / "H_1_10", np.eye(3))
    np.savetxt(folder / "corners.txt", CORNERS)
    np.savetxt(folder / "size.txt", [(600.0, 450.0)])


def test_prints_are_measured_against_what_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(PHOTOGRAPHS_ENV, str(tmp_path))
    put(tmp_path / "harbour", 1)
    put(tmp_path / "meadow", 2)
    (tmp_path / "harbour" / "field_of_view.txt").write_text("63\n", encoding="utf-8")
    (tmp_path / OTHERS).mkdir()
    cv2.imwrite(str(tmp_path / OTHERS / "room.png"), art(9))
    assert [folder.name for folder in folders()] == ["harbour", "meadow"]
    main(["500"])
    harbour, meadow = (line for line in capsys.readouterr().out.splitlines() if not line.startswith(" "))
    for name, line in (("harbour", harbour), ("meadow", meadow)):
        assert line.startswith(f"{name}, 500 px wide: found in 1 of 2, at once in 1; off by 0.")
        assert line.endswith("wrong: none; taken for it 0 of 3 others, at once 0")


def test_a_finding_that_lies_elsewhere_is_wrong(tmp_path: Path) -> None:
    put(tmp_path / "harbour", 1)
    shown = photographed(tmp_path / "harbour").scaled(500)
    moved = np.array([[1.0, 0, 6.0], [0, 1, 0], [0, 0, 1]]) @ shown.ways["2"]
    shown.ways["2"] = moved
    (first, _) = findings(shown)
    assert first.wrong and first.off_px is not None and 6 < first.off_px[0] < 15
    assert "wrong: 2;" in summary("harbour", [first])
    assert Finding("other", (np.inf, np.inf), at_once=False, shown=False).wrong
    assert not Finding("other", None, at_once=False, shown=False).wrong
    assert not Finding("2", (2.9, 8.0), at_once=True).wrong


def test_a_picture_that_is_none_or_of_another_size_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PHOTOGRAPHS_ENV, raising=False)
    with pytest.raises(FileNotFoundError, match=PHOTOGRAPHS_ENV):
        photographed_boards.folders()
    put(tmp_path / "harbour", 1)
    cv2.imwrite(str(tmp_path / "harbour" / "3.png"), np.zeros((60, 80, 3), np.uint8))
    with pytest.raises(ValueError, match=r"3\.png is not of the size"):
        photographed(tmp_path / "harbour")
    (tmp_path / "harbour" / "3.png").write_bytes(b"no picture")
    with pytest.raises(ValueError, match=r"3\.png is no picture"):
        photographed(tmp_path / "harbour")

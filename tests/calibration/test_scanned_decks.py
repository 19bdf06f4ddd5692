"""Decks from a folder of scans: which fronts are taught, what passes for a back, and what is said where there is none."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.calibration.training.card_decks_scanned import NEVER, SCANS_ENV, deck, folders


@pytest.fixture
def scans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(SCANS_ENV, str(tmp_path))
    folders.cache_clear()
    yield tmp_path
    folders.cache_clear()


def put(folder: Path, names: str) -> None:
    folder.mkdir()
    for number, name in enumerate(names.split()):
        cv2.imwrite(str(folder / f"{name}.png"), np.full((176, 126, 3), 20 * number + 10, np.uint8))


def test_some_fronts_are_kept_apart_and_each_seed_keeps_to_its_folder(scans: Path) -> None:
    put(scans / "one", "a b c d e back")
    put(scans / "two", "v w x y z")
    first, second = deck(2), deck(3)
    assert (first.name, second.name) == ("one-2", "two-3")
    assert len(first.faces) == 6 - NEVER and len(first.never) == NEVER
    assert first.faces["back"][0, 0, 0] == 110 and set(second.faces) - set("vwxyz") == {"back"}
    taught = {int(face[0, 0, 0]) for name, face in first.faces.items() if name != "back"}
    assert taught.isdisjoint(int(face[0, 0, 0]) for face in first.never)
    assert {name: face.shape for name, face in deck(2).faces.items()} == dict.fromkeys(first.faces, (352, 252, 3))


def test_a_folder_without_enough_scans_is_named(scans: Path) -> None:
    with pytest.raises(FileNotFoundError, match=SCANS_ENV):
        deck(0)
    put(scans / "few", "a b back")
    with pytest.raises(ValueError, match="few"):
        deck(0)
    (scans / "few" / "c.png").write_bytes(b"no picture")
    with pytest.raises(ValueError, match=r"c\.png is no picture"):
        deck(0)

"""Features found part by part are those of the whole picture, for a part of the memory."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.plain.features import PART_PX, features

PICTURE = Path(__file__).parents[2] / "companion" / "demo" / "mr-jack-london" / "table" / "001.jpg"


@pytest.fixture(scope="module")
def grey() -> np.ndarray:
    picture = cv2.imread(str(PICTURE), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    return np.asarray(cv2.resize(picture, (2 * PART_PX, 540), interpolation=cv2.INTER_AREA), np.uint8)


def test_the_features_of_a_pictures_parts_are_those_of_the_whole(grey: np.ndarray) -> None:
    found, described = cv2.SIFT_create(nfeatures=1500).detectAndCompute(grey, None)  # type: ignore[attr-defined]
    points, descriptors = features(grey, 1500)
    assert len(points) == len(descriptors) == pytest.approx(len(found), rel=0.01)
    whole = np.array([point.pt for point in found])
    gaps = np.linalg.norm(points[:, None] - whole[None], axis=2)
    assert (gaps.min(axis=0) < 0.5).mean() > 0.93
    same = np.flatnonzero(gaps.min(axis=1) < 0.05)
    apart = [np.linalg.norm(described[gaps[n] < 0.05] - descriptors[n], axis=1).min() for n in same]
    assert np.mean(np.array(apart) < 60) > 0.9, "descriptors have a length of 512"


def test_features_lie_in_the_picture_and_are_as_many_as_asked_for(grey: np.ndarray) -> None:
    points, _ = features(grey, 200)
    assert len(points) == 200
    assert (points >= 0).all() and (points < grey.shape[::-1]).all()
    halves = [(points[:, axis] < grey.shape[1 - axis] / 2).sum() for axis in (0, 1)]
    assert all(0 < half < 200 for half in halves), "no part is left out"


def test_a_flat_picture_has_none() -> None:
    points, descriptors = features(np.full((300, 700), 128, np.uint8), 100)
    assert points.shape == (0, 2) and descriptors.shape == (0, 128)

"""SIFT features of a grey picture, found part by part."""

from itertools import pairwise, product

import cv2
import numpy as np
from numpy.typing import NDArray

PART_PX = 480
"""320..640 px, the longest side of a part. OpenCV holds the whole pyramid of a picture, from twice its size on, as floating
point numbers: 120 MB for 960x540 pixels, 40 MB for one of 2x2 parts. Of the 1500 features of a whole picture 97 of 100 are
among those of its parts."""
MARGIN_PX = 48
"""32..96 px beyond a part that are looked at with it: what a feature at its edge is described by."""


def features(grey: NDArray[np.uint8], most: int) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """The strongest features of a picture (H×W), at most so many: points (N×2 pixels, x and y) and descriptors (N×128)."""
    sift = cv2.SIFT_create(nfeatures=most)  # type: ignore[attr-defined]  # missing in the stubs
    height, width = grey.shape
    points, descriptors, strengths = [np.zeros((0, 2))], [np.zeros((0, 128), np.float32)], [np.zeros(0)]
    rows, columns = (np.linspace(0, side, -(-side // PART_PX) + 1).round().astype(int).tolist() for side in (height, width))
    for (top, bottom), (left, right) in product(pairwise(rows), pairwise(columns)):
        y, x = max(0, top - MARGIN_PX), max(0, left - MARGIN_PX)
        part = np.ascontiguousarray(grey[y : bottom + MARGIN_PX, x : right + MARGIN_PX])
        found, described = sift.detectAndCompute(part, None)
        if described is None or not found:
            continue
        at = np.array([point.pt for point in found]) + np.array([x, y])
        own = (at >= (left, top)).all(axis=1) & (at < (right, bottom)).all(axis=1)
        points.append(at[own])
        descriptors.append(np.asarray(described, np.float32)[own])
        strengths.append(np.array([point.response for point in found])[own])
    strongest = np.argsort(-np.concatenate(strengths), kind="stable")[:most]
    return np.concatenate(points)[strongest], np.concatenate(descriptors)[strongest]

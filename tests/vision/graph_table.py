"""A refereed table of hide and seek under a camera: composed pictures of pawns and cell features, read by their stickers."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from surfaces import SHOT, Put, shoot
from testkit.path_table import BOARD, PIECES, PathTable

from companion.calibration.training.stickers_composed import pose
from companion.vision.frame import Frame, Image
from companion.vision.marked.reader import MarkedReader
from companion.vision.watching.watcher import Watcher

NEAR = replace(SHOT, size=(1280, 960), px_per_mm=5.2)
"""A camera that shows the stickers of 6.4 mm at 33 pixels."""
LOOKS = 8
"""Pictures that a table is shown at most until it has settled, half a second apart."""


@cache
def picture(put: tuple[Put, ...]) -> Image:
    """The table with these pieces on it."""
    return shoot(BOARD, PIECES, put, NEAR)


@cache
def grain() -> Image:
    """Two frames of a sensor's noise."""
    return np.random.default_rng(5).integers(0, 3, (2, *picture(()).shape), np.uint8)


def watcher() -> Watcher:
    """Eyes that were shown the empty board."""
    reader = MarkedReader(BOARD, PIECES, pose(BOARD, NEAR).lens)
    empty = Frame(picture(()), 0.0, "made", 0)
    reader.learn(empty, reader.read(empty))
    return Watcher(reader, BOARD)


class SeenTable(PathTable):
    """The table under a camera. Pieces lie a little off the middle of their sites, and turned; a site may be board mm."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, eyes=watcher())

    def look(self, lying: Mapping[str, Any], hidden: Mapping[str, str]) -> None:
        assert not hidden, "what a camera cannot tell it finds out for itself"
        put = tuple(Put(piece, site, None, (0.4, -0.5), 25.0 * len(piece)) for piece, site in lying.items())
        pictures = (np.asarray(cv2.add(picture(put), grain()[number % 2]), np.uint8) for number in range(LOOKS))
        assert any(self.pass_frame(image) for image in pictures), "the table never came to rest"

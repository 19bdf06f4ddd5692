"""A made-up deck on a mat before the lobby's camera."""

import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from fake_lobby import FakeLobby, StillSources

from companion import games
from companion.calibration.training.card_decks import deck
from companion.calibration.training.card_table import CardTable, Light

sys.path.append(str(Path(__file__).parents[1] / "vision"))
GAME = games.load("get-adler")
ARTS = {"cards:document": "face-0", "cards:gun": "face-4"}


class DeckTable:
    """A mat before a camera, and the lobby that looks at it."""

    def __init__(self, folder: Path) -> None:
        from surfaces import MAT_SHOT  # noqa: PLC0415 - lies with the tests of vision

        self.mat, self.faces = CardTable(GAME.board(GAME.editions()[0]), MAT_SHOT, 6, pieces=GAME.pieces()), deck(3).faces
        self.bare, self.seed, self.folder = self.mat.film(), 0, folder
        self.pictures = [self.picture()]
        self.lobby = FakeLobby(folder, StillSources(self.pictures))
        self.lobby.do("game", {"game": GAME.id, "edition": GAME.editions()[0]})
        self.lobby.do("camera", {"kind": "device", "address": "0"})

    def picture(self) -> Any:
        self.seed += 1
        return self.mat.picture(Light(), self.seed)

    def show(self) -> None:
        """What lies there now is before the camera, and seen."""
        self.pictures[:] = [self.picture()]
        end = time.monotonic() + 20
        while time.monotonic() < end:
            self.lobby.do("onward", {})  # a simulated camera stays on a picture until it is asked for the next
            frame = self.lobby.preview.newest(1.0) if self.lobby.preview is not None else None
            if frame is not None and np.array_equal(frame.image, self.pictures[0]):
                return
            time.sleep(0.02)
        raise AssertionError("the picture never came")

    def lay(self, key: str) -> None:
        art = cv2.resize(self.faces[ARTS[key]], (59 * 4, 91 * 4), interpolation=cv2.INTER_AREA)
        self.mat.restore(self.bare)
        self.mat.lay(art, (160.0, 148.0), 2.0, size_mm=(59.0, 91.0))
        self.show()

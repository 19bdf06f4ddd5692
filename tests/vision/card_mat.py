"""A taught deck on a mat with frame stickers, seen through a watcher, or by single looks."""

from dataclasses import replace

import numpy as np
from surfaces import MAT_SHOT

from companion.calibration.training import card_decks
from companion.calibration.training.card_campaign import (
    MIDDLES,
    surface,
    taught,
)
from companion.calibration.training.card_table import CardTable, Light
from companion.vision.cards.memory import CardMemory
from companion.vision.cards.reader import CardReader
from companion.vision.frame import Frame
from companion.vision.reading import Reading
from companion.vision.watching.watcher import Watcher

LIGHT = Light()


class Mat:
    """A taught deck on a mat with frame stickers, seen through a watcher."""

    def __init__(self, deck: card_decks.Deck, beside: dict[str, list[list[float]]] | None = None) -> None:
        self.deck = deck
        self.board, self.pieces = surface(deck, beside=beside)
        self.table = CardTable(self.board, replace(MAT_SHOT, size=(1280, 960), px_per_mm=1.9), 4, pieces=self.pieces)
        self.teaching = taught(deck, self.table, self.board, self.pieces, "")
        self.reader = CardReader(self.board, self.pieces, self.teaching, self.table.registration.lens)
        self.watcher = Watcher(self.reader, self.board)
        self.bare = self.table.film()
        self.count = 0

    def notices(self, pictures: int, film: np.ndarray | None = None) -> list[str]:
        """What is said while some pictures are taken; what settles meanwhile is kept in ``told``."""
        said: list[str] = []
        self.told: list[Reading] = []
        for _ in range(pictures):
            self.count += 1
            frame = Frame(self.table.picture(LIGHT, self.count, film), 0.2 * self.count, "made", self.count)
            analysis = self.watcher.see(frame)
            said += [one.text.format(**one.params) for one in analysis.notices if one.code == "cards-in-view"]
            self.told += [analysis.settled] if analysis.settled is not None else []
        return said

    def watch(self, film: np.ndarray | None = None, pictures: int = 6) -> list[Reading]:
        """What settles while some pictures are taken, a fifth of a second apart."""
        told = []
        for _ in range(pictures):
            self.count += 1
            image = self.table.picture(LIGHT, self.count, film)
            analysis = self.watcher.see(Frame(image, 0.2 * self.count, "made", self.count))
            told += [analysis.settled] if analysis.settled is not None else []
        return told

    def lay(self, name: str, zone: str, height: float = 0.0, off: tuple[float, float] = (0.0, 0.0), turn: float = 3.0) -> None:
        x, y = MIDDLES[zone]
        self.table.lay(self.deck.faces[name], (x + off[0], y + off[1]), turn, height)

    def zones(self, reading: Reading) -> dict[str, list[str]]:
        return dict(reading.state(self.board, self.pieces)["cards"])


def look(mat: Mat, before: CardMemory | None = None, times: int = 1) -> tuple[dict[str, list[str]], set[str], CardMemory]:
    """The faces claimed by zones, the zones in doubt, and what is known after looks, each going on from the one before."""
    assert times > 0
    for _ in range(times):
        mat.count += 1
        frame = Frame(mat.table.picture(LIGHT, mat.count), float(mat.count), "made", mat.count)
        observation = mat.reader.read_at(frame, mat.table.registration, before)
        assert isinstance(observation.memory, CardMemory)
        before = observation.memory
    assert before is not None
    return mat.zones(observation.reading), set(before.doubts), before

"""What a look at an unmodified copy was made from, kept so that the next look can examine a few places only."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.boards import Board
from companion.vision.camera import Registration
from companion.vision.plain.discs import Disc
from companion.vision.plain.evidence import Clue
from companion.vision.plain.scene import Scene
from companion.vision.plain.surface import Floats

REACH_MM = 20.0
"""About a spot, what is compared: a hex and a disc that leans over it."""
FLOOR = 0.05
"""Of white: added before taking logarithms, so that noise in black does not count."""
UNLIKE = 0.12
"""0.08..0.2 of natural logarithm, on average: noise of a dim picture stays below, another piece lies far above."""


@dataclass(frozen=True, eq=False)
class Memory:
    """The clues of every place. ``pose`` is where the board lay in a picture of the taught one's size, ``walkers`` by cell,
    ``flats`` by group key and place, ``discs`` those that hid what lies below them, ``surface`` the board's coarse reflectance
    (H×W×3) when each place was looked at."""

    pose: Registration
    walkers: Mapping[str, Clue]
    flats: Mapping[str, Mapping[str, Clue]]
    discs: Mapping[str, Disc]
    surface: Floats

    def stale(self, spots: Collection[str], discs: Mapping[str, Disc], wanted: Collection[str]) -> list[str]:
        """Of a group's ``spots`` those to examine again: the wanted ones, and where another disc or none stands now."""
        return [spot for spot in spots if spot in wanted or self.discs.get(spot) is not discs.get(spot)]

    def looks_alike(self, scene: Scene, board: Board, spot: str) -> bool:
        """Whether the surface about a spot looks as it did: nothing came, went or was turned over there."""
        about = _about(scene, board, spot)
        ratio = np.log((scene.flat[about] + FLOOR) / (self.surface[about] + FLOOR))
        # A change of light is the same all around; a piece has edges.
        return bool(np.abs(ratio - np.median(ratio, axis=0)).mean() < UNLIKE)

    def renewed(self, scene: Scene, board: Board, spots: Collection[str]) -> Floats:
        """The surface, as it looks now where these spots were examined again."""
        surface = self.surface.copy()
        for spot in spots:
            about = _about(scene, board, spot)
            surface[about] = scene.flat[about]
        return surface


def _about(scene: Scene, board: Board, spot: str) -> NDArray[np.bool_]:
    """Mask of the coarse samples about a spot."""
    grid = scene.sheet.ground.grid.mm[0]
    x, y = board.mm(spot)
    return np.asarray(np.hypot(grid[..., 0] - x, grid[..., 1] - y) <= REACH_MM, np.bool_)

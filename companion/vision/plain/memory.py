"""What a look at an unmodified copy was made from, kept so that the next look can examine a few places only."""

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.boards import PAIR, Board
from companion.vision.camera import Registration
from companion.vision.plain.discs import Disc
from companion.vision.plain.evidence import CellFeatures
from companion.vision.plain.prepared_image import PreparedImage
from companion.vision.plain.surface import Floats

REACH_MM = 20.0
"""About a spot, what is compared: a hex and a disc that leans over it."""
FLOOR = 0.05
"""Of white: added before taking logarithms, so that noise in black does not count."""
UNLIKE = 0.12
"""0.08..0.2 of natural logarithm, on average: noise of a dim picture stays below, another piece lies far above."""


Value = TypeVar("Value")


class Findings:
    """What a look found out about single places (cells, or pairs of them), each value once, by its kind and what it depends on
    besides the picture there."""

    def __init__(self, found: Mapping[str, Mapping[Hashable, Any]] | None = None) -> None:
        self._found = {place: dict(values) for place, values in (found or {}).items()}

    def once(self, place: str, what: Hashable, make: Callable[[], Value]) -> Value:
        """What is known of a place, or else what ``make`` finds out now."""
        if not self.knows(place, what):
            self.keep(place, what, make())
        value: Value = self.of(place, what)
        return value

    def knows(self, place: str, what: Hashable) -> bool:
        """Whether this was found out already."""
        return what in self._found.get(place, {})

    def of(self, place: str, what: Hashable) -> Any:
        """What was found out. Raises KeyError where nothing was."""
        return self._found[place][what]

    def keep(self, place: str, what: Hashable, value: object) -> None:
        """Remember what was found out."""
        self._found.setdefault(place, {})[what] = value

    def elsewhere(self, spots: Collection[str]) -> "Findings":
        """A copy without what hangs on any of these spots."""
        return Findings(
            {place: values for place, values in self._found.items() if not any(c in spots for c in place.split(PAIR))}
        )


@dataclass(frozen=True, eq=False)
class Memory:
    """The cell features of every place. ``pose`` is where the board lay in a picture of the taught one's size, ``movable`` by
    cell, ``flats`` by group key and place, ``discs`` those that hid what lies below them, ``surface`` the board's coarse
    reflectance (H×W×3) when each place was looked at, ``findings`` what was found of pieces told by their sides or over two
    cells."""

    pose: Registration
    movable: Mapping[str, CellFeatures]
    flats: Mapping[str, Mapping[str, CellFeatures]]
    discs: Mapping[str, Disc]
    surface: Floats
    findings: Findings = field(default_factory=Findings)
    teaching: object = None
    """What the copy was known by; a look of before cannot be gone on from once more is known."""

    def stale(self, spots: Collection[str], discs: Mapping[str, Disc], wanted: Collection[str]) -> list[str]:
        """Of a group's ``spots`` those to examine again: the wanted ones, and where another disc or none stands now."""
        return [spot for spot in spots if spot in wanted or self.discs.get(spot) is not discs.get(spot)]

    def looks_alike(self, prepared: PreparedImage, board: Board, spot: str) -> bool:
        """Whether the surface about a spot looks as it did: nothing came, went or was turned over there."""
        about = _about(prepared, board, spot)
        ratio = np.log((prepared.flat[about] + FLOOR) / (self.surface[about] + FLOOR))
        # A change of light is the same all around; a piece has edges.
        return bool(np.abs(ratio - np.median(ratio, axis=0)).mean() < UNLIKE)

    def renewed(self, prepared: PreparedImage, board: Board, spots: Collection[str]) -> Floats:
        """The surface, as it looks now where these spots were examined again."""
        surface = self.surface.copy()
        for spot in spots:
            about = _about(prepared, board, spot)
            surface[about] = prepared.flat[about]
        return surface


def _about(prepared: PreparedImage, board: Board, spot: str) -> NDArray[np.bool_]:
    """Mask of the coarse samples about a spot."""
    grid = prepared.reference.ground.grid.mm[0]
    x, y = board.mm(spot)
    return np.asarray(np.hypot(grid[..., 0] - x, grid[..., 1] - y) <= REACH_MM, np.bool_)

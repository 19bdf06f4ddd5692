"""Detects that the board was shifted against its frame markers: all pieces appear displaced by the same vector."""

from dataclasses import dataclass

import numpy as np

from companion.vision.reading import Reading
from companion.vision.reading_comparison import keyed
from companion.vision.watching.frame_analysis import Notice


@dataclass(frozen=True, slots=True)
class BoardShiftSettings:
    """Tunables of the check.

    fewest
        3..8 pieces that were measured before and after.
    alike
        0.025..0.1 of the spacing of sites (2.5 mm on hexes) by which their shifts may differ from the common one, most of them
        (``most``: 0.6..0.9).
    told
        0.15..0.25 of it (7 mm) against where the stickers were laid: pieces lie up to 5 mm off anyway, and half a cell is 20.
    looks
        2..4 looks in a row that show it.
    back
        0.05..0.125 of it (4 mm) below which the board counts as lying between its stickers again.
    """

    fewest: int = 4
    alike: float = 0.0625
    most: float = 0.7
    told: float = 0.175
    looks: int = 2
    back: float = 0.1


DEFAULTS = BoardShiftSettings()


@dataclass(frozen=True, slots=True)
class BoardShift:
    """How far the board lies from where its stickers were laid round it, look by look.

    ``settled_mm``: by how much (x, y) in the look that settled last; ``looks``: how many in a row showed it far off; ``told``:
    whether that was said, and it is not back yet.
    """

    settled_mm: tuple[float, float] = (0.0, 0.0)
    looks: int = 0
    told: bool = False

    def after(
        self, before: Reading, now: Reading, spacing_mm: float, *, settles: bool, settings: BoardShiftSettings = DEFAULTS
    ) -> tuple["BoardShift", tuple[Notice, ...]]:
        """The shift after a look ``now`` beside the one that settled last, whose place it takes if it ``settles``, and what is
        to be said. ``spacing_mm``: how far sites lie apart."""
        shift = common_shift_mm(before, now, spacing_mm, settings)
        if shift is None:
            return self, ()
        off_mm = (self.settled_mm[0] + float(shift[0]), self.settled_mm[1] + float(shift[1]))
        off = float(np.hypot(*off_mm))
        looks = self.looks + 1 if off >= settings.told * spacing_mm else 0
        told = self.told and off >= settings.back * spacing_mm
        news = not told and looks >= settings.looks
        followed = BoardShift(off_mm if settles else self.settled_mm, looks, told or news)
        if not news:
            return followed, ()
        text = (
            "The board has slid about {mm} mm against the stickers beside it: push it back between them, "
            "or lay them at its corners anew."
        )
        return followed, (Notice("board-slid", text, {"mm": round(off)}),)


def common_shift_mm(before: Reading, now: Reading, spacing_mm: float, settings: BoardShiftSettings) -> np.ndarray | None:
    """By how much (x, y mm) all pieces seem to have moved together; None where they did not, or too few were measured.
    ``spacing_mm``: how far sites lie apart."""
    was, are = keyed(before, now)
    both = [(was[key].at_mm, are[key].at_mm) for key in are if key in was]
    pairs = [(first, after) for first, after in both if first is not None and after is not None]
    if len(pairs) < settings.fewest:
        return None
    shifts = np.array([np.subtract(after, first) for first, after in pairs])
    common = np.median(shifts, axis=0)
    alike = np.hypot(*(shifts - common).T) <= settings.alike * spacing_mm
    if float(alike.mean()) < settings.most:
        return None
    return np.asarray(shifts[alike].mean(axis=0))

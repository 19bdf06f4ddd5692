"""What number a tile bears, read as a figure: a tile that was taught in glare, or too small, is told from the others by it.

The other networks only know what they were taught: a number that hardly showed when the copy was taught looks like none. Here
figures are read, wherever the copy's own tiles, whose numbers are known, show that they can be.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.nets import Nets
from companion.vision.plain.stacks import Bytes, mark_pair
from companion.vision.plain.tile_features import Poses
from companion.vision.plain.tiles import FlatExemplar

Array = NDArray[np.float64]
Closeup = tuple[Bytes, tuple[float, float]]

FIGURES = 4
"""The highest figure that can be read."""
WAYS = 12
"""Ways round a number may stand on its tile that are tried."""
SURELY = 0.85
"""0.8..0.95: a taught number counts as read, or misread, from this probability."""
READ = (1.0, 3.0)
"""How many more of a copy's own numbers are read than misread, at which figures are not believed there at all, and wholly. Of
47 made-up copies 25 had 2 and more; among the others were Roman numbers and dots."""
RATHER = (0.65, 0.85)
"""Mean probability of the right figures, if there are figures on the taught tiles at all, from which on they are believed a
little, and wholly: small ones are often called no figure, and still look more like the right one. Of 17 made-up copies on which
too few were read surely four had 0.79 and more, with 34 of 35 figures seen later read rightly, the others 0.62 at most, with 22
of 53."""
UNREAD = 3.0
"""1..5: by more than this no single taught tile speaks against a way round: one may lie in glare."""


@dataclass(frozen=True)
class Numbers:
    """How the figures of one copy stand: ``back`` turns the tile without a number at ``blanks[k]`` so that they are upright
    (radians); ``trust`` is 0..1; ``which`` says each taught tile's figure, 0 for none."""

    blanks: tuple[int, ...]
    back: tuple[float, ...]
    trust: float
    which: tuple[int, ...]

    def read(
        self, nets: Nets, seen: Bytes, poses: Poses, closeups: Sequence[Closeup], exemplars: Sequence[FlatExemplar]
    ) -> Array:
        """Log-probabilities (P) of the taught tiles' numbers on a close-up whose tile lies as ``poses`` say."""
        pairs = [
            mark_pair(seen, poses.offset_mm, float(poses.turns[index][0]), *closeups[index], exemplars[index].mark_mm, back)
            for index, back in zip(self.blanks, self.back, strict=True)
        ]
        return np.asarray(nets.figures(pairs).mean(axis=0)[list(self.which)], np.float64)


def figure_of(label: str) -> int:
    """The figure on a tile of this label; 0 for none."""
    return int(label) if label.isdecimal() and 1 <= int(label) <= FIGURES else 0


def learn_numbers(nets: Nets, closeups: Sequence[Closeup], exemplars: Sequence[FlatExemplar]) -> Numbers | None:
    """Which way round the figures of a copy stand, and how far they can be read there, from its taught tiles. None where
    there are no numbers, none that all can be read, or no tile without."""
    which = tuple(figure_of(exemplar.label) for exemplar in exemplars)
    blanks = tuple(index for index, figure in enumerate(which) if not figure)
    unreadable = any(exemplar.label.isdecimal() and not figure for exemplar, figure in zip(exemplars, which, strict=True))
    if not blanks or not any(which) or unreadable:
        return None
    spins = np.arange(WAYS) * 2 * np.pi / WAYS
    read = _taught(nets, closeups, exemplars, blanks, spins)
    right = read[:, np.arange(len(which)), which]
    best = int(right.clip(-UNREAD).sum(axis=1).argmax())
    chances = np.exp(read[best])
    good = sum(chances[index, figure] >= SURELY for index, figure in enumerate(which) if figure)
    bad = sum(np.delete(chances[index], figure).max() >= SURELY for index, figure in enumerate(which))
    surely = (good - bad - READ[0]) / (READ[1] - READ[0])
    rather = (np.mean([_of_figures(read[best][index], figure) for index, figure in enumerate(which) if figure]) - RATHER[0]) / (
        RATHER[1] - RATHER[0]
    )
    trust = float(np.clip(max(surely, rather), 0, 1))
    return Numbers(blanks, tuple(exemplars[blank].turn + float(spins[best]) for blank in blanks), trust, which)


def _of_figures(read: Array, figure: int) -> float:
    """How probable a figure is on a spot (6 log-probabilities) if there is any."""
    return float(np.exp(read[figure] - np.logaddexp.reduce(read[1 : FIGURES + 1])))


def _taught(
    nets: Nets, closeups: Sequence[Closeup], exemplars: Sequence[FlatExemplar], blanks: Sequence[int], spins: Array
) -> Array:
    """What is read (W×P×6 log-probabilities) on the taught tiles themselves, beside those without a number, each way round."""
    pairs, where = [], []
    for way, spin in enumerate(spins):
        for index, (patch, at) in enumerate(closeups):
            for blank in blanks:
                if blank != index or len(blanks) == 1:
                    turn, back = exemplars[index].turn - exemplars[blank].turn, exemplars[blank].turn + float(spin)
                    pairs.append(mark_pair(patch, at, turn, *closeups[blank], exemplars[blank].mark_mm, back))
                    where.append(way * len(closeups) + index)
    each = nets.figures(pairs)
    sums = np.zeros((len(spins) * len(closeups), each.shape[1]))
    np.add.at(sums, where, each)
    counts = np.bincount(where, minlength=len(sums))
    return np.asarray((sums / counts[:, None]).reshape(len(spins), len(closeups), -1), np.float64)

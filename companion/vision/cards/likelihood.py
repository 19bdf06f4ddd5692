"""How likely a picture of a card is by taught ones, cell by cell: each may be hidden whatever the card. All in nats."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from companion.vision.cards.relight import lit
from companion.vision.cards.settings import LikenessSettings
from companion.vision.cards.sight import Sight
from companion.vision.cards.template import Template
from companion.vision.cards.view import CELL, NORMAL, NOWHERE, CardPose, Floats, cells
from companion.vision.frame import Mask


class Likelihood(NamedTuple):
    """``nats`` (T): the log likelihood of each taught picture beyond that of cells which something hides, so that poses of
    which unlike parts are in sight can be compared; ``as_taught`` (T×h×w): each cell's probability of being so; ``relit``
    (T×h×w×3): the taught cells in the light of the picture."""

    nats: Floats
    as_taught: Floats
    relit: Floats


def likelihood(seen: Floats, taught: Floats, noise: Floats, in_sight: Floats, settings: LikenessSettings) -> Likelihood:
    """How likely a picture's cells (h×w×3, or one each) are by taught ones (T×h×w×3), in the light that fits best."""
    relit, cost = lit(taught, seen, in_sight, 3, noise)
    rest = seen - relit
    astray, spread = np.square(rest / noise), noise[..., 0] * noise[..., 1] * noise[..., 2]
    density = -0.5 * (astray[..., 0] + astray[..., 1] + astray[..., 2]) - np.log(spread) - NORMAL
    shown, hidden = np.log(1 - settings.hidden) + density, np.log(settings.hidden) + NOWHERE
    both = np.logaddexp(shown, hidden)
    nats = ((both - hidden) * in_sight).sum(axis=(1, 2)) / settings.alike - cost
    return Likelihood(nats, np.exp(shown - both), relit)


@dataclass(frozen=True, eq=False)
class Laid:
    """A template over a picture: where, how likely (nats), each cell's probability of being as taught, the cells that are
    ``seen`` there, and those of the template in that light (``relit``)."""

    template: Template
    pose: CardPose
    nats: float
    as_taught: Floats
    seen: Floats
    relit: Floats

    @property
    def odd(self) -> Mask:
        """The cells that are not as taught."""
        return np.asarray(self.as_taught < 0.5, np.bool_)

    @cached_property
    def washed(self) -> Mask:
        """Those of them that glare washes out: a glossy sleeve adds a lamp's white. They are lighter, or no darker and less
        coloured."""
        paler = np.hypot(self.relit[..., 1], self.relit[..., 2]) - np.hypot(self.seen[..., 1], self.seen[..., 2])
        lighter = (self.seen - self.relit)[..., 0] / self.template.loose_noise[..., 0]
        brighter = ((lighter > 1) & (paler > -6)) | ((lighter > -0.5) & (paler > 5))
        return np.asarray(self.odd & brighter, np.bool_)


def nats_of(sight: Sight, likely: Sequence[tuple[Template, CardPose]], settings: LikenessSettings) -> list[float]:
    """How likely templates are, each at its pose, by fine cells."""
    own, seen = _cut(sight, likely)
    fine, noise = (np.stack(each) for each in zip(*((one.fine, one.fine_noise) for one, _ in likely), strict=True))
    return [float(nats) for nats in likelihood(own, fine, noise, seen, settings).nats]


def _cut(sight: Sight, likely: Sequence[tuple[Template, CardPose]]) -> tuple[Floats, Floats]:
    """The fine cells of a picture at some poses, and how much of each is in sight."""
    own = np.stack([cells(sight.cut(pose)) for _, pose in likely])
    return own, np.stack([sight.in_sight(pose, CELL) for _, pose in likely])


def laid(sight: Sight, likely: Sequence[tuple[Template, CardPose]], settings: LikenessSettings) -> list[Laid]:
    """Templates over the picture, each at its pose, compared by fine cells."""
    if not likely:
        return []
    own, seen = _cut(sight, likely)
    fine = np.stack([template.fine for template, _ in likely])
    noise, loose = (np.stack(each) for each in zip(*((one.fine_noise, one.loose_noise) for one, _ in likely), strict=True))
    nats = likelihood(own, fine, noise, seen, settings).nats
    _, as_taught, relit = likelihood(own, fine, loose, seen, settings)
    return [
        Laid(template, pose, float(nats[row]), as_taught[row], own[row], relit[row])
        for row, (template, pose) in enumerate(likely)
    ]

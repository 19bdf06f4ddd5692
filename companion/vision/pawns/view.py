"""A picture of the board seen from above, in the light of the taught one, and how likely each of its pixels is bare print."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.vision.camera import Registration
from companion.vision.cards.view import Floats, MatGrid, lab
from companion.vision.frame import Image, Mask
from companion.vision.pawns.settings import PawnSettings

NOWHERE = np.float32(-np.log(90.0 * 60.0 * 60.0))
"""Density of a colour about which nothing is known."""
MARGIN_MM = 24.0
"""How far beside the board is seen: pawns at its edge lean over it."""


@dataclass(frozen=True, eq=False)
class BareBoard:
    """The taught picture of the empty board seen from above by a grid: as it is (BGR), in Lab, how far (standard deviation)
    print seen again lies from it beyond the grain of a picture, and which pixels it has."""

    seen: Image
    lab: Floats
    edges: Floats
    inside: Mask

    @classmethod
    def of(cls, empty: Image, registration: Registration, grid: MatGrid, settings: PawnSettings) -> "BareBoard":
        """The empty board by a grid of whichever registration."""
        own = MatGrid(registration, grid.origin_mm, grid.size, grid.scale)
        seen = own.seen(empty)
        flat = lab(seen)
        steps = sum(np.square(cv2.Scharr(flat, cv2.CV_32F, *way) / 32) for way in ((1, 0), (0, 1)))
        burnt = (seen.max(axis=2) >= BURNT)[..., None] * np.float32(BURNT_NOISE**2)
        variance = np.asarray(steps, np.float32) * np.float32((settings.astray_mm * grid.scale) ** 2) + burnt
        return cls(seen, flat, variance, _inside(own, empty) & _inside(grid, empty))


@dataclass(frozen=True, eq=False)
class BoardView:
    """A picture from above: ``now`` in Lab, in the light of ``bare``; ``noise`` how far (standard deviation) bare print lies
    from the taught one in it."""

    grid: MatGrid
    now: Floats
    bare: BareBoard
    noise: Floats
    settings: PawnSettings

    @classmethod
    def of(cls, image: Image, grid: MatGrid, bare: BareBoard, settings: PawnSettings) -> "BoardView":
        """The view of a picture in which the board lies as the grid's registration says."""
        seen = grid.seen(image)
        now = lab(_relit(seen, bare.seen, bare.inside, round(settings.light_mm * grid.scale)))
        grain = 1.5 * np.median(np.abs((now - bare.lab)[::4, ::4][bare.inside[::4, ::4]]), axis=0)
        level = np.maximum(grain, [settings.noise_light, settings.noise_colour, settings.noise_colour]).astype(np.float32)
        variance = level**2 + bare.edges
        variance += (seen.max(axis=2) >= BURNT)[..., None] * np.float32(BURNT_NOISE**2)
        return cls(grid, now, bare, np.sqrt(variance), settings)

    @property
    def inside(self) -> Mask:
        """Which pixels the pictures have."""
        return self.bare.inside

    @cached_property
    def print_nats(self) -> Floats:
        """Log density (H×W nats) of each pixel if bare print lies there, lit or in a piece's shadow, hidden or not."""
        settings = self.settings
        rest = self.now - self.bare.lab
        lit = log_density(rest, self.noise)
        worst = np.float32(np.log(settings.hidden)) + NOWHERE
        ill = np.flatnonzero(lit.reshape(-1) < worst + 6.0)
        ratio = cv2.blur(self.now[..., 0] + 2, (5, 5)) / (cv2.blur(self.bare.lab[..., 0], (5, 5)) + 2)
        darker = np.clip(ratio.reshape(-1)[ill], settings.darkest, 1.0)[:, None]
        rest = self.now.reshape(-1, 3)[ill] - self.bare.lab.reshape(-1, 3)[ill] * darker
        shaded = log_density(rest, self.noise.reshape(-1, 3)[ill]) - settings.shadow
        best = lit.reshape(-1)
        best[ill] = np.maximum(best[ill], shaded)
        return with_hidden(lit, settings.hidden)

    @cached_property
    def foreground(self) -> Mask:
        """What does not look like bare print."""
        odd = self.print_nats + np.log(self.noise).sum(axis=-1) < -2.757 - 0.5 * self.settings.odd_sigma**2
        odd = cv2.morphologyEx((odd & self.inside).astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        return np.asarray(odd, np.bool_)


BURNT, BURNT_NOISE = 250, 12.0
"""The level of a channel at which a picture is washed out, and how far (standard deviation) such a pixel lies from anything."""


def _inside(grid: MatGrid, image: Image) -> Mask:
    """Which pixels of a view a picture has."""
    seen = grid.seen(np.full((*image.shape[:2], 3), 255, np.uint8))
    return np.asarray(seen[..., 0] > 250, np.bool_)


def log_density(rest: Floats, noise: Floats) -> Floats:
    """Log density (nats) of what is left over (…×3) with a standard deviation of each channel."""
    scaled = rest / noise
    spread = np.log(noise[..., 0] * noise[..., 1] * noise[..., 2])
    return np.asarray(-0.5 * np.einsum("...c,...c->...", scaled, scaled) - spread - 2.757, np.float32)


def with_hidden(density: Floats, hidden: float) -> Floats:
    """The same where a share of all pixels may be hidden by anything (the larger of both, which is nearly their sum)."""
    return np.asarray(np.maximum(np.float32(np.log(1 - hidden)) + density, np.float32(np.log(hidden)) + NOWHERE), np.float32)


def _relit(seen: Image, bare: Image, inside: Mask, block: int) -> Floats:
    """A view (BGR) in the light of the bare one: block by block the median of their ratio is taken out, for most of each block
    is bare print."""
    thin, taught = (part[1::3, 1::3].astype(np.float32) + 4 for part in (seen, bare))
    # Medians do not mind what pieces cover; what the pictures do not have, or have washed out, is left out.
    thin = np.log(thin / taught)
    thin[~inside[1::3, 1::3] | (seen[1::3, 1::3].max(axis=2) >= BURNT)] = np.nan
    side = max(4, block // 3)
    rows, columns = (max(1, round(length / side)) for length in thin.shape[:2])
    light = np.zeros((rows, columns, 3), np.float32)
    everywhere = np.nanmedian(thin.reshape(-1, 3), axis=0)
    for row, part in enumerate(np.array_split(thin, rows, axis=0)):
        for column, one in enumerate(np.array_split(part, columns, axis=1)):
            known = one[~np.isnan(one[..., 0])]
            light[row, column] = np.median(known, axis=0) if len(known) > one.shape[0] * one.shape[1] / 4 else everywhere
    smooth = _smooth(light)
    local = light - smooth
    local[np.abs(local).max(axis=2) > _NO_LIGHT] = 0.0
    light = smooth + cv2.GaussianBlur(np.asarray(local, np.float32), (3, 3), 0.7, borderType=cv2.BORDER_REPLICATE)
    field = cv2.resize(np.exp(-light), seen.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip((seen + 4.0) * field - 4.0, 0, 255), np.float32)


_ROUNDS = (0.5, 0.3, 0.2, 0.12)
"""Natural logarithms by which blocks may differ from the fit of the light, round by round."""
_NO_LIGHT = 0.2
"""What differs more from the smooth light than so is no light: something that covers the block."""


def _smooth(light: Floats) -> Floats:
    """The light (rows×columns×3 logarithms) as a quadratic over the board, what does not go with most of it left out."""
    rows, columns = light.shape[:2]
    down, across = (part.ravel() for part in np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij"))
    terms = np.stack([np.ones_like(across), across, down, across**2, down**2, across * down], axis=1)
    flat = light.reshape(-1, 3).astype(np.float64)
    fit = np.zeros((6, 3))
    fit[0] = np.median(flat, axis=0)
    for tolerance in _ROUNDS:
        near = np.abs(flat - terms @ fit).max(axis=1) < tolerance
        if near.sum() < 2 * terms.shape[1]:
            break
        own = terms[near]
        fit = np.linalg.solve(own.T @ own + np.diag([1e-3, 0.1, 0.1, 0.5, 0.5, 0.5]), own.T @ flat[near])
    return np.asarray((terms @ fit).reshape(light.shape), np.float32)

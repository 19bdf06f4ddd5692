"""Corrects the estimated change of light where the print still shows: a glare spot that came or went is wider than any piece,
and what changed all over it is light, however much it changed."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.surface import Floats, LightField

Mask = NDArray[np.bool_]

WINDOW = 7
"""5..9 coarse samples: side of the window in which drawing is compared."""
FAINT = 0.03
"""Of natural logarithm: drawing weaker than this is grain."""
SHOWS = 0.75
"""0.6..0.9: local correlation of the fine drawing above which the print shows, and nothing lies on it."""
FEWEST = 24
"""12..48 samples of light print that must show in a block for it to tell its light."""
AMISS = 0.65
"""0.5..0.8 of natural logarithm: a block's light that is off by this much, nearly halved or doubled, is amiss. Glare that came
or went left six blocks and more so (five composed pictures of 33, others none); under an arm's shadow, path-traced, four."""
LIGHT_PRINT = 0.5
"""0.4..0.7 of the streets' reflectance: print at least as light tells light; stray light changes darker print more."""
FEWEST_NEAR = 4
"""3..6 blocks, of a block and its neighbours, that must tell their light: their median counts, or one odd piece would."""
ALL_OVER = 6
"""5..8 blocks that must be amiss before the light is corrected: as many as no piece fills, nor a shadow of one."""


def shows(now: Floats, before: Floats) -> Floats:
    """How like the fine drawing about every coarse sample is (H×W, -1..1; 0 where none is printed) on two sheets (H×W×3)."""
    fine = []
    for reference in (now, before):
        light = np.log(np.maximum(reference, 0).mean(axis=-1) + np.float32(0.03))
        fine.append(light - cv2.GaussianBlur(light, (0, 0), 2.0))
    both, one, other = (cv2.blur(product, (WINDOW, WINDOW)) for product in (fine[0] * fine[1], fine[0] ** 2, fine[1] ** 2))
    return np.asarray(both / np.sqrt((one + FAINT**2) * (other + FAINT**2)), np.float32)


@dataclass(frozen=True)
class LightImages:
    """Coarse sheets of linear light (H×W×3), ``now`` and ``before``, and where the print between is ``pale`` (H×W)."""

    now: Floats
    before: Floats
    pale: Mask


def pale(printed: Floats, street: Floats) -> Mask:
    """Where the print's reflectance (H×W×3) is at least so much of the streets' (3) that it tells light."""
    return np.asarray((printed / street).min(axis=-1) > LIGHT_PRINT, np.bool_)


def corrected_light(light: LightField, sheets: LightImages, drawing: Floats) -> LightField:
    """The change of light, corrected where the visible print (``drawing``, H×W) contradicts it; the same object elsewhere."""
    clear = (drawing > SHOWS) & sheets.pale
    ratio = np.log((sheets.now + 2e-3) / (sheets.before + 2e-3))
    if may_be_amiss(ratio, clear, light.log) < ALL_OVER:
        return light
    off, known = block_medians(ratio, clear, light.log)
    if (np.abs(off.mean(axis=2)) > AMISS).sum() < ALL_OVER:
        return light
    told = known.astype(np.float32)
    total = cv2.GaussianBlur(off * told[..., None], (5, 5), 0.7)
    share = cv2.GaussianBlur(told, (5, 5), 0.7)[..., None]
    return LightField((light.log + total / (share + 0.02)).astype(np.float32), light.block_mm)


def block_medians(ratio: Floats, clear: Mask, expected: Floats) -> tuple[Floats, Mask]:
    """How far (down×across×3) the light of every block's neighbourhood is off, by its ``clear`` samples (H×W, of ``ratio``,
    H×W×3), and which blocks (down×across) can tell; 0 where they cannot."""
    down, across = expected.shape[:2]
    per = clear.shape[0] // down
    off = np.full((down + 2, across + 2, 3), np.nan, np.float32)
    for row in range(down):
        for column in range(across):
            part = np.s_[row * per : (row + 1) * per, column * per : (column + 1) * per]
            here = clear[part]
            if here.sum() >= FEWEST:
                off[row + 1, column + 1] = np.median(ratio[part][here], axis=0) - expected[row, column]
    near = np.stack([off[row : row + down, column : column + across] for row in range(3) for column in range(3)])
    known = np.isfinite(near[..., 0]).sum(axis=0) >= FEWEST_NEAR
    off = np.zeros((down, across, 3), np.float32)
    off[known] = np.nanmedian(near[:, known], axis=0)
    return off, known


def may_be_amiss(ratio: Floats, clear: Mask, expected: Floats) -> int:
    """At most how many blocks may be amiss, by counting ``clear`` samples (H×W, of ``ratio``, H×W×3) beyond the bound: half of
    a block's for its median to be, half of a neighbourhood's blocks for its own. Much quicker than the medians."""
    down, across = expected.shape[:2]
    per = clear.shape[0] // down
    off = ratio.reshape(down, per, across, per, 3) - expected[:, None, :, None]
    off = np.where(clear[..., None], off.reshape(ratio.shape), np.float32(0))
    count, above, below = (_block_sums(mask, per) for mask in (clear, off > AMISS, off < -AMISS))
    tells = count >= FEWEST
    amiss = tells[..., None] & (2 * np.maximum(above, below) >= count[..., None])
    near, near_amiss = (
        cv2.boxFilter(np.asarray(mask, np.float32), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
        for mask in (tells, amiss)
    )
    return int(((near >= FEWEST_NEAR) & (2 * near_amiss.max(axis=2) >= near)).sum())


def _block_sums(mask: Mask, per: int) -> Floats:
    """How often a mask (H×W, or H×W×3) is set in every block of ``per`` × ``per`` samples."""
    sums = cv2.boxFilter(mask.view(np.uint8), cv2.CV_32F, (per, per), anchor=(0, 0), normalize=False)
    return np.asarray(sums[::per, ::per], np.float32)

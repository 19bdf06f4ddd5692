"""Light that changed where the print still shows: a glare spot that came or went is wider than any piece, and what changed all
over it is light, however much it changed."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.surface import Floats, Ground, LightField

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
    for sheet in (now, before):
        light = np.log(np.maximum(sheet, 0).mean(axis=-1) + np.float32(0.03))
        fine.append(light - cv2.GaussianBlur(light, (0, 0), 2.0))
    both, one, other = (cv2.blur(product, (WINDOW, WINDOW)) for product in (fine[0] * fine[1], fine[0] ** 2, fine[1] ** 2))
    return np.asarray(both / np.sqrt((one + FAINT**2) * (other + FAINT**2)), np.float32)


@dataclass(frozen=True)
class Sheets:
    """Coarse sheets (H×W×3): linear light ``now`` and ``before``, the ``print``'s reflectance, and that of the streets (3)."""

    now: Floats
    before: Floats
    print: Floats
    street: Floats


def followed(light: LightField, sheets: Sheets, ground: Ground, drawing: Floats) -> LightField:
    """The change of light, corrected where the print shows (``drawing``, H×W) that it is amiss; the same object elsewhere."""
    down, across = ground.blocks
    per = drawing.shape[0] // down
    clear = (drawing > SHOWS) & ((sheets.print / sheets.street).min(axis=-1) > LIGHT_PRINT)
    ratio = np.log((sheets.now + 2e-3) / (sheets.before + 2e-3))
    off = np.full((down + 2, across + 2, 3), np.nan, np.float32)
    for row in range(down):
        for column in range(across):
            part = np.s_[row * per : (row + 1) * per, column * per : (column + 1) * per]
            here = clear[part]
            if here.sum() >= FEWEST:
                off[row + 1, column + 1] = np.median(ratio[part][here], axis=0) - light.log[row, column]
    near = np.stack([off[row : row + down, column : column + across] for row in range(3) for column in range(3)])
    known = np.isfinite(near[..., 0]).sum(axis=0) >= FEWEST_NEAR
    off = np.zeros((down, across, 3), np.float32)
    off[known] = np.nanmedian(near[:, known], axis=0)
    if (np.abs(off.mean(axis=2)) > AMISS).sum() < ALL_OVER:
        return light
    known = known.astype(np.float32)
    total = cv2.GaussianBlur(off * known[..., None], (5, 5), 0.7)
    share = cv2.GaussianBlur(known, (5, 5), 0.7)[..., None]
    return LightField((light.log + total / (share + 0.02)).astype(np.float32), light.block_mm)

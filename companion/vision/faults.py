"""Pictures that cannot be used: too small, black, white, torn. One plain sentence each."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.frame import Image


@dataclass(frozen=True, slots=True)
class FrameSettings:
    """Tunables of the check.

    smallest_side_px
        240..600: below this a 16 mm sticker has under 12 px.
    dark, bright
        0..255: mean brightness of the darkest picture with anything in it, and of the brightest.
    contrast
        1..6 grey levels: standard deviation below which a picture is one flat colour.
    torn_share
        0.2..0.6 of the rows at the lower edge that are one flat line: the rest of the picture never arrived.
    """

    smallest_side_px: int = 300
    dark: float = 6.0
    bright: float = 250.0
    contrast: float = 2.5
    torn_share: float = 0.2


def frame_fault(image: Image, settings: FrameSettings | None = None) -> str | None:
    """Why a picture (H×W×3) cannot be read, or None."""
    settings = settings or FrameSettings()
    height, width = image.shape[:2]
    if min(height, width) < settings.smallest_side_px:
        return f"the picture is {width}x{height}; at least {settings.smallest_side_px} pixels on the short side are needed"
    # Every picture that is read passes here: a sample of it, evened out, shows as much of these faults as all of it.
    sampled = cv2.resize(image, (480, 360), interpolation=cv2.INTER_NEAREST)
    thumb = cv2.resize(sampled, (160, 120), interpolation=cv2.INTER_AREA)
    mean, spread = float(thumb.mean()), float(cv2.transform(thumb, np.full((1, 3), 1 / 3)).std())
    if mean < settings.dark and (spread < settings.contrast or mean < settings.dark / 2):
        return "the picture is black: is the lens covered, or the light off?"
    if spread < settings.contrast:
        white = mean > settings.bright
        return "the picture is white: it is overexposed" if white else "the picture is one flat colour: nothing shows in it"
    torn = torn_share(image)
    if torn > settings.torn_share:
        return f"the picture is torn: its lower {round(100 * torn)} % did not arrive"
    return None


def torn_share(image: Image) -> float:
    """The share of a picture's rows (H×W×3), from its lower edge up, that never arrived: 0 to 1.

    A decoder fills what did not arrive with one colour: whole rows without any change.
    """
    height, width = image.shape[:2]
    sample = np.ascontiguousarray(image[:: max(1, height // 100), :: max(1, width // 100)])
    flat = ((sample.max(axis=1) - sample.min(axis=1)).max(axis=1) <= 2)[::-1]
    return (float(np.argmin(flat)) if not flat.all() else len(flat)) / len(flat)

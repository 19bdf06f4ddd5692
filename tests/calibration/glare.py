"""A lamp's reflection on one spot of a picture."""

import numpy as np

from companion.vision.frame import Frame


def in_glare(frame: Frame, at_px: tuple[float, float], light: float, reach_px: float) -> Frame:
    """The picture with as much light (0..1 of what is white) added to every colour around a point."""
    y, x = np.mgrid[: frame.size[1], : frame.size[0]]
    far = np.hypot(x - at_px[0], y - at_px[1])[..., None]
    linear = (frame.image / 255.0) ** 2.2 + light * np.exp(-((far / reach_px) ** 4))
    return Frame(np.asarray(255 * np.clip(linear, 0, 1) ** (1 / 2.2), np.uint8), 0.0, "glare")

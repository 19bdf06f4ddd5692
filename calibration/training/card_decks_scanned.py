"""Decks from scans of printed cards, to judge by what no drawing code made.

The scans come from a folder (``SCANS_ENV``) that holds one folder a deck: a picture of each front (PNG or JPEG) and of its
``back``, cut to the edges. None are shipped. Where a deck has no back, the paper of one front is taken for it.
"""

import os
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from companion.calibration.training.card_decks import SCALE, SIZE_MM, Deck, Image

SCANS_ENV = "TABLE_WITNESS_SCANS"
NEVER = 2
"""Fronts of each deck that are never taught."""
BACK = "back"


@lru_cache(maxsize=1)
def folders() -> tuple[Path, ...]:
    """The folders of decks, by name. Raises FileNotFoundError where there are none."""
    root = os.environ.get(SCANS_ENV, "")
    found = tuple(sorted(path for path in Path(root).iterdir() if path.is_dir())) if root else ()
    if not found:
        raise FileNotFoundError(f"{SCANS_ENV} names no folder with decks of scanned cards")
    return found


def deck(seed: int) -> Deck:
    """The deck of a seed: which one, and which of its fronts are never taught, follows from it. Raises ValueError where too few
    are there."""
    folder = folders()[seed % len(folders())]
    pictures = {path.stem: _printed(path) for path in sorted(folder.iterdir()) if path.suffix in (".png", ".jpg")}
    back = pictures.pop(BACK, None)
    if len(pictures) <= NEVER:
        raise ValueError(f"{folder} holds {len(pictures)} fronts; more than {NEVER} are needed")
    order = np.random.default_rng([seed, 17]).permutation(sorted(pictures))
    never, kept = order[:NEVER], sorted(str(name) for name in order[NEVER:])
    faces = {name: pictures[name] for name in kept}
    faces[BACK] = np.full_like(faces[kept[0]], np.median(faces[kept[0]], axis=(0, 1))) if back is None else back
    return Deck(f"{folder.name}-{seed}", faces, never=tuple(pictures[str(name)] for name in never))


def _printed(path: Path) -> Image:
    """A scan in the size of a card. Raises ValueError for a file that is no picture."""
    picture = cv2.imread(str(path))
    if picture is None:
        raise ValueError(f"{path} is no picture")
    width, height = (round(side * SCALE) for side in SIZE_MM)
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA))

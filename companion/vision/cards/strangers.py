"""What lies in a zone and was not told: what is said of it, and whether it lies there still."""

from collections.abc import Sequence

from companion.vision.cards.landings import Untold
from companion.vision.cards.masks import count
from companion.vision.cards.memory import Stranger
from companion.vision.cards.scene import Scene
from companion.vision.frame import Mask

_STAYS = 0.3
"""0.2..0.4: the share of it that may have changed while it lies still."""
_BURIED = 0.2
"""The share in sight of what was not told, below which it lies under the cards laid upon it."""


def strangers(scene: Scene, left: Sequence[Untold]) -> tuple[Stranger, ...]:
    """What is said of what of a change nothing explains."""
    return tuple(_stranger(scene, one) for one in left)


def _stranger(scene: Scene, untold: Untold) -> Stranger:
    patch, match = untold.patch, untold.match
    counts = {zone: count(patch.mask & within) for zone, within in scene.areas.within.items()}
    zone = max(counts, key=lambda name: counts[name])
    mask = patch.mask & scene.foreground
    if match is None or len(match.rivals) < 2 or not match.known(scene.settings.likeness):
        return Stranger(mask, zone, f"something lies in {zone} that is none of the cards that were taught", True)
    names = " or ".join(dict.fromkeys(scene.deck.faces[face].name for face in match.rivals))
    return Stranger(mask, zone, f"the card laid in {zone} is {names}: which of them cannot be told", False)


def stays(stranger: Stranger, change: Mask) -> bool:
    """Whether what was not told is as it was."""
    return count(stranger.mask & change) <= _STAYS * count(stranger.mask)


def buried(stranger: Stranger, cover: Mask) -> bool:
    """Whether it lies under the cards that were laid upon it (``cover``)."""
    return count(stranger.mask & ~cover) <= _BURIED * count(stranger.mask)

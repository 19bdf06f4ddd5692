"""What lies in a zone and was not told: what is said of it, and whether it lies there still."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.vision.cards.landings import Untold
from companion.vision.cards.masks import count
from companion.vision.cards.match import Match
from companion.vision.cards.memory import LyingCard, Stranger
from companion.vision.cards.scene import Scene
from companion.vision.frame import Mask

_STAYS = 0.3
"""0.2..0.4: the share of it that may have changed while it lies still."""
_BURIED = 0.2
"""The share in sight of what was not told, below which it lies under the cards laid upon it."""
_TOLD = 0.5
"""The share of what shows of it that a card which is told later takes if it is that one."""


def strangers(scene: Scene, left: Sequence[Untold]) -> tuple[Stranger, ...]:
    """What is said of what of a change nothing explains."""
    return tuple(_stranger(scene, one) for one in left)


def _stranger(scene: Scene, untold: Untold) -> Stranger:
    patch = untold.patch
    counts = {zone: count(patch.mask & within) for zone, within in scene.areas.within.items()}
    zone = max(counts, key=lambda name: counts[name])
    return _said(scene, patch.mask & scene.foreground, zone, untold.match)


def stranger_upon(scene: Scene, card: LyingCard, untold: Untold) -> Stranger:
    """What is said of what lies upon a card, of print like its own perhaps."""
    return _said(scene, untold.patch.mask, card.zone, untold.match)


def _said(scene: Scene, mask: Mask, zone: str, match: Match | None) -> Stranger:
    if match is None or len(match.rivals) < 2 or not match.known(scene.settings.likeness):
        return Stranger(mask, zone, f"something lies in {zone} that is none of the cards that were taught", True)
    names = " or ".join(dict.fromkeys(scene.deck.faces[face].name for face in match.rivals))
    return Stranger(mask, zone, f"the card laid in {zone} is {names}: which of them cannot be told", False)


def stays(stranger: Stranger, change: Mask, cover: Mask | None = None) -> bool:
    """Whether what was not told is as it was, as far as no card that was laid upon it (``cover``) hides it."""
    mask = stranger.mask if cover is None else stranger.mask & ~cover
    return count(mask & change) <= _STAYS * count(mask)


def buried(stranger: Stranger, cover: Mask) -> bool:
    """Whether it lies under the cards that were laid upon it (``cover``)."""
    return count(stranger.mask & ~cover) <= _BURIED * count(stranger.mask)


def only_covered(gone: Iterable[Stranger], change: Mask, upon: Mask, told: Mask, left: Sequence[Untold]) -> list[Stranger]:
    """Of what looks otherwise than it did that which was only covered, by cards that have landed (``upon``): what shows of it
    is as it was, and neither ``told`` now nor asked about once more (``left``)."""
    found: list[Stranger] = []
    for one in gone:
        rest = one.mask & ~upon
        asked = any(count(rest & entry.patch.mask) for entry in left)
        if stays(one, change, upon) and not asked and count(rest & told) <= _TOLD * count(rest):
            found.append(one)
    return found


def parted(lying: Iterable[Stranger], cover: Mask, kept: Sequence[LyingCard]) -> tuple[list[Stranger], list[Stranger]]:
    """What lies there untold by whether it is in sight yet, as far as it is, or below cards that have landed (``cover``) upon
    it and upon those that lay there (``kept``)."""
    in_sight: list[Stranger] = []
    below: list[Stranger] = []
    for one in lying:
        if buried(one, cover):
            below.append(replace(one, upon=sum(card.zone == one.zone for card in kept)))
        else:
            in_sight.append(replace(one, mask=one.mask & ~cover))
    return in_sight, below


def still_below(below: Iterable[Stranger], scene: Scene, cards: Sequence[LyingCard]) -> tuple[Stranger, ...]:
    """Of what was buried that which cards of its zone lie upon yet."""
    cover, lying = scene.covered(cards), Counter(card.zone for card in cards)
    return tuple(one for one in below if lying[one.zone] > one.upon and buried(one, cover))

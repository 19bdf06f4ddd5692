"""Which of the cards that lay there lie there still, and which lie below the same face laid again."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.vision.cards.changes import ChangedPatch
from companion.vision.cards.landings import Untold
from companion.vision.cards.masks import count
from companion.vision.cards.memory import CardMemory, LyingCard
from companion.vision.cards.scene import SHADE_MM, Scene
from companion.vision.cards.settings import LandingSettings
from companion.vision.cards.view import CardPose, Floats, unpacked
from companion.vision.frame import Mask

_STAYS, _STIRS = 0.3, 0.04
"""0.2..0.4: the share of what is in sight of a card that may have changed while it lies still; 0.02..0.08: beyond which it is
asked whether the bare mat shows there."""
_OUT_OF_SIGHT = 0.02
"""The share of a card in sight below which nothing is asked of it."""
_STIRRED = 0.01
"""0.005..0.02: the share of a card and its rim that must differ somewhat before it is asked whether it has moved."""
_MAY_STAY = 0.35
"""0.3..0.4: the least share of what is in sight of a card that must be as taught for it to be asked closely whether it lies
there still; one that is sure has 0.53, by glare."""
_RIM_MM = 2.0


def remaining(scene: Scene, cards: Sequence[LyingCard], change: Mask, hides: Mask) -> list[LyingCard]:
    """Of the cards that lay there those that lie there still: what was in sight of them is as it was, or hidden now."""
    above = scene.nothing
    kept: list[LyingCard] = []
    for card in reversed(cards):
        if _stays(scene, card, change, above | hides):
            kept.insert(0, card)
            above |= scene.area(card.pose)
    return kept


def _stays(scene: Scene, card: LyingCard, change: Mask, hidden: Mask) -> bool:
    """Whether a card lies where it lay."""
    area = scene.area(card.pose)
    sight = area & ~hidden
    size = count(sight)
    share = count(change & sight) / max(1, size)
    in_sight = size / max(1, count(area))
    likeness = scene.settings.likeness
    if in_sight < _OUT_OF_SIGHT or share <= _STIRS:
        return True
    if share > _STAYS:
        if _bare_shows(scene, card, hidden) or _agrees(scene, card, sight) < _MAY_STAY:
            return False
        match = scene.match([card.pose], hidden)
        return match is not None and match.face == card.face and match.stays(likeness)
    # Of a white card on a white mat little changes when it is taken away.
    return in_sight < likeness.visible or not _bare_shows(scene, card, hidden)


def _bare_shows(scene: Scene, card: LyingCard, hidden: Mask) -> bool:
    """Whether the bare mat shows where a card lay."""
    return scene.deck.bank.bare_shows(scene.grid, scene.view, card.pose, card.face, scene.ground, hidden)


def _agrees(scene: Scene, card: LyingCard, sight: Mask) -> float:
    """How much of what is in sight is as if a card lay there."""
    return scene.deck.bank.agreement(scene.grid, scene.view, card.pose, card.face, sight)


def found_again(scene: Scene, known: Sequence[LyingCard]) -> tuple[list[LyingCard], Mask]:
    """Of known cards those that show where they lay, or may lie there hidden, where no earlier view can be gone on from; and
    what they cover."""
    above = scene.nothing
    kept: list[LyingCard] = []
    likeness = scene.settings.likeness
    for card in reversed(known):
        match = scene.match([card.pose], above)
        hidden = match is None or match.visible < likeness.visible
        if match is None or hidden or (match.face == card.face and match.known(likeness)):
            kept.insert(0, card if match is None or hidden else replace(card, pose=match.pose))
            above |= scene.area(card.pose, SHADE_MM)
    return kept, above


def laid_again(
    scene: Scene, before: CardMemory, kept: Sequence[LyingCard], landed: Sequence[LyingCard], hides: Mask
) -> tuple[list[LyingCard], list[Untold]]:
    """Cards laid upon others that look nearly the same, and what was not told: the picture is nearly as it was, but the
    upmost card of a zone has moved against everything else. It shows the same face still, or one that differs by little."""
    moved: list[LyingCard] = []
    untold: list[Untold] = []
    taken = {card.zone for card in landed}
    upmost = {card.zone: card for card in kept if card.zone not in taken}
    if not upmost:
        return moved, untold
    was = unpacked(before.view)
    light, *colours = cv2.split(cv2.absdiff(scene.view, was))
    difference: Floats = np.asarray(cv2.max(cv2.max(light, colours[0]), colours[1]), np.float32)
    stirred = difference > 3 * float(np.median(difference[::4, ::4])) + 2.0
    for card in (upmost[zone.id] for zone in scene.areas.zones if zone.id in upmost):
        if scene.deck.faces[card.face].back:
            continue  # one may have been taken from below as well as laid: nobody can tell backs
        area = scene.area(card.pose, _RIM_MM)
        if (area & hides).any() or float(stirred[area].mean()) < _STIRRED:
            continue
        pose = _moved(scene, was, card)
        if pose is None:
            continue
        match = scene.match([pose, card.pose])
        if match is not None and match.sure(scene.settings.likeness):
            piece = scene.deck.piece_for(match.face, [*before.cards, *landed])
            moved.append(replace(card, face=match.face, pose=match.pose, piece=piece))
        elif match is not None and match.face != card.face:
            mask = area & stirred
            untold.append(Untold(ChangedPatch(mask, count(mask) / scene.grid.scale**2, (match.pose,)), match))
    return moved, untold


def _moved(scene: Scene, before: Floats, card: LyingCard) -> CardPose | None:
    """Where a card lies now, if it lies otherwise than in the view before: by what that view shows of it, and by what was
    taught. By the latter alone glare and grain had one that nobody touched lie at two places."""
    settings = scene.settings.landing
    if not _elsewhere(scene.deck.bank.shifted(scene.grid, before, scene.view, card.pose), card.pose, settings):
        return None
    pose, was = (scene.deck.bank.refitted(scene.grid, view, card.pose, card.face) for view in (scene.view, before))
    return pose if _elsewhere(pose, was, settings) else None


def _elsewhere(pose: CardPose, was: CardPose, settings: LandingSettings) -> bool:
    """Whether two poses are of two places."""
    turned = abs((pose.turn - was.turn + 180) % 360 - 180)
    return pose.apart_mm(was) >= settings.moved_mm or turned >= settings.turned_deg

"""Which of the cards that lay there lie there still, and which lie below the same face laid again."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.cards.changes import ChangedPatch
from companion.vision.cards.landings import STILL_DEG, STILL_MM, Untold
from companion.vision.cards.masks import count
from companion.vision.cards.match import Match
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
_RIM = 0.15
"""The share of a card in sight below which it is a rim, of which nothing can be told but that others lie upon it."""
_ALONE = 0.15
"""The share of a card that has no other below it by which it is asked whether the mat shows, or that another has below it to be
seen instead."""
_COLOURED = 0.5
"""0.3..0.7: the share of what is in sight of a card's place that may have another colour than the mat if that shows there: a
shadow has, but hardly lies over all of it."""
_OVERLAID = 0.1
"""0.06..0.3: the share of what told cards leave in sight of a card that something untold may hide where the mat shows; when it
goes more than _STIRS changes."""
_RIM_MM = 2.0


def remaining(
    scene: Scene, cards: Sequence[LyingCard], change: Mask, told: Mask, untold: Mask | None = None
) -> tuple[list[LyingCard], list[tuple[LyingCard, Untold]]]:
    """Of the cards that lay there those that lie there still: what was in sight of them is as it was, or hidden now by cards
    that were ``told``, or by what was not (``untold``). And those of them where neither they, nor the mat, nor a card from
    below shows: something lies upon them that was not told."""
    above, untold = scene.nothing, scene.nothing if untold is None else untold
    kept: list[tuple[int, LyingCard]] = []
    seen: list[LyingCard] = []
    unlike: list[tuple[int, LyingCard, Untold]] = []
    for number, card in reversed(list(enumerate(cards))):
        now = _looked_at(scene, card, cards[:number], change, _Hidden(above | told | untold, above | told))
        if isinstance(now, Untold):
            unlike.append((number, card, now))
        elif now is not None:
            kept.append((number, now.card))
            above |= scene.area(now.card.pose)
            seen += [now.card] if now.again else []
    hidden = [(number, card, now) for number, card, now in unlike if not _taken_from(scene, card, seen)]
    kept = sorted([*kept, *((number, card) for number, card, _ in hidden)], key=lambda one: one[0])
    return [card for _, card in kept], [(card, now) for _, card, now in hidden]


class _Lies(NamedTuple):
    """A card that lies where it lay, as it was or hidden; ``again``: it is seen where much has changed."""

    card: LyingCard
    again: bool = False


class _Hidden(NamedTuple):
    """What is not asked of a card: what ``all`` that lies upon it hides, and what ``cards`` that were told do."""

    all: Mask
    cards: Mask

    def overlaid(self, area: Mask) -> bool:
        """Whether what was not told hides more than a little of what told cards leave in sight of a card's place."""
        return count(area & self.all & ~self.cards) > _OVERLAID * count(area & ~self.cards)

    def for_mat(self, area: Mask) -> Mask:
        """What is not asked where the bare mat may show: it shows in all of a card's place or not at all. What was not told is
        found by its print, beside which a page of the mat's colour passes for the mat; a little of it may lie there, for when
        it has gone too little changes to be asked."""
        return self.cards if self.overlaid(area) else self.all


def _looked_at(
    scene: Scene, card: LyingCard, below: Sequence[LyingCard], change: Mask, hides: _Hidden
) -> _Lies | Untold | None:
    """Whether a card lies where it lay, ``below`` it others; what shows instead where that is nothing that is known; None where
    it is gone."""
    area, hidden = scene.area(card.pose), hides.all
    sight = area & ~hidden
    size, altered = count(sight), change & sight
    share = count(altered) / max(1, size)
    in_sight = size / max(1, count(area))
    likeness = scene.settings.likeness
    if _bared(scene, card, hides):
        return None
    if in_sight < _OUT_OF_SIGHT or share <= _STIRS:
        return _Lies(card)
    if share <= _STAYS or in_sight < likeness.visible:
        return _little_changed(scene, card, altered, hides)
    no_mat = hides.for_mat(area)
    others = no_mat.copy()
    for other in below:
        others |= scene.area(other.pose)
    if _bare_shows(scene, card, no_mat) or (count(area & ~others) >= _ALONE * count(area) and _bare_shows(scene, card, others)):
        return None
    match = scene.match([card.pose], hidden)
    if match is not None and match.face == card.face and scene.agreement(card, sight) >= _MAY_STAY:
        still = match.known(likeness) and (match.rivals == (card.face,) or card.pose.about(match.pose, STILL_MM, STILL_DEG))
        if still or match.stays(likeness):
            return _Lies(replace(card, pose=match.pose, moved=False) if card.moved else card, again=True)
    return _untold(scene, card, altered, match)


def _bared(scene: Scene, card: LyingCard, hides: _Hidden) -> bool:
    """Whether the bare mat shows in all of a card's place that something untold is said to hide. Where many cards were taken
    away all of that is one change, of which a line on the mat in another light is enough for it not to be told."""
    area = scene.area(card.pose)
    if not hides.overlaid(area) or count(area & ~hides.cards) < scene.settings.likeness.visible * count(area):
        return False
    return _bare_shows(scene, card, hides.cards)


def _little_changed(scene: Scene, card: LyingCard, altered: Mask, hides: _Hidden) -> _Lies | Untold | None:
    """The same of a card of which little has changed (``altered``) or is in sight. Of a white card on a white mat little does
    when it is taken away, and of text upon text on the same paper nothing but the lines differ."""
    area, hidden, likeness = scene.area(card.pose), hides.all, scene.settings.likeness
    sight = area & ~hidden
    whole = count(sight) >= likeness.visible * count(area)
    # The rim of one that lies below others is shaded.
    asked = whole or (count(sight) >= _RIM * count(area) and count(altered) > _STAYS * count(sight))
    if asked and _bare_shows(scene, card, hides.for_mat(area)):
        return None
    if not whole or card.moved:
        return _Lies(card)
    drawn = scene.deck.bank.drawn_as(scene.grid, scene.view, card.pose, card.face, hidden)
    if drawn is None or drawn >= likeness.redrawn:
        return _Lies(card)
    return _untold(scene, card, altered, scene.match([card.pose], hidden))


def _untold(scene: Scene, card: LyingCard, altered: Mask, match: Match | None) -> Untold:
    """What lies upon a card and is not told."""
    return Untold(ChangedPatch(altered, count(altered) / scene.grid.scale**2, (card.pose,)), match)


def _taken_from(scene: Scene, card: LyingCard, seen: Sequence[LyingCard]) -> bool:
    """Whether one of the cards that are ``seen`` again lay below a card."""
    area = scene.area(card.pose)
    return any(count(area & scene.area(other.pose)) >= _ALONE * count(area) for other in seen)


def _bare_shows(scene: Scene, card: LyingCard, hidden: Mask) -> bool:
    """Whether the bare mat shows where a card lay: a page of one colour with some text is like it but for its colour, which the
    fit of the light takes for light."""
    sight = scene.area(card.pose) & ~hidden
    if count(sight & scene.foreground) > _COLOURED * count(sight):
        return False
    return scene.bare_shows(card.pose, card.face, hidden)


def refitted(scene: Scene, cards: Sequence[LyingCard]) -> tuple[LyingCard, ...]:
    """Cards that lay there before the camera was moved, each where it shows now; what does not show where it lay."""
    above = scene.nothing
    found: list[LyingCard] = []
    for card in reversed(cards):
        match = scene.match([card.pose], above)
        shows = match is not None and match.face == card.face and match.known(scene.settings.likeness)
        there = replace(card, pose=match.pose, moved=False) if match is not None and shows else replace(card, moved=True)
        found.insert(0, there)
        above |= scene.area(card.pose, SHADE_MM)
    return tuple(found)


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
    taught, plainly by either view. By the latter alone glare and grain had one that nobody touched lie at two places."""
    settings = scene.settings.landing
    if not _elsewhere(scene.deck.bank.shifted(scene.grid, before, scene.view, card.pose), card.pose, settings):
        return None
    bank = scene.deck.bank
    pose, was = (bank.refitted(scene.grid, view, card.pose, card.face) for view in (scene.view, before))
    if not _elsewhere(pose, was, settings):
        return None
    # Of round shapes a fit knows the turn badly: each picture must have the card where it was fitted there.
    now = bank.likelier_by(scene.grid, scene.view, card.face, pose, was)
    then = bank.likelier_by(scene.grid, before, card.face, was, pose)
    return pose if min(now, then) >= settings.moved_nats else None


def _elsewhere(pose: CardPose, was: CardPose, settings: LandingSettings) -> bool:
    """Whether two poses are of two places."""
    turned = abs((pose.turn - was.turn + 180) % 360 - 180)
    return pose.apart_mm(was) >= settings.moved_mm or turned >= settings.turned_deg

"""Which cards were laid where the mat has changed, several at once and upon each other too, and what of it nothing explains."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np

from companion.vision.cards.changes import ChangedPatch, patches_of
from companion.vision.cards.masks import count
from companion.vision.cards.match import Match
from companion.vision.cards.memory import LyingCard
from companion.vision.cards.print_search import ViewBox
from companion.vision.cards.scene import SHADE_MM, Scene
from companion.vision.cards.settings import LikenessSettings
from companion.vision.cards.view import CardPose
from companion.vision.frame import Mask

_MOST_PATCHES = 6
"""Parts of a change that are asked for a card, the largest ones."""
_ROUNDS = 3
"""Cards laid at once lie upon each other in so many layers at most."""
_MOST_LIKELY, _BARELY, _SIGNS = 5, 0.15, 0.02
"""Poses that are tried again once a card was told upon them; the share of what is in sight of one that must have changed: of a
white card on a white mat frame and picture, or where it was found by its print a sign or two."""
_WHOLE, _BESIDE_MM, _BESIDE_DEG = 0.95, 25.0, 15.0
"""The share in sight of a card beyond which it is no part of one; how far beside it another one would lie of which it may be a
part."""
STILL_MM, STILL_DEG = 0.8, 1.5
"""How far from a card that lay there another look has it: the fit's own error, less than hands lay the same face beside."""
_SAME_MM, _SAME_DEG, _ALIKE_DEG = 4.0, 4.0, 6.0
"""How far from a card another pose is that lay there already; how far one is turned from another that is tried again."""
_RIM_MM, _TOUCHES = 1.5, 0.02
"""How far about a card that was told a sleeve, and the light at its edge, hide what lies below; the share of a card beyond
which two lie upon each other."""
_NEXT_TO_NOTHING, _ASKED_BARE = 0.02, 2
"""The share of a change that may have another colour than the mat if it is bare; at how many poses it is asked."""
_ARM_SHARE = 0.5
"""0.3..0.7: the share of a changed part that must belong to an arm for it to be one."""
_AS_FAR_AS, _MOST_BY_PRINT = 2.0, 3
"""How many diagonals of a card a part of the view may measure in which cards are sought by what is drawn on them; at how many
places it is looked closely."""
_MOSTLY = 0.8
"""The share of a change that must lie on a card that shows again; that of a card which has changed at least if all of one
was laid."""
_CONFIDENCE = 0.99
"""Of a card that is told surely."""


@dataclass(frozen=True, eq=False)
class Untold:
    """A part of a change that was not told, and the likeliest card."""

    patch: ChangedPatch
    match: Match | None


def landings(
    scene: Scene, change: Mask, known: Sequence[LyingCard], arms: Mask | None = None, above: Sequence[LyingCard] = ()
) -> tuple[list[LyingCard], list[Untold]]:
    """The cards that were laid where something has changed, lowest first, and what of the change nothing explains. Cards that
    are told at once lie upmost; what shows of others beside them is asked next. ``arms``: what reaches in from beside the mat;
    in that nothing is told but a card whose outline shows, for it is gone in a moment. ``above``: those of the ``known`` ones
    that lie upon what has changed."""
    landed: list[LyingCard] = []
    hidden = scene.nothing
    for card in above:
        hidden |= scene.area(card.pose, _RIM_MM)
    left: list[Untold] = []
    first: list[Untold] = []
    likely: list[CardPose] = []
    for round_ in range(_ROUNDS):
        rest = change & ~scene.covered([*above, *landed])
        if round_:
            rest &= scene.foreground
        cover = hidden if landed or above else None
        left, found = [], [match for pose in likely if (match := _below(scene, pose, rest, hidden, [*known, *landed]))]
        again: list[Match] = []
        open_ones: list[ChangedPatch] = []
        for patch in islice(patches_of(rest, scene.grid, scene.deck.size_mm, scene.settings.landing, cover), _MOST_PATCHES):
            reached = arms is not None and count(patch.mask & arms) > _ARM_SHARE * count(patch.mask)
            nothing = (reached and not _may_be_card(scene, patch)) or _bare(scene, patch)
            matches = [] if nothing else _matches(scene, patch, cover, [*known, *landed])
            matches = [match for match in matches if match.outlined] if reached else matches
            left += [] if patch.joined else [Untold(patch, matches[0] if matches else None)]
            found += matches
            again += matches if patch.edges else []
            open_ones += [] if nothing else [patch]
        if open_ones and not any(match.sure(scene.settings.likeness) for match in found):
            more = _by_print(scene, open_ones, rest, hidden, [*known, *landed])
            left = [_better_told(scene, one, more) for one in left]
            found, again = [*found, *more], [*more, *again]
        likely = _apart(again)
        first = first if round_ else left
        new = _told(scene, found, hidden, [*known, *landed])
        landed[:0] = new
        if not new:
            break
    cover = scene.covered([*above, *landed])
    # Of a pale card only some print is no bare mat: what was one part beside a card that was told is none any more.
    left = [*left, *(one for one in first if not any(count(one.patch.mask & other.patch.mask) for other in left))]
    return landed, [one for one in left if not _explained(scene, one.patch, cover, known)]


def _told(scene: Scene, found: Sequence[Match], hidden: Mask, known: Sequence[LyingCard]) -> list[LyingCard]:
    """The cards that are told surely, of two in one place the better one, lowest first. What they cover is added to
    ``hidden``."""
    settings = scene.settings.likeness
    new: list[LyingCard] = []
    sure = (
        one
        for one in found
        if one.sure(settings) and not _of_another(one, found, settings) and not _lies_still(scene, one, known)
    )
    for match in sorted(sure, key=lambda match: -match.over_bare):
        zone, area = scene.areas.zone_at(match.pose), scene.area(match.pose, _RIM_MM)
        if zone is None or count(area & hidden) > (1 - settings.visible) * count(area):
            continue
        piece = scene.deck.piece_for(match.face, [*known, *new])
        _lay_among(scene, new, LyingCard(match.face, piece, zone.id, match.pose, _CONFIDENCE))
        hidden |= area
    return new


def _lies_still(scene: Scene, match: Match, known: Sequence[LyingCard]) -> bool:
    """Whether a card that lay there already shows where it lay: what has changed about it is light, or grain by dusk, and a fit
    may have it lie amiss, but no likelier there."""
    bank, least = scene.deck.bank, scene.settings.landing.moved_nats
    return any(
        card.pose.about(match.pose, *((_SAME_MM, _SAME_DEG) if card.moved else (STILL_MM, STILL_DEG)))
        or (
            card.pose.apart_mm(match.pose) < _BESIDE_MM
            and bank.likelier_by(scene.grid, scene.view, card.face, match.pose, card.pose) < least
        )
        for card in known
        if card.face == match.face
    )


def _of_another(match: Match, found: Sequence[Match], settings: LikenessSettings) -> bool:
    """Whether what shows may be of another face that lies a little beside, signs of like layouts upon paper of the mat's colour
    fit both: it is not likelier than the bare mat by more than that one is. Or of one with signs more than the same face has,
    which explains more where it lies, though it is none that was taught."""
    exact = match.visible >= _WHOLE or match.exact(settings)
    least = match.over_bare - (settings.margin if exact else settings.lead(match.visible, False))

    def explains(other: Match) -> bool:
        if other.face != match.face:
            return other.over_bare > least
        return other.over_bare > match.over_bare + settings.margin and other.pose.apart_mm(match.pose) > _SAME_MM

    return any(explains(other) and other.pose.about(match.pose, _BESIDE_MM, _BESIDE_DEG) for other in found)


def _matches(scene: Scene, patch: ChangedPatch, hidden: Mask | None, known: Sequence[LyingCard]) -> list[Match]:
    """What a changed part may show, one for each place where a card may lie in it; those that are sure first."""
    places = scene.deck.bank.places(scene.grid, scene.view, patch.edges, hidden)
    tried = (scene.match(poses, hidden, known) for poses in (patch.poses, *places))
    found = [
        replace(
            match,
            outlined=patch.boxed(match.pose, scene.grid, scene.deck.size_mm) and not _mat_shows(scene, match, hidden),
        )
        for match in tried
        if match is not None
    ]
    likeness = scene.settings.likeness
    found.sort(key=lambda match: (not match.sure(likeness), not match.known(likeness), -match.fit * match.visible))
    return found


def _may_be_card(scene: Scene, patch: ChangedPatch) -> bool:
    """Whether a changed part has the size of a whole card."""
    width, height = scene.deck.size_mm
    return bool(patch.poses) and patch.area_mm2 >= _MOSTLY * width * height


def _by_print(
    scene: Scene, patches: Sequence[ChangedPatch], rest: Mask, hidden: Mask, known: Sequence[LyingCard]
) -> list[Match]:
    """What the largest of some changed parts, and those that lie within a card of it, may show by what is drawn there, where
    no outline has led to a card."""
    reach = np.hypot(*scene.deck.size_mm) * scene.grid.scale
    first, *others = sorted(patches, key=lambda patch: -patch.area_mm2)
    box = _box(first)
    for other in map(_box, others):
        both = ViewBox(*(pick(pair) for pick, pair in zip((min, min, max, max), zip(box, other, strict=True), strict=True)))
        if np.hypot(both.right - both.left, both.bottom - both.top) <= _AS_FAR_AS * reach:
            box = both
    # What lies there already is in sight as well.
    found = scene.deck.bank.places_by_print(scene.grid, scene.view, box, hidden)
    poses = (pose for face, pose in found if not _lay(face, pose, known) and _new(scene, pose, rest, hidden, _SIGNS))
    matches = (scene.match([pose], hidden, known) for pose in islice(poses, _MOST_BY_PRINT))
    # Where no drawing can be asked for it was not found by any: a hand is as plain as a back.
    drawn = (one for one in matches if one is not None and one.detail is not None)
    return [one for one in drawn if _new(scene, one.pose, rest, hidden, _SIGNS) and not _lay(one.face, one.pose, known)]


def _new(scene: Scene, pose: CardPose, rest: Mask, hidden: Mask, least: float) -> bool:
    """Whether such a share of what is in sight of a card at a pose has changed that it may have been laid now."""
    open_ = scene.area(pose) & ~hidden
    return count(rest & open_) >= least * max(1, count(open_))


def _lay(face: int, pose: CardPose, known: Sequence[LyingCard]) -> bool:
    """Whether a card that lay there already shows."""
    return any(card.face == face and card.pose.about(pose, _SAME_MM, _SAME_DEG) for card in known)


def _box(patch: ChangedPatch) -> ViewBox:
    """The rectangle of view pixels about a changed part."""
    left, top, wide, tall = cv2.boundingRect(patch.mask.view(np.uint8))
    return ViewBox(left, top, left + wide - 1, top + tall - 1)


def _better_told(scene: Scene, one: Untold, found: Sequence[Match]) -> Untold:
    """The same, with the first card that was found upon it and may be a taught one, where the likeliest so far is none."""
    settings = scene.settings.likeness
    if one.match is not None and one.match.known(settings):
        return one
    upon = (match for match in found if match.known(settings) and count(scene.area(match.pose) & one.patch.mask))
    return replace(one, match=next(upon, one.match))


def _apart(matches: Sequence[Match]) -> list[CardPose]:
    """The poses that are tried again once a card was told upon them, one for each place."""
    found: list[CardPose] = []
    for match in matches:
        if len(found) < _MOST_LIKELY and not any(match.pose.about(pose, _SAME_MM, _ALIKE_DEG) for pose in found):
            found.append(match.pose)
    return found


def _bare(scene: Scene, patch: ChangedPatch) -> bool:
    """Whether a changed part is plainly the bare mat, from which a card was taken: nothing there has another colour, and
    wherever a card might lie in it all is as on the mat."""
    if count(patch.mask & scene.foreground) >= _NEXT_TO_NOTHING * count(patch.mask):
        return False
    bank, poses = scene.deck.bank, patch.poses[:_ASKED_BARE]
    return bool(poses) and all(bank.is_bare(scene.grid, scene.view, pose, scene.bare) for pose in poses)


def _mat_shows(scene: Scene, match: Match, hidden: Mask | None) -> bool:
    """Whether the bare mat shows where a card was sought: cards that were taken away have left an outline of one."""
    area = scene.area(match.pose) if hidden is None else scene.area(match.pose) & ~hidden
    if count(area & scene.foreground) >= _NEXT_TO_NOTHING * count(area):
        return False
    return scene.bare_shows(match.pose, match.face, hidden)


def _below(scene: Scene, pose: CardPose, rest: Mask, hidden: Mask, known: Sequence[LyingCard]) -> Match | None:
    """What shows at a pose that did not fit as long as nothing was known to lie upon it; None where little has changed in
    what is in sight of it, no drawing can be asked for, or the card lay there already."""
    area = scene.area(pose)
    if not _new(scene, pose, rest, hidden, _BARELY) or count(area & hidden) < _TOUCHES * count(area):
        return None
    match = scene.match([pose], hidden, known)
    return None if match is None or match.detail is None or _lay(match.face, match.pose, known) else match


def _lay_among(scene: Scene, landed: list[LyingCard], card: LyingCard) -> None:
    """Add a card to others that were told at once, lowest first: of two upon each other the upper one shows where both
    lie."""
    area = scene.area(card.pose)
    for number, other in enumerate(landed):
        both = area & scene.area(other.pose)
        upon = count(both) > _TOUCHES * count(area)
        if upon and scene.agreement(card, both) < scene.agreement(other, both):
            landed.insert(number, card)
            return
    landed.append(card)


def _explained(scene: Scene, patch: ChangedPatch, hidden: Mask, known: Sequence[LyingCard]) -> bool:
    """Whether a change needs no further card: it lies below one that was laid, is the bare mat, or shows a card again that lay
    covered there."""
    if not patch.thick:
        return True
    rest = patch.mask & ~hidden & scene.foreground
    if count(rest) < scene.settings.landing.least * scene.grid.card_px(scene.deck.size_mm):
        return True
    return any(
        count(rest & scene.area(card.pose, SHADE_MM)) > _MOSTLY * count(rest)
        and (match := scene.match([card.pose], hidden)) is not None
        and match.face == card.face
        and match.known(scene.settings.likeness)
        for card in known
    )

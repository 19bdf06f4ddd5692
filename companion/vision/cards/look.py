"""One look at the mat: what lies there, going on from an earlier look or afresh."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.cards.changes import changed, reaching_in, unlike
from companion.vision.cards.deck import Deck
from companion.vision.cards.following import laid_again, refitted, remaining
from companion.vision.cards.landings import Untold, landings
from companion.vision.cards.mat import MatAreas
from companion.vision.cards.memory import CardMemory, LyingCard, Stranger
from companion.vision.cards.scene import SHADE_MM, Scene
from companion.vision.cards.settings import CardSettings
from companion.vision.cards.strangers import only_covered, parted, stays, still_below, stranger_upon, strangers
from companion.vision.cards.view import Floats, Packed, packed, unpacked
from companion.vision.frame import Mask

_FADES_MM = 5.0
"""How far about what has changed, or was not told, nothing is learnt of the bare mat."""
_ASTRAY_MM = 0.8
"""0.6..1.2 mm by which what lies as it lay may seem to lie elsewhere once the camera was moved."""
_RIM_MM = 4.0
"""How far about a card nothing is learnt of it."""


@dataclass(frozen=True, eq=False)
class _Found:
    """What a look found: the cards, lowest first, what lies there untold, what may be no mat for it has changed or has another
    colour (``unlike``), and what lies untold ``below`` cards that were laid upon it."""

    cards: tuple[LyingCard, ...]
    strangers: tuple[Stranger, ...]
    unlike: Mask
    below: tuple[Stranger, ...]


def looked(
    deck: Deck, areas: MatAreas, view: Floats, plain: Floats, settings: CardSettings, before: CardMemory | None
) -> CardMemory:
    """What is known after a look (``view``, Lab) at the mat, whose bare ground usually has that colour (``plain``); nothing of
    what lies beside it."""
    if before is not None and before.grid is areas.grid:
        scene = Scene(deck, areas, view, before.bare, plain, settings)
        found = _after(scene, before)
    else:
        bare = np.empty(view.shape, np.int16)
        bare[:] = packed(plain)
        before = before.seen_by(areas.grid, bare) if before is not None else None
        scene = Scene(deck, areas, view, before.bare if before is not None else bare, plain, settings)
        found = _moved(scene, before) if before is not None else _afresh(scene)
    kept = packed(view)
    return CardMemory(areas.grid, kept, _bared(scene, kept, found), found.cards, found.strangers, found.below)


def _moved(scene: Scene, before: CardMemory) -> _Found:
    """What lies there now, given an earlier look with the camera elsewhere."""
    return _after(scene, replace(before, cards=refitted(scene, before.cards)), moved=True)


def _after(scene: Scene, before: CardMemory, moved: bool = False) -> _Found:
    """What lies there now, given an earlier look; ``moved``: with the camera elsewhere."""
    astray_px = max(1, round(_ASTRAY_MM * scene.grid.scale)) if moved else 0
    everything = changed(unpacked(before.view), scene.view, scene.settings.landing, astray_px=astray_px)
    change = (everything | _bare_again(scene, before)) & scene.areas.everywhere
    same = [one for one in before.strangers if stays(one, change)]
    gone = [one for one in before.strangers if one not in same]
    landed, left = landings(scene, change, before.cards, reaching_in(everything, scene.areas.beyond, scene.grid))
    upon, told = scene.covered(landed), scene.nothing
    stirred = _stirred(scene, [one for one in gone if not stays(one, change, upon)], landed, left)
    if stirred.any():
        more, rest = landings(scene, stirred, [*before.cards, *landed], above=landed)
        landed, left = [*more, *landed], [*left, *rest]
        told = scene.covered(more)
    cover = upon | told
    lies_untold = scene.nothing
    for one in left:
        lies_untold |= one.patch.mask
        for pose in one.patch.poses[:1]:
            lies_untold |= scene.area(pose, SHADE_MM)
    kept, hidden = remaining(scene, before.cards, change, cover, lies_untold)
    hides = cover | lies_untold
    for _, one in hidden:
        hides |= one.patch.mask
    for stranger in gone:
        hides |= stranger.mask  # the earlier view shows that there, and no card with which this one could be compared
    again, untold = laid_again(scene, before, kept, landed, hides) if not moved else ([], [])
    cards = (*kept, *again, *landed)
    in_sight, buried = parted([*same, *only_covered(gone, change, upon, told, left)], cover, kept)
    below = still_below((*before.below, *buried), scene, cards)
    unseen = [stranger_upon(scene, card, one) for card, one in hidden]
    # A shadow that is too small to be asked about is no mat either.
    return _Found(cards, (*in_sight, *strangers(scene, [*left, *untold]), *unseen), change | scene.foreground, below)


def _bare_again(scene: Scene, before: CardMemory) -> Mask:
    """Where something untold of another colour than the mat lay and the mat shows again. Where a broad shadow goes so much
    changes that none of it seems unusual."""
    found = scene.nothing
    if not before.strangers:
        return found
    for one in before.strangers:
        found |= one.mask
    was = unlike(unpacked(before.view), unpacked(before.bare), scene.settings.landing)
    return found & was & ~scene.foreground


def _stirred(scene: Scene, gone: Iterable[Stranger], landed: Iterable[LyingCard], left: Iterable[Untold]) -> Mask:
    """Where something lies yet of what was not told and is not as it was, beside all that is asked already. Of what was only
    covered by cards that have landed less shows than when it was not told."""
    found = scene.nothing
    for one in gone:
        found |= one.mask
    found &= scene.foreground & ~scene.covered(landed)
    for entry in left:
        found &= ~entry.patch.mask
    return found


def _afresh(scene: Scene) -> _Found:
    """What lies there, where nothing is known."""
    landed, left = landings(scene, scene.foreground, ())
    return _Found(tuple(landed), strangers(scene, left), scene.nothing, ())


def _bared(scene: Scene, view: Packed, found: _Found) -> Packed:
    """The bare mat as far as it is known after a look (``view``)."""
    open_ = scene.areas.everywhere.copy()
    for card in found.cards:
        open_ &= ~scene.area(card.pose, _RIM_MM)
    doubtful = found.unlike.copy()
    for one in found.strangers:
        open_ &= ~scene.areas.within[one.zone]
    for one in (*found.strangers, *found.below):
        doubtful |= one.mask
    # What lies over a zone reaches beyond it, and fades at its edges.
    side = 2 * round(_FADES_MM * scene.grid.scale) + 1
    open_ &= cv2.dilate(doubtful.astype(np.uint8), np.ones((side, side), np.uint8)) == 0
    return np.asarray(cv2.copyTo(view, open_.view(np.uint8), scene.ground.copy()), np.int16)

"""What is told of a card's picture: which face it shows, how surely, and whether it shows any of the taught ones at all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.cards.likelihood import Laid
from companion.vision.cards.settings import LikenessSettings
from companion.vision.cards.sight import Sight
from companion.vision.cards.template import COMMON
from companion.vision.cards.view import CardPose
from companion.vision.frame import Mask

_WHOLE = 0.95
"""The share in sight of a card beyond which it is no part of one."""
_PLAINLY = 6.0
"""How many times the usual margin a face without drawing must be likelier than the bare mat, where its outline is not seen."""


@dataclass(frozen=True, slots=True)
class Match:
    """What a card's picture shows. ``face``: the likeliest one; ``margin``: nats by which it is likelier than any other;
    ``rivals``: the faces within the largest margin that may be asked, likeliest first (``face`` among them); ``fit``: the share
    of the cells in sight and not washed out that are as taught; ``lump``: the largest patch of cells that are not; ``washed``:
    the share that glare washes out; ``visible``: the share of the card in sight; ``detail``: the correlation of what is drawn
    finely, None where too little is drawn, or in sight, to tell; ``spot``: by how much (levels of light) one spot is darker
    than the face has it under a glare's veil; ``over_bare``: nats by which it is likelier than the bare mat; ``outlined``:
    whether just a card that lies so has changed, None where it was not asked."""

    face: int
    pose: CardPose
    margin: float
    rivals: tuple[int, ...]
    fit: float
    lump: int
    washed: float
    visible: float
    detail: float | None = None
    spot: float = 0.0
    over_bare: float = float("inf")
    outlined: bool | None = None

    def alike(self, settings: LikenessSettings, fit: float) -> bool:
        """Whether a taught face is like it, whichever, what is drawn finely apart; ``fit``: the share of cells that must be as
        taught."""
        return (
            self.fit >= fit
            and self.lump < settings.lump
            and self.visible >= settings.visible
            and self.washed <= settings.washed
        )

    def known(self, settings: LikenessSettings) -> bool:
        """Whether it is a taught face at all, whichever."""
        drawn = self.spot <= settings.spot and (self.detail is None or self.detail >= settings.detail)
        return drawn and self.alike(settings, settings.fit_undrawn if self.detail is None else settings.fit)

    def no_ground(self, settings: LikenessSettings) -> bool:
        """Whether it is no bare mat: a card's own outline is no light, but a card that was taken away leaves it too. Without
        it, where no drawing can be asked for, a hand may pass for a back of its colour."""
        if self.outlined:
            return self.over_bare >= -settings.under_bare * self.visible
        doubtful = self.outlined is False and self.detail is None
        return self.over_bare >= settings.margin * (_PLAINLY if doubtful else 1.0)

    def sure(self, settings: LikenessSettings) -> bool:
        """Whether the face is told surely. What is washed out tells no more than what is covered: paper printed white may pass
        for glare upon another face. And the poorer the drawing agrees, the more likely it is to be one never taught."""
        exact, detail = self.exact(settings), 1.0 if self.detail is None else self.detail
        leads = self.margin >= settings.lead(self.visible * (1 - self.washed), exact, detail)
        told = self.known(settings) and not self.mostly_mat(settings) and not self.in_part_other(settings)
        return leads and self.no_ground(settings) and told

    def exact(self, settings: LikenessSettings) -> bool | None:
        """Whether what is drawn on it is just as taught, None where no drawing can be asked for."""
        if self.detail is None:
            return None
        return self.detail >= settings.exact_detail and self.spot <= settings.exact_spot

    def mostly_mat(self, settings: LikenessSettings) -> bool:
        """Whether it is a part of a card of which the bare mat explains too much: signs upon paper of its colour, which fit
        several faces beside where they lie."""
        if self.exact(settings) is not False or self.visible >= _WHOLE:
            return False
        return self.over_bare < settings.over_bare * self.visible

    def in_part_other(self, settings: LikenessSettings) -> bool:
        """Whether it is not drawn just as taught, and more than a few cells of a whole card differ, or it is drawn poorly where
        no glare is: a face never taught that has most of its drawing in common with one that was."""
        if self.exact(settings) is not False or self.detail is None:
            return False
        differs = self.visible >= _WHOLE and self.fit < settings.fit_whole
        return differs or (self.washed == 0 and self.detail < settings.plain_detail)

    def stays(self, settings: LikenessSettings) -> bool:
        """Whether it is surely not another face than one that lay there."""
        leads = self.margin >= settings.lead(self.visible, None)
        return leads and self.no_ground(settings) and self.known(settings)


def judged(
    hypotheses: Sequence[Laid], sight: Sight, prior: Mapping[int, float], faces: tuple[int, ...], settings: LikenessSettings
) -> Match | None:
    """What is told of hypotheses over one card; ``faces``: all that were taught, ``prior``: log probabilities of some."""
    best: dict[int, tuple[float, Laid]] = {}
    for one in hypotheses:
        nats = one.nats + prior.get(one.template.face, 0.0)
        if one.template.face not in best or nats > best[one.template.face][0]:
            best[one.template.face] = nats, one
    ranked = sorted(best.values(), key=lambda entry: -entry[0])
    if not ranked:
        return None
    # What all faces have in common is none of them, however like one it is.
    ranked.sort(key=lambda entry: entry[1].template.face == COMMON)
    (top, first), rest = ranked[0], [nats for nats, _ in ranked[1:]]
    margin = top - max(rest) if rest else float("inf")
    seen = sight.open_cells(first.pose)
    visible = float(seen.mean())
    near = [one.template.face for nats, one in ranked if top - nats < settings.lead(visible, False)]
    rivals = tuple(faces if COMMON in near else near)
    washed = seen & first.washed
    asked = seen & ~washed
    odd = asked & first.odd
    fit = 1 - float(odd.sum()) / max(1, int(asked.sum()))
    glare = float(washed.sum()) / max(1, int(seen.sum()))
    return Match(first.template.face, first.pose, margin, rivals, fit, _largest(odd), glare, visible)


def _largest(odd: Mask) -> int:
    """How many cells the largest patch of marked ones has."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(odd.astype(np.uint8), connectivity=4)
    return int(stats[1:, cv2.CC_STAT_AREA].max()) if count > 1 else 0

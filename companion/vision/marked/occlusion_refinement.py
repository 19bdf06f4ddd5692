"""The second stage for tiles below pieces, run where rims do not decide: the posterior of ``occlusion_posterior.py``, and the
thresholds at which it becomes a claim."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from companion.boards import Group
from companion.vision.marked.claims import Draft
from companion.vision.marked.evidence import Evidence
from companion.vision.marked.rim_comparison import Rim
from companion.vision.plain.evidence import BARE
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.side_scores import strips_at

_ARM_MM = 70.0
"""50..100 mm around what something hides, an arm say: it throws its shadow and its colour on what lies beside it."""
_EVEN = 0.5
"""0.3..0.9: probability by the closer look below which it speaks against a side."""
_BARE = 0.99
"""0.98..0.995: probability of bare print by the closer look from which on no rim is believed that seems to be a tile's."""
_LEAST = 1e-6
"""A probability never counts as less."""


@dataclass(frozen=True)
class OcclusionRefinement:
    """A closer look below the pieces over tiles of one group. ``rims``: those that could be compared."""

    evidence: Evidence
    group: Group
    rims: Mapping[str, Rim]
    occluded: frozenset[str]

    def posteriors(self, draft: Draft, spot: str) -> Mapping[str, float]:
        """``OcclusionPosterior.posteriors`` of a place; nothing beside an arm, whose shadow and colour fall on what is near."""
        evidence, board = self.evidence, self.evidence.registered.board
        beside_arm = any(math.dist(board.mm(spot), board.mm(other)) < _ARM_MM for other in self.occluded)
        if beside_arm:
            return {}
        return evidence.below.posteriors(evidence.registered, spot, self.group, tuple(draft.sightings.values()), evidence.prior)

    def told(self, draft: Draft, spot: str) -> tuple[str, float] | None:
        """What surely lies there, ``"bare"`` or a side, and how surely (0..1); None where that cannot be told."""
        found = self.posteriors(draft, spot)
        told = self.evidence.below.surest(found, self.only_darker(spot), self._of_another_tint(spot))
        # Of a tile that lies beside its middle a disc may leave one edge in sight: all around must be of the print's tint. A
        # side told where nothing is tinted may as well be one that was never shown: colour tells nothing there.
        return told if told is not None and (told[0] == BARE) is self._keeps_tint(spot) else None

    def allows(self, draft: Draft, spot: str, side: str) -> bool:
        """Whether it does not speak against a side: in deep shadow a side that was never shown may look like a known one, and
        so it may where nothing is tinted."""
        found = self.posteriors(draft, spot)
        return not self._keeps_tint(spot) and (not found or found.get(side, 0.0) >= _EVEN)

    def only_darker(self, spot: str) -> bool:
        """``Rim.only_darker`` of a place."""
        return spot in self.rims and self.rims[spot].only_darker(self.evidence.settings.sides.rim)

    def _keeps_tint(self, spot: str) -> bool:
        return spot in self.rims and self.rims[spot].keeps_tint(self.evidence.settings.sides.rim)

    def _of_another_tint(self, spot: str) -> bool:
        return spot in self.rims and self.rims[spot].of_another_tint(self.evidence.settings.sides.rim)

    def denies(self, draft: Draft, spot: str) -> bool:
        """Whether it speaks against a tile: strongly where the rim could be compared, which seems to show one. Where it could
        not, and only what changed around the piece shows one, it must speak for that as surely as any claim: so changes a
        disc's shadow (hard table 374: 0.80 for a cover that somebody held)."""
        found = self.posteriors(draft, spot)
        if spot in self.rims:
            return found.get(BARE, 0.0) >= _BARE
        return bool(found) and found.get(self.group.key, 0.0) < PlainSettings().claim

    def left_at(self, draft: Draft, spots: Collection[str], count: int) -> Mapping[str, float]:
        """At which of some places below pieces a tile lies, where ``count`` are missing that lie nowhere in sight, and how
        surely (0..1); none where of one place nothing can be said. Somebody may hold one: what shows must speak for it, too."""
        found = {spot: self.posteriors(draft, spot) for spot in spots}
        if not all(found.values()):
            return {}
        own = {spot: told.get(self.group.key, 0.0) for spot, told in found.items()}
        odds: dict[tuple[str, ...], float] = {
            (spot,): math.log(max(own[spot], _LEAST) / max(found[spot][BARE], _LEAST)) for spot in spots
        }
        settings = PlainSettings()
        at = strips_at(odds, count, settings.sides.lost)
        return {s: own[s] for s in spots if min(own[s], at[(s,)]) >= settings.claim}

"""Compares the texture of a place that is still undecided with the taught pieces' and with the bare print below.

The networks judge a place by its colours as much; in dim or coloured light those say little, and the drawing still does.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.vision.once import FoundAbout
from companion.vision.plain.evidence import BARE, REJECT, CellFeatures, FeatureExtractor
from companion.vision.plain.settings import JudgeSettings
from companion.vision.plain.tile_features import COMMON, PAIR

PRINT, PIECE = COMMON.index("drawing"), PAIR.index("correlation")


@dataclass(frozen=True, slots=True)
class TextureMatch:
    """Correlations (-1..1): ``piece`` with the drawing of the taught piece that is most like it, ``print`` with that of the
    bare board."""

    piece: float
    print: float


class TextureComparison:
    """Compares undecided places with the textures of the taught pieces. Each place is compared once."""

    def __init__(self, extractor: FeatureExtractor, settings: JudgeSettings) -> None:
        self._extractor, self._settings = extractor, settings
        self._known: FoundAbout[CellFeatures] = FoundAbout()

    def of(self, features: CellFeatures) -> TextureMatch | None:
        """The drawing at a place of flat pieces; None where a disc hides a part of it, or nothing changed there."""
        spot = features.place
        if spot is None or spot.hidden is not None or not self._extractor.flat_exemplars.get(features.scorer):
            return None

        def compared() -> TextureMatch:
            common, pair, _ = self._extractor.compared(features.scorer, spot)
            return TextureMatch(float(pair[:, PIECE].max()), float(common[PRINT]))

        return self._known.once(features, "drawing", compared)

    def is_piece(self, features: CellFeatures) -> bool:
        """Whether a taught piece's drawing is in sight."""
        drawing, own = self.of(features), self._settings
        return drawing is not None and drawing.piece >= drawing.print + own.drawn_lead

    def is_print(self, features: CellFeatures) -> bool:
        """Whether the bare print's drawing is in sight."""
        drawing, own = self.of(features), self._settings
        return drawing is not None and drawing.print >= drawing.piece + own.drawn_lead

    def is_foreign(self, features: CellFeatures) -> bool:
        """Whether what lies open at a place bears neither a taught piece's drawing nor the bare print's: a coin, a bead."""
        drawing = self.of(features)
        if drawing is None or self.is_print(features):
            return False
        strip = self._extractor.pieces.groups[features.scorer].shape == "strip"
        return drawing.piece < (self._settings.foreign_strip if strip else self._settings.foreign)

    def heard(self, features: CellFeatures, posteriors: Mapping[str, float]) -> Mapping[str, float]:
        """What is known of a place with what its drawing adds: something that passes for a piece by its colours and has not its
        drawing is foreign, and where the print's own drawing shows a doubtful place is bare. That a piece's drawing seems to
        show adds nothing: a coin over a printed lamp was called a tile for it."""
        sure = self._settings.doubtless
        pieces = posteriors.keys() - {BARE, REJECT}
        if 1 - posteriors[BARE] - posteriors[REJECT] > self._settings.odd and self.is_foreign(features):
            share = self._settings.foreign_share
            kept = {name: value * (1 - share) if name in pieces else value for name, value in posteriors.items()}
            return kept | {REJECT: posteriors[REJECT] + share * sum(posteriors[name] for name in pieces)}
        settled = max(posteriors[BARE], 1 - posteriors[BARE] - posteriors[REJECT]) >= sure
        if features.place is None or settled or not self.is_print(features):
            return posteriors
        weight = self._settings.drawn_weight
        weighed = {name: value if name == BARE else value / weight for name, value in posteriors.items()}
        total = sum(weighed.values())
        return {name: value / total for name, value in weighed.items()}

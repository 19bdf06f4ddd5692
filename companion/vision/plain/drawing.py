"""What the drawing at an open place says by itself: is it a taught piece's, or that of the bare print below?

The networks judge a place by its colours as much; in dim or coloured light those say little, and the drawing still does.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from companion.vision.plain.evidence import ALIEN, BARE, Clue, Examiner
from companion.vision.plain.settings import JudgeSettings
from companion.vision.plain.tile_features import COMMON, PAIR, flat_features
from companion.vision.plain.tiles import flat_shape

PRINT, PIECE = COMMON.index("drawing"), PAIR.index("correlation")


@dataclass(frozen=True, slots=True)
class Drawing:
    """Correlations (-1..1): ``piece`` with the drawing of the taught piece that is most like it, ``print`` with that of the
    bare board."""

    piece: float
    print: float


class Drawings:
    """Compares open places with the taught pieces' drawings. Each clue is looked at once."""

    def __init__(self, examiner: Examiner, settings: JudgeSettings) -> None:
        self._examiner, self._settings = examiner, settings
        self._known: WeakKeyDictionary[Clue, Drawing] = WeakKeyDictionary()

    def of(self, clue: Clue) -> Drawing | None:
        """The drawing at a place of flat pieces; None where a disc hides a part of it, or nothing changed there."""
        spot, lessons = clue.place, self._examiner.flat_lessons.get(clue.scorer, ())
        if spot is None or spot.hidden is not None or not lessons:
            return None
        if clue not in self._known:
            surface, shape = self._examiner.settings.surface, flat_shape(self._examiner.pieces.groups[clue.scorer])
            common, pair, _ = flat_features(
                spot.reflectance, spot.print, spot.change, None, shape, lessons,
                self._examiner.flat_patterns[clue.scorer], surface.scale, spot.detail, self._examiner.settings.bare,
            )  # fmt: skip
            self._known[clue] = Drawing(float(pair[:, PIECE].max()), float(common[PRINT]))
        return self._known[clue]

    def is_piece(self, clue: Clue) -> bool:
        """Whether a taught piece's drawing is in sight."""
        drawing, own = self.of(clue), self._settings
        return drawing is not None and drawing.piece >= max(own.drawn, drawing.print + own.drawn_lead)

    def is_print(self, clue: Clue) -> bool:
        """Whether the bare print's drawing is in sight."""
        drawing, own = self.of(clue), self._settings
        return drawing is not None and drawing.print >= max(own.drawn_bare, drawing.piece + own.drawn_lead)

    def is_foreign(self, clue: Clue) -> bool:
        """Whether what lies open at a place bears neither a taught piece's drawing nor the bare print's: a coin, a bead."""
        drawing = self.of(clue)
        if drawing is None or self.is_print(clue):
            return False
        strip = self._examiner.pieces.groups[clue.scorer].shape == "strip"
        return drawing.piece < (self._settings.foreign_strip if strip else self._settings.foreign)

    def heard(self, clue: Clue, beliefs: Mapping[str, float]) -> Mapping[str, float]:
        """What was believed of a place, and the drawing's word where it was in doubt what kind of thing lies there; something
        that passes for a piece by its colours and has not its drawing is foreign."""
        sure = self._settings.doubtless
        pieces = beliefs.keys() - {BARE, ALIEN}
        if 1 - beliefs[BARE] - beliefs[ALIEN] > self._settings.odd and self.is_foreign(clue):
            share = self._settings.foreign_share
            kept = {name: value * (1 - share) if name in pieces else value for name, value in beliefs.items()}
            return kept | {ALIEN: beliefs[ALIEN] + share * sum(beliefs[name] for name in pieces)}
        if clue.place is None or max(beliefs[BARE], 1 - beliefs[BARE] - beliefs[ALIEN]) >= sure:
            return beliefs
        if self.is_piece(clue):
            unlikely = {BARE, ALIEN}
        elif self.is_print(clue):
            unlikely = beliefs.keys() - {BARE}
        else:
            return beliefs
        weighed = {name: value / self._settings.drawn_weight if name in unlikely else value for name, value in beliefs.items()}
        total = sum(weighed.values())
        return {name: value / total for name, value in weighed.items()}

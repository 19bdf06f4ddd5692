"""Which side of a movable piece is up: told by its own portraits, and where these say little by what else speaks for either."""

from collections.abc import Collection, Mapping
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.discs import Face, colours_kept, rim_otherwise
from companion.vision.plain.evidence import CellFeatures, FeatureExtractor, pale
from companion.vision.plain.first_side import by_measures, measures
from companion.vision.plain.model import SURE
from companion.vision.plain.posteriors import PosteriorEstimator
from companion.vision.plain.settings import JudgeSettings
from companion.vision.plain.which_side import LIT, first_rather, lighter

Sides = Mapping[str, float]

PAPER = 0.1
"""How pale a disc is from which on it shows paper. Of 688 on 19 tables 99 % of the paler than 0.02 were second sides (the rest
lay under a reflection), and 1.4 % of the others."""
UNLIKE, LIKE = 2.0, 6.0
"""The portrait network's log-likelihood ratio below which a disc under a reflection does not show a piece's portrait, and above
which it does. Of nine first sides that were washed out two were called second ones (0.997), with 1.0 and -0.6; two second ones
had 8.3 and 9.7."""
WHITE_SAYS = 0.1
"""What is left of the log odds of a second side where no portrait shows: all that speaks for it is that it is white."""

COLOURED = (3.0, 9.0)
"""How much colour (L*a*b*) is painted inside a taught first side up to which it says nothing, and from which on all it can. Of
2,236 first sides with more than 3 on 139 made-up copies 94 % showed more than 0.3 of it, of 2,377 second ones in grey 2.4 %."""
KEPT, KEPT_STEP, KEPT_MOST, KEPT_WEIGHT = 0.3, 0.25, 1.5, 1.5
"""0.25..0.35: how much of it shows where that speaks for neither side; so much more or less counts so much of the log odds, and
no more than the third times that. A weight of 2 gains as much on wild copies and loses on ordinary ones."""
OTHER_RIM, DOUBTED = 8.0, 2.0
"""7..10 (L*a*b*) and 2..3: where inside and rim differ by more than that otherwise than when the first side was taught, so much
is taken off its log odds: there may be paper inside. On a copy whose streets are not grey (wild 900614) paper is not pale,
and four second sides were said to be first ones with 0.97 to 0.999. Of 5,113 discs on those copies 49 are not told without both
rules and 50 with them, and none is false."""

SHOWN, NOT_SHOWN = 1.5, -2.5
"""Log odds (``first_side.likeness``) from which on a taught first side may be said to show, of a copy of which no second side
is known, and below which it plainly does not. With each copy left out in turn 9 to 18 of 100 discs that show their
first sides have less than the first; of 691 second sides of six kinds four have more, two dimmed ones and two that are another
picture on the same colour."""
USUAL, FEW = 3.0, 2
"""Log odds from which on a second side is told by the usual looks of second sides; how many pieces of a copy must be for all to
be taken so, and how many times as many as others that plainly do not show their first sides."""
ALIKE = 0.5
"""Log odds (``first_side.likeness``) of the liker of two taught sides below which a disc is unlike both, as 1 in 20 are that
show one of them."""
PLAINLY = 2.5
"""Log odds of one of two taught sides from which on a disc tells of the light."""


class UpperSide:
    """Judges the sides of one taught copy's movable pieces: weights by name, the side taught first comes first."""

    def __init__(self, extractor: FeatureExtractor, estimator: PosteriorEstimator, settings: JudgeSettings) -> None:
        self._extractor, self._estimator, self._settings = extractor, estimator, settings
        self._measures: WeakKeyDictionary[CellFeatures, dict[tuple[str, bool], NDArray[np.float64]]] = WeakKeyDictionary()
        self._lighter: dict[str, float] = {}
        self._usual: set[str] = set()
        self._odd: set[str] = set()

    def sides(
        self, piece: str, sides: Sides, posterior: Mapping[str, float], features: CellFeatures, doubted: bool
    ) -> dict[str, float]:
        """What speaks for each side of a piece that lies on a cell, from what was believed of both and of the cell as a whole;
        ``doubted``: it surely lies there, but on which side was not clear."""
        if len(sides) != 2:
            return dict(sides)
        return self._by_taught_faces(piece, self._sides(piece, sides, posterior, features, doubted), features)

    def _sides(
        self, piece: str, sides: Sides, posterior: Mapping[str, float], features: CellFeatures, doubted: bool
    ) -> dict[str, float]:
        own = self.as_white_as_paper(piece, self.by_portrait(piece, sides, features) if doubted else sides)
        if self._seen_better(piece, features):
            return _weighed(sides, _log_odds(own) + self._by_others(piece, sides, posterior, features))
        return self._by_colours(piece, self._under_reflection(piece, own, features), features)

    def _by_taught_faces(self, piece: str, sides: Sides, features: CellFeatures) -> dict[str, float]:
        """The same, held against the faces that were taught, each by itself: what is like no taught face is none of them,
        however much likelier that is than the rest. Of a copy whose second sides were taught that is so where a disc is unlike
        both and all else speaks for the other one."""
        if features.disc is None or features.stack is None:
            return dict(sides)
        first = self.first_shows(piece, features)
        if self._extractor.knows_back(piece):
            odds = self._first_rather(piece, features)  # what second sides mostly look like says nothing then
            against = self.unlike(piece, features) and (odds > 0) != (_log_odds(sides) > 0)
            return _weighed(sides, 0.0 if against else odds)
        if piece in self._extractor.teaching.unturned:
            return _weighed(sides, 0.0)  # its second side may look as the first one does
        odds = _log_odds(sides)
        agree = self.second_sides_known or (odds > 0) == (first >= SHOWN)
        return _weighed(sides, odds if agree else 0.0)

    def first_shows(self, piece: str, features: CellFeatures) -> float:
        """Log odds that a disc shows a piece's first side, by that alone."""
        return by_measures(self._measured(piece, features, first=True))

    def _second_shows(self, piece: str, features: CellFeatures) -> float:
        """The same of its second side, which was taught."""
        return by_measures(self._measured(piece, features, first=False))

    def _measured(self, piece: str, features: CellFeatures, first: bool) -> NDArray[np.float64]:
        """How a disc differs from one taught side of a piece."""
        known = self._measures.setdefault(features, {})
        if (piece, first) not in known:
            assert features.disc is not None
            taught = self._extractor.faces[piece] if first else self._both(piece)[1]
            portrait = float(self._portrait(piece, features)[0]) if first else self._estimator.back_portraits(features)[piece]
            known[piece, first] = measures(features.disc.faces[0], taught, portrait)
        return known[piece, first]

    def only(self, piece: str, others: Collection[str], features: CellFeatures) -> bool:
        """Whether a disc plainly shows one of both taught sides of a piece, and is unlike those of all ``others``."""
        if features.disc is None or features.stack is None or not self._extractor.knows_back(piece):
            return False
        shows = max(self.first_shows(piece, features), self._second_shows(piece, features)) >= SHOWN
        return shows and all(self.unlike(other, features) for other in others)

    def unlike(self, piece: str, features: CellFeatures) -> bool:
        """Whether a disc is unlike both sides of a piece of which both were taught."""
        if features.disc is None or features.stack is None or not self._extractor.knows_back(piece):
            return False
        return max(self.first_shows(piece, features), self._second_shows(piece, features)) < ALIKE

    def _first_rather(self, piece: str, features: CellFeatures, in_light: bool = True) -> float:
        """Log odds that a disc shows a piece's first side, of which both were taught; ``in_light`` by how much lighter or
        darker than they were taught all other discs are, too."""
        assert features.disc is not None
        others = [value for name, value in self._lighter.items() if name != piece]
        common = float(np.median(others)) if in_light and len(others) >= LIT else None
        measured = self._measured(piece, features, first=True), self._measured(piece, features, first=False)
        return first_rather(features.disc.faces[0], self._both(piece), measured, common)

    def _both(self, piece: str) -> tuple[Face, Face]:
        """Both taught faces of a piece of which both were."""
        back = self._extractor.back(piece)
        assert back is not None
        return self._extractor.faces[piece], back

    def _shows(self, piece: str, side: str, features: CellFeatures) -> bool:
        """Whether a disc plainly shows this side of a piece of which both were taught: then it needs nobody else's word."""
        if not self._extractor.knows_back(piece) or features.disc is None or features.stack is None:
            return False
        first = side == self._extractor.pieces.pieces[piece].faces[0]
        return (self.first_shows if first else self._second_shows)(piece, features) >= SHOWN

    def heed(self, found: Mapping[str, tuple[CellFeatures, Sides]]) -> None:
        """Learn from one picture whether this copy's second sides are of the usual kind, the first one's portrait in grey on
        paper: then a first side that is seen badly can be told from them all the same; and how much lighter or darker than they
        were taught the discs are of which both sides were. ``found``: by piece that surely lies there, its cell and what is
        believed of its sides."""
        self._lighter = {}
        for piece, (features, sides) in found.items():
            if features.disc is None or features.stack is None or len(sides) != 2:
                continue
            if self._extractor.knows_back(piece):
                apart = self._first_rather(piece, features, in_light=False)
                if abs(apart) >= PLAINLY:
                    self._lighter[piece] = lighter(features.disc.faces[0], self._both(piece)[apart < 0])
                continue
            washed = self._extractor.washed_out(features.disc.faces[0]) or self._extractor.faintness[piece]
            if self.first_shows(piece, features) < NOT_SHOWN and not washed:
                (self._usual if _log_odds(sides) < -USUAL else self._odd).add(piece)

    @property
    def second_sides_known(self) -> bool:
        """Whether second sides of this copy, of which none was taught, are of the usual kind: some were seen, hardly others."""
        return len(self._usual) >= FEW and len(self._usual) > FEW * len(self._odd)

    def can_be_said(self, piece: str, side: str, looks: float, posterior: Mapping[str, float], features: CellFeatures) -> bool:
        """Whether this side of a piece can be said. Of one that was found only because all others are elsewhere, whoever else
        it ``looks`` like must lie the same side up: a first side washed out looks like somebody's second or another's first."""
        discs = {name: value for name, value in posterior.items() if "/" in name}
        same = sum(value for name, value in discs.items() if name.endswith(f"/{side}"))
        own = self._settings
        known = looks >= own.recognised or self._seen_better(piece, features) or self._shows(piece, side, features)
        return known or same >= own.same_side * sum(discs.values())

    def _seen_better(self, piece: str, features: CellFeatures) -> bool:
        """Whether a piece that was taught under a reflection lies where it can be made out."""
        faint = self._extractor.faintness.get(piece, 0.0)
        if not faint or features.disc is None or self._extractor.knows_back(piece):
            return False
        return self._extractor.washed_out(features.disc.faces[0]) < faint / 2

    def _portrait(self, piece: str, features: CellFeatures) -> NDArray[np.float64]:
        """The portrait network's log-likelihood ratios (2) of a piece's sides."""
        return np.asarray(self._estimator.portraits(features)[self._extractor.movable_ids.index(piece)], np.float64)

    def _by_others(self, piece: str, sides: Sides, posterior: Mapping[str, float], features: CellFeatures) -> float:
        """What else speaks for the first side of a piece that was taught too faint (log odds): which way up the others would
        lie that it looks like, and whether it shows paper."""
        assert features.disc is not None
        one, other = (
            sum(value for name, value in posterior.items() if name.endswith(f"/{side}") and name != f"{piece}/{side}")
            for side in sides
        )
        own, seen = self._settings, features.disc.faces[0]
        paper = own.paper * (1 - 2 * min(1.0, pale(seen) / PAPER)) * (1 - self._extractor.washed_out(seen))
        return float(own.others_side * np.log(max(one, 1e-9) / max(other, 1e-9)) + paper)

    def by_portrait(self, piece: str, sides: Sides, features: CellFeatures) -> dict[str, float]:
        """The portraits alone asked once more, of a piece that surely lies there."""
        if features.stack is None:
            return dict(sides)
        alike, own = self._portrait(piece, features), self._settings
        even = 0.0 if self._extractor.knows_back(piece) else own.side_even
        tilt = float(np.exp(np.clip(own.side_weight * (alike[0] - alike[1] - even), -SURE, SURE)))
        first, second = sides
        return {first: sides[first] * tilt, second: sides[second]}

    def plain(self, piece: str) -> float:
        """How plainly the sides of a piece differ in colour (0..1): not where the first one is about as white as paper, unless
        the other is known."""
        return 1.0 if self._extractor.knows_back(piece) else 1 - self._extractor.paleness(piece)

    def as_white_as_paper(self, piece: str, sides: Sides) -> dict[str, float]:
        """The same, less far apart where the first side is about as white as the second one's paper, and that is not known."""
        return _weighed(sides, _log_odds(sides) * (1 - self._settings.pale * (1 - self.plain(piece))))

    def _by_colours(self, piece: str, sides: Sides, features: CellFeatures) -> dict[str, float]:
        """The same by what is painted inside the first side, and by how its rim is set off from that; under a reflection
        neither can be seen."""
        if features.disc is None or features.stack is None or self._extractor.knows_back(piece):
            return dict(sides)
        seen, taught, turns = features.disc.faces[0], self._extractor.faces[piece], features.stack[1]
        clear = 1 - self._extractor.washed_out(seen)
        kept, colour = colours_kept(seen, taught, float(turns[self._extractor.movable_ids.index(piece)][0]))
        plain, whole = COLOURED
        says = (
            clear * float(np.clip((colour - plain) / (whole - plain), 0, 1)) * (1 - self._extractor.faintness.get(piece, 0.0))
        )
        odds = _log_odds(sides) + KEPT_WEIGHT * says * float(np.clip((kept - KEPT) / KEPT_STEP, -KEPT_MOST, KEPT_MOST))
        if odds > 0 and rim_otherwise(seen, taught) > OTHER_RIM:
            odds = max(0.0, odds - DOUBTED * clear)
        return _weighed(sides, odds)

    def _under_reflection(self, piece: str, sides: Sides, features: CellFeatures) -> dict[str, float]:
        """The same, less far apart where a disc is white under a reflection and the second side's portrait does not show."""
        odds = _log_odds(sides)
        if odds >= 0 or features.disc is None or features.stack is None or self._extractor.knows_back(piece):
            return dict(sides)
        washed = self._extractor.washed_out(features.disc.faces[0])
        if not washed:
            return dict(sides)
        shows = float(np.clip((self._portrait(piece, features)[1] - UNLIKE) / (LIKE - UNLIKE), 0, 1))
        return _weighed(sides, odds * (1 - washed * (1 - shows) * (1 - WHITE_SAYS)))


def _log_odds(sides: Sides) -> float:
    """Natural log odds of the first side."""
    one, other = sides.values()
    return float(np.log(max(one, 1e-12) / max(other, 1e-12)))


def _weighed(sides: Sides, log_odds: float) -> dict[str, float]:
    """As much for both sides together, with these log odds of the first one."""
    (first, one), (second, other) = sides.items()
    share = 1 / (1 + float(np.exp(-log_odds)))
    return {first: (one + other) * share, second: (one + other) * (1 - share)}

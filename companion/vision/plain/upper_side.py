"""Which side of a movable piece is up: told by its own portraits, and where these say little by what else speaks for either."""

from collections.abc import Mapping
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.discs import colours_kept, rim_otherwise
from companion.vision.plain.evidence import CellFeatures, FeatureExtractor, pale
from companion.vision.plain.logistic import FIRST, WHICH, shipped
from companion.vision.plain.model import SURE
from companion.vision.plain.posteriors import PosteriorEstimator
from companion.vision.plain.settings import JudgeSettings

Sides = Mapping[str, float]
_Measure = TypeVar("_Measure", float, NDArray[np.float64])

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

SHOWN, NOT_SHOWN = 2.5, -2.5
"""Log odds from which on a taught first side may be said to show, of a copy of which no second side is known, and below which
it plainly does not. Of 363 second sides of five kinds none has more than the first, of 333 first ones 28 have less."""
SURELY_SHOWN = 3.5
"""3..4.5: log odds of the first side alone from which on it is claimed of such a copy: those of a claim (0.97). Of 747 second
sides of three families 4 have more, of 767 first ones 83 less; with 2.5 it was 10 and 56, with 4.5 it would be none and 127."""
VEILED = 5.5
"""4..7: how much more it takes where the first side was taught under a reflection: then it has as little contrast as a second
side that is printed darker. Of one such disc the second side had up to 4.4; where one still lay as it was taught it had 11."""
USUAL, FEW = 3.0, 2
"""Log odds from which on a second side is told by the usual looks of second sides; how many pieces of a copy must be for all to
be taken so, and how many times as many as others that plainly do not show their first sides."""
ALIKE = (0.0, 4.0)
"""-1..1 and 2..4: log-likelihood ratios of the liker of two taught sides up to which they say nothing of a disc, and from which
on all they can: below, something else lies there, it was found beside its place, or the side that is up was cut beside its
place when it was taught (82302, dimmed: 0.3 and -6.5, and the second side was called the first, 0.99). Of 752 discs on
24 copies, each weighed without its own copy and laid over where it is below, none has a wrong sign of more than 1.4, and 14
have log odds below 3.5; up to 6 it is 16, up to 8 19 (before they were laid over: 51 of 820)."""
MOST = 14.0
"""Log odds of a side beyond which what is seen of a disc says no more."""


class UpperSide:
    """Judges the sides of one taught copy's movable pieces: weights by name, the side taught first comes first."""

    def __init__(self, extractor: FeatureExtractor, estimator: PosteriorEstimator, settings: JudgeSettings) -> None:
        self._extractor, self._estimator, self._settings = extractor, estimator, settings
        self._usual: set[str] = set()
        self._odd: set[str] = set()

    def sides(
        self, piece: str, sides: Sides, posterior: Mapping[str, float], features: CellFeatures, doubted: bool
    ) -> dict[str, float]:
        """What speaks for each side of a piece that lies on a cell, from what was believed of both and of the cell as a whole;
        ``doubted``: it surely lies there, but on which side was not clear."""
        if len(sides) != 2:
            return dict(sides)
        if self._extractor.knows_back(piece):  # what second sides mostly look like says nothing then
            return self._by_both_faces(piece, sides, features)
        return self._by_first_face(piece, self._sides(piece, sides, posterior, features, doubted), features)

    def _sides(
        self, piece: str, sides: Sides, posterior: Mapping[str, float], features: CellFeatures, doubted: bool
    ) -> dict[str, float]:
        own = self.as_white_as_paper(piece, self.by_portrait(piece, sides, features) if doubted else sides)
        if self._seen_better(piece, features):
            return _weighed(sides, log_odds(own) + self._by_others(piece, sides, posterior, features))
        return self._by_colours(piece, self._under_reflection(piece, own, features), features)

    def _by_both_faces(self, piece: str, sides: Sides, features: CellFeatures) -> dict[str, float]:
        """What speaks for either side of a piece of which both were taught: what is like no taught face is none of them,
        however much likelier that is than the rest."""
        if features.disc is None or features.stack is None:
            return dict(sides)
        measures = side_measures(*self.both_shown(piece, features), log_odds(sides))
        return _weighed(sides, float(shipped(WHICH).log_odds(*measures)))

    def both_shown(self, piece: str, features: CellFeatures) -> tuple[float, float]:
        """Log-likelihood ratios of both sides of a piece of which both were taught; where the disc as it was found is not
        plainly like either, each is laid where it fits best."""
        first, second = (self._estimator.shows(features, piece, side) for side in (0, 1))
        if max(first, second) >= ALIKE[1]:
            return first, second
        return self._estimator.shows_aligned(features, piece)

    def _by_first_face(self, piece: str, sides: Sides, features: CellFeatures) -> dict[str, float]:
        """The same of one of which the first side alone was taught, held against that by itself."""
        if features.disc is None or features.stack is None:
            return dict(sides)
        if piece in self._extractor.teaching.unturned:
            return _weighed(sides, 0.0)  # its second side may look as the first one does
        odds, first = log_odds(sides), self.first_shows(piece, features)
        if self.second_sides_known:  # what the first side itself says counts where it speaks against that
            return _weighed(sides, max(0.0, odds + min(0.0, first)) if odds > 0 else min(0.0, odds + max(0.0, first)))
        veiled = VEILED * self._faint(piece)
        agree = first >= SURELY_SHOWN + veiled if odds > 0 else first < SHOWN + veiled
        return _weighed(sides, odds if agree else 0.0)

    def first_shows(self, piece: str, features: CellFeatures) -> float:
        """Log odds that a disc shows a piece's first side, whatever its second one looks like."""
        return shipped(FIRST).log_odds(self._estimator.shows(features, piece, 0))

    def _shows(self, piece: str, side: str, features: CellFeatures) -> bool:
        """Whether a disc plainly shows this side of a piece of which both were taught: then it needs nobody else's word."""
        if not self._extractor.knows_back(piece) or features.disc is None or features.stack is None:
            return False
        return self._estimator.shows(features, piece, self._extractor.pieces.pieces[piece].faces.index(side)) >= SHOWN

    def heed(self, found: Mapping[str, tuple[CellFeatures, Sides]]) -> None:
        """Learn from one picture whether this copy's second sides are of the usual kind, the first one's portrait in grey on
        paper: then a first side that is seen badly can be told from them all the same. ``found``: by piece that surely lies
        there, its cell and what is believed of its sides."""
        for piece, (features, sides) in found.items():
            if features.disc is None or features.stack is None or len(sides) != 2:
                continue
            if self._extractor.knows_back(piece):
                continue
            washed = self._extractor.washed_out(features.disc.faces[0]) or self._extractor.faintness[piece]
            if self.first_shows(piece, features) < NOT_SHOWN and not washed:
                (self._usual if log_odds(sides) < -USUAL else self._odd).add(piece)

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
        faint = self._faint(piece)
        if not faint or features.disc is None or self._extractor.knows_back(piece):
            return False
        return self._extractor.washed_out(features.disc.faces[0]) < faint / 2

    def _faint(self, piece: str) -> float:
        """How little of a piece's first side could be made out when it was taught (0..1)."""
        return self._extractor.faintness.get(piece, 0.0)

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
        tilt = float(np.exp(np.clip(own.side_weight * (alike[0] - alike[1] - own.side_even), -SURE, SURE)))
        first, second = sides
        return {first: sides[first] * tilt, second: sides[second]}

    def plain(self, piece: str) -> float:
        """How plainly the sides of a piece differ in colour (0..1), of which the first one alone was taught: not where that is
        about as white as paper."""
        return 1 - self._extractor.paleness(piece)

    def underrated(self, piece: str) -> float:
        """How far what is believed of a piece's sides is less than is true (0..1): not at all where both were taught, for those
        odds are fitted as they are."""
        return 0.0 if self._extractor.knows_back(piece) else self.plain(piece)

    def as_white_as_paper(self, piece: str, sides: Sides) -> dict[str, float]:
        """The same, less far apart where the first side is about as white as the second one's paper, and that is not known."""
        return _weighed(sides, log_odds(sides) * (1 - self._settings.pale * (1 - self.plain(piece))))

    def _by_colours(self, piece: str, sides: Sides, features: CellFeatures) -> dict[str, float]:
        """The same by what is painted inside the first side, and by how its rim is set off from that; under a reflection
        neither can be seen."""
        if features.disc is None or features.stack is None:
            return dict(sides)
        seen, taught, turns = features.disc.faces[0], self._extractor.faces[piece], features.stack[1]
        clear = 1 - self._extractor.washed_out(seen)
        kept, colour = colours_kept(seen, taught, float(turns[self._extractor.movable_ids.index(piece)][0]))
        plain, whole = COLOURED
        says = clear * float(np.clip((colour - plain) / (whole - plain), 0, 1)) * (1 - self._faint(piece))
        odds = log_odds(sides) + KEPT_WEIGHT * says * float(np.clip((kept - KEPT) / KEPT_STEP, -KEPT_MOST, KEPT_MOST))
        if odds > 0 and rim_otherwise(seen, taught) > OTHER_RIM:
            odds = max(0.0, odds - DOUBTED * clear)
        return _weighed(sides, odds)

    def _under_reflection(self, piece: str, sides: Sides, features: CellFeatures) -> dict[str, float]:
        """The same, less far apart where a disc is white under a reflection and the second side's portrait does not show."""
        odds = log_odds(sides)
        if odds >= 0 or features.disc is None or features.stack is None:
            return dict(sides)
        washed = self._extractor.washed_out(features.disc.faces[0])
        if not washed:
            return dict(sides)
        shows = float(np.clip((self._portrait(piece, features)[1] - UNLIKE) / (LIKE - UNLIKE), 0, 1))
        return _weighed(sides, odds * (1 - washed * (1 - shows) * (1 - WHITE_SAYS)))


def side_measures(first: _Measure, second: _Measure, odds: _Measure) -> tuple[_Measure, _Measure]:
    """What tells which of two taught sides is up, as far as the disc is like either: the difference of their ratios, and the
    log odds of the first by all that is seen of the disc."""
    liker, plain = ALIKE
    told = np.clip((np.maximum(first, second) - liker) / (plain - liker), 0.0, 1.0)
    return told * (first - second), told * np.clip(odds, -MOST, MOST)


def log_odds(sides: Sides) -> float:
    """Natural log odds of the first side."""
    one, other = sides.values()
    return float(np.log(max(one, 1e-12) / max(other, 1e-12)))


def _weighed(sides: Sides, log_odds: float) -> dict[str, float]:
    """As much for both sides together, with these log odds of the first one."""
    (first, one), (second, other) = sides.items()
    share = 1 / (1 + float(np.exp(-log_odds)))
    return {first: (one + other) * share, second: (one + other) * (1 - share)}

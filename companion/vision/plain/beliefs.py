"""What every hypothesis about one place is worth: what the small networks say, and of discs a scorer of outline and colours."""

from collections.abc import Mapping
from functools import cached_property
from weakref import WeakKeyDictionary, WeakSet

import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.evidence import ALIEN, BARE, UNDER, Clue, Examiner, Spot
from companion.vision.plain.likeness import Likeness
from companion.vision.plain.model import Blend, Scorer, tile_rows
from companion.vision.plain.nets import AROUND, Nets
from companion.vision.plain.numbers import Numbers, learn_numbers
from companion.vision.plain.settings import JudgeSettings
from companion.vision.plain.stacks import DISC_MM, DISC_SIDE, Bytes, crop

Array = NDArray[np.float64]


TAUGHT_ALIKE = (0.78, 0.88)
"""Share of how like their drawing the taught tiles of a copy mostly are: below the first one counts as laid amiss, above the
second as laid right. One of 0.75 lay a stripe of the drawing beside where it belonged, and another number passed for it."""
SEEN_ALIKE = (0.3, 0.5)
"""The same of a tile seen later, as likeness itself (-1..1). Below 0.3 its mark alone was right for 21 of 25 tiles, above it
for 97 of 100."""


_STEP = DISC_MM / DISC_SIDE
BESIDE = ((_STEP, 0.0), (-_STEP, 0.0), (0.0, _STEP), (0.0, -_STEP))
"""Where else (mm from where it was found) a disc is looked at, of which it is not clear who it is or which way it looks: a
sample away. With each portrait where it fits best the truth costs 0.107 nats of 296 discs on six path-traced copies (0.113
without), of 5674 on 118 composed ones 0.144 (0.146), and no more are surely wrong."""
CLEAR_EDGE, ASTRAY = (0.05, 0.15), 0.65
"""How clear the edge of a disc is where it may have been found beside its place, and is surely at it; how much less what is
seen around it counts there. Two found 5 and 6 mm beside theirs had 0.11 and 0.12, of 61 others the least was 0.15."""
WEDGED = (-4.0, 8.0)
"""Log-likelihood ratios of a wedge beyond which it is not believed less and more. Of 86 discs with one 84 had 5.5 and more, two
that were looked for 4 and 8 mm beside their places -0.7 and -4.4; of 602 without one none had more than -0.3, half less than
-10."""

ALIKE = (-0.5, 0.97)
"""Correlations of two drawings between which they tell anything; near 1 small differences tell more."""
PLAINLY_DRAWN = (0.65, 0.8)
"""Correlations of a drawing with the likest taught second side from which on it says that a disc lies there, and says all it
can. Of 3016 places of 14 made-up copies that have none the highest was 0.63; of 246 second sides three in four had 0.84 and
more."""
PLAINLY_WEDGED = 4.0
"""2..5.5: the log-likelihood ratio of a wedge, by a single look, above which there is one. Of 85 with one 84 had 7.9 and more
(the other was looked for beside its place: -4.3), of 154 others none more than -0.8; of nineteen taught ones the least 7.3."""
AGREEING = 1.0
"""0.5..1.5: the same, above which one that points where the taught face says it does is no chance. Of 408 that were taught so
plainly nineteen lay under reflections and had less than 6, the least 1.5: face and wedge were both right, of each of them."""


def _share(value: Array | float, between: tuple[float, float]) -> Array:
    """How far a value lies between two (0..1)."""
    return np.asarray(np.clip((value - between[0]) / (between[1] - between[0]), 0, 1), np.float64)


def _presence(wedge: Array) -> float:
    """Log-likelihood ratio of a wedge, wherever it points, against none."""
    return float(np.logaddexp.reduce(wedge) - np.log(len(wedge)))


def _beside(picture: Bytes, at_mm: tuple[float, float]) -> Bytes:
    """A disc's crop about another point."""
    return crop(picture, at_mm, 0.0, DISC_SIDE, DISC_MM, DISC_SIDE / DISC_MM)


class Believer:
    """Turns clues into probabilities. Each clue is shown to the networks once."""

    def __init__(
        self,
        examiner: Examiner,
        scorers: Mapping[str, Scorer],
        blends: Mapping[str, Blend],
        nets: Nets,
        settings: JudgeSettings,
    ) -> None:
        self.examiner, self.scorers, self.blends, self.nets, self.settings = examiner, scorers, blends, nets, settings
        self._marks: dict[str, Array] = {}
        self._numbers: dict[str, Numbers | None] = {}
        self._closer: WeakSet[Clue] = WeakSet()
        self._asked: WeakSet[Clue] = WeakSet()
        self._known: WeakKeyDictionary[Clue, Mapping[str, float]] = WeakKeyDictionary()
        self._portraits: WeakKeyDictionary[Clue, Array] = WeakKeyDictionary()
        self._wedges: WeakKeyDictionary[Clue, Array] = WeakKeyDictionary()
        self._glances: WeakKeyDictionary[Clue, Array] = WeakKeyDictionary()
        self._ways: WeakKeyDictionary[Clue, dict[tuple[str, str, bool], Array | None]] = WeakKeyDictionary()
        self._disputed: WeakSet[Clue] = WeakSet()

    def beliefs(self, clue: Clue) -> Mapping[str, float]:
        """Probability of every hypothesis; hypotheses of one name are added up."""
        known = self._known.get(clue)
        if known is None:
            known = self._known[clue] = self._judged(clue)
        return known

    def closer(self, clue: Clue) -> Mapping[str, float]:
        """The same with the portrait network asked of a cell that is plainly bare by outline and colours; kept from then on."""
        if not clue.quiet and clue.stack is not None and clue not in self._closer:
            self._known[clue] = self._judged(clue, closely=True)
            self._closer.add(clue)
        return self.beliefs(clue)

    def beside(self, clue: Clue) -> bool:
        """Compare a disc with the taught portraits a sample beside as well, once; each portrait counts where it fits best. Kept
        from then on. Returns whether that was news."""
        if clue.stack is None or clue in self._asked:
            return False
        self._asked.add(clue)
        known, (picture, turns) = self.portraits(clue), clue.stack
        beside = (_beside(picture, at) for at in BESIDE)
        every = [self.nets.same_face(shown, self.examiner.face_crops, turns) for shown in beside]
        backs = self.examiner.backs
        rows = [] if backs is None else [self.examiner.walker_ids.index(piece) for piece in backs.pieces]
        best = np.max([known, *every], axis=0)
        best[rows] = known[rows]  # these are compared with two sides
        self._portraits[clue] = best
        self._known[clue] = self._judged(clue, closely=True)
        return True

    def _judged(self, clue: Clue, closely: bool = False) -> Mapping[str, float]:
        if clue.quiet:
            rest = self.settings.quiet / (len(clue.names) - 1)
            return {name: 1 - self.settings.quiet if name == BARE else rest for name in clue.names}
        found: dict[str, float] = {}
        for name, value in zip(clue.names, self._values(clue, closely), strict=True):
            found[name] = found.get(name, 0.0) + float(value)
        return found

    def _values(self, clue: Clue, closely: bool) -> Array:
        blend = self.blends[clue.scorer]
        if clue.stack is None:
            return self._flat_values(clue, blend)
        assert clue.rows is not None
        scorer = self.scorers[clue.scorer]
        alone = scorer.probabilities(clue.rows)
        if alone[0] > self.settings.plainly_bare and not closely:
            return alone
        return self.discs(clue) if clue in self._asked else blend.discs(scorer.scores(clue.rows), self.portraits(clue))

    def discs(self, clue: Clue) -> Array:
        """Probability of every hypothesis (``clue.names``) about a doubtful cell with a disc on it: by its outline, its
        portrait, and the wedge that is printed on it or not."""
        assert clue.rows is not None
        values = self.blends[clue.scorer].discs(self.scorers[clue.scorer].scores(clue.rows), self.portraits(clue))
        return self._with_drawing(clue, self._with_wedge(clue, values))

    def _with_drawing(self, clue: Clue, values: Array) -> Array:
        """The same with what the drawing says which of the second sides it is that were taught, if it is one of them, and that
        there is a disc where it is plainly one of theirs."""
        likeness, backs = self._likeness, self.examiner.backs
        if likeness is None or backs is None or clue.stack is None:
            return values
        pieces = self.examiner.pieces.pieces
        rows = [clue.names.index(f"{piece}/{pieces[piece].faces[1]}") for piece in backs.pieces]
        correlations = likeness.of(clue.stack[0])
        alike = np.arctanh(np.clip(correlations, *ALIKE))
        told = values[rows] * np.exp(self.settings.lines * (alike - alike.max()))
        values = values.copy()
        values[rows] = told * (values[rows].sum() / max(float(told.sum()), 1e-300))
        nobody = [clue.names.index(name) for name in (BARE, ALIEN)]
        values[nobody] *= np.exp(-self.settings.drawn_disc * _share(float(correlations.max()), PLAINLY_DRAWN))
        return np.asarray(values / values.sum(), np.float64)

    @cached_property
    def _likeness(self) -> Likeness | None:
        """The taught second sides' drawings, where there are several."""
        backs = self.examiner.backs
        if backs is None or len(backs.pieces) < 2:
            return None
        return Likeness(backs.crops, self.examiner.finder.radius_mm)

    def _with_wedge(self, clue: Clue, values: Array) -> Array:
        """The same with what it says of a disc who it is that it has a wedge printed on it or none."""
        bearers = [name.partition("/")[0] in self._bearers for name in clue.names]
        if clue.stack is None or not any(bearers):
            return values
        told = np.clip(_presence(self._glanced(clue)), *WEDGED)
        values = values * np.where(bearers, np.exp(self.settings.wedge * told), 1.0)
        return np.asarray(values / values.sum(), np.float64)

    @cached_property
    def _bearers(self) -> frozenset[str]:
        """The pieces with a wedge printed on them."""
        return frozenset(piece.id for piece in self.examiner.pieces.pieces.values() if piece.wedge)

    def portraits(self, clue: Clue) -> Array:
        """The portrait network's log-likelihood ratios (T x 2) of a clue with a disc."""
        known = self._portraits.get(clue)
        if known is None:
            assert clue.stack is not None
            picture, turns = clue.stack
            known = self._portraits[clue] = self.nets.same_face(picture, self.examiner.face_crops, turns)
            if (backs := self.examiner.backs) is not None and clue.disc is not None:
                rows = [self.examiner.walker_ids.index(piece) for piece in backs.pieces]
                own = self.nets.same_face(picture, backs.crops, backs.faces.turns(clue.disc.faces[0]))[:, 0]
                # What the first side says of the second counts as well: where only the paper differs, both bear one portrait.
                known[rows, 1] = (known[rows, 1] + own) / 2
        return known

    def _flat_values(self, clue: Clue, blend: Blend) -> Array:
        spot = clue.place
        assert spot is not None
        key = clue.scorer.removesuffix(UNDER)
        lessons = self.examiner.flat_crops[key]
        if spot.hidden is not None:
            return self._covered(key, spot, spot.hidden, len(lessons), blend)
        place, pair, numbers = self.nets.place(spot.seen, spot.bare, None, self.examiner.flat_colours[key]), None, None
        labels = set(clue.names) - {BARE, ALIEN}
        if len(labels) > 1 and np.exp(place[1]) > self.settings.hardly:
            rows, poses = self.examiner.tile(key, spot)
            ratios = self.nets.same_tile(spot.seen, poses.offset_mm, lessons, poses.turns)
            assert spot.close is not None
            closeups, where = self.examiner.flat_closeups[key], self.examiner.flat_marks[key]
            marks = self.nets.same_mark(spot.close, poses.offset_mm, closeups, where, poses.turns)
            laid = _share(poses.alike, SEEN_ALIKE)
            known = self._numbered(key)
            if known is not None and known.trust > 0:
                told = known.read(self.nets, spot.close, poses, closeups, self.examiner.flat_lessons[key])
                numbers = told * known.trust * laid
            pair = tile_rows(self.scorers[clue.scorer].scores(rows), ratios, marks, self._telling(key) * laid, numbers)
        values = blend.flats(place, pair, len(lessons))
        if numbers is not None and clue.names[2 + int(values[2:].argmax())] != clue.names[2 + int(numbers.argmax())]:
            self._disputed.add(clue)
        return values

    def disputed(self, clue: Clue) -> bool:
        """Whether the number read on a clue's tile is another than that of the tile it looks most like."""
        return clue in self._disputed

    def _covered(self, key: str, spot: Spot, hidden: NDArray[np.bool_], count: int, blend: Blend) -> Array:
        """What lies below a disc, of which little is in sight: by the mean of several looks."""
        place = self.nets.place(spot.seen, spot.bare, hidden, self.examiner.flat_colours[key], AROUND)
        below = self.nets.below(spot.seen, spot.bare, hidden, [self.examiner.flat_edges[key]], AROUND)[0]
        trust = 1 - ASTRAY * (1 - _share(spot.clear, CLEAR_EDGE))
        return blend.flats(trust * place, None, count, trust * below)

    def _numbered(self, group: str) -> Numbers | None:
        """How the numbers of a group's tiles stand, if they have any."""
        if group not in self._numbers:
            closeups, taught = self.examiner.flat_closeups[group], self.examiner.flat_lessons[group]
            self._numbers[group] = learn_numbers(self.nets, closeups, taught)
        return self._numbers[group]

    def _telling(self, group: str) -> Array:
        """How far the marks of a group's taught tiles can be trusted to tell every two of them apart (P×P)."""
        if group not in self._marks:
            lessons = self.examiner.flat_lessons[group]
            angles = np.array([lesson.turn for lesson in lessons])
            closeups, where = self.examiner.flat_closeups[group], self.examiner.flat_marks[group]
            alike = np.array([lesson.alike for lesson in self.examiner.flat_lessons[group]])
            laid = _share(alike / max(float(np.median(alike)), 1e-3), TAUGHT_ALIKE)
            self._marks[group] = self.nets.telling(closeups, where, angles) * np.minimum(laid[:, None], laid)
        return self._marks[group]

    def ways(self, clue: Clue, piece: str, face: str, known: bool = True) -> Array | None:
        """Probability of every direction a piece on a cell may look in, by its taught face, and by the wedge printed on it
        where that leaves a doubt or who it is is not ``known`` by its looks; None if neither can tell."""
        told, asked = self._ways.setdefault(clue, {}), (piece, face, known)
        if asked not in told:
            told[asked] = self._looked_for_ways(clue, piece, face, known)
        return told[asked]

    def _looked_for_ways(self, clue: Clue, piece: str, face: str, known: bool) -> Array | None:
        if clue.stack is None:
            return None
        own = self._ways_taught(clue.stack[0], piece, face)
        if not self.examiner.pieces.pieces[piece].wedge:
            return own if known else None
        faint, printed = self.examiner.faintness.get(piece, 0.0), piece in self._wedged
        sure = own is not None and known and faint == 0 and own.max() >= self.settings.way_sure
        if own is not None and sure:
            glance = self._glanced(clue)
            presence, agreed = _presence(glance), glance.argmax() == own.argmax()
            if agreed if presence > PLAINLY_WEDGED else (not printed or (agreed and presence > AGREEING)):
                return own
        wedge = self._wedge(clue)
        # Where none is seen, be it that this printing has none, it points nowhere.
        seen = 1 / (1 + float(np.exp(-_presence(wedge))))
        values = seen * self.blends["wedge"].ways(wedge) + (1 - seen) / len(wedge)
        if own is not None:
            values = values * np.maximum(own, 1e-9) ** (1 - faint)
        values = np.asarray(values / values.sum(), np.float64)
        # Where one is printed and none seen, the disc lies elsewhere than where it was looked for, or in glare.
        if printed:
            return seen * values + (1 - seen) / len(values)
        # A face that was taught lying askew is surely taken to look the next way. The wedge tells that, but was not plain then.
        return (values + own) / 2 if own is not None and sure else values

    @cached_property
    def _wedged(self) -> frozenset[str]:
        """Of the pieces with a wedge printed on them those that showed it plainly when they were taught."""
        examiner = self.examiner
        crops = dict(zip(examiner.walker_ids, examiner.face_crops, strict=True))
        shown = {piece: self.nets.wedges([crops[piece]], examiner.wedge_turns)[0] for piece in self._bearers}
        return frozenset(piece for piece, wedge in shown.items() if _presence(wedge) > PLAINLY_WEDGED)

    def _glanced(self, clue: Clue) -> Array:
        """Log-likelihood ratios (D) of a wedge on a clue's disc that points each way against none, by a single look."""
        wedge = self._glances.get(clue)
        if wedge is None:
            assert clue.stack is not None
            looked = self.nets.wedges([clue.stack[0]], self.examiner.wedge_turns)[0]
            wedge = self._glances[clue] = np.asarray(looked, np.float64)
        return wedge

    def _wedge(self, clue: Clue) -> Array:
        """Log-likelihood ratios (D) of a wedge on a clue's disc that points each way against none."""
        known = self._wedges.get(clue)
        if known is None:
            assert clue.stack is not None
            shown = [clue.stack[0], *(_beside(clue.stack[0], at) for at in BESIDE)]
            known = self._wedges[clue] = np.asarray(self.nets.wedges(shown, self.examiner.wedge_turns).mean(axis=0), np.float64)
        return known

    def _ways_taught(self, picture: Bytes, piece: str, face: str) -> Array | None:
        taught = self.examiner.way_turns(piece, self.examiner.pieces.pieces[piece].faces.index(face))
        if taught is None:
            return None
        face_crop, turns, second = taught
        blend = self.blends["facing"]
        values = blend.ways(scores := self.nets.ways(picture, face_crop, turns, second))
        if values.max() < self.settings.way_sure:
            # Of a disc found a little beside where it lies no way is clear: where it fits best counts.
            every = [scores, *(self.nets.ways(_beside(picture, at), face_crop, turns, second) for at in BESIDE)]
            values = blend.ways(max(every, key=np.max))
        return values

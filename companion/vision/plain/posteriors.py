"""Posterior probabilities of the hypotheses about one place: by small networks, and of discs by a scorer of outline and
colours."""

from collections.abc import Callable, Mapping
from functools import cached_property
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from companion.vision.once import FoundAbout, Kept
from companion.vision.plain.evidence import BARE, REJECT, UNDER, CellFeatures, FeatureExtractor, SecondSides, Spot
from companion.vision.plain.face_alignment import TURNS, FaceAligner
from companion.vision.plain.model import Blend, Scorer, softmax, tile_rows
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
ASKEW = np.pi / TURNS
"""To either side of the turn at which a drawing fits best it is shown to the network, which was trained on two turns."""
CLEAR_EDGE, ASTRAY = (0.05, 0.15), 0.65
"""How clear the edge of a disc is where it may have been found beside its place, and is surely at it; how much less what is
seen around it counts there. Two found 5 and 6 mm beside theirs had 0.11 and 0.12, of 61 others the least was 0.15."""
WEDGED = (-4.0, 8.0)
"""Log-likelihood ratios of a wedge beyond which it is not believed less and more. Of 86 discs with one 84 had 5.5 and more, two
that were looked for 4 and 8 mm beside their places -0.7 and -4.4; of 602 without one none had more than -0.3, half less than
-10."""

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


class PosteriorEstimator:
    """Turns cell features into probabilities. Each cell is shown to the networks once."""

    def __init__(
        self,
        extractor: FeatureExtractor,
        scorers: Mapping[str, Scorer],
        blends: Mapping[str, Blend],
        nets: Nets,
        settings: JudgeSettings,
    ) -> None:
        self.extractor, self.scorers, self.blends, self.nets, self.settings = extractor, scorers, blends, nets, settings
        self._closer: WeakSet[CellFeatures] = WeakSet()
        self._asked: WeakSet[CellFeatures] = WeakSet()
        self._known: FoundAbout[CellFeatures] = FoundAbout()
        self._disputed: WeakSet[CellFeatures] = WeakSet()

    def posteriors(self, features: CellFeatures) -> Mapping[str, float]:
        """Probability of every hypothesis; hypotheses of one name are added up."""
        return self._known.once(features, "posteriors", lambda: self._judged(features))

    def closer(self, features: CellFeatures) -> None:
        """Ask the portrait network of a cell that is plainly bare by outline and colours; that counts from then on."""
        if not features.quiet and features.stack is not None and features not in self._closer:
            self._known.replace(features, "posteriors", self._judged(features, closely=True))
            self._closer.add(features)

    def beside(self, features: CellFeatures) -> bool:
        """Compare a disc with the taught portraits a sample beside as well, once; each portrait counts where it fits best. Kept
        from then on. Returns whether that was news."""
        if features.stack is None or features in self._asked:
            return False
        self._asked.add(features)
        beside = (self._compared(features, _beside(features.stack[0], at)) for at in BESIDE)
        self._known.replace(features, "portraits", np.max([self.portraits(features), *beside], axis=0))
        self._known.replace(features, "posteriors", self._judged(features, closely=True))
        return True

    def _judged(self, features: CellFeatures, closely: bool = False) -> Mapping[str, float]:
        if features.quiet:
            rest = self.settings.quiet / (len(features.names) - 1)
            return {name: 1 - self.settings.quiet if name == BARE else rest for name in features.names}
        found: dict[str, float] = {}
        for name, value in zip(features.names, self._values(features, closely), strict=True):
            found[name] = found.get(name, 0.0) + float(value)
        return found

    def _values(self, features: CellFeatures, closely: bool) -> Array:
        blend = self.blends[features.scorer]
        if features.stack is None:
            return self._flat_values(features, blend)
        assert features.rows is not None
        scores = self._scores(features)
        alone = softmax(scores)
        if alone[0] > self.settings.doubtless and not closely:
            return alone
        return self.discs(features) if features in self._asked else blend.discs(scores, self.portraits(features))

    def _scores(self, features: CellFeatures) -> Array:
        """The scorer's scores of every hypothesis about a cell. A second side that was taught may be of any art: it counts as
        the first one in grey, or as a face like any other, whichever it is likelier."""
        scorer = self.scorers[features.scorer]
        assert features.rows is not None
        scores, backs = scorer.scores(features.rows), self.extractor.backs
        if features.back_rows is not None and backs is not None:
            rows = self._second_rows(backs)
            scores[rows] = np.maximum(scores[rows], scorer.scores(features.back_rows))
        return scores

    def _second_rows(self, backs: SecondSides) -> list[int]:
        """Which hypotheses about a cell are the second sides that were taught."""
        pieces, names = self.extractor.pieces.pieces, self.extractor.movable_names
        return [names.index(f"{piece}/{pieces[piece].faces[1]}") for piece in backs.pieces]

    def discs(self, features: CellFeatures) -> Array:
        """Probability of every hypothesis (``features.names``) about a doubtful cell with a disc on it: by its outline, its
        portrait, and the wedge that is printed on it or not."""
        assert features.rows is not None
        values = self.blends[features.scorer].discs(self._scores(features), self.portraits(features))
        return self._with_wedge(features, values)

    def _with_wedge(self, features: CellFeatures, values: Array) -> Array:
        """The same with what it says of a disc who it is that it has a wedge printed on it or none."""
        bearers = [name.partition("/")[0] in self._bearers for name in features.names]
        if features.stack is None or not any(bearers):
            return values
        told = np.clip(_presence(self._glanced(features)), *WEDGED)
        values = values * np.where(bearers, np.exp(self.settings.wedge * told), 1.0)
        return np.asarray(values / values.sum(), np.float64)

    @cached_property
    def _bearers(self) -> frozenset[str]:
        """The pieces with a wedge printed on them."""
        return frozenset(piece.id for piece in self.extractor.pieces.pieces.values() if piece.wedge)

    def portraits(self, features: CellFeatures) -> Array:
        """Log-likelihood ratios (T×2) of every taught piece's sides on a cell with a disc, each against "none of them"."""
        assert features.stack is not None
        picture = features.stack[0]
        return self._known.once(features, "portraits", lambda: self._compared(features, picture))

    def _compared(self, features: CellFeatures, picture: Bytes) -> Array:
        """The same of one crop of the disc. A side that was taught is compared with that; one that was not can only be taken
        for the first one in grey."""
        assert features.stack is not None
        extractor, turns = self.extractor, features.stack[1]
        backs = extractor.backs if features.disc is not None else None
        both = [] if backs is None else [extractor.movable_ids.index(piece) for piece in backs.pieces]
        single = [row for row in range(len(turns)) if row not in both]
        ratios = np.empty((len(turns), 2))
        if single:
            ratios[single] = self.nets.same_face(picture, [extractor.face_crops[row] for row in single], turns[single])
        if backs is not None and features.disc is not None:
            faces = [*(extractor.face_crops[row] for row in both), *backs.crops]
            shown = self.nets.shows(picture, faces, np.concatenate([turns[both], self._turns_of_backs(features)]))
            ratios[both] = shown.reshape(2, -1).T
        return ratios

    def shows_aligned(self, features: CellFeatures, piece: str) -> tuple[float, float]:
        """Log-likelihood ratios of both taught sides of a piece on a cell with a disc, each there and so turned as its drawing
        fits best, or as found where that is liker."""
        return self._known.once(features, ("aligned", piece), lambda: self._shown_aligned(features, piece))

    def _shown_aligned(self, features: CellFeatures, piece: str) -> tuple[float, float]:
        backs, row = self.extractor.backs, self.extractor.movable_ids.index(piece)
        assert backs is not None and features.stack is not None
        picture = features.stack[0]
        found = []
        for side, face in enumerate((self.extractor.face_crops[row], backs.crops[backs.pieces.index(piece)])):
            pose = self._aligner.pose(picture, face)
            turns = np.array([[pose.turn - ASKEW, pose.turn + ASKEW]])
            laid = self.nets.shows(_beside(picture, pose.offset_mm), [face], turns)
            found.append(max(self.shows(features, piece, side), float(laid[0])))
        return found[0], found[1]

    @cached_property
    def _aligner(self) -> FaceAligner:
        return FaceAligner(self.extractor.finder.radius_mm)

    def _turns_of_backs(self, features: CellFeatures) -> Array:
        """At which turns each second side that was taught may lie on a cell with a disc."""
        backs, disc = self.extractor.backs, features.disc
        assert backs is not None and disc is not None
        return self._known.once(features, "turns of backs", lambda: backs.faces.turns(disc.faces[0]))

    def shows(self, features: CellFeatures, piece: str, side: int) -> float:
        """Log-likelihood ratio of a taught side (0 or 1) of a piece on a cell with a disc, whatever the other side's art."""
        row = self.extractor.movable_ids.index(piece)
        if self.extractor.knows_back(piece):
            return float(self.portraits(features)[row, side])
        assert side == 0 and features.stack is not None
        picture, turns = features.stack
        face = self.extractor.face_crops[row]
        return self._known.once(
            features, ("first side", piece), lambda: float(self.nets.shows(picture, [face], turns[[row]])[0])
        )

    def _flat_values(self, features: CellFeatures, blend: Blend) -> Array:
        spot = features.place
        assert spot is not None
        key = features.scorer.removesuffix(UNDER)
        exemplars = self.extractor.flat_crops[key]
        if spot.hidden is not None:
            return self._covered(key, spot, spot.hidden, len(exemplars), blend)
        place, pair, numbers = self.nets.place(spot.seen, spot.bare, None, self.extractor.flat_colours[key]), None, None
        labels = set(features.names) - {BARE, REJECT}
        if len(labels) > 1 and np.exp(place[1]) > self.settings.hardly:
            rows, poses = self.extractor.tile(key, spot)
            ratios = self.nets.same_tile(spot.seen, poses.offset_mm, exemplars, poses.turns)
            assert spot.close is not None
            closeups, where = self.extractor.flat_closeups[key], self.extractor.flat_marks[key]
            marks = self.nets.same_mark(spot.close, poses.offset_mm, closeups, where, poses.turns)
            laid = _share(poses.alike, SEEN_ALIKE)
            known = self._numbered(key)
            if known is not None and known.trust > 0:
                told = known.read(self.nets, spot.close, poses, closeups, self.extractor.flat_exemplars[key])
                numbers = told * known.trust * laid
            pair = tile_rows(self.scorers[features.scorer].scores(rows), ratios, marks, self._telling(key) * laid, numbers)
        values = blend.flats(place, pair, len(exemplars))
        if numbers is not None and features.names[2 + int(values[2:].argmax())] != features.names[2 + int(numbers.argmax())]:
            self._disputed.add(features)
        return values

    def disputed(self, features: CellFeatures) -> bool:
        """Whether the number read on a cell's tile is another than that of the tile it looks most like."""
        return features in self._disputed

    def _covered(self, key: str, spot: Spot, hidden: NDArray[np.bool_], count: int, blend: Blend) -> Array:
        """What lies below a disc, of which little is in sight: by the mean of several looks."""
        place = self.nets.place(spot.seen, spot.bare, hidden, self.extractor.flat_colours[key], AROUND)
        below = self.nets.below(spot.seen, spot.bare, hidden, [self.extractor.flat_edges[key]], AROUND)[0]
        trust = 1 - ASTRAY * (1 - _share(spot.clear, CLEAR_EDGE))
        return blend.flats(trust * place, None, count, trust * below)

    def _numbered(self, key: str) -> Numbers | None:
        """How the numbers of a group's tiles stand, if they have any."""
        closeups, taught = self.extractor.flat_closeups[key], self.extractor.flat_exemplars[key]
        return self._of_flats(key, "numbers", lambda: learn_numbers(self.nets, closeups, taught))

    def _telling(self, key: str) -> Array:
        """How far the marks of a group's taught tiles can be trusted to tell every two of them apart (P×P)."""
        return self._of_flats(key, "marks told apart", lambda: self._told_apart(key))

    def _told_apart(self, key: str) -> Array:
        exemplars = self.extractor.flat_exemplars[key]
        angles = np.array([exemplar.turn for exemplar in exemplars])
        closeups, where = self.extractor.flat_closeups[key], self.extractor.flat_marks[key]
        alike = np.array([exemplar.alike for exemplar in exemplars])
        laid = _share(alike / max(float(np.median(alike)), 1e-3), TAUGHT_ALIKE)
        return self.nets.telling(closeups, where, angles) * np.minimum(laid[:, None], laid)

    def _of_flats(self, key: str, what: str, make: Callable[[], Kept]) -> Kept:
        return self.extractor.of_flats(self.extractor.pieces.groups[key], what, make)

    def ways(self, features: CellFeatures, piece: str, face: str, known: bool = True) -> Array | None:
        """Probability of every direction a piece on a cell may look in, by its taught face, and by the wedge printed on it
        where that leaves a doubt or who it is is not ``known`` by its looks; None if neither can tell."""
        return self._known.once(
            features, ("ways", piece, face, known), lambda: self._looked_for_ways(features, piece, face, known)
        )

    def _looked_for_ways(self, features: CellFeatures, piece: str, face: str, known: bool) -> Array | None:
        if features.stack is None:
            return None
        own = self._ways_taught(features.stack[0], piece, face)
        if not self.extractor.pieces.pieces[piece].wedge:
            return own if known else None
        faint, printed = self.extractor.faintness.get(piece, 0.0), (piece, face) in self._wedged
        sure = own is not None and known and faint == 0 and own.max() >= self.settings.doubtless
        if own is not None and sure:
            glance = self._glanced(features)
            presence, agreed = _presence(glance), glance.argmax() == own.argmax()
            if agreed if presence > PLAINLY_WEDGED else (not printed or (agreed and presence > AGREEING)):
                return own
        wedge = self._wedge(features)
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
    def _wedged(self) -> frozenset[tuple[str, str]]:
        """Of the pieces with a wedge printed on them the sides that showed it plainly when they were taught; one that was not
        taught counts as the first one does."""
        extractor, backs = self.extractor, self.extractor.backs
        firsts = dict(zip(extractor.movable_ids, extractor.face_crops, strict=True))
        seconds = {} if backs is None else dict(zip(backs.pieces, backs.crops, strict=True))

        def plainly(crop: Bytes) -> bool:
            return _presence(self.nets.wedges([crop], extractor.wedge_turns)[0]) > PLAINLY_WEDGED

        found: dict[tuple[str, str], bool] = {}
        for piece in self._bearers:
            first, second = extractor.pieces.pieces[piece].faces
            found[piece, first] = plainly(firsts[piece])
            found[piece, second] = plainly(seconds[piece]) if piece in seconds else found[piece, first]
        return frozenset(side for side, shown in found.items() if shown)

    def _glanced(self, features: CellFeatures) -> Array:
        """Log-likelihood ratios (D) of a wedge on a cell's disc that points each way against none, by a single look."""
        assert features.stack is not None
        picture = features.stack[0]

        def make() -> Array:
            return np.asarray(self.nets.wedges([picture], self.extractor.wedge_turns)[0], np.float64)

        return self._known.once(features, "wedge at a glance", make)

    def _wedge(self, features: CellFeatures) -> Array:
        """Log-likelihood ratios (D) of a wedge on a cell's disc that points each way against none."""
        assert features.stack is not None
        picture = features.stack[0]

        def make() -> Array:
            shown = [picture, *(_beside(picture, at) for at in BESIDE)]
            return np.asarray(self.nets.wedges(shown, self.extractor.wedge_turns).mean(axis=0), np.float64)

        return self._known.once(features, "wedge", make)

    def _ways_taught(self, picture: Bytes, piece: str, face: str) -> Array | None:
        taught = self.extractor.way_turns(piece, self.extractor.pieces.pieces[piece].faces.index(face))
        if taught is None:
            return None
        face_crop, turns, second = taught
        blend = self.blends["facing"]
        values = blend.ways(scores := self.nets.ways(picture, face_crop, turns, second))
        if values.max() < self.settings.doubtless:
            # Of a disc found a little beside where it lies no way is clear: where it fits best counts.
            every = [scores, *(self.nets.ways(_beside(picture, at), face_crop, turns, second) for at in BESIDE)]
            values = blend.ways(max(every, key=np.max))
        return values

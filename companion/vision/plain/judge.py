"""From cell features to claims: probabilities per place, one-to-one assignment over all, and what stays unknown and why."""

from collections.abc import Collection, Mapping, Sequence
from weakref import WeakKeyDictionary, WeakSet

import numpy as np

from companion.boards import Board, Group, PieceSet, available, load_pieces
from companion.vision.plain.assignment import Marginals, PlaceWeights, marginals
from companion.vision.plain.cell_refinement import CellRefinement
from companion.vision.plain.claims import Claims
from companion.vision.plain.evidence import BARE, REJECT, UNDER, CellFeatures, FeatureExtractor
from companion.vision.plain.flats_judge import MOST, FlatsJudge
from companion.vision.plain.model import BLEND, SURE, Blend, shipped, shipped_blends, softmax, weighed
from companion.vision.plain.nets import Nets
from companion.vision.plain.posteriors import PosteriorEstimator
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.texture import TextureComparison
from companion.vision.plain.upper_side import UpperSide
from companion.vision.reading import Reading, Sighting, subject


def _blends(pieces: PieceSet) -> dict[str, Blend]:
    """The shipped blends, and for a group that none was fitted on that of any game's group of its shape."""
    fitted = shipped_blends()
    known = [group for game in available() for group in load_pieces(game).groups.values() if group.key in fitted]
    blends = dict(fitted)
    for group in pieces.groups.values():
        like = next((other.key for other in known if other.shape == group.shape), None)
        for ending in ("", UNDER):
            if group.key not in fitted and f"{like}{ending}" in fitted:
                blends[f"{group.key}{ending}"] = fitted[f"{like}{ending}"]
    return blends


PAIR = BLEND.index("pair")


class Judge:
    """Turns cell features into claims for one taught copy."""

    def __init__(self, board: Board, pieces: PieceSet, extractor: FeatureExtractor, settings: PlainSettings) -> None:
        self._board = board
        self._pieces = pieces
        self._extractor = extractor
        self._settings = settings
        self._nets = Nets(settings.surface.scale)
        self._estimator = PosteriorEstimator(extractor, shipped(), _blends(pieces), self._nets, settings.judge)
        self._upper = UpperSide(extractor, self._estimator, settings.judge)
        self._drawings = TextureComparison(extractor, settings.judge)
        self._flats = FlatsJudge(board, pieces, extractor, self._estimator, settings)
        self._heard: WeakKeyDictionary[CellFeatures, Mapping[str, float]] = WeakKeyDictionary()
        self._open: WeakSet[CellFeatures] = WeakSet()
        self._mixed: WeakKeyDictionary[CellFeatures, Mapping[str, float]] = WeakKeyDictionary()
        self._best: WeakKeyDictionary[CellFeatures, CellFeatures] = WeakKeyDictionary()

    def posteriors(self, features: CellFeatures) -> Mapping[str, float]:
        """Probability of every hypothesis about a place by itself; a cell on which an open flat piece was seen has no disc."""
        if features in self._open:
            return {name: float(name == BARE) for name in features.names}
        return self._looked(features)

    def _looked(self, features: CellFeatures) -> Mapping[str, float]:
        if features in self._mixed:
            return self._mixed[features]
        known = self._heard.get(features)
        if known is None:
            known = self._estimator.posteriors(features)
            if features.place is not None:  # of cells it may change yet
                known = self._heard[features] = self._drawings.heard(features, known)
        return known

    def alike(self, one: CellFeatures, other: CellFeatures) -> bool:
        """Whether two first looks at one place lead to about the same posteriors."""
        if not (one.sighted and other.sighted):
            return one.sighted == other.sighted
        mine, theirs = self._estimator.posteriors(one), self._estimator.posteriors(other)
        return max(abs(mine[name] - theirs[name]) for name in mine) < self._settings.judge.alike

    def first_side_shows(self, piece: str, features: CellFeatures) -> float:
        """Log odds that a disc shows the first side of a piece, by that alone; 0 of one that was never taught."""
        if piece not in self._extractor.movable_ids:
            return 0.0
        return self._upper.first_shows(piece, features)

    def flats(
        self,
        group: Group,
        cell_features: Sequence[CellFeatures],
        hidden: Collection[str],
        prior: Reading | None,
        claims: Claims,
    ) -> None:
        """Claim the flat pieces of one group."""
        posteriors = {
            features.spot: self.posteriors(features)
            for features in cell_features
            if features.spot not in hidden and features.sighted
        }
        self._flats.claim(group, cell_features, posteriors, prior, claims)

    # --- movable pieces ----------------------------------------------------------------------------------------------

    def movable(
        self,
        cell_features: Sequence[CellFeatures],
        hidden: Collection[str],
        prior: Reading | None,
        claims: Claims,
        closer: CellRefinement,
    ) -> Marginals:
        """Claim the movable pieces; doubtful cells are looked at again before one is called unknown. Returns the assignment's
        marginals, by cell and piece."""
        group = self._extractor.movable
        ids = [piece.id for piece in self._pieces.in_group(group.key)]
        seen = [features for features in cell_features if features.spot not in hidden and features.sighted]
        unseen = [features.spot for features in cell_features if features.spot in hidden or not features.sighted]

        def weighed_anew() -> tuple[dict[str, Mapping[str, float]], Marginals]:
            every = {features.spot: self.posteriors(features) for features in seen}
            return every, self._assigned(every, ids, unseen, prior)

        posteriors, result = weighed_anew()
        if max(result.missing.values()) >= 0.5 > min(result.missing.values()):
            # Before a piece is called absent, cells that seemed plainly bare are looked at as closely as the others.
            for features in seen:
                self._estimator.closer(features)
            posteriors, result = weighed_anew()
        doubtless = self._settings.judge.doubtless
        looks = (
            (self._uncover, doubtless), (self._look_beside, doubtless), (self._look_elsewhere, self._settings.claim)
        )  # fmt: skip
        for look, enough in looks:
            doubtful = self._doubtful(seen, result, enough) or self._unlike(seen, result)
            doubtful = [features for features in doubtful if closer.wanted(features.spot)]
            if doubtful and look(doubtful, closer):
                posteriors, result = weighed_anew()
        if self._look_elsewhere(self._of_unclear_ways(seen, result, closer), closer):
            posteriors, result = weighed_anew()
        strange = [spot for spot, posterior in posteriors.items() if posterior[REJECT] > self._settings.judge.hides]
        by_spot = {features.spot: features for features in cell_features}
        standing = {piece: _standing_at(piece, result) for piece in ids}
        loose = self._loose(result)
        self._heed_sides(standing, by_spot, posteriors)
        for piece in ids:
            spot, sure = standing[piece]
            if result.missing[piece] >= 0.5 or not spot:
                self._absent(piece, group, result, unseen, strange, claims)
                continue
            alone = self._among(loose - {piece}, piece, posteriors[spot])
            self._claim_movable(piece, by_spot[spot], sure, alone, posteriors[spot], claims)
        return result

    def _heed_sides(
        self,
        standing: Mapping[str, tuple[str, float]],
        by_spot: Mapping[str, CellFeatures],
        posteriors: Mapping[str, Mapping[str, float]],
    ) -> None:
        """Let the judge of sides learn from all pieces that surely stand somewhere what second sides of this copy are like."""
        found = {}
        for piece, (spot, sure) in standing.items():
            if spot and self._trusted(sure) >= self._settings.claim:
                sides = {face: posteriors[spot][f"{piece}/{face}"] for face in self._pieces.pieces[piece].faces}
                found[piece] = self._best.get(by_spot[spot], by_spot[spot]), sides
        self._upper.heed(found)

    def _loose(self, result: Marginals) -> frozenset[str]:
        """The movable pieces that stand nowhere surely, and are not surely missing."""
        sure, least = _best(result), self._settings.claim
        return frozenset(piece for piece, gone in result.missing.items() if self._trusted(max(sure[piece], gone)) < least)

    def _among(self, loose: Collection[str], piece: str, posterior: Mapping[str, float]) -> float:
        """How probable a piece is by the looks of its cell alone, beside those that stand nowhere surely: that they seem to
        stand elsewhere is no proof. 1 where that is enough for a claim."""
        looks = {name: value for name, value in posterior.items() if "/" in name}
        own = sum(value for name, value in looks.items() if name.partition("/")[0] == piece)
        others = sum(value for name, value in looks.items() if name.partition("/")[0] in loose)
        alone = own / max(own + others, 1e-12)
        return 1.0 if alone >= self._settings.claim else alone

    def placed(self, result: Marginals, sure: float | None = None) -> bool:
        """Whether it is known of every movable piece where it stands, whatever its side; as ``sure`` as a claim, or surer."""
        return all(value >= (sure or self._settings.claim) for value in _best(result).values())

    def _doubtful(self, cell_features: Sequence[CellFeatures], result: Marginals, sure: float) -> list[CellFeatures]:
        """While some movable piece is found less surely: the cells not clearly bare on which none surely stands."""
        bare = self._settings.claim
        if self.placed(result, sure):
            return []
        return [
            features
            for features in cell_features
            if self.posteriors(features)[BARE] < bare and max(result.at.get(features.spot, {}).values(), default=0.0) < sure
        ]

    def _standing(self, features: CellFeatures, result: Marginals) -> tuple[str, Mapping[str, float]] | None:
        """The movable piece that surely stands on a cell, and how probable each of its faces is by that cell's looks alone;
        None if none surely does."""
        piece, sure = max(result.at.get(features.spot, {}).items(), key=lambda item: item[1], default=("", 0.0))
        if sure < self._settings.claim:
            return None
        posterior = self.posteriors(features)
        return piece, {face: posterior.get(f"{piece}/{face}", 0.0) for face in self._pieces.pieces[piece].faces}

    def _unlike(self, cell_features: Sequence[CellFeatures], result: Marginals) -> list[CellFeatures]:
        """The cells on which a movable piece surely stands, but does not look like it: it may lie beside where it was found."""
        found = []
        for features in cell_features:
            standing = None if features.quiet else self._standing(features, result)
            found += [features] * (standing is not None and sum(standing[1].values()) < self._settings.judge.recognised)
        return found

    def _of_unclear_ways(
        self, cell_features: Sequence[CellFeatures], result: Marginals, closer: CellRefinement
    ) -> list[CellFeatures]:
        """The cells on which a piece surely stands of which it is not clear which way it looks."""
        found = []
        for features in cell_features:
            standing = self._standing(features, result) if closer.wanted(features.spot) else None
            if standing is None or not self._pieces.pieces[standing[0]].facing:
                continue
            piece, faces = standing
            known = sum(faces.values()) >= self._settings.judge.recognised
            told = self.facing(piece, max(faces, key=lambda face: faces[face]), self._best.get(features, features), known)
            found += [features] * (told is None or told[1] < self._settings.claim)
        return found

    def _uncover(self, doubtful: Sequence[CellFeatures], closer: CellRefinement) -> bool:
        """Look for flat pieces that lie open where a disc might stand: none stands on what is seen whole. Returns whether there
        are any."""
        cells = {features.spot: features for features in doubtful}
        found = False
        for group in self._extractor.flat_groups:
            wanted = cells.keys() & set(self._extractor.spots(group))
            for features in self._extractor.flats_at(closer.prepared, group, wanted) if wanted else ():
                posterior = self.posteriors(features)
                if 1 - posterior[BARE] - posterior[REJECT] >= self._settings.claim and self._drawings.is_piece(features):
                    self._open.add(cells[features.spot])
                    found = True
        return found

    def _least_bare(self, doubtful: Sequence[CellFeatures], closer: CellRefinement) -> list[CellFeatures]:
        """The doubtful cells that are worth another look at their discs: few where only some spots are looked at again."""
        most = self._settings.judge.elsewhere_cells // (1 if closer.spots is None else 2)
        some = sorted(doubtful, key=lambda features: self.posteriors(features)[BARE])[:most]
        return [features for features in some if features.stack is not None and features not in self._mixed]

    def _look_beside(self, doubtful: Sequence[CellFeatures], closer: CellRefinement) -> bool:
        """Look a little beside where discs were found, for whom they may be like there. Returns whether there are any."""
        news = [self._estimator.beside(features) for features in self._least_bare(doubtful, closer)]
        return any(news)

    def _look_elsewhere(self, doubtful: Sequence[CellFeatures], closer: CellRefinement) -> bool:
        """Look for discs at other places in their cells than where they seemed to lie: the places' answers are mixed, as the
        portraits are more or less alike there. Returns whether there are any."""
        found, own = False, self._settings.judge
        for features in self._least_bare(doubtful, closer):
            blend = self._estimator.blends[features.scorer]
            every = [features, *closer.elsewhere(features, own.elsewhere)]
            alike = [self._estimator.portraits(one) for one in every]
            weights = softmax(blend.weights[PAIR] * np.clip([ratios.max() for ratios in alike], -SURE, SURE))
            answers = [self._estimator.discs(one) for one in every]
            self._mixed[features] = dict(zip(features.names, (weights @ np.array(answers)).tolist(), strict=True))
            self._best[features] = every[int(weights.argmax())]
            found = True
        return found

    def _assigned(
        self, posteriors: Mapping[str, Mapping[str, float]], ids: Sequence[str], unseen: Sequence[str], prior: Reading | None
    ) -> Marginals:
        """Who is where, by all places together."""
        places = []
        stay = self._settings.stay / (1 - self._settings.stay)
        before: dict[str, list[str]] = {}
        for sighting in prior.sightings if prior is not None else ():
            if sighting.piece in ids:
                before.setdefault(sighting.place, []).append(sighting.piece)
        for spot, posterior in posteriors.items():
            kinds = dict.fromkeys(ids, 0.0)
            for name, value in posterior.items():
                piece, of, _ = name.partition("/")
                if of and piece in kinds:
                    kinds[piece] += value
            self._let_faint_in(kinds, posterior[BARE])
            for piece in before.get(spot, ()):  # it is likelier to be there still
                kinds[piece] *= stay
            places.append(PlaceWeights(spot, posterior[BARE] + self._settings.judge.stranger * posterior[REJECT], kinds))
        own = self._settings.judge
        strange = sum(posterior[REJECT] > own.hides for posterior in posteriors.values())
        sink = own.astray + own.astray_unseen * (len(unseen) + strange)
        return marginals(places, dict.fromkeys(ids, 1), dict.fromkeys(ids, sink))

    def _let_faint_in(self, kinds: dict[str, float], bare: float) -> None:
        """A piece of which next to nothing was made out when it was taught may look like anybody: what is a disc but none of
        the others may be it, and that it looks a little like bare print says nothing."""
        faint = {piece: much for piece, much in self._extractor.faintness.items() if much > 0 and piece in kinds}
        others = [value for piece, value in kinds.items() if piece not in faint]
        some = sum(others)
        nobody = (some - max(others, default=0.0)) * some / max(some + bare, 1e-12)
        for piece, much in faint.items():
            own = kinds[piece]
            plain = own * own / max(own + bare, 1e-12)
            kinds[piece] = (1 - much) * own + much * (plain + self._settings.judge.faint * nobody)

    def _claim_movable(
        self, piece: str, features: CellFeatures, sure: float, alone: float, posterior: Mapping[str, float], claims: Claims
    ) -> None:
        """Claim a movable piece that stands on a cell: as ``sure`` as that is by all cells together, and no surer than by this
        one ``alone``."""
        entry = self._pieces.pieces[piece]
        name = subject(piece, self._pieces.group_of(piece))
        features = self._best.get(features, features)
        faces = {face: posterior[f"{piece}/{face}"] for face in entry.faces}
        total = sum(faces.values())
        looks = total  # how probable the piece is by the looks of this cell alone
        there = min(self._trusted(sure), alone)
        placed = there >= self._settings.claim
        doubted = placed and sure * max(faces.values()) / max(total, 1e-12) < self._settings.claim
        faces = self._upper.sides(piece, faces, posterior, features, doubted)
        total = sum(faces.values())
        face, weight = max(faces.items(), key=lambda item: item[1])
        facing = None
        confidence = there * self._trusted(weight / max(total, 1e-12), self._upper.underrated(piece))
        if confidence < self._settings.claim or not self._upper.can_be_said(piece, face, looks, posterior, features):
            what = "its side cannot be told: it lies" if placed else "it may lie"
            claims.unknown[name] = f"{what} at {features.spot} ({confidence:.0%})"
            claims.lying |= {piece: features.spot} if placed else {}
            told = self.facing(piece, face, features, known=False) if placed and entry.facing else None
            if told is not None and told[1] >= self._settings.claim:
                claims.facings[piece] = told[0]
            return
        if entry.facing:
            told = self.facing(piece, face, features, looks >= self._settings.judge.recognised)
            if told is None or told[1] < self._settings.claim:
                claims.unknown[name] = f"it lies at {features.spot}, but which way it faces cannot be told"
                claims.lying[piece] = features.spot
                return
            facing = told[0]
            confidence *= told[1]
        x, y = self._board.mm(features.spot)
        offset = features.disc.offset_mm if features.disc is not None else (0.0, 0.0)
        claims.sightings.append(
            Sighting(piece, features.spot, face, facing, min(confidence, MOST), (x + offset[0], y + offset[1]))
        )

    def _trusted(self, chance: float, plain: float = 1.0) -> float:
        """How sure it is who stands on a cell, or which side is up, as ``plain`` as that is: the fits say less than is true."""
        return weighed(chance, 1 + (self._settings.judge.trust - 1) * plain)

    def facing(self, piece: str, face: str, features: CellFeatures, known: bool = True) -> tuple[str, float] | None:
        """Which way a piece at a place faces that is ``known`` by its looks or not, and how probable that is; None if that
        cannot be told."""
        values = self._estimator.ways(features, piece, face, known)
        if values is None:
            return None
        best = int(values.argmax())
        return self._board.directions[best], float(values[best])

    def _absent(
        self, piece: str, group: Group, result: Marginals, unseen: list[str], strange: list[str], claims: Claims
    ) -> None:
        """A piece found nowhere: off the board only if every place is in sight and surely without it."""
        anywhere = sum(kinds.get(piece, 0.0) for kinds in result.at.values())
        if not unseen and not strange and anywhere < 1 - self._settings.claim:
            return
        why = (
            f"{len(unseen)} cells are hidden"
            if unseen
            else "something that is no known piece lies on the board"
            if strange
            else "it was not recognised"
        )
        claims.unknown[subject(piece, group)] = f"it is not in sight: {why}"

    def doubt_absence(self, cell_features: Sequence[CellFeatures], claims: Claims) -> None:
        """Take back that a movable piece is absent while a cell on which nothing is claimed is not clearly bare: it may stand
        there, too washed out to be known. Where none of them is found at all, the board is bare. To be asked when the flat
        pieces are claimed as well."""
        taken = {sighting.place for sighting in claims.sightings}
        told = {sighting.piece for sighting in claims.sightings}
        group = self._extractor.movable
        ids = [piece.id for piece in self._pieces.in_group(group.key)]
        lost = [piece for piece in ids if piece not in told and subject(piece, group) not in claims.unknown]
        free = [features for features in cell_features if features.spot not in taken and features.sighted]
        bare = self._settings.claim
        if lost and told.intersection(ids) and any(self.posteriors(features)[BARE] < bare for features in free):
            for piece in lost:
                claims.unknown[subject(piece, group)] = "it is not in sight: it was not recognised"


def _standing_at(piece: str, result: Marginals) -> tuple[str, float]:
    """Where a piece is likeliest, and how probable it is there; nowhere where it is at no place."""
    places = ((spot, kinds.get(piece, 0.0)) for spot, kinds in result.at.items())
    return max(places, key=lambda item: item[1], default=("", 0.0))


def _best(result: Marginals) -> dict[str, float]:
    """How probable each piece is at the place where it is likeliest."""
    best = dict.fromkeys(result.missing, 0.0)
    for kinds in result.at.values():
        best |= {piece: max(best[piece], value) for piece, value in kinds.items()}
    return best

"""Claims about flat pieces that look alike or bear a number: tiles, covers, strips, the turn marker.

Every place by itself says what it bears; the assignment weighs all places together, for each piece exists once. A claim needs
both: what is left over by other places names no tile whose own number cannot be read.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from companion.boards import Board, Group, PieceSet
from companion.vision.plain.assignment import Marginals, PlaceWeights, marginals
from companion.vision.plain.claims import Claims, pick_alike
from companion.vision.plain.evidence import BARE, REJECT, UNDER, CellFeatures, FeatureExtractor
from companion.vision.plain.posteriors import PosteriorEstimator
from companion.vision.plain.settings import PlainSettings
from companion.vision.reading import Reading, Sighting, named_by_piece, subject

Posteriors = Mapping[str, Mapping[str, float]]
MOST = 0.9999
"""No claim is surer than this."""


@dataclass(frozen=True, eq=False)
class GroupEvidence:
    """All that is known of the places of one group.

    posteriors
        What each place in sight says by itself, by name; ``unseen`` are the others.
    places
        The same with the last reading weighed in, as the assignment takes it.
    result
        What all places together say.
    covered, disputed
        The places below a disc, and those where the number reads otherwise than the tile looks.
    counts
        How many pieces there are of every label.
    """

    group: Group
    posteriors: Posteriors
    unseen: tuple[str, ...]
    places: Mapping[str, PlaceWeights]
    result: Marginals
    covered: frozenset[str]
    disputed: frozenset[str]
    counts: Mapping[str, int]

    @property
    def leaves(self) -> bool:
        """Whether these pieces come and go in a game; of the others all are always on the board."""
        return self.group.layout == "by-place"

    def some(self, spot: str) -> float:
        """How probable it is, by the place alone, that a piece lies there."""
        place = self.places[spot]
        return sum(place.kinds.values()) / (place.none + sum(place.kinds.values()))

    def own(self, spot: str, label: str) -> float:
        """How probable a label is among all labels by the place alone."""
        kinds = self.places[spot].kinds
        return kinds.get(label, 0.0) / max(sum(kinds.values()), 1e-12)

    def likeliest(self, spot: str) -> tuple[str, float]:
        """The label that all places together have here, and how probable it is."""
        return max(self.result.at[spot].items(), key=lambda item: item[1], default=("", 0.0))

    def strange(self, spot: str) -> float:
        """How probable it is that something lies here that none of these pieces is."""
        posterior, some = self.posteriors[spot], sum(self.result.at[spot].values())
        return (1 - some) * posterior.get(REJECT, 0.0) / max(posterior[BARE] + posterior.get(REJECT, 0.0), 1e-12)


@dataclass(frozen=True, eq=False)
class GroupDecision:
    """What is said of a group's places: which piece lies there and how surely; doubted; something that may be no such piece."""

    found: dict[str, tuple[str, float]]
    doubtful: list[str]
    strange: list[str]


class FlatsJudge:
    """Claims the flat pieces of one taught copy, group by group."""

    def __init__(
        self,
        board: Board,
        pieces: PieceSet,
        extractor: FeatureExtractor,
        estimator: PosteriorEstimator,
        settings: PlainSettings,
    ) -> None:
        self._board, self._pieces, self._extractor, self._estimator = board, pieces, extractor, estimator
        self._claim, self._stay, self._own = settings.claim, settings.stay, settings.judge

    def claim(
        self, group: Group, cell_features: Sequence[CellFeatures], posteriors: Posteriors, prior: Reading | None, claims: Claims
    ) -> None:
        """Claim the flat pieces of one group; what stays unknown says why. ``posteriors``: what each place in sight says by
        itself, by its spot."""
        weighed = self._weighed(group, cell_features, posteriors, prior)
        if group.layout == "value":
            self._single(weighed, claims)
            return
        told = self._told(weighed)
        for spot in told.doubtful:
            claims.unknown[subject(spot, group)] = self._which(weighed, spot)
        found = self._named(weighed, told.found, prior, claims)
        for spot in weighed.unseen:
            claims.unknown[subject(spot, group)] = f"{spot} is hidden"
        all_found = found == len(self._pieces.in_group(group.key))
        if weighed.leaves or not all_found:  # where all are found, what else may lie somewhere is none of them
            claims.unknown |= {subject(spot, group): self._which(weighed, spot) for spot in told.strange}
        if not weighed.leaves and not all_found:
            self._missing(weighed, cell_features, told.found, claims)

    # --- what is believed ----------------------------------------------------------------------------------------------

    def _weighed(
        self, group: Group, cell_features: Sequence[CellFeatures], posteriors: Posteriors, prior: Reading | None
    ) -> GroupEvidence:
        """What every place says, and what all of them say together."""
        labels = [self._extractor.label(piece.id) for piece in self._pieces.in_group(group.key)]
        counts = {label: labels.count(label) for label in dict.fromkeys(labels)}
        unseen = tuple(features.spot for features in cell_features if features.spot not in posteriors)
        covered = frozenset(features.spot for features in cell_features if features.scorer.endswith(UNDER))
        posteriors = dict(posteriors) | {spot: self._below(posteriors[spot]) for spot in covered & posteriors.keys()}
        places = [self._place(spot, posterior, group, tuple(counts), prior) for spot, posterior in posteriors.items()]
        gone = self._own.gone if group.layout == "by-place" else self._own.lost + self._own.lost_unseen * len(unseen)
        return GroupEvidence(
            group,
            posteriors,
            unseen,
            {place.spot: place for place in places},
            marginals(places, counts, dict.fromkeys(counts, gone)),
            covered,
            frozenset(features.spot for features in cell_features if self._estimator.disputed(features)),
            counts,
        )

    def _below(self, posterior: Mapping[str, float]) -> Mapping[str, float]:
        """What a place below a disc says, no surer that a piece lies there than such claims have been right: what lies in plain
        sight elsewhere counts for more."""
        none = posterior[BARE] + posterior[REJECT]
        some, most = 1 - none, self._own.most_under
        if some <= most:
            return posterior
        shares = {name: value * most / some for name, value in posterior.items()}
        return shares | {BARE: 1 - most - shares[REJECT]}

    def _place(
        self, spot: str, posterior: Mapping[str, float], group: Group, labels: Sequence[str], prior: Reading | None
    ) -> PlaceWeights:
        """What speaks for each label at a place, and for none. What the prior reading had there is likelier to be there still,
        be it a piece or nothing; what it could not tell speaks for nothing."""
        none, kinds = posterior[BARE] + posterior[REJECT], {label: posterior.get(label, 0.0) for label in labels}
        if prior is None or named_by_piece(group) or subject(spot, group) in prior.unknown:
            return PlaceWeights(spot, none, kinds)
        stay = self._stay / (1 - self._stay)
        mine = [s for s in prior.sightings if s.place == spot and self._pieces.pieces[s.piece].group == group.key]
        before = {self._extractor.label(sighting.piece) for sighting in mine}
        return PlaceWeights(
            spot,
            none if before else none * stay,
            {label: value * stay if label in before else value for label, value in kinds.items()},
        )

    # --- what is said --------------------------------------------------------------------------------------------------

    def _told(self, weighed: GroupEvidence) -> GroupDecision:
        """Of every place in sight whether its piece is named, or doubted, or may be something else."""
        settled, hardly_read = self._settled(weighed), self._hardly_read(weighed)
        told = GroupDecision({}, [], [])
        for spot, kinds in weighed.result.at.items():
            some, (label, value) = sum(kinds.values()), weighed.likeliest(spot)
            named = self._is_named(weighed, spot, settled, hardly_read)
            if some > 1 - self._claim and not named:
                told.doubtful.append(spot)
            elif weighed.strange(spot) > self._own.odd or (
                weighed.leaves and (1 - some) * weighed.some(spot) > 1 - self._claim
            ):
                # It looks like one of our pieces, though those surely lie elsewhere: a card may hide what lies there.
                told.strange.append(spot)
            elif named:
                told.found[spot] = (label, value)
        return told

    def _settled(self, weighed: GroupEvidence) -> frozenset[str]:
        """The places that are clear by themselves: a piece lies there, or none."""
        return frozenset(
            spot
            for spot in weighed.places
            if weighed.some(spot) >= self._own.under or (spot not in weighed.covered and weighed.some(spot) <= 1 - self._claim)
        )

    def _hardly_read(self, weighed: GroupEvidence) -> bool:
        """Whether a tile surely lies in sight whose number cannot be told: then the others' are not trusted either."""
        return any(
            sum(kinds.values()) >= self._claim > max(kinds.values())
            for spot, kinds in weighed.result.at.items()
            if spot not in weighed.covered
        )

    def _is_named(self, weighed: GroupEvidence, spot: str, settled: Collection[str], hardly_read: bool) -> bool:
        """Whether the likeliest piece of a place is sure enough to be claimed."""
        own, (label, value) = self._own, weighed.likeliest(spot)
        numbered = hardly_read and weighed.counts.get(label) == 1
        told = value >= (own.doubtless if numbered else self._claim)
        told = told and weighed.own(spot, label) >= (own.doubtless if spot in weighed.disputed else own.own)
        if not told or spot not in weighed.covered:
            return told
        # A rim beside a disc, and its shadow, are easily taken for a piece; what other places leave over is no proof, unless
        # every one of them is settled by itself.
        left = not weighed.leaves and not weighed.unseen and all(one == spot or one in settled for one in weighed.posteriors)
        return weighed.some(spot) >= (own.under_left if left else own.under)

    def _which(self, weighed: GroupEvidence, spot: str) -> str:
        """Why what lies at a place is not named."""
        some = sum(weighed.result.at[spot].values())
        what = "something" if some < 0.5 else f"a {weighed.group.singular}"
        return f"{what} may lie at {spot}, but which cannot be told"

    def _named(
        self, weighed: GroupEvidence, found: Mapping[str, tuple[str, float]], prior: Reading | None, claims: Claims
    ) -> int:
        """Claim what was found. Returns how many places that were."""
        members, group = self._pieces.in_group(weighed.group.key), weighed.group
        free = {label: [one.id for one in members if self._extractor.label(one.id) == label] for label in weighed.counts}
        # In the spots' order: pieces that look alike must not change names between two looks at one table.
        for spot, (label, value) in sorted(found.items()):
            if free[label]:
                piece = pick_alike(free[label], spot, prior)
                claims.sightings.append(Sighting(piece, spot, None, None, min(value, MOST), self._board.mm(spot)))
            else:
                claims.unknown[subject(spot, group)] = f"there is no further {group.singular} to lie at {spot}"
        return len(found)

    def _missing(
        self, weighed: GroupEvidence, cell_features: Sequence[CellFeatures], taken: Collection[str], claims: Claims
    ) -> None:
        """A piece that cannot leave the board is not surely found: it may be wherever a place by itself, or the assignment,
        leaves it a chance, and below whatever is strange. That it may lie at another place, not surely enough to be claimed
        there, is no proof that it does not lie here."""
        for features in cell_features:
            posterior = weighed.posteriors.get(features.spot)
            if features.spot in taken or posterior is None or features.quiet:
                continue
            chance = max(weighed.some(features.spot), sum(weighed.result.at[features.spot].values()))
            if chance > 1 - self._claim or posterior[REJECT] > self._own.hides:
                claims.unknown.setdefault(
                    subject(features.spot, weighed.group),
                    f"a {weighed.group.singular} is missing and may lie at {features.spot}",
                )

    def _single(self, weighed: GroupEvidence, claims: Claims) -> None:
        """Claim the one piece of a group that marks a value: the turn marker."""
        group, piece = weighed.group, self._pieces.in_group(weighed.group.key)[0].id
        spot, value = max(
            ((s, sum(kinds.values())) for s, kinds in weighed.result.at.items()), key=lambda item: item[1], default=("", 0.0)
        )
        if value >= self._claim:
            claims.sightings.append(Sighting(piece, spot, None, None, min(value, MOST), self._board.mm(spot)))
        elif weighed.unseen or value > 1 - self._claim or claims.sightings or claims.unknown:
            claims.unknown[subject(piece, group)] = f"the {group.singular} marker is not clearly in sight"

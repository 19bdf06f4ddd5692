"""From clues to claims: probabilities per place, one-to-one assignment over all, and what stays unknown and why."""

from collections.abc import Collection, Mapping, Sequence
from weakref import WeakKeyDictionary, WeakSet

import numpy as np

from companion.boards import Board, Group, PieceSet, available, load_pieces
from companion.vision.plain.assignment import Marginals, Place, marginals
from companion.vision.plain.beliefs import Believer
from companion.vision.plain.claims import Claims
from companion.vision.plain.closer import Closer
from companion.vision.plain.drawing import Drawings
from companion.vision.plain.evidence import ALIEN, BARE, UNDER, Clue, Examiner
from companion.vision.plain.flats_judge import MOST, FlatsJudge
from companion.vision.plain.model import BLEND, SURE, Blend, shipped, shipped_blends, softmax, weighed
from companion.vision.plain.nets import Nets
from companion.vision.plain.settings import PlainSettings
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
    """Turns clues into claims for one taught copy."""

    def __init__(self, board: Board, pieces: PieceSet, examiner: Examiner, settings: PlainSettings) -> None:
        self._board = board
        self._pieces = pieces
        self._examiner = examiner
        self._settings = settings
        self._nets = Nets(settings.surface.scale)
        self._believer = Believer(examiner, shipped(), _blends(pieces), self._nets, settings.judge)
        self._upper = UpperSide(examiner, self._believer, settings.judge)
        self._drawings = Drawings(examiner, settings.judge)
        self._flats = FlatsJudge(board, pieces, examiner, self._believer, settings)
        self._heard: WeakKeyDictionary[Clue, Mapping[str, float]] = WeakKeyDictionary()
        self._open: WeakSet[Clue] = WeakSet()
        self._mixed: WeakKeyDictionary[Clue, Mapping[str, float]] = WeakKeyDictionary()
        self._best: WeakKeyDictionary[Clue, Clue] = WeakKeyDictionary()

    def beliefs(self, clue: Clue) -> Mapping[str, float]:
        """Probability of every hypothesis about a place by itself; a cell on which an open flat piece was seen has no disc."""
        if clue in self._open:
            return {name: float(name == BARE) for name in clue.names}
        return self._looked(clue)

    def _looked(self, clue: Clue) -> Mapping[str, float]:
        if clue in self._mixed:
            return self._mixed[clue]
        known = self._heard.get(clue)
        if known is None:
            known = self._believer.beliefs(clue)
            if clue.place is not None:  # of cells it may change yet
                known = self._heard[clue] = self._drawings.heard(clue, known)
        return known

    def alike(self, one: Clue, other: Clue) -> bool:
        """Whether two first looks at one place lead to about the same beliefs."""
        if not (one.sighted and other.sighted):
            return one.sighted == other.sighted
        mine, theirs = self._believer.beliefs(one), self._believer.beliefs(other)
        return max(abs(mine[name] - theirs[name]) for name in mine) < self._settings.judge.alike

    def flats(
        self, group: Group, clues: Sequence[Clue], hidden: Collection[str], prior: Reading | None, claims: Claims
    ) -> None:
        """Claim the flat pieces of one group."""
        beliefs = {clue.spot: self.beliefs(clue) for clue in clues if clue.spot not in hidden and clue.sighted}
        self._flats.claim(group, clues, beliefs, prior, claims)

    # --- walking pieces ----------------------------------------------------------------------------------------------

    def walkers(
        self,
        clues: Sequence[Clue],
        hidden: Collection[str],
        prior: Reading | None,
        claims: Claims,
        closer: Closer | None = None,
    ) -> Marginals:
        """Claim the walking pieces. Returns the assignment's marginals, by cell and piece. Where ``closer`` is given, doubtful
        cells are looked at again before a piece is called unknown."""
        group = self._examiner.walkers
        ids = [piece.id for piece in self._pieces.in_group(group.key)]
        seen = [clue for clue in clues if clue.spot not in hidden and clue.sighted]
        unseen = [clue.spot for clue in clues if clue.spot in hidden or not clue.sighted]
        beliefs = {clue.spot: self.beliefs(clue) for clue in seen}
        result = self._assigned(beliefs, ids, unseen, prior)
        if max(result.missing.values()) >= 0.5 > min(result.missing.values()):
            # Before a piece is called absent, cells that seemed plainly bare are looked at as closely as the others.
            for clue in seen:
                self._believer.closer(clue)
            beliefs = {clue.spot: self.beliefs(clue) for clue in seen}
            result = self._assigned(beliefs, ids, unseen, prior)
        doubtless = self._settings.judge.doubtless
        looks = (
            (self._uncover, doubtless), (self._look_beside, doubtless), (self._look_elsewhere, self._settings.claim)
        )  # fmt: skip
        for look, enough in looks if closer is not None else ():
            doubtful = self._doubtful(seen, result, enough) or self._unlike(seen, result)
            doubtful = [clue for clue in doubtful if closer is not None and closer.wanted(clue.spot)]
            if doubtful and closer is not None and look(doubtful, closer):
                beliefs = {clue.spot: self.beliefs(clue) for clue in seen}
                result = self._assigned(beliefs, ids, unseen, prior)
        if closer is not None and self._look_elsewhere(self._of_unclear_ways(seen, result, closer), closer):
            beliefs = {clue.spot: self.beliefs(clue) for clue in seen}
            result = self._assigned(beliefs, ids, unseen, prior)
        strange = [spot for spot, belief in beliefs.items() if belief[ALIEN] > self._settings.judge.hides]
        by_spot = {clue.spot: clue for clue in clues}
        loose = self._loose(result)
        for piece in ids:
            spot, sure = max(
                ((s, kinds.get(piece, 0.0)) for s, kinds in result.at.items()), key=lambda item: item[1], default=("", 0.0)
            )
            if result.missing[piece] >= 0.5 or not spot:
                self._absent(piece, group, result, unseen, strange, claims)
                continue
            alone = self._among(loose - {piece}, piece, beliefs[spot])
            self._claim_walker(piece, by_spot[spot], sure, alone, beliefs[spot], claims)
        return result

    def _loose(self, result: Marginals) -> frozenset[str]:
        """The walking pieces that stand nowhere surely, and are not surely missing."""
        sure, least = _best(result), self._settings.claim
        return frozenset(piece for piece, gone in result.missing.items() if self._trusted(max(sure[piece], gone)) < least)

    def _among(self, loose: Collection[str], piece: str, belief: Mapping[str, float]) -> float:
        """How probable a piece is by the looks of its cell alone, beside those that stand nowhere surely: that they seem to
        stand elsewhere is no proof. 1 where that is enough for a claim."""
        looks = {name: value for name, value in belief.items() if "/" in name}
        own = sum(value for name, value in looks.items() if name.partition("/")[0] == piece)
        others = sum(value for name, value in looks.items() if name.partition("/")[0] in loose)
        alone = own / max(own + others, 1e-12)
        return 1.0 if alone >= self._settings.claim else alone

    def placed(self, result: Marginals, sure: float | None = None) -> bool:
        """Whether it is known of every walking piece where it stands, whatever its side; as ``sure`` as a claim, or surer."""
        return all(value >= (sure or self._settings.claim) for value in _best(result).values())

    def _doubtful(self, clues: Sequence[Clue], result: Marginals, sure: float) -> list[Clue]:
        """While some walking piece is found less surely: the cells not clearly bare on which none surely stands."""
        bare = self._settings.judge.clearly_bare
        if self.placed(result, sure):
            return []
        return [
            clue
            for clue in clues
            if self.beliefs(clue)[BARE] < bare and max(result.at.get(clue.spot, {}).values(), default=0.0) < sure
        ]

    def _standing(self, clue: Clue, result: Marginals) -> tuple[str, Mapping[str, float]] | None:
        """The walking piece that surely stands on a cell, and how probable each of its faces is by that cell's looks alone;
        None if none surely does."""
        piece, sure = max(result.at.get(clue.spot, {}).items(), key=lambda item: item[1], default=("", 0.0))
        if sure < self._settings.claim:
            return None
        belief = self.beliefs(clue)
        return piece, {face: belief.get(f"{piece}/{face}", 0.0) for face in self._pieces.pieces[piece].faces}

    def _unlike(self, clues: Sequence[Clue], result: Marginals) -> list[Clue]:
        """The cells on which a walking piece surely stands, but does not look like it: it may lie beside where it was found."""
        found = []
        for clue in clues:
            standing = None if clue.quiet else self._standing(clue, result)
            found += [clue] * (standing is not None and sum(standing[1].values()) < self._settings.judge.recognised)
        return found

    def _of_unclear_ways(self, clues: Sequence[Clue], result: Marginals, closer: Closer) -> list[Clue]:
        """The cells on which a piece surely stands of which it is not clear which way it looks."""
        found = []
        for clue in clues:
            standing = self._standing(clue, result) if closer.wanted(clue.spot) else None
            if standing is None or not self._pieces.pieces[standing[0]].facing:
                continue
            piece, faces = standing
            known = sum(faces.values()) >= self._settings.judge.recognised
            told = self.facing(piece, max(faces, key=lambda face: faces[face]), self._best.get(clue, clue), known)
            found += [clue] * (told is None or told[1] < self._settings.claim)
        return found

    def _uncover(self, doubtful: Sequence[Clue], closer: Closer) -> bool:
        """Look for flat pieces that lie open where a disc might stand: none stands on what is seen whole. Returns whether there
        are any."""
        cells = {clue.spot: clue for clue in doubtful}
        found = False
        for group in self._examiner.flat_groups:
            wanted = cells.keys() & set(self._examiner.spots(group))
            for clue in closer.flats(group, wanted) if wanted else ():
                belief = self.beliefs(clue)
                if 1 - belief[BARE] - belief[ALIEN] >= self._settings.claim and self._drawings.is_piece(clue):
                    self._open.add(cells[clue.spot])
                    found = True
        return found

    def _least_bare(self, doubtful: Sequence[Clue], closer: Closer) -> list[Clue]:
        """The doubtful cells that are worth another look at their discs: few where only some spots are looked at again."""
        most = self._settings.judge.elsewhere_cells // (1 if closer.spots is None else 2)
        some = sorted(doubtful, key=lambda clue: self.beliefs(clue)[BARE])[:most]
        return [clue for clue in some if clue.stack is not None and clue not in self._mixed]

    def _look_beside(self, doubtful: Sequence[Clue], closer: Closer) -> bool:
        """Look a little beside where discs were found, for whom they may be like there. Returns whether there are any."""
        news = [self._believer.beside(clue) for clue in self._least_bare(doubtful, closer)]
        return any(news)

    def _look_elsewhere(self, doubtful: Sequence[Clue], closer: Closer) -> bool:
        """Look for discs at other places in their cells than where they seemed to lie: the places' answers are mixed, as the
        portraits are more or less alike there. Returns whether there are any."""
        found, own = False, self._settings.judge
        for clue in self._least_bare(doubtful, closer):
            blend = self._believer.blends[clue.scorer]
            every = [clue, *closer.elsewhere(clue, own.elsewhere)]
            alike = [self._believer.portraits(one) for one in every]
            weights = softmax(blend.weights[PAIR] * np.clip([ratios.max() for ratios in alike], -SURE, SURE))
            answers = [self._believer.discs(one) for one in every]
            self._mixed[clue] = dict(zip(clue.names, (weights @ np.array(answers)).tolist(), strict=True))
            self._best[clue] = every[int(weights.argmax())]
            found = True
        return found

    def _assigned(
        self, beliefs: Mapping[str, Mapping[str, float]], ids: Sequence[str], unseen: Sequence[str], prior: Reading | None
    ) -> Marginals:
        """Who is where, by all places together."""
        places = []
        stay = self._settings.stay / (1 - self._settings.stay)
        before: dict[str, list[str]] = {}
        for sighting in prior.sightings if prior is not None else ():
            if sighting.piece in ids:
                before.setdefault(sighting.place, []).append(sighting.piece)
        for spot, belief in beliefs.items():
            kinds = dict.fromkeys(ids, 0.0)
            for name, value in belief.items():
                piece, of, _ = name.partition("/")
                if of and piece in kinds:
                    kinds[piece] += value
            self._let_faint_in(kinds, belief[BARE])
            for piece in before.get(spot, ()):  # it is likelier to be there still
                kinds[piece] *= stay
            places.append(Place(spot, belief[BARE] + self._settings.judge.stranger * belief[ALIEN], kinds))
        own = self._settings.judge
        strange = sum(belief[ALIEN] > own.hides for belief in beliefs.values())
        sink = own.astray + own.astray_unseen * (len(unseen) + strange)
        return marginals(places, dict.fromkeys(ids, 1), dict.fromkeys(ids, sink))

    def _let_faint_in(self, kinds: dict[str, float], bare: float) -> None:
        """A piece of which next to nothing was made out when it was taught may look like anybody: what is a disc but none of
        the others may be it, and that it looks a little like bare print says nothing."""
        faint = {piece: much for piece, much in self._examiner.faintness.items() if much > 0 and piece in kinds}
        others = [value for piece, value in kinds.items() if piece not in faint]
        some = sum(others)
        nobody = (some - max(others, default=0.0)) * some / max(some + bare, 1e-12)
        for piece, much in faint.items():
            own = kinds[piece]
            plain = own * own / max(own + bare, 1e-12)
            kinds[piece] = (1 - much) * own + much * (plain + self._settings.judge.faint * nobody)

    def _claim_walker(
        self, piece: str, clue: Clue, sure: float, alone: float, belief: Mapping[str, float], claims: Claims
    ) -> None:
        """Claim a walking piece that stands on a cell: as ``sure`` as that is by all cells together, and no surer than by this
        one ``alone``."""
        entry = self._pieces.pieces[piece]
        name = subject(piece, self._pieces.group_of(piece))
        clue = self._best.get(clue, clue)
        faces = {face: belief[f"{piece}/{face}"] for face in entry.faces}
        total = sum(faces.values())
        looks = total  # how probable the piece is by the looks of this cell alone
        there = min(self._trusted(sure), alone)
        placed = there >= self._settings.claim
        doubted = placed and sure * max(faces.values()) / max(total, 1e-12) < self._settings.claim
        faces = self._upper.sides(piece, faces, belief, clue, doubted)
        total = sum(faces.values())
        face, weight = max(faces.items(), key=lambda item: item[1])
        facing = None
        confidence = there * self._trusted(weight / max(total, 1e-12), self._upper.plain(piece))
        if confidence < self._settings.claim or not self._upper.can_be_said(piece, face, looks, belief, clue):
            what = "its side cannot be told: it lies" if placed else "it may lie"
            claims.unknown[name] = f"{what} at {clue.spot} ({confidence:.0%})"
            claims.lying |= {piece: clue.spot} if placed else {}
            return
        if entry.facing:
            told = self.facing(piece, face, clue, looks >= self._settings.judge.recognised)
            if told is None or told[1] < self._settings.claim:
                claims.unknown[name] = f"it lies at {clue.spot}, but which way it faces cannot be told"
                claims.lying[piece] = clue.spot
                return
            facing = told[0]
            confidence *= told[1]
        x, y = self._board.mm(clue.spot)
        offset = clue.disc.offset_mm if clue.disc is not None else (0.0, 0.0)
        claims.sightings.append(Sighting(piece, clue.spot, face, facing, min(confidence, MOST), (x + offset[0], y + offset[1])))

    def _trusted(self, chance: float, plain: float = 1.0) -> float:
        """How sure it is who stands on a cell, or which side is up, as ``plain`` as that is: the fits say less than is true."""
        return weighed(chance, 1 + (self._settings.judge.trust - 1) * plain)

    def facing(self, piece: str, face: str, clue: Clue, known: bool = True) -> tuple[str, float] | None:
        """Which way a piece at a place faces that is ``known`` by its looks or not, and how probable that is; None if that
        cannot be told."""
        values = self._believer.ways(clue, piece, face, known)
        if values is None:
            return None
        best = int(values.argmax())
        return self._board.directions[best], float(values[best])

    def _absent(
        self, piece: str, group: Group, result: Marginals, unseen: list[str], strange: list[str], claims: Claims
    ) -> None:
        """A piece found nowhere: off the board only if every place is in sight and surely without it."""
        anywhere = sum(kinds.get(piece, 0.0) for kinds in result.at.values())
        if not unseen and not strange and anywhere < self._settings.judge.nowhere:
            return
        why = (
            f"{len(unseen)} cells are hidden"
            if unseen
            else "something that is no known piece lies on the board"
            if strange
            else "it was not recognised"
        )
        claims.unknown[subject(piece, group)] = f"it is not in sight: {why}"

    def doubt_absence(self, clues: Sequence[Clue], claims: Claims) -> None:
        """Take back that a walking piece is absent while a cell on which nothing is claimed is not clearly bare: it may stand
        there, too washed out to be known. Where none of them is found at all, the board is bare. To be asked when the flat
        pieces are claimed as well."""
        taken = {sighting.place for sighting in claims.sightings}
        told = {sighting.piece for sighting in claims.sightings}
        group = self._examiner.walkers
        ids = [piece.id for piece in self._pieces.in_group(group.key)]
        lost = [piece for piece in ids if piece not in told and subject(piece, group) not in claims.unknown]
        free = [clue for clue in clues if clue.spot not in taken and clue.sighted]
        bare = self._settings.judge.clearly_bare
        if lost and told.intersection(ids) and any(self.beliefs(clue)[BARE] < bare for clue in free):
            for piece in lost:
                claims.unknown[subject(piece, group)] = "it is not in sight: it was not recognised"


def _best(result: Marginals) -> dict[str, float]:
    """How probable each piece is at the place where it is likeliest."""
    best = dict.fromkeys(result.missing, 0.0)
    for kinds in result.at.values():
        best |= {piece: max(best[piece], value) for piece, value in kinds.items()}
    return best

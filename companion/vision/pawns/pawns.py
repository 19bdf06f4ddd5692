"""The pawns of one picture: the most likely first, each explaining the pixels it covers."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from math import hypot

import numpy as np
from numpy.typing import NDArray

from companion.vision.cards.view import NOWHERE, Floats
from companion.vision.pawns.canvas import Canvas
from companion.vision.pawns.looks import PieceLook
from companion.vision.pawns.sites import ASTRAY_MM, FAINT, RIVALS_MM, STRAY, Indices, Lying, Put, Standing
from companion.vision.pawns.taught import Paint, in_one_light
from companion.vision.pawns.tokens import TokenSearch

_SHOWN = 0.08
"""The share of a pawn's outline that must not look bare for a pawn to be asked about there."""
_HOPELESS = -40.0
"""Nats of a pawn at the best of a few feet about its site, below which no foot between them is tried."""
_LEVELS = 8
"""How finely (levels) it is known beyond which a pixel is washed out."""
SHARED = 0.3
"""The share of a token's room that a pawn must cover for the token to be asked about in its stead."""


class PawnSearch:
    """Asks which pawns stand on a canvas. ``pawns``: those that were placed, told or refused."""

    def __init__(self, canvas: Canvas, tokens: TokenSearch) -> None:
        self.canvas, self.tokens, self.sites, self.settings = canvas, tokens, canvas.sites, canvas.settings
        self.floor = np.float32(np.log(self.settings.hidden)) + NOWHERE
        self.paints: dict[str, Floats] = {}
        self.colours, self.levels = np.empty((0, 3), np.float32), np.empty((0, 3), np.float32)
        self.washed = np.empty(0, np.intp)
        self.slot = np.full(canvas.depth.size, -1, np.int32)
        self.marked = np.zeros(canvas.depth.size, np.bool_)
        self.pawns: list[Standing] = []

    def told(self, every: list[Standing]) -> list[Put]:
        """The pawns that are surely told; the others are refused. What tokens explain better is left to them."""
        likely, flat, gains, others = every, dict[int, float](), dict[int, float](), dict[int, float]()
        while True:
            self._place_pawns(likely)
            for one in self.pawns:
                with self._without(one):
                    flat[id(one)], gains[id(one)] = self._tokens_instead(one), self._gain(one)
            better = [one for one in self.pawns if flat[id(one)] > gains[id(one)]]
            if not better:
                others = {id(one): self._others_instead(one, every, flat[id(one)]) for one in self.pawns}
                worst = max(self.pawns, key=lambda one: others[id(one)] - gains[id(one)], default=None)
                if worst is None or others[id(worst)] <= gains[id(worst)]:
                    break
                better = [worst]  # where it is mended others may be right
            # Only then is it known what else the pawns of that look may explain.
            likely = [one for one in likely if not any(one.look == other.look and one.spot == other.spot for other in better)]
            self._clear()
        told = []
        for one in self.pawns:
            margin = gains[id(one)] - others[id(one)]
            fit, visible = self._pawn_fit(one)
            named = gains[id(one)] - self._another_look(one, every)
            if margin < (self.settings.named if self._lone(one) else self.settings.margin) or named < self.settings.named:
                self.canvas.refuse(one, "which pawn stands there, or where it stands, cannot be told")
            elif fit < self.settings.fit or visible < self.settings.visible:
                self.canvas.refuse(one, "what stands there does not look like a pawn that was taught")
            else:
                told.append(Put(one.look, one.spot, one.mm, margin, fit, visible))
        for look in dict.fromkeys(put.look for put in told):
            alike = sorted((put for put in told if put.look == look), key=lambda put: -put.margin)
            for put in alike[len(look.pieces) :]:
                told.remove(put)
                one = next(one for one in self.pawns if one.spot == put.spot)
                self.canvas.refuse(one, "more pieces seem to lie there than the game has")
        return told

    def _others_instead(self, one: Standing, every: list[Standing], flat: float) -> float:
        """By how many nats the picture is explained better at the best if a pawn that was placed is not where it is: by what
        lies there (``flat`` nats), what stands there or near it, and the pawn in another place, or in another one's stead."""
        lone = self._lone(one)
        freed = [other for other in every if other.look == one.look and other.spot != one.spot] if lone else []
        held = {other.spot: other for other in self.pawns if other is not one}
        most = max((0.0, *(other.gain for other in freed)))
        with self._without(one):
            best = self._moved(freed, held)
            for other in self._rivals(one, every, held):
                if other.look == one.look and (other.spot == one.spot or lone):
                    continue
                taken = next((pawn for pawn in held.values() if self._lone(pawn) and pawn.look == other.look), None)
                if taken is None:
                    gain = self._gain_over(other, best - most)
                    if gain + most > best:
                        with self._with(other):
                            best = max(best, gain + self._moved(freed, {**held, other.spot: other}))
                else:
                    best = max(best, self._exchanged(other, taken, every, freed, held))
        return max(0.0, flat) + best

    def _another_look(self, one: Standing, every: list[Standing]) -> float:
        """The nats of the likeliest pawn of another look where one stands; none that is not likelier than nothing."""
        spent = {other.look for other in self.pawns if self._lone(other)}
        with self._without(one):
            rivals = (other for other in every if other.spot == one.spot and other.look != one.look and other.look not in spent)
            return max((gain for gain in map(self._gain, rivals) if gain > 0.0), default=-np.inf)

    def _rivals(self, one: Standing, every: list[Standing], held: Mapping[str, Standing]) -> Iterator[Standing]:
        """The pawns that may stand where one stands or near it, on sites where none is held."""
        for other in every:
            if other.spot not in held and hypot(other.mm[0] - one.mm[0], other.mm[1] - one.mm[1]) < RIVALS_MM:
                yield other

    def _lone(self, one: Standing) -> bool:
        """Whether a pawn's look is that of one piece only."""
        return len(one.look.pieces) == 1

    def _gain_over(self, one: Standing, least: float) -> float:
        """By how many nats a pawn explains the picture better than the tokens that may lie there; what is not more than
        ``least`` need not be exact."""
        gain = self._gain(one)
        return gain if gain <= least else gain - max(0.0, self._tokens_instead(one))

    def _moved(self, freed: Iterable[Standing], held: Mapping[str, Standing]) -> float:
        """The nats that a pawn gains at the best of some sites; where another one is held, in its stead. 0 where at none."""
        best = 0.0
        for one in freed:
            if one.gain <= best:
                continue
            there = held.get(one.spot)
            if there is None:
                best = max(best, self._gain_over(one, best))
            else:
                lost = self._gain_of(there)
                with self._without(there):
                    best = max(best, self._gain(one) - lost)
        return best

    def _exchanged(
        self, one: Standing, taken: Standing, every: list[Standing], freed: list[Standing], held: Mapping[str, Standing]
    ) -> float:
        """The nats that are gained where a pawn stands that was placed elsewhere (``taken``) until now, what stands there then
        and where the one stands that made room (``freed``), less those that are lost there."""
        lost = self._gain_of(taken)
        with self._without(taken):
            lost -= max(0.0, self._tokens_instead(taken))
        others = {spot: other for spot, other in held.items() if other is not taken}
        spent = {other.look for other in (one, *others.values(), *freed[:1]) if self._lone(other)}
        with self._without(taken):
            gain = self._gain_over(one, 0.0) - lost
            others[one.spot] = one
            with self._with(one):
                best = self._moved(freed, others)
                for other in self._rivals(taken, every, others):
                    if other.look in spent or other.gain <= 0.0:
                        continue
                    more = self._gain_over(other, 0.0)
                    with self._with(other):
                        best = max(best, more + self._moved(freed, {**others, other.spot: other}))
        return gain + best

    def _gain_of(self, one: Standing) -> float:
        """The nats of a pawn that was placed, were it taken away."""
        with self._without(one):
            return self._gain(one)

    def contenders(self, every: list[Standing]) -> list[tuple[Standing, float]]:
        """The pawns that were not placed and may stand there all the same if no token lies there, each with its nats."""
        taken, spent = {one.spot for one in self.pawns}, {one.look.key for one in self.pawns if self._lone(one)}
        free = [(one, self._gain(one)) for one in every if one.spot not in taken and one.look.key not in spent]
        return [(one, gain) for one, gain in free if gain > 0.0]

    def doubt_faint(self, every: list[Standing], told: Collection[Put]) -> None:
        """Doubt the pawns that are nearly as likely as what was told of their sites, or may stand where one was refused: they
        are not said to be absent."""
        sure = {(put.look, put.spot) for put in told}
        taken = {one.spot for one in self.pawns} | {one.spot for one in self.tokens.tokens}
        spent = {one.look.key for one in self.pawns if self._lone(one)}
        for one in every:
            home = one.spot in self.sites.at_home[one.look.group] and one.spot not in taken
            if home and one.look.key not in spent and self._gain(one) > FAINT:
                self.canvas.refuse(one, "whether a pawn stands there cannot be told")
        for one in [pawn for pawn in self.pawns if (pawn.look, pawn.spot) not in sure]:
            with self._without(one):
                for other in self._rivals(one, every, {pawn.spot: pawn for pawn in self.pawns}):
                    if other.look.key not in spent and self._gain(other) > FAINT:
                        self.canvas.refuse(other, "which pawn stands there cannot be told")
                for lying in (lying for name in self._tokens_below(one) for lying in self.tokens.lying(*name)):
                    if lying.gain > FAINT:
                        self.canvas.refuse(lying, "whether a piece lies or stands there cannot be told")

    def standing(self) -> list[Standing]:
        """All pawns that may stand anywhere, each where it fits best about its site."""
        sites = self.sites
        faint = sites.faint
        asked: dict[tuple[str, str], list[PieceLook]] = {}
        for (key, spot), (own, _) in sites.outlines.items():
            shown = len(own) > 0 and float(self.canvas.foreground[own].mean()) > _SHOWN
            known = [look for look in sites.looks[key] if look.key in sites.copy.paints]
            chosen = [look for look in known if shown or (look.key, spot) in faint]
            if chosen:
                asked[key, spot] = chosen
        if not asked:
            return []
        reach = round(self.settings.off_mm * sites.grid.scale)
        near = np.zeros(self.canvas.depth.size, np.bool_)
        for key, spot in asked:
            own = sites.outlines[key, spot][0]
            for dy in (-reach, 0, reach):
                for dx in (-reach, 0, reach):
                    near[self.canvas.moved(own, dx, dy)] = True
        among = np.asarray(np.flatnonzero(near), np.int32)
        self.slot[among] = np.arange(len(among), dtype=np.int32)
        self._look_at(among)
        every = np.arange(len(among))
        for key in sites.copy.paints:
            density = self._density(key, every, lambda paint, colours: paint.density(colours, self.settings))
            self.paints[key] = np.append(self._or_hidden(density), self.floor).astype(np.float32)
        found = (self._best_foot(look, spot) for (_, spot), chosen in asked.items() for look in chosen)
        return [one for one in found if one is not None and one.gain > FAINT]

    def _look_at(self, among: Indices) -> None:
        """Keep the colours of some pixels (flat numbers), and of those that are washed out beyond which level they are."""
        view = self.canvas.view
        self.colours, burnt = view.colours_at(among), np.flatnonzero(view.burnt.reshape(-1)[among])
        levels, which = np.unique(np.round(view.light.white_level_at(among[burnt]) / _LEVELS), axis=0, return_inverse=True)
        self.levels = np.asarray(levels * _LEVELS, np.float32)
        self.washed = np.full(len(among), -1, np.intp)
        self.washed[burnt] = which.reshape(-1)

    def _density(self, key: str, slots: NDArray[np.intp], of: Callable[[Paint, Floats], Floats]) -> Floats:
        """A log density (…×N) of what was looked at (numbers of these pixels) by the paint of a look."""
        paint, colours, washed = self.sites.copy.paints[key], self.colours[slots], self.washed[slots]
        density = of(paint, colours)
        for number in np.unique(washed[washed >= 0]):
            some = np.flatnonzero(washed == number)
            density[..., some] = of(paint.clipped(self.levels[number]), colours[some])
        return density

    def _or_hidden(self, density: Floats) -> Floats:
        """A log density where something may hide what it is of."""
        return np.asarray(np.maximum(np.float32(np.log(1 - self.settings.hidden)) + density, self.floor), np.float32)

    def _in_one_light(self, look: PieceLook, at: Indices) -> tuple[Floats, float]:
        """The log densities of some pixels by the paint of a pawn that covers them all, in the one light that is likeliest to
        fall on it, and by how many nats that light is less likely than the taught one."""
        slots = self.slot[at].astype(np.intp)
        known = np.flatnonzero(slots >= 0)
        by_light = self._density(look.key, slots[known], lambda paint, colours: paint.by_light(colours, self.settings))
        lights = [(self._or_hidden(density), cost) for density, cost in in_one_light(by_light)]
        likeliest, cost = max(lights, key=lambda one: float(one[0].sum()) / self.sites.per_nat - one[1])
        nats = np.full(len(at), self.floor, np.float32)
        nats[known] = likeliest
        return nats, cost

    def _best_foot(self, look: PieceLook, spot: str) -> Standing | None:
        """A pawn where it fits best about a site; None where it fits nowhere."""
        sites, scale = self.sites, self.sites.grid.scale
        own, core = sites.outlines[look.group, spot]
        paint = self.paints[look.key]
        reach = round(self.settings.off_mm * scale)
        best, where = -np.inf, (0, 0)
        for step, around in ((max(1, reach // 2), 2), (1, 1), (1, 1)):
            ways = np.arange(-around, around + 1) * step
            across, down = (way.ravel() for way in np.meshgrid(ways + where[0], ways + where[1]))
            inside = (np.abs(across) <= reach) & (np.abs(down) <= reach)
            across, down = across[inside], down[inside]
            at = np.clip(own + (down * self.canvas.width + across)[:, None], 0, self.canvas.depth.size - 1)
            gains = (paint[self.slot[at]] - self.canvas.value[at]).sum(axis=1) / sites.per_nat
            gains -= 0.5 * (across**2 + down**2) / (ASTRAY_MM * scale) ** 2
            top = int(np.argmax(gains))
            best, where = float(gains[top]), (int(across[top]), int(down[top]))
            if best < _HOPELESS:
                return None
        if best <= FAINT:
            return None
        at, group = self.canvas.moved(own, *where), sites.pieces.groups[look.group]
        mm = sites.site[spot]
        foot = mm[0] + where[0] / scale, mm[1] + where[1] / scale
        prior = -0.5 * float(where[0] ** 2 + where[1] ** 2) / (ASTRAY_MM * scale) ** 2
        prior -= 0.0 if spot in sites.at_home[look.group] else STRAY
        depth = 1e5 - sites.sight.distance_mm(foot)
        nats, cost = self._in_one_light(look, at)
        bare, prior = self.canvas.value[at], prior - cost
        gain = float((nats - bare).sum()) / sites.per_nat + prior
        return Standing(look, group, spot, foot, depth, at, self.canvas.moved(core, *where), nats, bare, prior, gain)

    def _gain(self, one: Standing) -> float:
        """By how many nats a pawn explains the picture better, beside what stands there already."""
        seen = self.canvas.depth[one.own] < one.depth
        return float((one.nats - self.canvas.value[one.own])[seen].sum()) / self.sites.per_nat + one.prior

    def _stand(self, one: Standing) -> None:
        seen = self.canvas.depth[one.own] < one.depth
        self.canvas.value[one.own[seen]] = one.nats[seen]
        self.canvas.depth[one.own[seen]] = one.depth

    def _clear(self) -> None:
        """Take all pawns away again."""
        for one in self.pawns:
            self.canvas.depth[one.own], self.canvas.value[one.own] = -1.0, one.bare
        self.pawns.clear()
        self.canvas.counts.clear()

    def _place_pawns(self, every: list[Standing]) -> None:
        """The pawns that explain most, one after the other, until no further one explains enough."""
        left = sorted(every, key=lambda one: -one.gain)
        while left:
            one = left.pop(0)
            gain = self._gain(one)
            if left and gain < left[0].gain - 1e-6:
                if gain > 0:
                    left.append(replace(one, gain=gain))
                    left.sort(key=lambda other: -other.gain)
                continue
            if gain < self.settings.margin:
                return
            taken = any(other.spot == one.spot for other in self.pawns)
            if taken or (len(one.look.pieces) == 1 and self.canvas.counts[one.look.key]):
                continue
            self.pawns.append(replace(one, gain=gain))
            self.canvas.counts[one.look.key] += 1
            self._stand(one)

    def _pawn_fit(self, one: Standing) -> tuple[float, float]:
        """The share of what is in sight of a pawn that has its paint, and the share in sight."""
        seen = one.core[(self.canvas.depth[one.core] <= one.depth) & self.canvas.inside[one.core]]
        paint = self.paints[one.look.key]
        painted = paint[self.slot[seen]] > self.floor + 1.0
        return float(painted.mean()) if len(seen) else 0.0, len(seen) / max(1, len(one.core))

    @contextmanager
    def _without(self, one: Standing) -> Iterator[None]:
        """The canvas as if a pawn were not there: what others explain of its pixels."""
        canvas, own, placed = self.canvas, one.own, self.pawns
        self.pawns = [other for other in placed if other is not one]
        kept = canvas.depth[own], canvas.value[own]
        canvas.depth[own], canvas.value[own] = -1.0, one.bare
        self.marked[own] = True
        for other in self.pawns:
            both = self.marked[other.own]
            at, nats = other.own[both], other.nats[both]
            seen = canvas.depth[at] < other.depth
            canvas.depth[at[seen]], canvas.value[at[seen]] = other.depth, nats[seen]
        self.marked[own] = False
        try:
            yield
        finally:
            canvas.depth[own], canvas.value[own] = kept
            self.pawns = placed

    @contextmanager
    def _with(self, one: Standing) -> Iterator[None]:
        """The canvas as if one more pawn stood there."""
        canvas, own, placed = self.canvas, one.own, self.pawns
        kept = canvas.depth[own], canvas.value[own]
        self._stand(one)
        self.pawns = [*placed, one]
        try:
            yield
        finally:
            canvas.depth[own], canvas.value[own] = kept
            self.pawns = placed

    def _tokens_instead(self, one: Standing) -> float:
        """How well tokens alone would explain what a pawn covers (nats), where it is not on the canvas. What they show beyond
        their compared parts speaks for neither (:meth:`TokenSearch.rim_nats`)."""
        found: dict[str, Lying] = {}
        for key, spot in self._tokens_below(one):
            best = max(self.tokens.lying(key, spot), key=lambda lying: lying.gain, default=None)
            if best is not None and best.gain > (found[spot].gain if spot in found else 0.0):
                found[spot] = best
        return sum(lying.gain for lying in found.values()) + self.tokens.rim_nats(one, tuple(found.values()))

    def _tokens_below(self, one: Standing) -> list[tuple[str, str]]:
        """The groups of tokens, with their sites, of which a pawn covers so much that they are asked about in its stead."""
        self.marked[one.own] = True
        below = [name for name, room in self.sites.rooms_near(one.mm) if self.marked[room].mean() > SHARED]
        self.marked[one.own] = False
        return below

"""What lies on every site of one picture: the most likely pawns first, each explaining the pixels it covers, then the tokens
that show beside them; what nothing explains makes its sites doubtful."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, Group, PieceSet, Point
from companion.vision.cards.view import Floats, MatGrid
from companion.vision.pawns.looks import PieceLook, groups, looks
from companion.vision.pawns.settings import PawnSettings
from companion.vision.pawns.shape import PawnForm, Sightline, pixels
from companion.vision.pawns.taught import TURNS, TaughtCopy, face_nats, rings_mm, sampled
from companion.vision.pawns.view import NOWHERE, BoardView
from companion.vision.reading import about_place, named_by_piece

Indices = NDArray[np.intp]
_ASTRAY_MM = 1.2
"""How far (standard deviation) pieces are laid off the middle of their sites."""
_STRAY = 15.0
"""Nats by which a piece is less likely on a site where its kind does not belong."""
_SHOWN = 0.08
"""The share of a pawn's outline that must not look bare for a pawn to be asked about there."""
_STIRRED = 0.08
"""The same of a token's room."""
_NEAR_MM, _ABOUT_MM, _SURROUNDED = 1.0, 3.0, 0.35
"""From how near to how far (mm) about a piece, and the share of that which may be odd before the piece is a part of it."""
_RIM_MM = 0.4
"""How far (mm) about a piece its edge may still show."""
_LEAST_MM2 = 2.0
"""What must be in sight (mm²) of the room of a piece for it to be told that none lies there."""
_RIVALS_MM = 30.0
"""How far apart (mm) two pawns may stand that may be taken for each other."""
_SHARED = 0.3
"""The share of a token's room that a pawn must cover for the token to be asked about in its stead."""
_HOPELESS = -40.0
"""Nats of a pawn at the best of a few feet about its site, below which no foot between them is tried."""
_FAINT = -4.0
"""Nats by which nothing must be likelier than a piece for the piece to be said to be absent."""
_ALIKE = 0.6
"""The share of an outline that the bare print fills with the colours of a paint, above which its site is always asked about."""
_EXPLAINED = -6.0
"""Log density (nats) of a pixel that a token explains."""
_LEAST_VISIBLE = 0.05
"""The share of a token in sight below which it is not asked about."""
_NUDGES = (-0.5, 0.0, 0.5)
"""How far (mm) beside the first guess of its middle a token is looked for."""
_APART_MM = 1.0
"""How much nearer to its site than to any other a piece must lie."""


class Put(NamedTuple):
    """A piece that was told: its look, where, its middle (board mm), by how many nats it leads, the share of what is in sight
    that is as taught, the share in sight."""

    look: PieceLook
    spot: str
    mm: Point
    margin: float
    fit: float
    visible: float


@dataclass(frozen=True)
class Found:
    """What one picture shows. ``unknown``: why by subject; ``hidden``: by subject the sites that something in front hides, of
    doubts that are only due to that; ``occluded``: sites something that is no piece lies or hangs over."""

    pieces: tuple[Put, ...]
    unknown: Mapping[str, str]
    hidden: Mapping[str, frozenset[str]]
    occluded: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Standing:
    """A pawn that may stand on a site: the pixels it covers, those well within its outline, and their log densities."""

    look: PieceLook
    group: Group
    spot: str
    mm: Point
    depth: float
    own: Indices
    core: Indices
    nats: Floats
    prior: float
    gain: float


@dataclass(frozen=True, eq=False)
class Lying:
    """A token that may lie on a site, with the likelihoods of its rivals there by look."""

    look: PieceLook
    group: Group
    spot: str
    mm: Point
    turn: float
    own: Indices
    gain: float
    fit: float
    visible: float


class TableSearch:
    """Reads pictures in which the board lies as one registration says."""

    def __init__(
        self, board: Board, pieces: PieceSet, copy: TaughtCopy, grid: MatGrid, sight: Sightline, settings: PawnSettings
    ) -> None:
        self.board, self.pieces, self.copy, self.grid, self.sight, self.settings = board, pieces, copy, grid, sight, settings
        self.groups = groups(pieces)
        self.looks: dict[str, list[PieceLook]] = {}
        for look in looks(pieces):
            self.looks.setdefault(look.group, []).append(look)
        self.spots = {group.key: _spots(board, (*group.on, *group.strays)) for group in self.groups}
        self.at_home = {group.key: frozenset(_spots(board, group.on)) for group in self.groups}
        self.site = {spot: copy.site(board.mm(spot)) for spots in self.spots.values() for spot in spots}
        self._faint: frozenset[tuple[str, str]] | None = None
        self.per_nat = settings.alike_mm2 * grid.scale**2
        self.outlines: dict[tuple[str, str], tuple[Indices, Indices]] = {}
        self.rooms: dict[tuple[str, str], Indices] = {}
        core = PawnForm(copy.form.height * 0.97, copy.form.width * 0.8, copy.form.neck * 0.9, copy.form.head * 0.85)
        for group in self.groups:
            for spot in self.spots[group.key]:
                mm = self.site[spot]
                if group.shape == "pawn":
                    parts = [self.pixels(sight.pawn(mm, group, form)) for form in (copy.form, core)]
                    self.outlines[group.key, spot] = parts[0], parts[1]
                else:
                    self.rooms[group.key, spot] = self.pixels(sight.token(mm, group))

    def pixels(self, parts: "list[NDArray[np.float64]]") -> Indices:
        """The pixels (flat numbers) of the view within an outline."""
        return pixels(parts, self.grid.scale, self.grid.origin_mm, self.grid.size)

    def read(self, view: BoardView) -> Found:
        """What one picture shows."""
        return _Look(self, view).found()

    def faint(self, view: BoardView) -> frozenset[tuple[str, str]]:
        """The looks of pawns with those of their sites where the bare print has the colours of their paint: a pawn there
        changes little."""
        if self._faint is None:
            homes = [(key, spot) for (key, spot), (own, _) in self.outlines.items() if spot in self.at_home[key] and len(own)]
            some = [self.outlines[home][0][::7] for home in homes]
            starts = np.cumsum([0, *map(len, some)])[:-1]
            colours = view.bare.lab.reshape(-1, 3)[np.concatenate(some)] if some else np.empty((0, 3), np.float32)
            level, found = np.float32(np.log(self.settings.hidden)) + NOWHERE, set()
            for name, paint in self.copy.paints.items():
                alike = np.add.reduceat(paint.density(colours, self.settings) > level, starts) if some else ()
                for (key, spot), count, own in zip(homes, alike, some, strict=True):
                    if any(name == look.key for look in self.looks[key]) and count > _ALIKE * len(own):
                        found.add((name, spot))
            self._faint = frozenset(found)
        return self._faint


def _about(turn_deg: float) -> list[int]:
    """A turn and the next ones (numbers of TURNS)."""
    turn = round(turn_deg * TURNS / 360)
    return [(turn + step) % TURNS for step in (-1, 0, 1)]


def _spots(board: Board, kinds: Iterable[str]) -> tuple[str, ...]:
    wanted = frozenset(kinds)
    cells = [cell for cell in board.cells if board.kind(cell) in wanted]
    return (*cells, *(place.id for place in board.places.values() if place.kind in wanted))


class _Look:
    """One picture while it is read."""

    def __init__(self, table: TableSearch, view: BoardView) -> None:
        self.table, self.view, self.settings = table, view, table.settings
        self.bare = view.print_nats.reshape(-1)
        self.foreground = view.foreground.reshape(-1)
        self.inside = view.inside.reshape(-1)
        self.lab = view.now.reshape(-1, 3)
        self.width = view.grid.size[0]
        self.floor = np.float32(np.log(self.settings.hidden)) + NOWHERE
        self.paints: dict[str, Floats] = {}
        self.slot = np.full(self.bare.size, -1, np.int32)
        self.pawns: list[Standing] = []
        self.tokens: list[Lying] = []
        self.depth = np.full(self.bare.size, -1.0, np.float32)
        self.value = self.bare.copy()
        self.counts: Counter[str] = Counter()
        self.refused: dict[str, str] = {}

    # --- pawns -----------------------------------------------------------------------------------------------------

    def _standing(self) -> list[Standing]:
        """All pawns that may stand anywhere, each where it fits best about its site."""
        table = self.table
        faint = table.faint(self.view)
        asked: dict[tuple[str, str], list[PieceLook]] = {}
        for (key, spot), (own, _) in table.outlines.items():
            shown = len(own) > 0 and float(self.foreground[own].mean()) > _SHOWN
            known = [look for look in table.looks[key] if look.key in table.copy.paints]
            chosen = [look for look in known if shown or (look.key, spot) in faint]
            if chosen:
                asked[key, spot] = chosen
        if not asked:
            return []
        reach = round(self.settings.off_mm * table.grid.scale)
        near = np.zeros(self.bare.size, np.bool_)
        for key, spot in asked:
            own = table.outlines[key, spot][0]
            for dy in (-reach, 0, reach):
                for dx in (-reach, 0, reach):
                    near[self._moved(own, dx, dy)] = True
        among = np.flatnonzero(near)
        self.slot[among] = np.arange(len(among), dtype=np.int32)
        level = np.float32(np.log(1 - self.settings.hidden))
        for key, paint in self.table.copy.paints.items():
            density = paint.density(self.lab[among], self.settings)
            self.paints[key] = np.append(np.maximum(level + density, self.floor), self.floor).astype(np.float32)
        found = (self._best_foot(look, spot) for (_, spot), chosen in asked.items() for look in chosen)
        return [one for one in found if one is not None and one.gain > _FAINT]

    def _moved(self, own: Indices, dx: int, dy: int) -> Indices:
        return np.clip(own + (dy * self.width + dx), 0, self.bare.size - 1)

    def _best_foot(self, look: PieceLook, spot: str) -> Standing | None:
        """A pawn where it fits best about a site; None where it fits nowhere."""
        table, scale = self.table, self.table.grid.scale
        own, core = table.outlines[look.group, spot]
        paint = self.paints[look.key]
        reach = round(self.settings.off_mm * scale)
        best, where = -np.inf, (0, 0)
        for step, around in ((max(1, reach // 2), 2), (1, 1), (1, 1)):
            ways = np.arange(-around, around + 1) * step
            across, down = (way.ravel() for way in np.meshgrid(ways + where[0], ways + where[1]))
            inside = (np.abs(across) <= reach) & (np.abs(down) <= reach)
            across, down = across[inside], down[inside]
            at = np.clip(own + (down * self.width + across)[:, None], 0, self.bare.size - 1)
            gains = (paint[self.slot[at]] - self.bare[at]).sum(axis=1) / table.per_nat
            gains -= 0.5 * (across**2 + down**2) / (_ASTRAY_MM * scale) ** 2
            top = int(np.argmax(gains))
            best, where = float(gains[top]), (int(across[top]), int(down[top]))
            if best < _HOPELESS:
                return None
        at, group = self._moved(own, *where), table.pieces.groups[look.group]
        mm = table.site[spot]
        foot = mm[0] + where[0] / scale, mm[1] + where[1] / scale
        prior = -0.5 * float(where[0] ** 2 + where[1] ** 2) / (_ASTRAY_MM * scale) ** 2
        prior -= 0.0 if spot in table.at_home[look.group] else _STRAY
        depth = 1e5 - table.sight.distance_mm(foot)
        gain = float((paint[self.slot[at]] - self.bare[at]).sum()) / table.per_nat + prior
        return Standing(
            look, group, spot, foot, depth, at, self._moved(core, *where), paint[self.slot[at]], prior, gain
        )  # fmt: skip

    def _gain(self, one: Standing, depth: Floats, value: Floats) -> float:
        """By how many nats a pawn explains the picture better, beside what stands there already."""
        seen = depth[one.own] < one.depth
        return float((one.nats - value[one.own])[seen].sum()) / self.table.per_nat + one.prior

    def _stand(self, one: Standing) -> None:
        seen = self.depth[one.own] < one.depth
        self.value[one.own[seen]] = one.nats[seen]
        self.depth[one.own[seen]] = one.depth

    def _place_pawns(self, every: list[Standing]) -> None:
        """The pawns that explain most, one after the other, until no further one explains enough."""
        left = sorted(every, key=lambda one: -one.gain)
        while left:
            one = left.pop(0)
            gain = self._gain(one, self.depth, self.value)
            if left and gain < left[0].gain - 1e-6:
                if gain > 0:
                    left.append(replace(one, gain=gain))
                    left.sort(key=lambda other: -other.gain)
                continue
            if gain < self.settings.margin:
                return
            taken = any(other.spot == one.spot for other in self.pawns)
            if taken or (len(one.look.pieces) == 1 and self.counts[one.look.key]):
                continue
            self.pawns.append(replace(one, gain=gain))
            self.counts[one.look.key] += 1
            self._stand(one)

    def _pawn_fit(self, one: Standing) -> tuple[float, float]:
        """The share of what is in sight of a pawn that has its paint, and the share in sight."""
        seen = one.core[(self.depth[one.core] <= one.depth) & self.inside[one.core]]
        paint = self.paints[one.look.key]
        painted = paint[self.slot[seen]] > self.floor + 1.0
        return float(painted.mean()) if len(seen) else 0.0, len(seen) / max(1, len(one.core))

    def _without(self, one: Standing) -> tuple[Floats, Floats]:
        """What stands where, and how well that explains the picture, if a pawn were not there."""
        depth, value = np.full_like(self.depth, -1.0), self.bare.copy()
        for other in sorted(self.pawns, key=lambda other: other.depth):
            if other is not one:
                value[other.own], depth[other.own] = other.nats, other.depth
        return depth, value

    def _told_pawns(self, every: list[Standing]) -> list[Put]:
        """The pawns that are surely told; the others are refused. What tokens explain better is left to them."""
        while True:
            self._place_pawns(every)
            flat = {id(one): self._tokens_instead(one, self._without(one)[0]) for one in self.pawns}
            better = [one for one in self.pawns if flat[id(one)] > self._gain(one, *self._without(one))]
            if not better:
                break
            # Only then is it known what else the pawns of that look may explain.
            every = [one for one in every if not any(one.look == other.look and one.spot == other.spot for other in better)]
            self.pawns.clear()
            self.counts.clear()
            self.depth.fill(-1.0)
            np.copyto(self.value, self.bare)
        told = []
        for one in self.pawns:
            depth, value = self._without(one)
            used = {other.spot for other in self.pawns if other is not one}
            spent = {other.look.key for other in self.pawns if other is not one and len(other.look.pieces) == 1}
            gain = self._gain(one, depth, value)
            rivals = [
                self._gain(other, depth, value)
                for other in every
                if (other.spot != one.spot or other.look.key != one.look.key)
                and other.spot not in used
                and other.look.key not in spent
                and np.hypot(other.mm[0] - one.mm[0], other.mm[1] - one.mm[1]) < _RIVALS_MM
            ]
            margin = gain - max([0.0, flat[id(one)], *rivals])
            fit, visible = self._pawn_fit(one)
            if margin < self.settings.margin:
                self._refuse(one, "which pawn stands there, or where it stands, cannot be told")
            elif fit < self.settings.fit or visible < self.settings.visible:
                self._refuse(one, "what stands there does not look like a pawn that was taught")
            else:
                told.append(Put(one.look, one.spot, one.mm, margin, fit, visible))
        for look in {put.look for put in told}:
            alike = sorted((put for put in told if put.look == look), key=lambda put: -put.margin)
            for put in alike[len(look.pieces) :]:
                told.remove(put)
                one = next(one for one in self.pawns if one.spot == put.spot)
                self._refuse(one, "more pieces seem to lie there than the game has")
        return told

    def _faint_pawns(self, every: list[Standing]) -> None:
        """Doubt the sites at which a pawn is nearly as likely as what was told of them: it is not said to be absent."""
        taken = {one.spot for one in self.pawns} | {one.spot for one in self.tokens}
        spent = {one.look.key for one in self.pawns if len(one.look.pieces) == 1}
        for one in every:
            home = one.spot in self.table.at_home[one.look.group] and one.spot not in taken
            if home and one.look.key not in spent and self._gain(one, self.depth, self.value) > _FAINT:
                self._refuse(one, "whether a pawn stands there cannot be told")

    def _tokens_instead(self, one: Standing, depth: Floats) -> float:
        """How well tokens alone would explain what a pawn covers (nats)."""
        own = np.zeros(self.bare.size, np.bool_)
        own[one.own] = True
        found: dict[str, float] = {}
        for (key, spot), room in self.table.rooms.items():
            x, y = self.table.site[spot]
            if len(room) and np.hypot(x - one.mm[0], y - one.mm[1]) < _RIVALS_MM and own[room].mean() > _SHARED:
                gain = max((lying.gain for lying in self._lying(key, spot, depth)), default=0.0)
                found[spot] = max(gain, found.get(spot, 0.0))
        return sum(found.values())

    def _refuse(self, one: "Standing | Lying", why: str) -> None:
        group = one.group
        if named_by_piece(group):
            for piece in one.look.pieces:
                self.refused[piece] = why
        self.refused_at.append((one, why))

    # --- tokens ----------------------------------------------------------------------------------------------------

    def _lying(self, key: str, spot: str, depth: Floats) -> list[Lying]:
        """The tokens of a group that may lie on a site, by look, given what stands before it."""
        table, settings, scale = self.table, self.settings, self.table.grid.scale
        group, room = table.pieces.groups[key], table.rooms[key, spot]
        faces = table.copy.faces.get(key, ())
        reach = round(settings.off_mm * scale)
        most, where = -float("inf"), (0, 0)
        for dy in range(-reach, reach + 1, max(1, reach // 4)):
            for dx in range(-reach, reach + 1, max(1, reach // 4)):
                at = self._moved(room, dx, dy)
                value = float((self.foreground[at] & (depth[at] < 0)).mean()) - 0.01 * float(np.hypot(dx, dy)) / scale
                if value > most:
                    most, where = value, (dx, dy)
        _, area = rings_mm(group)
        x, y = table.site[spot]
        whole = float(area.sum()) * TURNS
        off_home = 0.0 if spot in table.at_home[key] else _STRAY
        found: dict[str, Lying] = {}
        turns: dict[str, list[int] | None] = {face.look.key: None for face in faces}
        tries: list[tuple[float, float]] = [(where[0] / scale, where[1] / scale)]
        for _ in range(2):
            for right, down in tries:
                seen, flat = sampled(self.view, group, table.sight, (x + right, y + down))
                weight = np.asarray(area * ((depth[flat] < 0) & self.inside[flat]), np.float32)
                visible = float(weight.sum()) / whole
                if visible < _LEAST_VISIBLE:
                    continue
                bare = float((self.bare[flat] * weight).sum()) / settings.alike_mm2
                for face in faces:
                    turn, nats, fit = face_nats(seen, face, weight, settings, turns[face.look.key])
                    gain = nats - bare - 0.5 * (right * right + down * down) / _ASTRAY_MM**2 - off_home
                    had = found.get(face.look.key)
                    if had is None or gain > had.gain:
                        angle = turn * 360 / TURNS
                        found[face.look.key] = Lying(
                            face.look, group, spot, (x + right, y + down), angle, room, gain, fit, visible
                        )
            if not found:
                return []
            turns = {name: _about(one.turn) for name, one in found.items()}
            cx, cy = np.subtract(max(found.values(), key=lambda one: one.gain).mm, (x, y))
            tries = [(float(cx) + a, float(cy) + b) for a in _NUDGES for b in _NUDGES if a or b]
            tries = [(a, b) for a, b in tries if max(abs(a), abs(b)) <= settings.off_mm]
        return sorted(found.values(), key=lambda one: -one.gain)

    def _may_lie(self, group: Group, above: Group | None) -> bool:
        """Whether a piece of a group may lie on a site on which another was told."""
        return above is None or (above.key != group.key and group.covered_by is not None and group.may_lie_below(above))

    def _place_tokens(self, standing: Mapping[str, Group]) -> list[Put]:
        """The tokens that explain most, one after the other, in what the pawns leave in sight; ``standing``: where pawns were
        told."""
        told: list[Put] = []
        asked: dict[str, list[str]] = {}
        for (key, spot), room in self.table.rooms.items():
            sight = room[self.depth[room] < 0]
            if not self._may_lie(self.table.pieces.groups[key], standing.get(spot)):
                continue
            if len(sight) and float(self.foreground[sight].sum()) > _STIRRED * len(room):
                asked.setdefault(spot, []).append(key)
        ranked = {spot: self._ranked(spot, keys) for spot, keys in asked.items()}
        stale: set[str] = set()
        while ranked := {spot: every for spot, every in ranked.items() if every}:
            spot = max(ranked, key=lambda name: ranked[name][0].gain)
            if spot in stale:
                stale.remove(spot)
                ranked[spot] = self._ranked(spot, asked[spot])
                continue
            one, *rest = ranked.pop(spot)
            put = self._judged(one, max([0.0, *(other.gain for other in rest)]))
            if put is not None:
                told.append(put)
                self._lay(one)
                stale |= {name for name in ranked if np.hypot(*np.subtract(self.table.site[name], one.mm)) < _RIVALS_MM}
        return told

    def _judged(self, one: Lying, rival: float) -> Put | None:
        """What is told of the likeliest piece of a site, given the gain of its next rival; what is doubtful is refused."""
        settings, margin = self.settings, one.gain - rival
        if one.gain < settings.margin:
            if one.gain > _FAINT and one.spot in self.table.at_home[one.group.key]:
                self._refuse(one, "whether a piece lies there cannot be told")
        elif self.counts[one.look.key] >= len(one.look.pieces):
            self._refuse(one, "more pieces seem to lie there than the game has")
        elif margin < settings.margin or self._between(one):
            self._refuse(one, "which piece lies there, or where it lies, cannot be told")
        elif one.fit < settings.fit or one.visible < settings.visible:
            self._refuse(one, "what lies there does not look like a piece that was taught")
        else:
            return Put(one.look, one.spot, one.mm, margin, one.fit, one.visible)
        return None

    def _lay(self, one: Lying) -> None:
        """Take what a token covers, and its rim, as explained."""
        self.counts[one.look.key] += 1
        mask = np.zeros(self.depth.size, np.bool_)
        mask[self.table.pixels(self.table.sight.token(one.mm, one.group, one.turn))] = True
        covered = self._rimmed(mask) & (self.depth < 0)
        self.depth[covered], self.value[covered] = 0.0, _EXPLAINED
        self.tokens.append(one)

    def _ranked(self, spot: str, keys: Iterable[str]) -> list[Lying]:
        return sorted((one for key in keys for one in self._lying(key, spot, self.depth)), key=lambda one: -one.gain)

    def _between(self, one: Lying) -> bool:
        """Whether a token lies about as near to another site as to its own."""
        x, y = one.mm
        own = np.hypot(*np.subtract(self.table.site[one.spot], (x, y)))
        others = (self.table.site[spot] for spot in self.table.spots[one.group.key] if spot != one.spot)
        return bool(min(np.hypot(a - x, b - y) for a, b in others) < own + _APART_MM)

    # --- the rest --------------------------------------------------------------------------------------------------

    def found(self) -> Found:
        self.refused_at: list[tuple[Standing | Lying, str]] = []
        every, kinds = self._standing(), self.table.pieces.groups
        told = self._told_pawns(every)
        standing = self.depth >= 0
        self.depth[self._rimmed(standing) & ~standing] = 0.0
        told += self._place_tokens({put.spot: kinds[put.look.group] for put in told})
        told = self._standing_alone(told)
        self._faint_pawns(every)
        unknown: dict[str, str] = dict(self.refused)
        hidden: dict[str, frozenset[str]] = {}
        occluded: set[str] = set()
        on_spot = {put.spot: kinds[put.look.group] for put in told}
        may_hide: dict[str, list[str]] = {}
        for group, spot, why, only_hidden in self._doubts(on_spot, standing):
            if not only_hidden:
                occluded.add(spot)
            if named_by_piece(group):
                may_hide.setdefault(group.key, []).append(spot)
                continue
            name = about_place(spot, group)
            unknown[name] = why
            if only_hidden:
                hidden[name] = frozenset({spot})
        for one, why in self.refused_at:
            if not named_by_piece(one.group):
                unknown[about_place(one.spot, one.group)] = why
        for key, spots in may_hide.items():
            for piece in self.table.pieces.in_group(key):
                if not any(piece.id in put.look.pieces for put in told):
                    unknown.setdefault(piece.id, f"{piece.name} is not in sight, and {spots[0]} may hide it")
                    hidden[piece.id] = frozenset(spots)
        return Found(tuple(told), unknown, hidden, frozenset(occluded))

    def _standing_alone(self, told: list[Put]) -> list[Put]:
        """What was told, without pieces that are a part of something larger, of a hand say: about them lies what nothing
        explains."""
        odd = self.foreground & (self.depth < 0)
        known: dict[tuple[PieceLook, str], Standing | Lying] = {(one.look, one.spot): one for one in self.pawns}
        known |= {(one.look, one.spot): one for one in self.tokens}
        found = []
        for put in told:
            one = known[put.look, put.spot]
            if isinstance(one, Standing):
                own = one.own
            else:
                own = self.table.pixels(self.table.sight.token(one.mm, one.group, one.turn))
            if self._odd_about(own, odd) < _SURROUNDED:
                found.append(put)
            else:
                self._refuse(one, f"something hides {one.spot}")
        return found

    def _odd_about(self, own: Indices, odd: NDArray[np.bool_]) -> float:
        """The share of what lies closely about an outline that nothing explains."""
        rows, columns = own // self.width, own % self.width
        room = round(_ABOUT_MM * self.table.grid.scale) + 1
        low, high = max(0, int(rows.min()) - room), int(rows.max()) + room + 1
        left, right = max(0, int(columns.min()) - room), min(self.width, int(columns.max()) + room + 1)
        mask = np.zeros((high - low, right - left), np.uint8)
        mask[rows - low, columns - left] = 1
        sides = (2 * round(mm * self.table.grid.scale) + 1 for mm in (_ABOUT_MM, _NEAR_MM))
        wide, near = (cv2.dilate(mask, np.ones((side, side), np.uint8)) for side in sides)
        part = odd.reshape(-1, self.width)[low:high, left:right]
        band = (wide - near)[: part.shape[0]].astype(np.bool_)
        return float(part[band].mean()) if band.any() else 0.0

    def _doubts(self, on_spot: Mapping[str, Group], standing: NDArray[np.bool_]) -> Iterator[tuple[Group, str, str, bool]]:
        """Groups and their sites of which nobody knows whether such a piece lies there: why, and whether only because something
        told hides it."""
        covered = self.depth >= 0
        odd = self.foreground & ~covered
        for group in self.table.groups:
            for spot in self.table.at_home[group.key]:
                above = on_spot.get(spot)
                if not self._may_lie(group, above):
                    continue  # the piece that was told lies on the site itself
                if above is not None and above.shape == "pawn":
                    # Of what it stands on only a rim shows, into which the edge of the pawn reaches.
                    doubt = self._doubt(group, spot, self.foreground & ~standing, standing, 2.0)
                else:
                    doubt = self._doubt(group, spot, odd, standing if group.shape == "pawn" else covered)
                if doubt is not None:
                    yield group, spot, *doubt

    def _rimmed(self, own: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """A mask (flat) and what lies so near to it that an edge may show there."""
        side = 2 * round(_RIM_MM * self.table.grid.scale) + 1
        mask = own.reshape(self.view.grid.size[::-1]).astype(np.uint8)
        return np.asarray(cv2.dilate(mask, np.ones((side, side), np.uint8)).reshape(-1), np.bool_)

    def _doubt(
        self, group: Group, spot: str, odd: NDArray[np.bool_], covered: NDArray[np.bool_], leniency: float = 1.0
    ) -> "tuple[str, bool] | None":
        """Why nobody knows whether a piece of a group lies on a site; whether only because something told hides it."""
        pawn = group.shape == "pawn"
        room = self.table.outlines[group.key, spot][0] if pawn else self.table.rooms[group.key, spot]
        if not len(room):
            return f"{spot} is not in the picture", False
        outside = float((~self.inside[room]).mean())
        if outside > 0.5:
            return f"{spot} is not in the picture", False
        sight = room[~covered[room]]
        seen_mm2 = len(sight) / self.table.grid.scale**2
        if seen_mm2 < _LEAST_MM2 or len(sight) < self.settings.bare * len(room):
            return f"{spot} is hidden by what stands before it", True
        if float(odd[sight].mean()) > self.settings.odd * (2.0 if pawn else leniency):
            return f"something lies or stands at {spot} that cannot be told", False
        return None

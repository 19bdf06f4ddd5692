"""The tokens of one picture: the most likely first, in what the pawns leave in sight."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.boards import Group, Point
from companion.vision.pawns.below import lying_below, shown_about
from companion.vision.pawns.canvas import Canvas
from companion.vision.pawns.sites import ASTRAY_MM, FAINT, RIVALS_MM, STRAY, Indices, Lying, Put, Standing
from companion.vision.pawns.taught import COMPARED, TURNS, Patch, face_nats, rings_mm, sampled

_STIRRED = 0.08
"""The same of a token's room."""
_EXPLAINED = -6.0
"""Log density (nats) of a pixel that a token explains."""
_LEAST_VISIBLE = 0.05
"""The share of a token in sight below which it is not asked about."""
_NUDGES = (-0.5, 0.0, 0.5)
"""How far (mm) beside the first guess of its middle a token is looked for."""
_LEAD = 0.25
"""The share of its nats by which a token must be likelier than another one there, up to what is asked of a named pawn."""
_EDGE_MM = 0.4
"""How far (mm) beyond its outline a token's edge may still show."""
_ABSENT_BELOW = -6.0
"""Logarithm of the odds (1 to 400) at which a token below a pawn, wherever about its site it may lie, is said to be absent."""
_BARRED = 4.6
"""By how many nats (1 to 100) a token is less likely below a pawn that the rules keep off it, where none was seen before."""
_ENOUGH_MM2 = 20.0
"""What must show of a token below a pawn (mm²): of the smallest ones it is the share that is asked for."""
_APART_MM = 1.0
"""How much nearer to its site than to any other a piece must lie."""


class TokenSearch:
    """Asks which tokens lie on a canvas. ``tokens``: those that were told. ``before``: by group and site, where tokens were
    told in an earlier picture."""

    def __init__(self, canvas: Canvas, before: frozenset[tuple[str, str]] = frozenset()) -> None:
        self.canvas, self.sites, self.settings, self.before = canvas, canvas.sites, canvas.settings, before
        self.tokens: list[Lying] = []
        self._below: dict[tuple[str, str], list[Lying]] = {}
        self._known: dict[tuple[str, str, bytes], list[Lying]] = {}
        self._grounds: dict[tuple[str, float, Point, bytes], tuple[tuple[int, int], Patch]] = {}

    def told(self, standing: Mapping[str, Standing]) -> list[Put]:
        """The tokens that explain most, one after the other, in what the pawns leave in sight; ``standing``: the pawns that
        were told, by their sites."""
        told: list[Put] = []
        asked: dict[str, list[str]] = {}
        for (key, spot), room in self.sites.rooms.items():
            sight = room[self.canvas.depth[room] < 0]
            if not self.may_lie(self.sites.pieces.groups[key], standing[spot].group if spot in standing else None):
                continue
            stirred = len(sight) > 0 and float(self.canvas.foreground[sight].sum()) > _STIRRED * len(room)
            if stirred or (key, spot) in self._below:
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
            put = self._judged(one, max([0.0, *(other.gain for other in rest)]), spot in standing)
            if put is not None:
                told.append(put)
                self._lay(one)
                stale |= {name for name in ranked if np.hypot(*np.subtract(self.sites.site[name], one.mm)) < RIVALS_MM}
        return told

    def look_below(self, standing: Mapping[str, Standing]) -> None:
        """Ask which round tokens may lie below the pawns that were told, while their edges are not yet taken as explained. What
        shows about them is explained so far as it is print mixed with the pawn."""
        for spot, pawn in standing.items():
            for key in (group.key for group in self.sites.groups if self.may_lie(group, pawn.group)):
                room = self.sites.rooms.get((key, spot))
                faces, group = self.sites.copy.faces.get(key, ()), self.sites.pieces.groups[key]
                if room is None or not len(room) or not faces or group.size_mm[0] != group.size_mm[1]:
                    continue
                shown = shown_about(self.canvas, pawn, room)
                if shown is not None:
                    barred = _BARRED if pawn.group.key in group.barred and (key, spot) not in self.before else 0.0
                    self._below[key, spot] = lying_below(self.canvas, group, spot, shown, faces, -barred)
                    self.canvas.foreground[shown.at[shown.mixed]] &= shown.odd[shown.mixed]

    def lying(self, key: str, spot: str) -> list[Lying]:
        """The tokens of a group that may lie on a site, by look, given what stands before it on the canvas."""
        # Nothing else of that counts than what it leaves in sight about the site, and that is often asked again.
        asked = key, spot, self._in_sight(key, spot)
        if asked not in self._known:
            self._known[asked] = self._lying(key, spot)
        return self._known[asked]

    def _in_sight(self, key: str, spot: str) -> bytes:
        """Which pixels are in sight that a token laid on a site may cover."""
        width, room = self.canvas.width, self.sites.rooms[key, spot]
        if not len(room):
            return b""
        margin = round(self.settings.off_mm * self.sites.grid.scale) + 2
        top, bottom = max(0, int(room.min()) // width - margin), int(room.max()) // width + margin + 1
        columns = room % width
        left, right = max(0, int(columns.min()) - margin), int(columns.max()) + margin + 1
        return np.packbits(self.canvas.depth.reshape(-1, width)[top:bottom, left:right] < 0).tobytes()

    def _lying(self, key: str, spot: str) -> list[Lying]:
        sites, settings, scale, depth = self.sites, self.settings, self.sites.grid.scale, self.canvas.depth
        group, room = sites.pieces.groups[key], sites.rooms[key, spot]
        faces = sites.copy.faces.get(key, ())
        _, area = rings_mm(group)
        x, y = sites.site[spot]
        whole = float(area.sum()) * TURNS
        off_home = 0.0 if spot in sites.at_home[key] else STRAY
        where, patch = self._ground(group, spot, room)
        if self.canvas.view.burnt[patch.box.within].any():
            white = self.canvas.view.light.white_level_at(room[len(room) // 2 :][:1])[0]
            faces = tuple(face.clipped(white) for face in faces)
        found: dict[str, Lying] = {}
        turns: dict[str, list[int] | None] = {face.look.key: None for face in faces}
        tries: list[tuple[float, float]] = [(where[0] / scale, where[1] / scale)]
        # The first guess of the middle of one that is no disc is farther off, and its turn with it.
        disc = group.size_mm[0] == group.size_mm[1]
        for _ in range(2 if disc else 3):
            for right, down in tries:
                seen, flat = sampled(self.canvas.view, patch, group, sites.sight, (x + right, y + down))
                weight = np.asarray(area * ((depth[flat] < 0) & self.canvas.inside[flat]), np.float32)
                visible = float(weight.sum()) / whole
                if visible < _LEAST_VISIBLE:
                    continue
                bare = float((self.canvas.value[flat] * weight).sum()) / settings.alike_mm2
                for face in faces:
                    turn, nats, fit = face_nats(seen, face, weight, settings, turns[face.look.key])
                    gain = nats - bare - 0.5 * (right * right + down * down) / ASTRAY_MM**2 - off_home
                    had = found.get(face.look.key)
                    if had is None or gain > had.gain:
                        angle = turn * 360 / TURNS
                        found[face.look.key] = Lying(
                            face.look, group, spot, (x + right, y + down), angle, room, gain, fit, visible
                        )
            if not found:
                return []
            turns = {name: _about(one.turn) if disc else None for name, one in found.items()}
            cx, cy = np.subtract(max(found.values(), key=lambda one: one.gain).mm, (x, y))
            tries = [(float(cx) + a, float(cy) + b) for a in _NUDGES for b in _NUDGES if a or b]
            tries = [(a, b) for a, b in tries if max(abs(a), abs(b)) <= settings.off_mm]
        return sorted(found.values(), key=lambda one: -one.gain)

    def rim_nats(self, pawn: Standing, lying: Sequence[Lying]) -> float:
        """The nats that a pawn gains where tokens in its stead show their edges and sides, which are compared with no taught
        face: there nothing speaks for the one or for the other."""
        own = [rim for one in lying if one.fit >= self.settings.fit and len(rim := self._rim(one))]
        if not own:
            return 0.0
        nats = (pawn.nats - pawn.bare)[np.isin(pawn.own, np.concatenate(own))]
        return max(0.0, float(nats.sum()) / self.sites.per_nat)

    def _rim(self, one: Lying) -> Indices:
        """What a token covers with its edges and sides beyond the part that is compared."""
        group, sight = one.group, self.sites.sight
        wide = replace(group, size_mm=(group.size_mm[0] + 2 * _EDGE_MM, group.size_mm[1] + 2 * _EDGE_MM))
        inner = replace(group, size_mm=(COMPARED * min(group.size_mm),) * 2)
        top, foot = (sight.token(one.mm, each, one.turn)[0] for each in (wide, replace(wide, height_mm=0.0)))
        return np.setdiff1d(
            self.sites.pixels([np.vstack([top, foot])]), self.sites.pixels(sight.token(one.mm, inner)), assume_unique=True
        )

    def _ground(self, group: Group, spot: str, room: Indices) -> tuple[tuple[int, int], Patch]:
        """How far (pixels) beside its site a token of a group most likely lies, and what is seen about it."""
        asked = spot, group.height_mm, group.size_mm, self._in_sight(group.key, spot)
        if asked not in self._grounds:
            settings, scale, depth = self.settings, self.sites.grid.scale, self.canvas.depth
            reach = round(settings.off_mm * scale)
            steps = np.arange(-reach, reach + 1, max(1, reach // 4))
            dx, dy = (way.ravel() for way in np.meshgrid(steps, steps))
            at = np.clip(room + (dy * self.canvas.width + dx)[:, None], 0, depth.size - 1)
            shown = (self.canvas.foreground[at] & (depth[at] < 0)).mean(axis=1)
            top = int(np.argmax(shown - 0.01 * np.hypot(dx, dy) / scale))
            patch = Patch.of(self.canvas.view, room, settings.off_mm)
            self._grounds[asked] = (int(dx[top]), int(dy[top])), patch
        return self._grounds[asked]

    def may_lie(self, group: Group, above: Group | None) -> bool:
        """Whether a piece of a group may lie on a site on which another was told."""
        return above is None or (above.key != group.key and group.covered_by is not None and group.may_lie_below(above))

    def _judged(self, one: Lying, rival: float, below: bool) -> Put | None:
        """What is told of the likeliest piece of a site, given the gain of its next rival; what is doubtful is refused.
        ``below``: whether a pawn was told on the site."""
        settings, margin = self.settings, one.gain - rival
        edge = (one.group.key, one.spot) in self._below
        if one.gain < settings.margin:
            faint = one.gain > FAINT if one.anywhere is None else one.anywhere > _ABSENT_BELOW
            if faint and one.spot in self.sites.at_home[one.group.key]:
                self.canvas.refuse(one, "whether a piece lies there cannot be told")
        elif self.canvas.counts[one.look.key] >= len(one.look.pieces):
            self.canvas.refuse(one, "more pieces seem to lie there than the game has")
        elif margin < max(settings.margin, min(settings.named, _LEAD * one.gain)) or (not edge and self._between(one)):
            # By its edge alone it is not known to the millimetre where it lies, but the pawn on it is.
            self.canvas.refuse(one, "which piece lies there, or where it lies, cannot be told")
        elif one.fit < settings.fit or not self._shows_enough(one, below):
            self.canvas.refuse(one, "what lies there does not look like a piece that was taught")
        else:
            return Put(one.look, one.spot, one.mm, margin, one.fit, one.visible)
        return None

    def _shows_enough(self, one: Lying, below: bool) -> bool:
        """Whether so much of a token is in sight that it may be told."""
        shown_mm2 = one.visible * np.pi * (COMPARED * min(one.group.size_mm) / 2) ** 2
        return one.visible >= self.settings.visible or (below and shown_mm2 > _ENOUGH_MM2)

    def _lay(self, one: Lying) -> None:
        """Take what a token covers, and its rim, as explained."""
        self.canvas.counts[one.look.key] += 1
        mask = np.zeros(self.canvas.depth.size, np.bool_)
        mask[self.sites.pixels(self.sites.sight.token(one.mm, one.group, one.turn))] = True
        covered = self.canvas.rimmed(mask) & (self.canvas.depth < 0)
        self.canvas.depth[covered], self.canvas.value[covered] = 0.0, _EXPLAINED
        self.tokens.append(one)

    def _ranked(self, spot: str, keys: Iterable[str]) -> list[Lying]:
        every = (one for key in keys for one in self._below.get((key, spot)) or self.lying(key, spot))
        return sorted(every, key=lambda one: -one.gain)

    def _between(self, one: Lying) -> bool:
        """Whether a token lies about as near to another site as to its own."""
        x, y = one.mm
        own = np.hypot(*np.subtract(self.sites.site[one.spot], (x, y)))
        others = (self.sites.site[spot] for spot in self.sites.spots[one.group.key] if spot != one.spot)
        return bool(min(np.hypot(a - x, b - y) for a, b in others) < own + _APART_MM)


def _about(turn_deg: float) -> list[int]:
    """A turn and the next ones (numbers of TURNS)."""
    turn = round(turn_deg * TURNS / 360)
    return [(turn + step) % TURNS for step in (-1, 0, 1)]

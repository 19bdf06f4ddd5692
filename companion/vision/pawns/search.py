"""What lies on every site of one picture: the most likely pawns first, each explaining the pixels it covers, then the tokens
that show beside them; what nothing explains makes its sites doubtful."""

from collections.abc import Iterator, Mapping
from math import hypot

import numpy as np
from numpy.typing import NDArray

from companion.boards import Group
from companion.vision.pawns.canvas import Canvas
from companion.vision.pawns.finds import Doubt, Finds, Refused
from companion.vision.pawns.looks import PieceLook
from companion.vision.pawns.pawns import SHARED, PawnSearch
from companion.vision.pawns.sites import RIVALS_MM, Lying, Put, Sites, Standing
from companion.vision.pawns.tokens import TokenSearch
from companion.vision.pawns.view import BoardView

_LEAST_MM2 = 2.0
"""What must be in sight (mm²) of the room of a piece for it to be told that none lies there."""


def search(sites: Sites, view: BoardView, before: frozenset[tuple[str, str]] = frozenset()) -> Finds:
    """What lies on the sites of a view, or of a part of it. ``before``: by group and site, where tokens were told in an earlier
    picture."""
    return _Search(sites, view, before).finds()


class _Search:
    """One picture while it is read."""

    def __init__(self, sites: Sites, view: BoardView, before: frozenset[tuple[str, str]]) -> None:
        self.sites, self.settings, self.canvas = sites, sites.settings, Canvas(sites, view)
        self.tokens = TokenSearch(self.canvas, before)
        self.pawns = PawnSearch(self.canvas, self.tokens)

    def finds(self) -> Finds:
        every, kinds = self.pawns.standing(), self.sites.pieces.groups
        told = self.pawns.told(every)
        surely = {(put.look, put.spot) for put in told}
        above = {one.spot: one for one in self.pawns.pawns if (one.look, one.spot) in surely}
        self.tokens.look_below(above)
        standing = self.canvas.depth >= 0
        self.canvas.depth[self.canvas.rimmed(standing) & ~standing] = 0.0
        contenders = self.pawns.contenders(every)
        told += self._surely_lying(self.tokens.told(above), contenders)
        told = self._standing_alone(told)
        self.pawns.doubt_faint(every, told)
        on_spot = {put.spot: kinds[put.look.group] for put in told}
        doubts = tuple(self._doubts(on_spot, standing))
        refused = tuple(
            Refused(one.look, one.group, one.spot, why, self._only_hidden(one, on_spot.get(one.spot)))
            for one, why in self.canvas.refused
        )
        return Finds(tuple(told), refused, doubts)

    def _only_hidden(self, one: Standing | Lying, above: Group | None) -> bool:
        """Whether of a refused token only a sliver shows below a pawn that was told, too little to say that it lies there: then
        what was known before the pawn stood there counts for more."""
        if isinstance(one, Standing) or above is None or above.shape != "pawn":
            return False
        return one.visible < self.settings.visible and one.gain < self.settings.margin

    def _surely_lying(self, told: list[Put], contenders: list[tuple[Standing, float]]) -> list[Put]:
        """The tokens that were told, without those that explain the picture hardly better than a pawn in their stead."""
        lying = {(one.look, one.spot): one for one in self.tokens.tokens}
        found = {(put.look, put.spot): put for put in told}
        for pawn, gain in contenders:
            below = [
                name for name in found
                if hypot(lying[name].mm[0] - pawn.mm[0], lying[name].mm[1] - pawn.mm[1]) < RIVALS_MM
                and np.isin(lying[name].own, pawn.own).mean() > SHARED
            ]  # fmt: skip
            instead = [lying[name] for name in below]
            nats = sum(one.gain for one in instead) + self.tokens.rim_nats(pawn, instead)
            if below and nats < gain + self.settings.margin:
                for name in below:
                    del found[name]
                    self.canvas.refuse(lying[name], "whether a piece lies or stands there cannot be told")
        return [put for put in told if (put.look, put.spot) in found]

    def _standing_alone(self, told: list[Put]) -> list[Put]:
        """What was told, without pieces that are a part of something larger, of a hand say: about them lies what nothing
        explains."""
        known: dict[tuple[PieceLook, str], Standing | Lying] = {(one.look, one.spot): one for one in self.pawns.pawns}
        known |= {(one.look, one.spot): one for one in self.tokens.tokens}
        found = []
        for put in told:
            one = known[put.look, put.spot]
            if isinstance(one, Standing):
                own = one.own
            else:
                own = self.sites.pixels(self.sites.sight.token(one.mm, one.group, one.turn))
            if self.canvas.is_part(own):
                self.canvas.refuse(one, f"something hides {one.spot}")
            else:
                found.append(put)
        return found

    def _doubts(self, on_spot: Mapping[str, Group], standing: NDArray[np.bool_]) -> Iterator[Doubt]:
        """The judged sites of which nobody knows whether a piece lies there."""
        covered = self.canvas.depth >= 0
        odd = self.canvas.foreground & ~covered
        for group in self.sites.groups:
            for spot in self.sites.judged[group.key]:
                above = on_spot.get(spot)
                if not self.tokens.may_lie(group, above):
                    continue  # the piece that was told lies on the site itself
                if above is not None and above.shape == "pawn":
                    # Of what it stands on only a rim shows, into which the edge of the pawn reaches.
                    doubt = self._doubt(group, spot, self.canvas.foreground & ~standing, standing, below=True)
                else:
                    doubt = self._doubt(group, spot, odd, standing if group.shape == "pawn" else covered)
                if doubt is not None:
                    yield Doubt(group, spot, *doubt)

    def _doubt(
        self, group: Group, spot: str, odd: NDArray[np.bool_], covered: NDArray[np.bool_], below: bool = False
    ) -> "tuple[str, bool] | None":
        """Why nobody knows whether a piece of a group lies on a site; whether only because something told hides it. ``below``:
        whether a pawn was told on the site."""
        pawn = group.shape == "pawn"
        room = self.sites.outlines[group.key, spot][0] if pawn else self.sites.rooms[group.key, spot]
        if not len(room):
            return f"{spot} is not in the picture", False
        outside = float((~self.canvas.inside[room]).mean())
        if outside > 0.5:
            return f"{spot} is not in the picture", False
        sight = room[~covered[room]]
        seen_mm2 = len(sight) / self.sites.grid.scale**2
        if seen_mm2 < _LEAST_MM2 or len(sight) < self.settings.bare * len(room):
            return f"{spot} is hidden by what stands before it", True
        if float(odd[sight].mean()) > self.settings.odd * (2.0 if pawn or below else 1.0):
            # Of what a pawn that was told stands on, a sliver shows little: what was known of it before counts for more.
            sliver = below and len(sight) < self.settings.visible * len(room)
            return f"something lies or stands at {spot} that cannot be told", sliver
        return None

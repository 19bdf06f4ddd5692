"""What a look found site by site, kept so that the next look can search a few sites only, and what it means for the pieces."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from companion.boards import Group, PieceSet
from companion.vision.pawns.looks import PieceLook
from companion.vision.pawns.sites import Put
from companion.vision.reading import about_place, named_by_piece


class Refused(NamedTuple):
    """A piece that seems to lie on a site and is not told: which look of which group, and why; whether only because something
    that was told hides nearly all of it."""

    look: PieceLook
    group: Group
    spot: str
    why: str
    only_hidden: bool = False


class Doubt(NamedTuple):
    """A site of which nobody knows whether a piece of a group lies there: why, and whether only because something that was told
    hides it."""

    group: Group
    spot: str
    why: str
    only_hidden: bool


@dataclass(frozen=True)
class Found:
    """What one picture shows. ``unknown``: why by subject; ``hidden``: by subject the sites that something in front hides, of
    doubts that are only due to that; ``occluded``: sites something that is no piece lies or hangs over."""

    pieces: tuple[Put, ...]
    unknown: Mapping[str, str]
    hidden: Mapping[str, frozenset[str]]
    occluded: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Finds:
    """What was found on the sites of a view, or of a part of it."""

    told: tuple[Put, ...]
    refused: tuple[Refused, ...]
    doubts: tuple[Doubt, ...]

    def on(self, spots: Collection[str], *, others: bool = False) -> "Finds":
        """What was found on some sites, or on all ``others``."""
        return Finds(
            tuple(one for one in self.told if (one.spot in spots) is not others),
            tuple(one for one in self.refused if (one.spot in spots) is not others),
            tuple(one for one in self.doubts if (one.spot in spots) is not others),
        )

    def and_also(self, more: "Finds") -> "Finds":
        """Both together."""
        return Finds(self.told + more.told, self.refused + more.refused, self.doubts + more.doubts)

    @property
    def too_many(self) -> bool:
        """Whether more pieces of one look were told than the game has."""
        counts = Counter(put.look for put in self.told)
        return any(count > len(look.pieces) for look, count in counts.items())

    def meaning(self, pieces: PieceSet) -> Found:
        """What all of that says of the pieces of a game."""
        unknown = {piece: one.why for one in self.refused if named_by_piece(one.group) for piece in one.look.pieces}
        hidden: dict[str, frozenset[str]] = {}
        may_hide: dict[str, list[str]] = {}
        for doubt in self.doubts:
            if named_by_piece(doubt.group):
                may_hide.setdefault(doubt.group.key, []).append(doubt.spot)
                continue
            name = about_place(doubt.spot, doubt.group)
            unknown[name] = doubt.why
            if doubt.only_hidden:
                hidden[name] = frozenset({doubt.spot})
        for one in self.refused:
            if not named_by_piece(one.group):
                name = about_place(one.spot, one.group)
                only_hidden = one.only_hidden and (name not in unknown or name in hidden)
                unknown[name] = one.why
                if only_hidden:
                    hidden[name] = frozenset({one.spot})
                else:
                    hidden.pop(name, None)
        told = {piece for put in self.told for piece in put.look.pieces}
        for key, spots in may_hide.items():
            for piece in pieces.in_group(key):
                if piece.id not in told:
                    unknown.setdefault(piece.id, f"{piece.name} is not in sight, and {spots[0]} may hide it")
                    hidden[piece.id] = frozenset(spots)
        occluded = frozenset(doubt.spot for doubt in self.doubts if not doubt.only_hidden)
        return Found(self.told, unknown, hidden, occluded)

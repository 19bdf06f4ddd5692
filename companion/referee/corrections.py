"""A correction by hand ("that is the white one, on f10") turned into what overrides the camera, subject by subject."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.boards import PAIR, Board, Group, PieceSet
from companion.errors import BadInput, quoted
from companion.referee.corrected_reading import BY_SPOT, IN_ZONES, CorrectedReading, claim, group_of, is_spot, shows
from companion.vision.reading import Reading

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Corrector:
    """Reads corrections against what is seen now and against ``known``, the head position's JSON."""

    board: Board
    pieces: PieceSet
    reading: Reading
    sight: CorrectedReading
    known: Json

    def fixes(self, answer: Json) -> list[dict[str, Any]]:
        """The correction as (subject, entry, against: what the camera claims now). Raises BadInput.

        The subject is a piece (``"white-1"``, ``"tile-1"``) with the place where it stands (None: not on the board), or
        ``"<singular>:<place>"`` with that same place (there is one), another (it lies there instead) or None (nothing).
        A piece that covers two cells lies on a pair of them (``"E4+F3"``). A card lies in a zone, with its ``rank`` there (0 is
        the first, or the lowest; left out: as it lies, else last); of a zone (``"card:row"``) all ``cards`` are told in order.
        """
        subject, place = answer.get("subject"), answer.get("place")
        if not isinstance(subject, str):
            raise BadInput(f"a correction names its subject, a piece; this one says {quoted(subject)}")
        group = group_of(subject, self.pieces)
        for spot in (place, subject.partition(":")[2] or None):
            if spot is not None and not (isinstance(spot, str) and is_spot(spot, group, self.board)):
                raise BadInput(f"{quoted(spot)} is not a place on this board")
        entries: dict[str, Any]
        if group.layout == IN_ZONES:
            entries = self._zone(subject, place, answer, group) if ":" in subject else self._card(subject, place, answer, group)
        elif group.layout not in (*BY_SPOT, "value"):
            entries = {subject: self._disc(subject, place, answer, group)}
        elif group.layout == "value":
            entries = {subject: None if place is None else self._value(place, group)}
        elif ":" in subject:
            entries = self._tile_at(subject, place, answer, group)
        else:
            entries = self._tile_named(subject, place, answer, group)
        return [
            {"subject": name, "entry": entry, "against": claim(self.reading, name, self.board, self.pieces)}
            for name, entry in entries.items()
        ]

    def _disc(self, subject: str, place: str | None, answer: Json, group: Group) -> dict[str, Any] | None:
        if place is None:
            return None
        piece = self.pieces.pieces[subject]
        before, seen = self.known.get(group.key) or {}, self.sight.state.get(group.key) or {}
        if group.layout == "by-piece":
            before, seen = before.get(subject, {}), seen.get(subject, {})
        entry = {**before, **seen, "hex": place}
        side, facing = answer.get("side"), answer.get("facing")
        if side is not None:
            if side not in piece.faces:
                raise BadInput(f"{subject}: side {quoted(side)} is not one of {', '.join(piece.faces)}")
            entry["side"] = side
        if facing is not None and not (piece.facing and facing in self.board.directions):
            allowed = ", ".join(self.board.directions) if piece.facing else "none, it has no front"
            raise BadInput(f"{subject}: facing {quoted(facing)} is not one of {allowed}")
        if facing is not None:
            entry["facing"] = facing
        return entry

    def _card(self, card: str, zone: str | None, answer: Json, group: Group) -> dict[str, Any]:
        """A card lies in a zone, or shows in none. Raises BadInput where cards have no names of their own."""
        if group.by_face:
            raise BadInput(f"{card}: say which cards lie there, in order ('cards')")
        if zone is None:
            return {card: None}
        shown = self.sight.state.get(group.key) or {}
        cards = [one for one in shown.get(zone, ()) if one != card]
        rank = answer.get("rank")
        if rank is None:
            lies = list(shown.get(zone, ()))
            rank = lies.index(card) if card in lies else len(cards)
        if not isinstance(rank, int) or isinstance(rank, bool) or not 0 <= rank <= len(cards):
            raise BadInput(f"{card}: rank {quoted(rank)} is not one of 0 to {len(cards)}")
        return {card: {"hex": zone, "rank": rank}}

    def _zone(self, subject: str, place: str | None, answer: Json, group: Group) -> dict[str, Any]:
        """All cards that show in a zone, in order; none where no place is told."""
        zone, cards = subject.partition(":")[2], answer.get("cards") if place is not None else []
        sides = {
            face for piece in self.pieces.in_group(group.key) for face in piece.faces if self.pieces.sharing(piece.id, face)
        }
        names = [] if group.by_face else [piece.id for piece in self.pieces.in_group(group.key)]
        if place not in (None, zone) or not isinstance(cards, list) or not all(isinstance(one, str) for one in cards):
            raise BadInput(f"{subject}: say which cards lie there, in order ('cards')")
        strange = [one for one in cards if one not in names and one not in sides]
        twice = [one for one in names if cards.count(one) > 1]
        if strange or twice:
            raise BadInput(
                f"{subject}: {quoted((strange or twice)[0])} is none of the cards that can lie there, or lies there twice"
            )
        return {subject: cards or None}

    def _value(self, place: str, group: Group) -> int:
        spot = self.board.places.get(place)
        if spot is None or spot.kind not in group.on or spot.value is None:
            raise BadInput(f"the {group.singular} marker cannot lie on {quoted(place)}")
        return spot.value

    def _tile_named(self, subject: str, place: str | None, answer: Json, group: Group) -> dict[str, Any]:
        """A tile by its name lies on ``place``; if no other looks like it, it lies nowhere else."""
        tile = self.pieces.pieces[subject]
        held = self.sight.state.get(group.key) or {}
        twins = [piece for piece in self.pieces.in_group(group.key) if piece.label == tile.label]
        mine = [spot for spot in held if held[spot] == tile.label] if len(twins) == 1 and isinstance(held, Mapping) else []
        gone: dict[str, Any] = {f"{group.singular}:{spot}": None for spot in mine}
        if not place:
            return gone
        side = answer.get("side")
        if side is not None and side not in tile.faces:
            raise BadInput(f"{subject}: side {quoted(side)} is not one of {', '.join(tile.faces)}")
        label = side if side is not None else tile.label
        return {**gone, f"{group.singular}:{_spot(place, group)}": True if label is None else label}

    def _tile_at(self, subject: str, place: str | None, answer: Json, group: Group) -> dict[str, Any]:
        """The tile claimed (or missed) at the subject's place really lies on ``place``."""
        word, _, origin = subject.partition(":")
        origin = _spot(origin, group)
        if place is None:
            return {f"{word}:{origin}": None}
        goal = _spot(place, group)
        gone: dict[str, Any] = {} if goal == origin else {f"{word}:{origin}": None}
        if group.layout != "by-place":
            return {**gone, f"{word}:{goal}": True}
        label = answer.get("label", (self.sight.state.get(group.key) or {}).get(origin))
        labels = {label for piece in self.pieces.in_group(group.key) for label in shows(piece)}
        if not isinstance(label, str | int) or label not in labels:
            raise BadInput(f"{subject}: say which one lies there ('label': {', '.join(sorted(map(str, labels)))})")
        return {**gone, f"{word}:{goal}": label}


def _spot(place: str, group: Group) -> str:
    """A pair of cells in its one order, whichever way it was given."""
    return PAIR.join(sorted(place.split(PAIR))) if group.cells > 1 else place

"""One settled look laid beside the record: what the table claims, measured against the position it should show."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from companion.boards import Board, Group, PieceSet
from companion.games.game import Fault, Game, Position
from companion.games.surface import surface as lying_part
from companion.referee.corrected_reading import (
    IN_ZONES,
    CorrectedReading,
    group_of,
    keeping_sides,
    lying,
    perceive,
    relevant,
    shaded,
    shows,
    stood_upon,
    to_be_laid,
    with_entry,
    zone_of,
)
from companion.referee.guiding import in_order
from companion.referee.match import Draft, Match
from companion.vision.reading import Reading

Json = Mapping[str, Any]


def surface(game: Game, position: Position) -> dict[str, Any]:
    """The part of a position that lies on the table, as JSON (:mod:`companion.games.surface`)."""
    return lying_part(game.pieces(), position)


def _hex(position: Position, piece: str, pieces: PieceSet) -> str | None:
    """Where a position has a piece that is named by itself."""
    group = pieces.group_of(piece)
    held = position.to_json()[group.key] or {}
    if group.layout == IN_ZONES:
        return zone_of(held, piece)
    entry = held.get(piece, {}) if group.layout == "by-piece" else held
    return entry.get("hex") if isinstance(entry, Mapping) else None


@dataclass(frozen=True)
class TableComparison:
    """A match and what is seen of its table. ``base`` is the position that the table is measured against."""

    match: Match
    sight: CorrectedReading
    at: float
    base: Position

    @classmethod
    def of(cls, match: Match, reading: Reading) -> "TableComparison":
        """What a reading shows of this match's table."""
        base = match.arrangement.target if match.arrangement is not None else match.position
        board, pieces = match.game.board(base.edition), match.game.pieces()
        sight = perceive(reading, match.overrides, board, pieces)
        touched = () if match.arrangement is None else match.arrangement.touched
        sight = keeping_sides(sight, base.to_json(), pieces, touched)
        return cls(match, sight, reading.captured_at, base)

    @property
    def game(self) -> Game:
        """The rules."""
        return self.match.game

    @property
    def board(self) -> Board:
        """The printed board."""
        return self.game.board(self.base.edition)

    @property
    def pieces(self) -> PieceSet:
        """The physical pieces."""
        return self.game.pieces()

    @cached_property
    def after(self) -> Position:
        """The position the table claims, unknowns as they were."""
        return self.game.complete(self.base, self.sight.claimed, self.sight.subjects)

    @cached_property
    def blind(self) -> tuple[str, ...]:
        """Unknown subjects that could hide a change, or whether something was laid that had to be; among the shaded those that
        were asked for, while something differs."""
        found = relevant(self.sight, surface(self.game, self.base), surface(self.game, self.after), self.pieces)
        if self.match.change is not None:
            found = tuple(one for one in found if one not in self.sight.places or self._may_differ(one))
        goal = self.match.arrangement
        if goal is not None and not goal.start:
            head, target = surface(self.game, self.match.position), surface(self.game, self.base)
            found = tuple(dict.fromkeys((*found, *to_be_laid(self.sight, head, target, self.pieces))))
            # Nobody can be asked to show what lies below a piece that stands on such pieces: it is asked to go anyway, or it is
            # where it should be, and what lies below it shows when it moves on.
            found = tuple(one for one in found if not stood_upon(self.sight.state, one, self.board, self.pieces))
        asked = () if self.shows(self.base) else [one for one in self.match.blind if one in self.shaded and one not in found]
        return (*found, *asked)

    @cached_property
    def shaded(self) -> tuple[str, ...]:
        """Unknown spots where a tile may have been laid or turned over and nothing else would show it."""
        return shaded(self.sight, self.pieces)

    @cached_property
    def strewn(self) -> tuple[str, ...]:
        """Those of the shaded on which nothing else is seen to lie: no disc hides the tile, it just cannot be told."""
        state, groups = self.sight.state, self.pieces.groups.values()
        taken = {cell for group in groups if group.layout != "by-place" for cell in lying(state.get(group.key), group)}
        return tuple(subject for subject in self.shaded if subject.partition(":")[2] not in taken)

    def _may_differ(self, piece: str) -> bool:
        """Whether what cannot be told of a piece may be otherwise than it was: no play turns one over or lets it look elsewhere
        that leaves it where it is; but who was moved in this turn may still be turned about."""
        front = self.pieces.pieces[piece].facing
        moved = front and any(
            pick.character == piece if pick.moves is None else any(move["piece"] == piece for move in pick.moves)
            for pick in self.match.picks
        )
        return moved or piece in self.displaced

    @cached_property
    def displaced(self) -> tuple[str, ...]:
        """Pieces that cannot be told in full and lie elsewhere than they should."""
        return tuple(one for one, place in self.sight.places.items() if _hex(self.base, one, self.pieces) != place)

    def unshaded(self) -> "Iterator[tuple[str, TableComparison]]":
        """The scene with one shaded tile otherwise than it was: laid, turned over. All others are as they were."""
        before = surface(self.game, self.base)
        for subject in self.shaded:
            group, spot = group_of(subject, self.pieces), subject.partition(":")[2]
            was = (before.get(group.key) or {}).get(spot)
            for label in tile_sides(self, group):
                if label != was and (was is None or self._turns_to(group, was, label)):
                    state = dict(self.sight.state)
                    with_entry(state, subject, label, self.pieces)
                    unknown = {name: why for name, why in self.sight.unknown.items() if name != subject}
                    yield subject, replace(self, sight=replace(self.sight, state=state, unknown=unknown))

    def _turns_to(self, group: Group, was: Any, label: Any) -> bool:
        return any(was in shows(piece) and label in shows(piece) for piece in self.pieces.in_group(group.key))

    def shows(self, position: Position) -> bool:
        """Whether the table claims this position (cards apart)."""
        elsewhere = any(_hex(position, one, self.pieces) != place for one, place in self.sight.places.items())
        return not elsewhere and surface(self.game, self.after) == surface(self.game, position)

    def chores(self, expected: Position, *, anew: bool = False) -> list[dict[str, Any]]:
        """What hands must do to make the table show ``expected``. ``anew``: pieces may never have stood as they shall now,
        so that nothing is to be put back."""
        found = self.game.differences(expected, self.sight.claimed, self.sight.subjects)
        return [(chore.renewed if anew else chore).to_json() for chore in found]

    # --- the drafts that any phase may need ---------------------------------------------------------------------

    def sight_drafts(self) -> list[Draft]:
        """``cannot-see`` when something new is hidden, ``sight-restored`` when all can be seen again."""
        if set(self.blind) - set(self.match.blind):
            return [self.asking(self.blind)]
        return [Draft("sight-restored", {"subjects": list(self.match.blind)})] if self.match.blind and not self.blind else []

    def asking(self, subjects: Sequence[str], times: int = 0) -> Draft:
        """The request to uncover what is hidden, after as many that came to nothing."""
        reasons = {subject: self.sight.unknown[subject] for subject in subjects}
        data = {"subjects": list(subjects), "reasons": reasons, "since": self.at, "times": times}
        burnt = self.sight.burnt_for(subjects)
        return Draft("cannot-see", {**data, "burnt": list(burnt)} if burnt else data)

    def chore_drafts(self, chores: list[dict[str, Any]]) -> list[Draft]:
        """``chores`` when the list of what is to do is another one than before."""
        return [Draft("chores", {"chores": chores})] if chores != list(self.match.chores) else []

    def flag_drafts(
        self, verdict: str, faults: Sequence[Json], chores: list[dict[str, Any]], *, guiding: bool = False
    ) -> list[Draft]:
        """``flag`` unless exactly this is flagged already. The chores are listed in the order in which hands can do them, those
        of what was just done first. ``guiding``: people are being led back piece by piece, and no play is made meanwhile."""
        shown = surface(self.game, self.after)
        data: dict[str, Any] = {
            "verdict": verdict, "faults": list(faults), "chores": in_order(chores, self._rank(chores)), "shown": shown,
        }  # fmt: skip
        if guiding:
            data["guiding"] = True
        return [] if self.match.flag == data else [Draft("flag", data)]

    def _rank(self, chores: Sequence[Json]) -> dict[str, int]:
        """By subject of a chore: 0 where hands have just done what nobody asked for, 1 where they did so before, 2 for what
        was asked for anyway."""
        asked = set(self.match.duties)
        told = {chore["subject"] for chore in (self.match.flag or {}).get("chores", ())}
        return {one: 2 if one in asked else 1 if one in told else 0 for one in (chore["subject"] for chore in chores)}

    def unflag_drafts(self, how: str) -> list[Draft]:
        """``flag-cleared`` when something is flagged (what else is waited for ends with the event that follows)."""
        return [Draft("flag-cleared", {"how": how})] if self.match.flag else []

    def calm_drafts(self, how: str) -> list[Draft]:
        """``flag-cleared`` when something is flagged, doubted, unfinished or being put back, and no event follows."""
        match = self.match
        troubled = match.flag or match.doubt or match.unfinished or match.refused
        return [Draft("flag-cleared", {"how": how})] if troubled else []


def tile_sides(comparison: TableComparison, group: Group) -> list[Any]:
    """Everything that a tile of this group may show."""
    return sorted({side for piece in comparison.pieces.in_group(group.key) for side in shows(piece)}, key=str)


def out_of_step(text: str, code: str = "out-of-step") -> dict[str, Any]:
    """A fault of nobody's, as JSON: the table and the record tell two stories."""
    return Fault(code, None, text).to_json()

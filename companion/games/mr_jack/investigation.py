"""The port's answers that are the same for every game of this family; a game derives its class and adds its rules."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from companion import boards
from companion.boards import Board, PieceSet
from companion.errors import IllegalPlay, quoted
from companion.games.game import Chore, Explanation, Fault, HouseRule, Json, Outcome, Play, Role
from companion.games.layouts import completed, turn_chores
from companion.games.mr_jack import deduction
from companion.games.mr_jack.checking import PositionReader
from companion.games.mr_jack.claims import OFF_TABLE, disc_chores
from companion.games.mr_jack.deduction import ACCUSATION, ESCAPE, INNOCENT, LAST_TURN, SEEN, SUSPECT, UNSEEN
from companion.games.mr_jack.explaining import Explainer
from companion.games.mr_jack.refereed import Refereed
from companion.games.mr_jack.sayings import Sayings
from companion.games.mr_jack.witnessing import Witness
from companion.games.seating import Seating
from companion.games.values import CopyTable


class Investigation(Refereed):
    """Two sides, eight characters, one of them Jack. ``names`` are the characters' names as they are spoken."""

    id: str
    name: str
    characters: tuple[str, ...]
    names: Mapping[str, str]
    seating: Seating | None = None
    deals: bool = True
    house_rules: tuple[HouseRule, ...]
    copy_tables: tuple[CopyTable, ...] = ()

    reader: type[PositionReader]
    """How positions of this game are read and checked."""
    sayings: Sayings
    got_away: str = "{character} was Jack and has left the district. Jack wins."
    """What is said where Jack has left the board."""
    explainer: Explainer

    # --- what every game writes itself ----------------------------------------------------------------------------

    def witness(self, position: Any) -> Witness:
        """Who is seen and who is not."""
        raise NotImplementedError

    def every_play(self, position: Any, character: str, role: Role | None, rules: Mapping[str, str]) -> Iterator[Play]:
        """Every legal play; some may lead to the same position. ``role`` None: either side may be moving."""
        raise NotImplementedError

    def piece_chores(self, expected: Any, claimed: Any, doubts: set[str]) -> Iterable[Chore]:
        """What hands must do about this game's own pieces; what is in ``doubts`` agrees with everything."""
        raise NotImplementedError

    def tidied(self, position: Any) -> dict[str, Any]:
        """What the end of a turn changes on the board, as fields of the position (cards and turn apart)."""
        raise NotImplementedError

    def draws(self, before: Any, after: Any, character: str) -> bool:
        """Whether a card is drawn and looked at with this play."""
        raise NotImplementedError

    # --- what all games share -------------------------------------------------------------------------------------

    def editions(self) -> tuple[str, ...]:
        """Editions of the board, the default one first."""
        return boards.editions(self.id)

    def board(self, edition: str) -> Board:
        """The board of one edition."""
        return boards.load(self.id, edition)

    def pieces(self) -> PieceSet:
        """The physical pieces."""
        return boards.load_pieces(self.id)

    def start(self, edition: str | None = None) -> Any:
        """The start set-up of an edition; cards unknown until they are told."""
        return _start(self, edition or self.editions()[0])

    def position(self, data: Json, *, tolerant: bool = False) -> Any:
        """A position from its JSON. Raises InvalidPosition with every fault."""
        return self.reader.position(data, tolerant=tolerant)

    def parse(self, notation: str, *, tolerant: bool = False) -> Any:
        """A position from its line of notation. Raises InvalidPosition."""
        return self.reader.parsed(notation, tolerant=tolerant)

    def complete(self, before: Any, state: Json, unknown: tuple[str, ...] = ()) -> Any:
        """The tolerant position a reading claims: what it does not claim, or is not on the table, is as in ``before``.

        A key that ``state`` lacks is not claimed. Raises InvalidPosition when the state names what does not exist.
        """
        return self.position(completed(before.to_json(), state, unknown, self.pieces(), OFF_TABLE), tolerant=True)

    def differences(self, expected: Any, state: Json, unknown: tuple[str, ...] = ()) -> tuple[Chore, ...]:
        """What hands must do to turn the claimed ``state`` into ``expected``; unknowns and absent keys agree with everything.

        The turn marker off the track counts as a difference; cards and the witness card are not looked at.
        """
        doubts, say = set(unknown), self.sayings.chore
        claimed = self.complete(expected, state, unknown)
        return (
            *disc_chores(say, self.names, expected, claimed, doubts, self.characters),
            *self.piece_chores(expected, claimed, doubts),
            *turn_chores(say, expected.turn, state, doubts),
        )

    def suspects(self, position: Any) -> tuple[str, ...]:
        """Characters still under suspicion."""
        return tuple(name for name, side in zip(self.characters, position.sides, strict=True) if side == SUSPECT)

    def movers(self, turn: int) -> tuple[Role, ...]:
        """Who picks, in order, in this turn."""
        return deduction.movers(turn)

    def mover(self, position: Any) -> Role | None:
        """Whose pick it is; None when the cards are unknown or all picks are made."""
        return deduction.mover(position.turn, position.available, position.played)

    def candidates(self, position: Any) -> tuple[str, ...]:
        """Characters that may be played next, as far as the cards are known."""
        names = deduction.candidates(self.characters, position.available, position.played)
        return tuple(name for name in names if position.hex(name) is not None)

    def plays(self, position: Any, character: str, *, mover: Role | None = None, rules: Json | None = None) -> tuple[Play, ...]:
        """Every legal play of a character, one per distinct resulting position and end.

        Without ``mover`` it follows from the cards; when they are unknown either side may be moving, so that accusations
        and escapes are both listed. Raises IllegalPlay when the character cannot be played in this turn any more.
        """
        chosen = deduction.choices(self.house_rules, rules)
        if character not in self.characters:
            raise IllegalPlay(f"{quoted(character)} is not a character; there are: {', '.join(self.characters)}")
        allowed = self.candidates(position)
        if character not in allowed:
            left = f"left to play: {', '.join(allowed)}" if allowed else "all four characters of this turn were played"
            raise IllegalPlay(f"{character} cannot be played now; {left}")
        return tuple(_distinct(self.every_play(position, character, mover or self.mover(position), chosen)))

    def explain(
        self, before: Any, after: Any, *, plays: int = 1, mover: Role | None = None, rules: Json | None = None
    ) -> Explanation:
        """Which play (or up to ``plays`` plays in a row) turns one settled position into the other, or why none does."""
        chosen = deduction.choices(self.house_rules, rules)
        return self.explainer.explain_up_to(before, after, plays, mover or self.mover(before), chosen)

    def laid_again(self, position: Any, zone: str) -> None:
        """There are no cards in zones."""
        return

    def begun(self, before: Any, after: Any, *, mover: Role | None = None, rules: Json | None = None) -> tuple[Fault, ...]:
        """What is still to do if the change is the beginning of a play that moves others too; empty where it begins none."""
        chosen = deduction.choices(self.house_rules, rules)
        return self.explainer.begun(before, after, mover or self.mover(before), chosen)

    def call(self, position: Any, seen: bool) -> Any:
        """The position after a witness call: the cleared turned over, the witness card laid."""
        cleared = deduction.cleared(self.suspects(position), self.witness(position).seen, seen)
        sides = tuple(INNOCENT if name in cleared else side for name, side in zip(self.characters, position.sides, strict=True))
        return replace(position, sides=sides, witness_card=SEEN if seen else UNSEEN)

    def close_turn(self, position: Any) -> Any:
        """The next turn: the board tidied, the marker moved on, the cards of the new turn.

        The cards after an even turn are unknown until told. After the last turn the marker stays.
        """
        available, played = deduction.cards_of_next_turn(self.characters, position.turn, position.available, position.played)
        turn = min(position.turn + 1, LAST_TURN)
        return replace(position, turn=turn, available=available, played=played, **self.tidied(position))

    def outcome(self, position: Any, play: Play | None = None, jack: str | None = None) -> Outcome | None:
        """Whether the game is over after ``play`` led to ``position``.

        Called with no play, it asks whether the last turn is over: all four cards of turn 8 played. An accusation stays
        open while ``jack`` is None. An escape that is none of the character played is one of the character moved.
        """
        if play is not None and play.ends == ESCAPE:
            return deduction.escape_outcome(self.names[self.escaped(play)], self.got_away)
        if play is not None and play.ends == ACCUSATION:
            accused = self.accused(play)
            if jack is None or accused is None:
                return None
            return deduction.accusation_outcome(self.names[accused], accused == jack)
        if position.turn == LAST_TURN and deduction.picks_made(position.available, position.played) == deduction.PICKS_A_TURN:
            return deduction.dawn_outcome()
        return None

    def escaped(self, play: Play) -> str:
        """The character that left the board in a play that ended so."""
        movers = [move.piece for move in play.moves if move.piece in self.characters]
        return movers[-1] if movers else play.character

    def accused(self, play: Play) -> str | None:
        """The character that somebody was moved onto in a play that ended so."""
        position = play.position
        crowded = [spot for spot in position.hexes if spot is not None and position.hexes.count(spot) > 1]
        arrived = any(move.to in crowded for move in play.moves if move.piece in self.characters)
        there = [name for name, spot in zip(self.characters, position.hexes, strict=True) if spot in crowded]
        last = play.moves[-1].piece
        return next((name for name in there if name != last), None) if arrived else None


def _distinct(plays: Iterable[Play]) -> Iterator[Play]:
    """The first play to each position and end."""
    seen: set[tuple[Any, str | None]] = set()
    for play in plays:
        key = (play.position, play.ends)
        if key not in seen:
            seen.add(key)
            yield play


@cache
def _start(game: Investigation, edition: str) -> Any:
    return game.position({"game": game.id, "edition": edition, **boards.load(game.id, edition).start})

"""Mr. Jack (London) behind the port that every game answers."""

from dataclasses import replace
from functools import cache

from companion import boards
from companion.boards import Board, PieceSet
from companion.errors import IllegalPlay
from companion.games import deduction
from companion.games.deduction import ACCUSATION, ESCAPE, INNOCENT, LAST_TURN, SEEN, SUSPECT, UNSEEN
from companion.games.game import Chore, Explanation, HouseRule, Json, Outcome, Play, Role, Witness
from companion.games.mr_jack_london import chores, light, validation
from companion.games.mr_jack_london.explaining import explain_up_to
from companion.games.mr_jack_london.house_rules import HOUSE_RULES, settled
from companion.games.mr_jack_london.names import CHARACTERS, ID, LAST_LAMP_TURN, NAMES
from companion.games.mr_jack_london.plays import every_play
from companion.games.mr_jack_london.position import Position


class MrJackLondon:
    """The rules of Mr. Jack (London)."""

    id: str = ID
    name: str = "Mr. Jack (London)"
    characters: tuple[str, ...] = CHARACTERS
    house_rules: tuple[HouseRule, ...] = HOUSE_RULES

    def editions(self) -> tuple[str, ...]:
        """Editions of the board, the default one first."""
        return boards.editions(ID)

    def board(self, edition: str) -> Board:
        """The board of one edition."""
        return boards.load(ID, edition)

    def pieces(self) -> PieceSet:
        """The physical pieces."""
        return boards.load_pieces(ID)

    def start(self, edition: str | None = None) -> Position:
        """The start set-up of an edition; cards unknown until they are told."""
        return _start(edition or self.editions()[0])

    def position(self, data: Json, *, tolerant: bool = False) -> Position:
        """A position from its JSON. Raises InvalidPosition with every fault."""
        return validation.from_json(data, tolerant=tolerant)

    def parse(self, notation: str, *, tolerant: bool = False) -> Position:
        """A position from its line of notation. Raises InvalidPosition."""
        return validation.from_notation(notation, tolerant=tolerant)

    def complete(self, before: Position, state: Json, unknown: tuple[str, ...] = ()) -> Position:
        """The tolerant position a reading claims."""
        return chores.complete(before, state, unknown)

    def differences(self, expected: Position, state: Json, unknown: tuple[str, ...] = ()) -> tuple[Chore, ...]:
        """What hands must do to turn the claimed ``state`` into ``expected``."""
        return chores.differences(expected, state, unknown)

    def witness(self, position: Position) -> Witness:
        """Who is seen and who is not."""
        return light.witness(position)

    def suspects(self, position: Position) -> tuple[str, ...]:
        """Characters still under suspicion."""
        return tuple(name for name, side in zip(CHARACTERS, position.sides, strict=True) if side == SUSPECT)

    def movers(self, turn: int) -> tuple[Role, ...]:
        """Who picks, in order, in this turn."""
        return deduction.movers(turn)

    def mover(self, position: Position) -> Role | None:
        """Whose pick it is; None when the cards are unknown or all picks are made."""
        return deduction.mover(position.turn, position.available, position.played)

    def candidates(self, position: Position) -> tuple[str, ...]:
        """Characters that may be played next, as far as the cards are known."""
        names = deduction.candidates(CHARACTERS, position.available, position.played)
        return tuple(name for name in names if position.hex(name) is not None)

    def plays(
        self, position: Position, character: str, *, mover: Role | None = None, rules: Json | None = None
    ) -> tuple[Play, ...]:
        """Every legal play of a character, one per distinct resulting position and end.

        Without ``mover`` it follows from the cards; when they are unknown either side may be moving, so that accusations
        and escapes are both listed. Raises IllegalPlay when the character cannot be played in this turn any more.
        """
        chosen = settled(rules)
        if character not in CHARACTERS:
            raise IllegalPlay(f"{character!r} is not a character; there are: {', '.join(CHARACTERS)}")
        allowed = self.candidates(position)
        if character not in allowed:
            left = f"left to play: {', '.join(allowed)}" if allowed else "all four characters of this turn were played"
            raise IllegalPlay(f"{character} cannot be played now; {left}")
        return tuple(every_play(position, character, mover or self.mover(position), chosen))

    def explain(
        self,
        before: Position,
        after: Position,
        *,
        plays: int = 1,
        mover: Role | None = None,
        rules: Json | None = None,
    ) -> Explanation:
        """Which play (or up to ``plays`` plays in a row) turns one settled position into the other, or why none does."""
        return explain_up_to(before, after, plays, mover or self.mover(before), settled(rules))

    def call(self, position: Position, seen: bool) -> Position:
        """The position after a witness call: the cleared turned over, the witness card laid."""
        cleared = deduction.cleared(self.suspects(position), light.witness(position).seen, seen)
        sides = tuple(INNOCENT if name in cleared else side for name, side in zip(CHARACTERS, position.sides, strict=True))
        return replace(position, sides=sides, witness_card=SEEN if seen else UNSEEN)

    def close_turn(self, position: Position) -> Position:
        """The next turn: this turn's lamp gone wherever it lies, the marker moved on, the cards of the new turn.

        The cards after an even turn are unknown until told. After the last turn the marker stays.
        """
        available, played = deduction.cards_of_next_turn(CHARACTERS, position.turn, position.available, position.played)
        number = position.turn if position.turn <= LAST_LAMP_TURN else None
        return replace(
            position,
            turn=min(position.turn + 1, LAST_TURN),
            gaslights=tuple((spot, label) for spot, label in position.gaslights if label != number),
            available=available,
            played=played,
        )

    def outcome(self, position: Position, play: Play | None = None, jack: str | None = None) -> Outcome | None:
        """Whether the game is over after ``play`` led to ``position``.

        Called with no play, it asks whether the last turn is over: all four cards of turn 8 played. An accusation stays
        open while ``jack`` is None.
        """
        if play is not None and play.ends == ESCAPE:
            return deduction.escape_outcome(NAMES[play.character])
        if play is not None and play.ends == ACCUSATION:
            accused = _accused(play)
            return None if jack is None or accused is None else deduction.accusation_outcome(NAMES[accused], accused == jack)
        if position.turn == LAST_TURN and deduction.picks_made(position.available, position.played) == deduction.PICKS_A_TURN:
            return deduction.dawn_outcome()
        return None


def _accused(play: Play) -> str | None:
    """The character that somebody was moved onto."""
    position: Position = play.position
    arrived = {(move.piece, move.to) for move in play.moves}
    crowded = [spot for spot in position.hexes if spot is not None and position.hexes.count(spot) > 1]
    ended_there = [piece for piece, spot in arrived if spot in crowded]
    there = [name for name, spot in zip(CHARACTERS, position.hexes, strict=True) if spot in crowded]
    last = play.moves[-1].piece
    return next((name for name in there if name != last), None) if ended_there else None


@cache
def _start(edition: str) -> Position:
    board = boards.load(ID, edition)
    return validation.from_json({"game": ID, "edition": edition, **board.start})


GAME = MrJackLondon()

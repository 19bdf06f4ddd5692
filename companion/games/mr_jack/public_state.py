"""What every position of this family holds, and how it is told: on one line of notation and as JSON.

A game derives its frozen position, adds its pieces of the board and says how these are written; the turn, the witness
card, the discs and the cards are the same everywhere::

    edition turn card characters … available/played

A cleared character ends with ``~``; one that left the board stands on ``-``. The whole form of lists, discs and cards is in
:mod:`companion.games.mr_jack.notation`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from companion.games.mr_jack.deduction import Cards
from companion.games.mr_jack.notation import cards_json, cards_of, cards_text, discs_json, discs_of, discs_text
from companion.games.notation import fields_of, number

_SHARED_FIELDS = 5
"""Fields of the line that every game has: edition, turn, witness card, characters, cards."""


@dataclass(frozen=True, slots=True)
class PublicState:
    """The public state of a game. ``hexes`` and ``sides`` follow the order of ``characters``.

    A hex is None for a character that is not on the board (escaped, or missing in a tolerant position), a side is None
    only where a tolerant position does not say. ``available`` and ``played`` are the cards of this turn, None when nobody
    told. Who is Jack is never part of it.
    """

    edition: str
    turn: int
    witness_card: str
    hexes: tuple[str | None, ...]
    sides: tuple[str | None, ...]
    available: Cards = field(default=None, kw_only=True)
    played: Cards = field(default=None, kw_only=True)

    game: ClassVar[str]
    characters: ClassVar[tuple[str, ...]]
    index: ClassVar[Mapping[str, int]]
    """A character's place in the fixed order."""
    piece_keys: ClassVar[tuple[str, ...]]
    """The JSON keys of the pieces of the board, in the order of the line's fields."""

    # --- what every game writes itself ----------------------------------------------------------------------------

    def pieces_json(self) -> dict[str, Any]:
        """The pieces of the board as JSON, by ``piece_keys``."""
        raise NotImplementedError

    def pieces_text(self) -> tuple[str, ...]:
        """The pieces of the board as fields of the line, one for each of ``piece_keys``."""
        raise NotImplementedError

    @staticmethod
    def pieces_of(fields: Sequence[str]) -> dict[str, Any]:
        """The JSON of the pieces of the board from their fields, unchecked. Raises ValueError."""
        raise NotImplementedError

    @property
    def facings(self) -> Mapping[str, str | None]:
        """Where characters that have a front look."""
        return {}

    # --- what all games share -------------------------------------------------------------------------------------

    def hex(self, character: str) -> str | None:
        """Where a character stands."""
        return self.hexes[self.index[character]]

    def side(self, character: str) -> str | None:
        """Which side of a character's disc is up."""
        return self.sides[self.index[character]]

    def to_json(self) -> dict[str, Any]:
        """The position as plain JSON (an escaped or missing character has ``"hex": null``)."""
        return {
            "game": self.game,
            "edition": self.edition,
            "turn": self.turn,
            "characters": discs_json(self.characters, self.hexes, self.sides, self.facings),
            **self.pieces_json(),
            "witness_card": self.witness_card,
            **cards_json(self.available, self.played),
        }

    def notation(self) -> str:
        """The position on one line; see the module's words and those of the game's own position."""
        discs = discs_text(self.characters, self.hexes, self.sides, self.facings)
        cards = cards_text(self.available, self.played)
        return " ".join((self.edition, str(self.turn), self.witness_card, discs, *self.pieces_text(), cards))

    def __str__(self) -> str:
        return self.notation()

    @classmethod
    def data_of(cls, notation: str) -> dict[str, Any]:
        """The JSON a line of notation stands for, unchecked. Raises ValueError when the line has no such shape."""
        edition, turn, card, discs, *texts, cards = fields_of(notation, _SHARED_FIELDS + len(cls.piece_keys))
        pieces = cls.pieces_of(texts)
        return {
            "game": cls.game,
            "edition": edition,
            "turn": number(turn),
            "witness_card": card,
            "characters": discs_of(discs),
            **pieces,
            **cards_of(cards),
        }

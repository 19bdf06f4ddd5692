"""Mr. Jack (London) behind the port that every game answers."""

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.game import Chore, Explanation, HouseRule, Json, Play, Role, Witness
from companion.games.investigation import Investigation
from companion.games.mr_jack_london import chores, light, validation
from companion.games.mr_jack_london.explaining import EXPLAINER
from companion.games.mr_jack_london.house_rules import HOUSE_RULES
from companion.games.mr_jack_london.names import CHARACTERS, HOLMES, ID, LAST_LAMP_TURN, NAMES
from companion.games.mr_jack_london.plays import every_play
from companion.games.mr_jack_london.position import Position


class MrJackLondon(Investigation):
    """The rules of Mr. Jack (London)."""

    id: str = ID
    name: str = "Mr. Jack (London)"
    characters: tuple[str, ...] = CHARACTERS
    names: Mapping[str, str] = NAMES
    house_rules: tuple[HouseRule, ...] = HOUSE_RULES

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

    def every_play(self, position: Position, character: str, role: Role | None, rules: Mapping[str, str]) -> Iterator[Play]:
        """Every legal play, one for each distinct resulting position and end."""
        return every_play(position, character, role, rules)

    def explain_up_to(
        self, before: Position, after: Position, plays: int, role: Role | None, rules: Mapping[str, str]
    ) -> Explanation:
        """Up to ``plays`` plays in a row; the fewest that fit."""
        return EXPLAINER.explain_up_to(before, after, plays, role, rules)

    def draws(self, before: Position, after: Position, character: str) -> bool:
        """Holmes draws an alibi card whenever he is played."""
        return character == HOLMES

    def tidied(self, position: Position) -> dict[str, Any]:
        """This turn's lamp is gone, wherever it lies."""
        number = position.turn if position.turn <= LAST_LAMP_TURN else None
        return {"gaslights": tuple((spot, label) for spot, label in position.gaslights if label != number)}


GAME = MrJackLondon()

"""The explainer of this game: its difference, its judge, its search for several plays."""

from collections.abc import Mapping

from companion.games.casework import judge_table
from companion.games.explaining import Explainer, Hexes
from companion.games.game import Play
from companion.games.mr_jack_london.case import Case
from companion.games.mr_jack_london.difference import Difference, difference
from companion.games.mr_jack_london.judging import judge
from companion.games.mr_jack_london.names import CHARACTERS
from companion.games.mr_jack_london.pieces_moved import board_pieces
from companion.games.mr_jack_london.position import Position
from companion.games.mr_jack_london.sequences import halfway, sequences

Rules = Mapping[str, str]


class _LondonExplainer(Explainer):
    characters = CHARACTERS

    def difference(self, before: Position, after: Position) -> Difference:
        return difference(before, after)

    def judge(self, before: Position, after: Position, changes: Difference, name: str, role: str | None, rules: Rules) -> Case:
        return judge(before, after, changes, name, role, rules)

    def play_like(self, changes: Difference) -> bool:
        return bool(
            changes.moved
            or changes.lantern
            or (
                changes.lamps_gone
                and changes.lamps_new
                and {x[0] for x in changes.lamps_gone} != {x[0] for x in changes.lamps_new}
            )
            or (changes.covers_gone and changes.covers_new)
            or (changes.cordons_gone and changes.cordons_new)
        )

    def no_play(self, before: Position, after: Position, changes: Difference, role: str | None, rules: Rules) -> Case:
        case = Case(before, after, changes, CHARACTERS[0], role, rules)
        board_pieces(case)
        judge_table(case)
        return case

    def halfway(self, position: Position, after: Position, index: int, hexes: Hexes) -> Position:
        return halfway(position, after, index, hexes)

    def sequences(self, before: Position, after: Position, most: int, role: str | None, rules: Rules) -> list[tuple[Play, ...]]:
        return sequences(before, after, most, role, rules)


EXPLAINER = _LondonExplainer()

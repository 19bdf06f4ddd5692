"""The explainer of this game: its difference, its judge, its search for several plays."""

from collections.abc import Mapping

from companion.games.casework import judge_table
from companion.games.explaining import Explainer, Hexes
from companion.games.game import Play
from companion.games.mr_jack_new_york.case import Case
from companion.games.mr_jack_new_york.difference import Difference, difference
from companion.games.mr_jack_new_york.judging import judge, judge_informant
from companion.games.mr_jack_new_york.names import CHARACTERS, EASTMAN
from companion.games.mr_jack_new_york.pieces_moved import claimed_use
from companion.games.mr_jack_new_york.position import Position
from companion.games.mr_jack_new_york.sequences import halfway, sequences

Rules = Mapping[str, str]


class _NewYorkExplainer(Explainer):
    characters = CHARACTERS

    def difference(self, before: Position, after: Position) -> Difference:
        return difference(before, after)

    def judge(self, before: Position, after: Position, changes: Difference, name: str, role: str | None, rules: Rules) -> Case:
        return judge(before, after, changes, name, role, rules)

    def play_like(self, changes: Difference) -> bool:
        return bool(
            changes.moved
            or changes.tiles_new
            or changes.shown
            or (changes.barricades_gone and changes.barricades_new)
            or (changes.boats_gone and changes.boats_new)
        )

    def no_play(self, before: Position, after: Position, changes: Difference, role: str | None, rules: Rules) -> Case:
        # Eastman changes no piece of the board: in his hands every one of them is in the wrong hands.
        case = Case(before, after, changes, EASTMAN, role, rules, walker=EASTMAN)
        claimed_use(case)
        judge_informant(case, [], before)
        judge_table(case)
        return case

    def halfway(self, position: Position, after: Position, index: int, hexes: Hexes) -> Position:
        return halfway(position, after, index, hexes)

    def sequences(self, before: Position, after: Position, most: int, role: str | None, rules: Rules) -> list[tuple[Play, ...]]:
        return sequences(before, after, most, role, rules)


EXPLAINER = _NewYorkExplainer()

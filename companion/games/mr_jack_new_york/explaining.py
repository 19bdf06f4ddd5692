"""The explainer of this game: its difference, its judge, its search for several plays."""

from companion.games.mr_jack.casework import judge_table
from companion.games.mr_jack.explaining import Explainer, Rules
from companion.games.mr_jack_new_york.case import Case
from companion.games.mr_jack_new_york.difference import Difference, difference
from companion.games.mr_jack_new_york.judging import judge, judge_informant
from companion.games.mr_jack_new_york.names import CHARACTERS, EASTMAN, TUMBLETY
from companion.games.mr_jack_new_york.pieces_moved import claimed_use
from companion.games.mr_jack_new_york.position import Position
from companion.games.mr_jack_new_york.sequences import Search, halfway


def play_like(changes: Difference) -> bool:
    """Whether anything moved that some play moves; a piece only taken away belongs to no play."""
    return bool(
        changes.moved
        or changes.tiles_new
        or changes.shown
        or (changes.barricades_gone and changes.barricades_new)
        or (changes.boats_gone and changes.boats_new)
    )


def no_play(before: Position, after: Position, changes: Difference, role: str | None, rules: Rules) -> Case:
    """The faults of a change that is nobody's play."""
    # Eastman changes no piece of the board: in his hands every one of them is in the wrong hands.
    case = Case(before, after, changes, EASTMAN, role, rules, walker=EASTMAN)
    claimed_use(case)
    judge_informant(case, [], before)
    judge_table(case)
    return case


EXPLAINER = Explainer(
    characters=CHARACTERS,
    difference=difference,
    judge=judge,
    play_like=play_like,
    no_play=no_play,
    halfway=halfway,
    search=Search,
    others_moved={EASTMAN: 1, TUMBLETY: 2},
)

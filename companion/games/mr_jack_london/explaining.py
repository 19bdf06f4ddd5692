"""The explainer of this game: its difference, its judge, its search for several plays."""

from companion.games.mr_jack.casework import judge_table
from companion.games.mr_jack.explaining import Explainer, Rules
from companion.games.mr_jack_london.case import Case
from companion.games.mr_jack_london.difference import Difference, difference
from companion.games.mr_jack_london.judging import judge
from companion.games.mr_jack_london.names import CHARACTERS, GOODLEY, GULL
from companion.games.mr_jack_london.pieces_moved import board_pieces
from companion.games.mr_jack_london.position import Position
from companion.games.mr_jack_london.sequences import Search, halfway


def play_like(changes: Difference) -> bool:
    """Whether anything moved that some play moves; a piece only taken away belongs to no play."""
    return bool(
        changes.moved
        or changes.lantern
        or (
            changes.lamps_gone and changes.lamps_new and {x[0] for x in changes.lamps_gone} != {x[0] for x in changes.lamps_new}
        )
        or (changes.covers_gone and changes.covers_new)
        or (changes.cordons_gone and changes.cordons_new)
    )


def no_play(before: Position, after: Position, changes: Difference, role: str | None, rules: Rules) -> Case:
    """The faults of a change that is nobody's play."""
    case = Case(before, after, changes, CHARACTERS[0], role, rules)
    board_pieces(case)
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
    others_moved={GOODLEY: len(CHARACTERS) - 1, GULL: 1},
)

"""Why one settled position became another: judge every character that may have been played, keep the best case."""

from companion.errors import BadInput
from companion.games.game import Explanation
from companion.games.mr_jack_london.case import Case
from companion.games.mr_jack_london.difference import Difference, difference
from companion.games.mr_jack_london.house_rules import Rules
from companion.games.mr_jack_london.judging import judge
from companion.games.mr_jack_london.names import CHARACTERS
from companion.games.mr_jack_london.pieces_moved import board_pieces, table_faults
from companion.games.mr_jack_london.position import Position
from companion.games.mr_jack_london.sequences import sequences


def explain_up_to(before: Position, after: Position, plays: int, role: str | None, rules: Rules) -> Explanation:
    """Up to ``plays`` plays in a row; the fewest that fit. Faults of an illegal change are those of a single play."""
    single = explain_one(before, after, role, rules)
    if single.verdict != "illegal" or plays == 1:
        return single
    found = sequences(before, after, plays, role, rules)
    if not found:
        return single
    return Explanation("legal" if len(found) == 1 else "ambiguous", tuple(found))


def explain_one(before: Position, after: Position, role: str | None, rules: Rules) -> Explanation:
    """One play, or why there is none. ``role`` None: either side may have been moving."""
    if before.edition != after.edition:
        raise BadInput(f"the boards differ: {before.edition} before, {after.edition} after")
    changes = difference(before, after)
    if changes.nothing:
        return Explanation("unchanged")
    if not _play_like(changes):
        case = Case(before, after, changes, CHARACTERS[0], role, rules)
        board_pieces(case)
        table_faults(case)
        return Explanation("illegal", (), tuple(case.faults))
    cases = [judge(before, after, changes, name, role, rules) for name in CHARACTERS if before.hex(name) is not None]
    legal = [case for case in cases if not case.faults]
    if legal:
        verdict = "legal" if len(legal) == 1 else "ambiguous"
        return Explanation(verdict, tuple((case.play(),) for case in legal))
    best = min(cases, key=lambda case: (case.weight, len(case.faults)))
    return Explanation("illegal", ((best.play(),),), tuple(best.faults))


def _play_like(changes: Difference) -> bool:
    """Whether anything moved that some play moves; a tile that was only taken away or added belongs to no play."""
    return bool(
        changes.moved
        or changes.lantern
        or (
            changes.lamps_gone and changes.lamps_new and {x[0] for x in changes.lamps_gone} != {x[0] for x in changes.lamps_new}
        )
        or (changes.covers_gone and changes.covers_new)
        or (changes.cordons_gone and changes.cordons_new)
    )

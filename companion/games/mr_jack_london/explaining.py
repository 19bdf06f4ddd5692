"""Why one settled position became another: judge every character that may have been played, keep the best case."""

from companion.errors import BadInput
from companion.games.game import Explanation, Play
from companion.games.mr_jack_london.case import Case
from companion.games.mr_jack_london.difference import Difference, difference
from companion.games.mr_jack_london.house_rules import Rules
from companion.games.mr_jack_london.judging import judge
from companion.games.mr_jack_london.names import CHARACTERS
from companion.games.mr_jack_london.pieces_moved import board_pieces, table_faults
from companion.games.mr_jack_london.position import Position
from companion.games.mr_jack_london.sequences import halfway, sequences

# Weight added to "was moved though not played" when the change may hold several plays; see the weights in case.py.
PLAYED_RATHER_THAN_PUSHED = 2.0


def explain_up_to(before: Position, after: Position, plays: int, role: str | None, rules: Rules) -> Explanation:
    """Up to ``plays`` plays in a row; the fewest that fit.

    An illegal change is told as legal plays and then one illegal one, whichever reading has the smallest set of faults.
    """
    single = explain_one(before, after, role, rules)
    if single.verdict != "illegal" or plays == 1:
        return single
    found = sequences(before, after, plays, role, rules)
    if found:
        return Explanation("legal" if len(found) == 1 else "ambiguous", tuple(found))
    if not single.alternatives:
        return single
    _, earlier, case = _nearest(before, after, plays, role, rules)
    return Explanation("illegal", ((*earlier, case.play()),), tuple(case.faults))


def _nearest(
    before: Position, after: Position, plays: int, role: str | None, rules: Rules
) -> tuple[float, tuple[Play, ...], Case]:
    """(weight, legal plays first, the illegal one): the reading with the smallest set of faults."""
    changes = difference(before, after)
    case = _best_case(before, after, changes, role, rules)
    # Where more plays may have happened, somebody else's disc was more likely played than pushed.
    pushed = sum(fault.code in ("other-moved", "several-moved") for fault in case.faults)
    best: tuple[float, tuple[Play, ...], Case] = (case.weight + (plays > 1) * PLAYED_RATHER_THAN_PUSHED * pushed, (), case)
    if plays == 1 or len(changes.moved) < 2:
        return best
    for index in changes.moved:
        spot = after.hexes[index]
        if spot is None or spot in before.hexes:
            continue
        middle = halfway(before, after, index, (*before.hexes[:index], spot, *before.hexes[index + 1 :]))
        first = judge(before, middle, difference(before, middle), CHARACTERS[index], role, rules)
        if first.faults or first.ends:
            continue
        weight, later, last = _nearest(middle, after, plays - 1, None, rules)
        if weight < best[0]:
            best = (weight, (first.play(), *later), last)
    return best


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
    cases = _cases(before, after, changes, role, rules)
    legal = [case for case in cases if not case.faults]
    if legal:
        verdict = "legal" if len(legal) == 1 else "ambiguous"
        return Explanation(verdict, tuple((case.play(),) for case in legal))
    best = min(cases, key=_smallest)
    return Explanation("illegal", ((best.play(),),), tuple(best.faults))


def _cases(before: Position, after: Position, changes: Difference, role: str | None, rules: Rules) -> list[Case]:
    return [judge(before, after, changes, name, role, rules) for name in CHARACTERS if before.hex(name) is not None]


def _best_case(before: Position, after: Position, changes: Difference, role: str | None, rules: Rules) -> Case:
    return min(_cases(before, after, changes, role, rules), key=_smallest)


def _smallest(case: Case) -> tuple[float, int]:
    return case.weight, len(case.faults)


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

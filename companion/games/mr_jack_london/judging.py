"""One hypothesis at a time: "this character was played". Which rules does the change break then?

No broken rule means that the hypothesis is a legal play. Otherwise each fault carries a weight, so that the hypothesis
with the smallest set of faults can be told from the others: something missing weighs less than something moved that
the character could not have moved.
"""

from companion.games.game import Move
from companion.games.mr_jack.casework import (
    FOREIGN,
    NEVER_LEFT,
    SLIP,
    WRONG_PLACE,
    judge_cards,
    judge_table,
    marked,
    others_stay,
    why_shared,
)
from companion.games.mr_jack.deduction import ACCUSATION, ESCAPE, why_not_leave
from companion.games.mr_jack_london import pieces_moved
from companion.games.mr_jack_london.case import Case
from companion.games.mr_jack_london.difference import Difference
from companion.games.mr_jack_london.house_rules import Rules
from companion.games.mr_jack_london.judging_whistle import judge_whistle
from companion.games.mr_jack_london.names import (
    ABILITY,
    BERT,
    CHARACTERS,
    GOODLEY,
    GULL,
    LESTRADE,
    NAMES,
    SMITH,
    STEALTHY,
    STEPS,
    WATSON,
)
from companion.games.mr_jack_london.plays import WATSON_INDEX, accusable, exits, may_leave, used_ability, walk
from companion.games.mr_jack_london.position import Position
from companion.games.mr_jack_london.streets import Path, steps_needed, streets_of
from companion.games.mr_jack_london.wording import fault


def judge(before: Position, after: Position, changes: Difference, character: str, role: str | None, rules: Rules) -> Case:
    """The best case for "``character`` was played": of its possible readings the one with the smallest set of faults."""
    readings = [_walked(Case(before, after, changes, character, role, rules))]
    if character == GULL and readings[0].faults and (swapped := _swapped(Case(before, after, changes, character, role, rules))):
        readings.append(swapped)
    if character == GOODLEY and readings[0].faults:
        readings.append(_walked(Case(before, after, changes, character, role, rules), whistled_first=True))
    best = min(readings, key=lambda case: case.badness)
    judge_cards(best)
    judge_table(best)
    return best


def _swapped(case: Case) -> Case | None:
    """The reading that Gull changed places with somebody; None when nobody can be the one."""
    partner = next(
        (
            index
            for index in case.changes.moved
            if index != case.index and case.before.hexes[index] == case.to and case.after.hexes[index] == case.origin
        ),
        None,
    )
    if partner is None or case.to is None:
        return None
    facing = (case.after.facing or case.before.facing) if partner == WATSON_INDEX else None
    case.ability = ABILITY[GULL]
    case.moves = [Move(GULL, case.origin, case.to), Move(CHARACTERS[partner], case.to, case.origin, facing=facing)]
    others_stay(case, {partner})
    _lantern(case, turned_with=partner)
    pieces_moved.board_pieces(case)
    return case


def _walked(case: Case, *, whistled_first: bool = False) -> Case:
    """The reading that the character walked, with its ability before or after."""
    change_moves = pieces_moved.board_pieces(case)
    told: list[Move] = []
    called: set[int] = set()
    if case.character == GOODLEY:
        told, called = judge_whistle(case, whistled_first)
    others_stay(case, called)
    found = len(case.faults)
    path, first = _own_walk(case, bool(change_moves), whistled_first, called)
    if not (case.ends == ACCUSATION and case.accused == WATSON):  # a disc that is set down on him lies anyhow
        _lantern(case, WATSON_INDEX if WATSON_INDEX in called else None, found)
    own: list[Move] = []
    if path or case.to != case.origin:
        facing = case.after.facing or case.before.facing if case.character == WATSON and case.to else None
        own = [Move(case.character, case.origin, case.to, path, facing)]
    if case.character == GOODLEY:
        case.moves = [*told, *own] if whistled_first else [*own, *told]
        case.ability = ABILITY[GOODLEY] if told or not case.ends else None
    else:
        case.moves = [*change_moves, *own] if first else [*own, *change_moves]
        case.ability = used_ability(case.before, case.character, path[:-1] if case.ends == ESCAPE else path, bool(change_moves))
        if case.ends and case.character not in (SMITH, LESTRADE, BERT, STEALTHY):
            case.ability = None
    _duty(case, bool(change_moves))
    return case


def _duty(case: Case, changed: bool) -> None:
    """Abilities that must be used; a play that ended the game is over before they are due."""
    if case.ends:
        return
    if case.character in (SMITH, LESTRADE, BERT) and not changed and not pieces_moved.own_pieces_touched(case):
        case.blame(SLIP, fault(f"ability-missing/{case.character}", case.character, cells=marked(case.to)))
    kept = (case.after.facing or case.before.facing) == case.before.facing
    if (
        case.character == WATSON
        and kept
        and case.rules["lantern-direction"] == "must-change"
        and case.to not in (None, case.origin)
    ):
        case.blame(SLIP, fault("lantern-same", WATSON, cells=marked(case.to), to=case.before.facing))


def _lantern(case: Case, turned_with: int | None, before: int | None = None) -> None:
    """The lantern turns only with Watson. ``before``: which of the faults found so far it is told before (None: after all)."""
    if case.character != WATSON and case.changes.lantern and turned_with != WATSON_INDEX:
        spot = case.after.hexes[WATSON_INDEX]
        case.blame(
            FOREIGN, fault("lantern-turned", WATSON, cells=marked(spot), origin=case.before.facing, to=case.after.facing)
        )
        if before is not None:
            case.faults.insert(before, case.faults.pop())


def _own_walk(case: Case, changed: bool, whistled_first: bool, called: set[int]) -> tuple[Path, bool]:
    """Check the character's own way. Returns its path (empty when there is none) and whether the ability came first."""
    if case.to == case.origin:
        _stayed(case)
        return (), False
    if case.to is None:
        return _left(case), changed
    if case.to not in streets_of(case.before.edition).streets:
        _off_street(case, case.to)
        return (), False
    company = [index for index, spot in enumerate(case.after.hexes) if spot == case.to and index != case.index]
    return _arrived(case, case.to, company, changed, whistled_first, called)


def _arrived(
    case: Case, to: str, company: list[int], changed: bool, whistled_first: bool, called: set[int]
) -> tuple[Path, bool]:
    """Check the way to a street hex, on which ``company`` may be standing."""
    at_once = walk(case.before, case.character, case.before.covers)
    later = walk(case.before, case.character, case.covers_afterwards) if changed else {}
    if company:
        # An accusation ends the play, so an ability that was used must have come first.
        ways = later if changed else at_once
        if to in ways and _accuses(case, company, called, whistled_first):
            case.ends, case.accuser, case.accused = ACCUSATION, case.character, CHARACTERS[company[0]]
            return ways[to], changed or whistled_first
        _shares_hex(case, company, to)
        return at_once.get(to, ()), whistled_first
    if to in at_once:
        return at_once[to], whistled_first
    if to in later:
        return later[to], True
    _too_far(case, to)
    return (), False


def _stayed(case: Case) -> None:
    if case.ends == ACCUSATION:
        return  # somebody was whistled onto a suspect before Goodley walked
    code = "not-moved/gull" if case.character == GULL else "not-moved"
    words = {"origin": case.origin, "limit": STEPS[case.character]}
    case.blame(NEVER_LEFT, fault(code, case.character, cells=(case.origin,), allowed=case.within_reach(), **words))


def _off_street(case: Case, to: str) -> None:
    kind = streets_of(case.before.edition).board.kind(to)
    words = {"origin": case.origin, "to": to}
    found = fault(f"off-street/{kind}", case.character, cells=(to, case.origin), allowed=case.within_reach(), **words)
    case.blame(WRONG_PLACE, found)


def _too_far(case: Case, to: str) -> None:
    steps, limit = _steps(case, to), STEPS[case.character]
    variant = "too-far/she" if case.character == STEALTHY else "too-far"
    words = {"origin": case.origin, "to": to, "steps": steps, "limit": limit}
    found = fault(variant, case.character, cells=(to, case.origin), allowed=case.within_reach(), **words)
    case.blame(WRONG_PLACE + 0.1 * (steps - limit), found)


def _steps(case: Case, to: str) -> int:
    edition, origin, crossing = case.before.edition, case.origin, case.character == STEALTHY
    counts = [steps_needed(edition, origin, to, case.before.covers, crossing)]
    counts.append(steps_needed(edition, origin, to, case.covers_afterwards, crossing))
    return min(count for count in counts if count is not None)


def _accuses(case: Case, company: list[int], called: set[int], whistled_first: bool) -> bool:
    """Whether sharing the hex is an accusation as far as the rules on who and whom go."""
    allowed = accusable(case.before, case.character, case.role, case.rules)
    if len(company) != 1 or company[0] not in allowed:
        return False
    if case.character == GOODLEY:
        return whistled_first or not called
    return True


def _shares_hex(case: Case, company: list[int], to: str) -> None:
    why = why_shared(case, company, near=to in walk(case.before, case.character, case.before.covers))
    others = ", ".join(NAMES[CHARACTERS[index]] for index in company)
    case.blame(
        WRONG_PLACE,
        fault(
            f"occupied/{why}", case.character, cells=(to, case.origin), allowed=case.within_reach(), origin=case.origin,
            to=to, other=others,
        ),
    )  # fmt: skip


def _left(case: Case) -> Path:
    """The character is gone from the board: an escape, or why it cannot be one."""
    before, name = case.before, case.character
    cordons = case.after.cordons if name == LESTRADE and case.one_cordon_moved else before.cordons
    ways = exits(before, name, case.covers_afterwards, cordons, case.origin, case.rules)
    if may_leave(before, name, case.role, case.rules) and ways:
        case.ends = ESCAPE
        return next(iter(ways.values()))
    code = why_not_leave(before, case.index, case.role, first_turn=case.rules["escape-in-turn-one"] == "yes")
    case.blame(
        WRONG_PLACE,
        fault(code, name, cells=(case.origin,), allowed=case.within_reach(), origin=case.origin, limit=STEPS[name]),
    )
    return ()

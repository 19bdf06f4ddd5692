"""One hypothesis at a time: "this character was played". Which rules does the change break then?

Each hypothesis has several readings (the ability before or after the walk; whom Eastman sent; whom Tumblety swapped); the
one with the smallest set of faults speaks for it.
"""

from collections.abc import Iterator, Mapping

from companion.games.game import Fault, Move
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
from companion.games.mr_jack_new_york.actions import Rules, actions, beside_tumblety, informant_cells, swap
from companion.games.mr_jack_new_york.case import Case
from companion.games.mr_jack_new_york.difference import Difference
from companion.games.mr_jack_new_york.light import witness
from companion.games.mr_jack_new_york.names import (
    ABILITY,
    BUILDING,
    BUILDS,
    CHARACTERS,
    CLOUD_RIDER,
    EASTMAN,
    GRANT,
    INDEX,
    INFORMANT,
    LAMP,
    MANDATORY,
    NAMES,
    STEPS,
    TALKATIVE,
    TUMBLETY,
)
from companion.games.mr_jack_new_york.pieces_moved import claimed_use, use
from companion.games.mr_jack_new_york.plays import accusable, eastman_may_stay, exits, like_state, may_leave, shut_in
from companion.games.mr_jack_new_york.position import Position
from companion.games.mr_jack_new_york.streets import Path, steps_needed, streets_of, ways
from companion.games.mr_jack_new_york.wording import fault

Partners = tuple[int, int] | None


def judge(before: Position, after: Position, changes: Difference, character: str, role: str | None, rules: Rules) -> Case:
    """The best case for "``character`` was played": of its readings the one with the smallest set of faults."""
    best: Case | None = None
    for walker, partners, ability_first in _readings(before, after, changes, character):
        case = Case(before, after, changes, character, role, rules, walker=walker, goal=after.hex(walker))
        if partners is not None and INDEX[TUMBLETY] in partners and not ability_first:
            case.goal = after.hexes[partners[0]]  # he changed places himself after walking there
        _read(case, partners, ability_first)
        if best is None or case.badness < best.badness:
            best = case
        if not case.faults:
            break
    assert best is not None
    judge_cards(best)
    judge_table(best)
    return best


def _readings(before: Position, after: Position, changes: Difference, character: str) -> Iterator[tuple[str, Partners, bool]]:
    """(who walked, whom Tumblety swapped, whether the ability came first), the plainest first."""
    yield character, None, False
    if character in MANDATORY:
        yield character, None, True
    if character == EASTMAN and before.hex(EASTMAN) == after.hex(EASTMAN):
        for index in changes.moved:
            yield CHARACTERS[index], None, False
    if character == TUMBLETY:
        for partners in _partners(before, after, changes):
            for first in (False, True):
                if INDEX[TUMBLETY] not in partners or _changed_with(before, after, partners[0], first):
                    yield character, partners, first


def _partners(before: Position, after: Position, changes: Difference) -> Iterator[tuple[int, int]]:
    own = INDEX[TUMBLETY]
    moved = [index for index in changes.moved if index != own]
    for number, one in enumerate(moved):
        if len(moved) == 1:
            yield one, own
        for other in moved[number + 1 :]:
            if before.hexes[one] == after.hexes[other] and before.hexes[other] == after.hexes[one]:
                yield one, other


def _changed_with(before: Position, after: Position, other: int, first: bool) -> bool:
    """Whether Tumblety and this other one can have changed places, before his walk or after it: whoever did not walk from
    there stands where the other one stood."""
    own = INDEX[TUMBLETY]
    return after.hexes[other] == before.hexes[own] if first else after.hexes[own] == before.hexes[other]


def _read(case: Case, partners: Partners, ability_first: bool) -> None:
    """Judge one reading: walk and ability in their order, then all that nobody may have touched."""
    used, touched = claimed_use(case)
    excused = {INDEX[case.walker], *(partners or ())}
    others_stay(case, excused)
    if case.sent and case.walker not in like_state(case.before):
        _unlike(case)
    position: Position = case.before
    moves: list[Move] = []
    done: list[Move] = []
    if ability_first:
        position, done = _ability(case, position, used, partners)
        moves += done
    alone = partners is not None and case.rules["swap-and-move"] == "either"
    later = partners if partners is not None and INDEX[TUMBLETY] in partners and not ability_first else ()
    _walk(case, position, partners, alone, later)
    moves += case.walk
    judge_informant(case, moves, position)
    if not ability_first:
        _, done = _ability(case, case.walked(position), used, partners)
        moves += done
        if done and case.ends:
            _after_the_end(case)
    case.moves = moves
    case.ability = ABILITY[case.character] if done or case.sent else None
    _duty(case, touched)


def _ability(case: Case, position: Position, used: tuple[str, ...] | None, partners: Partners) -> tuple[Position, list[Move]]:
    """Use the ability; (the position after it, the moves that tell it)."""
    if partners is not None:
        return _swap(case, position, partners)
    if used is None:
        return position, []
    action = use(case, position, used, case.rules)
    return (position, []) if action is None else (action.position, list(action.moves))


def _swap(case: Case, position: Position, partners: tuple[int, int]) -> tuple[Position, list[Move]]:
    one, other = (CHARACTERS[index] for index in partners)
    beside = beside_tumblety(position)
    if one not in beside and (other not in beside or other == TUMBLETY):
        words = {"one": NAMES[one], "other": NAMES[other]}
        spots = marked(case.after.hex(one), case.after.hex(other))
        case.blame(FOREIGN, fault("swap-not-beside", TUMBLETY, cells=spots, **words))
    if other == TUMBLETY and case.rules["swap-himself"] == "no":
        words = {"origin": case.before.hex(one) or "", "to": case.after.hex(one) or "", "player": NAMES[TUMBLETY]}
        case.blame(FOREIGN, fault("other-moved", one, cells=marked(words["to"], words["origin"]), **words))
    action = swap(position, one, other)
    return action.position, list(action.moves)


def _unlike(case: Case) -> None:
    state = "seen" if EASTMAN in witness(case.before).seen else "unseen"
    cells = marked(case.goal, case.start)
    words = {"state": state, "origin": case.start}
    case.blame(FOREIGN, fault("not-like-state", case.walker, cells=cells, allowed=marked(case.start), **words))


def _after_the_end(case: Case) -> None:
    """Somebody was accused or left before the ability was used: then that was not an end but a fault."""
    ends, case.ends = case.ends, None
    if ends == ACCUSATION:
        _shares_hex(case, str(case.goal), near=True)
    else:
        case.blame(WRONG_PLACE, _gone(case, "escape-closed"))


# --- the walk -----------------------------------------------------------------------------------------------------------


def _walk(case: Case, position: Position, partners: Partners, alone: bool, later: tuple[int, ...] = ()) -> None:
    """Check the walker's way from where it stands in ``position``; it ends where ``after`` shows it. ``later``: who came to
    stand there only after the walk, by changing places with the walker."""
    origin = position.hex(case.walker)
    to = case.goal
    if to == origin:
        if not alone:
            _stayed(case, position)
        return
    if alone and partners is not None:
        words = {"one": NAMES[CHARACTERS[partners[0]]], "other": NAMES[CHARACTERS[partners[1]]]}
        case.blame(WRONG_PLACE, fault("swap-or-move", case.walker, cells=marked(to, origin), **words))
        return
    net = streets_of(position.edition)
    if to is None or to in net.ports or to in net.exits:
        _leave(case, position, to)
        return
    found = ways(position, case.walker, on_foot=case.sent)
    company = [i for i, spot in enumerate(case.after.hexes) if spot == to and i not in (INDEX[case.walker], *later)]
    if company:
        _join(case, position, to, company, found)
    elif to not in found:
        _too_far(case, position, to)
    elif to == position.informant and position.informant_side != TALKATIVE:
        words = {"origin": case.start, "to": to}
        case.blame(
            WRONG_PLACE,
            fault("occupied/silent", case.walker, cells=(to, case.start), allowed=case.within_reach(), **words),
        )
    case.walk = [Move(case.walker, origin or "", to, found.get(to, ()))]


def _stayed(case: Case, position: Position) -> None:
    if _may_stay(case, position):
        return
    code = "not-moved/eastman" if case.character == EASTMAN else "not-moved"
    words = {"origin": case.start, "limit": STEPS}
    found = fault(code, case.walker, cells=marked(case.start), allowed=case.within_reach(), **words)
    case.blame(NEVER_LEFT, found)


def _may_stay(case: Case, position: Position) -> bool:
    if case.character == EASTMAN:
        return eastman_may_stay(case.before, case.role, case.rules)
    picked, now = shut_in(case.before, case.walker), shut_in(position, case.walker)
    return picked and (now or case.rules["shut-in"] == "when-picked")


def _join(case: Case, position: Position, to: str, company: list[int], found: Mapping[str, Path]) -> None:
    allowed = () if case.sent else accusable(case.before, case.walker, case.role, case.rules)
    if len(company) == 1 and company[0] in allowed and to in found and position.hexes[company[0]] == to:
        case.ends, case.accuser, case.accused = ACCUSATION, case.walker, CHARACTERS[company[0]]
        return
    _shares_hex(case, to, near=to in found)


def _shares_hex(case: Case, to: str, *, near: bool) -> None:
    company = [i for i, spot in enumerate(case.after.hexes) if spot == to and i != INDEX[case.walker]]
    why = "eastman" if case.sent else why_shared(case, company, near=near)
    words = {"origin": case.start, "to": to, "other": ", ".join(NAMES[CHARACTERS[index]] for index in company)}
    found = fault(f"occupied/{why}", case.walker, cells=(to, case.start), allowed=case.within_reach(), **words)
    case.blame(WRONG_PLACE, found)


def _too_far(case: Case, position: Position, to: str) -> None:
    net = streets_of(position.edition)
    words: dict[str, str | int] = {"origin": case.start, "to": to, "limit": STEPS}
    built = dict(position.tiles).get(to)
    if to in position.covered:
        code = "off-street/barricade"
    elif to in net.buildings or built == BUILDING:
        code = "off-street/building"
    elif built == LAMP:
        code = "off-street/lamp"
    elif case.sent:
        code = "too-far/on-foot"
    else:
        steps = steps_needed(position, case.walker, to)
        code = "no-way" if steps is None else "too-far/she" if case.walker in (CLOUD_RIDER, GRANT) else "too-far"
        words["steps"] = steps or 0
    found = fault(code, case.walker, cells=marked(to, case.start), allowed=case.within_reach(), **words)
    apart = net.apart.get(case.start, {}).get(to, STEPS)
    case.blame(WRONG_PLACE + 0.1 * max(0, apart - STEPS), found)


def _leave(case: Case, position: Position, to: str | None) -> None:
    """The walker is gone from the streets: an escape, or why it cannot be one."""
    found = exits(position, case.walker, case.rules, case.before, on_foot=case.sent)
    goals = {to: found[to]} if to in found and to is not None else {} if to is not None else found
    origin = position.hex(case.walker) or ""
    if goals and may_leave(case.before, case.walker, case.role):
        case.ends = ESCAPE
        case.walk = [Move(case.walker, origin, to, next(iter(goals.values())))]
        return
    case.walk = [Move(case.walker, origin, to)]
    case.blame(WRONG_PLACE, _gone(case, why_not_leave(case.before, INDEX[case.walker], case.role)))


def _gone(case: Case, code: str) -> Fault:
    words = {"origin": case.start, "limit": STEPS}
    return fault(code, case.walker, cells=marked(case.goal, case.start), allowed=case.within_reach(), **words)


# --- the informant and duties -------------------------------------------------------------------------------------------


def judge_informant(case: Case, moves: list[Move], position: Position) -> None:
    """Met: turned silent and moved to a free hex. Not met: as he was."""
    before, after, changes = case.before, case.after, case.changes
    was, now = before.informant or "", after.informant
    if not case.met:
        if now is None and changes.informant:
            case.blame(FOREIGN, fault("informant-gone", None, cells=marked(was), allowed=marked(was), origin=was))
        elif changes.informant:
            words = {"origin": was, "to": now}
            case.blame(FOREIGN, fault("informant-moved", None, cells=marked(now, was), allowed=marked(was), **words))
        elif changes.informant_turned:
            side = before.informant_side
            case.blame(FOREIGN, fault("informant-turned", None, cells=marked(was), side=side))
        return
    walked = case.walked(position)
    free = tuple(informant_cells(walked)) if walked.informant == was else (str(now),)
    if now is None or now == was:
        case.blame(SLIP, fault("informant-not-moved", case.walker, cells=marked(was), allowed=free, to=was))
    elif now not in free:
        case.blame(WRONG_PLACE, fault("informant-misplaced", None, cells=(now,), allowed=free, to=now))
    elif after.informant_side == TALKATIVE:
        case.blame(SLIP, fault("informant-not-turned", None, cells=(now,), to=now))
    if now is not None and now != was:
        moves.append(Move(INFORMANT, was, now))


def _duty(case: Case, touched: bool) -> None:
    """Abilities that must be used, if there is any way to; a play that ended the game is over before they are due."""
    if case.character not in MANDATORY or touched or case.ends:
        return
    could = any(
        next(actions(now, case.character, case.rules), None) is not None for now in (case.before, case.walked(case.before))
    )
    if could:
        kind = BUILDS.get(case.character, case.character)
        case.blame(SLIP, fault(f"ability-missing/{kind}", case.character, cells=marked(case.to)))

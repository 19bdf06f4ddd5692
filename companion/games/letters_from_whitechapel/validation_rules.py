"""What makes a position one that cannot be on a table: each part against the rules, every fault a sentence.

Too many women, Wretched, patrols or clues are a fault, and so is each in a place where it cannot be. Too few Wretched or
patrols are none: what may be done with those that are told of does not depend on the others. Policemen are always five.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

from companion.games.letters_from_whitechapel import police, wretched
from companion.games.letters_from_whitechapel.names import (
    BEFORE_THE_HUNT,
    CLUE_MARKERS,
    COLOURS,
    DOWN,
    HUNT,
    KILL,
    LAST_TIME,
    OVER,
    PATROL_TOKENS,
    PATROLS,
    POLICE_ACT,
    POLICE_MOVE,
    REVEAL,
    WOMEN,
    WRETCHED,
)
from companion.games.letters_from_whitechapel.position import Position

Faults = list[str]


def broken(position: Position) -> Faults:
    """Every broken rule; empty for a position that can be."""
    checks = (_scenes, _women, _wretched, _time, _patrols, _policemen, _track, _clues, _turns)
    return [fault for check in checks for fault in check(position)]


def _told(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))


def _scenes(position: Position) -> Faults:
    faults, nights = [], len(position.crime_scenes)
    wanted = {position.night - 1} if position.phase in (WOMEN, PATROLS, KILL, WRETCHED) else {position.night}
    if position.phase == REVEAL:
        wanted = {position.night - 1, position.night}
    if nights not in wanted:
        faults.append(
            f"crime_scenes: of {nights} nights, but in phase {position.phase} of night {position.night} there are those of "
            f"{' or '.join(map(str, sorted(wanted)))}"
        )
    for number, night in enumerate(position.crime_scenes, 1):
        victims = 2 if number == 3 else 1
        if len(night) != victims:
            faults.append(f"crime_scenes: {len(night)} of night {number}, which has {victims}")
    counted = Counter(circle for night in position.crime_scenes for circle in night)
    return faults + [f"crime_scenes: {count} on {circle}" for circle, count in counted.items() if count > 1]


def _women(position: Position) -> Faults:
    if position.phase not in (WOMEN, PATROLS):
        return [f"women: tokens on the board in phase {position.phase}"] if position.women else []
    faults, count = [], len(position.women)
    if position.phase == PATROLS and count != position.tonight.women:
        faults.append(f"women: {count} tokens, but night {position.night} has {position.tonight.women}")
    elif count > position.tonight.women:
        faults.append(f"women: {count} tokens, but night {position.night} has only {position.tonight.women}")
    for circle in position.women:
        if circle not in position.streets.red:
            faults.append(f"women: a token on {circle}, which is not red")
        if circle in position.all_scenes:
            faults.append(f"women: a token on {circle}, where a crime scene marker lies")
    return faults


def _wretched(position: Position) -> Faults:
    if position.phase not in (KILL, WRETCHED, REVEAL):
        return [f"wretched: pawns on the board in phase {position.phase}"] if position.wretched else []
    faults, wanted = [], wretched.expected(position)
    if len(position.wretched) > wanted:
        faults.append(
            f"wretched: {len(position.wretched)} pawns, but there are {wanted} in this phase of night {position.night}"
        )
    unmoved = _waits(position) == 0
    for circle in position.wretched:
        if circle in position.all_scenes:
            faults.append(f"wretched: a pawn on {circle}, where a crime scene marker lies")
        if unmoved and circle not in position.streets.red:
            faults.append(f"wretched: a pawn on {circle}, which is not red, and none has moved yet")
    return faults


def _waits(position: Position) -> int:
    return position.time - 1


def _time(position: Position) -> Faults:
    waited = position.phase == WRETCHED or position.turning_up
    if waited and position.time == 1:
        return [f"time: 1, but phase {position.phase} follows a wait, which moves it on (2 to {LAST_TIME})"]
    return []


def _patrols(position: Position) -> Faults:
    tokens = position.patrols
    if position.phase not in BEFORE_THE_HUNT or position.phase == WOMEN:
        return [f"patrols: tokens on the board in phase {position.phase}"] if tokens else []
    faults = [
        f"patrols: two tokens of {colour}"
        for colour, count in Counter(token for _, token in tokens if token != DOWN).items()
        if count > 1
    ]
    return faults + _patrol_places(position) + _turned_up(position)


def patrol_spots(position: Position) -> tuple[frozenset[str], frozenset[str]]:
    """Where tonight's patrol tokens lie: (crossings that all get one, crossings of which the rest chooses)."""
    kept = frozenset(crossing for _, crossing in position.police)
    return kept, position.streets.yellow - kept


def _patrol_places(position: Position) -> Faults:
    kept, others = patrol_spots(position)
    faults = [
        f"patrols: a token on {crossing}, where no policeman ended and which has no yellow border"
        for crossing, _ in position.patrols
        if crossing not in kept | others
    ]
    extra = [crossing for crossing, _ in position.patrols if crossing in others]
    if len(extra) > PATROL_TOKENS - len(kept):
        faults.append(
            f"patrols: {len(extra)} tokens ({_told(extra)}) where no policeman ended the night before; it is "
            f"{PATROL_TOKENS - len(kept)} of the {PATROL_TOKENS}"
        )
    return faults


def _turned_up(position: Position) -> Faults:
    """After every wait one token was turned up; while they are laid none is."""
    shown = sum(token != DOWN for _, token in position.patrols)
    if position.phase == PATROLS:
        return [f"patrols: {shown} turned up, but they are laid face down"] if shown else []
    due = {KILL: _waits(position), WRETCHED: _waits(position) - 1}.get(position.phase, _waits(position) - position.turning_up)
    most = max(due, 0)
    return [f"patrols: {shown} turned up, but by now it is {most} at most"] if shown > most else []


def _policemen(position: Position) -> Faults:
    faults, count = [], len(position.police)
    first = position.night == 1 and position.phase in BEFORE_THE_HUNT
    if first and count:
        faults.append(f"police: {count} policemen before the hunt of night 1; they come when the patrols are revealed")
    if not first and count != len(COLOURS):
        missing = [colour for colour in COLOURS if colour not in dict(position.police)]
        faults.append(f"police: {_told(missing)} missing; there are always five")
    if position.rule("shared-crossing") == "no":
        for (one, crossing), (other, same) in combinations(position.police, 2):
            if crossing == same:
                faults.append(f"police: {one} and {other} on one crossing, {crossing}")
    in_turn = position.phase in (POLICE_MOVE, POLICE_ACT) and position.rule("police-order") == "clockwise"
    if position.head is None and in_turn:
        faults.append("head: missing; the police go clockwise from the head of the investigation")
    return faults


def _track(position: Position) -> Faults:
    if position.phase in BEFORE_THE_HUNT:
        return [f"track: {len(position.track)} moves in phase {position.phase}, before the hunt"] if position.track else []
    faults = []
    for kind, count in position.tonight.stock.items():
        used = position.track.count(kind)
        if used > count:
            faults.append(f"track: {used} times {kind}, but night {position.night} has {count}")
    if position.used > position.spaces:
        faults.append(
            f"track: {position.used} spaces used, but there are {position.spaces} behind the crime at {position.time}"
        )
    elif position.left == 0 and position.phase in HUNT:
        faults.append(f"track: all {position.spaces} spaces used, so the game is over, not in phase {position.phase}")
    if position.phase in (POLICE_MOVE, POLICE_ACT) and not position.track and not position.police_first:
        faults.append(f"track: empty in phase {position.phase}, but Jack moves before the police")
    return faults


def _clues(position: Position) -> Faults:
    if position.phase in BEFORE_THE_HUNT:
        return [f"clues: {_told(position.clues)} in phase {position.phase}, before the hunt"] if position.clues else []
    faults = []
    at_scenes = set(position.clues) & set(position.scenes)
    if at_scenes and position.rule("search-scenes") != "all":
        faults.append(f"clues: one on {_told(sorted(at_scenes))}, tonight's crime scene, which is not searched")
    earlier = set(position.clues) & position.all_scenes - set(position.scenes)
    if earlier and position.rule("search-scenes") == "none":
        faults.append(f"clues: one on {_told(sorted(earlier))}, a crime scene, and those are not searched")
    off_scenes = len(set(position.clues) - at_scenes)
    if off_scenes > position.used:
        faults.append(f"clues: {off_scenes} of them, but Jack has written only {position.used} circles since the crime")
    if len(position.clues) > CLUE_MARKERS:
        faults.append(f"clues: {len(position.clues)} of them, but there are {CLUE_MARKERS} markers")
    return faults


def _turns(position: Position) -> Faults:
    faults = []
    for key, colours, phase in (("moved", position.moved, POLICE_MOVE), ("acted", position.acted, POLICE_ACT)):
        if position.phase not in (phase, OVER) and colours:
            faults.append(f"{key}: {_told(colours)} in phase {position.phase}; it belongs to phase {phase}")
        if position.phase == phase:
            faults += _order(position, key, colours)
    if position.missed and position.phase != POLICE_ACT:
        faults.append(f"missed: {_told(position.missed)} in phase {position.phase}; it belongs to phase {POLICE_ACT}")
    elif position.missed and not faults and len(position.police) == len(COLOURS):
        faults += _missed(position)
    return faults


def _order(position: Position, key: str, colours: tuple[str, ...]) -> Faults:
    if len(colours) >= len(COLOURS):
        return [f"{key}: all five, so phase {position.phase} is over"]
    first = police.order(position)[: len(colours)]
    if position.rule("police-order") == "clockwise" and colours != first:
        return [f"{key}: {_told(colours)}, but clockwise from the head of the investigation it is {_told(first)}"]
    return []


def _missed(position: Position) -> Faults:
    acting = police.turn(position)
    if not acting:
        return [f"missed: no policeman still to act is near all of {_told(position.missed)}"]
    faults = []
    for circle in position.missed:
        if circle not in police.near(position, acting[0]):
            faults.append(f"missed: {circle} is not near {acting[0]} on {dict(position.police)[acting[0]]}")
        elif circle in position.clues or circle not in police.searchable(position):
            faults.append(f"missed: {circle} may not be searched")
    return faults

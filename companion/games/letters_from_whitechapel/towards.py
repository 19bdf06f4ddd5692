"""Acts that lead from one position towards another, lawful or not; and what no act accounts for, as faults."""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, islice, permutations

from companion.games.game import Fault
from companion.games.letters_from_whitechapel import acts, police, wretched
from companion.games.letters_from_whitechapel.acts import Act
from companion.games.letters_from_whitechapel.names import (
    BEFORE_THE_HUNT,
    COLOURS,
    DOWN,
    ESCAPE,
    FAKE,
    HUNT,
    KILL,
    LAST_NIGHT,
    OVER,
    PATROLS,
    POLICE_ACT,
    POLICE_MOVE,
    REVEAL,
    SPACES,
    STRIDE,
    WALK,
    WOMEN,
    WRETCHED,
)
from companion.games.letters_from_whitechapel.position import Position

Untold = frozenset[str]
Tries = Iterator[Act]


_ROWS_TRIED = 20
"""Rows of lawful moves of the Wretched, some of whom stay behind unlawfully, that are tried to find the fewest faults."""


def acts_towards(position: Position, after: Position, untold: Untold) -> Tries:
    """Acts of the present phase that bring the board nearer to ``after``, likely ones first."""
    tries = _TRIES.get(position.phase)
    return tries(position, after, untold) if tries else iter(())


def _women(position: Position, after: Position, _: Untold) -> Tries:
    if after.phase in (WOMEN, PATROLS):
        if after.women != position.women:
            yield Act(acts.LAY_WOMEN, circles=after.women)
    elif (after.phase, after.time) in ((KILL, 1), (WRETCHED, 2), (REVEAL, 1)):  # turned up already: the blank ones lay anywhere
        lay = {*position.women, *_stood(position, after)}
        free = sorted(position.streets.red - position.all_scenes - lay)
        for blank in combinations(free, max(position.tonight.women - len(lay), 0)):
            yield Act(acts.LAY_WOMEN, circles=tuple(sorted((*lay, *blank))))


def _patrols(position: Position, after: Position, untold: Untold) -> Tries:
    if after.head != position.head and after.head and "head" not in untold:
        yield Act(acts.DRAW_HEAD, by=after.head)
    lie = tuple(crossing for crossing, _ in after.patrols)
    if position.head is None and "head" in untold and lie:
        yield from (Act(acts.DRAW_HEAD, by=colour) for colour in position.seats)
    if lie != tuple(crossing for crossing, _ in position.patrols) and after.phase in BEFORE_THE_HUNT[1:]:
        yield Act(acts.LAY_PATROLS, crossings=lie)
    if after.wretched or after.phase == KILL:
        yield Act(acts.VICTIMS, circles=_stood(position, after))
    if position.patrols and after.night == position.night and (after.time > 1 or after.phase in (*HUNT, OVER)):
        yield from _victims_since_gone(position, after)


def _victims_since_gone(position: Position, after: Position) -> Tries:
    """Every way the women can have turned out, once those turned up have moved or left the board."""
    dead = after.scenes if after.time == 1 else ()
    others = sorted(set(position.women) - set(dead))
    for alive in combinations(others, max(position.tonight.marked - len(dead), 0)):
        circles = tuple(sorted((*dead, *alive)))
        if circles != _stood(position, after):
            yield Act(acts.VICTIMS, circles=circles)


def _stood(position: Position, after: Position) -> tuple[int, ...]:
    """Where the Wretched stood before tonight's murder: those that still stand, and the dead."""
    dead = after.scenes if after.night == position.night and not position.murder_done else ()
    return tuple(sorted({*after.wretched, *dead}))


def _kill(position: Position, after: Position, untold: Untold) -> Tries:
    waited = after.time > position.time and "time" not in untold
    if after.scenes and after.night == position.night:
        yield Act(acts.MURDER, circles=after.scenes)
    elif after.phase in (WRETCHED, REVEAL) or ("phase" in untold and after.wretched != position.wretched):
        waited = True
    if waited:
        yield Act(acts.WAIT)


def _wretched(position: Position, after: Position, untold: Untold) -> Tries:
    another_wait = after.time > position.time and "time" not in untold
    going_on = after.phase == WRETCHED and "phase" not in untold and not another_wait
    stand = _stood(position, after)
    yes = False if going_on else None
    if going_on and stand == position.wretched:
        return
    rows = list(islice(wretched.rows(position, stand, complete=not going_on), 2))
    if not rows:
        for moves in islice(wretched.rows(position, stand, complete=False), _ROWS_TRIED):
            yield Act(acts.SCATTER, moves=moves, yes=yes)
        gone = sorted(set(position.wretched) - set(stand))
        come = sorted(set(stand) - set(position.wretched))
        yield Act(acts.SCATTER, moves=_paired(position, gone, come), yes=yes)
    elif len(rows) == 1:
        yield Act(acts.SCATTER, moves=rows[0], yes=yes)
    else:
        yield Act(acts.SCATTER, circles=stand, yes=yes)


def _paired(position: Position, gone: list[int], come: list[int]) -> tuple[tuple[int, int], ...]:
    """Pawns that look alike, each to a place that she can reach where there is one: those who can reach few choose first, and
    those who can reach none take what is left, so that nobody else is blamed for them."""
    walks = position.streets.walks
    pairs, left, lost = [], list(come), list[int]()
    for origin in sorted(gone, key=lambda circle: len(set(walks[circle]) & set(come))):
        near = next((to for to in left if to in walks[origin]), None)
        if near is None:
            lost.append(origin)
        else:
            left.remove(near)
            pairs.append((origin, near))
    return (*pairs, *zip(lost, left, strict=False))


def _reveal(position: Position, after: Position, untold: Untold) -> Tries:
    if position.murder_done:
        if after.police and (after.phase in (*HUNT, OVER) or "phase" in untold):
            yield Act(acts.UNMASK, police=after.police)
            yield from _unmasked_and_moved(position, after, untold)
        return
    now = dict(after.patrols)
    if after.phase in (*HUNT, OVER):  # all are turned up by now, and which one was first the board does not tell
        now = {crossing: colour for colour, crossing in after.police}
    for crossing, token in position.patrols:
        turned = now.get(crossing, FAKE)
        if turned not in (token, DOWN):
            yield Act(acts.TURN_UP, crossing=crossing, token=turned)


def _unmasked_and_moved(position: Position, after: Position, untold: Untold) -> Tries:
    """Where the policemen can have come from, when some have moved already."""
    there = dict(after.police)
    shown = {token: crossing for crossing, token in position.patrols if token != DOWN}
    moved = [colour for colour in after.moved if colour not in shown] if "moved" not in untold else []
    known = {colour: crossing for colour, crossing in there.items() if colour not in after.moved} | shown
    free = [crossing for crossing, _ in position.patrols if crossing not in known.values()]
    for spots in permutations(free, len(moved)):
        came = known | dict(zip(moved, spots, strict=True))
        if came != there and all(there[colour] in position.streets.reach(came[colour], STRIDE) for colour in moved):
            yield Act(acts.UNMASK, police=tuple((colour, came[colour]) for colour in COLOURS if colour in came))


def _escape(position: Position, after: Position, untold: Untold) -> Tries:
    cleared = {"night", "phase"} <= untold and position.track and not after.track and position.night < LAST_NIGHT
    if cleared or (after.night == position.night + 1 and after.phase in BEFORE_THE_HUNT):
        yield Act(WALK, yes=True)
    elif after.night == position.night:
        fresh = after.track[len(position.track) :] if after.track[: len(position.track)] == position.track else ()
        for kind in fresh[:1]:
            ended = after.phase == OVER
            last = position.left <= SPACES[kind]
            if ended and position.night == LAST_NIGHT and kind == WALK:
                yield Act(kind, yes=True)
            if last or not (ended and position.night == LAST_NIGHT):
                yield Act(kind, yes=ended and not last)
        if after.phase == OVER and not fresh:
            yield Act(acts.TRAPPED)


def _move(position: Position, after: Position, untold: Untold) -> Tries:
    """The next policeman whom ``after`` says to have moved; where it does not say, those who stand elsewhere, and those whose
    turn comes before theirs."""
    stand = dict(after.police)
    here = dict(position.police)
    gone_on = after.phase != POLICE_MOVE and "phase" not in untold
    told = after.moved[len(position.moved) :] if "moved" not in untold and after.phase == POLICE_MOVE else ()
    if told:
        movers = told[:1]
    else:
        changed = [colour for colour in COLOURS if stand.get(colour) != here[colour]]
        waiting = [colour for colour in changed if colour not in position.moved]
        movers = police.turn(position) if waiting or gone_on else ()
        if not gone_on and "moved" not in untold:
            movers = ()
    for colour in movers:
        if colour in stand:
            yield Act(acts.MOVE, by=colour, crossing=stand[colour])


def _act(position: Position, after: Position, untold: Untold) -> Tries:
    """The next policeman whom ``after`` says to be done, or the one who is acting."""
    if after.phase == OVER and after.track == position.track:
        for colour in police.turn(position):
            yield Act(acts.ARREST, by=colour, yes=True)
        if after.clues == position.clues:  # taken for the next act, unless somebody found a clue meanwhile
            return
    clues = sorted(set(after.clues) - set(position.clues))
    gone_on = after.phase != POLICE_ACT and "phase" not in untold
    told: tuple[str, ...] = ()
    if "acted" not in untold and after.phase == POLICE_ACT:
        may = police.turn(position)  # in whatever order they are listed, one of these is done first
        told = tuple(sorted((colour for colour in after.acted if colour not in position.acted), key=lambda one: one not in may))
    done = told[:1] or (police.turn(position) if gone_on or ("acted" in untold and clues) else ())
    for colour in done:
        near = [circle for circle in clues if circle in police.near(position, colour)]
        # A clue that nobody else can have found is his, near or not, so that the fault is told of somebody.
        for circle in near or (clues if len(told) == 1 else []):
            yield Act(acts.SEARCH, by=colour, circles=(circle,), yes=True)
        yield Act(acts.FINISH, by=colour)
    fresh = sorted(set(after.missed) - set(position.missed)) if after.phase == POLICE_ACT and "missed" not in untold else []
    for colour in () if done else police.turn(position):
        if all(circle in after.missed for circle in position.missed):
            for circle in fresh[:1]:
                yield Act(acts.SEARCH, by=colour, circles=(circle,), yes=False)


_TRIES: Mapping[str, Callable[[Position, Position, Untold], Tries]] = {
    WOMEN: _women,
    PATROLS: _patrols,
    KILL: _kill,
    WRETCHED: _wretched,
    REVEAL: _reveal,
    ESCAPE: _escape,
    POLICE_MOVE: _move,
    POLICE_ACT: _act,
}

_SAID: Mapping[str, tuple[str, str]] = {
    "night": ("night-changed", "the night is {after}, but it is still {before}"),
    "phase": ("step-skipped", "the step is {after}, but {before} comes first"),
    "time": ("time-changed", "the time of the crime is at {after}, not at {before}"),
    "crime_scenes": ("scenes-changed", "the crime scene markers are not where they were or where a murder puts them: {after}"),
    "women": ("women-changed", "the women's tokens lie on {after}, but should on {before}"),
    "wretched": ("wretched-changed", "the Wretched stand on {after}, but should on {before}"),
    "patrols": ("patrols-changed", "the patrol tokens lie as {after}, but should as {before}"),
    "clues": ("clues-changed", "clue markers lie on {after}, but should on {before}"),
    "track": ("track-does-not-fit", "the move track shows {after}, but should show {before}"),
    "head": ("head-changed", "the head of the investigation is {after}, not {before}; it changes between nights"),
    "moved": ("out-of-order", "{after} have moved, but it should be {before}"),
    "acted": ("out-of-order", "{after} have acted, but it should be {before}"),
    "missed": ("missed-changed", "{after} were asked for in vain, but it should be {before}"),
}


def left_over(before: Position, reached: Position, after: Position, differing: tuple[str, ...]) -> tuple[Fault, ...]:
    """A fault for each field of ``after`` that the acts which led to ``reached`` do not account for; policemen one by one."""
    found: list[Fault] = []
    for name in differing:
        if name == "police":
            found += _stray_policemen(before, reached, after)
        else:
            code, text = _SAID[name]
            said = {"before": _words(getattr(reached, name)), "after": _words(getattr(after, name))}
            found.append(Fault(code, None, text, said))
    return tuple(found)


def _stray_policemen(before: Position, reached: Position, after: Position) -> Iterator[Fault]:
    here, there = dict(reached.police), dict(after.police)
    for colour in COLOURS:
        if here.get(colour) == there.get(colour):
            continue
        if colour not in there:
            yield Fault("policeman-missing", colour, "{colour} is not on the board", {"colour": colour})
            continue
        text = "{colour} stands on {after}, but it is not his turn to move"
        if colour not in here:
            text = "{colour} stands on {after}, but the policemen come when the patrols are turned up"
        allowed = (here[colour],) if colour in here else ()
        said = {"colour": colour, "after": there[colour], "phase": before.phase}
        yield Fault("moved-out-of-turn", colour, text, said, (there[colour],), allowed)


def _words(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(":".join(map(str, item)) if isinstance(item, tuple) else str(item) for item in value) or "none"
    return str(value)

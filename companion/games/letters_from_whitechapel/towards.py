"""Acts that lead from one position towards another, lawful or not; and what no act accounts for, as faults."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from companion.games.game import Fault
from companion.games.letters_from_whitechapel import acts, police, wretched
from companion.games.letters_from_whitechapel.acts import Act
from companion.games.letters_from_whitechapel.names import (
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
    if after.women != position.women and after.phase in (WOMEN, PATROLS):
        yield Act(acts.LAY_WOMEN, circles=after.women)


def _patrols(position: Position, after: Position, untold: Untold) -> Tries:
    if after.head != position.head and after.head and "head" not in untold:
        yield Act(acts.DRAW_HEAD, by=after.head)
    lie = tuple(crossing for crossing, _ in after.patrols)
    if lie != tuple(crossing for crossing, _ in position.patrols) and after.phase in (PATROLS, KILL):
        yield Act(acts.LAY_PATROLS, crossings=lie)
    if after.wretched or after.phase == KILL:
        yield Act(acts.VICTIMS, circles=after.wretched)


def _kill(position: Position, after: Position, untold: Untold) -> Tries:
    if after.scenes and after.night == position.night:
        yield Act(acts.MURDER, circles=after.scenes)
    waited = after.time > position.time and "time" not in untold
    if not after.scenes and (waited or after.phase in (WRETCHED, REVEAL)):
        yield Act(acts.WAIT)


def _wretched(position: Position, after: Position, untold: Untold) -> Tries:
    going_on = after.phase == WRETCHED and "phase" not in untold
    yes = False if going_on else None
    if going_on and after.wretched == position.wretched:
        return
    rows = list(islice(wretched.rows(position, after.wretched, complete=not going_on), 2))
    if not rows:
        for moves in islice(wretched.rows(position, after.wretched, complete=False), _ROWS_TRIED):
            yield Act(acts.SCATTER, moves=moves, yes=yes)
        gone = sorted(set(position.wretched) - set(after.wretched))
        come = sorted(set(after.wretched) - set(position.wretched))
        yield Act(acts.SCATTER, moves=_paired(position, gone, come), yes=yes)
    elif len(rows) == 1:
        yield Act(acts.SCATTER, moves=rows[0], yes=yes)
    else:
        yield Act(acts.SCATTER, circles=after.wretched, yes=yes)


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


def _reveal(position: Position, after: Position, _: Untold) -> Tries:
    if position.murder_done:
        if after.police and after.phase in (*HUNT, OVER):
            yield Act(acts.UNMASK, police=after.police)
        return
    now = dict(after.patrols)
    for crossing, token in position.patrols:
        turned = now.get(crossing, FAKE)
        if turned not in (token, DOWN):
            yield Act(acts.TURN_UP, crossing=crossing, token=turned)


def _escape(position: Position, after: Position, _: Untold) -> Tries:
    if after.night == position.night + 1 and after.phase == WOMEN:
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
    if after.phase == OVER:
        for colour in police.turn(position):
            yield Act(acts.ARREST, by=colour, yes=True)
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

"""The position that an act leads to, whether or not the rules allow it: judging is another matter (:mod:`.judging`)."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.games.letters_from_whitechapel import acts, wretched
from companion.games.letters_from_whitechapel.acts import Act
from companion.games.letters_from_whitechapel.names import (
    COLOURS,
    DOWN,
    ESCAPE,
    FAKE,
    KILL,
    LAST_NIGHT,
    LAST_TIME,
    OVER,
    PATROLS,
    POLICE_ACT,
    POLICE_MOVE,
    REVEAL,
    WOMEN,
    WRETCHED,
)
from companion.games.letters_from_whitechapel.position import Position


def fold(position: Position, act: Act) -> Position:
    """The position after the act."""
    return _FOLDS[act.kind](position, act)


def _sorted(*circles: int) -> tuple[int, ...]:
    return tuple(sorted(circles))


def _lay_women(position: Position, act: Act) -> Position:
    phase = PATROLS if len(act.circles) >= position.tonight.women else WOMEN
    return replace(position, phase=phase, women=_sorted(*act.circles))


def _draw_head(position: Position, act: Act) -> Position:
    return replace(position, head=act.by)


def _lay_patrols(position: Position, act: Act) -> Position:
    down = tuple((crossing, DOWN) for crossing in sorted(act.crossings))
    return replace(position, phase=PATROLS, patrols=down)


def _victims(position: Position, act: Act) -> Position:
    return replace(position, phase=KILL, women=(), wretched=_sorted(*act.circles), time=1)


def _murder(position: Position, act: Act) -> Position:
    left = tuple(circle for circle in position.wretched if circle not in act.circles)
    return replace(position, phase=REVEAL, crime_scenes=(*position.crime_scenes, _sorted(*act.circles)), wretched=left)


def _wait(position: Position, _: Act) -> Position:
    return replace(position, phase=WRETCHED, time=min(position.time + 1, LAST_TIME))


def _scatter(position: Position, act: Act) -> Position:
    if act.circles:
        position = replace(position, wretched=_sorted(*act.circles))
    for origin, to in act.moves:
        position = wretched.moved(position, origin, to)
    return replace(position, phase=WRETCHED if act.yes is False else REVEAL)


def _turn_up(position: Position, act: Act) -> Position:
    tokens = {**dict(position.patrols), str(act.crossing): str(act.token)}
    left = tuple((crossing, token) for crossing, token in sorted(tokens.items()) if token != FAKE)
    return replace(position, phase=KILL, patrols=left)


def _unmask(position: Position, act: Act) -> Position:
    first = POLICE_MOVE if position.police_first else ESCAPE
    return replace(position, phase=first, police=_by_colour(dict(act.police)), patrols=(), wretched=())


def _by_colour(police: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((colour, police[colour]) for colour in COLOURS if colour in police)


def _escape(position: Position, act: Act) -> Position:
    gone = replace(position, track=(*position.track, act.kind), moved=(), acted=(), missed=())
    if act.yes and position.night < LAST_NIGHT:
        return replace(gone, night=position.night + 1, phase=WOMEN, time=1, track=(), clues=())
    return replace(gone, phase=OVER if act.yes or gone.left <= 0 else POLICE_MOVE)


def _trapped(position: Position, _: Act) -> Position:
    return replace(position, phase=OVER)


def _move(position: Position, act: Act) -> Position:
    police = _by_colour({**dict(position.police), str(act.by): str(act.crossing)})
    moved = (*position.moved, str(act.by))
    if len(set(moved)) < len(COLOURS):
        return replace(position, police=police, moved=moved)
    return replace(position, police=police, phase=POLICE_ACT, moved=(), acted=())


def _search(position: Position, act: Act) -> Position:
    if not act.yes:
        return replace(position, missed=_sorted(*{*position.missed, act.circle}))
    return _finish(replace(position, clues=_sorted(*{*position.clues, act.circle})), act)


def _finish(position: Position, act: Act) -> Position:
    acted = (*position.acted, str(act.by))
    if len(set(acted)) < len(COLOURS):
        return replace(position, acted=acted, missed=())
    return replace(position, phase=ESCAPE, moved=(), acted=(), missed=())


def _arrest(position: Position, act: Act) -> Position:
    return replace(position, phase=OVER, moved=(), acted=(), missed=()) if act.yes else _finish(position, act)


_FOLDS: Mapping[str, Callable[[Position, Act], Position]] = {
    acts.DRAW_HEAD: _draw_head,
    acts.LAY_WOMEN: _lay_women,
    acts.LAY_PATROLS: _lay_patrols,
    acts.VICTIMS: _victims,
    acts.MURDER: _murder,
    acts.WAIT: _wait,
    acts.SCATTER: _scatter,
    acts.TURN_UP: _turn_up,
    acts.UNMASK: _unmask,
    **dict.fromkeys(acts.JACKS_MOVES, _escape),
    acts.TRAPPED: _trapped,
    acts.MOVE: _move,
    acts.SEARCH: _search,
    acts.STOP: _finish,
    acts.FINISH: _finish,
    acts.ARREST: _arrest,
}

"""Whole games of Letters from Whitechapel played by chance: every state with the act that led to it, secrets and all."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from companion.games.letters_from_whitechapel import acts, jack, night, police, secret, wretched
from companion.games.letters_from_whitechapel.acts import Act, Hidden
from companion.games.letters_from_whitechapel.names import BLANK, COLOURS, DOWN, FAKE, MARKED, NIGHTS
from companion.games.letters_from_whitechapel.night import State
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.secret import JackSecret, PoliceSecret, Secret
from companion.games.letters_from_whitechapel.streets import load
from companion.games.letters_from_whitechapel.validation_rules import patrol_spots


@dataclass(frozen=True)
class Step:
    """One act of a game."""

    before: State
    act: Act
    hidden: Hidden
    after: State


def play(random: Random, rules: dict[str, str] | None = None, *, home: float = 0.5) -> Iterator[Step]:
    """A game to its end. ``home`` is how often Jack, who may announce that he is home, does."""
    state = night.start(house_rules=rules, seats=tuple(random.sample(COLOURS, 5)), secret=Secret(JackSecret(), PoliceSecret()))
    while state.position.phase != "over":
        act, hidden = _choose(random, state, home)
        after = night.apply(state, act, hidden)
        yield Step(state, act, hidden, after)
        state = after


def _choose(random: Random, state: State, home: float) -> tuple[Act, Hidden]:
    position = state.position
    tries: dict[str, Any] = {
        "women": _women, "patrols": _patrols, "kill": _kill, "wretched": _scatter, "reveal": _reveal, "jack": _escape,
        "police-move": _move, "police-act": _act,
    }  # fmt: skip
    return tries[position.phase](random, position, state.secret, home)  # type: ignore[no-any-return]


def _women(random: Random, position: Position, _: Secret, __: float) -> tuple[Act, Hidden]:
    free = sorted(position.streets.red - position.all_scenes)
    circles = random.sample(free, position.tonight.women)
    marks = [MARKED] * position.tonight.marked + [BLANK] * (position.tonight.women - position.tonight.marked)
    random.shuffle(marks)
    homes = sorted(secret.hideouts(position.streets, position.rule("hideout")))
    return (
        Act(acts.LAY_WOMEN, circles=tuple(sorted(circles))),
        Hidden(women=dict(zip(circles, marks, strict=True)), hideout=random.choice(homes)),
    )


def _patrols(random: Random, position: Position, known: Secret, _: float) -> tuple[Act, Hidden]:
    if position.patrols:
        assert known.jack is not None
        marked = sorted(circle for circle, mark in known.jack.women.items() if mark == MARKED)
        return Act(acts.VICTIMS, circles=tuple(marked)), Hidden()
    if position.head is None or random.random() < 0.3:
        return Act(acts.DRAW_HEAD, by=random.choice(COLOURS)), Hidden()
    kept, others = patrol_spots(position)
    spots = sorted(kept) + random.sample(sorted(others), 7 - len(kept))
    tokens = random.sample([*COLOURS, FAKE, FAKE], 7)
    return Act(acts.LAY_PATROLS, crossings=tuple(sorted(spots))), Hidden(patrols=dict(zip(spots, tokens, strict=True)))


def _kill(random: Random, position: Position, _: Secret, __: float) -> tuple[Act, Hidden]:
    if position.time < 5 and random.random() < 0.5:
        return Act(acts.WAIT), Hidden()
    dead = tuple(random.sample(position.wretched, NIGHTS[position.night].victims))
    return Act(acts.MURDER, circles=tuple(sorted(dead))), Hidden(circles=dead)


def _scatter(random: Random, position: Position, _: Secret, __: float) -> tuple[Act, Hidden]:
    moves, waiting = [], list(position.wretched)
    random.shuffle(waiting)
    while waiting:
        circle = waiting.pop()
        open_to_her = wretched.targets(position, circle)
        if open_to_her:
            to = random.choice(open_to_her)
            moves.append((circle, to))
            position = wretched.moved(position, circle, to)
    return Act(acts.SCATTER, moves=tuple(moves)), Hidden()


def _reveal(random: Random, position: Position, known: Secret, _: float) -> tuple[Act, Hidden]:
    assert known.police is not None
    tokens = known.police.patrols
    if position.murder_done:
        real = {token: spot for spot, token in tokens.items() if token != FAKE}
        return Act(acts.UNMASK, police=tuple((colour, real[colour]) for colour in COLOURS)), Hidden()
    crossing = random.choice([spot for spot, token in position.patrols if token == DOWN])
    return Act(acts.TURN_UP, crossing=crossing, token=tokens[crossing]), Hidden()


@cache
def _distances(home: int) -> dict[int, int]:
    walks, far, edge = load().walks, {home: 0}, [home]
    for circle in edge:
        for near in walks[circle]:
            if near not in far:
                far[near] = far[circle] + 1
                edge.append(near)
    return far


def _escape(random: Random, position: Position, known: Secret, home: float) -> tuple[Act, Hidden]:
    assert known.jack is not None
    moves = jack.moves(position, known.jack)
    if not moves:
        return Act(acts.TRAPPED), Hidden()
    far = _distances(known.jack.hideout or 0)
    run = len(position.track) >= 5
    moves = tuple(sorted(moves, key=lambda move: far[move.by[-1]] * (1 if run else -1) + random.random() * 3))
    walks = [move for move in moves if move.kind == acts.WALK]
    homes = [move for move in moves if move.home]
    if walks and random.random() < 0.8:
        moves = tuple(walks)
    move = homes[0] if homes and run else moves[min(int(random.expovariate(1.0)), len(moves) - 1)]
    must = position.rule("arrival") == "must"
    return Act(move.kind, yes=move.home and (must or random.random() < home)), Hidden(circles=move.by)


def _move(random: Random, position: Position, _: Secret, __: float) -> tuple[Act, Hidden]:
    colour = random.choice(police.turn(position))
    return Act(acts.MOVE, by=colour, crossing=random.choice(police.moves(position, colour))), Hidden()


def _act(random: Random, position: Position, known: Secret, _: float) -> tuple[Act, Hidden]:
    assert known.jack is not None
    colour = random.choice(police.turn(position))
    searches, arrests = police.searches(position, colour), police.arrests(position, colour)
    chance = random.random()
    if searches and chance < 0.75:
        circle = random.choice(searches)
        return Act(acts.SEARCH, by=colour, circles=(circle,), yes=circle in known.jack.row), Hidden()
    wrong = [circle for circle in arrests if circle != known.jack.place or random.random() < 0.1]
    if wrong and chance < 0.95:
        circle = random.choice(wrong)
        return Act(acts.ARREST, by=colour, circles=(circle,), yes=circle == known.jack.place), Hidden()
    return Act(acts.STOP, by=colour), Hidden()


def event_of(step: Step) -> list[list[Any]]:
    """The events that ``deduce`` takes, of one act: none of most."""
    act, position = step.act, step.before.position
    if act.kind == acts.MURDER:
        return [["crime", list(act.circles)]]
    if act.kind in acts.JACKS_MOVES:
        walk: list[Any] = [act.kind]
        if act.kind == acts.WALK:
            walk.append([crossing for _, crossing in position.police])
        return [walk, ["home"]] if act.yes else [walk]
    if act.kind == acts.SEARCH:
        return [["search", act.circle, act.yes]]
    return [["arrest", act.circle]] if act.kind == acts.ARREST and not act.yes else []


def histories(steps: Iterator[Step]) -> Iterator[tuple[list[list[Any]], Step]]:
    """After each act that ``deduce`` takes in: all nights so far, and the act."""
    nights: list[list[Any]] = []
    for step in steps:
        events = event_of(step)
        for event in events:
            nights = [*nights, [event]] if event[0] == "crime" else [*nights[:-1], [*nights[-1], event]]
        if events:
            yield nights, step

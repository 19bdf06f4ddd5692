"""Ten thousand legal and ten thousand illegal changes under judgement, and how long an explanation takes. Slow: measures.

pytest -m slow -s tests/games/test_london_recall.py

The oracle is the deliberately simple second method (``brute_force``); for the whistle, of which there are tens of thousands,
it is the engine's own enumeration, which another slow test holds against the simple method.
"""

import random
import time
from typing import Any

import pytest
from brute_force import SIX, faced, key
from brute_force import plays as brute_plays

from companion.games.mr_jack_london import GAME, Position

PER_POSITION = 120
Timed = list[float]


def walked_on(chance: random.Random) -> Position:
    """A position in the midst of a game of chance: some turns played, cards dealt, some of them played."""
    position: Any = GAME.start(chance.choice(GAME.editions()))
    for _ in range(chance.randrange(12)):
        position = dealt(position, chance)
        plays = [play for play in GAME.plays(position, chance.choice(GAME.candidates(position))) if play.ends is None]
        if not plays:
            continue
        position = chance.choice(plays).position
        if not position.available:
            position = GAME.close_turn(GAME.call(position, True) if chance.random() < 0.5 else GAME.call(position, False))
    return dealt(position, chance)


def dealt(position: Any, chance: random.Random) -> Any:
    if position.available is not None:
        return position
    data = position.to_json()
    data["available"], data["played"] = chance.sample(GAME.characters, 4), []
    return GAME.position(data, tolerant=True)


def nudged(position: Any, chance: random.Random) -> Any:
    """What careless hands make of a position: one or two pieces elsewhere, turned, or taken away."""
    data = position.to_json()
    board = GAME.board(position.edition)
    for _ in range(chance.randint(1, 2)):
        what = chance.choice(["disc"] * 4 + ["lamp", "cover", "cordon", "lantern", "side"])
        name = chance.choice(GAME.characters)
        if what == "disc":
            data["characters"][name]["hex"] = chance.choice(sorted(board.of_kind("street", "manhole")))
        elif what == "side":
            side = data["characters"][name].get("side")
            data["characters"][name]["side"] = "innocent" if side == "suspect" else "suspect"
        elif what == "lantern":
            data["characters"]["watson"]["facing"] = chance.choice(board.directions)
        elif what == "lamp":
            spot, label = chance.choice(sorted(data["gaslights"].items()))
            free = sorted(board.of_kind("gaslight") - data["gaslights"].keys())
            del data["gaslights"][spot]
            data["gaslights"][chance.choice(free)] = label
        else:
            group = "covers" if what == "cover" else "cordons"
            places = sorted(board.of_kind("manhole")) if what == "cover" else ["NE", "NW", "SE", "SW"]
            free_places = [place for place in places if place not in data[group]]
            data[group] = sorted([*chance.sample(data[group], len(data[group]) - 1), chance.choice(free_places)])
    return GAME.position(data, tolerant=True)


def lying(state: Any, end: str | None) -> list[Any]:
    """How a table may lie after a play. Once the game is over nobody asks where the lantern points."""
    return [faced(state, facing) for facing in SIX] if end else [state]


def percentiles(taken: Timed) -> str:
    ordered = sorted(taken)
    half, most = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
    return f"p50 {half * 1e3:.2f} ms, p99 {most * 1e3:.2f} ms, longest {ordered[-1] * 1e3:.2f} ms of {len(ordered)}"


def explained(before: Any, after: Any, plays: int, mover: str | None, taken: Timed) -> Any:
    begun = time.thread_time()  # what this thread computed: another program's turn on the core is not counted
    found = GAME.explain(before, after, plays=plays, mover=mover)
    taken.append(time.thread_time() - begun)
    return found


@pytest.mark.slow
def test_ten_thousand_legal_and_ten_thousand_illegal_changes() -> None:
    chance, taken = random.Random(20), []
    legal = illegal = missed = false_alarms = 0
    while min(legal, illegal) < 10_000:
        before = walked_on(chance)
        mover = GAME.mover(before)
        plays = {name: GAME.plays(before, name) for name in GAME.candidates(before)}
        tables = {key(play.position.to_json(), None) for play in plays.get("goodley", ())}
        for name in plays.keys() - {"goodley"}:
            tables |= {key(shown, None) for played in brute_plays(before.to_json(), name, mover) for shown in lying(*played)}
        tables.add(key(before.to_json(), None))
        for _ in range(PER_POSITION):
            options = [name for name in plays if plays[name]]
            if options:
                character = chance.choice(options)
                play = chance.choice(plays[character])
                found = explained(before, play.position, 1, mover, taken)
                told = {p.character for (p,) in found.alternatives} if found.verdict in ("legal", "ambiguous") else set()
                legal += 1
                false_alarms += character not in told
            base = chance.choice(plays[chance.choice(options)]).position if options and chance.random() < 0.5 else before
            after = nudged(base, chance)
            if key(after.to_json(), None) in tables:
                continue
            found = explained(before, after, 1, mover, taken)
            illegal += 1
            missed += found.verdict != "illegal" or not found.faults
    print(f"{legal} legal, {false_alarms} false alarms; {illegal} illegal, {missed} missed; one play: {percentiles(taken)}")
    assert (missed, false_alarms) == (0, 0)


@pytest.mark.slow
def test_how_long_four_plays_take_and_that_they_are_found() -> None:
    chance, taken, wrong = random.Random(21), [], []
    found = 0
    for _ in range(80):
        before = start = walked_on(chance)
        if len(start.available or ()) < 4:
            start = before = dealt(GAME.start(chance.choice(GAME.editions())), chance)
        played = []
        for _ in range(4):
            name = chance.choice(GAME.candidates(before))
            fitting = [play for play in GAME.plays(before, name) if play.ends is None]
            if not fitting:
                break
            played.append(name)
            before = chance.choice(fitting).position
        if len(played) < 4:
            continue
        told = explained(start, before, 4, GAME.mover(start), taken)
        found += told.verdict in ("legal", "ambiguous")
        explained(start, nudged(before, chance), 4, GAME.mover(start), wrong)
    print(f"{found} of {len(taken)} found; four legal plays: {percentiles(taken)}; with a slip: {percentiles(wrong)}")
    assert found == len(taken)

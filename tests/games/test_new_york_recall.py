"""Ten thousand legal and ten thousand illegal changes under judgement, and how long an explanation takes. Slow: measures.

pytest -m slow -s tests/games/test_new_york_recall.py

The oracle is the deliberately simple second method (``new_york_brute_force``), which shares nothing with the engine but the
board file.
"""

import random
import time
from dataclasses import replace
from typing import Any

import pytest
from new_york_brute_force import key
from new_york_brute_force import plays as brute_plays

from companion.games.mr_jack_new_york import GAME, Position
from companion.games.mr_jack_new_york.names import PARK, SILENT, TALKATIVE, TILES

PER_POSITION = 240
TOUCHED = ("turn", "slide", "barricade", "boat", "informant", "side", "gone")
Timed = list[float]


def walked_on(chance: random.Random) -> Position:
    """A position in the midst of a game of chance: some turns played, cards dealt, some of them played."""
    position: Any = GAME.start()
    for _ in range(chance.randrange(16)):
        position = dealt(position, chance)
        plays = [play for play in GAME.plays(position, chance.choice(GAME.candidates(position))) if play.ends is None]
        if not plays:
            continue
        position = chance.choice(plays).position
        if not position.available:
            position = GAME.close_turn(GAME.call(position, chance.random() < 0.5))
    return dealt(position, chance)


def dealt(position: Any, chance: random.Random) -> Any:
    if position.available is not None:
        return position
    data = position.to_json()
    data["available"], data["played"] = chance.sample(GAME.characters, 4), []
    return GAME.position(data, tolerant=True)


def unknown_cards(position: Any) -> Any:
    """The same table when nobody has told the cards."""
    data = position.to_json()
    data.pop("available", None)
    data.pop("played", None)
    return GAME.position(data, tolerant=True)


def nudged(position: Any, chance: random.Random) -> Any:
    """What careless hands make of a position: one or two pieces elsewhere, built, turned, or taken away."""
    data = position.to_json()
    board = GAME.board(position.edition)
    streets = sorted(board.of_kind("street"))
    for _ in range(chance.randint(1, 2)):
        what = chance.choice(["disc"] * 4 + ["build", "build", *TOUCHED])
        name = chance.choice(GAME.characters)
        if what == "disc":
            data["characters"][name]["hex"] = chance.choice(sorted(board.of_kind("street", "subway", "pier", "statue")))
        elif what == "gone":
            data["characters"][name]["hex"] = None
        elif what == "side":
            side = data["characters"][name].get("side")
            data["characters"][name]["side"] = "innocent" if side == "suspect" else "suspect"
        elif what == "build":
            data["tiles"][chance.choice(streets)] = chance.choice(TILES)
        elif what == "turn" and data["tiles"]:
            data["tiles"][chance.choice(sorted(data["tiles"]))] = PARK
        elif what == "slide" and data["tiles"]:
            data["tiles"][chance.choice(streets)] = data["tiles"].pop(chance.choice(sorted(data["tiles"])))
        elif what == "barricade":
            pairs = [pair.split("+") for pair in board.pairs(board.of_kind("street", "subway"))]
            data["barricades"] = sorted([*chance.sample(data["barricades"], 1), chance.choice(pairs)])
        elif what == "boat":
            data["steamboats"] = sorted({*chance.sample(data["steamboats"], 1), chance.choice(sorted(board.of_kind("port")))})
        elif what == "informant":
            side = chance.choice((TALKATIVE, SILENT))
            data["informant"] = {"hex": chance.choice(streets), "side": side}
    return GAME.position(data, tolerant=True)


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
    chance, taken = random.Random(70), []
    legal = illegal = missed = false_alarms = 0
    while min(legal, illegal) < 10_000:
        before = walked_on(chance)
        mover = GAME.mover(before)
        plays = {name: GAME.plays(before, name) for name in GAME.candidates(before)}
        tables = {key(state, None) for name in plays for state, _ in brute_plays(before.to_json(), name, mover)}
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
def test_how_long_four_plays_take_and_that_nobody_is_blamed_for_legal_ones() -> None:
    chance, taken, wrong, uncertain = random.Random(71), [], [], []
    found = given_up = 0
    for _ in range(80):
        start = walked_on(chance)
        if len(start.available or ()) < 4:
            start = dealt(GAME.start(), chance)
        last = played_on(start, chance)
        if last is None:
            continue
        told = explained(start, as_seen(last, start), 4, GAME.mover(start), taken)
        found += told.verdict in ("legal", "ambiguous")
        given_up += [fault.code for fault in told.faults] == ["too-much"]
        slipped = nudged(last, chance)
        explained(start, as_seen(slipped, start), 4, GAME.mover(start), wrong)
        explained(unknown_cards(start), unknown_cards(slipped), 4, GAME.mover(start), uncertain)
    print(f"{found} of {len(taken)} found, {given_up} given up; four legal plays: {percentiles(taken)}")
    print(f"with a slip: {percentiles(wrong)}; with a slip and unknown cards: {percentiles(uncertain)}")
    assert found + given_up == len(taken) and given_up <= len(taken) // 10
    assert max(*taken, *wrong, *uncertain) < 2.0, "no look at a table may keep a game waiting"


def as_seen(table: Any, before: Any) -> Any:
    """The table as a camera sees it: in which order the cards were laid does not show."""
    return replace(table, available=before.available, played=before.played)


def played_on(start: Any, chance: random.Random) -> Any:
    """The position after four plays of chance, None when somebody finds none."""
    position = start
    for _ in range(4):
        fitting = [play for play in GAME.plays(position, chance.choice(GAME.candidates(position))) if play.ends is None]
        if not fitting:
            return None
        position = chance.choice(fitting).position
    return position

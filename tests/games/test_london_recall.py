"""Ten thousand legal and ten thousand illegal changes under judgement, and how long an explanation takes. Slow: measures.

pytest -m slow -s tests/games/test_london_recall.py

The oracle is the deliberately simple second method (``brute_force``); for the whistle, of which there are tens of thousands,
it is the engine's own enumeration, which another slow test holds against the simple method.
"""

import random
from typing import Any

import pytest
from brute_force import SIX, faced, key
from brute_force import plays as brute_plays
from changes_of_chance import Count, dealt, explained, percentiles, played_on, walked_on

from companion.games.mr_jack_london import GAME

PER_POSITION = 120
MOST_PLAYS = 12


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


@pytest.mark.slow
def test_ten_thousand_legal_and_ten_thousand_illegal_changes() -> None:
    count = Count(GAME, key, nudged, random.Random(20))
    while min(count.legal, count.illegal) < 10_000:
        before = walked_on(GAME, count.chance, MOST_PLAYS)
        plays = {name: GAME.plays(before, name) for name in GAME.candidates(before)}
        mover = GAME.mover(before)
        tables = {key(play.position.to_json(), None) for play in plays.get("goodley", ())}
        for name in plays.keys() - {"goodley"}:
            tables |= {key(shown, None) for played in brute_plays(before.to_json(), name, mover) for shown in lying(*played)}
        count.judge(before, plays, tables | {key(before.to_json(), None)}, PER_POSITION)
    print(count)
    assert (count.missed, count.false_alarms) == (0, 0)


@pytest.mark.slow
def test_how_long_four_plays_take_and_that_they_are_found() -> None:
    chance, taken, wrong = random.Random(21), [], []
    found = 0
    for _ in range(80):
        start = walked_on(GAME, chance, MOST_PLAYS)
        if len(start.available or ()) < 4:
            start = dealt(GAME, GAME.start(chance.choice(GAME.editions())), chance)
        last = played_on(GAME, start, chance)
        if last is None:
            continue
        told = explained(GAME, start, last, 4, GAME.mover(start), taken)
        found += told.verdict in ("legal", "ambiguous")
        explained(GAME, start, nudged(last, chance), 4, GAME.mover(start), wrong)
    print(f"{found} of {len(taken)} found; four legal plays: {percentiles(taken)}; with a slip: {percentiles(wrong)}")
    assert found == len(taken)

"""Ten thousand legal and ten thousand illegal changes under judgement, and how long an explanation takes. Slow: measures.

pytest -m slow -s tests/games/test_new_york_recall.py

The oracle is the deliberately simple second method (``new_york_brute_force``), which shares nothing with the engine but the
board file.
"""

import random
from typing import Any

import pytest
from changes_of_chance import Count, as_seen, dealt, explained, percentiles, played_on, walked_on
from new_york_brute_force import key
from new_york_brute_force import plays as brute_plays

from companion.games.mr_jack_new_york import GAME
from companion.games.mr_jack_new_york.names import PARK, SILENT, TALKATIVE, TILES

PER_POSITION = 240
MOST_PLAYS = 16
TOUCHED = ("turn", "slide", "barricade", "boat", "informant", "side", "gone")


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


@pytest.mark.slow
def test_ten_thousand_legal_and_ten_thousand_illegal_changes() -> None:
    count = Count(GAME, key, nudged, random.Random(70))
    while min(count.legal, count.illegal) < 10_000:
        before = walked_on(GAME, count.chance, MOST_PLAYS)
        plays = {name: GAME.plays(before, name) for name in GAME.candidates(before)}
        mover = GAME.mover(before)
        tables = {key(state, None) for name in plays for state, _ in brute_plays(before.to_json(), name, mover)}
        count.judge(before, plays, tables | {key(before.to_json(), None)}, PER_POSITION)
    print(count)
    assert (count.missed, count.false_alarms) == (0, 0)


@pytest.mark.slow
def test_how_long_four_plays_take_and_that_nobody_is_blamed_for_legal_ones() -> None:
    chance, taken, wrong, uncertain = random.Random(71), [], [], []
    found = given_up = 0
    for _ in range(80):
        start = walked_on(GAME, chance, MOST_PLAYS)
        if len(start.available or ()) < 4:
            start = dealt(GAME, GAME.start(), chance)
        last = played_on(GAME, start, chance)
        if last is None:
            continue
        told = explained(GAME, start, as_seen(last, start), 4, GAME.mover(start), taken)
        found += told.verdict in ("legal", "ambiguous")
        given_up += [fault.code for fault in told.faults] == ["too-much"]
        slipped = nudged(last, chance)
        explained(GAME, start, as_seen(slipped, start), 4, GAME.mover(start), wrong)
        explained(GAME, unknown_cards(start), unknown_cards(slipped), 4, GAME.mover(start), uncertain)
    print(f"{found} of {len(taken)} found, {given_up} given up; four legal plays: {percentiles(taken)}")
    print(f"with a slip: {percentiles(wrong)}; with a slip and unknown cards: {percentiles(uncertain)}")
    assert found + given_up == len(taken) and given_up <= len(taken) // 10
    assert max(*taken, *wrong, *uncertain) < 2.0, "no look at a table may keep a game waiting"

"""The first engine against the second, simple one: moves of everybody, answers, and which changes of the board are lawful."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest
import whitechapel_brute_force as simple
from whitechapel_games import Step, play

from companion.errors import BadInput
from companion.games.letters_from_whitechapel.house_rules import CHOICES
from companion.games.letters_from_whitechapel.names import COLOURS
from companion.games.letters_from_whitechapel.queries import QUERIES

COMPARED = ("kill", "wretched", "reveal", "jack", "police-move", "police-act")


def steps(seed: int) -> Iterator[Step]:
    """Games one after the other, each under other house rules."""
    while True:
        random = Random(seed)
        rules = {name: random.choice(choices) for name, choices in CHOICES.items() if random.random() < 0.5}
        yield from play(random, {name: choice for name, choice in rules.items() if choice != CHOICES[name][0]}, home=0.9)
        seed += 1000


def some_act(random: Random, position: dict[str, Any]) -> dict[str, Any]:
    """Any act a hand could do in this phase, lawful or not."""
    circle = random.randint(1, 195)
    scene = [random.choice([*position["wretched"], circle]) for _ in range(random.randint(1, 2))]
    hunted = position["phase"] in ("police-move", "police-act")
    colour = random.choice([*simple.turn(position)[:1], random.choice(COLOURS)]) if hunted else "blue"
    near = [*simple.look(position["police"][colour]), circle] if colour in position["police"] else [circle]
    around = sorted(simple.stride(position["police"][colour])) if colour in position["police"] else []
    far = sorted(simple.stride(random.choice(around))) if around else []
    return {
        "kill": lambda: random.choice([{"act": "kill", "circles": sorted(set(scene))}, {"act": "wait"}]),
        "wretched": lambda: {"act": "wretched", "moves": _scattered(random, position)},
        "reveal": lambda: _revealed(random, position),
        "jack": lambda: random.choice(
            [
                {"act": random.choice(["walk", "coach", "alley"]), "home": random.random() < 0.3},
                {"act": "trapped"},
            ]
        ),
        "police-move": lambda: {"act": "move", "by": colour, "crossing": random.choice([*around, *far])},
        "police-act": lambda: random.choice(
            [
                {"act": "search", "by": colour, "circle": random.choice(near), "clue": random.random() < 0.5},
                {"act": "arrest", "by": colour, "circle": random.choice(near), "arrested": random.random() < 0.5},
                {"act": "stop", "by": colour},
            ]
        ),
    }[position["phase"]]()


def _scattered(random: Random, position: dict[str, Any]) -> list[tuple[int, int]]:
    stand, moves = list(position["wretched"]), []
    for circle in random.sample(stand, len(stand)):
        legal = sorted(simple.woman_targets(position, circle, stand))
        to = random.choice(legal if legal and random.random() < 0.8 else simple.walk(circle))
        if to not in stand and (legal or random.random() < 0.2) and random.random() < 0.95:
            moves.append((circle, to))
            stand[stand.index(circle)] = to
    return moves


def _revealed(random: Random, position: dict[str, Any]) -> dict[str, Any]:
    spots = list(position["patrols"])
    if not simple.tonight(position):
        token = random.choice([*COLOURS, "fake", "fake"])
        return {"act": "turn-up", "crossing": random.choice(spots), "token": token}
    police = dict(zip(COLOURS, random.sample(spots, 5), strict=True))
    for crossing, token in position["patrols"].items():
        if token != "down" and random.random() < 0.9:
            police = {colour: spot for colour, spot in police.items() if spot != crossing and colour != token}
            police[token] = crossing
    free = [spot for spot in spots if spot not in police.values()]
    return {"act": "reveal", "police": {colour: police.get(colour) or free.pop() for colour in COLOURS}}


def verdict(before: dict[str, Any], after: dict[str, Any]) -> str:
    try:
        told = QUERIES.commands["explain"]([before, after]).data
    except BadInput:
        return "illegal"
    assert (told["verdict"] == "illegal") == bool(told["faults"])
    return str(told["verdict"])


def compare_moves(step: Step) -> None:
    """``moves`` of the position before an act."""
    position, known = step.before.position, step.before.secret.jack
    assert known is not None
    public = position.to_json()
    secret = {"jack": {"hideout": known.hideout, "row": list(known.row)}}
    told = QUERIES.commands["moves"]({"position": public, "secret": secret}).data
    if position.phase == "jack":
        moves = {(move["kind"], tuple(move["by"]), move["home"]) for move in told["jack"]}
        expected = simple.jack_moves(public, list(known.row), known.hideout or 0)
        assert len(moves) == len(told["jack"]) and moves == set(expected) and told["trapped"] == (not expected)
        assert told["left"] == simple.left(public) and told["tokens"] == simple.tokens(public)
    elif position.phase == "wretched":
        expected_targets = {str(n): sorted(simple.woman_targets(public, n, public["wretched"])) for n in public["wretched"]}
        assert told["wretched"] == expected_targets
    elif position.phase in ("police-move", "police-act"):
        assert told["turn"] == simple.turn(public) and list(told["police"]) == list(COLOURS)
        moving = position.phase == "police-move"
        whole = public
        for colour, may in told["police"].items():
            if colour in public["moved" if moving else "acted"]:
                assert may == {"move": [], "search": [], "arrest": []}
                continue
            public = whole if colour in told["turn"] else {**whole, "missed": []}
            assert may["move"] == (sorted(simple.move_targets(public, colour)) if moving else [])
            assert may["search"] == ([] if moving else sorted(simple.search_targets(public, colour)))
            assert may["arrest"] == ([] if moving else sorted(simple.arrest_targets(public, colour)))


def compare(seed: int, lawful: int, unlawful: int) -> Counter[str]:
    """Until so many lawful and unlawful changes were compared: the act the game took and one at random, in every phase."""
    random, seen = Random(seed), Counter[str]()
    for step in steps(seed):
        if seen["legal"] >= lawful and seen["illegal"] >= unlawful:
            break
        before = step.before.position.to_json()
        if before["phase"] not in COMPARED:
            continue
        compare_moves(step)
        after = step.after.position.to_json()
        assert simple.lawful(before, after), (step.act, step.before.position.notation())
        assert verdict(before, after) in ("legal", "ambiguous"), (step.act, step.before.position.notation())
        seen["legal"] += 1
        for _ in range(4):
            act = some_act(random, before)
            after = simple.after(before, act)
            fits = simple.lawful(before, after)
            told = verdict(before, after)
            assert (told in ("legal", "ambiguous")) == fits, (act, told, step.before.position.notation())
            seen["legal" if fits else "illegal"] += 1
            seen[f"{'legal' if fits else 'illegal'} {act['act']}"] += 1
    return seen


@pytest.mark.parametrize("seed", range(2))
def test_both_engines_agree_on_moves_and_on_changes_of_the_board(seed: int) -> None:
    seen = compare(seed, 200, 200)
    assert seen["illegal move"] and seen["illegal search"] and seen["legal move"]


@pytest.mark.slow
def test_both_engines_agree_on_ten_thousand_lawful_and_ten_thousand_unlawful_acts() -> None:
    seen = compare(7, 10_000, 10_000)
    print(sorted(seen.items()))
    assert {"illegal kill", "illegal wretched", "illegal turn-up", "illegal reveal", "illegal coach", "illegal arrest"} <= set(
        seen
    )


def test_answers_follow_the_row_and_unlawful_questions_get_none() -> None:
    asked = Counter[tuple[bool, bool]]()
    for step in islice((step for step in steps(5) if step.before.position.phase == "police-act"), 150):
        public, known = step.before.position.to_json(), step.before.secret.jack
        assert known is not None
        secret = {"jack": {"hideout": known.hideout, "row": list(known.row)}}
        for colour in COLOURS:
            for circle in {*simple.look(public["police"][colour]), known.row[-1]}:
                value = {"position": public, "secret": secret, "ask": {"by": colour, "kind": "search", "circle": circle}}
                turn = colour in simple.turn(public)
                legal = turn and circle in simple.search_targets(public, colour)
                assert QUERIES.commands["answer"](value).data == {"legal": legal, "clue": legal and circle in known.row}
                value["ask"]["kind"] = "arrest"
                legal = turn and circle in simple.arrest_targets(public, colour)
                assert QUERIES.commands["answer"](value).data == {"legal": legal, "arrested": legal and circle == known.row[-1]}
                asked[turn, legal] += 1
    assert len(asked) == 3

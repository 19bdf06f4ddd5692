"""Whatever JSON comes, a question to Letters from Whitechapel is answered or refused in words; it never breaks off."""

import json
from random import Random
from typing import Any

import pytest
from whitechapel_positions import POLICE, position

from companion.errors import BadInput
from companion.games.letters_from_whitechapel.queries import QUERIES
from companion.games.letters_from_whitechapel.validation import position_of

ODD: list[Any] = [
    None, True, False, 0, -1, 3, 147, 196, 1.5, 10**30, "", "x", "x042", "blue", "down", "fake", "walk", "jack", [], [[]],
    [3], [3, 3],
    ["blue"], ["walk", "coach"], {}, {"x042": "down"}, {"blue": "x042"}, {"a": {}}, "police-act", "over", "women", "marked",
]  # fmt: skip
LIKELY: list[Any] = [
    1, 2, 5, 44, 111, 133, 146, "x044", "x058", "x137", "red", "green", "coach", "alley", "must", "search", "arrest", "kill",
    [146], [111, 133], ["blue", "yellow"], ["walk"], {"x044": "red", "x058": "down"}, dict(POLICE.items()),
]  # fmt: skip
PHASES = ["women", "patrols", "kill", "wretched", "reveal", "jack", "police-move", "police-act", "over"]


def mutated(random: Random, value: Any) -> Any:
    """A copy with one or two odd values somewhere in it."""
    copy = json.loads(json.dumps(value))
    for _ in range(random.randint(1, 2)):
        spot = copy
        while True:
            keys = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
            if not keys:
                break
            key = random.choice(keys)
            if isinstance(spot[key], dict | list) and spot[key] and random.random() < 0.75:
                spot = spot[key]
                continue
            if isinstance(spot, dict) and random.random() < 0.2:
                spot[random.choice(["x", "blue", "x042", "missed", "track"])] = random.choice(ODD)
            elif random.random() < 0.1:
                del spot[key]
            else:
                alike = [odd for odd in [*ODD, *LIKELY] if type(odd) is type(spot[key])]
                spot[key] = random.choice(alike if alike and random.random() < 0.9 else ODD)
            break
    return copy


def questions(random: Random) -> tuple[str, Any]:
    """A good question with odd values in it; of ``explain`` in the position after."""
    kind, phase = random.choice(list(QUERIES.commands)), random.choice(PHASES)
    walk = ["walk", list(POLICE.values())]
    data = position_of(position(phase)).to_json()
    acting = position_of(position("police-act")).to_json()
    secret = {"jack": {"hideout": 1, "row": [147, 146]}}
    asked = {
        "moves": data if phase != "jack" else {"position": data, "secret": {"jack": {"hideout": 1, "row": [147]}}},
        "answer": {"position": acting, "secret": secret, "ask": {"by": "blue", "kind": "search", "circle": 146}},
        "explain": data,
        "deduce": {"nights": [[["crime", [147]], walk, ["search", 146, True], ["coach"], walk, ["home"]], [["crime", [3]]]]},
    }[kind]
    odd = mutated(random, asked)
    return kind, [data, {**odd, "phase": random.choice(PHASES)} if random.random() < 0.5 else odd] if kind == "explain" else odd


@pytest.mark.parametrize("seed", range(4))
def test_odd_values_anywhere_are_answered_or_refused(seed: int) -> None:
    random, refused = Random(seed), 0
    for _ in range(400):
        kind, odd = questions(random)
        try:
            json.dumps(QUERIES.commands[kind](odd).data)
        except BadInput as error:
            refused += 1
            assert "\n" not in str(error)
        assert isinstance(QUERIES.recognises(odd), bool)
    assert 100 < refused < 390


@pytest.mark.parametrize("odd", ODD)
def test_a_question_that_is_no_object_at_all_is_refused(odd: Any) -> None:
    for kind in QUERIES.commands:
        with pytest.raises(BadInput):
            QUERIES.commands[kind](odd)

"""Hypothesis strategies and readers of faults that the tests of every game need."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from companion.errors import InvalidPosition
from companion.games.game import Explanation
from companion.games.mr_jack.casework import least_weight
from companion.games.mr_jack.deduction import ROLES, choices
from companion.games.mr_jack.investigation import Investigation

SIDES = ("suspect", "innocent")


@st.composite
def cards(draw: st.DrawFn, characters: Sequence[str]) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """(available, played): unknown, or four of eight with some of them played."""
    if draw(st.booleans()):
        return None, None
    dealt = draw(st.permutations(characters))[:4]
    count = draw(st.integers(0, 4))
    return tuple(sorted(dealt[count:], key=characters.index)), tuple(dealt[:count])


def rubbish(keys: Sequence[str]) -> st.SearchStrategy[Any]:
    """JSON that is no position, some of it under the keys of one."""
    return st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(keys), inner, max_size=4),
        max_leaves=12,
    )


def check_rubbish(game: Investigation, data: object, *, tolerant: bool) -> None:
    """Assert that what is no position is refused in one line."""
    try:
        game.position(data, tolerant=tolerant)  # type: ignore[arg-type]
    except InvalidPosition as error:
        assert error.faults and "\n" not in str(error)


def faults_at_the_start(game: Investigation, changes: Mapping[str, Any], *, tolerant: bool) -> tuple[str, ...]:
    """The faults of the start position with these keys changed; None takes a key out, "REMOVE" an entry."""
    data = json.loads(json.dumps(game.start().to_json()))
    for key, value in changes.items():
        if value is None:
            del data[key]
        elif isinstance(value, dict) and isinstance(data.get(key), dict):
            data[key] = {k: v for k, v in {**data[key], **value}.items() if v != "REMOVE"}
        else:
            data[key] = value
    try:
        game.position(data, tolerant=tolerant)
    except InvalidPosition as error:
        assert all(fault in str(error) for fault in error.faults)
        return error.faults
    return ()


def codes(explanation: Explanation) -> list[tuple[str, str | None]]:
    """What an explanation blames, and whom."""
    return [(fault.code, fault.character) for fault in explanation.faults]


def check_least_weights(game: Investigation, before: Any, after: Any) -> None:
    """Assert that no case weighs less than what counting says of it, or one that is left out could be the best."""
    explainer, rules = game.explainer, choices(game.house_rules, None)
    changes = explainer.difference(before, after)
    for index, name in enumerate(game.characters):
        least = least_weight(before, changes, game.characters, index, explainer.others_moved.get(name, 0))
        for role in (*ROLES, None):
            if before.hexes[index] is not None:
                assert explainer.judge(before, after, changes, name, role, rules).weight >= least, name

"""How well ``explain`` tells legal from illegal in Get Adler!: no false alarm about legal acts, no illegal act missed, whether
it is named or seen on the table. What is legal is said by the second, simple engine, which knows every hand."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from get_adler_games import Step, game_of_chance, played, with_secret
from test_get_adler_agreement import chance_of, frozen, simple_of

from companion.games.get_adler.difference import lies_as
from companion.games.get_adler.expecting import expects
from companion.games.get_adler.faults import CODES, HIDDEN_CODES
from companion.games.get_adler.folding import fold
from companion.games.get_adler.names import ACTIONS, KINDS, VEHICLES
from companion.games.get_adler.position import read_look
from companion.games.get_adler.queries import QUERIES
from companion.games.get_adler.state import State

Json = dict[str, Any]
SPOKEN = {"trait", "colour"}


def explain(before: Any, second: Any) -> Json:
    return dict(QUERIES.commands["explain"]([before, second]).data)


def steps_of_chance(first: int) -> Iterator[tuple[Step, Any]]:
    """Steps of games, each with the simple engine as it stands before it."""
    number = first
    while True:
        state = game_of_chance(number)
        other = simple_of(state)
        for step in played(state, random.Random(number)):
            yield step, other
            pile, took = chance_of(step.before, step.act, step.after)
            other.do(step.act.to_json(), pile, took)
        number += 1


def told_rightly(step: Step) -> Counter[str]:
    """Check one legal act in the four ways in which it may come; what was asked for, counted."""
    public, full, act = step.before.table.to_json(), with_secret(step.before), step.act.to_json()
    asked: Counter[str] = Counter()
    for before in (public, full):
        told = explain(before, act)
        assert (told["verdict"], told["faults"]) == ("legal", []), (act, told)
        told = explain(before, step.after.table.to_json())
        assert (told["verdict"], told["faults"]) == ("legal", []), (act, told)
        assert told["acts"][-1]["act"] == act["act"] or act["act"] == "discard", (act, told)
        asked.update(told["ask"])
    return asked


def random_act(state: State, chance: random.Random) -> Json:
    """An act that somebody might do, at the right time or not; in the words in which this game names it."""
    table = state.table
    seat = chance.randrange(table.players)
    card = chance.choice([kind for kind in KINDS if kind != "document" or not table.expert])
    target = chance.choice([other for other in range(table.players) if other != seat])
    verbs = ["draw", "discard", "play", "answer", "look", "verdict", "respond", "match", "shoot", "hold", "refill", "arrested"]
    verb = chance.choice(verbs)
    act: Json = {"act": verb, "seat": seat}
    if verb == "play":
        act |= {"card": chance.choice(ACTIONS), "target": target}
        if act["card"] == "question":
            if table.revealed:
                del act["target"]
            elif state.secret.traits is not None:
                act |= {"trait": "hat", "colour": "black"}
    elif verb == "match":
        act["card"] = chance.choice(VEHICLES)
    elif verb == "shoot":
        act["card"] = "gun"
    elif verb in ("discard", "respond"):
        act["card"] = card
    elif verb in ("answer", "verdict"):
        act["answer"] = chance.choice(["yes", "no"])
    return act


def named_otherwise(state: State, act: Json) -> bool:
    """Whether this act may be a legal one by another name: laid in a confrontation, or a question after the reveal."""
    fighting = state.table.step == "confrontation"
    again = state.table.revealed and act.get("card") == "question"
    return again or (fighting and act["act"] in ("respond", "match", "shoot", "play"))


def legal_names(state: State, act: Json) -> list[Json]:
    """The names that an act may have here."""
    names = [act]
    if named_otherwise(state, act):
        names += [{**act, "act": verb} for verb in ("respond", "match", "shoot", "play")]
        names += [{key: value for key, value in name.items() if key != "target"} for name in names]
    return names


def illegal_change(step: Step, chance: random.Random) -> Json | None:
    """A table that careless hands may leave, nothing else noted; None where some legal act would leave the same."""
    before = step.before.table
    after = deepcopy(before.to_json())
    seat = chance.randrange(before.players)
    kind = chance.choice(["draw", "discard", "two", "row", "vanish"])
    if kind == "draw" and after["deck"]:
        after["deck"] -= 1
        after["seats"][seat]["hand"] += 1
    elif kind in ("discard", "two") and after["seats"][seat]["hand"] > 1:
        count = 1 if kind == "discard" else 2
        after["seats"][seat]["hand"] -= count
        after["discard"] += [chance.choice(("gun", "magnifier", "arrest")) for _ in range(count)]
    elif kind == "row" and before.confrontation is not None and after["seats"][seat]["hand"]:
        after["seats"][seat]["hand"] -= 1
        after["confrontation"]["row"].append([seat, chance.choice((*VEHICLES, "gun"))])
    elif kind == "vanish" and after["seats"][seat]["hand"]:
        after["seats"][seat]["hand"] -= 1
    else:
        return None
    seen = read_look(before, after)
    for act in expects(State(before)).acts:
        if act.act != "reveal" and lies_as(fold(before, act), seen, before):
            return None
    return after


def tried(count: int, first: int) -> tuple[Counter[str], Counter[str]]:
    """Try so many legal and illegal acts; what was asked and which faults were told."""
    chance = random.Random(first)
    asked: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    legal = illegal = 0
    for step, other in steps_of_chance(first):
        if step.before.table.step == "over":
            continue
        if legal < count and chance.random() < 0.3:
            asked += told_rightly(step)
            legal += 1
        allowed = frozen(other.legal())
        if illegal < count and chance.random() < 0.3:
            act = random_act(step.before, chance)
            if not any(frozen([name]).keys() & allowed.keys() for name in legal_names(step.before, act)):
                told = explain(with_secret(step.before), act)
                assert told["verdict"] == "illegal", (act, told, json.dumps(with_secret(step.before)))
                assert told["faults"]
                codes.update(fault["code"] for fault in told["faults"])
                illegal += 1
            changed = illegal_change(step, chance)
            if changed is not None:
                told = explain(step.before.table.to_json(), changed)
                assert told["verdict"] == "illegal", (told, step.before.table, changed)
                codes.update(fault["code"] for fault in told["faults"])
                illegal += 1
        if legal >= count and illegal >= count:
            return asked, codes
    raise AssertionError("unreachable")


def test_legal_acts_raise_no_alarm_and_illegal_ones_are_found() -> None:
    _, codes = tried(150, 500)
    assert codes.keys() <= {*CODES, *HIDDEN_CODES}


@pytest.mark.slow
def test_ten_thousand_legal_and_illegal_acts() -> None:
    asked, codes = tried(10_000, 1_000)
    print(asked, codes)
    assert set(CODES) <= codes.keys()

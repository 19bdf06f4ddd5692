"""``deduce`` for Get Adler!: the roles each seat may still have, against a plain count over all deals."""

import random
from itertools import permutations
from typing import Any

import pytest
from get_adler_games import game_of_chance, played
from get_adler_positions import ROLES, position

from companion.games.get_adler.names import roles_of
from companion.games.get_adler.queries import QUERIES

TABLE = {
    "adler": {"hat": "black", "hair": "red", "eyes": "blue", "coat": "green"},
    "gold": {"hat": "black", "hair": "brown", "eyes": "blue", "coat": "grey"},
    "sharpe": {"hat": "brown", "hair": "red", "eyes": "green", "coat": "grey"},
    "townsend": {"hat": "blue", "hair": "brown", "eyes": "green", "coat": "green"},
    "collins": {"hat": "brown", "hair": "blond", "eyes": "blue", "coat": "red"},
    "tarasov": {"hat": "grey", "hair": "blond", "eyes": "grey", "coat": "black"},
}


def said(of: int, trait: str, colour: str, answer: str) -> dict[str, Any]:
    return {"hour": 1, "by": (of + 1) % 4, "of": of, "trait": trait, "colour": colour, "answer": answer}


def deduce(data: Any) -> dict[str, Any]:
    return dict(QUERIES.commands["deduce"](data).data)


def table_of(players: int = 4, *, traits: Any = TABLE, **more: Any) -> dict[str, Any]:
    """A position of which only the trait table is known."""
    return {**position(players, known=False, hour=5, **more), "secret": {"traits": traits}}


def test_at_the_beginning_everybody_may_be_anybody() -> None:
    found = deduce(table_of(5))
    assert found["roles"] == [list(roles_of(5))] * 5
    assert (found["deals"], found["judged"]) == (120, True)


def test_an_answer_excludes_roles_only_as_far_as_a_hero_gave_it() -> None:
    found = deduce(table_of(answers=[said(0, "hat", "black", "yes")]))
    assert found["roles"][0] == ["adler", "gold"]
    assert found["roles"][1] == list(roles_of(4))
    found = deduce(table_of(answers=[said(0, "hat", "black", "yes"), said(0, "hat", "black", "no")]))
    assert found["roles"][0] == ["adler"]
    assert found["villain"] == [True, False, False, False]
    assert "adler" not in found["roles"][1]


def test_one_answer_tells_of_others_as_well() -> None:
    answers = [said(0, "hat", "brown", "yes"), said(1, "hat", "brown", "yes"), said(2, "hat", "black", "yes")]
    found = deduce(table_of(answers=answers))
    # One of the first two is Sharpe and the other one lies, so the third tells the truth: he is Gold.
    assert found["roles"] == [["adler", "sharpe"], ["adler", "sharpe"], ["gold"], ["townsend"]]


def test_a_false_arrest_and_two_cards_taken_are_known_to_all() -> None:
    found = deduce(table_of(seats={1: {"cleared": True}, 2: {"shown": "gold"}}))
    assert found["roles"][1] == ["sharpe", "townsend"]
    assert found["roles"][2] == ["gold"]
    assert found["roles"][0] == ["adler", "sharpe", "townsend"]


@pytest.mark.parametrize(("taken", "deals"), [(1, 24), (2, 6)])
def test_who_gives_two_back_is_gold(taken: int, deals: int) -> None:
    pending = {"card": "binoculars", "by": 3, "target": 2, "taken": taken}
    advanced = {"advanced": True, "expert": False}
    found = deduce(table_of(step="give", seat=3, pending=pending, variant=advanced))
    assert found["deals"] == deals
    assert (found["roles"][3] == ["gold"]) is (taken == 2)


def test_who_owned_up_is_a_villain() -> None:
    pending = {"card": "arrest", "by": 0, "target": 2}
    found = deduce(table_of(5, step="reveal", pending=pending))
    assert found["roles"][2] == ["adler", "collins"]


def test_a_colour_is_the_same_however_it_is_typed() -> None:
    found = deduce(table_of(answers=[said(0, "hat", " Black", "yes")]))
    assert found["roles"][0] == ["adler", "gold"]


def test_who_accuses_is_a_hero_where_villains_must_not() -> None:
    pending = {"card": "arrest", "by": 0, "target": 2}
    assert "adler" in deduce(table_of(step="verdict", pending=pending))["roles"][0]
    strict = table_of(step="verdict", pending=pending, rules={"villain-arrest": "discard-only"})
    assert "adler" not in deduce(strict)["roles"][0]


def test_after_the_reveal_everything_is_known() -> None:
    found = deduce(table_of(revealed=True))
    assert found["roles"] == [[role] for role in ROLES[:4]]
    assert found["deals"] == 1


def test_without_the_trait_table_answers_are_kept_but_not_judged() -> None:
    found = deduce(table_of(traits=None, answers=[said(0, "hat", "black", "yes")]))
    assert found["roles"][0] == list(roles_of(4))
    assert not found["judged"]


def test_answers_that_no_deal_explains_are_told() -> None:
    answers = [said(seat, "hat", "white", "yes") for seat in range(2)]
    reply = QUERIES.commands["deduce"](table_of(answers=answers))
    assert not reply.yes
    assert reply.data["deals"] == 0


def test_a_question_that_nobody_wrote_down_excludes_nothing() -> None:
    answers = [{"hour": 1, "by": 1, "of": 0, "trait": None, "colour": None, "answer": "yes"}]
    assert deduce(table_of(answers=answers))["deals"] == 24


@pytest.mark.parametrize("seed", range(12))
def test_it_agrees_with_a_plain_count_over_all_deals(seed: int) -> None:
    chance = random.Random(seed)
    players = 4 + seed % 3
    dealt = roles_of(players)
    answers = [
        {**said(chance.randrange(players), chance.choice(["hat", "hair"]), chance.choice(["black", "brown", "red"]), "no")}
        for _ in range(chance.randrange(6))
    ]
    for answer in answers:
        answer["by"] = (answer["of"] + 1) % players
        answer["answer"] = chance.choice(["yes", "no"])
    cleared = chance.randrange(players)
    left = []
    for deal in permutations(dealt):
        honest = [a for a in answers if deal[a["of"]] not in ("adler", "collins")]
        true = all((TABLE[deal[a["of"]]][a["trait"]] == a["colour"]) is (a["answer"] == "yes") for a in honest)
        if true and deal[cleared] not in ("adler", "collins"):
            left.append(deal)
    found = deduce(table_of(players, answers=answers, seats={cleared: {"cleared": True}}))
    assert found["deals"] == len(left)
    assert [set(roles) for roles in found["roles"]] == [{deal[seat] for deal in left} for seat in range(players)]


def test_the_truth_is_never_excluded() -> None:
    for number in range(0, 40, 6):
        state = game_of_chance(number)
        for step in played(state, random.Random(number)):
            if step.act.act in ("answer", "verdict", "take"):
                data = {**step.after.table.to_json(), "secret": {"traits": step.after.secret.traits}}
                found = deduce(data)
                assert all(role in may for role, may in zip(step.after.secret.roles, found["roles"], strict=True))

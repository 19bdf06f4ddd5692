"""A pile that an arbiter sets in Get Adler!: it is set, a card that waits for words stays one, and nothing else is dropped."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from testkit.adler_at_table import AdlerAtTable

from companion.errors import BadInput


@pytest.fixture
def mat(tmp_path: Path) -> Iterator[AdlerAtTable]:
    made = AdlerAtTable(tmp_path / "table")
    made.open_up(sealed=False)
    made.lay("pile", "document")
    yield made
    made.close()


def put(mat: AdlerAtTable, change: Callable[[Any], object]) -> list[str]:
    position = deepcopy(mat.public["position"])
    change(position)
    return mat.say("rule", action="set-position", position=position, reason="knocked over")


def test_a_card_is_put_on_the_pile(mat: AdlerAtTable) -> None:
    deck = mat.state.books.deck
    assert put(mat, lambda position: position["cards"]["pile"].append("gun"))[0] == "ruling"
    assert mat.state.books.discard == ("document", "gun") and mat.state.books.deck == deck - 1
    assert [chore["subject"] for chore in mat.public["flag"]["chores"]] == ["card:pile"]


def test_a_card_that_waits_for_words_lies_there_once(mat: AdlerAtTable) -> None:
    mat.lay("pile", "question")
    asked = mat.public["question"]
    put(mat, lambda position: None)
    assert mat.state.mat.laid.zone("pile") == ("document", "question")
    assert mat.state.books.discard == ("document",) and mat.public["question"] == asked


def test_a_card_that_waits_for_words_is_taken_away(mat: AdlerAtTable) -> None:
    mat.lay("pile", "question")
    put(mat, lambda position: position["cards"]["pile"].pop())
    assert mat.state.mat.laid.zone("pile") == ("document",) and mat.public["question"] is None


def test_who_laid_the_last_card_is_named_after_a_position_was_set(mat: AdlerAtTable) -> None:
    mat.lay("pile", "question")
    put(mat, lambda position: None)
    mat.lay("pile", "gun")
    fault = mat.public["flag"]["faults"][0]
    assert fault["code"] == "two-cards" and fault["message"].startswith("Seat 2 has laid")


def test_what_cannot_be_set_is_refused_and_not_dropped(mat: AdlerAtTable) -> None:
    with pytest.raises(BadInput) as wrong:
        put(mat, lambda lies: (lies["roles"].update({"role-1": ["gold"]}), lies["cards"].update({"place-2": ["gun"]})))
    assert str(wrong.value).removeprefix("position: ").split("; ") == [
        "Seat 2: other cards lie there on record",
        "Seat 1: other cards lie there on record",
        "only the discard pile can be set",
        "take the game back to change anything else",
    ]

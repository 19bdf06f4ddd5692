"""A pile that an arbiter sets in Get Adler!: it is set, a card that waits for words stays one, and nothing else is dropped."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from testkit.adler_at_table import AdlerAtTable
from testkit.shown import put

from companion.errors import BadInput
from companion.games.get_adler.mat import Laid
from companion.referee.audit import audit


@pytest.fixture
def mat(tmp_path: Path) -> Iterator[AdlerAtTable]:
    made = AdlerAtTable(tmp_path / "table")
    made.open_up(sealed=False)
    made.lay("pile", "document")
    yield made
    made.close()


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


def arrested(mat: AdlerAtTable) -> dict[str, tuple[str, ...]]:
    """Seat 2 was arrested and is none: the card that lies at its place goes to the pile. What lies there, by zone."""
    mat.to_hour(4)
    laid = mat.state.mat.laid
    lies = {**dict(laid.cards), "place-2": ("arrest",)}
    assert mat.show(Laid(tuple(sorted(lies.items())), laid.roles, laid.hours)) == ["play", "answered"]
    assert mat.public["phase"] == "laying"
    return lies


def test_a_mat_is_not_accepted_while_a_card_still_has_to_go_to_the_pile(mat: AdlerAtTable) -> None:
    lies = arrested(mat)
    laid = mat.state.mat.laid
    with pytest.raises(BadInput) as wrong:
        mat.say("accept", reason="both agree")
    assert str(wrong.value) == (
        "the table cannot be accepted before this is done: Arrest: move it from Seat 2 to the discard pile"
    )
    del lies["place-2"]
    mat.show(Laid(tuple(sorted(lies.items())), laid.roles, laid.hours))
    with pytest.raises(BadInput, match=r"before this is done: Arrest: lay it on the discard pile$"):
        mat.say("accept", reason="both agree")
    assert mat.public["phase"] == "laying"


def test_another_pile_than_was_asked_for_is_on_record_once_it_was_taken(mat: AdlerAtTable) -> None:
    lies = arrested(mat)
    laid, pile = mat.state.mat.laid, (*lies["pile"][:-1], "arrest")
    del lies["place-2"]
    lies["pile"] = pile
    mat.show(Laid(tuple(sorted(lies.items())), laid.roles, laid.hours))
    assert mat.say("accept", reason="both agree") == ["laid"]
    assert mat.state.books.discard == pile and mat.state.target is None
    assert mat.show() == [] and audit(mat.table.game, list(mat.record.events(0)))[1] == []

"""Cards of Get Adler! that a camera took for others: put right by hand, while the camera goes on taking them for the others."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from testkit.adler_at_table import AdlerAtTable
from testkit.adler_table import reading_of

from companion.games.get_adler.mat import Laid


@pytest.fixture
def table(tmp_path: Path) -> Iterator[AdlerAtTable]:
    made = AdlerAtTable(tmp_path / "table")
    made.open_up(sealed=False)
    yield made
    assert made.public["flag"] is None and made.public["trouble"] is None
    made.close()


def see(table: AdlerAtTable, zone: str, cards: list[str]) -> list[str]:
    """A look at which the camera takes the cards of one zone for these, and all else for what lies there."""
    laid = table.state.mat.laid
    cards_now = {**dict(laid.cards), zone: tuple(cards)}
    return table.show(Laid(tuple(sorted(cards_now.items())), laid.roles, laid.hours))


def correct(table: AdlerAtTable, zone: str, cards: list[str]) -> list[str]:
    return table.say("correct", subject=f"card:{zone}", place=zone, cards=cards)


@pytest.mark.parametrize("before", [[], ["question", "document", "document", "document"]])
def test_a_misread_card_is_replaced_and_not_laid_upon(table: AdlerAtTable, before: list[str]) -> None:
    """The first card of a pile, or a pile that begins with the card that was misread last, grew by all that was told of it."""
    if before:
        table.ask("seat-2")
        for card in before[1:]:
            table.lay("pile", card)
    table.lay("pile", "question")
    assert correct(table, "pile", [*before, "document"]) == ["correction", "correction"]
    assert table.state.mat.laid.zone("pile") == (*before, "document")


def test_the_next_card_lies_upon_what_was_put_right(table: AdlerAtTable) -> None:
    """The camera claims the misread card and one upon it: that took the correction away, and the two were a fault."""
    table.lay("pile", "question")
    correct(table, "pile", ["document"])
    assert see(table, "pile", ["question"]) == []
    for laid in (["gun"], ["gun", "document"]):
        assert see(table, "pile", ["question", *laid]) == ["play"]
        assert table.state.mat.laid.zone("pile") == ("document", *laid)


def test_a_vehicle_that_was_misread_stays_put_right_while_the_row_grows(table: AdlerAtTable) -> None:
    table.to_hour(4)
    table.lay("place-4", "arrest")
    table.show()
    table.lay("place-4", "escape-car")
    correct(table, "place-4", ["arrest", "escape-bicycle"])
    assert table.state.books.fight.vehicle == "escape-bicycle"
    see(table, "place-4", ["arrest", "escape-car", "escape-bicycle"])
    assert table.state.mat.laid.zone("place-4") == ("arrest", "escape-bicycle", "escape-bicycle")


def test_a_correction_goes_with_the_card_that_it_was_about(table: AdlerAtTable) -> None:
    table.lay("pile", "question")
    correct(table, "pile", ["document"])
    assert "correction" in see(table, "pile", ["gun"]), "another card lies there by now: seeing beats what was told"
    assert not table.public["table"]["overrides"]
    table.eyes.reading = reading_of(table.state.mat.laid)
    table.show()

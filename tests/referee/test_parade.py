"""The referee of a table of cards, on scripted readings: what is hidden, seen late, told in another order, ruled."""

from collections.abc import Iterator
from typing import Any

import pytest
from scripted_table import NONCE, Hands
from testkit.sitting import brought

from companion.errors import BadInput
from companion.games.game import Game, lacking
from companion.record.commitment import Link, commit
from companion.referee.audit import audit
from companion.referee.match import fold


@pytest.fixture(scope="module")
def game() -> Iterator[Game]:
    with brought("hat-parade", "testkit.cards") as game:
        yield game


@pytest.fixture
def hands(game: Game) -> Hands:
    """Four seats that have sealed who they are; north is to lay a card."""
    hands = Hands.at_start(game=game)
    assert hands.see() == ["table-agreed"]
    for seat in game.seats:
        hands.say(kind="seal", seat=seat, purpose="role", commitment=commit("g1", "hero-red", NONCE, Link(seat, "role", 1, "")))
    assert hands.match.mover == "north" and lacking(game) == ()
    return hands


def lay(hands: Hands, **zones: list[str]) -> list[str]:
    """Let the cards lie so, and look."""
    hands.state = {"cards": {zone: cards for zone, cards in {**hands.state["cards"], **zones}.items() if cards}}
    return hands.see()


def codes(hands: Hands) -> list[str]:
    return [fault["code"] for fault in (hands.match.flag or {"faults": ()})["faults"]]


def test_plays_seen_late_are_told_in_the_order_of_the_row(hands: Hands) -> None:
    assert lay(hands, row=["north-red", "east-white"], pile=["host-white"]) == ["play", "play"]
    assert [pick.character for pick in hands.match.picks] == ["north-red", "east-white"]
    assert fold(hands.game, hands.events) == hands.match and audit(hands.game, hands.events)[1] == []


def test_a_covered_card_is_where_it_was_and_the_pile_shows_its_top_alone(hands: Hands) -> None:
    assert lay(hands, pile=["host-white", "north-white"]) == ["play"]
    assert lay(hands, pile=["north-white"]) == [], "the host's card is covered now"
    assert lay(hands, pile=["north-white", "east-white"]) == ["play"]
    assert lay(hands, pile=["north-white"]) == ["undo"] or codes(hands) == ["put-back-late"]
    assert hands.match.position.to_json()["cards"]["pile"][:2] == ["host-white", "north-white"]


def test_a_card_that_cannot_be_placed_is_asked_for(hands: Hands) -> None:
    lay(hands, row=["north-red"])
    hands.unknown["east-white"] = "the marker of East in white lies between row and pile"
    assert lay(hands) == ["cannot-see"] and hands.match.blind == ("east-white",)
    hands.unknown.clear()
    assert lay(hands, row=["north-red", "east-white"]) == ["sight-restored", "play"]


def test_of_two_cards_side_by_side_the_order_is_asked_for_and_nothing_is_believed(hands: Hands) -> None:
    lay(hands, row=["north-red"])
    why = "which of North in red and East in white comes first in row cannot be told"
    hands.unknown |= {"east-white": why, "north-red": why}
    hands.half, hands.lying = {"east-white", "north-red"}, {"east-white": "row", "north-red": "row"}
    assert lay(hands, row=["north-red", "east-white"]) == ["cannot-see"]
    assert hands.match.blind == ("east-white",), "the other one lies where it lay"
    assert hands.ponder(60) == ["cannot-see"], "one order would be a play: nobody is blamed"


def test_where_a_hidden_card_cannot_be_right_anywhere_the_rest_is_flagged(hands: Hands) -> None:
    lay(hands, row=["north-red"])
    hands.unknown["north-black"] = "the marker of North in black lies between row and pile"
    assert lay(hands, row=["north-red", "south-white"]) == ["cannot-see"]
    kinds = hands.ponder(60)
    assert kinds == ["flag"] and codes(hands) == ["no-play"], "each guess is wrong for a reason of its own"


def test_a_zone_that_cannot_be_read_is_not_guessed_at(hands: Hands) -> None:
    lay(hands, row=["north-red"])
    hands.unknown["card:row"] = "something may lie in row that cannot be read"
    assert lay(hands, row=[], pile=["host-white", "south-red"]) == ["cannot-see"] and hands.match.flag is None
    assert hands.ponder(60) == ["cannot-see"] and hands.match.flag is None, "nor is anybody blamed for what lies elsewhere"
    hands.unknown.clear()
    assert lay(hands, row=["north-red"]) == ["sight-restored", "flag"] and codes(hands) == ["not-yours"]


def test_an_arbiter_lets_a_card_stand_and_a_seat_told_once_tells_no_more(hands: Hands) -> None:
    assert "flag" in lay(hands, row=["east-red"]) and codes(hands) == ["not-yours"]
    assert hands.say(kind="accept", reason="they swapped seats") == ["ruling"]
    assert hands.match.position.to_json()["cards"]["row"] == ["east-red"] and hands.match.mover == "east"
    with pytest.raises(BadInput, match="north cannot tell this secret now: role"):
        hands.say(kind="seal", seat="north", purpose="role", commitment="0" * 64)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"kind": "say", "yes": True}, "nobody asked this seat"),
        ({"kind": "accuse", "of": "north", "role": "hero-red"}, "another seat"),
        ({"kind": "accuse", "of": "east", "role": "king"}, "another seat and a role"),
        ({"kind": "accuse", "of": "east", "role": "hero-red", "seat": "west"}, "in its turn"),
        ({"kind": "reveal", "seat": "north", "purpose": "role", "opened": [{"value": "hero-red", "nonce": ""}]}, "is accused"),
    ],
)
def test_what_cannot_be_said_now_is_refused(hands: Hands, said: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        hands.say(**said)


def test_a_parade_without_a_find_ends_after_its_last_turn(hands: Hands) -> None:
    game, said = hands.game, 0
    while not hands.match.over:
        if hands.match.asked is not None:
            hands.say(kind="say", yes=True)
            continue
        cards = [card for card in game.candidates(hands.match.position) if card.startswith(str(hands.match.mover))]
        plays = [play for card in sorted(cards, reverse=True) for play in game.plays(hands.match.position, card)]
        hands.lay(plays[-1].position)
        assert "play" in hands.see()
        said += 1
    assert said == 12 and hands.match.outcome is not None and hands.match.outcome["code"] == "unfound"
    hands.say(kind="reveal", seat="north", purpose="role", opened=[{"number": 1, "value": "hero-red", "nonce": NONCE.hex()}])
    events = [event for event in hands.events if event.kind == "answered" and event.data["of"] == "north"]
    assert [one.number for one in audit(game, hands.events)[1]] == [event.number for event in events], "each of them a lie"

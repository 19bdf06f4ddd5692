"""Whether a change can be the beginning of a play that moves several discs."""

from typing import Any

import pytest

from companion.games import load

LONDON, NEW_YORK = load("mr-jack-london"), load("mr-jack-new-york")
CARDS = ("goodley", "gull", "bert", "smith")


def begun(game: Any, moves: dict[str, str], available: tuple[str, ...] | None = CARDS, **more: Any) -> list[tuple[str, str]]:
    """(character, sentence) for each play that may have begun when these discs were moved from the start."""
    data = dict(game.start().to_json())
    if available is not None:
        data |= {"available": list(available), "played": []}
    before = game.position(data)
    discs = {name: {**entry, "hex": moves.get(name, entry["hex"])} for name, entry in data["characters"].items()}
    after = game.position({**data, "characters": discs, **more}, tolerant=True)
    faults = game.begun(before, after)
    assert all(fault.pending and fault.code == "begun" for fault in faults)
    return [(fault.character, fault.message) for fault in faults]


@pytest.mark.parametrize(
    ("moves", "players"),
    [
        ({"lestrade": "e6"}, ["goodley"]),
        ({"lestrade": "e6", "watson": "b3"}, ["goodley"]),
        ({"lestrade": "e4"}, []),
        ({"lestrade": "e6", "watson": "b3", "stealthy": "i6"}, []),
        ({"lestrade": "e6", "goodley": "l10"}, ["goodley"]),
        ({"gull": "i4"}, ["gull"]),
        ({"stealthy": "e9"}, ["gull"]),
        ({"stealthy": "g5"}, []),
        ({"stealthy": "e9", "lestrade": "e6"}, []),
    ],
)
def test_a_whistle_or_a_change_of_places_begun_is_told_by_who_went_where(moves: dict[str, str], players: list[str]) -> None:
    assert [player for player, _ in begun(LONDON, moves)] == players


def test_nobody_begins_a_play_whose_card_is_gone() -> None:
    assert begun(LONDON, {"lestrade": "e6"}, ("gull", "bert", "smith")) == []
    assert [player for player, _ in begun(LONDON, {"lestrade": "e6"}, None)] == ["goodley"], "cards unknown"


def test_what_no_play_moves_is_no_beginning() -> None:
    assert begun(LONDON, {"lestrade": "e6"}, covers=["c2", "h6"]) == []


def test_the_way_on_and_the_way_back_are_both_said() -> None:
    (told,) = begun(LONDON, {"stealthy": "e9"})
    assert told == ("gull", "This may be a play of Gull: Gull still has to go to i4 then. Otherwise put back what was moved: "
                    "Stealthy → i4.")  # fmt: skip


def test_tumblety_lets_two_change_places_after_he_walked_beside_one_of_them() -> None:
    cards = ("tumblety", "grant")
    players = [player for player, _ in begun(NEW_YORK, {"tumblety": "I10", "smith": "E8"}, cards)]
    assert players == ["tumblety"] and "I10" in NEW_YORK.board("first-2009").neighbours("J9").values()
    assert begun(NEW_YORK, {"tumblety": "H9", "beach": "E8"}, cards) == [], "he stands beside neither"

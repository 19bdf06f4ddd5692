"""Events of made-up rounds for the tests: an event that is folded entry by entry, and strategies that draw one."""

import random
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

from companion.hub.event import balance, folding
from companion.hub.event.model import Tournament

SEATS = ["first", "second"]
PLAN = {"name": "Club evening", "game": "some-game", "seats": SEATS, "rounds": 5}
MARKS = (["win", "loss"], ["loss", "win"], ["draw", "draw"])
Pair = Callable[[Tournament], tuple[list[tuple[int, int]], dict[int, str]]]


class Book:
    """Entries, folded as they are added."""

    def __init__(self, players: int = 0, **plan: Any) -> None:
        self.entries: list[tuple[int, str, dict[str, Any]]] = []
        self.state: Tournament = None  # type: ignore[assignment]  # the first entry opens it
        self.add("event-opened", **{**PLAN, **plan})
        for index in range(players):
            self.add("player-entered", name=f"Player {index + 1}", rating=2000 - index)

    def add(self, kind: str, **data: Any) -> Tournament:
        number = len(self.entries) + 1
        self.state = folding.apply(self.state, number, kind, data)
        self.entries.append((number, kind, data))
        return self.state

    def pair(self, how: Pair = balance.round_robin, name: str = "round-robin") -> Tournament:
        pairs, byes = how(self.state)
        told = {str(player): kind for player, kind in byes.items()}
        return self.add(
            "round-paired", round=self.state.next_round, how=name, pairings=balance.with_tables(pairs, []), byes=told
        )

    def by_hand(self, *pairs: tuple[int, int], byes: Mapping[int, str] | None = None) -> Tournament:
        return self.pair(lambda _: (list(pairs), dict(byes or {})), "hand")

    def result(self, board: int, marks: list[str], **more: Any) -> Tournament:
        return self.add("result", round=len(self.state.rounds), board=board, marks=marks, **more)

    def finish(self, rng: random.Random) -> None:
        """A result for every game of the running round; now and then somebody did not come."""
        for pairing in self.state.rounds[-1].pairings:
            absent = rng.random() < 0.1
            self.result(pairing.board, rng.choice(MARKS[:2] if absent else MARKS), played=not absent)


@st.composite
def events(draw: st.DrawFn, most: int = 9) -> Tournament:
    """An event after some rounds: people who come late, leave, ask for byes; every round paired by round robin."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    book = Book(draw(st.integers(2, most)))
    for number in range(1, draw(st.integers(0, 5)) + 1):
        if rng.random() < 0.4:
            book.add("player-entered", name=f"Late {number}", club=rng.choice(["", "North"]), since=number)
        playing = [one.number for one in book.state.players.values() if one.plays(number)]
        if len(playing) > 3 and rng.random() < 0.3:
            book.add("player-left", number=rng.choice(playing), after=number - 1)
        playing = [one.number for one in book.state.players.values() if one.plays(number)]
        if len(playing) > 3 and rng.random() < 0.3:
            book.add("player-away", number=rng.choice(playing), round=number, bye=rng.choice(["half", "zero", "full"]))
        book.pair()
        book.finish(rng)
    return book.state

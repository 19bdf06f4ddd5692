"""Hypothesis strategies for positions of Mr. Jack in New York: every test that needs "any position" takes it from here."""

from dataclasses import replace

from any_table import SIDES, cards
from hypothesis import strategies as st

from companion.games.mr_jack_new_york import GAME, Position
from companion.games.mr_jack_new_york.names import CHARACTERS, SUPPLY
from companion.games.mr_jack_new_york.streets import streets_of

NET = streets_of("first-2009")


@st.composite
def positions(draw: st.DrawFn, *, near: str | None = None) -> Position:
    """Any position that may stand on a table in the middle of a turn; ``near`` crowds everybody around one hex."""
    streets = sorted(NET.streets)
    order = draw(st.permutations(streets))
    tiles: dict[str, str] = {}
    left = dict(SUPPLY)
    for cell, label in zip(order, draw(st.lists(st.sampled_from((*SUPPLY, "park")), max_size=14)), strict=False):
        kind = label if label != "park" else max(left, key=lambda word: left[word])
        around = NET.beside[cell]
        if left[kind] == 0:
            continue
        if label == "subway" and any(tiles.get(c) == "subway" or c in NET.subways for c in around):
            continue
        if label == "lamp" and any(tiles.get(c) == "lamp" for c in around):
            continue
        tiles[cell] = label
        left[kind] -= 1
    walls = {cell for cell, label in tiles.items() if label in ("lamp", "building")}
    pairs = [pair for pair in NET.pairs if not walls.intersection(pair)]
    one = draw(st.sampled_from(pairs))
    two = draw(st.sampled_from([pair for pair in pairs if not set(pair) & set(one)]))
    ground = sorted(NET.ground - walls - {*one, *two})
    if near is not None:
        ground = sorted(ground, key=lambda cell: (NET.apart[near].get(cell, 99), cell))[:16]
    standing = draw(st.permutations(ground))
    available, played = draw(cards(CHARACTERS))
    return Position(
        edition="first-2009",
        turn=draw(st.integers(1, 8)),
        witness_card=draw(st.sampled_from(("seen", "unseen"))),
        hexes=tuple(standing[: len(CHARACTERS)]),
        sides=tuple(draw(st.lists(st.sampled_from(SIDES), min_size=8, max_size=8))),
        tiles=tuple(sorted(tiles.items())),
        barricades=tuple(sorted((one, two))),
        steamboats=tuple(sorted(draw(st.permutations(sorted(NET.ports)))[:2])),
        informant=standing[len(CHARACTERS)],
        informant_side=draw(st.sampled_from(("talkative", "silent"))),
        available=available,
        played=played,
    )


@st.composite
def close_positions(draw: st.DrawFn) -> Position:
    """Everybody within a few streets of a way out: accusations, escapes, meetings and crowding are common."""
    corner = draw(st.sampled_from(("M10", "B11", "C12", "F15", "K2", "A8", "G2", "L15")))
    position = draw(positions(near=corner))
    return replace(position, witness_card="unseen")


def any_position() -> st.SearchStrategy[Position]:
    """Far or close."""
    return st.one_of(positions(), close_positions())


__all__ = ["GAME", "any_position", "close_positions", "positions"]

"""Hypothesis strategies for positions of Mr. Jack (London): every test that needs "any position" takes it from here."""

from dataclasses import replace

from any_table import SIDES, cards
from hypothesis import strategies as st

from companion.games.mr_jack_london import GAME, Position
from companion.games.mr_jack_london.names import CHARACTERS
from companion.games.mr_jack_london.streets import streets_of


@st.composite
def positions(draw: st.DrawFn, *, with_cards: bool = True) -> Position:
    """Any position that may stand on a table in the middle of a turn."""
    edition = draw(st.sampled_from(GAME.editions()))
    net = streets_of(edition)
    turn = draw(st.integers(1, 8))
    hexes = draw(st.permutations(sorted(net.streets)))[: len(CHARACTERS)]
    labels = [*range(turn, 5), "blank", "blank"]
    lamps = draw(st.permutations(sorted(net.lamp_posts)))[: len(labels)]
    available, played = draw(cards(CHARACTERS)) if with_cards else (None, None)
    return Position(
        edition=edition,
        turn=turn,
        witness_card=draw(st.sampled_from(("seen", "unseen"))),
        hexes=tuple(hexes),
        sides=tuple(draw(st.lists(st.sampled_from(SIDES), min_size=8, max_size=8))),
        facing=draw(st.sampled_from(net.board.directions)),
        gaslights=tuple(sorted(zip(lamps, labels, strict=True))),
        covers=tuple(sorted(draw(st.permutations(sorted(net.manholes)))[:2])),
        cordons=tuple(sorted(draw(st.permutations(sorted(net.exits)))[:2])),
        available=available,
        played=played,
    )


@st.composite
def close_positions(draw: st.DrawFn) -> Position:
    """Positions with everybody within a few streets of a corner: accusations, escapes and crowding are common."""
    position = draw(positions())
    net = streets_of(position.edition)
    corner = draw(st.sampled_from(sorted(net.exits.values())))
    near = sorted(net.streets, key=lambda cell: (net.on_foot[corner][cell], cell))[:14]
    hexes = tuple(draw(st.permutations(near))[: len(CHARACTERS)])
    return replace(position, hexes=hexes, witness_card="unseen")

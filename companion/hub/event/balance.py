"""Pairings without a program: round robin by the circle method, with the first seat evenly spread. Pure.

The circle method (Berger tables, FIDE Handbook C.05 annex 1): one player stands still, the others turn by one place each
round. Who has the first seat in a game of two is decided by how often each had it; where nothing tells, Berger's order does,
by which nobody ever has it two times more often than the other seat.
"""

from collections.abc import Sequence

from companion.errors import BadInput
from companion.hub.event.folding import byes_of
from companion.hub.event.model import PAIRING, Tournament

MOST_LEAD = 2
"""By how much anybody should have one seat more often than the other, 1 to 3."""


def circle(count: int) -> list[list[tuple[int, int]]]:
    """Every round of ``count`` players (2 or more) numbered from 1: pairs, the first seat first. With an odd count the partner
    of the number ``count + 1`` has a bye."""
    even = count + count % 2
    rounds = []
    for turn in range(even - 1):
        pairs = []
        for place in range(even // 2):
            a, b = (turn - place) % (even - 1) + 1, (turn + place) % (even - 1) + 1
            if place == 0:
                # The one who stands still has the seats in turns.
                pairs.append((a, even) if turn % 2 == 0 else (even, a))
            else:
                pairs.append((a, b) if place % 2 == 1 else (b, a))
        rounds.append(pairs)
    return rounds


def round_robin(state: Tournament) -> tuple[list[tuple[int, int]], dict[int, str]]:
    """The next round of everybody against everybody: pairs with the first seat first, and byes.

    Rounds are taken in the order of the circle over everybody who is entered and has not left, skipping those in which all who
    play now have met already. Where that leaves pairs who met, or who came late, the first round of the circle with the fewest
    such pairs is taken, then the one that leaves the fewest with very uneven seats. Raises BadInput when fewer than two play.
    """
    number = state.next_round
    playing = [player.number for player in state.players.values() if player.plays(number)]
    if not state.plan.pairs:
        raise BadInput("round robin pairs two players; in this game more sit at a table, so pair it by hand")
    if len(playing) < 2:
        raise BadInput("two players at least are needed for a round")
    met, byes = state.met(), byes_of(state, number)
    had_bye = {player: sum(game.bye == PAIRING for game in state.games(player)) for player in playing}
    lead = {player: _lead(state, player) for player in playing}
    best: tuple[tuple[int, int, int, int], list[tuple[int, int]], int | None] | None = None
    rounds = circle(len(playing))
    for turn in range(len(rounds)):
        # Beginning with the round that is due, so that an undisturbed event goes through the circle in order.
        whole = rounds[(number - 1 + turn) % len(rounds)]
        pairs = [(playing[a - 1], playing[b - 1]) for a, b in whole if max(a, b) <= len(playing)]
        alone = next((player for player in playing if all(player not in pair for pair in pairs)), None)
        again = sum(frozenset(pair) in met for pair in pairs)
        uneven = sum(min(map(max, _leads(lead[a], lead[b]))) > MOST_LEAD for a, b in pairs)
        cost = (again, had_bye[alone] if alone is not None else 0, uneven, turn)
        if best is None or cost < best[0]:
            best = (cost, pairs, alone)
    assert best is not None  # there is a round as soon as two play
    _, chosen, alone = best
    if alone is not None:
        byes[alone] = PAIRING
    return [seated(state, pair) for pair in chosen], byes


def seated(state: Tournament, pair: tuple[int, int]) -> tuple[int, int]:
    """Two players in the order of the seats, so that how often each had the first one stays even. ``pair`` is the order that
    counts where nothing else tells."""
    a, b = pair
    as_given, other_way = (max(two) for two in _leads(_lead(state, a), _lead(state, b)))
    if as_given <= 1:
        return a, b
    if as_given != other_way:
        return (a, b) if as_given < other_way else (b, a)
    return (b, a) if _last_meeting(state, a, b) == (a, b) else (a, b)


def _leads(a: int, b: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """How uneven the seats of two would be after a game, by how often each had the first one more: as given, and the other way
    round."""
    return (abs(a + 1), abs(b - 1)), (abs(a - 1), abs(b + 1))


def _lead(state: Tournament, player: int) -> int:
    """By how much he had the first seat more often than the other."""
    first, other = state.seat_counts(player)[:2]
    return first - other


def _last_meeting(state: Tournament, a: int, b: int) -> tuple[int, ...] | None:
    games = [pairing.players for one in state.rounds for pairing in one.pairings if {a, b} <= set(pairing.players)]
    return games[-1] if games else None


def with_tables(pairs: Sequence[Sequence[int]], tables: Sequence[str]) -> list[dict[str, object]]:
    """Pairings as an entry has them: boards numbered from 1, tables of the hall in their order as far as there are any."""
    return [
        {"board": board, "players": list(players), "table": tables[board - 1] if board <= len(tables) else ""}
        for board, players in enumerate(pairs, 1)
    ]

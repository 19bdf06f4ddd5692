"""The course of turns and hours, drawing, and what losing a turn means."""

from dataclasses import replace

from companion.games.get_adler.names import HOURS
from companion.games.get_adler.state import Table


def next_turn(table: Table) -> Table:
    """The table as the next player finds it, seen from ``table.seat``: who is out or loses a turn is passed over, the hour goes
    on when the start seat comes round (it is counted from the seat, dead or not), and after the last hour hands are shown."""
    table = replace(table, pending=None, passed=False, step="draw")
    while True:
        seat = (table.seat + 1) % table.players
        if seat == table.start and table.hour == HOURS:
            return replace(table, step="show")
        table = replace(table, seat=seat, hour=table.hour + (seat == table.start))
        if not table.seats[seat].alive:
            continue
        if not table.skipping(seat):
            return table
        table = one_skip_less(table, seat)


def one_skip_less(table: Table, seat: int) -> Table:
    """One lost turn of this seat is over."""
    left = table.seats[seat].skips - 1
    since = table.seats[seat].since
    return table.with_seat(seat, skips=left, since=None if since is None or left == 0 else table.hour)


def lose_turn(table: Table, seat: int) -> Table:
    """This seat loses a turn: the next own one, or the one of the next hour; one it is to lose already stays the one it is."""
    player = table.seats[seat]
    skips = 1 if table.rule("lost-turns") == "merge" else player.skips + 1
    since = table.hour if player.since is None else player.since
    return table.with_seat(seat, skips=skips, since=since if table.rule("lost-turn") == "next-round" else None)


def drawn(table: Table, count: int) -> tuple[Table, int]:
    """Cards off the deck, fewer where there are no more; an empty deck is made of the pile first. The hand is not touched."""
    got = min(count, table.deck)
    table = replace(table, deck=table.deck - got)
    if got == count or not table.discard:
        return table, got
    more = min(count - got, len(table.discard))
    return replace(table, deck=len(table.discard) - more, discard=()), got + more

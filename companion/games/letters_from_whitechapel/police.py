"""What the five policemen may do: whose turn it is, where they may go, what they may search and arrest at."""

from companion.games.letters_from_whitechapel.names import POLICE_ACT, POLICE_MOVE, STRIDE
from companion.games.letters_from_whitechapel.position import Position


def order(position: Position) -> tuple[str, ...]:
    """The five colours clockwise from the head of the investigation."""
    first = position.seats.index(position.head) if position.head in position.seats else 0
    return position.seats[first:] + position.seats[:first]


def done(position: Position) -> tuple[str, ...]:
    """Colours that have had their turn in this step."""
    return {POLICE_MOVE: position.moved, POLICE_ACT: position.acted}.get(position.phase, ())


def turn(position: Position) -> tuple[str, ...]:
    """Colours that may act now; empty outside the steps of the police.

    Somebody who has asked in vain goes on until he finds or stops. Where the order is free the position does not name him:
    then all are told who could have asked just that.
    """
    if position.phase not in (POLICE_MOVE, POLICE_ACT):
        return ()
    left = tuple(colour for colour in order(position) if colour not in done(position))
    if position.rule("police-order") == "clockwise":
        return left[:1]
    if position.phase == POLICE_ACT and position.missed:
        return tuple(colour for colour in left if set(position.missed) <= set(near(position, colour)))
    return left


def near(position: Position, colour: str) -> tuple[int, ...]:
    """Circles joined to a policeman's crossing with no other crossing between."""
    return position.streets.looks[dict(position.police)[colour]]


def moves(position: Position, colour: str) -> tuple[str, ...]:
    """Crossings where a policeman may end his move, his own included: others may be passed, but not joined."""
    own = dict(position.police)[colour]
    reached = position.streets.reach(own, STRIDE)
    if position.rule("shared-crossing") == "yes":
        return reached
    taken = {crossing for other, crossing in position.police if other != colour}
    return tuple(crossing for crossing in reached if crossing not in taken)


def searchable(position: Position) -> frozenset[int]:
    """Circles that may be searched by whoever is near."""
    barred = {
        "earlier": frozenset(position.scenes),
        "all": frozenset[int](),
        "none": position.all_scenes,
    }[position.rule("search-scenes")]
    found = frozenset(position.clues) if position.rule("search-found") == "no" else frozenset[int]()
    return frozenset(position.streets.circles) - barred - found


def searches(position: Position, colour: str) -> tuple[int, ...]:
    """Circles that a policeman may still ask for: not twice in one turn."""
    open_to_all = searchable(position) - set(position.missed)
    return tuple(circle for circle in near(position, colour) if circle in open_to_all)


def arrests(position: Position, colour: str) -> tuple[int, ...]:
    """Circles where a policeman may arrest: none once he has searched."""
    return () if position.missed else near(position, colour)

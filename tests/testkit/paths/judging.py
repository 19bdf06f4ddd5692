"""Which pawn was moved, whether it may go there, and the way back: plays enumerated and explained."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from testkit.paths.streets import BLUE, CIRCLE, PAWNS, RED, SQUARE, Position, board, walk

from companion.games.layouts import alike_chores
from companion.games.values import Chore, Explanation, Fault, Json, Move, Play

SEEKERS = ("seeker", "seeker-2")
PAWN_OF: Mapping[str, str] = MappingProxyType({"seeker": RED, "seeker-2": BLUE})
SEAT_OF = {pawn: seat for seat, pawn in PAWN_OF.items()}
NAMES = {RED: "the red pawn", BLUE: "the blue pawn"}
MOVED, STAYED = "{pawn} goes from {start} to {to}.", "{pawn} stays on {start}."
FAULTS: Mapping[str, str] = MappingProxyType(
    {
        "lifted": "{pawn} is in a hand: set it down.",
        "off-the-streets": "{pawn} stands on the circle {to}: pawns stand on squares.",
        "out-of-turn": "It is not the turn of {pawn}.",
        "occupied": "{pawn} and another one stand on {to}.",
        "through": "{pawn} cannot go from {start} to {to}: the other pawn bars the way.",
        "too-far": "{pawn} cannot go from {start} to {to}: it goes over two streets at most.",
        "clue-moved": "A clue was laid, moved or taken away, and nobody asked for that.",
    }
)
CHORES: Mapping[str, str] = MappingProxyType(
    {
        "put-back": "Put {pawn} back from {place} to {to}.",
        "put-on-board": "Set {pawn} on {to}.",
        "move-clue": "Move the clue from {place} to {to}.",
        "take-clue": "Take the clue off {place}.",
        "lay-clue": "Lay a clue on {to}.",
    }
)


def plays(position: Position, pawn: str) -> tuple[Play, ...]:
    """Every play of a pawn from where it stands, staying there included."""
    start, others = position.pawns[pawn], [site for name, site in position.pawns.items() if name != pawn]
    if start is None or board().kind(start) != SQUARE:
        return ()
    return tuple(_play(position, pawn, way) for way in walk(start, others).values())


def _play(position: Position, pawn: str, way: tuple[str, ...]) -> Play:
    moves = (Move(pawn, way[0], way[-1], way),) if len(way) > 1 else ()
    params = {"pawn": NAMES[pawn], "start": way[0], **({"to": way[-1]} if moves else {})}
    return Play(pawn, moves, None, position.with_pawn(pawn, way[-1]), None, MOVED if moves else STAYED, params)


def explain(before: Position, after: Position, count: int, mover: str | None) -> Explanation:
    """One play of whoever moves, or several in turn of which each moves a pawn; else every fault."""
    first = SEEKERS.index(mover) if mover in SEEKERS else 0
    for last in range(first + 1, min(first + count, len(SEEKERS)) + 1):
        told = _sequence(before, after, SEEKERS[first:last])
        if told is not None:
            return Explanation("legal", (told,))
    return Explanation("illegal", (), tuple(_faults(before, after, SEEKERS[first])))


def _sequence(before: Position, after: Position, seats: tuple[str, ...]) -> tuple[Play, ...] | None:
    told: list[Play] = []
    for seat in seats:
        here = told[-1].position if told else before
        pawn = PAWN_OF[seat]
        play = next((one for one in plays(here, pawn) if one.position.pawns[pawn] == after.pawns[pawn]), None)
        if play is None or (len(seats) > 1 and not play.moves):
            return None
        told.append(play)
    return tuple(told) if told[-1].position == after else None


def _faults(before: Position, after: Position, mover: str) -> Iterator[Fault]:
    for pawn in PAWNS:
        start, to = before.pawns[pawn], after.pawns[pawn]
        if start == to or start is None:
            continue
        others = [site for name, site in after.pawns.items() if name != pawn]
        legal = walk(start, others)
        if to is None:
            yield _fault("lifted", pawn, start, to, tuple(sorted(legal)), pending=True)
        elif pawn != PAWN_OF[mover]:
            yield _fault("out-of-turn", pawn, start, to, (start,))
        elif board().kind(to) == CIRCLE:
            yield _fault("off-the-streets", pawn, start, to, tuple(sorted(legal)))
        elif to in others:
            yield _fault("occupied", pawn, start, to, tuple(sorted(legal)))
        elif to not in legal:
            yield _fault("through" if to in walk(start, ()) else "too-far", pawn, start, to, tuple(sorted(legal)))
    if before.clues != after.clues:
        cells = tuple(sorted(set(before.clues) ^ set(after.clues)))
        yield Fault("clue-moved", None, FAULTS["clue-moved"], {}, cells)


def _fault(code: str, pawn: str, start: str, to: str | None, allowed: tuple[str, ...], *, pending: bool = False) -> Fault:
    return Fault(code, pawn, FAULTS[code], {"pawn": NAMES[pawn], "start": start, "to": to}, (to or start,), allowed, pending)


def chores(expected: Position, claimed: Position, doubts: set[str]) -> tuple[Chore, ...]:
    """What hands must do to bring what is claimed to what is expected."""
    moved = [
        _chore("put-on-board" if claimed.pawns[pawn] is None else "put-back", pawn, claimed.pawns[pawn], expected.pawns[pawn])
        for pawn in PAWNS
        if pawn not in doubts and claimed.pawns[pawn] != expected.pawns[pawn]
    ]
    return (*moved, *alike_chores(_chore, "clue", expected.clues, claimed.clues, doubts))


def _chore(code: str, subject: str, place: str | None = None, to: str | None = None) -> Chore:
    words: Json = {"pawn": NAMES[subject]} if subject in NAMES else {}
    return Chore(code, subject, CHORES[code], {**words, "place": place, "to": to}, place, to)

"""Which pawn was moved, whether it may go there, and the way back."""

from collections.abc import Iterator

from companion.games.layouts import alike_chores
from companion.games.values import Chore, Explanation, Fault, Move, Play
from testkit.paths.streets import BLUE, PAWNS, RED, SQUARE, Position, of_kind, walk

SEEKERS = ("seeker", "seeker-2")
PAWN_OF, NAMES = dict(zip(SEEKERS, PAWNS, strict=True)), {RED: "red", BLUE: "blue"}
MOVED, STAYED = "The {pawn} pawn goes from {start} to {to}.", "The {pawn} pawn stays on {start}."
FAULTS = {
    "lifted": "The {pawn} pawn is in a hand: set it down.",
    "off-the-squares": "The {pawn} pawn stands on {to}: pawns stand on squares.",
    "out-of-turn": "The {pawn} pawn was moved from {start} to {to}, and it is not its turn.",
    "occupied": "The {pawn} pawn and another one stand on {to}.",
    "through": "The {pawn} pawn cannot go from {start} to {to}: the other one bars the way.",
    "too-far": "The {pawn} pawn cannot go from {start} to {to}: that is more than two squares.",
    "clue-moved": "A clue was laid, moved or taken away, and nobody asked for that.",
}
CHORES = {
    "put-back": "Put the {pawn} pawn back from {place} to {to}.", "put-on-board": "Set the {pawn} pawn on {to}.",
    "move-clue": "Move the clue from {place} to {to}.", "take-clue": "Take the clue off {place}.",
    "lay-clue": "Lay a clue on {to}.",
}  # fmt: skip


def plays(position: Position, pawn: str) -> tuple[Play, ...]:
    """Every play of a pawn from where it stands, staying there included."""
    start = position.at(pawn)
    ways = walk(start, position.pawns).values() if start in of_kind(SQUARE) else ()
    return tuple(_play(position, pawn, way) for way in ways)


def _play(position: Position, pawn: str, way: tuple[str, ...]) -> Play:
    moves = (Move(pawn, way[0], way[-1], way),) if len(way) > 1 else ()
    params = {"pawn": NAMES[pawn], "start": way[0], "to": way[-1]}
    return Play(pawn, moves, None, position.moved(pawn, way[-1]), None, MOVED if moves else STAYED, params)


def explain(before: Position, after: Position, count: int, mover: str | None) -> Explanation:
    """One play of whoever moves, or several in turn of which each moves a pawn; else every fault."""
    first = SEEKERS.index(mover) if mover in SEEKERS else 0
    for last in range(first + 1, min(first + count, len(SEEKERS)) + 1):
        told: list[Play] = []
        for seat in SEEKERS[first:last]:
            here, pawn = told[-1].position if told else before, PAWN_OF[seat]
            told += [
                one for one in plays(here, pawn) if one.position.at(pawn) == after.at(pawn) and (one.moves or last == first + 1)
            ]
        if len(told) == last - first and told[-1].position == after:
            return Explanation("legal", (tuple(told),))
    return Explanation("illegal", (), tuple(_faults(before, after, PAWN_OF[SEEKERS[first]])))


def _faults(before: Position, after: Position, due: str) -> Iterator[Fault]:
    for pawn in PAWNS:
        start, to = before.at(pawn), after.at(pawn)
        if start == to or start is None:
            continue
        others = tuple(site for name, site in zip(PAWNS, after.pawns, strict=True) if name != pawn)
        legal = walk(start, others)
        checks = {
            "lifted": to is None, "out-of-turn": pawn != due, "off-the-squares": to not in of_kind(SQUARE),
            "occupied": to in others, "too-far": to not in walk(start, ()), "through": to not in legal,
        }  # fmt: skip
        code = next((code for code, wrong in checks.items() if wrong), None)
        if code is not None:
            allowed = (start,) if code == "out-of-turn" else tuple(sorted(legal))
            params = {"pawn": NAMES[pawn], "start": start, "to": to}
            yield Fault(code, pawn, FAULTS[code], params, (to or start,), allowed, pending=to is None)
    if before.clues != after.clues:
        yield Fault("clue-moved", None, FAULTS["clue-moved"], {}, tuple(sorted({*before.clues} ^ {*after.clues})))


def chores(expected: Position, claimed: Position, doubts: set[str]) -> tuple[Chore, ...]:
    """What hands must do to bring what is claimed to what is expected."""
    astray = [pawn for pawn in PAWNS if pawn not in doubts and claimed.at(pawn) != expected.at(pawn)]
    moved = [
        _chore("put-back" if claimed.at(one) else "put-on-board", one, claimed.at(one), expected.at(one)) for one in astray
    ]
    return (*moved, *alike_chores(_chore, "clue", expected.clues, claimed.clues, doubts))


def _chore(code: str, subject: str, place: str | None = None, to: str | None = None) -> Chore:
    return Chore(code, subject, CHORES[code], {"pawn": NAMES.get(subject, ""), "place": place, "to": to}, place, to)

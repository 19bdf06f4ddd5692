"""Where a pawn may be moved, and what is wrong where it was moved otherwise."""

from collections.abc import Iterator

from companion.games.laid import Laid
from companion.games.values import Fault, Move, Play
from testkit.paths.streets import BLUE, CLUES, PAWNS, RED, SQUARE, of_kind, walk

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
    "move-pawn": "Put the {pawn} pawn back from {place} to {to}.", "lay-pawn": "Set the {pawn} pawn on {to}.",
    "move-clue": "Move the clue from {place} to {to}.", "take-clue": "Take the clue off {place}.",
    "lay-clue": "Lay a clue on {to}.",
}  # fmt: skip


def ways(here: Laid, pawn: str) -> Iterator[Play]:
    """Every play of a pawn from where it stands, staying there included."""
    start = here.site(pawn)
    for way in walk(start, pawns_of(here)).values() if start in of_kind(SQUARE) else ():
        moves = (Move(pawn, way[0], way[-1], way),) if len(way) > 1 else ()
        params = {"pawn": NAMES[pawn], "start": way[0], "to": way[-1]}
        yield Play(pawn, moves, None, here.put(pawn, way[-1]), None, MOVED if moves else STAYED, params)


def pawns_of(here: Laid) -> tuple[str | None, ...]:
    """Where the pawns stand."""
    return tuple(here.site(pawn) for pawn in PAWNS)


def faults(before: Laid, after: Laid, due: str) -> Iterator[Fault]:
    """What is wrong with a change that no play of the pawn ``due`` explains."""
    for pawn in PAWNS:
        start, to = before.site(pawn), after.site(pawn)
        if start == to or start is None:
            continue
        others = tuple(after.site(name) for name in PAWNS if name != pawn)
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
    if before.tokens != after.tokens:
        astray = tuple(sorted({*before.sites(CLUES)} ^ {*after.sites(CLUES)}))
        yield Fault("clue-moved", None, FAULTS["clue-moved"], {}, astray)

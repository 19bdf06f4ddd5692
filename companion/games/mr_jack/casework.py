"""One hypothesis, "this character was played", with the faults found against it: what all games of this family judge alike.

No fault means a legal play. Otherwise each fault carries a weight, so that the hypothesis with the smallest set of faults
can be told from the others.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from companion.boards import PAIR
from companion.games.game import Fault, Move, Play
from companion.games.mr_jack.deduction import JACK, PICKS_A_TURN, SUSPECT, candidates
from companion.games.mr_jack.sayings import Sayings

Pair = tuple[str, str]

# Weights: how far a fault is from what a player may have meant. Missing a duty is the commonest slip and weighs least; a
# card that was not there and a piece of somebody else weigh more; a played character that never left its hex weighs most,
# so that whoever did move is taken for the one played.
SLIP, WRONG_PLACE, NOT_IN_CARDS, FOREIGN, NEVER_LEFT = 2.0, 2.5, 3.0, 3.5, 5.0


@dataclass(slots=True)
class BaseCase:
    """Everything known about one hypothesis, and the faults found so far. Games derive their own from it."""

    before: Any
    after: Any
    changes: Any
    character: str
    role: str | None
    rules: Mapping[str, str]
    faults: list[Fault] = field(default_factory=list)
    weight: float = 0.0
    moves: list[Move] = field(default_factory=list)
    ability: str | None = None
    ends: str | None = None
    accuser: str | None = None
    accused: str | None = None

    sayings: ClassVar[Sayings]
    characters: ClassVar[tuple[str, ...]]

    def blame(self, weight: float, found: Fault) -> None:
        """Hold a fault against this hypothesis."""
        self.faults.append(found)
        self.weight += weight

    @property
    def index(self) -> int:
        """The played character's place in the fixed order."""
        return self.characters.index(self.character)

    @property
    def origin(self) -> str:
        """Where the played character stood."""
        return self.before.hexes[self.index] or ""

    @property
    def to(self) -> str | None:
        """Where the played character stands now."""
        spot: str | None = self.after.hexes[self.index]
        return spot

    @property
    def badness(self) -> tuple[float, int]:
        """What the hypotheses are sorted by, the best first."""
        return self.weight, len(self.faults)

    def play(self) -> Play:
        """The play this hypothesis claims."""
        raise NotImplementedError


def marked(*cells: str | None) -> tuple[str, ...]:
    """The cells to mark, without those that are none."""
    return tuple(cell for cell in cells if cell)


def least_weight(before: Any, changes: Any, characters: Sequence[str], index: int, others_moved: int) -> float:
    """What the case for this character weighs at least, found by counting.

    Every case blames what :func:`judge_cards`, :func:`judge_table` and :func:`others_stay` find, and no play moves more than
    ``others_moved`` others.
    """
    others = sum(moved != index for moved in changes.moved) - others_moved
    foreign: int = max(0, others) + len(changes.turned) + changes.turn + changes.witness_card
    absent = characters[index] not in candidates(characters, before.available, before.played)
    return FOREIGN * foreign + NOT_IN_CARDS * absent


def judge_cards(case: BaseCase) -> None:
    """Whether the character's card was there to be played, and whether it is the one that was laid."""
    before, fault, names = case.before, case.sayings.fault, case.sayings.names
    cells = marked(case.to)
    if before.available is not None and case.character not in before.available:
        if before.available:
            cards = ", ".join(names[card] for card in before.available)
            case.blame(NOT_IN_CARDS, fault("not-in-cards", case.character, cells=cells, cards=cards))
        else:
            case.blame(NOT_IN_CARDS, fault("no-picks-left", case.character, cells=cells))
    elif before.available is None and before.played is not None:
        if len(before.played) >= PICKS_A_TURN:
            case.blame(NOT_IN_CARDS, fault("no-picks-left", case.character, cells=cells))
        elif case.character in before.played:
            left = ", ".join(names[card] for card in case.characters if card not in before.played)
            case.blame(NOT_IN_CARDS, fault("not-in-cards", case.character, cells=cells, cards=left))
    laid = case.after.played
    if before.played is not None and laid is not None and len(laid) == len(before.played) + 1 and laid[-1] != case.character:
        case.blame(NOT_IN_CARDS, fault("other-card", case.character, cells=cells, other=names[laid[-1]]))


def judge_table(case: BaseCase) -> None:
    """What no play changes: the sides of discs, the turn marker, the witness card."""
    fault = case.sayings.fault
    for index in case.changes.turned:
        name, side = case.characters[index], case.before.sides[index]
        case.blame(FOREIGN, fault("side-turned", name, cells=marked(case.after.hexes[index]), side=side))
    if case.changes.turn:
        case.blame(FOREIGN, fault("turn-changed", None, origin=case.before.turn, to=case.after.turn))
    if case.changes.witness_card:
        case.blame(FOREIGN, fault("witness-card-changed", None, origin=case.before.witness_card))


def others_stay(case: BaseCase, excused: Collection[int]) -> None:
    """Nobody else may have moved, but for the ``excused``."""
    fault, names = case.sayings.fault, case.sayings.names
    for index in case.changes.moved:
        if index == case.index or index in excused:
            continue
        name, was, now = case.characters[index], case.before.hexes[index] or "", case.after.hexes[index]
        if now is None:
            case.blame(FOREIGN, fault("vanished", name, cells=marked(was), allowed=marked(was), origin=was))
            continue
        words = {"origin": was, "to": now}
        if case.to == case.origin:
            found = fault("several-moved", name, cells=(now, was), allowed=(was,), **words)
        else:
            found = fault("other-moved", name, cells=(now, was), allowed=(was,), player=names[case.character], **words)
        case.blame(FOREIGN, found)


def why_shared(case: BaseCase, company: Collection[int], *, near: bool) -> str:
    """Why a character may not share its hex with ``company``, as a variant of the fault ``occupied``."""
    if len(company) > 1:
        return "crowd"
    if case.role == JACK:
        return "jack"
    if case.before.sides[next(iter(company))] != SUSPECT and case.rules["accuse-innocent"] == "no":
        return "cleared"
    return "crowd" if near else "far"


def alike_moved(case: BaseCase, word: str, owner: str, gone: Sequence[str], new: Sequence[str], **words: Any) -> Pair | None:
    """Pieces that look alike: the one that the owner moved, as (from, to), if there is exactly one.

    What is gone and what is new are paired in their order, the rest was taken away or added. A piece on two cells has both
    in its spot. ``words`` are further words of the sentence about several.
    """
    fault, player = case.sayings.fault, case.sayings.names[case.character]
    pairs = list(zip(gone, new, strict=False))
    for spot in gone[len(pairs) :]:
        cells = tuple(spot.split(PAIR))
        case.blame(FOREIGN, fault(f"{word}-removed", None, cells=cells, allowed=cells, origin=spot))
    for spot in new[len(pairs) :]:
        case.blame(FOREIGN, fault(f"{word}-added", None, cells=tuple(spot.split(PAIR)), to=spot))
    if case.character != owner:
        for origin, to in pairs:
            back = tuple(origin.split(PAIR))
            told = {"origin": origin, "to": to, "player": player}
            case.blame(FOREIGN, fault(f"{word}-moved", None, cells=(*to.split(PAIR), *back), allowed=back, **told))
        return None
    if len(pairs) > 1:
        cells = tuple(cell for pair in pairs for spot in reversed(pair) for cell in spot.split(PAIR))
        case.blame(SLIP, fault(f"{word}s-several", owner, cells=cells, count=len(pairs), **words))
        return None
    return pairs[0] if pairs else None

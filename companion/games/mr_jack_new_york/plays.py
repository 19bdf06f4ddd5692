"""Every legal play of a character, by building the positions it can lead to: a walk and an ability, in either order."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from companion.games.game import Move, Play
from companion.games.mr_jack import deduction
from companion.games.mr_jack.deduction import ACCUSATION, ESCAPE, card_laid
from companion.games.mr_jack_new_york.actions import actions, informant_cells, move_informant, stand
from companion.games.mr_jack_new_york.light import witness
from companion.games.mr_jack_new_york.names import (
    ABILITY,
    CHARACTERS,
    EASTMAN,
    INDEX,
    MANDATORY,
    TALKATIVE,
    TUMBLETY,
)
from companion.games.mr_jack_new_york.position import Position
from companion.games.mr_jack_new_york.streets import Path, ways, ways_out
from companion.games.mr_jack_new_york.wording import played as sentence

Rules = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Walked:
    """A walk done: its moves, the position after it, and how it ended the game."""

    moves: tuple[Move, ...]
    position: Position
    ends: str | None = None
    accused: str | None = None


def may_leave(position: Position, character: str, role: str | None) -> bool:
    """Whether Jack's player may take this character off the board now, exits and distance apart."""
    return deduction.may_leave(position, INDEX[character], role)


def accusable(position: Position, character: str, role: str | None, rules: Rules) -> tuple[int, ...]:
    """Indices of the characters that this one may be moved onto."""
    return deduction.accusable(position, INDEX[character], role, anybody=rules["accuse-innocent"] == "yes")


def exits(position: Position, character: str, rules: Rules, first: Position, *, on_foot: bool = False) -> dict[str, Path]:
    """Ways out that count; ``first`` is the position in which the character was picked."""
    cost = 0 if rules["leaving-cost"] == "free" else 1
    found = ways_out(position, character, on_foot=on_foot, cost=cost)
    if rules["open-and-leave"] == "no" and position is not first:
        open_before = ways_out(first, character, on_foot=on_foot, cost=cost)
        return {goal: path for goal, path in found.items() if goal in open_before}
    return found


def can_stop(position: Position, cell: str) -> bool:
    """Whether a walk may end here: nobody stands here and the informant, if he does, is talkative and can go elsewhere."""
    if cell in position.hexes:
        return False
    return cell != position.informant or (position.informant_side == TALKATIVE and bool(informant_cells(position)))


def shut_in(position: Position, character: str) -> bool:
    """Whether a character cannot end any walk of its own."""
    return not any(can_stop(position, cell) for cell in ways(position, character))


def like_state(position: Position) -> tuple[str, ...]:
    """The others in Eastman's state at this very moment."""
    found = witness(position)
    group = found.seen if EASTMAN in found.seen else found.unseen
    return tuple(name for name in group if name != EASTMAN)


def every_play(position: Position, character: str, role: str | None, rules: Rules) -> Iterator[Play]:
    """Every legal play; some lead to the same position. ``role`` None: either side may be moving."""
    if character == EASTMAN:
        yield from _eastman(position, role, rules)
        return
    ability = ABILITY[character]
    first = list(actions(position, character, rules))
    due = character in MANDATORY
    alone = character == TUMBLETY and rules["swap-and-move"] == "either"
    for walked in walks(position, character, role, rules, position):
        if walked.ends:
            yield make(position, character, walked.moves, None, walked)
            continue
        after = [] if alone else list(actions(walked.position, character, rules))
        if not due or not (after or first):
            yield make(position, character, walked.moves, None, walked)
        for action in after:
            yield make(position, character, (*walked.moves, *action.moves), ability, Walked((), action.position))
    for action in first:
        if alone:
            yield make(position, character, action.moves, ability, Walked((), action.position))
            continue
        for walked in walks(action.position, character, role, rules, position):
            yield make(position, character, (*action.moves, *walked.moves), ability, walked)
    if not alone and shut_in(position, character):
        yield from _staying(position, character, rules)


def _staying(position: Position, character: str, rules: Rules) -> Iterator[Play]:
    """Whoever is shut in stays; a mandatory ability is still used."""
    first = list(actions(position, character, rules))
    if character not in MANDATORY or not first:
        yield make(position, character, (), None, Walked((), position))
    for action in first:
        if rules["shut-in"] == "when-picked" or shut_in(action.position, character):
            yield make(position, character, action.moves, ABILITY[character], Walked((), action.position))


def _eastman(position: Position, role: str | None, rules: Rules) -> Iterator[Play]:
    for walked in walks(position, EASTMAN, role, rules, position):
        yield make(position, EASTMAN, walked.moves, None, walked)
    for walked in _sent(position, role, rules):
        yield make(position, EASTMAN, walked.moves, ABILITY[EASTMAN], walked)
    if eastman_may_stay(position, role, rules):
        yield make(position, EASTMAN, (), None, Walked((), position))


def _sent(position: Position, role: str | None, rules: Rules) -> Iterator[Walked]:
    """Every walk of somebody else that Eastman may order now."""
    for other in like_state(position):
        yield from walks(position, other, role, rules, position, sent=True)


def eastman_may_stay(position: Position, role: str | None, rules: Rules) -> bool:
    """Whether Eastman may be played without anybody moving: he is shut in, and his ability is optional or of no use."""
    if not shut_in(position, EASTMAN):
        return False
    return rules["eastman-shut-in"] == "may-stay" or next(_sent(position, role, rules), None) is None


def walks(
    position: Position, character: str, role: str | None, rules: Rules, first: Position, *, sent: bool = False
) -> Iterator[Walked]:
    """Every walk: to a free hex, onto the informant, onto somebody to accuse, out of Manhattan. ``sent``: by Eastman."""
    origin = position.hex(character)
    if origin is None:
        return
    targets = () if sent else accusable(position, character, role, rules)
    for to, path in ways(position, character, on_foot=sent).items():
        move = Move(character, origin, to, path)
        if to in position.hexes:
            accused = position.hexes.index(to)
            if accused in targets:
                yield Walked((move,), stand(position, character, to), ACCUSATION, CHARACTERS[accused])
            continue
        after = stand(position, character, to)
        if to != position.informant:
            yield Walked((move,), after)
        elif position.informant_side == TALKATIVE:
            for goal in informant_cells(after):
                action = move_informant(after, goal)
                yield Walked((move, *action.moves), action.position)
    if may_leave(position, character, role):
        for path in exits(position, character, rules, first, on_foot=sent).values():
            yield Walked((Move(character, origin, None, path),), stand(position, character, None), ESCAPE)


def make(position: Position, character: str, moves: tuple[Move, ...], ability: str | None, walked: Walked) -> Play:
    """A play with its resulting position: the pieces as given, the character's card laid, all else as before."""
    available, played = card_laid(position.available, position.played, character)
    result = replace(walked.position, available=available, played=played)
    text, params = sentence(character, position.hex(character) or "", moves, ability, walked.ends, walked.accused)
    return Play(character, moves, ability, result, walked.ends, text, params)

"""Gaslights, covers and cordons under judgement."""

from companion.games.game import Move
from companion.games.mr_jack.casework import FOREIGN, SLIP, WRONG_PLACE, alike_moved, marked
from companion.games.mr_jack_london.case import Case
from companion.games.mr_jack_london.names import BERT, LESTRADE, NAMES, SMITH
from companion.games.mr_jack_london.position import Label
from companion.games.mr_jack_london.streets import streets_of
from companion.games.mr_jack_london.wording import fault


def board_pieces(case: Case) -> list[Move]:
    """Check the pieces of the board. Returns the move that the character's ability made, if it made a proper one."""
    return [*_lamps(case), *_covers(case), *_cordons(case)]


def own_pieces_touched(case: Case) -> bool:
    """Whether pieces of the character's own kind were changed at all (then "not used" is not the trouble)."""
    changes = case.changes
    return bool(
        (case.character == SMITH and (changes.lamps_gone or changes.lamps_new))
        or (case.character == BERT and (changes.covers_gone or changes.covers_new))
        or (case.character == LESTRADE and (changes.cordons_gone or changes.cordons_new))
    )


def _lamps(case: Case) -> list[Move]:
    gone, new = list(case.changes.lamps_gone), list(case.changes.lamps_new)
    if len(gone) == len(new) == 1 and gone[0][0] == new[0][0]:
        spot = gone[0][0]
        case.blame(FOREIGN, fault("lamp-renumbered", None, cells=(spot,), origin=spot, lamp=gone[0][1], other=new[0][1]))
        return []
    pairs: list[tuple[str, str, Label]] = []
    for lamp in list(gone):
        match = next((other for other in new if other[1] == lamp[1]), None)
        if match is not None:
            pairs.append((lamp[0], match[0], lamp[1]))
            gone.remove(lamp)
            new.remove(match)
    for spot, label in gone:
        case.blame(FOREIGN, fault("lamp-removed", None, cells=(spot,), allowed=(spot,), lamp=label, origin=spot))
    for spot, label in new:
        case.blame(FOREIGN, fault("lamp-added", None, cells=(spot,), lamp=label, to=spot))
    carried = _carried_lamp(case, pairs)
    return [] if gone or new else carried


def _carried_lamp(case: Case, pairs: list[tuple[str, str, Label]]) -> list[Move]:
    """Gaslights that went from one hex to another: (from, to, label)."""
    net = streets_of(case.before.edition)
    player = NAMES[case.character]
    if case.character != SMITH:
        for origin, to, label in pairs:
            words = {"lamp": label, "origin": origin, "to": to, "player": player}
            case.blame(FOREIGN, fault("lamp-moved", None, cells=(to, origin), allowed=(origin,), **words))
        return []
    if len(pairs) > 1:
        cells = marked(*(to for _, to, _ in pairs), *(origin for origin, _, _ in pairs))
        case.blame(
            SLIP + FOREIGN * (len(pairs) - 2), fault("lamps-several", SMITH, cells=cells, count=len(pairs), player=player)
        )
        return []
    for origin, to, label in pairs:
        if to in net.lamp_posts:
            return [Move(f"gaslight {label}", origin, to)]
        dark = tuple(sorted(net.lamp_posts - dict(case.before.gaslights).keys()))
        case.blame(WRONG_PLACE, fault("lamp-misplaced", SMITH, cells=(to, origin), allowed=dark, lamp=label, to=to))
    return []


def _covers(case: Case) -> list[Move]:
    net = streets_of(case.before.edition)
    free = tuple(sorted(net.manholes.difference(case.before.covers)))
    return _pair(case, "cover", BERT, list(case.changes.covers_gone), list(case.changes.covers_new), free)


def _cordons(case: Case) -> list[Move]:
    net = streets_of(case.before.edition)
    free = tuple(sorted(net.exits.keys() - set(case.before.cordons)))
    return _pair(case, "cordon", LESTRADE, list(case.changes.cordons_gone), list(case.changes.cordons_new), free)


def _pair(case: Case, word: str, owner: str, gone: list[str], new: list[str], free: tuple[str, ...]) -> list[Move]:
    """The proper move of a cover or a cordon, if there was one."""
    pair = alike_moved(case, word, owner, gone, new, player=NAMES[owner])
    if pair is None:
        return []
    origin, to = pair
    if to not in free:
        taken = to in (case.before.covers if word == "cover" else case.before.cordons)
        code = f"{word}-doubled" if taken else f"{word}-misplaced"
        case.blame(WRONG_PLACE, fault(code, owner, cells=(to, origin), allowed=free, origin=origin, to=to))
        return []
    if len(gone) != len(new):
        return []
    return [Move(word, origin, to)]

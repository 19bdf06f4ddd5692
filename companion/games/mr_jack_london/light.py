"""Who is seen: beside a lit gaslight, in the lantern's ray, or next to anybody."""

from companion.games.game import Witness
from companion.games.mr_jack_london.names import CHARACTERS, INDEX, WATSON
from companion.games.mr_jack_london.position import Position
from companion.games.mr_jack_london.streets import streets_of


def witness(position: Position) -> Witness:
    """Who is seen and who is not, judged where everybody stands now; whoever is off the board is neither.

    Both lists and the reasons follow the fixed order of the characters; the reasons of one character are its gaslights in
    the order of their hexes (``"gaslight f5"``), the lantern (``"lantern of watson"``), then neighbours (``"next to smith"``).
    The ray runs over streets and manholes and over characters; houses, gardens and gaslights (lit or not) stop it. The
    bearer is not lit by his own lantern. Sewers make nobody a neighbour.
    """
    net = streets_of(position.edition)
    lit = dict(position.gaslights)
    watson = position.hexes[INDEX[WATSON]]
    ray = net.rays.get((watson, position.facing), ()) if watson is not None and position.facing is not None else ()
    standing: dict[str, list[str]] = {}
    for character, spot in zip(CHARACTERS, position.hexes, strict=True):
        if spot is not None:
            standing.setdefault(spot, []).append(character)
    because: dict[str, tuple[str, ...]] = {}
    unseen = []
    for character, spot in zip(CHARACTERS, position.hexes, strict=True):
        if spot is None:
            continue
        around = net.neighbours[spot]
        reasons = [f"gaslight {cell}" for cell in sorted(around) if cell in lit]
        if spot in ray:
            reasons.append(f"lantern of {WATSON}")
        beside = {other for cell in (spot, *around) for other in standing.get(cell, ()) if other != character}
        reasons += [f"next to {other}" for other in CHARACTERS if other in beside]
        if reasons:
            because[character] = tuple(reasons)
        else:
            unseen.append(character)
    return Witness(tuple(because), tuple(unseen), because)

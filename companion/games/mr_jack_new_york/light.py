"""Who is seen: beside a lamp or next to somebody, unless in a park or on the statue's island."""

from companion.games.game import Witness
from companion.games.mr_jack_new_york.names import CHARACTERS, LAMP, PARK
from companion.games.mr_jack_new_york.position import Position
from companion.games.mr_jack_new_york.streets import streets_of


def witness(position: Position) -> Witness:
    """Who is seen and who is not, judged where everybody stands now; whoever is off the board is neither.

    Both lists and the reasons follow the fixed order of the characters; the reasons of one character are its lamps in the
    order of their hexes (``"lamp C10"``), then neighbours (``"next to smith"``). Whoever is in a park or on the island is
    unseen whatever is beside, and whoever is in a park makes no neighbour seen. The informant makes nobody seen; a
    barricade between two neighbours changes nothing.
    """
    net = streets_of(position.edition)
    built = dict(position.tiles)
    hidden = net.statue.union(cell for cell, label in position.tiles if label == PARK)
    standing: dict[str, list[str]] = {}
    for character, spot in zip(CHARACTERS, position.hexes, strict=True):
        if spot is not None and spot not in hidden:
            standing.setdefault(spot, []).append(character)
    because: dict[str, tuple[str, ...]] = {}
    unseen = []
    for character, spot in zip(CHARACTERS, position.hexes, strict=True):
        if spot is None:
            continue
        reasons: list[str] = []
        if spot not in hidden:
            around = net.beside[spot]
            reasons += [f"{LAMP} {cell}" for cell in sorted(around) if built.get(cell) == LAMP]
            beside = {other for cell in (spot, *around) for other in standing.get(cell, ()) if other != character}
            reasons += [f"next to {other}" for other in CHARACTERS if other in beside]
        if reasons:
            because[character] = tuple(reasons)
        else:
            unseen.append(character)
    return Witness(tuple(because), tuple(unseen), because)

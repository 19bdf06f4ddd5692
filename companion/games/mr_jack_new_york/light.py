"""Who is seen: beside a lamp or next to somebody, unless in a park or on the statue's island."""

from companion.games.mr_jack.witnessing import Witness, next_to, standing, witnessed
from companion.games.mr_jack_new_york.names import CHARACTERS, LAMP, PARK
from companion.games.mr_jack_new_york.position import Position
from companion.games.mr_jack_new_york.streets import streets_of


def witness(position: Position) -> Witness:
    """Who is seen and who is not, judged where everybody stands now; whoever is off the board is neither.

    The reasons of one character are its lamps in the order of their hexes (``"lamp C10"``), then neighbours (``"next to
    smith"``). Whoever is in a park or on the island is unseen whatever is beside, and whoever is in a park makes no
    neighbour seen. The informant makes nobody seen; a barricade between two neighbours changes nothing.
    """
    net = streets_of(position.edition)
    built = dict(position.tiles)
    hidden = net.statue.union(cell for cell, label in position.tiles if label == PARK)
    there = standing(CHARACTERS, [None if spot in hidden else spot for spot in position.hexes])

    def reasons(character: str, spot: str) -> list[str]:
        if spot in hidden:
            return []
        around = net.beside[spot]
        lamps = [f"{LAMP} {cell}" for cell in sorted(around) if built.get(cell) == LAMP]
        return lamps + next_to(CHARACTERS, character, (spot, *around), there)

    return witnessed(CHARACTERS, position.hexes, reasons)

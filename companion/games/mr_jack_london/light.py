"""Who is seen: beside a lit gaslight, in the lantern's ray, or next to anybody."""

from companion.games.mr_jack.witnessing import Witness, next_to, standing, witnessed
from companion.games.mr_jack_london.names import CHARACTERS, WATSON
from companion.games.mr_jack_london.position import Position
from companion.games.mr_jack_london.streets import streets_of


def witness(position: Position) -> Witness:
    """Who is seen and who is not, judged where everybody stands now; whoever is off the board is neither.

    The reasons of one character are its gaslights in the order of their hexes (``"gaslight f5"``), the lantern
    (``"lantern of watson"``), then neighbours (``"next to smith"``). The ray runs over streets and manholes and over
    characters; houses, gardens and gaslights (lit or not) stop it. The bearer is not lit by his own lantern. Sewers make
    nobody a neighbour.
    """
    net = streets_of(position.edition)
    lit = dict(position.gaslights)
    watson = position.hex(WATSON)
    ray = net.rays.get((watson, position.facing), ()) if watson is not None and position.facing is not None else ()
    there = standing(CHARACTERS, position.hexes)

    def reasons(character: str, spot: str) -> list[str]:
        around = net.neighbours[spot]
        lamps = [f"gaslight {cell}" for cell in sorted(around) if cell in lit]
        lantern = [f"lantern of {WATSON}"] if spot in ray else []
        return lamps + lantern + next_to(CHARACTERS, character, (spot, *around), there)

    return witnessed(CHARACTERS, position.hexes, reasons)

"""Writes the whole games under ``recorded_new_york/``; run by hand when a story is added.

``python tests/games/record_new_york_games.py``
"""

import sys
from pathlib import Path

from storytelling import Attempt, Change, Pick, Story, Teller, Wish, both, carries, first_moved, leaves, quiet, to, write

from companion.games.game import Play
from companion.games.mr_jack_new_york import GAME

FOLDER = Path(__file__).parent / "recorded_new_york"


def laid(**tiles: str) -> Change:
    """Tiles laid or turned, by hex."""
    return lambda position: {"tiles": tuple(sorted({**dict(position.tiles), **tiles}.items()))}


def lies(spot: str, label: str) -> Wish:
    return lambda play: dict(play.position.tiles).get(spot) == label


def dark(*names: str) -> Wish:
    return lambda play: play.ends is None and set(names) <= set(GAME.witness(play.position).unseen)


def clear(*cells: str) -> Wish:
    def free(play: Play) -> bool:
        full = {*dict(play.position.tiles), *play.position.covered}
        return play.ends is None and not full.intersection(cells)

    return free


def still(*names: str) -> Wish:
    return lambda play: play.ends is None and all(move.piece not in names for move in play.moves)


def meets(goal: str) -> Wish:
    return lambda play: play.ends is None and play.position.informant == goal and play.position.informant_side == "silent"


def sends(name: str) -> Wish:
    return lambda play: play.ability == "move_another" and any(move.piece == name for move in play.moves)


def accuses(name: str) -> Wish:
    return lambda play: play.ends == "accusation" and play.params["accused"] == GAME.names[name]


BUILDERS = ("beach", "cloud_rider", "latimer", "grant")
OTHERS = ("callahan", "eastman", "tumblety", "smith")
MIXED = (BUILDERS, ("beach", "grant", "eastman", "smith"), OTHERS, ("cloud_rider", "latimer", "callahan", "tumblety"))

STORIES = (
    Story(
        "eighth-turn-jack-wins",
        "Nobody is accused, nobody leaves; every builder builds four times and the supply is just enough (rules 25, 46, 47).",
        "tumblety", [], MIXED,
    ),
    Story(
        "subway-taken-as-soon-as-built",
        "Beach builds a subway first and rides to it from the printed one in the same play (rules 13, 48).",
        "smith",
        [[Pick("beach", both(quiet, to("G8"))), Pick("grant"), Pick("latimer"), Pick("cloud_rider", still("beach"))],
         [Pick("callahan"), Pick("smith"), Pick("tumblety", still("beach")), Pick("eastman", still("beach"))],
         [Pick("beach", both(quiet, first_moved("tile subway"), to("M6"), lies("M6", "subway")))]],
        (("beach", "grant", "eastman", "smith"), BUILDERS, OTHERS),
    ),
    Story(
        "touching-subways-are-flagged",
        "A subway beside the printed one is taken back and built elsewhere (rule 18).",
        "grant",
        [[Attempt({"beach": "E12"}, laid(G6="subway")), Pick("beach", both(quiet, to("E12")))]],
        MIXED,
    ),
    Story(
        "lamp-turned-into-a-park",
        "Grant turns the lamp beside the land exit; its light is gone and the way is open (rules 21, 24).",
        "eastman",
        [[Attempt({"grant": "K8"}, laid(C10="park", M12="park")), Pick("grant", both(quiet, lies("M12", "park")))]],
        MIXED,
    ),
    Story(
        "informant-met-by-beach",
        "Beach lets the ferry take him to the island, the informant turns silent and goes on; next turn he talks (38 to 42).",
        "latimer",
        [[Pick("beach", both(quiet, to("D7"))), Pick("cloud_rider"), Pick("latimer", still("beach")), Pick("grant")],
         [Pick("callahan"), Pick("eastman", still("beach")), Pick("tumblety", still("beach")), Pick("smith")],
         [Pick("beach", both(to("LIBERTY"), meets("M2")))]],
        MIXED[1:],
    ),
    Story(
        "informant-met-by-whom-eastman-sent",
        "Eastman sends Tumblety, who is unseen like him, and the card is his player's all the same (rules 32, 34, 39).",
        "beach",
        [[Pick("callahan", both(quiet, to("F7"), dark("tumblety", "eastman"))), Pick("smith", dark("tumblety", "eastman")),
          Pick("tumblety", both(quiet, dark("eastman", "tumblety"))), Pick("eastman", sends("tumblety"))]],
        MIXED[1:],
    ),
    Story(
        "no-escape-in-turn-one",
        "Nobody leaves in turn 1, not even off a free gate; Smith is put back (rules 44, 45).",
        "smith",
        [[Attempt({"smith": None}), Pick("smith"), Attempt({"eastman": "E2"})]],
        (("smith", "eastman", "beach", "grant"), *MIXED[1:]),
    ),
    Story(
        "out-by-land-under-an-unseen-card",
        "Jack was not seen, the way by M10 is open: Smith leaves by the land exit (rules 17, 44).",
        "smith",
        [[Pick("smith", both(to("L9"), dark("smith"))), Pick("callahan", both(dark("smith"), clear("M10"))),
          Pick("eastman", both(dark("smith"), still("smith"))), Pick("tumblety", both(dark("smith"), still("smith")))],
         [Pick(name, both(quiet, dark("smith"), clear("M10"))) for name in ("latimer", "beach", "cloud_rider", "grant")],
         [Pick("eastman", still("smith")), Pick("smith", leaves)]],
        (OTHERS,),
    ),
    Story(
        "smith-brings-his-own-boat",
        "Jack as Smith moves a steamboat into the port beside him and goes aboard in the same play (rule 31, opened ways).",
        "smith",
        [[Pick("smith", both(to("L7"), dark("smith"), carries("steamboat", "E2", "B13"))),
          Pick("callahan", both(dark("smith"), clear("L5", "L3"))),
          Pick("eastman", both(dark("smith"), still("smith"))), Pick("tumblety", both(dark("smith"), still("smith")))],
         [Pick(name, both(quiet, dark("smith"), clear("L5", "L3"))) for name in ("latimer", "beach", "cloud_rider", "grant")],
         [Pick("eastman", still("smith")), Pick("smith", both(leaves, carries("steamboat", "K16", "L1")))]],
        (OTHERS,),
    ),
    Story(
        "right-accusation-wins",
        "The detective's Grant walks onto Jack's hex: the game is over at once, before any ability (rule 46).",
        "eastman", [[Pick("grant", accuses("eastman"))]], (("grant", "beach", "smith", "callahan"),),
    ),
    Story(
        "wrong-accusation-loses",
        "One accusation a game: Eastman is accused and is not Jack (rule 46).",
        "beach", [[Pick("grant", accuses("eastman"))]], (("grant", "beach", "smith", "callahan"),),
    ),
    Story(
        "barricade-slides-by-one-hex",
        "Callahan moves a barricade so that it overlaps its own old place; one on a single hex is flagged (rules 26, 28).",
        "grant",
        [[Attempt({"callahan": "F7"}, lambda position: {"barricades": (("E4",), ("K14", "L15"))}),
          Pick("callahan", both(quiet, to("F7"), carries("barricade", "E4+F3", "E4+E6")))]],
        (("callahan", "beach", "smith", "grant"), *MIXED[1:]),
    ),
    Story(
        "tumblety-moves-and-swaps",
        "Tumblety goes beside Smith and lets him and Latimer change places, wherever she stands (rules 35, 36).",
        "callahan",
        [[Pick("tumblety", both(quiet, carries("smith", "J9", "E8"), carries("latimer", "E8", "J9")))]],
        (("tumblety", "beach", "smith", "grant"), *MIXED[1:]),
    ),
)  # fmt: skip

if __name__ == "__main__":
    write(Teller(GAME), STORIES, FOLDER, sys.argv[1:])

"""Writes the whole games under ``recorded/``; run by hand when a story is added: ``python tests/games/record_games.py``."""

import sys
from functools import partial
from pathlib import Path

from storytelling import Attempt, Pick, Story, Teller, Wish, both, carries, first_moved, leaves, quiet, to, write

from companion.games.game import Play
from companion.games.mr_jack_london import GAME

FOLDER = Path(__file__).parent / "recorded"
story = partial(Story, edition="first-2006")


def dark(name: str) -> Wish:
    return lambda play: name in GAME.witness(play.position).unseen


def lit(name: str) -> Wish:
    return lambda play: name in GAME.witness(play.position).seen


def still(*names: str) -> Wish:
    return lambda play: all(move.piece not in names for move in play.moves)


def accuses(name: str) -> Wish:
    return lambda play: play.ends == "accusation" and play.params["accused"] == GAME.names[name]


def only_whistle_first(play: Play) -> bool:
    """Of a first pick: explained by a whistle before walking and not by one after it."""
    if play.ends or len(play.moves) < 2 or play.moves[-1].piece != "goodley":
        return False
    return GAME.explain(GAME.start(), play.position).alternatives[0][0].moves[-1].piece == "goodley"


STORIES = (
    story(
        "stealthy-escapes-in-turn-two",
        "Jack was not seen in turn 1 and so may leave in turn 2: Stealthy needs exactly four steps from i4 over j5 and k6 to "
        "the gate l6 and out, leaving counting as one (rules 7, 30, 32).",
        "stealthy",
        [
            [
                Pick("holmes", both(quiet, dark("stealthy"))),
                Pick("watson", both(quiet, dark("stealthy"))),
                Pick("smith", both(quiet, dark("stealthy"))),
                Pick("bert", both(quiet, dark("stealthy"))),
            ],
            [Pick("stealthy", leaves)],
        ],
    ),
    story(
        "no-escape-in-turn-one",
        "Nobody leaves in turn 1; Stealthy, taken off the board, is put back and leaves a turn later (rules 30, 31).",
        "stealthy",
        [
            [
                Pick("holmes", both(quiet, dark("stealthy"))),
                Attempt({"stealthy": None}),
                Pick("watson", both(quiet, dark("stealthy"))),
                Pick("smith", both(quiet, dark("stealthy"))),
                Pick("bert", both(quiet, dark("stealthy"))),
            ],
            [Attempt({"gull": None}), Pick("stealthy", leaves)],
        ],
    ),
    story(
        "seen-jack-stays",
        "The card of the last call decides: Jack, seen in turn 1, may not leave in turn 2 though the way is short and dark.",
        "stealthy",
        [
            [
                Pick("smith", both(quiet, lit("stealthy"), carries("gaslight blank", "h8", "h4"))),
                Pick("holmes", both(quiet, lit("stealthy"))),
                Pick("watson", both(quiet, lit("stealthy"))),
                Pick("bert", both(quiet, lit("stealthy"))),
            ],
            [
                Attempt({"stealthy": None}),
                Pick("stealthy", both(quiet, to("j6"))),
                Pick("lestrade"),
                Pick("gull"),
                Pick("goodley"),
            ],
        ],
        [
            ["holmes", "watson", "smith", "lestrade"],
            ["stealthy", "goodley", "gull", "bert"],
            ["holmes", "gull", "smith", "bert"],
        ],
    ),
    story(
        "right-accusation-wins",
        "The detective moves the character he plays onto Jack's hex: the game is over at once, before any ability (rule 27).",
        "bert",
        [[Pick("holmes", accuses("bert"))]],
        [["smith", "holmes", "gull", "watson"]],
    ),
    story(
        "wrong-accusation-loses",
        "One accusation a game: the detective accuses Bert, who is not Jack, and Jack wins (rule 27).",
        "gull",
        [[Pick("holmes", accuses("bert"))]],
        [["smith", "holmes", "gull", "watson"]],
    ),
    story(
        "whistle-before-walking",
        "Goodley may whistle where he stands and walk afterwards; distances count from where he whistled (rules 17, 22, 25).",
        "watson",
        [
            [
                Pick("goodley", only_whistle_first),
                Pick("holmes"),
                Pick("lestrade"),
                Pick("smith"),
            ],
            [Pick("watson"), Pick("gull"), Pick("stealthy"), Pick("bert")],
        ],
        [
            ["holmes", "watson", "smith", "lestrade"],
            ["stealthy", "goodley", "gull", "bert"],
            ["holmes", "gull", "smith", "bert"],
        ],
    ),
    story(
        "lamp-keeps-its-number",
        "Smith carries gaslight 1 to f9 in turn 1; it goes out there at the end of that turn, and nothing else does (rule 15).",
        "holmes",
        [[Pick("smith", both(quiet, carries("gaslight 1", "b2", "f9"))), Pick("holmes"), Pick("gull"), Pick("watson")]],
        [
            ["holmes", "watson", "smith", "lestrade"],
            ["stealthy", "goodley", "gull", "bert"],
            ["holmes", "gull", "smith", "bert"],
        ],
    ),
    story(
        "gull-swaps-watson-and-aims",
        "Gull changes places with Watson instead of walking, and whoever did it aims the lantern anew (rules 12, 21).",
        "lestrade",
        [
            [
                Pick("gull", both(carries("watson", "a3", "e9"), lambda p: p.position.facing == "S")),
                Pick("smith"),
                Pick("bert"),
                Pick("holmes"),
            ],
        ],
        [
            ["holmes", "watson", "smith", "lestrade"],
            ["stealthy", "goodley", "gull", "bert"],
            ["holmes", "gull", "smith", "bert"],
        ],
    ),
    story(
        "lestrade-opens-exit-then-leaves",
        "Jack as Lestrade takes the cordon off his way first and leaves by that exit in the same play (rule 34).",
        "lestrade",
        [
            [
                Pick("lestrade", both(quiet, to("c3"), carries("cordon", "NE", "NW"))),
                Pick("holmes"),
                Pick("smith"),
                Pick("bert"),
            ],
            [
                Pick("watson", both(quiet, dark("lestrade"))),
                Pick("goodley", both(quiet, still("lestrade"), dark("lestrade"))),
                Pick("stealthy", both(quiet, dark("lestrade"))),
                Pick("gull", both(quiet, still("lestrade"), dark("lestrade"))),
            ],
            [Pick("holmes", both(quiet, dark("lestrade"))), Pick("lestrade", leaves)],
        ],
        [["holmes", "lestrade", "gull", "bert"]],
    ),
    story(
        "holmes-by-jack",
        "Jack plays Holmes and takes an alibi card: nobody is turned over for it, then or at the call (rule 26).",
        "goodley",
        [[Pick("smith"), Pick("holmes"), Pick("bert"), Pick("gull")]],
        [
            ["holmes", "watson", "smith", "lestrade"],
            ["stealthy", "goodley", "gull", "bert"],
            ["holmes", "gull", "smith", "bert"],
        ],
    ),
    story(
        "bert-opens-then-travels",
        "Bert takes the cover off c2 first and goes down at h6 to come up there, four streets further than his feet would "
        "carry him (rules 4, 19).",
        "smith",
        [
            [
                Pick("bert", both(quiet, to("h6"), still("goodley"), lambda p: "c2" in p.position.covers)),
                Pick("holmes"),
                Pick("gull", both(quiet, still("bert", "goodley"))),
                Pick("watson", still("bert")),
            ],
            [Pick("smith"), Pick("stealthy"), Pick("goodley", both(quiet, still("bert"))), Pick("lestrade")],
            [Pick("bert", both(quiet, first_moved("cover"), to("c2"), lambda p: p.moves[0].origin == "c2"))],
        ],
        [["bert", "lestrade", "gull", "holmes"], ["stealthy", "goodley", "gull", "bert"], ["holmes", "gull", "smith", "bert"]],
    ),
    story(
        "cover-under-somebody",
        "A manhole is covered under a character's feet and traps nobody; he walks on over the street (rule 6).",
        "watson",
        [
            [
                Pick("holmes", both(quiet, to("h6"))),
                Pick("bert", both(quiet, carries("cover", "c2", "h6"), still("holmes"))),
                Pick("smith"),
                Pick("gull", both(quiet, still("holmes"))),
            ],
            [Pick("watson"), Pick("lestrade"), Pick("stealthy"), Pick("goodley", still("holmes"))],
            [Pick("holmes", quiet), Pick("bert"), Pick("stealthy"), Pick("gull")],
        ],
        [
            ["smith", "watson", "lestrade", "goodley"],
            ["holmes", "bert", "gull", "goodley"],
            ["holmes", "gull", "smith", "bert"],
        ],
    ),
    story(
        "eighth-turn-jack-wins",
        "Nobody is accused, nobody leaves; the four numbered lamps go out in their turns, dawn is Jack's (rules 15, 35).",
        "gull",
        [],
        [
            ["holmes", "smith", "goodley", "gull"],
            ["stealthy", "watson", "gull", "bert"],
            ["holmes", "gull", "smith", "bert"],
            ["lestrade", "watson", "gull", "stealthy"],
        ],
    ),
    story(
        "revised-board-to-the-end",
        "The revised board, nine manholes and its own start is played to the end by the same rules.",
        "watson",
        [],
        [
            ["watson", "bert", "goodley", "lestrade"],
            ["stealthy", "watson", "gull", "bert"],
            ["holmes", "watson", "smith", "bert"],
            ["lestrade", "watson", "goodley", "stealthy"],
        ],
        edition="revised-2016",
    ),
)

if __name__ == "__main__":
    write(Teller(GAME), STORIES, FOLDER, sys.argv[1:])

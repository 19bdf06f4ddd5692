"""Writes the whole games under ``recorded/``; run by hand when a story is added: ``python tests/games/record_games.py``.

Each story fixes what it is about (the cards, the plays that matter, who is Jack); the other picks are made by two simple
players: the detective splits the suspects as evenly as he can, Jack keeps as many suspects as he can.
"""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.games.game import Play
from companion.games.mr_jack_london import GAME, Position
from companion.games.mr_jack_london.names import CHARACTERS, INDEX

FOLDER = Path(__file__).parent / "recorded"
Wish = Callable[[Play], bool]


@dataclass(frozen=True)
class Pick:
    """One pick of a story: who, and which of his plays will do."""

    character: str
    wish: Wish = lambda play: play.ends is None


@dataclass(frozen=True)
class Attempt:
    """Something illegal that hands do before the pick: characters set down anywhere."""

    moves: dict[str, str | None]


@dataclass(frozen=True)
class Story:
    """A whole game. Turns without a script are played by the simple players with the cards of ``deals``."""

    name: str
    proves: str
    jack: str
    turns: Sequence[Sequence[Pick | Attempt]]
    deals: Sequence[Sequence[str]] = ()
    edition: str = "first-2006"


def best(position: Position, plays: Sequence[Play], role: str, jack: str) -> Play:
    """The play of a simple player; ties go to the first, so that a story is always told the same way."""

    def left(play: Play) -> float:
        seen = set(GAME.witness(play.position).seen)
        suspects = GAME.suspects(position)
        lit = [name for name in suspects if name in seen]
        if role == "jack":
            return -sum((name in seen) == (jack in seen) for name in suspects)
        return abs(len(suspects) / 2 - len(lit))

    return min(plays[:: max(1, len(plays) // 150)], key=left)


def tell(story: Story) -> dict[str, object]:
    """Play a story to its end."""
    position = GAME.start(story.edition)
    events: list[dict[str, object]] = []
    deals = list(story.deals)
    for turn in range(1, 9):
        script = list(story.turns[turn - 1]) if turn <= len(story.turns) else []
        if turn % 2:
            named = [step.character for step in script if isinstance(step, Pick)]
            cards = named if len(named) == 4 else list(deals.pop(0))
            position = replace(position, available=tuple(sorted(cards, key=CHARACTERS.index)), played=())
            events.append({"event": "deal", "cards": list(position.available or ())})
        named = [step.character for step in script if isinstance(step, Pick)]
        script += [Pick(name) for name in position.available or () if name not in named]
        for step in script:
            if isinstance(step, Attempt):
                hexes = list(position.hexes)
                for name, spot in step.moves.items():
                    hexes[INDEX[name]] = spot
                after = replace(position, hexes=tuple(hexes))
                found = GAME.explain(position, after)
                assert found.verdict == "illegal", story.name
                faults = [fault.code for fault in found.faults]
                events.append({"event": "illegal", "table": after.notation(), "faults": faults})
                continue
            role = GAME.mover(position)
            plays = [play for play in GAME.plays(position, step.character) if step.wish(play)]
            assert plays, f"{story.name}: turn {turn}, {step.character}: no such play from {position}"
            play = best(position, plays, str(role), story.jack)
            position = play.position
            events.append(
                {
                    "event": "play", "by": role, "says": play.text.format(**play.params),
                    **play.to_json(with_position=False), "position": position.notation(),
                }
            )  # fmt: skip
            outcome = GAME.outcome(position, play, story.jack) if play.ends else None
            if outcome:
                return finish(story, events, outcome.winner, outcome.code)
        outcome = GAME.outcome(position)
        if outcome:
            return finish(story, events, outcome.winner, outcome.code)
        seen = story.jack in GAME.witness(position).seen
        position = GAME.call(position, seen)
        events.append({"event": "call", "seen": seen, "position": position.notation()})
        position = GAME.close_turn(position)
        events.append({"event": "close", "position": position.notation()})
    raise AssertionError(f"{story.name} has no end")


def finish(story: Story, events: list[dict[str, object]], winner: str, code: str) -> dict[str, object]:
    return {
        "name": story.name, "proves": story.proves, "edition": story.edition, "jack": story.jack,
        "events": events, "result": {"winner": winner, "code": code},
    }  # fmt: skip


# --- wishes -------------------------------------------------------------------------------------------------------------


def quiet(play: Play) -> bool:
    return play.ends is None


def to(spot: str | None, end: str | None = None) -> Wish:
    return lambda play: play.ends == end and play.position.hex(play.character) == spot


def carries(piece: str, origin: str, goal: str) -> Wish:
    return lambda play: any((m.piece, m.origin, m.to) == (piece, origin, goal) for m in play.moves)


def first_moved(piece: str) -> Wish:
    return lambda play: play.moves[0].piece == piece


def dark(name: str) -> Wish:
    return lambda play: name in GAME.witness(play.position).unseen


def lit(name: str) -> Wish:
    return lambda play: name in GAME.witness(play.position).seen


def still(*names: str) -> Wish:
    return lambda play: all(move.piece not in names for move in play.moves)


def accuses(name: str) -> Wish:
    return lambda play: play.ends == "accusation" and play.params["accused"].lower() == name


def leaves(play: Play) -> bool:
    return play.ends == "escape"


def only_whistle_first(play: Play) -> bool:
    """Of a first pick: explained by a whistle before walking and not by one after it."""
    if play.ends or len(play.moves) < 2 or play.moves[-1].piece != "goodley":
        return False
    return GAME.explain(GAME.start(), play.position).alternatives[0][0].moves[-1].piece == "goodley"


def both(*wishes: Wish) -> Wish:
    return lambda play: all(wish(play) for wish in wishes)


STORIES = (
    Story(
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
    Story(
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
    Story(
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
    Story(
        "right-accusation-wins",
        "The detective moves the character he plays onto Jack's hex: the game is over at once, before any ability (rule 27).",
        "bert",
        [[Pick("holmes", accuses("bert"))]],
        [["smith", "holmes", "gull", "watson"]],
    ),
    Story(
        "wrong-accusation-loses",
        "One accusation a game: the detective accuses Bert, who is not Jack, and Jack wins (rule 27).",
        "gull",
        [[Pick("holmes", accuses("bert"))]],
        [["smith", "holmes", "gull", "watson"]],
    ),
    Story(
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
    Story(
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
    Story(
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
    Story(
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
    Story(
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
    Story(
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
    Story(
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
    Story(
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
    Story(
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


def main(names: Sequence[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for story in STORIES:
        if not names or story.name in names:
            text = json.dumps(tell(story), indent=1, ensure_ascii=False)
            (FOLDER / f"{story.name}.json").write_text(text + "\n", encoding="utf-8")
            print(story.name)


if __name__ == "__main__":
    main(sys.argv[1:])

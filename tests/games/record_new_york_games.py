"""Writes the whole games under ``recorded_new_york/``; run by hand when a story is added.

``python tests/games/record_new_york_games.py``. Each story fixes what it is about (the cards, the plays that matter, who
is Jack); the other picks are made by two simple players: the detective splits the suspects as evenly as he can, Jack keeps
as many suspects as he can.
"""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.games.game import Play
from companion.games.mr_jack_new_york import GAME, Position
from companion.games.mr_jack_new_york.names import CHARACTERS, INDEX

FOLDER = Path(__file__).parent / "recorded_new_york"
Wish = Callable[[Play], bool]


@dataclass(frozen=True)
class Pick:
    """One pick of a story: who, and which of the plays will do."""

    character: str
    wish: Wish = lambda play: play.ends is None


@dataclass(frozen=True)
class Attempt:
    """Something illegal that hands do before the pick: discs and tiles set down anywhere, other pieces as given."""

    moves: dict[str, str | None]
    tiles: dict[str, str] | None = None
    pieces: dict[str, object] | None = None


@dataclass(frozen=True)
class Story:
    """A whole game. Turns without a script are played by the simple players with the cards of ``deals``."""

    name: str
    proves: str
    jack: str
    turns: Sequence[Sequence[Pick | Attempt]]
    deals: Sequence[Sequence[str]]


def best(position: Position, plays: Sequence[Play], role: str, jack: str) -> Play:
    """The play of a simple player; ties go to the first, so that a story is always told the same way."""

    def left(play: Play) -> float:
        seen = set(GAME.witness(play.position).seen)
        suspects = GAME.suspects(position)
        if role == "jack":
            return -sum((name in seen) == (jack in seen) for name in suspects)
        return abs(len(suspects) / 2 - sum(name in seen for name in suspects))

    return min(plays[:: max(1, len(plays) // 150)], key=left)


def attempted(position: Position, attempt: Attempt) -> Position:
    hexes = list(position.hexes)
    for name, spot in attempt.moves.items():
        hexes[INDEX[name]] = spot
    tiles = {**dict(position.tiles), **(attempt.tiles or {})}
    return replace(position, hexes=tuple(hexes), tiles=tuple(sorted(tiles.items())), **(attempt.pieces or {}))


def tell(story: Story) -> dict[str, object]:
    """Play a story to its end."""
    position = GAME.start()
    events: list[dict[str, object]] = []
    deals = list(story.deals)
    for turn in range(1, 9):
        script = list(story.turns[turn - 1]) if turn <= len(story.turns) else []
        if turn % 2:
            cards = deals.pop(0)
            position = replace(position, available=tuple(sorted(cards, key=CHARACTERS.index)), played=())
            events.append({"event": "deal", "cards": list(position.available or ())})
        named = [step.character for step in script if isinstance(step, Pick)]
        script += [Pick(name) for name in position.available or () if name not in named]
        for step in script:
            if isinstance(step, Attempt):
                after = attempted(position, step)
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
        "name": story.name, "proves": story.proves, "jack": story.jack,
        "events": events, "result": {"winner": winner, "code": code},
    }  # fmt: skip


# --- wishes -------------------------------------------------------------------------------------------------------------


def quiet(play: Play) -> bool:
    return play.ends is None


def to(spot: str | None, end: str | None = None) -> Wish:
    return lambda play: play.ends == end and play.position.hex(play.character) == spot


def lies(spot: str, label: str) -> Wish:
    return lambda play: dict(play.position.tiles).get(spot) == label


def carries(piece: str, origin: str, goal: str) -> Wish:
    return lambda play: any((m.piece, m.origin, m.to) == (piece, origin, goal) for m in play.moves)


def first_moved(piece: str) -> Wish:
    return lambda play: play.moves[0].piece == piece


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


def leaves(play: Play) -> bool:
    return play.ends == "escape"


def both(*wishes: Wish) -> Wish:
    return lambda play: all(wish(play) for wish in wishes)


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
        (BUILDERS, ("beach", "grant", "eastman", "smith"), BUILDERS, OTHERS),
    ),
    Story(
        "touching-subways-are-flagged",
        "A subway beside the printed one is taken back and built elsewhere (rule 18).",
        "grant",
        [[Attempt({"beach": "E12"}, {"G6": "subway"}), Pick("beach", both(quiet, to("E12")))]],
        MIXED,
    ),
    Story(
        "lamp-turned-into-a-park",
        "Grant turns the lamp beside the land exit; its light is gone and the way is open (rules 21, 24).",
        "eastman",
        [[Attempt({"grant": "K8"}, {"C10": "park", "M12": "park"}), Pick("grant", both(quiet, lies("M12", "park")))]],
        MIXED,
    ),
    Story(
        "informant-met-by-beach",
        "Beach lets the ferry take him to the island, the informant turns silent and goes on; next turn he talks (38 to 42).",
        "latimer",
        [[Pick("beach", both(quiet, to("D7"))), Pick("cloud_rider"), Pick("latimer", still("beach")), Pick("grant")],
         [Pick("callahan"), Pick("eastman", still("beach")), Pick("tumblety", still("beach")), Pick("smith")],
         [Pick("beach", both(to("LIBERTY"), meets("M2")))]],
        MIXED,
    ),
    Story(
        "informant-met-by-whom-eastman-sent",
        "Eastman sends Tumblety, who is unseen like him, and the card is his player's all the same (rules 32, 34, 39).",
        "beach",
        [[Pick("callahan", both(quiet, to("F7"), dark("tumblety", "eastman"))), Pick("smith", dark("tumblety", "eastman")),
          Pick("tumblety", both(quiet, dark("eastman", "tumblety"))), Pick("eastman", sends("tumblety"))]],
        (OTHERS, *MIXED[1:]),
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
        (OTHERS, OTHERS),
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
        (OTHERS, OTHERS),
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
        [[Attempt({"callahan": "F7"}, None, {"barricades": (("E4",), ("K14", "L15"))}),
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


def main(names: Sequence[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for story in STORIES:
        if not names or story.name in names:
            text = json.dumps(tell(story), indent=1, ensure_ascii=False)
            (FOLDER / f"{story.name}.json").write_text(text + "\n", encoding="utf-8")
            print(story.name, "written", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

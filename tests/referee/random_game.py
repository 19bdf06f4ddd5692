"""A game played by chance, as hands on a table: legal plays, slips of the hand, answers, clean-ups."""

import contextlib
import random
from typing import Any

from scripted_table import Hands

from companion.errors import BadInput, IllegalPlay
from companion.games.game import Play


def legal_play(match: Any, chance: random.Random, *, ending: bool = False) -> Play | None:
    """Some legal play of whoever picks now, or None when there is none."""
    game = match.game
    names = list(game.candidates(match.position))
    chance.shuffle(names)
    for name in names:
        try:
            plays = game.plays(match.position, name, mover=match.mover, rules=match.rules)
        except IllegalPlay:
            continue
        fitting = [play for play in plays if ending or play.ends is None]
        if fitting:
            return chance.choice(fitting)
    return None


def slip(hands: Hands, chance: random.Random) -> None:
    """A hand does something that may well be illegal."""
    game = hands.game
    cells = sorted(game.board(hands.match.position.edition).of_kind(*game.pieces().groups["characters"].on))
    hands.move(chance.choice(game.characters), chance.choice(cells))


def step(hands: Hands, chance: random.Random, *, slips: float = 0.0) -> bool:
    """One thing happens at the table. False when the game is over or stuck."""
    match = hands.match
    if match.phase == "over":
        return False
    if chance.random() < slips:
        slip(hands, chance)
        hands.see()
        if chance.random() < 0.5 and hands.match.picks and hands.match.phase == "play":
            with contextlib.suppress(BadInput):  # the pick has passed on
                hands.say(kind="undo")
        return True
    if match.phase == "set-up":
        hands.lay(match.position)
    elif match.phase == "play":
        play = legal_play(match, chance)
        if play is None:
            return False
        hands.lay(play.position)
        hands.see()
        choose(hands, play.character)
        return True
    elif match.phase == "call":
        return answer(hands, chance)
    else:
        hands.lay(match.expected)
    hands.see()
    return True


def choose(hands: Hands, character: str) -> None:
    """Two stories fit what was just played: say which it was."""
    if hands.match.doubt is not None:
        told = [item for item in hands.match.doubt["alternatives"] if not item["redo"] and len(item["plays"]) == 1]
        hands.say(kind="choose", alternative=next(x["index"] for x in told if x["plays"][0]["character"] == character))


def answer(hands: Hands, chance: random.Random) -> bool:
    """Jack answers the call in a way that leaves somebody to suspect."""
    if hands.match.question is None or hands.match.question["kind"] != "call":
        return False
    hands.lay(hands.match.position)
    hands.see()
    seen = bool(set(hands.game.suspects(hands.match.position)) & set(hands.game.witness(hands.match.position).seen))
    unseen = bool(set(hands.game.suspects(hands.match.position)) & set(hands.game.witness(hands.match.position).unseen))
    hands.say(kind="call", seen=chance.choice([seen, not unseen]) if seen != unseen else chance.random() < 0.5)
    return True

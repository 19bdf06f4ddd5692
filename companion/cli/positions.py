"""``companion moves``, ``explain`` and the games' own commands: ask the rules about positions written as JSON."""

import argparse
import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from companion import games
from companion.bounded import json_kind
from companion.cli import DONE, NO, queries
from companion.cli.json_lines import prefix_source, print_json, read_json, stream
from companion.errors import BadInput, IllegalPlay, quoted
from companion.games.game import Explanation, Game, Play
from companion.games.queries import Reply

Answer = Mapping[str, Any]
_POSITION = (
    "a position, as 'replay --json' has it under 'position' and 'read --json' under 'state'; or - for one JSON object a line"
)


def add(commands: Any) -> None:
    """Add the commands to the parser."""
    for name, told in games.commands().items():
        command = commands.add_parser(name, help=told["help"], description=told["description"])
        command.add_argument("position", metavar="POSITION.json", help=_POSITION)
        command.add_argument("--json", action="store_true", help="print JSON")
        command.set_defaults(run=partial(run_deduced, name, told))

    moves = commands.add_parser(
        "moves", help="every legal play of a character",
        description="List every legal play of a character. Exit status 1 when it cannot be played now.",
    )  # fmt: skip
    moves.add_argument("position", metavar="POSITION.json", help=_POSITION)
    moves.add_argument("--character", metavar="NAME", help="the character about to be played (in games of characters)")
    _add_rules(moves)
    moves.set_defaults(run=run_moves)

    explain = commands.add_parser(
        "explain", help="which play turned one position into another, or why none did",
        description="Say which play turned one position into another, or why none did. Exit status 0 when exactly one did or "
        "nothing changed, 1 when it is illegal or ambiguous.",
    )  # fmt: skip
    explain.add_argument("before", metavar="BEFORE.json", help="a position, or - for one JSON array [before, after] a line")
    explain.add_argument(
        "after", metavar="AFTER.json", nargs="?", help="what is on the table now; what it leaves out is as before"
    )
    explain.add_argument("--plays", type=int, default=1, metavar="N", help="how many plays in a row may lie between (1 to 4)")
    _add_rules(explain)
    explain.set_defaults(run=run_explain)


def _add_rules(command: argparse.ArgumentParser) -> None:
    command.add_argument("--mover", metavar="SEAT", help="whose pick it is, when the position does not say")
    command.add_argument(
        "--rule", action="append", default=[], metavar="NAME=CHOICE", help="choose a house rule (may be repeated)"
    )
    command.add_argument("--json", action="store_true", help="print JSON")


def run_deduced(command: str, told: Mapping[str, Any], options: argparse.Namespace) -> int:
    """A game's own command: what everybody may work out from a position. ``told`` says how its lines are written."""
    if options.position == "-":
        return stream(partial(_deduced, command))
    answer = _deduced(command, read_json(options.position), options.position)
    if options.json:
        print_json(answer)
        return DONE
    for key, line in told["lines"].items():
        for name in answer[key]:
            print(line.format(name=name, reasons=", ".join(answer[told["reasons"]].get(name, ()))))
    return DONE


def _deduced(command: str, data: Any, source: str = "") -> Answer:
    with prefix_source(source):
        queries.asked(command, data)  # raises for a game that answers other questions
        game = _game_of(data)
        return game.deduce(game.position(data))


def run_moves(options: argparse.Namespace) -> int:
    """``companion moves``."""
    rules = _rules(options)
    if options.position == "-":
        return stream(lambda data: _data(_asked("moves", data, options)) or _moves_answer(data, options, rules, ""))
    data = read_json(options.position)
    with prefix_source(options.position):
        reply = _asked("moves", data, options)
    if reply is not None:
        return queries.show(reply, as_json=options.json)
    answer = _moves_answer(data, options, rules, options.position)
    if options.json:
        print_json(answer)
    elif "reason" in answer:
        print(answer["reason"])
    else:
        for play in answer["plays"]:
            print(play["text"] if "text" in play else json.dumps(play))
    return NO if "reason" in answer else DONE


def _asked(command: str, data: Any, options: argparse.Namespace) -> Reply | None:
    """The reply of a game that is asked whole questions in JSON; None where this is of another. Raises BadInput for options
    that such a game has no use for."""
    reply = queries.asked(command, data)
    given = [f"--{name}" for name in ("character", "mover", "rule", "plays") if getattr(options, name, None) not in _UNSAID]
    if reply is not None and given:
        raise BadInput(f"this game is asked whole questions and does not take {', '.join(given)}; leave it out")
    return reply


def _data(reply: Reply | None) -> Answer | None:
    return None if reply is None else reply.data


_UNSAID: tuple[Any, ...] = (None, [], 1)
"""What the options are that were not given."""


def _moves_answer(data: Any, options: argparse.Namespace, rules: Mapping[str, str], source: str) -> Answer:
    with prefix_source(source):
        game = _game_of(data)
        position = game.position(data)
        if options.character is None:
            raise BadInput("moves needs --character NAME here: the character about to be played")
        if options.character not in game.characters:
            raise BadInput(f"{quoted(options.character)} is not a character; there are: {', '.join(game.characters)}")
        try:
            plays = game.plays(position, options.character, mover=_mover(options, game), rules=rules)
        except IllegalPlay as error:
            return {"plays": [], "reason": str(error)}
    if options.json or options.position == "-":
        return {"plays": [play.to_json() for play in plays]}
    return {"plays": [{"text": _sentence(play)} for play in plays]}


def run_explain(options: argparse.Namespace) -> int:
    """``companion explain``."""
    if not 1 <= options.plays <= 4:
        raise BadInput(f"--plays {options.plays}: must be 1 to 4")
    rules = _rules(options)
    if options.before == "-":
        if options.after is not None:
            raise BadInput(f"{options.after}: with - both positions come on one line, [before, after]; leave it out")
        return stream(lambda data: _data(_asked("explain", data, options)) or _explain_pair(data, options, rules))
    if options.after is None:
        raise BadInput("AFTER.json is missing (or give - alone and write [before, after] lines)")
    before, after = read_json(options.before), read_json(options.after)
    with prefix_source(f"{options.before}, {options.after}"):
        reply = _asked("explain", [before, after], options)
    if reply is not None:
        return queries.show(reply, as_json=options.json)
    answer = _explain_answer(before, after, options, rules)
    if options.json:
        print_json(answer)
    else:
        print(answer["verdict"])
        for number, plays in enumerate(answer.get("alternatives", [answer["plays"]])):
            for play in plays:
                print(f"  {'or: ' if number and play is plays[0] else ''}{play['text']}")
        for fault in answer["faults"]:
            print(f"  {fault['message']}")
    return DONE if answer["verdict"] in ("legal", "unchanged") else NO


def _explain_pair(data: Any, options: argparse.Namespace, rules: Mapping[str, str]) -> Answer:
    if not isinstance(data, list) or len(data) != 2:
        raise BadInput("must be a JSON array of two positions, [before, after]")
    return _explain_answer(data[0], data[1], options, rules)


def _explain_answer(before_data: Any, after_data: Any, options: argparse.Namespace, rules: Mapping[str, str]) -> Answer:
    with prefix_source(options.before if options.before != "-" else "before"):
        game = _game_of(before_data)
        before = game.position(before_data)
    with prefix_source(options.after if options.before != "-" else "after"):
        if not isinstance(after_data, Mapping):
            raise BadInput(f"must be a JSON object, not {json_kind(after_data)}")
        unsaid = {key: value for key, value in before.to_json().items() if key not in after_data}
        after = game.position({**unsaid, **after_data}, tolerant=True)
    explanation = game.explain(before, after, plays=options.plays, mover=_mover(options, game), rules=rules)
    return _explanation_json(explanation)


def _explanation_json(explanation: Explanation) -> Answer:
    """``plays``: the one play, or the row of them, that explains the change; where it is ambiguous which one it was, all
    that it may have been. Of rows of several plays the plainest, and every one in ``alternatives``."""
    fits = explanation.alternatives if explanation.verdict in ("legal", "ambiguous") else ()
    single = explanation.verdict == "ambiguous" and all(len(plays) == 1 for plays in fits)
    told = [plays[0] for plays in fits] if single else fits[0] if fits else ()
    answer: dict[str, Any] = {
        "verdict": explanation.verdict,
        "plays": [_play_json(play) for play in told],
        "faults": [fault.to_json() for fault in explanation.faults],
    }
    if explanation.verdict == "ambiguous":
        answer["alternatives"] = [[_play_json(play) for play in plays] for plays in fits]
    return answer


def _play_json(play: Play) -> dict[str, Any]:
    return {**play.to_json(with_position=False), "text": _sentence(play)}


def _sentence(play: Play) -> str:
    return play.text.format(**play.params)


def _game_of(data: Any) -> Game:
    if not isinstance(data, Mapping):
        raise BadInput(f"must be a JSON object, not {json_kind(data)}")
    game_id = data.get("game", games.DEFAULT)
    if not isinstance(game_id, str):
        raise BadInput(f"game {quoted(game_id)} is not known; there are: {', '.join(games.available())}")
    return games.load(game_id)


def _mover(options: argparse.Namespace, game: Game) -> str | None:
    """The seat that was named, if any. Raises BadInput for one that this game does not have."""
    if options.mover is not None and options.mover not in game.seats:
        raise BadInput(f"--mover {quoted(options.mover)} is no seat of this game; there are: {', '.join(game.seats)}")
    mover: str | None = options.mover
    return mover


def _rules(options: argparse.Namespace) -> dict[str, str]:
    rules = {}
    for text in options.rule:
        name, equals, choice = text.partition("=")
        if not equals:
            raise BadInput(f"--rule {quoted(text)}: must be NAME=CHOICE")
        rules[name] = choice
    return rules

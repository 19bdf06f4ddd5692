"""``companion answer`` and ``deduce``, and what ``moves`` and ``explain`` ask of a game that takes whole questions in JSON."""

import argparse
from typing import Any

from companion import games
from companion.cli import DONE, NO
from companion.cli.json_lines import prefix_source, print_json, read_json, stream
from companion.errors import BadInput, quoted
from companion.games.queries import Reply

_HELP = {
    "answer": "what a seat must answer to a question, by its secret",
    "deduce": "what the public events of a game leave possible",
}


def add(commands: Any) -> None:
    """Add the two commands to the parser."""
    for name, text in _HELP.items():
        command = commands.add_parser(name, help=text)
        command.add_argument("question", metavar="QUESTION.json", help="a question, or - for one JSON object a line")
        command.add_argument("--json", action="store_true", help="print JSON")
        command.set_defaults(run=lambda options, name=name: run(name, options))


def run(command: str, options: argparse.Namespace) -> int:
    """``companion answer`` and ``companion deduce``."""
    if options.question == "-":
        return stream(lambda data: ask(command, data).data)
    with prefix_source(options.question):
        reply = ask(command, read_json(options.question))
    return show(reply, as_json=options.json)


def ask(command: str, data: Any) -> Reply:
    """The game's reply. Raises BadInput where no game takes this question."""
    reply = asked(command, data)
    if reply is None:
        able = ", ".join(games.answering(command))
        raise BadInput(f"no game answers {quoted(command)} to this; name one that does as its 'game': {able}")
    return reply


def asked(command: str, data: Any) -> Reply | None:
    """The game's reply; None where the value is about a game that is asked another way."""
    queries = games.queries_of(data)
    if queries is None:
        return None
    if command not in queries.commands:
        raise BadInput(f"this game cannot be asked {quoted(command)}; it answers: {', '.join(queries.commands)}")
    return queries.commands[command](data)


def show(reply: Reply, *, as_json: bool) -> int:
    """Print a reply; the exit status."""
    if as_json or not reply.lines:
        print_json(reply.data)
    else:
        for line in reply.lines:
            print(line)
    return DONE if reply.yes else NO

"""What a round is played with, as data handed to each table: its clocks, its house rules, and who sits where. Pure."""

from collections.abc import Mapping
from typing import Any

from companion.errors import BadInput
from companion.games.game import Game
from companion.host.choices import Choices
from companion.hub.event.model import Pairing, Tournament

Json = Mapping[str, Any]
FORMAT = "hall-terms/1"


def checked(game: Game, terms: Json) -> Choices:
    """The plan's terms as a session at a table is played. Raises BadInput for what this game cannot be played with."""
    choices = Choices.from_json(dict(terms))
    choices.check(game)
    return choices


def of_table(state: Tournament, number: int, pairing: Pairing, choices: Choices) -> dict[str, Any]:
    """Everything one table needs of a round: to be read by people, and as the arguments of ``companion run``."""
    people = [state.players[player].name for player in pairing.players]
    return {
        "format": FORMAT, "event": state.plan.name, "round": number, "board": pairing.board, "table": pairing.table,
        "game": state.plan.game, "people": dict(zip(state.plan.seats, people, strict=False)), "terms": choices.to_json(),
        "arguments": arguments(state.plan.game, choices),
    }  # fmt: skip


def arguments(game: str, choices: Choices) -> list[str]:
    """The same for ``companion run``."""
    told = ["--game", game, "--secret", choices.secret]
    if choices.deal:
        told.append("--deal")
    if choices.clock is not None:
        increment = f"+{choices.clock.increment:g}s" if choices.clock.increment else ""
        delay = f",delay={choices.clock.delay:g}s" if choices.clock.delay else ""
        told += ["--clock", f"{choices.clock.seconds:g}s{increment}{delay}"]
    for name, value in choices.rules.items():
        told += ["--house-rule", f"{name}={value}"]
    return told


def clock_answer(choices: Choices) -> dict[str, Any]:
    """The answer by which the arbiter sets the clocks at a table. Raises BadInput when the round is played without."""
    if choices.clock is None:
        raise BadInput("this event is played without clocks")
    clock = choices.clock
    told: dict[str, Any] = {"kind": "clock", "action": "start", "seconds": clock.seconds}
    return told | {"increment": clock.increment, "delay": clock.delay}

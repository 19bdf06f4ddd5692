"""Games of chance for the tests of Get Adler!: set up in every variant, played act by act."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.games.get_adler.acts import Act
from companion.games.get_adler.dealing import deal
from companion.games.get_adler.expecting import expects
from companion.games.get_adler.house_rules import HOUSE_RULES
from companion.games.get_adler.names import ROLES, TRAITS
from companion.games.get_adler.secrets import apply
from companion.games.get_adler.state import State, Table

COLOURS = ("black", "brown", "dark red")
SERVICES = {4: {"air": 4, "sea": 6}, 5: {"air": 4, "sea": 8}, 6: {"air": 7, "sea": 8}}
CHOICES = [rule for rule in HOUSE_RULES if len(rule.choices) > 1]


def made_up_traits(chance: random.Random, players: int) -> dict[str, dict[str, str]]:
    """A table of colours; the one of a real copy is nowhere in this project."""
    return {role: {trait: chance.choice(COLOURS) for trait in TRAITS} for role in ROLES[:players]}


def game_of_chance(number: int, *, rules: dict[str, str] | None = None, plain: bool = False) -> State:
    """Set up by its number: 4 to 6 players, variants, and half of the time house rules other than the default."""
    chance = random.Random(number)
    players = 4 + number % 3
    if rules is None and chance.random() < 0.5:
        rules = {rule.name: chance.choice(rule.choices) for rule in CHOICES if chance.random() < 0.3}
    return deal(
        players,
        number,
        start=chance.randrange(players),
        advanced=not plain and chance.random() < 0.4,
        services=SERVICES[players] if not plain and chance.random() < 0.3 else None,
        rules=rules or {},
        traits=made_up_traits(chance, players) if chance.random() < 0.3 else None,
    )


def choice(state: State, chance: random.Random) -> Act:
    """A legal act. Arrests are tried often, so that most games come to confrontations; escapes are matched often."""
    acts = expects(state).acts
    eager = [act for act in acts if (act.act, act.card) == ("play", "arrest") or act.act in ("match", "shoot")]
    if eager and chance.random() < 0.6:
        return chance.choice(eager)
    questions = [act for act in acts if act.card == "question"]
    return chance.choice([act for act in acts if act.card != "question"] + questions[:4])


@dataclass(frozen=True)
class Step:
    before: State
    act: Act
    after: State


def played(state: State, chance: random.Random) -> Iterator[Step]:
    """The steps of a whole game."""
    while state.table.step != "over":
        act = choice(state, chance)
        after = apply(state, act)
        yield Step(state, act, after)
        state = after


def cards_of(state: State) -> Counter[str]:
    """Every card of a game whose secret is known, wherever it is."""
    table, secret = state.table, state.secret
    cards = Counter(table.discard)
    if table.confrontation is not None:
        cards.update(card for _, card in table.confrontation.row)
    if table.pending is not None and table.pending.apart:
        cards["arrest"] += 1
    for pile in (*secret.hands, secret.deck, secret.removed):
        cards.update(pile)
    return cards


def with_secret(state: State) -> dict[str, Any]:
    """A position with its secret as JSON."""
    return {**state.table.to_json(), "secret": state.secret.to_json()}


def shared_view(table: Table) -> dict[str, Any]:
    """A table as the simple engine tells it."""
    row = table.confrontation.row if table.confrontation else ()
    return {
        "hour": table.hour, "seat": table.seat, "step": table.step, "over": table.over, "revealed": table.revealed,
        "role": [seat.role for seat in table.seats], "hands": [seat.hand for seat in table.seats],
        "alive": [seat.alive for seat in table.seats], "skips": [seat.skips for seat in table.seats],
        "cleared": [seat.cleared for seat in table.seats], "shown": [seat.shown for seat in table.seats], "deck": table.deck,
        "pile": list(table.discard), "row": list(row), "passed": table.passed,
        "answers": [(said.hour, said.by, said.of, said.trait, said.colour, said.answer) for said in table.answers],
    }  # fmt: skip

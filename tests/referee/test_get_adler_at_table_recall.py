"""Every illegal card at a table of Get Adler! is noticed, and no legal act ever is: games of chance with careless hands."""

import random
import sys
from collections import Counter
from pathlib import Path

import pytest
from testkit.adler_table import AdlerTable, perform, table_of

sys.path.insert(0, str(Path(__file__).parents[1] / "games"))
from get_adler_games import game_of_chance, played

from companion.games.get_adler.acts import Act
from companion.games.get_adler.expecting import expects
from companion.games.get_adler.folding import fold
from companion.games.get_adler.mat import PILE, place_of
from companion.games.get_adler.names import KINDS, kind_of
from companion.games.get_adler.state import State

ZONES = (PILE, PILE, PILE, "deck", "role-2", *(f"place-{number}" for number in range(1, 7)))


def right(table: AdlerTable) -> set[tuple[str, str]]:
    """Where which card may land now, by the acts that the rules list and nothing of what the table does with them."""
    books = table.books
    if table.state.phase in ("acting", "asking", "matched"):
        return set()
    if books.step == "draw" and table.state.phase == "play" and (books.deck or not books.discard):
        books = fold(books, Act("draw", books.seat))
    found = set()
    for act in expects(State(books)).acts:
        if act.act in ("discard", "play") and act.card is not None:
            zone = place_of(books.players, int(act.target or 0)) if act.card == "arrest" and act.act == "play" else PILE
            found.add((zone, kind_of(act.card)))
        elif act.act in ("respond", "match") and act.card is not None:
            found.add((table.row(), act.card))
        elif act.act == "shoot" and act.shots is None:
            found.add((table.row(), "gun"))
    return found


def careless(table: AdlerTable, chance: random.Random) -> str | None:
    """A card that must not be laid so; what came of it, or None where nothing could be done wrong now. Then it is put back."""
    books, allowed = table.books, right(table)
    zone, card = chance.choice(ZONES), chance.choice(KINDS)
    claim = None
    if (zone, card) in allowed:
        others = [seat for number, seat in enumerate(table.match.seats) if number != books.seat]
        if books.step not in ("draw", "play") or zone != PILE:
            return None
        claim = chance.choice(others)
    if table.state.phase in ("roles", "show", "over") or table.match.over:
        return None
    if claim is not None:
        table.say("mine", who=claim, last=False)
    table.lay(zone, card)
    found = ",".join(table.faults) or ("unfinished" if table.match.unfinished else "")
    table.take_off(zone)
    assert not table.trouble and table.books == books, (zone, card, claim, found)
    if claim is not None and table.match.position.by is not None:
        table.say("mine", who=table.match.seats[books.seat], last=False)
    return f"{found} {claim or ''}".strip() or f"MISSED {zone} {card} {table.state.phase}"


@pytest.mark.parametrize(("acts", "first"), [(250, 5000), pytest.param(10_000, 6000, marks=pytest.mark.slow)])
def test_no_illegal_card_is_missed_and_no_legal_act_is_blamed(acts: int, first: int) -> None:
    legal = illegal = 0
    found: Counter[str] = Counter()
    number = first
    while min(legal, illegal) < acts:
        number += 1
        state, chance = game_of_chance(number), random.Random(number)
        table = table_of(state, sealed=number % 2 == 0, told=number % 4 == 0)
        wild = random.Random(-number)
        for step in played(state, chance):
            for _ in range(2):
                said = careless(table, wild)
                if said is not None:
                    assert not said.startswith("MISSED"), (number, said, step.act.notation())
                    illegal += 1
                    found[said.split(" ", maxsplit=1)[0]] += 1
            perform(table, step.act)
            assert not table.trouble, (number, step.act.notation(), table.faults)
            legal += 1
    assert {"confrontation-open", "two-cards", "out-of-turn", "answer-out-of-order"} <= {
        code for codes in found for code in codes.split(",")
    }

"""The rules of Get Adler! against a second, simple engine: the same acts are legal and lead to the same table, over whole
games of chance in every variant and under every house rule."""

import random
from collections import Counter
from typing import Any

import pytest
from get_adler_games import cards_of, game_of_chance, played, shared_view, with_secret
from get_adler_simple import Simple

from companion.games.get_adler.acts import Act
from companion.games.get_adler.chance import shuffled
from companion.games.get_adler.expecting import expects
from companion.games.get_adler.names import COPIES, HOURS, kind_of
from companion.games.get_adler.position import read_state
from companion.games.get_adler.secrets import apply
from companion.games.get_adler.state import State


def simple_of(state: State) -> Simple:
    table, secret = state.table, state.secret
    return Simple(
        secret.roles, secret.hands, secret.deck, start=table.start, advanced=table.advanced,
        wanted=table.wanted or secret.wanted, rules=dict(table.rules), traits=secret.traits,
    )  # fmt: skip


def frozen(acts: Any) -> Counter[Any]:
    """Acts as a multiset, whichever of both engines listed them; pairs of cards in any order."""
    found: Counter[Any] = Counter()
    for act in acts:
        data = act.to_json() if isinstance(act, Act) else act
        items = {
            key: tuple(sorted(value)) if key == "cards" else tuple(value) if key == "shots" else value
            for key, value in data.items()
        }
        found[frozenset(items.items())] += 1
    return found


def chance_of(before: State, act: Act, after: State) -> tuple[list[str], list[str]]:
    """What chance brought: the deck after a reshuffle, and the cards drawn blind."""
    secret = before.secret
    asked = after.secret.shuffles
    pile = list(shuffled(before.table.discard, secret.seed, asked - 1)) if asked > secret.shuffles else []
    if act.act not in ("take", "refill") or act.cards:
        return pile, []
    lost = [Counter(old) - Counter(new) for old, new in zip(secret.hands, after.secret.hands, strict=True)]
    if act.act == "take":
        return pile, list(lost[before.table.pending.target].elements())
    gained = Counter(after.secret.hands[act.seat]) - Counter(secret.hands[act.seat])
    fight = before.table.confrontation
    dead = [seat for seat in (fight.villain, fight.pursuer) if not before.table.seats[seat].alive and secret.hands[seat]]
    if not dead or fight.stage != "death" or act.seat not in (fight.villain, fight.pursuer):
        return pile, []
    count = min(7 - len(secret.hands[act.seat]), len(secret.hands[dead[0]]))
    took = list(after.secret.hands[act.seat][len(secret.hands[act.seat]) :][:count])
    assert not Counter(took) - gained
    return pile, took


def compare(number: int) -> Counter[str]:
    """Play one game on both engines; what happened in it, counted."""
    state = game_of_chance(number)
    other = simple_of(state)
    chance = random.Random(-number)
    whole = cards_of(state)
    assert Counter(
        {kind: sum(n for card, n in whole.items() if kind_of(card) == kind) for kind in COPIES[state.table.players]}
    ) == Counter(COPIES[state.table.players])
    seen: Counter[str] = Counter()
    for step in played(state, chance):
        assert frozen(expects(step.before).acts) == frozen(other.legal()), number
        pile, took = chance_of(step.before, step.act, step.after)
        other.do(step.act.to_json(), pile, took)
        assert shared_view(step.after.table) == other.table(), (number, step.act)
        assert [sorted(hand) for hand in step.after.secret.hands] == [sorted(hand) for hand in other.hands]
        assert list(step.after.secret.deck) == other.deck
        assert cards_of(step.after) == whole, (number, step.act)
        assert 1 <= step.after.table.hour <= HOURS
        seen[step.act.act] += 1
        state = step.after
    assert state.table.step == "over"
    assert not expects(state).acts
    seen[f"won by {state.table.over}"] += 1
    return seen


def test_both_engines_agree_over_games_of_chance() -> None:
    seen: Counter[str] = Counter()
    for number in range(150):
        seen += compare(number)
    assert seen["won by heroes"]
    assert seen["won by villains"]
    assert {"match", "hold", "arrested", "refill", "pass", "show", "unmatched"} <= seen.keys()


@pytest.mark.slow
def test_both_engines_agree_over_twenty_thousand_games() -> None:
    seen: Counter[str] = Counter()
    for number in range(20_000):
        seen += compare(number)
    print(sorted(seen.items()))


def test_every_position_of_a_game_reads_back_as_it_is() -> None:
    for number in range(0, 30, 3):
        chance = random.Random(number)
        for step in played(game_of_chance(number), chance):
            if chance.random() < 0.2:
                assert read_state(with_secret(step.after)) == step.after
                assert read_state(step.after.table.to_json()).table == step.after.table


def test_a_game_is_the_same_again_from_its_seed_and_its_acts() -> None:
    state = game_of_chance(7)
    steps = list(played(state, random.Random(7)))
    for step in steps:
        state = apply(state, step.act)
    assert state == steps[-1].after

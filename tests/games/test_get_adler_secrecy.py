"""What is public in Get Adler! does not depend on what is hidden: games that differ in their secret alone answer alike."""

import json
import random
from collections import Counter
from dataclasses import replace
from typing import Any

from get_adler_games import Step, game_of_chance, played
from get_adler_positions import confronted, position

from companion.games.get_adler.acts import Act
from companion.games.get_adler.expecting import expects
from companion.games.get_adler.folding import fold
from companion.games.get_adler.names import COPIES, VILLAINS, kind_of, roles_of
from companion.games.get_adler.position import read_state
from companion.games.get_adler.queries import QUERIES
from companion.games.get_adler.secrets import apply
from companion.games.get_adler.state import State, Table
from companion.games.get_adler.validation import cards_seen


def ask(command: str, value: Any) -> str:
    return json.dumps(QUERIES.commands[command](value).data, sort_keys=True)


def another_secret(state: State, chance: random.Random) -> State:
    """The same table with hidden cards and roles dealt anew, as they could be as well."""
    table = state.table
    left = Counter(COPIES[table.players])
    for card, count in cards_seen(table).items():
        left[kind_of(card)] -= count
    cards = list(left.elements())
    chance.shuffle(cards)
    hands = tuple(tuple(cards.pop() for _ in range(seat.hand)) for seat in table.seats)
    deck = tuple(cards.pop() for _ in range(table.deck))
    roles = list(roles_of(table.players))
    for _ in range(10_000):
        chance.shuffle(roles)
        known = all(table.role(seat) in (None, role) for seat, role in enumerate(roles))
        sides = all(table.villainous(seat) in (None, role in VILLAINS) for seat, role in enumerate(roles))
        if known and sides:
            break
    return replace(state, secret=replace(state.secret, roles=tuple(roles), hands=hands, deck=deck, seed=chance.randrange(99)))


def test_games_that_differ_in_their_secret_answer_alike() -> None:
    """The same acts, done with other hands, roles and deck, leave the same table; what is asked of it has the same answer."""
    done: Counter[str] = Counter()
    for number in range(0, 45, 3):
        chance = random.Random(number)
        for step in played(game_of_chance(number, plain=True, rules={}), chance):
            if chance.random() > 0.12:
                continue
            twin = another_secret(step.before, chance)
            common = set(expects(step.before).acts) & set(expects(twin).acts)
            for act in sorted(common, key=Act.notation)[:6]:
                if act.act == "reveal":
                    continue
                one, other = apply(step.before, act).table, apply(twin, act).table
                if opened_hand(step.before, act):
                    one, other = replace(one, discard=()), replace(other, discard=())
                assert one == other
                done[act.act] += 1
            one, other = step.after.table.to_json(), apply_public(twin, step).to_json()
            for command, values in (
                ("moves", (one, other)),
                ("deduce", (one, other)),
                ("explain", ([step.before.table.to_json(), one], [twin.table.to_json(), other])),
            ):
                assert ask(command, values[0]) == ask(command, values[1])
    assert {"draw", "discard", "play", "look", "take", "respond", "unmatched", "refill"} <= done.keys()


def opened_hand(state: State, act: Act) -> bool:
    """Whether the rest of a dead hand is laid open by this act: that is no secret any more."""
    fight = state.table.confrontation
    return fight is not None and (act.act == "arrested" or fight.stage == "death")


def apply_public(twin: State, step: Step) -> Table:
    """The same act at a table of which nothing hidden is known, with what is turned up."""
    table, told = twin.table, step.after.table
    opened = told.discard[: len(told.discard)] if opened_hand(step.before, step.act) else ()
    act = replace(step.act, roles=step.before.secret.roles if step.act.act == "reveal" else (), opened=opened)
    return fold(table, act)


def test_a_secret_never_comes_back_in_an_answer() -> None:
    table = position(step="play", hands={0: ("question", "magnifier")})
    table["secret"]["seed"] = 987_654
    after = {"discard": ["magnifier"], "seats": [{"hand": 1}, {}, {}, {}]}
    for command, value in (("moves", table), ("deduce", table), ("explain", [table, after])):
        told = ask(command, value)
        assert "secret" not in told
        assert "987654" not in told
        assert '"adler", "gold", "sharpe"' not in told or command == "deduce"


def test_the_table_after_an_act_is_the_same_without_its_secret() -> None:
    """The public half is folded from public acts alone: what was hidden reaches it only by being turned up."""
    for number in range(1, 30, 3):
        for step in played(game_of_chance(number), random.Random(number)):
            act = step.act
            if act.act == "reveal":
                act = replace(act, roles=step.before.secret.roles)
            public = fold(step.before.table, act)
            hidden = {"unknown"} if len(public.discard) else set()
            assert replace(public, discard=()) == replace(step.after.table, discard=())
            assert all(
                one == other or one in hidden for one, other in zip(public.discard, step.after.table.discard, strict=True)
            )


def test_what_a_hand_allows_is_among_what_some_hand_would_allow() -> None:
    for number in range(2, 60, 4):
        chance = random.Random(number)
        for step in played(game_of_chance(number), chance):
            if chance.random() < 0.3:
                public = {unnamed(act) for act in expects(State(step.before.table)).acts}
                assert {unnamed(act) for act in expects(step.before).acts} <= public


def unnamed(act: Act) -> Act:
    """An act without what no table shows: the words of a question, cards that go face down, an unseen service."""
    if act.act in ("give", "pass", "return", "refill"):
        return replace(act, card=None, cards=())
    card = "document" if act.card is not None and act.card.startswith("document") else act.card
    return replace(act, card=card, trait=None, colour=None)


def test_what_some_hand_would_allow_is_allowed_by_one() -> None:
    """Hidden cards dealt anew again and again allow everything that the table alone lists."""
    tables = [
        position(step="play", discard=("gun", "gun")),
        position(5, hour=5, step="play", seat=1),
        position(5, revealed=True, step="play"),
        confronted(5),
        confronted(confrontation={"by": 0, "villain": 1, "joined": [0], "row": [[0, "arrest"], [1, "escape-bus"]],
                                  "stage": "match", "vehicle": "escape-bus"}),
    ]  # fmt: skip
    for data in tables:
        chance = random.Random(5)
        public = {json.dumps(act, sort_keys=True) for act in QUERIES.commands["moves"]({**data, "secret": None}).data["acts"]}
        seen: set[str] = set()
        for _ in range(120):
            twin = another_secret(read_state(data), chance)
            seen |= {json.dumps(act.to_json(), sort_keys=True) for act in expects(twin).acts}
        assert seen == public


def test_all_copies_lying_open_leave_none_in_a_hand() -> None:
    row = [[0, "arrest"], [1, "escape-bus"], [2, "escape-bus"], [1, "escape-car"]]
    more = {"by": 0, "villain": 1, "pursuer": 2, "joined": [0, 2], "row": row, "stage": "match", "vehicle": "escape-car"}
    told = ask("moves", confronted(known=False, discard=("escape-car",), confrontation=more))
    assert json.loads(told) == {"acts": [{"act": "unmatched"}]}

"""Whatever happens at a table, the record alone makes the same match again, and the rules bear it out."""

import json
import random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from random_game import step
from scripted_table import GAME, Hands

from companion.errors import InvalidRecord
from companion.games import load
from companion.games.game import Game
from companion.record.events import Event
from companion.referee.audit import audit
from companion.referee.match import EVENT_KINDS, Match, apply, fold
from companion.referee.view import view

NEW_YORK = load("mr-jack-new-york")


def play_by_chance(seed: int, steps: int, slips: float, game: Game = GAME) -> tuple[Hands, list[Match]]:
    hands, chance = Hands.at_start(game=game), random.Random(seed)
    write, states = hands.write, [hands.match]

    def keep(drafts: list) -> list[str]:
        kinds: list[str] = []
        for draft in drafts:
            kinds += write([draft])
            states.append(hands.match)
        return kinds

    hands.write = keep  # type: ignore[method-assign]
    for _ in range(steps):
        if not step(hands, chance, slips=slips):
            break
    return hands, states


@settings(max_examples=6)
@given(st.integers(0, 10**6))
def test_every_prefix_of_the_record_folds_to_the_state_it_had(seed: int) -> None:
    hands, states = play_by_chance(seed, 14, 0.25)
    events = [Event(**json.loads(json.dumps(event.to_json()))) for event in hands.events]
    for count, live in enumerate(states, start=1):
        assert fold(GAME, events[:count]) == live
    assert json.loads(json.dumps(view(hands.match))) == view(hands.match)


@settings(max_examples=6)
@given(st.integers(0, 10**6))
def test_a_clean_game_is_followed_without_a_single_flag_and_audits_clean(seed: int) -> None:
    hands, _ = play_by_chance(seed, 30, 0.0)
    kinds = {event.kind for event in hands.events}
    assert not kinds & {"flag", "cannot-see", "unfinished", "undo", "correction"}, [
        (event.kind, dict(event.data)) for event in hands.events if event.kind in ("flag", "doubt", "unfinished", "correction")
    ]
    assert hands.match.position.turn >= 4
    assert audit(GAME, hands.events)[1] == []


@settings(max_examples=3, phases=[Phase.generate])
@given(st.integers(0, 10**6))
@pytest.mark.slow
def test_a_clean_game_on_a_board_that_is_built_up_is_followed_without_a_flag(seed: int) -> None:
    hands, states = play_by_chance(seed, 20, 0.0, NEW_YORK)
    kinds = {event.kind for event in hands.events}
    assert not kinds & {"flag", "cannot-see", "unfinished", "undo", "correction"}
    assert hands.match.position.turn >= 3
    assert fold(NEW_YORK, hands.events) == hands.match == states[-1]
    assert audit(NEW_YORK, hands.events)[1] == []


@pytest.mark.slow
@settings(max_examples=60, phases=[Phase.generate])
@given(st.integers(0, 10**9), st.floats(0, 0.4))
def test_long_games_with_slips_fold_and_audit_on_a_board_that_is_built_up(seed: int, slips: float) -> None:
    hands, states = play_by_chance(seed, 40, slips, NEW_YORK)
    assert fold(NEW_YORK, hands.events) == hands.match == states[-1]
    assert audit(NEW_YORK, hands.events)[1] == []


@pytest.mark.slow
@settings(max_examples=300)
@given(st.integers(0, 10**9), st.floats(0, 0.5))
def test_long_games_with_slips_fold_and_audit(seed: int, slips: float) -> None:
    hands, states = play_by_chance(seed, 45, slips)
    assert fold(GAME, hands.events) == hands.match == states[-1]
    assert audit(GAME, hands.events)[1] == []


def test_a_forged_play_is_named() -> None:
    hands, _ = play_by_chance(3, 4, 0.0)
    plays = [event for event in hands.events if event.kind == "play"]
    data = dict(plays[1].data)
    position = json.loads(json.dumps(data["position"]))
    position["characters"][data["character"]]["hex"] = "a1" if data["character"] != "watson" else "m8"
    forged = [*hands.events[: plays[1].number - 1], Event(plays[1].number, 0.0, "play", {**data, "position": position}, "")]
    findings = audit(GAME, forged)[1]
    assert [finding.number for finding in findings] == [plays[1].number] and "not legal" in findings[0].text


def test_an_event_that_cannot_be_understood_is_named() -> None:
    match = Hands.at_start().match
    with pytest.raises(InvalidRecord, match=r"event 2.*'dance'"):
        apply(match, Event(2, 0.0, "dance", {}, ""))
    with pytest.raises(InvalidRecord, match=r"event 2 \(play\)"):
        apply(match, Event(2, 0.0, "play", {}, ""))
    assert "play" in EVENT_KINDS

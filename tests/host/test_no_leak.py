"""Nothing leaks: the same public game with two different Jacks gives the same bytes to everybody but Jack."""

import itertools
import json
import random
import statistics
import tempfile
import time
from collections.abc import Collection
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outlets import VISITORS, Session, play
from random_game import legal_play
from scripted_table import GAME, Hands

from companion.host.secrets import Secrets


def a_public_game(seed: int, looks: int) -> tuple[str, list[dict], list[str]]:
    """A game of chance with an entrusted Jack: who he was, what the table showed, and who else he might have been."""
    chance = random.Random(seed)
    jack = chance.choice(GAME.characters)
    hands, states = Hands.at_start(jack=jack), []
    for _ in range(looks):
        match = hands.match
        if match.phase == "over":
            break
        if match.phase == "play":
            found = legal_play(match, chance)
            if found is None or match.doubt is not None:
                break
            hands.lay(found.position)
        elif match.phase == "clean-up":
            hands.lay(match.expected)
        states.append(json.loads(json.dumps(hands.state)))
        hands.see()
    others = [name for name in GAME.suspects(hands.match.position) if name != jack]
    return jack, states, others


def compare(seed: int, looks: int, thoroughly: Collection[str] = VISITORS) -> tuple[int, int]:
    """Plays one public game with every Jack it might have had. (pairs compared, bytes of one side); fails if any differ."""
    jack, states, others = a_public_game(seed, looks)
    first: tuple[list[str], list[dict]] | None = None
    for name in (jack, *others):
        with tempfile.TemporaryDirectory() as folder:
            said = play(Path(folder), name, states, thoroughly)
        first = first or said
        both = itertools.zip_longest(first[0], said[0])
        differing = [(one, other) for one, other in both if one != other]
        assert differing == []
        assert said == first
    assert first is not None
    if any(event["kind"] == "call" for event in first[1]):
        return len(others) * (len(others) + 1) // 2, sum(len(text.encode()) for text in first[0])
    return 0, 0


@settings(max_examples=1)
@given(st.integers(0, 10**6))
def test_two_jacks_look_alike_to_everybody_else(seed: int) -> None:
    compare(seed, 6)


@pytest.mark.slow
def test_a_thousand_pairs_of_jacks_look_alike() -> None:
    done = {"pairs": 0, "games": 0, "bytes": 0}

    @settings(max_examples=400, database=None)
    @given(st.integers(0, 10**9), st.sampled_from((5, 8, 13)))
    def enough(seed: int, looks: int) -> None:
        if done["pairs"] < 1000:
            pairs, size = compare(seed, looks, (VISITORS[done["games"] % len(VISITORS)],))
            done["pairs"] += pairs
            done["games"] += 1
            done["bytes"] += size * (pairs > 0)

    enough()
    print(f"{done['pairs']} pairs of {done['games']} games, {done['bytes']} bytes of one side each, 0 differ")
    assert done["pairs"] >= 1000


def test_what_leaves_is_really_looked_at(tmp_path: Path) -> None:
    """A leak anywhere would show: every way out is there, and another public game differs in nearly all of them."""
    _, states, _ = a_public_game(5, 6)
    out = play(tmp_path, "gull", states)[0]
    for way in (
        "table /api/snapshot 200", "spectator stream 200", "detective /api/notes 200", "arbiter /api/answers", "stranger / 302",
        "light ", "record.jsonl", "<!doctype html><html lang='en'>", "number,time,kind", "picture.jpg?overlay=1 200",
        "'spectator', 'spectator'", "hall events ", "hall state ",
    ):  # fmt: skip
        assert any(way in text for text in out), way
    assert any(text.startswith("spectator stream") and "turn-opened" in text for text in out)


@pytest.mark.slow
def test_how_long_a_call_takes_does_not_tell_who_jack_is() -> None:
    """The look that brings the call, in the same public game: two Jacks differ by no more than one Jack from himself.

    Three series are taken in turn, two of them of the same Jack; medians are compared by their standard errors, estimated
    from the median absolute deviation, so that a busy machine's outliers do not count.
    """
    games = (a_public_game(seed, 5) for seed in range(1000))
    jack, states, others = next(game for game in games if _has_a_call(game))
    series = {"one": jack, "one again": jack, "other": others[0]}
    taken: dict[str, list[float]] = {name: [] for name in series}
    for _ in range(60):
        for name, who in series.items():
            with tempfile.TemporaryDirectory() as folder:
                session = Session(Path(folder), who)
                for state in states[:-1]:
                    session.show(state)
                begun = time.perf_counter()
                session.show(states[-1])
                taken[name].append(time.perf_counter() - begun)
                session.record.close()
    middle = {name: statistics.median(times) for name, times in taken.items()}
    error = {name: _error_of_median(times) for name, times in taken.items()}
    noise = 4 * (error["one"] ** 2 + error["other"] ** 2) ** 0.5
    told = ", ".join(f"{name} {seconds * 1e3:.2f} ± {error[name] * 1e3:.2f}" for name, seconds in middle.items())
    print(f"medians in ms: {told}; bound {noise * 1e3:.2f}")
    assert abs(middle["one"] - middle["other"]) <= max(noise, 2 * abs(middle["one"] - middle["one again"]))


def _error_of_median(times: list[float]) -> float:
    """Standard error of a median: 1.2533 of the mean's, with the deviation estimated by 1.4826 median absolute deviations."""
    middle = statistics.median(times)
    return 1.2533 * 1.4826 * statistics.median([abs(one - middle) for one in times]) / len(times) ** 0.5


def _has_a_call(game: tuple[str, list[dict], list[str]]) -> bool:
    _, states, others = game
    if not others or len(states) < 5:
        return False
    with tempfile.TemporaryDirectory() as folder:
        kinds = [event["kind"] for event in play(Path(folder), game[0], states, ())[1]]
    return kinds[-1] in ("call", "chores")


def test_the_secret_is_only_in_its_own_file(tmp_path: Path) -> None:
    _, states, _ = a_public_game(5, 3)
    session = Session(tmp_path, "gull")
    for state in states:
        session.show(state)
    out, events = session.close()
    told = [event for event in events if event["kind"] == "secret"]
    assert [set(event["data"]) for event in told] == [{"mode", "commitment"}]
    assert json.loads((tmp_path / "game.secret").read_text())["entrusted"] == {"g1": "gull"}
    assert (tmp_path / "game.secret").stat().st_mode & 0o077 == 0
    assert "gull" not in repr(Secrets.open(tmp_path / "game.secret"))
    assert out

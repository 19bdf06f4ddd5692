"""Nothing leaks: the same public game with two different Jacks gives the same bytes to everybody but Jack."""

import json
import random
import statistics
import tempfile
import time
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_game import legal_play
from scripted_camera import ScriptedCamera, ScriptedGlance, ScriptedWatcher
from scripted_table import GAME, Hands, reading_of

from companion.announce.phrases import Phrases
from companion.cli.doctor import write_bundle
from companion.host import box_scene
from companion.host.album import Album
from companion.host.report import as_csv, as_html
from companion.host.secrets import Secrets
from companion.host.table import Table
from companion.record.export import json_lines
from companion.record.log import Record
from companion.record.pictures import folder_of
from companion.vision.frame import Frame


class Evening:
    """A table without threads; everything that leaves it is kept as text."""

    def __init__(self, folder: Path, jack: str) -> None:
        self.record = Record.open(folder / "game.record")
        self.watcher, self.out, self.steps = ScriptedWatcher(), [], 0
        phrases = Phrases()
        self.table = Table(
            GAME, self.record, ScriptedCamera(), self.watcher, Secrets.open(folder / "game.secret"),
            lambda event: self.out.append(repr((event.to_json(), phrases.announce(event.to_json())))),
            clock=lambda: 1000.0 + self.steps, match_id="g1", album=Album(folder_of(self.record.path)),
        )  # fmt: skip
        self.out.append(json.dumps(self.table.answer({"kind": "entrust", "character": jack})))

    def show(self, state: dict) -> None:
        self.steps += 1
        self.watcher.glances.append(ScriptedGlance(settled=reading_of(state, float(self.steps))))
        self.table.look_at(Frame(np.zeros((9, 16, 3), np.uint8), float(self.steps), "scripted", self.steps))
        picture = self.table.picture(True)
        self.out.append(json.dumps(self.table.snapshot()) + (picture.hex() if picture else ""))

    def close(self) -> tuple[list[str], list[dict]]:
        """Everything that left the table, its exports and a bug report included, and the events."""
        events = self.record.events()
        self.record.close()
        self.out += [*json_lines(events), as_csv(GAME, events), as_html(GAME, events, pictures=folder_of(self.record.path))]
        self.out += [box_scene.fold(events[:count]).pattern for count in range(len(events) + 1)]
        self.out += [path.read_bytes().hex() for path in sorted(folder_of(self.record.path).iterdir())]
        return self.out, [event.to_json() for event in events]


def play(folder: Path, jack: str, states: list[dict]) -> tuple[list[str], list[dict]]:
    evening = Evening(folder, jack)
    for state in states:
        evening.show(state)
    return evening.close()


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


def compare(seed: int, looks: int) -> tuple[int, int]:
    """Plays one public game with every Jack it might have had. (pairs compared, bytes of one side); fails if any differ."""
    jack, states, others = a_public_game(seed, looks)
    first: tuple[list[str], list[dict]] | None = None
    for name in (jack, *others):
        with tempfile.TemporaryDirectory() as folder:
            said = play(Path(folder), name, states)
        first = first or said
        assert said == first
    assert first is not None
    if any(event["kind"] == "call" for event in first[1]):
        return len(others) * (len(others) + 1) // 2, sum(map(len, first[0]))
    return 0, 0


@settings(max_examples=2, deadline=None)
@given(st.integers(0, 10**6))
def test_two_jacks_look_alike_to_everybody_else(seed: int) -> None:
    compare(seed, 8)


@pytest.mark.slow
def test_a_thousand_pairs_of_jacks_look_alike() -> None:
    pairs, seed = 0, 0
    while pairs < 1000:
        pairs += compare(seed, 8 + seed % 3 * 5)[0]
        seed += 1
    print(f"{pairs} pairs of {seed} games")


@pytest.mark.slow
def test_how_long_a_call_takes_does_not_tell_who_jack_is() -> None:
    """The same game again and again with a Jack who is seen and one who is not: their medians lie within the noise."""
    games = (a_public_game(seed, 5) for seed in range(1000))
    jack, states, others = next(game for game in games if _has_a_call(game))
    taken: dict[str, list[float]] = {name: [] for name in (jack, others[0])}
    for _ in range(40):
        for name, seconds in taken.items():
            with tempfile.TemporaryDirectory() as folder:
                evening = Evening(Path(folder), name)
                for state in states[:-1]:
                    evening.show(state)
                begun = time.perf_counter()
                evening.show(states[-1])
                seconds.append(time.perf_counter() - begun)
                evening.record.close()
    one, two = taken.values()
    noise = statistics.stdev(one) + statistics.stdev(two)
    print(f"medians {statistics.median(one) * 1e3:.2f} and {statistics.median(two) * 1e3:.2f} ms, noise {noise * 1e3:.2f} ms")
    assert abs(statistics.median(one) - statistics.median(two)) < noise


def _has_a_call(game: tuple[str, list[dict], list[str]]) -> bool:
    _, states, others = game
    if not others or len(states) < 5:
        return False
    with tempfile.TemporaryDirectory() as folder:
        kinds = [event["kind"] for event in play(Path(folder), game[0], states)[1]]
    return kinds[-1] in ("call", "chores")


def test_a_bug_report_is_the_same_for_two_jacks(tmp_path: Path) -> None:
    jack, states, others = a_public_game(5, 5)
    reports = []
    for name in (jack, others[0]):
        folder = tmp_path / name
        folder.mkdir()
        play(folder, name, states)
        write_bundle(folder / "bundle.zip", [], folder / "game.record")
        with ZipFile(folder / "bundle.zip") as parts:
            reports.append({part: parts.read(part) for part in parts.namelist()})
    assert reports[0] == reports[1] and "record.jsonl" in reports[0]


def test_the_secret_is_only_in_its_own_file(tmp_path: Path) -> None:
    _, states, _ = a_public_game(5, 3)
    evening = Evening(tmp_path, "gull")
    for state in states:
        evening.show(state)
    out, events = evening.close()
    told = [event for event in events if event["kind"] == "secret"]
    assert [event["data"] for event in told] == [{"mode": "entrusted"}]
    assert json.loads((tmp_path / "game.secret").read_text())["entrusted"] == {"g1": "gull"}
    assert (tmp_path / "game.secret").stat().st_mode & 0o077 == 0
    assert "gull" not in repr(Secrets.open(tmp_path / "game.secret"))
    assert out

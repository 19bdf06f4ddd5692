"""The bundled table of Get Adler!: four hours with unmodified cards, from pictures through the watcher to the record."""

import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from testkit.adler_at_table import AdlerAtTable

from companion import games
from companion.calibration.set_deck import deck_reader
from companion.demo import DemoCamera, Script, bundled, load_script, table_of, table_set
from companion.games.get_adler.mat import Laid
from companion.host.secrets import Secrets
from companion.host.table import Table, TableSettings
from companion.record.events import Event
from companion.record.log import Record
from companion.record.verify import check_chain
from companion.referee.audit import audit
from companion.vision.table_sets.table_set import load_table_set
from companion.vision.watching.watcher import Watcher

GAME = "get-adler"
FRAMES_A_SECOND = 2.5
LONGEST_S = 900
FIRST = 4
"""So many pictures are watched in every run: the bare mat, the start, a question that is answered, a look at a hand."""


def played(folder: Path, script: Script) -> tuple[list[Event], list[Any], Any]:
    """Every event of a film run as fast as it can be watched, the answers that were taken, and the last snapshot."""
    facts, taken = load_table_set(table_of(GAME)), list[Any]()
    camera = DemoCamera(script, pace=None, rate=FRAMES_A_SECOND)
    with Record.open(folder / "demo.sqlite") as record:
        watcher = Watcher(deck_reader(facts), facts.board)
        settings = TableSettings(every_frame=True)
        table = Table(
            games.load(GAME), record, camera, watcher, Secrets.open(None), edition=facts.board.edition, settings=settings
        )

        def told(answer: Any) -> None:
            table.answer(dict(answer))
            taken.append(answer)

        camera.seat_players(told)
        table.start()
        end = time.monotonic() + LONGEST_S
        while not any(event.kind == "notice" and event.data["code"] == "source-ended" for event in record.events()):
            assert time.monotonic() < end, [event.kind for event in record.events()]
            time.sleep(0.05)
        shown = table.snapshot()
        table.stop()
        return list(record.events()), taken, shown


def of(events: list[Event], *kinds: str) -> list[Event]:
    return [event for event in events if event.kind in kinds]


def test_cards_are_read_as_they_land_and_a_question_is_answered_by_what_was_entrusted(tmp_path: Path) -> None:
    script = load_script(game=GAME)
    events, taken, shown = played(tmp_path, replace(script, scenes=script.scenes[:FIRST]))
    assert [event.data["moves"][0]["piece"] for event in of(events, "play")] == ["question-1", "magnifier-1"]
    assert [event.data["act"]["answer"] for event in of(events, "answered")] == ["yes"]
    assert taken == [said.answer for scene in script.scenes[:FIRST] for said in scene.answers]
    assert [event.data["code"] for event in of(events, "notice")] == ["source-ended"], "hands beside the mat are no concern"
    assert not of(events, "cannot-see", "doubt", "unfinished", "flag") and shown["trouble"] is None


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_whole_film_is_told_and_nothing_else(tmp_path: Path) -> None:
    events, taken, shown = played(tmp_path, load_script(game=GAME))
    told = Counter(
        event.data.get("act", {}).get("act", event.kind) for event in of(events, "play", "act", "answered", "judged")
    )
    assert told == {
        "play": 21 + 2, "look": 1, "take": 1, "give": 1, "answer": 3, "verdict": 2, "reveal": 1, "match": 1, "hold": 2,
        "judged": 3,
    }  # fmt: skip
    assert taken == [said.answer for said in load_script(game=GAME).answers]
    assert shown["outcome"]["code"] == "arrested" and shown["simulated"] is True
    assert [event.data["how"] for event in of(events, "judged")] == ["true", "true", "allowed"]
    (flag,), (cleared,) = of(events, "flag"), of(events, "flag-cleared")
    assert [fault["code"] for fault in flag.data["faults"]] == ["arrest-before-hour-4"] and cleared.number == flag.number + 1
    assert not of(events, "cannot-see", "doubt", "unfinished")
    assert not check_chain(events) and audit(games.load(GAME), events)[1] == []


def test_the_story_of_the_film_is_a_lawful_game_to_its_end(tmp_path: Path) -> None:
    """What lies in each picture by its truth, and what the players say meanwhile, without reading the pictures."""
    table = AdlerAtTable(tmp_path)
    frames, scenes = table_set(GAME)["frames"], load_script(game=GAME).scenes
    flags = 0
    for frame, scene in zip(frames[1:], scenes[1:], strict=True):
        state = frame["state"]
        cards = tuple((zone, tuple(lying)) for zone, lying in sorted(state["cards"].items()))
        roles = tuple((zone, up[0]) for zone, up in sorted(state["roles"].items()))
        laid = Laid(cards, roles, tuple(state["hours"]))
        kinds = [*table.show(laid), *(table.show(laid) if frame["kind"] == "start" else ())]
        flags += "flag" in kinds
        assert frame["kind"] != "illegal" or "flag" in kinds, frame["note"]
        for said in scene.answers:
            table.table.answer(dict(said.answer))
    shown = table.public
    table.close()
    assert flags == 1 and shown["outcome"]["code"] == "arrested"
    assert [answer["true"] for answer in shown["answers"]] == [True, True, False]
    assert [answer["may_lie"] for answer in shown["answers"]] == [True, False, True]


def test_the_film_is_small_and_found_by_its_game() -> None:
    assert GAME in bundled() and set(bundled()) <= set(games.available())
    assert sum(path.stat().st_size for path in table_of(GAME).parent.rglob("*") if path.is_file()) < 6_000_000

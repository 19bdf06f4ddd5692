"""A night of Letters from Whitechapel from pictures through the watcher to the record: from the bare board to the arrest, with
hands between the pictures, an entrusted Jack, searches that are answered, a clue and a move that is flagged and put right.

The whole night takes almost two minutes and is slow; every run reads its first table."""

import time
from collections import Counter

import cv2
import pytest

from companion import games
from companion.demo import DemoCamera, bundled, load_script, table_of, table_set
from companion.host.secrets import Secrets
from companion.host.table import Table, TableSettings
from companion.record.log import Record
from companion.record.verify import check_chain
from companion.referee.audit import audit
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.table_sets.scoring import EXACT, WRONG, compare
from companion.vision.table_sets.table_set import load_table_set
from companion.vision.watching.watcher import Watcher

GAME = "letters-from-whitechapel"
pytestmark = pytest.mark.timeout(1500)  # over a minute of one processor
FRAMES_A_SECOND = 3
LONGEST_S = 1200


class Told:
    """What the recorded players say, and which of it was taken at the table."""

    def __init__(self, table):
        self.table, self.taken = table, []

    def __call__(self, answer):
        self.table.answer(dict(answer))
        self.taken.append(answer)


@pytest.fixture(scope="module")
def night(tmp_path_factory):
    """Every event of one whole demo, run as fast as it can be watched, and the answers that were taken."""
    facts = load_table_set(table_of(GAME))
    camera = DemoCamera(load_script(game=GAME), pace=None, rate=FRAMES_A_SECOND)
    with Record.open(tmp_path_factory.mktemp("demo") / "demo.sqlite") as record:
        watcher = Watcher(MarkedReader(facts.board, facts.pieces, facts.lens), facts.board)
        settings = TableSettings(every_frame=True)
        table = Table(
            games.load(GAME), record, camera, watcher, Secrets.open(None), edition=facts.board.edition, settings=settings
        )
        told = Told(table)
        camera.seat_players(told)
        table.start()
        end = time.monotonic() + LONGEST_S
        while not any(event.kind == "notice" and event.data["code"] == "source-ended" for event in record.events()):
            assert time.monotonic() < end, [event.kind for event in record.events()]
            time.sleep(0.05)
        shown = table.snapshot()
        assert shown["simulated"] is True and shown["trouble"] is None
        table.stop()
        return list(record.events()), told.taken, shown


@pytest.fixture(scope="module")
def events(night):
    return night[0]


def of(events, *kinds):
    return [event for event in events if event.kind in kinds]


@pytest.mark.slow
def test_a_whole_night_is_told_and_nothing_else(events):
    told = Counter(
        event.data.get("act", {}).get("act", event.kind) for event in of(events, "play", "act", "answered", "outcome")
    )
    assert told == {
        "play": 2 + 5 + 5, "head": 1, "victims": 1, "kill": 1, "reveal": 1, "walk": 1, "alley": 1, "search": 4, "stop": 4,
        "arrest": 2, "outcome": 1,
    }  # fmt: skip
    assert [event.data["code"] for event in of(events, "notice")] == ["source-ended"]
    assert len(of(events, "laid")) == 6 and not check_chain(events) and audit(games.load(GAME), events)[1] == []


@pytest.mark.slow
def test_every_answer_of_the_players_was_taken(night):
    assert night[1] == [said.answer for said in load_script(game=GAME).answers]
    assert night[2]["outcome"]["code"] == "arrested"


@pytest.mark.slow
def test_after_each_picture_the_position_is_the_one_on_the_table(events):
    """Whatever the players say meanwhile: piece by piece, in the order of the pictures; what the pawn hides is trusted."""
    lawful = [frame["state"] for frame in table_set(GAME)["frames"] if frame["kind"] in ("start", "move", "position")]
    keys = set(lawful[0])
    seen = [{key: event.data["position"][key] for key in keys} for event in of(events, "table-agreed", "play", "laid")]
    left = iter(seen)
    assert len(lawful) == 13 and all(any(one == state for one in left) for state in lawful), "as a subsequence"


@pytest.mark.slow
def test_the_move_of_three_crossings_is_flagged_and_put_right(events):
    (flag,) = of(events, "flag")
    (cleared,) = of(events, "flag-cleared")
    assert [fault["message"] for fault in flag.data["faults"]] == [
        "Red policeman: cannot get from 101 & 126 & 143 to 69 & 70; two crossings are the most."
    ]
    assert [chore["message"] for chore in flag.data["chores"]] == [
        "Red policeman: move it from the crossing 69 & 70 to 101 & 126 & 143."
    ]
    red = next(play for play in of(events, "play") if play.data["character"] == "police-red")
    assert cleared.number == flag.number + 1 == red.number - 1 and red.data["moves"][0]["to"] == "x119"


@pytest.mark.slow
def test_the_clue_is_asked_for_and_seen_laid(events):
    found = next(event for event in of(events, "answered") if event.data["act"].get("clue"))
    assert [chore["message"] for chore in found.data["chores"]] == ["Clue marker: lay it on 86."]
    assert events[found.number].kind == "laid" and events[found.number].data["position"]["clues"] == ["86"]


@pytest.mark.slow
def test_nothing_was_asked_for_that_a_piece_hides(events):
    assert not of(events, "cannot-see", "doubt", "unfinished")


def test_the_first_table_of_the_night_is_read_as_it_is():
    facts, truth = load_table_set(table_of(GAME)), table_set(GAME)["frames"][1]
    image = cv2.imread(str(table_of(GAME) / truth["file"]))
    reading = MarkedReader(facts.board, facts.pieces, facts.lens).read(Frame(image, 0.0, truth["file"])).reading
    told = compare(truth["state"], reading.state(facts.board, facts.pieces), reading.unknown, facts.pieces)
    assert [one.verdict for one in told if one.truth is not None] == [EXACT], "the pawn of the night; places may be in doubt"
    assert WRONG not in {one.verdict for one in told}


def test_the_sample_is_small_and_found_by_its_game():
    assert GAME in bundled() and set(bundled()) <= set(games.available())
    assert sum(path.stat().st_size for path in table_of(GAME).iterdir()) < 4_500_000

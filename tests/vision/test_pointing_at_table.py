"""From pictures to the record: a finger held on a circle is a search, and what else hands do is not."""

from pathlib import Path

import numpy as np
import pytest
from hands import Look, drawn, hand
from surfaces import shoot
from testkit.night_players import flee, hunt, to_the_circle
from testkit.night_table import GAME, NightTable
from whitechapel_table import BOARD, PIECES, put, shot, taught

from companion.calibration.training.stickers_composed import pose
from companion.host.picture_store import PictureStore
from companion.referee.audit import audit
from companion.vision.pointing import Holding, PointerLook, held
from companion.vision.pointing.holding import HoldingSettings
from companion.vision.watching.watcher import Watcher

CAMERA = shot((2560, 1440), 10.0)
LOOK = Look((120, 150, 200), (60, 50, 45), 14.0, (0.3, 0.2), 0.75, 3.0, 150.0)
ASKED = ("86", "87")
NOTHING, UNCLEAR = PointerLook("nothing"), PointerLook("unclear", tip_mm=(9.0, 9.0), why="fingers")


def on(place: str, x: float = 0.0) -> PointerLook:
    return PointerLook("place", place, (x, 0.0))


def told(looks: list[tuple[float, PointerLook]]) -> tuple[list[str], int]:
    """The places and the number of hints that looks lead to, by their times."""
    state, places, hints = Holding(), [], 0
    for at, look in looks:
        state, answer = held(state, ASKED, look, at, HoldingSettings())
        places += [answer.place + ", stayed" * answer.stayed] if answer.place else []
        hints += answer.hint
    return places, hints


def steady(look: PointerLook, begin: float, end: float) -> list[tuple[float, PointerLook]]:
    return [(float(at), look) for at in np.arange(begin, end, 0.1)]


FREE = steady(NOTHING, 0.0, 0.5)


@pytest.mark.parametrize(
    ("looks", "places"),
    [
        (FREE + steady(on("86"), 0.5, 1.8), ["86"]),
        (FREE + steady(on("86"), 0.5, 2.8), ["86", "86, stayed"]),
        (FREE + steady(on("86"), 0.5, 9.0), ["86", "86, stayed"]),  # once each, however long it stays
        (FREE + steady(on("86"), 0.5, 1.8) + steady(NOTHING, 1.8, 2.3) + steady(on("86"), 2.3, 3.5), ["86", "86"]),
        (FREE + steady(on("86"), 0.5, 1.8) + steady(on("87"), 1.8, 3.0), ["86", "87"]),
        (FREE + steady(on("86"), 0.5, 1.2), []),  # a halt
        (steady(on("86"), 0.0, 3.0), []),  # it was there when the question was asked
        (FREE + [(0.5 + n / 10, on("86", 9.0 * n)) for n in range(20)], []),  # it moves on
        (FREE + [(0.5 + n / 10, on(ASKED[n % 2])) for n in range(20)], []),
        (FREE + [(0.5 + n / 10, UNCLEAR if n == 4 else on("86")) for n in range(14)], ["86"]),  # one look that was lost
        ([*FREE, (0.5, on("86")), (1.0, on("86")), (1.6, on("86"))], []),  # too few pictures
    ],
)
def test_a_place_counts_once_it_was_held_for_a_second(looks: list[tuple[float, PointerLook]], places: list[str]) -> None:
    assert told(looks)[0] == places


def test_a_hand_that_points_at_nothing_surely_is_told_once_how_to_point() -> None:
    assert told(FREE + steady(UNCLEAR, 0.5, 6.0)) == ([], 1)


@pytest.mark.slow
def test_a_finger_on_a_circle_in_pictures_is_a_search_with_its_picture_as_evidence(tmp_path: Path) -> None:
    """A finger between two circles: nothing. One that is held on one: the question which of two answers is meant, then, with
    searches alone left, the answer at once."""
    table = NightTable(tmp_path)
    hunt(table)
    flee(table, "86")
    to_the_circle(table)
    laid = table.goal.laid
    table.close()
    bare = shoot(BOARD, PIECES, put(laid, CAMERA, np.random.default_rng(4)), CAMERA, 3)
    where, eyes = pose(BOARD, CAMERA), Watcher(taught(CAMERA), BOARD)
    table = NightTable(tmp_path, eyes=eyes, picture_store=PictureStore(tmp_path / "pictures"))

    def pointing(at: str | tuple[float, float], seen: int = 14) -> list[np.ndarray]:
        tip = BOARD.mm(at) if isinstance(at, str) else at
        there = drawn(bare, where, hand(tip, 1.2, LOOK, slope=0.4), LOOK, 3)
        coming = drawn(bare, where, hand((tip[0] + 60, tip[1] + 150), 1.2, LOOK, slope=0.4, raised=25), LOOK, 3)
        return [coming, *[there] * seen, coming, *[bare] * 4]

    table.film([bare] * 7, 0.5)  # until nothing is in doubt any more
    assert table.public["phase"] == "police-act" and table.public["flag"] is None
    other, *_ = (one for one in eyes._asked if one != "86")
    x, y = (np.array(BOARD.mm("86")) + BOARD.mm(other)) / 2
    assert "pointed-at" not in table.film(pointing((float(x), float(y))), 0.1)
    assert table.film(pointing(other), 0.1) == ["pointed-at"]
    (event,) = [one for one in table.record.events() if one.kind == "pointed-at"]
    assert event.data["place"] == other and (tmp_path / "pictures").is_dir()
    assert table.table.kept_picture(event.data["pictures"]["after"])
    assert table.say("search", seat="brown", circle=int(other)) == ["asked", "answered"]
    table.film([bare] * 4, 0.1)
    assert table.film(pointing("86"), 0.1) == ["pointed-at"], "it is told, and taken back by lifting the hand"
    table.film([bare] * 4, 0.1)
    assert table.film(pointing("86", 25), 0.1)[:3] == ["pointed-at", "asked", "answered"]
    assert [one.data["text"] for one in table.record.events() if one.kind == "answered"][-1] == "There is a clue at {circle}."
    assert not audit(GAME, table.record.events())[1]
    table.close()

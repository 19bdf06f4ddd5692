"""Pictures that teach the wrong thing: which pieces differ is said, one sentence each."""

import re
from typing import Any

import cv2
import numpy as np
import pytest

from companion import boards
from companion.announce.translator import translator
from companion.calibration.profile import TableProfile
from companion.calibration.teaching import _differing, teach_table
from companion.calibration.training.composed import Table
from companion.errors import BadInput
from companion.vision.camera import Lens
from companion.vision.frame import Frame
from companion.vision.plain.start_check import StartCheck

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
START: dict[str, Any] = dict(BOARD.start)
BARE: dict[str, Any] = {"characters": {}, "gaslights": {}, "covers": [], "cordons": [], "turn": None}


@pytest.fixture(scope="module")
def table() -> Table:
    return Table(BOARD, PIECES, 2010, size=(1280, 720), tilt_most=25.0)


def frame(image: np.ndarray, name: str) -> Frame:
    return Frame(image, 0.0, name)


def test_a_start_picture_that_is_not_the_start_names_the_pieces_that_differ(table: Table) -> None:
    free = next(
        cell for cell in sorted(BOARD.of_kind("street")) if cell not in {e["hex"] for e in START["characters"].values()}
    )
    people = {name: entry for name, entry in START["characters"].items() if name != "gull"}
    wrong = START | {"characters": people | {"holmes": START["characters"]["holmes"] | {"hex": free}}}
    report = teach_table(frame(table.shoot({})[0], "e"), frame(table.shoot(wrong)[0], "s"), BOARD, PIECES, START, table.lens)
    assert not report.ready
    said = "\n".join(report.sentences)
    for words in (
        f"holmes is not at {START['characters']['holmes']['hex']}",
        "gull is not at",
        f"something lies at {free} in one",
    ):
        assert words in said
    for name in ("smith", "lestrade", "goodley"):
        assert f"{name} is not at" not in said


def test_a_sleeve_over_many_places_is_one_sentence() -> None:
    said = StartCheck(("gull",), ("e9",), ("c4", "d5", "e6")).sentences()
    assert len(said) == 2
    assert said[1] == "something lies at c4, d5, e6 in one of the two pictures, and nothing may lie there in either"
    assert translator("it").text(said[1]).startswith("c'è qualcosa in c4, d5, e6 in una")


def test_an_empty_picture_that_is_not_empty_names_what_lay_there(table: Table) -> None:
    left = BARE | {"characters": {"holmes": START["characters"]["holmes"]}}
    report = teach_table(frame(table.shoot(left)[0], "e"), frame(table.shoot(START)[0], "s"), BOARD, PIECES, START, table.lens)
    assert not report.ready
    said = [words for words in report.sentences if "already in" in words]
    assert len(said) == 1
    assert said[0].startswith("holmes ")


def test_the_same_picture_twice_teaches_nothing(table: Table) -> None:
    start = table.shoot(START)[0]
    with pytest.raises(BadInput, match="start position was not found"):
        teach_table(frame(start, "e"), frame(start, "s"), BOARD, PIECES, START, table.lens)


def broken_off(image: np.ndarray, share: float) -> np.ndarray:
    """What a decoder makes of a picture of which only a share of the bytes arrived."""
    sent = cv2.imencode(".jpg", image)[1].tobytes()
    came = sent[: int(share * len(sent))] + b"\xff\xd9"
    return np.asarray(cv2.imdecode(np.frombuffer(came, np.uint8), cv2.IMREAD_COLOR))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (np.zeros_like, "black"),
        (lambda image: np.full_like(image, 255), "white"),
        (lambda image: cv2.resize(image, (320, 240)), "320x240"),
        (lambda image: cv2.resize(image, (1920, 1080)), "same camera settings"),
        (lambda image: broken_off(image, 0.5), r"picture of the start position is torn: its lower [3-7]\d % did not arrive"),
    ],
)
def test_a_start_picture_that_cannot_be_used_is_one_sentence(table: Table, spoil: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words) as caught:
        teach_table(frame(table.shoot({})[0], "e"), frame(spoil(table.shoot(START)[0]), "s"), BOARD, PIECES, START, table.lens)
    assert "\n" not in str(caught.value)


def test_a_profile_of_another_game_is_refused_before_anything_is_read() -> None:
    other = boards.load("mr-jack-new-york")
    profile = TableProfile(other.id, other.edition, "marked", Lens.guess((1280, 720)))
    with pytest.raises(BadInput, match="mr-jack-new-york"):
        profile.check(BOARD)


@pytest.mark.parametrize("language", ["es", "it", "ja", "zh-Hans", "zh-Hant"])
def test_what_differs_is_told_wholly_in_each_language(language: str) -> None:
    want = {"hex": "g5", "side": "suspect", "facing": "NE"}
    told = _differing("watson", want, {"hex": "b3", "side": "innocent", "facing": "S"})
    assert len(told) == 3 and _differing("watson", want, want) == []
    for line in told:
        words = translator(language).text(line)
        assert not re.search(r"\b(watson|suspect|innocent|NE|S|was|expected|but)\b", words), words

"""A table of yesterday learns more: one piece by pointing at it, and the sides that the start position does not show."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from glare import in_glare

from companion import boards
from companion.calibration.profile import TableProfile
from companion.calibration.repeated_enrolment import knows_other_sides, learn_sides, reteach
from companion.calibration.teaching import teach_table
from companion.calibration.training.new_york_composed import BOARD, PIECES, NewYorkTable
from companion.cli import main
from companion.errors import BadInput
from companion.vision.frame import Frame
from companion.vision.plain.evidence import FeatureExtractor
from companion.vision.plain.reader import PlainReader, Teaching
from companion.vision.plain.start import other_sides

START: dict[str, Any] = dict(BOARD.start)
TURNED = other_sides(BOARD, PIECES, START) or {}
OTHERS = {"park", "building", "silent", "innocent"}


@pytest.fixture(scope="module")
def pictures() -> dict[str, Frame]:
    copy = NewYorkTable(8101, tilt_most=25.0)
    return {
        name: Frame(copy.shoot(state)[0], 0.0, name) for name, state in (("empty", {}), ("start", START), ("sides", TURNED))
    }


@pytest.fixture(scope="module")
def yesterday(pictures: dict[str, Frame], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A profile taught by two pictures, as the shelf keeps it: with a part of its own beside."""
    report = teach_table(pictures["empty"], pictures["start"], BOARD, PIECES, START)
    assert report.ready, report.sentences
    path = tmp_path_factory.mktemp("shelf") / "kitchen.json"
    report.profile.save(path)
    path.write_text(json.dumps({**json.loads(path.read_text()), "evening": {"name": "Kitchen"}}))
    return path


@pytest.fixture(scope="module")
def taught(yesterday: Path) -> Teaching:
    teaching = TableProfile.load(yesterday).teaching
    assert teaching is not None
    return teaching


def at(teaching: Teaching, spot: str, height_mm: float = 2.0) -> tuple[float, float]:
    x, y = teaching.registration.project([BOARD.mm(spot)], height_mm)[0]
    return float(x), float(y)


def faces(teaching: Teaching) -> set[str | None]:
    return {exemplar.face for exemplar in teaching.exemplars}


@pytest.mark.slow
def test_a_kept_table_learns_the_other_sides_without_being_taught_again(taught: Teaching, pictures: dict[str, Frame]) -> None:
    assert not faces(taught) & OTHERS and not knows_other_sides(taught, BOARD, PIECES)
    learnt = learn_sides(taught, pictures["sides"], BOARD, PIECES)
    assert learnt.sentences == ()
    assert faces(learnt.teaching) >= OTHERS and knows_other_sides(learnt.teaching, BOARD, PIECES)
    assert learnt.teaching.exemplars[: len(taught.exemplars)] == taught.exemplars, "what was known stays as it was"
    read = PlainReader(BOARD, PIECES, learnt.teaching).read(pictures["sides"]).reading
    seen = {(one.place, one.face) for one in read.sightings if PIECES.pieces[one.piece].group == "tiles"}
    laid = set(TURNED["tiles"].items())
    assert seen <= laid and len(seen) >= len(laid) - 1


@pytest.mark.slow
def test_of_what_was_not_turned_over_nothing_is_learnt(taught: Teaching, pictures: dict[str, Frame]) -> None:
    with pytest.raises(BadInput, match="shows none of them"):
        learn_sides(taught, pictures["start"], BOARD, PIECES)
    half = {**TURNED, "tiles": {**TURNED["tiles"], "B9": "subway"}}
    report = learn_sides(taught, Frame(NewYorkTable(8101, tilt_most=25.0).shoot(half)[0], 0.0, "half"), BOARD, PIECES)
    assert report.sentences == ("subway-a at B9 looks as at the start in the picture of the other sides",)
    assert "B9" not in {exemplar.place for exemplar in report.teaching.exemplars if exemplar.face == "park"}


@pytest.mark.slow
def test_of_a_lone_piece_whose_sides_look_alike_neither_is_told_from_then_on(
    taught: Teaching, pictures: dict[str, Frame]
) -> None:
    """Measured on a made-up copy: both sides of the informant bore one dark drawing, and the one never learnt was told as the
    other (0.999)."""
    same = {**TURNED, "informant": dict(BOARD.start)["informant"]}
    report = learn_sides(taught, Frame(NewYorkTable(8101, tilt_most=25.0).shoot(same)[0], 0.0, "same"), BOARD, PIECES)
    assert report.sentences == ("informant at LIBERTY looks as at the start in the picture of the other sides",)
    before, after = (PlainReader(BOARD, PIECES, one).read(pictures["start"]).reading for one in (taught, report.teaching))
    assert before.of("informant") is not None
    assert after.of("informant") is None and after.lying["informant"] == "LIBERTY"
    assert after.unknown["informant"].startswith("its side cannot be told")
    assert not knows_other_sides(report.teaching, BOARD, PIECES)
    # Who turns him over for another picture is believed, and who forgets it in a later one loses nothing.
    right = learn_sides(report.teaching, pictures["sides"], BOARD, PIECES).teaching
    later = learn_sides(right, Frame(NewYorkTable(8101, tilt_most=25.0).shoot(same)[0], 0.0, "same"), BOARD, PIECES).teaching
    for teaching in (right, later):
        assert knows_other_sides(teaching, BOARD, PIECES)
        assert PlainReader(BOARD, PIECES, teaching).read(pictures["start"]).reading.of("informant") is not None


@pytest.mark.slow
def test_characters_that_were_not_turned_over_are_told_from_their_first_sides(
    taught: Teaching, pictures: dict[str, Frame]
) -> None:
    people, turned = dict(BOARD.start)["characters"], TURNED["characters"]
    assert {entry["side"] for entry in turned.values()} == {"innocent"}
    copy = NewYorkTable(8101, tilt_most=25.0)
    for laid, told, learnt in (
        (people, ("no character was turned over in the picture of the other sides",), set()),
        (
            {**turned, "beach": people["beach"]},
            ("beach at E10 looks as at the start in the picture of the other sides",),
            set(turned) - {"beach"},
        ),
    ):
        report = learn_sides(taught, Frame(copy.shoot({**TURNED, "characters": laid})[0], 0.0, "half"), BOARD, PIECES)
        assert report.sentences == told
        assert {exemplar.piece for exemplar in report.teaching.exemplars if exemplar.face == "innocent"} == learnt
        assert faces(report.teaching) >= OTHERS - {"innocent"}
        assert not knows_other_sides(report.teaching, BOARD, PIECES)
        # A picture taken anew adds to what is known, and who turned all over need not do it again.
        whole = learn_sides(report.teaching, pictures["sides"], BOARD, PIECES).teaching
        later = learn_sides(whole, Frame(copy.shoot({**TURNED, "characters": laid})[0], 0.0, "half"), BOARD, PIECES).teaching
        assert knows_other_sides(whole, BOARD, PIECES) and knows_other_sides(later, BOARD, PIECES)
        assert len({exemplar.piece for exemplar in later.exemplars if exemplar.face == "innocent"}) == len(turned)


@pytest.mark.slow
def test_a_disc_as_white_as_its_other_side_is_no_doubt_when_that_is_known(
    taught: Teaching, pictures: dict[str, Frame], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert learn_sides(taught, pictures["sides"], BOARD, PIECES).mended == ()
    monkeypatch.setattr(FeatureExtractor, "paleness", lambda _, piece: 1.0 if piece in ("beach", "grant") else 0.0)
    mended = learn_sides(taught, pictures["sides"], BOARD, PIECES).mended
    assert [words.partition(" looks as white as its other side")[0] for words in mended] == ["beach", "grant"]
    half = {**TURNED, "characters": {**TURNED["characters"], "beach": dict(BOARD.start)["characters"]["beach"]}}
    some = Frame(NewYorkTable(8101, tilt_most=25.0).shoot(half)[0], 0.0, "half")
    assert [words.partition(" ")[0] for words in learn_sides(taught, some, BOARD, PIECES).mended] == ["grant"]


@pytest.mark.slow
def test_a_second_side_under_a_reflection_is_named_and_not_learnt(taught: Teaching, pictures: dict[str, Frame]) -> None:
    """White as it is then, every first side under a reflection would look like it."""
    spoilt = in_glare(pictures["sides"], at(taught, "E10", 8.0), 0.9, 26.0)
    report = learn_sides(taught, spoilt, BOARD, PIECES)
    assert report.sentences == ("beach at E10 lies under a reflection in the picture of the other sides",)
    known = {exemplar.piece for exemplar in report.teaching.exemplars if exemplar.face == "innocent"}
    assert known == set(TURNED["characters"]) - {"beach"}
    alone = reteach(taught, spoilt, at(taught, "E10", 8.0), "beach", BOARD, PIECES, face="innocent").teaching
    exemplar = next(one for one in alone.exemplars if (one.piece, one.face) == ("beach", "innocent"))
    assert PlainReader(BOARD, PIECES, alone).taught_in_glare(exemplar)
    told = [PlainReader(BOARD, PIECES, one).read(pictures["start"]).reading.sightings for one in (taught, alone)]
    assert told[0] == told[1], "what cannot be made out says nothing"


def test_a_game_whose_pieces_have_one_side_takes_no_such_picture(taught: Teaching, pictures: dict[str, Frame]) -> None:
    board, pieces = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
    flat = replace(pieces, pieces={id_: replace(piece, faces=piece.faces[:1]) for id_, piece in pieces.pieces.items()})
    assert other_sides(board, flat, dict(board.start)) is None
    with pytest.raises(BadInput, match="no third picture is needed"):
        learn_sides(taught, pictures["sides"], board, flat)


@pytest.mark.parametrize(
    ("piece", "place", "face"),
    [
        ("building-a", "D15", "building"),
        pytest.param("informant", "LIBERTY", "silent", marks=pytest.mark.slow),
        pytest.param("barricade-a", "E4+F3", None, marks=pytest.mark.slow),
    ],
)
def test_one_side_of_one_piece_is_learnt_by_pointing_and_the_others_stay(
    taught: Teaching, pictures: dict[str, Frame], piece: str, place: str, face: str | None
) -> None:
    x, y = at(taught, place)
    learnt = reteach(taught, pictures["sides"], (x + 2, y - 2), piece, BOARD, PIECES, face=face)
    assert (learnt.place, learnt.sentences) == (place, ())
    assert [one.place for one in learnt.teaching.of(piece) if one.face == face] == [place]
    before = [(one.piece, one.face) for one in taught.exemplars if (one.piece, one.face) != (piece, face)]
    assert [(one.piece, one.face) for one in learnt.teaching.exemplars][: len(before)] == before


@pytest.mark.parametrize(
    ("piece", "place", "said", "words"),
    [
        ("building-a", "D15", {}, "say which side of building-a is up: building or park"),
        ("building-a", "D15", {"face": "lamp"}, "building-a has no side 'lamp'; it is taught by building or park"),
        ("barricade-a", "E4+F3", {"face": "park"}, "barricade-a has one side alone: name none"),
        ("turn", "turn-1", {"face": "silent"}, "turn has one side alone: name none"),
        ("beach", "E10", {"face": "park"}, "beach has no side 'park'; it is taught by suspect or innocent"),
        ("beach", "E10", {"facing": "N"}, "beach looks alike in every direction: name none"),
        ("barricade-b", "B9", {}, "there is no place for barricade-b where you point"),
        ("lamp-f", "H9", {"face": "park"}, "nothing lies at H9: it looks like the bare board"),
        ("moriarty", "B9", {}, "'moriarty' is no piece of this game"),
    ],
)
def test_what_cannot_be_learnt_so_is_one_sentence(
    taught: Teaching, pictures: dict[str, Frame], piece: str, place: str, said: dict[str, str], words: str
) -> None:
    with pytest.raises(BadInput) as refused:
        reteach(taught, pictures["sides"], at(taught, place), piece, BOARD, PIECES, **said)
    assert str(refused.value).startswith(words) and "\n" not in str(refused.value)


@pytest.mark.slow
def test_a_side_that_was_taken_for_another_so_far_is_asked_about(taught: Teaching, pictures: dict[str, Frame]) -> None:
    whole = learn_sides(taught, pictures["sides"], BOARD, PIECES).teaching
    wrong = reteach(whole, pictures["sides"], at(whole, "D15"), "building-a", BOARD, PIECES, face="park")
    assert "what lies at D15 was taken for building so far: make sure that it is park" in wrong.sentences
    grant = reteach(whole, pictures["sides"], at(whole, "E10", 8.0), "grant", BOARD, PIECES)
    assert "what lies at E10 was taken for beach so far: make sure that it is grant" in grant.sentences


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (np.zeros_like, "black"),
        (lambda image: np.full_like(image, 255), "white"),
        (lambda image: cv2.resize(image, (320, 240)), "320x240"),
        (lambda image: np.random.default_rng(5).integers(0, 255, image.shape, np.uint8), "does not show the board"),
    ],
)
def test_a_picture_that_cannot_be_used_is_one_sentence(
    taught: Teaching, pictures: dict[str, Frame], spoil: Any, words: str
) -> None:
    picture = Frame(np.asarray(spoil(pictures["sides"].image), np.uint8), 0.0, "spoilt")
    with pytest.raises(BadInput, match=words):
        learn_sides(taught, picture, BOARD, PIECES)
    with pytest.raises(BadInput, match=words):
        reteach(taught, picture, at(taught, "D15"), "building-a", BOARD, PIECES, face="building")


def test_the_command_line_adds_the_sides_and_one_piece_to_a_profile(
    yesterday: Path, pictures: dict[str, Frame], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides, profile = str(tmp_path / "sides.png"), tmp_path / "kitchen.json"
    cv2.imwrite(sides, pictures["sides"].image)
    profile.write_bytes(yesterday.read_bytes())
    assert main(["calibrate", "teach", str(profile), "--sides", sides, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ready"] is True
    document = json.loads(profile.read_text())
    assert document["evening"] == {"name": "Kitchen"}, "the lobby's own part is kept"
    known = TableProfile.load(profile).teaching
    assert known is not None and faces(known) >= OTHERS
    x, y = at(known, "C10")
    piece = ["calibrate", "piece", str(profile), sides, "lamp-f", "--at", f"{x:.0f},{y:.0f}"]
    assert main([*piece, "--side", "park"]) == 0
    assert "lamp-f at C10 is learnt" in capsys.readouterr().out
    assert json.loads(profile.read_text())["evening"] == {"name": "Kitchen"}
    for wrong, words in (
        ([*piece[:4], *piece[4:]], "say which side of lamp-f is up"),
        ([*piece[:5], "--at", "12", "--side", "park"], "two numbers"),
        (["calibrate", "teach", str(profile)], "--sides"),
        (["calibrate", "teach", sides, str(profile)], "EMPTY START PROFILE"),
        (["calibrate", "teach", str(tmp_path / "none.json"), "--sides", sides], "cannot be read"),
    ):
        assert main(wrong) == 2
        told = capsys.readouterr().err
        assert words in told and told.count("\n") == 1, told
    lens = tmp_path / "marked.json"
    TableProfile(BOARD.id, BOARD.edition, "marked", known.lens).save(lens)
    assert main(["calibrate", "teach", str(lens), "--sides", sides]) == 2
    assert "knows no unmodified copy" in capsys.readouterr().err

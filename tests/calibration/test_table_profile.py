"""Table profiles: everything comes back; what cannot be used is refused in one sentence."""

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion import boards
from companion.calibration import profile as profiles
from companion.calibration.migrations import MIGRATIONS
from companion.calibration.profile import TableProfile
from companion.errors import BadInput
from companion.vision.camera import Lens, Registration
from companion.vision.plain.prepared_image import ReferenceImage
from companion.vision.plain.reader import Exemplar, Teaching
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.surface import View

BOARD = boards.load("mr-jack-london")


@pytest.fixture
def profile() -> TableProfile:
    rng = np.random.default_rng(1)
    lens = Lens.guess((1280, 720))
    ys, xs = np.mgrid[0:720, 0:1280]
    picture = np.stack([xs // 8, ys // 4, (xs + ys) // 10], axis=-1).astype(np.uint8)
    patch = rng.integers(0, 256, (72, 72, 3)).astype(np.uint8)
    pose = Registration(lens, np.eye(3), np.array([[-265.0], [-200.0], [700.0]]), 0.7)
    close = rng.integers(0, 256, (138, 138, 3)).astype(np.uint8)
    exemplars = (
        Exemplar("watson", "a3", "suspect", "NE", patch, (1.5, -0.5)),
        Exemplar("turn", "turn-1", None, None, patch[:69, :69]),
        Exemplar("lamp-1", "c2", None, None, cv2.blur(patch[:69, :69], (9, 9)), (0.5, 0.0), close),
    )
    teaching = Teaching(BOARD.id, BOARD.edition, picture, pose, 33.5, exemplars, ("a doubt",), 0.7)
    return TableProfile(BOARD.id, BOARD.edition, "plain", lens, teaching, "kitchen table")


def test_a_profile_comes_back_as_it_was(profile: TableProfile, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    profile.save(path)
    again = TableProfile.load(path)
    assert (again.board, again.edition, again.mode, again.note) == (profile.board, profile.edition, "plain", "kitchen table")
    assert np.array_equal(again.lens.matrix, profile.lens.matrix)
    old, new = profile.teaching, again.teaching
    assert old is not None
    assert new is not None
    assert np.array_equal(new.registration.translation, old.registration.translation)
    assert new.registration.error_mm == old.registration.error_mm
    assert (new.disc_mm, new.warnings, new.white) == (33.5, ("a doubt",), 0.7)
    for one, other in zip(old.exemplars, new.exemplars, strict=True):
        assert (one.piece, one.place, one.face, one.facing, one.offset_mm) == (
            other.piece, other.place, other.face, other.facing, other.offset_mm,
        )  # fmt: skip
        assert np.array_equal(one.patch, other.patch), "patches are kept without loss"
        assert (one.close is None) == (other.close is None)
        assert one.close is None or np.array_equal(one.close, other.close)
    assert np.abs(new.empty.astype(int) - old.empty.astype(int)).mean() < 2
    assert list(tmp_path.iterdir()) == [path], "no half-written file is left"


def test_a_profile_written_before_there_were_close_ups_shows_its_patches_as_large(
    profile: TableProfile, tmp_path: Path
) -> None:
    path = tmp_path / "table.json"
    profile.save(path)
    document = json.loads(path.read_text())
    for exemplar in document["teaching"]["lessons"]:
        exemplar.pop("close_png", None)
    path.write_text(json.dumps(document))
    again = TableProfile.load(path).teaching
    assert again is not None
    tile = again.exemplars[-1]
    assert tile.close is None
    large = tile.close_reflectance(1.5)
    assert large.shape == (138, 138, 3)
    assert np.abs(cv2.resize(large, (69, 69), interpolation=cv2.INTER_AREA) - tile.reflectance).mean() < 0.02


def test_pieces_of_a_profile_of_version_two_count_as_they_were_kept(profile: TableProfile, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    profile.save(path)
    document = json.loads(path.read_text())
    document["format"] = "table-profile/2"
    del document["teaching"]["white"]
    path.write_text(json.dumps(document))
    again = TableProfile.load(path).teaching
    assert again is not None
    assert again.white == 1.0


def test_where_a_printing_has_its_track_is_kept_and_bounded(profile: TableProfile, tmp_path: Path) -> None:
    assert profile.teaching is not None
    path = tmp_path / "table.json"
    replace(profile, teaching=replace(profile.teaching, shifts={"turn": (1.0, -9.5)})).save(path)
    again = TableProfile.load(path).teaching
    assert again is not None
    assert again.shifts == {"turn": (1.0, -9.5)}
    assert again.fitted(BOARD).mm("turn-3")[1] == pytest.approx(BOARD.mm("turn-3")[1] - 9.5)
    path.write_text(path.read_text().replace("-9.5", "-40.0"))
    with pytest.raises(BadInput, match="further beside"):
        TableProfile.load(path)


def test_a_profile_of_version_three_has_its_track_looked_for_on_its_bare_board(profile: TableProfile, tmp_path: Path) -> None:
    """Here it shows no track at all: the places stay where the board file has them."""
    path = tmp_path / "table.json"
    profile.save(path)
    document = json.loads(path.read_text())
    document["format"] = "table-profile/3"
    del document["teaching"]["shifts"]
    path.write_text(json.dumps(document))
    again = TableProfile.load(path).teaching
    assert again is not None
    assert again.shifts == {}


def test_a_marked_table_needs_no_teaching(profile: TableProfile, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    TableProfile(BOARD.id, BOARD.edition, "marked", profile.lens).save(path)
    assert TableProfile.load(path).teaching is None


def test_another_board_and_another_picture_shape_are_said(profile: TableProfile) -> None:
    profile.check(BOARD, (1920, 1080))
    with pytest.raises(BadInput, match="revised-2016"):
        profile.check(boards.load("mr-jack-london", "revised-2016"))
    with pytest.raises(BadInput, match="1280x720 pictures, the camera gives 640x480"):
        profile.check(BOARD, (640, 480))


def test_a_newer_version_is_refused_and_an_older_one_brought_up_to_date(
    profile: TableProfile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.json"
    profile.save(path)
    document = json.loads(path.read_text())
    path.write_text(json.dumps(document | {"format": "table-profile/99"}))
    with pytest.raises(BadInput, match="newer companion"):
        TableProfile.load(path)
    path.write_text(
        json.dumps({k: v for k, v in document.items() if k != "note"} | {"format": "table-profile/0", "name": "old"})
    )
    with pytest.raises(BadInput, match="version 0"):
        TableProfile.load(path)
    step = {0: lambda old: {**old, "note": old["name"], "format": "table-profile/1"}}
    monkeypatch.setattr(profiles, "MIGRATIONS", {**MIGRATIONS, **step})
    assert TableProfile.load(path).note == "old"


@pytest.mark.parametrize("street_grey", [60, 205])
def test_a_profile_of_version_one_keeps_its_pieces_on_light_and_dark_boards(street_grey: int, tmp_path: Path) -> None:
    """Version 1 kept pieces relative to the streets; only what it had cut off on dark streets is lost, and that is said."""
    lens = Lens.guess((1280, 720))
    pose = Registration(lens, np.eye(3), np.array([[-265.0], [-200.0], [700.0]]), 0.7)
    picture = np.full((720, 1280, 3), 20, np.uint8)
    corners = pose.project([(0, 0), BOARD.size_mm])
    (left, top), (right, bottom) = corners.round().astype(int)
    picture[top:bottom, left:right] = street_grey
    picture[top : top + (bottom - top) // 8, left:right] = 240  # white print in the margin
    view = View(picture, pose)
    street = ReferenceImage(view, BOARD, PlainSettings().surface).street.reshape(3)
    assert (street.min() < 0.7) == (street_grey == 60)
    rng = np.random.default_rng(2)
    patch = rng.integers(0, 256, (72, 72, 3)).astype(np.uint8)
    teaching = Teaching(BOARD.id, BOARD.edition, picture, pose, 33.0, (Exemplar("holmes", "g5", "suspect", None, patch),), ())
    path = tmp_path / "table.json"
    TableProfile(BOARD.id, BOARD.edition, "plain", lens, teaching).save(path)
    document = json.loads(path.read_text())
    old = np.clip(np.sqrt((patch / 255.0) ** 2 / street) * 255 + 0.5, 0, 255).astype(np.uint8)
    document["format"] = "table-profile/1"
    document["teaching"]["lessons"][0]["png"] = base64.b64encode(cv2.imencode(".png", old)[1].tobytes()).decode()
    path.write_text(json.dumps(document))
    again = TableProfile.load(path).teaching
    assert again is not None
    whole = old < 255
    assert whole.mean() > 0.2
    assert np.abs(again.exemplars[0].patch.astype(int) - patch.astype(int))[whole].max() <= 2
    assert [("teach it again" in words) for words in again.warnings] == ([True] if street_grey == 60 else [])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "not JSON"),
        ("[1]", "not a table profile"),
        ('{"format": "board/1"}', "not a table profile"),
        ('{"format": "table-profile/1", "board": "x"}', "damaged"),
    ],
)
def test_what_is_no_profile_is_refused_in_words(content: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(content)
    with pytest.raises(BadInput, match=words):
        TableProfile.load(path)


def test_a_cut_off_picture_is_damage_not_a_traceback(profile: TableProfile, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    profile.save(path)
    document = json.loads(path.read_text())
    document["teaching"]["empty_jpg"] = document["teaching"]["empty_jpg"][:40]
    path.write_text(json.dumps(document))
    with pytest.raises(BadInput, match="damaged"):
        TableProfile.load(path)


def changed(profile: TableProfile, path: Path, change: Callable[[Any], None]) -> Path:
    """The profile's file with something in its JSON changed."""
    profile.save(path)
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    return path


def exemplar(document: Any, piece: str) -> Any:
    return next(entry for entry in document["teaching"]["lessons"] if entry["piece"] == piece)


def png(side: int) -> str:
    return base64.b64encode(cv2.imencode(".png", np.zeros((side, side, 3), np.uint8))[1].tobytes()).decode()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda d: d["teaching"].update(lessons=[]),
            "lacks the lessons of holmes, watson, smith, .*: teach the table again$",
        ),
        (lambda d: d["teaching"]["lessons"].pop(0), "lacks the lessons of holmes, watson, "),
        (lambda d: exemplar(d, "watson").update(piece="moriarty"), "has lessons of moriarty, which this game does not have"),
        (lambda d: exemplar(d, "watson").update(png=png(40)), "watson is a picture of 40x40 pixels, not of 72x72: teach"),
        (lambda d: exemplar(d, "turn").update(png=png(72)), "turn is a picture of 72x72 pixels, not of 69x69: teach"),
        (lambda d: exemplar(d, "lamp-1").update(close_png=png(69)), "lamp-1 is a picture of 69x69 pixels, not of 138x138"),
        (lambda d: exemplar(d, "watson").update(face="upside"), "damaged .*watson has no side 'upside'"),
        (lambda d: exemplar(d, "watson").update(offset_mm=[900, 0]), "damaged .*watson lies outside its picture"),
        (lambda d: exemplar(d, "watson").update(offset_mm=[float("nan"), 0]), "damaged .*a number in it is nan"),
        (lambda d: d["teaching"].update(disc_mm=float("inf")), "damaged .*a number in it is inf"),
        (lambda d: d["teaching"].update(disc_mm=-3), "damaged .*its discs are of no size"),
        (lambda d: d["teaching"]["pose"].update(rotation=[[0] * 3] * 3), "damaged"),
        (lambda d: d["lens"].update(size=[0, 0]), "damaged .*its lens is none"),
        (lambda d: d["lens"].update(distortion=[0, 0, 0]), "damaged .*its lens is none"),
        (lambda d: d.update(mode="magic"), "damaged .*its mode is 'magic'"),
        (lambda d: d.update(board="chess"), "chess"),
        (lambda d: d.update(board=["chess"]), "chess|damaged"),
        (lambda d: d.update(teaching=[]), "damaged"),
    ],
)
def test_lessons_and_numbers_that_no_table_has_are_refused_in_a_sentence(
    change: Callable[[Any], None], words: str, profile: TableProfile, tmp_path: Path
) -> None:
    path = changed(profile, tmp_path / "table.json", change)
    with pytest.raises(BadInput, match=words) as refused:
        TableProfile.load(path)
    assert "\n" not in str(refused.value)


def test_a_piece_whose_lesson_is_missing_can_still_be_taught_later(profile: TableProfile, tmp_path: Path) -> None:
    path = changed(profile, tmp_path / "table.json", lambda d: d["teaching"]["lessons"].pop(1))
    teaching = TableProfile.load(path).teaching
    assert teaching is not None
    assert [entry.piece for entry in teaching.exemplars] == ["watson", "lamp-1"]


def test_missing_and_unwritable_files(profile: TableProfile, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        TableProfile.load(tmp_path / "none.json")
    with pytest.raises(BadInput, match="cannot be written"):
        profile.save(tmp_path / "no-folder" / "table.json")

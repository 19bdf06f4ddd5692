"""An unmodified copy of Letters from Whitechapel: taught by three pictures, kept in a profile, read without a sticker on it."""

import json
import math
import os
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from surfaces import Put
from whitechapel_plain_tables import judge, lamp, lesson_pictures, picture, taught, write_set
from whitechapel_table import BOARD, PIECES, put, shot, table, verdicts

from companion.calibration.pawns import teach_pawns
from companion.calibration.profile import TableProfile
from companion.calibration.training.stickers_composed import Shot, pose
from companion.calibration.training.whitechapel_copy import DEVELOPED, Copy
from companion.calibration.training.whitechapel_pictures import shoot_copy, varied
from companion.cli import main
from companion.errors import BadInput
from companion.games.letters_from_whitechapel.table import laid_of
from companion.host.setup import EMPTY, PLAIN, START_PICTURE
from companion.host.setup_vision import SetupVision
from companion.vision.cards.view import MatGrid
from companion.vision.frame import Frame
from companion.vision.marked.frame_stickers import registered
from companion.vision.observation import Observation
from companion.vision.pawns.looks import PawnTeaching, looks, untaught
from companion.vision.pawns.reader import PawnReader
from companion.vision.reader import Region

COPY = Copy("lithograph", 1)
CAMERA = shot((1920, 1080), 10.0)


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> TableProfile:
    """What the companion knows of the copy, written and read back."""
    empty, laid = lesson_pictures(COPY, CAMERA)
    report = teach_pawns(Frame(empty, 0.0, "made"), [Frame(image, 0.0, "made") for image in laid], BOARD, PIECES)
    assert report.ready, report.sentences
    file = tmp_path_factory.mktemp("profile") / "table.json"
    report.profile.save(file)
    return TableProfile.load(file)


@pytest.fixture(scope="module")
def reader(profile: TableProfile) -> PawnReader:
    assert profile.pawns is not None and profile.mode == "plain" and profile.taught
    return PawnReader(BOARD, PIECES, profile.pawns)


def test_the_lessons_show_every_look_where_it_can_lie() -> None:
    assert len(BOARD.lessons) == 2
    assert not untaught(BOARD, PIECES, BOARD.lessons)
    assert {look.key for look in untaught(BOARD, PIECES, BOARD.lessons[:1])} >= {"patrols:fake", "police:police-red:None"}
    assert len(looks(PIECES)) == len({look.key for look in looks(PIECES)})


def test_positions_are_read_exactly_and_printed_pawns_are_no_pieces(reader: PawnReader) -> None:
    laid, image = picture(COPY, CAMERA, 5)
    seen = reader.read(Frame(image, 1.0, "made", 5)).reading
    found, lines = verdicts(seen, laid)
    assert not lines and found["police exact"] == 5, lines
    bare = reader.read(Frame(shoot_copy(COPY, (), CAMERA), 2.0, "made")).reading
    assert not bare.sightings and not bare.unknown
    # A hand over what was read: what it hides is not said to be gone, and stays known where it was known before.
    covered = image.copy()
    cv2.rectangle(covered, (700, 0), (1100, 1080), (120, 150, 190), -1)
    hidden = reader.read(Frame(covered, 3.0, "made")).reading
    assert hidden.unknown
    assert not [line for line in verdicts(hidden, laid)[1] if " wrong " in line]


def test_a_region_is_read_as_all_of_the_board_is(reader: PawnReader) -> None:
    pieces = put(laid_of(table(5)), CAMERA, np.random.default_rng(5))
    blue = next(one for one in pieces if one.piece == "police-blue")
    taken = {one.at for one in pieces}
    to = next(
        spot for spot in BOARD.of_kind("crossing") if spot not in taken and not taken & set(BOARD.links.get(spot, {}).values())
    )
    before, after = (
        Frame(shoot_copy(COPY, some, CAMERA, lamp(np.random.default_rng(5))), at, "made", int(at))
        for at, some in ((1.0, pieces), (2.0, [*(one for one in pieces if one is not blue), replace(blue, at=to)]))
    )

    def about(*spots: str) -> frozenset[str]:
        return frozenset(
            spot for spot in BOARD.spots for one in spots if math.dist(BOARD.mm(spot), BOARD.mm(one)) < 1.2 * BOARD.spacing_mm
        )

    def said(observation: Observation) -> tuple[object, ...]:
        reading = observation.reading
        return {(one.piece, one.place, one.face) for one in reading.sightings}, set(reading.unknown), observation.occluded

    first, whole = reader.read(before), reader.read(after)
    assert said(first) != said(whole)
    assert isinstance(blue.at, str)
    assert said(reader.read(after, region=Region(first, about(blue.at, to)))) == said(whole)
    assert said(reader.read(after, region=Region(first, frozenset()))) == said(first), "what is elsewhere is not looked at"
    assert said(reader.read(after, region=Region(first, about(to)))) == said(whole), "one policeman cannot be on two crossings"


def test_a_part_of_a_view_is_that_part_of_all_of_it() -> None:
    grid = MatGrid.over(pose(BOARD, CAMERA), BOARD.size_mm, 24.0, 1.5)
    image = np.random.default_rng(1).integers(0, 255, (CAMERA.size[1], CAMERA.size[0], 3)).astype(np.uint8)
    whole = grid.seen(image)
    for rows, columns in ((slice(1, None, 3), slice(1, None, 3)), (slice(100, 140), slice(300, 371)), (slice(48), slice(None))):
        assert (grid.seen_part(image, rows, columns) == whole[rows, columns]).all()
    part = grid.cropped(300, 100, (71, 40))
    assert np.abs(part.seen(image).astype(int) - whole[100:140, 300:371]).mean() < 1.0


def test_faults_of_teaching_are_said() -> None:
    empty = Frame(shoot_copy(COPY, (), CAMERA, stickers=False), 0.0, "made")
    with pytest.raises(BadInput, match="the board is not found: lay its four frame stickers beside it"):
        teach_pawns(empty, [empty], BOARD, PIECES)
    with_stickers = Frame(shoot_copy(COPY, (), CAMERA), 0.0, "made")
    noise = np.random.default_rng(1).integers(90, 160, (27, 48, 3)).astype(np.uint8)
    other = Frame(cv2.resize(noise, CAMERA.size, interpolation=cv2.INTER_CUBIC), 0.0, "made")
    with pytest.raises(BadInput, match="does not show the board of the empty picture"):
        teach_pawns(with_stickers, [other], BOARD, PIECES)
    with pytest.raises(BadInput, match="in one size"):
        teach_pawns(with_stickers, [Frame(other.image[:, :1440], 0.0, "made")], BOARD, PIECES)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        pytest.param((1, 0, 2), "pieces lie in the picture of the empty board", id="the bare board second"),
        pytest.param((2, 1, 0), "pieces lie in the picture of the empty board", id="the bare board last"),
        pytest.param((0, 2, 1), "a picture shows another position than it should", id="the positions exchanged"),
        pytest.param((0, 1, 1), "a picture shows another position than it should", id="one position twice"),
    ],
)
def test_pictures_of_each_others_positions_teach_nothing(order: tuple[int, int, int], words: str) -> None:
    camera = shot((1280, 720), 10.0)
    bare, laid = lesson_pictures(COPY, camera)
    pictures = (bare, *laid)
    found = registered(Frame(bare, 0.0, "made"), BOARD, PIECES, pose(BOARD, camera).lens)
    assert found is not None
    empty, *shown = (pictures[number] for number in order)
    lessons = tuple(zip(shown, BOARD.lessons, strict=True))
    with pytest.raises(BadInput, match=words):
        PawnReader(BOARD, PIECES, PawnTeaching(BOARD.id, BOARD.edition, empty, found, lessons))


def test_a_damaged_profile_is_refused_by_name(profile: TableProfile, tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    profile.save(file)
    document = json.loads(file.read_text("utf-8"))
    document["pawns"]["lessons"][0]["state"]["scenes"] = ["999"]
    file.write_text(json.dumps(document), "utf-8")
    with pytest.raises(BadInput, match="'999', which is not on this board"):
        TableProfile.load(file)
    document["pawns"]["lessons"] = []
    file.write_text(json.dumps(document), "utf-8")
    with pytest.raises(BadInput, match="it has 0 pictures of laid pieces"):
        TableProfile.load(file)


@pytest.mark.slow
@pytest.mark.parametrize("family", DEVELOPED)
@pytest.mark.parametrize("tilt", [0.0, 25.0, 40.0])
def test_positions_of_legal_games_are_read_without_an_error(family: str, tilt: float) -> None:
    camera: Shot = shot((2560, 1440), tilt)
    found = judge([Copy(family, 11)], camera, range(600, 606))
    assert not found["wrong"], dict(found)
    assert found["unknown"] <= 0.03 * found["exact"], dict(found)


@pytest.mark.slow
@pytest.mark.skipif(
    "WHITECHAPEL_TEXTURES" not in os.environ, reason="made on a print over photographs; on noise nothing is left open"
)
def test_what_was_seen_bare_stays_bare_below_a_pawn_beside_which_a_sliver_shows() -> None:
    """Red of the circle and the edge of the pawn gave a scene below it a few nats, which nothing that was known settled."""
    copy, seed, camera = Copy("lithograph", 360), 73601, shot((1880, 1057), 10.0)
    reader, (laid, image) = taught(copy, camera), picture(copy, camera, seed)
    rng = np.random.default_rng([copy.seed, seed, int(camera.tilt)])
    light = lamp(rng)
    pieces = [one for one in put(laid, camera, rng) if PIECES.group_of(one.piece).key != "wretched"]
    before = reader.read(Frame(shoot_copy(copy, pieces, varied(camera, rng), light), 1.0, "made")).reading
    now = Frame(image, 2.0, "made")
    unseen = verdicts(reader.read(now).reading, laid)[1]
    assert unseen and all(line.startswith("scenes bare unknown") for line in unseen), unseen
    assert not verdicts(reader.read(now, before).reading, laid)[1]


def test_what_lies_below_white_pawns_on_red_circles_is_told_or_left_open(reader: PawnReader) -> None:
    """Red on red hardly stirs anything: scenes that lay there were called absent, in this picture one of three. So is a bare
    circle open now where a scene would show as little."""
    rng = np.random.default_rng(8)
    spots = sorted(rng.permutation(sorted(BOARD.of_kind("red circle")))[:5].tolist())
    pawns, scenes = ([piece.id for piece in PIECES.in_group(key)] for key in ("wretched", "scenes"))
    laid = [*zip(scenes, spots[::2], strict=False), *zip(pawns, spots, strict=True)]
    offs = rng.uniform(-1.3, 1.3, (len(laid), 2))
    pieces = [
        Put(piece, spot, None, (float(x), float(y)), float(rng.uniform(0, 360)))
        for (piece, spot), (x, y) in zip(laid, offs, strict=True)
    ]
    image = shoot_copy(COPY, pieces, varied(CAMERA, rng), lamp(rng))
    reading = reader.read(Frame(image, 1.0, "made")).reading
    told = {one.place for one in reading.sightings if one.piece in scenes}
    assert {one.place for one in reading.sightings if one.piece in pawns} == set(spots)
    assert told and told <= set(spots[::2])
    assert all(spot in told or f"scene:{spot}" in reading.unknown for spot in spots[::2])


@pytest.mark.slow
@pytest.mark.parametrize(("family", "number", "seed"), [("engraved", 143, 65731), ("lithograph", 204, 78160)])
def test_dark_backs_of_tokens_are_not_left_to_pawns_in_shade(family: str, number: int, seed: int) -> None:
    copy = Copy(family, number)
    laid, image = picture(copy, CAMERA, seed)
    assert not verdicts(taught(copy, CAMERA).read(Frame(image, 1.0, "made")).reading, laid)[1]


@pytest.mark.slow
def test_a_set_is_taught_and_compared_by_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_set(tmp_path / "set", COPY, CAMERA, range(1, 3))
    main(["evaluate", str(tmp_path / "set"), "--json"])
    total = json.loads(capsys.readouterr().out)["total"]
    assert total["frames"] == 5 and total["wrong"] == 0
    files = [str(tmp_path / "set" / name) for name in ("empty.png", "start.png")]
    profile = str(tmp_path / "table.json")
    main(["calibrate", "teach", *files, profile, "--board", BOARD.id])
    assert "to have it known, lay Blue policeman on" in capsys.readouterr().out
    assert main(["calibrate", "teach", profile, "--sides", str(tmp_path / "set" / "other-sides.png")]) == 0


@pytest.mark.slow
def test_a_set_up_learns_the_copy_picture_by_picture() -> None:
    empty, laid = (Frame(lesson_pictures(COPY, CAMERA)[0], 0.0, "made"), lesson_pictures(COPY, CAMERA)[1])
    vision = SetupVision(BOARD, PIECES)
    vision.take(EMPTY, empty)
    vision.take(START_PICTURE, Frame(laid[0], 0.0, "made"))
    doubts, found = vision.teach(None)
    assert not doubts and found.way == "pictures" and vision.sides == ()
    assert vision.profile_now is not None and vision.profile_now.pawns is not None
    assert len(vision.profile_now.pawns.lessons) == 1
    doubts, _ = vision.teach_sides(Frame(laid[1], 0.0, "made"))
    assert not doubts and len(vision.profile_now.pawns.lessons) == 2
    reader = vision.reader(PLAIN)
    assert isinstance(reader, PawnReader)
    seen = vision.look(Frame(laid[0], 1.0, "made"), PLAIN)
    assert seen.board is not None and seen.seen >= 25, "of 26 pieces that lie where they belong"


def test_circles_that_a_lamp_has_washed_out_are_no_white_pawns() -> None:
    """A colour that is washed out may be any lighter one, which made bare print less likely than white paint there: five were
    told in the very picture of the empty board."""
    camera = shot((1600, 900), 10.0)
    empty, laid = lesson_pictures(Copy("lithograph", 91), camera)
    warm = np.array([0.7, 1.1, 1.7], np.float32)
    lit, *lessons = (np.clip(one.astype(np.float32) * warm, 0, 255).astype(np.uint8) for one in (empty, *laid))
    found = registered(Frame(lit, 0.0, "made"), BOARD, PIECES, pose(BOARD, camera).lens)
    assert found is not None
    lessons_ = tuple(zip(lessons, BOARD.lessons, strict=True))
    reader = PawnReader(BOARD, PIECES, PawnTeaching(BOARD.id, BOARD.edition, lit, found, lessons_))
    reading = reader.read(Frame(lit, 1.0, "made", 1)).reading
    assert not reading.sightings
    assert not [name for name in reading.unknown if name.startswith("wretched:")]


def test_what_bright_light_washes_out_is_compared_with_what_a_picture_can_hold_of_it(reader: PawnReader) -> None:
    """Light print and white paint are both no brighter than the brightest level: neither is likelier there."""
    laid, image = picture(COPY, CAMERA, 5)
    bright = np.clip(image.astype(np.float32) * 1.8, 0, 255).astype(np.uint8)
    assert (bright.max(axis=2) == 255).mean() > 0.05
    lines = verdicts(reader.read(Frame(bright, 1.0, "made", 5)).reading, laid)[1]
    assert not [line for line in lines if " wrong " in line] and len(lines) <= 3, lines

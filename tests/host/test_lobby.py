"""The lobby's work: cameras opened and given back, the board found, a copy taught, tables kept, a game set up again."""

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from fake_lobby import FakeLobby, StillCamera, StillSources

from companion import games
from companion.calibration.profile import TableProfile
from companion.demo import TABLE
from companion.devices.cameras.modes import CameraModes
from companion.devices.cameras.push import PushCamera
from companion.errors import BadInput, DeviceError
from companion.host import lobby_view
from companion.host import setup as steps
from companion.host.camera_state import LOST
from companion.host.choices import Choices
from companion.host.lobby import OpenedCamera
from companion.host.lobby_view import _board, _done, lobby_json
from companion.host.profile_store import ProfileStore, file_name
from companion.host.setup import BoardFound, CameraChoice, NotYet
from companion.host.setup_vision import SetupVision
from companion.vision.camera import Lens
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.plain.reader import PlainReader

sys.path.insert(0, str(Path(__file__).parents[1] / "vision"))
START = cv2.imread(str(TABLE / "001.jpg"))
GREY_TABLE = np.full((720, 1280, 3), 120, np.uint8)


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[FakeLobby]:
    lobby = FakeLobby(tmp_path, StillSources([np.asarray(START, np.uint8)]))
    yield lobby
    lobby.close()


def watching(lobby: FakeLobby, step: str = steps.BOARD, kind: str = "demo", address: str = "") -> FakeLobby:
    lobby.do("camera", {"kind": kind, "address": address})
    assert lobby.preview is not None
    assert lobby.preview.newest(5) is not None
    lobby.do("go", {"step": step})
    return lobby


def test_a_table_with_stickers_is_ready_at_the_first_look(lobby: FakeLobby) -> None:
    shown = lobby_json(watching(lobby))
    assert shown["board"]["way"] == "markers"
    assert shown["board"]["error_mm"] < 2
    assert shown["board"]["pieces"]["params"]["seen"] >= 18
    assert shown["missing"] == []
    assert cv2.imdecode(np.frombuffer(lobby.picture(lines=True) or b"", np.uint8), 1).shape == (720, 1280, 3)
    lobby.do("start", {})
    (begun,) = lobby.begun
    assert isinstance(begun.reader, MarkedReader)
    assert not begun.camera.closed.is_set() if isinstance(begun.camera, StillCamera) else True
    assert begun.board.edition == lobby.setup.edition


def test_another_game_on_the_table_is_named_in_place_of_markers_that_are_missing(lobby: FakeLobby) -> None:
    here = lobby.setup.game
    wrong = next(id_ for id_ in games.available() if id_ != here)
    lobby.do("game", {"game": wrong, "edition": games.load(wrong).editions()[0]})
    shown = lobby_json(watching(lobby))["board"]
    assert shown["line"] == {
        "text": "This looks like {game}: choose it in the first step.",
        "params": {"game": next(game["label"] for game in lobby_json(lobby)["games"] if game["id"] == here)},
    }
    assert shown["problems"] == []
    lobby.do("game", {"game": here, "edition": games.load(here).editions()[0]})
    assert lobby_json(lobby)["board"]["way"] == "markers"


def test_a_table_without_any_markers_looks_like_no_other_game(tmp_path: Path) -> None:
    lobby = FakeLobby(tmp_path, StillSources([GREY_TABLE]))
    shown = lobby_json(watching(lobby))["board"]
    assert shown["line"]["text"] == "The board is not found yet." and len(shown["problems"]) == 1
    lobby.close()


def test_a_phone_that_never_came_is_waited_for_without_alarm(lobby: FakeLobby) -> None:
    """Long after the camera behind it has said that nothing came."""
    lobby.do("camera", {"kind": "phone"})
    assert lobby.preview is not None
    end = time.monotonic() + 10
    while lobby.preview.trouble is None and time.monotonic() < end:
        time.sleep(0.02)
    assert lobby.preview.trouble is not None
    shown = lobby_json(lobby)
    assert (shown["camera"]["state"], shown["camera"]["trouble_line"]["text"]) == ("starting", "Waiting for the phone.")
    assert {"id": "camera", "done": False} in shown["steps"]
    assert shown["missing"][0]["step"] == "camera", "first the phone, then what its pictures show"
    lobby.push(bytes(cv2.imencode(".jpg", START)[1]), still=True)
    assert lobby.preview.newest(5) is not None
    shown = lobby_json(lobby)
    assert shown["camera"]["trouble_line"] is None and {"id": "camera", "done": True} in shown["steps"]


def test_a_camera_too_far_away_is_told_so_and_does_not_keep_the_game_from_starting(tmp_path: Path) -> None:
    near, far = np.asarray(START, np.uint8), cv2.resize(START, (1280, 720), interpolation=cv2.INTER_AREA)
    for picture, hints in ((near, []), (far, [{"pixels": 21, "least": 24}])):
        lobby = watching(FakeLobby(tmp_path, StillSources([np.asarray(picture, np.uint8)])), kind="address", address="camera")
        try:
            board = lobby_json(lobby)["board"]
            assert board["way"] == "markers"
            assert [hint["params"] for hint in board["hints"]] == hints
            lobby.do("mode", {"mode": "plain"})
            assert lobby_json(lobby)["board"]["hints"] == [], "its discs are large enough"
            lobby.do("mode", {"mode": "marked"})
            lobby.do("start", {})
            assert len(lobby.begun) == 1
        finally:
            lobby.close()


def test_nothing_starts_before_its_time_and_the_step_is_named(lobby: FakeLobby) -> None:
    for wish in ("start", "accept"):
        with pytest.raises(NotYet):
            lobby.do(wish, {})
    with pytest.raises(NotYet) as refused:
        lobby.do("take", {"picture": "empty"})
    assert refused.value.step == steps.CAMERA
    assert lobby.begun == []


def test_a_picture_that_cannot_show_a_board_is_not_taken(tmp_path: Path) -> None:
    black, board = np.zeros((720, 1280, 3), np.uint8), np.asarray(START, np.uint8)
    lobby = watching(FakeLobby(tmp_path, StillSources([black, board, black])), steps.PIECES, "address", "pictures")
    try:
        with pytest.raises(BadInput, match="picture of the empty board is black"):
            lobby.do("take", {"picture": "empty"})
        assert lobby.setup.pictures == set()
        onward(lobby)
        lobby.do("take", {"picture": "empty"})
        assert lobby.setup.pictures == {"empty"}
        onward(lobby)
        for picture in ("empty", "start"):
            with pytest.raises(BadInput, match="is black"):
                lobby.do("take", {"picture": picture})
        assert lobby.setup.pictures == {"empty"}, "the good one stays"
    finally:
        lobby.close()


def test_a_camera_that_does_not_open_changes_nothing(lobby: FakeLobby) -> None:
    watching(lobby)
    lobby_json(lobby)
    before, preview = lobby.setup, lobby.preview
    with pytest.raises(DeviceError):
        lobby.do("camera", {"kind": "address", "address": "broken"})
    assert (lobby.setup, lobby.preview) == (before, preview)
    assert preview is not None and preview.newest() is not None
    with pytest.raises(BadInput):
        lobby.do("camera", {"kind": "telescope"})


def test_the_same_camera_chosen_again_forgets_nothing_even_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever tried a lost camera again lost, unasked, all that it was taught; where it was not back yet it was given up, and
    its last picture was taken for the table."""
    again = {"kind": "device", "address": "0"}
    lobby = watching(FakeLobby(tmp_path, StillSources([np.asarray(START, np.uint8)])), steps.PIECES, **again)
    lobby.do("take", {"picture": "empty"})
    lobby.do("camera", again)
    preview, (camera,) = lobby.preview, lobby.sources.opened
    assert preview is not None and lobby.setup.pictures == {"empty"} and lobby.taken("empty")
    preview.state = LOST

    def refuse(*given: object, **more: object) -> None:
        raise DeviceError("camera 0: cannot be opened")

    with monkeypatch.context() as away:
        away.setattr(lobby.sources, "open", refuse)
        with pytest.raises(DeviceError):
            lobby.do("camera", again)
    assert lobby.preview is preview and not camera.closed.is_set(), "it goes on being tried"
    with pytest.raises(NotYet, match="its last one is old"):
        lobby.do("take", {"picture": "start"})
    lobby.do("camera", again)
    assert lobby.preview is not preview and camera.closed.is_set() and len(lobby.sources.opened) == 2
    assert lobby.setup.pictures == {"empty"} and lobby.taken("empty")
    lobby.close()


def test_another_camera_lets_go_of_the_one_before(lobby: FakeLobby) -> None:
    watching(lobby)
    watching(lobby, kind="address", address="another")
    first, second = lobby.sources.opened
    assert isinstance(first, StillCamera) and first.closed.is_set()
    assert isinstance(second, StillCamera) and not second.closed.is_set()


def test_a_phone_pushes_only_where_it_was_chosen(lobby: FakeLobby) -> None:
    picture = bytes(cv2.imencode(".jpg", START)[1])
    with pytest.raises(NotYet, match="phone"):
        lobby.push(picture)
    lobby.do("camera", {"kind": "phone"})
    assert lobby.push(picture, still=True) == (1920, 1080)
    assert lobby.preview is not None and isinstance(lobby.preview.camera, PushCamera)
    assert lobby.preview.newest(5) is not None
    assert lobby_json(lobby)["camera"]["recorded"] is False


def test_set_up_again_keeps_the_game_and_its_camera(lobby: FakeLobby) -> None:
    """During a game another camera is tried and left; then the same table is taken over with one that was changed."""
    lobby_json(watching(lobby))
    lobby.do("start", {})
    playing = lobby.preview
    lobby.do("start", {})
    assert len(lobby.begun) == 1, "nothing was changed: the game simply goes on"
    with pytest.raises(NotYet):
        lobby.do("game", {"game": lobby.setup.game, "edition": lobby.game.editions()[1]})
    lobby_json(watching(lobby, kind="address", address="another"))
    tried = lobby.preview
    assert tried is not playing and lobby.changed
    lobby.do("back", {})
    assert lobby.preview is playing and not lobby.changed
    lobby_json(watching(lobby, kind="address", address="another"))
    lobby.do("start", {})
    assert len(lobby.begun) == 2
    assert lobby.begun[1].source == CameraChoice("address", "another")
    assert lobby_json(lobby)["fixed"] is True


def test_a_kept_table_is_played_on_again_with_one_wish(lobby: FakeLobby, tmp_path: Path) -> None:
    lobby_json(watching(lobby))
    lobby.do("choices", {"choices": {"deal": True}})
    lobby.do("start", {"name": "../../Küche"})
    (file,) = (tmp_path / "tables").iterdir()
    assert file.parent == tmp_path / "tables"
    assert TableProfile.load(file).mode == "marked", "the prompt's --profile takes the same file"
    tomorrow = FakeLobby(tmp_path, lobby.sources)
    (table,) = lobby_json(tomorrow)["tables"]
    assert (table["name"], table["mode"], table["kind"]) == ("../../Küche", "marked", "demo")
    tomorrow.do("again", {"table": table["id"]})
    (begun,) = tomorrow.begun
    assert begun.choices == Choices(deal=True)
    tomorrow.do("forget", {"table": table["id"]})
    assert tomorrow.profiles.tables() == []
    tomorrow.do("remember", {"table": table["id"]})
    assert [one.id for one in tomorrow.profiles.tables()] == [table["id"]], "what was forgotten by a slip is taken back"
    with pytest.raises(BadInput):
        tomorrow.do("remember", {"table": table["id"]})
    tomorrow.do("forget", {"table": table["id"]})
    assert lobby_json(tomorrow)["tables"] == []
    tomorrow.close()


def test_a_kept_table_whose_board_is_away_leads_to_the_step_that_mends_it(lobby: FakeLobby, tmp_path: Path) -> None:
    lobby_json(watching(lobby))
    lobby.do("start", {"name": "Home"})
    tomorrow = FakeLobby(tmp_path)  # a grey picture
    tomorrow.do("again", {"table": tomorrow.profiles.tables()[0].id})
    assert tomorrow.begun == []
    assert tomorrow.setup.at == steps.BOARD
    assert "one flat colour" in lobby_json(tomorrow)["board"]["problems"][0]
    tomorrow.close()


def test_a_plain_copy_is_taught_and_what_differs_is_named(tmp_path: Path) -> None:
    from companion import boards  # noqa: PLC0415
    from companion.calibration.training.composed import Table  # noqa: PLC0415 - its folder is put on the path above

    board, pieces = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
    copy = Table(board, pieces, 2010, size=(1280, 720), tilt_most=25.0)
    start = dict(board.start)
    characters = {**start["characters"], "holmes": {**start["characters"]["holmes"], "hex": "g6"}}
    sources = StillSources([copy.shoot(state)[0] for state in ({}, {**start, "characters": characters}, start)])
    lobby = watching(FakeLobby(tmp_path, sources), steps.PIECES, "address", "pictures")
    try:
        left, top, right, bottom = board.frame_mm
        truth = copy.pose.project([(left, top), (right, top), (right, bottom), (left, bottom)]) / np.array([1280, 720])
        with pytest.raises(BadInput):
            lobby.do("corners", {"corners": [[0.1, 0.1], [0.2, 0.1], [0.2, 0.2], [0.1, 0.2]]})
        lobby.do("corners", {"corners": [[float(x) + 0.003, float(y) - 0.003] for x, y in truth]})
        found = lobby.setup.board
        assert found is not None and found.way == "corners"
        off = np.abs((np.array(found.corners) - truth) * np.array([1280, 720]))
        assert off.max() < 6, "snapped to the printed line, through a lens that is only guessed"
        lobby.do("take", {"picture": "empty"})
        onward(lobby)
        lobby.do("take", {"picture": "start"})
        assert any("holmes is not at g5" in line for line in lobby_json(lobby)["problems"])
        with pytest.raises(NotYet, match="differs"):
            lobby.do("start", {})
        onward(lobby)
        lobby.do("take", {"picture": "start"})
        assert lobby_json(lobby)["problems"] == []
        lobby.do("start", {"name": "Plain"})
        assert isinstance(lobby.begun[0].reader, PlainReader)
        assert lobby.profiles.profile(lobby.profiles.tables()[0].id).teaching is not None
    finally:
        lobby.close()


def test_a_third_picture_adds_its_doubts_and_one_that_teaches_nothing_changes_nothing(
    lobby: FakeLobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games.load("mr-jack-new-york")
    found = BoardFound("pictures", 0.5, ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)))
    answers: list[tuple[tuple[str, ...], BoardFound] | BadInput] = [BadInput("no board"), (("a doubt",), found), ((), found)]

    def teach_sides(self: SetupVision, frame: Frame) -> tuple[tuple[str, ...], BoardFound]:
        answer = answers.pop(0)
        if isinstance(answer, BadInput):
            raise answer
        return answer

    monkeypatch.setattr(SetupVision, "teach", lambda self, corners: ((), found))
    monkeypatch.setattr(SetupVision, "teach_sides", teach_sides)
    lobby.do("game", {"game": game.id, "edition": game.editions()[0]})
    watching(lobby, steps.PIECES)
    for picture in ("empty", "start"):
        lobby.do("take", {"picture": picture})
    before = lobby.setup
    assert steps.missing(before) == (), "the game can go on without"
    with pytest.raises(BadInput, match="no board"):
        lobby.do("take", {"picture": "sides"})
    assert lobby.setup == before
    lobby.do("take", {"picture": "sides"})
    assert [step for step, _ in steps.missing(lobby.setup)] == [steps.PIECES]
    lobby.do("take", {"picture": "sides"})
    assert steps.missing(lobby.setup) == () and lobby.setup.pictures == {"empty", "start", "sides"}


@pytest.mark.slow
def test_the_other_sides_are_learnt_from_a_third_picture_and_only_if_they_lie_there(tmp_path: Path) -> None:
    from companion.calibration.training.new_york_composed import BOARD, PIECES, NewYorkTable  # noqa: PLC0415 - its folder is put on the path above
    from companion.vision.plain.start import laid, other_sides  # noqa: PLC0415

    copy, start = NewYorkTable(8101, tilt_most=25.0), dict(BOARD.start)
    turned = other_sides(BOARD, PIECES, start)
    assert turned is not None
    half = {**turned, "tiles": {**turned["tiles"], "B9": start["tiles"]["B9"]}}
    pictures = [copy.shoot(state)[0] for state in ({}, start, half, turned)]
    lobby = FakeLobby(tmp_path, StillSources([*pictures, GREY_TABLE]))
    try:
        lobby.do("game", {"game": BOARD.id, "edition": BOARD.edition})
        watching(lobby, steps.PIECES, "address", "pictures")
        lines = [line["text"].format(**line["params"]) for line in lobby_json(lobby)["sides"]]
        assert ", ".join([*lines, "all else as at the start"]) == laid(turned, PIECES), "as the command line says it"
        lobby.do("take", {"picture": "empty"})
        with pytest.raises(NotYet, match="both pictures"):
            lobby.do("take", {"picture": "sides"})
        onward(lobby)
        lobby.do("take", {"picture": "start"})
        assert lobby_json(lobby)["problems"] == []
        with pytest.raises(BadInput, match="shows none of them"):
            lobby.do("take", {"picture": "sides"})
        assert lobby_json(lobby)["pictures"] == ["empty", "start"]
        onward(lobby)
        lobby.do("take", {"picture": "sides"})
        told = lobby_json(lobby)["problems"]
        assert "subway-a at B9 looks as at the start in the picture of the other sides" in told
        with pytest.raises(NotYet, match="differs"):
            lobby.do("start", {})
        onward(lobby)
        lobby.do("take", {"picture": "sides"})
        shown = lobby_json(lobby)
        assert (shown["problems"], shown["pictures"], shown["missing"]) == ([], ["empty", "sides", "start"], [])
        before = lobby.setup
        onward(lobby)
        with pytest.raises(BadInput, match="other sides"):
            lobby.do("take", {"picture": "sides"})
        assert lobby.setup == before
        lobby.do("start", {"name": "Whole"})
        teaching = lobby.profiles.profile(lobby.profiles.tables()[0].id).teaching
        assert teaching is not None
        assert {"park", "building", "silent"} <= {exemplar.face for exemplar in teaching.exemplars}
    finally:
        lobby.close()


def test_the_third_picture_is_offered_in_every_game_whose_pieces_have_two_sides(lobby: FakeLobby) -> None:
    (line,) = lobby_json(watching(lobby, steps.PIECES))["sides"]
    assert line["text"].format(**line["params"]) == "every character turned over where it stands"


def onward(lobby: FakeLobby) -> None:
    """The recording's next picture."""
    assert lobby.preview is not None
    before = lobby.preview.newest()
    lobby.do("onward", {})
    assert lobby.preview.newest() is not before


def test_names_never_leave_the_folder(tmp_path: Path) -> None:
    profiles = ProfileStore(tmp_path / "tables")
    profile = TableProfile("mr-jack-london", "first-2006", "marked", Lens.guess((1280, 720)))
    for name in ("../etc/passwd", "/abs", "..", "a\\b", "con", "会", " x " * 5, "table"):
        kept = profiles.keep(name, profile, CameraChoice("demo"), Choices())
        assert (tmp_path / "tables" / f"{kept.id}.json").is_file()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tables"]
    assert len(profiles.tables()) == 8
    assert file_name("Ada") != file_name("ADA")
    for wrong in ("", "   ", "x" * 41, "a\x00b", "a\nb\x1b"):
        with pytest.raises(BadInput):
            profiles.keep(wrong, profile, CameraChoice("demo"), Choices())
    for id_ in ("../tables/x", "..", "x/y", "", "nobody"):
        with pytest.raises(BadInput, match="no such table"):
            profiles.profile(id_)
        with pytest.raises(BadInput, match="no such table"):
            profiles.forget(id_)


def test_a_damaged_table_is_left_out_and_the_rest_stays(tmp_path: Path) -> None:
    profiles = ProfileStore(tmp_path)
    profile = TableProfile("mr-jack-london", "first-2006", "marked", Lens.guess((1280, 720)))
    good = profiles.keep("good", profile, CameraChoice("address", "rtsp://me:word@cam/x"), Choices())
    for number, text in enumerate(("", "[]", "{}", json.dumps({"evening": {"camera": {"kind": "moon"}}}))):
        (tmp_path / f"bad{number}.json").write_text(text)
    assert profiles.tables() == [good]
    lobby = FakeLobby(tmp_path.parent)
    lobby.profiles = profiles
    shown = {key: value for key, value in lobby_json(lobby).items() if key != "labels"}
    assert "word" not in json.dumps(shown), "no password is shown"


def test_a_long_list_is_read_once_and_again_when_it_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profiles = ProfileStore(tmp_path, iter(range(10, 20)).__next__)
    profile = TableProfile("mr-jack-london", "first-2006", "marked", Lens.guess((1280, 720)))
    old, new = (profiles.keep(name, profile, CameraChoice("demo"), Choices()) for name in ("old", "new"))
    assert [table.name for table in profiles.tables()] == ["new", "old"]
    read: list[Path] = []
    whole = Path.read_text
    monkeypatch.setattr(Path, "read_text", lambda path, **more: read.append(path) or whole(path, **more))
    assert profiles.tables() == [new, old]
    assert read == []
    profiles.touch(old.id)
    assert [table.name for table in profiles.tables()] == ["old", "new"]


def test_cameras_of_this_machine_are_listed_with_their_largest_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    modes = {"YUYV": ((640, 480),), "MJPG": ((1920, 1080), (1280, 720))}
    found = [
        CameraModes("/dev/video0", "Desk camera", modes), CameraModes("/dev/video1", "its second device", {}),
        CameraModes("/dev/video2", "busy", {}, "cannot be opened (Permission denied)"),
    ]  # fmt: skip
    monkeypatch.setattr(lobby_view, "all_modes", lambda: found)
    first, busy = lobby_view.devices_json()
    assert first == {"address": "/dev/video0", "name": "Desk camera", "size": [1920, 1080], "problems": []}
    assert busy["problems"] == ["/dev/video2 cannot be opened (Permission denied)"]


def test_a_board_without_a_piece_in_sight_is_not_ticked_off_and_no_error_is_none(lobby: FakeLobby) -> None:
    lobby = watching(lobby)
    lobby_json(lobby)
    assert lobby.detection is not None
    assert lobby.detection.board is not None
    lobby.detection = replace(lobby.detection, seen=0, hidden=7)
    lobby.setup = replace(lobby.setup, board=replace(lobby.detection.board, error_mm=0.004))
    shown = _board(lobby, lobby.setup)
    assert shown["line"]["params"]["error"] == 0.1
    assert shown["pieces"]["all"] is False
    assert not _done(lobby, lobby.setup, steps.PIECES)


def test_a_picture_from_before_the_camera_was_lost_teaches_nothing(tmp_path: Path) -> None:
    """The board was cleared meanwhile; the picture of it full was taken for the empty one, and nobody was told."""
    lobby = FakeLobby(tmp_path)
    lobby.do("camera", {"kind": "phone"})
    assert lobby.preview is not None
    picture = cv2.imencode(".jpg", START)[1].tobytes()
    lobby.push(picture)
    assert lobby.preview.newest(5) is not None
    patience = time.monotonic() + 20
    while lobby.preview.state not in ("lost", "stalled") and time.monotonic() < patience:
        time.sleep(0.02)
    for command, given in (
        ("take", {"picture": "empty"}),
        ("corners", {"corners": [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]}),
    ):
        with pytest.raises(NotYet, match="gives no pictures now, and its last one is old"):
            lobby.do(command, given)
    assert lobby.setup.pictures == frozenset()
    lobby.push(picture)
    while lobby.preview.state != "running" and time.monotonic() < patience:
        time.sleep(0.02)
    lobby.push(picture)
    lobby.do("take", {"picture": "empty"})
    assert lobby.setup.pictures == {"empty"}
    lobby.close()


# --- recordings that show a board of their own ------------------------------------------------------------------------


def recording_of(edition: str) -> StillSources:
    """Sources of which the bundled recording and an address ending in "set" show one printing."""

    class Recordings(StillSources):
        def open(self, choice: CameraChoice, *, preview: bool) -> OpenedCamera:
            opened = super().open(choice, preview=preview)
            own = choice.kind == "demo" or choice.address.endswith("set")
            return replace(opened, board=games.load().board(edition)) if own else opened

    return Recordings()


OWN = ({"kind": "demo"}, {"kind": "address", "address": "a set"})


@pytest.mark.parametrize("camera", OWN)
def test_a_recording_of_another_printing_says_that_it_was_chosen_instead(tmp_path: Path, camera: dict[str, str]) -> None:
    lobby = FakeLobby(tmp_path, recording_of("first-2006"))
    lobby.do("game", {"game": "mr-jack-london", "edition": "revised-2016"})
    lobby.do("camera", camera)
    shown = lobby_json(lobby)
    assert shown["edition"] == "first-2006"
    assert shown["exchanged"]["params"] == {"board": games.load().board("first-2006").label}
    lobby.do("camera", {"kind": "device", "address": "0"})
    assert lobby_json(lobby)["exchanged"] is None
    lobby.close()


@pytest.mark.parametrize("camera", OWN)
def test_a_recording_is_no_camera_of_the_printing_that_is_chosen_after_it(tmp_path: Path, camera: dict[str, str]) -> None:
    """It was looked at, and played, as if it showed that board."""
    lobby = FakeLobby(tmp_path, recording_of("first-2006"))
    lobby.do("camera", camera)
    assert lobby_json(lobby)["exchanged"] is None
    lobby.do("game", {"game": "mr-jack-london", "edition": "revised-2016"})
    shown = lobby_json(lobby)
    assert (shown["edition"], shown["camera"]) == ("revised-2016", None)
    assert shown["exchanged"]["text"].startswith("The recording that was chosen shows another board")
    lobby.close()


def test_a_camera_of_another_board_is_let_go_while_a_game_is_on(tmp_path: Path) -> None:
    sources = recording_of("first-2006")
    lobby = FakeLobby(tmp_path, sources)
    lobby.do("game", {"game": "mr-jack-london", "edition": "revised-2016"})
    lobby.do("camera", {"kind": "device", "address": "0"})
    lobby.setup = replace(lobby.setup, fixed=True)
    with pytest.raises(NotYet):
        lobby.do("camera", {"kind": "demo"})
    assert sources.opened[-1].closed.is_set() and not sources.opened[0].closed.is_set()
    assert lobby.setup.camera == CameraChoice("device", "0") and lobby.setup.edition == "revised-2016"
    lobby.close()

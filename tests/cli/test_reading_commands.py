"""``companion read``, ``evaluate`` and ``markers`` as a user meets them, on the bundled table."""

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.demo import TABLE, table_of

SHARED = Path(__file__).parents[2] / ".." / "shared" / "tables"


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("mr-jack-london", ("    holmes: g5, suspect", "    watson: a3, suspect, facing NE", "  covers: c2, l12")),
        ("mr-jack-new-york", ("  barricades: ", "  informant: ", "  turn: 1")),
    ],
)
def test_read_without_json_speaks_plain_words(game: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(table_of(game) / "001.jpg")]) == 0
    said = capsys.readouterr().out
    assert not set('{}[]"') & set(said)
    lines = said.splitlines()
    assert all(any(line.startswith(word) for line in lines) for word in words), said


def test_read_prints_one_json_line_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(TABLE / "002.jpg"), "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert set(line) == {"file", "settled", "state", "unknown", "problems"}
    assert line["settled"] is True
    assert line["state"]["characters"]["holmes"] == {"hex": "e6", "side": "suspect"}
    assert line["unknown"] == []


def test_a_hidden_lamp_is_unknown_not_gone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    alone = shutil.copy(TABLE / "006.jpg", tmp_path)
    for path in (TABLE / "006.jpg", alone):
        assert main(["read", str(path), "--json"]) == 0
        line = json.loads(capsys.readouterr().out)
        assert line["settled"] is False
        assert {"gaslight:k6", "goodley", "stealthy"} <= set(line["unknown"])


def test_the_bundled_table_is_read_exactly(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(TABLE), "--json"]) == 0
    total = json.loads(capsys.readouterr().out)["total"]
    assert total["exact"] == total["frames"] == 16
    assert (total["wrong"], total["unknown"]) == (0, 0)


def test_evaluate_says_where_a_reading_differs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = json.loads((TABLE / "table.json").read_text())
    data["frames"] = [frame for frame in data["frames"] if frame["file"] in ("001.jpg", "002.jpg")]
    data["frames"][1]["state"]["turn"] = 8
    for name in ("001.jpg", "002.jpg"):
        shutil.copy(TABLE / name, tmp_path)
    (tmp_path / "table.json").write_text(json.dumps(data))
    assert main(["evaluate", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "002.jpg turn: is 8, read 1 (wrong)" in out
    assert "1 of 2 pictures exact" in out


def test_reading_a_set_does_not_look_at_its_truth(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = json.loads((TABLE / "table.json").read_text())
    kept = [frame for frame in data["frames"] if frame["file"] == "003.jpg"]
    data["frames"] = [{"file": frame["file"], "kind": "position"} for frame in kept]
    shutil.copy(TABLE / "003.jpg", tmp_path)
    (tmp_path / "table.json").write_text(json.dumps(data))
    assert main(["read", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["state"]["characters"]["bert"]["hex"] == "g10"


def test_every_command_takes_a_lens_in_each_form_that_there_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = json.loads((TABLE / "table.json").read_text())
    own = {"matrix": table["camera"]["K"], "distortion": table["camera"]["D"], "size": table["image_size"], "error_px": 0.2}
    opencv = {"K": table["camera"]["K"], "D": table["camera"]["D"], "image_size": table["image_size"]}
    profile = {"format": "table-profile/2", "lens": own}
    told = []
    for number, data in enumerate((own, opencv, profile, table)):
        lens = tmp_path / f"{number}.json"
        lens.write_text(json.dumps(data))
        assert main(["read", str(TABLE / "002.jpg"), "--json", "--lens", str(lens)]) == 0
        assert json.loads(capsys.readouterr().out)["state"]["characters"]["holmes"]["hex"] == "e6"
        assert main(["calibrate", "board", str(TABLE / "002.jpg"), "--json", "--lens", str(lens)]) == 0
        told.append(capsys.readouterr().out)
    assert len(set(told)) == 1
    assert json.loads(told[0])["error_mm"] < 1
    none = tmp_path / "none.json"
    none.write_text('{"matrix": [1, 2], "distortion": [], "size": [1, 2]}')
    for command in (["read", str(TABLE / "002.jpg")], ["calibrate", "board", str(TABLE / "002.jpg")]):
        assert main([*command, "--lens", str(none)]) == 2
        assert "is not a lens of" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["look.jpg", "look.JPEG", "look.png"])
def test_a_picture_is_written_as_its_name_says(name: str, tmp_path: Path) -> None:
    assert main(["calibrate", "board", str(TABLE / "002.jpg"), "--overlay", str(tmp_path / name)]) == 0
    begins = (tmp_path / name).read_bytes()[:4]
    assert begins == b"\x89PNG" if name.endswith("png") else begins[:3] == b"\xff\xd8\xff"


def test_markers_lists_ids_and_corners(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["markers", str(TABLE / "001.jpg"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["markers"]
    assert {0, 1, 2, 3, 10, 48} <= {marker["id"] for marker in found}
    assert all(len(marker["corners"]) == 4 for marker in found)


@pytest.mark.parametrize("command", ["read", "markers"])
@pytest.mark.parametrize(("name", "content"), [("missing.jpg", None), ("empty.jpg", b""), ("text.jpg", b"no picture at all")])
def test_bad_pictures_are_one_line_and_status_two(
    command: str, name: str, content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    assert main([command, str(path), "--json"]) == 2
    error = capsys.readouterr().err
    assert name in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("{", "is not a table file"),
        ("[]", "no JSON object"),
        ("{}", "'game' is missing"),
        ('{"game": "go"}', "'go' is not known"),
    ],
)
def test_bad_table_files_are_one_line_and_status_two(
    table: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "table.json").write_text(table)
    assert main(["read", str(tmp_path)]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("name", ["oak-marked", "dim-marked"])
def test_rendered_tables_are_read_exactly_where_they_are_at_hand(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    if not (SHARED / name).is_dir():
        pytest.skip("the rendered tables are not beside the project")
    assert main(["evaluate", str(SHARED / name)]) == 0
    assert "0 pieces wrong, 0 unknown" in capsys.readouterr().out


def test_evaluate_tells_what_was_taken_for_what_and_how_sure_it_was(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = json.loads((TABLE / "table.json").read_text())
    data["frames"] = [frame for frame in data["frames"] if frame["file"] in ("001.jpg", "002.jpg", "006.jpg")]
    bert = data["frames"][1]["state"]["characters"]["bert"]
    bert["side"] = "innocent" if bert["side"] == "suspect" else "suspect"
    for name in ("001.jpg", "002.jpg", "006.jpg"):
        shutil.copy(TABLE / name, tmp_path)
    (tmp_path / "table.json").write_text(json.dumps(data))
    page = tmp_path / "report.html"
    assert main(["evaluate", str(tmp_path), "--json", "--report", str(page)]) == 1
    total = json.loads(capsys.readouterr().out)["total"]
    wrong = {
        (truth, read): count
        for truth, reads in total["confusion"]["characters"].items()
        for read, count in reads.items()
        if truth != read
    }
    read = "bert suspect" if bert["side"] == "innocent" else "bert innocent"
    assert wrong == {(f"bert {bert['side']}", read): 1}
    assert sum(entry["claims"] for entry in total["reliability"]) > 40
    assert min(entry["true_share"] for entry in total["reliability"]) < 1
    text = page.read_text()
    assert text.count("data:image/jpeg;base64,") >= 4  # bert, and what the arm of the third picture hides
    assert "006.jpg (arm in the picture)" in text
    assert total["hand_frames"] == 1
    assert "<td>1 (50.0 %)</td><td>1</td>" in text, "one of the two pictures without an arm; one with an arm"
    assert 'aria-label="reliability curve"' in text
    assert total["viewing"] is None, "of one set, not of all together"
    assert 'src="http' not in text
    assert "<script" not in text


def test_evaluate_tells_how_the_camera_saw_each_set(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = json.loads((TABLE / "table.json").read_text())
    data["frames"] = [frame for frame in data["frames"] if frame["file"] == "001.jpg"]
    near, far = tmp_path / "near", tmp_path / "far"
    for folder, (width, height) in ((near, (1920, 1080)), (far, (1280, 720))):
        folder.mkdir()
        picture = cv2.resize(cv2.imread(str(TABLE / "001.jpg")), (width, height), interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(folder / "001.jpg"), picture)
        camera = np.array(data["camera"]["K"]) * np.array([[width / 1920], [height / 1080], [1]])
        (folder / "table.json").write_text(
            json.dumps({**data, "image_size": [width, height], "camera": {**data["camera"], "K": camera.tolist()}})
        )
    assert main(["evaluate", str(near), str(far), "--json"]) in (0, 1)
    sets = json.loads(capsys.readouterr().out)["sets"]
    assert sets[str(near)]["viewing"] == {"tilt_deg": 12.5, "sticker_px": 32.0, "disc_px": 66.1}
    assert sets[str(near)]["faults"] == []
    assert sets[str(far)]["viewing"]["sticker_px"] == pytest.approx(32.0 * 2 / 3, abs=0.2)
    assert ["21 pixels" in fault for fault in sets[str(far)]["faults"]] == [True]
    main(["evaluate", str(near), str(far)])
    out = capsys.readouterr().out
    assert "seen from 12 degrees; discs 66 px wide, their stickers 32 px" in out
    assert "sets seen as a camera is asked to see: 1 of 1 pictures exact" in out


def test_a_report_that_cannot_be_written_is_said_in_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["evaluate", str(TABLE), "--report", str(tmp_path / "nowhere" / "page.html")]) == 2
    assert capsys.readouterr().err.strip().endswith("the report cannot be written (No such file or directory)")


def test_a_lone_picture_is_read_on_the_board_whose_markers_lie_beside_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    alone = shutil.copy(table_of("mr-jack-new-york") / "001.jpg", tmp_path)
    assert main(["read", str(alone), "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["state"]["informant"] == {"hex": "LIBERTY", "side": "talkative"}
    assert line["state"]["barricades"] == [["E4", "F3"], ["K14", "L15"]]


def test_the_second_games_bundled_table_is_read_exactly(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(table_of("mr-jack-new-york")), "--json"]) == 0
    total = json.loads(capsys.readouterr().out)["total"]
    assert total["exact"] == total["frames"] == 9
    assert (total["wrong"], total["unknown"]) == (0, 0)
